"""What a variable holds that was declared to be of a type, in languages where it stays what it was declared to be.

In: a binding of it, with those beside it. Out: values. As in TypeScript, what is assigned picks parts of a union that
was declared, and changes nothing else; where functions are declared, those that are assigned are followed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder.facts import PARAMETER, TYPED
from rpg.encoder.resolve.values.values import (
    CONTAINER,
    EXTERNAL,
    INST,
    LITERAL_AT,
    NONE,
    OBJECT_AT,
    PRIMITIVE,
    TEXT,
    VARIABLE,
    Value,
    Values,
    union,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.evaluator import Inference
    from rpg.encoder.resolve.program.unit import Row, Unit

_KEEPING: Final = frozenset({"narrow", "annotation", "type"})
"""Kinds of bindings that assign nothing."""
_EMPTY: Final[Values] = (NONE, (PRIMITIVE, "undefined"), (PRIMITIVE, "null"))


def held(inference: Inference, unit: Unit, scope: int, name: str, row: Row) -> Values:
    """What a variable holds after one of its bindings."""
    code = unit.code
    if row.kind in _KEEPING or code[row.value] == PARAMETER:
        return inference.eval(unit, row.value)
    if row.kind == "declared":
        declared = inference.annotations.typed(unit, code[row.value + 2])
        return of_declared(inference, unit, declared, inference.eval(unit, code[row.value + 3]))
    declared = _declared(inference, unit, scope, name)
    return of_declared(inference, unit, declared, inference.eval(unit, row.value))


def assigned_member(inference: Inference, unit: Unit, holders: Values, name: str, assigned: Values) -> Values:
    """What a member holds after an assignment to it, in the same flow."""
    if not holders or not all(inference.members.is_declared(holder, name) for holder in holders):
        return assigned
    declared = union([inference.members.member_values(holder, name) for holder in holders])
    return of_declared(inference, unit, declared, assigned)


def of_declared(inference: Inference, unit: Unit, declared: Values, assigned: Values) -> Values:
    """What something that was declared holds after an assignment."""
    possible = tuple(value for value in declared if value not in _EMPTY)
    if not possible:
        return assigned
    if (
        assigned
        and all(value[0] == OBJECT_AT for value in assigned)
        and all(value[0] == EXTERNAL for value in possible)
    ):
        # A literal of a library's type has the members that are written in it as well.
        return union([assigned, possible])
    if inference.annotations.is_open(unit, declared):
        return union([assigned, declared]) or declared
    if len(possible) == 1 or any(value[0] == VARIABLE for value in possible):
        return possible
    given = [value for value in assigned if value not in _EMPTY]
    kept = tuple(value for value in possible if any(_fits(inference, each, value) for each in given))
    fit = all(any(_fits(inference, each, value) for value in kept) for each in given)
    return kept if kept and fit else declared


def _declared(inference: Inference, unit: Unit, scope: int, name: str) -> Values:
    code = unit.code
    for row in unit.rows(scope, name):
        if row.kind in ("annotation", "declared") and code[row.value] == TYPED:
            return inference.annotations.typed(unit, code[row.value + 2])
        if row.value and code[row.value] == PARAMETER:
            parameter = unit.facts.parameters[code[row.value + 2]][code[row.value + 3]]
            values = inference.annotations.typed(unit, parameter.annotation)
            return inference.parameters.gathered(values, parameter.kind) if values else ()
    return ()


def _fits(inference: Inference, given: Value, declared: Value) -> bool:
    """Whether a value is known to be of one part of a declared union."""
    if given[0] == TEXT:
        return bool(declared[0] == PRIMITIVE)
    if given[0] == LITERAL_AT:
        return bool(declared[0] == CONTAINER)
    if given[0] != INST or declared[0] != INST:
        return given == declared or (given[0] == declared[0] and given[0] in (CONTAINER, EXTERNAL))
    classes = inference.classes
    for entry in classes.order(given[1], given[2]).entries:
        if entry[:2] == declared[1:3]:
            return True
        for contract in classes.contracts(inference.units[entry[0]], entry[1]):
            if any(above[:2] == declared[1:3] for above in classes.order(*contract).entries):
                return True
    return False
