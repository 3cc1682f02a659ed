"""Classes: bases, method resolution order, members and their values, receivers, subclasses."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rpg.encoder.facts import CALL, UNDERLYING
from rpg.encoder.resolve.knowledge import BINDS, PRESERVING, RUNS
from rpg.encoder.resolve.orders import Entry, Order, Orders, Owner
from rpg.encoder.resolve.values import (
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
    SPREAD,
    TEXT,
    TYPE_OF_VARIABLE,
    VARIABLE,
    Value,
    Values,
    union,
)
from rpg.graph import CLASS_KINDS

if TYPE_CHECKING:
    from rpg.encoder.resolve.infer import Inference
    from rpg.encoder.resolve.program import Unit

_PLAIN_BASES = frozenset({"object", "Generic", "Protocol", "ABC", "NamedTuple", "TypedDict", "type", "ABCMeta"})
"""Bases from outside that bring no members that matter."""
_NAMED_TUPLE = frozenset({"_replace", "_asdict", "_make", "_fields", "_field_defaults", "count", "index"})
_EXTERNAL_NAME_LIMIT = 120
_MOST_SPREADS = 100
"""Object literals that are gone through for one member; more are unknown."""
_PROPERTIES = frozenset({"property", "functools.cached_property"})
_CONTRACT = "implements"
"""Keyword of the bases that a class only promises to fit."""


class Hit(NamedTuple):
    """Where a member was found."""

    definitions: tuple[Owner, ...]
    owner: Owner
    distance: int
    """0: in the class itself."""
    arguments: tuple[Values, ...]
    """Of the owner, for its type variables."""


class Classes:
    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self.program = inference.program
        self.units = inference.units
        self.orders = Orders(self.bases, self.inherited)
        self.base_values: dict[Owner, tuple[tuple[Value, ...], bool, bool]] = {}
        self.field_tables: dict[Owner, dict[str, list[int]]] = {}
        self.variable_names: dict[Owner, tuple[str, ...]] = {}
        self.busy: set[Owner] = set()
        self.spreading: dict[tuple[int, int, str], Hit | None] = {}
        """(unit, object scope, name) -> what the objects that one takes over were found to have; None on the way."""
        self.hits: dict[tuple[int, int, str], Hit | None] = {}
        self._subclasses: dict[Owner, list[Owner]] | None = None
        self._augmentations: dict[Owner, list[Owner]] | None = None

    def end(self) -> None:
        """Let go of what was found; see `Inference.end`."""
        for table in (self.hits, self.base_values, self.field_tables, self.spreading, self.orders.known):
            table.clear()
        self._subclasses = self._augmentations = None

    # Bases and order

    def bases(self, unit: int, index: int) -> tuple[tuple[Value, ...], bool, bool]:
        """(classes of the repository, some base is external, some base is unknown)."""
        key = (unit, index)
        known = self.base_values.get(key)
        if known is not None:
            return known
        if key in self.busy:
            return (), False, False
        self.busy.add(key)
        here = self.units[unit]
        found: list[Value] = []
        external = unknown = False
        for keyword, expression in here.facts.bases.get(index, ()):
            if keyword:
                continue
            typed = self.inference.annotations.typed(here, expression)
            if here.code[expression] == CALL:
                found += self.made_below(here, expression)
                unknown = True
            unknown = unknown or not typed
            for value in typed:
                if value[0] == INST and value[1:3] != key:
                    found.append((CLASS, value[1], value[2], value[3], False))
                elif value[0] != INST and not self.is_plain(value):
                    external = True
        self.busy.discard(key)
        found += [(CLASS, *each, (), False) for each in self.augmentations.get(key, ())]
        result = tuple(dict.fromkeys(found)), external, unknown
        if not self.busy:
            self.base_values[key] = result
        return result

    def made_below(self, unit: Unit, call: int) -> list[Value]:
        """The classes that a base made by a call is below, where what is called returns `type(x, (cls,), y)`."""
        inference = self.inference
        found: list[Value] = []
        for callee in inference.eval(unit, unit.code[call + 2]):
            if callee[0] != FUNC or callee[3] is None or callee[3][0] != CLASS:
                continue
            here = self.units[callee[1]]
            for made in here.facts.returns.get(here.definitions[callee[2]].scope, ()):
                if here.code[made] == CALL and inference.eval(here, here.code[made + 2]) == ((BUILTIN, "type"),):
                    bases = inference.containers.elements(inference.calls.argument(here, made, 1, "bases"))
                    found += [callee[3] for base in bases if base[0] == CLASS and base[4]]
        return found

    @property
    def augmentations(self) -> dict[Owner, list[Owner]]:
        """Parts that other modules add to a type (`declare module "name" { interface Type { ... } }`), by the type."""
        if self._augmentations is None:
            self._augmentations = self._make_augmentations()
        return self._augmentations

    def _make_augmentations(self) -> dict[Owner, list[Owner]]:
        found: dict[Owner, list[Owner]] = {}
        for unit in self.units:
            named = {
                index: files
                for index, definition in enumerate(unit.definitions)
                if "namespace" in definition.flags and definition.signature.endswith(('"', "'"))
                if (files := unit.rules.module(unit.path, definition.name, 0))
            }
            for (parent, name), parts in unit.children.items() if named else ():
                for path in named.get(parent, ()):
                    for kind, other, target in self.inference.modules.targets(path, name, as_type=True):
                        if kind == "definition" and self.program.definition(other, target).kind in CLASS_KINDS:
                            found.setdefault((other, target), []).extend((unit.index, part) for part in parts)
        return found

    def contracts(self, unit: Unit, index: int) -> list[Owner]:
        """The interfaces that a class says it implements: they give it no members."""
        found = []
        for keyword, expression in unit.facts.bases.get(index, ()):
            if keyword == _CONTRACT:
                found += [each[1:3] for each in self.inference.annotations.typed(unit, expression) if each[0] == INST]
        return found

    def underlying(self, value: Value) -> Values:
        """What an instance of a type that only names another one is made of."""
        here = self.units[value[1]]
        if here.definitions[value[2]].kind != "type":
            return ()
        bases = here.facts.bases.get(value[2], ())
        return union([self.inference.annotations.typed(here, each) for keyword, each in bases if keyword == UNDERLYING])

    def is_named_tuple(self, unit: int, index: int) -> bool:
        here = self.units[unit]
        return any(
            not keyword and value[0] == EXTERNAL and value[1].endswith("NamedTuple()")
            for keyword, expression in here.facts.bases.get(index, ())
            for value in self.inference.annotations.typed(here, expression)
        )

    def is_plain(self, value: Value) -> bool:
        name = value[1] if value[0] in (EXTERNAL, BUILTIN, PRIMITIVE) else ""
        return isinstance(name, str) and name.removesuffix("()").rpartition(".")[2] in _PLAIN_BASES

    def order(self, unit: int, index: int) -> Order:
        """C3 linearisation over the classes of the repository; depth first where there is none."""
        return self.orders.known.get((unit, index)) or self.orders.order((unit, index))

    def inherited(self, base: Value, entries: tuple[Entry, ...]) -> list[Entry]:
        """A base's entries, with the type arguments that it is derived from with."""
        bound = dict(zip(self.variables(base[1], base[2]), base[3], strict=False)) if base[3] else {}
        own: Entry = (base[1], base[2], base[3])
        if not bound:
            return [own, *entries[1:]]
        return [own, *((entry[0], entry[1], self.substituted(entry[2], bound)) for entry in entries[1:])]

    def substituted(self, arguments: tuple[Values, ...], bound: dict[str, Values]) -> tuple[Values, ...]:
        return tuple(self.inference.variables.substitute(values, bound) for values in arguments) if bound else arguments

    def variables(self, unit: int, index: int) -> tuple[str, ...]:
        """Names of a class's type variables, in order."""
        key = (unit, index)
        known = self.variable_names.get(key)
        if known is not None:
            return known
        here = self.units[unit]
        declared = here.facts.type_parameters.get(index)
        if declared is not None:
            self.variable_names[key] = tuple(declared)
            return tuple(declared)
        names: dict[str, None] = {}
        for keyword, expression in here.facts.bases.get(index, ()):
            if not keyword:
                for name in self.inference.annotations.variables_in(here, expression):
                    names[name] = None
        self.variable_names[key] = tuple(names)
        return tuple(names)

    @property
    def subclasses(self) -> dict[Owner, list[Owner]]:
        """All classes below each class, by place."""
        if self._subclasses is None:
            self._subclasses = self._make_subclasses()
        return self._subclasses

    def _make_subclasses(self) -> dict[Owner, list[Owner]]:
        below: dict[Owner, list[Owner]] = {}
        for unit in self.units:
            for index in unit.facts.bases:
                if unit.definitions[index].kind in CLASS_KINDS:
                    for entry in self.order(unit.index, index).entries[1:]:
                        below.setdefault(entry[:2], []).append((unit.index, index))
        return below

    def is_any_of(self, value: Value, tested: Values) -> bool:
        """Whether a value is an instance of one of the classes tested for."""
        if value[0] == INST:
            above = {entry[:2] for entry in self.order(value[1], value[2]).entries}
            return any(each[0] == INST and each[1:3] in above for each in tested)
        return any(
            each == value
            or (each[0] == value[0] == CONTAINER and each[1] == value[1])
            or each[0] == value[0] == EXTERNAL
            for each in tested
        )

    # Members

    def fields(self, unit: int, index: int) -> dict[str, list[int]]:
        key = (unit, index)
        table = self.field_tables.get(key)
        if table is None:
            table = self.field_tables[key] = {}
            for name, expression in self.units[unit].facts.fields.get(index, ()):
                table.setdefault(name, []).append(expression)
        return table

    def own(self, unit: int, index: int, name: str) -> tuple[Owner, ...] | None:
        """A class's own member: its definitions (none for one that is no symbol); None where there is none."""
        here = self.units[unit]
        definition = here.definitions[index]
        found = here.members_named(index, name)
        outside = self.program.owned.get((self.program.package_of(here), definition.qualified_name, name))
        if found or outside:
            return (*((unit, each) for each in found), *(outside or ()))
        if definition.scope >= 0 and definition.kind in CLASS_KINDS and (definition.scope, name) in here.rows:
            return ()
        given = here.given.get((1, index, name))
        if given is not None:
            return tuple((unit, here.code[each + 2]) for each in given)
        return () if name in self.fields(unit, index) else None

    def find(self, unit: int, index: int, name: str, after: Owner | None = None) -> Hit | None:
        """The member that a class has by that name; with `after`, behind that class in its order."""
        if after is None:
            key = (unit, index, name)
            if key not in self.hits:
                self.hits[key] = self._find(unit, index, name, None)
            return self.hits[key]
        return self._find(unit, index, name, after)

    def _find(self, unit: int, index: int, name: str, after: Owner | None) -> Hit | None:
        entries = self.order(unit, index).entries
        start = 0
        if after is not None:
            start = next((at + 1 for at, entry in enumerate(entries) if entry[:2] == after), 1)
        assigned: Hit | None = None
        for distance in range(start, len(entries)):
            owner_unit, owner, arguments = entries[distance]
            definitions = self.own(owner_unit, owner, name)
            if definitions is None:
                continue
            hit = Hit(definitions, (owner_unit, owner), distance, arguments)
            here = self.units[owner_unit]
            if definitions or (here.definitions[owner].scope, name) in here.rows:
                return hit
            # Only assigned here: a class above may declare it.
            assigned = assigned or hit
        return assigned

    def hit(self, value: Value, name: str) -> Hit | None:
        """Where a value's member stands; None for values without definitions of their own and members not found."""
        kind = value[0]
        if kind == INST:
            found = self.find(value[1], value[2], name)
            return None if found is not None and self.is_apart(value, found, "static") else found
        if kind == CLASS:
            found = self.find(value[1], value[2], name) or self.of_metaclass(value, name)
            return None if found is not None and self.is_apart(value, found, "") else found
        if kind == PARENT:
            receiver = value[3]
            return self.find(receiver[1], receiver[2], name, (value[1], value[2]))
        if kind == FUNC:
            definitions = self.own(value[1], value[2], name)
            return Hit(definitions, (value[1], value[2]), 0, ()) if definitions else None
        if kind == OBJECT_AT:
            return self.object_hit(value, name)
        if kind == VARIABLE:
            for bound in value[2]:
                found = self.hit(bound, name)
                if found is not None:
                    return found
        return None

    def is_apart(self, value: Value, hit: Hit, side: str) -> bool:
        """Whether a member is of the other side, where instances and classes share none: static or not."""
        if not hit.definitions or not self.units[value[1]].rules.statics_are_apart:
            return False
        for each in hit.definitions:
            definition = self.program.definition(*each)
            if definition.kind != "method" or ("static" in definition.modifiers) != bool(side):
                return False
        return True

    def of_metaclass(self, value: Value, name: str) -> Hit | None:
        """A class's own members that its metaclass defines."""
        for entry in self.order(value[1], value[2]).entries:
            here = self.units[entry[0]]
            for keyword, expression in here.facts.bases.get(entry[1], ()):
                if keyword == "metaclass":
                    for each in self.inference.eval(here, expression):
                        if each[0] == CLASS:
                            return self.find(each[1], each[2], name)
        return None

    def object_hit(self, value: Value, name: str) -> Hit | None:
        unit = self.units[value[1]]
        rows = unit.rows.get((value[2], name))
        given = unit.given.get((0, value[2], name))
        if given is not None:
            return Hit(tuple((value[1], unit.code[each + 2]) for each in given), (value[1], 0), 0, ())
        if rows is None:
            return self.spread_hit(unit, value, name)
        targets = [
            (target[1], target[2])
            for row in rows
            for target in self.inference.modules.of_binding(unit, value[2], name, row.value)
            if target[0] == "definition"
        ]
        return Hit(tuple(targets), (value[1], unit.scopes[value[2]].definition), 0, ())

    def spread_in(self, unit: Unit, value: Value) -> Values:
        """The values whose members an object literal takes over."""
        rows = unit.rows.get((value[2], SPREAD), ())
        return union([self.inference.eval(unit, row.value) for row in rows if row.value])

    def spread_hit(self, unit: Unit, value: Value, name: str) -> Hit | None:
        key = (value[1], value[2], name)
        if key in self.spreading:
            return self.spreading[key]
        if len(self.spreading) >= _MOST_SPREADS:
            return None
        is_first = not self.spreading
        self.spreading[key] = None
        found = self._spread_hit(unit, value, name)
        self.spreading[key] = found
        if is_first:
            self.spreading.clear()
        return found

    def _spread_hit(self, unit: Unit, value: Value, name: str) -> Hit | None:
        for each in reversed(self.spread_in(unit, value)):
            if each[0] == MODULE:
                targets = self.inference.modules.targets(each[1], name)
                found = tuple((target[1], target[2]) for target in targets if target[0] == "definition")
                if found:
                    return Hit(found, (value[1], unit.scopes[value[2]].definition), 0, ())
            elif each[0] != OBJECT_AT or each[1:3] != value[1:3]:
                hit = self.hit(each, name)
                if hit is not None:
                    return hit
        return None

    def is_external_member(self, value: Value, name: str = "") -> bool:
        """Whether a member that was not found can only stand outside the repository."""
        kind = value[0]
        if kind in (INST, CLASS):
            entries = self.order(value[1], value[2]).entries if name in _NAMED_TUPLE else ()
            if any(self.is_named_tuple(entry[0], entry[1]) for entry in entries):
                return True
            return self.order(value[1], value[2]).external
        if kind == PARENT:
            return self.order(value[3][1], value[3][2]).external or len(self.order(value[1], value[2]).entries) == 1
        if kind == VARIABLE:
            return False
        if kind == FUNC:
            unit = self.units[value[1]]
            decorators = unit.facts.decorators.get(value[2])
            if not decorators:
                return False
            return unit.definitions[value[2]].kind == "property" or bool(self.made_outside(unit, decorators))
        return kind not in (MODULE, OBJECT_AT)

    def member_values(self, value: Value, name: str) -> Values:
        """What `value.name` can be."""
        kind = value[0]
        if kind == EXTERNAL:
            return ((EXTERNAL, f"{value[1]}.{name}") if len(value[1]) < _EXTERNAL_NAME_LIMIT else value,)
        if kind == MODULE:
            return self.inference.modules.attribute(value[1], name)
        if kind in (INST, CLASS, PARENT, FUNC, OBJECT_AT, VARIABLE):
            return self.inference.remembered(("v", value, name), self._member_values, value, name)
        if kind == BUILTIN:
            return ((EXTERNAL, f"{value[1]}.{name}"),)
        if kind == CONTAINER and value[1] == "query":
            known = self.inference.frameworks.missing(value, name) if self.inference.frameworks is not None else ()
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
        kind = value[0]
        if kind == VARIABLE:
            return union([self.member_values(bound, name) for bound in value[2]])
        if kind == OBJECT_AT:
            unit = self.units[value[1]]
            rows = unit.rows.get((value[2], name), ())
            found = union([self.inference.eval(unit, row.value) for row in rows if row.value])
            for each in unit.given.get((0, value[2], name), ()):
                found = union([found, self.inference.eval(unit, each)])
            if not rows:
                spread = self.spread_in(unit, value)
                found = union([self.member_values(each, name) for each in spread if each != value])
                if name != INDEXED_AS and (value[2], INDEXED_AS) in unit.rows:
                    found = union([found, self.member_values(value, INDEXED_AS)])
            return found or self.inference.calls.stored_on((value[1], -1 - value[2]), name)
        if name == "__class__" and kind == INST:
            return ((CLASS, *value[1:]),)
        hit = self.hit(value, name)
        if hit is None:
            stored = self.inference.calls.stored_on((value[1], value[2]), name) if kind != PARENT else ()
            if stored:
                return stored
            if kind == FUNC and name in RUNS:
                return (value,)
            if kind == FUNC and name in BINDS:
                return ((METHOD_OF, value, name),)
            if kind in (FUNC, CLASS) and name == self.units[value[1]].rules.prototype:
                return ((INST, value[1], value[2], (), False),)
            if kind == FUNC:
                return self.function_attribute(value, name)
            return self.missing(value, name)
        receiver = value[3] if kind == PARENT else value
        kinds = {self.program.definition(*each).kind for each in hit.definitions}
        if not kinds or not kinds.isdisjoint(("field", "constant")):
            return self.field_value(hit, name, receiver)
        return union([self.definition_value(definition, hit, receiver) for definition in hit.definitions])

    def function_attribute(self, value: Value, name: str) -> Values:
        """An attribute of a function: of what its decorators made of it, if that is known."""
        unit = self.units[value[1]]
        decorators = unit.facts.decorators.get(value[2])
        if not decorators:
            return ()
        made = self.inference.calls.decorated(unit, value[2], decorators)
        known = union([self.member_values(each, name) for each in made if each[0] != FUNC])
        return known or union([self.member_values(each, name) for each in self.made_outside(unit, decorators)])

    def made_outside(self, unit: Unit, decorators: list[int]) -> Values:
        """What a function becomes under a decorator from outside that may make anything of it."""
        return tuple(
            (EXTERNAL, f"{value[1]}()")
            for value in self.inference.eval(unit, decorators[0])
            if value[0] == EXTERNAL and value[1].removesuffix("()").rpartition(".")[2] not in PRESERVING
        )

    def missing(self, value: Value, name: str) -> Values:
        """A member that no class in the order has: of a base outside, or of what `__getattr__` gives."""
        if value[0] == INST:
            dynamic = self.find(value[1], value[2], "__getattr__")
            if dynamic is not None and dynamic.definitions:
                return self.inference.calls.returned((FUNC, *dynamic.definitions[-1], value))
        if self.inference.frameworks is not None:
            known = self.inference.frameworks.missing(value, name)
            if known:
                return known
        if name == "_replace" and value[0] == INST and self.is_named_tuple(value[1], value[2]):
            return ((CALLABLE, (value,)),)
        if self.is_external_member(value):
            return ((EXTERNAL, name),)
        return ()

    def definition_value(self, definition: Owner, hit: Hit, receiver: Value) -> Values:
        """A method bound to its receiver, what a property returns, a nested class."""
        here = self.program.definition(*definition)
        if here.kind in CLASS_KINDS:
            return ((CLASS, *definition, (), False),)
        if here.kind == "property" and receiver[0] != CLASS:
            return self.inference.calls.returned((FUNC, *definition, receiver))
        if receiver[0] in (FUNC, OBJECT_AT):
            return ((FUNC, *definition, None),)
        if "static" in here.modifiers or (receiver[0] == CLASS and "classmethod" not in here.flags):
            return ((FUNC, *definition, None),)
        return ((FUNC, *definition, receiver),)

    def field_value(self, hit: Hit, name: str, receiver: Value) -> Values:
        """What a field or class attribute holds: as declared, else whatever is assigned to it anywhere."""
        inference = self.inference
        unit = self.units[hit.owner[0]]
        definition = unit.definitions[hit.owner[1]]
        if definition.kind == "enum" and receiver[0] == CLASS:
            return ((INST, *hit.owner, (), False),)
        rows = unit.rows.get((definition.scope, name), []) if definition.kind in CLASS_KINDS else []
        expressions = [row.value for row in rows if row.value and row.kind != "narrow"]
        if expressions and self.is_descriptor(unit, expressions):
            values = union([inference.eval(unit, each) for each in expressions])
            return union([self.through_descriptor(value, receiver) for value in values])
        expressions += self.fields(*hit.owner).get(name, ())
        declared = [each for each in expressions if inference.annotations.is_declared(unit, each)]
        values = union([self.assigned(unit, each, receiver) for each in declared or expressions])
        if not declared or inference.annotations.is_open(unit, values):
            values = union([values, inference.calls.stored_on(hit.owner, name)]) or values
        if not values and hit.distance and receiver[0] in (INST, CLASS):
            # Declared above without a type, assigned below.
            below = self.order(receiver[1], receiver[2]).entries[: hit.distance]
            assigned = [(self.units[entry[0]], e) for entry in below for e in self.fields(*entry[:2]).get(name, ())]
            values = union([inference.eval(*each) for each in assigned])
        values = self.detached(values)
        names = self.variables(*hit.owner)
        if names:
            arguments = hit.arguments if hit.distance else receiver[3] if receiver[0] in (INST, CLASS) else ()
            values = inference.variables.substitute(values, dict(zip(names, arguments, strict=False)))
        return union([self.through_descriptor(value, receiver) for value in values]) if values else ()

    def assigned(self, unit: Unit, e: int, receiver: Value) -> Values:
        """What an attribute is on its receiver by what it was assigned: `property(get)` gives what `get` does."""
        inference = self.inference
        if unit.code[e] == CALL and receiver[0] == INST:
            callees = inference.eval(unit, unit.code[e + 2])
            if callees and callees[0][1] in _PROPERTIES and callees[0][0] in (BUILTIN, EXTERNAL):
                getters = inference.calls.argument(unit, e, 0, "fget")
                bound = [(FUNC, each[1], each[2], receiver) for each in getters if each[0] == FUNC]
                return union([inference.calls.returned(each) for each in bound])
        return inference.eval(unit, e)

    def is_declared(self, value: Value, name: str) -> bool:
        """Whether a member is a field with a type of its own."""
        hit = self.hit(value, name) if value[0] in (INST, CLASS) else None
        if hit is None:
            return False
        unit = self.units[hit.owner[0]]
        rows = unit.rows.get((unit.definitions[hit.owner[1]].scope, name), ())
        return any(row.value and self.inference.annotations.is_declared(unit, row.value) for row in rows)

    def is_descriptor(self, unit: Unit, expressions: list[int]) -> bool:
        """Whether a class attribute takes what is assigned to it on instances."""
        return any(
            value[0] == INST and self.find(value[1], value[2], "__set__") is not None
            for each in expressions
            for value in self.inference.eval(unit, each)
        )

    def through_descriptor(self, value: Value, receiver: Value) -> Values:
        if value[0] == INST:
            if self.inference.frameworks is not None:
                value = self.inference.frameworks.bound(value, receiver)
            getter = self.find(value[1], value[2], "__get__")
            if getter is not None and getter.definitions:
                result = self.inference.calls.returned((FUNC, *getter.definitions[-1], value))
                return result or (value,)
        return (value,)

    def detached(self, values: Values) -> Values:
        """Values of `self` seen from outside of the method."""
        return tuple((*value[:4], False) if value[0] in (INST, CLASS) and value[4] else value for value in values)

    # Receivers

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
            variables = tuple(((VARIABLE, name, ()),) for name in self.variables(unit.index, owner))
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
        units = self.program.directories[self.program.package_of(unit)] if unit.rules.shares_package_scope else [unit]
        for other in units:
            for index in other.children.get((0, owner), ()):
                return ((INST, other.index, index, (), True),)
        return ()
