"""A server that listens, and clients of it."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from wire import HELLO, PATIENCE, SERVE

TOKEN = "a-token-that-is-for-tests-alone"
JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


@contextmanager
def listening(*arguments: str | Path, **environment: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    process = subprocess.Popen(
        [*SERVE, *map(str, arguments), "--http", "--port", "0"], stderr=subprocess.PIPE, text=True,
        env={**os.environ, **environment},
    )  # fmt: skip
    try:
        assert process.stderr
        told = process.stderr.readline()
        found = re.search(r"http://\S+:\d+", told)
        assert found, told + process.stderr.read()
        yield found[0], process
    finally:
        process.kill()
        process.wait()
        if process.stderr:
            process.stderr.close()


@contextmanager
def asked(method: str, address: str, content: bytes | None = None, **headers: str | bytes) -> Iterator[HTTPResponse]:
    """The answer, of which only what is read arrives: streams never end."""
    host, _, rest = address.removeprefix("http://").partition("/")
    if method == "POST" and content is None:
        content = json.dumps(HELLO).encode()
    with closing(HTTPConnection(host, timeout=PATIENCE)) as connection:
        connection.request(method, f"/{rest}", content, {**JSON, **headers})
        with connection.getresponse() as answer:
            yield answer


def status(method: str, address: str, **headers: str | bytes) -> int:
    with asked(method, address, **headers) as answer:
        return answer.status


def connected(address: str, work: Any, token: str = "") -> Any:
    async def run_it() -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as http,
            Client(streamable_http_client(f"{address}/mcp", http_client=http)) as client,
        ):
            return await work(client)

    return anyio.run(run_it)


def raw(address: str) -> socket.socket:
    host, _, port = address.removeprefix("http://").rpartition(":")
    return socket.create_connection((host, int(port)), PATIENCE)
