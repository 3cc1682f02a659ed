"""Changes one value in JSON with comments and trailing commas (VS Code's form), and keeps every other character.

In: the text, the keys that lead to the value, the value. Out: the new text. Malformed if the text is anything else, has
one of the keys twice, or has something other than an object at one of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

TOKENS = re.compile(r'"(?:\\.|[^"\\])*(?:"|\Z)|//[^\r\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
"""Strings and comments; one that is not closed ends with the text, so that this takes linear time."""
LAST_COMMA = re.compile(r'"(?:\\.|[^"\\])*(?:"|\Z)|,(?=\s*[}\]])', re.DOTALL)
BLANK = re.compile(r"\s*")
INDENT = re.compile(r'^([ \t]+)["{]', re.MULTILINE)
DEFAULT_INDENT = "  "
DECODER = json.JSONDecoder()


class Malformed(Exception):
    """Why the text was left alone."""


class Member(NamedTuple):
    key: str
    start: int
    """Offset of the value."""
    end: int


def loaded(text: str) -> Any:
    try:
        return json.loads(without_comments(text))
    except (ValueError, RecursionError):
        raise Malformed("it is not JSON, with or without comments") from None


def without_comments(text: str) -> str:
    """Plain JSON with everything at the same offset: comments and trailing commas become blanks."""
    plain = TOKENS.sub(lambda match: match[0] if match[0][0] == '"' else blank(match[0]), text)
    return LAST_COMMA.sub(lambda match: " " if match[0] == "," else match[0], plain)


def blank(comment: str) -> str:
    return re.sub(r"[^\r\n]", " ", comment)


def with_value(text: str, keys: Sequence[str], value: Any) -> str:
    """The text with that value, which replaces another one or becomes the last member of its object."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text[len(mark) :]
    if not text.strip():
        return mark + written(nested(keys, value), DEFAULT_INDENT) + "\n"
    wanted = changed(loaded(text), keys, value)
    new = edited(text, keys, value)
    if loaded(new) != wanted:
        raise Malformed("it has a form that cannot be changed safely")
    return mark + new


def edited(text: str, keys: Sequence[str], value: Any) -> str:
    plain = without_comments(text)
    at = after_blanks(plain, 0)
    for depth, key in enumerate(keys):
        if plain[at] != "{":
            raise Malformed("it has something other than an object where the servers belong")
        members = members_of(plain, at)
        found = [member for member in members if member.key == key]
        if len(found) > 1:
            raise Malformed(f"it has the key {key!r} twice")
        if not found:
            return with_member(text, plain, at, members, key, nested(keys[depth + 1 :], value), depth + 1)
        at = found[0].start
    end = found[0].end
    if json.loads(plain[at:end]) == value:
        return text
    return text[:at] + indented(text, value, len(keys)) + text[end:]


def members_of(plain: str, at: int) -> list[Member]:
    """The members of the object that begins there; the text is known to be JSON."""
    members = []
    at = after_blanks(plain, at + 1)
    while plain[at] != "}":
        key, at = DECODER.raw_decode(plain, at)
        start = after_blanks(plain, after_blanks(plain, at) + 1)
        _, end = DECODER.raw_decode(plain, start)
        members.append(Member(key, start, end))
        at = after_blanks(plain, end)
        if plain[at] == ",":
            at = after_blanks(plain, at + 1)
    return members


def with_member(text: str, plain: str, start: int, members: Sequence[Member], key: str, value: Any, depth: int) -> str:
    """Adds a last member, on separate lines before the closing brace, after the comments there."""
    close = after_blanks(plain, members[-1].end if members else start + 1)
    line = "\r\n" if "\r\n" in text else "\n"
    unit = unit_of(text)
    inside = len(text[:close].rstrip())
    member = f"{line}{unit * depth}{written(key, unit)}: {indented(text, value, depth)}"
    before = text[:inside]
    if members and "," not in without_strings(text[members[-1].end : close]):
        before = text[: members[-1].end] + "," + text[members[-1].end : inside]
    blanks = text[inside:close]
    if "\n" not in blanks:
        blanks = f"{line}{unit * (depth - 1)}"
    return before + member + blanks + text[close:]


def without_strings(text: str) -> str:
    """The text outside comments; there are no strings between the last value and the brace."""
    return TOKENS.sub("", text)


def after_blanks(plain: str, at: int) -> int:
    match = BLANK.match(plain, at)
    return match.end() if match else at


def indented(text: str, value: Any, depth: int) -> str:
    unit = unit_of(text)
    line = "\r\n" if "\r\n" in text else "\n"
    return written(value, unit).replace("\n", f"{line}{unit * depth}")


def unit_of(text: str) -> str:
    found = INDENT.search(text)
    return found[1] if found and len(found[1]) <= 8 else DEFAULT_INDENT


def written(value: Any, unit: str) -> str:
    return json.dumps(value, indent=unit, ensure_ascii=False)


def nested(keys: Sequence[str], value: Any) -> Any:
    for key in reversed(keys):
        value = {key: value}
    return value


def changed(settings: Any, keys: Sequence[str], value: Any) -> Any:
    """A copy with that value."""
    if not keys:
        return value
    if not isinstance(settings, dict):
        raise Malformed("it has something other than an object where the servers belong")
    return {**settings, keys[0]: changed(settings.get(keys[0], {}), keys[1:], value)}
