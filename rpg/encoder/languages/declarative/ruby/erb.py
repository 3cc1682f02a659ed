"""ERB: Ruby in the text of another language, as Rails' views have it.

In: an `.erb` file. Out: what its Ruby calls and refers to, at its place in the file: helpers, models, partials. A
variable of the template is local to it; what every template sees are the methods of modules in `helpers/`, and those
that a controller declares with `helper_method`.

Absent: the text around, names of routes, what partials are passed.
"""

from __future__ import annotations

import re
from array import array
from typing import Final

from rpg.encoder.languages.declarative.ruby.rules import Rules
from rpg.encoder.languages.declarative.ruby.syntax import Lowering as RubyLowering
from rpg.encoder.languages.template_code import Delimiters, Tag, line_starts
from rpg.encoder.lowering.node import Node, ParseRegion, pieces_of

__all__ = ["Lowering", "Rules"]

_PARTIAL: Final = re.compile(r"_(\w+)\.")
_LOCALS: Final = re.compile(rb"<%#-?\s*locals:\s*\(([^%]{0,2000})\)")
_LOCAL: Final = re.compile(rb"([a-z_]\w*):")


_TAGS: Final = Delimiters(Tag(b"<%%", b"", False), Tag(b"<%#", b"%>", False), Tag(b"<%", b"%>"), marks=b"=-|")


class Lowering(RubyLowering):
    def __init__(self, path: str, language: str, source: bytes, parse_region: ParseRegion) -> None:
        self.original = source
        code, comments = self.ruby_of(source)
        self.parse_region = parse_region
        super().__init__(path, language, code, pieces_of(parse_region, "ruby"))
        self.line_starts = line_starts(source)
        self.comments = comments

    @staticmethod
    def ruby_of(source: bytes) -> tuple[bytes, list[tuple[int, int]]]:
        """The Ruby of a template, in place, and where its comments are."""
        scan = _TAGS.code_of(source)
        return bytes(scan.code), scan.comments

    def lower(self, root: Node | None = None) -> None:
        """The whole template. Its variables are no names of the file."""
        code = self.source
        self.define_file()
        self.scope = self.function = self.open_scope("lambda", 0, 0, len(code) + 1)
        self.bind_locals()
        if not code.isspace():
            self.through(self.parse_region("ruby", code, 0, len(code)))
        self.comments.sort()

    def bind_locals(self) -> None:
        """What a partial is passed: the variable of its own name, and those that it declares."""
        found = _PARTIAL.match(self.path.rpartition("/")[2])
        if found is not None:
            self.bind(found[1], 0, 0)
        declared = _LOCALS.search(self.original)
        if declared is not None:
            for each in _LOCAL.findall(declared[1]):
                self.bind(each.decode(), 0, 0)

    def wide(self) -> array[int]:
        code, self.source = self.source, self.original
        found = super().wide()
        self.source = code
        return found
