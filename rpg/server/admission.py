"""The door of the HTTP server: who is admitted, and how long requests may take.

In: requests, before anything else sees them. Out: requests to this machine's names or the allowed ones (Host and
Origin, so that no web page reaches the server through a browser), with the token if one is set, complete within
seconds, and with one message of the protocol. All others are answered here.

Absent: what the messages ask for, and how long that may take (calls.py). Nothing is logged here, and no answer repeats
what was sent.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio
import orjson
from uvicorn.protocols.http.h11_impl import H11Protocol

from rpg.server.messages import LARGEST, Refusal, judged

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
HEALTH = "/health"
SPOKEN_AT = ("/mcp", "/messages")
"""Paths to post messages to."""
STREAMS_AT = ("/mcp", "/sse")
"""Paths on which a client may listen as long as it likes."""
STREAMS = 32
HEADER_SECONDS = 10.0
BODY_SECONDS = 10.0
SEND_SECONDS = 30.0
"""Seconds that a client may take to read what it asked for, piece by piece."""
AUTHORISED = "rpg.authorised"
"""Set in the scope of a request without a valid token."""


class Turned(NamedTuple):
    """A refusal: status, what to do, further headers."""

    status: int
    message: str
    headers: tuple[tuple[bytes, bytes], ...] = ()


class Door:
    """An ASGI application in front of another."""

    def __init__(self, app: ASGIApp, names: Sequence[str], token: str = "") -> None:
        """`names`: hosts that requests may name, `:*` for any port."""
        self._app = app
        self._hosts = frozenset(names)
        self._token = token.encode()
        self._streams = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # web sockets are not served: the connection ends
        headers = values(scope["headers"])
        turned = self._stranger(headers)
        authorised = not self._token or self._has_token(headers)
        path = scope["path"]
        if not turned and not authorised and path != HEALTH:
            turned = Turned(
                401, "send the server's token: `Authorization: Bearer TOKEN`", ((b"www-authenticate", b"Bearer"),)
            )
        if turned:
            await answer(send, turned.status, {"error": turned.message}, turned.headers)
            return
        scope = {**scope, AUTHORISED: authorised}
        if scope["method"] == "POST":
            body = await whole(receive, headers)
            if isinstance(body, Turned):
                await answer(send, body.status, {"error": body.message}, body.headers)
                return
            message = judged(body) if path.startswith(SPOKEN_AT) else None
            if isinstance(message, Refusal):
                await answer(send, 400, message.as_json())
                return
            receive = replayed(body, receive)
        if scope["method"] == "GET" and path.startswith(STREAMS_AT):
            await self._listening(scope, receive, send)
        else:
            await self._app(scope, receive, patient(send))

    async def _listening(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._streams >= STREAMS:
            await answer(send, 503, {"error": f"{STREAMS} clients are listening already: end one, then try again"})
            return
        self._streams += 1
        try:
            await self._app(scope, receive, patient(send))
        finally:
            self._streams -= 1

    def _stranger(self, headers: Mapping[bytes, list[bytes]]) -> Turned | None:
        hosts, origins = headers.get(b"host", []), headers.get(b"origin", [])
        if len(hosts) != 1 or not self._is_known(hosts[0]):
            return Turned(421, "this Host is not served: name it with --allow-host")
        for origin in origins:
            scheme, _, host = origin.partition(b"://")
            if scheme not in (b"http", b"https") or not self._is_known(host):
                return Turned(403, "this Origin is not served: name its host with --allow-host")
        return None

    def _is_known(self, host: bytes) -> bool:
        name = host.decode("latin-1").lower()
        bare, colon, port = name.rpartition(":")
        return name in self._hosts or (bool(colon) and port.isascii() and port.isdigit() and f"{bare}:*" in self._hosts)

    def _has_token(self, headers: Mapping[bytes, list[bytes]]) -> bool:
        received = headers.get(b"authorization", [])
        scheme, _, token = received[0].partition(b" ") if len(received) == 1 else (b"", b"", b"")
        return hmac.compare_digest(token.strip(), self._token) and scheme.lower() == b"bearer"


def names_served(host: str, allowed: Iterable[str]) -> list[str]:
    """Accepted values of Host: this machine's names, the listening address, and those allowed; with any port."""
    own = () if host in ("0.0.0.0", "::") else (f"[{host}]" if ":" in host else host,)
    names = [name.lower() for name in dict.fromkeys([*LOOPBACK, *own, *allowed])]
    return [each for name in names for each in ([name] if is_with_port(name) else [name, f"{name}:*"])]


def is_with_port(name: str) -> bool:
    return name.rpartition(":")[2].isdigit() and not name.endswith("]")


def values(headers: Iterable[tuple[bytes, bytes]]) -> dict[bytes, list[bytes]]:
    out: dict[bytes, list[bytes]] = {}
    for name, value in headers:
        out.setdefault(name.lower(), []).append(value)
    return out


async def whole(receive: Receive, headers: Mapping[bytes, list[bytes]]) -> bytes | Turned:
    """The body of a request, which must arrive within seconds and not be too large."""
    too_large = Turned(413, f"a message has at most {LARGEST:,} bytes")
    declared = headers.get(b"content-length", [b"0"])[0]
    if not declared.isdigit() or len(declared) > 12 or int(declared) > LARGEST:
        return too_large
    body = bytearray()
    with anyio.move_on_after(BODY_SECONDS):
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return Turned(400, "the request ended before its body")
            body += message.get("body", b"")
            if len(body) > LARGEST:
                return too_large
            if not message.get("more_body", False):
                return bytes(body)
    return Turned(408, f"a request must be complete within {BODY_SECONDS:g} s")


def replayed(body: bytes, receive: Receive) -> Receive:
    is_told = False

    async def again() -> Message:
        nonlocal is_told
        if is_told:
            return await receive()
        is_told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def patient(send: Send) -> Send:
    async def sent(message: Message) -> None:
        with anyio.fail_after(SEND_SECONDS):
            await send(message)

    return sent


async def answer(
    send: Send, status: int, content: Mapping[str, Any] | bytes, headers: Sequence[tuple[bytes, bytes]] = ()
) -> None:
    """Also ends the connection: whatever else was sent on it is not read."""
    body = content if isinstance(content, bytes) else orjson.dumps(content)
    own = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body)), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": [*own, *headers]})
    await send({"type": "http.response.body", "body": body})


class PatientProtocol(H11Protocol):
    """Ends a connection whose next request has not begun within seconds: uvicorn waits for headers without limit."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.loop.call_later(HEADER_SECONDS, self._end_if_nothing_is_asked)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self.loop.call_later(HEADER_SECONDS, self._end_if_nothing_is_asked)

    def _end_if_nothing_is_asked(self) -> None:
        if (self.cycle is None or self.cycle.response_complete) and not self.transport.is_closing():
            self.transport.close()
