"""A server as a process, and the bytes that go over its wire."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

SERVE = [sys.executable, "-m", "rpg", "serve"]
PATIENCE = 60.0
"""Seconds after which an answer will not come any more."""
HELLO = {
    "jsonrpc": "2.0", "id": "hello", "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}  # fmt: skip
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class Wire:
    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                with suppress(OSError):  # what was not sent any more
                    stream.close()

    def send(self, *messages: bytes | dict[str, Any]) -> None:
        assert self.process.stdin
        for message in messages:
            self.process.stdin.write((message if isinstance(message, bytes) else json.dumps(message).encode()) + b"\n")
        self.process.stdin.flush()

    def answer(self) -> Any:
        """The next message; AssertionError where none comes."""
        try:
            line = self._lines.get(timeout=PATIENCE)
        except queue.Empty:
            raise AssertionError("no answer") from None
        assert line, "the server has ended"
        return json.loads(line)

    def answers(self, number: int) -> list[Any]:
        return [self.answer() for _ in range(number)]

    def greet(self) -> None:
        self.send(HELLO)
        assert self.answer()["id"] == "hello"
        self.send(INITIALIZED)


def request(id: int | str, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def call(id: int | str, tool: str, **arguments: Any) -> dict[str, Any]:
    return request(id, "tools/call", name=tool, arguments=arguments)


def text_of(answer: Any) -> str:
    text: str = answer["result"]["content"][0]["text"]
    return text


@contextmanager
def serving(*arguments: str | Path, greeted: bool = True, **environment: str) -> Iterator[Wire]:
    process = subprocess.Popen(
        [*SERVE, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, **environment},
    )  # fmt: skip
    wire = Wire(process)
    try:
        if greeted:
            wire.greet()
        yield wire
    finally:
        wire.close()
