"""Tells clients when a graph that they subscribed to has changed.

In: resources that clients subscribe to; after each call, and every few seconds while somebody is subscribed, a check.
Out: one notification for each resource whose graph file changed since the last one, whichever process changed it, and
one when the list of repositories changed.

Clients of protocols up to 2025 subscribe to one resource at a time and are told on their connection; later ones listen
on a stream.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import Any
from urllib.parse import unquote
from weakref import WeakKeyDictionary

import anyio
import mcp_types as types
from mcp.server.connection import Connection

from rpg.errors import BadRequest, RpgError
from rpg.server import arriving
from rpg.system.stamp import stamp_of
from rpg.text.printable import quote_text
from rpg.tools.loaded.graphs import Graphs

MOST = 200
"""Resources that one client may subscribe to."""
STREAMS = 64
LIST = "repositories://list"
LOOK_SECONDS = 2.0


class Subscriptions:
    def __init__(self, graphs: Graphs) -> None:
        self._graphs = graphs
        self._of: WeakKeyDictionary[Connection, dict[str, object]] = WeakKeyDictionary()
        """By connection: the state of each resource at its client's last notification."""
        self._listened: dict[str, object] = {}
        """The same for the resources that streams are about."""
        self._listeners: Counter[str] = Counter()
        self._subscribed = anyio.Event()
        """Set while there may be a client to notify."""
        self._is_watched = False
        self._bus: Any = None
        self._handler: Any = None

    def add(self, context: Any, uri: str) -> None:
        connection = connection_of(context)
        if not connection.has_standalone_channel:
            raise BadRequest(
                "this connection is for one request and takes no notifications: subscribe in a session, over /sse, "
                "or with `subscriptions/listen`"
            )
        state = self._state(uri)
        known = self._of.setdefault(connection, {})
        if len(known) >= MOST:
            raise BadRequest(f"a client may subscribe to {MOST} resources: unsubscribe from some")
        known[uri] = state
        self._subscribed.set()

    def remove(self, context: Any, uri: str) -> None:
        self._of.get(connection_of(context), {}).pop(uri, None)

    async def listen(
        self, context: Any, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Until the client ends it. BAD_REQUEST for a resource that is not served."""
        from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler

        wanted = {str(uri) for uri in params.notifications.resource_subscriptions or ()}
        if len(wanted | self._listened.keys()) > MOST:
            raise BadRequest(f"at most {MOST} subscriptions: end one first")
        states = {uri: self._state(uri) for uri in wanted}
        if self._bus is None:
            self._bus = InMemorySubscriptionBus()
            self._handler = ListenHandler(self._bus, max_subscriptions=STREAMS)
        for uri, state in states.items():
            self._listened.setdefault(uri, state)
        self._listeners.update(wanted)
        self._subscribed.set()
        try:
            result: types.SubscriptionsListenResult = await self._handler(context, params)
            return result
        finally:
            self._listeners.subtract(wanted)
            for uri in wanted:
                if not self._listeners[uri]:
                    del self._listeners[uri], self._listened[uri]

    async def watch(self) -> None:
        """For as long as the server runs: another process may change a graph while nobody calls this one."""
        if self._is_watched:  # by another connection of the same server
            return
        self._is_watched = True
        try:
            while True:
                await self._subscribed.wait()
                await anyio.sleep(LOOK_SECONDS)
                await self.tell()
                if not self._of and not self._listened:
                    self._subscribed = anyio.Event()
        finally:
            self._is_watched = False

    async def tell(self) -> None:
        for connection, known in list(self._of.items()):
            for uri in self._changed(known):
                with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                    await connection.send_resource_updated(uri)
        if self._bus is not None:
            from mcp.server.subscriptions import ResourceUpdated

            for uri in self._changed(self._listened):
                await self._bus.publish(ResourceUpdated(uri=uri))

    def _changed(self, known: dict[str, object]) -> list[str]:
        changed = []
        for uri, before in list(known.items()):
            try:
                now = self._state(uri)
            except BadRequest:
                now = None  # forgotten in the meantime
            if now != before:
                known[uri] = now
                changed.append(uri)
        return changed

    def _state(self, uri: str) -> object:
        """BAD_REQUEST if it belongs to no served graph."""
        if uri == LIST:
            return self._graphs.names(), self._graphs.encodes.states()
        arriving.uri(uri)
        scheme, _, rest = uri.partition("://")
        name = unquote(rest.partition("/")[0])
        if scheme not in ("repository", "code", "symbol") or name not in self._graphs.names():
            raise BadRequest(f"no resource {quote_text(uri)} to subscribe to; {LIST} names what there is")
        try:
            return stamp_of(self._graphs.served.the_one(name).stat())
        except OSError:
            return None


def connection_of(context: Any) -> Connection:
    """What stays the same for all requests of a client, and ends with it: the SDK makes a session for each request, and
    has no public name for what its sessions share."""
    connection = getattr(context.session, "_connection", None)
    if not isinstance(connection, Connection):
        raise RpgError("this version of the mcp package keeps connections elsewhere: subscriptions do not work with it")
    return connection
