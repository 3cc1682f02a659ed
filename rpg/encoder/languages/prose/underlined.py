"""reStructuredText and plain text: a line with a line of one punctuation character below it, at about as long, is a
heading, with or without such a line above. A style is the character, and whether it stands above too; the first style
that is met is the highest level.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.languages.prose import text

Rules = text.Rules

_MARKUP: Final = re.compile(rb"^[ \t]*\.\. [a-z][\w:+.-]*::(?=\s)|(?<![\w`]):[a-z]+:`[^`\s]", re.MULTILINE)
"""A directive or a role."""
_UNDERLINE: Final = re.compile(rb"\n(([!-/:-@\[-`{-~])\2{2,})[ \t]*\r?(?=\n|\Z)")
_LONGEST_TITLE: Final = 300
_SHORTER: Final = 2
"""By how many characters the line may be shorter than its title."""


def choose_language(path: str, source: bytes) -> str:
    """The language that a file of plain text is in: documentation may be reStructuredText by another suffix."""
    may_be = b"::" in source or b":`" in source
    return "restructuredtext" if may_be and _MARKUP.search(source) is not None else "plaintext"


class Lowering(text.Lowering):
    def find_headings(self) -> None:
        source = self.source
        styles: dict[bytes, int] = {}
        before = 0
        for match in _UNDERLINE.finditer(source):
            below = match[1]
            end = match.start()
            begin = source.rfind(b"\n", max(0, end - _LONGEST_TITLE), end) + 1
            if begin < before or (not begin and end > _LONGEST_TITLE):
                continue
            title = source[begin:end].rstrip()
            if not title or below in title or len(below) + _SHORTER < len(title.decode("utf-8", "replace").strip()):
                continue
            start = source.rfind(b"\n", 0, begin - 1) + 1 if begin else 0
            above = source[start:begin].strip()
            if above and above != below:
                continue
            if not above and title[:1] in b" \t":
                continue
            level = styles.setdefault(below[:1] + b"-" if above else below[:1], len(styles) + 1)
            self.add(level, start if above else begin, match.end(), begin, title)
            before = match.end()
