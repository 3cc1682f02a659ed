"""Import cycles: of one file or directory, and of the whole repository.

In: the `imports` edges between files. Out: cycles as paths, closed by their first. No graph library is used: importing
one would cost a server more memory than everything else that it keeps.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from rpg.components import components
from rpg.stores.index.import_reads import each_import_between_files

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

SHOWN = 5

Imports = Mapping[str, list[str]]
"""For each file the files that it imports, sorted."""


def cycles_through(index: Index, path: str) -> list[list[str]]:
    """The shortest cycles through a file, or through files of a directory: shortest first, at most five."""
    imports, groups = circular_imports(index)
    prefix = "" if path in ("./", "") else path
    found: dict[frozenset[str], list[str]] = {}
    for group in groups:
        wanted = sorted(each for each in group if each == path or (path.endswith("/") and each.startswith(prefix)))
        for each in wanted[: SHOWN * 4]:
            cycle = shortest_cycle(imports, group, each)
            found.setdefault(frozenset(cycle), cycle)
    return sorted(found.values(), key=lambda cycle: (len(cycle), cycle))[:SHOWN]


def shortest_cycle(imports: Imports, group: set[str], path: str) -> list[str]:
    """The shortest cycle through one of a group of files that all reach each other."""
    before: dict[str, str] = {}
    frontier = [path]
    while frontier:
        following = []
        for source in frontier:
            for target in imports[source]:
                if target == path:
                    return [*path_back(source, path, before), path]
                if target in group and target not in before:
                    before[target] = source
                    following.append(target)
        frontier = following
    raise AssertionError(f"{path} is in no cycle")


def path_back(end: str, start: str, before: dict[str, str]) -> list[str]:
    path = [end]
    while path[-1] != start:
        path.append(before[path[-1]])
    return path[::-1]


def cycle_groups(index: Index) -> list[list[str]]:
    """All files that import each other in cycles, the largest group first."""
    return sorted((sorted(group) for group in circular_imports(index)[1]), key=lambda group: (-len(group), group))


_cache: WeakKeyDictionary[Index, tuple[str, Imports, list[set[str]]]] = WeakKeyDictionary()


def circular_imports(index: Index) -> tuple[Imports, list[set[str]]]:
    """The imports of files in cycles, and the cycles; cached until the index changes."""
    generation = index.meta("generation")
    cached = _cache.get(index)
    if cached is None or cached[0] != generation:
        imports: dict[str, list[str]] = {}
        for source, target in each_import_between_files(index):
            imports.setdefault(source, []).append(target)
        found = components(imports, lambda file: imports.get(file, ()))
        groups = [group for group in found if len(group) > 1]
        cached = generation, {file: imports[file] for group in groups for file in group}, groups
        _cache[index] = cached
    return cached[1:]
