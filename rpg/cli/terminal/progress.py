"""Progress on a terminal: one bar for the whole encode, with its stage and the time left. Nothing in a pipe.

In: stage, done, total, as tools report them. Out: a bar on stderr; it is removed at the end.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rpg.tools.loaded.encode_progress import EncodeProgress, duration_left

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

Report = Callable[[str, int, int], None]


@contextmanager
def progress(workers: int | None = None) -> Iterator[Report]:
    if not sys.stderr.isatty():
        yield lambda stage, done, total: None
        return
    bar = Bar(workers)
    try:
        yield bar.report
    finally:
        bar.stop()


class Bar:
    def __init__(self, workers: int | None) -> None:
        self._whole = EncodeProgress(workers)
        self._shown: Progress | None = None
        self._task: TaskID | None = None
        self._stage = ""
        self._ends: float | None = None
        """When the work will be done, if that is known."""

    def report(self, stage: str, done: int, total: int) -> None:
        """Stages that are not part of an encode have separate bars, one after another."""
        if self._shown is None:
            self._shown = self._started()
        moment = self._whole.at(stage, done, total)
        share = moment.share if moment else done / total if total else 0.0
        if moment and moment.seconds_left is not None:
            self._ends = time.monotonic() + moment.seconds_left
        elif not moment:
            self._ends = None
        if self._task is None or (moment is None and stage != self._stage):
            if self._task is not None:
                self._shown.remove_task(self._task)
            self._task = self._shown.add_task(stage, total=1.0)
        self._stage = stage
        self._shown.update(self._task, completed=share, description=moment.title if moment else stage)

    def stop(self) -> None:
        if self._shown is not None:
            self._shown.stop()

    def _started(self) -> Progress:
        """The first report imports rich: most commands make none."""
        from rich.console import Console
        from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
        from rich.text import Text

        bar = self

        class TimeLeft(ProgressColumn):
            def render(self, task: Task) -> Any:
                left = None if bar._ends is None else max(0.0, bar._ends - time.monotonic())
                return Text(duration_left(left), style="progress.remaining")

        shown = Progress(
            TextColumn("{task.percentage:>3.0f}%"),
            BarColumn(bar_width=30, complete_style="cyan", finished_style="cyan"),
            TextColumn("{task.description}"),
            TimeLeft(),
            console=Console(stderr=True),
            transient=True,
        )
        shown.start()
        return shown
