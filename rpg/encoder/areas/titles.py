"""Titles of groups, made of the names that people gave to the directories and files in them.

In: groups of units, siblings together. Out: for each a title of at most five words, unlike those of its siblings.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rpg.encoder.areas.grouping import Forest, Group, Unit
from rpg.encoder.areas.path_words import is_weak, phrase, stem_words

LONGEST: Final = 5
"""Words of a title."""
NAMED: Final = 2
"""Units that a title names at most."""
WHOLE: Final = 0.75
"""From this share of a directory on, a group of its parts is called after it."""
EMPTY: Final = frozenset({"", "init", "index", "main", "mod"})
"""Files with these names are what their directory is: they say nothing of their own."""
PARTS_TRIED: Final = 6
LARGE_PART: Final = 0.12
"""A directory of this share of the one around it is named with it."""
SUBSTANTIAL: Final = 0.1
"""A unit of less than this share of the heaviest is not named."""


def titles(
    forest: Forest, groups: Sequence[Group], around: str, taken: Iterable[str] = (), *, of_tests: bool = False
) -> list[str]:
    """`around`: the directory that all groups stand in, whose name says nothing about one of them."""
    seen = {each.lower() for each in taken}
    found = []
    for group in groups:
        written = candidates(forest, group, around)
        title = unlike(seen, [without_tests(each) for each in written] if of_tests else written)
        seen.add(title.lower())
        found.append(title)
    return found


def unlike(seen: set[str], written: Sequence[str]) -> str:
    for title in written:
        if title.lower() not in seen:
            return title
    number = 2
    while f"{written[0]} {number}".lower() in seen:
        number += 1
    return f"{written[0]} {number}"


def candidates(forest: Forest, group: Group, around: str) -> list[str]:
    """Titles of a group, the best first; at least one."""
    shared = shared_words(group)
    whole = folder_of(forest, group, around)
    units = [part for unit in group for part in telling(forest, unit)]
    strong = max([unit.weight for unit in units], default=0)
    units += [unit for unit in group if is_heavy_file(unit, strong)]
    units.sort(key=lambda unit: (-unit.weight, unit.path))
    heaviest = units[0].weight if units else 0
    phrases = [phrase(unit.path) for unit in units if unit.weight >= SUBSTANTIAL * heaviest]
    phrases = unlike_each_other(phrases[:NAMED])
    found = []
    if whole:
        found += detailed(forest, whole)
    elif len(group) == 1 and group[0].path.endswith("/") and phrase(group[0].path):
        found += detailed(forest, group[0])
    if shared:
        found.append(shared)
    found += [joined(phrases[:number]) for number in range(min(NAMED, len(phrases)), 0, -1) if fits(phrases[:number])]
    found += phrases[:1]
    weak = [text for unit in group if (text := phrase(unit.path))]
    found += [text for text in (joined(weak[:2]), *weak) if text]
    return [capital(text) for text in found] or ["Other files"]


def unlike_each_other(phrases: Sequence[str]) -> list[str]:
    """Without those that repeat a word of an earlier one: `Stream and streams` says no more than `Stream`."""
    found: list[str] = []
    said: set[str] = set()
    for each in phrases:
        words = set(stem_words(each.replace(" ", "/")))
        if not found or not words & said:
            found.append(each)
            said |= words
    return found


def detailed(forest: Forest, unit: Unit) -> list[str]:
    """A directory's name, with its largest parts where there is room; files too, if the name says little."""
    name = phrase(unit.path)
    said = set(stem_words(unit.path))
    with_files = is_weak(unit.path)
    parts = [part for part in forest.opened(unit) if part != unit and not is_weak(part.path)]
    parts.sort(key=lambda part: (-part.weight, part.path))
    phrases: list[str] = []
    for part in parts[:PARTS_TRIED]:
        words = set(stem_words(part.path.rstrip("/").rpartition("/")[2]))
        is_large = part.weight >= LARGE_PART * unit.weight and part.path.endswith("/")
        if not words & said and (with_files or is_large):
            phrases.append(phrase(part.path))
            said |= words
    for number in (2, 1):
        if len(phrases) >= number and fits([name, *phrases[:number]]):
            title = f"{name}: {joined(phrases[:number])}"
            return [title] if with_files else [title, name]
    return [] if with_files else [name]


def telling(forest: Forest, unit: Unit) -> list[Unit]:
    """The unit itself, or the parts of a directory whose name says little."""
    if not is_weak(unit.path):
        return [unit]
    return [part for part in forest.opened(unit) if part != unit and not is_weak(part.path)]


def is_heavy_file(unit: Unit, others: int) -> bool:
    """Whether a file whose name says little is most of what there is to name."""
    return (
        is_weak(unit.path) and not unit.path.endswith("/") and unit.weight >= others and phrase(unit.path) not in EMPTY
    )


def without_tests(title: str) -> str:
    """The title of a group of tests: what they test."""
    words = [word for word in title.split() if word.lower() not in ("test", "tests")]
    return capital(" ".join(words)) if words and words[0] not in ("and", "of") and words[-1] != "and" else title


def folder_of(forest: Forest, group: Group, around: str) -> Unit | None:
    """The directory that a group of several units makes up almost alone."""
    folders = {unit.path[: unit.path.rstrip("/").rfind("/") + 1] for unit in group}
    if len(group) < 2 or len(folders) > 1:
        return None
    (folder,) = folders
    if not folder or folder == around or is_weak(folder):
        return None
    files = tuple(file for file in forest.weights if file.startswith(folder))
    whole = forest.unit(folder, files)
    return whole if sum([unit.weight for unit in group]) >= WHOLE * whole.weight else None


def shared_words(group: Group) -> str:
    """What the names of all units of a group begin or end with."""
    names = [phrase(unit.path).split() for unit in group if not is_weak(unit.path)]
    if len(names) < 2 or len(names) < len(group):
        return ""
    shared = [word for word in names[0] if all(word in name for name in names[1:])]
    return " ".join(shared)


def fits(phrases: Sequence[str]) -> bool:
    return len(" ".join(phrases).split()) <= LONGEST - (len(phrases) > 1)


def joined(phrases: Sequence[str]) -> str:
    phrases = list(dict.fromkeys(phrases))
    return f"{', '.join(phrases[:-1])} and {phrases[-1]}" if len(phrases) > 1 else "".join(phrases)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:] if text[:2].islower() or len(text) == 1 else text
