"""`#if ... #else ... #endif` where C#'s grammar has no place for it: in a list of bases, between `else` and its block,
around half a definition.

In: the bytes of a file that does not parse. Out: the same bytes without such directives, so that all else keeps its
place, and the spans of the branches left out: of several branches the first is read, whatever its condition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

_DIRECTIVE: Final = re.compile(
    rb'^[ \t]*#[ \t]*(if|elif|else|endif)\b[^\n]*|@"(?:[^"]|"")*"|/\*.*?(?:\*/|\Z)', re.DOTALL | re.MULTILINE
)
"""Texts and comments of several lines may hold lines that look like directives."""
_NOT_OF_LINES: Final = re.compile(rb"[^\r\n]")
_LAYOUT: Final = re.compile(
    rb'//[^\n]*|/\*.*?(?:\*/|\Z)|^[ \t]*#[^\n]*|@"(?:[^"]|"")*"|"(?:[^"\\\n]|\\.)*"?|' + rb"'(?:[^'\\\n]|\\.)*'?",
    re.DOTALL | re.MULTILINE,
)
"""Comments, directives and texts. One that nothing ends takes its line, so that no line is read once for each mark."""
_REACH: Final = 600
"""Bytes before a directive that are looked at."""
_DEEPEST: Final = 100


class _Group(NamedTuple):
    """One `#if` with its `#endif`."""

    directives: tuple[tuple[int, int], ...]


def _others(group: _Group) -> list[tuple[int, int]]:
    """The branches behind the first."""
    return [(before[1], behind[0]) for before, behind in pairwise(group.directives[1:])]


def without_directives(source: bytes) -> Iterator[tuple[bytes, list[tuple[int, int]]]]:
    """First without those that have one branch, of which nothing is lost; then also without those whose branches are
    no whole definitions or statements; then without all."""
    groups = _groups(source)
    single = [group for group in groups if len(group.directives) == 2]
    if single:
        yield _blanked(source, single), []
    torn = [group for group in groups if len(group.directives) > 2 and _is_torn(source, group)]
    if torn:
        yield _blanked(source, single + torn), _left_out(torn)
    if len(single) + len(torn) < len(groups):
        yield _blanked(source, groups), _left_out(groups)


def _is_torn(source: bytes, group: _Group) -> bool:
    """Whether a group begins within a definition or statement, or has a branch that ends within one."""
    start = group.directives[0][0]
    before = _LAYOUT.sub(b" ", source[max(0, start - _REACH) : start]).rstrip()
    if before and before[-1:] not in b";{}]":
        return True
    ends = [each[0] for each in group.directives[1:]]
    branches = [source[each[1] : end] for each, end in zip(group.directives, ends, strict=False)]
    return any(_is_unbalanced(_LAYOUT.sub(b" ", branch)) for branch in branches)


def _is_unbalanced(text: bytes) -> bool:
    text = text.strip()
    return (bool(text) and text[-1:] not in b";}]") or any(
        text.count(opening) != text.count(closing) for opening, closing in ((b"{", b"}"), (b"(", b")"))
    )


def _groups(source: bytes) -> list[_Group]:
    found: list[_Group] = []
    open_groups: list[list[tuple[int, int]]] = []
    for each in _DIRECTIVE.finditer(source):
        word = each[1]
        if word is None:
            continue
        if word == b"if":
            if len(open_groups) >= _DEEPEST:
                return []
            open_groups.append([each.span()])
        elif not open_groups:
            return []
        else:
            open_groups[-1].append(each.span())
            if word == b"endif":
                found.append(_Group(tuple(open_groups.pop())))
    return [] if open_groups else found


def _blanked(source: bytes, groups: list[_Group]) -> bytes:
    blanked = bytearray(source)
    for group in groups:
        for start, end in (*group.directives, *_others(group)):
            blanked[start:end] = _NOT_OF_LINES.sub(b" ", source[start:end])
    return bytes(blanked)


def _left_out(groups: list[_Group]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for start, end in sorted(span for group in groups for span in _others(group)):
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return found
