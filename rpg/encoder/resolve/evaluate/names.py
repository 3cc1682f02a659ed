"""What a name, a member, a path of members or a key gives where it is read.

In: such an expression of a file. Out: its values, nearest binding first: of the file, of its package, of what is seen
everywhere, of what it imports in full, of the library.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import IMPLICIT, PARAMETERLESS, strip_marks
from rpg.encoder.languages.rules.attribute_types import ADDED_BY_NAME
from rpg.encoder.resolve.evaluate.calls.extensions import Extensions
from rpg.encoder.resolve.evaluate.calls.overloads import is_innermost
from rpg.encoder.resolve.evaluate.calls.results import Calls
from rpg.encoder.resolve.evaluate.containers.container_methods import ContainerMethods, is_tuple
from rpg.encoder.resolve.evaluate.containers.elements import Containers
from rpg.encoder.resolve.evaluate.context import Context
from rpg.encoder.resolve.evaluate.lookup.global_names import GlobalNames
from rpg.encoder.resolve.evaluate.lookup.modules import Modules
from rpg.encoder.resolve.evaluate.lookup.namespaces import View, is_in_space, space_in_front
from rpg.encoder.resolve.evaluate.lookup.package_names import PackageNames, is_known
from rpg.encoder.resolve.evaluate.lookup.partial_types import PartialTypes
from rpg.encoder.resolve.evaluate.lookup.platforms import prefer_defined
from rpg.encoder.resolve.evaluate.members.added_traits import AddedTraits
from rpg.encoder.resolve.evaluate.members.members import Members
from rpg.encoder.resolve.evaluate.narrowing.declared_variables import Assignments
from rpg.encoder.resolve.evaluate.types.inherited_types import InheritedTypes
from rpg.encoder.resolve.evaluate.types.member_lookup import MemberLookup, space_of
from rpg.encoder.resolve.program.source_file import ANY, SourceFile
from rpg.encoder.resolve.values.mro import Owner
from rpg.encoder.resolve.values.values import (
    BUILTIN,
    CALLABLE,
    CLASS,
    CONTAINER,
    EXTERNAL,
    FILE,
    FUNC,
    INST,
    KIND,
    LITERAL_AT,
    METHOD_NAME,
    METHOD_OF,
    PRIMITIVE,
    SYMBOL,
    Value,
    Values,
    join_values,
    union,
)
from rpg.graph import CLASS_KINDS

_OF_LIBRARY: Final = frozenset({BUILTIN, CONTAINER, EXTERNAL, PRIMITIVE})


class Names:
    """The rules for expressions that name something."""

    def __init__(
        self,
        evaluator: Context,
        containers: Containers,
        container_methods: ContainerMethods,
        members: Members,
        member_lookup: MemberLookup,
        extensions: Extensions,
        added_traits: AddedTraits,
        modules: Modules,
        package_names: PackageNames,
        global_names: GlobalNames,
        inherited_types: InheritedTypes,
        calls: Calls,
        assignments: Assignments,
        partial_types: PartialTypes,
    ) -> None:
        self.evaluator = evaluator
        self.program = evaluator.program
        self.containers = containers
        self.container_methods = container_methods
        self.members = members
        self.member_lookup = member_lookup
        self.extensions = extensions
        self.added_traits = added_traits
        self.modules = modules
        self.package_names = package_names
        self.global_names = global_names
        self.inherited_types = inherited_types
        self.calls = calls
        self.assignments = assignments
        self.partial_types = partial_types

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
        return join_values([self.evaluator.eval(file, row.value) for row in rows if row.value])

    def free(self, file: SourceFile, text: str, byte: int) -> Values:
        """A name that nothing in the file binds; with a byte of -1 also names that are not visible there by their last
        part."""
        if file.rules.shares_package_scope:
            for other in self.program.files_sharing_scope(file):
                rows = other.rows(0, text) if other is not file else []
                if rows and other.facts.package == file.facts.package:
                    return union([self.evaluator.eval(other, row.value) for row in rows])
        if file.rules.has_packages:
            declaring = self.package_names.declaring(file, text)
            if declaring:
                if self.package_names.are_rivals(declaring, text):
                    return ()
                found = union(
                    [self.evaluator.eval(other, row.value) for other in declaring for row in other.rows(0, text)]
                )
                if file.rules.owners == "spaces" and byte >= 0:
                    classes = [value for value in found if value[KIND] == CLASS]
                    names = [self.program.definition(*each[FILE : SYMBOL + 1]).qualified_name for each in classes]
                    seen = View(file, byte).nearest(names)
                    return tuple(value for value, is_seen in zip(classes, seen, strict=True) if is_seen)
                return found
        ambient = self.global_names.bindings(file, text, False)
        if ambient is not None:
            return union([self.evaluator.eval(ambient[0], row.value) for row in ambient[1]])
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
        if text in file.rules.types.starred and self.global_names.is_declared(file):
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
        holders = self.evaluator.eval(file, code[e + op.HOLDER])
        if file.rules.packages_are_written and not is_known(holders):
            declaring = self.package_names.find_by_full_name(file, e)
            if declaring:
                return union(
                    [self.evaluator.eval(other, row.value) for other in declaring for row in other.rows(0, name)]
                )
        if file.rules.types_of_one_name == "platforms":
            holders = prefer_defined(self.program, file, holders)
        tells_calls = file.rules.member_spaces != "one" or file.rules.extensions in ADDED_BY_NAME
        is_called = tells_calls and e in file.calls_of_members
        if file.rules.protocols.forwards:
            holders = self.members.forward_holders(holders, name, is_called)
        rules = file.rules
        found = union(
            [self.member_of(file, value, name, space_of(rules, value, is_called, name), is_called) for value in holders]
        )
        return self.named(file, found) if file.rules.sides == "companions" else found

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

    def member_of(self, file: SourceFile, value: Value, name: str, space: int = ANY, is_called: bool = False) -> Values:
        """What a member is, which for a value of the library depends on the language that reads it."""
        kind: int = value[KIND]
        if file.rules.extensions in ADDED_BY_NAME and kind in _OF_LIBRARY:
            extending = self.extensions.of(file, value, name, -1)
            if extending:
                return self.extended(extending, is_called)
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

    def extended(self, extending: tuple[Owner, ...], is_called: bool) -> Values:
        """What a member that is added to a type is: a function, or what a property holds."""
        definition = self.program.definition
        found: list[Values] = []
        for each in self.extensions.choose_named(extending, is_called):
            function: Value = (FUNC, *each, None)
            kind = definition(*each).kind
            if kind in ("constant", "field"):
                found.append(self.members.find_held(each))
            else:
                found.append(self.calls.returned(function) if kind == "property" else (function,))
        return union(found)

    def find_innermost(self, file: SourceFile, holder: int, name: str) -> Values:
        """A bare name that may be a member of several enclosing classes, or a separate name."""
        items = op.items_of(file.code, holder)
        for each in items:
            if file.code[each] == op.NAME and each == items[-1]:
                space = space_in_front(file, items)
                if not space:
                    return self.evaluator.eval(file, each)
                is_free = file.code[each + op.BINDER] == -1
                found = self.free(file, name, -1) if is_free else self.evaluator.eval(file, each)
                return tuple(value for value in found if self.is_in(value, space))
            found = union([self.members.member_values(value, name) for value in self.evaluator.eval(file, each)])
            if file.rules.types_of_one_name == "parts":
                found = tuple(
                    each
                    for each in found
                    if each[KIND] != FUNC or not self.program.is_constructor(*each[FILE : SYMBOL + 1])
                )
            if any(value[KIND] != EXTERNAL for value in found):
                return found
        return ()

    def path(self, file: SourceFile, e: int) -> Values:
        """An attribute that was assigned or narrowed in this scope, else that of the object."""
        code = file.code
        rows = file.reaching(code[e + op.PATH_SCOPE], file.strings[code[e + op.PATH_WORD]], code[e + op.BYTE], True)
        rows = [row for row in rows if row.byte <= code[e + op.BYTE]]
        if rows and file.within(rows[0].block, code[e + op.BYTE]):
            found = union([self.evaluator.eval(file, row.value) for row in rows])
            if found and file.rules.keeps_declared_types and rows[0].kind != "narrow":
                holders = self.evaluator.eval(file, code[e + op.HOLDER])
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

    def keyed(self, file: SourceFile, e: int) -> Values:
        """What was stored under the key if that is sure to have run; else whatever the container holds there."""
        code = file.code
        byte = code[e + op.BYTE]
        rows = file.reaching(code[e + op.KEYED_SCOPE], file.strings[code[e + op.KEYED_WORD]], byte, True)
        rows = [row for row in rows if row.byte <= byte]
        if rows and file.within(rows[0].block, byte):
            found = union([self.evaluator.eval(file, row.value) for row in rows])
            if found:
                return found
        return self.evaluator.eval(file, code[e + op.SUBSCRIPTED])
