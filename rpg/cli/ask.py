"""`rpg ask`: streams the answer on a terminal, with citations that open the file they name.

In: the arguments of query_code, and a model with its options. Out: in a pipe the text that MCP clients get, with --json
the structured form. A sentence is shown once it is complete and its citations are checked.
"""

from __future__ import annotations

import os
import re
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click

from rpg.cli.arguments.model_options import embedder_option, model_options, take_answerer, time_option
from rpg.cli.arguments.options import graph_option, json_option
from rpg.cli.commands import ToolCommand, plain_arguments, resolve_arguments, show, tool_options
from rpg.cli.failures import DONE, NOTHING_FOUND
from rpg.cli.terminal.output import say_as_it_is
from rpg.cli.terminal.paging import has_colors
from rpg.cli.terminal.paging import show as paged
from rpg.cli.terminal.source_colors import HEAD, color_lines, paint
from rpg.text.printable import make_printable
from rpg.tools.calling.call import Call, unheard
from rpg.tools.calling.registry import Tool

Link = Callable[[str, str], str]
"""Formats a location: takes its text, and the location as path:line."""

CITATION = re.compile(r"\[([^\[\]\n]+:[0-9]+)-[0-9]+\]")
PLACE = re.compile(r"^(== .* |  .*  )((\S+:[0-9]+)[0-9,-]*)$", re.MULTILINE)
"""The location of an excerpt or a signature, at the end of its line."""
TITLE = re.compile(r"^== \d+\. .* (\S+):[0-9][0-9,-]*$")
AFTER_SOURCE = ("related, by signature:",)
FORMAT = "file://{host}{path}#{line}"
IN_VSCODE = "vscode://file{path}:{line}"


def command(tool: Tool) -> click.Command:
    return ToolCommand(
        tool.command,
        params=[
            *tool_options(tool), graph_option(), *model_options(), time_option(), embedder_option(), json_option()
        ],
        callback=runner(tool), help=tool.description, short_help=tool.summary,
    )  # fmt: skip


def runner(tool: Tool) -> Callable[..., int]:
    def run(as_json: bool, graph: str, embedder: str | None, **arguments: Any) -> int:
        from rpg.cli.arguments.graphs import graph_to_query
        from rpg.tools.loaded.graphs import Graphs
        from rpg.tools.loaded.settings import Settings

        with_evidence = arguments.get("answer") == "extract"
        answerer = take_answerer(arguments, or_packaged=not with_evidence)
        file = graph_to_query(graph)
        graphs = Graphs([file], Settings(answerer=answerer, embedder=embedder))
        on_terminal = sys.stdout.isatty() and not as_json
        with ExitStack() as closing:
            closing.callback(graphs.close)
            screen = closing.enter_context(Screen(link_to(graphs.repository(file).root) if on_terminal else keep_text))
            call = Call(graphs, screen.report, on_text=screen.write if on_terminal else unheard)
            result: Any = tool.run(call, resolve_arguments(tool, plain_arguments(tool, arguments), graphs))
            screen.stop_bar()
            if on_terminal:
                screen.finish(result.answer)
                (say_as_it_is if result.answer else paged)(rest(tool, result, screen.link))
            else:
                show(tool, result, as_json)
        return DONE if tool.found(result) else NOTHING_FOUND

    return run


class Screen:
    """A progress bar until the first sentence, then sentences."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.written = ""
        self._bar = ExitStack()
        self._report: Callable[[str, int, int], None] = ignore_progress

    def __enter__(self) -> Screen:
        from rpg.cli.terminal.progress import progress

        self._report = self._bar.enter_context(progress())
        return self

    def __exit__(self, *failure: object) -> None:
        self.stop_bar()

    def report(self, stage: str, done: int, total: int) -> None:
        self._report(stage, done, total)

    def stop_bar(self) -> None:
        self._report = ignore_progress
        self._bar.close()

    def write(self, text: str) -> None:
        self.stop_bar()
        self.written += text
        say_as_it_is(link_citations(text, self.link), end="")

    def finish(self, answer: str) -> None:
        """Shows the part of the answer that was not shown yet."""
        shown = self.written.lstrip()
        missing = answer[len(shown) :] if answer.startswith(shown) else f"\n{answer}"
        if answer:
            say_as_it_is(link_citations(missing, self.link))


def rest(tool: Tool, result: Any, link: Link) -> str:
    """The evidence, below an answer if there is one: a small model names the place, the code tells."""
    below = tool.text(replace(result, answer="")).rstrip("\n").split("\n")
    return "\n".join([*([""] if result.answer else []), *evidence(below, link)])


def evidence(lines: Sequence[str], link: Link) -> Iterator[str]:
    """Shows locations as links, and source in the colours of its language on a terminal with colours."""
    colors = has_colors()
    for is_source, group in groupby(blocks(lines), key=itemgetter(0)):
        for path, members in groupby((each for _, *each in group), key=itemgetter(0)):
            texts = [text for _, text in members]
            if is_source and colors:
                yield from color_lines(texts, path)
            else:
                yield from (format_evidence_line(text, link, colors) for text in texts)


def blocks(lines: Sequence[str]) -> Iterator[tuple[bool, str, str]]:
    """For each line: whether it is source, the path of its file, the text."""
    path = ""
    for line in lines:
        title = TITLE.match(line)
        path = title[1] if title else "" if line in AFTER_SOURCE else path
        yield bool(path) and not title, path, line


def format_evidence_line(line: str, link: Link, colors: bool) -> str:
    shown = replace_places(
        line, PLACE, lambda match: make_printable(match[1]) + link(make_printable(match[2]), match[3])
    )
    return paint(shown, HEAD) if colors and TITLE.match(line) else shown


def link_citations(text: str, link: Link) -> str:
    return replace_places(text, CITATION, lambda match: link(make_printable(match[0]), match[1]))


def replace_places(text: str, places: re.Pattern[str], shown: Callable[[re.Match[str]], str]) -> str:
    """Replaces each location by what `shown` returns and makes the rest safe for a terminal."""
    out = []
    at = 0
    for match in places.finditer(text):
        out += [make_printable(text[at : match.start()]), shown(match)]
        at = match.end()
    return "".join([*out, make_printable(text[at:])])


def link_to(root: Path | None) -> Link:
    """OSC 8 links, which terminals without support ignore. RPG_LINKS sets the address that an editor expects."""
    wanted = os.environ.get("RPG_LINKS") or (IN_VSCODE if os.environ.get("TERM_PROGRAM") == "vscode" else FORMAT)
    if root is None or wanted == "none" or os.environ.get("TERM") == "dumb":
        return keep_text

    def link(text: str, place: str) -> str:
        path, _, line = place.rpartition(":")
        address = quote((root / path).as_posix(), safe="/:", errors="replace")
        values = {"{host}": socket.gethostname(), "{path}": address, "{line}": line}
        target = re.sub("|".join(map(re.escape, values)), lambda match: values[match[0]], wanted)
        return f"\x1b]8;;{target}\x1b\\{text}\x1b]8;;\x1b\\"

    return link


def keep_text(text: str, place: str) -> str:
    return text


def ignore_progress(stage: str, done: int, total: int) -> None:
    return None
