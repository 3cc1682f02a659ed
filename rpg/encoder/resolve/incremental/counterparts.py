"""Where the definitions, scopes and expressions of an edited file went, for values that other files know.

In: both versions of a file. Out: the counterpart in the other version; nothing if it was added or removed.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

from rpg.encoder import operations as op
from rpg.encoder.resolve.incremental.fingerprints import Side, expressions
from rpg.encoder.resolve.program.symbol_ids import symbol_ids

_KNOWN_BY_PLACE = frozenset(
    {op.LIST, op.TUPLE, op.SET, op.DICTIONARY, op.COMPREHENSION, op.CALL, op.FUNCTION, op.OBJECT}
)
"""Operations whose values carry their position."""


class Counterparts:
    """Anything without a counterpart was known only to its own file, or is gone."""

    def __init__(self, old: Side, new: Side) -> None:
        self.old = old
        self.new = new
        self.is_same = old.file.facts is new.file.facts
        known = {key: index for index, key in enumerate(new.keys)}
        self._take_definitions([known.get(key, -1) for key in old.keys])
        self.renewed: set[int] = set()
        """Scopes of the old version whose functions may receive other values."""
        self._expressions: dict[int, int] = {}
        self._expressions_back: dict[int, int] = {}
        self._done: set[tuple[int, int]] = set()
        self._of_region: tuple[dict[int, list[int]], dict[int, list[int]]] | None = None

    def _take_definitions(self, definitions: list[int]) -> None:
        self._definitions = definitions
        self._back = {after: before for before, after in enumerate(definitions) if after >= 0}
        outermost = frozenset(self.new.outermost)
        self.regions = {0: 0} | {
            region: definitions[region] for region in self.old.outermost if definitions[region] in outermost
        }
        """Outermost functions in both versions, and 0 for code outside them."""

    def part_what_moved(self) -> set[str]:
        """Takes definitions apart that are in another order now, by which values are sorted, or that have another id:
        they count as gone, and as come. To be called before anything is compared; returns their names."""
        if self.is_same:
            return set()
        had, has = symbol_ids(self.old.file), symbol_ids(self.new.file)
        parents = [each.parent for each in self.old.file.definitions]
        stays = [after >= 0 and had[before] == has[after] for before, after in enumerate(self._definitions)]
        stays[0] = True
        in_order = _find_longest_order([after if stays[at] else -1 for at, after in enumerate(self._definitions)])
        names: set[str] = set()
        parted: set[int] = set()
        for before, after in enumerate(self._definitions):
            if after < 0 or (stays[before] and before in in_order and parents[before] not in parted):
                continue
            parted.add(before)
            name, count = self.new.keys[after]
            self.new.keys[after] = (name, -1 - count)
            self._definitions[before] = -1
            names |= {self.old.file.definitions[before].name, self.new.file.definitions[after].name}
        if parted:
            self._take_definitions(self._definitions)
        return names

    def is_edited(self, region: int) -> bool:
        """Whether a function of the old version was changed or removed."""
        after = self.regions.get(region)
        definitions = self.old.file.definitions
        return after is None or definitions[region].hash != self.new.file.definitions[after].hash

    def definition(self, index: int) -> int | None:
        if self.is_same:
            return index
        after = self._definitions[index]
        return after if after >= 0 else None

    def scope(self, scope: int) -> int | None:
        if self.is_same:
            return scope
        index = self.old.file.scopes[scope].definition
        if self.old.file.definitions[index].scope == scope:
            after = self.definition(index)
            return self.new.file.definitions[after].scope if after is not None else None
        e = self.old.openers.get(scope)
        moved = self.expression(e) if e else None
        return self.new.file.code[moved + op.SCOPE] if moved is not None else None

    def is_known_definition(self, index: int) -> bool:
        return self.is_same or index in self._back

    def receives(self, scope: int) -> int | None:
        """The counterpart of a function's scope, if it has the same parameters."""
        moved = self.scope(scope) if scope not in self.renewed else None
        return moved if moved is not None and self._has_same_parameters(scope, moved) else None

    def is_known_receiver(self, scope: int) -> bool:
        """Whether a function of the new version has a counterpart with the same parameters."""
        before = self.scope_back(scope)
        return before is not None and before not in self.renewed and self._has_same_parameters(before, scope)

    def _has_same_parameters(self, before: int, after: int) -> bool:
        return self.is_same or _parameters(self.old, before) == _parameters(self.new, after)

    def scope_back(self, scope: int) -> int | None:
        if self.is_same:
            return scope
        index = self.new.file.scopes[scope].definition
        if self.new.file.definitions[index].scope == scope:
            before = self._back.get(index)
            return self.old.file.definitions[before].scope if before is not None else None
        e = self.new.openers.get(scope)
        return self.old.file.code[self._expressions_back[e] + op.SCOPE] if e is not None and self.is_known(e) else None

    def is_known_scope(self, scope: int) -> bool:
        """Whether a scope of the new version has a counterpart."""
        return self.scope_back(scope) is not None

    def expression(self, e: int) -> int | None:
        if self.is_same:
            return e
        if e not in self._expressions:
            self._pair(self.old, e)
        return self._expressions.get(e)

    def is_known(self, e: int) -> bool:
        """Whether an expression of the new version has a counterpart."""
        if self.is_same:
            return True
        if e not in self._expressions_back:
            self._pair(self.new, e)
        return e in self._expressions_back

    def _pair(self, side: Side, e: int) -> None:
        """Pairs the expressions of a region: all of them if its text is the same, else those of that operation that
        have equal trees, in order."""
        operation, region = side.file.code[e], side.region(side.file.code[e + op.BYTE])
        if side is self.new:
            region = next((before for before, after in self.regions.items() if after == region), -1)
        if region not in self.regions or (region, operation) in self._done:
            return
        self._done.add((region, operation))
        old_regions, new_regions = self._expressions_by_region()
        before, after = old_regions.get(region, []), new_regions.get(self.regions[region], [])
        if list(map(self.old.written, before)) == list(map(self.new.written, after)):
            self._are(before, after)
        elif operation in _KNOWN_BY_PLACE:
            of_tree = _by_tree(self.new, after, operation)
            for tree, places in _by_tree(self.old, before, operation).items():
                others = of_tree.get(tree, [])
                if len(places) == len(others):
                    self._are(places, others)

    def _are(self, before: list[int], after: list[int]) -> None:
        self._expressions.update(zip(before, after, strict=True))
        self._expressions_back.update(zip(after, before, strict=True))

    def _expressions_by_region(self) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
        if self._of_region is None:
            self._of_region = _by_region(self.old), _by_region(self.new)
        return self._of_region


def _find_longest_order(numbers: list[int]) -> set[int]:
    """The places of as many numbers as can be in ascending order; those below 0 do not count."""
    ends: list[int] = []
    places: list[int] = []
    before: dict[int, int] = {}
    for place, number in enumerate(numbers):
        if number < 0:
            continue
        at = bisect_left(ends, number)
        if at:
            before[place] = places[at - 1]
        ends[at : at + 1] = [number]
        places[at : at + 1] = [place]
    found: set[int] = set()
    place = places[-1] if places else -1
    while place >= 0:
        found.add(place)
        place = before.get(place, -1)
    return found


def _parameters(side: Side, scope: int) -> list[tuple[Any, ...]]:
    rows = side.file.facts.parameters.get(scope, ())
    return [(row.name, row.kind, *side.trees((row.annotation, row.default))) for row in rows]


def _by_region(side: Side) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    code = side.file.code
    for e in expressions(code):
        found.setdefault(side.region(code[e + op.BYTE]), []).append(e)
    return found


def _by_tree(side: Side, places: list[int], operation: int) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for e in places:
        if side.file.code[e] == operation:
            found.setdefault(side.tree(e), []).append(e)
    return found
