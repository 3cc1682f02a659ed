"""Graphs for tests of the stores: one by hand, and any that the schema allows."""

from __future__ import annotations

import re
from hashlib import blake2b

from hypothesis import strategies as st

from rpg.graph import EDGE_KINDS, REASONS, ROLES, SYMBOL_KINDS, VIAS, Edge, Graph, Place, Symbol
from rpg.system.filesystem import problem_with_name

SHOP = Graph(
    {"name": "shop", "commit": "c0ffee", "languages": {"python": {"files": 1}}, "skipped": []},
    [
        Symbol("./", "directory", "shop", "./", "./"),
        Symbol("cart.py", "module", "cart", "cart.py", "cart.py", "python", 1, 9, references=(2, 1, 1, 1, 0)),
        Symbol(
            *("cart.py::Cart", "class", "Cart", "Cart", "cart.py", "python", 3, 9, 3, 7, "class Cart(Base)"),
            *("What is bought.", "00ff00ff00ff00ff", True),
        ),
        Symbol(
            *("cart.py::Cart.total", "method", "total", "Cart.total", "cart.py", "python", 5, 9, 7, 15),
            *("async def total(self) -> int", "Sum, “with” tax.", "0123456789abcdef", True, False),
            *(("@cached", "@final"), ("async",), "int"),
        ),
    ],
    [
        Edge("./", "cart.py", "contains", "syntax"),
        Edge("cart.py", "cart.py::Cart", "contains", "syntax"),
        Edge("cart.py::Cart", "cart.py::Cart.total", "contains", "syntax"),
        Edge("cart.py::Cart.total", "cart.py::Cart", "calls", "scope", ((8, 5), (9, 13))),
    ],
    [
        Place("cart.py::Cart.total", "round", 8, 9, "external", False),
        Place("cart.py::Cart.total", "round", 9, 9, "external", True),
        Place("cart.py::Cart.total", "tax", 8, 20, "unresolved", True),
    ],
)


def sealed(content: bytes) -> bytes:
    """A graph file that was changed, with the sum that belongs to it now."""
    body, mark, end = content.rpartition(b'\n],\n"checksum":"')
    return body + mark + blake2b(body, digest_size=16).hexdigest().encode() + end[32:]


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
PATHS = TEXT.map(lambda text: re.sub(r"[./\0]", "", text) + "x.py").filter(lambda path: not problem_with_name(path))
NUMBERS = st.integers(0, 2**31)
COUNTS_OF_ARGUMENTS = st.integers(-1, 2**16)
COUNTS = st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS)
SITES = st.lists(st.tuples(NUMBERS, NUMBERS), max_size=3).map(tuple)
WORDS = st.lists(TEXT, max_size=2).map(tuple)


def roled(edge: Edge) -> st.SearchStrategy[Edge]:
    """An edge with the roles of its sites, or without."""
    roles = st.text("".join(ROLES), min_size=len(edge.sites), max_size=len(edge.sites))
    return (st.just("") | roles).map(lambda letters: edge._replace(roles=letters))


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Any graph whose edges and places name symbols that are there, with any text; `contains` is a tree, and edges are
    in the order of their sources."""
    ids = draw(st.lists(TEXT, unique=True, max_size=8))
    symbols = [
        draw(
            st.builds(
                Symbol,
                *(st.just(name), st.sampled_from(SYMBOL_KINDS), TEXT, TEXT, PATHS, TEXT),
                *(NUMBERS, NUMBERS, NUMBERS, NUMBERS, TEXT, TEXT, TEXT, st.booleans(), st.booleans()),
                *(WORDS, WORDS, TEXT, st.none() | COUNTS),
            )
        )
        for name in ids
    ]
    header = draw(st.dictionaries(TEXT, TEXT | st.lists(NUMBERS, max_size=2), max_size=3))
    if not ids:
        return Graph(header, [], [], [])
    some = st.sampled_from(ids)
    edges = st.builds(Edge, some, some, st.sampled_from(EDGE_KINDS[1:]), st.sampled_from(VIAS), SITES, st.just(""))
    edges = edges.flatmap(roled)
    tree = [Edge(ids[draw(st.integers(0, at - 1))], ids[at], "contains", "syntax") for at in range(1, len(ids))]
    places = st.builds(
        Place, some, TEXT, NUMBERS, NUMBERS, st.sampled_from(REASONS), st.booleans(), st.booleans(), COUNTS_OF_ARGUMENTS
    )
    drawn = sorted([*tree, *draw(st.lists(edges, max_size=8))], key=lambda edge: ids.index(edge.source))
    return Graph(header, symbols, drawn, draw(st.lists(places, max_size=8)))
