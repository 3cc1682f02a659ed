"""What a callback's parameters receive: from the type expected at its place, or from the builtin that calls it.

In: a function's scope and a parameter, or a call and one of its arguments. Out: values. Which type is expected is in
expected_types.py, what a function type says in function_types.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder import operations as op
from rpg.encoder.languages.results import (
    ACCUMULATING,
    FOLDED,
    FOLDING,
    WITH_ANY,
    WITH_EACH_OF_ALL,
    WITH_PARTS,
    CallsArgument,
)
from rpg.encoder.resolve.program.contextual_typing import ARGUMENT
from rpg.encoder.resolve.values.values import (
    BUILTIN,
    CLOSURE,
    EXTERNAL,
    KIND,
    METHOD_NAME,
    METHOD_OF,
    OF_VALUE,
    OWN_NAME,
    PRIMITIVE,
    Values,
    union,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.calls.expected_types import ExpectedTypes
    from rpg.encoder.resolve.evaluate.calls.overloads import Overloads
    from rpg.encoder.resolve.evaluate.containers.container_methods import ContainerMethods
    from rpg.encoder.resolve.evaluate.containers.elements import Containers
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.members.members import Members
    from rpg.encoder.resolve.evaluate.types.annotations import Annotations
    from rpg.encoder.resolve.evaluate.types.function_types import FunctionTypes
    from rpg.encoder.resolve.evaluate.types.type_variables import TypeVariables
    from rpg.encoder.resolve.program.source_file import SourceFile

_OUTSIDE: Final = frozenset({BUILTIN, EXTERNAL})


class Callbacks:
    def __init__(
        self,
        evaluator: Context,
        annotations: Annotations,
        type_variables: TypeVariables,
        function_types: FunctionTypes,
        members: Members,
        containers: Containers,
        container_methods: ContainerMethods,
        overloads: Overloads,
        expected_types: ExpectedTypes,
    ) -> None:
        self.evaluator = evaluator
        self.annotations = annotations
        self.type_variables = type_variables
        self.function_types = function_types
        self.members = members
        self.containers = containers
        self.container_methods = container_methods
        self.overloads = overloads
        self.expected_types = expected_types

    def expected(self, file: SourceFile, scope: int, index: int) -> Values:
        """What a parameter without an annotation receives according to the type expected of its function."""
        found: list[Values] = []
        for each in self.expected_types.types(file, scope, 0):
            for signature in self.function_types.signatures(each, 0):
                found.append(self.function_types.parameter(signature, index))
        return self.members.detach(union(found))

    def receiver(self, file: SourceFile, scope: int) -> Values:
        """What a function without a name extends, by the type expected of it or by what runs it."""
        return self.evaluator.compute_once(("extended", file.index, scope), self._receiver, file, scope)

    def _receiver(self, file: SourceFile, scope: int) -> Values:
        found = [
            self.function_types.extended(signature)
            for each in self.expected_types.types(file, scope, 0)
            for signature in self.function_types.signatures(each, 0)
        ]
        context = file.contexts.get(scope)
        if context is not None and context.kind == ARGUMENT and not any(found):
            found.append(self.lent(file, context.expression, "receiver"))
        return self.members.detach(union(found))

    def find_left_in(self, file: SourceFile, call: int, slot: int) -> Values:
        """What a call leaves in an argument: a value of the type that is declared there, or what a container holds."""
        found: list[Values] = []
        for callee in self.overloads.callees(file, call):
            if callee[KIND] == METHOD_OF:
                methods = file.rules.methods
                if callee[METHOD_NAME] in methods.fills:
                    found.append(self.container_methods.find_contents(callee[OF_VALUE]))
                continue
            for each in self.expected_types.of_argument(file, call, slot, callee):
                found.append(self.type_variables.settle_variables(self.function_types.typed(each), each.bound))
        return union(found)

    def handed(self, file: SourceFile, call: int, slot: int, index: int) -> Values:
        """What a parameter of a function passed as an argument receives from the builtin that is called."""
        evaluator = self.evaluator
        found: list[Values] = []
        rules = file.rules
        methods = rules.methods
        if rules.lends and index == 0:
            found.append(self.lent(file, call, "value"))
        if not index and not slot and call in file.facts.type_arguments:
            found.append(self.expected_types.find_written_props(file, call))
        for callee in evaluator.eval(file, file.code[call + op.CALLEE]):
            if callee[KIND] == METHOD_OF:
                found.append(self.container_methods.handed(methods, callee, slot, index))
                if slot == 0 and methods.results.get(callee[METHOD_NAME]) == FOLDED and index == 0:
                    types = file.facts.type_arguments.get(call)
                    folded = self.annotations.typed(file, types[0]) if types else ()
                    found.append(folded or evaluator.argument(file, call, 1, ""))
            elif callee[KIND] in _OUTSIDE and callee[OWN_NAME].rpartition(".")[2] in methods.passes_on:
                around = file.contexts.get(-call)
                if around is not None and around.kind == ARGUMENT:
                    found.append(self.handed(file, around.expression, around.slot, 0))
            elif callee[KIND] == BUILTIN and slot == 0 and callee[OWN_NAME] in rules.types.run_argument:
                # The runtime decides what it is called with.
                found.append(((EXTERNAL, rules.types.run_argument[callee[OWN_NAME]]),))
            elif callee[KIND] in (BUILTIN, EXTERNAL) and callee[OWN_NAME] in rules.calls_argument:
                found.append(self.find_handed_on(file, call, slot, index, rules.calls_argument[callee[OWN_NAME]]))
        return union(found)

    def find_handed_on(self, file: SourceFile, call: int, slot: int, index: int, by: CallsArgument) -> Values:
        position, keyword, source, how = by
        code = file.code
        named = code[call + op.KEYWORDS + 2 * slot]
        if not (named == op.POSITIONAL and slot == position) and not (named >= 0 and file.strings[named] == keyword):
            return ()
        containers = self.containers
        if how == WITH_EACH_OF_ALL:
            return containers.elements(self.evaluator.argument(file, call, source + index, ""))
        arguments = self.evaluator.arguments(file, call)
        if len(arguments) <= source:
            return ()
        elements = (
            union(arguments) if how == WITH_ANY and len(arguments) > 1 else containers.elements(arguments[source])
        )
        if how == WITH_PARTS:
            return containers.item(elements, index)
        if how == FOLDING and index == 0:
            return union([elements, *arguments[2:3]])
        return elements if index == 0 or how in (FOLDING, ACCUMULATING) else ()

    def lent(self, file: SourceFile, call: int, role: str) -> Values:
        """What a method that every object has passes to the function that it runs: the object."""
        code, lends = file.code, file.rules.lends
        callee = code[call + op.CALLEE]
        if code[callee] == op.ATTRIBUTE and lends.get(file.strings[code[callee + op.MEMBER]]) == role:
            holder = code[callee + op.HOLDER]
            parts = op.items_of(code, holder) if code[holder] == op.UNION else ()
            if not parts or code[parts[-1]] != op.NAME or code[call + op.ARGUMENT_COUNT] == 1:
                return self.find_asked(file, holder)
            callee = parts[-1]
        is_function = code[callee] == op.NAME and code[callee + op.BINDER] == -1
        if not is_function or lends.get(file.strings[code[callee + op.WORD]]) != role:
            return ()
        return self.evaluator.argument(file, call, 0, "") if code[call + op.ARGUMENT_COUNT] > 1 else ()

    def find_asked(self, file: SourceFile, holder: int) -> Values:
        """The object that a method is called of; of those around, the innermost."""
        code = file.code
        if code[holder] != op.UNION:
            return self.evaluator.eval(file, holder)
        for each in op.items_of(code, holder):
            values = self.evaluator.eval(file, each) if code[each] == op.THIS else ()
            if values:
                return values
        return ()

    def find_returned_by(self, file: SourceFile, call: int) -> Values:
        """What a method that every object has returns: the object, or what the function returns that it is passed."""
        code = file.code
        callee, count = code[call + op.CALLEE], code[call + op.ARGUMENT_COUNT]
        if code[callee] == op.ATTRIBUTE:
            name = file.strings[code[callee + op.MEMBER]]
        else:
            name = file.strings[code[callee + op.WORD]] if code[callee] == op.NAME else ""
        if not count:
            return ((PRIMITIVE, file.rules.methods.converts[name]),) if name in file.rules.methods.converts else ()
        gives_itself = name in file.rules.returns_itself and code[callee] == op.ATTRIBUTE
        if not gives_itself and name not in file.rules.gives_result:
            return ()
        passed = self.evaluator.eval(file, code[call + op.ARGUMENTS + 2 * (count - 1)])
        if gives_itself:
            is_meant = any(each[KIND] == CLOSURE for each in passed)
            return self.find_asked(file, code[callee + op.HOLDER]) if is_meant else ()
        return union([self.evaluator.result(each, None, 0) for each in passed if each[KIND] == CLOSURE])
