"""The cells of a notebook, at their places in its file.

In: the bytes of an `.ipynb` file. Out: its cells with the lines of their text, as ranges of bytes; and the code of all
cells in bytes of the same length, so that a position in it is one in the file: everything else is blank, and what an
escape takes besides its character is filled with blanks where Python takes no notice of them. Lines for IPython
(`%magic`, `!command`, `help?`) are blank, too. One look at the file, in linear time.

Absent: outputs, and notebooks of version 3.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_TOKEN: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]|[^\s{}\[\]",:]+|"', re.DOTALL)
_ESCAPE: Final = re.compile(rb'(?:\\")+|(?:\\\\)+|\\u[0-9a-fA-F]{4}|\\.', re.DOTALL)
_MAGIC: Final = re.compile(rb"\s*(?:%{1,2}[A-Za-z]|!|\?)|\s*[\w.]+\?{1,2}\s*$")
_TIMED: Final = re.compile(rb"%time(?:it)?\s+(?=[\w(\[{])")
_ASSIGNED_MAGIC: Final = re.compile(rb"\s*[\w.,\s]+=\s*(?=!|%[A-Za-z])")
_OF_PYTHON: Final = frozenset((b"%%time", b"%%timeit", b"%%capture", b"%%prun", b"%%memit"))
"""Magics of cells that are Python all the same."""
_PREFIX: Final = re.compile(rb"[A-Za-z]")
BLANK: Final = bytes([each if each == 10 else 32 for each in range(256)])
"""What everything but code is written as."""
_DEEPEST: Final = 100


class Cell(NamedTuple):
    kind: str
    """code, markdown, raw."""
    lines: tuple[tuple[int, int], ...]
    """The strings that its text is made of, between their quotes."""


def cells_of(source: bytes) -> list[Cell]:
    """The cells of a notebook of version 4 or later in Python; none if it is no such notebook."""
    if not source.lstrip().startswith(b"{"):
        return []
    path: list[bytes] = []
    """The keys around, `*` for a list; one for each open bracket."""
    key = b""
    found: list[Cell] = []
    kind = b""
    lines: list[tuple[int, int]] = []
    version = language = b""
    expects_value = False
    for each in _TOKEN.finditer(source):
        token = each.group()
        if token == b'"':
            return []
        if token in (b"{", b"["):
            if len(path) >= _DEEPEST:
                return []
            path.append(key if path else b"")
            if token == b"[":
                path[-1] += b"*"
            if len(path) == 3:
                kind, lines = b"", []
            expects_value = token == b"["
            key = b""
        elif token in (b"}", b"]"):
            if not path:
                return []
            if len(path) == 3 and path[1] == b"cells*" and kind:
                found.append(Cell(kind.decode("utf-8", "replace"), tuple(lines)))
            path.pop()
            expects_value = bool(path) and path[-1].endswith(b"*")
            key = b""
        elif path and path[-1].endswith(b"*"):
            if len(path) == 4 and path[3] == b"source*" and path[1] == b"cells*" and token[:1] == b'"':
                lines.append((each.start() + 1, each.end() - 1))
        elif not expects_value:
            key = token[1:-1] if token[:1] == b'"' else b""
            expects_value = True
        else:
            expects_value = False
            if len(path) == 1 and key == b"nbformat":
                version = token
            elif token[:1] != b'"':
                pass
            elif key in (b"language", b"name") and path[1:] in (
                [b"metadata", b"kernelspec"],
                [b"metadata", b"language_info"],
            ):
                language = language or (token[1:-1] if key == b"language" or path[-1] == b"language_info" else b"")
            elif len(path) == 3 and path[1] == b"cells*":
                if key == b"cell_type":
                    kind = token[1:-1]
                elif key == b"source":
                    lines.append((each.start() + 1, each.end() - 1))
            key = b""
    is_notebook = not path and version in (b"4", b"5")
    return found if is_notebook and language.lower() in (b"", b"python", b"ipython") else []


def code_of(source: bytes, cells: list[Cell]) -> bytearray:
    """The code of all cells, in place."""
    written = bytearray(source.translate(BLANK))
    for cell in cells:
        if cell.kind == "code" and is_python(source, cell):
            quotes = _Quotes()
            for number, (start, end) in enumerate(cell.lines):
                following = cell.lines[number + 1][0] if number + 1 < len(cell.lines) else -1
                write_line(source, written, start, end, following, quotes)
    return written


def is_python(source: bytes, cell: Cell) -> bool:
    """Whether no magic makes a cell one of another language."""
    for start, end in cell.lines:
        line = source[start:end].replace(b"\\n", b"\n").strip()
        if line:
            return not line.startswith(b"%%") or line.split()[0] in _OF_PYTHON
    return False


class _Quotes:
    """The string that a cell's code is in."""

    def __init__(self) -> None:
        self.open = b""
        self.goes_on = False
        """Whether the line goes on in the next string of the notebook."""


def write_line(source: bytes, written: bytearray, start: int, end: int, following: int, quotes: _Quotes) -> None:
    """Writes the text of one string, which may be several lines, or a part of one."""
    if not quotes.goes_on:
        written[start - 1] = 12  # a form feed: indentation is counted from here
    quotes.goes_on = False
    begin = start
    while True:
        position = source.find(b"\\n", begin, end)
        while position > 0 and is_escaped(source, position, start):
            position = source.find(b"\\n", position + 1, end)
        last = end if position < 0 else position
        write_code(source, written, begin, last, quotes)
        is_inside = position >= 0 and position + 2 < end
        if position < 0 and following >= 0:
            # Text that goes on in the next string.
            written[end:following] = b" " * (following - end)
            quotes.goes_on = True
            return
        new_line = source.find(b"\n", last, following) if following >= 0 and not is_inside else -1
        if new_line < 0:
            new_line = position + 1 if is_inside else end
            written[new_line] = 10
        text = written[begin:last].rstrip()
        if position >= 0 and text.endswith(b"\\"):
            # A line that is continued: the end of the line has to follow at once.
            written[begin + len(text) - 1] = 32
            written[new_line - 1] = 92
        if not is_inside:
            return
        begin = position + 2


def is_escaped(source: bytes, position: int, start: int) -> bool:
    """Whether a backslash is the second of two."""
    count = 0
    while position - count - 1 >= start and source[position - count - 1] == 92:
        count += 1
    return count % 2 == 1


def write_code(source: bytes, written: bytearray, start: int, end: int, quotes: _Quotes) -> None:
    """Writes one line, with what it escapes as it is."""
    if start >= end:
        return
    line = source[start:end]
    if not quotes.open and (line.find(b"!") >= 0 or line.find(b"%") >= 0 or line.find(b"?") >= 0):
        timed = _TIMED.match(line)
        assigned = _ASSIGNED_MAGIC.match(line)
        if timed is not None:
            written[start + timed.end() - 1] = 12
            line = b" " * (timed.end() - 1) + b"\f" + line[timed.end() :]
        elif assigned is not None:
            line = line[: assigned.end()] + b"0" + b" " * (len(line) - assigned.end() - 1)
        elif _MAGIC.match(line) is not None:
            indent = len(line) - len(line.lstrip())
            line = b" " * indent + (b"pass" if indent and len(line) >= indent + 4 else b"")
            line += b" " * (end - start - len(line))
    pieces: list[tuple[int, int, bytes]] = []
    """Where what stands for some characters begins and ends in the line, and these."""
    at = 0
    for each in _ESCAPE.finditer(line):
        pieces.append((at, each.start(), line[at : each.start()]))
        text, at = each.group(), each.end()
        size = at - each.start()
        if text[1:2] in (b'"', b"\\"):
            pieces.append((each.start(), at, text[1:2] * (size // 2)))
        elif text[1:2] == b"u":
            pieces.append((each.start(), at, b"_" + text[1:]))
        else:
            pieces.append((each.start(), at, {b"t": b"\t", b"/": b"/"}.get(text[1:2], b" ")))
    pieces.append((at, len(line), line[at:]))
    opening = follow(quotes, b"".join([text for _, _, text in pieces]))
    passed = 0
    for first, last, text in pieces:
        blanks = b" " * (last - first - len(text))
        before = line[:first]
        stays = passed not in opening or not before.strip() or _PREFIX.match(before, len(before) - 1) is not None
        is_quote = text[:1] == b'"' and len(blanks) > 0
        written[start + first : start + last] = text + blanks if is_quote and stays else blanks + text
        passed += len(text)


_MARKS: Final = re.compile(rb"\"\"\"|'''|\"|'|#|\\.")


def follow(quotes: _Quotes, text: bytes) -> set[int]:
    """Which string is open behind a line of code. Returns where strings begin."""
    opening: set[int] = set()
    for each in _MARKS.finditer(text):
        mark = each.group()
        if mark[:1] == b"\\":
            continue
        if not quotes.open:
            quotes.open = mark
            opening.add(each.start())
        elif quotes.open == mark or (len(quotes.open) == 1 and mark == quotes.open * 3):
            quotes.open = b""
    if len(quotes.open) == 1:
        quotes.open = b""
    return opening
