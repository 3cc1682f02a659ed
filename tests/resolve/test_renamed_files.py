"""A renamed file is shown as one: its symbols are neither deleted nor changed, imports of its new path not broken."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from repositories import write

import rpg

CART = "\n\n".join(f"def price{number}(item):\n    return item * {number}\n" for number in range(6))
FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": CART,
    "shop/app.py": "from shop.cart import price1\n\nprice1(2)\n",
    "web/cart.ts": "export function price(item: number) {\n  return item\n}\nexport const most = 3\n",
    "web/app.ts": 'import { price } from "./cart"\n\nprice(1)\n',
}


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x", *arguments], cwd=root, check=True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = write(tmp_path / "shop", FILES)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "x")
    return root


def since(root: Path) -> Any:
    rpg.encode(root, output=str(root.parent / "made.graph.json"))
    with rpg.open(root.parent / "made.graph.json") as graph:
        return graph.find_usages(since="HEAD")


def replace(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text().replace(old, new))


@pytest.mark.parametrize("is_added", [True, False], ids=["git mv", "mv"])
def test_a_renamed_file_breaks_no_import_that_names_its_new_path(root: Path, is_added: bool) -> None:
    (root / "store").mkdir()
    write(root, {"store/__init__.py": ""})
    if is_added:
        git(root, "mv", "shop/cart.py", "store/cart.py")
        git(root, "mv", "web/cart.ts", "web/basket.ts")
    else:
        (root / "shop" / "cart.py").rename(root / "store" / "cart.py")
        (root / "web" / "cart.ts").rename(root / "web" / "basket.ts")
    replace(root / "shop/app.py", "shop.cart", "store.cart")
    replace(root / "web/app.ts", "./cart", "./basket")
    found = since(root)

    assert [(each.old, each.new) for each in found.gone.renamed] == [
        ("shop/cart.py", "store/cart.py"),
        ("web/cart.ts", "web/basket.ts"),
    ]
    assert (found.gone.symbols, found.gone.broken) == ([], [])
    assert {each.symbol for each in found.symbols} <= {"shop/app.py", "web/app.ts", "store/__init__.py"}


def test_imports_that_name_the_old_path_are_told(root: Path) -> None:
    git(root, "mv", "web/cart.ts", "web/basket.ts")

    gone = since(root).gone
    assert [(each.old, each.new) for each in gone.renamed] == [("web/cart.ts", "web/basket.ts")]
    assert [(each.path, each.line, each.kind) for each in gone.broken] == [("web/app.ts", 1, "import")]


def test_what_a_renamed_file_lost_is_deleted_and_what_it_gained_has_changed(root: Path) -> None:
    git(root, "mv", "shop/cart.py", "shop/basket.py")
    weigh = "def weigh(parcel, scale):\n    scale.zero()\n    return scale.read(parcel)\n"
    replace(root / "shop/basket.py", "def price3(item):\n    return item * 3\n", weigh)
    found = since(root)

    assert [(each.old, each.new) for each in found.gone.renamed] == [("shop/cart.py", "shop/basket.py")]
    assert found.gone.symbols == ["shop/cart.py::price3"]
    assert [each.symbol for each in found.symbols] == ["shop/basket.py::weigh"]


def test_another_file_of_other_contents_is_no_rename(root: Path) -> None:
    (root / "shop/cart.py").unlink()
    write(root, {"shop/other.py": "def unlike():\n    return 1\n"})
    found = since(root)

    assert found.gone.renamed == []
    assert found.gone.symbols == ["shop/cart.py"]
    assert [(each.path, each.line) for each in found.gone.broken if each.kind == "import"] == [("shop/app.py", 1)]
