"""What other files can see of edited functions, as trees that compare: both sides of an edit give equal numbers for
what is equal, wherever it stands in the file.

In: a file's facts, and which of its functions were edited. Out: numbers of trees. A local variable is all that it may
hold where it is read; a name from outside of the functions is its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rpg.encoder.facts import (
    ATTRIBUTE,
    CALL,
    DEFINITION,
    DICTIONARY,
    FUNCTION,
    IMPORTED,
    KEYED,
    LENGTHS,
    LIST,
    LITERAL,
    NAME,
    NUMBER,
    OBJECT,
    PARAMETER,
    PATH,
    SET,
    STRING,
    SUPER,
    THIS,
    TUPLE,
    UNION,
)
from rpg.encoder.resolve.unit import Unit

BODIES = ("function", "method", "property")
_OPERANDS = {
    2: "es", 4: "ee", 5: "s", 6: "s", 7: "s", 13: "see", 14: "e", 15: "e", 17: "see", 18: "e", 19: "e", 20: "e#",
    23: "#", 24: "#s", 25: "ee#", 26: "ee", 27: "e", 30: "ee", 32: "e", 33: "e", 35: "se", 36: "eee",
}  # fmt: skip
"""Operation -> what its operands are: expressions, strings, numbers. The others have shapes of their own."""
_NAMED_AT = {NAME: 2, ATTRIBUTE: 3, STRING: 2, NUMBER: 2, LITERAL: 2, IMPORTED: 3, PATH: 3}
"""Operation -> where the name in it stands."""
_MOST_STEPS = 100_000
"""Expressions that are gone through for one side of an edit; an edit that needs more is one of everything."""


class TooMuch(Exception):
    """A body holds what is not followed here."""


class Side:
    """A file before or after, and the functions of it whose bodies were edited."""

    def __init__(self, unit: Unit, edited: list[int], numbers: dict[Any, int]) -> None:
        self.unit = unit
        self.edited = edited
        self.spans = [(unit.definitions[each].start_byte, unit.definitions[each].end_byte) for each in edited]
        self.bodies = {unit.definitions[each].scope: each for each in edited}
        self.numbers = numbers
        """Of trees, the same ones on both sides."""
        self.local: dict[int, bool] = {}
        self.steps = 0
        self.known: dict[int, int] = {}
        self.scopes: dict[int, int] = {}
        code = unit.code
        self.openers = {code[e + 2]: e for e in expressions(code) if code[e] in (FUNCTION, OBJECT)}
        """Scope without a definition of its own -> the expression that it belongs to."""

    def is_inside(self, byte: int) -> bool:
        return any(start <= byte < end for start, end in self.spans)

    def is_local(self, scope: int) -> bool:
        """Whether a scope is that of an edited function, or inside of it."""
        known = self.local.get(scope)
        if known is None:
            if scope < 0:
                return False
            known = scope in self.bodies or self.is_local(self.unit.scopes[scope].parent)
            self.local[scope] = known
        return known

    def outside(self) -> list[int]:
        """The expressions that do not stand in edited functions, in the order of the file."""
        code = self.unit.code
        return [e for e in expressions(code) if not self.is_inside(code[e + 1])]

    def written(self, e: int) -> tuple[int, str]:
        """An expression's operation and the name in it."""
        code = self.unit.code
        at = _NAMED_AT.get(code[e])
        return code[e], self.unit.strings[code[e + at]] if at else ""

    # Trees

    def tree(self, e: int) -> int:
        """The number of an expression's tree, with all that it can see of the function around it."""
        self.known = {}
        self.scopes = {}
        return self._tree(e)

    def trees(self, expressions: Iterable[int]) -> tuple[int, ...]:
        return tuple(self.tree(e) for e in expressions)

    def _tree(self, e: int) -> int:
        known = self.known.get(e)
        if known is not None:
            return known
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise TooMuch
        self.known[e] = -1 - len(self.known)  # for whatever leads back here
        found = self.known[e] = self._numbered(self._shape(e) if e else ())
        return found

    def _numbered(self, shape: tuple[Any, ...]) -> int:
        return self.numbers.setdefault(shape, len(self.numbers))

    def _trees(self, expressions: Iterable[int]) -> tuple[int, ...]:
        return tuple([self._tree(e) for e in expressions])

    def _shape(self, e: int) -> tuple[Any, ...]:
        code, strings = self.unit.code, self.unit.strings
        operation = code[e]
        operands = _OPERANDS.get(operation)
        if operands is not None:
            parts: list[Any] = [operation]
            for at, kind in enumerate(operands, e + 2):
                word = code[at]
                parts.append(self._tree(word) if kind == "e" else strings[word] if kind == "s" else word)
            return tuple(parts)
        if operation == NAME:
            return self._name(e)
        if operation == CALL:
            rows = [(code[at], code[at + 1]) for at in range(e + 4, e + 4 + 2 * code[e + 3], 2)]
            given = [(strings[word] if word >= 0 else word, self._tree(value)) for word, value in rows]
            return (operation, self._tree(code[e + 2]), *given)
        if operation in (LIST, TUPLE, SET, UNION):
            return (operation, *self._trees(code[e + 3 : e + 3 + code[e + 2]]))
        if operation == DICTIONARY:
            return (operation, *self._trees(code[e + 3 : e + 3 + 2 * code[e + 2]]))
        if operation == PATH:
            stored = self._stored(code[e + 4], strings[code[e + 5]], code[e + 1])
            return (operation, self._tree(code[e + 2]), strings[code[e + 3]], stored)
        if operation == KEYED:
            return (operation, self._tree(code[e + 2]), self._stored(code[e + 3], strings[code[e + 4]], code[e + 1]))
        if operation == DEFINITION:
            return (operation, code[e + 2], self.definition(code[e + 2]))
        if operation == FUNCTION:
            return (operation, self._function(code[e + 2]))
        if operation == PARAMETER:
            row = self.unit.facts.parameters[code[e + 2]][code[e + 3]]
            of = self._scope(code[e + 2])
            return (operation, of, code[e + 3], row.name, row.kind, *self._trees((row.annotation, row.default)))
        if operation == OBJECT:
            return self._object(code[e + 2])
        if operation in (THIS, SUPER):
            return (operation, self._scope(code[e + 2]), self._tree(code[e + 3]) if operation == SUPER else 0)
        return (operation, *code[e + 2 : e + length(code, e)])

    def _name(self, e: int) -> tuple[Any, ...]:
        unit = self.unit
        code = unit.code
        text, bound = unit.strings[code[e + 2]], code[e + 3]
        if bound == -1:
            return (NAME, text)
        in_flow = bound >= 0
        scope = bound if in_flow else -2 - bound
        if not self.is_local(scope):
            return (NAME, text, self._scope(scope))
        _, reached = unit.visible(scope, text, code[e + 1], in_flow)
        rows = [
            (row.kind, self._tree(row.value), row in reached)
            for row in unit.rows.get((scope, text), ())
            if row.kind != "narrow" or row in reached
        ]
        return (NAME, text, in_flow, *rows)

    def _stored(self, scope: int, path: str, byte: int) -> tuple[Any, ...]:
        unit = self.unit
        rows = [row for row in unit.reaching(scope, path, byte, True) if row.byte <= byte]
        is_sure = bool(rows) and unit.within(rows[0].block, byte)
        return (self._scope(scope), is_sure, *((row.kind, self._tree(row.value)) for row in rows))

    def _scope(self, scope: int) -> tuple[Any, ...]:
        """A scope by the definition that opens it, else by when it was met."""
        if scope < 0:
            return (scope,)
        definition = self.unit.scopes[scope].definition
        if self.unit.definitions[definition].scope == scope:
            return (definition,)
        return (definition, self.scopes.setdefault(scope, len(self.scopes)))

    def _function(self, scope: int) -> tuple[Any, ...]:
        facts = self.unit.facts
        context = self.unit.contexts.get(scope)
        around = (context.kind, self._tree(context.expression), context.slot, context.name) if context else ()
        annotation = facts.annotations.get(scope, 0)
        rows = facts.parameters.get(scope, ())
        return (
            self._scope(scope),
            tuple([(row.name, row.kind, *self._trees((row.annotation, row.default))) for row in rows]),
            self._trees(facts.returns.get(scope, ())),
            self._trees(facts.yields[scope]) if scope in facts.yields else None,
            self._tree(annotation) if annotation else 0,
            around,
        )

    def definition(self, index: int) -> tuple[Any, ...]:
        """Of a function inside an edited one, what it returns; nothing of one that others see as well."""
        definition = self.unit.definitions[index]
        if index in self.edited or not self.is_inside(definition.start_byte):
            return ()
        if definition.kind not in BODIES:
            raise TooMuch
        return (*self._function(definition.scope), self._trees(self.unit.facts.decorators.get(index, ())))

    def _object(self, scope: int) -> tuple[Any, ...]:
        rows = [
            (name, row.kind, self._tree(row.value))
            for (of, name), found in self.unit.rows.items()
            if of == scope
            for row in found
        ]
        return (OBJECT, self._scope(scope), *rows)

    # What others see

    def seen(self) -> Iterator[Any]:
        """What others see of the edited functions."""
        unit = self.unit
        facts, code = unit.facts, unit.code
        for index in self.edited:
            scope = unit.definitions[index].scope
            self.known, self.scopes = {}, {}
            yield self._function(scope)
            yield self.trees(facts.decorators.get(index, ()))
            yield facts.type_parameters.get(index)
        for index, fields in facts.fields.items():
            yield index
            for name, value in fields:
                yield name, self.tree(value) if self.is_inside(code[value + 1]) else -1
        for binding in facts.bindings:
            if not self.is_local(binding.scope) and self.is_inside(binding.byte):
                yield binding.name, binding.kind, self._outer(binding.scope), self.tree(binding.value)
        for holder, name, value in facts.members:
            if code[value] == DEFINITION and self.is_inside(code[value + 1]):
                yield name, self.tree(holder), self.tree(value)
        yield from self._exports()

    def _exports(self) -> Iterator[Any]:
        code = self.unit.code
        for key, value in self.unit.facts.exports.items():
            if key != "names":
                yield key, value
                continue
            for name, e in value.items():
                yield name, self.tree(e) if e and self.is_inside(code[e + 1]) else -1

    def _outer(self, scope: int) -> int:
        return self.unit.scopes[scope].definition


def expressions(code: Any) -> Iterator[int]:
    """Where each expression begins."""
    e = 0
    while e < len(code):
        yield e
        e += length(code, e)


def length(code: Any, e: int) -> int:
    """Words of an expression."""
    words: int = LENGTHS[code[e]]
    if words == 0:
        return 4 + 2 * int(code[e + 3])
    return words if words > 0 else 3 - words * int(code[e + 2])
