"""Names that tools bind without an import, by the folders of files: after any edit they mean what they mean in a clean
encode."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from edits import edited
from repositories import write

import rpg
from rpg.encoder.languages.ecmascript.auto_imports import component_name
from rpg.encoder.options import Options
from rpg.repository import encode
from rpg.stores.graph_file import graph_file

CASE = Path(__file__).parents[3] / "fixtures/vue/auto_imports"
EDITS = {
    "export": ("web/composables/cart.ts", "function useCart", "function useBasket"),
    "type": ("web/composables/cart.ts", "interface Cart {", "interface Basket {"),
    "default": ("web/utils/money.ts", "export default function", "export function other"),
    "folders": ("web/nuxt.config.ts", "queries/**", "others/**"),
    "use": ("web/pages/index.vue", "<Card />", "<Tile />"),
}


@pytest.mark.parametrize(("path", "old", "new"), EDITS.values(), ids=EDITS)
def test_after_an_edit_the_graph_is_that_of_a_clean_encode(tmp_path: Path, path: str, old: str, new: str) -> None:
    shutil.copytree(CASE, tmp_path / "repo")
    edit = edited(tmp_path, path, old, new)
    assert _edges(edit.after) != _edges(edit.before)


def test_a_component_that_nothing_imports_has_its_uses(tmp_path: Path) -> None:
    root, graph = tmp_path / "repo", tmp_path / "shop.graph.json"
    shutil.copytree(CASE, root)
    encode(root, graph, Options())
    with rpg.open(graph) as opened:
        [component] = opened.find_usages(symbol=["web/components/nav/Button.vue"]).symbols

    assert ([each.path for each in component.certain], component.total) == (["web/pages/index.vue"], {"certain": 2})


def test_folders_of_plugins_are_those_that_the_configuration_names(tmp_path: Path) -> None:
    plugins = """
import Components from 'unplugin-vue-components/vite'
import AutoImport from 'unplugin-auto-import/vite'

export default { plugins: [Components({ dirs: ['src/parts'] }), AutoImport({ dirs: ['./src/stores'] })] }
"""
    component = "<template>\n  <b>1</b>\n</template>\n"
    page = "<script setup>\nuseItems()\nuseOther()\n</script>\n\n<template>\n  <Tile />\n  <Card />\n</template>\n"
    root, graph = tmp_path / "repo", tmp_path / "shop.graph.json"
    write(
        root,
        {
            "vite.config.ts": plugins,
            "src/parts/deep/Tile.vue": component,
            "src/components/Card.vue": component,
            "src/stores/items.ts": "export function useItems() {}\n",
            "src/composables/other.ts": "export function useOther() {}\n",
            "src/Page.vue": page,
        },
    )
    encode(root, graph, Options())

    assert {(source, target) for source, _, target in _edges(graph) if source == "src/Page.vue"} == {
        ("src/Page.vue", "src/parts/deep/Tile.vue::default"),
        ("src/Page.vue", "src/stores/items.ts::useItems"),
        ("src/Page.vue", "src/Page.vue::default"),
    }


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("Card.vue", "Card"),
        ("user-menu.vue", "UserMenu"),
        ("nav/Button.vue", "NavButton"),
        ("nav/NavButton.vue", "NavButton"),
        ("nav/button/Home.vue", "NavButtonHome"),
        ("status/edit/StatusEditHistory.vue", "StatusEditHistory"),
        ("common/dropdown/DropdownItem.vue", "CommonDropdownItem"),
        ("base/index.vue", "Base"),
        ("icon/IconTMDB.vue", "IconTMDB"),
        ("pwa/PwaBadge.client.vue", "PwaBadge"),
        ("navigation/NavBar.vue", "NavigationNavBar"),
    ],
)
def test_a_component_has_the_name_of_its_path(path: str, name: str) -> None:
    assert component_name(path) == name


def _edges(graph: Path) -> set[tuple[str, str, str]]:
    return {(each.source, each.kind, each.target) for each in graph_file.read(graph).edges}
