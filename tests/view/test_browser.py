"""The page in a browser: what it shows, that a keyboard reaches everything, and that it asks nobody for anything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import Opened, browser, chromium, needs_browser, violations
from repositories import commit, git, repository, write

from rpg.cli import run

pytestmark = needs_browser

HOSTILE = "<img src=x onerror=window.hacked=1>"
FILES: dict[str, str | bytes] = {
    "shop/__init__.py": "",
    "shop/prices.py": f'def price(item):\n    """{HOSTILE}"""\n    return item\n\n\ndef alone():\n    return 1\n',
    "shop/orders.py": """\
import os

from shop.prices import price


class Order:
    def total(self):
        return price(1)


class Gift(Order):
    def total(self):
        return os.environ["GIFT"]


def order(items):
    return [price(each) for each in items]
""",
    "shop/data.py": """\
from peewee import Model


class Item(Model):
    pass


def items():
    return Item.select()
""",
    f"tests/test_{'long_' * 12}name.py": "from shop.orders import Gift\n\n\ndef test_gift():\n    assert Gift()\n",
    "shop/web.py": """\
from flask import Flask

from shop.data import items
from shop.orders import order

app = Flask(__name__)


@app.get("/orders")
def orders():
    return order(items())
""",
    "tests/test_orders.py": "from shop.orders import order\n\n\ndef test_order():\n    assert order([1]) == [1]\n",
    f"{HOSTILE.replace('/', '-')}.md": f"# {HOSTILE}\n",
}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a page with a review in it."""
    folder = repository(tmp_path_factory.mktemp("view") / "shop", FILES)
    git(folder, "checkout", "-q", "-b", "topic")
    write(folder, {"shop/prices.py": str(FILES["shop/prices.py"]).replace("(item)", "(item, tax)")})
    commit(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("RPG_DATA", str(folder.parent / "data"))
        patch.delenv("RPG_GRAPH", raising=False)
        assert run(["encode"]) == 0
        assert run(["view", "--since", "main", "-o", "page.html"]) == 0
    return (folder / "page.html").as_uri()


@pytest.fixture(scope="module")
def program() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def opened(program: Any, page: str) -> Iterator[Opened]:
    with browser(program, offline=True) as found:
        found.open(page)
        yield found


PLACES = ("#/map", "#/symbol/shop/prices.py::price", "#/symbol/shop/orders.py", "#/list/routes", "#/list/unused",
          "#/list/environment", "#/review", "#/search?q=price", "#/symbol/no::such", "#/list/none")  # fmt: skip


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_every_place_opens_without_a_complaint_a_request_or_a_finding_of_axe(
    program: Any, page: str, width: int, dark: bool
) -> None:
    with browser(program, offline=True, width=width, dark=dark) as found:
        found.open(page)
        assert found.requests == [page]
        for place in PLACES:
            found.go(place)
            assert violations(found.page) == [], place
            assert found.page.evaluate("document.documentElement.scrollWidth") <= width, place
        assert found.complaints == []
        assert [url for url in found.requests if not url.startswith(("file:", "data:"))] == []


def test_names_and_sources_are_text(opened: Opened) -> None:
    for place in ("#/map", "#/symbol/shop/prices.py::price", "#/search?q=img"):
        opened.go(place)
        assert opened.page.locator("#main img").count() == 0
    opened.go("#/symbol/shop/prices.py::price")
    opened.page.wait_for_selector(".line code")
    assert HOSTILE in opened.text()
    assert opened.page.evaluate("window.hacked") is None


def test_a_list_has_no_column_that_nothing_fills(opened: Opened) -> None:
    def columns(name: str) -> list[str]:
        opened.go(f"#/list/{name}")
        return [str(each) for each in opened.page.locator("thead th").all_text_contents()]

    assert columns("routes") == ["Verb", "Path", "Handler", "Models", "By", "Where"]
    assert columns("packages") == ["Name", "By", "Where"]


def test_a_symbol_shows_source_uses_call_tree_and_tests(opened: Opened) -> None:
    opened.go("#/symbol/shop/prices.py::price")
    opened.page.wait_for_selector(".uses code:not(:empty)")
    text = opened.text()
    assert "def price(item, tax):" in text.replace("\xa0", " ")
    assert "shop/orders.py" in text
    assert "return [price(each) for each in items]" in opened.text(".uses")
    assert "test_order" in opened.text("section[aria-label=Tests]")
    tree = opened.page.locator("section[aria-label='Call tree']")
    tree.get_by_role("button", name="Callers of order").click()
    assert "test_order" in tree.inner_text()
    assert "orders" in tree.inner_text()
    assert "0" not in tree.inner_text().split()


def test_a_symbol_shows_what_it_overrides(opened: Opened) -> None:
    opened.go("#/symbol/shop/orders.py::Gift.total")
    assert "Overrides (1)\nmethod\nOrder.total" in opened.text("section[aria-label=Inheritance]").replace(
        " Order", "\nOrder"
    )


def test_lists_name_what_the_tools_list(opened: Opened) -> None:
    opened.go("#/list/routes")
    assert "/orders" in opened.text("tbody")
    assert opened.text("td[data-name=Models]") == "Item"
    opened.go("#/list/models")
    assert opened.page.get_attribute("tbody a", "href") == "#/symbol/shop/data.py::Item"
    opened.go("#/list/environment")
    assert "GIFT" in opened.text("tbody")
    opened.go("#/list/unused")
    assert "alone" in opened.text("tbody")


def test_a_review_says_what_is_broken_and_not_tested(opened: Opened) -> None:
    opened.go("#/review")
    text = opened.text()
    assert "Review of main" in text
    assert "Broken (2)" in text
    assert "shop/orders.py:8" in text


def test_a_review_as_html_is_the_page_opened_there(
    program: Any, page: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(page.removeprefix("file://")).parent
    monkeypatch.chdir(folder)
    monkeypatch.setenv("RPG_DATA", str(folder.parent / "data"))
    assert run(["review", "main", "--format", "html", "--fail-on", "never"]) == 0
    (folder.parent / "review.html").write_text(capsys.readouterr().out)
    with browser(program, offline=True) as found:
        found.open((folder.parent / "review.html").as_uri())
        assert "Review of main" in found.text("h1")
        assert found.complaints == []
    with browser(program, java_script_enabled=False) as without:
        without.page.goto((folder.parent / "review.html").as_uri())
        assert "shop/orders.py:8" in without.text("#fallback")


def test_search_finds_names_misspelt_names_words_and_paths(opened: Opened) -> None:
    for query, name in (
        ("price", "price"),
        ("prcie", "price"),
        ("orders.py", "shop/orders.py"),
        ("Gift", "Gift.total"),
    ):
        opened.go(f"#/search?q={query}")
        assert name in opened.text(".hits"), query


def test_the_map_opens_and_closes_and_says_how_much_leads_where(program: Any, page: str) -> None:
    with browser(program, offline=True) as found:
        found.open(page)
        outline = found.page.locator(".outline")
        before = outline.locator("li").count()
        first = outline.locator("li[aria-expanded=false]").first
        first.click()
        assert "Open" in found.text(".details")
        first.click()
        assert outline.locator("li").count() > before
        outline.locator("li[aria-expanded=true]").first.click()
        assert outline.locator("li").count() == before
        assert found.complaints == []


def test_an_address_leads_to_the_same_place_on_the_map(program: Any, page: str) -> None:
    with browser(program, offline=True) as found:
        found.open(f"{page}#/map/shop/orders.py::Order?color=untested")
        assert found.text(".details h2") == "Order"
        assert found.page.input_value("#color") == "untested"
        assert found.page.locator(".outline li[aria-selected=true]").inner_text().startswith("▸\nOrder")


@pytest.mark.invariant("pages", "A keyboard alone reaches every place of a page")
def test_a_keyboard_alone_reaches_everything(program: Any, page: str) -> None:
    with browser(program, offline=True) as found:
        found.open(page)
        found.press("Tab")
        assert found.focused() == "To the content"
        seen = []
        for _ in range(30):
            found.press("Tab")
            seen.append(found.focused())
            if found.page.evaluate("document.activeElement.getAttribute('role')") == "treeitem":
                break
        assert {"Map", "Lists", "Review", "Light or dark", "Help", "color", "all-edges"} <= set(seen)
        assert found.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
        found.press("Home")
        for _ in range(60):
            found.press("ArrowRight", "ArrowDown")
            if found.page.evaluate("document.activeElement.innerText.includes('price')"):
                break
        found.press("Enter")
        found.page.wait_for_selector(".source")
        found.press("Escape")
        found.page.wait_for_selector(".map")
        found.press("/", *"alone", "Enter")
        found.page.wait_for_selector(".hits a:focus")
        found.press("Enter")
        found.page.wait_for_selector(".symbol")
        assert "alone" in found.text("h1")
        found.press("?")
        assert found.page.locator("dialog").is_visible()
        found.press("Escape")
        assert not found.page.locator("dialog").is_visible()
        found.press("l")
        found.page.wait_for_selector("table")
        found.press("r")
        found.page.wait_for_selector(".figures")
        found.press("m")
        found.page.wait_for_selector(".map")
        found.press("t")
        assert found.page.evaluate("document.documentElement.dataset.theme") == "dark"
        assert found.complaints == []
