"""Page templates in files of their own kind: Jinja, Twig, Nunjucks, Liquid, Handlebars, EJS, JSP, Razor, Go and others.

In: a file. Out: as for HTML, with what stands between the delimiters of templates left out of the markup.

Absent: code in a host language, but for what it names: other templates, filters, tags.
"""

from __future__ import annotations

from typing import ClassVar, Final

from rpg.encoder.languages.declarative.css.rules import Rules
from rpg.encoder.languages.declarative.html.syntax import SPEC, HtmlWalker
from rpg.encoder.languages.declarative.lowering import handlers_of
from rpg.encoder.languages.declarative.spec import Spec
from rpg.encoder.languages.template_code import BLANK, Delimiters, Tag
from rpg.encoder.lowering.node import Node, ParseRegion, pieces_of
from rpg.encoder.lowering.walker import Handlers

__all__ = ["Lowering", "Rules"]

_TAGS: Final = Delimiters(
    Tag(b"{{!--", b"--}}", False), Tag(b"{#", b"#}", False), Tag(b"{{", b"}}"), Tag(b"{%", b"%}"),
    Tag(b"<%--", b"--%>", False), Tag(b"<%", b"%>"), Tag(b"@*", b"*@", False), Tag(b"${", b"}"), end=b"",
)  # fmt: skip


class Lowering(HtmlWalker):
    spec: ClassVar[Spec] = SPEC
    handlers: ClassVar[Handlers] = handlers_of(SPEC)

    def __init__(self, path: str, language: str, source: bytes, parse_region: ParseRegion) -> None:
        super().__init__(path, language, source, pieces_of(parse_region, "html"))

    def lower(self, root: Node | None = None) -> None:
        """The markup without templates, then these."""
        scan = _TAGS.code_of(self.source)
        markup = bytearray(self.source)
        for start, end in [*((start - 2, end + 2) for start, end in scan.pieces), *scan.comments]:
            markup[start:end] = self.source[start:end].translate(BLANK)
        self.hidden = scan.comments
        super().lower(self.parse(bytes(markup)))
        self.comments[:] = sorted({*self.comments, *scan.comments})
