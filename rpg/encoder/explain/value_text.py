"""Values of the evaluator in words.

In: values, and the names of symbols. Out: one line of text. rpg/encoder/resolve/values/values.py describes values.
"""

from __future__ import annotations

from collections.abc import Callable

from rpg.encoder import operations as op
from rpg.encoder.explain.annotated_source import format_expression
from rpg.encoder.facts import line_and_column
from rpg.encoder.resolve.program.program import Program
from rpg.encoder.resolve.values import values as kinds
from rpg.encoder.resolve.values.values import (
    CONTENTS,
    EXPRESSION,
    FILE,
    IS_SELF,
    KIND,
    METHOD_NAME,
    OF_VALUE,
    OWN_NAME,
    OWN_SCOPE,
    RESULT,
    SYMBOL,
    TYPE_ARGUMENTS,
    UPPER_BOUND,
    Value,
    Values,
)

DEEPEST = 2
SHOWN = 4


class Described:
    def __init__(self, program: Program, id: Callable[[int, int], str]) -> None:
        self.program = program
        self.id = id

    def all(self, values: Values, depth: int = 0) -> str:
        if not values:
            return "unknown"
        texts = list(dict.fromkeys(self.one(value, depth) for value in values))
        more = f" or {len(texts) - SHOWN} more" if len(texts) > SHOWN else ""
        return " or ".join(texts[:SHOWN]) + more

    def one(self, value: Value, depth: int = 0) -> str:
        kind = value[KIND]
        if kind == kinds.FUNC:
            return f"the function {self.id(value[FILE], value[SYMBOL])}"
        if kind == kinds.CLASS:
            return f"the class {self.id(value[FILE], value[SYMBOL])}{self.arguments(value[TYPE_ARGUMENTS], depth)}"
        if kind == kinds.INST:
            whose = " (the receiver)" if value[IS_SELF] else ""
            arguments = self.arguments(value[TYPE_ARGUMENTS], depth)
            return f"an instance of {self.id(value[FILE], value[SYMBOL])}{arguments}{whose}"
        if kind == kinds.PARENT:
            return f"super() after {self.id(value[FILE], value[SYMBOL])}"
        if kind in (kinds.LITERAL_AT, kinds.CLOSURE, kinds.OBJECT_AT):
            return f"{self.literal(value)} at {self.place(value)}"
        if kind == kinds.CONTAINER:
            return f"{value[OWN_NAME]}{self.arguments(value[CONTENTS], depth)}"
        if kind == kinds.PARTIAL:
            return f"{self.one(value[OF_VALUE], depth)} with arguments bound"
        if kind == kinds.METHOD_OF:
            return f"the method {value[METHOD_NAME]} of {self.one(value[OF_VALUE], depth)}"
        if kind == kinds.CALLABLE:
            return f"a function that returns {self.inner(value[RESULT], depth)}"
        if kind == kinds.VARIABLE:
            bound = f" of {self.inner(value[UPPER_BOUND], depth)}" if value[UPPER_BOUND] else ""
            return f"the type variable {value[OWN_NAME]}{bound}"
        if kind == kinds.TYPE_OF_VARIABLE:
            return f"the class of {self.one(value[OF_VALUE], depth)}"
        return f"{_PLAIN[kind]} {value[OWN_NAME]}"

    def arguments(self, arguments: tuple[Values, ...], depth: int) -> str:
        return f"[{', '.join(self.inner(each, depth) for each in arguments)}]" if arguments else ""

    def inner(self, values: Values, depth: int) -> str:
        return self.all(values, depth + 1) if depth < DEEPEST else "…"

    def literal(self, value: Value) -> str:
        if value[KIND] == kinds.CLOSURE:
            return "a nameless function"
        if value[KIND] == kinds.OBJECT_AT:
            return "an object literal"
        return format_expression(self.program.files[value[FILE]].facts, value[EXPRESSION])

    def place(self, value: Value) -> str:
        file = self.program.files[value[FILE]]
        byte = (
            file.code[value[EXPRESSION] + op.BYTE]
            if value[KIND] == kinds.LITERAL_AT
            else file.scopes[value[OWN_SCOPE]].start_byte
        )
        line, column = line_and_column(file.facts, byte)
        return f"{file.path}:{line}:{column}"


_PLAIN = {
    kinds.MODULE: "the module",
    kinds.EXTERNAL: "outside the repository:",
    kinds.TEXT: "the text",
    kinds.PRIMITIVE: "builtin",
    kinds.BUILTIN: "the builtin",
}
