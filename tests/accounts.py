"""What tests ask of the account that a list of uses ends in."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from repositories import write

import rpg
from rpg.queries.usages.find_usages import SymbolUsages


def lines_left(found: SymbolUsages) -> list[str]:
    """`path:line` of the places that may mean a symbol although no edge says so."""
    return [place.site.rpartition(":")[0] for place in found.left]


def usages(root: Path, *names: str, **arguments: Any) -> Any:
    with rpg.open(root.parent / "made.graph.json") as graph:
        return graph.find_usages(symbol=list(names), **arguments)


def encoded(root: Path, files: dict[str, str | bytes]) -> Path:
    commit(write(root / "shop", files))
    rpg.encode(root / "shop", output=str(root / "made.graph.json"))
    return root / "shop"


def commit(root: Path) -> Path:
    for arguments in (["init", "-q"], ["add", "-A"], ["-c", "user.name=x", "-c", "user.email=x", "commit", "-qm", "x"]):
        subprocess.run(["git", *arguments], cwd=root, check=True)
    return root
