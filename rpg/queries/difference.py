"""What one graph has and another has not.

In: two graphs. Out: symbols and edges gained, lost and changed. Sites are left out of the comparison: they move with
every line above them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rpg.graph import Edge, Graph, Symbol


@dataclass(frozen=True, kw_only=True)
class ChangedSymbol:
    id: str
    what: list[str]
    """kind, signature, body, or whatever else differs."""


@dataclass(frozen=True, kw_only=True)
class Difference:
    total: dict[str, int]
    symbols_gained: list[str] = field(default_factory=list)
    symbols_lost: list[str] = field(default_factory=list)
    symbols_changed: list[ChangedSymbol] = field(default_factory=list)
    edges_gained: list[str] = field(default_factory=list)
    """`source kind target via rule`."""
    edges_lost: list[str] = field(default_factory=list)


COMPARED = ("kind", "signature", "returns", "decorators", "modifiers", "exported")


def difference(before: Graph, after: Graph) -> Difference:
    """In the order of the graphs; `contains` edges follow from the symbols and are left out."""
    old = {symbol.id: symbol for symbol in before.symbols}
    new = {symbol.id: symbol for symbol in after.symbols}
    old_edges = sentences(before.edges)
    new_edges = sentences(after.edges)
    gained = [id for id in new if id not in old]
    lost = [id for id in old if id not in new]
    differing = {id: what for id, symbol in new.items() if id in old and (what := differs(old[id], symbol))}
    told = {*gained, *lost, *differing}
    explained = {
        edge.source for edge in (*before.edges, *after.edges) if edge.kind == "contains" and edge.target in told
    }
    changed = [
        ChangedSymbol(id=id, what=what)
        for id, what in differing.items()
        # The body of what contains a changed symbol differs by that already.
        if what != ["body"] or id not in explained
    ]
    edges_gained = [edge for edge in new_edges if edge not in old_edges]
    edges_lost = [edge for edge in old_edges if edge not in new_edges]
    return Difference(
        total={
            "symbols gained": len(gained),
            "symbols lost": len(lost),
            "symbols changed": len(changed),
            "edges gained": len(edges_gained),
            "edges lost": len(edges_lost),
        },
        symbols_gained=gained,
        symbols_lost=lost,
        symbols_changed=changed,
        edges_gained=edges_gained,
        edges_lost=edges_lost,
    )


def differs(old: Symbol, new: Symbol) -> list[str]:
    what = [name for name in COMPARED if getattr(old, name) != getattr(new, name)]
    if old.hash != new.hash and not what:
        what.append("body")
    return what


def sentences(edges: Iterable[Edge]) -> dict[str, None]:
    return {
        f"{edge.source} {edge.kind} {edge.target} via {edge.via}": None for edge in edges if edge.kind != "contains"
    }


def text(found: Difference, most: int) -> str:
    lines = [", ".join(f"{number} {name}" for name, number in found.total.items())]
    for title, mark, items in (
        ("symbols", "+", found.symbols_gained),
        ("symbols", "-", found.symbols_lost),
        ("symbols", "~", [f"{each.id}  ({', '.join(each.what)})" for each in found.symbols_changed]),
        ("edges", "+", found.edges_gained),
        ("edges", "-", found.edges_lost),
    ):
        lines += [f"{mark} {item}" for item in items[:most]]
        if len(items) > most:
            lines.append(f"{mark} and {len(items) - most} more {title} (--limit)")
    return "\n".join(lines)
