"""Angular: markup leads to the classes that it means, also after an edit of either."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from edits import edited

import rpg
from rpg.encoder.options import Options
from rpg.repository import encode
from rpg.stores.graph_file import graph_file

CASE = Path(__file__).parents[3] / "fixtures/typescript/angular_components"
EDITS = {
    "class": ("menu.component.ts", "class RowComponent", "class LineComponent"),
    "directive": ("menu.component.ts", "class HiddenDirective", "class AwayDirective"),
    "selector": ("menu.component.ts", '"app-row"', '"app-line"'),
    "pipe": ("menu.component.ts", '"money"', '"price"'),
    "member": ("menu.component.ts", "  isOpen =", "  isShown ="),
    "inline-template": ("menu.component.ts", "chosen(item", "close(item"),
    "template": ("row.component.html", "shopShown", "shopHidden"),
    "element": ("row.component.html", "<other-thing>", "<app-row>"),
    "file": ("menu.component.ts", "./row.component.html", "./none.html"),
}


@pytest.mark.parametrize(("path", "old", "new"), EDITS.values(), ids=EDITS)
def test_after_an_edit_the_graph_is_that_of_a_clean_encode(tmp_path: Path, path: str, old: str, new: str) -> None:
    shutil.copytree(CASE, tmp_path / "repo")
    edited(tmp_path, path, old, new)


def test_what_only_templates_use_is_used(tmp_path: Path) -> None:
    root, graph = tmp_path / "repo", tmp_path / "shop.graph.json"
    shutil.copytree(CASE, root)
    encode(root, graph, Options())
    with rpg.open(graph) as opened:
        [handler] = opened.find_usages(symbol=["MenuComponent.chosen"]).symbols
        [directive] = opened.find_usages(symbol=["HiddenDirective"]).symbols
        [close] = opened.find_usages(symbol=["MenuComponent.close"]).symbols

    assert handler.total == {"certain": 1}
    assert [each.path for each in directive.certain] == ["menu.component.ts", "row.component.html"]
    assert close.total == {}


def test_an_edited_name_of_a_class_moves_what_markup_means(tmp_path: Path) -> None:
    root, kept = tmp_path / "repo", tmp_path / "kept.graph.json"
    shutil.copytree(CASE, root)
    encode(root, kept, Options())
    menu = root / "menu.component.ts"
    menu.write_text(menu.read_text().replace("HiddenDirective", "AwayDirective"))
    encode(root, kept, Options())
    targets = {each.target for each in graph_file.read(kept).edges if each.source == "row.component.html"}

    assert "menu.component.ts::AwayDirective" in targets
