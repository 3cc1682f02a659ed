"""Types that are defined in parts, each in a separate file (`partial class`): which parts are one type.

In: the types of each file. Out: for each part all parts, first the one that stands for the type. Only parts of one
package count whose folders are below that of the first: the same name elsewhere belongs to another program.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rpg.encoder.facts import ARITY, PARTIAL
from rpg.encoder.resolve.values.mro import OWNER_FILE, Owner

if TYPE_CHECKING:
    from rpg.encoder.resolve.program.program import Program
    from rpg.encoder.resolve.program.source_file import SourceFile


class PartialTypes:
    def __init__(self, program: Program) -> None:
        self.program = program
        self._parts: dict[Owner, list[Owner]] | None = None
        self._elsewhere: set[tuple[int, str]] | None = None

    def whole(self, file: int, index: int) -> Owner:
        """The part that stands for the type."""
        parts = self.parts
        return parts[file, index][0] if parts and (file, index) in parts else (file, index)

    @property
    def parts(self) -> dict[Owner, list[Owner]]:
        """Each part of a type that has several -> all of them."""
        if self._parts is None:
            self._parts = self._make_parts()
        return self._parts

    def _make_parts(self) -> dict[Owner, list[Owner]]:
        found: dict[Owner, list[Owner]] = {}
        for rows in self.program.table("partial types", _parts_of).values():
            owners: list[Owner] = sorted([(file, index) for file, index in rows], key=self._place)
            while len(owners) > 1:
                path = self._path(owners[0])
                folder = path[: path.rfind("/") + 1]
                parts = [owner for owner in owners if self._path(owner).startswith(folder)]
                owners = [owner for owner in owners if owner not in parts]
                if len(parts) > 1:
                    found |= dict.fromkeys(parts, parts)
        return found

    def _path(self, owner: Owner) -> str:
        return self.program.paths()[owner[OWNER_FILE]]

    def _place(self, owner: Owner) -> tuple[int, int, Owner]:
        path = self._path(owner)
        return path.count("/"), len(path), owner

    @property
    def elsewhere(self) -> set[tuple[int, str]]:
        """File and name of each part for which one in another file stands."""
        if self._elsewhere is None:
            self._elsewhere = {
                (file, bound_to(self.program.files[file], index))
                for (file, index), parts in self.parts.items()
                if parts[0][OWNER_FILE] != file
            }
        return self._elsewhere


def bound_to(file: SourceFile, index: int) -> str:
    """What a type is bound to."""
    count = len(file.facts.type_parameters.get(index, ()))
    name = file.definitions[index].name
    return f"{name}{ARITY}{count}" if count else name


def _parts_of(file: SourceFile) -> Iterator[tuple[str, list[int]]]:
    if file.rules.types_of_one_name != "parts":
        return
    for index, definition in enumerate(file.definitions):
        if PARTIAL in definition.flags:
            count = len(file.facts.type_parameters.get(index, ()))
            yield f"{file.facts.package} {definition.qualified_name}{ARITY}{count}", [file.index, index]
