"""What a file, a directory or a symbol depends on, and what depends on it.

In: a node, a direction, kinds and a filter. Out: files with what is used of them, certain and possible uses apart, each
with its strongest evidence; packages outside the repository, import cycles, and how many references could not be
followed. Single usages with their sites are in usages.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg.encoder.languages.tests import remove_package_folders
from rpg.queries.graph.certainty import is_certain
from rpg.queries.graph.cycles import cycles_through
from rpg.queries.graph.filters import EXAMPLES, Filter
from rpg.queries.graph.nodes import Node, batches
from rpg.queries.graph.scope import Scope, scope_of
from rpg.queries.packages.external import ExternalPackage, external_packages
from rpg.stores.index.edge_reads import list_edges_leaving, list_far_ends
from rpg.stores.index.place_reads import count_unresolved_by_reason
from rpg.stores.index.symbol_reads import list_directories_between

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

KINDS = ("imports", "calls", "inherits", "overrides", "references")
DIRECTIONS = {
    "dependencies": "dependencies", "out": "dependencies",
    "dependents": "dependents", "in": "dependents",
    "both": "both",
}  # fmt: skip
NAMED = 6
"""How many symbols of one file are named; the rest is counted."""


@dataclass(frozen=True, kw_only=True)
class FileDependency:
    path: str
    hop: int = 1
    test: bool = False
    edges: dict[str, int] = field(default_factory=dict)
    """Number of certain uses per kind, in the first hop."""
    possible: dict[str, int] = field(default_factory=dict)
    """Number of possible uses per kind. A file of only these may not be a dependency at all."""
    evidence: str = ""
    """The strongest: `imports`, else the kind of edge and the symbol that is used."""
    site: str = ""
    """path:line:column of the evidence."""
    symbols: list[str] = field(default_factory=list)
    """What is used of the file, or what in it uses the target; the most used first."""
    more: int = 0

    @property
    def uses(self) -> int:
        return sum(self.edges.values()) + sum(self.possible.values())


@dataclass(frozen=True, kw_only=True)
class Dependencies:
    target: str
    kind: str
    total: dict[str, int]
    """Files of each list with a certain use, those with only possible ones, and packages from outside."""
    tests: dict[str, int] = field(default_factory=dict)
    """Number of uses by the listed tests, by file."""
    dependencies: list[FileDependency] = field(default_factory=list)
    dependents: list[FileDependency] = field(default_factory=list)
    external: list[ExternalPackage] = field(default_factory=list)
    cycles: list[list[str]] = field(default_factory=list)
    """Import cycles through the target, each from file to file and back to the first; the shortest ones."""
    not_followed: dict[str, int] = field(default_factory=dict)
    """Its references without an edge, by reason."""
    has_all_importers: bool = False
    """For a file: whether the dependents are certainly all files that import it."""
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
            side: [item for each, item in chosen if each == side and isinstance(item, FileDependency)]
            for side in ("dependencies", "dependents")
        }
        packages = [item for _, item in chosen if isinstance(item, ExternalPackage)]
        return replace(
            self.summary, dependencies=files["dependencies"], dependents=files["dependents"], external=packages
        )


@dataclass(frozen=True)
class DependencyQuery:
    index: Index
    header: dict[str, Any]
    kinds: Sequence[str]
    filter: Filter
    hops: int
    external: bool


def dependencies(question: DependencyQuery, node: Node, direction: str) -> Listed:
    index = question.index
    scope = scope_of(index, node)
    sides = [side for side in ("dependencies", "dependents") if direction in (side, "both")]
    found = {
        side: files(question, scope, side, inner(question, node) if side == "dependencies" else Inner())
        for side in sides
    }
    wants_packages = question.external and "dependencies" in sides
    packages = external_packages(index, scope, node.is_file) if wants_packages else []
    total = {side: sum(bool(each.edges) or each.hop > 1 for each in found[side]) for side in sides}
    possible = sum(not each.edges and each.hop == 1 for side in sides for each in found[side])
    if possible:
        total["possible"] = possible
    if packages:
        total["external"] = len(packages)
    return Listed(
        Dependencies(
            target=node.id,
            kind=node.kind,
            total=total,
            tests={each.path: max(1, each.uses) for side in sides for each in found[side] if each.test},
            cycles=cycles_through(index, node.path) if node.is_file or node.holds_files else [],
            not_followed=not_followed(index, scope) if "dependencies" in sides else {},
            has_all_importers=node.is_file
            and "dependents" in sides
            and "imports" in question.kinds
            and not any("imports" in each.possible for each in found["dependents"]),
        ),
        [*((side, each) for side in sides for each in found[side]), *(("external", package) for package in packages)],
    )


class Inner(NamedTuple):
    """A condition with its parameters."""

    condition: str = ""
    parameters: tuple[str, ...] = ()


def inner(question: DependencyQuery, node: Node) -> Inner:
    """A condition that excludes the tests and examples of a folder from what it depends on, unless they are asked for
    or the folder has nothing else."""
    if not node.holds_files or question.filter.takes_tests or node.test:
        return Inner()
    inside = "" if node.path in ("./", "") else node.path
    folders: list[str] = []
    for path in list_directories_between(question.index, inside, find_upper_bound(inside)):
        is_example = path[:-1].rpartition("/")[2].lower() in EXAMPLES and remove_package_folders(path) == path
        if is_example and not (folders and path.startswith(folders[-1])):
            folders.append(path)
    condition = "AND n.test = 0" + " AND NOT (n.path > ? AND n.path < ?)" * len(folders)
    return Inner(condition, tuple(each for folder in folders for each in (folder, find_upper_bound(folder))))


def find_upper_bound(folder: str) -> str:
    """What comes behind all paths in a folder."""
    return f"{folder[:-1]}0" if folder else "\U0010ffff"  # of all characters, "0" comes right behind "/"


class Use(NamedTuple):
    """Edges of one kind between the target and one symbol outside it, by one rule."""

    row: int
    path: str
    label: str
    kind: str
    test: int
    edge: str
    is_certain: bool
    sites: int
    first: str
    """path:line:column of the first site."""


def files(question: DependencyQuery, scope: Scope, side: str, inner: Inner) -> list[FileDependency]:
    """Hop by hop. Only the first hop says what is used; beyond it only whether and how far matters."""
    near, far = ("source", "target") if side == "dependencies" else ("target", "source")
    uses = [
        Use(
            *row[:6],
            is_certain(question.header, row.via, row.language),
            row.sites,
            f"{row.at}:{row.first.split(' ')[0]}",
        )
        for row in map(
            _Row._make,
            list_edges_leaving(
                question.index,
                (near, far),
                question.kinds,
                (f"{scope.of('n')} {inner.condition}", (*scope.parameters, *inner.parameters)),
                (f"NOT {scope.of('f')}", scope.parameters),
            ),
        )
    ]
    by_path: dict[str, list[Use]] = {}
    for use in sorted(uses):
        by_path.setdefault(use.path, []).append(use)
    out = [direct(path, parts) for path, parts in by_path.items()]
    out.sort(key=lambda item: (item.test, not item.edges, "imports" not in item.edges, -item.uses, item.path))
    if question.hops > 1:
        rows = [use.row for use in uses]
        out += further(question, {*scope.rows(question.index), *rows}, set(by_path), rows, (near, far))
    return [item for item in out if question.filter.admits(item.path, item.test)]


class _Row(NamedTuple):
    row: int
    path: str
    label: str
    kind: str
    test: int
    edge: str
    via: str
    language: str
    sites: int
    at: str
    first: str
    line: int


def direct(path: str, uses: Iterable[Use]) -> FileDependency:
    edges: Counter[str] = Counter()
    possible: Counter[str] = Counter()
    names: Counter[str] = Counter()
    strongest: list[tuple[bool, int, int, tuple[int, ...], str, str]] = []
    test = False
    for use in uses:
        test = test or bool(use.test)
        (edges if use.is_certain else possible)[use.edge] += use.sites
        label = "(module)" if use.kind == "module" else use.label
        if use.edge != "imports":
            names[label] += use.sites
        text = use.edge if use.edge == "imports" else f"{use.edge} {label}"
        strongest.append(
            (
                not use.is_certain,
                KINDS.index(use.edge),
                -use.sites,
                place_of(use.first.partition(":")[2]),
                text,
                use.first,
            )
        )
    ordered = [name for name, _ in names.most_common()]
    *_, evidence, site = min(strongest)
    return FileDependency(
        path=path, test=test, edges={kind: edges[kind] for kind in KINDS if edges[kind]},
        possible={kind: possible[kind] for kind in KINDS if possible[kind]}, evidence=evidence, site=site.rstrip(":"),
        symbols=ordered[:NAMED], more=max(0, len(ordered) - NAMED),
    )  # fmt: skip


def place_of(site: str) -> tuple[int, ...]:
    return tuple(int(part) for part in site.split(":") if part)


def further(
    question: DependencyQuery, seen: set[int], named: set[str], frontier: list[int], ends: tuple[str, str]
) -> list[FileDependency]:
    near, far = ends
    out = []
    for hop in range(2, question.hops + 1):
        fresh: dict[str, bool] = {}
        following: list[int] = []
        for batch in batches(frontier):
            for row, path, test in list_far_ends(question.index, near, far, batch, question.kinds):
                if row not in seen:
                    seen.add(row)
                    following.append(row)
                    if path not in named:
                        fresh[path] = fresh.get(path, False) or bool(test)
        named |= fresh.keys()
        out += [FileDependency(path=path, hop=hop, test=fresh[path]) for path in sorted(fresh)]
        frontier = following
    return out


def not_followed(index: Index, scope: Scope) -> dict[str, int]:
    return dict(count_unresolved_by_reason(index, scope.of("s"), scope.parameters))
