"""Path filters, as tools take them: a prefix or a glob, a package.

In: the filter as written. Out: a function that says whether a path matches.

Whatever the filter, matching a path takes steps in proportion to both lengths: the text between two stars is searched
once, from left to right, without backtracking, which finds a match if there is one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rpg.errors import BadRequest
from rpg.system.deadline import check
from rpg.text.printable import quote_text

LONGEST = 500
"""The most characters of a filter."""
USUAL = 64
"""Shorter globs cost next to nothing; the deadline is checked before each match of a longer one."""


def path_filter(written: str) -> Callable[[str], bool]:
    """Whether a path is under a prefix, or matches a glob (`**` and `*` both cross folders)."""
    if len(written) > LONGEST:
        raise BadRequest(f"a path filter has at most {LONGEST} characters: {quote_text(written)}")
    written = written.removeprefix("./")
    if any(character in written for character in "*?["):
        pattern = re.compile(
            translate_glob(written if "/" in written else f"**/{written}".replace("**/*", "*")), re.DOTALL
        )
        if len(written) <= USUAL:
            return lambda path: pattern.match(path) is not None

        def matches(path: str) -> bool:
            check()
            return pattern.match(path) is not None

        return matches
    folder = written.rstrip("/")
    return lambda path: (
        path == folder or path.startswith(folder + "/") or (written == folder and path.startswith(folder))
    )


def package_filter(written: str) -> Callable[[str], bool]:
    """Whether a path is in a package: a directory, or a dotted name whose parts are consecutive in the path."""
    parts = written.strip("/").replace("/", ".").replace("\\", ".").split(".")
    inner = "/" + "/".join(parts)
    return lambda path: f"{inner}/" in f"/{path}" or f"/{path}".startswith(f"{inner}.") or f"{inner}." in f"/{path}"


def translate_glob(glob: str) -> str:
    """As a regular expression: `*`, `?`, `[a-z]`, `[!a-z]`."""
    first, *others = pieces(glob)
    if not others:
        return first + r"\Z"
    *inner, last = others
    return first + "".join(f"(?>.*?{piece})" for piece in inner if piece) + f".*{last}" + r"\Z"


def pieces(glob: str) -> Iterator[str]:
    """The parts before, between and after the stars, each of a fixed length."""
    piece: list[str] = []
    at = 0
    end = len(glob)
    is_closed = True
    while at < end:
        character = glob[at]
        at += 1
        if character == "*":
            yield "".join(piece)
            piece = []
        elif character == "?":
            piece.append(".")
        elif character == "[" and is_closed:
            closing = glob.find("]", at + 1 + (glob[at : at + 1] == "!"))
            is_closed = closing >= 0
            piece.append(one_of(glob[at:closing]) if is_closed else r"\[")
            at = closing + 1 if is_closed else at
        else:
            piece.append(re.escape(character))
    yield "".join(piece)


def one_of(written: str) -> str:
    """The contents of brackets, as a character class."""
    is_other = written.startswith("!")
    rest = written[is_other:]
    ranges: list[str] = []
    while rest:
        first, last = rest[0], rest[0]
        if len(rest) > 2 and rest[1] == "-":
            last = rest[2]
            rest = rest[2:]
        rest = rest[1:]
        if first <= last:
            ranges.append(re.escape(first) + (f"-{re.escape(last)}" if last != first else ""))
    if not ranges:
        return "." if is_other else "(?!)"
    return f"[{'^' if is_other else ''}{''.join(ranges)}]"
