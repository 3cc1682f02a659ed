"""Parses files where a crash is contained: in separate processes, with a limit of time and memory per file.

In: files with their bytes. Out: the index entry of each. A grammar is C code that reads strangers' text, and lowering
recurses on the C stack: either can end its process. So nothing is ever parsed in the process that encodes or serves,
whatever the size of the repository. A file on which a worker dies is tried once more, in a new one; if that dies too,
or the file took too long, it is skipped with the reason, and all others are parsed as if it did not exist.

Why long-lived processes, and neither a fork per file nor a check that lets harmless files be parsed here: starting one
costs 0.1 s of CPU, which overlaps with listing names, and passing a file back and forth costs less than 0.1 ms. A fork
would copy a server with all its threads. A check knows only known crashes. Processes that parsed little are kept for
the next caller, so that an edit need not wait for one to start.

Absent: reading files, and remembering across processes which files were given up: the index does that (repository/).
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from rpg.encoder.hashes import content_hash
from rpg.encoder.options import MEBIBYTE
from rpg.encoder.parsing.worker import Frame, frame, read_frame
from rpg.encoder.source_files.selection import Entry, Skipped
from rpg.errors import EncodeFailed
from rpg.system.memory import is_tight, too_little
from rpg.system.stamp import Stamp

CHILD = Path(__file__).with_name("worker_child.py")
CRASHED = "the parser crashed on it"
TOO_LONG = "takes too long to parse"
TIMED_OUT = -getattr(signal, "SIGPROF", 0)
"""The status of a worker whose file took too long."""
CPU_SECONDS = 10.0
"""For a file of up to a mebibyte, and again for each further one. CPU time, so that a busy machine skips no file that
an idle one parses."""
MEMORY_BYTES = 2 << 30
"""Address space, scaled in the same way."""
TRIALS = 2
WANT_OF_MEMORY = ("MemoryError", "SystemError", "ImportError")
"""Exceptions that indicate it; the last one if a compiled module finds no memory. Another worker may have more."""
AHEAD_FILES, AHEAD_BYTES = 16, 400_000
"""What a worker gets before it has answered, so that it need not wait for the next file."""
KEPT = 2
"""Idle workers kept for the next caller."""
KEPT_BYTES = 3_000_000
"""A worker that has parsed more is ended, to return its memory."""
MOST_GIVEN_UP = 1000


class EncodedFile(NamedTuple):
    """One file as the index stores it; the blocks of a skipped file are empty."""

    path: str
    language: str
    hash: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    indexed_ns: int
    skipped: str
    source: bytes
    """Compressed UTF-8."""
    facts: bytes
    """Compressed, see packing.pack."""
    terms: bytes
    """Token counts for the search index."""

    @property
    def stamp(self) -> Stamp:
        return self.size, self.mtime_ns, self.ctime_ns, self.inode


class Task(NamedTuple):
    entry: Entry
    source: bytes
    hash: str
    masks: bool
    read_ns: int
    trials: int = 0


def parse_all(
    files: Iterable[tuple[Entry, bytes | Skipped | EncodedFile]], masks: bool, read_ns: int, count: int = 1
) -> Iterator[EncodedFile | Skipped]:
    """Each file with what was made of it, by up to `count` workers; in order if that is one. `read_ns` is a time before
    any was read. Files of which that is known, or that are skipped, are passed on. Raises EncodeFailed if no worker can
    be started."""
    group = _WorkerGroup(count)
    try:
        for entry, source in files:
            if isinstance(source, bytes):
                group.tasks.append(Task(entry, source, content_hash(source), masks, read_ns))
                yield from group.work()
            else:
                yield source
        yield from group.finish()
    finally:
        group.release()


def parse_one(entry: Entry, source: bytes, masks: bool, read_ns: int) -> EncodedFile:
    """Like `parse_all`, for one file."""
    [file] = parse_all([(entry, source)], masks, read_ns)
    assert isinstance(file, EncodedFile)
    return file


def start_ahead() -> None:
    """Starts a worker for the next caller."""
    with _lock:
        if not _idle:
            _idle.append(_Worker())


def end_idle() -> None:
    """Ends the workers that are kept for the next caller, for a process that is about to end: what they used is then
    counted as its own."""
    with _lock:
        while _idle:
            _idle.pop().end()


_lock = threading.Lock()
"""Guards the fields below."""
_idle: list[_Worker] = []
_given_up: dict[tuple[str, str], str] = {}
"""Reasons by path and hash: a caller in this process gets the answer at once, before the index has it."""


class _Worker:
    """One process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        """Guards the two fields below."""
        self._answers: _Answers | None = None
        self._has_ended = False
        self.tasks: deque[Task] = deque()
        """The tasks that it has not answered, in order: it is working on the first one."""
        self.waiting_bytes = self.parsed_bytes = 0
        self.is_ready = False
        self.failed = ""
        """The name of an exception that ended it."""
        self.process = subprocess.Popen(
            [sys.executable, "-I", str(CHILD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # users need not see what a C library prints when it dies
            start_new_session=True,  # Ctrl-C goes to the foreground program, which then ends this one
        )
        path = [os.fsencode(each).decode("latin-1") for each in sys.path]
        self._write(orjson.dumps({"path": path}) + b"\n")
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout
        with self.process.stdout as pipe:
            while (frame := read_frame(pipe)) is not None:
                if "is_ready" in frame[0]:
                    self.is_ready = True
                elif "failed" in frame[0]:
                    self.failed = frame[0]["failed"]
                elif self._answers is not None:
                    self._answers.put((self, frame))
        with self._lock:
            self._has_ended = True
            if self._answers is not None:
                self._answers.put((self, None))

    def answer_to(self, answers: _Answers) -> bool:
        """From now on its answers go to `answers`, followed by None when it has ended. False if it has ended
        already."""
        with self._lock:
            self._answers = answers
            return not self._has_ended

    def has_room(self) -> bool:
        return not self.tasks or (len(self.tasks) < AHEAD_FILES and self.waiting_bytes < AHEAD_BYTES)

    def give(self, task: Task) -> None:
        self.tasks.append(task)
        self.waiting_bytes += len(task.source)
        parts = max(1, -(-len(task.source) // MEBIBYTE))
        limits = {"seconds": CPU_SECONDS * parts, "bytes": MEMORY_BYTES * parts}
        self._write(frame({"path": task.entry.path, "masks": task.masks, **limits}, task.source))

    def took(self) -> Task:
        task = self.tasks.popleft()
        self.waiting_bytes -= len(task.source)
        self.parsed_bytes += len(task.source)
        return task

    def _write(self, message: bytes) -> None:
        assert self.process.stdin
        with suppress(BrokenPipeError):  # the listener learns of its end
            self.process.stdin.write(message)
            self.process.stdin.flush()

    def end(self) -> int:
        """Returns its status. Ends at once if it is in the middle of a file."""
        if self.tasks:
            self.process.kill()
        assert self.process.stdin
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        return self.process.wait()


_Answers = queue.SimpleQueue[tuple[_Worker, Frame | None]]


class _WorkerGroup:
    """Workers that parse for one caller."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.tasks: deque[Task] = deque()
        """Tasks without a worker; first those that a worker had when it died on another."""
        self.workers: list[_Worker] = []
        self.answers: _Answers = queue.SimpleQueue()

    def work(self) -> Iterator[EncodedFile]:
        """What is known already, and whatever arrives until every task is with a worker."""
        while self.tasks or not self.answers.empty():
            while self.tasks and (worker := self._free()) is not None:
                task = self.tasks.popleft()
                if reason := _given_up.get((task.entry.path, task.hash)):
                    yield _skip(task, reason)
                else:
                    worker.give(task)
            if self.tasks or not self.answers.empty():
                yield from self._answer()

    def finish(self) -> Iterator[EncodedFile]:
        while self.tasks or any(worker.tasks for worker in self.workers):
            yield from self.work()
            if any(worker.tasks for worker in self.workers):
                yield from self._answer()

    def release(self) -> None:
        for worker in self.workers:
            with _lock:
                stays = not worker.tasks and worker.parsed_bytes < KEPT_BYTES and len(_idle) < KEPT
                if stays and worker.process.poll() is None:
                    _idle.append(worker)
                    continue
            worker.end()
        self.workers.clear()

    def _free(self) -> _Worker | None:
        """The worker with the least to do, if it should get more."""
        if len(self.workers) < self.count and all(worker.tasks for worker in self.workers):
            self.workers.append(self._acquired())
        worker = min(self.workers, key=lambda each: each.waiting_bytes)
        return worker if worker.has_room() else None

    def _acquired(self) -> _Worker:
        while True:
            with _lock:
                worker = _idle.pop() if _idle else None
            if worker is None:
                worker = _Worker()
            if worker.answer_to(self.answers):
                return worker
            worker.end()  # it was idle for long

    def _answer(self) -> Iterator[EncodedFile]:
        """What the next answer yields."""
        worker, frame = self.answers.get()
        if frame is None:
            yield from self._died(worker)
        else:
            yield _read_encoded(worker.took(), *frame)

    def _died(self, worker: _Worker) -> Iterator[EncodedFile]:
        """The file that it was working on is tried again or given up; another worker parses those after it."""
        self.workers.remove(worker)
        status = worker.process.wait()
        worker.end()
        if is_tight() and (worker.failed in WANT_OF_MEMORY or not worker.is_ready):
            raise too_little("is limited, and parsing takes more")  # an innocent file is not skipped
        if not worker.is_ready:
            why = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
            raise EncodeFailed(
                f"a process that parses {why} before it could begin, perhaps for lack of memory (`ulimit -v`) or of "
                "processes (`ulimit -u`)"
            )
        if not worker.tasks:
            return
        task = worker.took()
        task = task._replace(trials=task.trials + 1)
        self.tasks.extendleft(reversed(worker.tasks))
        worker.tasks.clear()
        if worker.failed and worker.failed not in WANT_OF_MEMORY:
            yield _give_up(task, f"{CRASHED} ({worker.failed})")
        elif status == TIMED_OUT:
            yield _give_up(task, TOO_LONG)
        elif task.trials == TRIALS:
            yield _give_up(task, CRASHED)
        else:
            self.tasks.appendleft(task)


def _read_encoded(task: Task, header: dict[str, Any], body: bytes) -> EncodedFile:
    source, facts = header["source"], header["source"] + header["facts"]
    file = _skip(task, header["skipped"])
    return file._replace(
        language=header["language"], source=body[:source], facts=body[source:facts], terms=body[facts:]
    )


def _skip(task: Task, reason: str) -> EncodedFile:
    return EncodedFile(
        task.entry.path, "", task.hash, task.entry.size, *task.entry.stamp[1:], task.read_ns, reason, b"", b"", b""
    )


def _give_up(task: Task, reason: str) -> EncodedFile:
    with _lock:
        if len(_given_up) == MOST_GIVEN_UP:
            _given_up.clear()
        _given_up[task.entry.path, task.hash] = reason
    return _skip(task, reason)
