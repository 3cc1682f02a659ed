"""Finds what an edit breaks; the entry of this room."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from typing import NamedTuple

from rpg.encoder.resolve.breakage.calls import Calls
from rpg.encoder.resolve.breakage.findings import Finding
from rpg.encoder.resolve.breakage.imports import BrokenImports
from rpg.encoder.resolve.breakage.lines import LineMap, SameLines
from rpg.encoder.resolve.breakage.sides import Side
from rpg.encoder.resolve.breakage.uses import Uses
from rpg.encoder.resolve.breakage.worlds import Contents, Saved, Worlds


class Breakage(NamedTuple):
    findings: list[Finding]
    checked: int
    """How many uses were compared."""


def find_breakage(
    saved: Saved,
    before: Mapping[str, Contents | None],
    after: Mapping[str, Contents | None] | None,
    pairs: Mapping[str, str],
    focus: Iterable[str],
    changed: Set[str],
    certain: Callable[[str, str], bool],
    roots: tuple[str, ...],
) -> Breakage:
    """`before`: by path, what files contained that were different, None for those that were not there. `after`: the
    same for the other time; None if that is the saved state. `pairs`: path before -> path after of files that moved.
    `focus`: further files that may see a difference. `changed`: ids of the symbols whose uses are counted."""
    worlds = Worlds(saved, [before, *([after] if after is not None else [])], roots)
    old_world, is_own = worlds.changed(before)
    new_world, is_own_after = worlds.as_saved() if after is None else worlds.changed(after)
    edited = before.keys() | (after.keys() if after is not None else set())
    focused = {*edited, *focus, *pairs.values()}
    old_world.resolve(focused, is_own)
    new_world.resolve(focused, is_own_after)
    old, new = Side(old_world, certain), Side(new_world, certain)
    imports = BrokenImports(old, new)
    uses = Uses(old, new, imports, Calls(old, new), changed)
    findings: list[Finding] = []
    for path in sorted(focused):
        file, other = old.file(path), new.file(pairs.get(path, path))
        if file is None or other is None or file.index not in old_world.outcomes:
            continue
        lines: LineMap = SameLines()
        if path in edited:
            lines = LineMap(_source(saved, before, path), _source(saved, after or {}, other.path))
        findings += imports.find(file, other, lines)
        findings += uses.find(file, other, lines)
    return Breakage(findings, uses.checked)


def _source(saved: Saved, contents: Mapping[str, Contents | None], path: str) -> bytes:
    each = contents.get(path)
    return each.source if each is not None else saved.source(path)
