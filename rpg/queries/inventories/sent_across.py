"""Requests that one repository sends to a route of another one.

In: what the encoder keeps of contracts in both, and what the repository of the route is called. Out: the places that
send, each certain or possible, and what says so. It is certain where an address, a variable that configuration sets, or
the gateway of the client's own program names the host, and the host is called as the repository, a package at its top,
or the folder of the route. A host of another name is another service; an address whose host nothing says is possible.

Absent: hosts of the internet (`https://api.example.com`), of which nothing says whose they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from rpg.encoder.frameworks import Contracts
from rpg.encoder.frameworks.http.addresses import Address, Meant, ServedRoute, is_of_service, plain_service
from rpg.queries.packages.manifests import packages

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

ANYWHERE: Final = frozenset({"", "app", "backend", "gateway", "localhost", "web"})
"""Hosts that say nothing of whose they are."""


class SentAcross(NamedTuple):
    path: str
    line: int
    column: int
    source: str
    """The symbol that sends it, by its name in that file."""
    request: str
    """The method and the path of the route."""
    is_certain: bool
    why: str
    test: bool


def names_of(index: Index, *names: str) -> frozenset[str]:
    """What a repository is called: by its graph, its folder, and the packages at its top."""
    every = [*names, *(each.name.rpartition("/")[2].rpartition(":")[2] for each in packages(index) if not each.folder)]
    return frozenset(filter(None, (plain_service(each) for each in every)))


def find_sent(client: Contracts, server: Contracts, names: frozenset[str], handler: str) -> Iterator[SentAcross]:
    """`names`: what the repository of the handler is called."""
    routes = [each for each in server.routes if each.handler == handler and not each.test]
    if not routes:
        return
    for path, rows in client.files.items():
        for outcome, addresses in client.addresses(rows):
            if outcome.certain and outcome.routes:
                continue
            best: tuple[bool, str, ServedRoute] | None = None
            for address, is_sure in addresses:
                found = _meant(server, names, outcome.request.method, address, handler)
                if found is not None:
                    certain, why, route = found
                    if best is None or (certain and is_sure and not best[0]):
                        best = certain and is_sure, why, route
            if best is not None:
                request = outcome.request
                yield SentAcross(
                    path, *request.site, request.maker.partition("::")[2] or "(module)",
                    f"{best[2].methods} {best[2].written}", best[0], best[1], rows.test,
                )  # fmt: skip


def _meant(
    server: Contracts, names: frozenset[str], method: str, address: Address, handler: str
) -> tuple[bool, str, ServedRoute] | None:
    """Whether an address certainly means a handler, and what says so; None if it does not mean it."""
    meant: Meant = server.served.find_meant(method, address._replace(host="", hint=""), "", False)
    route = next((each for each in meant.routes if each.handler == handler), None)
    if route is None:
        return None
    host = address.host or address.hint
    plain = plain_service(host)
    is_named = bool(plain) and (plain in names or is_of_service(route, host))
    if is_named and address.host:
        return meant.certain and address.known, f"sent to {address.host}, which is called so", route
    if is_named:
        return False, f"its base is called after {address.hint}", route
    if plain in ANYWHERE or host in ANYWHERE:
        said = "its base is not known" if not address.known else "its host does not say which service it is"
        return False, said, route
    return None
