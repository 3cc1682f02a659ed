"""Markdown: headings become symbols, and names in code format become mentions of whatever they may name.

Roles and directives of Sphinx name code in full (sphinx.py), so do code spans. Fenced code belongs to the text of its
section, and names what it imports (examples.py). Links, HTML and front matter are ignored.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

from rpg.encoder.facts import READ
from rpg.encoder.languages.prose.examples import DocumentRules, Examples, Reader, language_called
from rpg.encoder.languages.prose.sections import Heading, Sections
from rpg.encoder.languages.prose.sphinx import NAME, Named, References
from rpg.encoder.lowering.node import Node

_LEVELS = {f"atx_h{level}_marker": level for level in range(1, 7)} | {
    "setext_h1_underline": 1,
    "setext_h2_underline": 2,
}
_TEXT = frozenset(("inline", "pipe_table_cell"))
_PARTS = frozenset(
    (
        "document", "section", "paragraph", "list", "list_item", "block_quote", "pipe_table", "pipe_table_header",
        "pipe_table_row",
    )
)  # fmt: skip
"""Kinds of nodes with text or headings somewhere inside."""
_SPAN = re.compile(rb"(?<![`\\])(`{1,3})(?!`)(.{1,240}?)(?<!`)\1(?!`)", re.DOTALL)
_MENTION = re.compile(
    r"(?:new |await |class |def |function |func |import )?[@*&]*"
    r"([A-Za-z_$][\w$]*(?:(?:\.|::|#|/|-)[\w$]+)*)"
    r"(?:<[^<>]*>|\[[^\[\]]*\])?(?:\(.*\))?;?",
    re.DOTALL,
)
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_MARKUP = re.compile(r"</?[A-Za-z][^<>]*>|`+|\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|\s+#+\s*$|\{#[^{}]*\}\s*$")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_DEEPEST = 200
"""Limit on blocks open at once. The grammar stores them in 1,024 bytes without checking whether they fit; 254 do, and
more would be written over other memory."""
_WIDE_LINE = re.compile(rb"^[ \t>+*\-0-9.)]{%d}" % (_DEEPEST // 2), re.MULTILINE)
"""No line opens more than two blocks with one character: a tab is as wide as two list items."""
_OPENING = re.compile(rb">|[-+*](?=[ \t]|$)|[0-9][.)](?=[ \t]|$)")
_MENTION_LIMIT = 120
_DOC_LIMIT = 2000


_FENCE: Final = re.compile(rb"(?:\{[\w:-]+\}[ \t]*)?([\w+#-]+)|\{\.?([\w+#-]+)")
"""The language in the info string of a fence, also behind a directive of MyST or in braces."""


class Rules(DocumentRules):
    """Text calls nothing."""


def is_too_deep(source: bytes) -> bool:
    """Whether blocks may be nested beyond what the grammar can hold."""
    lines = source.replace(b"\r", b"\n")
    if _WIDE_LINE.search(lines) is None:
        return False
    depth = 0
    for line in lines.split(b"\n"):
        text = line.lstrip(b" \t>+*-0123456789.)")
        before = line[: len(line) - len(text)]
        opened = len(_OPENING.findall(before))
        if opened:
            # Each block that is open on a line, except those opened there, takes a `>` or two columns before the text.
            columns = before.count(b" ") + 4 * before.count(b"\t")
            depth = max(depth, min(depth + opened, opened + columns // 2))
    return depth > _DEEPEST


class Lowering(Sections):
    def __init__(self, path: str, language: str, source: bytes, read: Reader) -> None:
        super().__init__(path, language, source)
        self.read = read
        self.fences: list[tuple[str, int, int]] = []
        """Language, start and end of code."""
        self.spans: list[tuple[int, int, int]] = []
        """Start and end of text, and the number of headings before it."""

    def lower(self, root: Node) -> None:
        """The whole document."""
        size = len(self.source)
        self.collect(root)
        self.define_file(self.paragraphs.get(0, ""))
        symbols = self.sections(size)
        named, references = Named(self.source), References(self)
        for start, end, before in self.spans:
            self.definition = symbols[before]
            self.mentions(start, end, references)
            for byte, full in named.list_names_in(start, end):
                references.refer(byte, full)
        starts = [heading.start for heading in self.headings]
        for byte, full in named.directives:
            self.definition = symbols[bisect_right(starts, byte)]
            references.refer(byte, full)
        examples = Examples(self)
        for language, start, end in self.fences:
            examples.read(self.read, language, start, end, symbols[bisect_right(starts, start)])

    def collect(self, root: Node) -> None:
        """Headings, paragraphs and text, in the order of the document."""
        pending = [root]
        while pending:
            node = pending.pop()
            kind = node.type
            if kind in _TEXT:
                self.spans.append((node.start_byte, node.end_byte, len(self.headings)))
            elif kind in ("atx_heading", "setext_heading"):
                self.heading(node)
            elif kind == "fenced_code_block":
                self.fence(node)
            elif kind in _PARTS:
                if kind == "paragraph" and len(self.headings) not in self.paragraphs:
                    text = self.plain(node.start_byte, min(node.end_byte, node.start_byte + _DOC_LIMIT))
                    if text:
                        self.paragraphs[len(self.headings)] = text
                pending += reversed(node.named_children)

    def fence(self, node: Node) -> None:
        """Code whose language is said, and followed."""
        language, content = "", None
        for child in node.named_children:
            if child.type == "info_string":
                fence = _FENCE.match(self.source, child.start_byte, child.end_byte)
                language = language_called((fence[1] or fence[2]).decode()) if fence is not None else ""
            elif child.type == "code_fence_content":
                content = child
        if language and content is not None:
            self.fences.append((language, content.start_byte, content.end_byte))

    def heading(self, node: Node) -> None:
        level = 1
        content = None
        for child in node.named_children:
            level = _LEVELS.get(child.type, level)
            if child.type in ("inline", "paragraph"):
                content = child
        if content is None:
            return
        name = " ".join(self.plain(content.start_byte, content.end_byte).split())
        if name:
            written = self.source[content.start_byte : content.end_byte]
            byte = content.start_byte + len(written) - len(written.lstrip())
            self.headings.append(Heading(level, node.start_byte, node.end_byte, byte, name))
            self.spans.append((content.start_byte, content.end_byte, len(self.headings)))

    def plain(self, start: int, end: int) -> str:
        """Text without its markup."""
        text = self.text(start, end)
        return _ESCAPE.sub(r"\1", _MARKUP.sub("", _LINK.sub(r"\1", text))).strip()

    def mentions(self, start: int, end: int, references: References) -> None:
        """Names in code format. All member separators are written as dots; a name that is written with dots may be one
        in full."""
        for match in _SPAN.finditer(self.source, start, end):
            text = match[2].decode("utf-8", "replace").strip()
            named = _MENTION.fullmatch(text) if len(text) <= _MENTION_LIMIT else None
            if named:
                name = named[1].replace("::", ".").replace("#", ".")
                byte = match.start(2) + len(match[2]) - len(match[2].lstrip()) + len(text[: named.start(1)].encode())
                self.site(self.variable(self.string(name), byte), READ)
                full = named[1].encode()
                if b"." in full and not full[:1].isupper() and NAME.fullmatch(full) is not None:
                    references.refer(byte, full)
