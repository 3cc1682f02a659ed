"""Members of values: what `value.name` can be, by the definitions and assignments that classes.py finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder.operations import CALL, CALLEE
from rpg.encoder.resolve.evaluate import object_members
from rpg.encoder.resolve.evaluate.classes import Hit
from rpg.encoder.resolve.values.builtin_types import BINDS, PRESERVING, RUNS, VALUE_METHODS
from rpg.encoder.resolve.values.mro import Owner
from rpg.encoder.resolve.values.values import (
    BUILTIN,
    CALLABLE,
    CLASS,
    CLOSURE,
    CONTAINER,
    EXTERNAL,
    FUNC,
    INDEXED_AS,
    INST,
    LITERAL_AT,
    METHOD_OF,
    MODULE,
    OBJECT_AT,
    PARENT,
    PARTIAL,
    PRIMITIVE,
    TEXT,
    VARIABLE,
    Value,
    Values,
    union,
)
from rpg.graph import CLASS_KINDS

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.evaluator import Evaluator
    from rpg.encoder.resolve.program.source_file import SourceFile

_NAMED_TUPLE: Final = frozenset({"_replace", "_asdict", "_make", "_fields", "_field_defaults", "count", "index"})
_OF_DICTIONARIES: Final = frozenset({"clear", "copy", "fromkeys", "items", "keys", "popitem", "update", "values"})
_OF_TYPED_DICTIONARIES: Final = VALUE_METHODS | _OF_DICTIONARIES
_EXTERNAL_NAME_LIMIT: Final = 120
_PROPERTIES: Final = frozenset({"property", "functools.cached_property"})


class Members:
    """What members hold."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.classes = evaluator.classes
        self.program = evaluator.program
        self.files = evaluator.files

    def is_external_member(self, value: Value, name: str = "") -> bool:
        """Whether a member that was not found can only stand outside the repository."""
        kind: int = value[0]
        if kind in (INST, CLASS):
            entries = self.classes.order(value[1], value[2]).entries if name in _NAMED_TUPLE else ()
            if any(self.classes.is_named_tuple(entry[0], entry[1]) for entry in entries):
                return True
            if name in _OF_TYPED_DICTIONARIES and self.classes.is_typed_dict(value[1], value[2]):
                return True
            return self.classes.order(value[1], value[2]).external
        if kind == PARENT:
            return (
                self.classes.order(value[3][1], value[3][2]).external
                or len(self.classes.order(value[1], value[2]).entries) == 1
            )
        if kind == VARIABLE:
            return False
        if kind == FUNC:
            file = self.files[value[1]]
            decorators = file.facts.decorators.get(value[2])
            if not decorators:
                return False
            return file.definitions[value[2]].kind == "property" or bool(self.made_outside(file, decorators))
        return kind not in (MODULE, OBJECT_AT)

    def member_values(self, value: Value, name: str) -> Values:
        """What `value.name` can be."""
        kind: int = value[0]
        if kind == EXTERNAL:
            return ((EXTERNAL, f"{value[1]}.{name}") if len(value[1]) < _EXTERNAL_NAME_LIMIT else value,)
        if kind == MODULE:
            return self.evaluator.modules.attribute(value[1], name)
        if kind in (INST, CLASS, PARENT, FUNC, OBJECT_AT, VARIABLE):
            return self.evaluator.remembered(("v", value, name), self._member_values, value, name)
        if kind == BUILTIN:
            return ((EXTERNAL, f"{value[1]}.{name}"),)
        if kind == CONTAINER and value[1] == "query":
            known = self.evaluator.frameworks.missing(value, name) if self.evaluator.frameworks is not None else ()
            return known or ((EXTERNAL, name),)
        if kind == CONTAINER and value[1] == "record" and name not in ("hasOwnProperty", "toString"):
            return value[2][1] if len(value[2]) > 1 else ()
        if kind == CLOSURE:
            return (value,) if name in RUNS else ((METHOD_OF, value, name),) if name in BINDS else ()
        if kind in (LITERAL_AT, CONTAINER, PRIMITIVE, TEXT):
            return ((METHOD_OF, value, name),) if value != (PRIMITIVE, "None") else ()
        if kind in (PARTIAL, CALLABLE):
            return ((EXTERNAL, name),)
        return ()

    def _member_values(self, value: Value, name: str) -> Values:
        kind: int = value[0]
        if kind == VARIABLE:
            return union([self.member_values(bound, name) for bound in value[2]])
        if kind == OBJECT_AT:
            file = self.files[value[1]]
            rows = file.rows(value[2], name)
            found = union([self.evaluator.eval(file, row.value) for row in rows if row.value])
            for each in file.given.get((0, value[2], name), ()):
                found = union([found, self.evaluator.eval(file, each)])
            if not rows:
                spread = self.classes.spread_in(file, value)
                found = union([self.member_values(each, name) for each in spread if each != value])
                if name != INDEXED_AS and file.binds(value[2], INDEXED_AS):
                    found = union([found, self.member_values(value, INDEXED_AS)])
            return found or self.evaluator.calls.stored_on((value[1], -1 - value[2]), name)
        if name == "__class__" and kind == INST:
            return ((CLASS, *value[1:]),)
        hit = self.classes.hit(value, name)
        if hit is None:
            stored = self.evaluator.calls.stored_on((value[1], value[2]), name) if kind != PARENT else ()
            if stored:
                return stored
            if kind == FUNC and name in RUNS:
                return (value,)
            if kind == FUNC and name in BINDS:
                return ((METHOD_OF, value, name),)
            if kind in (FUNC, CLASS) and name == self.files[value[1]].rules.prototype:
                return ((INST, value[1], value[2], (), False),)
            if kind == FUNC:
                return object_members.given(self.evaluator, value, name) or self.function_attribute(value, name)
            return self.missing(value, name)
        receiver = value[3] if kind == PARENT else value
        kinds = {self.program.definition(*each).kind for each in hit.definitions}
        if not kinds or not kinds.isdisjoint(("field", "constant")):
            return self.field_value(hit, name, receiver)
        return union([self.definition_value(definition, hit, receiver) for definition in hit.definitions])

    def function_attribute(self, value: Value, name: str) -> Values:
        """An attribute of a function: of what its decorators made of it, if that is known."""
        file = self.files[value[1]]
        decorators = file.facts.decorators.get(value[2])
        if not decorators:
            return ()
        made = self.evaluator.calls.decorated(file, value[2], decorators)
        known = union([self.member_values(each, name) for each in made if each[0] != FUNC])
        return known or union([self.member_values(each, name) for each in self.made_outside(file, decorators)])

    def made_outside(self, file: SourceFile, decorators: list[int]) -> Values:
        """What a function becomes under a decorator from outside that may make anything of it."""
        return tuple(
            (EXTERNAL, f"{value[1]}()")
            for value in self.evaluator.eval(file, decorators[0])
            if value[0] == EXTERNAL and value[1].removesuffix("()").rpartition(".")[2] not in PRESERVING
        )

    def missing(self, value: Value, name: str) -> Values:
        """A member that no class in the order has: of any object, of a base outside, or what `__getattr__` gives."""
        own = object_members.given(self.evaluator, value, name)
        if own:
            return own
        if value[0] == INST:
            dynamic = self.classes.find(value[1], value[2], "__getattr__")
            if dynamic is not None and dynamic.definitions:
                return self.evaluator.calls.returned((FUNC, *dynamic.definitions[-1], value))
        if self.evaluator.frameworks is not None:
            known = self.evaluator.frameworks.missing(value, name)
            if known:
                return known
        if name == "_replace" and value[0] == INST and self.classes.is_named_tuple(value[1], value[2]):
            return ((CALLABLE, (value,)),)
        if value[0] == INST and name in VALUE_METHODS and self.classes.is_typed_dict(value[1], value[2]):
            return ((METHOD_OF, value, name),)
        if self.is_external_member(value, name):
            return ((EXTERNAL, name),)
        return ()

    def definition_value(self, definition: Owner, hit: Hit, receiver: Value) -> Values:
        """A method bound to its receiver, what a property returns, a nested class."""
        here = self.program.definition(*definition)
        if here.kind in CLASS_KINDS:
            return ((CLASS, *definition, (), False),)
        if receiver[0] != CLASS and (here.kind == "property" or self.evaluator.descriptors.is_read(definition)):
            return self.evaluator.calls.returned((FUNC, *definition, receiver))
        if receiver[0] in (FUNC, OBJECT_AT):
            return ((FUNC, *definition, None),)
        if "static" in here.modifiers or (receiver[0] == CLASS and "classmethod" not in here.flags):
            return ((FUNC, *definition, None),)
        return ((FUNC, *definition, receiver),)

    def field_value(self, hit: Hit, name: str, receiver: Value) -> Values:
        """What a field or class attribute holds: as declared, else whatever is assigned to it anywhere."""
        evaluator = self.evaluator
        file = self.files[hit.owner[0]]
        definition = file.definitions[hit.owner[1]]
        if definition.kind == "enum" and receiver[0] == CLASS:
            return ((INST, *hit.owner, (), False),)
        rows = file.rows(definition.scope, name) if definition.kind in CLASS_KINDS else []
        expressions = [row.value for row in rows if row.value and row.kind != "narrow"]
        if expressions and self.is_descriptor(file, expressions):
            values = union([evaluator.eval(file, each) for each in expressions])
            return union([self.through_descriptor(value, receiver) for value in values])
        expressions += self.classes.fields(*hit.owner).get(name, ())
        declared = [each for each in expressions if evaluator.annotations.is_declared(file, each)]
        values = union([self.assigned(file, each, receiver) for each in declared or expressions])
        if not declared or evaluator.annotations.is_open(file, values):
            values = union([values, evaluator.calls.stored_on(hit.owner, name)]) or values
        if not values and hit.distance and receiver[0] in (INST, CLASS):
            # Declared above without a type, assigned below.
            below = self.classes.order(receiver[1], receiver[2]).entries[: hit.distance]
            assigned = [
                (self.files[entry[0]], e) for entry in below for e in self.classes.fields(*entry[:2]).get(name, ())
            ]
            values = union([evaluator.eval(*each) for each in assigned])
        values = self.detached(values)
        names = self.classes.variables(*hit.owner)
        if names:
            arguments = hit.arguments if hit.distance else receiver[3] if receiver[0] in (INST, CLASS) else ()
            values = evaluator.variables.substitute(values, dict(zip(names, arguments, strict=False)))
        return union([self.through_descriptor(value, receiver) for value in values]) if values else ()

    def assigned(self, file: SourceFile, e: int, receiver: Value) -> Values:
        """What an attribute is on its receiver by what it was assigned: `property(get)` gives what `get` does."""
        evaluator = self.evaluator
        if file.code[e] == CALL and receiver[0] == INST:
            callees = evaluator.eval(file, file.code[e + CALLEE])
            if callees and callees[0][1] in _PROPERTIES and callees[0][0] in (BUILTIN, EXTERNAL):
                getters = evaluator.calls.argument(file, e, 0, "fget")
                bound = [(FUNC, each[1], each[2], receiver) for each in getters if each[0] == FUNC]
                return union([evaluator.calls.returned(each) for each in bound])
        return evaluator.eval(file, e)

    def is_declared(self, value: Value, name: str) -> bool:
        """Whether a member is a field with a type of its own."""
        hit = self.classes.hit(value, name) if value[0] in (INST, CLASS) else None
        if hit is None:
            return False
        file = self.files[hit.owner[0]]
        rows = file.rows(file.definitions[hit.owner[1]].scope, name)
        return any(row.value and self.evaluator.annotations.is_declared(file, row.value) for row in rows)

    def is_descriptor(self, file: SourceFile, expressions: list[int]) -> bool:
        """Whether a class attribute takes what is assigned to it on instances."""
        return any(
            value[0] == INST and self.classes.find(value[1], value[2], "__set__") is not None
            for each in expressions
            for value in self.evaluator.eval(file, each)
        )

    def through_descriptor(self, value: Value, receiver: Value) -> Values:
        if value[0] == INST:
            if self.evaluator.frameworks is not None:
                value = self.evaluator.frameworks.bound(value, receiver)
            getter = self.classes.find(value[1], value[2], "__get__")
            if getter is not None and getter.definitions:
                result = self.evaluator.calls.returned((FUNC, *getter.definitions[-1], value))
                if receiver[0] == CLASS:
                    return result or (value,)
                # `return self` is for who asks the class.
                others = tuple(each for each in result if each[:3] != value[:3])
                return others or (result if self.returns_once(getter.definitions[-1]) else ())
        return (value,)

    def returns_once(self, definition: Owner) -> bool:
        file = self.files[definition[0]]
        return len(file.facts.returns.get(file.definitions[definition[1]].scope, ())) == 1

    def detached(self, values: Values) -> Values:
        """Values of `self` seen from outside of the method."""
        return tuple((*value[:4], False) if value[0] in (INST, CLASS) and value[4] else value for value in values)
