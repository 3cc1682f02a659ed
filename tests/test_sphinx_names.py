"""Documents lead to the Python code that they name in full in roles and directives of Sphinx; other names are no
edge."""

from __future__ import annotations

from pathlib import Path

import pytest
from repositories import write

from rpg.encoder.options import Options
from rpg.repository import encode
from rpg.stores.graph_file import graph_file

GUIDE = """\
# Guide

Before a module is set, {func}`close` and {class}`Shop` are anyone's, {func}`shop.core.close` is not.

```{currentmodule} shop
```

## Roles

{class}`Shop`, {meth}`Shop.sell`, {meth}`~shop.core.Shop.sell`, {func}`the end <close>`, {mod}`shop.core`

## Near misses

{meth}`sell` {meth}`.sell` {func}`missing` {func}`other.close` {class}`~json.JSONDecoder` {meth}`Shop.refund`
`{func}`, `shop.core.close` and \\{func}`close`

```python
{func}`close`
```

## Directives

```{eval-rst}
.. autoclass:: Shop
   :members:
.. automethod:: sell
.. autofunction:: close
```
"""
CORE = "class Shop:\n    def sell(self):\n        pass\n\n\ndef close():\n    pass\n"
FILES: dict[str, str | bytes] = {
    "shop/__init__.py": "from shop.core import Shop, close\n",
    "shop/core.py": CORE,
    "docs/guide.md": GUIDE,
}


def documents(graph: Path) -> list[str]:
    found = [each for each in graph_file.read(graph).edges if each.kind == "documents"]
    return [f"{each.source.partition('::')[2]} -> {each.target} {line}" for each in found for line, _ in each.sites]


def encoded(folder: Path, files: dict[str, str | bytes]) -> Path:
    graph = folder / "shop.graph.json"
    encode(write(folder / "repo", files), graph, Options())
    return graph


def test_names_that_are_full_are_edges_and_others_are_none(tmp_path: Path) -> None:
    assert documents(encoded(tmp_path, FILES)) == [
        "Guide -> shop/core.py::close 3",
        "Roles -> shop/core.py::Shop 10",
        "Roles -> shop/core.py::Shop.sell 10",
        "Roles -> shop/core.py::Shop.sell 10",
        "Roles -> shop/core.py::close 10",
        "Roles -> shop/core.py 10",
        "Directives -> shop/core.py::Shop 24",
        "Directives -> shop/core.py::close 27",
    ]


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("docs/guide.md", "{meth}`.sell`", "{func}`close`"),
        ("docs/guide.md", "{currentmodule} shop", "{currentmodule} other"),
        ("docs/guide.md", ".. autofunction:: close", ""),
        ("shop/core.py", "def sell", "def refund"),
        ("shop/core.py", "def close", "def missing"),
        ("shop/core.py", "class Shop", "class Store"),
        ("shop/__init__.py", "Shop, close", "Shop"),
    ],
)
def test_after_an_edit_the_edges_are_those_of_a_clean_encode(tmp_path: Path, path: str, old: str, new: str) -> None:
    kept = encoded(tmp_path, FILES)
    before = documents(kept)
    file = tmp_path / "repo" / path
    file.write_text(file.read_text().replace(old, new))
    encode(tmp_path / "repo", kept, Options())
    clean = tmp_path / "clean.graph.json"
    encode(tmp_path / "repo", clean, Options(), full=True)
    assert documents(kept) == documents(clean) != before
    assert kept.read_bytes() == clean.read_bytes()
