"""Which of several functions a call means where arguments may be converted, as in C++: the one that needs the least.

In: a call and the functions that take so many arguments. Out: those that no other is known to fit better. A function
fits better if none of its arguments needs more and one needs less; what is not known of an argument decides nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder import operations as op
from rpg.encoder.resolve.evaluate.calls.argument_fit import BELOW, NEVER, SAME, UNKNOWN, UNLIKELY
from rpg.encoder.resolve.values.mro import OWNER_FILE, Owner
from rpg.encoder.resolve.values.values import (
    CLOSURE,
    CONTAINER,
    EXPRESSION,
    FILE,
    FUNC,
    INST,
    KIND,
    LITERAL_AT,
    OWN_NAME,
    PRIMITIVE,
    SYMBOL,
    VARIABLE,
    Value,
    Values,
)

if TYPE_CHECKING:
    from rpg.encoder.languages.standard_library import Types
    from rpg.encoder.resolve.evaluate.calls.argument_fit import ArgumentFit
    from rpg.encoder.resolve.evaluate.calls.arity import Arity
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.types.annotations import Annotations
    from rpg.encoder.resolve.program.source_file import SourceFile

_BY_CLASS: Final = 1
"""A class says how: its constructor or its operator."""
_REST: Final = 0
"""Taken by `...`."""
_MOST: Final = 30
"""Functions that are compared with each other."""
_POINTER: Final = "*"
_CONSTANT: Final = "const "
_QUALIFIED: Final = 7
"""The same, seen as constant."""


class Conversions:
    def __init__(self, evaluator: Context, annotations: Annotations, arity: Arity, argument_fit: ArgumentFit) -> None:
        self.evaluator = evaluator
        self.annotations = annotations
        self.arity = arity
        self.argument_fit = argument_fit

    def best(self, file: SourceFile, e: int, taking: list[Owner]) -> list[Owner]:
        """The functions that no other one is known to fit better."""
        code = file.code
        passed = [
            self.evaluator.eval(file, code[e + op.ARGUMENTS + 2 * at]) for at in range(code[e + op.ARGUMENT_COUNT])
        ]
        known = [at for at, values in enumerate(passed) if len(values) == 1]
        if not known:
            return taking
        fits = {each: [self.of_argument(each, at, passed[at]) for at in known] for each in taking}
        possible = [each for each in taking if NEVER not in fits[each]] or taking
        if len(possible) > _MOST or any(self.differ(possible, at) for at in range(len(passed)) if at not in known):
            return possible
        exact = [each for each in possible if all(fit == SAME for fit in fits[each])]
        if exact:
            return exact
        return [each for each in possible if not any(is_better(fits[other], fits[each]) for other in possible)]

    def is_special(self, file: SourceFile, e: int, special: Owner) -> bool | None:
        """Whether a call means what a generic function is for certain types; None if that is not known."""
        other = self.evaluator.files[special[OWNER_FILE]]
        typed = self.annotations.typed
        types, written = other.specialised.get(special[1], []), file.facts.type_arguments.get(e, [])
        answer: bool | None = True
        for one, of_special in zip(written, types, strict=False):
            given, wanted = typed(file, one), typed(other, of_special)
            if given and wanted and given != wanted:
                return False
            answer = answer if given and wanted else None
        if len(written) >= len(types):
            return answer
        count = file.code[e + op.ARGUMENT_COUNT]
        if not self.arity.takes(special, count):
            return False
        is_of_pointer = _POINTER in other.definitions[special[1]].signature
        for at in range(count):
            values = self.evaluator.eval(file, file.code[e + op.ARGUMENTS + 2 * at])
            fit = self.of_argument(special, at, values)
            if fit not in (SAME, UNKNOWN):
                return False
            is_open = fit == UNKNOWN or (is_of_pointer and values[0][KIND] != PRIMITIVE)
            answer = None if is_open else answer
        return answer

    def differ(self, definitions: list[Owner], at: int) -> bool:
        """Whether functions do not take the same there."""
        return len({self.declared(each, at) for each in definitions}) > 1

    def declared(self, definition: Owner, at: int) -> Values:
        file = self.evaluator.files[definition[OWNER_FILE]]
        rows = self.arity.rows(definition)
        return self.annotations.typed(file, rows[min(at, len(rows) - 1)].annotation)

    def of_argument(self, definition: Owner, at: int, values: Values) -> int:
        rows = self.arity.rows(definition)
        for row in rows[: at + 1]:
            if row.kind == "list":
                return UNKNOWN if row.annotation else _REST
        file = self.evaluator.files[definition[OWNER_FILE]]
        return self.fit(file, values, self.declared(definition, at))

    def fit(self, file: SourceFile, values: Values, declared: Values) -> int:
        """How well an argument fits what a file declares."""
        if len(values) != 1 or len(declared) != 1:
            return UNKNOWN
        value, wanted = values[0], declared[0]
        kind, other = value[KIND], wanted[KIND]
        if other == VARIABLE:
            return UNKNOWN
        if kind == other == PRIMITIVE:
            return compare_builtin(file.rules.types, value[OWN_NAME], wanted[OWN_NAME])
        if kind == other == INST:
            fit = self.argument_fit.below(value, wanted)
            return _BY_CLASS if fit == NEVER else fit
        if kind == other == CONTAINER:
            return SAME if value == wanted else UNKNOWN
        if kind == LITERAL_AT:
            items = self.evaluator.files[value[FILE]].code[value[EXPRESSION] + op.ITEM_COUNT]
            return NEVER if other == PRIMITIVE and items > 1 else UNKNOWN
        if other == PRIMITIVE and kind in (FUNC, CLOSURE):
            return NEVER
        if kind == INST and other == PRIMITIVE:
            is_open = self.is_enum(value) or wanted[OWN_NAME] in file.rules.types.of_pointers
            return UNKNOWN if is_open else _BY_CLASS
        if kind == PRIMITIVE and other == INST:
            if value[OWN_NAME] == file.rules.types.null_pointer:
                return UNKNOWN
            return NEVER if self.is_enum(wanted) else _BY_CLASS
        return SAME if values == declared else UNKNOWN

    def is_enum(self, value: Value) -> bool:
        return self.evaluator.program.definition(value[FILE], value[SYMBOL]).kind == "enum"


def is_better(one: list[int], other: list[int]) -> bool:
    """Whether every argument fits one function as well as the other, and some argument better."""
    return one != other and all(map(_is_as_good, one, other))


def _is_as_good(fit: int, other: int) -> bool:
    if fit in (other, SAME):
        return True
    return fit > other and UNKNOWN not in (fit, other)


def compare_builtin(types: Types, name: str, wanted: str) -> int:
    """How well a value of a builtin type fits another one."""
    if name == wanted:
        return SAME
    if name.endswith(_POINTER) or wanted.endswith(_POINTER) or name == types.null_pointer:
        if name == types.null_pointer:
            return SAME if wanted.endswith(_POINTER) else NEVER
        return compare_pointer(types, name, wanted) if name.endswith(_POINTER) else NEVER
    if name not in types.numbers or wanted not in types.numbers:
        return NEVER if wanted == types.no_result else UNKNOWN
    return BELOW if wanted == types.promoted.get(name) else UNLIKELY


def compare_pointer(types: Types, name: str, wanted: str) -> int:
    if name.startswith(_CONSTANT) and wanted.endswith(_POINTER) and not wanted.startswith(_CONSTANT):
        return NEVER
    if name.removeprefix(_CONSTANT) == wanted.removeprefix(_CONSTANT):
        return _QUALIFIED
    return UNLIKELY if wanted in types.of_pointers else NEVER
