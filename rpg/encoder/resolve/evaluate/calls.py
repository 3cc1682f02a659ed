"""Calls: what they return, what decorators make of a function, what is stored on objects from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpg.encoder.facts import DOUBLE_STARRED, POSITIONAL, STARRED, SUBSCRIPT
from rpg.encoder.resolve.evaluate import container_methods, dispatch
from rpg.encoder.resolve.evaluate.returned_arguments import Passing
from rpg.encoder.resolve.values.builtin_types import FOLDING
from rpg.encoder.resolve.values.values import (
    BUILTIN,
    CALLABLE,
    CALLED_AS,
    CLASS,
    CLOSURE,
    CONTAINER,
    EXTERNAL,
    FUNC,
    INST,
    MADE_AS,
    METHOD_OF,
    NONE,
    OBJECT_AT,
    PARTIAL,
    TEXT,
    TYPE_OF_VARIABLE,
    Value,
    Values,
    few,
    joined,
    union,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.evaluator import Inference
    from rpg.encoder.resolve.program.unit import Unit


class Calls:
    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self.program = inference.program
        self.units = inference.units
        self.passing = Passing(inference)

    # Arguments

    def arguments(self, unit: Unit, e: int) -> list[Values]:
        """The positional arguments' values."""
        code = unit.code
        return [
            self.inference.eval(unit, code[e + 5 + 2 * i])
            for i in range(code[e + 3])
            if code[e + 4 + 2 * i] == POSITIONAL
        ]

    def argument(self, unit: Unit, e: int, position: int, name: str) -> Values:
        """The values passed for a parameter, by place or name."""
        code = unit.code
        if code[e] == SUBSCRIPT:
            # `thing[key]` calls `__getitem__`.
            return self.inference.eval(unit, code[e + 3]) if position == 0 else ()
        at = 0
        for i in range(code[e + 3]):
            keyword, value = code[e + 4 + 2 * i], code[e + 5 + 2 * i]
            if keyword == POSITIONAL:
                if at == position:
                    return self.inference.eval(unit, value)
                at += 1
            elif keyword == STARRED:
                if position >= 0 and at <= position:
                    return self.inference.containers.item(self.inference.eval(unit, value), position - at)
            elif keyword == DOUBLE_STARRED:
                held = self.inference.eval(unit, value)
                found = [
                    container_methods.method_result(self.inference.containers, each, "get", [((TEXT, name, 5),)])
                    for each in held
                ]
                if any(found):
                    return union(found)
            elif unit.strings[keyword] == name:
                return self.inference.eval(unit, value)
        return ()

    # Returns

    def method_result(self, value: Value, name: str, unit: Unit | None = None, e: int = 0) -> Values:
        """What calling a method of an instance gives: without arguments, or with those of an expression."""
        hit = self.inference.classes.hit(value, name)
        if hit is None or not hit.definitions:
            return ()
        receiver = value if value[0] == INST else None
        return union([self.returned((FUNC, *each, receiver), unit, e) for each in hit.definitions])

    def returned(self, function: Value, unit: Unit | None = None, e: int = 0) -> Values:
        """What a function of the repository returns, its receiver's and arguments' types put in for type variables."""
        here = self.units[function[1]]
        seen = dispatch.receiver_in(self.inference, here, function[2], function[3])
        key = ("r", function[1], function[2]) if seen is None else ("r", function[1], function[2], seen)
        values = self.inference.remembered(key, self._returned, here, function[2], seen)
        handed = self.passing.handed_back(here, function, unit, e)
        if handed:
            values = union([values, handed])
        if not values:
            return ()
        receiver = function[3]
        values = self.inference.variables.for_receiver(values, receiver)
        if self.inference.variables.mentions_variables(values):
            values = self.inference.variables.solved(values, here, function, unit, e)
        return values

    def given(self, unit: Unit, index: int) -> tuple[Values, ...] | None:
        """What a function gives; also what it returns as it stands, where a generator does so in the end, and where
        nothing else is known; None where arguments or receivers have a say in that."""
        inference = self.inference
        scope = unit.definitions[index].scope
        owner = inference.receivers.of_member(unit, index)
        is_above = owner is not None and owner in inference.classes.subclasses
        if (is_above and dispatch.returns_members(unit, scope)) or self.passing.returned(unit, index):
            return None
        given = inference.remembered(("r", unit.index, index), self._returned, unit, index, None)
        if given and scope not in unit.facts.yields:
            return (given,)
        return given, union([inference.eval(unit, each) for each in unit.facts.returns.get(scope, ())])

    def _returned(self, unit: Unit, index: int, receiver: Value | None) -> Values:
        inference = self.inference
        definition = unit.definitions[index]
        scope = definition.scope
        annotation = unit.facts.annotations.get(scope)
        values = inference.annotations.typed(unit, annotation) if annotation else ()
        is_context = "contextmanager" in definition.flags
        if values and values != (NONE,):
            if is_context:
                return ((CONTAINER, "context", (inference.containers.elements(values),)),)
            if "async" in definition.modifiers and scope not in unit.facts.yields and unit.rules.async_returns_wrapped:
                return ((CONTAINER, "coroutine", (values,)),)
            if inference.annotations.is_open(unit, values):
                made = [inference.eval(unit, each) for each in unit.facts.returns.get(scope, ())]
                return union([*made, values]) or values
            return values
        yields = unit.facts.yields.get(scope)
        if yields is not None:
            elements = union([inference.eval(unit, each) for each in yields])
            return ((CONTAINER, "context" if is_context else "list", (elements,)),)
        of_arguments = self.passing.returned(unit, index)
        plain = [each for each in unit.facts.returns.get(scope, ()) if each not in of_arguments]
        if receiver is None:
            made = [inference.eval(unit, each) for each in plain]
        else:
            made = [dispatch.seen_by(inference, unit, scope, each, receiver) for each in plain]
        values = tuple(value for value in joined(made) if value != NONE)
        if "async" in definition.modifiers:
            return ((CONTAINER, "coroutine", (values,)),)
        return values

    def result(self, callee: Value, unit: Unit | None, e: int) -> Values:
        """What calling a value gives; `unit` and `e` are the call, where there is one."""
        inference = self.inference
        kind: int = callee[0]
        if kind == FUNC:
            values = self.returned(callee, unit, e)
            here = self.units[callee[1]]
            if callee[2] in here.facts.fields and callee[3] is None and not values:
                return ((INST, callee[1], callee[2], (), False),)
            if not values and inference.receivers.has_prototype(here, callee[2]):
                return ((INST, callee[1], callee[2], (), False),)
            return values
        if kind == CLASS:
            return self.constructed(callee, unit, e)
        if kind == EXTERNAL:
            return self.inference.library.from_library(callee[1], unit, e)
        if kind == BUILTIN:
            return self.inference.library.from_library(callee[1], unit, e)
        if kind == INST:
            hit = inference.classes.find(callee[1], callee[2], "__call__")
            if hit is not None:
                return union([self.returned((FUNC, *each, callee), unit, e) for each in hit.definitions])
            signed = self.by_signature(callee)
            if signed:
                return signed
            if inference.members.is_external_member(callee):
                return ((EXTERNAL, "__call__()"),)
            return union([each[1] for each in inference.classes.underlying(callee) if each[0] == CALLABLE])
        if kind == METHOD_OF and callee[2] in FOLDING and unit is not None and e in unit.facts.type_arguments:
            return inference.annotations.typed(unit, unit.facts.type_arguments[e][0])
        if kind == METHOD_OF:
            arguments = self.arguments(unit, e) if unit is not None else []
            return container_methods.method_result(inference.containers, callee[1], callee[2], arguments)
        if kind == CLOSURE:
            here = self.units[callee[1]]
            return union([inference.eval(here, each) for each in here.facts.returns.get(callee[2], ())])
        if kind == PARTIAL:
            return self.result(callee[1], None, 0)
        if kind == OBJECT_AT:
            return self.by_signature(callee)
        if kind == CALLABLE:
            return callee[1]  # type: ignore[no-any-return]
        if kind == TYPE_OF_VARIABLE:
            return (callee[1],)
        return ()

    def by_signature(self, callee: Value) -> Values:
        """What calling a value of a type with call or construct signatures gives."""
        members = self.inference.members.member_values
        signatures = [members(callee, name) for name in (CALLED_AS, MADE_AS)]
        return union([each[1] for values in signatures for each in values if each[0] == CALLABLE])

    def constructed(self, callee: Value, unit: Unit | None, e: int) -> Values:
        """An instance; its type arguments from the constructor's annotated parameters, where it is generic."""
        if unit is not None and e and not self.units[callee[1]].rules.classes_are_called:
            return self.converted(callee, self.argument(unit, e, 0, ""))
        names = self.inference.classes.variables(callee[1], callee[2])
        arguments = callee[3]
        if names and not arguments and unit is not None and e in unit.facts.type_arguments:
            written = self.inference.variables.written(unit, e, names)
            shallow = self.inference.annotations.shallow
            return ((INST, *callee[1:3], tuple(shallow(written.get(name, ())) for name in names), callee[4]),)
        if names and not arguments and unit is not None and e:
            hit = self.inference.classes.find(callee[1], callee[2], self.units[callee[1]].rules.constructor)
            if hit is not None and hit.definitions:
                here = self.units[hit.definitions[-1][0]]
                rows = here.facts.parameters.get(here.definitions[hit.definitions[-1][1]].scope, ())
                shift = (
                    1
                    if rows and rows[0].name == here.scopes[here.definitions[hit.definitions[-1][1]].scope].receiver
                    else 0
                )
                bound: dict[str, Values] = {}
                for index, row in enumerate(rows[shift:]):
                    declared = self.inference.annotations.typed(here, row.annotation)
                    if self.inference.variables.mentions_variables(declared):
                        self.inference.variables.match(declared, self.argument(unit, e, index, row.name), bound)
                if bound:
                    shallow = self.inference.annotations.shallow
                    arguments = tuple(shallow(bound.get(name, ())) for name in names)
        return ((INST, callee[1], callee[2], arguments, callee[4]),)

    def converted(self, callee: Value, given: Values) -> Values:
        """A conversion to a type: a function is still itself."""
        made: Values = ((INST, callee[1], callee[2], callee[3], callee[4]),)
        if not self.inference.annotations.holds_functions(made):
            return made
        return union([tuple(value for value in given if value[0] in (FUNC, CLOSURE)), made])

    # Decorators

    def decorated(self, unit: Unit, index: int, decorators: list[int]) -> Values:
        """A decorated function is still itself; what else its decorators made of it comes after."""
        return self.inference.remembered(("d", unit.index, index), self._decorated, unit, index, decorators)

    def _decorated(self, unit: Unit, index: int, decorators: list[int]) -> Values:
        own: Value = (FUNC, unit.index, index, None)
        made: Values = (own,)
        for expression in reversed(decorators):
            results: list[Values] = []
            for callee in self.inference.eval(unit, expression):
                if callee[0] in (FUNC, CLOSURE, CALLABLE):
                    results.append(self.result(callee, None, 0))
                elif callee[0] == CLASS:
                    results.append(self.constructed(callee, None, 0))
            made = union(results) or made
        made = tuple(
            value
            for value in made
            if value[0] in (INST, CLOSURE) or (value[0] == FUNC and value != own and not self.is_wrapper(value))
        )
        return (own, *made)

    def under_decorator(self, unit: Unit, index: int, expression: int) -> Values:
        """What a decorator is given: the function, or what the decorators below it made of it."""
        decorators = unit.facts.decorators[index]
        below = decorators[decorators.index(expression) + 1 :]
        made = self._decorated(unit, index, below) if below else ()
        return made[1:] or ((FUNC, unit.index, index, None),)

    def is_wrapper(self, function: Value) -> bool:
        """Whether a function says of itself that it stands for the one it wraps."""
        unit = self.units[function[1]]
        return any("wraps" in text for text in unit.definitions[function[2]].decorators)

    # What is stored on objects from outside

    def stored_on(self, owner: tuple[int, int] | str, name: str) -> Values:
        """What is assigned to a member from outside of its class, object or module."""
        self.inference.depend_on((owner, name))
        return few(self.inference.tables.stored_on(owner, name))
