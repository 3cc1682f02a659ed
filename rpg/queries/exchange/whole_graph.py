"""The input of every export: symbols, certain edges, features and places of the whole graph.

In: an index and its header. Out: symbols in the order of the graph file, edges, what symbols are for, and where they
have their place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg.graph import FUNCTIONAL_KINDS, Edge, Symbol
from rpg.queries.graph.certainty import is_certain
from rpg.queries.graph.functional_view import View, functional_view
from rpg.queries.graph.lifted import read_lifted_texts
from rpg.stores.index import stored_graph
from rpg.stores.lifted_texts import Lifted, key_of_symbol
from rpg.text.features import feature_of

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


class WholeGraph(NamedTuple):
    stored: Index
    header: Mapping[str, Any]
    name: str
    symbols: list[Symbol]
    """Symbols of the code; the functional view is in `view`."""
    view: View
    texts: Mapping[bytes, Lifted]

    def edges(self) -> Iterator[Edge]:
        """Edges of the code."""
        return (edge for edge in stored_graph.edges(self.stored) if edge.kind != "covers")

    def certain_edges(self) -> Iterator[Edge]:
        languages = {symbol.id: symbol.language for symbol in self.symbols}
        for edge in self.edges():
            if is_certain(self.header, edge.via, languages.get(edge.source, "")):
                yield edge

    def does(self, symbol: Symbol) -> str:
        """What it is for, in a few words."""
        lifted = self.texts.get(key_of_symbol(symbol.qualified_name, symbol.hash)) if self.texts else None
        return lifted.text if lifted else feature_of(symbol.kind, symbol.name, symbol.qualified_name, symbol.doc).text


def whole_graph(index: Index, header: Mapping[str, Any], name: str) -> WholeGraph:
    symbols = [symbol for symbol in stored_graph.symbols(index) if symbol.kind not in FUNCTIONAL_KINDS]
    return WholeGraph(index, header, name, symbols, functional_view(index), read_lifted_texts(index))
