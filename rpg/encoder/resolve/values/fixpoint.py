"""Caches evaluations, and evaluates expressions that depend on themselves.

In: keys, and functions that compute their values. Out: values, each computed once.

A cycle is evaluated in passes, as its outermost part. Everything else in it is computed once per pass, using the
previous pass where it meets itself, until nothing changes (as deductive databases evaluate recursive rules; only the
head is iterated, see Chen and Warren, Tabled Evaluation with Delaying, 1996). Then the head is cached and the others
are not: a cached value does not depend on what was evaluated before it.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from pathlib import PurePath
from typing import Any, Final

from rpg.encoder.recursion import allow_deep_calls
from rpg.encoder.resolve.values.values import MOST, Values

_DEEPEST: Final = 120
"""Nested evaluations; anything deeper is unknown."""
_PASSES: Final = 4
"""The most passes through a cycle; a value that still changes then stays as it is."""
STEPS: Final = 2_000
"""Evaluations per reference; beyond that the result is unknown, so that no construct makes inference explode."""
_MOST_EXHAUSTED: Final = 200
_FEW_STEPS: Final = 100
"""Evaluations per reference once so many references of the repository have used up their budget: what was cut off is
not cached, so that code made of such references would cost thousands of times as much as any other."""
MISTAKES: Final = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip
"""What is raised where the code does not foresee what a repository has. What ends an encode on purpose is none."""
DEBUG: Final = bool(os.environ.get("RPG_DEBUG"))
OVERDRAWN: Final = f"more than {_MOST_EXHAUSTED} references of the repository cost more than the limit"

Needs = frozenset[Any]
"""Keys of what callers pass, or of what is stored somewhere."""
NOTHING_NEEDED: Final[Needs] = frozenset()
ANYTHING: Final = "anything"
"""Is in every set of changed keys, and stands for more keys than are kept: sets that each hold one key more than the
one before would cost the square of their number."""
_ALL_NEEDED: Final[Needs] = frozenset((ANYTHING,))
_MOST_NEEDS: Final = 400


class _Frame:
    """An evaluation in progress."""

    __slots__ = (
        "cut_around", "depends_around", "depth", "hit", "is_unsettled", "key", "known", "passes", "place",
        "resting_around", "seeded", "tied", "value",
    )  # fmt: skip

    def __init__(self, key: Any, depth: int, value: Values, depends: Needs, resting: int, is_cut: bool) -> None:
        self.key = key
        self.known: list[Values | None] | None = None
        """Where the result is stored: for an expression in its file, by offset; otherwise in memory, by key."""
        self.place = 0
        self.depth = depth
        self.value = value
        """The result of the previous pass."""
        self.depends_around = depends
        self.resting_around = resting
        self.cut_around = is_cut
        self.hit = False
        self.passes = 0
        """Number of passes through the cycle that it heads."""
        self.is_unsettled = False
        """Whether something in its cycle differed from what this pass had assumed."""
        self.tied: list[Any] | None = None
        """Keys of values that rest on this one and hold for this pass."""
        self.seeded: list[Any] | None = None
        """Keys of those of the previous passes."""


class Fixpoint:
    def __init__(self) -> None:
        allow_deep_calls()
        self.round = 0
        self.same: dict[Values, Values] = {}
        """Each cached value once: most are shared by many expressions."""
        self.memory: dict[Any, Values] = {}
        """What holds in every round, except for expressions, which their files store."""
        self.dependent: dict[Any, tuple[Values, Needs]] = {}
        """Values that depend on what callers pass or on what is stored, with the keys of that."""
        self.dependents: dict[Needs, list[Any]] = {}
        """Their keys."""
        self.depends: Needs = NOTHING_NEEDED
        """What the current evaluation depends on."""
        self.alone: dict[Any, Needs] = {}
        self.needs: dict[Needs, Needs] = {}
        """Each set of dependencies once."""
        self.numbers: dict[Any, int] = {}
        """Numbers for keys that are not numbers: such keys may be large, and are hashed once per query."""
        self.known_objects: dict[int, tuple[Any, int]] = {}
        """By identity: parts of nested values, which so stay, and their numbers."""
        self.active: dict[Any, _Frame] = {}
        self.stack: list[_Frame] = []
        """The frames by depth."""
        self.unfinished: dict[Any, tuple[Values, int, Needs]] = {}
        """Results of this pass within unfinished cycles: value, the frames that it rests on, its dependencies."""
        self.seeds: dict[Any, Values] = {}
        """Results of the previous pass."""
        self.resting = 0
        """Which frames the current evaluation rests on: one bit per depth."""
        self.is_cut = False
        """Whether part of it was cut off for its depth or its cost, or by a mistake."""
        self.mistake = ""
        """The mistake that cut off the last reference that one did."""
        self.steps = 0
        self.budget = STEPS
        self.exhausted = 0
        """References that have used up their budget."""

    def forget_all(self) -> None:
        """Everything will be evaluated again."""
        self.memory.clear()
        self.same.clear()
        for table in (self.dependent, self.dependents, self.alone, self.needs, self.numbers, self.known_objects):
            table.clear()

    def start(self) -> None:
        """Call before each reference: its cost and dependencies are counted separately."""
        if self.steps > self.budget:
            self.exhausted += 1
            if self.exhausted > _MOST_EXHAUSTED:
                self.budget = _FEW_STEPS
        self.steps = 0
        self.depends = NOTHING_NEEDED
        self.resting = 0
        self.is_cut = False
        self.mistake = ""

    def give_up(self, error: Exception) -> Values:
        """The value of an evaluation that a mistake of ours has ended, in its handler: unknown, as one is that costs
        too much. The graph is made all the same, and says where that was."""
        if DEBUG:
            raise error
        frames = traceback.extract_tb(error.__traceback__)
        where = f" in {PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
        self.mistake = f"rpg failed there ({type(error).__name__}{where}), which is a bug of rpg"
        self.is_cut = True
        return ()

    @property
    def is_exhausted(self) -> bool:
        """Whether the reference has used up its budget, and would again."""
        return self.steps > self.budget

    @property
    def is_overdrawn(self) -> bool:
        """Whether references have a smaller budget, because so many have used up theirs."""
        return self.budget < STEPS

    def depend_on(self, key: Any) -> None:
        """The current evaluation depends on what a parameter receives, or on what is stored somewhere."""
        alone = self.alone.get(key)
        if alone is None:
            alone = self.alone[key] = frozenset((key,))
        self.depends = self.both(self.depends, alone)

    def both(self, some: Needs, others: Needs) -> Needs:
        """The union. Most values depend on what others depend on already, so that one set serves them all."""
        if some is others or not others or others <= some:
            return some
        if not some or some <= others:
            return others
        union = some | others
        if len(union) > _MOST_NEEDS or ANYTHING in union:
            return _ALL_NEEDED
        return self.needs.setdefault(union, union)

    def next_round(self, changed: set[Any] | None) -> None:
        """Drops values that depend on what changed (None: on anything that may); the others stay valid."""
        self.round += 1
        stale = [needs for needs in self.dependents if changed is None or not needs.isdisjoint(changed)]
        for needs in stale:
            for key in self.dependents.pop(needs):
                del self.dependent[key]

    def compute_once(self, key: Any, compute: Callable[..., Values], *arguments: Any) -> Values:
        """`compute(*arguments)`, once."""
        return self.compute_numbered(self.numbers.setdefault(key, -1 - len(self.numbers)), compute, *arguments)

    def number_of(self, value: Any) -> int:
        """One number for equal values: of what is nested deeply each part is looked at once, for its parts are shared
        by many, and to hash it whole takes time for each place where one of them is."""
        known = self.known_objects.get(id(value))
        if known is not None:
            return known[1]
        parts = tuple([(self.number_of(part),) if isinstance(part, tuple) and part else part for part in value])
        number = self.numbers.setdefault(("n", parts), -1 - len(self.numbers))
        self.known_objects[id(value)] = (value, number)
        return number

    def compute_numbered(self, number: Any, compute: Callable[..., Values], *arguments: Any) -> Values:
        """`remembered` for a key that is a number: an expression's."""
        value = self.memory.get(number)
        if value is None:
            value = self.recall_value(number)
        if value is not None:
            return value
        frame = self.begin_evaluation(number)
        if frame is None:
            return ()
        try:
            value = compute(*arguments)
            while self.goes_round(frame, value):
                value = compute(*arguments)
        except MISTAKES as error:
            value = self.give_up(error)
        return self.ended(frame, value)

    def recall_value(self, key: Any) -> Values | None:
        """The value known in this round, or so far. From here on keys are numbers."""
        known = self.dependent.get(key)
        if known is not None:
            self.depends = self.both(self.depends, known[1])
            return known[0]
        frame = self.active.get(key)
        if frame is not None:
            frame.hit = True
            self.resting |= 1 << frame.depth
            return frame.value
        if self.unfinished:
            seen = self.unfinished.get(key)
            if seen is not None:
                self.resting |= seen[1]
                self.depends = self.both(self.depends, seen[2])
                return seen[0]
        return None

    def begin_evaluation(self, key: Any) -> _Frame | None:
        """Starts an evaluation; None if it would go too deep or cost too much."""
        depth = len(self.stack)
        self.steps += 1
        if depth > _DEEPEST or self.steps > self.budget:
            self.is_cut = True
            return None
        before = self.seeds.get(key, ()) if self.seeds else ()
        frame = _Frame(key, depth, before, self.depends, self.resting, self.is_cut)
        self.active[key] = frame
        self.stack.append(frame)
        self.resting = 0
        self.is_cut = False
        self.depends = NOTHING_NEEDED
        return frame

    def goes_round(self, frame: _Frame, value: Values) -> bool:
        """Whether the result must be computed again, because it heads a cycle that still changes."""
        if not frame.hit or (not frame.passes and self.resting & ((1 << frame.depth) - 1)):
            return False
        frame.passes += 1
        if (value == frame.value and not frame.is_unsettled) or frame.passes >= _PASSES or self.is_cut:
            return False
        frame.value = value
        frame.is_unsettled = False
        self.untie(frame)
        return True

    def ended(self, frame: _Frame, value: Values) -> Values:
        """Ends an evaluation with its value."""
        if frame.passes:
            self.forget(frame)
        resting = self.resting & ((1 << frame.depth) - 1) if self.resting else 0
        if len(value) > MOST:
            value = ()
        key, depends = frame.key, self.depends
        del self.active[key]
        self.stack.pop()
        if resting:
            self.leave_to_head(frame, value, resting, depends)
        elif not self.is_cut:
            value = self.same.setdefault(value, value)
            if depends:
                self.dependent[key] = (value, depends)
                self.dependents.setdefault(depends, []).append(key)
            elif frame.known is not None:
                frame.known[frame.place] = value
            else:
                self.memory[key] = value
        self.resting = frame.resting_around | resting
        self.is_cut = self.is_cut or frame.cut_around
        self.depends = self.both(frame.depends_around, depends) if depends else frame.depends_around
        return value

    def leave_to_head(self, frame: _Frame, value: Values, resting: int, depends: Needs) -> None:
        """For a part of a cycle with a head further out: the value holds for this pass, and the next one starts with
        it."""
        head = self.stack[(resting & -resting).bit_length() - 1]
        if frame.is_unsettled or (frame.hit and value != frame.value):
            head.is_unsettled = True
        tied = frame.tied or []
        tied.append(frame.key)
        if head.tied is None:
            head.tied = tied
        else:
            head.tied += tied
        self.unfinished[frame.key] = (value, resting, depends)

    def untie(self, frame: _Frame) -> None:
        """The values of a finished pass become the start of the next one."""
        tied = frame.tied or []
        for key in tied:
            seen = self.unfinished.pop(key, None)
            if seen is not None:
                self.seeds[key] = seen[0]
        frame.seeded = [*(frame.seeded or ()), *tied]
        frame.tied = None

    def forget(self, frame: _Frame) -> None:
        """Called once the values of a cycle's head no longer change."""
        for key in (*(frame.tied or ()), *(frame.seeded or ())):
            self.unfinished.pop(key, None)
            self.seeds.pop(key, None)
