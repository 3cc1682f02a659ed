"""SCIP: definitions, references with their ranges and relationships, for editors and Sourcegraph.

In: a whole graph. Out: an index.scip, one document after another, so that no more than a file is held. Only certain
edges are written: the format cannot express a guess. Columns count code points.

The names of fields and kinds are those of scip.proto.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rpg import __version__
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS, Edge, Symbol, role_at
from rpg.queries.exchange import wire
from rpg.queries.exchange.whole_graph import WholeGraph
from rpg.queries.graph.sources import Sources

UTF8 = 1
UTF32_OFFSETS = 3
DEFINITION, IMPORT, WRITE, READ, TEST = 0x1, 0x2, 0x4, 0x8, 0x20
ROLES = {"reads": READ, "writes": WRITE, "deletes": WRITE}
KINDS = {
    "class": 7, "interface": 21, "enum": 11, "struct": 49, "trait": 53, "type": 54, "function": 17, "method": 26,
    "property": 41, "field": 15, "constant": 8, "module": 29, "file": 16,
}  # fmt: skip
SITED = frozenset({"calls", "references", "imports", "inherits"})
RELATED = {"inherits": False, "overrides": True}
"""Whether a search for references of one symbol should include those of the other."""
SPELLINGS = (
    "AsciiDoc", "CPP", "CSharp", "CSS", "GraphQL", "HTML", "JavaScript", "JSON", "PHP", "SCSS", "SQL", "TOML",
    "TypeScript", "YAML",
)  # fmt: skip
"""Languages as scip.proto writes them, where that is more than a capital in front."""
_SIMPLE = re.compile(r"[\w+$-]+", re.ASCII)
_NAME = re.compile(r"[^\W\d][\w$]*[?!]?")
_MODULE = re.compile(r"[\w.$@/-]+")


class Names(NamedTuple):
    """SCIP symbols by id."""

    package: str
    by_id: dict[str, str]

    def of(self, id: str) -> str:
        return self.package + self.by_id[id]


def scip(graph: WholeGraph, root: str) -> Iterator[bytes]:
    """`root`: the URI of the repository's folder."""
    tool = wire.text(1, "rpg") + wire.text(2, __version__)
    yield wire.message(1, wire.message(2, tool) + wire.text(3, root) + wire.number(4, UTF8))
    names = names_of(graph)
    paths = {symbol.id: symbol.path for symbol in graph.symbols}
    sited: defaultdict[str, list[Edge]] = defaultdict(list)
    related: defaultdict[str, list[Edge]] = defaultdict(list)
    for edge in graph.certain_edges():
        if edge.kind in SITED and edge.target in names.by_id:
            sited[paths[edge.source]].append(edge)
        if edge.kind in RELATED and edge.target in names.by_id:
            related[edge.source].append(edge)
    by_path: defaultdict[str, list[Symbol]] = defaultdict(list)
    for symbol in graph.symbols:
        if symbol.id in names.by_id:
            by_path[symbol.path].append(symbol)
    sources = Sources(graph.stored.source)
    for path, symbols in by_path.items():
        if symbols[0].kind in ("module", "file"):
            lines = sources.lines(path) or []
            yield wire.message(2, document(names, path, symbols, sited.get(path, []), related, lines))


def document(
    names: Names, path: str, symbols: list[Symbol], edges: list[Edge], related: Mapping[str, list[Edge]],
    lines: list[str],
) -> bytes:  # fmt: skip
    roles: dict[tuple[tuple[int, ...], str], int] = {}
    spans: dict[tuple[tuple[int, ...], str], tuple[int, ...]] = {}
    for symbol in symbols:
        at = (0, 0, 0) if symbol.path == symbol.id else span(lines, symbol.name_line, symbol.name_column, _NAME)
        if at:
            key = (at, names.of(symbol.id))
            roles[key] = DEFINITION | (TEST if symbol.test else 0)
            if symbol.end_line and symbol.path != symbol.id:
                last = lines[symbol.end_line - 1] if symbol.end_line <= len(lines) else ""
                spans[key] = (symbol.start_line - 1, 0, symbol.end_line - 1, len(last))
    for edge in edges:
        for number, (line, column) in enumerate(edge.sites):
            at = span(lines, line, column, _MODULE if edge.kind == "imports" else _NAME)
            if at:
                key = (at, names.of(edge.target))
                role = IMPORT if edge.kind == "imports" else ROLES.get(role_at(edge.kind, edge.roles, number), 0)
                roles[key] = roles.get(key, 0) | role
    occurrences = [
        wire.message(2, wire.encode_packed(1, at) + wire.text(2, name) + wire.number(3, role)
                     + (wire.encode_packed(7, spans[at, name]) if (at, name) in spans else b""))
        for (at, name), role in sorted(roles.items())
    ]  # fmt: skip
    symbol_messages = [wire.message(3, information(names, symbol, related.get(symbol.id, []))) for symbol in symbols]
    language = {name.lower(): name for name in SPELLINGS}.get(symbols[0].language, symbols[0].language.capitalize())
    head = wire.text(1, path) + wire.text(4, language) + wire.number(6, UTF32_OFFSETS)
    return b"".join([head, *occurrences, *symbol_messages])


def information(names: Names, symbol: Symbol, edges: list[Edge]) -> bytes:
    documentation = b"".join(wire.text(3, each) for each in (symbol.signature, symbol.doc) if each)
    relationships = b"".join(
        wire.message(4, wire.text(1, name) + wire.number(2, is_reference) + wire.number(3, 1))
        for name, is_reference in sorted({(names.of(edge.target), RELATED[edge.kind]) for edge in edges})
    )
    head = wire.text(1, names.of(symbol.id)) + documentation + relationships
    return head + wire.number(5, KINDS.get(symbol.kind, 0)) + wire.text(6, symbol.name)


def span(lines: list[str], line: int, column: int, pattern: re.Pattern[str]) -> tuple[int, ...]:
    """The range of the name that begins there: line, column and end, from 0. Empty if the text has no such place."""
    if not 0 < line <= len(lines) or column < 1:
        return ()
    found = pattern.match(lines[line - 1], column - 1)
    end = found.end() if found else min(column, len(lines[line - 1]))
    return (line - 1, column - 1, end) if end >= column else ()


def names_of(graph: WholeGraph) -> Names:
    """The descriptor of a symbol follows that of its container: directories and files are namespaces."""
    parents = {edge.target: edge.source for edge in graph.edges() if edge.kind == "contains"}
    qualified = {symbol.id: symbol.qualified_name for symbol in graph.symbols}
    by_id: dict[str, str] = {}
    for symbol in graph.symbols:
        if symbol.kind != "directory" and symbol.id == symbol.path:
            by_id[symbol.id] = "".join(f"{plain(part)}/" for part in symbol.path.split("/"))
    for symbol in graph.symbols:
        if symbol.id in by_id or symbol.kind in ("directory", "section"):
            continue
        parent = parents.get(symbol.id, "")
        if parent not in by_id:
            parent = symbol.path
        if parent in by_id:
            around = "" if parent == symbol.path else f"{qualified[parent]}."
            by_id[symbol.id] = by_id[parent] + descriptor(symbol, symbol.qualified_name.removeprefix(around))
    return Names(f"rpg . {graph.name.replace(' ', '  ') or '.'} . ", by_id)


def descriptor(symbol: Symbol, name: str) -> str:
    """`name`: its name within its container."""
    again = symbol.id.rpartition("~")[2] if symbol.id.endswith(tuple("0123456789")) and "~" in symbol.id else ""
    is_again = bool(again) and symbol.id == f"{symbol.path}::{symbol.qualified_name}~{again}"
    if symbol.kind in FUNCTION_KINDS:
        return f"{plain(name)}({f'+{again}' if is_again else ''})."
    name = plain(f"{name}~{again}" if is_again else name)
    return f"{name}#" if symbol.kind in CLASS_KINDS else f"{name}."


def plain(name: str) -> str:
    if _SIMPLE.fullmatch(name):
        return name
    return f"`{name.replace('`', '``') or ' '}`"
