"""Transports of the server: stdin and stdout, or HTTP.

In: a server, or over HTTP one for each grant of its tokens. Out: nothing, until the client goes away or the process is
told to end. HTTP listens only on this machine unless there is a token, which every client must then send
(admission.py).
"""

from __future__ import annotations

import ipaddress
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.lowlevel import Server

from rpg.errors import BadRequest, RpgError
from rpg.server.calls import share_the_interpreter
from rpg.server.leaving import log_to_stderr
from rpg.system import heap

if TYPE_CHECKING:
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.routing import Route
    from starlette.types import ASGIApp

    from rpg.server.tokens import Grant, Tokens

Pages = Callable[["Grant"], Sequence["Route"]]
CONNECTIONS = 512
KEPT_ALIVE_SECONDS = 9
"""Longer than clients keep a connection, which is 5 seconds or less: a request is not sent into one that just ended."""
ENDING_SECONDS = 2
"""Seconds to wait for answers when the process is told to end."""
HEADER_BYTES = 16 << 10


def no_pages(grant: Grant) -> Sequence[Route]:
    return ()


def serve_stdio(server: Server[Any], warm: Callable[[], None]) -> None:
    """Runs until stdin ends. While it runs, anything printed goes to stderr. OSError if stdout cannot be written.

    `warm` is called in a thread after the handshake, once the client is idle: the first query then finds the graph
    open.
    """
    from rpg.server.stdio import run_stdio

    heap.keep_small()
    log_to_stderr()
    share_the_interpreter()
    warming = threading.Thread(target=warm, daemon=True)
    failed = anyio.run(run_stdio, server, warming.start)
    if failed is not None:
        raise failed


def serve_http(
    build: Callable[[Grant], Server[Any]],
    host: str,
    port: int,
    allowed_hosts: Sequence[str],
    tokens: Tokens,
    pages: Pages = no_pages,
) -> None:
    """Streamable HTTP at /mcp, SSE at /sse, /health, and a page for browsers at /. `build`: makes the server for a
    grant, `pages` its routes for browsers. BAD_REQUEST if others could connect without a token."""
    import uvicorn

    from rpg.server.admission import HEADER_SECONDS, PatientProtocol

    family, address = resolve_address(host, port)
    if not tokens and not ipaddress.ip_address(address[0].partition("%")[0]).is_loopback:
        raise BadRequest(
            f"other machines can reach {host}: set a token (RPG_TOKEN, --token TOKEN or --tokens FILE), which "
            "clients then send as `Authorization: Bearer TOKEN`, or leave out --host"
        )
    heap.keep_small()
    log_to_stderr()
    share_the_interpreter()
    with listening(family, address) as listener:
        shown = f"[{host}]" if ":" in host else host
        print(
            f"rpg: serving at http://{shown}:{listener.getsockname()[1]}/mcp (SSE: /sse; browsers: /)", file=sys.stderr
        )
        config = uvicorn.Config(
            http_app(build, host, allowed_hosts, tokens, pages),
            http=PatientProtocol,
            ws="none",
            log_config=None,
            log_level="warning",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            limit_concurrency=CONNECTIONS,
            timeout_keep_alive=min(KEPT_ALIVE_SECONDS, int(HEADER_SECONDS)),
            timeout_graceful_shutdown=ENDING_SECONDS,
            h11_max_incomplete_event_size=HEADER_BYTES,
        )
        uvicorn.Server(config).run(sockets=[listener])


def resolve_address(host: str, port: int) -> tuple[socket.AddressFamily, tuple[Any, ...]]:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (OSError, UnicodeError) as error:
        raise BadRequest(f"there is no address {host!r} to listen at: {error}") from None
    return family, address


def listening(family: socket.AddressFamily, address: tuple[Any, ...]) -> socket.socket:
    try:
        listener = socket.create_server(address[:2], family=family)
    except OSError as error:
        problem = f"cannot listen at {address[0]} port {address[1]} ({error.strerror}): choose another --port"
        raise RpgError(problem) from None
    # Connections inherit it. Without it each answer waits 40 ms for the client's acknowledgement of its head; asyncio
    # sets it for sockets that name their protocol alone, and this one does not.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def http_app(
    build: Callable[[Grant], Server[Any]],
    host: str = "127.0.0.1",
    allowed_hosts: Sequence[str] = (),
    tokens: Tokens | None = None,
    pages: Pages = no_pages,
) -> ASGIApp:
    from rpg.server.admission import Door, names_served
    from rpg.server.sessions import SessionsAndOthers
    from rpg.server.tokens import Tokens

    tokens = tokens or Tokens()
    names = names_served(host, allowed_hosts)
    security = security_settings(names)
    servers = {grant: build(grant) for grant in tokens.grants()}
    apps = {grant: SessionsAndOthers(server, security, len(servers), pages(grant)) for grant, server in servers.items()}
    first = next(iter(servers.values()))
    return Door(apps, names, tokens, {"name": first.name, "version": first.version or ""})


def security_settings(names: Sequence[str]) -> TransportSecuritySettings:
    """The rules of admission.py once more, for the SDK's transports."""
    from mcp.server.transport_security import TransportSecuritySettings

    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=list(names),
        allowed_origins=[f"{scheme}://{each}" for scheme in ("http", "https") for each in names],
    )
