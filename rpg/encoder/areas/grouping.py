"""Divides files into groups: along the directories, joined by dependencies and shared words.

In: files below a directory, with their weights and links. Out: groups of units; a unit is a directory with everything
in it, or one file. The same input gives the same groups.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Final, NamedTuple

from rpg.encoder.areas.path_words import stem_words
from rpg.encoder.areas.sketch import Sketch

LARGEST: Final = 0.4
"""Share of the weight above which a directory is opened, and to which groups grow at most."""
LARGEST_SHELF: Final = 0.65
"""The same for a directory of only files, such as rules: groups of its files have no distinct names."""
SHELF: Final = 0.9
"""The share of files among its parts that makes a directory such a one."""
MANY: Final = 40
"""The fewest parts that it has."""
LOOSE: Final = 0.9
"""A directory whose parts are linked with each other less often than this, as a ratio to chance, is opened."""
LOOSE_FROM: Final = 0.08
"""Share of the weight from which a directory may be loose."""
SMALLEST: Final = 0.02
"""Share of the weight below which a unit joins another."""
DEEPEST: Final = 6
"""The most levels of directories that are opened."""
WORDS: Final = 3.0
"""Weight of sharing all words, where links as frequent as by chance count 1."""
NEIGHBOURS: Final = 1.0
"""Weight of being in the same directory."""
APART: Final = 0.5
MOST_UNITS: Final = 800
"""Units that are compared one by one. If there are more, those whose paths follow each other begin as one group:
comparing each with each would cost the square of their number."""
MOST_LINKED: Final = 1.0
"""The most that links count: for small files any link is far more frequent than by chance."""


class Unit(NamedTuple):
    path: str
    """Path of a directory with its slash, or of a file."""
    files: tuple[str, ...]
    weight: int


Group = tuple[Unit, ...]
"""The heaviest unit first."""


class Sizes(NamedTuple):
    """How many groups there may be, and the least weight of one, as a share."""

    most: int
    smallest: float
    opens: bool
    """Whether directories that are too large or too loose are opened."""


class Forest:
    """The files of a repository, with weights and links."""

    def __init__(self, sketches: Iterable[Sketch]) -> None:
        self.weights: dict[str, int] = {}
        self.links: dict[str, dict[str, int]] = {}
        for each in sketches:
            self.weights[each.path] = weight_of(each.size)
            self.links[each.path] = {}
        for each in sketches:
            for other, step in each.uses:
                if other in self.links:
                    ours, theirs = self.links[each.path], self.links[other]
                    ours[other] = ours.get(other, 0) + step
                    theirs[each.path] = theirs.get(each.path, 0) + step
        self.every = sum([sum(links.values()) for links in self.links.values()]) or 1

    def unit(self, path: str, files: Sequence[str]) -> Unit:
        return Unit(path, tuple(files), sum([self.weights[file] for file in files]))

    def parts(self, files: Iterable[str], folder: str) -> list[Unit]:
        """The directories and files directly in a folder, among those that contain some of the files."""
        below: dict[str, list[str]] = {}
        for file in files:
            cut = file.find("/", len(folder))
            below.setdefault(file[: cut + 1] if cut >= 0 else file, []).append(file)
        return [self.unit(path, below[path]) for path in sorted(below)]

    def opened(self, unit: Unit) -> list[Unit]:
        """The parts of the first directory in a unit that has more than one."""
        parts = [unit]
        while len(parts) == 1 and parts[0].path.endswith("/"):
            parts = self.parts(parts[0].files, parts[0].path)
        return parts

    def cohesion(self, unit: Unit, parts: Sequence[Unit]) -> float:
        """How often its parts are linked with each other, as a ratio to chance; negative if they are linked with
        nothing, like data."""
        part_of = {file: number for number, part in enumerate(parts) for file in part.files}
        inside = 0
        degrees = [0] * len(parts)
        for file in unit.files:
            here = part_of[file]
            for other, count in self.links[file].items():
                degrees[here] += count
                if part_of.get(other, here) != here:
                    inside += count
        degree = sum(degrees)
        if degree < len(parts):
            return -1.0
        chance = (degree * degree - sum([each * each for each in degrees])) / self.every
        return inside / chance if chance else math.inf

    def groups(self, files: Sequence[str], folder: str, sizes: Sizes) -> list[Group]:
        """The files below a folder in groups, the heaviest first."""
        units = self.opened(self.unit(folder, files)) if folder else self.parts(files, "")
        if len(units) == 1:
            units = self.opened(units[0])
        if sizes.opens:
            units = self.spread(units)
        return self.joined(units, sizes)

    def spread(self, units: list[Unit]) -> list[Unit]:
        """Opens directories that are too large or too loose."""
        total = sum([unit.weight for unit in units])
        for _ in range(DEEPEST):
            found: list[Unit] = []
            for unit in units:
                parts = self.opened(unit) if unit.path.endswith("/") else []
                found += parts if self.is_container(unit, parts, total) else [unit]
            if len(found) == len(units):
                break
            units = found
        return units

    def is_container(self, unit: Unit, parts: Sequence[Unit], total: int) -> bool:
        """Whether a directory is too large or too loose to be one group."""
        if len(parts) < 2 or unit.weight <= LOOSE_FROM * total:
            return False
        folders = sum([part.path.endswith("/") for part in parts])
        largest = LARGEST_SHELF if len(parts) >= MANY and len(parts) - folders >= SHELF * len(parts) else LARGEST
        cohesion = self.cohesion(unit, parts)
        return cohesion >= 0 and (unit.weight > largest * total or (folders > 2 and cohesion < LOOSE))

    def joined(self, units: Sequence[Unit], sizes: Sizes) -> list[Group]:
        """Joins the lightest unit to the one with the strongest ties, until none is too light and there are not too
        many."""
        bundles = _bundles(units)
        groups: dict[int, list[Unit]] = dict(enumerate(bundles))
        total = sum([unit.weight for unit in units]) or 1
        weight = {number: sum([unit.weight for unit in bundle]) for number, bundle in enumerate(bundles)}
        links = self.links_between(bundles)
        degree = {number: sum(links[number].values()) for number in groups}
        every = sum(degree.values()) or 1
        words = _word_weights(bundles)
        vocabulary = {number: dict(words[number]) for number in groups}
        around = {
            number: reduce(_find_shared_parts, map(_folders, _paths(bundle))) for number, bundle in enumerate(bundles)
        }
        settled: set[int] = set()
        while True:
            candidates = [number for number in groups if number not in settled]
            if len(groups) < 2 or not candidates:
                break
            lightest = min(candidates, key=lambda number: (weight[number], number))
            if len(groups) <= sizes.most and weight[lightest] >= sizes.smallest * total:
                break
            best, best_score = -1, 0.0
            for other in groups:
                both = weight[lightest] + weight[other]
                if other == lightest or (both > LARGEST * total and len(groups) <= sizes.most and len(groups) <= 4):
                    continue
                near = _measure_nearness(around[lightest], around[other])
                chance = degree[lightest] * degree[other] / every
                linked = min(MOST_LINKED, links[lightest].get(other, 0) / chance) if chance else 0.0
                score = linked + WORDS * _alike(vocabulary[lightest], vocabulary[other])
                score += NEIGHBOURS * near
                score *= 1.0 if near else APART
                score *= 1.0 - 0.8 * min(1.0, weight[other] / (LARGEST * total))
                if score > best_score:
                    best, best_score = other, score
            if best < 0:
                settled.add(lightest)
                continue
            groups[best] += groups.pop(lightest)
            weight[best] += weight.pop(lightest)
            degree[best] += degree.pop(lightest)
            around[best] = _find_shared_parts(around[best], around.pop(lightest))
            for word, telling in vocabulary.pop(lightest).items():
                vocabulary[best][word] = max(telling, vocabulary[best].get(word, 0.0))
            theirs = links.pop(lightest)
            ours = links[best]
            ours.pop(lightest, None)
            for other, count in theirs.items():
                if other != best:
                    ours[other] = ours.get(other, 0) + count
                    links[other][best] = links[other].get(best, 0) + links[other].pop(lightest)
        found = [tuple(sorted(group, key=lambda unit: (-unit.weight, unit.path))) for group in groups.values()]
        return sorted(found, key=lambda group: (-sum([unit.weight for unit in group]), group[0].path))

    def links_between(self, bundles: Sequence[Sequence[Unit]]) -> dict[int, dict[int, int]]:
        unit_of = {file: number for number, bundle in enumerate(bundles) for unit in bundle for file in unit.files}
        links: dict[int, dict[int, int]] = {number: {} for number in range(len(bundles))}
        for file, here in unit_of.items():
            ours = links[here]
            for other, count in self.links[file].items():
                there = unit_of.get(other, here)
                if there != here:
                    ours[there] = ours.get(there, 0) + count
        return links


def _bundles(units: Sequence[Unit]) -> list[list[Unit]]:
    """Each unit alone; of too many, those whose paths follow each other together."""
    size = -(-len(units) // MOST_UNITS)
    ordered = sorted(units, key=lambda unit: unit.path) if size > 1 else units
    return [list(ordered[start : start + size]) for start in range(0, len(ordered), size or 1)]


def _paths(units: Iterable[Unit]) -> list[str]:
    return [unit.path for unit in units]


def weight_of(size: int) -> int:
    """What a step of `Sketch.size` stands for: at least as many symbols."""
    return max(1, round(math.sqrt(2.0) ** (size - 1)))


def _folder(path: str) -> str:
    return path[: path.rstrip("/").rfind("/") + 1]


def _folders(path: str) -> tuple[str, ...]:
    """The directories around a unit."""
    return tuple(path.rstrip("/").split("/")[:-1])


def _find_shared_parts(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    number = 0
    while number < min(len(one), len(other)) and one[number] == other[number]:
        number += 1
    return one[:number]


def _measure_nearness(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    """0 to 1: the share of the directories around two units, or groups, that are the same."""
    most = max(len(one), len(other))
    return len(_find_shared_parts(one, other)) / most if most else 1.0


def _word_weights(bundles: Sequence[Sequence[Unit]]) -> list[dict[str, float]]:
    """The words of the paths and files of each unit, or several; those that many have weigh less."""
    words = [
        {
            word
            for unit in bundle
            for path in (unit.path, *unit.files[:200])
            for word in stem_words(path[len(_folder(unit.path)) :])
        }
        for bundle in bundles
    ]
    having: dict[str, int] = {}
    for each in words:
        for word in each:
            having[word] = having.get(word, 0) + 1
    return [{word: math.log((len(bundles) + 1) / having[word]) for word in sorted(each)} for each in words]


def _alike(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """0 to 1: shared words, as a share of the words of the one that has fewer."""
    if len(other) < len(one):
        one, other = other, one
    shared, every = 0.0, 0.0
    for word, weight in one.items():
        every += weight
        shared += weight if word in other else 0.0
    return shared / every if every else 0.0
