"""Types that a class inherits: a bare name may mean a type that is nested in a base of a class around it, or in a part
of the class in another file.

In: a name that nothing nearer declares, and its place. Out: the type. For languages with `Rules.inherits_types`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rpg.encoder.resolve.values.mro import ENTRY_ARGUMENTS, Owner
from rpg.graph import CLASS_KINDS

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.lookup.partial_types import PartialTypes
    from rpg.encoder.resolve.evaluate.types.classes import Classes
    from rpg.encoder.resolve.evaluate.types.member_lookup import MemberLookup
    from rpg.encoder.resolve.program.program import Program
    from rpg.encoder.resolve.program.source_file import SourceFile


class InheritedTypes:
    def __init__(
        self, program: Program, partial_types: PartialTypes, classes: Classes, member_lookup: MemberLookup
    ) -> None:
        self.program = program
        self.partial_types = partial_types
        self.classes = classes
        self.member_lookup = member_lookup

    def find(self, file: SourceFile, name: str, byte: int) -> Owner | None:
        """The nested type of that name which the innermost class inherits that has one."""
        if name not in self.program.table("nested types", _nested_in):
            return None
        for index in file.classes_around(byte):
            for distance, entry in enumerate(self.classes.order(file.index, index).entries):
                owner: Owner = entry[:ENTRY_ARGUMENTS]
                parts = self.partial_types.parts.get(owner)
                if parts is None and not distance:
                    continue
                for part in parts or (owner,):
                    for each in self.member_lookup.own(*part, name) or ():
                        if self.program.definition(*each).kind in CLASS_KINDS:
                            return each
        return None


def _nested_in(file: SourceFile) -> Iterator[tuple[str, int]]:
    if file.rules.inherits_types:
        for definition in file.definitions:
            if definition.kind in CLASS_KINDS and definition.parent > 0:
                yield definition.name, file.index
