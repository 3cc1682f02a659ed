"""What `check` says of imports that an edit moves or changes, and that lead nowhere by it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from checking import Checked

FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": "def price(item):\n    return item\n\n\ndef total(items):\n    return sum(items)\n",
    "shop/rates.py": "RATE = 2\n",
    "shop/till.py": """\
import os

from shop.rates import RATE
from shop.cart import (
    price,
    total,
)

SUM = os.fspath(price(RATE)), total
""",
}
GONE = FILES["shop/cart.py"].replace("def price", "def cost")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checked]:
    checked = Checked(tmp_path_factory.mktemp("moved"), FILES)
    yield checked
    checked.close()


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("import os\n\nfrom shop.rates import RATE\n", "from shop.rates import RATE\nimport os\n\n", 1),
        ("from shop.rates import RATE\n", "from shop.rates import RATE as RATE, OTHER\n", 3),
    ],
)
def test_a_module_that_is_gone_is_told_of_an_import_that_moved(shop: Checked, old: str, new: str, line: int) -> None:
    said = shop.broken(shop.changed("shop/till.py", old, new) | {"shop/rates.py": None})
    assert f"shop/till.py:{line} import: imports `shop.rates`, which is gone" in said


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("    price,\n    total,\n", "    total,\n    price,\n", 6),
        ("    total,\n", "    sum_of,\n    total,\n", 5),
        ("(\n    price,\n    total,\n)", "price, total", 4),
    ],
)
def test_a_name_that_is_gone_is_told_of_a_statement_that_changed(shop: Checked, old: str, new: str, line: int) -> None:
    said = shop.broken(shop.changed("shop/till.py", old, new) | {"shop/cart.py": GONE})
    assert f"shop/till.py:{line} import: imports `price`, which is gone (renamed to cost, shop/cart.py:1)" in said


def test_a_statement_that_changes_or_moves_breaks_nothing(shop: Checked) -> None:
    assert shop.broken(shop.changed("shop/till.py", "(\n    price,\n    total,\n)", "total, price")) == []
    moved = FILES["shop/till.py"].replace("import os\n\n", "").replace("\nSUM", "import os\n\nSUM")
    assert shop.broken({"shop/till.py": moved}) == []


def test_what_led_nowhere_before_is_not_told_again(shop: Checked) -> None:
    broken = Checked(shop.root.parent / "broken", FILES | {"shop/rates.py": "OTHER = 1\n"})
    assert (
        broken.broken(
            broken.changed("shop/till.py", "from shop.rates import RATE\n", "from shop.rates import RATE  # x\n")
        )
        == []
    )
    broken.close()
