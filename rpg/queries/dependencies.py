"""What a file, a directory or a symbol needs, and what needs it.

In: a node and a direction. Out: files with what is used of them, packages outside the repository, import cycles, and
how many references could not be followed. Single usages with their sites stand in usages.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rpg.queries.budget import Budget, size
from rpg.queries.cycles import cycles_through
from rpg.queries.external import ExternalPackage, external_packages
from rpg.queries.nodes import Node, batches, inside, marks, nodes_by_row

if TYPE_CHECKING:
    from rpg.stores.index import Index

KINDS = ("imports", "calls", "inherits", "overrides", "references")
DIRECTIONS = {
    "dependencies": "dependencies", "out": "dependencies",
    "dependents": "dependents", "in": "dependents",
    "both": "both",
}  # fmt: skip
NAMED = 12
"""Symbols that are named of one file; more are counted."""


@dataclass(frozen=True, kw_only=True)
class FileDependency:
    path: str
    hop: int = 1
    test: bool = False
    edges: dict[str, int]
    """How many edges of each kind; of the first hop."""
    site: str = ""
    """line:column of the import statement, in whichever of the two files imports the other."""
    symbols: list[str] = field(default_factory=list)
    """What is used there (of a dependent: what uses it), the most used first."""
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
    """Import cycles that it takes part in, each from file to file and back to the first; the shortest ones."""
    not_followed: dict[str, int] = field(default_factory=dict)
    """References inside it without an edge, by reason."""
    note: str = ""


def dependencies(
    index: Index, node: Node, direction: str, transitive: int, external: bool, budget: Budget, skip: int
) -> tuple[Dependencies, int]:
    """The answer and the number of files given so far; -1 when all were."""
    own = inside(index, node)
    rows = [each.row for each in own]
    ways = [way for way in ("dependencies", "dependents") if direction in (way, "both")]
    found = {way: files(index, rows, way, transitive) for way in ways}
    packages = external_packages(index, own) if external and "dependencies" in ways else []
    cycles = cycles_through(index, own) if node.is_file or node.holds_files else []
    total = {way: len(each) for way, each in found.items()}
    if packages:
        total["external"] = len(packages)
    budget.left -= size(cycles)
    given = 0
    kept: dict[str, list[FileDependency]] = {way: [] for way in ways}
    kept_packages: list[ExternalPackage] = []
    queue: list[tuple[str, FileDependency | ExternalPackage]] = [
        *((way, each) for way in ways for each in found[way]),
        *(("external", package) for package in packages),
    ]
    for way, item in queue:
        given += 1
        if given <= skip:
            continue
        if not budget.take(size(item)):
            given -= 1
            break
        if isinstance(item, ExternalPackage):
            kept_packages.append(item)
        else:
            kept[way].append(item)
    return (
        Dependencies(
            target=node.id,
            kind=node.kind,
            total=total,
            dependencies=kept.get("dependencies", []),
            dependents=kept.get("dependents", []),
            external=kept_packages,
            cycles=cycles,
            not_followed=not_followed(index, rows) if "dependencies" in ways else {},
        ),
        given if given < len(queue) else -1,
    )


def files(index: Index, rows: Sequence[int], way: str, depth: int) -> list[FileDependency]:
    """Hop by hop; only the first hop says what is used, beyond it the question is whether and how far."""
    near, far = ("source", "target") if way == "dependencies" else ("target", "source")
    own = set(rows)
    first: dict[int, list[tuple[str, str, int, str]]] = {}
    for batch in batches(rows):
        for here, there, kind, sites in index.rows(
            f"SELECT {near}, {far}, kind, sites FROM edges "
            f"WHERE {near} IN ({marks(batch)}) AND kind IN ({marks(KINDS)})",
            (*batch, *KINDS),
        ):
            if there not in own:
                first.setdefault(there, []).append((kind, sites, sites.count(" ") + 1, here))
    found = nodes_by_row(index, first)
    by_path: dict[str, list[Node]] = {}
    for each in sorted(found.values()):
        by_path.setdefault(each.path, []).append(each)
    out = [direct(path, parts, first) for path, parts in by_path.items()]
    out.sort(key=lambda item: (item.test, "imports" not in item.edges, -sum(item.edges.values()), item.path))
    return out + further(index, own | found.keys(), list(found), way, depth)


def direct(path: str, parts: Iterable[Node], first: dict[int, list[tuple[str, str, int, str]]]) -> FileDependency:
    edges: Counter[str] = Counter()
    names: Counter[str] = Counter()
    site = ""
    test = False
    for part in parts:
        test = test or bool(part.test)
        for kind, sites, number, _ in first[part.row]:
            edges[kind] += number
            if kind == "imports":
                site = min(filter(None, (site, sites.split(" ")[0])), key=place_of)
            else:
                names["(module)" if part.is_file else part.label] += number
    ordered = [name for name, _ in names.most_common()]
    return FileDependency(
        path=path, test=test, edges={kind: edges[kind] for kind in KINDS if edges[kind]}, site=site,
        symbols=ordered[:NAMED], more=max(0, len(ordered) - NAMED),
    )  # fmt: skip


def place_of(site: str) -> tuple[int, ...]:
    return tuple(map(int, site.split(":")))


def further(index: Index, seen: set[int], front: list[int], way: str, depth: int) -> list[FileDependency]:
    near, far = ("source", "target") if way == "dependencies" else ("target", "source")
    named = {each.path for each in nodes_by_row(index, seen).values()}
    out = []
    for hop in range(2, depth + 1):
        front = list(
            dict.fromkeys(
                row[0]
                for batch in batches(front)
                for row in index.rows(
                    f"SELECT {far} FROM edges WHERE {near} IN ({marks(batch)}) AND kind IN ({marks(KINDS)})",
                    (*batch, *KINDS),
                )
                if row[0] not in seen
            )
        )
        seen.update(front)
        fresh: dict[str, list[Node]] = {}
        for each in sorted(nodes_by_row(index, front).values()):
            if each.path not in named:
                fresh.setdefault(each.path, []).append(each)
        named |= fresh.keys()
        out += [
            FileDependency(path=path, hop=hop, test=any(part.test for part in parts), edges={})
            for path, parts in sorted(fresh.items())
        ]
        if not front:
            break
    return out


def not_followed(index: Index, rows: Sequence[int]) -> dict[str, int]:
    counted: Counter[str] = Counter()
    for batch in batches(rows):
        for why, number in index.rows(
            f"SELECT reason, count(*) FROM places WHERE source IN ({marks(batch)}) AND reason != 'external' GROUP BY 1",
            batch,
        ):
            counted[why] += number
    return dict(counted)
