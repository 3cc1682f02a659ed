"""The transports of the SDK behind admission.py, for all clients with the same grant: streamable HTTP at /mcp, SSE at
/sse.

In: admitted requests. Out: answers of one server.

Several processes may serve one library behind a proxy that sends each request to any of them, and clients need not
know. A message is answered without a session if its session belongs to another process, has ended, or could not be
started because there are too many. What a session adds, notifications of changes on a lasting connection, comes from
the process that started it. Clients of later protocols have no sessions at all.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from mcp.server.lowlevel import Server
from mcp.server.sse import SseServerTransport
from mcp.server.streamable_http import MCP_SESSION_ID_HEADER
from starlette.routing import Mount, Route

from rpg.server.admission import METHOD, replay_body
from rpg.server.messages import LARGEST

if TYPE_CHECKING:
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.applications import Starlette
    from starlette.types import Message, Receive, Scope, Send

SESSIONS = 64
"""Sessions that one process may have, over all its servers."""
SESSION_IDLE_SECONDS = 1800.0
SESSION = MCP_SESSION_ID_HEADER.encode().lower()
NOT_HERE, TOO_MANY = 404, 503
"""What the SDK answers for an unknown session, and when it starts no more sessions."""


class SessionsAndOthers:
    def __init__(
        self, server: Server[Any], security: TransportSecuritySettings, servers: int = 1, pages: Sequence[Route] = ()
    ) -> None:
        """`servers`: how many share the limits of the process. `pages`: what a browser may ask for besides."""
        self._with_sessions: Starlette = server.streamable_http_app(
            transport_security=security,
            max_sessions=max(1, SESSIONS // servers),
            session_idle_timeout=SESSION_IDLE_SECONDS,
            max_request_body_size=LARGEST,
            custom_starlette_routes=[*event_routes(server, security), *pages],
        )
        self._without: Starlette = server.streamable_http_app(
            transport_security=security, stateless_http=True, max_request_body_size=LARGEST
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        apps = self._with_sessions, self._without
        async with apps[0].router.lifespan_context(apps[0]), apps[1].router.lifespan_context(apps[1]):
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_session = any(name == SESSION for name, _ in scope["headers"])
        if scope["method"] != "POST" or scope["path"] != "/mcp":
            await self._with_sessions(scope, receive, send)
        elif has_session or scope.get(METHOD) == "initialize":
            await self._in_its_session_or_without(scope, receive, send, NOT_HERE if has_session else TOO_MANY)
        else:
            await self._without(scope, receive, send)

    async def _in_its_session_or_without(self, scope: Scope, receive: Receive, send: Send, unless: int) -> None:
        body = (await receive())["body"]  # admission.py has read all of it
        is_refused = False

        async def sent(message: Message) -> None:
            nonlocal is_refused
            is_refused = is_refused or (message["type"] == "http.response.start" and message["status"] == unless)
            if not is_refused:
                await send(message)

        await self._with_sessions(scope, replay_body(body, receive), sent)
        if is_refused:
            headers = [(name, value) for name, value in scope["headers"] if name != SESSION]
            await self._without({**scope, "headers": headers}, replay_body(body, receive), send)


def event_routes(server: Server[Any], security: TransportSecuritySettings) -> list[Any]:
    """For clients of protocols before streamable HTTP."""
    events = SseServerTransport("/messages/", security, LARGEST)

    class Events:
        """One client's stream; a class, because the framework calls functions with a request and not with a scope."""

        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            async with events.connect_sse(scope, receive, send) as (reading, writing):
                await server.run(reading, writing, server.create_initialization_options())

    return [Route("/sse", Events(), methods=["GET"]), Mount("/messages/", app=events.handle_post_message)]
