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

FARTHEST = 14
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
    for level, waiting in enumerate(levels):
        while waiting and len(found) < len(tests):
            row, bits = waiting.popitem()
            known = reached.get(row, 0)
            fresh = bits & ~known
            if not fresh:
                continue
            reached[row] = known | fresh
            if row in targets:
                for place in list_places(fresh):
                    found.setdefault(tests[place], level)
            for through, doubt, masks in onwards.get(row, ()):
                for more, part in enumerate(split_by_words(fresh, masks), doubt):
                    if part and level + more <= FARTHEST:
                        there = levels[level + more]
                        there[through] = there.get(through, 0) | part
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


def split_by_words(tests: int, masks: Iterable[int]) -> list[int]:
    """The tests that have a word for each, for all but one, and so on."""
    parts = [tests]
    for mask in masks:
        parts = [(here & mask) | (before & ~mask) for here, before in zip([*parts, 0], [0, *parts], strict=True)]
    return parts


def list_places(bits: int) -> list[int]:
    """The places of the bits that are set."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found
