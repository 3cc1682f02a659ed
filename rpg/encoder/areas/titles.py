"""Titles of groups, made of the names that people gave to the directories and files in them.

In: groups of units, siblings together. Out: for each a title of at most five words, unlike those of its siblings.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rpg.encoder.areas.grouping import Forest, Group, Unit
from rpg.encoder.areas.path_words import EMPTY, SHORT, is_weak, name_of, phrase, stem_words

LONGEST: Final = 5
"""The most words of a title."""
NAMED: Final = 3
"""The most units that a title names."""
WHOLE: Final = 0.75
"""From this share of a directory on, a group of its parts is called after it."""
MOST_OF_ALL: Final = 0.75
"""A directory with more than this share of everything is the repository itself: its name says nothing."""
NAMELESS: Final = frozenset({"dist", "lib", "libs", "main", "source", "sources", "src"})
"""Directories whose name is left out of a title that names their parts."""
UTILITIES: Final = frozenset({"helpers", "util", "utils", "utilities"})
"""Directories whose name says little about their contents, but more than nothing."""
PARTS_TRIED: Final = 6
LARGE_PART: Final = 0.12
"""A directory of this share of the one around it is named with it."""
HEAVY: Final = 2
"""A file whose name says little is named if it has this many times the weight of any other."""
SUBSTANTIAL: Final = 0.1
"""A unit of less than this share of the heaviest is not named."""


def titles(
    forest: Forest,
    groups: Sequence[Group],
    around: str,
    taken: Iterable[str] = (),
    *,
    above: str = "",
    of_tests: bool = False,
) -> list[str]:
    """`around`: the directory that contains all groups, whose name says nothing about one of them; nor do the words of
    the title `above` them."""
    seen = {normalise_title(each) for each in taken}
    found = []
    for group in groups:
        written = candidates(forest, group, around, above)
        title = unlike(
            seen, [each for each in map(remove_test_words, written) if each] or written if of_tests else written
        )
        seen.add(normalise_title(title))
        found.append(title)
    return found


def unlike(seen: set[str], written: Sequence[str]) -> str:
    for title in written:
        if normalise_title(title) not in seen:
            return title
    number = 2
    while normalise_title(f"{written[0]} {number}") in seen:
        number += 1
    return f"{written[0]} {number}"


def normalise_title(title: str) -> str:
    """Titles that a reader takes for the same: `Type adapter` and `Type adapters`."""
    return " ".join([word.removesuffix("s") for word in title.lower().split()])


def candidates(forest: Forest, group: Group, around: str, above: str = "") -> list[str]:
    """Titles of a group, the best first; at least one."""
    shared = find_shared_words(group)
    whole = folder_of(forest, group, around)
    units = [part for unit in group for part in telling(forest, unit)]
    strong = max([unit.weight for unit in units], default=0)
    units += [unit for unit in group if is_heavy_file(unit, HEAVY * strong)]
    units.sort(key=lambda unit: (-unit.weight, unit.path))
    heaviest = units[0].weight if units else 0
    phrases = [phrase(unit.path) for unit in units if unit.weight >= SUBSTANTIAL * heaviest]
    phrases = unlike_each_other(phrases[: 2 * NAMED])[:NAMED]
    found = []
    if whole:
        found += build_detailed_titles(forest, whole, above)
    elif is_alone(group) and phrase(group[0].path):
        found += build_detailed_titles(forest, group[0], above)
    if shared:
        found.append(shared)
    found += within(forest, group, around, above, phrases) if not whole else []
    found += [
        join_phrases(phrases[:number]) for number in range(min(NAMED, len(phrases)), 0, -1) if fits(phrases[:number])
    ]
    found += phrases[:1]
    weak = [text for unit in group if name_of(unit.path).lower() not in NAMELESS and (text := phrase(unit.path))]
    found += [text for text in (join_phrases(weak[:2]), *weak) if text and len(text.split()) <= LONGEST]
    inside = [phrase(part.path) for unit in group if unit.path.endswith("/") for part in forest.opened(unit)]
    found += [text for text in inside[:PARTS_TRIED] if text]
    return [capital(text) for text in found] or ["Other files"]


def is_alone(group: Group) -> bool:
    """Whether a group is one directory; if it is of utilities, others may have joined it."""
    first = group[0]
    is_most = name_of(first.path).lower() in UTILITIES and first.weight >= WHOLE * sum([unit.weight for unit in group])
    return first.path.endswith("/") and (len(group) == 1 or is_most)


def within(forest: Forest, group: Group, around: str, above: str, phrases: Sequence[str]) -> list[str]:
    """Of a group that is a part of one directory: that directory, and what the part is."""
    folder = _folder_of_all(group)
    own = name_of(folder).lower()
    if len(group) < 2 or not folder or folder == around or (is_weak(folder) and own not in UTILITIES):
        return []
    name, own_stems = phrase(folder), set(stem_words(folder.rstrip("/").rpartition("/")[2]))
    if set(stem_words(name.lower().replace(" ", "/"))) <= set(stem_words(above.lower().replace(" ", "/"))):
        return []
    whole = sum([weight for path, weight in forest.weights.items() if path.startswith(folder)])
    if whole > MOST_OF_ALL * sum(forest.weights.values()):
        return []
    parts = [each for each in phrases if not own_stems & set(stem_words(each.replace(" ", "/")))]
    for number in range(min(NAMED, len(parts)), 0, -1):
        if fits([name, *parts[:number]]):
            return [f"{name}: {join_phrases(parts[:number])}"]
    return []


def _folder_of_all(group: Group) -> str:
    """The directory that contains all units of a group; empty if there is none."""
    folders = {unit.path[: unit.path.rstrip("/").rfind("/") + 1] for unit in group}
    return folders.pop() if len(folders) == 1 else ""


def unlike_each_other(phrases: Sequence[str]) -> list[str]:
    """Without those that repeat a word of an earlier one: `Stream and streams` says no more than `Stream`."""
    found: list[str] = []
    stems: set[str] = set()
    for each in phrases:
        words = set(stem_words(each.replace(" ", "/")))
        if not found or not words & stems:
            found.append(each)
            stems |= words
    return found


def build_detailed_titles(forest: Forest, unit: Unit, above: str) -> list[str]:
    """A directory's name, with as many of its largest parts as fit; files too, if the name says little. Without the
    name, if the title above has it."""
    name = phrase(unit.path)
    stems = set(stem_words(unit.path))
    with_files = is_weak(unit.path)
    parts = [part for part in forest.opened(unit) if part != unit and not is_weak(part.path)]
    parts.sort(key=lambda part: (-part.weight, part.path))
    phrases: list[str] = []
    for part in parts[:PARTS_TRIED]:
        words = set(stem_words(part.path.rstrip("/").rpartition("/")[2]))
        is_large = part.weight >= LARGE_PART * unit.weight and part.path.endswith("/")
        if not words & stems and (with_files or is_large):
            phrases.append(phrase(part.path))
            stems |= words
    for number in (2, 1):
        if len(phrases) >= number and fits([name, *phrases[:number]]):
            is_nameless = name_of(unit.path).lower() in NAMELESS or name.lower() == above.lower()
            title = join_phrases(phrases[:number]) if is_nameless else f"{name}: {join_phrases(phrases[:number])}"
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


def remove_test_words(title: str) -> str:
    """The title of a group of tests: what they test. Empty if it says nothing else."""
    words = [word for word in title.split() if word.lower() not in ("test", "tests", "test:", "tests:")]
    while words and words[0] in ("and", "of"):
        del words[0]
    while words and words[-1] in ("and", "of"):
        del words[-1]
    return capital(" ".join(words).rstrip(":"))


def folder_of(forest: Forest, group: Group, around: str) -> Unit | None:
    """The directory that a group of several units makes up almost alone."""
    folder = _folder_of_all(group)
    if len(group) < 2 or not folder or folder == around or is_weak(folder):
        return None
    files = tuple(file for file in forest.weights if file.startswith(folder))
    whole = forest.unit(folder, files)
    return whole if sum([unit.weight for unit in group]) >= WHOLE * whole.weight else None


def find_shared_words(group: Group) -> str:
    """What the names of all units of a group begin or end with."""
    names = [phrase(unit.path).split() for unit in group if not is_weak(unit.path)]
    if len(names) < 2 or len(names) < len(group):
        return ""
    shared = [word for word in names[0] if all(word in name for name in names[1:])]
    return " ".join(shared) if max(map(len, shared), default=0) > SHORT else ""


def fits(phrases: Sequence[str]) -> bool:
    return len(" ".join(phrases).split()) <= LONGEST - (len(phrases) > 1)


def join_phrases(phrases: Sequence[str]) -> str:
    phrases = list(dict.fromkeys(phrases))
    return f"{', '.join(phrases[:-1])} and {phrases[-1]}" if len(phrases) > 1 else "".join(phrases)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:] if text[:2].islower() or len(text) == 1 else text
