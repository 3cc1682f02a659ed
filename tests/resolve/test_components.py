"""Components: what their scripts and templates use is a use like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

import rpg
from rpg.encoder.languages import BY_NAME
from rpg.encoder.parsing.parse import parse
from rpg.encoder.unparsable import Unparsable

FILES = {
    "src/App.vue": (
        "<template>\n  <main>\n    <cart-row @click=\"clear('é', total)\" />\n  </main>\n</template>\n"
        '<script setup>\nimport CartRow from "./CartRow.vue";\nimport { clear } from "./shop";\n</script>\n'
    ),
    "src/CartRow.vue": "<template><b>é</b></template>\n",
    "src/shop.js": "export function clear() {}\nexport function total() {}\n",
}
SVELTE = {
    "App.svelte": (
        '<script>\n  import Row from "./Row.svelte";\n  import { clear, stock } from "./shop";\n'
        '  import main from "./main"; main;\n</script>{#each $stock as {é}}\n'
        "<Row on:click={() => clear(é)} />{/each}\n"
    ),
    "Row.svelte": "<b>é</b>\n",
    "Late.svelte": "<b>é</b>\n",
    "shop.js": "export function clear() {}\nexport const stock = make();\n",
    "main.js": "export default {\n  routes: { late: () => import('./Late.svelte') },\n};\n",
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    rpg.encode(tmp_path)
    return tmp_path


@pytest.mark.invariant(
    "edges",
    "uses in a component's script and template are uses like any other, at their lines of the file",
)
def test_a_function_that_only_a_component_uses_is_used(shop: Path) -> None:
    with rpg.open(shop) as graph:
        [clear] = graph.find_usages(symbol=["clear"]).symbols
        [row] = graph.find_usages(symbol=["src/CartRow.vue::default"]).symbols
    places = [(each.path, usage.site) for each in clear.certain for usage in each.usages]
    assert (places, clear.complete) == ([("src/App.vue", "3:23")], True)
    assert [(each.path, usage.site) for each in row.certain for usage in each.usages] == [("src/App.vue", "3:6")]


def test_a_function_that_only_markup_of_svelte_uses_is_used(tmp_path: Path) -> None:
    for path, text in SVELTE.items():
        (tmp_path / path).write_text(text, "utf-8")
    rpg.encode(tmp_path)
    with rpg.open(tmp_path) as graph:
        names = ["clear", "stock", "Row.svelte::default", "Late.svelte::default", "main.js::default"]
        answers = [graph.find_usages(symbol=[name]).symbols[0] for name in names]
    sites = [[(each.path, usage.site) for each in answer.certain for usage in each.usages] for answer in answers]
    assert sites == [
        [("App.svelte", "6:22")],
        [("App.svelte", "5:18")],
        [("App.svelte", "6:2")],
        [("main.js", "2:32")],
        [("App.svelte", "4:30")],
    ]
    assert all(answer.complete for answer in answers)


@pytest.mark.parametrize("language", ["vue", "svelte", "astro"])
@pytest.mark.parametrize(
    "piece", ["<a ", "{{ a", '<a b="', "<p v-for='a of b'>{{ a", "<script>", "{`", "</a>", "{#if a}", "{#each a as b}"]
)
def test_garbage_costs_time_in_proportion_to_its_length(language: str, piece: str) -> None:
    source = f"<template>{piece * 20_000}".encode()
    try:
        facts = parse(f"a.{language}", BY_NAME[language], source)
    except Unparsable:
        assert "{" in piece
        assert language != "vue"
    else:
        assert len(facts.sites) <= len(source)
