"""Checks whether a client sent a message of the protocol, and answers if it did not.

In: one line, or the body of one request, as bytes. Out: the message, parsed; or a `Refusal` with JSON-RPC's code and
the id of the request if it has one, so that the client gets an answer. The SDK drops such messages silently.

Every message is checked; for a good one that costs one parse and a look at its outermost fields.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import orjson

from rpg.text.printable import is_printable

PARSE_ERROR, INVALID_REQUEST = -32700, -32600
LARGEST = 1 << 20
"""Limit for a message, in bytes."""
DEEPEST = 100
"""Limit for nested lists and objects."""
LONGEST_ID = LONGEST_METHOD = 256
SEARCHED = 1 << 16
"""How many bytes of invalid JSON are searched for an id."""

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[{}\[\]]|:|[-+.\w]+', re.DOTALL)


class Refusal(NamedTuple):
    code: int
    message: str
    id: str | int | float | None

    def encode_json(self) -> bytes:
        error = {"code": self.code, "message": self.message}
        return orjson.dumps({"jsonrpc": "2.0", "id": self.id, "error": error})


def parse_message(data: bytes) -> dict[str, Any] | Refusal:
    if len(data) > LARGEST:
        return too_large(data)
    try:
        message = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        return Refusal(PARSE_ERROR, f"this is not JSON: {error.msg} at byte {error.pos}", id_within(data))
    if type(message) is not dict:
        what = "a batch: send each request by itself" if type(message) is list else "not an object"
        return Refusal(INVALID_REQUEST, f"this is {what}", None)
    wrong = problem(message)
    if wrong:
        return Refusal(INVALID_REQUEST, wrong, repeatable_id(message.get("id")))
    if data.count(b"[") + data.count(b"{") > DEEPEST and is_deep(message):
        return Refusal(
            INVALID_REQUEST, f"more than {DEEPEST} nested lists and objects", repeatable_id(message.get("id"))
        )
    return message


def too_large(head: bytes) -> Refusal:
    return Refusal(INVALID_REQUEST, f"a message has at most {LARGEST:,} bytes", id_within(head))


def problem(message: dict[str, Any]) -> str:
    """Empty for a request, a notification or an answer."""
    if message.get("jsonrpc") != "2.0":
        return '"jsonrpc" is not "2.0"'
    if "id" in message and repeatable_id(message["id"]) is None:
        return f'"id" is neither an integer nor a string of at most {LONGEST_ID} characters'
    if isinstance(message.get("id"), float):
        return '"id" is neither an integer of 64 bits nor a string'
    if "method" not in message:
        return "" if is_answer(message) else '"method" is missing'
    if not isinstance(message["method"], str) or len(message["method"]) > LONGEST_METHOD:
        return f'"method" is not a string of at most {LONGEST_METHOD} characters'
    if not is_printable(message["method"]):
        return '"method" has control characters'  # the SDK's answer would repeat them
    if not isinstance(message.get("params") or {}, dict):
        return '"params" is not an object'
    return ""


def is_answer(message: dict[str, Any]) -> bool:
    """Whether it answers a request of ours."""
    error = message.get("error")
    is_error = isinstance(error, dict) and type(error.get("code")) is int and isinstance(error.get("message"), str)
    return "id" in message and (isinstance(message.get("result"), dict) if "result" in message else is_error)


def repeatable_id(id: object) -> str | int | float | None:
    """The id, if it can be repeated in an answer; else None."""
    if isinstance(id, str):
        return id if len(id) <= LONGEST_ID else None
    return id if isinstance(id, int | float) and not isinstance(id, bool) else None


def is_deep(message: object) -> bool:
    level: list[object] = [message]
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer if isinstance(outer, list) else ())
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def id_within(data: bytes) -> str | int | float | None:
    """The id in the outermost object of data that is not JSON as a whole."""
    depth = 0
    last = before = b""
    for match in _TOKEN.finditer(data[:SEARCHED]):
        token = match[0]
        if token in b"{[":
            depth += 1
        elif token in b"}]":
            depth -= 1
        elif depth == 1 and (before, last) == (b'"id"', b":"):
            try:
                return repeatable_id(orjson.loads(token))
            except orjson.JSONDecodeError:
                return None
        before, last = last, token
    return None
