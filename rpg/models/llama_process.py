"""This side of a GGUF model that runs in a separate process.

In: a file and options; then requests. Out: events, or MODEL_UNAVAILABLE with what to do. The first request starts the
process, which serves one request at a time and is started again after it died. Nothing of llama.cpp is imported here:
an illegal instruction, a crash or the system's killing it for memory ends only that process.
"""

from __future__ import annotations

import importlib.util
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

from rpg.errors import BadRequest, ModelUnavailable
from rpg.models.gguf_file import available_memory, read_gguf
from rpg.models.packaged_file import PackagedFile

CHILD = Path(__file__).with_name("llama_child.py")
GIGABYTE = 1 << 30
LOOK_EVERY = 0.05
"""Seconds between checks whether the client cancelled."""
PATIENCE = 3.0
"""Seconds that a cancelled process has to stop by itself."""
INSTALL = "CMAKE_ARGS='-DGGML_NATIVE=OFF -DLLAVA_BUILD=OFF' pip install 'rpg-code-graph[llm]', or bin/setup llm"

Event = dict[str, Any]
Cancelled = Callable[[], bool]


class ModelOptions(NamedTuple):
    context: int = 8192
    """Tokens that prompt and answer share; fewer if the model was trained with fewer."""
    threads: int = 0
    """0: as many as there are cores; above four, half of them; fewer if others use them."""
    gpu_layers: int | None = None
    """How many layers run on the GPU; None: all if llama.cpp was built for one, -1: all, 0: none."""
    temperature: float = 0.0
    seed: int = 1
    seconds: float = 60.0
    """How long an answer may take; 0: no limit."""


class LlamaProcess:
    def __init__(
        self, file: Path, options: ModelOptions, *, embed: bool = False, packaged: PackagedFile | None = None
    ) -> None:
        self.file = file
        self.options = options
        self.card: Event = {}
        """What the loaded model says about itself: context, trained, description, template, vector, seconds."""
        self._embed = embed
        self._packaged = packaged
        self._turn = threading.Lock()
        self._running: subprocess.Popen[bytes] | None = None
        self._events: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        self._complaints: IO[bytes] | None = None
        self._busy = False
        """Whether a request's events are still to come."""
        self._closed = False

    def ask(self, request: Event, cancelled: Cancelled = lambda: False) -> Event:
        """The one event that answers a request."""
        with self.asking(request, cancelled) as events:
            return next(iter(events))

    @contextmanager
    def asking(self, request: Event, cancelled: Cancelled = lambda: False) -> Iterator[Iterator[Event]]:
        """Its events, up to the last. Leaving early cancels the rest."""
        with self._my_turn(cancelled):
            self._start(cancelled)
            self._send(request)
            events = self._until_done(cancelled)
            try:
                yield events
            except BaseException:
                self._stop_answering()
                raise
            # Read to the end, so that the next request does not get this one's events.
            for _ in events:
                pass

    def load(self, cancelled: Cancelled = lambda: False) -> Event:
        """The model's card; loads the model if necessary."""
        if not self.card or self._running is None:
            with self._my_turn(cancelled):
                self._start(cancelled)
        return self.card

    def close(self) -> None:
        """Ends the process at once, even in the middle of an answer. It is not started again."""
        self._closed = True
        self._kill()

    @contextmanager
    def _my_turn(self, cancelled: Cancelled) -> Iterator[None]:
        while not self._turn.acquire(timeout=LOOK_EVERY):
            if cancelled():
                raise Interrupted
        try:
            yield
        finally:
            self._turn.release()

    def _start(self, cancelled: Cancelled) -> None:
        if self._closed:
            raise ModelUnavailable("the model was closed")
        if self._running is not None and self._running.poll() is None:
            return
        self._kill()
        self._check()
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._running = subprocess.Popen(
            [sys.executable, "-I", str(CHILD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            # ggml would start a debugger when it aborts.
            env=os.environ | {"GGML_NO_BACKTRACE": "1"},
            # In its own process group: Ctrl-C goes to the foreground program, which then ends this one.
            start_new_session=True,
        )
        self._events = queue.SimpleQueue()
        threading.Thread(target=pump, args=(self._running.stdout, self._events), daemon=True).start()
        cores = available_cores()
        request = {
            "op": "load",
            "file": str(self.file),
            "context": self.options.context,
            "threads": self.options.threads or idle_cores(cores if cores <= 4 else cores // 2),
            "gpu_layers": self.options.gpu_layers,
            "embed": self._embed,
        }
        try:
            self._send(request)
            self.card = next(self._until_done(cancelled))["loaded"]
        except BaseException:
            self._kill()
            raise

    def _check(self) -> None:
        """What can be checked before a process is started for it."""
        if self._packaged:
            self._packaged.verify(self.file, self.file.name, INSTALL)
        described = read_gguf(self.file)
        if importlib.util.find_spec("llama_cpp") is None:
            raise ModelUnavailable(f"llama-cpp-python, which runs {self.file.name}, is not installed: {INSTALL}")
        if described.embeds and not self._embed:
            raise ModelUnavailable(
                f"{self.file.name} is an embedding model ({described.architecture}): it serves `encode --embedder`; "
                "to answer, name a model that writes text"
            )
        if self.options.gpu_layers in (None, 0):
            context = min(self.options.context, described.trained_context or self.options.context)
            needed, free = described.memory(context), available_memory()
            if free is not None and needed > free:
                raise ModelUnavailable(
                    f"{self.file.name} needs about {needed / GIGABYTE:.1f} GB of memory with a context of {context} "
                    f"tokens and {free / GIGABYTE:.1f} GB are free: take a smaller model, a smaller quantisation or a "
                    "smaller context, or end other programs"
                )

    def _send(self, request: Event) -> None:
        assert self._running is not None
        assert self._running.stdin is not None
        try:
            self._running.stdin.write(json.dumps(request).encode() + b"\n")
            self._running.stdin.flush()
            self._busy = True
        except OSError:
            raise self._died() from None

    def _until_done(self, cancelled: Cancelled) -> Iterator[Event]:
        """The events of one request. If cancelled, it ends at the next token, or the process is killed."""
        asked_to_stop = 0.0
        while True:
            try:
                event = self._events.get(timeout=LOOK_EVERY)
            except queue.Empty:
                if asked_to_stop and time.monotonic() - asked_to_stop > PATIENCE:
                    self._kill()
                    raise Interrupted from None
                if not asked_to_stop and cancelled():
                    self._send({"op": "cancel"})
                    asked_to_stop = time.monotonic()
                continue
            if event is None:
                raise Interrupted if asked_to_stop else self._died()
            if "error" in event:
                self._busy = False
                raise self._refused(event["error"])
            if not asked_to_stop and cancelled():
                self._send({"op": "cancel"})
                asked_to_stop = time.monotonic()
            self._busy = "text" in event or "read" in event
            yield event
            if not self._busy:
                return

    def _stop_answering(self) -> None:
        """The reader of the answer has gone: the answer ends, the process keeps running."""
        if not self._busy or self._running is None or self._running.poll() is not None:
            return
        with suppress(Interrupted, ModelUnavailable, BadRequest):
            for _ in self._until_done(lambda: True):
                pass

    def _refused(self, error: dict[str, str]) -> Exception:
        name = self.file.name
        if error["kind"] == "overflow":
            return BadRequest(f"the question and its evidence are too long for {name}: {error['message']}")
        if error["kind"] == "load":
            return ModelUnavailable(
                f"llama.cpp cannot load {name}: {error['message']}. It may be damaged (copy it again), newer than "
                f"this llama.cpp ({INSTALL}), or too large for the memory (take a smaller model or context)"
            )
        return ModelUnavailable(f"{name}: {error['message']}. Take another model")

    def _died(self) -> ModelUnavailable:
        if self._closed:
            return ModelUnavailable(f"{self.file.name} was closed")
        running, complaints = self._running, self._complaints
        code = running.wait() if running else 0
        output = ""
        if complaints:
            complaints.seek(max(0, complaints.seek(0, os.SEEK_END) - 600))
            output = " ".join(complaints.read().decode("utf-8", "replace").split())[-400:]
        self._kill()
        return ModelUnavailable(
            f"the process that holds {self.file.name} died: {reason(code)}" + (f" ({output})" if output else "")
        )

    def _kill(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.kill()
            running.wait()
            if running.stdin:
                with suppress(OSError):
                    running.stdin.close()
        if self._complaints:
            self._complaints.close()
            self._complaints = None


class Interrupted(Exception):
    """The client cancelled before there was anything to return."""


def pump(stdout: IO[bytes] | None, events: queue.SimpleQueue[Event | None]) -> None:
    """Reads in a separate thread, because not every platform can wait for a pipe with a time limit."""
    assert stdout is not None
    with stdout:
        for line in stdout:
            events.put(json.loads(line))
    events.put(None)


def reason(code: int) -> str:
    """The likely reason, from the way a process ended."""
    if code == -getattr(signal, "SIGILL", 4):
        return f"llama-cpp-python was built for another processor (illegal instruction); rebuild it: {INSTALL}"
    if code == -getattr(signal, "SIGKILL", 9):
        return "the system killed it, as it does when memory runs out; take a smaller model, quantisation or context"
    if code in (-getattr(signal, "SIGSEGV", 11), -getattr(signal, "SIGABRT", 6), -getattr(signal, "SIGBUS", 7)):
        return f"it crashed (signal {-code}), as it does on a damaged file; copy the model again or take another"
    return f"it ended with code {code}; if that happens again, reinstall it: {INSTALL}"


def idle_cores(cores: int) -> int:
    """At most that many, and at least one. The threads of llama.cpp wait for one another at every layer: two threads on
    a core and a half take ten times as long as one."""
    try:
        others = os.getloadavg()[0]
    except (AttributeError, OSError):
        return cores
    return max(1, min(cores, round(available_cores() - others)))


def available_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1
