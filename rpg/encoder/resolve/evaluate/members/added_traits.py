"""Traits of the repository that types from outside implement here, whose methods are called as their members.

In: a value that lacks a member, and its name. Out: the methods of such traits, as they are declared there, by the type
that an `impl` names or that fits any; else those that it can only be, as the file sees no other: a macro may have
written the `impl`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import ANY_TYPE, IMPLEMENTED
from rpg.encoder.resolve.evaluate.types.owners import last_name
from rpg.encoder.resolve.values.mro import OWNER_FILE, OWNER_SYMBOL, Owner
from rpg.encoder.resolve.values.values import (
    BUILTIN,
    CLASS,
    CONTAINER,
    EXTERNAL,
    FILE,
    INST,
    KIND,
    LITERAL_AT,
    LITERAL_KIND,
    OWN_NAME,
    PRIMITIVE,
    SYMBOL,
    TEXT,
    VARIABLE,
    Value,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.lookup.modules import Modules
    from rpg.encoder.resolve.evaluate.types.annotations import Annotations
    from rpg.encoder.resolve.evaluate.types.owners import Owners
    from rpg.encoder.resolve.program.source_file import SourceFile

_MODULE: Final = 0
_OUTSIDE: Final = frozenset({BUILTIN, CONTAINER, EXTERNAL, LITERAL_AT, PRIMITIVE, TEXT})
_OURS: Final = frozenset({INST, CLASS, VARIABLE})
_LIST: Final = "list"
_TEXT: Final = "str"


class Implementing(NamedTuple):
    """An `impl` of a trait of the repository."""

    file: int
    base: int
    """The trait as written, an expression."""
    trait: Owner


class Added(NamedTuple):
    methods: tuple[Owner, ...] = ()
    is_proven: bool = False
    """Whether a type of the value is known to have them."""


_NOTHING: Final = Added()


class AddedTraits:
    def __init__(self, evaluator: Context, modules: Modules, annotations: Annotations, owners: Owners) -> None:
        self.evaluator = evaluator
        self.modules = modules
        self.annotations = annotations
        self.owners = owners
        self.program = evaluator.program
        self.files = evaluator.files
        self._implementing: dict[str, list[Implementing]] = {}
        self._seen: dict[tuple[int, Owner], bool] = {}

    def end(self) -> None:
        """Drops what was found; see `Evaluator.end`."""
        self._implementing.clear()
        self._seen.clear()

    def of(self, file: SourceFile, value: Value, name: str) -> Added:
        """The methods of that name that a value without such a member has from traits which the file sees."""
        methods = self.program.table("methods of traits", _methods_of_traits).get(name)
        if not methods:
            return _NOTHING
        kind: int = value[KIND]
        if kind not in _OUTSIDE and kind not in _OURS:
            return _NOTHING
        seen = {self.trait_of(each): each for each in methods if self.is_seen(file, self.trait_of(each))}
        if not seen:
            return _NOTHING
        if kind not in _OURS and name in file.rules.builtin_members:
            # The type's own method comes first.
            return Added(tuple(seen.values())) if kind == EXTERNAL and not self.type_names(file, value) else _NOTHING
        names = self.type_names(file, value)
        found = self.find_by_types(names, seen)
        if found:
            return Added(tuple(found), len(found) == 1)
        found = self.find_by_types((ANY_TYPE,), seen)
        if found:
            # A type of a library may have such a method itself.
            return Added(tuple(found), len(found) == 1 and kind != EXTERNAL)
        return _NOTHING if kind in _OURS else Added(tuple(seen.values()))

    def find_by_types(self, names: tuple[str, ...], seen: dict[Owner, Owner]) -> dict[Owner, None]:
        """The methods of those traits that types of these names implement. They are called as the trait declares them:
        what implements them overrides them."""
        return dict.fromkeys(
            seen[implementing.trait]
            for type_name in names
            for implementing in self.implementing(type_name)
            if implementing.trait in seen
        )

    def trait_of(self, method: Owner) -> Owner:
        return method[OWNER_FILE], self.program.definition(*method).parent

    def type_names(self, file: SourceFile, value: Value) -> tuple[str, ...]:
        """The names of the types that a value from outside may have, if they are known."""
        kind: int = value[KIND]
        types = file.rules.types
        if kind == PRIMITIVE:
            return (value[OWN_NAME], *types.supertypes.get(value[OWN_NAME], ()))
        if kind == TEXT:
            return (_TEXT,) if value[LITERAL_KIND] == op.STRING else ()
        if kind in (CONTAINER, LITERAL_AT):
            held = value[OWN_NAME] if kind == CONTAINER else _LIST
            named = tuple(each for each, container in types.containers.items() if container == held)
            return (*named, *types.supertypes.get(held, ()))
        if kind == BUILTIN:
            return (value[OWN_NAME],)
        if kind == EXTERNAL:
            made = value[OWN_NAME].removesuffix("()").removesuffix("<>")
            last = made.rpartition(".")[2].rpartition("::")[2]
            return (last,) if "(" not in made and last[:1].isupper() else ()
        return ()

    def implementing(self, type_name: str) -> list[Implementing]:
        """The traits of the repository that types of a name from outside implement."""
        known = self._implementing.get(type_name)
        if known is None:
            known = self._implementing[type_name] = []
            owners = self.owners
            for index, base, written in owners.implementing(type_name):
                here = self.files[index]
                if owners.meaning(here, _MODULE, written):
                    continue
                named = here.code[base + op.HOLDER] if here.code[base] == op.SUBSCRIPT else base
                for value in self.annotations.of_type(here, named):
                    if value[KIND] == CLASS:
                        known.append(Implementing(index, base, value[FILE : SYMBOL + 1]))
        return known

    def base_of(self, file: SourceFile, index: int) -> int:
        """The trait that a method implements for a type from outside: that of the last `impl` of its type before it."""
        definition = file.definitions[index]
        found = 0
        for keyword, base in file.facts.bases.get(_MODULE, ()):
            if keyword.removeprefix(IMPLEMENTED) != definition.owner:
                continue
            if file.code[base + op.BYTE] > definition.name_byte:
                break
            found = base
        return found

    def list_implemented(self, file: SourceFile, index: int) -> Iterator[Owner]:
        """The methods of traits that a method of a type from outside implements."""
        definition = file.definitions[index]
        for each in self.implementing(last_name(definition.owner)):
            if each.file == file.index and each.base == self.base_of(file, index):
                for child in self.files[each.trait[OWNER_FILE]].children(each.trait[OWNER_SYMBOL], definition.name):
                    yield each.trait[OWNER_FILE], child

    def is_seen(self, file: SourceFile, trait: Owner) -> bool:
        """Whether a file defines or imports a trait."""
        if trait[OWNER_FILE] == file.index:
            return True
        key = (file.index, trait)
        known = self._seen.get(key)
        if known is None:
            known = self._seen[key] = self._is_seen(file, trait)
        return known

    def _is_seen(self, file: SourceFile, trait: Owner) -> bool:
        name = self.program.definition(*trait).name
        if any(each.rpartition(".")[2] == name for statement in file.facts.imports for each in statement.names):
            return True
        modules = self.modules
        return any(
            ("definition", *trait) in modules.targets(path, name, None, True)
            for statement in file.stars
            for path in modules.files(file, statement) or ()
        )


def _methods_of_traits(file: SourceFile) -> Iterator[tuple[str, Owner]]:
    if file.rules.extensions != "traits":
        return
    definitions = file.definitions
    for index, each in enumerate(definitions):
        if each.kind == "method" and not each.owner and each.parent > 0 and definitions[each.parent].kind == "trait":
            yield each.name, (file.index, index)
