"""Calls: their results, the effect of decorators on a function, and members assigned from outside.

In: a callee's value, and the call if there is one. Out: values. What an unknown library function returns is in
library.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder import operations as op
from rpg.encoder.languages.results import AS_WRITTEN, FOLDED, OF_WRITTEN_TYPE
from rpg.encoder.resolve.evaluate.calls.dispatch import returns_members
from rpg.encoder.resolve.evaluate.types.member_lookup import space_of
from rpg.encoder.resolve.program.source_file import ANY
from rpg.encoder.resolve.values.values import (
    BUILTIN,
    CALLABLE,
    CALLED_AS,
    CLASS,
    CLOSURE,
    CONTAINER,
    EXTERNAL,
    FILE,
    FUNC,
    INST,
    IS_SELF,
    KIND,
    LITERAL_AT,
    MADE_AS,
    METHOD_NAME,
    METHOD_OF,
    NONE,
    OBJECT_AT,
    OF_VALUE,
    OWN_SCOPE,
    PARTIAL,
    RECEIVER,
    RESULT,
    SYMBOL,
    TEXT,
    TYPE_ARGUMENTS,
    TYPE_OF_VARIABLE,
    UPPER_BOUND,
    VARIABLE,
    Value,
    Values,
    join_values,
    union,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.calls.companions import Companions
    from rpg.encoder.resolve.evaluate.calls.dispatch import Dispatch
    from rpg.encoder.resolve.evaluate.calls.library import Library
    from rpg.encoder.resolve.evaluate.calls.returned_arguments import ReturnedArguments
    from rpg.encoder.resolve.evaluate.containers.container_methods import ContainerMethods
    from rpg.encoder.resolve.evaluate.containers.elements import Containers
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.members.members import Members
    from rpg.encoder.resolve.evaluate.types.annotations import Annotations
    from rpg.encoder.resolve.evaluate.types.classes import Classes
    from rpg.encoder.resolve.evaluate.types.member_lookup import MemberLookup
    from rpg.encoder.resolve.evaluate.types.receivers import Receivers
    from rpg.encoder.resolve.evaluate.types.type_variables import TypeVariables
    from rpg.encoder.resolve.program.source_file import SourceFile


_IN_FILES: Final = frozenset({FUNC, CLOSURE, INST, LITERAL_AT})
"""Values that record the file in which they were made."""
_CALLED: Final[Value] = (EXTERNAL, "(called)")
"""The result of calling an object whose external base class decides it."""


class Calls:
    def __init__(
        self,
        evaluator: Context,
        annotations: Annotations,
        member_lookup: MemberLookup,
        classes: Classes,
        receivers: Receivers,
        type_variables: TypeVariables,
        members: Members,
        containers: Containers,
        container_methods: ContainerMethods,
        companions: Companions,
        dispatch: Dispatch,
        returned_arguments: ReturnedArguments,
        library: Library,
    ) -> None:
        self.evaluator = evaluator
        self.annotations = annotations
        self.member_lookup = member_lookup
        self.classes = classes
        self.receivers = receivers
        self.type_variables = type_variables
        self.members = members
        self.containers = containers
        self.container_methods = container_methods
        self.companions = companions
        self.dispatch = dispatch
        self.returned_arguments = returned_arguments
        self.library = library
        self.program = evaluator.program
        self.files = evaluator.files

    # Arguments

    def arguments(self, file: SourceFile, e: int) -> list[Values]:
        """The values of the positional arguments."""
        code = file.code
        return [
            self.evaluator.eval(file, code[e + op.ARGUMENTS + 2 * i])
            for i in range(code[e + op.ARGUMENT_COUNT])
            if code[e + op.KEYWORDS + 2 * i] == op.POSITIONAL
        ]

    def argument(self, file: SourceFile, e: int, position: int, name: str) -> Values:
        """The values passed for a parameter, by position or name."""
        code = file.code
        if code[e] == op.SUBSCRIPT:
            # `thing[key]` calls a method with the key.
            return self.evaluator.eval(file, code[e + op.INDEX]) if position == 0 else ()
        at = 0
        for i in range(code[e + op.ARGUMENT_COUNT]):
            keyword, value = code[e + op.KEYWORDS + 2 * i], code[e + op.ARGUMENTS + 2 * i]
            if keyword == op.POSITIONAL:
                if at == position:
                    return self.evaluator.eval(file, value)
                at += 1
            elif keyword == op.STARRED:
                if position >= 0 and at <= position:
                    return self.containers.item(self.evaluator.eval(file, value), position - at)
            elif keyword == op.DOUBLE_STARRED:
                held = self.evaluator.eval(file, value)
                key: Values = ((TEXT, name, op.STRING),)
                found = [self.container_methods.find_under_key(each, key) for each in held]
                if any(found):
                    return union(found)
            elif file.strings[keyword] == name:
                return self.evaluator.eval(file, value)
        return ()

    # Results

    def method_result(self, value: Value, name: str, file: SourceFile | None = None, e: int = 0) -> Values:
        """The result of calling a method of an instance: without arguments, or with those of the call `e`."""
        space = space_of(self.files[value[FILE]].rules, value, True, name) if value[KIND] == INST else ANY
        hit = self.member_lookup.hit(value, name, space)
        if hit is None or not hit.definitions:
            return ()
        receiver = value if value[KIND] == INST else None
        return union([self.returned((FUNC, *each, receiver), file, e) for each in hit.definitions])

    def returned(self, function: Value, file: SourceFile | None = None, e: int = 0) -> Values:
        """What a function of the repository returns, with type variables replaced by the receiver's and the arguments'
        types."""
        here = self.files[function[FILE]]
        seen = self.dispatch.receiver_in(here, function[SYMBOL], function[RECEIVER])
        key = ("r", function[FILE], function[SYMBOL]) if seen is None else ("r", function[FILE], function[SYMBOL], seen)
        values = self.evaluator.compute_once(key, self._returned, here, function[SYMBOL], seen)
        handed = self.returned_arguments.find_handed_back(here, function, file, e)
        if handed:
            values = union([values, handed])
        if not values:
            return ()
        receiver = function[RECEIVER]
        values = self.type_variables.replace_self(values, receiver)
        if self.type_variables.mentions_variables(values):
            values = self.type_variables.solve(values, here, function, file, e)
        return values

    def find_fixed_results(self, file: SourceFile, index: int) -> tuple[Values, ...] | None:
        """What a function returns, independent of any call; then, for a generator or where nothing is known, what its
        `return` statements return. None if that depends on arguments or the receiver."""
        evaluator = self.evaluator
        scope = file.definitions[index].scope
        owner = self.receivers.of_member(file, index)
        is_above = owner is not None and owner in self.classes.subclasses
        if (is_above and returns_members(file, scope)) or self.returned_arguments.returned(file, index):
            return None
        values = evaluator.compute_once(("r", file.index, index), self._returned, file, index, None)
        if values and scope not in file.facts.yields:
            return (values,)
        return values, union([evaluator.eval(file, each) for each in file.facts.returns.get(scope, ())])

    def _returned(self, file: SourceFile, index: int, receiver: Value | None) -> Values:
        evaluator = self.evaluator
        definition = file.definitions[index]
        scope = definition.scope
        annotation = file.facts.annotations.get(scope)
        values = self.annotations.typed(file, annotation) if annotation else ()
        is_context = "contextmanager" in definition.flags
        if values and values != (NONE,):
            if is_context:
                return ((CONTAINER, "context", (self.containers.elements(values),)),)
            is_wrapped = file.rules.async_returns_wrapped and scope not in file.facts.yields
            if is_wrapped and "async" in definition.modifiers and not file.rules.calls_await:
                return ((CONTAINER, "coroutine", (values,)),)
            if self.annotations.is_open(file, values):
                made = [evaluator.eval(file, each) for each in file.facts.returns.get(scope, ())]
                return union([*made, values]) or values
            return values
        yields = file.facts.yields.get(scope)
        if yields is not None:
            elements = union([evaluator.eval(file, each) for each in yields])
            return ((CONTAINER, "context" if is_context else "list", (elements,)),)
        of_arguments = self.returned_arguments.returned(file, index)
        plain = [each for each in file.facts.returns.get(scope, ()) if each not in of_arguments]
        if receiver is None:
            made = [evaluator.eval(file, each) for each in plain]
        else:
            made = [self.dispatch.seen_by(file, scope, each, receiver) for each in plain]
        values = tuple(value for value in join_values(made) if value != NONE)
        if "async" in definition.modifiers and not file.rules.calls_await:
            return ((CONTAINER, "coroutine", (values,)),)
        return values

    def result(self, callee: Value, file: SourceFile | None, e: int) -> Values:
        """The result of calling a value; `file` and `e` are the call, if there is one."""
        evaluator = self.evaluator
        kind: int = callee[KIND]
        if kind == FUNC:
            values = self.returned(callee, file, e)
            here = self.files[callee[FILE]]
            if callee[SYMBOL] in here.facts.fields and callee[RECEIVER] is None and not values:
                return ((INST, callee[FILE], callee[SYMBOL], (), False),)
            if not values and self.receivers.has_prototype(here, callee[SYMBOL]):
                return ((INST, callee[FILE], callee[SYMBOL], (), False),)
            return values
        if kind == CLASS:
            if file is not None and e and self.files[callee[FILE]].rules.sides == "companions":
                return self.companions.result(callee, file, e)
            return self.construct(callee, file, e)
        if kind == EXTERNAL:
            return self.library.from_library(callee, file, e)
        if kind == BUILTIN:
            return self.library.from_library(callee, file, e)
        if kind == INST:
            rules = self.files[callee[FILE]].rules
            if rules.accessors == "called":
                return (callee,)
            called_as = rules.protocols.call
            hit = self.member_lookup.find(callee[FILE], callee[SYMBOL], called_as) if called_as else None
            if hit is not None:
                return union([self.returned((FUNC, *each, callee), file, e) for each in hit.definitions])
            signed = self.by_signature(callee)
            if signed:
                return signed
            if self.members.is_external_member(callee):
                return (_CALLED,)
            return union([each[RESULT] for each in self.classes.underlying(callee) if each[KIND] == CALLABLE])
        if kind == METHOD_OF:
            return self.find_builtin_result(callee, file, e)
        if kind == CLOSURE:
            here = self.files[callee[FILE]]
            return union([evaluator.eval(here, each) for each in here.facts.returns.get(callee[OWN_SCOPE], ())])
        if kind == PARTIAL:
            return self.result(callee[OF_VALUE], None, 0)
        if kind == OBJECT_AT:
            return self.by_signature(callee)
        if kind == CALLABLE:
            return callee[RESULT]  # type: ignore[no-any-return]
        if kind == VARIABLE:
            return union([self.result(each, file, e) for each in callee[UPPER_BOUND]])
        if kind == TYPE_OF_VARIABLE:
            return (callee[OF_VALUE],)
        return ()

    def find_builtin_result(self, callee: Value, file: SourceFile | None, e: int) -> Values:
        """The result of a method of a builtin value, by the rules of the call's language; without a call, of the
        value's."""
        if file is None:
            receiver: Value = callee[OF_VALUE]
            if receiver[KIND] not in _IN_FILES:
                return ()
            methods = self.files[receiver[FILE]].rules.methods
            return self.container_methods.method_result(methods, receiver, callee[METHOD_NAME], [])
        methods = file.rules.methods
        if e in file.facts.type_arguments and methods.results.get(callee[METHOD_NAME]) == FOLDED:
            return self.annotations.typed(file, file.facts.type_arguments[e][0])
        if e in file.facts.type_arguments and methods.results.get(callee[METHOD_NAME]) == AS_WRITTEN:
            return ((CONTAINER, "list", (self.annotations.typed(file, file.facts.type_arguments[e][0]),)),)
        gives = file.rules.functions_by_last_part.get(callee[METHOD_NAME])
        if gives is not None and gives.what == OF_WRITTEN_TYPE and e in file.facts.type_arguments:
            return self.annotations.typed(file, file.facts.type_arguments[e][0])
        arguments = self.arguments(file, e)
        return self.container_methods.method_result(methods, callee[OF_VALUE], callee[METHOD_NAME], arguments)

    def by_signature(self, callee: Value) -> Values:
        """The result of calling a value whose type has call or construct signatures."""
        members = self.members.member_values
        signatures = [members(callee, name) for name in (CALLED_AS, MADE_AS)]
        return union([each[RESULT] for values in signatures for each in values if each[KIND] == CALLABLE])

    def construct(self, callee: Value, file: SourceFile | None, e: int) -> Values:
        """An instance; for a generic class, with type arguments from the annotated parameters of its constructor."""
        names = self.classes.variables(callee[FILE], callee[SYMBOL])
        arguments = callee[TYPE_ARGUMENTS]
        if names and not arguments and file is not None and e in file.facts.type_arguments:
            written = self.type_variables.written(file, e, names)
            shallow = self.annotations.shallow
            arguments = tuple(shallow(written.get(name, ())) for name in names)
        if file is not None and e and not self.files[callee[FILE]].rules.classes_are_called:
            made: Value = (CLASS, *callee[FILE : SYMBOL + 1], arguments, callee[IS_SELF])
            return self.converted(made, self.argument(file, e, 0, ""))
        if names and not arguments and file is not None and e:
            hit = self.member_lookup.find(callee[FILE], callee[SYMBOL], self.files[callee[FILE]].rules.constructor)
            if hit is not None and hit.definitions:
                here = self.files[hit.definitions[-1][0]]
                rows = here.facts.parameters.get(here.definitions[hit.definitions[-1][1]].scope, ())
                shift = (
                    1
                    if rows and rows[0].name == here.scopes[here.definitions[hit.definitions[-1][1]].scope].receiver
                    else 0
                )
                bound: dict[str, Values] = {}
                for index, row in enumerate(rows[shift:]):
                    declared = self.annotations.typed(here, row.annotation)
                    if self.type_variables.mentions_variables(declared):
                        self.type_variables.match(declared, self.argument(file, e, index, row.name), bound)
                if bound:
                    shallow = self.annotations.shallow
                    arguments = tuple(shallow(bound.get(name, ())) for name in names)
        return ((INST, callee[FILE], callee[SYMBOL], arguments, callee[IS_SELF]),)

    def converted(self, callee: Value, argument: Values) -> Values:
        """A conversion to a type: a function remains itself."""
        made: Values = ((INST, callee[FILE], callee[SYMBOL], callee[TYPE_ARGUMENTS], callee[IS_SELF]),)
        if not self.annotations.holds_functions(made):
            return made
        return union([tuple(value for value in argument if value[KIND] in (FUNC, CLOSURE)), made])

    # Decorators

    def decorated(self, file: SourceFile, index: int, decorators: list[int]) -> Values:
        """A decorated function is still itself, followed by whatever else its decorators made of it."""
        return self.evaluator.compute_once(("d", file.index, index), self._decorated, file, index, decorators)

    def _decorated(self, file: SourceFile, index: int, decorators: list[int]) -> Values:
        own: Value = (FUNC, file.index, index, None)
        made: Values = (own,)
        for expression in reversed(decorators):
            results: list[Values] = []
            for callee in self.evaluator.eval(file, expression):
                if callee[KIND] in (FUNC, CLOSURE, CALLABLE):
                    results.append(self.result(callee, None, 0))
                elif callee[KIND] == CLASS:
                    results.append(self.construct(callee, None, 0))
            made = union(results) or made
        made = tuple(
            value
            for value in made
            if value[KIND] in (INST, CLOSURE) or (value[KIND] == FUNC and value != own and not self.is_wrapper(value))
        )
        return (own, *made)

    def find_decorated(self, file: SourceFile, index: int, expression: int) -> Values:
        """What a decorator receives: the function, or what the decorators below it made of it."""
        decorators = file.facts.decorators[index]
        below = decorators[decorators.index(expression) + 1 :]
        made = self._decorated(file, index, below) if below else ()
        return made[1:] or ((FUNC, file.index, index, None),)

    def is_wrapper(self, function: Value) -> bool:
        """Whether a function is declared to wrap another one, and so stands for it."""
        file = self.files[function[FILE]]
        wrapping = file.rules.decorators.wrapping
        return bool(wrapping) and any(wrapping in text for text in file.definitions[function[SYMBOL]].decorators)
