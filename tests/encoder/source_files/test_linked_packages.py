"""An import through a link to a folder of the repository is not a library's: what it may mean is left open."""

from __future__ import annotations

from pathlib import Path

from repositories import write

from rpg.encoder.encode import encode
from rpg.encoder.options import Options

FILES = {
    "real/__init__.py": "",
    "real/r.py": "def found():\n    return 1\n",
    "use.py": "from linked.r import found\nfrom other.r import lost\n\nfound()\nlost()\n",
}


def test_a_name_imported_through_a_link_is_unresolved(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    (tmp_path / "linked").symlink_to("real")

    places = encode(tmp_path, Options()).graph.places

    assert sorted((place.name, place.line, place.reason) for place in places) == [
        ("found", 4, "unresolved"),
        ("linked.r", 1, "unresolved"),
        ("other.r", 2, "external"),
    ]
