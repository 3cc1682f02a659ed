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

from rpg.encoder.resolve.values import MOST, Values

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

    __slots__ = ("depth", "hit", "is_unsettled", "seeded", "tied", "value")

    def __init__(self, depth: int, value: Values) -> None:
        self.depth = depth
        self.value = value
        """What it gave in the pass before."""
        self.hit = False
        self.is_unsettled = False
        """Whether something in its cycle gave other than was taken for it in this pass."""
        self.tied: list[Any] = []
        """Keys of what rests on this one, and holds for this pass."""
        self.seeded: list[Any] = []
        """Keys of what did in the passes before."""


class Memory:
    def __init__(self) -> None:
        self.round = 0
        self.memory: dict[Any, Values] = {}
        self.dependencies: dict[Any, Needs] = {}
        """Remembered key -> what that callers pass, or that is stored, its value depends on."""
        self.depends: Needs = NOTHING_NEEDED
        """Likewise, of what is being evaluated."""
        self.alone: dict[Any, Needs] = {}
        self.needs: dict[Needs, Needs] = {}
        """Each set of dependencies once."""
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
        stale = [key for key, needs in self.dependencies.items() if changed is None or not needs.isdisjoint(changed)]
        for key in stale:
            del self.dependencies[key]
            del self.memory[key]

    def remembered(self, key: Any, compute: Callable[..., Values], *arguments: Any) -> Values:
        """`compute(*arguments)`, once."""
        value = self.memory.get(key)
        if value is not None:
            depends = self.dependencies.get(key)
            if depends is not None:
                self.depends = self.both(self.depends, depends)
            return value
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
        depth = len(self.stack)
        self.steps += 1
        if depth > _DEEPEST or self.steps > STEPS:
            self.is_cut = True
            return ()
        frame = self.active[key] = _Frame(depth, self.seeds.get(key, ()) if self.seeds else ())
        self.stack.append(frame)
        resting_around, cut_around, depends_around = self.resting, self.is_cut, self.depends
        self.resting = 0
        self.is_cut = False
        self.depends = NOTHING_NEEDED
        value = compute(*arguments)
        resting = self.resting & ((1 << depth) - 1) if self.resting else 0
        if frame.hit and not resting:
            passes = 1
            while (value != frame.value or frame.is_unsettled) and passes < _PASSES and not self.is_cut:
                frame.value = value
                frame.is_unsettled = False
                self.untie(frame)
                value = compute(*arguments)
                passes += 1
            self.forget(frame)
            resting = self.resting & ((1 << depth) - 1)
        if len(value) > MOST:
            value = ()
        mine = self.depends
        del self.active[key]
        self.stack.pop()
        if resting:
            self.leave_to_head(frame, key, value, resting, mine)
        elif not self.is_cut:
            self.memory[key] = value
            if mine:
                self.dependencies[key] = mine
        self.resting = resting_around | resting
        self.is_cut = self.is_cut or cut_around
        self.depends = self.both(depends_around, mine)
        return value

    def leave_to_head(self, frame: _Frame, key: Any, value: Values, resting: int, depends: Needs) -> None:
        """Of a cycle that goes on further out: the value holds for this pass, and is what the next one begins with."""
        head = self.stack[(resting & -resting).bit_length() - 1]
        if frame.is_unsettled or (frame.hit and value != frame.value):
            head.is_unsettled = True
        head.tied += frame.tied
        head.tied.append(key)
        self.unfinished[key] = (value, resting, depends)

    def untie(self, frame: _Frame) -> None:
        """What holds for a pass of a cycle is what the next one begins with."""
        for key in frame.tied:
            seen = self.unfinished.pop(key, None)
            if seen is not None:
                self.seeds[key] = seen[0]
        frame.seeded += frame.tied
        frame.tied.clear()

    def forget(self, frame: _Frame) -> None:
        """Once the head of a cycle is settled."""
        for key in (*frame.tied, *frame.seeded):
            self.unfinished.pop(key, None)
            self.seeds.pop(key, None)
