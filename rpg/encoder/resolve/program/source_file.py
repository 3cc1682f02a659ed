"""One file: which of its bindings a place means, and which of its members.

In: facts, and the rules of their language. Out: the lookups that a single file can answer, from the tables in
file_tables.py. Other files are not known.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import (
    BLOCK_END,
    BLOCK_WORDS,
    CONSTANT,
    IS_LOOP,
)
from rpg.encoder.resolve.program.file_tables import FileTables, Row
from rpg.graph import CLASS_KINDS

AS_TYPE: Final = 1 << 31
"""Added to the number of an expression, it gives the number of the type that the expression describes."""
ANY: Final = 0
FIELDS: Final = 1
METHODS: Final = 2
"""The namespaces of members, see `Rules.member_spaces`."""
_ATTRIBUTES: Final = frozenset({"field", "property"})
_CALLED: Final = frozenset({"method", "function"})

MOST_OVERLOADS: Final = 250
"""Overloads of one name. If there are more, it is unknown which one is meant: trying each at each call would cost the
square of their number."""
TOO_MANY_OVERLOADS: Final = f"a name has more than {MOST_OVERLOADS} overloads"
_MANY: Final = 512
_AROUND: Final = 16
"""If one name has more bindings in one scope than this, only this many before and after a place are considered."""


class SourceFile(FileTables):
    """One file's facts with the lookups that it can answer alone."""

    def within(self, block: int, byte: int) -> bool:
        return self.blocks[BLOCK_WORDS * block] <= byte < self.blocks[BLOCK_WORDS * block + BLOCK_END]

    def reaching(self, scope: int, name: str, byte: int, in_flow: bool) -> list[Row]:
        """The bindings that a read at `byte` can see; a namespace is seen beside what else has its name."""
        found = self.nearest(scope, name, byte, in_flow)
        if not found or self.rules.types_of_one_name != "spaces":
            return found
        namespaces = self.namespaces(scope, name)
        if len(namespaces) > _MANY:
            namespaces = _find_nearest_rows(namespaces, byte)
        return [*(row for row in namespaces if row not in found), *found] if namespaces else found

    def namespaces(self, scope: int, name: str) -> list[Row]:
        """The namespaces among several bindings of a name, looked for once and not at each read."""
        rows = self.rows(scope, name)
        if len(rows) < 2:
            return []
        known = self._namespaces.get((scope, name))
        if known is None:
            known = self._namespaces[scope, name] = [row for row in rows if self.binds_namespace(row)]
        return known

    def binds_namespace(self, row: Row) -> bool:
        return bool(self.code[row.value] == op.DEFINITION and self.is_namespace(self.code[row.value + op.DEFINED]))

    def is_namespace(self, index: int) -> bool:
        return "namespace" in self.definitions[index].flags

    def nearest(self, scope: int, name: str, byte: int, in_flow: bool) -> list[Row]:
        """In the flow of the scope itself, the nearest preceding binding that is sure to run hides those before it; a
        loop also brings bindings from further down in it. A closure sees what the scope ends with: the last definition
        or import if that is the last binding, else everything that is ever assigned.
        """
        rows = self.rows(scope, name)
        if not rows:
            return []
        if len(rows) == 1 and rows[0].kind != "narrow":
            return rows
        if self.rules.overloads != "none":
            if len(rows) > MOST_OVERLOADS and self.is_overloaded(scope, name, rows):
                return []
            if all(self.names_symbol(row) for row in rows):
                return rows
        if len(rows) > _MANY:
            known = None if in_flow else self.closures.get((scope, name))
            if known is not None:
                return known
            if in_flow:
                rows = _find_nearest_rows(rows, byte)
        values = [row for row in rows if row.kind != "type"]
        if values and len(values) < len(rows):
            rows = values
            if len(rows) == 1:
                return rows
        if not in_flow:
            return self.find_at_end(scope, name, rows)
        seen: list[Row] = []
        for row in rows:
            if row.byte <= byte:
                if row.kind == "narrow" and not self.within(row.block, byte):
                    continue
                if row.kind == "annotation":
                    continue
                if seen and row.kind != "weak" and self.within(row.block, byte):
                    seen.clear()
                seen.append(row)
            elif row.kind != "narrow" and self.is_in_loop_with(row, byte):
                seen.append(row)
        return seen or [row for row in rows if row.kind != "narrow"]

    def types(self, scope: int, name: str) -> list[Row]:
        """The type-only bindings of a name, if it also has bindings as a value."""
        rows = self.rows(scope, name)
        return [row for row in rows if row.kind == "type"] if len(rows) > 1 else []

    def visible(self, scope: int, name: str, byte: int, in_flow: bool) -> tuple[int, list[Row]]:
        """`reaching`; from the enclosing scope if a class body reads a name that it binds only further down."""
        rows = self.reaching(scope, name, byte, in_flow)
        if in_flow and rows and self.scopes[scope].kind == "class" and rows[0].byte > byte:
            around = self.scopes[scope].parent
            while around >= 0:
                if self.scopes[around].kind != "class" and self.binds(around, name):
                    return around, self.reaching(around, name, byte, around == 0)
                around = self.scopes[around].parent
        return scope, rows

    def is_in_loop_with(self, row: Row, byte: int) -> bool:
        """Whether a later binding can reach an earlier read through a loop."""
        return any(start <= byte < end and start <= row.byte <= end for start, end in self.loops)

    @property
    def loops(self) -> list[tuple[int, int]]:
        if self._loops is None:
            self._loops = self._make_loops()
        return self._loops

    def _make_loops(self) -> list[tuple[int, int]]:
        blocks = self.blocks
        return [
            (blocks[at], blocks[at + BLOCK_END]) for at in range(0, len(blocks), BLOCK_WORDS) if blocks[at + IS_LOOP]
        ]

    def is_in_lambda(self, byte: int) -> bool:
        """Whether a place is in a function without a name: some languages let whoever runs it say what its receiver
        is."""
        if self._lambdas is None:
            self._lambdas = self._make_lambdas()
        at = bisect_right(self._lambdas, (byte, sys.maxsize)) - 1
        return at >= 0 and byte < self._lambdas[at][1]

    def _make_lambdas(self) -> list[tuple[int, int]]:
        """The outermost ones, which do not overlap: where each begins and ends."""
        found: list[tuple[int, int]] = []
        for start, end in sorted((each.start_byte, each.end_byte) for each in self.scopes if each.kind == "lambda"):
            if not found or start >= found[-1][1]:
                found.append((start, end))
        return found

    def find_at_end(self, scope: int, name: str, rows: list[Row]) -> list[Row]:
        known = self.closures.get((scope, name))
        if known is not None:
            return known
        rows = [row for row in rows if row.kind != "narrow"]
        end = self.scopes[scope].end_byte - 1
        last = rows[-1] if rows else None
        if last is not None and self.within(last.block, end) and self.names_symbol(last):
            rows = [last]
        else:
            rows = [row for row in rows if row.value or len(rows) == 1]
        self.closures[scope, name] = rows
        return rows

    def is_overloaded(self, scope: int, name: str, rows: list[Row]) -> bool:
        """Whether each of many bindings of a name is a symbol."""
        known = self._overloaded.get((scope, name))
        if known is None:
            known = self._overloaded[scope, name] = all(self.names_symbol(row) for row in rows)
        return known

    def has_too_many_overloads(self, scope: int, name: str) -> bool:
        return self._overloaded.get((scope, name), False)

    def names_symbol(self, row: Row) -> bool:
        return row.value != 0 and self.code[row.value] in (op.DEFINITION, op.IMPORT, op.IMPORTED)

    def defines_class(self, qualified_name: str) -> bool:
        if self._class_names is None:
            self._class_names = {each.qualified_name for each in self.definitions if each.kind in CLASS_KINDS}
        return qualified_name in self._class_names

    def classes_around(self, byte: int) -> list[int]:
        """The classes whose bodies a place is in, from the innermost."""
        if self._class_starts is None:
            classes = ((each.start_byte, i) for i, each in enumerate(self.definitions) if each.kind in CLASS_KINDS)
            self._class_starts = sorted(classes)
        at = bisect_right(self._class_starts, (byte, len(self.definitions)))
        index = self._class_starts[at - 1][1] if at else 0
        found: list[int] = []
        while index > 0:
            definition = self.definitions[index]
            if definition.kind in CLASS_KINDS and definition.body_byte <= byte < definition.end_byte:
                found.append(index)
            index = definition.parent
        return found

    def members_named(self, parent: int, name: str, space: int = ANY) -> list[int]:
        """Definitions of that name directly in a definition, as a use of the name means them: for overloads the
        implementation, for accessors the getter, for plain redefinitions the last, for conditional ones all."""
        found = self.children(parent, name)
        if space and found:
            found = [index for index in found if self.is_in_space(index, space)]
        return self.filter_used_by_name(found) if len(found) > 1 else found

    def is_in_space(self, index: int, space: int) -> bool:
        """Whether a member has a name in one of the namespaces of `Rules.member_spaces`. The variants of an enum
        are called like methods."""
        definition = self.definitions[index]
        if definition.flags and any(flag.endswith(CONSTANT) for flag in definition.flags):
            return False
        if definition.kind in _ATTRIBUTES:
            return space == FIELDS or self.definitions[definition.parent].kind == "enum"
        if definition.kind == "type" and self.rules.member_spaces == "named by types":
            return space == METHODS
        return definition.kind not in _CALLED or space == METHODS

    def filter_used_by_name(self, found: list[int]) -> list[int]:
        if self.rules.overloads != "none":
            return found
        for flag in ("overload", "setter"):
            kept = [index for index in found if flag not in self.definitions[index].flags]
            found = kept or found
        if len(found) > 1:
            rows = self.rows(self.scopes_around(found[0]), self.definitions[found[0]].name)
            blocks = {self.find_defined_by(row, found): row.block for row in rows if row.value}
            last = blocks.get(found[-1], 0)
            found = [index for index in found if index == found[-1] or blocks.get(index, last) != last]
        return found

    def find_defined_by(self, row: Row, among: list[int]) -> int:
        """Which of some definitions a binding is of: itself, or the one with its value; -1: none of them."""
        if self.code[row.value] == op.DEFINITION:
            return self.code[row.value + op.DEFINED]
        byte = self.code[row.value + op.BYTE]
        spans = ((each, self.definitions[each]) for each in among)
        return next((each for each, here in spans if here.start_byte <= byte < here.end_byte), -1)

    def scopes_around(self, definition: int) -> int:
        parent = self.definitions[definition].parent
        return self.definitions[parent].scope if parent >= 0 else 0


def _find_nearest_rows(rows: list[Row], byte: int) -> list[Row]:
    """The bindings around a place, from many in document order: a read of a name that is bound thousands of times must
    not cost more than one of a name that is bound often."""
    start, end = 0, len(rows)
    while start < end:
        middle = (start + end) >> 1
        if rows[middle].byte <= byte:
            start = middle + 1
        else:
            end = middle
    return rows[max(0, start - _AROUND) : start + _AROUND]
