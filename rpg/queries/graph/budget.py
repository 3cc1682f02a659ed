"""How large an answer may be, and where the next one continues.

In: results as frozen dataclasses, a number of tokens (bytes / 4). Out: plain values without empty fields, and the
decision whether one more item still fits. No query and no rendering here.
"""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any
from zlib import crc32

import orjson

from rpg.errors import BadRequest
from rpg.printable import quoted

BYTES_PER_TOKEN = 4
DEFAULT_TOKENS = 4_000
MAXIMUM_TOKENS = 20_000
"""Below the 25,000 at which clients truncate."""
RESERVED = 400
"""Bytes reserved for the frame of a result: state, totals, cursor."""


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


class Budget:
    """Counts down; the first item that does not fit ends it, so that the items returned are always the first ones."""

    def __init__(self, max_tokens: int, reserved: int = RESERVED) -> None:
        self.left = max_tokens * BYTES_PER_TOKEN - reserved
        self.closed = False
        self.taken = 0

    def take(self, cost: int) -> bool:
        """Whether an item of that size still fits; the first one always does, or a cursor might never advance."""
        if self.closed or (cost > self.left and self.taken):
            self.closed = True
            return False
        self.left -= cost + 1
        self.taken += 1
        return True


def fingerprint(*arguments: Any) -> str:
    """Tells whether a cursor comes from the same call."""
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
            f"cursor {quoted(written)} does not belong to this call: repeat the call that returned it as `next`, "
            "with the same arguments, or leave `cursor` out to start over"
        )
    return int(number)
