"""`#if ... #else ... #endif` where a grammar has no place for it: in a list of bases, between `else` and its block,
around half a definition.

In: the bytes of a file that does not parse. Out: the same bytes without such directives, so that all else keeps its
place, and the spans left out. A condition is taken as met, unless it is 0 or Windows, and always in the same way.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final, NamedTuple

_REST: Final = rb"(?://[^\n]*|/\*.*?(?:\*/|\Z)|\\\r?\n|[^\n])*"
"""A directive goes on over a comment of several lines, and behind a backslash."""
_NOT_CODE: Final = rb'//[^\n]*|/\*.*?(?:\*/|\Z)|@"(?:[^"]|"")*"|"(?:[^"\\\n]|\\.)*"?|' + rb"'(?:[^'\\\n]|\\.)*'?"
"""Comments and texts; one that nothing ends takes its line, so that no line is read once for each mark."""
_DIRECTIVE: Final = re.compile(
    rb"^[ \t]*#[ \t]*(?P<word>[a-z]+)\b(?P<rest>" + _REST + rb")|" + _NOT_CODE, re.DOTALL | re.MULTILINE
)
_LAYOUT: Final = re.compile(rb"^[ \t]*#" + _REST + rb"|" + _NOT_CODE, re.DOTALL | re.MULTILINE)
_NOT_OF_LINES: Final = re.compile(rb"[^\r\n]")
_OPENING: Final = (b"if", b"ifdef", b"ifndef")
_BRANCHES: Final = (b"elif", b"elifdef", b"elifndef", b"else")
_CONDITION: Final = re.compile(rb"(?P<negated>!?)\s*(?:defined\b[\s(]*)?(?P<name>\w+)[\s)]*(?://.*|/\*.*)?$", re.DOTALL)
_NOT_MET: Final = re.compile(rb"0|_*WIN(?:32|64|RT)?_*")
"""Conditions that are taken as not met."""
_LABEL_OF_MANY: Final = re.compile(rb"\b(?:case\b[^:;{}?]*|default|public|private|protected)\s*:$")
"""Behind other labels, a grammar has place for one statement alone."""
_LABEL_FIRST: Final = re.compile(rb"(?:case\b|default\s*:)")
_CONTINUES: Final = re.compile(rb"else\b|[&|=?:,.)\]+*/<>-]")
_MACRO_LAST: Final = re.compile(rb"\b[A-Z_][A-Z0-9_]{2,}(?:\([^()]*\))?$")
"""That may be a whole statement."""
_WITHIN: Final = b",(=+-*/%|&^<>?"
"""After these no definition and no statement begins."""
_REACH: Final = 600
"""Bytes before a directive that are looked at."""
_DEEPEST: Final = 100


class _Group(NamedTuple):
    """One `#if` with its `#endif`."""

    directives: tuple[tuple[int, int], ...]
    name: bytes
    """What the condition is about, if that is one name."""
    is_negated: bool

    def left_out(self, met: dict[bytes, bool]) -> list[tuple[int, int]]:
        """The branches but one. `met` is what was assumed so far."""
        shown = 0
        if self.name:
            is_met = met.setdefault(self.name, not self.is_negated and _NOT_MET.fullmatch(self.name) is None)
            shown = int(is_met == self.is_negated)
        branches = pairwise(self.directives)
        return [(before[1], behind[0]) for index, (before, behind) in enumerate(branches) if index != shown]


def blank_conditionals(source: bytes, labels_stand_alone: bool = False) -> tuple[bytes, list[tuple[int, int]]]:
    """The source without those that begin or end within a definition or statement, and the spans left out.
    `labels_stand_alone`: the grammar has no place for them around the labels of a `switch` either."""
    groups, others = _directives(source)
    blanked = bytearray(source)
    left_out: list[tuple[int, int]] = []
    met: dict[bytes, bool] = {}
    torn = (each for each in groups if _is_torn(source, each) or (labels_stand_alone and _is_of_labels(source, each)))
    for group in sorted(torn):
        is_left_out_already = blanked.find(b"#", *group.directives[0]) < 0
        if not is_left_out_already:
            branches = group.left_out(met)
            left_out += branches
            for span in (*branches, *group.directives):
                _blank(blanked, span)
    for span in others:
        if _is_misplaced(_before(source, span[0])):
            left_out.append(span)
            _blank(blanked, span)
    return (bytes(blanked), left_out) if blanked != source else (source, left_out)


def _blank(blanked: bytearray, span: tuple[int, int]) -> None:
    start, end = span
    blanked[start:end] = _NOT_OF_LINES.sub(b" ", blanked[start:end])


def _directives(source: bytes) -> tuple[list[_Group], list[tuple[int, int]]]:
    """Conditions with their ends, and all other directives. None are conditions if they do not match."""
    groups: list[_Group] = []
    others: list[tuple[int, int]] = []
    opened: list[tuple[list[tuple[int, int]], bytes, bool]] = []
    for each in _DIRECTIVE.finditer(source):
        word = each["word"]
        if word is None:
            continue
        if word in _OPENING:
            if len(opened) >= _DEEPEST:
                return [], others
            condition = _CONDITION.match(each["rest"].strip()[:_REACH])
            name, negation = (condition["name"], condition["negated"]) if condition is not None else (b"", b"")
            opened.append(([each.span()], name, bool(negation) or word == b"ifndef"))
        elif word not in _BRANCHES and word != b"endif":
            others.append(each.span())
        elif not opened:
            return [], others
        else:
            opened[-1][0].append(each.span())
            if word == b"endif":
                spans, name, is_negated = opened.pop()
                groups.append(_Group(tuple(spans), name, is_negated))
    return ([], others) if opened else (groups, others)


def _before(source: bytes, start: int) -> bytes:
    """The code in front of a directive, from the first whole line on."""
    begin = max(0, start - _REACH)
    while 0 < begin < start and (source[begin - 1 : begin] != b"\n" or source[begin - 2 : begin - 1] == b"\\"):
        begin = source.find(b"\n", begin, start) + 1 or start
    text = source[begin:start]
    end = text.find(b"*/")
    if end >= 0 and b"/*" not in text[:end]:
        text = text[end + 2 :]
    return _LAYOUT.sub(b" ", text).rstrip()


def _is_misplaced(before: bytes) -> bool:
    """Whether a directive stands in an expression, an initialiser or the constants of an enum."""
    if not before.endswith(b"{"):
        return bool(before) and before[-1] in _WITHIN
    head = before[:-1].rstrip()
    statement = head[max(head.rfind(each) for each in (b";", b"{", b"}")) + 1 :]
    return statement.endswith(b"=") or b"enum" in statement.split()


def _is_torn(source: bytes, group: _Group) -> bool:
    """Whether a group begins within a definition or statement, or has a branch that ends within one."""
    before = _before(source, group.directives[0][0])
    if before and before[-1:] not in b";{}]" and not _LABEL_OF_MANY.search(before):
        return True
    return any(
        _is_unbalanced(_LAYOUT.sub(b" ", source[start:end])) for (_, start), (end, _) in pairwise(group.directives)
    )


def _is_of_labels(source: bytes, group: _Group) -> bool:
    """Whether a branch begins with a label of a `switch`."""
    branches = (source[start:end] for (_, start), (end, _) in pairwise(group.directives))
    return any(_LABEL_FIRST.match(_LAYOUT.sub(b" ", each).lstrip()) for each in branches)


def _is_unbalanced(text: bytes) -> bool:
    text = text.strip()
    if text and (_CONTINUES.match(text) or (text[-1:] not in b";}]" and not _MACRO_LAST.search(text[-_REACH:]))):
        return True
    for opening, closing in ((b"{", b"}"), (b"(", b")")):
        opened = 0
        for piece in text.split(closing)[:-1]:
            opened += piece.count(opening) - 1
            if opened < 0:
                return True
        if opened + text[text.rfind(closing) + 1 :].count(opening):
            return True
    return False
