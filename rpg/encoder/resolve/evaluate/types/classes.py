"""The class hierarchy: bases, method resolution order, subclasses, and what a class is by its bases.

In: a class. Out: classes, orders, and what the bases make of it: a named tuple, a typed dictionary, a class called
with its fields. Where members are defined is in member_lookup.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import UNDERLYING
from rpg.encoder.languages.results import CLASS_OF
from rpg.encoder.languages.standard_library import LibraryBase
from rpg.encoder.resolve.values.mro import (
    ENTRY_ARGUMENTS,
    MOST_ABOVE,
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
    OWN_NAME,
    PRIMITIVE,
    RECEIVER,
    SYMBOL,
    TYPE_ARGUMENTS,
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
    from rpg.encoder.resolve.evaluate.lookup.package_names import PackageNames
    from rpg.encoder.resolve.evaluate.lookup.partial_types import PartialTypes
    from rpg.encoder.resolve.evaluate.types.annotations import Annotations
    from rpg.encoder.resolve.evaluate.types.member_lookup import MemberLookup
    from rpg.encoder.resolve.evaluate.types.owners import Owners
    from rpg.encoder.resolve.program.source_file import SourceFile

TOO_MANY_ABOVE: Final = f"a class has more than {MOST_ABOVE} classes above it"
_CONTRACT: Final = "implements"
"""Keyword of the bases whose contract a class only promises to fulfil."""


class Classes:
    def __init__(
        self,
        evaluator: Context,
        partial_types: PartialTypes,
        package_names: PackageNames,
        global_names: GlobalNames,
        modules: Modules,
        annotations: Annotations,
        owners: Owners,
        member_lookup: MemberLookup,
    ) -> None:
        self.evaluator = evaluator
        self.partial_types = partial_types
        self.package_names = package_names
        self.global_names = global_names
        self.modules = modules
        self.annotations = annotations
        self.owners = owners
        self.member_lookup = member_lookup
        self.program = evaluator.program
        self.files = evaluator.files
        self.orders = ResolutionOrders(self.bases, self.inherited)
        self.base_values: dict[Owner, tuple[tuple[Value, ...], bool, bool]] = {}
        self.variable_names: dict[Owner, tuple[str, ...]] = {}
        self.busy: set[Owner] = set()
        self.made_of_fields: dict[Owner, bool] = {}
        self.of_metaclasses: dict[tuple[int, int, str], tuple[Owner, ...]] = {}
        """Class and name -> see `run_by_metaclass`."""

    def end(self) -> None:
        """Drops what was found; see `Evaluator.end`."""
        self.base_values.clear()
        self.orders.known.clear()
        self.made_of_fields.clear()

    # Bases

    def bases(self, file: int, index: int) -> tuple[tuple[Value, ...], bool, bool]:
        """(classes of the repository, some base is external, some base is unknown)."""
        key = (file, index)
        known = self.base_values.get(key)
        if known is not None:
            return known
        whole = self.partial_types.whole(file, index)
        if whole != key:
            return self.bases(*whole)
        if key in self.busy:
            return (), False, False
        self.busy.add(key)
        found, external, unknown = self.bases_among(key, self.list_written_bases(key))
        self.busy.discard(key)
        external = external or self.global_names.is_open(self.files[file], index)
        found += [(CLASS, *each, (), False) for each in self.augmentations.get(key, ())]
        result = tuple(dict.fromkeys(found)), external, unknown
        if not self.busy:
            self.base_values[key] = result
        return result

    def bases_among(self, key: Owner, written: Iterable[tuple[SourceFile, str, int]]) -> tuple[list[Value], bool, bool]:
        """What the written bases of a class are: classes of the repository, and whether some is external or unknown."""
        found: list[Value] = []
        external = unknown = False
        for here, keyword, expression in written:
            if keyword:
                continue
            if here.rules.protocols.prototype and here.code[expression] == op.NAME:
                makers = [each for each in self.evaluator.eval(here, expression) if each[KIND] == FUNC]
                if makers:
                    found += [(CLASS, *each[FILE : SYMBOL + 1], (), False) for each in makers]
                    continue
            typed = self.annotations.typed(here, expression)
            is_itself = all(each[KIND] == INST and each[FILE : SYMBOL + 1] == key for each in typed)
            if typed and is_itself and here.rules.has_packages:
                typed = self.beyond_itself(here, expression)
            if here.code[expression] == op.CALL:
                found += self.find_made_below(here, expression)
                unknown = True
            unknown = unknown or not typed
            for value in typed:
                if value[KIND] == INST and value[FILE : SYMBOL + 1] != key:
                    found.append((CLASS, value[FILE], value[SYMBOL], value[TYPE_ARGUMENTS], False))
                elif value[KIND] != INST and not self.is_plain(here, value):
                    external = True
        return found, external, unknown

    def list_written_bases(self, owner: Owner) -> Iterator[tuple[SourceFile, str, int]]:
        """The bases of a class, with their keywords and files: those of all of its parts."""
        for file, index in self.partial_types.parts.get(owner, (owner,)):
            here = self.files[file]
            for keyword, expression in here.facts.bases.get(index, ()):
                yield here, keyword, expression
            if here.rules.owners == "named":
                for other, expression in self.owners.bases((file, index)):
                    yield other, "", expression

    def beyond_itself(self, file: SourceFile, e: int) -> Values:
        """The base that a class names by its own name: what the name would mean without the class."""
        code = file.code
        if code[e] == op.SUBSCRIPT:
            e = code[e + op.HOLDER]
        if code[e] != op.NAME:
            return ()
        found = self.evaluator.free(file, file.strings[code[e + op.WORD]], code[e + op.BYTE])
        return tuple((INST, *each[FILE : SYMBOL + 1], (), False) if each[KIND] == CLASS else each for each in found)

    def find_made_below(self, file: SourceFile, call: int) -> list[Value]:
        """The base classes that a call returns, if the function called returns `type(x, (cls,), y)`."""
        evaluator = self.evaluator
        found: list[Value] = []
        for callee in evaluator.eval(file, file.code[call + op.CALLEE]):
            if callee[KIND] != FUNC or callee[RECEIVER] is None or callee[RECEIVER][KIND] != CLASS:
                continue
            here = self.files[callee[FILE]]
            for made in here.facts.returns.get(here.definitions[callee[SYMBOL]].scope, ()):
                keyword = self.class_made(here, made)
                if keyword:
                    bases = evaluator.elements(evaluator.argument(here, made, 1, keyword))
                    found += [callee[RECEIVER] for base in bases if base[KIND] == CLASS and base[IS_SELF]]
        return found

    def class_made(self, file: SourceFile, e: int) -> str:
        """For a call that creates a class, the keyword of its bases."""
        callees = self.evaluator.eval(file, file.code[e + op.CALLEE]) if file.code[e] == op.CALL else ()
        if len(callees) != 1 or callees[0][KIND] != BUILTIN:
            return ""
        gives = file.rules.functions_by_last_part.get(callees[0][OWN_NAME])
        return gives.detail if gives is not None and gives.what == CLASS_OF else ""

    @property
    def augmentations(self) -> dict[Owner, list[Owner]]:
        """Type -> what other modules add to it (`declare module "name" { interface Type { ... } }`)."""
        return self.program.surveyed("augmentations", self._make_augmentations)  # type: ignore[no-any-return]

    def _make_augmentations(self) -> dict[Owner, list[Owner]]:
        found = {owner: list(parts) for owner, parts in self.global_names.parts().items()}
        for file in self.files:
            named = {
                index: files
                for index, definition in enumerate(file.definitions)
                if "namespace" in definition.flags and definition.signature.endswith(('"', "'"))
                if (files := file.rules.module(file.path, definition.name, 0))
            }
            for part, definition in enumerate(file.definitions) if named else ():
                for path in named.get(definition.parent, ()):
                    for kind, other, target in self.modules.targets(path, definition.name, as_type=True):
                        if kind == "definition" and self.program.definition(other, target).kind in CLASS_KINDS:
                            found.setdefault((other, target), []).append((file.index, part))
        return found

    def is_base_of(self, file: SourceFile, e: int, index: int) -> bool:
        """Whether an expression is what a class names as a base."""
        code = file.code
        return any(
            each == e or (code[each] == op.SUBSCRIPT and code[each + op.HOLDER] == e)
            for keyword, each in file.facts.bases.get(index, ())
            if not keyword or keyword != file.rules.metaclass
        )

    def contracts(self, file: SourceFile, index: int) -> list[Owner]:
        """The interfaces that a class declares to implement: it inherits no members from them."""
        found = []
        for keyword, expression in file.facts.bases.get(index, ()):
            if keyword == _CONTRACT:
                found += [
                    each[FILE : SYMBOL + 1] for each in self.annotations.typed(file, expression) if each[KIND] == INST
                ]
        return found

    def underlying(self, value: Value) -> Values:
        """The values behind an instance of a type that only renames another one."""
        here = self.files[value[FILE]]
        if here.definitions[value[SYMBOL]].kind != "type":
            return ()
        bases = here.facts.bases.get(value[SYMBOL], ())
        return union([self.annotations.typed(here, each) for keyword, each in bases if keyword == UNDERLYING])

    # Order

    def order(self, file: int, index: int) -> Order:
        """C3 linearisation over the classes of the repository; depth first if there is none."""
        return self.orders.known.get((file, index)) or self._order((file, index))

    def _order(self, key: Owner) -> Order:
        whole = self.partial_types.whole(*key)
        if whole == key:
            order = self.orders.order(key)
            if order.is_cut:
                self.evaluator.limit(self.files[key[OWNER_FILE]], TOO_MANY_ABOVE)
            return order
        order = self.order(*whole)
        order = order._replace(entries=((*key, ()), *order.entries[1:]))
        self.orders.known[key] = order
        return order

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
        return [own, *((file, index, self.substitute_all(arguments, bound)) for file, index, arguments in entries[1:])]

    def substitute_all(self, arguments: tuple[Values, ...], bound: dict[str, Values]) -> tuple[Values, ...]:
        return tuple(self.evaluator.substitute(values, bound) for values in arguments) if bound else arguments

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
                for name in self.variables_in(here, expression):
                    names[name] = None
        self.variable_names[key] = tuple(names)
        return tuple(names)

    def variables_in(self, file: SourceFile, e: int) -> Iterator[str]:
        """The type variables in a base class expression; those of Generic and Protocol come first."""
        code = file.code
        if code[e] != op.SUBSCRIPT:
            return
        index = code[e + op.INDEX]
        parts = op.items_of(code, index) if code[index] == op.TUPLE else (index,)
        for part in parts:
            if code[part] == op.SUBSCRIPT:
                yield from self.variables_in(file, part)
            else:
                for value in self.annotations.typed(file, part):
                    if value[KIND] == VARIABLE:
                        yield value[OWN_NAME]

    @property
    def subclasses(self) -> dict[Owner, list[Owner]]:
        """Class -> all of its direct and indirect subclasses."""
        return self.program.table("subclasses", self._above)

    def _above(self, file: SourceFile) -> Iterator[tuple[Owner, Owner]]:
        for index in file.facts.bases:
            if file.definitions[index].kind in CLASS_KINDS:
                self.evaluator.start()
                here: Owner = (file.index, index)
                for entry in self.above(here):
                    yield entry[:ENTRY_ARGUMENTS], here

    def above(self, owner: Owner) -> Iterable[Entry]:
        """What a class is below; for a part of a type, what that part brings: together they bring all."""
        parts = self.partial_types.parts.get(owner)
        if parts is None:
            return self.order(*owner).entries[1:]
        here = self.files[owner[OWNER_FILE]]
        written = [(here, *each) for each in here.facts.bases.get(owner[OWNER_SYMBOL], ())]
        found, _, _ = self.bases_among(parts[0], written)
        entries = [entry for base in dict.fromkeys(found) for entry in self.order(base[FILE], base[SYMBOL]).entries]
        return {entry[:ENTRY_ARGUMENTS]: entry for entry in entries if entry[:ENTRY_ARGUMENTS] != parts[0]}.values()

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

    # What a class is by its bases

    def is_below_library(self, value: Value) -> bool:
        """Whether a class gets missing members from constants outside the repository: every unknown base, direct or
        inherited, is one."""
        if not self.files[value[FILE]].rules.constants_are_capitalised:
            return False
        order = self.order(value[FILE], value[SYMBOL])
        for entry in order.entries:
            here = self.files[entry[OWNER_FILE]]
            for _, expression in here.facts.bases.get(entry[OWNER_SYMBOL], ()):
                is_known = bool(self.annotations.typed(here, expression))
                if not is_known and not self.package_names.is_constant_outside(here, expression):
                    return False
        return order.unknown

    def is_named_tuple(self, file: int, index: int) -> bool:
        base = self.find_library_base(file, index)
        return base is not None and base.is_made_of == "tuple"

    def find_library_base(self, file: int, index: int) -> LibraryBase | None:
        """The base of a class itself that says what its instances are."""
        here = self.files[file]
        known = here.rules.library_bases
        for keyword, expression in here.facts.bases.get(index, ()) if known else ():
            for value in self.annotations.typed(here, expression) if not keyword else ():
                if value[KIND] == EXTERNAL and value[OWN_NAME].endswith("()"):
                    base = known.get(value[OWN_NAME].rpartition(".")[2].partition("(")[0])
                    if base is not None and base.members:
                        return base
        return None

    def is_typed_dict(self, file: int, index: int) -> bool:
        """Whether instances are dictionaries whose keys the class declares."""
        for owner in self.order(file, index).entries:
            base = self.find_library_base(owner[OWNER_FILE], owner[OWNER_SYMBOL])
            if base is not None and base.is_made_of == "dictionary":
                return True
        return False

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
            if self.member_lookup.own(owner_file, owner, here.rules.constructor) is not None:
                return False
            if "dataclass" in here.definitions[owner].flags:
                return True
            for keyword, expression in here.facts.bases.get(owner, ()):
                for base in self.annotations.typed(here, expression) if not keyword else ():
                    name = base[OWN_NAME] if base[KIND] == EXTERNAL else ""
                    known = here.rules.library_bases.get(name.removesuffix("()").rpartition(".")[2])
                    if known is not None and known.is_made_of:
                        return True
        return False

    def run_by_metaclass(self, owner: Owner, name: str) -> tuple[Owner, ...]:
        """The methods of that name which the metaclass of a class runs in the class's place."""
        key = (*owner, name)
        known = self.of_metaclasses.get(key)
        if known is None:
            hit = self.member_lookup.find_in_metaclass((CLASS, *owner, (), False), name)
            known = self.of_metaclasses[key] = hit.definitions if hit is not None else ()
        return known

    def is_plain(self, file: SourceFile, value: Value) -> bool:
        """Whether an external base contributes no relevant members."""
        name = value[OWN_NAME] if value[KIND] in (EXTERNAL, BUILTIN, PRIMITIVE) else ""
        return isinstance(name, str) and name.removesuffix("()").rpartition(".")[2] in file.rules.plain_bases
