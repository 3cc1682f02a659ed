"""Admission to the HTTP server: which requests are let in, and how long they may take.

In: requests, before anything else sees them. Out: requests to this machine's names or the allowed ones (Host and
Origin, so that no web page reaches the server through a browser), with a token if any is set, complete within seconds,
and with one message of the protocol, each to the application of what its token permits: nothing leads from one to
another. All others are answered here, /health too.

Absent: what the messages ask for, and how long that may take (calls.py). Nothing is logged here, and no answer repeats
what was sent.
"""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import anyio
import orjson
from uvicorn.protocols.http.h11_impl import H11Protocol

from rpg.server.messages import LARGEST, Refusal, parse_message
from rpg.server.tokens import EVERYTHING, Grant, Tokens

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
HEALTH = "/health"
SPOKEN_AT = ("/mcp", "/messages")
"""Paths to post messages to."""
STREAMS_AT = ("/mcp", "/sse")
"""Paths on which a client may listen as long as it likes."""
STREAMS = 128
REQUESTS = 256
"""Messages that may be in progress at once. Their calls queue (calls.py); further messages are refused."""
RETRY_SECONDS = 1
HEADER_SECONDS = 10.0
BODY_SECONDS = 10.0
SEND_SECONDS = 30.0
"""Seconds that a client may take to read what it asked for, piece by piece."""
METHOD = "rpg.method"
"""Set in the scope of a request with a message: the message's method."""


class Rejection(NamedTuple):
    """A refusal: status, what to do, further headers."""

    status: int
    message: str
    headers: tuple[tuple[bytes, bytes], ...] = ()


UNKNOWN_TOKEN = Rejection(
    401, "send the server's token: `Authorization: Bearer TOKEN`", ((b"www-authenticate", b"Bearer"),)
)


ASKED_OF_BROWSERS = Rejection(
    401, "give the server's token as the password, with any name",
    ((b"www-authenticate", b'Basic realm="rpg", charset="UTF-8"'), (b"www-authenticate", b"Bearer")),
)  # fmt: skip


def later(why: str) -> Rejection:
    return Rejection(503, f"{why}; try again in {RETRY_SECONDS} s", ((b"retry-after", b"%d" % RETRY_SECONDS),))


class Application(Protocol):
    """The application for all clients with the same grant."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...

    def running(self) -> AbstractAsyncContextManager[None]:
        """Open while the application takes requests."""


class Door:
    """An ASGI application in front of others."""

    def __init__(
        self, apps: Mapping[Grant, Application], names: Sequence[str], tokens: Tokens, about: Mapping[str, str]
    ) -> None:
        """`apps`: the application for each grant. `names`: hosts that requests may name, `:*` for any port. `about`:
        what `/health` returns to admitted clients."""
        self._apps = apps
        self._hosts = frozenset(names)
        self._tokens = tokens
        self._about = about
        self._streams = 0
        self._requests = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # web sockets are not served: the connection ends
        headers = values(scope["headers"])
        grant = self._grant(headers, is_for_browsers(scope))
        if stranger := self._stranger(headers):
            await refuse(send, stranger)
        elif scope["path"] == HEALTH:
            await self._tell_health(scope["method"], grant is not None, send)
        elif grant is None:
            await refuse(send, ASKED_OF_BROWSERS if is_for_browsers(scope) else UNKNOWN_TOKEN)
        elif scope["method"] == "POST":
            await self._spoken(self._apps[grant], scope, headers, receive, send)
        elif scope["method"] == "HEAD" and scope["path"].startswith(STREAMS_AT):
            # The framework takes it for a GET: it would open a stream that nobody reads, and that is not counted.
            await refuse(send, Rejection(405, "ask with GET: a stream has no HEAD", ((b"allow", b"GET, POST"),)))
        elif scope["method"] == "GET" and scope["path"].startswith(STREAMS_AT):
            await self._listening(self._apps[grant], scope, receive, send)
        else:
            await self._apps[grant](scope, receive, patient(send))

    async def _spoken(
        self, app: ASGIApp, scope: Scope, headers: Mapping[bytes, list[bytes]], receive: Receive, send: Send
    ) -> None:
        if self._requests >= REQUESTS:
            await refuse(send, later(f"{REQUESTS} requests are under way already"))
            return
        self._requests += 1
        try:
            body = await whole(receive, headers)
            if isinstance(body, Rejection):
                await refuse(send, body)
                return
            message = parse_message(body) if scope["path"].startswith(SPOKEN_AT) else {}
            if isinstance(message, Refusal):
                await answer(send, 400, message.encode_json())
                return
            await app({**scope, METHOD: message.get("method", "")}, replay_body(body, receive), patient(send))
        finally:
            self._requests -= 1

    async def _listening(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        if self._streams >= STREAMS:
            await refuse(send, later(f"{STREAMS} clients are listening already: end one"))
            return
        self._streams += 1
        try:
            await app(scope, receive, patient(send))
        finally:
            self._streams -= 1

    async def _lifespan(self, scope: Scope, receive: Receive, send: Send) -> None:
        from starlette.applications import Starlette

        @asynccontextmanager
        async def running(app: Starlette) -> AsyncIterator[None]:
            async with AsyncExitStack() as open_apps:
                for each in self._apps.values():
                    await open_apps.enter_async_context(each.running())
                yield

        await Starlette(lifespan=running)(scope, receive, send)

    async def _tell_health(self, method: str, is_known: bool, send: Send) -> None:
        if method in ("GET", "HEAD"):
            await answer(send, 200, {"status": "ok", **(self._about if is_known else {})})
        else:
            await refuse(send, Rejection(405, "ask for /health with GET", ((b"allow", b"GET, HEAD"),)))

    def _stranger(self, headers: Mapping[bytes, list[bytes]]) -> Rejection | None:
        hosts, origins = headers.get(b"host", []), headers.get(b"origin", [])
        if len(hosts) != 1 or not self._is_known(hosts[0]):
            return Rejection(421, "this Host is not served: name it with --allow-host")
        for origin in origins:
            scheme, _, host = origin.partition(b"://")
            if scheme not in (b"http", b"https") or not self._is_known(host):
                return Rejection(403, "this Origin is not served: name its host with --allow-host")
        return None

    def _is_known(self, host: bytes) -> bool:
        name = host.decode("latin-1").lower()
        bare, colon, port = name.rpartition(":")
        if colon and port == "*":
            return False  # how an entry says any port; no client names one so
        return name in self._hosts or (bool(colon) and port.isascii() and port.isdigit() and f"{bare}:*" in self._hosts)

    def _grant(self, headers: Mapping[bytes, list[bytes]], for_browsers: bool) -> Grant | None:
        """What the request's token permits; None without a known token. A browser sends it as a password."""
        if not self._tokens:
            return EVERYTHING
        received = headers.get(b"authorization", [])
        scheme, _, token = received[0].partition(b" ") if len(received) == 1 else (b"", b"", b"")
        if for_browsers and scheme.lower() == b"basic":
            scheme, token = b"bearer", password(token)
        found = self._tokens.grant_of(token.strip())
        return found if scheme.lower() == b"bearer" else None


def is_for_browsers(scope: Scope) -> bool:
    """Whether it only reads, for a page: nothing that is sent there changes anything."""
    return scope["method"] in ("GET", "HEAD") and (scope["path"] == "/" or scope["path"].startswith("/view/"))


def password(sent: bytes) -> bytes:
    """Of the form `name:password` in base64, whoever that is; empty if it is none."""
    try:
        return b64decode(sent.strip(), validate=True).partition(b":")[2]
    except ValueError:
        return b""


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


async def whole(receive: Receive, headers: Mapping[bytes, list[bytes]]) -> bytes | Rejection:
    """The body of a request, which must arrive within seconds and not be too large."""
    too_large = Rejection(413, f"a message has at most {LARGEST:,} bytes")
    declared = headers.get(b"content-length", [b"0"])[0]
    if not declared.isdigit() or len(declared) > 12 or int(declared) > LARGEST:
        return too_large
    body = bytearray()
    with anyio.move_on_after(BODY_SECONDS):
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return Rejection(400, "the request ended before its body")
            body += message.get("body", b"")
            if len(body) > LARGEST:
                return too_large
            if not message.get("more_body", False):
                return bytes(body)
    return Rejection(408, f"a request must be complete within {BODY_SECONDS:g} s")


def replay_body(body: bytes, receive: Receive) -> Receive:
    is_delivered = False

    async def again() -> Message:
        nonlocal is_delivered
        if is_delivered:
            return await receive()
        is_delivered = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def patient(send: Send) -> Send:
    async def sent(message: Message) -> None:
        with anyio.fail_after(SEND_SECONDS):
            await send(message)

    return sent


async def refuse(send: Send, turned: Rejection) -> None:
    await answer(send, turned.status, {"error": turned.message}, turned.headers)


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
        self.loop.call_later(HEADER_SECONDS, self._close_if_idle_since, None)

    def on_response_complete(self) -> None:
        last = self.cycle  # the next one may begin at once, if it was sent already
        super().on_response_complete()
        self.loop.call_later(HEADER_SECONDS, self._close_if_idle_since, last)

    def _close_if_idle_since(self, last: object) -> None:
        """`last`: the request that was answered when the wait began. If the client has sent another since, its
        connection stays open."""
        if self.cycle is last and not self.transport.is_closing():
            self.transport.close()
