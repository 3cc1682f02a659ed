"""Receivers: what `self` and `this` are in a method, and which type a method belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpg.encoder.resolve.values.mro import Owner
from rpg.encoder.resolve.values.values import CLASS, INST, OBJECT_AT, TYPE_OF_VARIABLE, VARIABLE, Value, Values
from rpg.graph import CLASS_KINDS

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.evaluator import Inference
    from rpg.encoder.resolve.program.unit import Unit


class Receivers:
    """Methods and their types."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self.program = inference.program

    def as_declared(self, unit: Unit, annotation: int, receiver: Value | None) -> dict[str, Values]:
        """What the type variables in a receiver's own annotation stand for: `self: T`, `cls: type[T]`."""
        if receiver is None or receiver[0] not in (INST, CLASS):
            return {}
        instance: Values = ((INST, receiver[1], receiver[2], receiver[3], False),)
        declared = self.inference.annotations.typed(unit, annotation)
        named = [value[1] if value[0] == TYPE_OF_VARIABLE else value for value in declared]
        return {value[1]: instance for value in named if value[0] == VARIABLE}

    def around(self, unit: Unit, scope: int) -> Values:
        """The class whose body holds a method's scope."""
        while scope >= 0:
            each = unit.scopes[scope]
            if each.kind == "class":
                return ((CLASS, unit.index, unit.class_of_scope[scope], (), True),)
            scope = each.parent
        return ()

    def receiver(self, unit: Unit, scope: int) -> Values:
        """What `self` or `this` is in a method."""
        if scope < 0 or scope >= len(unit.scopes):
            return ()
        each = unit.scopes[scope]
        definition = unit.definitions[each.definition]
        holder = unit.scopes[each.parent] if each.parent >= 0 else None
        if each.kind == "class":
            # In the value of a field.
            return ((INST, unit.index, unit.class_of_scope[scope], (), True),)
        if definition.owner:
            return self.of_owner(unit, definition.owner)
        if holder is not None and holder.kind == "class":
            owner = unit.class_of_scope[each.parent]
            variables = tuple(((VARIABLE, name, ()),) for name in self.inference.classes.variables(unit.index, owner))
            is_class = "classmethod" in definition.flags or "staticmethod_with_class" in definition.flags
            is_class = is_class or ("static" in definition.modifiers)
            return ((CLASS if is_class else INST, unit.index, owner, variables, True),)
        if holder is not None and holder.kind == "object":
            return ((OBJECT_AT, unit.index, each.parent),)
        if each.definition and (each.definition in unit.facts.fields or self.has_prototype(unit, each.definition)):
            return ((INST, unit.index, each.definition, (), True),)
        return ()

    def has_prototype(self, unit: Unit, index: int) -> bool:
        name = unit.definitions[index].qualified_name
        return any(definition.owner == name for definition in unit.definitions)

    def of_member(self, unit: Unit, index: int) -> Owner | None:
        """The class that a method belongs to."""
        definition = unit.definitions[index]
        if definition.owner:
            return next(((value[1], value[2]) for value in self.of_owner(unit, definition.owner)), None)
        parent = definition.parent
        return (unit.index, parent) if parent > 0 and unit.definitions[parent].kind in CLASS_KINDS else None

    def of_owner(self, unit: Unit, owner: str) -> Values:
        """The type that methods outside of it belong to."""
        for other in self.program.beside(unit):
            for index in other.children(0, owner):
                return ((INST, other.index, index, (), True),)
        return ()
