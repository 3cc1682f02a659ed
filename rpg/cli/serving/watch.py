"""`rpg watch`: keeps a graph fresh where no server does.

In: a graph file or a folder. Out: a line per refresh, until Ctrl-C. A refresh is what a server does before each answer
(repository.py); here it repeats, as often as its cost allows.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from rpg.cli.arguments.choices import Place
from rpg.cli.arguments.options import graph_option, json_option
from rpg.cli.terminal.output import complain, say, say_as_it_is
from rpg.errors import RpgError
from rpg.text.printable import json_escaped

if TYPE_CHECKING:
    from rpg.repository import Repository

SHARE = 10
"""Checks may take one part in this many of a core's time: large trees, where each check costs more, are checked less
often."""
LONGEST = 10.0
"""The longest time between two checks in seconds, whatever they cost."""
SHOWN = 5


class Refresh(NamedTuple):
    """One check that found something."""

    seconds: float
    refreshed: tuple[str, ...] = ()
    commit: str = ""
    dirty: bool = False
    stale: tuple[str, ...] = ()
    note: str = ""
    """Why files are stale, or what is wrong with the graph."""


@click.command(short_help="Keep a graph fresh until Ctrl-C")
@click.argument("graph", default="", metavar="[GRAPH|FOLDER]", type=Place("text"))
@click.option("--interval", default=1.0, show_default=True, type=click.FloatRange(0.05), metavar="N",
              help="Seconds between checks")  # fmt: skip
def watch(graph: str, named: str, interval: float, as_json: bool) -> int:
    """Keep a graph fresh: look for changed files and encode them, until Ctrl-C.

    Without an argument it watches the graph here; a folder that has no graph yet is encoded first.
    """
    from rpg.repository import Repository

    with end_on_signals():
        repository = Repository.open(find_or_encode(graph or named))
        try:
            complain(f"watching {repository.root or 'no folder'} for {repository.graph_path}")
            for each in refreshes(repository, interval):
                say_as_it_is(json_escaped(format_json_line(each))) if as_json else say(text(each))
        finally:
            repository.close()
    return 0


watch.params += [graph_option("named"), json_option("Print each refresh as a line of JSON")]


@contextmanager
def end_on_signals() -> Iterator[None]:
    """Ctrl-C or a termination signal ends what runs inside; each file is then either complete or the old one."""

    received = []

    def end(number: int, frame: object) -> None:
        received.append(number)
        raise KeyboardInterrupt

    # SIGINT too: a shell that starts a command in the background makes it ignore that signal.
    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    except KeyboardInterrupt:
        if signal.SIGTERM not in received:  # whoever sent that expects no word
            complain("stopped")
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def find_or_encode(graph: str) -> Path:
    """The graph file to watch; encoded now if the argument is a folder without a graph."""
    from rpg.cli.arguments.graphs import find_graph, graph_file
    from rpg.cli.terminal.progress import progress
    from rpg.encoder.options import options_for
    from rpg.repository import default_place, encode, repository_around
    from rpg.stores.graph_folder import graph_around

    folder = Path(graph).expanduser()
    if not graph or not folder.is_dir() or graph_around(folder.absolute()) is not None:
        return find_graph(folder) if graph else graph_file()
    root = repository_around(folder)
    output = default_place(root)
    if not output.exists():
        with progress() as report:
            encode(root, output, options_for(root), progress=report)
    return output


def refreshes(repository: Repository, interval: float) -> Iterator[Refresh]:
    """The first check, then each that finds something new. Never ends."""
    last: Refresh | None = None
    while True:
        before = cpu()
        now = refresh_repository(repository)
        found_nothing = now._replace(seconds=0.0) == last
        pause = min(LONGEST, SHARE * (cpu() - before)) if found_nothing else 0.0
        if not found_nothing:
            yield now
        last = now._replace(seconds=0.0, refreshed=())
        time.sleep(max(interval, pause))


def cpu() -> float:
    """CPU seconds of this process and of the children that it waited for."""
    return sum(os.times()[:4])


def refresh_repository(repository: Repository) -> Refresh:
    started = time.monotonic()
    try:
        state = repository.refresh()
    except RpgError as error:
        return Refresh(time.monotonic() - started, note=f"{error.code}: {error.message}")
    return Refresh(
        time.monotonic() - started, state.refreshed, state.commit[:12], state.dirty, state.stale, state.note
    )  # fmt: skip


def text(each: Refresh) -> str:
    parts = []
    if each.refreshed:
        parts.append(f"{format_paths(each.refreshed)} in {each.seconds:.2f} s")
    if each.stale:
        parts.append(f"stale: {format_paths(each.stale)}")
    if each.note:
        parts.append(each.note)
    if not parts:
        parts.append("fresh")
    if each.commit:
        parts.append(f"at commit {each.commit}{' with uncommitted changes' if each.dirty else ''}")
    return f"{time.strftime('%H:%M:%S')}  {'; '.join(parts)}"


def format_paths(paths: tuple[str, ...]) -> str:
    more = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
    return f"{len(paths)} file{'' if len(paths) == 1 else 's'} ({', '.join(paths[:SHOWN])}{more})"


def format_json_line(each: Refresh) -> str:
    import orjson

    return orjson.dumps(each._asdict() | {"time": time.strftime("%Y-%m-%dT%H:%M:%S%z")}).decode()
