"""Components: what their scripts and templates use is a use like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

import rpg
from rpg.encoder.languages import BY_NAME
from rpg.encoder.parsing.parse import parse

FILES = {
    "src/App.vue": (
        "<template>\n  <main>\n    <cart-row @click=\"clear('é', total)\" />\n  </main>\n</template>\n"
        '<script setup>\nimport CartRow from "./CartRow.vue";\nimport { clear } from "./shop";\n</script>\n'
    ),
    "src/CartRow.vue": "<template><b>é</b></template>\n",
    "src/shop.js": "export function clear() {}\nexport function total() {}\n",
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    rpg.encode(tmp_path)
    return tmp_path


def test_a_function_that_only_a_component_uses_is_used(shop: Path) -> None:
    with rpg.open(shop) as graph:
        [clear] = graph.find_usages(symbol=["clear"]).symbols
        [row] = graph.find_usages(symbol=["src/CartRow.vue::default"]).symbols
    places = [(each.path, usage.site) for each in clear.certain for usage in each.usages]
    assert (places, clear.complete) == ([("src/App.vue", "3:23")], True)
    assert [(each.path, usage.site) for each in row.certain for usage in each.usages] == [("src/App.vue", "3:6")]


@pytest.mark.parametrize("piece", ["<a ", "{{ a", '<a b="', "<p v-for='a of b'>{{ a", "<script>", "{`", "</a>"])
def test_garbage_costs_time_in_proportion_to_its_length(piece: str) -> None:
    source = f"<template>{piece * 20_000}".encode()
    facts = parse("a.vue", BY_NAME["vue"], source)
    assert len(facts.sites) <= len(source)
