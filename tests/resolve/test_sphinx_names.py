"""Documents lead to the code that they name in full in roles and directives of Sphinx, and to what their examples
import; other names are no edge."""

from __future__ import annotations

from pathlib import Path

import pytest
from edits import edited
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
`{func}`, `core.close`, `close`, `Shop.sell`, `shop.core.missing`, `shop.py` and \\{func}`close`

## In code format

`shop.core.close(now)` and `shop.Shop`

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
PAGE = """\
Page
====

See :func:`shop.core.close`, :meth:`a title <shop.core.Shop.sell>`, :doc:`/guide` and :doc:`missing`.

.. module:: shop

Described
---------

.. class:: Shop(name)

    It has :meth:`sell`, :py:class:`~Shop` and :meth:`!sell`.

    .. method:: sell(price)
    .. method:: refund()

.. autofunction:: close

Near misses
-----------

:meth:`sell` :meth:`.Shop.sell` :func:`missing` :c:func:`close` ``:func:`close``` `close`

.. a comment names no :func:`close`

Text follows::

    :func:`close`
"""
EXAMPLES = """\
# Imported

```python
import shop
from shop import Shop as Store

store = Store()
store.sell()
shop.core.close()
```

## Seen further down

1. In a list:

   ```pycon
   >>> Store().sell()
   close()
   >>> for each in []:
   ...     Store()
   ```

## Not seen

```python
close()
sell()
Shop().sell()
store.sell()
from .core import close
def f(Store):
    Store().sell()
```

```python
from shop import close
this does not parse
```

```ruby
from shop import close
```

```python
class Store:
    pass
```

```python
Store().sell()
```

> ```js
> import { open as begin } from "till";
> import { open } from "./other";
> begin();
> open();
> ```
"""
LISTED = """\
Examples
========

.. code-block:: python
    :caption: A shop

    from shop import Shop

    Shop().sell()

Behind a colon::

    Shop()

>>> from shop.core import close
>>> close()
close()

.. code-block:: javascript

    close()
"""
DOCUMENTED = """\
'''Sells.

>>> from shop import Shop, close
>>> Shop().sell()
'''


def sells():
    '''Sells as well.

    >>> from shop.guide import sells
    >>> sells()
    >>> from shop import close
    >>> close()
    '''
"""
FILES: dict[str, str | bytes] = {
    "shop/__init__.py": "from shop.core import Shop, close\n",
    "shop/core.py": CORE,
    "docs/guide.md": GUIDE,
}


def documents(graph: Path) -> list[str]:
    found = [each for each in graph_file.read(graph).edges if each.kind == "documents"]
    return [f"{each.source.partition('::')[2]} -> {each.target} {line}" for each in found for line, _ in each.sites]


def sources(graph: Path, path: str) -> list[str]:
    """Where a file documents what."""
    found = [each for each in graph_file.read(graph).edges if each.source.partition("::")[0] == path]
    kept = [each for each in found if each.kind == "documents"]
    places = sorted((place, each.source.partition("::")[2], each.target) for each in kept for place in each.sites)
    return [f"{line}:{column} {source or 'file'} -> {target}" for (line, column), source, target in places]


def encoded(folder: Path, files: dict[str, str | bytes]) -> Path:
    graph = folder / "shop.graph.json"
    encode(write(folder / "repo", files), graph, Options())
    return graph


@pytest.mark.invariant(
    "edges",
    "a document has edges to the code that it names in full and to what its examples import, after any "
    "edit of either; other names are not edges, and examples change nothing for code",
)
def test_names_that_are_full_are_edges_and_others_are_none(tmp_path: Path) -> None:
    assert documents(encoded(tmp_path, FILES)) == [
        "Guide -> shop/core.py::close 3",
        "Roles -> shop/core.py::Shop 10",
        "Roles -> shop/core.py::Shop.sell 10",
        "Roles -> shop/core.py::Shop.sell 10",
        "Roles -> shop/core.py::close 10",
        "Roles -> shop/core.py 10",
        "In code format -> shop/core.py::close 19",
        "In code format -> shop/core.py::Shop 19",
        "Directives -> shop/core.py::Shop 28",
        "Directives -> shop/core.py::close 31",
    ]


@pytest.mark.invariant(
    "edges",
    "a document has edges to the code that it names in full and to what its examples import, after any "
    "edit of either; other names are not edges, and examples change nothing for code",
)
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
    write(tmp_path / "repo", FILES)
    edit = edited(tmp_path, path, old, new)
    assert documents(edit.after) != documents(edit.before)


@pytest.mark.invariant(
    "edges",
    "a document has edges to the code that it names in full and to what its examples import, after any "
    "edit of either; other names are not edges, and examples change nothing for code",
)
def test_roles_and_directives_of_restructuredtext_lead_to_what_they_name_in_full(tmp_path: Path) -> None:
    expected = [
        "4:12 Page -> shop/core.py::close",
        "4:46 Page -> shop/core.py::Shop.sell",
        "4:75 Page -> docs/guide.md",
        "6:13 Page -> shop/__init__.py",
        "11:12 Described -> shop/core.py::Shop",
        "13:19 Described -> shop/core.py::Shop.sell",
        "13:38 Described -> shop/core.py::Shop",
        "15:17 Described -> shop/core.py::Shop.sell",
        "18:19 Described -> shop/core.py::close",
    ]
    assert sources(encoded(tmp_path / "a", FILES | {"docs/page.rst": PAGE}), "docs/page.rst") == expected
    # By another suffix, as its text shows.
    assert sources(encoded(tmp_path / "b", FILES | {"docs/page.txt": PAGE}), "docs/page.txt") == expected


@pytest.mark.invariant(
    "edges",
    "a document has edges to the code that it names in full and to what its examples import, after any "
    "edit of either; other names are not edges, and examples change nothing for code",
)
def test_examples_lead_to_what_they_import_and_name_through_that(tmp_path: Path) -> None:
    till = {
        "package.json": '{"workspaces": ["packages/*"]}',
        "packages/till/package.json": '{"name": "till", "main": "till.js"}',
        "packages/till/till.js": "export function open() {}\n",
        "docs/other.js": "export function open() {}\n",
    }
    graph = encoded(tmp_path, FILES | till | {"docs/a.md": EXAMPLES, "docs/b.rst": LISTED})
    assert sources(graph, "docs/a.md") == [
        "4:8 Imported -> shop/__init__.py",
        "5:18 Imported -> shop/core.py::Shop",
        "7:9 Imported -> shop/core.py::Shop",
        "8:7 Imported -> shop/core.py::Shop.sell",
        "9:11 Imported -> shop/core.py::close",
        "17:8 Seen further down -> shop/core.py::Shop",
        "17:16 Seen further down -> shop/core.py::Shop.sell",
        "20:12 Seen further down -> shop/core.py::Shop",
        "54:12 Not seen -> packages/till/till.js::open",
        "56:3 Not seen -> packages/till/till.js::open",
    ]
    assert sources(graph, "docs/b.rst") == [
        "7:22 Examples -> shop/core.py::Shop",
        "9:5 Examples -> shop/core.py::Shop",
        "9:12 Examples -> shop/core.py::Shop.sell",
        "13:5 Examples -> shop/core.py::Shop",
        "15:27 Examples -> shop/core.py::close",
        "16:5 Examples -> shop/core.py::close",
    ]


@pytest.mark.invariant(
    "edges",
    "a document has edges to the code that it names in full and to what its examples import, after any "
    "edit of either; other names are not edges, and examples change nothing for code",
)
def test_a_document_means_no_example_but_one_that_it_shows_or_names(tmp_path: Path) -> None:
    """`from proj.tasks import add` means the reader's own project, unless the text shows the files of one."""
    code = "Use\n===\n\n.. code-block:: python\n\n    from proj.tasks import add\n    add()\n"
    shown = (
        "\n.. literalinclude:: ../examples/first/proj/tasks.py\n.. include:: /parts/end.rst\n.. include:: gone.rst\n"
    )
    files = {
        "examples/first/setup.py": "from setuptools import setup\nsetup(name='proj')\n",
        "examples/first/proj/__init__.py": "",
        "examples/first/proj/tasks.py": "def add():\n    pass\n",
        "examples/first/README.rst": code,
        "shop.py": 'def close():\n    """\n    >>> from proj.tasks import add\n    >>> add()\n    """\n',
        "docs/other.rst": code,
        "docs/first.rst": code + shown,
        "docs/named.rst": code.replace("from proj", "from examples.first.proj"),
        "docs/parts/end.rst": "The end\n",
    }
    graph = encoded(tmp_path, files)
    add = "examples/first/proj/tasks.py::add"

    assert sources(graph, "docs/other.rst") == []
    assert sources(graph, "shop.py") == []
    assert sources(graph, "docs/first.rst") == [
        f"6:28 Use -> {add}",
        f"7:5 Use -> {add}",
        "9:21 Use -> examples/first/proj/tasks.py",
        "10:14 Use -> docs/parts/end.rst",
    ]
    assert [each.partition(" -> ")[2] for each in sources(graph, "docs/named.rst")] == [add, add]
    assert [each.partition(" -> ")[2] for each in sources(graph, "examples/first/README.rst")] == [add, add]


def test_doctests_are_examples_of_their_container(tmp_path: Path) -> None:
    graph = encoded(tmp_path, FILES | {"shop/guide.py": DOCUMENTED})
    assert sources(graph, "shop/guide.py") == [
        "3:22 file -> shop/core.py::Shop",
        "3:28 file -> shop/core.py::close",
        "4:5 file -> shop/core.py::Shop",
        "4:12 file -> shop/core.py::Shop.sell",
        "13:26 sells -> shop/core.py::close",
        "14:9 sells -> shop/core.py::close",
    ]


@pytest.mark.invariant(
    "edges",
    "a document has edges to the code that it names in full and to what its examples import, after any "
    "edit of either; other names are not edges, and examples change nothing for code",
)
def test_examples_change_nothing_for_code(tmp_path: Path) -> None:
    def of_code(graph: Path) -> list[object]:
        whole = graph_file.read(graph)
        return [each for each in whole.edges if each.kind != "documents" and each.source.endswith(("py", "shown"))]

    code = "from shop import Shop\n\n\ndef shown(shop):\n    shop.sell()\n"
    passing = "Page\n====\n\n::\n\n    from shop import Shop\n    from use import shown\n\n"
    passing += (
        "    class Other(Shop):\n        def sell(self):\n            pass\n\n    shown(Other())\n    shown(Shop())\n"
    )
    without = encoded(tmp_path / "a", FILES | {"use.py": code})
    with_examples = encoded(tmp_path / "b", FILES | {"use.py": code, "docs/use.rst": passing})
    assert of_code(without) == of_code(with_examples)
    assert "13:5 Page -> use.py::shown" in sources(with_examples, "docs/use.rst")


@pytest.mark.invariant(
    "edges",
    "a document has edges to the code that it names in full and to what its examples import, after any "
    "edit of either; other names are not edges, and examples change nothing for code",
)
@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("docs/b.rst", "from shop import Shop", "from shop import close as Shop"),
        ("docs/b.rst", ">>> close()", ">>> Shop()"),
        ("docs/page.txt", ".. module:: shop", ".. module:: other"),
        ("docs/page.txt", "    It has", "It has"),
        ("docs/page.txt", "(price)", "(price): :func:`close`"),
        ("shop/core.py", "def sell", "def refund"),
        ("shop/core.py", "def close", "def missing"),
        ("shop/core.py", "class Shop", "class Store"),
        ("shop/__init__.py", "Shop, close", "Shop"),
        ("shop/guide.py", ">>> close()", ">>> Shop()"),
    ],
)
def test_after_an_edit_examples_lead_where_a_clean_encode_has_them_lead(
    tmp_path: Path, path: str, old: str, new: str
) -> None:
    files = FILES | {"docs/b.rst": LISTED, "docs/page.txt": PAGE, "shop/guide.py": DOCUMENTED}
    write(tmp_path / "repo", files)
    edit = edited(tmp_path, path, old, new)
    assert documents(edit.after) != documents(edit.before)
