"""Changes one entry in YAML, and keeps every other character.

In: the text, the keys that lead to the entry, its value. With `[name]` as the last key, the entries are a list, and
the one whose `name` that is is meant. Out: the new text. The places are those of ruamel.yaml's nodes; what is written
is text. Malformed for what is not a single document of block style, or uses aliases, since an edit could reach further
then.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from rpg.cli.clients.editing.malformed import NOT_A_TABLE, UNSAFE, Malformed

PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z")
WORDS = frozenset("true false null yes no on off y n".split())
ALIAS = re.compile(r"(?:^|[\s,\[{:-])\*\w")
REST_OF_LINE = re.compile(r"[ \t]*(?:#[^\r\n]*)?(?:\r?\n|\Z)")
INDENT = "  "


def load(text: str) -> Any:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    if ALIAS.search(text):
        raise Malformed("it uses aliases of YAML")
    try:
        return YAML(typ="safe", pure=True).load(text)
    except (YAMLError, ValueError, RecursionError, TypeError):
        raise Malformed("it is not one document of YAML") from None


def set_value(text: str, keys: Sequence[str], value: Mapping[str, Any]) -> str:
    known = load(text)
    if known is None:
        known = {}
    wanted = set_entry(known, keys, dict(value))
    before = entry_of(known, keys)
    if before == value:
        return text
    return check(edit_text(text, keys, value, before), wanted)


def remove_value(text: str, keys: Sequence[str]) -> str:
    known = load(text)
    if entry_of(known, keys) is None:
        return text
    wanted = set_entry(known, keys, None)
    container = find(compose(text), keys[:-1])
    start, end = lines_of_entry(text, container, keys[-1])
    new = text[:start] + text[end:]
    rest = load(new)
    if isinstance(rest, dict) and rest.get(keys[0], ()) is None:
        wanted[keys[0]] = None  # it was the only one: the key that is left has no value
    return check(new, wanted)


def head(fields: Sequence[tuple[str, str]]) -> str:
    return "".join(f"{key}: {format_value(value)}\n" for key, value in fields)


def entry_of(known: Any, keys: Sequence[str]) -> Any:
    at = known
    for key in keys[:-1]:
        at = at.get(key) if isinstance(at, dict) else None
    if keys[-1].startswith("["):
        named = [each for each in at or () if isinstance(each, dict) and each.get("name") == keys[-1][1:-1]]
        return named[0] if named else None
    return at.get(keys[-1]) if isinstance(at, dict) else None


def set_entry(known: Any, keys: Sequence[str], value: Any) -> Any:
    """A copy with that entry; without it if the value is None."""
    if not isinstance(known, dict):
        raise Malformed(NOT_A_TABLE)
    if len(keys) == 1:
        rest = {key: each for key, each in known.items() if key != keys[0] or value is not None}
        return rest if value is None else {**rest, keys[0]: value}
    inner = known.get(keys[0])
    if keys[1].startswith("["):
        if inner is not None and not isinstance(inner, list):
            raise Malformed("it has something other than a list where the servers belong")
        name = keys[1][1:-1]
        entries = [each for each in inner or () if not (isinstance(each, dict) and each.get("name") == name)]
        if value is None:
            return {**known, keys[0]: entries}
        at = next((n for n, each in enumerate(inner or ()) if isinstance(each, dict) and each.get("name") == name), -1)
        return {**known, keys[0]: [*entries, value] if at < 0 else [*entries[:at], value, *entries[at:]]}
    return {**known, keys[0]: set_entry({} if inner is None else inner, keys[1:], value)}


def compose(text: str) -> Any:
    from ruamel.yaml import YAML

    return YAML(typ="safe", pure=True).compose(text)


def find(node: Any, keys: Sequence[str]) -> Any:
    """The node of the value at those keys; None if there is none."""
    for key in keys:
        pairs = node.value if node is not None and node.id == "mapping" else ()
        node = next((value for name, value in pairs if name.value == key), None)
    return node


def key_of(root: Any, keys: Sequence[str]) -> Any:
    return next(name for name, _ in find(root, keys[:-1]).value if name.value == keys[-1])


def edit_text(text: str, keys: Sequence[str], value: Mapping[str, Any], before: Any) -> str:
    line = "\r\n" if "\r\n" in text else "\n"
    root = compose(text) if text.strip() else None
    container = find(root, keys[:-1])
    if before is not None:
        if (new := replace_parts(text, container, keys[-1], value, before)) is not None:
            return new
        start, end = lines_of_entry(text, container, keys[-1])
        indent = indent_at(text, start)
        return text[:start] + block(keys[-1], value, indent, line) + text[end:]
    if root is not None and (root.id != "mapping" or root.flow_style):
        raise Malformed(UNSAFE)
    if container is None:  # the file has no servers yet
        if root is not None and find(root, keys[:-2]) is None:
            raise Malformed(UNSAFE)
        begin = text if not text or text.endswith("\n") else text + line
        return begin + f"{keys[0]}:{line}" + block(keys[-1], value, INDENT, line)
    if container.id == "scalar" or not container.value:  # nothing, null, [] or {}
        colon = text.index(":", key_of(root, keys[:-1]).end_mark.index) + 1
        written_out = container.id != "scalar" or container.value
        from_, to = (container.start_mark.index, container.end_mark.index) if written_out else (colon, colon)
        rest = REST_OF_LINE.match(text, to)
        if rest is None:
            raise Malformed(UNSAFE)
        kept = text[:from_].rstrip(" ") + text[to : rest.end()].rstrip("\r\n")
        return kept + line + block(keys[-1], value, INDENT, line) + text[rest.end() :]
    if container.flow_style:
        raise Malformed(UNSAFE)
    first = container.value[0][0] if container.id == "mapping" else container.value[0]
    indent = indent_at(text, text.rfind("\n", 0, first.start_mark.index) + 1)
    end = end_of(text, container)
    ended = "" if text[:end].endswith("\n") else line
    return text[:end] + ended + block(keys[-1], value, indent, line) + text[end:]


def replace_parts(
    text: str, container: Any, key: str, value: Mapping[str, Any], before: Mapping[str, Any]
) -> str | None:
    """The text with other values in place of those that differ; None if they do not stand on one line each."""
    if not isinstance(before, dict) or before.keys() != value.keys() or container.flow_style:
        return None
    entry = find(container, [key]) if container.id == "mapping" else None
    if container.id == "sequence":
        entry = next((each for each in container.value if name_of(each) == key[1:-1]), None)
    spans = []
    for name, part in value.items():
        node = find(entry, [name])
        if before[name] == part:
            continue
        if node is None or (node.id != "scalar" and not node.flow_style) or getattr(node, "style", None) in ("|", ">"):
            return None
        spans.append((node.start_mark.index, node.end_mark.index, format_value(part)))
    for start, end, part in sorted(spans, reverse=True):
        text = text[:start] + part + text[end:]
    return text


def lines_of_entry(text: str, container: Any, key: str) -> tuple[int, int]:
    """From the beginning of its first line to the end of its last."""
    if container is None or container.flow_style:
        raise Malformed(UNSAFE)
    for each in container.value:
        name, value = each if container.id == "mapping" else (each, each)
        is_it = name.value == key if container.id == "mapping" else name_of(each) == key[1:-1]
        if is_it:
            return text.rfind("\n", 0, name.start_mark.index) + 1, end_of(text, value)
    raise Malformed(UNSAFE)


def name_of(node: Any) -> str:
    found = find(node, ["name"])
    return str(found.value) if found is not None and found.id == "scalar" else ""


def end_of(text: str, node: Any) -> int:
    """The end of the line on which the last part of a node ends; its own end mark is where the next token begins."""
    while node.id in ("mapping", "sequence") and node.value and not node.flow_style:
        node = node.value[-1][1] if node.id == "mapping" else node.value[-1]
    end = node.end_mark.index
    if end and text[end - 1] == "\n":
        return int(end)
    rest = REST_OF_LINE.match(text, end)
    if rest is None:
        raise Malformed(UNSAFE)
    return rest.end()


def indent_at(text: str, start: int) -> str:
    found = re.compile(r"[ \t]*").match(text, start)
    return found[0] if found else ""


def block(key: str, value: Mapping[str, Any], indent: str, line: str) -> str:
    fields = [f"{format_key(name)}: {format_value(part)}" for name, part in value.items()]
    if key.startswith("["):
        first, *others = fields
        return "".join([f"{indent}- {first}{line}", *(f"{indent}  {each}{line}" for each in others)])
    return f"{indent}{format_key(key)}:{line}" + "".join(f"{indent}{INDENT}{each}{line}" for each in fields)


def format_key(key: str) -> str:
    return key if PLAIN.match(key) and key.lower() not in WORDS else json.dumps(key)


def format_value(value: Any) -> str:
    """JSON is YAML; a plain word needs no quotes."""
    if isinstance(value, str) and PLAIN.match(value) and value.lower() not in WORDS:
        return value
    return json.dumps(value, ensure_ascii=False)


def check(new: str, wanted: Any) -> str:
    try:
        is_right = load(new) == wanted
    except Malformed:
        is_right = False
    if not is_right:
        raise Malformed(UNSAFE)
    return new
