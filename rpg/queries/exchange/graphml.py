"""GraphML, as networkx writes it: every symbol and edge, for programs that draw and measure graphs.

In: a whole graph. Out: XML. Characters that XML forbids are escaped.
"""

from __future__ import annotations

from collections.abc import Iterator

from rpg.queries.exchange.networkx_graph import Attributes, build_networkx_graph
from rpg.queries.exchange.whole_graph import WholeGraph
from rpg.text.printable import make_printable

OPENING = b'<?xml version="1.0" encoding="UTF-8"?>\n<!-- rpg export -->\n'
"""The comment shows the encoder that the file is no text of a repository (encoder/source_files/contents.py)."""


def graphml(graph: WholeGraph) -> Iterator[bytes]:
    import networkx

    made = build_networkx_graph(graph)
    _make_fit(made.graph)
    for _, about in made.nodes(data=True):
        _make_fit(about)
    for *_, about in made.edges(data=True):
        _make_fit(about)
    networkx.relabel_nodes(made, {node: fit(node) for node in made if fit(node) != node}, copy=False)
    yield OPENING
    for line in networkx.generate_graphml(made):
        yield f"{line}\n".encode()


def _make_fit(about: Attributes) -> None:
    about.update((name, fit(value)) for name, value in about.items() if isinstance(value, str))


def fit(text: str) -> str:
    """The text with characters that XML forbids escaped."""
    shown = make_printable(text)
    return "".join(each if each not in "\ufffe\uffff" else f"\\u{ord(each):04x}" for each in shown)
