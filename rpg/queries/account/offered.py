"""What a file offers under a name to those that import it: a definition of its own, or what it imports itself.

In: the facts of a file, a name. Out: the definition's name, or where the import stands and what the name is there. None
where the file does not say: it passes on all of other files, binds the name in several ways, or computes it.
"""

from __future__ import annotations

from typing import NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import FileFacts, line_and_column
from rpg.encoder.parsing.packing import unpack
from rpg.system.compression import decompress


class Own(NamedTuple):
    qualified_name: str


class PassedOn(NamedTuple):
    site: str
    """`line:column` of the import."""
    name: str
    """What the imported module calls it."""


class Offers:
    """The names of one file."""

    def __init__(self, facts: bytes) -> None:
        self._bound: dict[str, Own | PassedOn | None] = {}
        self._exported: dict[str, Own | PassedOn | None] = {}
        if facts:
            self._read(unpack(decompress(facts)))

    def find(self, name: str) -> Own | PassedOn | None:
        """What others get who import the name."""
        return self._exported[name] if name in self._exported else self._bound.get(name)

    def find_bound(self, name: str) -> Own | PassedOn | None:
        """What the name means at the top of the file itself."""
        return self._bound.get(name)

    def _read(self, facts: FileFacts) -> None:
        for row in facts.bindings:
            if row.scope == 0:
                meant = _meant(facts, row.value, row.name)
                self._bound[row.name] = meant if self._bound.get(row.name, meant) == meant else None
        exported = facts.exports.get("names")
        for name, e in exported.items() if isinstance(exported, dict) else ():
            is_name = facts.code[e] == op.NAME
            self._exported[name] = (
                self._bound.get(facts.strings[facts.code[e + op.WORD]]) if is_name else _meant(facts, e, name)
            )


def _meant(facts: FileFacts, e: int, name: str) -> Own | PassedOn | None:
    code = facts.code
    operation = code[e]
    if operation == op.DEFINITION:
        return Own(facts.definitions[code[e + op.DEFINED]].qualified_name)
    if operation == op.IMPORTED:
        line, column = line_and_column(facts, facts.imports[code[e + op.STATEMENT]].byte)
        return PassedOn(f"{line}:{column}", facts.strings[code[e + op.MEMBER]])
    return None if operation == op.IMPORT else Own(name)
