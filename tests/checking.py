"""Edits of a small repository, and what `check` says of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from repositories import git, repository

import rpg
from rpg.tools.check import text

Edits = Mapping[str, str | None]
"""By path: the new text of a file; None: it is deleted."""


class Checked:
    """A repository with one commit, whose graph is open."""

    def __init__(self, folder: Path, files: Mapping[str, str]) -> None:
        self.files = dict(files)
        self.root = repository(folder / "shop", {**files})
        rpg.encode(self.root, output=str(folder / "shop.graph.json"))
        self.graph = rpg.open(folder / "shop.graph.json")

    def close(self) -> None:
        self.graph.close()

    def changed(self, path: str, old: str, new: str) -> dict[str, str]:
        """A file with one text in place of another, which it has."""
        assert old in self.files[path]
        return {path: self.files[path].replace(old, new)}

    def answer(self, edits: Edits, **arguments: Any) -> Any:
        """What is said with the work tree edited so; the edits are taken back."""
        with self.edited(edits):
            return self.graph.check(**arguments)

    def broken(self, edits: Edits, **arguments: Any) -> list[str]:
        return [line_of(each) for each in self.answer(edits, **arguments).broken]

    def text(self, edits: Edits, **arguments: Any) -> str:
        return text(self.answer(edits, **arguments))

    @contextmanager
    def edited(self, edits: Edits) -> Iterator[None]:
        try:
            for path, content in edits.items():
                place = self.root / path
                if content is None:
                    place.unlink()
                else:
                    place.parent.mkdir(parents=True, exist_ok=True)
                    place.write_text(content)
            yield
        finally:
            git(self.root, "checkout", "-q", "--", ".")
            git(self.root, "clean", "-fdq")


def line_of(each: Any) -> str:
    """`path:line kind: message (hint)`; what is not certain ends in a question mark."""
    hint = f" ({each.hint})" if each.hint else ""
    return f"{each.path}:{each.line} {each.kind}: {each.message}{hint}{'' if each.certain else '?'}"
