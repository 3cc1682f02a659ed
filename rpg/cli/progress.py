"""Progress on a terminal: one bar for the running stage. Nothing in a pipe.

In: stage, done, total, as tools report them. Out: a bar on stderr.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Report = Callable[[str, int, int], None]


@contextmanager
def progress() -> Iterator[Report]:
    if not sys.stderr.isatty():
        yield lambda stage, done, total: None
        return
    bars: list[tuple[str, object]] = []

    def report(stage: str, done: int, total: int) -> None:
        """The first report imports rich: most commands make none."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        if not bars:
            shown = Progress(
                TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
                console=Console(stderr=True), transient=True,
            )  # fmt: skip
            shown.start()
            bars.append(("", shown))
        shown = bars[0][1]  # type: ignore[assignment]
        if bars[-1][0] != stage:
            bars.append((stage, shown.add_task(stage, total=total)))
        shown.update(bars[-1][1], completed=done, total=total)  # type: ignore[arg-type]

    try:
        yield report
    finally:
        if bars:
            bars[0][1].stop()  # type: ignore[attr-defined]
