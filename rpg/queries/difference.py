"""Compares two graphs.

In: two graphs. Out: symbols added, removed and changed, edges added and removed. An edge is its source, target, kind
and rule. Sites are not compared, because they move with every line above them; nor is what contains an added or removed
symbol, because its id says that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
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
class Difference:
    before: str
    after: str
    total: dict[str, int]
    note: str = ""
    """Why the graphs may differ although the sources do not."""
    symbols_gained: list[str] = field(default_factory=list)
    symbols_lost: list[str] = field(default_factory=list)
    symbols_changed: list[ChangedSymbol] = field(default_factory=list)
    edges_gained: list[DifferingEdge] = field(default_factory=list)
    edges_lost: list[DifferingEdge] = field(default_factory=list)


COMPARED = ("kind", "signature", "returns", "decorators", "modifiers", "exported")
Key = tuple[str, str, str, str]


def difference(
    before: Graph, after: Graph, names: tuple[str, str], within: Callable[[str], bool] | None = None
) -> Difference:
    """In the order of the graphs. `names`: labels for the two graphs; `within`: which files it is about, by default
    all. An edge belongs to the file of its source."""
    before, after = _of_code(before), _of_code(after)
    old = {symbol.id: symbol for symbol in before.symbols}
    new = {symbol.id: symbol for symbol in after.symbols}
    gained = [id for id in new if id not in old]
    lost = [id for id in old if id not in new]
    changed = changed_symbols(before, after, old, new)
    edges_gained = edges_without(after.edges, keys(before.edges), old)
    edges_lost = edges_without(before.edges, keys(after.edges), new)
    if within:
        gained = [id for id in gained if within(new[id].path)]
        lost = [id for id in lost if within(old[id].path)]
        changed = [each for each in changed if within(new[each.id].path)]
        edges_gained = [edge for edge in edges_gained if within(new[edge.source].path)]
        edges_lost = [edge for edge in edges_lost if within(old[edge.source].path)]
    return Difference(
        before=names[0],
        after=names[1],
        total={
            "symbols gained": len(gained),
            "symbols lost": len(lost),
            "symbols changed": len(changed),
            "edges gained": len(edges_gained),
            "edges lost": len(edges_lost),
        },
        note=note(before.header, after.header),
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


def changed_symbols(before: Graph, after: Graph, old: dict[str, Symbol], new: dict[str, Symbol]) -> list[ChangedSymbol]:
    """Symbols that both graphs have. A changed symbol changes the body of its container too, which is not reported."""
    differing = {id: what for id, symbol in new.items() if id in old and (what := differs(old[id], symbol))}
    reported = (old.keys() ^ new.keys()) | differing.keys()
    explained = {
        edge.source for edge in (*before.edges, *after.edges) if edge.kind == "contains" and edge.target in reported
    }
    return [
        ChangedSymbol(id=id, what=what) for id, what in differing.items() if what != ["body"] or id not in explained
    ]


def differs(old: Symbol, new: Symbol) -> list[str]:
    what = [name for name in COMPARED if getattr(old, name) != getattr(new, name)]
    if old.hash != new.hash and not what:
        what.append("body")
    return what


def keys(edges: Iterable[Edge]) -> set[Key]:
    return {edge[:4] for edge in edges}


def edges_without(edges: Iterable[Edge], others: set[Key], symbols: dict[str, Symbol]) -> list[DifferingEdge]:
    """Edges that the others lack; `symbols` are those of the graph that lacks them."""
    return [
        DifferingEdge(
            source=edge.source,
            kind=edge.kind,
            target=edge.target,
            via=edge.via,
            sites=[f"{line}:{column}" for line, column in edge.sites],
        )
        for edge in edges
        if edge[:4] not in others and (edge.kind != "contains" or edge.target in symbols)
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
    yield ", ".join(f"{number} {name}" for name, number in found.total.items())
    if found.note:
        yield found.note
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


def sentence(edge: DifferingEdge) -> str:
    where = f" at {edge.sites[0]}" if edge.sites else ""
    more = f" and {len(edge.sites) - 1} more" if len(edge.sites) > 1 else ""
    return f"{edge.source} {edge.kind} {edge.target}{where}{more} via {edge.via}"
