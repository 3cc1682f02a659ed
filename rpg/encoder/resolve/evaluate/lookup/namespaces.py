"""Languages whose namespaces are symbols: which definitions of a name are visible at a place.

In: `A::B`, or a bare name and where it is written. Out: whether it can mean a definition. Only for languages with
`Rules.owners`; members of another namespace are not visible by their last name alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from rpg.encoder import operations as op
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.graph import CLASS_KINDS


def space_in_front(file: SourceFile, items: Sequence[int]) -> str:
    """`A.B` for the parts of the UNION that `A::B::C` is; empty if they are none, or namespaces are no symbols."""
    code = file.code
    if file.rules.owners != "spaces":
        return ""
    names: list[str] = []
    e = items[0]
    while code[e] == op.ATTRIBUTE:
        names.append(file.strings[code[e + op.MEMBER]])
        e = code[e + op.HOLDER]
        if code[e] == op.UNION:
            e = op.items_of(code, e)[0]
    if code[e] != op.NAME:
        return ""
    names.append(file.strings[code[e + op.WORD]])
    return ".".join(reversed(names))


def is_in_space(qualified_name: str, space: str) -> bool:
    """Whether `space::name` may mean a definition."""
    owner = qualified_name.rpartition(".")[0]
    return owner == space or owner.endswith(f".{space}")


class View:
    """What is visible to bare names at one place: members of the namespaces around it and of their direct bases, and
    what is in no namespace."""

    def __init__(self, file: SourceFile, byte: int) -> None:
        self.around = ""
        """The innermost namespace."""
        self.bases: set[str] = set()
        """Last names of the bases of the classes around."""
        code = file.code
        for index, definition in enumerate(file.definitions):
            if definition.kind in CLASS_KINDS and definition.start_byte <= byte < definition.end_byte:
                self.around = definition.qualified_name
                for _, base in file.facts.bases.get(index, ()):
                    if code[base] in (op.NAME, op.ATTRIBUTE):
                        self.bases.add(file.strings[code[base + (op.WORD if code[base] == op.NAME else op.MEMBER)]])

    def closeness(self, qualified_name: str) -> int:
        """How near a definition is, the nearest highest; -1 if it is not seen."""
        owner = qualified_name.rpartition(".")[0]
        if owner and (self.around == owner or self.around.startswith(f"{owner}.")):
            return 2 + len(owner)
        if not owner:
            return 0
        return 1 if owner.rpartition(".")[2] in self.bases else -1

    def nearest(self, qualified_names: list[str]) -> list[bool]:
        """Which of several definitions of a name is meant."""
        near = [self.closeness(each) for each in qualified_names]
        most = max(near, default=-1)
        return [each == most >= 0 for each in near]
