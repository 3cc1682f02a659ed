"""Whether an edit of a file stays inside function bodies, as far as any other file can see, and where what others know
of the file went.

In: a file's facts and source before and after. Out: what moved, or nothing: then all files are resolved again. What
others see of a body is what it returns and yields, and what it assigns to attributes and to names outside of it; these
are compared as trees, with all that local names in them may hold. What it passes and stores is for edits.py to compare,
by what it evaluates to.
"""

from __future__ import annotations

from typing import Any

from rpg.encoder.facts import (
    CALL,
    COMPREHENSION,
    DICTIONARY,
    FUNCTION,
    LIST,
    OBJECT,
    SET,
    TUPLE,
    Definition,
    FileFacts,
)
from rpg.encoder.resolve.trees import BODIES, Side, TooMuch, expressions
from rpg.encoder.resolve.unit import Unit

_KNOWN_BY_PLACE = frozenset({LIST, TUPLE, SET, DICTIONARY, COMPREHENSION, CALL, FUNCTION, OBJECT})
"""Operations whose values say where they stand."""
_SAME = tuple(
    Definition._fields.index(each)
    for each in (
        "kind", "name", "qualified_name", "parent", "owner", "signature", "exported", "decorators", "modifiers",
        "returns", "flags",
    )
)  # fmt: skip
"""What a definition must keep."""


class Moves:
    """Where expressions and scopes that values name went. What has no counterpart was known to its function alone."""

    def __init__(self, old: Side, new: Side) -> None:
        self.old = old
        self.new = new
        before, after = old.outside(), new.outside()
        self.fits = [old.written(e) for e in before] == [new.written(e) for e in after]
        self._expressions: dict[int, int] = dict(zip(before, after, strict=True)) if self.fits else {}
        self._back = {new: old for old, new in self._expressions.items()}
        self._done: set[tuple[int, int]] = set()

    def expression(self, e: int) -> int | None:
        found = self._expressions.get(e)
        if found is None:
            self._pair(self.old, e)
            found = self._expressions.get(e)
        return found

    def is_known(self, e: int) -> bool:
        """Whether an expression of the new file has a counterpart."""
        if e not in self._back:
            self._pair(self.new, e)
        return e in self._back

    def scope(self, scope: int) -> int | None:
        index = self.old.unit.scopes[scope].definition
        if self.old.unit.definitions[index].scope == scope:
            return self.new.unit.definitions[index].scope
        e = self.old.openers.get(scope)
        moved = self.expression(e) if e else None
        return self.new.unit.code[moved + 2] if moved is not None else None

    def is_known_scope(self, scope: int) -> bool:
        if self.new.unit.definitions[self.new.unit.scopes[scope].definition].scope == scope:
            return True
        e = self.new.openers.get(scope)
        return e is not None and self.is_known(e)

    def keeps(self, index: int) -> bool:
        """Whether what others see of a definition, once a value leads them to it, is what it was."""
        start = self.old.unit.definitions[index].start_byte
        if index in self.old.edited or not self.old.is_inside(start):
            return True
        self.old.known, self.old.scopes, self.new.known, self.new.scopes = {}, {}, {}, {}
        return self.old.definition(index) == self.new.definition(index)

    def _pair(self, side: Side, e: int) -> None:
        """Pair the expressions of one operation in one edited function: those of equal trees, in their order."""
        operation, byte = side.unit.code[e], side.unit.code[e + 1]
        at = next((at for at, (start, end) in enumerate(side.spans) if start <= byte < end), -1)
        if at < 0 or operation not in _KNOWN_BY_PLACE or (operation, at) in self._done:
            return
        self._done.add((operation, at))
        before, after = (self._by_tree(each, operation, at) for each in (self.old, self.new))
        for tree, places in before.items():
            others = after.get(tree, [])
            if len(places) == len(others):
                self._expressions.update(zip(places, others, strict=True))
                self._back.update(zip(others, places, strict=True))

    def _by_tree(self, side: Side, operation: int, at: int) -> dict[int, list[int]]:
        code, (start, end) = side.unit.code, side.spans[at]
        found: dict[int, list[int]] = {}
        for e in expressions(code):
            if code[e] == operation and start <= code[e + 1] < end:
                found.setdefault(side.tree(e), []).append(e)
        return found


def moves(old: Unit, old_source: bytes, new: Unit, new_source: bytes) -> Moves | None:
    """None where other files may see a difference."""
    edited = _edited(old.facts, old_source, new.facts, new_source)
    if edited is None:
        return None
    numbers: dict[Any, int] = {}
    before, after = Side(old, edited, numbers), Side(new, edited, numbers)
    found = Moves(before, after)
    try:
        return found if found.fits and list(before.seen()) == list(after.seen()) else None
    except TooMuch:
        return None


def _edited(old: FileFacts, old_source: bytes, new: FileFacts, new_source: bytes) -> list[int] | None:
    """The outermost functions whose text differs; None where anything else does."""
    if old.problems or new.problems or old.language != new.language or old.package != new.package:
        return None
    if len(old.definitions) != len(new.definitions) or _imports(old) != _imports(new):
        return None
    for a, b in zip(old.definitions, new.definitions, strict=True):
        if any(a[at] != b[at] for at in _SAME):
            return None
    outermost = _outermost(old)
    if outermost != _outermost(new):
        return None
    edited = [each for each in outermost if old.definitions[each].hash != new.definitions[each].hash]
    if _without(old, old_source, edited) != _without(new, new_source, edited):
        return None
    return edited


def _imports(facts: FileFacts) -> list[tuple[str, int, str, tuple[str, ...]]]:
    return [(each.module, each.level, each.kind, each.names) for each in facts.imports]


def _outermost(facts: FileFacts) -> list[int]:
    """Functions that stand in no other."""
    found: list[int] = []
    end = -1
    for index, definition in enumerate(facts.definitions):
        if definition.kind in BODIES and definition.scope >= 0 and definition.start_byte >= end:
            found.append(index)
            end = definition.end_byte
    return found


def _without(facts: FileFacts, source: bytes, edited: list[int]) -> list[bytes]:
    """The lines of a source without the bodies of some functions, comments and what is blank."""
    bodies = [(facts.definitions[each].body_byte, facts.definitions[each].end_byte) for each in edited]
    parts: list[bytes] = []
    at = 0
    for start, end in sorted([*bodies, *facts.comments]):
        if end > at:
            parts.append(source[at : max(start, at)])
            at = end
    parts.append(source[at:])
    return [line.rstrip() for line in b"".join(parts).split(b"\n") if line.strip()]
