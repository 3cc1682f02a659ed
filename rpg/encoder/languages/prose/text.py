"""Text that no grammar parses: a file as a whole, which refers to nothing.

In: the bytes of a file in no language that rpg parses: configuration, data, other languages. Out: the file. Its words
are counted up to a limit, which is low for data: whatever stands further behind is still found as text. Prose with
headings builds on this (asciidoc.py, underlined.py).
"""

from __future__ import annotations

import re
import sys
from array import array
from typing import Final

from rpg.encoder import languages
from rpg.encoder.languages.configuration.kinds import language_of
from rpg.encoder.languages.prose.sections import Heading, Sections
from rpg.encoder.source_files.contents import is_named_only

_DATA: Final = frozenset(
    ".po .pot .csv .tsv .svg .geojson .ndjson .jsonl .log .map .pem .crt .cer .csr .key .dat .ps .eps .ai .gml .kml"
    " .wkt .prj .gpx .ics .vcf .snap .ambr .out .rtf .pbxproj .hex .srt .vtt .dic .aff .plist .resx .fasta".split()
)
"""Suffixes of files with more entries than anyone asks for by their words."""
_DATA_IF_LARGE: Final = frozenset((".json", ".xml", ".yaml", ".yml"))
_OFFERS: Final = frozenset((".api",))
"""Suffixes of files that list what a library offers, as a build writes them."""
_NOTES: Final = re.compile(r"(?:^|/)(?:changelogs?|newsfragments|releasenotes|release-notes)/(?:[^/]+/)*[^./]+\Z")
"""Notes on changes, in files without a suffix."""
_CONFIGURATION: Final = frozenset(
    ".json .jsonc .json5 .yaml .yml .toml .ini .cfg .conf .properties .env .xml .lock .editorconfig".split()
)
WORDS_BYTES: Final = 32 << 10
DATA_BYTES: Final = 1 << 10
"""How much of a file counts for search by words, and of data."""

_ROLE: Final = re.compile(r":[\w:+.-]+:`([^`]*)`|`+|\*\*|\\(?=\W)")
"""Markup around words of prose."""
_BLANK: Final = re.compile(rb"\r?\n[ \t]*(?:\r?\n[ \t]*)+")
_NO_PARAGRAPH: Final = re.compile(rb"\s|\.\.[ \t]|:[\w -]+:|[-*+|]|//|\[|=|([!-/:-@\[-`{-~])\1{3}")
"""How what is no plain paragraph begins: indented text, directives, fields, lists, tables, adornments."""
_DOC_BYTES: Final = 2000


class Rules(languages.Rules):
    """Text imports nothing and calls nothing."""


def choose_language(path: str, source: bytes) -> str:
    """Some of it configures the repository."""
    return language_of(path, source) or "unparsed"


def is_data(path: str, size: int) -> bool:
    """Whether a file holds data or notes, which name no code by a use."""
    suffix = languages.suffix_of(path)
    if suffix in _OFFERS or is_named_only(path) or _NOTES.search(path) is not None:
        return True
    return suffix in _DATA or (suffix in _DATA_IF_LARGE and size > WORDS_BYTES)


def is_configuration(path: str) -> bool:
    """Whether a file sets options: it may name code, but it defines, raises and catches nothing."""
    return languages.suffix_of(path) in _CONFIGURATION


def count_search_bytes(path: str) -> int:
    """How many bytes of a file count for search by words; of one that is never read, none is left out."""
    if is_named_only(path):
        return sys.maxsize
    return DATA_BYTES if languages.suffix_of(path) in _DATA else WORDS_BYTES


class Lowering(Sections):
    def lower(self) -> None:
        """The whole text."""
        self.find_headings()
        if self.headings:
            self.find_paragraphs()
        self.define_file(self.paragraphs.get(0, ""))
        self.sections(len(self.source))
        if not self.headings:
            self.line_starts = array("i", (0,))  # nobody asks for another line

    def find_headings(self) -> None:
        """Adds them, in a format that has any."""

    def wide(self) -> array[int]:
        """None before a name in its line."""
        return array("i")

    def add(self, level: int, start: int, end: int, begin: int, title: bytes) -> None:
        """A heading, whose title begins at `begin`."""
        name = " ".join(_ROLE.sub(r"\1", title.decode("utf-8", "replace")).split())
        if name:
            self.headings.append(Heading(level, start, end, begin + len(title) - len(title.lstrip()), name))

    def find_paragraphs(self) -> None:
        """The first one behind each heading."""
        starts = [0, *[heading.end for heading in self.headings]]
        ends = [*[heading.start for heading in self.headings], len(self.source)]
        for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
            text = self.source[start : max(start, min(end, start + _DOC_BYTES))].strip(b"\r\n")
            for block in _BLANK.split(text):
                if block and _NO_PARAGRAPH.match(block) is None:
                    self.paragraphs[number] = _ROLE.sub(r"\1", block.decode("utf-8", "replace")).strip()
                    break
