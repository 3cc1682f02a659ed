"""A worker's side of parsing: files arrive on a pipe, their index entries leave on another.

A worker may die on any file, and is killed if one takes too long or too much memory; worker_pool.py finds out on which.
It ends with the process that started it, and after IDLE_SECONDS without a request.
"""

from __future__ import annotations

import gc
import os
import queue
import signal
import sys
import threading
from contextlib import suppress
from typing import IO, Any

import orjson

from rpg.system.memory import is_tight, shortage

IDLE_SECONDS = 600.0
PAUSE_SECONDS = 1.0
"""After that long without a request, it drops the words of all files that it counted."""
STACK_BYTES = 256 << 20
"""Lowering recurses with the nesting of the source (parse.py) and must not depend on the system's stack limit. Memory
is taken only as it is used."""
FRAME_HEAD = 8

Frame = tuple[dict[str, Any], bytes]


def frame(head: dict[str, Any], body: bytes = b"") -> bytes:
    """Two lengths, JSON, and bytes that need not be text. JSON, like everything that passes between processes: an
    attacker who takes over a worker through a file must not be able to run code in the process that uses it."""
    header = orjson.dumps(head)
    return b"".join((len(header).to_bytes(4, "little"), len(body).to_bytes(4, "little"), header, body))


def read_frame(pipe: IO[bytes]) -> Frame | None:
    """None if the other side has ended, in the middle of a frame or not."""
    lengths = pipe.read(FRAME_HEAD)
    if len(lengths) < FRAME_HEAD:
        return None
    header_size, size = int.from_bytes(lengths[:4], "little"), int.from_bytes(lengths[4:], "little")
    head, body = pipe.read(header_size), pipe.read(size)
    return (orjson.loads(head), body) if len(head) == header_size and len(body) == size else None


def serve(asking: IO[bytes], answering: IO[bytes]) -> None:
    """Parses what comes, until no more is sent."""
    _write_no_core()
    requests: queue.SimpleQueue[Frame] = queue.SimpleQueue()

    def work() -> None:
        from rpg.encoder.parsing.one_file import parse_file

        _say(answering, {"is_ready": True})
        while True:
            head, source = _next(requests)
            _limit(head["seconds"], head["bytes"])
            found = parse_file(head["path"], source, head["masks"])
            _unlimit()
            lengths = {"source": len(found.source), "facts": len(found.facts)}
            header = {"language": found.language, "skipped": found.skipped, **lengths}
            _say(answering, header, found.source + found.facts + found.terms)

    def failed(failure: threading.ExceptHookArgs) -> None:
        with suppress(OSError):
            short = failure.exc_value is not None and shortage(failure.exc_value) is not None
            _say(answering, {"failed": "MemoryError" if short else failure.exc_type.__name__})
        os._exit(1)

    threading.excepthook = failed
    gc.disable()  # facts have no cycles
    _with_room(work)
    while (request := read_frame(asking)) is not None:  # read at once, so that the sender never waits for a full pipe
        requests.put(request)
    os._exit(1)


def _with_room(work: Any) -> None:
    """In a thread with a large stack, or with what the system gives if memory is limited."""
    for size in (0,) if is_tight() else (STACK_BYTES, 0):
        try:
            threading.stack_size(size)
            threading.Thread(target=work, daemon=True).start()
            return
        except (RuntimeError, ValueError):
            continue
    os._exit(1)


def _next(requests: queue.SimpleQueue[Frame]) -> Frame:
    with suppress(queue.Empty):
        return requests.get(timeout=PAUSE_SECONDS)
    from rpg.text.words import forget

    forget()
    gc.collect()
    try:
        return requests.get(timeout=IDLE_SECONDS)
    except queue.Empty:
        os._exit(0)


def _say(answering: IO[bytes], head: dict[str, Any], body: bytes = b"") -> None:
    answering.write(frame(head, body))
    answering.flush()


def _write_no_core() -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit(seconds: float, addresses: int) -> None:
    """Limits for parsing a file: beyond them the process is ended, by the system or by a MemoryError."""
    if sys.platform == "win32":
        return
    import resource

    signal.setitimer(signal.ITIMER_PROF, seconds)
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    with suppress(ValueError, OSError):
        soft = addresses if hard == resource.RLIM_INFINITY else min(addresses, hard)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _unlimit() -> None:
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, 0)
