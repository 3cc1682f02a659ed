"""Changes one table in TOML, and keeps every other character.

In: the text, the keys that lead to the table, its value. Out: the new text. A new table becomes the last of the file;
the fields of one that is there are changed in place.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from rpg.cli.clients.editing.malformed import NOT_A_TABLE, UNSAFE, Malformed

HEADER = re.compile(r"^[ \t]*\[.*$", re.MULTILINE)
AFTER_LAST_VALUE = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*(?:#[^\n]*)?\Z")


def load(text: str) -> Any:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        raise Malformed("it is not TOML") from None


def set_value(text: str, keys: Sequence[str], value: Mapping[str, Any]) -> str:
    wanted = load(text)
    at = wanted
    for key in keys[:-1]:
        at = at.setdefault(key, {})
        if not isinstance(at, dict):
            raise Malformed(NOT_A_TABLE)
    before = at.get(keys[-1])
    if before == value:
        return text
    at[keys[-1]] = dict(value)
    new = add_table(text, keys, value) if before is None else set_fields(text, keys, before, value)
    return check(new, wanted)


def remove_value(text: str, keys: Sequence[str]) -> str:
    """The text without that table; comments that stand before the next one stay."""
    wanted = load(text)
    at = wanted
    for key in keys[:-1]:
        at = at.get(key, {})
    if not isinstance(at, dict) or keys[-1] not in at:
        return text
    del at[keys[-1]]
    spelled = r"[ \t]*\.[ \t]*".join(rf"(?:{re.escape(key)}|\"{re.escape(key)}\"|'{re.escape(key)}')" for key in keys)
    own = re.compile(rf"[ \t]*\[[ \t]*{spelled}[ \t]*[\].].*")
    headers = [*HEADER.finditer(text)]
    parts = [text[: headers[0].start()]] if headers else [text]
    for header, following in zip(headers, [*headers[1:], None], strict=True):
        part = text[header.start() : following.start() if following else len(text)]
        if own.match(part):
            rest = AFTER_LAST_VALUE.search(part)
            part = part[rest.start() :] if rest and following else ""
        parts.append(part)
    new = "".join(parts)
    return check(new, wanted if at or keys[0] in load(new) else {key: wanted[key] for key in wanted if key != keys[0]})


def add_table(text: str, keys: Sequence[str], value: Mapping[str, Any]) -> str:
    import tomlkit

    nested: Any = dict(value)
    for key in reversed(keys):
        nested = {key: nested}
    line = "\r\n" if "\r\n" in text else "\n"
    made = tomlkit.dumps(nested).replace("\n", line)
    gap = "" if not text.strip() else line if text.endswith("\n") else line + line
    return text + gap + made


def set_fields(text: str, keys: Sequence[str], before: Any, value: Mapping[str, Any]) -> str:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    if not isinstance(before, dict):
        raise Malformed(NOT_A_TABLE)
    try:
        document: Any = tomlkit.parse(text)
        table = document
        for key in keys:
            table = table[key]
        for field in [*before]:
            if field not in value:
                del table[field]
        for field, part in value.items():
            if before.get(field) != part:
                table[field] = part
        return tomlkit.dumps(document)
    except (TOMLKitError, ValueError, TypeError, AttributeError):
        raise Malformed(UNSAFE) from None


def check(new: str, wanted: Any) -> str:
    try:
        is_right = load(new) == wanted
    except Malformed:
        is_right = False
    if not is_right:
        raise Malformed(UNSAFE)
    return new
