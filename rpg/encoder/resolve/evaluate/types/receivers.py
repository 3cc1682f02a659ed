"""Receivers: what `self` and `this` are in a method, and which type a method belongs to.

In: a method's scope. Out: values, or the class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpg.encoder import operations as op
from rpg.encoder.facts import ACCESSOR, OWN_TYPE
from rpg.encoder.resolve.program.contextual_typing import ARGUMENT
from rpg.encoder.resolve.values.mro import Owner
from rpg.encoder.resolve.values.values import (
    CLASS,
    FILE,
    FUNC,
    INST,
    KIND,
    OBJECT_AT,
    OF_VALUE,
    OWN_NAME,
    SYMBOL,
    TYPE_ARGUMENTS,
    TYPE_OF_VARIABLE,
    VARIABLE,
    Value,
    Values,
    union,
)
from rpg.graph import CLASS_KINDS

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.lookup.package_names import PackageNames
    from rpg.encoder.resolve.evaluate.lookup.partial_types import PartialTypes
    from rpg.encoder.resolve.evaluate.types.annotations import Annotations
    from rpg.encoder.resolve.evaluate.types.classes import Classes
    from rpg.encoder.resolve.evaluate.types.owners import Owners
    from rpg.encoder.resolve.program.source_file import SourceFile


class Receivers:
    """Methods and their types."""

    def __init__(
        self,
        evaluator: Context,
        partial_types: PartialTypes,
        package_names: PackageNames,
        annotations: Annotations,
        owners: Owners,
        classes: Classes,
    ) -> None:
        self.evaluator = evaluator
        self.partial_types = partial_types
        self.package_names = package_names
        self.annotations = annotations
        self.owners = owners
        self.classes = classes
        self.program = evaluator.program

    def whole(self, file: SourceFile, index: int) -> Owner:
        """The type that a class is, or is a part of."""
        return self.partial_types.whole(file.index, index)

    def bind_declared_receiver(self, file: SourceFile, annotation: int, receiver: Value | None) -> dict[str, Values]:
        """The meaning of type variables in a receiver's own annotation: `self: T`, `cls: type[T]`."""
        if receiver is None or receiver[KIND] not in (INST, CLASS):
            return {}
        instance: Values = ((INST, receiver[FILE], receiver[SYMBOL], receiver[TYPE_ARGUMENTS], False),)
        declared = self.annotations.typed(file, annotation)
        named = [value[OF_VALUE] if value[KIND] == TYPE_OF_VARIABLE else value for value in declared]
        return {value[OWN_NAME]: instance for value in named if value[KIND] == VARIABLE}

    def around(self, file: SourceFile, scope: int) -> Values:
        """The class whose body contains a method's scope."""
        while scope >= 0:
            each = file.scopes[scope]
            if each.kind == "class":
                return ((CLASS, *self.whole(file, file.class_of_scope[scope]), (), True),)
            scope = each.parent
        return ()

    def receiver(self, file: SourceFile, scope: int) -> Values:
        """What `self` or `this` is in a method."""
        if scope < 0 or scope >= len(file.scopes):
            return ()
        each = file.scopes[scope]
        if each.kind == "lambda" and file.rules.closures.have_receivers:
            return self.evaluator.lambda_receiver(file, scope)
        definition = file.definitions[each.definition]
        holder = file.scopes[each.parent] if each.parent >= 0 else None
        if file.rules.protocols.prototype and each.kind != "class":
            described = self.find_accessor_object(file, scope)
            if described:
                return described
        if each.kind == "class":
            # In the value of a field.
            return ((INST, *self.whole(file, file.class_of_scope[scope]), (), True),)
        if definition.owner:
            found = self.find_owner_types(file, definition.owner, each.definition)
            if not found and "static" not in definition.modifiers:
                rows = file.rows(scope, OWN_TYPE)
                found = union([self.evaluator.eval(file, row.value) for row in rows])
            return found
        if holder is not None and holder.kind == "class":
            owner = file.class_of_scope[each.parent]
            variables = tuple(((VARIABLE, name, ()),) for name in self.classes.variables(file.index, owner))
            is_class = "classmethod" in definition.flags or "staticmethod_with_class" in definition.flags
            is_class = is_class or ("static" in definition.modifiers)
            return ((CLASS if is_class else INST, *self.whole(file, owner), variables, True),)
        if holder is not None and holder.kind == "object":
            return ((OBJECT_AT, file.index, each.parent),)
        if each.definition and (each.definition in file.facts.fields or self.has_prototype(file, each.definition)):
            return ((INST, file.index, each.definition, (), True),)
        return ()

    def find_accessor_object(self, file: SourceFile, scope: int) -> Values:
        """The object that a function becomes an accessor of by being passed to a function that installs accessors."""
        context = file.contexts.get(scope)
        if context is None or context.kind != ARGUMENT:
            return ()
        found: list[Values] = []
        for value in self.evaluator.eval(file, file.code[context.expression + op.CALLEE]):
            if value[KIND] != FUNC:
                continue
            for flag in self.program.definition(value[FILE], value[SYMBOL]).flags:
                if flag.startswith(ACCESSOR):
                    owner, given = flag.split(" ")[1:]
                    if int(given) == context.slot:
                        found.append(self.evaluator.argument(file, context.expression, int(owner), ""))
        return union(found)

    def has_prototype(self, file: SourceFile, index: int) -> bool:
        """Whether a function makes objects that have members of a prototype, of its own or of a base."""
        return file.definitions[index].qualified_name in file.owners or index in file.facts.bases

    def of_member(self, file: SourceFile, index: int) -> Owner | None:
        """The class that a method belongs to."""
        definition = file.definitions[index]
        if definition.owner:
            return next(
                ((value[FILE], value[SYMBOL]) for value in self.find_owner_types(file, definition.owner, index)), None
            )
        parent = definition.parent
        return self.whole(file, parent) if parent > 0 and file.definitions[parent].kind in CLASS_KINDS else None

    def find_owner_types(self, file: SourceFile, owner: str, index: int) -> Values:
        """The type that methods defined outside it belong to; `index`: one of them."""
        if file.rules.owners == "named":
            return tuple((INST, *each, (), True) for each in self.owners.homes(file.index, index))
        others = self.program.files_sharing_scope(file)
        outermost, *inner = owner.split(".")
        if file.rules.owners_anywhere:
            package_names = self.package_names
            declaring = package_names.declaring(file, outermost)
            others = [file] if package_names.are_rivals(declaring, outermost) else [file, *declaring]
        for other in others:
            found = other.children(0, outermost)
            for name in inner:
                found = [each for index in found for each in other.children(index, name)]
            if found:
                return ((INST, other.index, found[0], (), True),)
        return ()
