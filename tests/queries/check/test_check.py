"""What an edit has broken, and that nothing is said of what it has not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from checking import Checked, line_of
from repositories import commit, write

import rpg
from rpg.cli import run
from rpg.errors import BadRequest
from rpg.repository import index_path
from rpg.stores.index.index import read_meta
from rpg.tools import check as check_tool
from rpg.tools.calling.call import State
from rpg.tools.check import text

SHOP = {
    "shop/__init__.py": "from shop.cart import Cart\n",
    "shop/cart.py": """\
RATE = 2


class Cart:
    def __init__(self, owner):
        self.owner = owner
        self.items = []

    def total(self, tax=0):
        return sum(self.items) + tax

    def add(self, item, *, count=1):
        self.items.extend([item] * count)


def price(item, rate):
    return item * rate


def spread(*items, **options):
    return items, options


class Gift(Cart):
    def total(self, tax=0):
        return super().total(tax)
""",
    "shop/till.py": """\
from shop import cart
from shop.cart import (
    RATE,
    Cart,
    price,
)


def run(things):
    mine = Cart("me")
    mine.add(1, count=2)
    mine.add(price(1, RATE))
    price(*things)
    cart.spread(1, 2, x=3)
    return mine.total(tax=1)


class Thing:
    def total(self):
        return 0
""",
    "tests/test_cart.py": """\
from shop import Cart


def test_total():
    assert Cart("me").total() == 0
""",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checked]:
    opened = Checked(tmp_path_factory.mktemp("check"), SHOP)
    yield opened
    opened.close()


# What is gone


def test_a_renamed_function_is_named_with_its_new_name_where_it_is_imported(shop: Checked) -> None:
    edit = shop.changed("shop/cart.py", "def price(item, rate)", "def cost(item, rate)")
    assert shop.broken(edit) == [
        "shop/till.py:5 import: imports `price`, which is gone (renamed to cost, shop/cart.py:16)"
    ]
    assert "and 2 uses of it" in shop.text(edit)


def test_a_renamed_method_is_named_where_it_is_called_and_where_super_leads_to_it(shop: Checked) -> None:
    total = "(self, tax=0):\n        return sum"
    edit = shop.changed("shop/cart.py", f"def total{total}", f"def sum_up{total}")
    assert shop.broken(edit) == [
        "shop/cart.py:26 gone: `total` is gone (renamed to sum_up, shop/cart.py:9)",
        "shop/till.py:15 gone: `total` is gone (renamed to sum_up, shop/cart.py:9)",
        "tests/test_cart.py:5 gone: `total` is gone (renamed to sum_up, shop/cart.py:9)",
    ]


def test_a_renamed_class_is_named_once_for_each_file_and_its_members_are_not(shop: Checked) -> None:
    edit = shop.changed("shop/cart.py", "class Cart:", "class Basket:")
    assert shop.broken(edit) == [
        "shop/__init__.py:1 import: imports `Cart`, which is gone (renamed to Basket, shop/cart.py:4)",
        "shop/cart.py:24 gone: `Cart` is gone (renamed to Basket, shop/cart.py:4)",
        "shop/till.py:4 import: imports `Cart`, which is gone (renamed to Basket, shop/cart.py:4)",
    ]


def test_a_constant_that_is_gone_is_named(shop: Checked) -> None:
    assert shop.broken(shop.changed("shop/cart.py", "RATE = 2\n", "")) == [
        "shop/till.py:3 import: imports `RATE`, which is gone"
    ]


def test_a_moved_file_is_named_with_its_new_place(shop: Checked) -> None:
    edit = {"shop/cart.py": None, "shop/basket.py": SHOP["shop/cart.py"]}
    assert shop.broken(edit) == [
        "shop/__init__.py:1 import: imports `shop.cart`, which is gone (moved to shop/basket.py)",
        "shop/till.py:1 import: imports `cart`, which is gone (moved to shop/basket.py)",
        "shop/till.py:2 import: imports `shop.cart`, which is gone (moved to shop/basket.py)",
    ]


def test_a_deleted_file_breaks_its_imports(shop: Checked) -> None:
    assert shop.broken({"shop/cart.py": None})[0] == "shop/__init__.py:1 import: imports `shop.cart`, which is gone"


def test_a_name_that_a_module_no_longer_imports_is_gone_for_those_who_take_it_from_there(shop: Checked) -> None:
    assert shop.broken({"shop/__init__.py": ""}) == ["tests/test_cart.py:1 import: imports `Cart`, which is gone"]


def test_a_string_that_names_what_is_gone_is_possibly_broken_and_an_equal_word_is_not(tmp_path: Path) -> None:
    strings = "WHERE = 'shop.cart.price'\nWHAT = 'price'\nOTHER = 'shop.till.price'\n# shop.cart.price\n"
    named = Checked(tmp_path, SHOP | {"shop/strings.py": strings})
    edit = named.changed("shop/cart.py", "def price(item, rate)", "def cost(item, rate)")
    assert named.broken(edit)[1:] == [
        "shop/strings.py:1 string: `price` is gone, and a string names it (renamed to cost, shop/cart.py:16)?"
    ]
    named.close()


NAMED = {
    "setup.py": "from setuptools import setup\n\nsetup(entry_points={'console_scripts': ['till=site.urls:main']})\n",
    "site/urls.py": "def main():\n    return []\n",
    "site/settings.py": "URLS = 'site.urls'\nOTHER = 'urls'\n# site.urls\nLAST = 'other.urls'\n",
    "site/models.py": "class Item:\n    price: int = 1\n    name: str = ''\n\n\nclass Form:\n    model = Item\n"
    "    fields = ['name', 'price']\n    labels = {'price': 1}\n",
    "site/odd.py": "def of(it):\n    return getattr(it, 'price') + it['price']\n",
    "site/templates/item.html": "<p>{{ item.price }} price .price</p>\n<img src='../img/price.png'>\n",
    "site/img/price.png": "x",
    "run.sh": "exec python site/urls.py\n# site/urls.py\n",
    "notes.md": "See `site/urls.py`, `Item.price` and `img/price.png`.\n",
}


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checked]:
    opened = Checked(tmp_path_factory.mktemp("named"), NAMED)
    yield opened
    opened.close()


def test_a_moved_file_is_possibly_named_by_its_module_its_path_and_its_members(named: Checked) -> None:
    edit = {"site/urls.py": None, "site/routes.py": NAMED["site/urls.py"]}
    assert named.broken(edit) == [
        "run.sh:1 string: `site/urls.py` is gone, and a string names it (moved to site/routes.py)?",
        "setup.py:3 string: `main` is gone, and a string names it (moved to site/routes.py:1)?",
        "site/settings.py:1 string: `site.urls` is gone, and a string names it (moved to site/routes.py)?",
    ]


def test_a_file_that_is_no_code_is_named_by_its_path_and_told_once(named: Checked) -> None:
    assert named.broken({"site/img/price.png": None}) == [
        "site/templates/item.html:2 contract: `../img/price.png` is served no more: it was site/img/price.png"
    ]


def test_a_field_is_possibly_named_by_templates_forms_and_reflection_unless_another_has_its_name(
    named: Checked,
) -> None:
    hint = "`price` is gone, and a string names it (renamed to cost, site/models.py:2)?"
    assert named.broken(named.changed("site/models.py", "price: int", "cost: int")) == [
        f"site/models.py:8 string: {hint}",
        f"site/models.py:9 string: {hint}",
        f"site/odd.py:2 string: {hint}",
        f"site/templates/item.html:1 string: {hint}",
    ]
    other = {"site/other.py": "class Other:\n    price = 1\n"}
    assert named.broken(named.changed("site/models.py", "price: int", "cost: int") | other) == []


def test_members_of_unknown_objects_are_counted_as_not_judged(tmp_path: Path) -> None:
    unknown = Checked(tmp_path, SHOP | {"shop/odd.py": "def run(thing):\n    return thing.add(1)\n"})
    edit = unknown.changed("shop/cart.py", "def add(self", "def put(self")
    said = unknown.text(edit)
    assert "shop/odd.py:2" in said
    assert [each for each in unknown.broken(edit) if "odd.py" in each and not each.endswith("?")] == []
    unknown.close()


INHERITED = {
    "bases.py": "class Base:\n    def run(self, x):\n        return x\n\n\nclass Other(Base):\n    def go(self):\n"
    "        return self.run(1) + super().run(2)\n",
    "use.py": "from bases import Other\n\n\nclass Deep(Other):\n    def go(self):\n        return super().run(3)\n\n\n"
    "print(Other().run(4), Other().go())\n",
}


@pytest.mark.parametrize("gone", ["class Base:\n    def run(self, x):\n        return x\n\n\n", ""])
def test_members_of_a_base_that_a_class_no_longer_has_are_named_where_they_are_used(gone: str, tmp_path: Path) -> None:
    bases = Checked(tmp_path, INHERITED)
    edit = bases.changed("bases.py", f"{gone}class Other(Base)", "class Other")
    line = 3 if gone else 8
    assert bases.broken(edit) == [
        f"bases.py:{line} unbased: `run` is not inherited any more (it was bases.py::Base.run)",
        "use.py:6 unbased: `run` is not inherited any more (it was bases.py::Base.run)",
        "use.py:9 unbased: `run` is not inherited any more (it was bases.py::Base.run)",
    ]
    bases.close()


def test_a_base_from_outside_may_have_what_the_lost_one_had(tmp_path: Path) -> None:
    bases = Checked(tmp_path, INHERITED)
    assert (
        bases.broken(bases.changed("bases.py", "class Other(Base)", "import outside\n\n\nclass Other(outside.Base)"))
        == []
    )
    bases.close()


def test_a_moved_file_whose_relative_imports_lead_elsewhere_is_told(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/a.py": "from . import b\nfrom .b import f\n\n\ndef both():\n    return f() + b.f()\n",
        "pkg/b.py": "def f():\n    return 1\n",
        "pkg/deep/__init__.py": "",
        "web/use.js": "import { y } from './y.js'\nexport const x = (d) => y(d)\n",
        "web/y.js": "export const y = (d) => d\n",
    }
    moved = Checked(tmp_path, files)
    assert moved.broken({"pkg/a.py": None, "pkg/deep/a.py": files["pkg/a.py"]}) == [
        "pkg/deep/a.py:1 import: imports `b`, which leads to pkg/b.py no more (the file moved)",
        "pkg/deep/a.py:2 import: imports `b`, which leads to pkg/b.py no more (the file moved)",
    ]
    assert moved.broken({"web/use.js": None, "web/deep/use.js": files["web/use.js"]}) == [
        "web/deep/use.js:1 import: imports `./y.js`, which leads to web/y.js no more (the file moved)"
    ]
    assert moved.broken({"web/use.js": None, "web/deep/use.js": files["web/use.js"].replace("./y", "../y")}) == []
    moved.close()


# Calls that no longer fit


def test_a_new_required_parameter_breaks_the_calls_without_it(shop: Checked) -> None:
    edit = shop.changed("shop/cart.py", "def price(item, rate)", "def price(item, rate, strict)")
    assert shop.broken(edit) == ["shop/till.py:12 misfit: `price` needs `strict`"]


def test_a_removed_parameter_breaks_the_calls_with_it(shop: Checked) -> None:
    edit = shop.changed("shop/cart.py", "def price(item, rate)", "def price(item)")
    assert shop.broken(edit) == ["shop/till.py:12 misfit: `price` takes 1 argument, 2 given"]


def test_a_renamed_parameter_breaks_the_calls_that_name_it(shop: Checked) -> None:
    body = "{0}=0):\n        return sum(self.items) + {0}"
    edit = shop.changed("shop/cart.py", body.format("tax"), body.format("vat"))
    assert shop.broken(edit) == ["shop/till.py:15 misfit: `total` `tax` is `vat` now"]
    edit = shop.changed("shop/cart.py", "count", "number")
    assert shop.broken(edit) == ["shop/till.py:11 misfit: `add` `count` is `number` now"]


def test_a_constructor_that_needs_more_breaks_where_its_class_is_called(shop: Checked) -> None:
    edit = shop.changed("shop/cart.py", "def __init__(self, owner)", "def __init__(self, owner, till)")
    assert shop.broken(edit) == [
        "shop/till.py:10 misfit: `Cart` needs `till`",
        "tests/test_cart.py:5 misfit: `Cart` needs `till`",
    ]


# What stands in edited lines


def test_a_new_line_that_does_not_fit_is_told(shop: Checked) -> None:
    edit = shop.changed("shop/till.py", "mine.add(price(1, RATE))", "mine.add(price(1))\n    mine.addd(unheard)")
    assert shop.broken(edit) == [
        "shop/till.py:12 misfit: `price` needs `rate`",
        "shop/till.py:13 unknown: `addd` is no member of what it is called on?",
        "shop/till.py:13 unknown: `unheard` is not defined?",
    ]


def test_a_new_import_of_nothing_is_told(shop: Checked) -> None:
    edit = shop.changed(
        "shop/till.py", "from shop import cart\n", "from shop import cart\nfrom shop.cart import cost\n"
    )
    assert shop.broken(edit) == ["shop/till.py:2 import: imports `cost`, which is not there"]


def test_documents_that_name_files_may_change(tmp_path: Path) -> None:
    files = {
        "docs/a.rst": "Title\n=====\n\n.. include:: b.rst\n\n:doc:`b` and ``shop``\n",
        "docs/b.rst": "Other\n=====\n",
    }
    files |= {"docs/c.md": "See [b](b.rst) and `docs/b.rst`.\n", "shop.py": "def f():\n    return 1\n"}
    documents = Checked(tmp_path, files)
    edit = {path: text.replace("and", "or") for path, text in files.items() if "and" in text}
    assert documents.broken(edit) == []
    documents.close()


def test_a_new_file_is_looked_at_as_a_whole(shop: Checked) -> None:
    text = "from shop.cart import cost, price\n\nprice(1)\nprice(1, 2)\n"
    assert shop.broken({"shop/more.py": text}) == [
        "shop/more.py:1 import: imports `cost`, which is not there",
        "shop/more.py:3 misfit: `price` needs `rate`",
    ]


def test_a_module_that_passes_on_what_a_build_makes_may_have_any_name(tmp_path: Path) -> None:
    files = {"types/index.ts": "export * from '../dist/all'\n", "types/more.ts": "export * from './none'\n"}
    files |= {"types/none.ts": "export const one = 1\n", "use.ts": "export const x = 1\n"}
    built = Checked(tmp_path, files)
    assert built.broken({"use.ts": "import { two } from './types/index'\ntwo()\n"}) == []
    assert built.broken({"use.ts": "import { two } from './types/more'\ntwo()\n"}) == [
        "use.ts:1 import: imports `two`, which is not there"
    ]
    built.close()


def test_a_new_line_that_fits_is_silent(shop: Checked) -> None:
    edit = shop.changed("shop/till.py", "    price(*things)", "    price(*things)\n    print(len(things), price(2, 3))")
    assert shop.broken(edit) == []


def test_a_file_that_does_not_parse_is_told_with_its_line(shop: Checked) -> None:
    edit = shop.changed("shop/cart.py", "def price(item, rate):", "def price(item, rate:")
    assert shop.broken(edit)[0] == "shop/cart.py:17 syntax: does not parse: not understood"


# How results are given


def test_an_async_function_awaits_what_it_returns_where_the_language_says_so(tmp_path: Path) -> None:
    files = {
        "net.ts": "export function get() {\n  return 1;\n}\n",
        "use.ts": "import { get } from './net';\nexport async function one() {\n  return get();\n}\n"
        "export function two() {\n  return get();\n}\n",
    }
    net = Checked(tmp_path, files)
    assert net.broken(net.changed("net.ts", "export function", "export async function")) == [
        "use.ts:6 awaited: `get` must be awaited now?"
    ]


def test_a_function_that_becomes_async_breaks_the_calls_that_do_not_await_it(tmp_path: Path) -> None:
    files = {
        "net.py": "def get():\n    return 1\n\n\nasync def post():\n    return 1\n\n\ndef many():\n    return [1]\n",
        "use.py": "from net import get, many, post\n\n\nasync def run():\n    x = get() + 1\n    y = await post()\n"
        "    z = many()\n    for each in many():\n        x += each\n    return x + y + z[0]\n",
    }
    net = Checked(tmp_path, files)
    assert net.broken(net.changed("net.py", "def get", "async def get")) == [
        "use.py:5 awaited: `get` must be awaited now"
    ]
    assert net.broken(net.changed("net.py", "async def post", "def post")) == [
        "use.py:6 awaited: `post` need not be awaited any more"
    ]
    assert net.broken(net.changed("net.py", "return [1]", "yield 1")) == [
        "use.py:7 awaited: `many` gives its results one by one now?"
    ]
    net.close()


# What breaks nothing


def test_a_default_that_says_nothing_is_one(tmp_path: Path) -> None:
    files = {
        "a.py": "def run(x, *, debug=..., more: int = ...):\n    return x\n",
        "b.py": "from a import run\n\nrun(1)\n",
        "a.php": "<?php\nfunction run($x, $y = null) { return $x; }\n",
        "b.php": "<?php\nx();\n",
    }
    defaults = Checked(tmp_path, files)
    assert defaults.broken({"c.py": "from a import run\n\nrun(2)\n"}) == []
    assert defaults.broken(defaults.changed("b.php", "x();", "require 'a.php';\nrun(2);")) == []
    assert defaults.broken({"c.py": "from a import run\n\nrun()\n"}) == ["c.py:3 misfit: `run` needs `x`"]
    defaults.close()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def price(item, rate)", "def price(item, rate, strict=False)"),
        ("def price(item, rate):\n    return item * rate", "def price(item, share):\n    return item * share"),
        ("def price(item, rate)", "def price(item, rate, *more, **options)"),
        ("def add(self, item, *, count=1)", "def add(self, item, count=1)"),
        ("    return item * rate", "    # twice\n    return (item\n            * rate)"),
        ("class Gift(Cart)", "def total():\n    return 0\n\n\nclass Gift(Cart)"),
        ("def spread(*items, **options)", "def spread(*items, y=1, **options)"),
    ],
)
def test_an_edit_that_breaks_nothing_is_answered_in_a_line(shop: Checked, old: str, new: str) -> None:
    said = shop.text(shop.changed("shop/cart.py", old, new))
    assert "\n" not in said
    assert "broken" not in said or "nothing is broken" in said


def test_a_rename_that_every_use_follows_breaks_nothing(shop: Checked) -> None:
    edit = {path: text.replace("price", "cost") for path, text in SHOP.items()}
    assert shop.broken(edit) == []


def test_a_function_that_moves_within_its_file_breaks_nothing(shop: Checked) -> None:
    body = "def price(item, rate):\n    return item * rate\n"
    edit = {"shop/cart.py": SHOP["shop/cart.py"].replace(f"{body}\n\n", "") + f"\n\n{body}"}
    assert shop.broken(edit) == []


def test_a_function_that_moves_and_is_imported_where_it_was_breaks_nothing(shop: Checked) -> None:
    body = "def price(item, rate):\n    return item * rate\n"
    cart = "from shop.prices import price\n" + SHOP["shop/cart.py"].replace(f"{body}\n\n", "")
    assert shop.broken({"shop/cart.py": cart, "shop/prices.py": body}) == []


def test_what_was_broken_before_is_not_told(tmp_path: Path) -> None:
    files = SHOP | {"shop/odd.py": "from shop.cart import nothing\n\nnothing()\nRATE.x()\n"}
    odd = Checked(tmp_path, files)
    assert odd.broken(odd.changed("shop/cart.py", "RATE = 2", "RATE = 3")) == []
    assert odd.broken(odd.changed("shop/odd.py", "nothing()", "nothing()\nnothing()")) == []
    odd.close()


# What is told where it is asked for


def test_what_was_broken_before_is_told_where_it_is_asked_for(tmp_path: Path) -> None:
    files = SHOP | {"shop/odd.py": "from shop.cart import nothing, price\n\nprice(1)\nprice(1, 2)\n"}
    odd = Checked(tmp_path, files)
    edit = odd.changed("shop/odd.py", "price(1, 2)", "price(1)")
    answer = odd.answer(edit, all=True)
    assert [line_of(each) for each in answer.broken_before] == [
        "shop/odd.py:1 import: imports `nothing`, which is not there",
        "shop/odd.py:3 misfit: `price` needs `rate`",
    ]
    assert [line_of(each) for each in answer.broken] == ["shop/odd.py:4 misfit: `price` needs `rate`"]
    assert odd.answer(edit).broken_before == []
    odd.close()


BODY = "".join(f"    value = value * {number} + other - rest\n" for number in range(12))
LEFT = {
    "a.py": "import b\n\n\ndef main():\n    return b.old(1) + b.kept()\n\n\nmain()\n",
    "b.py": "def old(x):\n    return x\n\n\ndef kept():\n    return 1\n\n\ndef gone_now():\n    return 2\n",
    "c.py": f"def work(value, other, rest):\n{BODY}    return value\n",
    "notes.md": "Call `gone_now`, or b.gone_now(); see `c.py`. A `kept` stays.\n",
    "d.py": "# what gone_now does\nimport b\n\nprint(b.kept(), 'gone_now')\n",
}


def test_notes_name_cycles_unused_code_duplicates_and_documents(tmp_path: Path) -> None:
    left = Checked(tmp_path, LEFT)
    edit = (
        left.changed("a.py", "b.old(1) + ", "")
        | {"b.py": "import a\n\n\n" + LEFT["b.py"].partition("\n\n\ndef gone_now")[0] + "\n"}
        | {"e.py": LEFT["c.py"].replace("def work", "def other_work")}
    )
    answer = left.answer(edit, notes=True)
    assert [(each.kind, f"{each.path}:{each.line} {each.message}") for each in answer.notes] == [
        ("cycle", "b.py:1 a new import cycle: b.py -> a.py -> b.py"),
        ("unused", "b.py:4 nothing uses `old` any more"),
        ("duplicate", "e.py:1 `other_work` does what c.py::work does"),
        ("document", "d.py:1 still names `gone_now`"),
        ("document", "notes.md:1 still names `gone_now`"),
    ]
    assert left.answer(edit).notes == []
    moved = left.answer({"c.py": None, "f.py": LEFT["c.py"]}, notes=True)
    assert [f"{each.path}:{each.line} {each.message}" for each in moved.notes] == ["notes.md:1 still names `c.py`"]
    assert left.answer(left.changed("b.py", "return 1", "return 3"), notes=True).notes == []
    left.close()


def test_the_tests_that_reach_what_changed_are_told(shop: Checked) -> None:
    edit = shop.changed("shop/cart.py", "return sum(self.items)", "return 1 + sum(self.items)")
    answer = shop.answer(edit, tests=True)
    assert [each.name for each in answer.tests.tests] == ["test_total"]
    assert "run: pytest $(rpg tests --since HEAD --format pytest)" in text(answer)
    assert shop.answer(edit).tests is None


# Edits that the index does not have yet


TILL_NAMES = 'NAME = "shop.cart.Gift"\n'
UNENCODED = [
    {"shop/cart.py": SHOP["shop/cart.py"].replace("def price(", "def cost(")},
    {"shop/cart.py": SHOP["shop/cart.py"].replace("count=1", "count")},
    {"shop/cart.py": SHOP["shop/cart.py"].replace("item * rate", "rate * item")},
    {"shop/cart.py": SHOP["shop/cart.py"].partition("class Gift")[0], "names.py": TILL_NAMES},
    {"shop/cart.py": None},
    {"shop/cart.py": None, "shop/basket.py": SHOP["shop/cart.py"]},
    {"shop/late.py": "from shop.cart import price, cost\n\nprice(1)\n"},
    {"shop/till.py": SHOP["shop/till.py"].replace("tax=1", "rate=1")},
    {"shop/cart.py": SHOP["shop/cart.py"].replace("RATE = 2", "RATE = (")},
]


@pytest.mark.parametrize("edit", UNENCODED, ids=lambda edit: "+".join(edit))
def test_an_edit_is_judged_before_the_index_has_it_as_it_is_afterwards(shop: Checked, edit: dict[str, str]) -> None:
    with shop.edited(edit):
        before = generation_of(shop)
        at_once = shop.graph.check()
        assert generation_of(shop) == before
        shop.graph.stats()
        assert generation_of(shop) != before
        assert shop.graph.check() == replace(at_once, state=shop.graph.check().state)
    shop.graph.stats()


def test_what_is_edited_back_before_the_index_has_it_is_not_broken(shop: Checked) -> None:
    with shop.edited(shop.changed("shop/cart.py", "def price(", "def cost(")):
        shop.graph.stats()
        assert shop.graph.check().total
    assert shop.text({}) == "no code changed since HEAD"


def test_a_second_edit_is_judged_with_the_first(shop: Checked) -> None:
    with shop.edited(shop.changed("shop/cart.py", "def price(", "def cost(")):
        shop.graph.stats()
        with shop.edited({"shop/till.py": SHOP["shop/till.py"].replace("price", "cost")}):
            # Leaving takes both back.
            assert shop.graph.check().broken == []


def test_where_a_file_says_what_others_mean_the_index_has_it_before_the_answer(tmp_path: Path) -> None:
    mapped = Checked(
        tmp_path,
        {
            "tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["src/*"]}}}\n',
            "src/a.ts": "export const one = 1;\n",
            "src/b.ts": 'import { one } from "@/a";\n\nexport const two = one;\n',
        },
    )
    before = generation_of(mapped)
    with mapped.edited(mapped.changed("tsconfig.json", "src/*", "lib/*")):
        mapped.graph.check()
        assert generation_of(mapped) != before
    mapped.close()


def generation_of(checked: Checked) -> str:
    return str(read_meta(index_path(checked.root.parent / "shop.graph.json"))["generation"])


# What is compared


def test_without_a_change_that_is_said(shop: Checked) -> None:
    assert shop.text({}) == "no code changed since HEAD"


def test_nothing_is_said_to_fit_while_edited_files_are_still_being_encoded() -> None:
    stale = check_tool.Checked(since="HEAD", files=1, state=State(stale=["a.py"]))
    assert check_tool.text(stale).startswith("not judged yet")
    assert check_tool.text(replace(stale, state=State())).startswith("0 symbols changed")
    assert check_tool.text(replace(stale, until="HEAD")).startswith("0 symbols changed")


def test_silence_says_what_was_looked_at(shop: Checked) -> None:
    said = shop.text(shop.changed("shop/cart.py", "def price(item, rate)", "def price(item, rate, more=0)"))
    assert said == "1 symbol changed, 2 uses checked: names and arguments fit"


def test_uses_that_the_edit_mended_itself_are_counted(shop: Checked) -> None:
    edit = {path: text.replace("price", "cost") for path, text in SHOP.items()}
    # The name in the import and both calls; `mine.add(cost(1, RATE))` has two uses more: `add` and `RATE`.
    assert shop.text(edit) == "2 symbols changed, 5 uses checked, in lines this edit changed: names and arguments fit"
    added = shop.changed("shop/cart.py", "def price(item, rate)", "def price(item, rate, more=0)")
    added |= shop.changed("shop/till.py", "price(*things)", "price(1, 2)")
    assert shop.text(added).startswith("1 symbol changed, 2 uses checked, 1 of them in lines this edit changed: ")


def test_a_name_that_is_added_to_an_import_of_several_lines_is_judged(shop: Checked) -> None:
    edit = shop.changed("shop/till.py", "    price,\n)", "    price,\n    cost,\n)")
    assert shop.broken(edit) == ["shop/till.py:6 import: imports `cost`, which is not there"]


def test_who_imports_what_a_module_gives_by_default_need_not_spell_it(tmp_path: Path) -> None:
    tokens = "const makeToken = (id: number): string => `${id}`;\n\nexport default makeToken;\n"
    files = {
        "tokens.ts": tokens,
        "login.ts": 'import makeToken from "./tokens";\n\nexport const login = (id: number) => makeToken(id);\n',
    }
    login = Checked(tmp_path, files)
    edit = {"tokens.ts": tokens.replace("export default makeToken", "export { makeToken }")}
    assert login.broken(edit) == ["login.ts:1 import: imports `default`, which is gone"]
    login.close()


def test_a_file_that_is_there_is_not_gone_although_it_is_not_read(tmp_path: Path) -> None:
    named = Checked(tmp_path, SHOP | {"uv.lock": "version = 1\n", "make.toml": "[run]\nreads = ['uv.lock']\n"})
    assert named.text({"uv.lock": "version = 2\n"}).startswith("no code changed")
    (answer,) = named.answer({"uv.lock": None}).broken
    assert (answer.path, answer.message) == ("make.toml", "`uv.lock` is gone, and a string names it")
    assert "1 place possibly broken" in named.text({"uv.lock": None})
    named.close()


def test_two_revisions_are_compared_without_the_work_tree(tmp_path: Path) -> None:
    two = Checked(tmp_path, SHOP)
    write(two.root, {"shop/cart.py": SHOP["shop/cart.py"].replace("def price(", "def cost(")})
    commit(two.root)
    found = ["shop/till.py:5 import: imports `price`, which is gone (renamed to cost, shop/cart.py:16)"]
    assert two.broken({}, since="HEAD~1..HEAD") == found
    assert two.broken({"shop/till.py": "x = 1\n"}, since="HEAD~1..HEAD") == found
    assert two.broken({"shop/till.py": "x = 1\n"}, since="HEAD~1") == []
    assert two.broken({}, since="HEAD") == []
    two.close()


def test_an_unknown_revision_is_refused(shop: Checked) -> None:
    with pytest.raises(BadRequest, match="no such revision"):
        shop.graph.check(since="nowhere")


def test_the_command_fails_if_something_is_broken(
    shop: Checked, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(shop.root)
    graph = str(shop.root.parent / "shop.graph.json")
    with shop.edited(shop.changed("shop/cart.py", "def price(item, rate)", "def price(item)")):
        assert run(["check", "--since", "HEAD", "--json", "--graph", graph]) == 1
        (found,) = json.loads(capsys.readouterr().out)["broken"]
    assert (found["path"], found["line"], found["certain"]) == ("shop/till.py", 12, True)
    assert run(["check", "--graph", graph]) == 0


@pytest.mark.parametrize("seed", range(8))
def test_an_edit_that_is_taken_back_leaves_nothing_broken_and_the_same_graph(seed: int, tmp_path: Path) -> None:
    opened = Checked(tmp_path, SHOP)
    graph = tmp_path / "shop.graph.json"
    before = graph.read_bytes()
    random = Random(seed)
    for _ in range(3):
        path = random.choice(sorted(SHOP))
        opened.answer({path: drawn_edit(random, SHOP[path])}, notes=True)
        assert opened.text({}) == "no code changed since HEAD"
    opened.close()
    rpg.encode(opened.root, output=str(graph))
    assert graph.read_bytes() == before


def drawn_edit(random: Random, text: str) -> str | None:
    """A file that is deleted, or has a line less or twice, or another word in place of one."""
    lines = text.splitlines(keepends=True)
    place = random.randrange(len(lines))
    words = re.findall(r"\w+", text)
    return random.choice(
        (
            None,
            "".join(lines[:place] + lines[place + 1 :]),
            "".join(lines[: place + 1] + lines[place:]),
            re.sub(rf"\b{random.choice(words)}\b", random.choice(words), text),
        )
    )
