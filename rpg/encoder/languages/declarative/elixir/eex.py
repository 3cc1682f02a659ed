"""EEx and HEEx, the templates of Phoenix: Elixir in the text of a page.

In: a template in a file. Out: what its Elixir and its components call and refer to, at its place in the file. A
template's functions are those of the module that embeds it.

Absent: the text around, assigns, slots.
"""

from __future__ import annotations

from array import array

from rpg.encoder.languages.declarative.elixir.markup import TAGS, Markup, lower_components, markup_code
from rpg.encoder.languages.declarative.elixir.names import templates_of
from rpg.encoder.languages.declarative.elixir.rules import Rules
from rpg.encoder.languages.declarative.elixir.syntax import Lowering as ElixirLowering
from rpg.encoder.languages.template_code import line_starts
from rpg.encoder.lowering.node import Node, ParseRegion, pieces_of

__all__ = ["Lowering", "Rules"]


class Lowering(ElixirLowering):
    def __init__(self, path: str, language: str, source: bytes, parse_region: ParseRegion) -> None:
        self.scan = markup_code(source) if path.endswith((".heex", ".leex")) else Markup(b"")
        scan = self.scan if self.scan.source else TAGS.code_of(source)
        code = bytes(scan.code)
        super().__init__(path, language, code, pieces_of(parse_region, "elixir"))
        self.line_starts = line_starts(source)
        self.comments = scan.comments
        self.original = source
        self.parse_region = parse_region

    def lower(self, root: Node | None = None) -> None:
        """The whole template. Its variables are no names of the file."""
        code = self.source
        self.define_file()
        self.opened = [(each, frozenset()) for each in templates_of(self.path)]
        self.scope = self.function = self.open_scope("lambda", 0, 0, len(code) + 1)
        if not code.isspace():
            self.through(self.parse_region("elixir", code, 0, len(code)))
        lower_components(self, self.scan)
        self.comments.sort()

    def wide(self) -> array[int]:
        code, self.source = self.source, self.original
        found = super().wide()
        self.source = code
        return found
