"""Paths, package names and the JSON that explains them, as values.

In: strings and bytes. Out: strings, parsed JSON. No file is read here.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Any

import orjson

_COMMENTED = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING = re.compile(r'("(?:\\.|[^"\\\n])*")|,(?=\s*[}\]])')


def parse_json(source: bytes) -> dict[str, Any]:
    if not source:
        return {}
    try:
        data = orjson.loads(source)
    except orjson.JSONDecodeError:
        text = source.decode("utf-8-sig", "replace")
        text = _TRAILING.sub(lambda match: match[1] or "", _COMMENTED.sub(lambda match: match[1] or " ", text))
        try:
            data = orjson.loads(text)
        except orjson.JSONDecodeError:
            return {}
    return data if isinstance(data, dict) else {}


def join_path(folder: str, path: str) -> str | None:
    """A path inside the repository, normalised; None if it leaves it."""
    normal = posixpath.normpath(posixpath.join(folder, path))
    if normal == ".":
        return ""
    return None if normal.startswith(("..", "/")) else normal


def upwards(folder: str) -> Iterator[str]:
    """A folder and its parents, the root last."""
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""


def split_name(module: str) -> tuple[str, str]:
    """The package's name, and the path inside it."""
    parts = module.split("/")
    count = 2 if module.startswith("@") else 1
    return "/".join(parts[:count]), "/".join(parts[count:])


def remove_suffix(path: str) -> str:
    for suffix in (".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs", ".jsx"):
        if path.endswith(suffix):
            return path.removesuffix(suffix)
    return path


def glob(pattern: str) -> re.Pattern[str]:
    """A workspace pattern: `*` is one folder, `**` any number."""
    pattern = pattern.strip().removeprefix("./").rstrip("/")
    parts = re.split(r"(\*\*/?|\*)", pattern)
    return re.compile(
        "".join({"**": ".*", "**/": "(?:.*/)?", "*": "[^/]*"}.get(part, re.escape(part)) for part in parts)
    )


def substitute(rows: tuple[tuple[str, tuple[str, ...]], ...], module: str) -> Iterator[str]:
    """The replacements of the patterns that match, the most exact first."""
    for pattern, targets in rows:
        before, star, after = pattern.partition("*")
        if not star:
            if pattern == module:
                yield from targets
        elif module.startswith(before) and module.endswith(after) and len(module) >= len(before) + len(after):
            middle = module[len(before) : len(module) - len(after)]
            for target in targets:
                yield target.replace("*", middle)


def list_exported_files(entries: object, subpath: str) -> list[str]:
    """The files that a package's `exports` or `imports` list for a path, under any condition, in order."""
    if isinstance(entries, dict) and any(key.startswith((".", "#")) for key in entries):
        found = leaves(entries[subpath]) if subpath in entries else []
        patterns = sorted((key for key in entries if "*" in key), key=lambda key: -len(key))
        for pattern in patterns if not found else ():
            before, _, after = pattern.partition("*")
            if subpath.startswith(before) and subpath.endswith(after) and len(subpath) >= len(before) + len(after):
                middle = subpath[len(before) : len(subpath) - len(after)]
                found += [target.replace("*", middle) for target in leaves(entries[pattern])]
        return found
    return leaves(entries) if subpath == "." else []


def leaves(entry: object) -> list[str]:
    """All files under the conditions of an entry."""
    if isinstance(entry, str):
        return [entry]
    if isinstance(entry, dict):
        return [leaf for value in entry.values() for leaf in leaves(value)]
    if isinstance(entry, list):
        return [leaf for value in entry for leaf in leaves(value)]
    return []
