"""Members of values: what `value.name` can be, by the definitions and assignments that member_lookup.py finds.

In: a value and a name. Out: values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import PARAMETERLESS
from rpg.encoder.resolve.evaluate.hit import Hit
from rpg.encoder.resolve.evaluate.types.member_lookup import space_of
from rpg.encoder.resolve.program.source_file import ANY
from rpg.encoder.resolve.values.flow_tables import object_owner
from rpg.encoder.resolve.values.held import held_in, make_outside
from rpg.encoder.resolve.values.mro import ENTRY_ARGUMENTS, OWNER_FILE, OWNER_SYMBOL, Owner
from rpg.encoder.resolve.values.values import (
    BUILTIN,
    CALLABLE,
    CLASS,
    CLOSURE,
    CONTAINER,
    CONTENTS,
    EXTERNAL,
    FILE,
    FUNC,
    HELD,
    INDEXED_AS,
    INHERITED,
    INST,
    IS_SELF,
    KIND,
    LITERAL_AT,
    METHOD_OF,
    MODULE,
    MODULE_PATH,
    NONE,
    OBJECT_AT,
    OWN_NAME,
    OWN_SCOPE,
    PARENT,
    PARTIAL,
    POINTER,
    PRIMITIVE,
    RECEIVER,
    SYMBOL,
    TEXT,
    TYPE_ARGUMENTS,
    UPPER_BOUND,
    VARIABLE,
    Value,
    Values,
    union,
)
from rpg.graph import CLASS_KINDS

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.lookup.global_names import GlobalNames
    from rpg.encoder.resolve.evaluate.lookup.modules import Modules
    from rpg.encoder.resolve.evaluate.members.held_members import HeldMembers
    from rpg.encoder.resolve.evaluate.members.object_members import ObjectMembers
    from rpg.encoder.resolve.evaluate.types.annotations import Annotations
    from rpg.encoder.resolve.evaluate.types.classes import Classes
    from rpg.encoder.resolve.evaluate.types.descriptors import Descriptors
    from rpg.encoder.resolve.evaluate.types.member_lookup import MemberLookup
    from rpg.encoder.resolve.evaluate.types.type_variables import TypeVariables
    from rpg.encoder.resolve.program.source_file import SourceFile

_HOLDING: Final = frozenset({"constant", "field"})
"""Kinds of symbols that hold a value."""
_EXTERNAL_NAME_LIMIT: Final = 120
_MOST_FORWARDS: Final = 3


class Members:
    """What members hold."""

    def __init__(
        self,
        evaluator: Context,
        global_names: GlobalNames,
        modules: Modules,
        annotations: Annotations,
        member_lookup: MemberLookup,
        classes: Classes,
        type_variables: TypeVariables,
        descriptors: Descriptors,
        object_members: ObjectMembers,
        held_members: HeldMembers,
    ) -> None:
        self.evaluator = evaluator
        self.global_names = global_names
        self.modules = modules
        self.annotations = annotations
        self.member_lookup = member_lookup
        self.classes = classes
        self.type_variables = type_variables
        self.descriptors = descriptors
        self.object_members = object_members
        self.held_members = held_members
        self.program = evaluator.program
        self.files = evaluator.files

    def is_external_member(self, value: Value, name: str = "") -> bool:
        """Whether a member that was not found can only be defined outside the repository."""
        kind: int = value[KIND]
        if kind in (INST, CLASS):
            order = self.classes.order(value[FILE], value[SYMBOL])
            if name in self.files[value[FILE]].rules.given_by_bases:
                for entry in order.entries:
                    base = self.classes.find_library_base(entry[OWNER_FILE], entry[OWNER_SYMBOL])
                    if base is not None and name in base.members:
                        return True
            return order.external
        if kind == PARENT:
            return (
                self.classes.order(value[RECEIVER][FILE], value[RECEIVER][SYMBOL]).external
                or len(self.classes.order(value[FILE], value[SYMBOL]).entries) == 1
            )
        if kind == VARIABLE:
            return False
        if kind == FUNC:
            file = self.files[value[FILE]]
            decorators = file.facts.decorators.get(value[SYMBOL])
            if not decorators:
                return False
            return file.definitions[value[SYMBOL]].kind == "property" or bool(self.find_made_outside(file, decorators))
        return kind not in (MODULE, OBJECT_AT)

    def member_values(self, value: Value, name: str, space: int = ANY) -> Values:
        """What `value.name` can be, where the name is read in that namespace of members."""
        kind: int = value[KIND]
        if kind == EXTERNAL:
            if len(value) > HELD and self.held_members.may_give(value, name):
                return ()
            longer = len(value[OWN_NAME]) < _EXTERNAL_NAME_LIMIT
            return ((EXTERNAL, f"{value[OWN_NAME]}.{name}", *value[HELD:]) if longer else value,)
        if kind == MODULE:
            return self.modules.attribute(value[MODULE_PATH], name)
        if kind in (INST, CLASS, PARENT, FUNC, OBJECT_AT, VARIABLE):
            is_nested = kind in (INST, CLASS) and bool(value[TYPE_ARGUMENTS])
            known = (self.evaluator.number_of(value),) if is_nested else value
            key = ("v", known, name, space) if space else ("v", known, name)
            return self.evaluator.compute_once(key, self._member_values, value, name, space)
        if kind == BUILTIN:
            return ((EXTERNAL, f"{value[OWN_NAME]}.{name}"),)
        if kind == CONTAINER and value[OWN_NAME] == "query":
            known = self.evaluator.frameworks.missing(value, name) if self.evaluator.frameworks is not None else ()
            return known or ((EXTERNAL, name),)
        if kind == CONTAINER and value[OWN_NAME] == "record" and name not in self.evaluator.members_of_records:
            return value[CONTENTS][1] if len(value[CONTENTS]) > 1 else ()
        if kind == CLOSURE:
            methods = self.files[value[FILE]].rules.methods
            return (value,) if name in methods.run else ((METHOD_OF, value, name),) if name in methods.bind else ()
        if kind in (LITERAL_AT, CONTAINER, PRIMITIVE, TEXT):
            return ((METHOD_OF, value, name),) if value != NONE else ()
        if kind in (PARTIAL, CALLABLE):
            return ((EXTERNAL, name),)
        return ()

    def _member_values(self, value: Value, name: str, space: int) -> Values:
        kind: int = value[KIND]
        if kind == VARIABLE:
            return union([self.member_values(bound, name, space) for bound in value[UPPER_BOUND]])
        if kind == OBJECT_AT:
            file = self.files[value[FILE]]
            rows = file.rows(value[OWN_SCOPE], name)
            found = union([self.evaluator.eval(file, row.value) for row in rows if row.value])
            for each in file.assigned_members.get((0, value[OWN_SCOPE], name), ()):
                found = union([found, self.evaluator.eval(file, each)])
            if not rows:
                spread = self.member_lookup.spread_in(file, value)
                found = union([self.member_values(each, name) for each in spread if each != value])
                if name != INDEXED_AS and file.binds(value[OWN_SCOPE], INDEXED_AS):
                    found = union([found, self.member_values(value, INDEXED_AS)])
            if any(each[KIND] != EXTERNAL for each in found):
                return found
            # The members of a library's object that was made from another one are not known.
            return self.evaluator.stored_on((value[FILE], object_owner(value[OWN_SCOPE])), name) or found
        if kind == INST and name == self.files[value[FILE]].rules.protocols.class_of:
            return ((CLASS, *value[FILE:]),)
        hit = self.member_lookup.hit(value, name, space)
        if hit is None:
            stored = self.evaluator.stored_on((value[FILE], value[SYMBOL]), name) if kind != PARENT else ()
            if stored:
                return stored
            rules = self.files[value[FILE]].rules
            if (kind == FUNC and name in rules.methods.run) or (kind == CLASS and name in rules.names_of_itself):
                return (value,)
            if kind == FUNC and name in self.files[value[FILE]].rules.methods.bind:
                return ((METHOD_OF, value, name),)
            if kind in (FUNC, CLASS) and name == self.files[value[FILE]].rules.protocols.prototype:
                return ((INST, value[FILE], value[SYMBOL], (), False),)
            if kind == FUNC:
                merged = self.find_merged_member(value, name)
                if merged:
                    return merged
                return self.object_members.value_of(value, name) or self.function_attribute(value, name)
            declared = self.find_declared_for_any(value) if kind == INST and name != INDEXED_AS else ()
            return declared or self.missing(value, name)
        if kind == FUNC and hit.owner != (value[FILE], value[SYMBOL]):
            return self.find_merged_member(value, name)
        receiver = value[RECEIVER] if kind == PARENT else value
        kinds = {self.program.definition(*each).kind for each in hit.definitions}
        if not kinds or not kinds.isdisjoint(("field", "constant")):
            # An accessor that the compiler makes has the name of its own.
            field = self.program.definition(*hit.definitions[0]).name if hit.definitions else name
            return self.field_value(hit, field, receiver)
        return union([self.definition_value(definition, hit, receiver) for definition in hit.definitions])

    def find_declared_for_any(self, value: Value) -> Values:
        """What an interface declares for any key: `{ [name: string]: Cart }`."""
        if not self.files[value[FILE]].rules.protocols.prototype or self.member_lookup.hit(value, INDEXED_AS) is None:
            return ()
        return self.member_values(value, INDEXED_AS)

    def forward_holders(self, holders: Values, name: str, is_called: bool) -> Values:
        """Values that are asked for a member; in place of an object that lacks it, what the object hands it on to."""
        found: list[Value] = []
        for value in holders:
            if value[KIND] == CONTAINER and value[OWN_NAME] == POINTER:
                found += value[CONTENTS][0]
                continue
            rules = self.files[value[FILE]].rules if value[KIND] == INST else None
            method = rules.protocols.forwards if rules is not None else ""
            space = space_of(rules, value, is_called, name) if rules is not None else ANY
            for _ in range(_MOST_FORWARDS if method else 0):
                if value[KIND] != INST or self.member_lookup.hit(value, name, space) is not None:
                    break
                made = self.evaluator.method_result(value, method)
                if len(made) != 1 or made[0] == value:
                    break
                value = made[0]
            found.append(value)
        return tuple(found)

    def find_merged_member(self, value: Value, name: str) -> Values:
        """A member that was copied into a function."""
        file = self.files[value[FILE]]
        if (1, value[SYMBOL]) not in file.merged:
            return ()
        merged = self.member_lookup.spread_in(file, value)
        return union([self.member_values(each, name) for each in merged if each[:RECEIVER] != value[:RECEIVER]])

    def function_attribute(self, value: Value, name: str) -> Values:
        """An attribute of a function: of what its decorators made of it, if that is known."""
        file = self.files[value[FILE]]
        decorators = file.facts.decorators.get(value[SYMBOL])
        if not decorators:
            return ()
        made = self.evaluator.decorated(file, value[SYMBOL], decorators)
        known = union([self.member_values(each, name) for each in made if each[KIND] != FUNC])
        return known or union([self.member_values(each, name) for each in self.find_made_outside(file, decorators)])

    def may_be_replaced(self, function: Value) -> bool:
        """Whether an external decorator may have made something else of a function."""
        file = self.files[function[FILE]]
        decorators = file.facts.decorators.get(function[SYMBOL])
        if not decorators or file.definitions[function[SYMBOL]].kind == "property":
            return False
        return bool(self.find_made_outside(file, decorators))

    def find_made_outside(self, file: SourceFile, decorators: list[int]) -> Values:
        """What a function becomes under an external decorator that may return anything."""
        preserving = file.rules.decorators.preserving
        return tuple(
            (EXTERNAL, f"{value[OWN_NAME]}()")
            for value in self.evaluator.eval(file, decorators[0])
            if value[KIND] == EXTERNAL and value[OWN_NAME].removesuffix("()").rpartition(".")[2] not in preserving
        )

    def missing(self, value: Value, name: str) -> Values:
        """A member that no class in the order has: one that every object has, one from an external base, or what
        `__getattr__` returns."""
        own = self.object_members.value_of(value, name)
        if own:
            return own
        rules = self.files[value[FILE]].rules
        gives = rules.given_to_types.get(name) if value[KIND] == CLASS else None
        if gives == "itself":
            return ((CALLABLE, ((INST, *value[FILE:]),)),)
        if gives is not None and self.program.definition(value[FILE], value[SYMBOL]).kind == "enum":
            one: Values = ((INST, value[FILE], value[SYMBOL], (), False),)
            all_of: Values = ((CONTAINER, "list", (one,)),)
            return ((CALLABLE, one if gives == "one" else all_of),)
        if value[KIND] == INST and name in rules.returns_itself:
            return ((CALLABLE, (value,)),)
        if value[KIND] == INST and rules.protocols.missing:
            dynamic = self.member_lookup.find(value[FILE], value[SYMBOL], rules.protocols.missing)
            if dynamic is not None and dynamic.definitions:
                return self.evaluator.returned((FUNC, *dynamic.definitions[-1], value))
        if self.evaluator.frameworks is not None:
            known = self.evaluator.frameworks.missing(value, name)
            if known:
                return known
        if value[KIND] == INST and name in rules.given_by_bases:
            base = self.classes.find_library_base(value[FILE], value[SYMBOL])
            if base is not None and name == base.copies:
                return ((CALLABLE, (value,)),)
        if (
            value[KIND] == INST
            and name in rules.methods.held
            and self.classes.is_typed_dict(value[FILE], value[SYMBOL])
        ):
            return ((METHOD_OF, value, name),)
        if name in rules.gives_itself and value[KIND] in (CLASS, INST):
            order = self.classes.order(value[FILE], value[SYMBOL])
            if order.external or order.unknown:
                return ((INST, value[FILE], value[SYMBOL], (), False),)
        if self.is_external_member(value, name):
            given = self.find_base_member(value, name) if value[KIND] == INST and name in rules.given_by_bases else ()
            if given:
                return given
            is_inherited = value[KIND] != INST or not self.global_names.is_open(self.files[value[FILE]], value[SYMBOL])
            held = self.find_held_by_bases(value) if name not in rules.given_by_bases else ()
            return (make_outside(f"{INHERITED}{name}" if is_inherited else name, held),)
        return ()

    def find_held_by_bases(self, value: Value) -> Values:
        """What a library may give back that is handed an object or class, or has one of its bases: that itself, and
        the type arguments of the bases."""
        if value[KIND] == FUNC:
            return ()
        of = value[RECEIVER] if value[KIND] == PARENT else value
        return self.evaluator.compute_once(("h", of[FILE], of[SYMBOL], of[TYPE_ARGUMENTS]), self._held_by_bases, of)

    def _held_by_bases(self, value: Value) -> Values:
        classes = self.classes
        own = dict(zip(classes.variables(value[FILE], value[SYMBOL]), value[TYPE_ARGUMENTS], strict=False))
        found: list[Value] = [*held_in((value,))]
        for entry in classes.order(value[FILE], value[SYMBOL]).entries:
            here = self.files[entry[OWNER_FILE]]
            arguments = dict(zip(classes.variables(*entry[:ENTRY_ARGUMENTS]), entry[ENTRY_ARGUMENTS], strict=False))
            for _, base in here.facts.bases.get(entry[OWNER_SYMBOL], ()):
                if here.code[base] == op.SUBSCRIPT:
                    outside = tuple(each for each in self.annotations.typed(here, base) if each[KIND] == EXTERNAL)
                    found += self.type_variables.substitute(held_in(outside), arguments or own)
        return held_in(tuple(found))

    def find_base_member(self, value: Value, name: str) -> Values:
        """A member of a library's generic base whose type is an argument of the base: the properties of a component."""
        evaluator = self.evaluator
        for entry in self.classes.order(value[FILE], value[SYMBOL]).entries:
            here = self.files[entry[OWNER_FILE]]
            for keyword, base in here.facts.bases.get(entry[OWNER_SYMBOL], ()):
                if keyword or here.code[base] != op.SUBSCRIPT:
                    continue
                for each in self.annotations.of_type(here, here.code[base + op.HOLDER]):
                    last = each[OWN_NAME].rpartition(".")[2] if each[KIND] == EXTERNAL else ""
                    known = here.rules.library_bases.get(last)
                    if known is not None and name in known.arguments:
                        return evaluator.find_library_argument(here, base, known.arguments[name])
        return ()

    def definition_value(self, definition: Owner, hit: Hit, receiver: Value) -> Values:
        """A method bound to its receiver, the value of a property, or a nested class."""
        here = self.program.definition(*definition)
        if here.kind in CLASS_KINDS:
            return ((CLASS, *definition, (), False),)
        if PARAMETERLESS in here.flags:
            return self.evaluator.returned((FUNC, *definition, receiver if receiver[KIND] == INST else None))
        if here.owner and here.kind in _HOLDING:
            return self.find_held(definition)
        is_read = here.kind == "property" or self.descriptors.is_read(definition)
        if is_read and (receiver[KIND] != CLASS or "static" in here.modifiers or "classmethod" in here.flags):
            return self.evaluator.returned((FUNC, *definition, receiver))
        if receiver[KIND] in (FUNC, OBJECT_AT):
            return ((FUNC, *definition, None),)
        if "static" in here.modifiers or (receiver[KIND] == CLASS and "classmethod" not in here.flags):
            return ((FUNC, *definition, None),)
        return ((FUNC, *definition, receiver),)

    def find_held(self, definition: Owner) -> Values:
        """What a field holds that is added to a type where it is not defined."""
        file = self.files[definition[OWNER_FILE]]
        here = file.definitions[definition[OWNER_SYMBOL]]
        scope = file.definitions[here.parent].scope if here.parent > 0 else 0
        rows = file.rows(scope, f"{here.owner}.{here.name}")
        return union([self.evaluator.eval(file, row.value) for row in rows if row.value])

    def field_value(self, hit: Hit, name: str, receiver: Value) -> Values:
        """What a field or class attribute holds: as declared, else whatever is assigned to it anywhere."""
        evaluator = self.evaluator
        file = self.files[hit.owner[OWNER_FILE]]
        definition = file.definitions[hit.owner[OWNER_SYMBOL]]
        if definition.kind == "enum" and receiver[KIND] == CLASS:
            return ((INST, *hit.owner, (), False),)
        rows = file.rows(definition.scope, name) if definition.kind in CLASS_KINDS else []
        expressions = [row.value for row in rows if row.value and row.kind != "narrow"]
        if expressions and self.is_descriptor(file, expressions):
            values = union([evaluator.eval(file, each) for each in expressions])
            return union([self.read_through_descriptor(value, receiver) for value in values])
        expressions += self.member_lookup.fields(*hit.owner).get(name, ())
        declared = [each for each in expressions if self.annotations.is_declared(file, each)]
        values = union([self.assigned(file, each, receiver) for each in declared or expressions])
        if not declared or self.annotations.is_open(file, values):
            values = union([values, evaluator.stored_on(hit.owner, name)]) or values
            if declared and len(declared) < len(expressions):
                # The type does not say which function it is.
                others = [self.assigned(file, each, receiver) for each in expressions if each not in declared]
                values = union([values, *others]) or values
        if not values and hit.distance and receiver[KIND] in (INST, CLASS):
            # Declared in a base class without a type, assigned in a subclass.
            below = self.classes.order(receiver[FILE], receiver[SYMBOL]).entries[: hit.distance]
            assigned = [
                (self.files[entry[OWNER_FILE]], e)
                for entry in below
                for e in self.member_lookup.fields(*entry[:ENTRY_ARGUMENTS]).get(name, ())
            ]
            values = union([evaluator.eval(*each) for each in assigned])
        values = self.detach(values)
        names = self.classes.variables(*hit.owner)
        if names:
            arguments = (
                hit.arguments if hit.distance else receiver[TYPE_ARGUMENTS] if receiver[KIND] in (INST, CLASS) else ()
            )
            values = self.type_variables.substitute(values, dict(zip(names, arguments, strict=False)))
        return union([self.read_through_descriptor(value, receiver) for value in values]) if values else ()

    def assigned(self, file: SourceFile, e: int, receiver: Value) -> Values:
        """What an assigned attribute is when it is read on its receiver: `property(get)` is what `get` returns."""
        evaluator = self.evaluator
        if file.code[e] == op.CALL and receiver[KIND] == INST:
            callees = evaluator.eval(file, file.code[e + op.CALLEE])
            makers = file.rules.decorators.makers
            if callees and callees[0][KIND] in (BUILTIN, EXTERNAL) and callees[0][OWN_NAME] in makers:
                getters = evaluator.argument(file, e, 0, makers[callees[0][OWN_NAME]])
                bound = [(FUNC, each[FILE], each[SYMBOL], receiver) for each in getters if each[KIND] == FUNC]
                return union([evaluator.returned(each) for each in bound])
        return evaluator.eval(file, e)

    def is_declared(self, value: Value, name: str) -> bool:
        """Whether a member is a field with a declared type."""
        hit = self.member_lookup.hit(value, name) if value[KIND] in (INST, CLASS) else None
        if hit is None:
            return False
        file = self.files[hit.owner[OWNER_FILE]]
        rows = file.rows(file.definitions[hit.owner[OWNER_SYMBOL]].scope, name)
        return any(row.value and self.annotations.is_declared(file, row.value) for row in rows)

    def is_descriptor(self, file: SourceFile, expressions: list[int]) -> bool:
        """Whether a class attribute intercepts assignments on instances."""
        setter = file.rules.protocols.set
        return bool(setter) and any(
            value[KIND] == INST and self.member_lookup.find(value[FILE], value[SYMBOL], setter) is not None
            for each in expressions
            for value in self.evaluator.eval(file, each)
        )

    def read_through_descriptor(self, value: Value, receiver: Value) -> Values:
        if value[KIND] == INST:
            if self.evaluator.frameworks is not None:
                value = self.evaluator.frameworks.bound(value, receiver)
            get = self.files[value[FILE]].rules.protocols.get
            getter = self.member_lookup.find(value[FILE], value[SYMBOL], get) if get else None
            if getter is not None and getter.definitions:
                result = self.evaluator.returned((FUNC, *getter.definitions[-1], value))
                if receiver[KIND] == CLASS:
                    return result or (value,)
                # `return self` is for reads through the class.
                others = tuple(each for each in result if each[: SYMBOL + 1] != value[: SYMBOL + 1])
                return others or (result if self.returns_once(getter.definitions[-1]) else ())
        return (value,)

    def returns_once(self, definition: Owner) -> bool:
        file = self.files[definition[OWNER_FILE]]
        return len(file.facts.returns.get(file.definitions[definition[OWNER_SYMBOL]].scope, ())) == 1

    def detach(self, values: Values) -> Values:
        """Values of `self` as seen from outside the method."""
        return tuple(
            (*value[:IS_SELF], False) if value[KIND] in (INST, CLASS) and value[IS_SELF] else value for value in values
        )
