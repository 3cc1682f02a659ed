"""How large an answer may be, and where the next one continues.

In: results as frozen dataclasses, how they are rendered, a number of tokens (bytes / 4 of the text that is sent). Out:
as much of a result as fits with its text; plain values without empty fields. No query and no rendering here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, TypeVar
from zlib import crc32

import orjson

from rpg.errors import BadRequest
from rpg.text.printable import make_printable, quote_text

Answer = TypeVar("Answer")
BYTES_PER_TOKEN = 4
DEFAULT_TOKENS = 4_000
MAXIMUM_TOKENS = 20_000
"""Below the 25,000 at which clients truncate."""
FIRST_GUESS = 24
"""How many parts of an answer to try first; most answers have fewer."""
SPARE = 1.2
"""All of an answer is tried if it is estimated to take that share of the room."""
_WRITTEN = "_written"
"""Attribute of a measured answer: how it was rendered, and its text."""
GUESSES = 5
"""Guesses by size, before the search continues by bisection."""


def plain(value: Any) -> Any:
    """The JSON form of a result; fields with their default value are left out."""
    if is_dataclass(value) and not isinstance(value, type):
        out = {}
        for name, default in defaults(type(value)):
            item = getattr(value, name)
            if item != default:
                out[name] = plain(item)
        return out
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):  # named tuples too: a field of a class is an item of these
        return [plain(item) for item in value]
    return value


@cache
def defaults(kind: type) -> list[tuple[str, Any]]:
    """Each field with its default value."""
    out: list[tuple[str, Any]] = []
    for field in fields(kind):
        if field.default_factory is not MISSING:
            out.append((field.name, field.default_factory()))
        else:
            out.append((field.name, field.default))
    return out


def size(value: Any) -> int:
    """Upper limit for the bytes of the JSON form: counts a space after every comma and colon, as some writers add."""
    written = orjson.dumps(plain(value))
    return len(written) + written.count(b",") + written.count(b'":')


def cut(text: str, width: int) -> str:
    """At most that many characters; an ellipsis marks the cut."""
    return text if len(text) <= width else text[: max(0, width - 1)].rstrip() + "…"


def text_size(text: str) -> int:
    """Bytes of a text as it is sent."""
    return len(make_printable(text).encode("utf-8", "replace"))


def fit_answer(parts: int, head: Callable[[int], Answer], written: Callable[[Answer], str], max_tokens: int) -> Answer:
    """The answer with as many parts as fit, at least one, or a cursor might never advance. `head(n)` is the answer with
    its first n parts; `written` is all of its text, with state, totals and cursor."""
    tried: list[tuple[Answer, str]] = []

    def cost(answer: Answer) -> int:
        text = written(answer)
        tried.append((answer, text))
        return text_size(text)

    chosen = longest(parts, head, cost, max_tokens * BYTES_PER_TOKEN)
    for answer, text in tried:
        if answer is chosen:
            # No field: a record of the answer does not have it, nor has a copy in which a secret is masked.
            object.__setattr__(answer, _WRITTEN, (written, text))
    return chosen


def text_written(answer: Any, written: Callable[[Any], str]) -> str:
    """The text of an answer: the one that was measured, if it is known."""
    known = getattr(answer, _WRITTEN, None)
    text: str = known[1] if known is not None and known[0] is written else written(answer)
    return text


def rows(left: int, limit: int) -> int:
    """How many of the remaining parts an answer may have; a limit of 0 means no limit."""
    return max(0, min(left, limit) if limit else left)


def longest(parts: int, head: Callable[[int], Answer], cost: Callable[[Answer], int], room: int) -> Answer:
    """About the largest head that costs no more than `room`, and all of it if that fits; else the head with one part.
    Each guess follows from the cost of the previous ones, as parts cost about the same."""
    fits, over, guesses = 0, parts + 1, 0
    cost_of_fit, cost_of_over = 0, 0
    best: Answer | None = None
    guess = min(parts, FIRST_GUESS)
    while fits < guess < over:
        answer = head(guess)
        used = cost(answer)
        guesses += 1
        if used <= room:
            fits, cost_of_fit, best = guess, used, answer
            if over <= parts and room - used < used // guess // 2:
                break  # less than half a part is left
        else:
            over, cost_of_over = guess, used
        if guesses >= GUESSES:
            likely = (fits + over) // 2
        elif cost_of_over:
            likely = fits + (over - fits) * (room - cost_of_fit) // max(1, cost_of_over - cost_of_fit)
        else:
            likely = guess * room // max(1, used)
        guess = min(max(likely, fits + 1), over - 1)
    if over <= parts and cost_of_fit * parts <= room * fits * SPARE:
        # The whole answer is shorter than a part of it with a note on what is left out.
        whole = head(parts)
        if cost(whole) <= room:
            return whole
    return head(min(parts, 1)) if best is None else best


def within(lengths: Iterable[int], first: int, last: int) -> Iterator[tuple[int, int, int]]:
    """The parts of several lists, read one after another, between two positions: each list's number, and the range of
    its items."""
    start = 0
    for number, length in enumerate(lengths):
        if start < last and first < start + length:
            yield number, max(0, first - start), min(length, last - start)
        start += length


def fingerprint(*arguments: Any) -> str:
    """Identifies a call, so that a cursor of another one is noticed."""
    return f"{crc32(orjson.dumps(arguments)):08x}"[:6]


def cursor(offset: int, *arguments: Any) -> str:
    return f"{offset}-{fingerprint(*arguments)}"


def offset(written: str, *arguments: Any) -> int:
    """How many items earlier answers returned. BAD_REQUEST if the cursor is not from this call."""
    if not written:
        return 0
    number, _, mark = written.partition("-")
    if not (number.isascii() and number.isdigit() and len(number) < 10) or mark != fingerprint(*arguments):
        raise BadRequest(
            f"cursor {quote_text(written)} does not belong to this call: repeat the call that returned it as `next`, "
            "with the same arguments, or leave `cursor` out to start over"
        )
    return int(number)
