"""Changes one value in JSON with comments and trailing commas (VS Code's form), and keeps every other character.

In: the text, the keys that lead to the value, the value. Out: the new text. Malformed if the text is anything else, has
one of the keys twice, or has something other than an object at one of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from rpg.cli.clients.editing.malformed import NOT_A_TABLE, UNSAFE, Malformed

TOKENS = re.compile(r'"(?:\\.|[^"\\])*(?:"|\Z)|//[^\r\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
"""Strings and comments; one that is not closed ends with the text, so that this takes linear time."""
LAST_COMMA = re.compile(r'"(?:\\.|[^"\\])*(?:"|\Z)|,(?=\s*[}\]])', re.DOTALL)
COMMA = re.compile(r"(?:\s|//[^\r\n]*|/\*.*?\*/)*,", re.DOTALL)
LINE_END = re.compile(r"[ \t]*\r?\n")
BLANK = re.compile(r"\s*")
INDENT = re.compile(r'^([ \t]+)["{]', re.MULTILINE)
DEFAULT_INDENT = "  "
DECODER = json.JSONDecoder()


class Member(NamedTuple):
    key: str
    at: int
    """Offset of the key."""
    start: int
    """Offset of the value."""
    end: int


def load(text: str) -> Any:
    try:
        return json.loads(blank_comments(text))
    except (ValueError, RecursionError):
        raise Malformed("it is not JSON, with or without comments") from None


def blank_comments(text: str) -> str:
    """Plain JSON with everything at the same offset: comments and trailing commas become blanks."""
    plain = TOKENS.sub(lambda match: match[0] if match[0][0] == '"' else blank(match[0]), text)
    return LAST_COMMA.sub(lambda match: " " if match[0] == "," else match[0], plain)


def blank(comment: str) -> str:
    return re.sub(r"[^\r\n]", " ", comment)


def set_value(text: str, keys: Sequence[str], value: Any) -> str:
    """The text with that value, which replaces another one or becomes the last member of its object."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text[len(mark) :]
    if not text.strip():
        return mark + dump_json(nest_value(keys, value), DEFAULT_INDENT) + "\n"
    wanted = set_in_copy(load(text), keys, value)
    new = edit_text(text, keys, value)
    if load(new) != wanted:
        raise Malformed(UNSAFE)
    return mark + new


def remove_value(text: str, keys: Sequence[str]) -> str:
    """The text without that member, its comma and its lines; the comments around it stay."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text[len(mark) :]
    known = load(text) if text.strip() else {}
    at = known
    for key in keys[:-1]:
        at = at.get(key) if isinstance(at, dict) else None
    if not isinstance(at, dict) or keys[-1] not in at:
        return mark + text
    del at[keys[-1]]
    new = text_without(text, keys)
    if load(new) != known:
        raise Malformed(UNSAFE)
    return mark + new


def text_without(text: str, keys: Sequence[str]) -> str:
    plain = blank_comments(text)
    at = skip_blanks(plain, 0)
    for key in keys[:-1]:
        at = next(member.start for member in members_of(plain, at) if member.key == key)
    members = members_of(plain, at)
    number = [member.key for member in members].index(keys[-1])
    start, end = members[number].at, members[number].end
    is_last = number + 1 == len(members)
    own_comma = COMMA.match(text, end)  # a trailing one, too
    if own_comma:
        end = own_comma.end()
    line = text.rfind("\n", 0, start) + 1
    rest = LINE_END.match(text, end)
    if rest and not text[line:start].strip():
        start, end = line, rest.end()
    new = text[:start] + text[end:]
    if is_last and number and not own_comma:
        comma = plain.index(",", members[number - 1].end)
        new = new[:comma] + new[comma + 1 :]
    return new


def add_element(text: str, keys: Sequence[str], element: Any) -> str:
    """The text with one more element in the list at those keys, which is made if it is missing."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text[len(mark) :]
    known = load(text) if text.strip() else {}
    before = value_at(known, keys)
    if not before:
        return mark + set_value(text, keys, [element])
    if not isinstance(before, list):
        raise Malformed(UNSAFE)
    plain = blank_comments(text)
    _, end = elements_of(plain, place_of(plain, keys))[-1]
    line = "\r\n" if "\r\n" in text else "\n"
    unit = unit_of(text)
    depth = len(keys) + 1
    new = f"{text[:end]},{line}{unit * depth}{format_indented(text, element, depth)}{text[end:]}"
    if load(new) != set_in_copy(known, keys, [*before, element]):
        raise Malformed(UNSAFE)
    return mark + new


def remove_elements(text: str, keys: Sequence[str], is_unwanted: Callable[[Any], bool]) -> str:
    """The text without those elements of the list; comments between the others stay."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text[len(mark) :]
    known = load(text) if text.strip() else {}
    before = value_at(known, keys)
    if not isinstance(before, list):
        return mark + text
    kept = [each for each in before if not is_unwanted(each)]
    new = text
    while len(value_at(load(new), keys)) > len(kept):
        listed = value_at(load(new), keys)
        number = next(n for n, each in enumerate(listed) if is_unwanted(each))
        plain = blank_comments(new)
        spans = elements_of(plain, place_of(plain, keys))
        start, end = spans[number]
        if number:
            start = spans[number - 1][1]  # with the comma and the blanks before it
            if "//" in new[start : spans[number][0]] or "/*" in new[start : spans[number][0]]:
                raise Malformed(UNSAFE)
        elif len(spans) > 1:
            end = spans[1][0]
        new = new[:start] + new[end:]
    if load(new) != set_in_copy(known, keys, kept):
        raise Malformed(UNSAFE)
    return mark + new


def value_at(known: Any, keys: Sequence[str]) -> Any:
    for key in keys:
        known = known.get(key) if isinstance(known, dict) else None
    return known


def place_of(plain: str, keys: Sequence[str]) -> int:
    at = skip_blanks(plain, 0)
    for key in keys:
        at = next(member.start for member in members_of(plain, at) if member.key == key)
    return at


def elements_of(plain: str, at: int) -> list[tuple[int, int]]:
    spans = []
    at = skip_blanks(plain, at + 1)
    while plain[at] != "]":
        _, end = DECODER.raw_decode(plain, at)
        spans.append((at, end))
        at = skip_blanks(plain, end)
        if plain[at] == ",":
            at = skip_blanks(plain, at + 1)
    return spans


def edit_text(text: str, keys: Sequence[str], value: Any) -> str:
    plain = blank_comments(text)
    at = skip_blanks(plain, 0)
    for depth, key in enumerate(keys):
        if plain[at] != "{":
            raise Malformed(NOT_A_TABLE)
        members = members_of(plain, at)
        found = [member for member in members if member.key == key]
        if len(found) > 1:
            raise Malformed(f"it has the key {key!r} twice")
        if not found:
            return add_member(text, plain, at, members, key, nest_value(keys[depth + 1 :], value), depth + 1)
        at = found[0].start
    end = found[0].end
    if json.loads(plain[at:end]) == value:
        return text
    return text[:at] + format_indented(text, value, len(keys)) + text[end:]


def members_of(plain: str, at: int) -> list[Member]:
    """The members of the object that begins there; the text is known to be JSON."""
    members = []
    at = skip_blanks(plain, at + 1)
    while plain[at] != "}":
        key, colon = DECODER.raw_decode(plain, at)
        start = skip_blanks(plain, skip_blanks(plain, colon) + 1)
        _, end = DECODER.raw_decode(plain, start)
        members.append(Member(key, at, start, end))
        at = skip_blanks(plain, end)
        if plain[at] == ",":
            at = skip_blanks(plain, at + 1)
    return members


def add_member(text: str, plain: str, start: int, members: Sequence[Member], key: str, value: Any, depth: int) -> str:
    """Adds a last member, on separate lines before the closing brace, after the comments there."""
    close = skip_blanks(plain, members[-1].end if members else start + 1)
    line = "\r\n" if "\r\n" in text else "\n"
    unit = unit_of(text)
    inside = len(text[:close].rstrip())
    member = f"{line}{unit * depth}{dump_json(key, unit)}: {format_indented(text, value, depth)}"
    before = text[:inside]
    if members and "," not in remove_strings(text[members[-1].end : close]):
        before = text[: members[-1].end] + "," + text[members[-1].end : inside]
    blanks = text[inside:close]
    if "\n" not in blanks:
        blanks = f"{line}{unit * (depth - 1)}"
    return before + member + blanks + text[close:]


def remove_strings(text: str) -> str:
    """The text outside comments; there are no strings between the last value and the brace."""
    return TOKENS.sub("", text)


def skip_blanks(plain: str, at: int) -> int:
    match = BLANK.match(plain, at)
    return match.end() if match else at


def format_indented(text: str, value: Any, depth: int) -> str:
    unit = unit_of(text)
    line = "\r\n" if "\r\n" in text else "\n"
    return dump_json(value, unit).replace("\n", f"{line}{unit * depth}")


def unit_of(text: str) -> str:
    found = INDENT.search(text)
    return found[1] if found and len(found[1]) <= 8 else DEFAULT_INDENT


def dump_json(value: Any, unit: str) -> str:
    return json.dumps(value, indent=unit, ensure_ascii=False)


def nest_value(keys: Sequence[str], value: Any) -> Any:
    for key in reversed(keys):
        value = {key: value}
    return value


def set_in_copy(settings: Any, keys: Sequence[str], value: Any) -> Any:
    """A copy with that value."""
    if not keys:
        return value
    if not isinstance(settings, dict):
        raise Malformed(NOT_A_TABLE)
    return {**settings, keys[0]: set_in_copy(settings.get(keys[0], {}), keys[1:], value)}
