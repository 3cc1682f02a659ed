"""What parameters hold: by annotation and default, by the type expected of their function, by what callers pass.

In: a function's scope and a parameter. Out: values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import Parameter
from rpg.encoder.resolve.program.contextual_typing import ARGUMENT
from rpg.encoder.resolve.values.flow_tables import sort_values
from rpg.encoder.resolve.values.values import (
    CLASS,
    CLOSURE,
    CONTAINER,
    EXTERNAL,
    FILE,
    FUNC,
    INST,
    KIND,
    METHOD_OF,
    NONE,
    OBJECT_AT,
    OF_VALUE,
    OWN_NAME,
    PARTIAL,
    PRIMITIVE,
    Value,
    Values,
    few,
    join_choice,
    union,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.calls.callbacks import Callbacks
    from rpg.encoder.resolve.evaluate.calls.results import Calls
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.members.members import Members
    from rpg.encoder.resolve.evaluate.types.annotations import Annotations
    from rpg.encoder.resolve.evaluate.types.member_lookup import MemberLookup
    from rpg.encoder.resolve.evaluate.types.receivers import Receivers
    from rpg.encoder.resolve.program.source_file import SourceFile

_STAND_IN: Final = "mock"
"""Part of the names of objects that stand in for others in tests."""
MOST_CALLERS: Final = 24
"""A parameter of a function with more call sites than this is not followed to its callers."""


class Caller(NamedTuple):
    """A place that calls a function, as far as its parameters are concerned."""

    file: int
    expression: int
    """The CALL; for a decorator, its expression."""
    bound: int
    """1 if the first parameter is the receiver, which is not among the arguments."""
    decorated: int
    """The definition passed by being decorated; -1 for a written call; CALLED_BACK if the function is passed to a
    builtin, whose call this is."""
    slot: int = 0
    """For a function passed to a builtin: its argument's position as written."""


CALLED_BACK: Final = -2


class Parameters:
    """What parameters hold."""

    def __init__(
        self,
        evaluator: Context,
        annotations: Annotations,
        member_lookup: MemberLookup,
        receivers: Receivers,
        members: Members,
        callbacks: Callbacks,
        calls: Calls,
    ) -> None:
        self.evaluator = evaluator
        self.annotations = annotations
        self.member_lookup = member_lookup
        self.receivers = receivers
        self.members = members
        self.callbacks = callbacks
        self.calls = calls
        self.files = evaluator.files

    def parameter(self, file: SourceFile, scope: int, index: int) -> Values:
        """What a parameter holds: its receiver, its annotation, that of the overridden method, its default, and in flow
        rounds whatever callers pass."""
        evaluator = self.evaluator
        row = file.facts.parameters[scope][index]
        if index == 0 and row.name and row.name == file.scopes[scope].receiver and row.kind == "positional":
            receiver = self.receivers.receiver(file, scope)
            if receiver:
                return receiver
        declared = self.annotations.typed(file, row.annotation)
        if declared and declared != (NONE,):
            gathered = self.gather_rest(declared, row.kind)
            if not self.annotations.is_open(file, declared):
                return gathered
            key = (file.index, scope, index)
            evaluator.depend_on(key)
            sources = (evaluator.eval(file, row.default), evaluator.tables.passed(key), gathered)
            return union([*sources]) or gathered
        if not row.annotation and row.kind in ("positional", "keyword"):
            inherited = self.find_inherited_annotation(file, scope, index, row)
            if inherited:
                return inherited
        fixture = evaluator.frameworks.parameter(file, scope, row.name) if evaluator.frameworks is not None else ()
        if fixture:
            return fixture
        default = tuple(value for value in evaluator.eval(file, row.default) if value != NONE)
        if row.annotation and default:
            return default
        context = file.contexts.get(scope) if not row.annotation and row.kind in ("positional", "any") else None
        if context is not None:
            expected = self.callbacks.expected(file, scope, index)
            if expected and not self.annotations.is_open(file, expected):
                return expected
            default = union([default, expected])
        handed: Values = ()
        if context is not None and context.kind == ARGUMENT and file.scopes[scope].kind == "lambda":
            handed = self.callbacks.handed(file, context.expression, context.slot, index)
        key = (file.index, scope, index)
        evaluator.depend_on(key)
        passed = evaluator.tables.passed(key)
        if default and not passed and context is None:
            # A default of a library's says nothing about what unknown callers pass.
            default = join_choice([default, ()])
        return union([default, handed, passed]) or self.gather_rest((), row.kind)

    def is_followed(self, file: SourceFile, row: Parameter) -> bool:
        """Whether callers decide what a parameter holds: it has no annotation, or a function type."""
        return not row.annotation or self.annotations.is_open(file, self.annotations.typed(file, row.annotation))

    def gather_rest(self, values: Values, kind: str) -> Values:
        if kind == "list":
            return ((CONTAINER, "list", (values,)),)
        if kind == "map":
            return ((CONTAINER, "dict", (((PRIMITIVE, "str"),), values)),)
        return values

    def find_inherited_annotation(self, file: SourceFile, scope: int, index: int, row: Parameter) -> Values:
        """The type of the same parameter in the overridden method."""
        each = file.scopes[scope]
        holder = file.scopes[each.parent] if each.parent >= 0 else None
        if holder is None or holder.kind != "class" or each.definition == holder.definition:
            return ()
        owner = file.class_of_scope[each.parent]
        name = file.definitions[each.definition].name
        if name == file.rules.constructor:
            return ()
        hit = self.member_lookup.find(file.index, owner, name, (file.index, owner))
        for other_unit, other in hit.definitions if hit is not None else ():
            here = self.files[other_unit]
            rows = here.facts.parameters.get(here.definitions[other].scope, ())
            if index < len(rows) and rows[index].name == row.name and rows[index].annotation:
                return self.members.detach(self.annotations.typed(here, rows[index].annotation))
        return ()

    def passed(self, file: SourceFile, scope: int, index: int, row: Parameter, places: list[Caller]) -> Values:
        """What some callers pass for one parameter."""
        rows = file.facts.parameters[scope]
        found = [
            self.crossing(caller.file, file.index, self.find_passed_by(caller, index - caller.bound, row, rows))
            for caller in places
        ]
        return sort_values(self.members.detach(few(union(found))))

    def find_passed_by(self, caller: Caller, position: int, row: Parameter, rows: list[Parameter]) -> Values:
        """What one caller passes for the parameter at a position."""
        here = self.files[caller.file]
        calls = self.calls
        if caller.decorated == CALLED_BACK:
            return self.callbacks.handed(here, caller.expression, caller.slot, position)
        if caller.decorated >= 0:
            return calls.find_decorated(here, caller.decorated, caller.expression) if position == 0 else ()
        if row.kind == "list":
            rest = calls.arguments(here, caller.expression)[max(position, 0) :]
            return ((CONTAINER, "tuple", tuple(rest)),) if rest else ()
        if row.kind == "map":
            return self.keywords(here, caller.expression, {each.name for each in rows})
        return calls.argument(here, caller.expression, -1 if row.kind == "keyword" else position, row.name)

    def is_in_test(self, file: int) -> bool:
        return self.files[file].in_test

    def crossing(self, source: int, target: int, values: Values) -> Values:
        """Values passed from one file to another, without what a test passes to the code it tests: a stand-in says
        nothing about what is passed in production."""
        if not values or not self.is_in_test(source) or self.is_in_test(target):
            return values
        return tuple(value for value in values if not self.is_stand_in(value))

    def is_stand_in(self, value: Value) -> bool:
        kind: int = value[KIND]
        if kind == PARTIAL:
            return self.is_stand_in(value[OF_VALUE])
        if kind == METHOD_OF:
            return True
        if kind == EXTERNAL:
            return _STAND_IN in value[OWN_NAME].lower()
        return kind in (FUNC, CLASS, INST, CLOSURE, OBJECT_AT) and self.is_in_test(value[FILE])

    def keywords(self, file: SourceFile, e: int, taken: set[str]) -> Values:
        code = file.code
        values = [
            self.evaluator.eval(file, code[e + op.ARGUMENTS + 2 * i])
            for i in range(code[e + op.ARGUMENT_COUNT])
            if code[e + op.KEYWORDS + 2 * i] >= 0 and file.strings[code[e + op.KEYWORDS + 2 * i]] not in taken
        ]
        merged = union(values)
        return ((CONTAINER, "dict", (((PRIMITIVE, "str"),), merged)),) if merged else ()
