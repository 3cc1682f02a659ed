"""AsciiDoc: lines that begin with `=` are headings, their number is the level. In listings there are none."""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.languages.prose import text

Rules = text.Rules

_LINE: Final = re.compile(rb"^(?:(={1,6})[ \t]+(\S[^\n]{0,300})|(-{4,}|\.{4,}|\+{4,}))[ \t]*\r?$", re.MULTILINE)
"""A heading, or the line around a listing."""


class Lowering(text.Lowering):
    def find_headings(self) -> None:
        fence = b""
        for match in _LINE.finditer(self.source):
            if match[3] is None:
                if not fence:
                    self.add(len(match[1]), match.start(), match.end(), match.start(2), match[2].rstrip(b"= \t\r"))
            elif fence in (b"", match[3]):
                fence = b"" if fence else match[3]
