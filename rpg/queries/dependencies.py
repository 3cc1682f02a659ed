"""What a file, a directory or a symbol depends on, and what depends on it.

In: a node and a direction. Out: files with what is used of them, packages outside the repository, import cycles, and
how many references could not be followed. Single usages with their sites are in usages.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from rpg.queries.graph.cycles import cycles_through
from rpg.queries.graph.external import ExternalPackage, external_packages
from rpg.queries.graph.nodes import Node, batches, marks
from rpg.queries.graph.scope import Scope, scope_of

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

KINDS = ("imports", "calls", "inherits", "overrides", "references")
DIRECTIONS = {
    "dependencies": "dependencies", "out": "dependencies",
    "dependents": "dependents", "in": "dependents",
    "both": "both",
}  # fmt: skip
NAMED = 12
"""How many symbols of one file are named; the rest is counted."""


@dataclass(frozen=True, kw_only=True)
class FileDependency:
    path: str
    hop: int = 1
    test: bool = False
    edges: dict[str, int]
    """Number of edges per kind, in the first hop."""
    site: str = ""
    """line:column of the import statement, in whichever of the two files imports the other."""
    symbols: list[str] = field(default_factory=list)
    """What is used of the file, or what in it uses the target; the most used first."""
    more: int = 0


@dataclass(frozen=True, kw_only=True)
class Dependencies:
    target: str
    kind: str
    total: dict[str, int]
    dependencies: list[FileDependency] = field(default_factory=list)
    dependents: list[FileDependency] = field(default_factory=list)
    external: list[ExternalPackage] = field(default_factory=list)
    cycles: list[list[str]] = field(default_factory=list)
    """Import cycles through the target, each from file to file and back to the first; the shortest ones."""
    not_followed: dict[str, int] = field(default_factory=dict)
    """Its references without an edge, by reason."""
    note: str = ""


class Listed(NamedTuple):
    """The answer before it is cut: the summary, then files and packages one by one."""

    summary: Dependencies
    items: list[tuple[str, FileDependency | ExternalPackage]]

    @property
    def parts(self) -> int:
        return 1 + len(self.items)

    def cut_out(self, first: int, last: int) -> Dependencies:
        """The parts from `first` to before `last`. The summary is repeated where the rest of its list follows."""
        chosen = self.items[max(0, first - 1) : max(0, last - 1)]
        files = {
            way: [item for each, item in chosen if each == way and isinstance(item, FileDependency)]
            for way in ("dependencies", "dependents")
        }
        packages = [item for _, item in chosen if isinstance(item, ExternalPackage)]
        return replace(
            self.summary, dependencies=files["dependencies"], dependents=files["dependents"], external=packages
        )


def dependencies(index: Index, node: Node, direction: str, transitive: int, external: bool) -> Listed:
    scope = scope_of(index, node)
    ways = [way for way in ("dependencies", "dependents") if direction in (way, "both")]
    found = {way: files(index, scope, way, transitive) for way in ways}
    packages = external_packages(index, scope, node.is_file) if external and "dependencies" in ways else []
    total = {way: len(each) for way, each in found.items()}
    if packages:
        total["external"] = len(packages)
    return Listed(
        Dependencies(
            target=node.id,
            kind=node.kind,
            total=total,
            cycles=cycles_through(index, node.path) if node.is_file or node.holds_files else [],
            not_followed=not_followed(index, scope) if "dependencies" in ways else {},
        ),
        [*((way, each) for way in ways for each in found[way]), *(("external", package) for package in packages)],
    )


class Use(NamedTuple):
    """Edges of one kind between the target and one symbol outside it."""

    row: int
    path: str
    label: str
    kind: str
    test: int
    edge: str
    sites: int
    first: str
    """The first site."""


def files(index: Index, scope: Scope, way: str, depth: int) -> list[FileDependency]:
    """Hop by hop. Only the first hop says what is used; beyond it only whether and how far matters."""
    near, far = ("source", "target") if way == "dependencies" else ("target", "source")
    uses = [
        Use(*row[:8])
        for row in index.rows(
            "SELECT f.id, f.path, f.qualified_name, f.kind, f.test, e.kind, "
            "sum(length(e.sites) - length(replace(e.sites, ' ', '')) + 1), e.sites, min(CAST(e.sites AS INTEGER)) "
            f"FROM symbols n JOIN edges e ON e.{near} = n.id AND e.kind IN ({marks(KINDS)}) "
            f"JOIN symbols f ON f.id = e.{far} WHERE {scope.of('n')} AND NOT {scope.of('f')} GROUP BY f.id, e.kind",
            (*KINDS, *scope.parameters, *scope.parameters),
        )
    ]
    by_path: dict[str, list[Use]] = {}
    for use in sorted(uses):
        by_path.setdefault(use.path, []).append(use)
    out = [direct(path, parts) for path, parts in by_path.items()]
    out.sort(key=lambda item: (item.test, "imports" not in item.edges, -sum(item.edges.values()), item.path))
    if depth > 1:
        rows = [use.row for use in uses]
        out += further(index, {*scope.rows(index), *rows}, set(by_path), rows, (near, far), depth)
    return out


def direct(path: str, uses: Iterable[Use]) -> FileDependency:
    edges: Counter[str] = Counter()
    names: Counter[str] = Counter()
    site = ""
    test = False
    for use in uses:
        test = test or bool(use.test)
        edges[use.edge] += use.sites
        if use.edge == "imports":
            site = min(filter(None, (site, use.first.split(" ")[0])), key=place_of)
        else:
            names["(module)" if use.kind == "module" else use.label] += use.sites
    ordered = [name for name, _ in names.most_common()]
    return FileDependency(
        path=path, test=test, edges={kind: edges[kind] for kind in KINDS if edges[kind]}, site=site,
        symbols=ordered[:NAMED], more=max(0, len(ordered) - NAMED),
    )  # fmt: skip


def place_of(site: str) -> tuple[int, ...]:
    return tuple(map(int, site.split(":")))


def further(
    index: Index, seen: set[int], named: set[str], front: list[int], ends: tuple[str, str], depth: int
) -> list[FileDependency]:
    near, far = ends
    out = []
    for hop in range(2, depth + 1):
        fresh: dict[str, bool] = {}
        following: list[int] = []
        for batch in batches(front):
            for row, path, test in index.rows(
                f"SELECT DISTINCT f.id, f.path, f.test FROM edges e JOIN symbols f ON f.id = e.{far} "
                f"WHERE e.{near} IN ({marks(batch)}) AND e.kind IN ({marks(KINDS)})",
                (*batch, *KINDS),
            ):
                if row not in seen:
                    seen.add(row)
                    following.append(row)
                    if path not in named:
                        fresh[path] = fresh.get(path, False) or bool(test)
        named |= fresh.keys()
        out += [FileDependency(path=path, hop=hop, test=fresh[path], edges={}) for path in sorted(fresh)]
        front = following
    return out


def not_followed(index: Index, scope: Scope) -> dict[str, int]:
    return dict(
        index.rows(
            "SELECT p.reason, count(*) FROM symbols s JOIN places p ON p.source = s.id "
            f"WHERE {scope.of('s')} AND p.reason != 'external' GROUP BY 1",
            scope.parameters,
        )
    )
