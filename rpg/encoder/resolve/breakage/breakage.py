"""Finds what an edit breaks; the entry of this room."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from typing import NamedTuple

from rpg.encoder.resolve.breakage.calls import Calls
from rpg.encoder.resolve.breakage.findings import SYNTAX, Finding
from rpg.encoder.resolve.breakage.focus import are_classes_alike
from rpg.encoder.resolve.breakage.fresh import Fresh
from rpg.encoder.resolve.breakage.implementers import Implementers
from rpg.encoder.resolve.breakage.imports import BrokenImports
from rpg.encoder.resolve.breakage.inheritance import Inheritance
from rpg.encoder.resolve.breakage.lines import EVERY, SAME, LineMap
from rpg.encoder.resolve.breakage.lost_bases import LostBases
from rpg.encoder.resolve.breakage.named import NamedElsewhere
from rpg.encoder.resolve.breakage.sides import Side, names_in
from rpg.encoder.resolve.breakage.types.listed_types import find_grown_types, find_shorter_lists, find_typed_by
from rpg.encoder.resolve.breakage.unimported import Unimported
from rpg.encoder.resolve.breakage.uses import Uses
from rpg.encoder.resolve.breakage.worlds import Contents, Saved, Worlds
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.system import deadline


class Breakage(NamedTuple):
    findings: list[Finding]
    before: list[Finding]
    """What was broken before, if asked for."""
    imported: list[tuple[str, int, str]]
    """Path, line and imported file of each import of a file that was not imported there."""
    released: set[str]
    """Ids after the edit of what lines that are gone used."""
    checked: int
    """How many uses were compared, or stand in edited lines and were judged there."""
    checked_anew: int
    """How many of them stand in edited lines."""
    unjudged: list[tuple[str, int]]
    """Path and line of places that may mean what is gone, or may pass as many arguments as nothing takes now."""
    without_arguments: set[str]
    """The languages of checked uses of functions whose arguments are not judged."""


def find_breakage(
    saved: Saved,
    before: Mapping[str, Contents | None],
    after: Mapping[str, Contents | None] | None,
    pairs: Mapping[str, str],
    words: Set[str],
    mentioning: Callable[[Set[str]], Iterable[str]],
    changed: Set[str],
    certain: Callable[[str, str], bool],
    roots: tuple[str, ...],
    with_old: bool = False,
) -> Breakage:
    """`before`: by path, what files contained that were different, None for those that were not there. `after`: the
    same for the other time; None if that is the saved state. `pairs`: path before -> path after of files that moved.
    `words`: the names of what came, went or looks different, and of the files that moved; `mentioning`: the files that
    have one of some words. `changed`: ids of the symbols whose uses are counted. `with_old`: what was broken before
    is looked for, too, in the files that changed and where others use what changed."""
    worlds = Worlds(saved, [before, *([after] if after is not None else [])], roots)
    old_world, is_own = worlds.changed(before)
    new_world, is_own_after = worlds.build_saved_world() if after is None else worlds.changed(after)
    edited = before.keys() | (after.keys() if after is not None else set())
    edited = edited | set(pairs.values())
    old_world.prepare(path for path, each in before.items() if not worlds.is_saved(path, each))
    new_world.prepare(path for path, each in (after or {}).items() if not worlds.is_saved(path, each))
    old, new = Side(old_world, certain), Side(new_world, certain)
    bases = LostBases(old, new, pairs)
    bases.look(edited)
    words = words | bases.names
    now_there = {path: _contents(saved, after or {}, pairs.get(path, path)) for path in before}
    if listed := find_shorter_lists(before, now_there) | find_grown_types(before, now_there):
        words = words | find_typed_by(listed, mentioning(listed), saved)
    focused = edited.union(mentioning(words))
    lines = {
        path: LineMap(_source(saved, before, path), _source(saved, after or {}, pairs.get(path, path)))
        for path in edited
        if old.has_file(path) and new.has_file(pairs.get(path, path))
    }
    imports = BrokenImports(old, new, edited, words)
    unimported = Unimported(old, new, imports)
    of_old: dict[str, list[int]] = {}
    of_new: dict[str, list[int]] = {}
    for path in sorted(focused):
        file, other = old.file(path), new.file(pairs.get(path, path))
        if file is None or other is None:
            continue
        names = names_in(file, words) | names_in(other, words)
        imports.words |= names
        same = lines.get(path)
        of_old[path] = old.choose(file, names, same.old_lines if same else ())
        new_lines = EVERY if with_old and path in edited else same.new_lines if same else ()
        of_new[other.path] = [*new.choose(other, names, new_lines), *unimported.sites(file, other)]
    came = [path for path in sorted(edited - set(pairs.values())) if not old.has_file(path)]
    for path in came:
        added = new.file(path)
        if added is not None:
            of_new[path] = new.choose(added, frozenset(), EVERY)
    old_world.resolve(is_own, of_old)
    new_world.resolve(is_own_after, of_new)
    uses = Uses(old, new, imports, Calls(old, new), changed, bases)
    fresh = Fresh(old, new, uses.calls, imports)
    named, inheritance = NamedElsewhere(old, new), Inheritance(old, new, words, are_classes_alike(before, now_there))
    implementers = Implementers(old, new, edited, words)
    findings: list[Finding] = []
    standing: list[Finding] = []
    imported: list[tuple[str, int, str]] = []
    released: set[str] = set()
    for path in sorted(focused):
        file, other = old.file(path), new.file(pairs.get(path, path))
        if file is None or other is None or file.index not in old_world.outcomes:
            continue
        deadline.check()
        same = lines.get(path, SAME)
        if same.old_lines or path != other.path:
            imported += imports.new_ones(file, other)
            released |= uses.released(file, same)
        if with_old:
            standing += fresh.standing(other)
        unread = problems(file, other)
        findings += unread
        findings += imports.find(file, other, same)
        findings += uses.find(file, other, same)
        findings += named.find(file, other, same)
        findings += unimported.find(file, other, same, findings)
        findings += (each for each in fresh.find(file, other, same) if not unimported.has_told(each))
        if not unread:
            findings += inheritance.find(file, other)
            findings += implementers.find(file, other)
    for path in came:
        added = new.file(path)
        if added is not None:
            findings += fresh.of_new_file(added)
    new_ones = {(each.path, each.line, each.kind) for each in findings}
    standing = [each for each in standing if (each.path, each.line, each.kind) not in new_ones]
    checked = uses.checked + fresh.checked
    return Breakage(findings, standing, imported, released, checked, fresh.checked, uses.unjudged, uses.calls.unjudged)


def problems(old: SourceFile, new: SourceFile) -> list[Finding]:
    """Where a file does not parse any more."""
    if old.facts.problems or not new.facts.problems:
        return []
    line, _, message = new.facts.problems[0].partition(": ")
    return [Finding(new.path, int(line), 1, True, SYNTAX, "", "", f"does not parse: {message}")]


def _contents(saved: Saved, contents: Mapping[str, Contents | None], path: str) -> Contents | None:
    if path in contents:
        return contents[path]
    return Contents(saved.facts(path), saved.source(path)) if path in saved.languages else None


def _source(saved: Saved, contents: Mapping[str, Contents | None], path: str) -> bytes:
    each = contents.get(path)
    return each.source if each is not None else saved.source(path)
