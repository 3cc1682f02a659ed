"""The base of Go's lowering: doc comments above a declaration."""

from __future__ import annotations

from typing import Final

from rpg.encoder.facts import FileFacts
from rpg.encoder.lowering.node import ReadPiece
from rpg.encoder.lowering.walker import Walker

RUN: Final = ("_test.go",)
"""How the files end in which tests are run."""


class GoWalker(Walker):
    def __init__(self, path: str, language: str, source: bytes, parse: ReadPiece) -> None:
        super().__init__(path, language, source, parse)
        self.locals_begin_late = True
        self.is_test_file = path.endswith(RUN)

    def documented(self, start: int) -> tuple[int, str]:
        """The comment lines directly above, up to a blank line."""
        begin = self.comments_above(start)
        return begin, documentation(self.text(begin, start)) if begin < start else ""

    def finish(self) -> FileFacts:
        self.settle(False)
        return super().finish()


def documentation(text: str) -> str:
    """Go doc comments without their markers and directives."""
    lines = []
    for line in text.split("\n"):
        line = line.strip()
        if line.startswith(("//go:", "//nolint")):
            continue
        if line.startswith("/*"):
            line = line[2:]
        line = line.removesuffix("*/")
        lines.append(line.removeprefix("//").removeprefix(" ").rstrip())
    return "\n".join(lines).strip()
