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
from rpg.encoder.facts import IMPLICIT, PARAMETERLESS, strip_marks
from rpg.encoder.languages.rules.words import ADDED_BY_NAME
from rpg.encoder.resolve.evaluate.calls.argument_fit import ArgumentFit
from rpg.encoder.resolve.evaluate.calls.arity import Arity
from rpg.encoder.resolve.evaluate.calls.callbacks import Callbacks
from rpg.encoder.resolve.evaluate.calls.companions import Companions
from rpg.encoder.resolve.evaluate.calls.conversions import Conversions
from rpg.encoder.resolve.evaluate.calls.dispatch import Dispatch
from rpg.encoder.resolve.evaluate.calls.expected_types import ExpectedTypes
from rpg.encoder.resolve.evaluate.calls.extensions import Extensions
from rpg.encoder.resolve.evaluate.calls.library import Library
from rpg.encoder.resolve.evaluate.calls.overloads import Overloads, is_innermost
from rpg.encoder.resolve.evaluate.calls.parameters import Parameters
from rpg.encoder.resolve.evaluate.calls.results import Calls
from rpg.encoder.resolve.evaluate.calls.returned_arguments import ReturnedArguments
from rpg.encoder.resolve.evaluate.containers.container_methods import ContainerMethods, is_tuple
from rpg.encoder.resolve.evaluate.containers.elements import Containers
from rpg.encoder.resolve.evaluate.context import Context
from rpg.encoder.resolve.evaluate.hit import Hit
from rpg.encoder.resolve.evaluate.lookup.global_names import GlobalNames
from rpg.encoder.resolve.evaluate.lookup.modules import Modules
from rpg.encoder.resolve.evaluate.lookup.namespaces import View, is_in_space, space_in_front
from rpg.encoder.resolve.evaluate.lookup.package_names import PackageNames, is_known
from rpg.encoder.resolve.evaluate.lookup.partial_types import PartialTypes
from rpg.encoder.resolve.evaluate.lookup.platforms import prefer_defined
from rpg.encoder.resolve.evaluate.members.added_members import AddedMembers
from rpg.encoder.resolve.evaluate.members.added_traits import AddedTraits
from rpg.encoder.resolve.evaluate.members.members import Members
from rpg.encoder.resolve.evaluate.members.object_members import ObjectMembers
from rpg.encoder.resolve.evaluate.narrowing.declared_variables import Assignments
from rpg.encoder.resolve.evaluate.narrowing.proofs import Narrowing
from rpg.encoder.resolve.evaluate.operators import Operators
from rpg.encoder.resolve.evaluate.types.annotations import Annotations
from rpg.encoder.resolve.evaluate.types.classes import Classes
from rpg.encoder.resolve.evaluate.types.descriptors import Descriptors
from rpg.encoder.resolve.evaluate.types.function_types import FunctionTypes
from rpg.encoder.resolve.evaluate.types.inherited_types import InheritedTypes
from rpg.encoder.resolve.evaluate.types.member_lookup import MemberLookup, space_of
from rpg.encoder.resolve.evaluate.types.owners import Owners
from rpg.encoder.resolve.evaluate.types.receivers import Receivers
from rpg.encoder.resolve.evaluate.types.type_aliases import TypeAliases
from rpg.encoder.resolve.evaluate.types.type_variables import TypeVariables
from rpg.encoder.resolve.program.program import Program
from rpg.encoder.resolve.program.source_file import ANY, SHORTEST, SourceFile
from rpg.encoder.resolve.values.mro import Order
from rpg.encoder.resolve.values.values import (
    BUILTIN,
    CALLABLE,
    CLASS,
    CLOSURE,
    CONTAINER,
    EXTERNAL,
    FILE,
    FUNC,
    INST,
    KIND,
    LITERAL_AT,
    METHOD_NAME,
    METHOD_OF,
    NONE,
    OBJECT_AT,
    PARENT,
    PRIMITIVE,
    SYMBOL,
    TEXT,
    VARIABLE,
    Value,
    Values,
    join_values,
    union,
)
from rpg.graph import CLASS_KINDS

_AS_WRITTEN: Final = frozenset(
    {
        op.NOTHING, op.STRING, op.NUMBER, op.LITERAL, op.LIST, op.TUPLE, op.SET, op.DICTIONARY, op.FUNCTION,
        op.COMPREHENSION, op.OBJECT, op.TYPE_VARIABLE, op.SLICE,
    }
)  # fmt: skip
"""Operations whose value needs no other expression."""
_OF_LIBRARY: Final = frozenset({BUILTIN, CONTAINER, EXTERNAL, PRIMITIVE})
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
        self.inherited_types = InheritedTypes(program, self.classes, self.member_lookup)
        self.object_members = ObjectMembers(self, self.member_lookup, self.classes)
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
        )
        self.containers = Containers(
            self, self.annotations, self.member_lookup, self.classes, self.type_variables, self.members
        )
        self.container_methods = ContainerMethods(self, self.containers)
        self.arity = Arity(program)
        self.argument_fit = ArgumentFit(self, self.classes)
        self.conversions = Conversions(self, self.annotations, self.arity, self.argument_fit)
        self.extensions = Extensions(self, self.package_names, self.annotations, self.arity, self.argument_fit)
        self.overloads = Overloads(
            self,
            self.annotations,
            self.member_lookup,
            self.function_types,
            self.members,
            self.arity,
            self.argument_fit,
            self.conversions,
            self.extensions,
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
        value = self.evaluated(file, e, operation)
        while self.goes_round(frame, value):
            value = self.evaluated(file, e, operation)
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
            return self.attribute(file, e)
        if operation == op.CALL:
            return self.call(file, e)
        if operation == op.PARAMETER:
            return self.parameters.parameter(file, file.code[e + op.SCOPE], file.code[e + op.POSITION])
        if operation == op.NAME:
            return self.name(file, e)
        if operation == op.SUBSCRIPT:
            return self.containers.subscript(
                self.eval(file, file.code[e + op.HOLDER]), file, file.code[e + op.INDEX], e
            )
        if operation == op.IMPORTED:
            return self.modules.member(file, file.code[e + op.STATEMENT], file.strings[file.code[e + op.MEMBER]])
        if operation == op.DEFINITION:
            return self.definition(file, e)
        if operation == op.ITEM:
            return self.containers.item(self.eval(file, file.code[e + op.OPERAND]), file.code[e + op.PART])
        if operation == op.PATH:
            return self.path(file, e)
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
            return self.keyed(file, e)
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

    # Names and members

    def name(self, file: SourceFile, e: int) -> Values:
        code = file.code
        scope, text = code[e + op.BINDER], file.strings[code[e + op.WORD]]
        if scope == -1:
            return self.free(file, text, code[e + op.BYTE])
        in_flow = scope >= 0
        scope = op.binding_scope(scope)
        scope, rows = file.visible(scope, text, code[e + op.BYTE], in_flow)
        if file.rules.keeps_declared_types:
            return join_values([self.assignments.held(file, scope, text, row) for row in rows if row.value])
        return join_values([self.eval(file, row.value) for row in rows if row.value])

    def free(self, file: SourceFile, text: str, byte: int) -> Values:
        """A name that nothing in the file binds; with a byte of -1 also names that are not visible there by their last
        part."""
        if file.rules.shares_package_scope:
            for other in self.program.files_sharing_scope(file):
                rows = other.rows(0, text) if other is not file else []
                if rows and other.facts.package == file.facts.package:
                    return union([self.eval(other, row.value) for row in rows])
        if file.rules.has_packages:
            declaring = self.package_names.declaring(file, text)
            if declaring:
                if self.package_names.are_rivals(declaring, text):
                    return ()
                found = union([self.eval(other, row.value) for other in declaring for row in other.rows(0, text)])
                if file.rules.owners == "spaces" and byte >= 0:
                    classes = [value for value in found if value[KIND] == CLASS]
                    names = [self.program.definition(*each[FILE : SYMBOL + 1]).qualified_name for each in classes]
                    seen = View(file, byte).nearest(names)
                    return tuple(value for value, is_seen in zip(classes, seen, strict=True) if is_seen)
                return found
        ambient = self.global_names.bindings(file, text, False)
        if ambient is not None:
            return union([self.eval(ambient[0], row.value) for row in ambient[1]])
        offered = self.global_names.offered(file, text)
        if offered:
            return union([self.modules.attribute(path, member) for path, member in offered])
        for index in () if file.rules.stars_are_packages else reversed(file.stars):
            found = self.modules.member(file, index, text, through_star=True)
            if found:
                return found
        inherited = self.inherited_types.find(file, text, byte) if file.rules.inherits_types else None
        if inherited is not None:
            return ((CLASS, *inherited, (), False),)
        text = strip_marks(text)
        if text in file.rules.builtins:
            return (*self.global_names.instances(file, text), (BUILTIN, text))
        if text in file.rules.starred_types and self.global_names.is_declared(file):
            return ((EXTERNAL, text),)
        return ()

    def is_in(self, value: Value, space: str) -> bool:
        """Whether a value is a class in a namespace."""
        if value[KIND] != CLASS:
            return False
        return is_in_space(self.program.definition(value[FILE], value[SYMBOL]).qualified_name, space)

    def attribute(self, file: SourceFile, e: int) -> Values:
        code = file.code
        name = file.strings[code[e + op.MEMBER]]
        holder = code[e + op.HOLDER]
        if code[holder] == op.UNION and is_innermost(file, holder):
            return self.find_innermost(file, holder, name)
        holders = self.eval(file, code[e + op.HOLDER])
        if file.rules.packages_are_written and not is_known(holders):
            declaring = self.package_names.find_by_full_name(file, e)
            if declaring:
                return union([self.eval(other, row.value) for other in declaring for row in other.rows(0, name)])
        if file.rules.has_platforms:
            holders = prefer_defined(self.program, file, holders)
        is_called = file.rules.member_spaces != "one" and e in file.calls_of_members
        if file.rules.protocols.forwards:
            holders = self.members.forward_holders(holders, name, is_called)
        rules = file.rules
        found = union([self.member_of(file, value, name, space_of(rules, value, is_called, name)) for value in holders])
        return self.named(file, found) if file.rules.has_companions else found

    def named(self, file: SourceFile, values: Values) -> Values:
        """What naming a member gives: where naming a method calls it because the compiler finds all arguments, what it
        returns; nothing of builtin types that lack the member while others have it."""
        if len(values) > 1:
            known = [
                each for each in values if each[KIND] != METHOD_OF or each[METHOD_NAME] in file.rules.builtin_members
            ]
            values = tuple(known) or values
        definition = self.program.definition
        called = [
            each for each in values if each[KIND] == FUNC and IMPLICIT in definition(each[FILE], each[SYMBOL]).flags
        ]
        if not called:
            return values
        others = tuple(each for each in values if each[KIND] != FUNC)
        return union([*(self.calls.returned(each) for each in called), others])

    def member_of(self, file: SourceFile, value: Value, name: str, space: int = ANY) -> Values:
        """What a member is, which for a value of the library depends on the language that reads it."""
        kind: int = value[KIND]
        if file.rules.extensions in ADDED_BY_NAME and kind in _OF_LIBRARY:
            extended = self.extensions.values(file, value, name, -1)
            if extended:
                return extended
        if file.rules.extensions == "traits" and (kind != INST or self.member_lookup.hit(value, name, space) is None):
            added = self.added_traits.of(file, value, name)
            if added.is_proven:
                return tuple((FUNC, *each, None) for each in added.methods)
        if kind in (CONTAINER, LITERAL_AT):
            methods = file.rules.methods
            if name in methods.part_members and is_tuple(self.containers, value):
                return self.containers.item((value,), methods.part_members[name])
            if name in methods.read:
                return self.container_methods.method_result(methods, value, name, [])
        elif kind == CALLABLE and name in file.rules.methods.run:
            return (value,)
        elif kind == INST and file.rules.accessors == "read":
            read = self.member_lookup.accessor(file, value, name, False)
            if read is not None:
                return union([self.calls.returned((FUNC, *each, value)) for each in read.definitions])
        return self.members.member_values(value, name, space)

    def find_innermost(self, file: SourceFile, holder: int, name: str) -> Values:
        """A bare name that may be a member of several enclosing classes, or a separate name."""
        items = op.items_of(file.code, holder)
        for each in items:
            if file.code[each] == op.NAME and each == items[-1]:
                space = space_in_front(file, items)
                if not space:
                    return self.eval(file, each)
                is_free = file.code[each + op.BINDER] == -1
                found = self.free(file, name, -1) if is_free else self.eval(file, each)
                return tuple(value for value in found if self.is_in(value, space))
            found = union([self.members.member_values(value, name) for value in self.eval(file, each)])
            if any(value[KIND] != EXTERNAL for value in found):
                return found
        return ()

    def path(self, file: SourceFile, e: int) -> Values:
        """An attribute that was assigned or narrowed in this scope, else that of the object."""
        code = file.code
        rows = file.reaching(code[e + op.PATH_SCOPE], file.strings[code[e + op.PATH_WORD]], code[e + op.BYTE], True)
        rows = [row for row in rows if row.byte <= code[e + op.BYTE]]
        if rows and file.within(rows[0].block, code[e + op.BYTE]):
            found = union([self.eval(file, row.value) for row in rows])
            if found and file.rules.keeps_declared_types and rows[0].kind != "narrow":
                holders = self.eval(file, code[e + op.HOLDER])
                return self.assignments.find_assigned_member(file, holders, file.strings[code[e + op.MEMBER]], found)
            if found:
                return found
        return self.attribute(file, e)

    def definition(self, file: SourceFile, e: int) -> Values:
        index = file.code[e + op.DEFINED]
        kind = file.definitions[index].kind
        if kind in CLASS_KINDS:
            return ((CLASS, *self.partial_types.whole(file.index, index), (), False),)
        if PARAMETERLESS in file.definitions[index].flags:
            return self.calls.returned((FUNC, file.index, index, None))
        decorators = file.facts.decorators.get(index)
        if decorators:
            return self.calls.decorated(file, index, decorators)
        return ((FUNC, file.index, index, None),)

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
        return join_values([self.eval(file, part) for part in op.items_of(code, e)])

    def keyed(self, file: SourceFile, e: int) -> Values:
        """What was stored under the key if that is sure to have run; else whatever the container holds there."""
        code = file.code
        byte = code[e + op.BYTE]
        rows = file.reaching(code[e + op.KEYED_SCOPE], file.strings[code[e + op.KEYED_WORD]], byte, True)
        rows = [row for row in rows if row.byte <= byte]
        if rows and file.within(rows[0].block, byte):
            found = union([self.eval(file, row.value) for row in rows])
            if found:
                return found
        return self.eval(file, code[e + op.SUBSCRIPTED])

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
