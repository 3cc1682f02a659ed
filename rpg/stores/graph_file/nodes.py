"""A symbol as a node of the graph file, and back.

In: a symbol and its number, or a node as read. Out: the other form. Empty fields are left out, and so is what follows
from the rest: the symbol id is `path::qualified_name`, or the path alone if the qualified name is the path. Any other
id, such as that of a second definition of a name (`~2`), is in `symbol`.

Files of versions 1 and 2 have the symbol id itself as `id`.
"""

from __future__ import annotations

from typing import Any, Final

from rpg.graph import Symbol

OPTIONAL_FIELDS: Final = Symbol._fields[5:-1]
"""The fields after id, kind, name, qualified_name and path, which every node has; `references` has a special form."""
REFERENCE_COUNTS: Final = ("certain", "possible", "external", "unresolved", "ambiguous")


def node_of(symbol: Symbol, number: int) -> dict[str, Any]:
    node: dict[str, Any] = {"id": number}
    if symbol.id != _derived(symbol.path, symbol.qualified_name):
        node["symbol"] = symbol.id
    node["kind"] = symbol.kind
    node["name"] = symbol.name
    node["qualified_name"] = symbol.qualified_name
    node["path"] = symbol.path
    # The rest in the order of the schema, left out if empty, zero or False.
    for field, value in zip(OPTIONAL_FIELDS, symbol[5:-1], strict=True):
        if value:
            node[field] = value
    if symbol.references is not None:
        node["references"] = dict(zip(REFERENCE_COUNTS, symbol.references, strict=True))
    return node


def symbol_of(node: dict[str, Any]) -> Symbol:
    references = node.get("references")
    get = node.get
    return Symbol(
        id_of(node),
        node["kind"],
        node["name"],
        node["qualified_name"],
        node["path"],
        get("language", ""),
        get("start_line", 0),
        get("end_line", 0),
        get("name_line", 0),
        get("name_column", 0),
        get("signature", ""),
        get("doc", ""),
        get("hash", ""),
        get("exported", False),
        get("test", False),
        tuple(get("decorators", ())),
        tuple(get("modifiers", ())),
        get("returns", ""),
        None if references is None else tuple(references[count] for count in REFERENCE_COUNTS),
    )


def id_of(node: dict[str, Any]) -> str:
    """The symbol id of a node; a value of any type if the node is damaged."""
    number = node["id"]
    if type(number) is not int:
        return number  # type: ignore[no-any-return]
    symbol = node.get("symbol")
    return _derived(node["path"], node["qualified_name"]) if symbol is None else symbol


def _derived(path: str, qualified_name: str) -> str:
    return path if qualified_name == path else f"{path}::{qualified_name}"


def add_symbol_ids(data: dict[str, Any]) -> dict[str, Any]:
    """The JSON of a graph file with symbol ids in place of the numbers: what scripts compare and show."""
    ids = [id_of(node) for node in data["nodes"]]
    nodes = [{**node, "id": id} for node, id in zip(data["nodes"], ids, strict=True)]
    edges = [{**edge, "source": ids[edge["source"]], "target": ids[edge["target"]]} for edge in data["edges"]]
    return {**data, "nodes": nodes, "edges": edges}
