"""Explains why a name at a line has the edge that it has, or none.

In: an index, a file, a line, a name. Out: text: what the parser saw there, how it was resolved, with which result, and
which symbols have the name. The whole repository is resolved again from the facts in the index, because the meaning of
one name may depend on all files.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rpg.encoder.explain.annotated_source import collect_notes
from rpg.encoder.explain.resolution_trace import trace_references
from rpg.encoder.parsing.packing import unpack
from rpg.encoder.resolve import Resolution, resolution
from rpg.errors import BadRequest
from rpg.graph import FAN_OUT_LIMIT
from rpg.queries.graph.certainty import confidence, is_certain
from rpg.queries.graph.nodes import Node, nodes
from rpg.queries.graph.sources import Sources
from rpg.stores.index.edge_reads import list_edges_from_file
from rpg.stores.index.place_reads import list_places_on_line
from rpg.stores.index.reader import list_packed_facts, list_skipped_paths
from rpg.system.compression import decompress

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

LISTED = 8


def explain(index: Index, header: dict[str, Any], file: Node, line: int, name: str) -> str:
    """BAD_REQUEST if the name does not occur in that line."""
    text = Sources(index.source).line(file.path, line)
    if name not in text:
        raise BadRequest(f"{name!r} does not occur in line {line} of {file.path}: {text!r}")
    out = [f"{file.path}:{line}  {text}", "", "what the parser saw:"]
    packed = index.facts(file.path)
    notes = collect_notes(unpack(decompress(packed))).get(line, []) if packed else []
    out += [f"  {note}" for note in notes if name in note] or ["  nothing with that name"]
    out += ["", "how it was resolved:"]
    trace = trace_references(resolve_again(index, header), file.path, line, name)
    out += [f"  {each}" for each in trace] or ["  no reference of that name: nothing was looked up"]
    out += ["", "what became of it:", *(f"  {each}" for each in outcomes(index, header, file.path, line, name))]
    out += ["", "symbols with that name:", *(f"  {each}" for each in bearers(index, name))]
    return "\n".join(out)


def resolve_again(index: Index, header: dict[str, Any]) -> Resolution:
    facts = [unpack(decompress(packed)) for packed in list_packed_facts(index)]
    skipped = set(list_skipped_paths(index))

    def read(path: str) -> bytes:
        return index.source(path) or (b"\n" if path in skipped else b"")

    return resolution(facts, read, tuple(header.get("options", {}).get("roots", ())))


def outcomes(index: Index, header: dict[str, Any], path: str, line: int, name: str) -> Iterator[str]:
    found = False
    for source, kind, via, sites, target, bare, language in list_edges_from_file(index, path):
        here = [site for site in sites.split() if site.startswith(f"{line}:")]
        if here and (bare == name or kind == "imports"):
            found = True
            sure = "certain" if is_certain(header, via, language) else "possible"
            measured = confidence(header, via, language)
            rate = f", right in {measured:.1%} of cases" if measured is not None else ""
            yield f"{source} {kind} {target} at {' '.join(here)}, via {via} ({sure}{rate})"
    for source, why, column in list_places_on_line(index, path, line, name):
        found = True
        yield f"{why} at {line}:{column} in {source}: {REASONS[why]}"
    if not found:
        yield (
            "no edge, and no unresolved place: a definition, a local variable, a name from outside the repository, "
            "or one whose receiver is known to be something else"
        )


REASONS = {
    "external": "it leads outside the repository",
    "unresolved": "no scope, import, type or value says what it is, and no unique symbol has the name",
    "ambiguous": f"nothing is known of the receiver, and more than {FAN_OUT_LIMIT} symbols have the name",
}


def bearers(index: Index, name: str) -> Iterator[str]:
    found = nodes(index, "s.name = ? COLLATE NOCASE ORDER BY s.test, s.id", (name,))
    for node in found[:LISTED]:
        yield f"{node.id}  {node.kind}, line {node.name_line or node.start_line}"
    if len(found) > LISTED:
        yield f"and {len(found) - LISTED} more"
    if not found:
        yield "no symbol of this repository"
