"""GraphML: every symbol and edge, for programs that draw and measure graphs.

In: a whole graph. Out: XML. Nodes are named by symbol ids, areas by their path; characters that XML forbids are
escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape, quoteattr

from rpg.queries.exchange.whole_graph import WholeGraph
from rpg.queries.graph.functional_view import BETWEEN
from rpg.text.printable import escaped

NODE_KEYS = {
    "kind": "string", "name": "string", "path": "string", "language": "string", "start_line": "int", "end_line": "int",
    "signature": "string", "doc": "string", "does": "string", "place": "string", "test": "boolean",
}  # fmt: skip
EDGE_KEYS = {"edge_kind": "string", "via": "string", "sites": "string", "roles": "string"}
OPENING = '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
Value = str | int | bool


def graphml(graph: WholeGraph) -> Iterator[bytes]:
    yield OPENING.encode()
    for keys, owner in ((NODE_KEYS, "node"), (EDGE_KEYS, "edge")):
        for name, kind in keys.items():
            yield f'<key id="{name}" for="{owner}" attr.name="{name}" attr.type="{kind}"/>\n'.encode()
    yield f'<graph id={attribute(graph.name)} edgedefault="directed">\n'.encode()
    for place, node in graph.view.by_name.items():
        yield element("node", {"id": f"::{place}"}, {"kind": node.kind, "name": node.name})
    for symbol in graph.symbols:
        about: dict[str, Value] = {
            "kind": symbol.kind, "name": symbol.name, "path": symbol.path, "language": symbol.language,
            "start_line": symbol.start_line, "end_line": symbol.end_line, "signature": symbol.signature,
            "doc": symbol.doc, "does": graph.does(symbol), "place": graph.view.place_of(symbol.path),
            "test": symbol.test,
        }  # fmt: skip
        yield element("node", {"id": symbol.id}, about)
    for number, (source, target, about) in enumerate(edges(graph)):
        yield element("edge", {"id": f"e{number}", "source": source, "target": target}, about)
    yield b"</graph>\n</graphml>\n"


def edges(graph: WholeGraph) -> Iterator[tuple[str, str, dict[str, Value]]]:
    for place in graph.view.by_name:
        if BETWEEN in place:
            yield f"::{place.rpartition(BETWEEN)[0]}", f"::{place}", {"edge_kind": "covers", "via": "grouping"}
    known = {symbol.id for symbol in graph.symbols}
    for path, place in graph.view.covered.items():
        if path in known:
            yield f"::{place}", path, {"edge_kind": "covers", "via": "grouping"}
    for edge in graph.edges():
        sites = " ".join(f"{line}:{column}" for line, column in edge.sites)
        yield edge.source, edge.target, {"edge_kind": edge.kind, "via": edge.via, "sites": sites, "roles": edge.roles}


def element(name: str, attributes: dict[str, str], values: dict[str, Value]) -> bytes:
    attribute_texts = " ".join(f"{key}={attribute(value)}" for key, value in attributes.items())
    return f"<{name} {attribute_texts}>{''.join(data(values.items()))}</{name}>\n".encode()


def data(values: Iterable[tuple[str, Value]]) -> Iterator[str]:
    for key, value in values:
        if isinstance(value, bool):
            yield f'<data key="{key}">{"true" if value else "false"}</data>'
        elif value:
            yield f'<data key="{key}">{escape(fit(str(value)))}</data>'


def attribute(text: str) -> str:
    return quoteattr(fit(text))


def fit(text: str) -> str:
    """The text with characters that XML forbids escaped."""
    shown = escaped(text)
    return "".join(each if each not in "￾￿" else f"\\u{ord(each):04x}" for each in shown)
