"""What has another name now: files and symbols.

In: both versions of the changed files. Out: for a file that is gone the one that has most of its lines; for a symbol
that is gone, the new one beside it that has the same body, or the one of its name elsewhere.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from rpg.encoder.facts import ANONYMOUS, Definition
from rpg.encoder.resolve import Contents
from rpg.queries.history.renames import find_moved

ALIKE = 0.5
"""The least share of words that two versions of a symbol have in common."""
_WORD = re.compile(rb"\w+")


class Renames(NamedTuple):
    files: dict[str, str]
    symbols: dict[str, str]
    """Id before -> id after."""
    lines: dict[str, int]
    """Id after -> the line of its name."""


def find_renames(before: Mapping[str, Contents | None], after: Mapping[str, Contents | None]) -> Renames:
    """`before` and `after` have the same paths: those of the changed files."""
    files = _moved_files(before, after)
    symbols: dict[str, str] = {}
    lines: dict[str, int] = {}
    went: dict[str, list[tuple[str, Definition]]] = {}
    came: dict[str, list[tuple[str, Definition]]] = {}
    for path, old in before.items():
        other = files.get(path, path)
        new = after.get(other)
        had, has = _symbols(old), _symbols(new)
        for name, definition in had.items():
            if name not in has or other != path:
                went.setdefault(path, []).append((name, definition))
    for path, new in after.items():
        had, has = _symbols(before.get(path)), _symbols(new)
        for name, definition in has.items():
            if name not in had:
                came.setdefault(path, []).append((name, definition))
    for path, gone in went.items():
        other = files.get(path, path)
        old, new = before[path], after.get(other)
        stayed = _symbols(new) if other != path else {}
        # What has its name in the file that moved is no other name of something else.
        taken = {name for name, _ in gone if name in stayed}
        for name, definition in gone:
            if old is None:
                continue
            found: tuple[str, str, Definition] | None = None
            if name in stayed:
                found = other, name, stayed[name]
            elif new is not None:
                beside = [each for each in came.get(other, ()) if each[0] not in taken]
                best = _like(old, name, definition, new, beside)
                found = (other, *best) if best else None
            if found is None:
                found = _elsewhere(old, name, definition, came, after, other)
            if found is not None:
                place, now, its = found
                taken.add(now)
                symbols[f"{path}::{name}"] = f"{place}::{now}"
                lines[f"{place}::{now}"] = _line(after[place], its)
    return Renames(files, symbols, lines)


def _moved_files(before: Mapping[str, Contents | None], after: Mapping[str, Contents | None]) -> dict[str, str]:
    gone = {path: each.source for path, each in before.items() if each is not None and after.get(path) is None}
    came = {path: each.source for path, each in after.items() if each is not None and before.get(path) is None}
    return find_moved(gone, came) if gone and came else {}


def _symbols(contents: Contents | None) -> dict[str, Definition]:
    if contents is None:
        return {}
    found: dict[str, Definition] = {}
    for index, each in enumerate(contents.facts.definitions):
        if index and ANONYMOUS not in each.flags:
            found.setdefault(each.qualified_name, each)
    return found


def _like(
    old: Contents, name: str, gone: Definition, new: Contents, came: list[tuple[str, Definition]]
) -> tuple[str, Definition] | None:
    """The new symbol in the same place that has the body of one that is gone, apart from its name."""
    around = name.rpartition(".")[0]
    body = _words(old, gone)
    best: tuple[str, Definition] | None = None
    most = ALIKE
    for other, definition in came:
        if definition.kind != gone.kind or other.rpartition(".")[0] != around or definition.owner != gone.owner:
            continue
        words = _words(new, definition)
        share = 2 * (body & words).total() / max(1, body.total() + words.total())
        if share >= most:
            best, most = (other, definition), share
    return best


def _elsewhere(
    old: Contents,
    name: str,
    gone: Definition,
    came: Mapping[str, list[tuple[str, Definition]]],
    after: Mapping[str, Contents | None],
    here: str,
) -> tuple[str, str, Definition] | None:
    """The new symbol of that name in another changed file."""
    body = _words(old, gone)
    for path, symbols in came.items():
        new = after[path]
        for other, definition in symbols if path != here and new is not None else ():
            if other.rpartition(".")[2] != name.rpartition(".")[2] or definition.kind != gone.kind or new is None:
                continue
            words = _words(new, definition)
            if 2 * (body & words).total() >= ALIKE * (body.total() + words.total()):
                return path, other, definition
    return None


def _words(contents: Contents, definition: Definition) -> Counter[bytes]:
    """The words of a definition but for its name."""
    words = Counter(_WORD.findall(contents.source[definition.start_byte : definition.end_byte]))
    del words[definition.name.encode()]
    return words


def _line(contents: Contents | None, definition: Definition) -> int:
    return bisect_right(contents.facts.line_starts, definition.name_byte) if contents is not None else 0
