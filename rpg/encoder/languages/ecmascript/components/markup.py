"""Tags of a markup file, and the contents of braces between and within them.

In: bytes. Out: tokens in order, with offsets. Tolerant: anything but a tag is text, and what is not closed extends to
the end. Every byte is looked at a limited number of times.

Absent: which tags match, and what anything means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from rpg.encoder.languages.template_code import FARTHEST, Openings

OPEN: Final = "open"
CLOSE: Final = "close"
BRACES: Final = "braces"
VOID_ELEMENTS: Final = frozenset("area base br col embed hr img input link meta param source track wbr".split())
"""Elements that have no end tag."""

_NEXT: Final = re.compile(rb"<!--|</?[A-Za-z]|\{")
_NAME: Final = re.compile(rb"[^\s/>\"'<=]+")
_BLANK: Final = re.compile(rb"[\s/]*")
_EQUALS: Final = re.compile(rb"\s*=\s*")
_BARE: Final = re.compile(rb"[^\s\"'<>=`]+")
_RAW: Final = {
    "script": re.compile(rb"</script\s*>", re.IGNORECASE),
    "style": re.compile(rb"</style\s*>", re.IGNORECASE),
}
_IN_CODE: Final = re.compile(
    rb"""[{}]|"(?:[^"\\\n]|\\.)*("?)|'(?:[^'\\\n]|\\.)*('?)|`(?:[^`\\]|\\.)*(`?)|//[^\n]*|/\*.*?(\*/|\Z)""", re.DOTALL
)
"""Braces, and what may contain others. The group is empty if it is not closed."""


class Attribute(NamedTuple):
    name: str
    """Empty for braces in place of an attribute."""
    start: int
    name_end: int
    value_start: int
    """Without quotes, with braces; -1 if there is no value."""
    value_end: int


class Token(NamedTuple):
    kind: str
    name: str
    start: int
    end: int
    attributes: tuple[Attribute, ...] = ()
    is_empty: bool = False
    """Whether it is an opening tag that closes itself."""
    content_end: int = -1
    """Where the text of a script or style ends, which begins at `end`."""


class Markup(Openings):
    """Reads one file. `has_code_braces`: one brace opens code; else two do, outside of tags only."""

    def __init__(self, source: bytes, has_code_braces: bool) -> None:
        super().__init__(source)
        self.has_code_braces = has_code_braces
        self.at = 0

    def tokens(self) -> Iterator[Token]:
        source = self.source
        while True:
            found = _NEXT.search(source, self.at)
            if found is None:
                return
            start, text = found.start(), found.group()
            if text == b"<!--":
                end = source.find(b"-->", start + 4)
                if end < 0:
                    return
                self.at = end + 3
            elif text == b"{":
                self.at = start + 1
                if self.has_code_braces:
                    end = self.closing_brace(start)
                else:
                    end = self.find(b"}}", start + 2) if source.startswith(b"{{", start) else -1
                    end += end >= 0
                if end >= 0:
                    self.at = end + 1
                    yield Token(BRACES, "", start, end + 1)
            elif text[1:2] == b"/":
                name = self.name_at(start + 2)
                end = source.find(b">", start)
                self.at = len(source) if end < 0 else end + 1
                yield Token(CLOSE, name, start, self.at)
            else:
                yield self.opening(start)

    def name_at(self, start: int) -> str:
        found = _NAME.match(self.source, start)
        self.at = start if found is None else found.end()
        return "" if found is None else found.group().decode("utf-8", "replace")

    def opening(self, start: int) -> Token:
        source = self.source
        name = self.name_at(start + 1)
        attributes: list[Attribute] = []
        while True:
            blank = _BLANK.match(source, self.at)
            at = self.at if blank is None else blank.end()
            is_empty = at > self.at and source[at - 1 : at] == b"/"
            self.at = at
            following = source[at : at + 1]
            if following in (b">", b"<", b""):
                self.at = at + (following == b">")
                break
            attribute = self.attribute()
            if attribute is not None:
                attributes.append(attribute)
        end = content_end = self.at
        raw = None if is_empty else _RAW.get(name.lower())
        if raw is not None:
            closing = raw.search(source, end)
            content_end = len(source) if closing is None else closing.start()
            self.at = len(source) if closing is None else closing.end()
        return Token(OPEN, name, start, end, tuple(attributes), is_empty, content_end)

    def attribute(self) -> Attribute | None:
        """The attribute that begins here; None for a character that begins none."""
        source, start = self.source, self.at
        if self.has_code_braces and source.startswith(b"{", start):
            end = self.closing_brace(start)
            self.at = start + 1 if end < 0 else end + 1
            return None if end < 0 else Attribute("", start, start, start, end + 1)
        name = self.name_at(start)
        if not name:
            self.at = start + 1
            return None
        name_end = self.at
        equals = _EQUALS.match(source, name_end)
        if equals is None:
            return Attribute(name, start, name_end, -1, -1)
        begin = equals.end()
        quote = source[begin : begin + 1]
        if quote in (b'"', b"'"):
            end = self.closing_quote(begin + 1, quote)
            self.at = min(end + 1, len(source))
            return Attribute(name, start, name_end, begin + 1, end)
        if quote == b"{" and self.has_code_braces:
            end = self.closing_brace(begin)
            if end >= 0:
                self.at = end + 1
                return Attribute(name, start, name_end, begin, end + 1)
        bare = _BARE.match(source, begin)
        self.at = begin if bare is None else bare.end()
        return Attribute(name, start, name_end, begin, self.at)

    def closing_quote(self, start: int, quote: bytes) -> int:
        """Where a quoted value ends; quotes inside of code in braces do not end it."""
        source = self.source
        end = source.find(quote, start)
        while self.has_code_braces and end >= 0:
            brace = source.find(b"{", start, end)
            if brace < 0:
                break
            closing = self.closing_brace(brace)
            start = brace + 1 if closing < 0 else closing + 1
            if start > end:
                end = source.find(quote, start)
        return len(source) if end < 0 else end

    def closing_brace(self, start: int) -> int:
        """Where the brace that opens at `start` closes, past strings and comments; -1 if it does not, or too far
        away."""
        depth, at = 0, start
        source = self.source
        limit = min(len(source), start + FARTHEST)
        while (found := _IN_CODE.search(source, at, limit)) is not None:
            at = found.end()
            text = found.group()
            if text == b"{":
                depth += 1
            elif text == b"}":
                depth -= 1
                if not depth:
                    return found.start()
            elif found.lastindex and not found[found.lastindex]:
                self.read_in_vain(at - found.start())
                at = found.start() + 1
        self.read_in_vain(limit - start)
        return -1
