"""What to search texts for: a literal or a regular expression, and which trigrams a text must have to match.

In: a pattern from a client, perhaps a hostile one. Out: a matcher whose time is linear in the text, and a condition
that the text index answers; or BAD_REQUEST. RE2 does the matching: it follows all possibilities at once and never
backtracks. Its time still grows with the pattern, so the size of patterns is limited.

Lines are matched one by one, as grep does, unless the pattern itself names a line end. `^` and `$` are ends of a line.

Absent: files, and where they are stored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from rpg.errors import BadRequest
from rpg.stores.search.text_trigrams import hashes
from rpg.stores.search.trigrams import SHORTEST, fold
from rpg.text.printable import quote_text

Array = Any
"""A numpy array."""

LONGEST = 1_000
"""Characters of a pattern."""
MOST_STEPS = 1_000
"""Instructions of a compiled pattern: for every byte of a text, a step may cost that many."""
MEMORY_BYTES = 8 << 20
"""Memory for a pattern, mostly for states that were met already. Only the pattern in use is kept."""
DEEPEST = 40
"""Nested groups that are searched for trigrams; ignoring deeper ones only means reading more files."""
TRIGRAMS_READ = 64
"""How many trigrams of a literal are looked up, evenly spread. A look-up costs less than a file that is searched in
vain: of a sentence, all exclude two to eight times as many files of Django as 16 do."""


class Need(NamedTuple):
    """A condition that a folded text meets if it matches. One of the first two is set; if neither is, any text may
    match."""

    text: bytes = b""
    parts: tuple[Need, ...] = ()
    is_any: bool = False
    """One of the parts is enough; otherwise all are needed."""


ANYTHING = Need()


class Pattern(NamedTuple):
    matcher: Any
    """RE2's matcher: `search(text, start, end)`."""
    need: Need
    spans_lines: bool


def literal(text: str, ignores_case: bool = False) -> Pattern:
    text = text.replace("\r\n", "\n")
    _refuse_long(text)
    options = _options("\n" in text)
    options.literal = True
    options.case_sensitive = not ignores_case
    pieces = re.split(r"[^\x00-\x7f]+", text) if ignores_case else [text]
    need = _all([Need(fold(piece.encode("utf-8", "replace"))) for piece in pieces])
    return Pattern(_compile(text, options), need, "\n" in text)


def expression(text: str, ignores_case: bool = False) -> Pattern:
    """BAD_REQUEST for anything that RE2 rejects."""
    text = text.replace("\r\n", "\n").replace("\\r\\n", "\\n")
    _refuse_long(text)
    spans_lines = "\n" in text or re.search(r"\\n|\(\?[imU]*s", text) is not None
    options = _options(spans_lines)
    options.case_sensitive = not ignores_case
    matcher = _compile(f"(?m){text}", options)
    flagged = ignores_case or re.search(r"\(\?[a-zA-Z]*i", text) is not None
    return Pattern(matcher, _need_of(text, flagged), spans_lines)


def is_expression(text: str) -> bool:
    """Whether a text contains anything that a regular expression reads differently."""
    return re.search(r"[\\^$*+?|\[(.]", text) is not None


def _refuse_long(text: str) -> None:
    if len(text) > LONGEST:
        raise BadRequest(f"a pattern of {len(text)} characters: give at most {LONGEST}, its most specific part")


@cache
def _library() -> Any:
    import re2

    return re2


def _options(spans_lines: bool) -> Any:
    options = _library().Options()
    options.max_mem = MEMORY_BYTES
    options.never_nl = not spans_lines
    options.never_capture = True
    options.log_errors = False
    return options


def _compile(text: str, options: Any) -> Any:
    library = _library()
    library.purge()  # it caches the last 128, with all their memory
    try:
        matcher = library.compile(text.encode("utf-8", "replace"), options)
    except library.error as error:
        reason = error.args[0] if error.args else ""
        reason = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        reason = reason.replace("(?m)", "")
        raise BadRequest(
            f"{quote_text(text.removeprefix('(?m)'))} is not a regular expression ({quote_text(reason)}): escape "
            "`( ) [ { . * + ?` with a backslash, do without lookaround and backreferences, or search mode text for the "
            "literal"
        ) from error
    if matcher.programsize > MOST_STEPS:
        raise BadRequest("that regular expression is too large: repeat less (`{1,100}`), or search for a part of it")
    return matcher


# What a text must have


def candidates(need: Need, files_with: Callable[[list[int]], Array]) -> Array | None:
    """By file number, whether it may match, up to the last that may; None: all may. `files_with` looks trigrams up."""
    if not need.parts:
        wanted = hashes(need.text) if len(need.text) >= SHORTEST else []
        return files_with(wanted[:: -(-len(wanted) // TRIGRAMS_READ)]) if wanted else None
    found: Array | None = None
    for part in need.parts:
        having = candidates(part, files_with)
        if having is None:
            if need.is_any:
                return None
        elif found is None:
            found = having
        else:
            found = _either(found, having) if need.is_any else _both(found, having)
    return found


def _both(one: Array, other: Array) -> Array:
    shorter = min(len(one), len(other))
    return one[:shorter] & other[:shorter]


def _either(one: Array, other: Array) -> Array:
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    found = longer.copy()
    found[: len(shorter)] |= shorter
    return found


def _all(parts: list[Need]) -> Need:
    telling = [part for part in parts if part.parts or len(part.text) >= SHORTEST]
    return telling[0] if len(telling) == 1 else Need(parts=tuple(telling))


def _any(parts: list[Need]) -> Need:
    if len(parts) == 1:
        return parts[0]
    if any(not part.parts and len(part.text) < SHORTEST for part in parts):
        return ANYTHING
    return Need(parts=tuple(parts), is_any=True)


class _Unsure(Exception):
    """A construct that is not understood here."""


def _need_of(text: str, ignores_case: bool) -> Need:
    """The condition of an expression that RE2 accepts."""
    try:
        return _Reader(text, ignores_case).alternatives(0)
    except _Unsure:
        return ANYTHING


_REPEATED = re.compile(r"\{(\d+)(?:,\d*)?\}")
_CLASS = re.compile(r"\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]", re.DOTALL)
_GROUP = re.compile(r"\(\?(?:P?<\w+>|[imsU-]*([:)]))")
_UNKNOWN = re.compile(r"\\(?:[dDwWsSC]|[pP](?:\{[^}]*\}|.)|[0-7]{1,3})")
_NO_WIDTH = re.compile(r"\\[bBAz]|[\^$]")
_CODE = re.compile(r"\\x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]+)\})")
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}


class _Reader:
    """Reads an expression from left to right; collects what a text must have, whatever else matches."""

    def __init__(self, text: str, ignores_case: bool) -> None:
        self._text = text
        self._at = 0
        self._ignores_case = ignores_case

    def alternatives(self, depth: int) -> Need:
        if depth > DEEPEST:
            raise _Unsure
        found = [self._sequence(depth)]
        while self._text.startswith("|", self._at):
            self._at += 1
            found.append(self._sequence(depth))
        if depth == 0 and self._at < len(self._text):
            raise _Unsure
        return _any(found)

    def _sequence(self, depth: int) -> Need:
        needs: list[Need] = []
        run: list[str] = []

        def end() -> None:
            needs.append(Need(fold("".join(run).encode("utf-8", "replace"))))
            run.clear()

        while self._at < len(self._text) and self._text[self._at] not in "|)":
            letters, need = self._piece(depth)
            least = self._least()
            if need is None and least is None and letters is not None:
                run.extend(letters)
                continue
            if letters and need is None and least:
                run.extend(letters)
            end()
            if need is not None and least != 0:
                needs.append(need)
            elif letters and least:
                run.append(letters[-1])
        end()
        return _all(needs)

    def _piece(self, depth: int) -> tuple[str | None, Need | None]:
        """The letters that it stands for; empty if it has no width, None if they are unknown; for a group, what it
        needs."""
        text, at = self._text, self._at
        if text[at] == "(":
            return None, self._group(depth)
        for known, letters in ((_NO_WIDTH, ""), (_UNKNOWN, None)):
            if match := known.match(text, at):
                self._at = match.end()
                return letters, None
        if text[at] in "[.":
            match = _CLASS.match(text, at) if text[at] == "[" else None
            if text[at] == "[" and match is None:
                raise _Unsure
            self._at = match.end() if match else at + 1
            return None, None
        if text[at] != "\\":
            self._at += 1
            return self._letter(text[at]), None
        return self._escaped(), None

    def _group(self, depth: int) -> Need:
        match = _GROUP.match(self._text, self._at)
        if match is None and self._text.startswith("(?", self._at):
            raise _Unsure
        self._at = match.end() if match else self._at + 1
        if match and match[1] == ")":
            return ANYTHING
        found = self.alternatives(depth + 1)
        if not self._text.startswith(")", self._at):
            raise _Unsure
        self._at += 1
        return found

    def _escaped(self) -> str | None:
        text, at = self._text, self._at
        if match := _CODE.match(text, at):
            self._at = match.end()
            return self._letter(chr(int(match[1] or match[2], 16)))
        letter = text[at + 1 : at + 2]
        if letter == "Q":
            end = text.find("\\E", at)
            quote = text[at + 2 : end if end >= 0 else len(text)]
            if not quote:
                raise _Unsure
            # What follows repeats only the last letter.
            self._at = at + 2 + len(quote) + (2 if end >= 0 else 0)
            if self._at < len(text) and text[self._at] in "*+?{":
                raise _Unsure
            return quote if quote.isascii() or not self._ignores_case else None
        self._at += 2
        if letter in _CONTROLS:
            return _CONTROLS[letter]
        if not letter or letter.isalnum():
            raise _Unsure
        return self._letter(letter)

    def _letter(self, letter: str) -> str | None:
        """Other cases of letters outside ASCII have other bytes."""
        return letter if letter.isascii() or not self._ignores_case else None

    def _least(self) -> int | None:
        """The least number of repetitions of the piece before; None if it is not repeated."""
        least: int | None = None
        for repeated in self._repetitions():
            least = repeated if least is None else min(least, repeated)
        return least

    def _repetitions(self) -> Iterator[int]:
        while self._at < len(self._text):
            match = _REPEATED.match(self._text, self._at)
            if match:
                self._at = match.end()
                yield int(match[1])
            elif self._text[self._at] in "*?+":
                self._at += 1
                yield 1 if self._text[self._at - 1] == "+" else 0
            else:
                return
