"""Where Ruby is in Haml and Slim, whose lines are nested by their indentation.

In: a template. Out: its Ruby in place, with the ends of blocks behind it: what is in a block, and what is behind one,
may be taken to be in it, as no name depends on that.

Absent: attributes of Haml in parentheses, filters but those of Ruby.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.languages.template_code import Scan

_INTERPOLATED: Final = re.compile(rb"#\{")
_KEYWORD: Final = re.compile(rb"\s*(?:if|unless|elsif|else|while|until|case|when|begin|rescue|ensure|end)\b")
_OPENS: Final = re.compile(rb"\bdo\s*(?:\|[^|\n]*\|)?\s*$")
_FOR: Final = re.compile(rb"\s*for\s")
_CLOSING: Final = {40: 41, 91: 93, 123: 125}
_HAML_TAG: Final = re.compile(rb"(?:[%.][\w:.@-]+|#[\w:-]+)+")
_HAML_MARK: Final = re.compile(rb"[<>/]*(?P<code>(?:!|&)?==?|~)?")
_SLIM_TAG: Final = re.compile(rb"(?:[A-Za-z][\w:-]*\w|[A-Za-z]|[.#*][\w-]+)(?:[.#][\w-]+)*")
_SLIM_ATTRIBUTE: Final = re.compile(rb"[ \t]+(?P<name>[\w:@.-]+)[ \t]*(?P<equal>==?)[ \t]*(?=\S)|[ \t]*\*")
_BEHIND_TAG: Final = re.compile(rb"\s*(?:(?P<code>=[=<>]*)|:[ \t]*)")
_FILTER: Final = re.compile(rb":(\w+)\s*$")
_ENGINE: Final = re.compile(rb"(\w+):\s*$")


class _Indented(Scan):
    def __init__(self, source: bytes) -> None:
        super().__init__(source)
        self.opened = 0
        """Blocks that nothing closes."""

    def statement(self, start: int, end: int) -> None:
        """Code up to the end of a line."""
        if start > 0:
            self.put(start - 1, b";")
        self.copy(start, end)
        keyword = _KEYWORD.match(self.source, start, end)
        if keyword is not None:
            self.put(start, b" " * (keyword.end() - start))
        elif _FOR.match(self.source, start, end) is not None:
            self.opened += 1
        if _OPENS.search(self.source, start, end) is not None:
            self.opened += 1

    def expression(self, start: int, end: int, around: bytes = b"") -> None:
        """A piece of a line; `around`: what is written in place of what encloses it."""
        before = start - 2
        if before >= 0 and self.is_blank(before):
            self.put(before, b";")
        self.copy(start, end)
        self.put(start - 1, around[:1] or b" ")
        self.put(end, around[1:] or b";")

    def text(self, start: int, end: int) -> None:
        """`text #{expression}`"""
        at = start
        while True:
            found = _INTERPOLATED.search(self.source, at, end)
            if found is None:
                return
            stop = self.closing_of(found.end() - 1, 125)
            if stop < 0:
                return
            self.expression(found.end(), stop)
            at = stop + 1

    @property
    def ended(self) -> tuple[bytes, list[tuple[int, int]]]:
        return bytes(self.code) + b"\n;end" * self.opened, self.comments


def _lines(source: bytes) -> list[tuple[int, int, int]]:
    """Indentation, start and end of each line."""
    found = []
    at = 0
    for line in source.split(b"\n"):
        text = line.rstrip(b"\r")
        found.append((len(text) - len(text.lstrip(b" \t")), at, at + len(text)))
        at += len(line) + 1
    return found


def _whole(scan: _Indented, lines: list[tuple[int, int, int]], number: int, start: int) -> int:
    """Code that goes on in the next lines where one ends with a comma. Returns the number of the next line."""
    is_open = True
    while number + 1 < len(lines):
        text = scan.source[max(start, lines[number][1]) : lines[number][2]].rstrip()
        is_open = text.endswith((b",", b"\\")) if text else is_open and lines[number][1] > start
        if not is_open:
            break
        number += 1
    scan.statement(start, lines[number][2])
    return number + 1


def _find_end_of_nested(lines: list[tuple[int, int, int]], number: int) -> int:
    """The number of the first line behind one and those within it."""
    depth, at = lines[number][0], number + 1
    while at < len(lines) and (lines[at][0] > depth or lines[at][1] + lines[at][0] == lines[at][2]):
        at += 1
    return at


def _comment(scan: _Indented, lines: list[tuple[int, int, int]], number: int) -> int:
    """A comment, with the lines within it."""
    behind = _find_end_of_nested(lines, number)
    scan.comments.append((lines[number][1] + lines[number][0], lines[behind - 1][2]))
    return behind


def haml_code(source: bytes) -> tuple[bytes, list[tuple[int, int]]]:
    scan = _Indented(source)
    lines = _lines(source)
    number = 0
    while number < len(lines):
        indentation, start, end = lines[number]
        at = start + indentation
        first = source[at : at + 1]
        named = _FILTER.match(source, at, end)
        if source.startswith(b"-#", at) or (first == b"/" and source[at + 1 : end].strip() == b""):
            number = _comment(scan, lines, number)
        elif named is not None:
            behind = _find_end_of_nested(lines, number)
            for _, begin, stop in lines[number + 1 : behind]:
                scan.copy(begin, stop) if named[1] == b"ruby" else scan.text(begin, stop)
            number = behind
        elif first in (b"-", b"=", b"~") or source[at : at + 2] in (b"!=", b"&="):
            code = at + 1
            while source[code : code + 1] == b"=":
                code += 1
            number = _whole(scan, lines, number, code)
        elif first in (b"%", b".") or (first == b"#" and source[at + 1 : at + 2] != b"{"):
            number = _haml_tag(scan, lines, number, at)
        else:
            scan.text(at, end)
            number += 1
    return scan.ended


def _haml_tag(scan: _Indented, lines: list[tuple[int, int, int]], number: int, at: int) -> int:
    source = scan.source
    tag = _HAML_TAG.match(source, at)
    if tag is None:
        return number + 1
    at = tag.end()
    while source[at : at + 1] in (b"{", b"[", b"("):
        stop = scan.closing_of(at, _CLOSING[source[at]])
        if stop < 0:
            return number + 1
        if source[at] != 40:
            scan.expression(at + 1, stop, b"[]")
        at = stop + 1
        while number + 1 < len(lines) and lines[number][2] < at:
            number += 1
    mark = _HAML_MARK.match(source, at)
    at = mark.end() if mark is not None else at
    if mark is not None and mark["code"]:
        return _whole(scan, lines, number, at)
    scan.text(at, lines[number][2])
    return number + 1


def slim_code(source: bytes) -> tuple[bytes, list[tuple[int, int]]]:
    scan = _Indented(source)
    lines = _lines(source)
    number = 0
    while number < len(lines):
        indentation, start, end = lines[number]
        at = start + indentation
        first = source[at : at + 1]
        engine = _ENGINE.match(source, at, end)
        if first == b"/":
            number = _comment(scan, lines, number)
        elif engine is not None or first in (b"|", b"'", b"<"):
            behind = _find_end_of_nested(lines, number)
            for _, begin, stop in lines[number:behind]:
                is_code = engine is not None and engine[1] == b"ruby" and begin != start
                scan.copy(begin, stop) if is_code else scan.text(begin, stop)
            number = behind
        elif first in (b"-", b"="):
            code = at + 1
            while source[code : code + 1] in (b"=", b"<", b">"):
                code += 1
            number = _whole(scan, lines, number, code)
        else:
            number = _slim_tag(scan, lines, number, at)
    return scan.ended


def _slim_tag(scan: _Indented, lines: list[tuple[int, int, int]], number: int, at: int) -> int:
    source, end = scan.source, lines[number][2]
    while True:
        tag = _SLIM_TAG.match(source, at, end)
        if tag is None:
            scan.text(at, end)
            return number + 1
        at = tag.end()
        if source[at : at + 1] in (b"[", b"(", b"{"):
            stop = scan.closing_of(at, _CLOSING[source[at]])
            if stop < 0:
                return number + 1
            _slim_attributes(scan, at, stop)
            at = stop + 1
            while number + 1 < len(lines) and lines[number][2] < at:
                number += 1
            end = lines[number][2]
        else:
            at = _slim_attributes(scan, at, end)
        behind = _BEHIND_TAG.match(source, at, end)
        if behind is None:
            scan.text(at, end)
            return number + 1
        at = behind.end()
        if behind["code"]:
            return _whole(scan, lines, number, at)
        if at >= end:
            return number + 1


def _slim_attributes(scan: _Indented, at: int, end: int) -> int:
    """`href=path_of(cart) class="a #{b}"`. Returns where they end."""
    source = scan.source
    while True:
        found = _SLIM_ATTRIBUTE.match(source, at + (source[at] in b"[({"), end) if at < end else None
        if found is None and at < end and source[at] in b"[({":
            found = re.compile(rb"(?P<name>[\w:@.-]+)(?P<equal>==?)").match(source, at + 1, end)
        if found is None:
            return at
        start = found.end()
        stop = _value_end(scan, start, end)
        if source[start : start + 1] in (b'"', b"'"):
            scan.text(start, stop)
        else:
            if start > 0:
                scan.put(start - 1, b";")
            scan.copy(start, stop)
        at = stop


def _value_end(scan: _Indented, at: int, end: int) -> int:
    """Where the value of an attribute ends: at a blank outside brackets and strings."""
    source = scan.source
    while at < end:
        byte = source[at]
        if byte in _CLOSING:
            stop = scan.closing_of(at, _CLOSING[byte])
            if stop < 0 or stop >= end:
                return end
            at = stop
        elif byte in b"\"'":
            stop = source.find(bytes((byte,)), at + 1, end)
            if stop < 0:
                return end
            at = stop
        elif byte in b" \t":
            return at
        at += 1
    return end
