"""What parameters hold: by their types and defaults, by what is expected of their function, by what callers pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rpg.encoder.facts import Parameter
from rpg.encoder.resolve.evaluate import callbacks
from rpg.encoder.resolve.program.contextual_typing import ARGUMENT
from rpg.encoder.resolve.values.flow_tables import in_order
from rpg.encoder.resolve.values.values import (
    CLASS,
    CLOSURE,
    CONTAINER,
    EXTERNAL,
    FUNC,
    INST,
    METHOD_OF,
    NONE,
    OBJECT_AT,
    PARTIAL,
    PRIMITIVE,
    Value,
    Values,
    few,
    union,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.evaluator import Inference
    from rpg.encoder.resolve.program.unit import Unit

MOST_CALLERS: Final = 24
"""A parameter of a function called from more places than this is not followed to its callers."""


class Caller(NamedTuple):
    """A place that calls a function, as far as its parameters are concerned."""

    unit: int
    expression: int
    """The CALL; for a decorator its expression."""
    bound: int
    """1 where the first parameter is the receiver and stands in no argument."""
    decorated: int
    """Definition that is passed by standing under a decorator; -1 for a written call; CALLED_BACK where the function
    is given to a builtin, whose call this is."""
    slot: int = 0
    """Of a function given to a builtin: in which argument, in the order written."""


CALLED_BACK: Final = -2


class Parameters:
    """What parameters hold."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self.units = inference.units

    def parameter(self, unit: Unit, scope: int, index: int) -> Values:
        """What a parameter holds: its receiver, its annotation, the overridden method's, its default, and in flow
        rounds whatever callers pass."""
        inference = self.inference
        row = unit.facts.parameters[scope][index]
        if index == 0 and row.name and row.name == unit.scopes[scope].receiver and row.kind == "positional":
            receiver = inference.receivers.receiver(unit, scope)
            if receiver:
                return receiver
        declared = inference.annotations.typed(unit, row.annotation)
        if declared and declared != (NONE,):
            gathered = self.gathered(declared, row.kind)
            if not inference.annotations.is_open(unit, declared):
                return gathered
            key = (unit.index, scope, index)
            inference.depend_on(key)
            given = (inference.eval(unit, row.default), inference.tables.passed(key), gathered)
            return union([*given]) or gathered
        if not row.annotation and row.kind in ("positional", "keyword"):
            inherited = self.inherited_annotation(unit, scope, index, row)
            if inherited:
                return inherited
        fixture = inference.frameworks.parameter(unit, scope, row.name) if inference.frameworks is not None else ()
        if fixture:
            return fixture
        default = tuple(value for value in inference.eval(unit, row.default) if value != NONE)
        if row.annotation and default:
            return default
        context = unit.contexts.get(scope) if not row.annotation and row.kind in ("positional", "any") else None
        if context is not None:
            expected = callbacks.expected(inference, unit, scope, index)
            if expected and not inference.annotations.is_open(unit, expected):
                return expected
            default = union([default, expected])
        handed: Values = ()
        if context is not None and context.kind == ARGUMENT and unit.scopes[scope].kind == "lambda":
            handed = callbacks.handed(inference, unit, context.expression, context.slot, index)
        key = (unit.index, scope, index)
        inference.depend_on(key)
        return union([default, handed, inference.tables.passed(key)]) or self.gathered((), row.kind)

    def is_followed(self, unit: Unit, row: Parameter) -> bool:
        """Whether callers say what a parameter holds: it has no type, or a function's."""
        return not row.annotation or self.inference.annotations.is_open(
            unit, self.inference.annotations.typed(unit, row.annotation)
        )

    def gathered(self, values: Values, kind: str) -> Values:
        if kind == "list":
            return ((CONTAINER, "list", (values,)),)
        if kind == "map":
            return ((CONTAINER, "dict", (((PRIMITIVE, "str"),), values)),)
        return values

    def inherited_annotation(self, unit: Unit, scope: int, index: int, row: Parameter) -> Values:
        """The type of the same parameter of the method that is overridden."""
        each = unit.scopes[scope]
        holder = unit.scopes[each.parent] if each.parent >= 0 else None
        if holder is None or holder.kind != "class" or each.definition == holder.definition:
            return ()
        owner = unit.class_of_scope[each.parent]
        name = unit.definitions[each.definition].name
        if name == unit.rules.constructor:
            return ()
        hit = self.inference.classes.find(unit.index, owner, name, (unit.index, owner))
        for other_unit, other in hit.definitions if hit is not None else ():
            here = self.units[other_unit]
            rows = here.facts.parameters.get(here.definitions[other].scope, ())
            if index < len(rows) and rows[index].name == row.name and rows[index].annotation:
                return self.inference.members.detached(self.inference.annotations.typed(here, rows[index].annotation))
        return ()

    def passed(self, unit: Unit, scope: int, index: int, row: Parameter, places: list[Caller]) -> Values:
        """What some callers pass for one parameter."""
        rows = unit.facts.parameters[scope]
        found = [
            self.crossing(caller.unit, unit.index, self.passed_by(caller, index - caller.bound, row, rows))
            for caller in places
        ]
        return in_order(self.inference.members.detached(few(union(found))))

    def passed_by(self, caller: Caller, position: int, row: Parameter, rows: list[Parameter]) -> Values:
        """What one caller passes for the parameter at a position."""
        here, calls = self.units[caller.unit], self.inference.calls
        if caller.decorated == CALLED_BACK:
            return callbacks.handed(self.inference, here, caller.expression, caller.slot, position)
        if caller.decorated >= 0:
            return calls.under_decorator(here, caller.decorated, caller.expression) if position == 0 else ()
        if row.kind == "list":
            rest = calls.arguments(here, caller.expression)[max(position, 0) :]
            return ((CONTAINER, "tuple", tuple(rest)),) if rest else ()
        if row.kind == "map":
            return self.keywords(here, caller.expression, {each.name for each in rows})
        return calls.argument(here, caller.expression, -1 if row.kind == "keyword" else position, row.name)

    def is_in_test(self, unit: int) -> bool:
        return self.units[unit].in_test

    def crossing(self, source: int, target: int, values: Values) -> Values:
        """What code in one unit hands to code in another: of what tests make up for themselves, nothing reaches what
        they test. A stand-in says nothing of what is really passed there."""
        if not values or not self.is_in_test(source) or self.is_in_test(target):
            return values
        return tuple(value for value in values if not self.is_stand_in(value))

    def is_stand_in(self, value: Value) -> bool:
        kind: int = value[0]
        if kind == PARTIAL:
            return self.is_stand_in(value[1])
        if kind == METHOD_OF:
            return True
        if kind == EXTERNAL:
            return "mock" in value[1].lower()
        return kind in (FUNC, CLASS, INST, CLOSURE, OBJECT_AT) and self.is_in_test(value[1])

    def keywords(self, unit: Unit, e: int, taken: set[str]) -> Values:
        code = unit.code
        values = [
            self.inference.eval(unit, code[e + 5 + 2 * i])
            for i in range(code[e + 3])
            if code[e + 4 + 2 * i] >= 0 and unit.strings[code[e + 4 + 2 * i]] not in taken
        ]
        merged = union(values)
        return ((CONTAINER, "dict", (((PRIMITIVE, "str"),), merged)),) if merged else ()
