"""Puts the edges of contracts among the others of a graph.

In: symbols and edges in the order of the graph file, and the edges of contracts. Out: edges in that order, those of
contracts last of their source.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rpg.graph import Edge, Symbol


def insert_crossings(
    symbols: Iterable[Symbol], edges: list[Edge], crossings: Mapping[str, Iterable[Edge]]
) -> list[Edge]:
    """`crossings` by the path of their source."""
    by_source: dict[str, list[Edge]] = {}
    for found in crossings.values():
        for edge in found:
            by_source.setdefault(edge.source, []).append(edge)
    if not by_source:
        return edges
    merged: list[Edge] = []
    at, last = 0, len(edges)
    for symbol in symbols:
        id = symbol.id
        while at < last and edges[at].source == id:
            merged.append(edges[at])
            at += 1
        merged += by_source.pop(id, ())
    merged += edges[at:]
    return merged
