"""Classes: bases, method resolution order, where members are defined, subclasses.

In: a class, or a value and a name. Out: classes, orders, and where a member was found. What members hold is in
members.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from rpg.encoder.facts import UNDERLYING
from rpg.encoder.languages.results import CLASS_OF
from rpg.encoder.operations import BYTE, CALL, CALLEE, DEFINED, HOLDER, NAME, SUBSCRIPT, WORD
from rpg.encoder.resolve.values.mro import (
    ENTRY_ARGUMENTS,
    OWNER_FILE,
    OWNER_SYMBOL,
    Entry,
    Order,
    Owner,
    ResolutionOrders,
)
from rpg.encoder.resolve.values.values import (
    BUILTIN,
    CLASS,
    CONTAINER,
    EXTERNAL,
    FILE,
    FUNC,
    INST,
    IS_SELF,
    KIND,
    MODULE,
    MODULE_PATH,
    OBJECT_AT,
    OWN_NAME,
    OWN_SCOPE,
    PARENT,
    PRIMITIVE,
    RECEIVER,
    SPREAD,
    SYMBOL,
    TYPE_ARGUMENTS,
    UPPER_BOUND,
    VARIABLE,
    Value,
    Values,
    union,
)
from rpg.graph import CLASS_KINDS, OVERRIDE

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.evaluator import Evaluator
    from rpg.encoder.resolve.program.source_file import SourceFile

_MOST_SPREADS: Final = 100
"""Spread object literals searched for one member; beyond that the member is unknown."""
_CONTRACT: Final = "implements"
"""Keyword of the bases whose contract a class only promises to fulfil."""


class Hit(NamedTuple):
    """Where a member was found."""

    definitions: tuple[Owner, ...]
    owner: Owner
    distance: int
    """0: in the class itself."""
    arguments: tuple[Values, ...]
    """Type arguments of the owner, for its type variables."""


_NO_HIT: Final = Hit((), (-1, -1), -1, ())
"""For a member that is known not to exist."""


class Classes:
    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.program = evaluator.program
        self.files = evaluator.files
        self.orders = ResolutionOrders(self.bases, self.inherited)
        self.base_values: dict[Owner, tuple[tuple[Value, ...], bool, bool]] = {}
        self.field_tables: dict[Owner, dict[str, list[int]]] = {}
        self.variable_names: dict[Owner, tuple[str, ...]] = {}
        self.busy: set[Owner] = set()
        self.spreading: dict[tuple[int, int, int, str], Hit | None] = {}
        """(file, object scope, name) -> where the object's spreads define that member; None while it is being looked
        up."""
        self.hits: dict[tuple[int, int, str], Hit] = {}
        self.made_of_fields: dict[Owner, bool] = {}

    def end(self) -> None:
        """Drops what was found; see `Evaluator.end`."""
        for table in (
            self.hits,
            self.base_values,
            self.field_tables,
            self.spreading,
            self.orders.known,
            self.made_of_fields,
        ):
            table.clear()

    # Bases and order

    def bases(self, file: int, index: int) -> tuple[tuple[Value, ...], bool, bool]:
        """(classes of the repository, some base is external, some base is unknown)."""
        key = (file, index)
        known = self.base_values.get(key)
        if known is not None:
            return known
        if key in self.busy:
            return (), False, False
        self.busy.add(key)
        found: list[Value] = []
        external = unknown = False
        for here, keyword, expression in self.written_bases(key):
            if keyword:
                continue
            typed = self.evaluator.annotations.typed(here, expression)
            is_itself = all(each[KIND] == INST and each[FILE : SYMBOL + 1] == key for each in typed)
            if typed and is_itself and here.rules.has_packages:
                typed = self.beyond_itself(here, expression)
            if here.code[expression] == CALL:
                found += self.made_below(here, expression)
                unknown = True
            unknown = unknown or not typed
            for value in typed:
                if value[KIND] == INST and value[FILE : SYMBOL + 1] != key:
                    found.append((CLASS, value[FILE], value[SYMBOL], value[TYPE_ARGUMENTS], False))
                elif value[KIND] != INST and not self.is_plain(here, value):
                    external = True
        self.busy.discard(key)
        external = external or self.evaluator.global_names.is_open(self.files[file], index)
        found += [(CLASS, *each, (), False) for each in self.augmentations.get(key, ())]
        result = tuple(dict.fromkeys(found)), external, unknown
        if not self.busy:
            self.base_values[key] = result
        return result

    def written_bases(self, owner: Owner) -> Iterator[tuple[SourceFile, str, int]]:
        """The bases of a class, with their keywords and files: those of all of its parts."""
        for file, index in self.evaluator.partial_types.parts.get(owner, (owner,)):
            here = self.files[file]
            for keyword, expression in here.facts.bases.get(index, ()):
                yield here, keyword, expression

    def is_below_library(self, value: Value) -> bool:
        """Whether a class gets missing members from constants outside the repository: every unknown base, direct or
        inherited, is one."""
        if not self.files[value[FILE]].rules.constants_are_capitalised:
            return False
        order = self.order(value[FILE], value[SYMBOL])
        for entry in order.entries:
            here = self.files[entry[OWNER_FILE]]
            for _, expression in here.facts.bases.get(entry[OWNER_SYMBOL], ()):
                is_known = bool(self.evaluator.annotations.typed(here, expression))
                if not is_known and not self.evaluator.package_names.is_constant_outside(here, expression):
                    return False
        return order.unknown

    def beyond_itself(self, file: SourceFile, e: int) -> Values:
        """The base that a class names by its own name: what the name would mean without the class."""
        code = file.code
        if code[e] == SUBSCRIPT:
            e = code[e + HOLDER]
        if code[e] != NAME:
            return ()
        found = self.evaluator.free(file, file.strings[code[e + WORD]], code[e + BYTE])
        return tuple((INST, *each[FILE : SYMBOL + 1], (), False) if each[KIND] == CLASS else each for each in found)

    def is_base_of(self, file: SourceFile, e: int, index: int) -> bool:
        """Whether an expression is what a class names as a base."""
        code = file.code
        return any(
            each == e or (code[each] == SUBSCRIPT and code[each + HOLDER] == e)
            for keyword, each in file.facts.bases.get(index, ())
            if not keyword or keyword != file.rules.metaclass
        )

    def made_below(self, file: SourceFile, call: int) -> list[Value]:
        """The base classes that a call returns, if the function called returns `type(x, (cls,), y)`."""
        evaluator = self.evaluator
        found: list[Value] = []
        for callee in evaluator.eval(file, file.code[call + CALLEE]):
            if callee[KIND] != FUNC or callee[RECEIVER] is None or callee[RECEIVER][KIND] != CLASS:
                continue
            here = self.files[callee[FILE]]
            for made in here.facts.returns.get(here.definitions[callee[SYMBOL]].scope, ()):
                keyword = self.class_made(here, made)
                if keyword:
                    bases = evaluator.containers.elements(evaluator.calls.argument(here, made, 1, keyword))
                    found += [callee[RECEIVER] for base in bases if base[KIND] == CLASS and base[IS_SELF]]
        return found

    def class_made(self, file: SourceFile, e: int) -> str:
        """For a call that creates a class, the keyword of its bases."""
        callees = self.evaluator.eval(file, file.code[e + CALLEE]) if file.code[e] == CALL else ()
        if len(callees) != 1 or callees[0][KIND] != BUILTIN:
            return ""
        gives = file.rules.functions_by_last_part.get(callees[0][OWN_NAME])
        return gives.detail if gives is not None and gives.what == CLASS_OF else ""

    def gives_missing(self, value: Value) -> bool:
        """Whether an instance answers for members that it lacks, as with `__getattr__`."""
        missing = self.files[value[FILE]].rules.protocols.missing
        return bool(missing) and self.find(value[FILE], value[SYMBOL], missing) is not None

    @property
    def augmentations(self) -> dict[Owner, list[Owner]]:
        """Type -> what other modules add to it (`declare module "name" { interface Type { ... } }`)."""
        return self.program.surveyed("augmentations", self._make_augmentations)  # type: ignore[no-any-return]

    def _make_augmentations(self) -> dict[Owner, list[Owner]]:
        found = {owner: list(parts) for owner, parts in self.evaluator.global_names.parts().items()}
        for file in self.files:
            named = {
                index: files
                for index, definition in enumerate(file.definitions)
                if "namespace" in definition.flags and definition.signature.endswith(('"', "'"))
                if (files := file.rules.module(file.path, definition.name, 0))
            }
            for part, definition in enumerate(file.definitions) if named else ():
                for path in named.get(definition.parent, ()):
                    for kind, other, target in self.evaluator.modules.targets(path, definition.name, as_type=True):
                        if kind == "definition" and self.program.definition(other, target).kind in CLASS_KINDS:
                            found.setdefault((other, target), []).append((file.index, part))
        return found

    def contracts(self, file: SourceFile, index: int) -> list[Owner]:
        """The interfaces that a class declares to implement: it inherits no members from them."""
        found = []
        for keyword, expression in file.facts.bases.get(index, ()):
            if keyword == _CONTRACT:
                found += [
                    each[FILE : SYMBOL + 1]
                    for each in self.evaluator.annotations.typed(file, expression)
                    if each[KIND] == INST
                ]
        return found

    def underlying(self, value: Value) -> Values:
        """The values behind an instance of a type that only renames another one."""
        here = self.files[value[FILE]]
        if here.definitions[value[SYMBOL]].kind != "type":
            return ()
        bases = here.facts.bases.get(value[SYMBOL], ())
        return union([self.evaluator.annotations.typed(here, each) for keyword, each in bases if keyword == UNDERLYING])

    def is_named_tuple(self, file: int, index: int) -> bool:
        here = self.files[file]
        makers = here.rules.tuple_bases
        return any(
            not keyword and value[KIND] == EXTERNAL and value[OWN_NAME].endswith(makers)
            for keyword, expression in here.facts.bases.get(index, ())
            for value in self.evaluator.annotations.typed(here, expression)
        )

    def is_typed_dict(self, file: int, index: int) -> bool:
        """Whether instances are dictionaries whose keys the class declares."""
        makers = self.files[file].rules.dictionary_bases
        return any(
            not keyword and value[KIND] == EXTERNAL and value[OWN_NAME].endswith(makers)
            for owner in self.order(file, index).entries
            for keyword, expression in self.files[owner[OWNER_FILE]].facts.bases.get(owner[OWNER_SYMBOL], ())
            for value in self.evaluator.annotations.typed(self.files[owner[OWNER_FILE]], expression)
        )

    def is_made_of_fields(self, file: int, index: int) -> bool:
        """Whether a call of a class takes its fields as keywords, because no constructor in the repository says what it
        takes."""
        key = (file, index)
        known = self.made_of_fields.get(key)
        if known is None:
            known = self.made_of_fields[key] = self._is_made_of_fields(file, index)
        return known

    def _is_made_of_fields(self, file: int, index: int) -> bool:
        for owner_file, owner, _ in self.order(file, index).entries:
            here = self.files[owner_file]
            if self.own(owner_file, owner, here.rules.constructor) is not None:
                return False
            if "dataclass" in here.definitions[owner].flags:
                return True
            for keyword, expression in here.facts.bases.get(owner, ()):
                for base in self.evaluator.annotations.typed(here, expression) if not keyword else ():
                    name = base[OWN_NAME] if base[KIND] == EXTERNAL else ""
                    if name.removesuffix("()").rpartition(".")[2] in here.rules.field_bases:
                        return True
        return False

    def is_plain(self, file: SourceFile, value: Value) -> bool:
        """Whether an external base contributes no relevant members."""
        name = value[OWN_NAME] if value[KIND] in (EXTERNAL, BUILTIN, PRIMITIVE) else ""
        return isinstance(name, str) and name.removesuffix("()").rpartition(".")[2] in file.rules.plain_bases

    def order(self, file: int, index: int) -> Order:
        """C3 linearisation over the classes of the repository; depth first if there is none."""
        return self.orders.known.get((file, index)) or self.orders.order((file, index))

    def inherited(self, base: Value, entries: tuple[Entry, ...]) -> list[Entry]:
        """A base's entries, with the type arguments of the derivation."""
        bound = (
            dict(zip(self.variables(base[FILE], base[SYMBOL]), base[TYPE_ARGUMENTS], strict=False))
            if base[TYPE_ARGUMENTS]
            else {}
        )
        own: Entry = (base[FILE], base[SYMBOL], base[TYPE_ARGUMENTS])
        if not bound:
            return [own, *entries[1:]]
        return [own, *((file, index, self.substituted(arguments, bound)) for file, index, arguments in entries[1:])]

    def substituted(self, arguments: tuple[Values, ...], bound: dict[str, Values]) -> tuple[Values, ...]:
        return (
            tuple(self.evaluator.type_variables.substitute(values, bound) for values in arguments)
            if bound
            else arguments
        )

    def variables(self, file: int, index: int) -> tuple[str, ...]:
        """The names of a class's type variables, in order."""
        key = (file, index)
        known = self.variable_names.get(key)
        if known is not None:
            return known
        here = self.files[file]
        declared = here.facts.type_parameters.get(index)
        if declared is not None:
            self.variable_names[key] = tuple(declared)
            return tuple(declared)
        names: dict[str, None] = {}
        for keyword, expression in here.facts.bases.get(index, ()):
            if not keyword:
                for name in self.evaluator.type_variables.variables_in(here, expression):
                    names[name] = None
        self.variable_names[key] = tuple(names)
        return tuple(names)

    @property
    def subclasses(self) -> dict[Owner, list[Owner]]:
        """Class -> all of its direct and indirect subclasses."""
        return self.program.table("subclasses", self._above)

    def _above(self, file: SourceFile) -> Iterator[tuple[Owner, Owner]]:
        for index in file.facts.bases:
            if file.definitions[index].kind in CLASS_KINDS:
                self.evaluator.start()
                for entry in self.order(file.index, index).entries[1:]:
                    yield entry[:ENTRY_ARGUMENTS], (file.index, index)

    def is_any_of(self, value: Value, tested: Values) -> bool:
        """Whether a value is an instance of one of the tested classes."""
        if value[KIND] == INST:
            above = {entry[:ENTRY_ARGUMENTS] for entry in self.order(value[FILE], value[SYMBOL]).entries}
            return any(each[KIND] == INST and each[FILE : SYMBOL + 1] in above for each in tested)
        return any(
            each == value
            or (each[KIND] == value[KIND] == CONTAINER and each[OWN_NAME] == value[OWN_NAME])
            or each[KIND] == value[KIND] == EXTERNAL
            for each in tested
        )

    # Members

    def fields(self, file: int, index: int) -> dict[str, list[int]]:
        key = (file, index)
        table = self.field_tables.get(key)
        if table is None:
            table = self.field_tables[key] = {}
            for name, expression in self.files[file].facts.fields.get(index, ()):
                table.setdefault(name, []).append(expression)
        return table

    def own(self, file: int, index: int, name: str) -> tuple[Owner, ...] | None:
        """A class's own member: its definitions (empty if it is no symbol); None if there is no such member."""
        here = self.files[file]
        definition = here.definitions[index]
        found = here.members_named(index, name)
        owned = self.program.owned
        if owned:
            outside = owned.get((self.program.package_of(here), definition.qualified_name, name), ())
            beside = owned.get((here.path, definition.qualified_name, name), ()) if here.rules.owners_are_beside else ()
            if found or outside or beside:
                return (*[(file, each) for each in found], *beside, *outside)
        elif found:
            return tuple((file, each) for each in found)
        if definition.scope >= 0 and definition.kind in CLASS_KINDS and here.binds(definition.scope, name):
            return ()
        assigned = here.assigned_members.get((1, index, name))
        if assigned is not None:
            return tuple((file, here.code[each + DEFINED]) for each in assigned)
        return () if name in self.fields(file, index) else None

    def find(self, file: int, index: int, name: str, after: Owner | None = None) -> Hit | None:
        """The member of that name; with `after`, as found behind that class in the method resolution order."""
        if after is None:
            key = (file, index, name)
            known = self.hits.get(key)
            if known is None:
                known = self.hits[key] = self._find(file, index, name, None) or _NO_HIT
            return known if known is not _NO_HIT else None
        return self._find(file, index, name, after)

    def _find(self, file: int, index: int, name: str, after: Owner | None) -> Hit | None:
        entries = self.order(file, index).entries
        start = 0
        if after is not None:
            start = next((at + 1 for at, entry in enumerate(entries) if entry[:ENTRY_ARGUMENTS] == after), 1)
            if self.files[after[OWNER_FILE]].rules.traits_are_part_of_classes:
                start = self.behind_traits(entries, start)
        assigned: Hit | None = None
        own: Hit | None = None
        for distance in range(start, len(entries)):
            owner_unit, owner, arguments = entries[distance]
            parts = self.evaluator.partial_types.parts.get((owner_unit, owner))
            if parts is not None:
                definitions, (owner_unit, owner) = self.of_parts(parts, name)
            else:
                definitions = self.own(owner_unit, owner, name)
            if definitions is None:
                continue
            if len(definitions) > 1 and self.files[owner_unit].rules.own_methods_hide_implemented:
                definitions = self.not_implemented(definitions) or definitions
            hit = Hit(definitions, (owner_unit, owner), distance, arguments)
            here = self.files[owner_unit]
            is_bound = here.binds(here.definitions[owner].scope, name)
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

    def behind_traits(self, entries: tuple[Entry, ...], start: int) -> int:
        """Where the traits end that begin there."""
        while start < len(entries) and self.program.definition(*entries[start][:ENTRY_ARGUMENTS]).kind == "trait":
            start += 1
        return start

    def not_implemented(self, definitions: tuple[Owner, ...]) -> tuple[Owner, ...]:
        """Those methods that implement none of a trait."""
        return tuple(each for each in definitions if OVERRIDE not in self.program.definition(*each).modifiers)

    def of_parts(self, parts: list[Owner], name: str) -> tuple[tuple[Owner, ...] | None, Owner]:
        """A member of a type in several parts, and the first part that has it."""
        found = [(part, own) for part in parts if (own := self.own(*part, name)) is not None]
        if not found:
            return None, parts[0]
        return tuple(each for _, own in found for each in own), found[0][0]

    def hit(self, value: Value, name: str) -> Hit | None:
        """Where a value's member is defined; None for values without definitions, and for members that are not
        found."""
        kind: int = value[KIND]
        if kind in (INST, CLASS) and self.files[value[FILE]].rules.has_companions:
            return self.beside_companion(value, name)
        if kind == INST:
            found = self.find(value[FILE], value[SYMBOL], name)
            if found is not None and self.files[value[FILE]].rules.sides_share_names:
                return self.on_side(found, name, False)
            return None if found is not None and self.is_of_other_side(value, found, "static") else found
        if kind == CLASS:
            found = self.find(value[FILE], value[SYMBOL], name) or self.of_metaclass(value, name)
            if found is not None and self.files[value[FILE]].rules.sides_share_names:
                return self.on_side(found, name, True)
            return None if found is not None and self.is_of_other_side(value, found, "") else found
        if kind == PARENT:
            receiver = value[RECEIVER]
            return self.find(receiver[FILE], receiver[SYMBOL], name, (value[FILE], value[SYMBOL]))
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
                found = self.hit(bound, name)
                if found is not None:
                    return found
        return None

    def on_side(self, hit: Hit, name: str, is_static: bool) -> Hit:
        """Of several members of one name, the last that is static, or the last that is not; if there is none, any."""
        here = self.files[hit.owner[OWNER_FILE]]
        named = here.children(hit.owner[OWNER_SYMBOL], name)
        if len(named) < 2:
            return hit
        fitting = [each for each in named if ("static" in here.definitions[each].modifiers) == is_static]
        return hit._replace(definitions=((here.index, fitting[-1]),)) if fitting else hit

    def beside_companion(self, value: Value, name: str) -> Hit | None:
        """The member of an instance or object; of a type that has a companion, the member of the companion."""
        owner = value[FILE : SYMBOL + 1]
        companions = self.evaluator.companions
        found = self.find(value[FILE], value[SYMBOL], name)
        if value[KIND] == CLASS and companions.has_companion(owner):
            if found is not None and found.owner == owner:
                fitting = companions.on_side(owner, found.definitions, True)
                if fitting:
                    return found._replace(definitions=fitting)
            return self.of_companion_bases(value, name)
        while found is not None and found.definitions:
            fitting = companions.on_side(found.owner, found.definitions, False)
            if fitting:
                return found._replace(definitions=fitting)
            found = self.find(value[FILE], value[SYMBOL], name, found.owner)
        return found

    def of_companion_bases(self, value: Value, name: str) -> Hit | None:
        """A member that the companion of a type inherits."""
        here = self.files[value[FILE]]
        for keyword, base in reversed(here.facts.bases.get(value[SYMBOL], ())):
            if keyword == here.rules.metaclass:
                for each in self.evaluator.annotations.typed(here, base):
                    hit = self.beside_companion(each, name) if each[KIND] == INST else None
                    if hit is not None:
                        return hit._replace(distance=hit.distance + 1)
        return None

    def is_of_other_side(self, value: Value, hit: Hit, side: str) -> bool:
        """Whether a member is static while the value is an instance, or the reverse, in languages that separate the
        two."""
        if not hit.definitions or not self.files[value[FILE]].rules.statics_are_separate:
            return False
        for each in hit.definitions:
            definition = self.program.definition(*each)
            if definition.kind != "method" or ("static" in definition.modifiers) != bool(side):
                return False
        return True

    def of_metaclass(self, value: Value, name: str) -> Hit | None:
        """A class's members that its metaclass defines."""
        for entry in self.order(value[FILE], value[SYMBOL]).entries:
            here = self.files[entry[OWNER_FILE]]
            for keyword, expression in here.facts.bases.get(entry[OWNER_SYMBOL], ()):
                if keyword and keyword == here.rules.metaclass:
                    for each in self.evaluator.eval(here, expression):
                        if each[KIND] == CLASS:
                            return self.find(each[FILE], each[SYMBOL], name)
        return None

    def object_hit(self, value: Value, name: str) -> Hit | None:
        file = self.files[value[FILE]]
        rows = file.rows(value[OWN_SCOPE], name)
        assigned = file.assigned_members.get((0, value[OWN_SCOPE], name))
        if assigned is not None:
            # Under whatever name: `res.set = res.header = function header` makes both mean the function.
            definitions = [(value[FILE], file.code[each + DEFINED]) for each in assigned]
            return Hit(tuple(definitions), (value[FILE], 0), 0, ())
        if not rows:
            return self.spread_hit(file, value, name)
        targets = [
            (target[FILE], target[SYMBOL])
            for row in rows
            for target in self.evaluator.modules.of_binding(file, value[OWN_SCOPE], name, row.value)
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
                targets = self.evaluator.modules.targets(each[MODULE_PATH], name)
                found = tuple((target[FILE], target[SYMBOL]) for target in targets if target[KIND] == "definition")
                if found:
                    return Hit(found, (value[FILE], file.scopes[value[OWN_SCOPE]].definition), 0, ())
            elif each[KIND] != OBJECT_AT or each[FILE : OWN_SCOPE + 1] != value[FILE : OWN_SCOPE + 1]:
                hit = self.hit(each, name)
                if hit is not None:
                    return hit
        return None

    # Receivers
