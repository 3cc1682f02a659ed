"""What can this expression evaluate to? Demand-driven evaluation of facts into sets of values, cached per expression.

In: expressions of a program. Out: values.

Round 0 evaluates each function on its own: parameters have the values that their annotations, defaults and overridden
methods imply. Later rounds add what callers pass and what is stored in containers and attributes, as found in the round
before: a value travels along functions, containers and objects as in PyCG (Salis et al., ICSE 2021), one call further
per round, so evaluation never runs from a function into its callers. fixpoint.py keeps the results.
"""

from __future__ import annotations

from typing import Any, Final

from rpg.encoder import operations as op
from rpg.encoder.resolve.evaluate.calls.argument_fit import ArgumentFit
from rpg.encoder.resolve.evaluate.calls.arity import Arity
from rpg.encoder.resolve.evaluate.calls.callbacks import Callbacks
from rpg.encoder.resolve.evaluate.calls.companions import Companions
from rpg.encoder.resolve.evaluate.calls.conversions import Conversions
from rpg.encoder.resolve.evaluate.calls.dispatch import Dispatch
from rpg.encoder.resolve.evaluate.calls.expected_types import ExpectedTypes
from rpg.encoder.resolve.evaluate.calls.extensions import Extensions
from rpg.encoder.resolve.evaluate.calls.function_arguments import FunctionArguments
from rpg.encoder.resolve.evaluate.calls.library import Library
from rpg.encoder.resolve.evaluate.calls.overloads import Overloads
from rpg.encoder.resolve.evaluate.calls.parameters import Parameters
from rpg.encoder.resolve.evaluate.calls.results import Calls
from rpg.encoder.resolve.evaluate.calls.returned_arguments import ReturnedArguments
from rpg.encoder.resolve.evaluate.containers.container_methods import ContainerMethods
from rpg.encoder.resolve.evaluate.containers.elements import Containers
from rpg.encoder.resolve.evaluate.context import Context
from rpg.encoder.resolve.evaluate.hit import Hit
from rpg.encoder.resolve.evaluate.lookup.global_names import GlobalNames
from rpg.encoder.resolve.evaluate.lookup.modules import Modules
from rpg.encoder.resolve.evaluate.lookup.package_names import PackageNames
from rpg.encoder.resolve.evaluate.lookup.partial_types import PartialTypes
from rpg.encoder.resolve.evaluate.members.added_members import AddedMembers
from rpg.encoder.resolve.evaluate.members.added_traits import AddedTraits
from rpg.encoder.resolve.evaluate.members.held_members import HeldMembers
from rpg.encoder.resolve.evaluate.members.members import Members
from rpg.encoder.resolve.evaluate.members.object_members import ObjectMembers
from rpg.encoder.resolve.evaluate.names import Names
from rpg.encoder.resolve.evaluate.narrowing.declared_variables import Assignments
from rpg.encoder.resolve.evaluate.narrowing.proofs import Narrowing
from rpg.encoder.resolve.evaluate.operators import Operators
from rpg.encoder.resolve.evaluate.types.annotations import Annotations
from rpg.encoder.resolve.evaluate.types.classes import Classes
from rpg.encoder.resolve.evaluate.types.descriptors import Descriptors
from rpg.encoder.resolve.evaluate.types.function_types import FunctionTypes
from rpg.encoder.resolve.evaluate.types.inherited_types import InheritedTypes
from rpg.encoder.resolve.evaluate.types.member_lookup import MemberLookup
from rpg.encoder.resolve.evaluate.types.owners import Owners
from rpg.encoder.resolve.evaluate.types.receivers import Receivers
from rpg.encoder.resolve.evaluate.types.type_aliases import TypeAliases
from rpg.encoder.resolve.evaluate.types.type_variables import TypeVariables
from rpg.encoder.resolve.program.file_tables import SHORTEST
from rpg.encoder.resolve.program.program import Program
from rpg.encoder.resolve.program.source_file import ANY, SourceFile
from rpg.encoder.resolve.values.fixpoint import MISTAKES
from rpg.encoder.resolve.values.mro import Order
from rpg.encoder.resolve.values.values import (
    CLASS,
    CLOSURE,
    EXTERNAL,
    FILE,
    FUNC,
    KIND,
    LITERAL_AT,
    NONE,
    OBJECT_AT,
    PARENT,
    PRIMITIVE,
    SYMBOL,
    TEXT,
    VARIABLE,
    Value,
    Values,
    join_choice,
    union,
)

_AS_WRITTEN: Final = frozenset(
    {
        op.NOTHING, op.STRING, op.NUMBER, op.LITERAL, op.LIST, op.TUPLE, op.SET, op.DICTIONARY, op.FUNCTION,
        op.COMPREHENSION, op.OBJECT, op.TYPE_VARIABLE, op.SLICE,
    }
)  # fmt: skip
"""Operations whose value needs no other expression."""
_OF_ONE: Final = frozenset({op.ELEMENT, op.ENTERED, op.AWAIT, op.TYPE_OF})
_WITH_CARE: Final = frozenset({"narrow", "declared"})
"""Kinds of bindings whose value is not simply that of the assigned expression."""
_DEFINED: Final = frozenset({FUNC, CLASS, CLOSURE})
"""Kinds of callees that the repository defines."""


class Evaluator(Context):
    """Evaluates expressions of a program. Each attribute holds the rules for one kind of construct, made of those above
    it."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.partial_types = PartialTypes(program)
        self.package_names = PackageNames(program, self.partial_types, self.limit)
        self.global_names = GlobalNames(program)
        self.modules = Modules(self, self.partial_types, self.package_names, self.global_names)
        self.type_aliases = TypeAliases(self, self.package_names, self.global_names, self.modules)
        self.annotations = Annotations(self, self.package_names, self.global_names, self.modules, self.type_aliases)
        self.owners = Owners(self, self.modules)
        self.member_lookup = MemberLookup(self, self.partial_types, self.modules, self.annotations, self.owners)
        self.classes = Classes(
            self,
            self.partial_types,
            self.package_names,
            self.global_names,
            self.modules,
            self.annotations,
            self.owners,
            self.member_lookup,
        )
        self.receivers = Receivers(
            self, self.partial_types, self.package_names, self.annotations, self.owners, self.classes
        )
        self.type_variables = TypeVariables(self, self.annotations, self.classes, self.receivers)
        self.function_types = FunctionTypes(
            self,
            self.modules,
            self.type_aliases,
            self.annotations,
            self.member_lookup,
            self.classes,
            self.type_variables,
        )
        self.descriptors = Descriptors(self, self.member_lookup, self.receivers)
        self.inherited_types = InheritedTypes(program, self.partial_types, self.classes, self.member_lookup)
        self.object_members = ObjectMembers(self, self.member_lookup, self.classes)
        self.held_members = HeldMembers(self, self.member_lookup, self.classes)
        self.added_members = AddedMembers(self)
        self.added_traits = AddedTraits(self, self.modules, self.annotations, self.owners)
        self.members = Members(
            self,
            self.global_names,
            self.modules,
            self.annotations,
            self.member_lookup,
            self.classes,
            self.type_variables,
            self.descriptors,
            self.object_members,
            self.held_members,
        )
        self.containers = Containers(
            self,
            self.annotations,
            self.member_lookup,
            self.classes,
            self.type_variables,
            self.members,
            self.held_members,
        )
        self.container_methods = ContainerMethods(self, self.containers)
        self.arity = Arity(program)
        self.argument_fit = ArgumentFit(self, self.classes)
        self.conversions = Conversions(self, self.annotations, self.arity, self.argument_fit)
        self.extensions = Extensions(
            self, self.package_names, self.annotations, self.arity, self.argument_fit, self.classes
        )
        self.function_arguments = FunctionArguments(self, self.annotations, self.function_types, self.argument_fit)
        self.overloads = Overloads(
            self,
            self.annotations,
            self.member_lookup,
            self.members,
            self.arity,
            self.argument_fit,
            self.conversions,
            self.extensions,
            self.function_arguments,
        )
        self.companions = Companions(self, self.member_lookup, self.arity, self.overloads)
        self.expected_types = ExpectedTypes(
            self,
            self.annotations,
            self.member_lookup,
            self.classes,
            self.type_variables,
            self.function_types,
            self.containers,
            self.overloads,
            self.companions,
        )
        self.callbacks = Callbacks(
            self,
            self.annotations,
            self.type_variables,
            self.function_types,
            self.members,
            self.containers,
            self.container_methods,
            self.overloads,
            self.expected_types,
        )
        self.dispatch = Dispatch(self, self.classes, self.receivers, self.members, self.containers)
        self.returned_arguments = ReturnedArguments(self, self.annotations, self.type_variables, self.containers)
        self.library = Library(self, self.annotations, self.object_members, self.members, self.containers)
        self.calls = Calls(
            self,
            self.annotations,
            self.member_lookup,
            self.classes,
            self.receivers,
            self.type_variables,
            self.members,
            self.containers,
            self.container_methods,
            self.companions,
            self.dispatch,
            self.returned_arguments,
            self.library,
        )
        self.parameters = Parameters(
            self, self.annotations, self.member_lookup, self.receivers, self.members, self.callbacks, self.calls
        )
        self.assignments = Assignments(self, self.annotations, self.classes, self.members, self.parameters)
        self.names = Names(
            self,
            self.containers,
            self.container_methods,
            self.members,
            self.member_lookup,
            self.extensions,
            self.added_traits,
            self.modules,
            self.package_names,
            self.global_names,
            self.inherited_types,
            self.calls,
            self.assignments,
            self.partial_types,
        )
        self.narrowing = Narrowing(self, self.annotations, self.classes)
        self.operators = Operators(self, self.annotations, self.type_variables, self.calls)

    def end(self) -> None:
        """Drops all cached values. The parts refer to each other, so only the garbage collector could free them
        otherwise, and it is paused while a graph is encoded and written."""
        self.forget_all()
        self.tables.clear()
        self.classes.end()
        self.member_lookup.end()
        self.owners.end()
        self.added_traits.end()
        self.held_members.end()
        self.program.files.clear()

    def forget_all(self) -> None:
        super().forget_all()
        for file in self.program.files.made():
            file.forget()

    def eval(self, file: SourceFile, e: int) -> Values:
        """The values that an expression can have; empty if nothing is known."""
        if not e:
            return ()
        stored = file.known
        value = stored[e // SHORTEST]
        if value is not None:
            return value
        code = file.code
        operation = code[e]
        if operation == op.NAME:
            # Most names are bound once: their values are cached with the binding.
            scope = op.binding_scope(code[e + op.BINDER])
            row = file.only_row(scope, file.strings[code[e + op.WORD]])
            if (
                row is not None
                and row.kind not in _WITH_CARE
                and code[row.value] != op.NAME
                and (row.byte <= code[e + op.BYTE] or file.scopes[scope].kind != "class")
            ):
                e = row.value
                if not e:
                    return ()
                value = stored[e // SHORTEST]
                if value is not None:
                    return value
                operation = code[e]
        if operation in _AS_WRITTEN:
            return self.as_written(file, e, operation)
        key: Any = file.base + e
        value = self.recall_value(key)
        if value is not None:
            return value
        frame = self.begin_evaluation(key)
        if frame is None:
            return ()
        frame.known, frame.place = stored, e // SHORTEST
        try:
            value = self.evaluated(file, e, operation)
            while self.goes_round(frame, value):
                value = self.evaluated(file, e, operation)
        except MISTAKES as error:
            value = self.give_up(error)
        return self.ended(frame, value)

    def as_written(self, file: SourceFile, e: int, operation: int) -> Values:
        """The value of an expression that stands for itself and is not worth caching."""
        if operation in (op.LIST, op.TUPLE, op.SET, op.DICTIONARY, op.COMPREHENSION):
            return ((LITERAL_AT, file.index, e),)
        if operation in (op.STRING, op.NUMBER):
            return ((TEXT, file.strings[file.code[e + op.WORD]], operation),)
        if operation == op.LITERAL:
            return ((PRIMITIVE, file.strings[file.code[e + op.WORD]]),)
        if operation == op.FUNCTION:
            return ((CLOSURE, file.index, file.code[e + op.SCOPE]),)
        if operation == op.OBJECT:
            return ((OBJECT_AT, file.index, file.code[e + op.SCOPE]),)
        if operation == op.TYPE_VARIABLE:
            bound = self.annotations.typed(file, file.code[e + op.BOUND])
            return ((VARIABLE, file.strings[file.code[e + op.WORD]], bound),)
        return ()

    def evaluated(self, file: SourceFile, e: int, operation: int) -> Values:
        """The value of an expression, the most frequent operations first."""
        if operation == op.ATTRIBUTE:
            return self.names.attribute(file, e)
        if operation == op.CALL:
            return self.call(file, e)
        if operation == op.PARAMETER:
            return self.parameters.parameter(file, file.code[e + op.SCOPE], file.code[e + op.POSITION])
        if operation == op.NAME:
            return self.names.name(file, e)
        if operation == op.SUBSCRIPT:
            return self.containers.subscript(
                self.eval(file, file.code[e + op.HOLDER]), file, file.code[e + op.INDEX], e
            )
        if operation == op.IMPORTED:
            return self.modules.member(file, file.code[e + op.STATEMENT], file.strings[file.code[e + op.MEMBER]])
        if operation == op.DEFINITION:
            return self.names.definition(file, e)
        if operation == op.ITEM:
            return self.containers.item(self.eval(file, file.code[e + op.OPERAND]), file.code[e + op.PART])
        if operation == op.PATH:
            return self.names.path(file, e)
        if operation == op.IMPORT:
            return self.modules.imported(file, file.code[e + op.STATEMENT])
        if operation == op.UNION:
            return self.either(file, e)
        if operation in _OF_ONE:
            return self.evaluate_unary(file, e, operation)
        if operation == op.OPERATION:
            return self.operators.operation(file, e)
        if operation == op.NARROWED:
            return self.narrowing.narrow_values(file, e)
        if operation == op.SUPER:
            return self.parent(file, e)
        if operation == op.TYPED:
            return self.typed(file, e)
        if operation in (op.INSTANCE, op.FUNCTION_TYPE):
            return self.annotations.typed(file, file.code[e + op.OPERAND] if operation == op.INSTANCE else e)
        if operation == op.THIS:
            return self.receivers.receiver(file, file.code[e + op.SCOPE])
        if operation == op.CAUGHT:
            return self.annotations.find_tested_types(file, file.code[e + op.OPERAND])
        if operation == op.KEYED:
            return self.names.keyed(file, e)
        if operation == op.LEFT_IN:
            return self.callbacks.find_left_in(file, file.code[e + op.OPERAND], file.code[e + op.PART])
        return self.operators.yielded(file, e)

    def evaluate_unary(self, file: SourceFile, e: int, operation: int) -> Values:
        """The value of an operation on a single operand."""
        if operation == op.TYPE_OF and not file.code[e + op.OPERAND]:
            return self.expected_types.classes_at(file, e)
        values = self.eval(file, file.code[e + op.OPERAND])
        if operation == op.ELEMENT:
            return self.containers.elements(values)
        if operation == op.ENTERED:
            return self.containers.enter_contexts(values)
        return self.containers.await_values(values) if operation == op.AWAIT else values

    def parent(self, file: SourceFile, e: int) -> Values:
        """`super()`: the receiver of the enclosing method, looked up behind its class."""
        scope, after = file.code[e + op.SCOPE], file.code[e + op.AFTER]
        receivers = self.receivers.receiver(file, scope)
        if after:
            starts = [value for value in self.eval(file, after) if value[KIND] == CLASS]
        else:
            starts = [value for value in self.receivers.around(file, scope) if value[KIND] == CLASS]
        return tuple(
            (PARENT, start[FILE], start[SYMBOL], receiver) for start in starts for receiver in receivers or (start,)
        )

    # Operators

    def either(self, file: SourceFile, e: int) -> Values:
        code = file.code
        return join_choice([self.eval(file, part) for part in op.items_of(code, e)])

    def call(self, file: SourceFile, e: int) -> Values:
        callee = file.code[e + op.CALLEE]
        if file.code[callee] == op.TYPE_OF and not file.code[callee + op.OPERAND]:
            return self.expected_types.instances_at(file, callee)
        if file.rules.overloads != "none":
            callees = self.overloads.callees(file, e)
        else:
            callees = self.eval(file, file.code[e + op.CALLEE])
        if file.rules.gives_result and all(value[KIND] not in _DEFINED for value in callees):
            returned = self.callbacks.find_returned_by(file, e)
            if returned:
                return returned
        return union([self.calls.result(callee, file, e) for callee in callees])

    def typed(self, file: SourceFile, e: int) -> Values:
        declared = self.annotations.typed(file, file.code[e + op.ANNOTATED])
        if declared and any(value != NONE for value in declared):
            if self.annotations.is_open(file, declared):
                return union([self.eval(file, file.code[e + op.TYPED_VALUE]), declared]) or declared
            written = file.code[file.code[e + op.TYPED_VALUE]]
            if written in (op.OBJECT, op.DEFINITION) and all(value[KIND] == EXTERNAL for value in declared):
                # A literal of a library's type also has the members written in it, and a function is what is written.
                return union([self.eval(file, file.code[e + op.TYPED_VALUE]), declared])
            return declared
        return self.eval(file, file.code[e + op.TYPED_VALUE])

    # What rules ask that know only the context

    def free(self, file: SourceFile, text: str, byte: int) -> Values:
        return self.names.free(file, text, byte)

    def member_of(self, file: SourceFile, value: Value, name: str, space: int = ANY, is_called: bool = False) -> Values:
        return self.names.member_of(file, value, name, space, is_called)

    def module_member(self, path: str, name: str, as_type: bool = False) -> Values:
        return self.modules.attribute(path, name, as_type)

    def member_values(self, value: Value, name: str, space: int = ANY) -> Values:
        return self.members.member_values(value, name, space)

    def member_hit(self, value: Value, name: str, space: int = ANY) -> Hit | None:
        return self.member_lookup.hit(value, name, space)

    def class_order(self, file: int, index: int) -> Order:
        return self.classes.order(file, index)

    def types_written(self, file: SourceFile, e: int) -> Values:
        return self.annotations.of_type(file, e)

    def underlying_values(self, value: Value) -> Values:
        return self.classes.underlying(value)

    def substitute(self, values: Values, bound: dict[str, Values]) -> Values:
        return self.type_variables.substitute(values, bound)

    def elements(self, values: Values) -> Values:
        return self.containers.elements(values)

    def await_values(self, values: Values) -> Values:
        return self.containers.await_values(values)

    def arguments(self, file: SourceFile, e: int) -> list[Values]:
        return self.calls.arguments(file, e)

    def argument(self, file: SourceFile, e: int, position: int, name: str) -> Values:
        return self.calls.argument(file, e, position, name)

    def result(self, callee: Value, file: SourceFile | None, e: int) -> Values:
        return self.calls.result(callee, file, e)

    def returned(self, function: Value, file: SourceFile | None = None, e: int = 0) -> Values:
        return self.calls.returned(function, file, e)

    def method_result(self, value: Value, name: str, file: SourceFile | None = None, e: int = 0) -> Values:
        return self.calls.method_result(value, name, file, e)

    def construct(self, callee: Value, file: SourceFile | None, e: int) -> Values:
        return self.calls.construct(callee, file, e)

    def decorated(self, file: SourceFile, index: int, decorators: list[int]) -> Values:
        return self.calls.decorated(file, index, decorators)

    def lambda_receiver(self, file: SourceFile, scope: int) -> Values:
        return self.callbacks.receiver(file, scope)

    def find_library_argument(self, file: SourceFile, e: int, position: int = 0) -> Values:
        return self.expected_types.find_library_argument(file, e, position)
