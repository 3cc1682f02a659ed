"""How many arguments a function takes.

In: a function of the repository. Out: its parameters, and the least and the largest number of arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder.resolve.values.mro import OWNER_FILE, Owner

if TYPE_CHECKING:
    from rpg.encoder.facts import Parameter
    from rpg.encoder.resolve.program.program import Program

_ANY_NUMBER: Final = 1 << 20


class Arity:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.files = program.files
        self._numbers_taken: dict[Owner, tuple[int, int]] = {}

    def rows(self, definition: Owner) -> list[Parameter]:
        file = self.files[definition[OWNER_FILE]]
        return file.facts.parameters.get(self.program.definition(*definition).scope, [])

    def takes(self, definition: Owner, count: int) -> bool:
        needed, most = self.numbers_taken(definition)
        return needed <= count <= most

    def numbers_taken(self, definition: Owner) -> tuple[int, int]:
        """The least and the largest number of arguments that a function or method takes."""
        known = self._numbers_taken.get(definition)
        if known is None:
            rows = self.rows(definition)
            needed = sum(1 for row in rows if row.kind == "positional" and not row.default)
            most = _ANY_NUMBER if any(row.kind == "list" for row in rows) else len(rows)
            known = self._numbers_taken[definition] = (needed, most)
        return known
