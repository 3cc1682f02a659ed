"""Text with headings: each becomes a symbol of kind section, nested by level.

In: headings in the order of the text, and the first paragraph behind each. Out: definitions. How a heading is written
is the business of the formats (markdown.py, text.py).
"""

from __future__ import annotations

from typing import NamedTuple

from rpg.encoder.facts import Definition
from rpg.encoder.lowering.builder import Builder


class Heading(NamedTuple):
    level: int
    start: int
    end: int
    name_byte: int
    name: str


class Sections(Builder):
    def __init__(self, path: str, language: str, source: bytes) -> None:
        super().__init__(path, language, source)
        self.headings: list[Heading] = []
        self.paragraphs: dict[int, str] = {}
        """By number of preceding headings: the first paragraph after the last one."""

    def sections(self, size: int) -> list[int]:
        """Defines a symbol for each heading. Returns the definition by the number of headings passed."""
        symbols = [0]
        ends = [size] * len(self.headings)
        later: list[int] = []
        for index in range(len(self.headings) - 1, -1, -1):
            while later and self.headings[later[-1]].level > self.headings[index].level:
                later.pop()
            if later:
                ends[index] = self.headings[later[-1]].start
            later.append(index)
        open_levels: list[tuple[int, int]] = []
        for index, heading in enumerate(self.headings):
            while open_levels and open_levels[-1][0] >= heading.level:
                open_levels.pop()
            parent = open_levels[-1][1] if open_levels else 0
            end = ends[index]
            while end > heading.start + 1 and self.source[end - 1] in b" \t\r\n":
                end -= 1
            definition = self.define(
                Definition(
                    kind="section",
                    name=heading.name,
                    qualified_name=heading.name.replace("::", "."),
                    parent=parent,
                    start_byte=heading.start,
                    end_byte=end,
                    name_byte=heading.name_byte,
                    body_byte=min(heading.end, end),
                    signature=f"{'#' * heading.level} {heading.name}",
                    doc=self.paragraphs.get(index + 1, ""),
                )
            )
            open_levels.append((heading.level, definition))
            symbols.append(definition)
        return symbols
