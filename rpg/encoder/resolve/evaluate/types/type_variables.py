"""Type variables: what they stand for in a call, and values with that substituted; the same for receivers.

In: values, and a call. Out: values without the variables that the call binds.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rpg.encoder import operations as op
from rpg.encoder.facts import EXTENSION
from rpg.encoder.resolve.values.held import held_in, make_outside
from rpg.encoder.resolve.values.mro import ENTRY_ARGUMENTS
from rpg.encoder.resolve.values.values import (
    CALLABLE,
    CLASS,
    CONTAINER,
    CONTENTS,
    EXTERNAL,
    FILE,
    HELD,
    INST,
    IS_SELF,
    KIND,
    NONE,
    OF_VALUE,
    OWN_NAME,
    RECEIVER,
    RESULT,
    SYMBOL,
    TYPE_ARGUMENTS,
    TYPE_OF_VARIABLE,
    UPPER_BOUND,
    VARIABLE,
    Value,
    Values,
    union,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.types.annotations import Annotations
    from rpg.encoder.resolve.evaluate.types.classes import Classes
    from rpg.encoder.resolve.evaluate.types.receivers import Receivers
    from rpg.encoder.resolve.program.source_file import SourceFile


class TypeVariables:
    """What type variables stand for."""

    def __init__(self, evaluator: Context, annotations: Annotations, classes: Classes, receivers: Receivers) -> None:
        self.evaluator = evaluator
        self.annotations = annotations
        self.classes = classes
        self.receivers = receivers

    def replace_self(self, values: Values, receiver: Value | None) -> Values:
        """`return self` returns what the method was called on."""
        found: list[Value] = []
        for value in values:
            if value[KIND] in (INST, CLASS) and value[IS_SELF]:
                if receiver is not None and receiver[KIND] in (INST, CLASS):
                    order = self.classes.order(receiver[FILE], receiver[SYMBOL])
                    if any(entry[:ENTRY_ARGUMENTS] == value[FILE : SYMBOL + 1] for entry in order.entries):
                        found.append((value[KIND], *receiver[FILE:]))
                        continue
                value = (*value[:IS_SELF], False)
            elif value[KIND] == CONTAINER and any(map(self.mentions_receiver, value[CONTENTS])):
                value = (
                    CONTAINER,
                    value[OWN_NAME],
                    tuple(self.replace_self(each, receiver) for each in value[CONTENTS]),
                )
            found.append(value)
        return values if len(found) == len(values) and tuple(found) == values else tuple(dict.fromkeys(found))

    def mentions_receiver(self, values: Values) -> bool:
        return any(
            (value[KIND] in (INST, CLASS) and value[IS_SELF])
            or (value[KIND] == CONTAINER and any(map(self.mentions_receiver, value[CONTENTS])))
            for value in values
        )

    def mentions_variables(self, values: Values, depth: int = 0) -> bool:
        for value in values:
            kind: int = value[KIND]
            if kind in (VARIABLE, TYPE_OF_VARIABLE):
                return True
            if depth < 4:
                if kind == CONTAINER and any(self.mentions_variables(each, depth + 1) for each in value[CONTENTS]):
                    return True
                if kind in (INST, CLASS) and any(
                    self.mentions_variables(each, depth + 1) for each in value[TYPE_ARGUMENTS]
                ):
                    return True
                if kind == CALLABLE and self.mentions_variables(value[RESULT], depth + 1):
                    return True
                if kind == EXTERNAL and any(self.mentions_variables(each, depth + 1) for each in value[HELD:]):
                    return True
        return False

    def substitute(self, values: Values, bound: dict[str, Values], depth: int = 0) -> Values:
        """Values with type variables replaced; unbound ones stay."""
        if not bound or depth > 4 or not self.mentions_variables(values):
            return values
        found: list[Values] = []
        for value in values:
            kind: int = value[KIND]
            if kind == VARIABLE:
                found.append(bound.get(value[OWN_NAME], (value,)))
            elif kind == TYPE_OF_VARIABLE:
                variable_values = bound.get(value[OF_VALUE][OWN_NAME])
                found.append(self.annotations.classes_of(variable_values) if variable_values is not None else (value,))
            elif kind == CONTAINER:
                found.append(
                    (
                        (
                            CONTAINER,
                            value[OWN_NAME],
                            tuple(self.substitute(each, bound, depth + 1) for each in value[CONTENTS]),
                        ),
                    )
                )
            elif kind in (INST, CLASS) and value[TYPE_ARGUMENTS]:
                arguments = tuple(self.substitute(each, bound, depth + 1) for each in value[TYPE_ARGUMENTS])
                found.append(((kind, value[FILE], value[SYMBOL], arguments, value[IS_SELF]),))
            elif kind == CALLABLE:
                found.append(((CALLABLE, self.substitute(value[RESULT], bound, depth + 1)),))
            elif kind == EXTERNAL and len(value) > HELD:
                held = held_in(self.substitute(value[HELD], bound, depth + 1))
                found.append((make_outside(value[OWN_NAME], held),))
            else:
                found.append((value,))
        return union(found)

    def solve(self, values: Values, here: SourceFile, function: Value, file: SourceFile | None, e: int) -> Values:
        """Binds type variables from the receiver's type arguments, then from the arguments of the call."""
        return self.settle_variables(values, self.bound_by(here, function, file, e, with_functions=True))

    def settle_variables(self, values: Values, bound: dict[str, Values]) -> Values:
        """Values with type variables replaced; an unbound one by its bound."""
        values = self.substitute(values, bound)
        if not self.mentions_variables(values):
            return values
        return tuple(
            each
            for value in values
            for each in (value[UPPER_BOUND] if value[KIND] == VARIABLE else (value,))
            if value[KIND] != TYPE_OF_VARIABLE
        )

    def shift(self, here: SourceFile, function: Value) -> int:
        """How many of a function's parameters the receiver fills."""
        scope = here.definitions[function[SYMBOL]].scope
        rows = here.facts.parameters.get(scope, ())
        if here.rules.extensions == "called" and self.is_extended(function):
            return 1
        if not rows or not rows[0].name or function[RECEIVER] is None:
            return 0
        return int(rows[0].name == here.scopes[scope].receiver)

    def bound_by(
        self, here: SourceFile, function: Value, file: SourceFile | None, e: int, *, with_functions: bool
    ) -> dict[str, Values]:
        """What type variables stand for in a call; `with_functions`: also by the results of functions passed as
        arguments."""
        classes = self.classes
        bound: dict[str, Values] = {}
        receiver = function[RECEIVER]
        definition = here.definitions[function[SYMBOL]]
        owner = (
            self.receivers.of_member(here, function[SYMBOL])
            if receiver is not None and receiver[KIND] in (INST, CLASS)
            else None
        )
        if receiver is not None and owner is not None:
            own_names = tuple(here.facts.type_parameters.get(function[SYMBOL], ()))
            names_own = bool(definition.owner) and here.rules.method_sets.name_parameters
            names = own_names if names_own else classes.variables(*owner)
            for entry in classes.order(receiver[FILE], receiver[SYMBOL]).entries:
                if entry[:ENTRY_ARGUMENTS] == owner:
                    own = dict(
                        zip(classes.variables(receiver[FILE], receiver[SYMBOL]), receiver[TYPE_ARGUMENTS], strict=False)
                    )
                    arguments = (
                        receiver[TYPE_ARGUMENTS]
                        if owner == receiver[FILE : SYMBOL + 1]
                        else classes.substitute_all(entry[ENTRY_ARGUMENTS], own)
                    )
                    bound = dict(zip(names, arguments, strict=False))
                    break
        rows = here.facts.parameters.get(definition.scope, [])
        shift = self.shift(here, function)
        if shift and rows[0].annotation:
            bound |= self.receivers.bind_declared_receiver(here, rows[0].annotation, receiver)
        if file is not None and e and file.code[e] in (op.CALL, op.SUBSCRIPT):
            if file.code[e] == op.CALL:
                bound |= self.written(file, e, here.facts.type_parameters.get(function[SYMBOL], ()))
            for index, row in enumerate(rows[shift:]):
                if row.annotation:
                    declared = self.annotations.typed(here, row.annotation)
                    if self.mentions_variables(declared) and (
                        with_functions or not self.annotations.holds_functions(declared)
                    ):
                        self.match(declared, self.evaluator.argument(file, e, index, row.name), bound)
        return bound

    def written(self, file: SourceFile, e: int, names: Iterable[str]) -> dict[str, Values]:
        """The type arguments written in a call."""
        types = file.facts.type_arguments.get(e)
        if types is None:
            return {}
        found = zip(names, [self.annotations.typed(file, each) for each in types], strict=False)
        return {name: values for name, values in found if values}

    def match(self, declared: Values, actual: Values, bound: dict[str, Values]) -> None:
        """Binds the variables of a declared type to the corresponding parts of an actual one."""
        if not actual:
            return
        for value in declared:
            if value[KIND] == VARIABLE:
                bound.setdefault(value[OWN_NAME], tuple(each for each in actual if each != NONE))
            elif value[KIND] == TYPE_OF_VARIABLE:
                instances = tuple(
                    (INST, *each[FILE : TYPE_ARGUMENTS + 1], False) for each in actual if each[KIND] == CLASS
                )
                if instances:
                    bound.setdefault(value[OF_VALUE][OWN_NAME], instances)
            elif value[KIND] == CONTAINER and value[OWN_NAME] == "list" and value[CONTENTS]:
                self.match(value[CONTENTS][0], self.evaluator.elements(actual), bound)
            elif value[KIND] == CONTAINER and value[OWN_NAME] == "coroutine" and value[CONTENTS]:
                self.match(value[CONTENTS][0], self.evaluator.await_values(actual), bound)
            elif value[KIND] == CONTAINER:
                for each in actual:
                    if each[KIND] == CONTAINER and each[OWN_NAME] == value[OWN_NAME]:
                        for part, held in zip(value[CONTENTS], each[CONTENTS], strict=False):
                            self.match(part, held, bound)
            elif value[KIND] == CALLABLE:
                results = union([self.evaluator.result(each, None, 0) for each in actual])
                self.match(value[RESULT], results, bound)
            elif value[KIND] == INST and value[TYPE_ARGUMENTS]:
                for each in actual:
                    if each[KIND] == INST and each[FILE : SYMBOL + 1] == value[FILE : SYMBOL + 1]:
                        for wanted, got in zip(value[TYPE_ARGUMENTS], each[TYPE_ARGUMENTS], strict=False):
                            self.match(wanted, got, bound)

    def is_extended(self, function: Value) -> bool:
        """Whether a function was called as a member of what it takes first, and not of its own class."""
        receiver = function[RECEIVER]
        file = self.evaluator.files[function[FILE]]
        definition = file.definitions[function[SYMBOL]]
        if receiver is None or EXTENSION not in definition.flags:
            return False
        return bool(receiver[KIND] != INST or receiver[FILE : SYMBOL + 1] != (function[FILE], definition.parent))
