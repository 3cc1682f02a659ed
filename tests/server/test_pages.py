"""The page of a running server: who gets it, what it may ask for, and that it follows edits."""

from __future__ import annotations

import gzip
import json
import os
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import browser, chromium, needs_browser
from listening import TOKEN, asked, listening, status
from repositories import commit, repository, write
from shop import write_graph, write_repository

from rpg.repository import encode

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    return write_graph(write_repository(folder / "shop"), folder / "shop.graph.json")


@pytest.fixture(scope="module")
def open_door(shop: Path) -> Iterator[str]:
    with listening(shop) as (address, _):
        yield address


@pytest.fixture(scope="module")
def locked_door(shop: Path) -> Iterator[str]:
    with listening(shop, RPG_TOKEN=TOKEN) as (address, _):
        yield address


def basic(password: str) -> str:
    return f"Basic {b64encode(f'anybody:{password}'.encode()).decode()}"


def told(address: str, **headers: str) -> Any:
    with asked("GET", address, **headers) as answer:
        assert answer.status == 200, answer.read()
        return json.loads(gzip.decompress(answer.read()))


def test_the_page_has_no_data_in_it_and_a_strict_policy(open_door: str) -> None:
    with asked("GET", f"{open_door}/") as answer:
        text, headers = answer.read().decode(), dict(answer.getheaders())
    assert "Cart" not in text
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "connect-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"


def test_what_the_page_asks_for_is_there(open_door: str) -> None:
    assert told(f"{open_door}/view/graphs") == {"graphs": ["shop"]}
    data = told(f"{open_door}/view/data")
    assert "Cart" in data["texts"]
    assert told(f"{open_door}/view/generation") == {"generation": data["generation"]}
    assert "class Cart" in told(f"{open_door}/view/source?path=shop/cart.py")["text"]
    assert told(f"{open_door}/view/search?q=Cart")["hits"][0]["name"] == "Cart"


def test_no_file_outside_the_graph_is_shown(open_door: str) -> None:
    for path in ("/etc/passwd", "../shop.graph.json", "..%2f..%2fetc%2fpasswd", ".git/config"):
        assert told(f"{open_door}/view/source?path={path}") == {"text": ""}


@pytest.mark.parametrize(
    "path", ["/view/none", "/view/data?graph=none", f"/view/search?q={'x' * 3000}", "/view/data?since=--help"]
)
def test_what_is_wrong_is_said_in_json(open_door: str, path: str) -> None:
    with asked("GET", open_door + path) as answer:
        assert answer.status in (400, 404)
        assert json.load(answer)["error"]


def test_a_browser_gives_the_token_as_a_password(locked_door: str) -> None:
    with asked("GET", f"{locked_door}/") as answer:
        assert answer.status == 401
        assert "Basic" in (answer.getheader("www-authenticate") or "")
    for path in ("/", "/view/graphs"):
        assert status("GET", locked_door + path, Authorization=basic(TOKEN)) == 200
        for wrong in ("", "x", f"{TOKEN}x"):
            assert status("GET", locked_door + path, Authorization=basic(wrong)) == 401
        assert status("GET", locked_door + path, Authorization="Basic %%%") == 401


@pytest.mark.invariant(
    "trust", "a password that a browser remembers opens the page alone, and nothing that changes anything"
)
def test_a_password_opens_nothing_but_the_page(locked_door: str) -> None:
    posts = [("POST", path) for path in ("/mcp", "/messages/", "/view/data", "/")]
    for method, path in [*posts, ("GET", "/mcp"), ("GET", "/sse")]:
        assert status(method, locked_door + path, Authorization=basic(TOKEN)) == 401


@pytest.mark.invariant("trust", "no other web page makes a browser ask for what the page asks for")
def test_another_web_page_gets_nothing(open_door: str) -> None:
    for site in ("cross-site", "same-site"):
        led = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script"}
        link = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
        frame = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
        assert status("GET", f"{open_door}/view/data", **led) == 403
        assert status("GET", f"{open_door}/view/data", **link) == 403
        assert status("GET", f"{open_door}/", **frame) == 403
        assert status("GET", f"{open_door}/", **link) == 200
    assert status("GET", f"{open_door}/view/graphs", **{"Sec-Fetch-Site": "same-origin"}) == 200


def test_a_token_for_some_graphs_shows_no_other(shop: Path, tmp_path: Path) -> None:
    other = write_graph(write_repository(tmp_path / "milk"), tmp_path / "milk.graph.json")
    with listening(shop, other, "--token", f"{TOKEN} milk") as (door, _):
        mine = {"Authorization": basic(TOKEN)}
        assert told(f"{door}/view/graphs", **mine) == {"graphs": ["milk"]}
        for what in ("data", "generation", "source", "search"):
            assert status("GET", f"{door}/view/{what}?graph=shop&q=Cart&path=shop/cart.py", **mine) == 400
        assert "Cart" in told(f"{door}/view/data?graph=milk", **mine)["texts"]


def test_secrets_of_a_graph_that_was_made_without_masking_are_masked(tmp_path: Path) -> None:
    from rpg.encoder.options import options_for

    folder = repository(
        tmp_path / "shop", {"keys.py": f'TOKEN = "{SECRET}"\n\n\ndef alone(a="{SECRET}"):\n    return TOKEN\n'}
    )
    graph = tmp_path / "shop.graph.json"
    encode(folder, graph, options_for(folder)._replace(mask_secrets=False))
    with listening(graph) as (door, _):
        said = [told(f"{door}/view/{what}") for what in ("data", "source?path=keys.py", "search?q=alone")]
    assert SECRET not in json.dumps(said)
    assert "alone" in json.dumps(said)


@needs_browser
def test_the_page_of_a_server_follows_an_edit_and_asks_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))
    folder = repository(tmp_path / "shop", {"shop/prices.py": "def price(item):\n    return item\n"})
    with listening(folder) as (door, _), chromium() as program, browser(program) as found:
        found.open(f"{door}/#/symbol/shop/prices.py")
        found.page.wait_for_selector(".line code")
        write(folder, {"shop/prices.py": "def price(item):\n    return item\n\n\ndef fresh():\n    return price(1)\n"})
        commit(folder)
        found.page.wait_for_selector(".source a:has-text('fresh'), .plain-list a:has-text('fresh')")
        found.go("#/search?q=fresh")
        found.page.wait_for_selector(".hits a:has-text('fresh')")
        assert [url for url in found.requests if not url.startswith((door, "data:"))] == []
        assert found.complaints == []


@needs_browser
def test_a_browser_opens_a_locked_page_with_the_token(locked_door: str) -> None:
    with (
        chromium() as program,
        browser(program, http_credentials={"username": os.environ.get("USER", "me"), "password": TOKEN}) as found,
    ):
        found.open(f"{locked_door}/#/search?q=Cart")
        found.page.wait_for_selector(".hits a:has-text('Cart')")
