"""Where members are defined: along the method resolution order of a class, and in object literals.

In: a class, or a value (an instance, a class, an object literal, a function), and a name. Out: a `Hit`. What members
hold is in members.py, members that every object has are in object_members.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import COMPANION, CONSTANT, CONSTRUCTOR, implemented_explicitly
from rpg.encoder.resolve.evaluate.hit import Hit
from rpg.encoder.resolve.program.source_file import ANY, FIELDS, METHODS
from rpg.encoder.resolve.values.mro import ENTRY_ARGUMENTS, OWNER_FILE, OWNER_SYMBOL, Entry, Owner
from rpg.encoder.resolve.values.values import (
    CLASS,
    FILE,
    FUNC,
    INST,
    KIND,
    MODULE,
    MODULE_PATH,
    OBJECT_AT,
    OWN_SCOPE,
    PARENT,
    RECEIVER,
    SPREAD,
    SYMBOL,
    UPPER_BOUND,
    VARIABLE,
    Value,
    Values,
    union,
)
from rpg.graph import CLASS_KINDS, OVERRIDE

if TYPE_CHECKING:
    from rpg.encoder.languages import Rules
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.lookup.modules import Modules
    from rpg.encoder.resolve.evaluate.lookup.partial_types import PartialTypes
    from rpg.encoder.resolve.evaluate.types.annotations import Annotations
    from rpg.encoder.resolve.evaluate.types.owners import Owners
    from rpg.encoder.resolve.program.source_file import SourceFile

_MANY: Final = 16
"""If a type has more parts or classes above it than this, only those are asked for a member that have the name."""
_MOST_SPREADS: Final = 100
"""Spread object literals searched for one member; beyond that the member is unknown."""
_MOST_RENAMINGS: Final = 8
"""Types defined as one another (`type B A`) that are followed for a member; those of damaged code go in circles."""


_NO_HIT: Final = Hit((), (-1, -1), -1, ())
"""For a member that is known not to exist."""


class MemberLookup:
    def __init__(
        self,
        evaluator: Context,
        partial_types: PartialTypes,
        modules: Modules,
        annotations: Annotations,
        owners: Owners,
    ) -> None:
        self.evaluator = evaluator
        self.partial_types = partial_types
        self.modules = modules
        self.annotations = annotations
        self.owners = owners
        self.program = evaluator.program
        self.files = evaluator.files
        self.field_tables: dict[Owner, dict[str, list[int]]] = {}
        self.own_names: dict[Owner, frozenset[str]] = {}
        self.parts_with: dict[Owner, dict[str, list[Owner]]] = {}
        """For a type in many parts: name -> the parts that may have such a member."""
        self.hits: dict[tuple[int, int, str, int], Hit] = {}
        self.spreading: dict[tuple[int, int, int, str], Hit | None] = {}
        """(file, object scope, name) -> where the object's spreads define that member; None while it is being looked
        up."""

    def end(self) -> None:
        """Drops what was found; see `Evaluator.end`."""
        self.field_tables.clear()
        self.own_names.clear()
        self.parts_with.clear()
        self.hits.clear()
        self.spreading.clear()

    # Of a class

    def own(self, file: int, index: int, name: str, space: int = ANY) -> tuple[Owner, ...] | None:
        """A class's own member: its definitions (empty if it is no symbol); None if there is no such member."""
        here = self.files[file]
        definition = here.definitions[index]
        found = here.members_named(index, name, space)
        owned = self.program.owned
        if owned:
            place = self.program.package_of(here)
            outside: Iterable[Owner] = owned.get((place, definition.qualified_name, name), ())
            if here.rules.extensions == "imported" and definition.qualified_name != definition.name:
                outside = (*outside, *self.find_added_within(here, owned.get((place, definition.name, name), ())))
            if here.rules.owners == "named":
                outside = self.owners.members((file, index), name)
            beside = (
                owned.get((here.path, definition.qualified_name, name), ()) if here.rules.owners == "beside" else ()
            )
            elsewhere = self.filter_by_space([*beside, *outside], space) if space else (*beside, *outside)
            if found or elsewhere:
                return (*[(file, each) for each in found], *elsewhere)
        elif found:
            return tuple((file, each) for each in found)
        is_space = here.rules.member_spaces == "named by types" and definition.kind == "class"
        if space == METHODS and not is_space:
            return None
        if space == FIELDS and here.rules.member_spaces == "read as fields":
            # What the class binds to the name may be a method.
            return () if name in self.fields(file, index) else None
        if definition.scope >= 0 and definition.kind in CLASS_KINDS and here.binds(definition.scope, name):
            return ()
        assigned = here.assigned_members.get((1, index, name))
        if assigned is not None:
            return tuple((file, here.code[each + op.DEFINED]) for each in assigned)
        return () if name in self.fields(file, index) else None

    def find_added_within(self, file: SourceFile, added: Iterable[Owner]) -> Iterator[Owner]:
        """What is added to a type within another one by its own name alone: in its file, or where that is imported."""
        package = file.facts.package
        for each in added:
            other = self.files[each[OWNER_FILE]]
            owner = other.definitions[each[OWNER_SYMBOL]].owner
            if other is file or any(
                statement.module.startswith(package) and owner in (name.rpartition(".")[2] for name in statement.names)
                for statement in other.facts.imports
            ):
                yield each

    def filter_by_space(self, definitions: Iterable[Owner], space: int) -> tuple[Owner, ...]:
        return tuple(
            each for each in definitions if self.files[each[OWNER_FILE]].is_in_space(each[OWNER_SYMBOL], space)
        )

    def names_of(self, owner: Owner) -> frozenset[str]:
        """The names of all members that a class may have of its own."""
        known = self.own_names.get(owner)
        if known is None:
            here = self.files[owner[OWNER_FILE]]
            names = {*here.named_in.get(owner[OWNER_SYMBOL], ()), *self.fields(*owner)}
            if self.program.owned:
                qualified_name = here.definitions[owner[OWNER_SYMBOL]].qualified_name
                for place in (self.program.package_of(here), here.path):
                    names.update(self.program.owned_names.get((place, qualified_name), ()))
            if here.rules.owners == "named":
                names.update(self.owners.names(owner))
            known = self.own_names[owner] = frozenset(names)
        return known

    def fields(self, file: int, index: int) -> dict[str, list[int]]:
        key = (file, index)
        table = self.field_tables.get(key)
        if table is None:
            table = self.field_tables[key] = {}
            for name, expression in self.files[file].facts.fields.get(index, ()):
                table.setdefault(name, []).append(expression)
        return table

    def find(self, file: int, index: int, name: str, after: Owner | None = None, space: int = ANY) -> Hit | None:
        """The member of that name; with `after`, as found behind that class in the method resolution order; `space`:
        in one of the namespaces of members."""
        if after is None:
            key = (file, index, name, space)
            known = self.hits.get(key)
            if known is None:
                found = self._find(file, index, name, None, space)
                if found is None and space == FIELDS and self.files[file].rules.member_spaces == "read as fields":
                    found = self._find(file, index, name, None, METHODS)
                known = self.hits[key] = found or _NO_HIT
            return known if known is not _NO_HIT else None
        return self._find(file, index, name, after, space)

    def _find(self, file: int, index: int, name: str, after: Owner | None, space: int) -> Hit | None:
        entries = self.evaluator.class_order(file, index).entries
        start = 0
        if after is not None:
            start = next((at + 1 for at, entry in enumerate(entries) if entry[:ENTRY_ARGUMENTS] == after), 1)
            if self.files[after[OWNER_FILE]].rules.traits == "within":
                start = self.skip_traits(entries, start)
        assigned: Hit | None = None
        own: Hit | None = None
        is_long = len(entries) - start > _MANY
        for distance in range(start, len(entries)):
            owner_unit, owner, arguments = entries[distance]
            parts = self.partial_types.parts.get((owner_unit, owner))
            if is_long and parts is None and name not in self.names_of((owner_unit, owner)):
                continue
            if parts is not None:
                definitions, (owner_unit, owner) = self.find_in_parts(parts, name, space)
            else:
                definitions = self.own(owner_unit, owner, name, space)
            if definitions is None:
                continue
            if len(definitions) > 1 and self.files[owner_unit].rules.traits == "behind":
                definitions = self.not_implemented(definitions) or definitions
            if len(definitions) > 1:
                definitions = self.called_on_objects(definitions)
            hit = Hit(definitions, (owner_unit, owner), distance, arguments)
            here = self.files[owner_unit]
            is_bound = here.binds(here.definitions[owner].scope, name)
            if space == FIELDS and here.rules.member_spaces == "read as fields" and not definitions:
                is_bound = False
            if (
                definitions
                and not is_bound
                and all(self.program.definition(*each).kind == "field" for each in definitions)
            ):
                # A property of a base class intercepts the assignments that define it.
                own = own or hit
            elif definitions or is_bound:
                if own is None or any(self.program.definition(*each).kind == "property" for each in definitions):
                    return hit
                return own
            # Only assigned here: a base class may declare it.
            else:
                assigned = assigned or hit
        return own or assigned

    def skip_traits(self, entries: tuple[Entry, ...], start: int) -> int:
        """Where the traits end that begin there."""
        while start < len(entries) and self.program.definition(*entries[start][:ENTRY_ARGUMENTS]).kind == "trait":
            start += 1
        return start

    def not_implemented(self, definitions: tuple[Owner, ...]) -> tuple[Owner, ...]:
        """Those methods that implement none of a trait."""
        return tuple(each for each in definitions if OVERRIDE not in self.program.definition(*each).modifiers)

    def called_on_objects(self, definitions: tuple[Owner, ...]) -> tuple[Owner, ...]:
        """Those members that are not only the ones of an interface, if there are such."""
        plain = [each for each in definitions if not implemented_explicitly(self.program.definition(*each))]
        return tuple(plain) or definitions

    def find_in_parts(self, parts: list[Owner], name: str, space: int) -> tuple[tuple[Owner, ...] | None, Owner]:
        """A member of a type in several parts, and the first part that has it."""
        if len(parts) > _MANY:
            parts = self.parts_that_name(parts, name) or parts[:1]
        found = [(part, own) for part in parts if (own := self.own(*part, name, space)) is not None]
        if not found:
            return None, parts[0]
        return tuple(each for _, own in found for each in own), found[0][0]

    def parts_that_name(self, parts: list[Owner], name: str) -> list[Owner]:
        """Those of many parts that may have a member of that name."""
        table = self.parts_with.get(parts[0])
        if table is None:
            table = self.parts_with[parts[0]] = {}
            for part in parts:
                for each in self.names_of(part):
                    table.setdefault(each, []).append(part)
        return table.get(name, [])

    def gives_missing(self, value: Value) -> bool:
        """Whether an instance answers for members that it lacks, as with `__getattr__`."""
        missing = self.files[value[FILE]].rules.protocols.missing
        return bool(missing) and self.find(value[FILE], value[SYMBOL], missing) is not None

    # Of a value

    def hit(self, value: Value, name: str, space: int = ANY) -> Hit | None:
        """Where a value's member is defined; None for values without definitions, and for members that are not found.
        `space`: the namespace that the name is read in, see `space_of`."""
        kind: int = value[KIND]
        if kind in (INST, CLASS) and self.files[value[FILE]].rules.sides == "companions":
            return self.find_beside_companion(value, name)
        if kind == INST:
            found = self.find(value[FILE], value[SYMBOL], name, None, space)
            found = found or self.find_in_underlying(value, name)
            if found is not None and self.files[value[FILE]].rules.sides == "apart":
                return self.on_side(found, name, False)
            return None if found is not None and self.is_of_other_side(value, found, "static") else found
        if kind == CLASS:
            found = self.find(value[FILE], value[SYMBOL], name, None, space) or self.find_in_metaclass(value, name)
            if found is not None and self.files[value[FILE]].rules.sides == "apart":
                return self.on_side(found, name, True)
            return None if found is not None and self.is_of_other_side(value, found, "") else found
        if kind == PARENT:
            receiver = value[RECEIVER]
            return self.find(receiver[FILE], receiver[SYMBOL], name, (value[FILE], value[SYMBOL]), space)
        if kind == FUNC:
            definitions = self.own(value[FILE], value[SYMBOL], name)
            if definitions:
                return Hit(definitions, (value[FILE], value[SYMBOL]), 0, ())
            file = self.files[value[FILE]]
            return self.spread_hit(file, value, name) if (1, value[SYMBOL]) in file.merged else None
        if kind == OBJECT_AT:
            return self.object_hit(value, name)
        if kind == VARIABLE:
            for bound in value[UPPER_BOUND]:
                found = self.hit(bound, name, space)
                if found is not None:
                    return found
        return None

    def find_in_underlying(self, value: Value, name: str) -> Hit | None:
        """A member of the struct or interface that a type is defined as (`type Press Key`): what the other type's
        own body and embedded types give, but not the methods that are declared for it."""
        for _ in range(_MOST_RENAMINGS):
            behind = [each for each in self.evaluator.underlying_values(value) if each[KIND] == INST]
            if not behind:
                return None
            value = behind[0]
            found = self.find(value[FILE], value[SYMBOL], name)
            if found is None:
                continue
            is_own = (
                found.owner == value[FILE : SYMBOL + 1] and self.program.definition(*found.owner).kind != "interface"
            )
            kinds = {self.program.definition(*each).kind for each in found.definitions}
            if not is_own or "method" not in kinds:
                return found
        return None

    def accessor(self, file: SourceFile, value: Value, name: str, is_written: bool) -> Hit | None:
        """The method of another language that reading or writing a property of a value runs: `getName` for `name`."""
        if value[KIND] not in (INST, CLASS) or self.has_property(value, name):
            return None
        for each in file.rules.accessors_of(name, is_written):
            hit = self.hit(value, each)
            for owner in hit.definitions if hit is not None else ():
                here = self.files[owner[OWNER_FILE]]
                definition = here.definitions[owner[OWNER_SYMBOL]]
                is_read = definition.kind == "method" and name in here.rules.properties_of(each)
                if hit is not None and is_read and len(here.facts.parameters.get(definition.scope, ())) == is_written:
                    return hit._replace(definitions=(owner,))
        return None

    def has_property(self, value: Value, name: str) -> bool:
        """Whether a value has such a member, not only a field that no other language sees."""
        hit = self.hit(value, name)
        if hit is None or not hit.definitions:
            return hit is not None
        for each in hit.definitions:
            definition = self.program.definition(*each)
            rules = self.files[each[OWNER_FILE]].rules
            if definition.kind != "field" or definition.exported or rules.accessors != "offered":
                return True
        return False

    def on_side(self, hit: Hit, name: str, is_static: bool) -> Hit:
        """Of several members of one name, those that are static, or those that are not: the last one in languages
        without overloads. If there is none, any."""
        here = self.files[hit.owner[OWNER_FILE]]
        inside = [(here.index, each) for each in here.children(hit.owner[OWNER_SYMBOL], name)]
        named = dict.fromkeys((*inside, *hit.definitions))
        fitting = [each for each in named if self.is_of_class(each) == is_static]
        if len(named) < 2 or not fitting:
            return hit
        if here.rules.overloads == "none":
            plain = [each for each in fitting if "setter" not in self.program.definition(*each).flags]
            fitting = (plain or fitting)[-1:]
        return hit._replace(definitions=tuple(fitting))

    def is_of_class(self, member: Owner) -> bool:
        """Whether a member is read from its class, not from an instance."""
        here = self.files[member[OWNER_FILE]]
        definition = here.definitions[member[OWNER_SYMBOL]]
        if "static" in definition.modifiers or CONSTRUCTOR in definition.flags:
            return True
        return definition.kind == "field" and here.definitions[definition.parent].kind == "enum"

    def is_of_other_side(self, value: Value, hit: Hit, side: str) -> bool:
        """Whether a member is static while the value is an instance, or the reverse, in languages that separate the
        two."""
        if not hit.definitions or self.files[value[FILE]].rules.sides != "separate":
            return False
        for each in hit.definitions:
            definition = self.program.definition(*each)
            if definition.kind != "method" or ("static" in definition.modifiers) != bool(side):
                return False
        return True

    def find_in_metaclass(self, value: Value, name: str) -> Hit | None:
        """A class's members that its metaclass defines."""
        for entry in self.evaluator.class_order(value[FILE], value[SYMBOL]).entries:
            here = self.files[entry[OWNER_FILE]]
            for keyword, expression in here.facts.bases.get(entry[OWNER_SYMBOL], ()):
                if keyword and keyword == here.rules.metaclass:
                    for each in self.evaluator.eval(here, expression):
                        if each[KIND] == CLASS:
                            return self.find(each[FILE], each[SYMBOL], name)
        return None

    def find_beside_companion(self, value: Value, name: str) -> Hit | None:
        """The member of an instance or object; of a type that has a companion, the member of the companion."""
        owner = value[FILE : SYMBOL + 1]
        found = self.find(value[FILE], value[SYMBOL], name)
        if value[KIND] == CLASS and self.has_companion(owner):
            if found is not None and found.owner == owner:
                fitting = self.members_on_side(owner, found.definitions, True)
                if fitting:
                    return found._replace(definitions=fitting)
            return self.find_in_companion_bases(value, name)
        while found is not None and found.definitions:
            fitting = self.members_on_side(found.owner, found.definitions, False)
            if fitting:
                return found._replace(definitions=fitting)
            found = self.find(value[FILE], value[SYMBOL], name, found.owner)
        return found

    def members_on_side(self, owner: Owner, definitions: tuple[Owner, ...], is_static: bool) -> tuple[Owner, ...]:
        """Those members of a type that its companion has, or its instances; of other types all."""
        if not self.has_companion(owner):
            return definitions
        return tuple(
            each for each in definitions if ("static" in self.program.definition(*each).modifiers) == is_static
        )

    def has_companion(self, owner: Owner) -> bool:
        return COMPANION in self.program.definition(*owner).flags

    def find_in_companion_bases(self, value: Value, name: str) -> Hit | None:
        """A member that the companion of a type inherits."""
        here = self.files[value[FILE]]
        for keyword, base in reversed(here.facts.bases.get(value[SYMBOL], ())):
            if keyword == here.rules.metaclass:
                for each in self.annotations.typed(here, base):
                    hit = self.find_beside_companion(each, name) if each[KIND] == INST else None
                    if hit is not None:
                        return hit._replace(distance=hit.distance + 1)
        return None

    # Of an object literal, and of what other objects are copied into

    def object_hit(self, value: Value, name: str) -> Hit | None:
        file = self.files[value[FILE]]
        rows = file.rows(value[OWN_SCOPE], name)
        assigned = file.assigned_members.get((0, value[OWN_SCOPE], name))
        if assigned is not None:
            # Under whatever name: `res.set = res.header = function header` makes both mean the function.
            definitions = [(value[FILE], file.code[each + op.DEFINED]) for each in assigned]
            return Hit(tuple(definitions), (value[FILE], 0), 0, ())
        if not rows:
            return self.spread_hit(file, value, name)
        targets = [
            (target[FILE], target[SYMBOL])
            for row in rows
            for target in self.modules.find_bound_values(file, value[OWN_SCOPE], name, row.value)
            if target[KIND] == "definition"
        ]
        scope = file.scopes[value[OWN_SCOPE]]
        if not targets and file.definitions[scope.definition].kind == "type":
            targets = [
                (value[FILE], index)
                for index in file.children(scope.definition, name)
                if scope.start_byte <= file.definitions[index].start_byte < scope.end_byte
            ]
        return Hit(tuple(targets), (value[FILE], scope.definition), 0, ())

    def spread_in(self, file: SourceFile, value: Value) -> Values:
        """The values that an object literal spreads, and those whose members are copied into an object or function."""
        parts: list[int] = []
        if value[KIND] == OBJECT_AT:
            parts += [row.value for row in file.rows(value[OWN_SCOPE], SPREAD) if row.value]
        parts += file.merged.get((int(value[KIND] == FUNC), value[OWN_SCOPE]), ()) if file.merged else ()
        return union([self.evaluator.eval(file, each) for each in parts])

    def spread_hit(self, file: SourceFile, value: Value, name: str) -> Hit | None:
        key = (value[KIND], value[FILE], value[OWN_SCOPE], name)
        if key in self.spreading:
            return self.spreading[key]
        if len(self.spreading) >= _MOST_SPREADS:
            return None
        is_first = not self.spreading
        self.spreading[key] = None
        found = self._spread_hit(file, value, name)
        self.spreading[key] = found
        if is_first:
            self.spreading.clear()
        return found

    def _spread_hit(self, file: SourceFile, value: Value, name: str) -> Hit | None:
        for each in reversed(self.spread_in(file, value)):
            if each[KIND] == MODULE:
                targets = self.modules.targets(each[MODULE_PATH], name)
                found = tuple((target[FILE], target[SYMBOL]) for target in targets if target[KIND] == "definition")
                if found:
                    return Hit(found, (value[FILE], file.scopes[value[OWN_SCOPE]].definition), 0, ())
            elif each[KIND] != OBJECT_AT or each[FILE : OWN_SCOPE + 1] != value[FILE : OWN_SCOPE + 1]:
                hit = self.hit(each, name)
                if hit is not None:
                    return hit
        return None


def space_of(rules: Rules, value: Value, is_called: bool, name: str) -> int:
    """The namespace of members in which a name behind a value is read. That of a constant has a mark of its own."""
    if rules.member_spaces == "one" or name.endswith(CONSTANT):
        return ANY
    if is_called or (value[KIND] == CLASS and rules.member_spaces == "named by types"):
        return METHODS
    return ANY if value[KIND] == VARIABLE and rules.member_spaces == "named by types" else FIELDS
