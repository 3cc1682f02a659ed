"""What was evaluated, remembered; and how what depends on itself is evaluated.

In: keys, and functions that compute their values. Out: values, each computed once.

A cycle is evaluated in passes, as its outermost part: whatever else belongs to it is computed once a pass, from what
the pass before gave where it meets itself, until nothing changes (as deductive databases evaluate recursive rules; only
the head goes round, see Chen and Warren, Tabled Evaluation with Delaying, 1996). Then the head is remembered, and the
others are not: a remembered value does not depend on what was asked before it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rpg.encoder.resolve.values.values import MOST, Values

_DEEPEST: Final = 120
"""Evaluations inside each other; deeper is unknown."""
_PASSES: Final = 4
"""Through a cycle, at most; what changes even then stays as it is."""
STEPS: Final = 2_000
"""Evaluations for one reference; more is unknown, so that no construct makes inference explode."""


Needs = frozenset[Any]
"""What callers pass, or what is stored somewhere, by their keys."""
NOTHING_NEEDED: Final[Needs] = frozenset()


class _Frame:
    """An evaluation on the way."""

    __slots__ = (
        "cut_around", "depends_around", "depth", "hit", "is_unsettled", "key", "known", "passes", "place",
        "resting_around", "seeded", "tied", "value",
    )  # fmt: skip

    def __init__(self, key: Any, depth: int, value: Values, depends: Needs, resting: int, is_cut: bool) -> None:
        self.key = key
        self.known: list[Values | None] | None = None
        """Where what is found is noted: of an expression in its file, at its place; else in memory, by its key."""
        self.place = 0
        self.depth = depth
        self.value = value
        """What it gave in the pass before."""
        self.depends_around = depends
        self.resting_around = resting
        self.cut_around = is_cut
        self.hit = False
        self.passes = 0
        """Through the cycle that it is the head of."""
        self.is_unsettled = False
        """Whether something in its cycle gave other than was taken for it in this pass."""
        self.tied: list[Any] | None = None
        """Keys of what rests on this one, and holds for this pass."""
        self.seeded: list[Any] | None = None
        """Keys of what did in the passes before."""


class Fixpoint:
    def __init__(self) -> None:
        self.round = 0
        self.same: dict[Values, Values] = {}
        """Each value that is remembered once: most are those of many expressions."""
        self.memory: dict[Any, Values] = {}
        """What holds in every round, but for expressions, which files remember."""
        self.dependent: dict[Any, tuple[Values, Needs]] = {}
        """What hangs on what callers pass, or on what is stored, and on which of it."""
        self.dependents: dict[Needs, list[Any]] = {}
        """Keys of these."""
        self.depends: Needs = NOTHING_NEEDED
        """What that is being evaluated depends on."""
        self.alone: dict[Any, Needs] = {}
        self.needs: dict[Needs, Needs] = {}
        """Each set of dependencies once."""
        self.numbers: dict[Any, int] = {}
        """Of keys that are no numbers: what they say may be large, and is compared once for each question."""
        self.active: dict[Any, _Frame] = {}
        self.stack: list[_Frame] = []
        """The same by depth."""
        self.unfinished: dict[Any, tuple[Values, int, Needs]] = {}
        """What this pass gave within cycles on the way: value, the frames that it rests on, what it depends on."""
        self.seeds: dict[Any, Values] = {}
        """What the pass before gave."""
        self.resting = 0
        """Which frames what is being evaluated rests on: a bit for each depth."""
        self.is_cut = False
        """Whether something in it was left out for its depth or its cost."""
        self.steps = 0

    def forget_all(self) -> None:
        """Whatever is asked again is evaluated again."""
        self.memory.clear()
        self.same.clear()
        for table in (self.dependent, self.dependents, self.alone, self.needs, self.numbers):
            table.clear()

    def start(self) -> None:
        """Before each reference: what it costs and depends on is its own."""
        self.steps = 0
        self.depends = NOTHING_NEEDED
        self.resting = 0
        self.is_cut = False

    @property
    def is_exhausted(self) -> bool:
        """Whether the reference has used up its budget: it would again."""
        return self.steps > STEPS

    def depend_on(self, key: Any) -> None:
        """What is being evaluated depends on what a parameter receives, or what is stored somewhere."""
        alone = self.alone.get(key)
        if alone is None:
            alone = self.alone[key] = frozenset((key,))
        self.depends = self.both(self.depends, alone)

    def both(self, some: Needs, others: Needs) -> Needs:
        """Of two sets all. Most values depend on what others depend on already: one set serves them all."""
        if some is others or not others or others <= some:
            return some
        if not some or some <= others:
            return others
        union = some | others
        return self.needs.setdefault(union, union)

    def next_round(self, changed: set[Any] | None) -> None:
        """Forget what depends on what has changed (None: on anything that may); the rest holds."""
        self.round += 1
        stale = [needs for needs in self.dependents if changed is None or not needs.isdisjoint(changed)]
        for needs in stale:
            for key in self.dependents.pop(needs):
                del self.dependent[key]

    def remembered(self, key: Any, compute: Callable[..., Values], *arguments: Any) -> Values:
        """`compute(*arguments)`, once."""
        return self.numbered(self.numbers.setdefault(key, -1 - len(self.numbers)), compute, *arguments)

    def numbered(self, number: Any, compute: Callable[..., Values], *arguments: Any) -> Values:
        """`remembered` of a key that is a number: one of an expression."""
        value = self.memory.get(number)
        if value is None:
            value = self.recalled(number)
        if value is not None:
            return value
        frame = self.begun(number)
        if frame is None:
            return ()
        value = compute(*arguments)
        while self.goes_round(frame, value):
            value = compute(*arguments)
        return self.ended(frame, value)

    def recalled(self, key: Any) -> Values | None:
        """What is known in this round, or on the way. Of this and what follows, keys are numbers."""
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

    def begun(self, key: Any) -> _Frame | None:
        """An evaluation to be made now; None where it would go too deep, or cost too much."""
        depth = len(self.stack)
        self.steps += 1
        if depth > _DEEPEST or self.steps > STEPS:
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
        """Whether what was found is to be evaluated again: as the head of a cycle that is not settled."""
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
        """An evaluation is through, and gave that."""
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
        """Of a cycle that goes on further out: the value holds for this pass, and is what the next one begins with."""
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
        """What holds for a pass of a cycle is what the next one begins with."""
        tied = frame.tied or []
        for key in tied:
            seen = self.unfinished.pop(key, None)
            if seen is not None:
                self.seeds[key] = seen[0]
        frame.seeded = [*(frame.seeded or ()), *tied]
        frame.tied = None

    def forget(self, frame: _Frame) -> None:
        """Once the head of a cycle is settled."""
        for key in (*(frame.tied or ()), *(frame.seeded or ())):
            self.unfinished.pop(key, None)
            self.seeds.pop(key, None)
