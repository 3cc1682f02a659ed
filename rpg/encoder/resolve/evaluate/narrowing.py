"""What tests prove of values: `isinstance`, guards, and what either of two lets pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder.facts import CALL, NARROWED, UNION
from rpg.encoder.resolve.values.values import EXTERNAL, FUNC, OBJECT_AT, Values, union

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.evaluator import Inference
    from rpg.encoder.resolve.program.unit import Unit

_SHARED: Final = frozenset({EXTERNAL, OBJECT_AT})


def narrowed(inference: Inference, unit: Unit, e: int) -> Values:
    """`isinstance`: of the values known, those that fit; where none is, the class tested for."""
    code = unit.code
    values = inference.eval(unit, code[e + 2])
    tested = proven(inference, unit, code[e + 3])
    if not tested and code[code[e + 3]] in (CALL, UNION):
        return values
    if code[e + 4]:
        # What is outside, or a part that several types have, may still be there.
        return tuple(value for value in values if value[0] in _SHARED or not inference.classes.is_any_of(value, tested))
    fitting = tuple(value for value in values if inference.classes.is_any_of(value, tested))
    if len(fitting) < len(values) and any(value[0] == OBJECT_AT for value in tested):
        # A part that both have says less than what is tested for.
        return tested
    return fitting or tested


def proven(inference: Inference, unit: Unit, e: int) -> Values:
    """The instances that a test lets pass: of a class, of a guard's type, of either of two; empty: unknown."""
    code = unit.code
    if code[e] == UNION:
        parts = [proven(inference, unit, part) for part in code[e + 3 : e + 3 + code[e + 2]]]
        return union(parts) if all(parts) else ()
    return guarded(inference, unit, e) if code[e] == CALL else inference.annotations.tested(unit, e)


def guarded(inference: Inference, unit: Unit, call: int) -> Values:
    """What a function that returns `x is T` proves where it holds."""
    found: list[Values] = []
    for value in inference.eval(unit, unit.code[call + 2]):
        if value[0] == FUNC:
            other = inference.units[value[1]]
            annotation = other.facts.annotations.get(other.definitions[value[2]].scope, 0)
            if other.code[annotation] == NARROWED:
                found.append(inference.annotations.typed(other, other.code[annotation + 3]))
    return union(found)
