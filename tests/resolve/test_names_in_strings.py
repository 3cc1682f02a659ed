"""A name in a string follows its definition: after any edit of either, the graph is that of a clean encode."""

from __future__ import annotations

from pathlib import Path

import pytest
from edits import edited
from repositories import write

FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": """\
class Cart:
    size = 3

    def save(self):
        return self.__sum()

    def __sum(self):
        return 2


def now():
    return 1
""",
    "shop/tasks.py": """\
from celery import Celery

app = Celery("shop")


@app.task(name="shop.pack")
def pack():
    return None
""",
    "shop/other.py": """\
from shop import cart


class Box(cart.Cart):
    def whole(self):
        return self._Cart__sum()


def run(app):
    app.send_task("shop.pack")
    setattr(cart, "now", None)
    return "shop.cart.Cart.save", getattr(cart.Cart(), "size")
""",
    "shop/third.py": 'import shop.tasks\nimport shop\n\ngetattr(shop.cart, "now")\n',
    "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef box():\n    return 1\n",
    "tests/test_cart.py": """\
import pytest
from unittest.mock import patch


@pytest.mark.usefixtures("box")
@patch("shop.cart.now")
def test_now(now):
    assert now
""",
    "web/api.ts": "export const load = () => 1;\nexport const save = () => 2;\n",
    "web/api.test.ts": """\
import * as api from "./api";

jest.mock("./api");
jest.spyOn(api, "load");
""",
}


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("shop/cart.py", "def now", "def later"),
        ("shop/cart.py", "def save", "def store"),
        ("shop/cart.py", "size = 3", "length = 3"),
        ("shop/cart.py", "def __sum", "def __all_of"),
        ("shop/tasks.py", "shop.pack", "shop.unpack"),
        ("tests/conftest.py", "def box", "def bag"),
        ("web/api.ts", "const load", "const loaded"),
        ("tests/test_cart.py", "shop.cart.now", "shop.cart.Cart"),
        ("shop/other.py", '"size"', '"save"'),
        ("web/api.test.ts", '"load"', '"save"'),
    ],
)
def test_after_an_edit_the_graph_is_that_of_a_clean_encode(tmp_path: Path, path: str, old: str, new: str) -> None:
    write(tmp_path / "repo", FILES)

    edit = edited(tmp_path, path, old, new)

    assert edit.before.read_bytes() != edit.after.read_bytes()
