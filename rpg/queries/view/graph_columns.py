"""The whole graph as columns of numbers and texts: a page of a large repository has to be small.

In: an index and its header. Out: plain JSON. Symbols are numbered in the order of the graph, an edge names them by
number; numbers that rise are written as differences, which compress well. `static/model.js` reads it back.

Absent: the text of sources (source_blocks.py), columns of sites, confidence of single edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg.graph import EDGE_KINDS, FUNCTIONAL_PATH, SYMBOL_KINDS, VIAS
from rpg.queries.graph.certainty import is_certain
from rpg.queries.graph.functional_view import functional_view
from rpg.queries.graph.nodes import Node, nodes
from rpg.stores.index.edge_reads import each_edge_in_order

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

DRAWN = ("calls", "references", "inherits", "overrides", "tests", "imports", "documents")
"""The kinds of edges on the page; `contains` is the parent of a symbol, `covers` the place of a file."""
SIGNATURE_WIDTH, DOC_WIDTH = 300, 280
EXPORTED, TEST = 1, 2


class Columns(NamedTuple):
    data: dict[str, Any]
    """What the page reads."""
    symbols: list[Node]
    numbers: dict[int, int]
    """The number of a symbol on the page, by its row."""
    edges: list[tuple[int, int, str]]
    """Numbers of source and target, and the kind."""


def graph_columns(index: Index, header: Mapping[str, Any]) -> Columns:
    symbols = nodes(index, "s.path != ? ORDER BY s.id", (FUNCTIONAL_PATH,))
    numbers = {symbol.row: number for number, symbol in enumerate(symbols)}
    texts, paths, languages = Table(), Table(), Table()
    view = functional_view(index)
    edges, edge_columns = edges_of(index, header, symbols, numbers)
    data = {
        "kinds": list(SYMBOL_KINDS),
        "edgeKinds": list(DRAWN),
        "vias": list(VIAS),
        "symbols": {
            "kind": [SYMBOL_KINDS.index(each.kind) for each in symbols],
            "name": [texts[each.name] for each in symbols],
            "path": differences(paths[each.path] for each in symbols),
            "parent": [number - numbers.get(each.parent or -1, -1) for number, each in enumerate(symbols)],
            "language": [languages[each.language] for each in symbols],
            "start": [each.start_line for each in symbols],
            "lines": [each.end_line - each.start_line for each in symbols],
            "named": [(each.name_line or each.start_line) - each.start_line for each in symbols],
            "flags": [EXPORTED * bool(each.exported) + TEST * bool(each.test) for each in symbols],
            # Of tests, the name says it.
            "signature": ["" if each.test else cut(each.signature, SIGNATURE_WIDTH) for each in symbols],
            "doc": ["" if each.test else cut(each.doc, DOC_WIDTH) for each in symbols],
            # Where the id does not follow from parent and name.
            "ids": odd_ids(symbols, numbers),
        },
        "edges": edge_columns,
        "texts": texts.values,
        "paths": paths.values,
        "languages": languages.values,
        "places": [view.place_of(path) for path in paths.values],
    }
    return Columns(data, symbols, numbers, edges)


class Table:
    """Numbers for values, in the order in which they were first asked for."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def __getitem__(self, value: str) -> int:
        return self._known.setdefault(value, len(self._known))

    @property
    def values(self) -> list[str]:
        return list(self._known)


def differences(numbers: Iterable[int]) -> list[int]:
    before, out = 0, []
    for number in numbers:
        out.append(number - before)
        before = number
    return out


def cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def odd_ids(symbols: Iterable[Node], numbers: Mapping[int, int]) -> dict[str, str]:
    """The ids that are not that of the parent with the name behind, by number."""
    ids: list[str] = []
    odd: dict[str, str] = {}
    for number, each in enumerate(symbols):
        ids.append(each.id)
        around = numbers.get(each.parent or -1, -1)
        above = ids[around] if 0 <= around < number else ""
        if each.id == each.path:
            continue
        expected = f"{above}{'.' if '::' in above else '::'}{each.name}"
        if each.id != expected:
            odd[str(number)] = each.id
    return odd


def edges_of(
    index: Index, header: Mapping[str, Any], symbols: list[Node], numbers: Mapping[int, int]
) -> tuple[list[tuple[int, int, str]], dict[str, Any]]:
    certain: dict[tuple[str, str], bool] = {}
    roles_known = Table()
    edges: list[tuple[int, int, str]] = []
    sources: list[int] = []
    targets: list[int] = []
    kinds: list[int] = []
    vias: list[int] = []
    doubts: list[int] = []
    counts: list[int] = []
    lines: list[int] = []
    roles: list[int] = []
    for source, target, kind, via, sites, letters in each_edge_in_order(index, DRAWN):
        at, to = numbers.get(source), numbers.get(target)
        if at is None or to is None or kind not in EDGE_KINDS:
            continue
        language = symbols[at].language
        if (via, language) not in certain:
            certain[via, language] = is_certain(header, via, language)
        edges.append((at, to, kind))
        sources.append(at)
        targets.append(to - at)
        kinds.append(DRAWN.index(kind))
        vias.append(VIAS.index(via) if via in VIAS else 0)
        doubts.append(0 if certain[via, language] else 1)
        found = [int(site.partition(":")[0]) for site in sites.split()]
        counts.append(len(found))
        before = symbols[at].start_line
        for line in found:
            lines.append(line - before)
            before = line
        roles.append(roles_known[letters])
    return edges, {
        "source": differences(sources),
        "target": targets,
        "kind": kinds,
        "via": vias,
        "possible": doubts,
        "sites": counts,
        "lines": lines,
        "roles": roles,
        "roleTexts": roles_known.values,
    }
