"""The formats by their names: one way to read a file of servers, add an entry, and remove it.

In: the name of a format, a text, keys, an entry. Out: the entries, or the new text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rpg.cli.clients.editing import json_with_comments, toml_tables, yaml_blocks
from rpg.cli.clients.editing.malformed import NOT_A_TABLE, Malformed

MARK = "\ufeff"
FORMATS = {"json": json_with_comments, "toml": toml_tables, "yaml": yaml_blocks}


def entries(form: str, text: str, keys: Sequence[str]) -> dict[str, Any]:
    """The servers that a text has, by their names."""
    known = FORMATS[form].load(text.removeprefix(MARK)) if text.strip(f"{MARK} \t\r\n") else {}
    if not isinstance(known, dict):
        raise Malformed(NOT_A_TABLE)
    at: Any = {} if known is None else known
    for key in keys[:-1]:
        at = at.get(key) if isinstance(at, dict) else None
    if keys[-1].startswith("[") and isinstance(at, list):
        return dict(list_named(at))
    if at is None or at == "":
        return {}
    if not isinstance(at, dict):
        raise Malformed(NOT_A_TABLE)
    return at


def list_named(listed: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    for each in listed:
        if isinstance(each, dict):
            yield str(each.get("name", "")), each


def set_entry(form: str, text: str, keys: Sequence[str], value: Mapping[str, Any]) -> str:
    if form == "json":
        return json_with_comments.set_value(text, keys, dict(value))
    mark = MARK if text.startswith(MARK) else ""
    new: str = FORMATS[form].set_value(text[len(mark) :], keys, value)
    return mark + new


def set_fields(form: str, text: str, keys: Sequence[str], before: Mapping[str, Any], changed: Mapping[str, Any]) -> str:
    """The text with these fields of an entry that is there; its other fields stay."""
    if form == "json":
        for field, value in changed.items():
            text = json_with_comments.set_value(text, (*keys, field), value)
        return text
    return set_entry(form, text, keys, {**before, **changed})


def remove_entry(form: str, text: str, keys: Sequence[str]) -> str:
    mark = MARK if text.startswith(MARK) else ""
    new: str = FORMATS[form].remove_value(text[len(mark) :], keys)
    return mark + new


def block(form: str, keys: Sequence[str], value: Mapping[str, Any]) -> str:
    """What a file with nothing but this entry says, to be added by hand."""
    return set_entry(form, "", keys, value).rstrip("\n")
