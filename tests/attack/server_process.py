"""A real server over stdin and stdout, asked line by line.

In: graphs, requests. Out: answers, or `Died` and `Hangs`. Lines may be any bytes; what else is on stdout is kept.
One process answers thousands of calls; whoever saw it die or hang starts another.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from attack.canaries import World

PROGRAM = (sys.executable, "-m", "rpg")
HANGS_AFTER_SECONDS = 30.0
"""Far beyond what any answer takes on a busy machine: this catches what never ends."""

STARTS_WITHIN_SECONDS = 120.0

Message = dict[str, Any]


class Died(Exception):
    """The server's process ended."""


class Hangs(Exception):
    """No answer came."""


class Answer(NamedTuple):
    message: Message
    seconds: float
    said: str
    """What the server wrote to stderr meanwhile."""


class Servers:
    """The server that all cases ask, and another one after it died or hung."""

    def __init__(self, world: World, graphs: Sequence[Path], *options: str) -> None:
        self.world = world
        self.graphs = graphs
        self.options = options
        self.slowest: list[tuple[float, str]] = []
        self._server: ServerProcess | None = None

    @property
    def server(self) -> ServerProcess:
        if self._server is None:
            self._server = ServerProcess(self.world, self.graphs, *self.options)
        return self._server

    def ask(self, method: str, params: Any, patience: float = HANGS_AFTER_SECONDS) -> Answer:
        try:
            return self.server.ask(method, params, patience)
        except (Died, Hangs):
            self.drop()
            raise

    def call(self, tool: str, arguments: Any, patience: float = HANGS_AFTER_SECONDS) -> Answer:
        return self.ask("tools/call", {"name": tool, "arguments": arguments}, patience)

    def answer_to(self, line: bytes, number: object) -> Answer:
        try:
            return self.server.answer_to(line, number)
        except (Died, Hangs):
            self.drop()
            raise

    def drop(self) -> None:
        if self._server is not None:
            self.slowest.append(self._server.slowest)
            self._server.kill()
            self._server = None


class ServerProcess:
    def __init__(self, world: World, graphs: Sequence[Path] = (), *options: str, cwd: Path | None = None) -> None:
        self.world = world
        self._errors = open(world.folder / "tmp" / f"stderr-{time.monotonic_ns()}", "w+b")  # noqa: SIM115
        self.process = subprocess.Popen(
            [*PROGRAM, "serve", *map(str, graphs), *options], cwd=cwd or world.cwd, env=world.environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, start_new_session=True,
        )  # fmt: skip
        self.noise: list[bytes] = []
        self.slowest: tuple[float, str] = (0.0, "")
        self._number = 0
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.unasked: list[Message] = []
        """Messages that answer nothing that was asked: notifications, errors without an id."""
        threading.Thread(target=self._read, daemon=True).start()
        try:
            self.instructions = self._initialize()
        except BaseException:
            self.kill()
            raise

    def ask(self, method: str, params: Any, patience: float = HANGS_AFTER_SECONDS) -> Answer:
        """The answer to one request; an error is an answer."""
        self._number += 1
        line = json.dumps({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        return self.answer_to(line.encode(), self._number, patience)

    def call(self, tool: str, arguments: Any) -> Answer:
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    def answer_to(self, line: bytes, number: object, patience: float = HANGS_AFTER_SECONDS) -> Answer:
        """What comes with that id after the line."""
        began = time.monotonic()
        self.send(line)
        message = self._wait(number, patience)
        seconds = time.monotonic() - began
        self.slowest = max(self.slowest, (seconds, line[:200].decode("utf-8", "replace")))
        return Answer(message, seconds, self.said())

    def send(self, line: bytes) -> None:
        assert self.process.stdin
        try:
            self.process.stdin.write(line + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Died(f"ended with {self.process.wait(10)}: {self.said()[-2000:]}") from None

    def said(self) -> str:
        """New on stderr since the last time."""
        return self._errors.read().decode("utf-8", "replace")

    def is_alive(self) -> bool:
        """Whether it answers a ping."""
        try:
            return "result" in self.ask("ping", {}).message
        except (Died, Hangs):
            return False

    def end(self) -> int:
        """As a client that goes away: closes stdin and waits. Hangs where the process does not end by itself."""
        assert self.process.stdin
        try:
            with suppress(BrokenPipeError):
                self.process.stdin.close()
            return self.process.wait(HANGS_AFTER_SECONDS)
        except subprocess.TimeoutExpired:
            raise Hangs("still there after stdin was closed") from None
        finally:
            self.kill()

    def kill(self) -> None:
        """With all that it has started."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        with suppress(BrokenPipeError):
            for stream in (self.process.stdin, self.process.stdout):
                if stream:
                    stream.close()
        self._errors.close()

    def _initialize(self) -> str:
        told = self.ask(
            "initialize",
            {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "attack", "version": "1"}},
            STARTS_WITHIN_SECONDS,
        ).message
        self.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
        return str(told["result"].get("instructions", ""))

    def _read(self) -> None:
        assert self.process.stdout
        with suppress(ValueError):
            for line in self.process.stdout:
                self._lines.put(line)
        self._lines.put(b"")

    def _wait(self, number: object, patience: float) -> Message:
        until = time.monotonic() + patience
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                raise Hangs(f"no answer after {patience:g} seconds; {self.said()[-2000:]}") from None
            if not line:
                self._lines.put(b"")
                raise Died(f"ended with {self.process.wait(10)}: {self.said()[-2000:]}")
            try:
                message = json.loads(line)
            except ValueError:
                self.noise.append(line)
                continue
            if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
                self.noise.append(line)
            elif message.get("id") == number and type(message["id"]) is type(number) and "method" not in message:
                return message
            else:
                self.unasked.append(message)
