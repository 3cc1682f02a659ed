"""The page of a repository, as a file: what is in it, what it may do, what is left out."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode, b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from repositories import repository

from rpg.cli import run
from rpg.encoder.options import options_for
from rpg.repository import encode

HOSTILE = "</script><img src=x onerror=hacked()>"
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
FILES: dict[str, str | bytes] = {
    "shop/prices.py": f'''"""{HOSTILE}"""\n\n\ndef price(item):\n    """{HOSTILE}"""\n    return item\n''',
    "shop/orders.py": "from shop.prices import price\n\n\ndef order(items):\n    return [price(items)]\n",
    "shop/keys.py": f'TOKEN = "{SECRET}"\n\n\ndef alone():\n    return TOKEN\n',
    "tests/test_orders.py": "from shop.orders import order\n\n\ndef test_order():\n    assert order([1]) == [1]\n",
    f"{HOSTILE.replace('/', '-')}.md": f"# {HOSTILE}\n\n{HOSTILE}\n",
}


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

        self.inside = tag

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.texts.setdefault(self.inside, []).append(data)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = repository(tmp_path / "shop", FILES)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("RPG_GRAPH", raising=False)
    return folder


def page_of(folder: Path, *arguments: str) -> str:
    file = folder.parent / "page.html"
    assert run(["encode"]) == 0
    assert run(["view", "-o", str(file), "--force", *arguments]) == 0
    return file.read_text()


def blocks(page: str) -> dict[str, Any]:
    found = re.findall(r'<script type="text/plain" id="([^"]+)">([^<]*)</script>', page)
    return {name: json.loads(gzip.decompress(b64decode(text))) for name, text in found}


def sources(page: str) -> dict[str, str]:
    return {
        path: text for name, found in blocks(page).items() if name.startswith("block-") for path, text in found.items()
    }


@pytest.mark.invariant("pages", "A page runs only the scripts in it, and asks nobody for anything")
def test_a_page_admits_its_own_scripts_by_hash_and_no_host(shop: Path) -> None:
    tags = Tags(page_of(shop))
    policy = next(attrs["content"] or "" for tag, attrs in tags.found if attrs.get("http-equiv"))
    allowed = dict(each.strip().split(" ", 1) for each in policy.split(";"))
    assert allowed["default-src"] == allowed["connect-src"] == allowed["base-uri"] == allowed["form-action"] == "'none'"
    assert "unsafe" not in policy
    assert "http" not in policy
    scripts = [text for text in tags.texts["script"] if len(text) > 1000 and " " in text]
    assert len(scripts) == 2
    for text in scripts:
        assert f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" in allowed["script-src"]
    for text in tags.texts["style"]:
        assert f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" in allowed["style-src"]
    assert [
        attrs for _, attrs in tags.found if attrs.get("src") or str(attrs.get("href", "data:"))[:5] != "data:"
    ] == []


def test_nothing_that_a_repository_says_becomes_a_tag_or_a_script(shop: Path) -> None:
    page = page_of(shop)
    assert HOSTILE not in page
    assert "hacked" not in page
    assert HOSTILE in sources(page)["shop/prices.py"]
    assert [tag for tag, _ in Tags(page).found if tag == "img"] == []


def test_scripts_never_write_markup() -> None:
    from rpg.queries.view.page import script

    assert re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", script()) == []


def test_the_same_graph_has_the_same_page(shop: Path) -> None:
    assert page_of(shop) == page_of(shop)


def test_a_page_has_symbols_edges_lists_and_what_no_test_reaches(shop: Path) -> None:
    data = blocks(page_of(shop))["data"]
    names = [data["texts"][number] for number in data["symbols"]["name"]]
    assert {"price", "order", "alone", "test_order"} <= set(names)
    assert [names[number] for number in data["marks"]["untested"]] == ["alone"]
    unused = {each["what"]: each["confidence"] for each in data["lists"]["unused"]["entries"]}
    assert unused == {"shop/keys.py::alone": "certain", "shop/orders.py::order": "likely"}
    assert len(data["edges"]["source"]) == len(data["edges"]["target"]) == len(data["edges"]["kind"]) > 0


def test_secrets_of_a_graph_that_was_made_without_masking_are_masked(shop: Path) -> None:
    graph = shop / ".rpg" / "shop.graph.json"
    graph.parent.mkdir()
    encode(shop, graph, options_for(shop)._replace(mask_secrets=False))
    assert run(["view", "-g", str(graph), "-o", "page.html"]) == 0
    found = blocks((shop / "page.html").read_text())
    assert SECRET not in json.dumps(found)
    assert "*" * 10 in found["block-0"]["shop/keys.py"]


def test_what_does_not_fit_is_left_out_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from random import Random

    noise = Random(1)
    big = "\n".join(f"# {noise.random()}" for n in range(12_000)) + "\n"
    names = [f"part_{n}.py" for n in range(8)]
    folder = repository(
        tmp_path / "big", dict.fromkeys(names, big) | {"tests/test_big.py": "def test_one():\n    pass\n"}
    )
    monkeypatch.chdir(folder)
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))
    page = page_of(folder, "--megabytes", "1.6")
    assert len(page.encode()) <= 1_600_000
    left = blocks(page)["sources"]["leftOut"]
    assert left
    assert sorted([*left, *sources(page)]) == sorted([*names, "tests/test_big.py"])


def test_a_file_that_is_there_is_kept(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page_of(shop)
    (shop.parent / "page.html").write_text("mine")
    assert run(["view", "-o", "../page.html"]) == 2
    assert (shop.parent / "page.html").read_text() == "mine"
    assert "--force" in capsys.readouterr().err
