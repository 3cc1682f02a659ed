"""What a process costs: CPU and wall time, and memory, its children included.

In: a command. Out: `Cost`. CPU is that of the process and all it started, on Linux also of those that it leaves to end
by themselves, as an encode leaves its workers. Memory is sampled from /proc where that is there: the sum over the
process tree (pages that two of them share count twice: never too little); elsewhere the largest single process.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

PYTHON = (sys.executable, "-I")
ROOT = Path(__file__).resolve().parents[4]
SCRIPTS = Path(sys.executable).parent
RPG = (*PYTHON, str(SCRIPTS / "rpg"))
RPG_MCP = (*PYTHON, str(SCRIPTS / "rpg-mcp"))
"""As bin/rpg and bin/rpg-mcp start them, without the shell around it."""
PAGE = os.sysconf("SC_PAGE_SIZE")
HAS_PROC = Path("/proc/self/statm").exists()
LARGEST_UNIT = 1 if sys.platform == "darwin" else 1024
"""Of ru_maxrss."""
_SET_CHILD_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER in prctl.h."""


class Cost(NamedTuple):
    cpu: float
    wall: float
    memory: int
    """Bytes at the highest."""
    output: str


class Failed(Exception):
    """A measured command that did not end with 0."""


def cost(command: Sequence[str], *, given: str = "", folder: Path | None = None) -> Cost:
    """Runs the command to its end. Raises Failed, with what it said."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors, tempfile.TemporaryFile() as into:
        into.write(given.encode())
        into.seek(0)
        started = time.perf_counter()
        others = _children()
        _adopt()
        process = subprocess.Popen(command, stdin=into, stdout=out, stderr=errors, cwd=folder)
        highest = Highest(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        cpu = usage.ru_utime + usage.ru_stime + sum(map(_cpu_to_the_end, _children() - others))
        process.returncode = os.waitstatus_to_exitcode(status)
        memory = max(highest.stop(), usage.ru_maxrss * LARGEST_UNIT)
        out.seek(0)
        errors.seek(0)
        if process.returncode:
            said = errors.read().decode(errors="replace")[-2000:]
            raise Failed(f"{' '.join(command)} ended with {process.returncode}:\n{said}")
        return Cost(cpu, wall, memory, out.read().decode(errors="replace"))


def _adopt() -> None:
    """Makes processes whose parent has ended children of this one."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _children() -> set[int]:
    return {int(pid) for file in Path("/proc/self/task").glob("*/children") for pid in file.read_text().split()}


def _cpu_to_the_end(pid: int) -> float:
    _, _, usage = os.wait4(pid, 0)
    return usage.ru_utime + usage.ru_stime


def cheapest(makers: dict[str, Callable[[], Cost]], runs: int) -> dict[str, Cost]:
    """Runs all in turn, `runs` times, so that what else the machine does falls on all alike; the least CPU of each."""
    found: dict[str, Cost] = {}
    for _ in range(runs):
        for name, make in makers.items():
            made = make()
            best = found.setdefault(name, made)
            found[name] = Cost(
                min(best.cpu, made.cpu), min(best.wall, made.wall), max(best.memory, made.memory), made.output
            )
    return found


class Highest:
    """Watches the memory of a process tree in a thread."""

    def __init__(self, pid: int) -> None:
        self._found = 0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, args=(pid,), daemon=True)
        if HAS_PROC:
            self._thread.start()

    def _watch(self, pid: int) -> None:
        while not self._stopped.wait(0.02):
            self._found = max(self._found, tree_memory(pid))

    def stop(self) -> int:
        self._stopped.set()
        if HAS_PROC:
            self._thread.join()
        return self._found


def tree_memory(pid: int, alone: bool = False) -> int:
    """Resident bytes of a process and its descendants, or of itself `alone`; 0 where it is gone."""
    total = 0
    pids = [(pid, "")]
    while pids:
        each, above = pids.pop()
        try:
            status = Path(f"/proc/{each}/statm").read_text()
            # One that was just forked to become another program still is its parent, to the last page.
            total += int(status.split()[1]) * PAGE if status != above else 0
            for children in () if alone else Path(f"/proc/{each}/task").glob("*/children"):
                pids += ((int(child), status) for child in children.read_text().split())
        except (OSError, IndexError):
            continue
    return total


def cpu_so_far(pid: int) -> float:
    """CPU seconds of a running process, with its threads that have ended; in steps of the system's clock."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
