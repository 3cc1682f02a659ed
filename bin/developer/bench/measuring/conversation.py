"""A server process spoken to line by line, as JSON-RPC over its stdin and stdout, without a client library between."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from .processes import HAS_PROC, LARGEST_UNIT, cpu_so_far

INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


class Ended(NamedTuple):
    cpu: float
    memory: int


class Conversation:
    def __init__(self, command: Sequence[str], folder: Path | None = None) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder
        )
        self._count = 0
        self.pid = self._process.pid

    def initialize(self) -> Any:
        return self.ask("initialize", INITIALIZE)

    def initialized(self) -> None:
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """The result; RuntimeError for a protocol error or a server that went away."""
        self._count += 1
        self._send({"jsonrpc": "2.0", "id": self._count, "method": method, "params": params})
        assert self._process.stdout
        for line in self._process.stdout:
            message = orjson.loads(line)
            if message.get("id") == self._count:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
        raise RuntimeError(f"{method}: the server went away")

    def call(self, tool: str, arguments: dict[str, Any]) -> Any:
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    def cpu(self) -> float:
        """Seconds so far; 0 where the system does not tell."""
        return cpu_so_far(self.pid) if HAS_PROC else 0.0

    def end(self) -> Ended:
        """Closes the server's stdin and waits for it."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        _, status, usage = os.wait4(self.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        self._process.stdout.close()
        return Ended(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * LARGEST_UNIT)

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin
        self._process.stdin.write(orjson.dumps(message) + b"\n")
        self._process.stdin.flush()
