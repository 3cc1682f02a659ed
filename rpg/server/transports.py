"""How the server is reached: over stdin and stdout, or over HTTP.

In: a server. Out: nothing, until the client goes away or the process is told to end. HTTP listens on this machine
alone unless told otherwise, and refuses requests whose Host or Origin is not one it was told of, so that no web page
can reach it through a browser.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.lowlevel import Server

from rpg import heap

if TYPE_CHECKING:
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.applications import Starlette

WARM_AFTER_SECONDS = 1.5
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def serve_stdio(server: Server[Any], warm: Callable[[], None]) -> None:
    """Until stdin ends. While it runs, whatever is printed goes to stderr.

    `warm` is called in a thread a moment later: the handshake comes first, and the first question then finds the
    graph open.
    """
    from mcp.server.stdio import stdio_server

    heap.keep_small()

    async def main() -> None:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    timer = threading.Timer(WARM_AFTER_SECONDS, warm)
    timer.daemon = True
    timer.start()
    try:
        anyio.run(main)
    finally:
        timer.cancel()


def serve_http(server: Server[Any], host: str, port: int, allowed_hosts: Sequence[str]) -> None:
    """Streamable HTTP at /mcp, SSE at /sse, and /health."""
    import uvicorn

    heap.keep_small()
    if host not in ("127.0.0.1", "localhost", "::1"):
        print(f"rpg: {host} can be reached from other machines, and nobody is asked for a password", file=sys.stderr)
    shown = f"[{host}]" if ":" in host else host
    print(f"rpg: serving at http://{shown}:{port}/mcp (SSE: /sse)", file=sys.stderr)
    uvicorn.run(http_app(server, host, allowed_hosts), host=host, port=port, log_level="warning", access_log=False)


def http_app(server: Server[Any], host: str = "127.0.0.1", allowed_hosts: Sequence[str] = ()) -> Starlette:
    from mcp.server.sse import SseServerTransport
    from mcp.server.transport_security import TransportSecurityMiddleware
    from starlette.requests import Request
    from starlette.responses import JSONResponse
    from starlette.routing import Mount, Route
    from starlette.types import Receive, Scope, Send

    security = security_settings(host, allowed_hosts)
    events = SseServerTransport("/messages/", security)

    async def health(request: Request) -> JSONResponse:
        return JSONResponse({"status": "ok", "name": server.name, "version": server.version})

    class Events:
        """One client's stream; a class, as the framework calls functions with a request and not with a scope."""

        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            refusal = await TransportSecurityMiddleware(security).validate_request(Request(scope, receive))
            if refusal:  # or the transport would raise as well
                await refusal(scope, receive, send)
                return
            async with events.connect_sse(scope, receive, send) as (reading, writing):
                await server.run(reading, writing, server.create_initialization_options())

    return server.streamable_http_app(
        transport_security=security,
        host=host,
        custom_starlette_routes=[
            Route("/health", health),
            Route("/sse", Events(), methods=["GET"]),
            Mount("/messages/", app=events.handle_post_message),  # type: ignore[list-item]
        ],
    )


def security_settings(host: str, allowed_hosts: Sequence[str]) -> TransportSecuritySettings:
    """Which Host and Origin a request may have: this machine's names, the address it listens at, and those given."""
    from mcp.server.transport_security import TransportSecuritySettings

    own = () if host in ("0.0.0.0", "::") else (f"[{host}]" if ":" in host else host,)
    names = list(dict.fromkeys([*LOOPBACK, *own, *allowed_hosts]))
    hosts = [each for name in names for each in ([name] if is_with_port(name) else [name, f"{name}:*"])]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=hosts,
        allowed_origins=[f"{scheme}://{each}" for scheme in ("http", "https") for each in hosts],
    )


def is_with_port(name: str) -> bool:
    return name.rpartition(":")[2].isdigit() and not name.endswith("]")
