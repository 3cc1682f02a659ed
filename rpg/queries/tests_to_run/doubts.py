"""How doubtful the best way of each test is, if what a test says takes doubts away.

In: the steps of a search, the tests that it reached and their words. Out: for each test the doubts that are left. A
condition on a way is no doubt for a test that has a word of it, as one that passes `prompt=True` has for `if
self.prompt`; nor is a line of a table for a test that has its key. Other tests take that step with a doubt, or another
way. All tests go the ways at the same time, as bits of a number, those with fewer doubts first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from rpg.queries.tests_to_run.reach import Step
from rpg.queries.tests_to_run.wording import Wording

FARTHEST = 10
"""More doubts than these are not told apart."""


def count_doubts(
    steps: Iterable[Step], targets: Collection[int], words: Mapping[int, frozenset[str]]
) -> dict[int, int]:
    """`targets`: what the tests may run; `words`: of each test, by row."""
    tests = list(words)
    onwards = find_onward_steps(steps, Wording(words))
    reached: dict[int, int] = {}
    found: dict[int, int] = {}
    levels: list[dict[int, int]] = [{} for _ in range(FARTHEST + 1)]
    levels[0] = {row: 1 << place for place, row in enumerate(tests)}
    for level in range(FARTHEST + 1):
        while levels[level] and len(found) < len(tests):
            waiting, levels[level] = levels[level], {}
            for row, bits in waiting.items():
                known = reached.get(row, 0)
                fresh = bits & ~known
                if not fresh:
                    continue
                reached[row] = known | fresh
                if row in targets:
                    for place in list_places(fresh):
                        found.setdefault(tests[place], level)
                for through, doubt, masks in onwards.get(row, ()):
                    missing = fresh & ~reached.get(through, 0)
                    if missing:
                        add_by_words(levels, level + doubt, through, missing, masks)
    return {row: found.get(row, FARTHEST + 1) for row in tests}


def find_onward_steps(steps: Iterable[Step], wording: Wording) -> dict[int, list[tuple[int, int, tuple[int, ...]]]]:
    """By the row that a step leads to, since tests go them the other way: what it runs, the doubts that no word takes
    away, and for each of the others the tests that have a word for it."""
    found: dict[int, dict[tuple[int, int, tuple[int, ...]], None]] = {}
    for step in steps:
        told: Sequence[str] = step.told if step.doubt >= len(step.told) else ()
        masks = tuple(wording.find_tests(text) for text in told)
        found.setdefault(step.row, {})[step.through, step.doubt - len(told), masks] = None
    return {row: list(each) for row, each in found.items()}


def add_by_words(levels: list[dict[int, int]], level: int, row: int, tests: int, masks: Sequence[int]) -> None:
    """Adds to a level the tests that have a word for each, to the next those that have none for one, and so on."""
    parts = [tests]
    for mask in masks:
        parts = [(has & mask) | (lacks & ~mask) for has, lacks in zip([*parts, 0], [0, *parts], strict=True)]
    for there, part in zip(levels[level:], parts, strict=False):
        if part:
            there[row] = there.get(row, 0) | part


def list_places(bits: int) -> list[int]:
    """The places of the bits that are set."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found
