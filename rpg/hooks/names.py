"""`rpg usages --hook`: called by an agent's client after a search through files.

In: the client's event as JSON on stdin. Out: nothing, or JSON that adds what the graph knows of the name that was
searched for, in at most 150 tokens, masked. Silent for patterns that are no names, for a search of one file, for names
that the graph does not know or that were told in this session, and without a graph. Only the index is read.

Absent: resolving, refreshing, asking a server: the client waits.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from rpg.hooks.telling import MOST_BYTES, News, graph_of, run, untold

SECONDS = 0.6
"""After which it ends, having told nothing."""
EVENTS = frozenset({"PreToolUse", "PostToolUse", "AfterTool"})
PROGRAMS = frozenset({"grep", "egrep", "fgrep", "rg", "ag", "ack"})
WITH_VALUE = frozenset(
    "-A -B -C -m -f -g -t -T -d --include --exclude --exclude-dir --glob --type --context --max-count --color".split()
)
"""Options that the next word belongs to."""
AROUND = frozenset(
    "def class func function fn fun struct interface trait enum type impl const let var val new import from return"
    " await async public private protected static self this".split()
)
"""Words that a pattern has beside the name that it is for."""
ESCAPES = re.compile(r"\\[bBswdWSDAzZ<>]")
NAME = re.compile(r"[A-Za-z_]\w*")
LONGEST_PATTERN = 200
LEAST = 3
MOST_NAMES = 2
SEPARATORS = frozenset({"|", "||", "&&", ";", "&"})


def run_hook() -> int:
    """Always 0."""
    return run(answer, SECONDS)


def answer(event: dict[str, Any]) -> dict[str, Any] | None:
    """What the client is given; None for nothing."""
    event_name = str(event.get("hook_event_name", ""))
    names = find_searched_names(event) if event_name in EVENTS else []
    graph = graph_of(event) if names else None
    if graph is None:
        return None
    news = [News(f"name {name}", text) for name in names if (text := describe_name(graph, name))]
    fresh = untold(graph, str(event.get("session_id") or ""), "names", news, keeps_all=True) if news else []
    text = format_answer("\n".join(each.text for each in fresh))
    return {"hookSpecificOutput": {"hookEventName": event_name, "additionalContext": text}} if text else None


def find_searched_names(event: dict[str, Any]) -> list[str]:
    """The names that a search is for; none for a search that a name is not the point of."""
    given = event.get("tool_input")
    if not isinstance(given, dict):
        return []
    folder = Path(str(event.get("cwd") or "."))
    pattern = given.get("pattern")
    if isinstance(pattern, str):
        places = [given["path"]] if isinstance(given.get("path"), str) else []
        return [] if is_one_file(folder, places) else names_in(pattern)
    command = given.get("command")
    if isinstance(command, list):
        command = str(command[-1]) if command else ""
    if not isinstance(command, str):
        return []
    for found, places in searches(command):
        if not is_one_file(folder, places):
            return names_in(found)
    return []


def searches(command: str) -> Iterator[tuple[str, list[str]]]:
    """The patterns of the searches through files in a line for a shell, and where each looks."""
    with suppress(ValueError):
        lexer = shlex.shlex(command[:4000], posix=True, punctuation_chars="|&;")
        lexer.whitespace_split = True
        words = list(lexer)
        at = 0
        is_first, reads_pipe = True, False
        while at < len(words):
            word = words[at]
            if word in SEPARATORS:
                is_first, reads_pipe = True, word == "|"
            elif is_first:
                is_git = word == "git" and words[at + 1 : at + 2] == ["grep"]
                is_first = "=" in word and not word.startswith("-")  # a variable before the program
                if (is_git or word.rpartition("/")[2] in PROGRAMS) and not reads_pipe:
                    found, places = arguments(words[at + 1 + is_git :])
                    if found:
                        yield found, places
            at += 1


def arguments(words: list[str]) -> tuple[str, list[str]]:
    """The pattern of a grep, and where it looks."""
    pattern, places, at = "", [], 0
    while at < len(words) and words[at] not in SEPARATORS:
        word = words[at]
        if word in ("-e", "--regexp") and at + 1 < len(words):
            pattern, at = pattern or words[at + 1], at + 1
        elif word in WITH_VALUE:
            at += 1
        elif word.startswith("-") and len(word) > 1:
            pass
        elif not pattern:
            pattern = word
        elif not re.match(r"\d*[<>]", word):
            places.append(word)
        at += 1
    return pattern, places


def is_one_file(folder: Path, places: list[str]) -> bool:
    with suppress(OSError, ValueError):
        return len(places) == 1 and (folder / places[0]).is_file()
    return False


def names_in(pattern: str) -> list[str]:
    """The name that a pattern is for, or the few between bars."""
    if len(pattern) > LONGEST_PATTERN:
        return []
    names = []
    for part in re.split(r"\\?\|", ESCAPES.sub(" ", pattern)):
        words = [word for word in NAME.findall(part) if word not in AROUND]
        if not words or len(words) > 2 or (len(words) == 2 and "." not in part and "::" not in part):
            return []
        if len(words[-1]) < LEAST:
            return []
        names.append(words[-1])
    return names if len(names) <= MOST_NAMES else []


def describe_name(graph: Path, name: str) -> str:
    from rpg.queries.names.known_name import describe_known_name
    from rpg.stores.graph_folder import graph_name
    from rpg.stores.index.index import Index

    index = Index.open_read_only(graph.with_name(graph_name(graph) + ".graph.db"))
    try:
        return "\n".join(describe_known_name(index, name))
    finally:
        index.close()


def format_answer(text: str) -> str:
    """Within the limit, masked, and one line for each definition."""
    from rpg.encoder.masking import mask
    from rpg.text.printable import make_printable, shorten

    if not text:
        return ""
    lines = ["The code graph (rpg) knows this name; `find_usages` has the whole list:"]
    room = MOST_BYTES - len(lines[0]) - 1
    for line in mask(text.encode("utf-8", "replace")).decode("utf-8", "replace").split("\n"):
        short = shorten(make_printable(line), min(300, room))
        room -= len(short.encode()) + 1
        if room < 0:
            break
        lines.append(short)
    return "\n".join(lines) if len(lines) > 1 else ""
