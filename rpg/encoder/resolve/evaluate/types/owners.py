"""Methods that stand outside their types, which are what their names mean there: in the same module, or by an import.

In: methods outside their types, in languages whose `Rules.owners` are named. Out: their types, and for a type
the methods and bases that it gets in this way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import IMPLEMENTED, PATH_MARK, aliases
from rpg.encoder.resolve.values.mro import Owner
from rpg.graph import CLASS_KINDS

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.lookup.modules import Modules, Named
    from rpg.encoder.resolve.program.source_file import SourceFile

_MODULE: Final = 0


class Owners:
    def __init__(self, evaluator: Context, modules: Modules) -> None:
        self.evaluator = evaluator
        self.modules = modules
        self.program = evaluator.program
        self._by_member: dict[str, dict[str, list[Owner]]] = {}
        self._homes: dict[tuple[int, int, str], tuple[Owner, ...]] = {}

    def end(self) -> None:
        """Drops what was found; see `Evaluator.end`."""
        self._by_member.clear()
        self._homes.clear()

    def members(self, owner: Owner, name: str) -> list[Owner]:
        """The methods of that name that are added to a type."""
        type_name = self.program.definition(*owner).name
        return [each for each in self.named(type_name).get(name, ()) if owner in self.homes(*each)]

    def names(self, owner: Owner) -> Iterator[str]:
        """The names of all such methods, and of others that types of the same name get."""
        yield from self.named(self.program.definition(*owner).name)

    def named(self, type_name: str) -> dict[str, list[Owner]]:
        """The methods that types of a name get, by their names."""
        known = self._by_member.get(type_name)
        if known is None:
            known = self._by_member[type_name] = {}
            for file, index in self.program.table("owners", _owned_by_name).get(type_name, ()):
                definition = self.program.definition(file, index)
                for name in (definition.name, *aliases(definition)):
                    known.setdefault(name, []).append((file, index))
        return known

    def bases(self, owner: Owner) -> Iterator[tuple[SourceFile, int]]:
        """The bases that a type gets where it is not defined."""
        name = self.program.definition(*owner).name
        for file, expression, written in self.implementing(name):
            here = self.program.files[file]
            if owner in self.meaning(here, _MODULE, written):
                yield here, expression

    def implementing(self, name: str) -> list[tuple[int, int, str]]:
        """Where types of a name get bases although they are not defined there: file, base, the type as written."""
        return self.program.table("implementing", _implementing).get(name, [])

    def homes(self, file: int, index: int) -> tuple[Owner, ...]:
        """The type of a method; several of one name are alternatives, of which a build has one."""
        here = self.program.files[file]
        definition = here.definitions[index]
        return self.meaning(here, definition.parent, definition.owner)

    def meaning(self, file: SourceFile, around: int, name: str) -> tuple[Owner, ...]:
        """The type that a name means in a definition of a file, such as a module in it."""
        key = (file.index, around, name)
        known = self._homes.get(key)
        if known is None:
            self._homes[key] = ()  # what it would need itself
            known = self._homes[key] = self._meaning(file, around, name)
        return known

    def _meaning(self, file: SourceFile, around: int, name: str) -> tuple[Owner, ...]:
        modules = self.modules
        while around >= 0:
            found = tuple(
                (file.index, each) for each in file.children(around, name) if file.definitions[each].kind in CLASS_KINDS
            )
            if found:
                return found
            scope = file.definitions[around].scope
            for row in file.rows(scope, name) if scope >= 0 else ():
                if file.code[row.value] == op.IMPORTED:
                    return self.types_among(modules.find_bound_values(file, scope, name, row.value, as_type=True))
            around = file.definitions[around].parent
        for statement in reversed(file.stars):
            for path in modules.files(file, statement) or ():
                found = self.types_among(modules.targets(path, name, None, True))
                if found:
                    return found
        return ()

    def types_among(self, named: list[Named]) -> tuple[Owner, ...]:
        return tuple(
            (file, index)
            for kind, file, index in named
            if kind == "definition" and self.program.definition(file, index).kind in CLASS_KINDS
        )


def _owned_by_name(file: SourceFile) -> Iterator[tuple[str, Owner]]:
    if file.rules.owners != "named":
        return
    for index, definition in enumerate(file.definitions):
        if definition.owner:
            yield last_name(definition.owner), (file.index, index)


def _implementing(file: SourceFile) -> Iterator[tuple[str, tuple[int, int, str]]]:
    """The name of a type -> the base that it gets, and the type as it is written."""
    for keyword, expression in file.facts.bases.get(_MODULE, ()):
        if keyword.startswith(IMPLEMENTED):
            written = keyword.removeprefix(IMPLEMENTED)
            yield last_name(written), (file.index, expression, written)


def last_name(owner: str) -> str:
    """The name of an owner without the path in front of it."""
    return owner.rpartition(PATH_MARK)[2]
