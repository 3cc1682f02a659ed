"""What surrounds a word of a source, apart from its syntax tree: a literal, and whether that may name a symbol.

In: a text, an offset, and the comments of the file. Out: the literal, or nothing. Quotes are told by the usual rules
of languages, so that an unusual literal (a heredoc, an expression between slashes) may be missed: a word in it then
counts as code.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

_QUOTE: Final = re.compile(rb'"{3}|\'{3}|["\'`]')
_INSIDE: Final[dict[bytes, re.Pattern[bytes]]] = {
    b'"""': re.compile(rb'[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*', re.DOTALL),
    b"'''": re.compile(rb"[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*", re.DOTALL),
    b'"': re.compile(rb'[^"\\\n]*(?:\\.[^"\\\n]*)*', re.DOTALL),
    b"'": re.compile(rb"[^'\\\n]*(?:\\.[^'\\\n]*)*", re.DOTALL),
    b"`": re.compile(rb"[^`\\]*(?:\\.[^`\\]*)*", re.DOTALL),
}
"""What is between quotes, by the opening one. No such expression tries a second way."""
_NAMES: Final = re.compile(rb"[\s]*[-+]?[A-Za-z_$@#.:\\/][\w$.:\\/@#]*(?:\(\))?(?:(?<![:.])\s+)?")
"""A literal that consists of names: `name`, `pkg.mod.name`, `Class::name`, `controller@action`, `ns\\Class`; a label,
`Total: `, is none."""
_EXPRESSION: Final = re.compile(rb"\{[{%]|<%|[$#*@~]\{")
_CLOSING: Final = {
    b"{{": b"}}", b"{%": b"%}", b"<%": b"%>", b"${": b"}", b"#{": b"}", b"*{": b"}", b"@{": b"}", b"~{": b"}"
}  # fmt: skip
"""Parts of a literal that are code, if it is a template."""
_SEPARATORS: Final = re.compile(rb"[.:\\@#+-]+")
_QUERY: Final = re.compile(rb"\b(?:SELECT|INSERT INTO|UPDATE|DELETE|FROM|JOIN|WHERE|ORDER BY|GROUP BY)\s")
_LOWER_QUERY: Final = re.compile(
    rb"\b(?:select\s+(?:[^;\"]{1,400}?\sfrom\b|\w+\()|insert\s+into\s|update\s+[\w.`]+\s+set\s|delete\s+from\s)",
    re.IGNORECASE,
)
_OPERATOR: Final = re.compile(rb"\b(?:and|or|not|in|is|eq|ne|lt|gt|le|ge|if|else|new|return|await|typeof)\b")
_PROSE: Final = re.compile(rb"[\w)\]\"']\s+[A-Za-z_]|[:.;!?]\s+[A-Za-z]")
LONGEST_EXPRESSION: Final = 200
REFLECTS: Final = re.compile(
    rb"\b(?:[gs]etattr|hasattr|delattr|attrgetter|methodcaller|__dict__|__getattribute__|vars|public_send|__send__|send"
    rb"|respond_to\?|instance_variable_[gs]et|define_method|getMethod|getDeclared\w+|getField|GetMethod|GetProperty"
    rb"|GetField|MethodByName|FieldByName|InvokeMember|call_user_func\w*|method_exists|property_exists|Reflect\.\w+"
    rb"|perform|NSSelectorFromString|spyOn)\b|\]\s*\(|\b(?:this|self|prototype|proto)\[(?![\"'\d])|->\s*[{$]|::\{"
    rb"|(?<![.\w])apply\((?=__MODULE__|[A-Z])|\bString\.to_\w*atom\b|(?<![.\w])Selector\(|\[\s*\$this\s*,"
)
"""Code that reaches a member whose name is computed."""
_PLAIN: Final = re.compile(rb"[a-z]+")


class Literals:
    """Where the literals of one text are. Eight bytes each, so that those of many texts can be kept."""

    def __init__(self, text: bytes, comments: Sequence[tuple[int, int]]) -> None:
        self._starts = array("I")
        self._ends = array("I")
        start = 0
        for begin, end in (*sorted(comments), (len(text), len(text))):
            if begin > start:
                for literal in _literals(text, start, begin):
                    self._starts.append(literal[0])
                    self._ends.append(literal[1])
            start = max(start, end)

    def around(self, offset: int) -> tuple[int, int] | None:
        """Where the literal with that offset begins and ends, quotes included."""
        at = bisect_right(self._starts, offset) - 1
        if at >= 0 and self._starts[at] < offset < self._ends[at]:
            return self._starts[at], self._ends[at]
        return None


def _literals(text: bytes, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """The literals between two offsets. A quote that nothing closes is passed; all of its kind up to where its search
    ended are then not closed either, because behind each of them the same is found."""
    open_until = dict.fromkeys(_INSIDE, 0)
    quote = _QUOTE.search(text, start, stop)
    while quote is not None:
        at, mark = quote.start(), quote[0]
        after = at + 1
        for opening in (mark, mark[:1]) if len(mark) > 1 else (mark,):
            if at < open_until[opening]:
                continue
            inside = _INSIDE[opening].match(text, at + len(opening), stop)
            end = inside.end() if inside is not None else stop
            if end < stop and text.startswith(opening, end, stop):
                after = end + len(opening)
                yield at, after
                break
            open_until[opening] = end
        quote = _QUOTE.search(text, after, stop)


def names_in(literal: bytes, word: bytes) -> list[bytes] | None:
    """The parts of a literal, without its quotes, of which the word is one: `pkg`, `mod` and `name`. None for a literal
    that is prose, data or a pattern: no word in it means code."""
    if _NAMES.fullmatch(literal) is not None:
        # What stands behind slashes is a file, or in one: `users/index`, `admin/users#index`.
        last = literal.strip().removesuffix(b"()").rpartition(b"/")[2]
        parts = [part for part in _SEPARATORS.split(last) if part]
        return parts if word in parts and not (b"/" in literal and len(parts) == 1) else None
    named = re.compile(rb"(?<!\w)" + re.escape(word) + rb"(?!\w)")
    without: set[bytes] = set()
    """Openings that nothing closes any more."""
    opening = _EXPRESSION.search(literal)
    while opening is not None:
        after, closing = opening.end(), _CLOSING[opening[0]]
        end = -1 if closing in without else literal.find(closing, after)
        if end < 0:
            without.add(closing)
            after = opening.start() + 1
        elif named.search(literal, after, end):
            quoted = re.search(rb"([\"'])([\w.]+\.)" + re.escape(word) + rb"\1", literal[after:end])
            return [*quoted[2].split(b".")[:-1], word] if quoted else [word]
        else:
            after = end + len(closing)
        opening = _EXPRESSION.search(literal, after)
    return None


def is_plain(word: bytes) -> bool:
    """Whether it is a word of plain language, which a literal may have for many reasons."""
    return _PLAIN.fullmatch(word) is not None


def stands_alone(literal: bytes) -> bool:
    """Whether a literal is a name, or names with separators, and nothing else."""
    return _NAMES.fullmatch(literal) is not None


def is_query(literal: bytes) -> bool:
    """Whether it is a query, which names tables, classes and their fields."""
    return _QUERY.search(literal) is not None or _LOWER_QUERY.search(literal) is not None


def calls_in_expression(literal: bytes, word: bytes) -> bool:
    """Whether a literal is an expression as a whole that calls it, as `@rules.may_edit(#id)` is, and no sentence."""
    if len(literal) > LONGEST_EXPRESSION or re.search(rb"(?<!\w)" + re.escape(word) + rb"\(", literal) is None:
        return False
    return _PROSE.search(_OPERATOR.sub(b"&", literal)) is None


def is_command(literal: bytes, word: bytes) -> bool:
    """Whether a literal is a line of a shell that runs it."""
    return re.search(rb"(?:\A|[;&|({]|\$\()\s*" + re.escape(word) + rb"(?![\w=-])", literal) is not None


def reflects(text: bytes) -> bool:
    """Whether code reaches members by computed names."""
    return REFLECTS.search(text) is not None
