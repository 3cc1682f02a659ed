"""The services of a repository and what leads from one to another, as a drawing.

In: an index. Out: a drawing: programs (folders with a manifest or a Dockerfile that serve, send or are deployed), what
Compose and Kubernetes run beside them, and arrows: calls over HTTP, gRPC and queues, dashed where no call is certain;
what Compose says depends on what; an address that configuration hands to a program of which no call is known.

Absent: services of other repositories, and what only runs in a cloud.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from rpg.encoder.frameworks.http.addresses import plain_service
from rpg.queries.graph.filters import format_count
from rpg.queries.inventories.stated_contracts import read_contracts
from rpg.queries.overview.folding import Drawing, DrawnEdge, DrawnNode
from rpg.queries.packages.manifests import requiring
from rpg.stores.index.reader import list_paths_fitting

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

CALLS, DEPENDS, TOLD = "calls", "depends on", "is told the address of"
_DEPLOYED: Final = ("services.", "Deployment.", "StatefulSet.", "DaemonSet.")


class ServiceMap:
    def __init__(self, index: Index) -> None:
        self.index = index
        self.labels: dict[str, str] = {}
        """By key: what a service is called."""
        self.folders = self._programs()
        self.links: Counter[tuple[str, str, str, bool]] = Counter()

    def _programs(self) -> list[str]:
        """Folders of programs, the innermost first."""
        paths = list_paths_fitting(self.index, "*Dockerfile*", "*.csproj")
        found = {each.folder for each in requiring(self.index)}
        found |= {path[: path.rfind("/") + 1] for path in paths}
        return sorted(found - {""}, key=lambda each: (-each.count("/"), each))

    def key_of(self, path: str) -> str:
        """The program around a file; empty if there is none."""
        folder = next((each for each in self.folders if path.startswith(each)), "")
        return self.name(folder.rstrip("/").rpartition("/")[2]) if folder else ""

    def name(self, called: str) -> str:
        key = plain_service(called) or called.lower()
        self.labels.setdefault(key, called)
        return key

    def add(self, source: str, target: str, kind: str, possible: bool, number: int = 1) -> None:
        if source and target and source != target:
            self.links[source, target, kind, possible] += number

    def deployed(self, symbol: str) -> str:
        """The service that a symbol of a deployment is; empty if it is none."""
        local = symbol.partition("::")[2]
        head = next((each for each in _DEPLOYED if local.startswith(each)), "")
        called = local[len(head) :] if head else ""
        return self.name(called) if called and "." not in called else ""


def draw_services(index: Index) -> Drawing:
    services = ServiceMap(index)
    _read_deployments(services)
    _read_calls(services)
    _read_addresses(services)
    told = {ends[:2] for ends in services.links if ends[2] == CALLS}
    certain = {ends[:3] for ends in services.links if not ends[3]}
    links = {
        ends: number
        for ends, number in services.links.items()
        if not (ends[2] == TOLD and ends[:2] in told) and not (ends[3] and ends[:3] in certain)
    }
    served = Counter(services.key_of(each.path) for each in read_contracts(index).routes if not each.test)
    used = Counter({key: 0 for key in served if key})
    for (source, target, _, _), number in links.items():
        used[source] += number
        used[target] += number
    order = sorted(used, key=lambda key: (-used[key], key))
    numbers = {key: at for at, key in enumerate(order)}
    nodes = [
        DrawnNode(
            (services.labels[key], format_count(served[key], "route")) if served[key] else (services.labels[key],)
        )
        for key in order
    ]
    edges = [
        DrawnEdge(numbers[source], numbers[target], kind, number, possible)
        for (source, target, kind, possible), number in sorted(links.items())
    ]
    return Drawing(nodes, edges)


def _read_deployments(services: ServiceMap) -> None:
    for source, target in _edges_of_deployments(services.index):
        start, end = services.deployed(source), services.deployed(target)
        services.add(start, end, DEPENDS, False)


def _edges_of_deployments(index: Index) -> Iterator[tuple[str, str]]:
    from rpg.stores.index import stored_graph

    for path in list_paths_fitting(index, "*.y*ml"):
        for edge in stored_graph.edges_at(index, path):
            if edge.kind not in ("contains", "imports") and edge.target.startswith(f"{path}::services."):
                yield edge.source, edge.target


def _read_calls(services: ServiceMap) -> None:
    """What crosses from a program to another: calls as contracts have them."""
    for path, edges in read_contracts(services.index).edges().items():
        if path.endswith((".yml", ".yaml")):
            continue  # a deployment asks its own programs how they are
        start = services.key_of(path)
        for edge in edges if start else ():
            if edge.kind == "calls":
                end = services.key_of(edge.target.partition("::")[0])
                services.add(start, end, CALLS, edge.via != "crossing", len(edge.sites))


def _read_addresses(services: ServiceMap) -> None:
    """Addresses of services that a deployment hands to others."""
    from rpg.encoder.frameworks.http.addresses import address_of

    for rows in read_contracts(services.index).files.values():
        for setting in rows.settings:
            address = address_of((("s", setting.url),)) if setting.url else None
            start = services.deployed(setting.symbol)
            if address is not None and start and plain_service(address.host) in services.labels:
                services.add(start, plain_service(address.host), TOLD, False)
