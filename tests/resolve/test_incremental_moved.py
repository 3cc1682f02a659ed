"""Files that come, go and move are encoded with the files that may find them, and leave what an encode of everything
would."""

from __future__ import annotations

from pathlib import Path

import pytest
from edits import places
from repositories import write

from rpg.encoder.options import Options
from rpg.repository import encode

FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": """\
from shop.money import Money


class Cart:
    def total(self):
        return Money().plus(self.tax())

    def shown(self):
        return self.label()


class Named:
    def label(self):
        return super().label()
""",
    "shop/money.py": "class Money:\n    def plus(self, other):\n        return other\n",
    "shop/app.py": """\
from shop import cart, gift
from shop.cart import Cart
from shop.late import send


def run(order):
    send(Cart().total())
    gift.wrap(order)
    return order.refund()
""",
    "shop/held.py": "import shop.cart as held\n\nkept = held\n\n\ndef total():\n    return kept.Cart().total()\n",
    "tools/run.py": "import late\nfrom space import inner\n\nlate.send(1)\ninner.deep()\n",
    "docs/guide.md": "# Guide\n\n`Cart.total` and `send` of `shop/late.py`, see [late](late.md) and notes.txt\n",
    "docs/use.rst": "Use\n===\n\n:mod:`shop.late` and :func:`shop.late.send`, :doc:`late`\n",
    "README.md": "# Shop\n\n`Cart`, see [the guide](docs/guide.md)\n",
    "notes.txt": "notes\n",
    "tests/test_cart.py": "from shop.cart import Cart\n\n\ndef test_total():\n    assert Cart().total() == 1\n",
}
LATE = "def send(value):\n    return value\n"
BELOW = "from shop.cart import Cart\n\n\nclass Gift(Cart):\n    def label(self):\n        return 1\n"
BESIDE = """\
from shop.cart import Named


class Labelled:
    def label(self):
        return 2


class Both(Named, Labelled):
    pass
"""
COME = {
    "a module that an import has looked for": {"shop/late.py": LATE},
    "a member of a package": {"shop/gift.py": "def wrap(order):\n    return order.send()\n"},
    "a module beside a script": {"tools/late.py": LATE},
    "a package without a file of its own": {"space/inner.py": "def deep():\n    return 1\n"},
    "a class below one that lacks a member": {"shop/below.py": BELOW},
    "a class with a base beside another": {"shop/beside.py": BESIDE},
    "a member that was guessed": {"shop/order.py": "class Order:\n    def refund(self):\n        return 1\n"},
    "a test": {"tests/test_late.py": "from shop.late import send\n\n\ndef test_send():\n    send(1)\n"},
    "an empty module": {"shop/empty.py": ""},
    "a text": {"shop/more.txt": "more\n"},
    "a document": {"docs/late.md": "# Late\n\n`Cart`\n"},
    "a module with a tax": {
        "shop/tax.py": "def tax():\n    return 1\n\n\nclass Tax:\n    def tax(self):\n        return tax()\n"
    },
}
GO = {
    "a module that others import": ["shop/money.py"],
    "a module that one holds": ["shop/cart.py"],
    "a script, with its folder": ["tools/run.py"],
    "a test, with its folder": ["tests/test_cart.py"],
    "a document": ["docs/guide.md"],
}


class Kept:
    """A graph that is brought up to date, and compared with a clean one."""

    def __init__(self, folder: Path, files: dict[str, str]) -> None:
        self.root = write(folder / "repo", files)
        self.graph, self.clean = folder / "kept.graph.json", folder / "clean.graph.json"
        encode(self.root, self.graph, Options(), workers=1)

    def is_followed(self) -> bool:
        """Whether only a part was resolved again."""
        summary = encode(self.root, self.graph, Options(), workers=1)
        encode(self.root, self.clean, Options(), workers=1, full=True)
        assert self.graph.read_text() == self.clean.read_text()
        assert places(self.graph) == places(self.clean)
        return "resolve" not in summary.seconds

    def remove(self, path: str) -> str:
        text = (self.root / path).read_text()
        (self.root / path).unlink()
        for folder in (self.root / path).parents:
            if folder == self.root or any(folder.iterdir()):
                return text
            folder.rmdir()
        return text


@pytest.mark.parametrize("files", COME.values(), ids=COME)
def test_what_comes_is_found_by_those_that_looked_for_it(files: dict[str, str], tmp_path: Path) -> None:
    kept = Kept(tmp_path, FILES)
    write(kept.root, files)  # type: ignore[arg-type]
    assert kept.is_followed()
    for path in files:
        kept.remove(path)
    assert kept.is_followed()


@pytest.mark.parametrize("paths", GO.values(), ids=GO)
def test_what_goes_is_found_no_longer(paths: list[str], tmp_path: Path) -> None:
    kept = Kept(tmp_path, FILES | {"shop/late.py": LATE})
    texts = {path: kept.remove(path) for path in paths}
    assert kept.is_followed()
    write(kept.root, texts)  # type: ignore[arg-type]
    assert kept.is_followed()


def test_a_package_that_comes_is_found_by_its_name(tmp_path: Path) -> None:
    kept = Kept(tmp_path, FILES)
    write(kept.root, {"space/__init__.py": "", "space/inner.py": "def deep():\n    return 1\n"})
    assert kept.is_followed()


def test_a_file_that_moves_is_followed_with_the_edit_of_those_that_name_it(tmp_path: Path) -> None:
    kept = Kept(tmp_path, FILES)
    text = kept.remove("shop/money.py")
    write(kept.root, {"shop/coins/__init__.py": "", "shop/coins/money.py": text})
    cart = kept.root / "shop" / "cart.py"
    cart.write_text(cart.read_text().replace("shop.money", "shop.coins.money"))
    assert kept.is_followed()


def test_a_file_that_comes_with_an_edit_of_one_that_names_it_is_followed(tmp_path: Path) -> None:
    kept = Kept(tmp_path, FILES)
    app = kept.root / "shop" / "app.py"
    write(kept.root, {"shop/late.py": LATE})
    app.write_text(
        "import json\n" + app.read_text().replace("from shop.late import send\n", "") + "\n\njson.dumps(1)\n"
    )
    assert kept.is_followed()


def test_a_class_with_other_bases_beside_each_other_is_followed_to_those_above(tmp_path: Path) -> None:
    kept = Kept(tmp_path, FILES | {"shop/beside.py": BESIDE})
    beside = kept.root / "shop" / "beside.py"
    for bases in ("Labelled, Named", "Named", "Named, Labelled"):
        beside.write_text(BESIDE.replace("Named, Labelled", bases))
        assert kept.is_followed()


BUILD = '[project]\nname = "shop"\nversion = "1"\n\n[tool.setuptools.packages.find]\nwhere = ["shop"]\n'


def test_a_build_file_that_puts_packages_where_they_were_concerns_no_other_file(tmp_path: Path) -> None:
    kept = Kept(tmp_path, FILES | {"pyproject.toml": BUILD})
    build = kept.root / "pyproject.toml"
    build.write_text(BUILD.replace('"1"', '"2"'))
    assert kept.is_followed()
    build.write_text(BUILD.replace('["shop"]', '["tools"]'))
    assert not kept.is_followed()


def test_a_document_with_the_headings_of_others_does_not_concern_them(tmp_path: Path) -> None:
    others = {f"docs/{number}.0.1.md": f"# Release {number}\n\n## Changes\n" for number in range(200)}
    kept = Kept(tmp_path, FILES | others)
    write(kept.root, {"docs/200.0.1.md": "# Release 200\n\n## Changes\n"})
    assert kept.is_followed()


OTHERWISE = {
    "a file that makes a package of a folder": {"tools/__init__.py": ""},
    "configuration": {"pyproject.toml": '[project]\nname = "shop"\n'},
    "the first file of a language": {"web/cart.ts": "export const price = 1;\n"},
    "a star import of what others import": {"shop/stars.py": "from shop.cart import *\n", "shop/late.py": "def (:\n"},
}


@pytest.mark.parametrize("files", OTHERWISE.values(), ids=OTHERWISE)
def test_what_may_be_found_without_its_name_is_resolved_with_everything(files: dict[str, str], tmp_path: Path) -> None:
    kept = Kept(tmp_path, FILES)
    write(kept.root, files)  # type: ignore[arg-type]
    assert not kept.is_followed()


def test_many_files_at_once_are_resolved_with_everything(tmp_path: Path) -> None:
    kept = Kept(tmp_path, FILES)
    write(kept.root, {f"shop/part{number}.py": LATE for number in range(9)})
    assert not kept.is_followed()
