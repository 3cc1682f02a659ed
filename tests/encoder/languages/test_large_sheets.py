"""Style sheets that people write may be long: what they use is known as in short ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from repositories import write

from rpg.encoder.options import Options
from rpg.repository import encode
from rpg.stores.graph_file import graph_file


@pytest.mark.parametrize("rules", [3, 12_000])
def test_a_long_sheet_uses_what_it_defines(tmp_path: Path, rules: int) -> None:
    lines = "".join(f"p {{ margin: {number}px 0 0; }}\n" for number in range(rules))
    sheet = f":root {{ --accent: red; }}\n.btn {{ color: blue; }}\n{lines}.btn {{ color: var(--accent); }}\n"
    write(tmp_path / "shop", {"app.css": sheet})

    made = tmp_path / "shop.graph.json"
    encode(tmp_path / "shop", made, Options())

    edges = graph_file.read(made).edges
    last = rules + 3
    used = {(each.target, line) for each in edges if each.kind == "references" for line, _ in each.sites}
    assert used == {("app.css::btn", last), ("app.css::--accent", last)}
