"""What the facts of a file have at an offset: a comment, a reference, an imported name, a definition.

In: packed facts. Out: answers by byte, from the arrays as they are stored: unpacking all facts would cost several times
as much.
"""

from __future__ import annotations

import struct
import sys
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Final

from rpg.encoder import operations as op
from rpg.encoder.parsing.packing import Places
from rpg.system.compression import decompress

if TYPE_CHECKING:
    from rpg.encoder.languages.rules import Rules

_REFERENCES: Final = (op.NAME, op.ATTRIBUTE, op.PATH, op.TYPE_VARIABLE)
_OF_VALUES: Final = frozenset(
    (op.CALL, op.SUBSCRIPT, op.AWAIT, op.ELEMENT, op.ENTERED, op.ITEM, op.NARROWED, op.TYPED, op.CAUGHT)
)
"""What gives a value of which nothing is known where resolution found nothing."""
_OF_IMPORTS: Final = frozenset((op.IMPORT, op.IMPORTED, op.DEFINITION))
SPREAD: Final = "..."
"""What is bound in an object literal that gets the members of another object."""
_ITSELF: Final = frozenset(("self", "cls", "this"))
MOST_STEPS: Final = 100
MOST_SEARCHES: Final = 40
_WORD: Final = 4
"""Bytes of one number."""


class Recorded:
    """The facts of one file."""

    def __init__(self, facts: bytes) -> None:
        self._places = Places(decompress(facts))
        self.comments = sorted(self._places.comments())
        self._starts = [begin for begin, _ in self.comments]
        self._searches = 0

    @cached_property
    def imports(self) -> list[int]:
        """The bytes at which the imports of the file name their modules."""
        return self._places.imports()

    @cached_property
    def torn_from(self) -> int:
        """The first line from which on the file may not be understood; 0 if it is."""
        lines = (int(each.partition(":")[0]) for each in self._places.problems() if each.partition(":")[0].isdigit())
        return min(lines, default=0)

    @cached_property
    def _definitions(self) -> frozenset[int]:
        return self._places.definitions()

    def is_in_comment(self, offset: int) -> bool:
        at = bisect_right(self._starts, offset) - 1
        return at >= 0 and offset < self.comments[at][1]

    def is_reference(self, offset: int) -> bool:
        """Whether an expression names something there."""
        return any(self._find(operation, offset) >= 0 for operation in _REFERENCES)

    def is_unbound(self, offset: int) -> bool:
        """Whether a bare name stands there that nothing in the file binds."""
        at = self._find(op.NAME, offset)
        return at >= 0 and struct.unpack_from("<i", self._places.code, at + op.BINDER * _WORD) == (-1,)

    def is_taken_of_value(self, offset: int, rules: type[Rules]) -> bool:
        """Whether a member is taken there of a value of which the file does not say what it is: not of a module, of
        what is imported, of a literal, of the object whose method stands there, or of what a library makes itself."""
        at = max(self._find(op.ATTRIBUTE, offset), self._find(op.PATH, offset))
        if at < 0:
            return False
        code = self._numbers
        e, is_own = code[at // _WORD + op.HOLDER], True
        for _ in range(MOST_STEPS):
            operation = code[e]
            if operation in (op.ATTRIBUTE, op.PATH):
                e, is_own = code[e + op.HOLDER], False
            elif operation == op.NAME:
                return self._is_of_unknown(e, is_own, rules)
            elif operation in (op.THIS, op.SUPER):
                return not is_own
            elif operation == op.CALL:
                return not self._is_made_by_library(code[e + op.CALLEE], rules)
            else:
                return operation in _OF_VALUES
        return False

    def _is_of_unknown(self, e: int, is_own: bool, rules: type[Rules]) -> bool:
        code, name = self._numbers, self._strings[self._numbers[e + op.WORD]]
        scope = op.binding_scope(code[e + op.BINDER])
        if scope < 0:
            return rules.accessors == "called" and name not in rules.builtins and name[:1].islower()
        values = self._bound.get((scope, name), ())
        if any(code[each] in _OF_IMPORTS for each in values) or (is_own and name in _ITSELF):
            return False
        return not any(
            code[each] == op.CALL and self._is_made_by_library(code[each + op.CALLEE], rules) for each in values
        )

    def _is_made_by_library(self, e: int, rules: type[Rules]) -> bool:
        """Whether a function is one of the language or of a library that returns only what it makes."""
        code = self._numbers
        while code[e] in (op.ATTRIBUTE, op.PATH, op.CALL):
            e = code[e + op.CALLEE] if code[e] == op.CALL else code[e + op.HOLDER]
        if code[e] != op.NAME:
            return False
        scope, name = op.binding_scope(code[e + op.BINDER]), self._strings[code[e + op.WORD]]
        if scope < 0:
            return name in rules.builtins
        for each in self._bound.get((scope, name), ()):
            if code[each] in (op.IMPORT, op.IMPORTED):
                module = self._modules[code[each + op.STATEMENT]].partition(".")[0]
                if rules.makes_its_own is not None and module in rules.makes_its_own:
                    return True
        return False

    @cached_property
    def _numbers(self) -> array[int]:
        numbers = array("i", self._places.code)
        if sys.byteorder == "big":
            numbers.byteswap()
        return numbers

    @cached_property
    def _bound(self) -> dict[tuple[int, str], list[int]]:
        """By scope and name, the expressions of its bindings."""
        found: dict[tuple[int, str], list[int]] = {}
        for scope, name, value in self._places.bindings():
            found.setdefault((scope, name), []).append(value)
        return found

    @cached_property
    def _modules(self) -> list[str]:
        return self._places.modules()

    def is_in_lambda(self, offset: int) -> bool:
        """Whether it is in a function without a name."""
        at = bisect_right(self._lambdas, (offset, sys.maxsize)) - 1
        return at >= 0 and offset < self._lambdas[at][1]

    @cached_property
    def _lambdas(self) -> list[tuple[int, int]]:
        """The outermost ones, by place."""
        found: list[tuple[int, int]] = []
        for begin, end in sorted(self._places.lambdas()):
            if not found or begin >= found[-1][1]:
                found.append((begin, end))
        return found

    def keys_of_literals(self, name: str, text: bytes, line: int) -> Iterator[frozenset[str] | None]:
        """The keys of each object literal of the file in which a symbol stands under its own name, by the line that
        defines it, 0 if that is in another file; None if the literal gets the keys of another object, too. The
        attributes of an element are no literal."""
        code, strings = self._numbers, self._strings
        literals = self._places.literals()
        for (scope, key), values in self._bound.items():
            if key != name or not text.startswith(b"{", literals.get(scope, len(text))):
                continue
            for e in values:
                if code[e] == op.NAME and strings[code[e + op.WORD]] == name and self._line_of(e, text) == line:
                    keys = frozenset(other for around, other in self._bound if around == scope)
                    yield None if SPREAD in keys else keys

    def _line_of(self, e: int, text: bytes) -> int:
        """Where the file defines what a name means; 0 if it does not."""
        code = self._numbers
        scope, name = op.binding_scope(code[e + op.BINDER]), self._strings[code[e + op.WORD]]
        for value in self._bound.get((scope, name), ()):
            if code[value] == op.DEFINITION:
                return text.count(b"\n", 0, code[value + op.BYTE]) + 1
        return 0

    def is_definition(self, offset: int) -> bool:
        return offset in self._definitions

    def import_of(self, offset: int) -> tuple[int, str]:
        """The byte at which the import that takes the name there names its module, and what the name is in that; -1 if
        none does."""
        at = self._find(op.IMPORTED, offset)
        if at < 0:
            return -1, ""
        number, member = struct.unpack_from("<ii", self._places.code, at + op.STATEMENT * _WORD)
        if not 0 <= number < len(self.imports):
            return -1, ""
        return self.imports[number], self._strings[member] if 0 <= member < len(self._strings) else ""

    @cached_property
    def _strings(self) -> list[str]:
        return self._places.strings()

    def imports_before(self, offset: int) -> int:
        """The byte of the last import whose module is named at or before the offset; -1 if there is none."""
        at = bisect_right(self._sorted_imports, offset)
        return self._sorted_imports[at - 1] if at else -1

    @cached_property
    def _sorted_imports(self) -> list[int]:
        return sorted(self.imports)

    def _find(self, operation: int, offset: int) -> int:
        """The byte of an operation in the code, -1 if there is none. A few are searched for; a table is for many."""
        if self._searches < MOST_SEARCHES:
            self._searches += 1
            code, wanted = self._places.code, struct.pack("<ii", operation, offset)
            at = code.find(wanted)
            while at >= 0 and at % _WORD:
                at = code.find(wanted, at + 1)
            return at
        return self._table[operation].get(offset, -1)

    @cached_property
    def _table(self) -> dict[int, dict[int, int]]:
        """By operation and offset, the first such place."""
        numbers = self._numbers
        found: dict[int, dict[int, int]] = {operation: {} for operation in (*_REFERENCES, op.IMPORTED)}
        behind = iter(numbers)
        next(behind, None)
        for at, (operation, offset) in enumerate(zip(numbers, behind, strict=False)):
            if operation in found:
                found[operation].setdefault(offset, at * _WORD)
        return found
