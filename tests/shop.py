"""A small repository with the graph that it should have, written down by hand: what tools say of it does not change
when resolution learns something."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import orjson
from repositories import repository

from rpg.encoder.encode import EncodedFile
from rpg.encoder.languages import ranks_behind
from rpg.encoder.options import options_for
from rpg.graph import Edge, Graph, Place, Symbol
from rpg.repository import encode, index_path
from rpg.repository.encoding.consistency import graph_stat
from rpg.stores.graph_file import graph_file
from rpg.stores.index import index_writer
from rpg.stores.index.index import Index
from rpg.stores.search import build
from rpg.system.stamp import stamp_of

SOURCES = {
    "README.md": """\
# Shop

A small shop.

## Prices

`Cart.total` adds up what is in the cart.
""",
    "shop/__init__.py": "from shop.cart import Cart\n",
    "shop/base.py": '''\
class Base:
    """What every document of the shop can do."""

    def __init__(self, owner):
        self.owner = owner

    def save(self):
        return self.total()

    def total(self):
        raise NotImplementedError

    def close(self):
        """Never called."""


def retired():
    pass
''',
    "shop/cart.py": '''\
import requests

from shop.base import Base

LIMIT = 10


class Cart(Base):
    """What a customer is about to buy."""

    def add(self, item):
        """Put one item in, up to the limit."""
        if len(self.items) < LIMIT:
            self.items.append(item)

    def total(self):
        return sum(price(item) for item in self.items)

    def send(self):
        from shop.orders import place

        requests.post("/orders", place(self))


def price(item):
    return item.price
''',
    "shop/orders.py": """\
from shop.cart import Cart


def checkout(owner):
    cart = Cart(owner)
    cart.add("tea")
    place(cart)
    return cart.total()


def place(order):
    order.save()
    order.archive()
    order.close()
""",
    "tests/test_cart.py": """\
from shop.cart import Cart


def test_total():
    cart = Cart("me")
    assert cart.total() == 0
""",
    "notes.txt": "Tea is sold out.\n",
}
"""notes.txt is left out of the graph by an option."""


class Writer:
    """Finds lines and columns in SOURCES, so that no position is counted by hand."""

    def __init__(self) -> None:
        self.symbols: list[Symbol] = []
        self.edges: list[Edge] = []
        self.places: list[Place] = []

    def add(self, path: str, kind: str, name: str, last: str = "", **more: Any) -> None:
        """A symbol whose definition is the first line that names it as one, and which ends with the line `last`."""
        lines = SOURCES[path].split("\n")
        bare = name.rsplit(".", 1)[-1]
        opening = {"class": f"class {bare}", "constant": f"{bare} =", "section": f"# {bare}", "field": f"self.{bare} ="}
        start = next(at for at, line in enumerate(lines, 1) if opening.get(kind, f"def {bare}(") in line)
        end = next(at for at, line in enumerate(lines[start - 1 :], start) if last in line) if last else start
        text = lines[start - 1].strip().rstrip(":")
        self.symbols.append(
            Symbol(
                id=f"{path}::{name}", kind=kind, name=bare, qualified_name=name, path=path, language=language_of(path),
                start_line=start, end_line=end, name_line=start, name_column=lines[start - 1].index(bare) + 1,
                signature="" if kind in ("section", "field") else text, hash=f"{len(self.symbols):016x}",
                exported=True, test=path.startswith("tests/"), **more,
            )
        )  # fmt: skip

    def module(self, path: str, **more: Any) -> None:
        name = path.rsplit("/", 1)[-1]
        self.symbols.append(
            Symbol(
                id=path, kind="file" if path.endswith(".md") else "module", name=name, qualified_name=path, path=path,
                language=language_of(path), start_line=1, end_line=SOURCES[path].count("\n"), exported=True,
                test=path.startswith("tests/"), **more,
            )
        )  # fmt: skip

    def directory(self, path: str) -> None:
        name = path.rstrip("/").rsplit("/", 1)[-1]
        self.symbols.append(Symbol(id=path, kind="directory", name=name, qualified_name=path, path=path, exported=True))

    def edge(self, source: str, kind: str, target: str, via: str, *needles: str) -> None:
        """One site for each needle, where it first stands in the source's own lines."""
        self.edges.append(Edge(source, target, kind, via, tuple(self.site(source, needle) for needle in needles)))

    def place(self, source: str, name: str, needle: str, reason: str) -> None:
        line, column = self.site(source, needle)
        self.places.append(Place(source, name, line, column, reason, reason != "external"))

    def site(self, source: str, needle: str) -> tuple[int, int]:
        symbol = next(each for each in self.symbols if each.id == source)
        for at, line in enumerate(SOURCES[symbol.path].split("\n"), 1):
            if symbol.start_line <= at <= symbol.end_line and needle in line:
                return at, line.index(needle) + 1
        raise AssertionError(f"{needle!r} does not stand in {source}")


def language_of(path: str) -> str:
    return {"md": "markdown", "py": "python"}[path.rsplit(".", 1)[1]]


def graph(header: dict[str, Any]) -> Graph:
    writer = Writer()
    writer.directory("./")
    writer.module("README.md")
    writer.add("README.md", "section", "Shop", "cart.")
    writer.add("README.md", "section", "Prices", "cart.")
    writer.directory("shop/")
    writer.module("shop/__init__.py", references=(0, 0, 0, 0, 0))
    writer.module("shop/base.py", references=(1, 0, 1, 0, 0))
    writer.add("shop/base.py", "class", "Base", "Never called", doc="What every document of the shop can do.")
    writer.add("shop/base.py", "method", "Base.__init__", "self.owner")
    writer.add("shop/base.py", "field", "Base.owner")
    writer.add("shop/base.py", "method", "Base.save", "return")
    writer.add("shop/base.py", "method", "Base.total", "raise")
    writer.add("shop/base.py", "method", "Base.close", "Never called", doc="Never called.")
    writer.add("shop/base.py", "function", "retired", "pass")
    writer.module("shop/cart.py", references=(4, 0, 4, 0, 0))
    writer.add("shop/cart.py", "constant", "LIMIT")
    writer.add("shop/cart.py", "class", "Cart", "requests.post", doc="What a customer is about to buy.")
    writer.add("shop/cart.py", "method", "Cart.add", "append", doc="Put one item in, up to the limit.")
    writer.add("shop/cart.py", "method", "Cart.total", "return sum")
    writer.add("shop/cart.py", "method", "Cart.send", "requests.post")
    writer.add("shop/cart.py", "function", "price", "return item")
    writer.module("shop/orders.py", references=(4, 2, 0, 1, 0))
    writer.add("shop/orders.py", "function", "checkout", "return cart")
    writer.add("shop/orders.py", "function", "place", "order.close")
    writer.directory("tests/")
    writer.module("tests/test_cart.py", references=(2, 0, 0, 0, 0))
    writer.add("tests/test_cart.py", "function", "test_total", "assert")
    contain(writer)
    base, cart, orders, test = "shop/base.py", "shop/cart.py", "shop/orders.py", "tests/test_cart.py"
    writer.edge("README.md::Prices", "documents", f"{cart}::Cart.total", "unique-name", "Cart.total")
    writer.edge("shop/__init__.py", "imports", cart, "syntax", "shop.cart")
    writer.edge(cart, "imports", base, "syntax", "shop.base")
    writer.edge(orders, "imports", cart, "syntax", "shop.cart")
    writer.edge(test, "imports", cart, "syntax", "shop.cart")
    writer.edge(f"{cart}", "imports", orders, "syntax", "shop.orders")
    writer.edge(cart, "references", f"{base}::Base", "import", "Base")
    writer.edge(f"{cart}::Cart", "inherits", f"{base}::Base", "import", "Base")
    writer.edge(f"{cart}::Cart.total", "overrides", f"{base}::Base.total", "inherited")
    writer.edge(f"{base}::Base.save", "calls", f"{base}::Base.total", "self", "total")
    writer.edge(f"{cart}::Cart.add", "references", f"{cart}::LIMIT", "scope", "LIMIT")
    writer.edge(f"{cart}::Cart.total", "calls", f"{cart}::price", "scope", "price")
    writer.edge(f"{cart}::Cart.send", "calls", f"{orders}::place", "import", "place(")
    writer.edge(f"{orders}::checkout", "calls", f"{cart}::Cart", "import", "Cart(")
    writer.edge(f"{orders}::checkout", "calls", f"{cart}::Cart.add", "constructor", "add")
    writer.edge(f"{orders}::checkout", "calls", f"{orders}::place", "scope", "place")
    writer.edge(f"{orders}::checkout", "calls", f"{cart}::Cart.total", "constructor", "total")
    writer.edge(f"{orders}::place", "calls", f"{base}::Base.save", "unique-name", "save")
    writer.edge(f"{test}::test_total", "calls", f"{cart}::Cart", "import", "Cart(")
    writer.edge(f"{test}::test_total", "tests", f"{cart}::Cart", "import", "Cart(")
    writer.edge(f"{test}::test_total", "calls", f"{cart}::Cart.total", "constructor", "total")
    writer.edge(f"{test}::test_total", "tests", f"{cart}::Cart.total", "constructor", "total")
    writer.place(f"{orders}::place", "archive", "archive", "unresolved")
    writer.place(f"{orders}::place", "close", "close", "unresolved")
    writer.place(cart, "requests", "requests", "external")
    return Graph(header | ABOUT, writer.symbols, writer.edges, writer.places)


ABOUT: dict[str, Any] = {
    "confidence": {"python": {"scope": 0.99, "self": 0.98}},
    "encoder": "1.0",
    "languages": {"markdown": {"files": 1, "definitions": 2}, "python": {"files": 5, "definitions": 16}},
    "references": {"python": {"certain": 11, "possible": 2, "external": 5, "unresolved": 1, "ambiguous": 0}},
}
"""What the header says of the graph; what it says of the repository is as it was encoded."""


def contain(writer: Writer) -> None:
    ids = {symbol.id for symbol in writer.symbols}
    for symbol in writer.symbols:
        path, _, name = symbol.id.partition("::")
        if name:
            outer = f"{path}::{name.rsplit('.', 1)[0]}" if "." in name else path
        elif symbol.id == "./":
            continue
        else:
            above = path.rstrip("/").rsplit("/", 1)[0] + "/" if "/" in path.rstrip("/") else "./"
            outer = above
        assert outer in ids, outer
        writer.edges.append(Edge(outer, symbol.id, "contains", "syntax"))


def write_repository(folder: Path) -> Path:
    """The sources, committed with git."""
    return repository(folder, dict(SOURCES))


def write_graph(root: Path, output: Path) -> Path:
    """Graph file and index as an encode of `root` leaves them, but with the graph that is written down here."""
    encode(root, output, options_for(root, {"exclude": ["notes.txt"]}))
    index = Index.open_read_only(index_path(output))
    rows = index.rows(f"SELECT {', '.join(EncodedFile._fields)} FROM files ORDER BY path")
    meta = dict(index.rows("SELECT key, value FROM meta"))
    header = orjson.loads(meta["header"])
    index.close()
    made = graph(header)
    digest = graph_file.write(output, made)
    meta |= {"graph_hash": digest, "graph_stat": graph_stat(stamp_of(output.stat()), time.time_ns())}
    files = [EncodedFile(*row) for row in rows]
    index_writer.write(index_path(output), made, files, meta, lambda opened: build.build(opened, made, ranks_behind))
    return output
