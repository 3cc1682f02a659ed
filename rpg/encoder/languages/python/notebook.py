"""Notebooks: Python in cells.

In: an `.ipynb` file. Out: its cells as sections below the headings before them, and the code of all cells, in order, as
one module. A position is a line and a column of the file as it lies on disk, where each line of a cell has a line of
its own. What a cell's code refers to comes from that cell.

Absent: outputs, commands of IPython, notebooks in other languages, which are text.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import MAKER, SITE_WORDS, Definition, FileFacts
from rpg.encoder.languages.python.cells import BLANK, Cell, cells_of, code_of
from rpg.encoder.languages.python.imports import mark_exported
from rpg.encoder.languages.python.lowering import Lowering as PythonLowering
from rpg.encoder.languages.python.rules import Rules
from rpg.encoder.lowering.node import Node, ParseRegion, pieces_of

__all__ = ["Lowering", "Rules", "choose_language", "extract_search_text"]

_HEADING: Final = re.compile(r"^(#{1,6})[ \t]+(.+?)[ \t#]*$", re.MULTILINE)
_NO_HEADING: Final = 7
_DOC_LIMIT: Final = 2000
_ESCAPED: Final = re.compile(rb"\\[nrt\"\\/]")


def choose_language(path: str, source: bytes) -> str:
    """The language that an `.ipynb` file is in."""
    return "notebook" if cells_of(source) else "unparsed"


def extract_search_text(source: bytes) -> bytes:
    """What search by words reads, in place: the text of the cells."""
    text = bytearray(source.translate(BLANK))
    for cell in cells_of(source):
        for start, end in cell.lines:
            text[start:end] = _ESCAPED.sub(b"  ", source[start:end])
    return bytes(text)


class Lowering(PythonLowering):
    def __init__(self, path: str, language: str, source: bytes, parse_region: ParseRegion) -> None:
        cells = cells_of(source)
        self.original = source
        self.cells = cells
        self.parse_region = parse_region
        super().__init__(
            path,
            language,
            bytes(code_of(source, cells)),
            pieces_of(parse_region, "python"),
        )
        starts = [0]
        at = source.find(b"\n")
        while at >= 0:
            starts.append(at + 1)
            at = source.find(b"\n", at + 1)
        self.line_starts = array("i", starts)
        self.cell_starts: list[int] = []
        self.cell_sections: list[int] = []

    def lower(self, root: Node | None = None) -> None:
        """The whole notebook."""
        self.define_file()
        ends = self.ends_of_sections()
        open_levels: list[tuple[int, int]] = []
        for number, cell in enumerate(self.cells):
            if not cell.lines:
                continue
            start, end = cell.lines[0][0], cell.lines[-1][1]
            level, name = self.heading(cell)
            while open_levels and open_levels[-1][0] >= level:
                open_levels.pop()
            section = self.section(cell, number, name, open_levels[-1][1] if open_levels else 0, ends[number])
            if level < _NO_HEADING:
                open_levels.append((level, section))
            self.cell_starts.append(start)
            self.cell_sections.append(section)
            if cell.kind == "code" and not self.source[start:end].isspace():
                for child in self.parse_region("python", self.source, start, end + 1).named_children:
                    self.walk(child)
        mark_exported(self)

    def ends_of_sections(self) -> list[int]:
        """Where each cell's section ends: that of a heading before the next heading that is no lower."""
        ends = [0] * len(self.cells)
        later: list[tuple[int, int]] = []
        last = 0
        for number in range(len(self.cells) - 1, -1, -1):
            cell = self.cells[number]
            if not cell.lines:
                continue
            last = last or cell.lines[-1][1]
            level, _ = self.heading(cell)
            ends[number] = cell.lines[-1][1]
            if level < _NO_HEADING:
                while later and later[-1][0] > level:
                    later.pop()
                ends[number] = max(ends[number], self.end_before(later[-1][1]) if later else last)
                later.append((level, number))
        return ends

    def end_before(self, number: int) -> int:
        """Where the last cell with text before a cell ends."""
        for cell in reversed(self.cells[:number]):
            if cell.lines:
                return cell.lines[-1][1]
        return 0

    def heading(self, cell: Cell) -> tuple[int, str]:
        """The level and name of the heading in a cell of text."""
        found = _HEADING.search(self.text_of_cell(cell)) if cell.kind == "markdown" else None
        return (len(found[1]), " ".join(found[2].split())) if found is not None else (_NO_HEADING, "")

    def text_of_cell(self, cell: Cell) -> str:
        text = b"".join([self.original[start:end] for start, end in cell.lines])[:_DOC_LIMIT]
        plain = text.replace(b"\\n", b"\n").replace(b'\\"', b'"').replace(b"\\\\", b"\\")
        return plain.decode("utf-8", "replace")

    def section(self, cell: Cell, number: int, name: str, parent: int, end: int) -> int:
        text = self.text_of_cell(cell).strip()
        name = name or f"cell {number + 1}"
        start = cell.lines[0][0]
        return self.define(
            Definition(
                kind="section",
                name=name,
                qualified_name=name.replace("::", "."),
                parent=parent,
                start_byte=start,
                end_byte=max(end, start + 1),
                name_byte=start,
                body_byte=max(end, start + 1),
                signature=" ".join(text.partition("\n")[0].split())[:200],
                doc=text if cell.kind == "markdown" else "",
            )
        )

    def finish(self) -> FileFacts:
        sites = self.sites
        for at in range(0, len(sites), SITE_WORDS):
            if not sites[at + MAKER]:
                cell = bisect_right(self.cell_starts, self.code[sites[at] + op.BYTE]) - 1
                sites[at + MAKER] = self.cell_sections[cell] if cell >= 0 else 0
        return super().finish()

    def wide(self) -> array[int]:
        code, self.source = self.source, self.original
        found = super().wide()
        self.source = code
        return found
