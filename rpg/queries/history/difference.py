"""Compares two graphs.

In: two graphs. Out: files renamed; symbols added, removed and changed, edges added and removed. A file is renamed if
most of its symbols are the same under another path; they are compared as if it had had that path before. An edge is its
source, target, kind and rule. Sites are not compared, because they move with every line above them; nor is what
contains an added or removed symbol, because its id says that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from rpg.graph import FUNCTIONAL_PATH, Edge, Graph, Symbol


@dataclass(frozen=True, kw_only=True)
class ChangedSymbol:
    id: str
    what: list[str]
    """kind, signature, body, or whatever else differs."""


@dataclass(frozen=True, kw_only=True)
class DifferingEdge:
    source: str
    kind: str
    target: str
    via: str
    sites: list[str] = field(default_factory=list)
    """`line:column` in the source symbol's file, in the graph that has the edge."""


@dataclass(frozen=True, kw_only=True)
class Renamed:
    old: str
    new: str


@dataclass(frozen=True, kw_only=True)
class Difference:
    before: str
    after: str
    total: dict[str, int]
    note: str = ""
    """Why the graphs may differ although the sources do not."""
    renamed: list[Renamed] = field(default_factory=list)
    symbols_gained: list[str] = field(default_factory=list)
    symbols_lost: list[str] = field(default_factory=list)
    symbols_changed: list[ChangedSymbol] = field(default_factory=list)
    edges_gained: list[DifferingEdge] = field(default_factory=list)
    edges_lost: list[DifferingEdge] = field(default_factory=list)


COMPARED = ("kind", "signature", "returns", "decorators", "modifiers", "exported")
_LEAST_SHARED = 0.5
_MOST_ALIKE = 20
"""The most new files that are looked at for one symbol that many have."""


def difference(
    before: Graph, after: Graph, names: tuple[str, str], within: Callable[[str], bool] | None = None
) -> Difference:
    """In the order of the graphs. `names`: labels for the two graphs; `within`: which files it is about, by default
    all. An edge belongs to the file of its source."""
    before, after = _of_code(before), _of_code(after)
    moved = find_renamed_files(before, after)
    before = _at_new_paths(before, moved)
    old = {symbol.id: symbol for symbol in before.symbols}
    new = {symbol.id: symbol for symbol in after.symbols}
    gained = [id for id in new if id not in old]
    lost = [id for id in old if id not in new]
    changed = find_changed_symbols(before, after, old, new)
    known = {edge[:4] for edge in before.edges}  # one set of all, since each is as large as its graph
    edges_gained = list_edges((edge for edge in after.edges if edge[:4] not in known), old)
    known.difference_update(edge[:4] for edge in after.edges)
    edges_lost = list_edges((edge for edge in before.edges if edge[:4] in known), new)
    renamed = [Renamed(old=path, new=other) for path, other in sorted(moved.items())]
    if within:
        renamed = [each for each in renamed if within(each.new)]
        gained = [id for id in gained if within(new[id].path)]
        lost = [id for id in lost if within(old[id].path)]
        changed = [each for each in changed if within(new[each.id].path)]
        edges_gained = [edge for edge in edges_gained if within(new[edge.source].path)]
        edges_lost = [edge for edge in edges_lost if within(old[edge.source].path)]
    return Difference(
        before=names[0],
        after=names[1],
        total=({"files renamed": len(renamed)} if renamed else {})
        | {
            "symbols gained": len(gained),
            "symbols lost": len(lost),
            "symbols changed": len(changed),
            "edges gained": len(edges_gained),
            "edges lost": len(edges_lost),
        },
        note=note(before.header, after.header),
        renamed=renamed,
        symbols_gained=gained,
        symbols_lost=lost,
        symbols_changed=changed,
        edges_gained=edges_gained,
        edges_lost=edges_lost,
    )


def _of_code(graph: Graph) -> Graph:
    """Without the functional view, which follows from the rest."""
    symbols = [symbol for symbol in graph.symbols if symbol.path != FUNCTIONAL_PATH]
    return graph._replace(symbols=symbols, edges=[edge for edge in graph.edges if edge.kind != "covers"])


def find_renamed_files(before: Graph, after: Graph) -> dict[str, str]:
    """Old path -> new path of files of which at least half of the symbols are the same."""
    old, new = _contents(before), _contents(after)
    gone, come = sorted(old.keys() - new.keys()), sorted(new.keys() - old.keys())
    holding: dict[Any, list[str]] = {}
    for path in come:
        for each in new[path]:
            holding.setdefault(each, []).append(path)
    pairs = []
    for path in gone:
        shared = Counter(other for each in old[path] for other in holding.get(each, ())[:_MOST_ALIKE])
        for other, count in shared.items():
            share = 2 * count / (len(old[path]) + len(new[other]))
            if share >= _LEAST_SHARED and path.rpartition(".")[2] == other.rpartition(".")[2]:
                pairs.append((-share, path, other))
    moved: dict[str, str] = {}
    taken: set[str] = set()
    for _, path, other in sorted(pairs):
        if path not in moved and other not in taken:
            moved[path] = other
            taken.add(other)
    return moved


def _contents(graph: Graph) -> dict[str, set[tuple[str, str]]]:
    """What each file defines: names with hashes; of a file without symbols its own hash."""
    found: dict[str, set[tuple[str, str]]] = {}
    own: dict[str, set[tuple[str, str]]] = {}
    for symbol in graph.symbols:
        if symbol.kind in ("module", "file"):
            own[symbol.path] = {("", symbol.hash)} if symbol.hash else set()
        elif symbol.kind != "directory":
            found.setdefault(symbol.path, set()).add((symbol.qualified_name, symbol.hash))
    return {path: found.get(path) or alone for path, alone in own.items()}


def _at_new_paths(graph: Graph, moved: dict[str, str]) -> Graph:
    if not moved:
        return graph
    ids = {}
    symbols = []
    for symbol in graph.symbols:
        path = moved.get(symbol.path) if symbol.kind != "directory" else None
        if path is not None:
            ids[symbol.id] = path + symbol.id[len(symbol.path) :]
            symbol = symbol._replace(id=ids[symbol.id], path=path)
        symbols.append(symbol)
    files = {ids[path] for path in moved if path in ids}
    edges = [
        edge._replace(source=ids.get(edge.source, edge.source), target=ids.get(edge.target, edge.target))
        if edge.source in ids or edge.target in ids
        else edge
        for edge in graph.edges
    ]
    return graph._replace(
        symbols=symbols, edges=[edge for edge in edges if edge.kind != "contains" or edge.target not in files]
    )


def find_changed_symbols(
    before: Graph, after: Graph, old: dict[str, Symbol], new: dict[str, Symbol]
) -> list[ChangedSymbol]:
    """Symbols that both graphs have. A changed symbol changes the body of its container too, which is not reported."""
    differing = {id: what for id, symbol in new.items() if id in old and (what := differs(old[id], symbol))}
    reported = (old.keys() ^ new.keys()) | differing.keys()
    explained = {
        edge.source for edge in chain(before.edges, after.edges) if edge.kind == "contains" and edge.target in reported
    }
    return [
        ChangedSymbol(id=id, what=what) for id, what in differing.items() if what != ["body"] or id not in explained
    ]


def differs(old: Symbol, new: Symbol) -> list[str]:
    what = [name for name in COMPARED if getattr(old, name) != getattr(new, name)]
    if old.hash != new.hash and not what:
        what.append("body")
    return what


def list_edges(edges: Iterable[Edge], symbols: dict[str, Symbol]) -> list[DifferingEdge]:
    """Edges that the other graph lacks; `symbols` are that graph's."""
    return [
        DifferingEdge(
            source=edge.source,
            kind=edge.kind,
            target=edge.target,
            via=edge.via,
            sites=[f"{line}:{column}" for line, column in edge.sites],
        )
        for edge in edges
        if edge.kind != "contains" or edge.target in symbols
    ]


def note(before: dict[str, Any], after: dict[str, Any]) -> str:
    for key, what in (("rules", "rules of resolution"), ("encoder", "versions of rpg"), ("options", "options")):
        if before.get(key) != after.get(key):
            return (
                f"the graphs were made with different {what} ({before.get(key)}, {after.get(key)}): some of this may "
                "come from that and not from the sources; encode both in the same way"
            )
    return ""


def text(found: Difference, most: int) -> str:
    return "\n".join(lines(found, most))


def lines(found: Difference, most: int) -> Iterator[str]:
    yield f"{found.before} -> {found.after}"
    yield ", ".join(f"{number} {count_name(name, number)}" for name, number in found.total.items())
    if found.note:
        yield found.note
    for each in found.renamed[:most]:
        yield f"> {each.old} -> {each.new}"
    if len(found.renamed) > most:
        yield f"> and {len(found.renamed) - most} more files renamed (--limit)"
    for title, mark, items in (
        ("symbols", "+", found.symbols_gained),
        ("symbols", "-", found.symbols_lost),
        ("symbols", "~", [f"{each.id}  ({', '.join(each.what)})" for each in found.symbols_changed]),
        ("edges", "+", [sentence(each) for each in found.edges_gained]),
        ("edges", "-", [sentence(each) for each in found.edges_lost]),
    ):
        yield from (f"{mark} {item}" for item in items[:most])
        if len(items) > most:
            yield f"{mark} and {len(items) - most} more {title} (--limit)"


def count_name(name: str, number: int) -> str:
    what, _, how = name.partition(" ")
    return f"{what.removesuffix('s')} {how}" if number == 1 else name


def sentence(edge: DifferingEdge) -> str:
    where = f" at {edge.sites[0]}" if edge.sites else ""
    more = f" and {len(edge.sites) - 1} more" if len(edge.sites) > 1 else ""
    return f"{edge.source} {edge.kind} {edge.target}{where}{more} via {edge.via}"
