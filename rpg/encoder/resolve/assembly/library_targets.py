"""The symbols of libraries that references of the repository end in.

In: references that were found to lead outside. Out: symbols of libraries that were read, and the rule. What a reference
of the repository means without libraries is not changed by them: only what has no target gets one here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import ANNOTATION, BASE, CALLED, DECORATOR, RAISED, READ
from rpg.encoder.resolve.assembly.library_names import Denoted, LibraryNames
from rpg.encoder.resolve.evaluate import Evaluator
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.values.mro import OWNER_FILE, OWNER_SYMBOL, Owner
from rpg.encoder.resolve.values.values import (
    CLASS,
    EXTERNAL,
    FILE,
    INHERITED,
    INST,
    KIND,
    OWN_NAME,
    PARENT,
    RECEIVER,
    SYMBOL,
    Value,
)
from rpg.graph import CLASS_KINDS

_FOLLOWED: Final = frozenset({CALLED, DECORATOR, RAISED, READ, ANNOTATION, BASE})
_CALLING: Final = frozenset({CALLED, DECORATOR, RAISED})


class LibraryTarget(NamedTuple):
    id: str
    kind: str
    """Of the edge."""
    symbol_kind: str
    via: str


class LibraryTargets:
    def __init__(self, evaluator: Evaluator, names: LibraryNames) -> None:
        self.evaluator = evaluator
        self.names = names

    def of(self, file: SourceFile, e: int, role: int) -> list[LibraryTarget]:
        """Where a reference leads that has no target in the repository."""
        code = file.code
        if role not in _FOLLOWED:
            return []
        if role == CALLED:
            e = code[e + op.CALLEE]
        if code[e] not in (op.NAME, op.ATTRIBUTE, op.PATH):
            return []
        self.evaluator.start()
        found, via = self.denoted(file, e, role in _CALLING)
        return [
            LibraryTarget(each.id, find_edge_kind(each, role), each.kind, via if each.is_sure else "fan-out")
            for each in found
        ]

    def denoted(self, file: SourceFile, e: int, call: bool) -> tuple[tuple[Denoted, ...], str]:
        code = file.code
        values = self.evaluator.eval(file, e)
        names = [value[OWN_NAME] for value in values if value[KIND] == EXTERNAL]
        member = file.strings[code[e + op.MEMBER]] if code[e] != op.NAME else ""
        if len(names) == 1 and len(values) == 1 and names[0] != f"{INHERITED}{member}":
            name = names[0]
            if not member:
                found = self.names.denoted(file.facts.language, name, call)
                return found, "import" if self.is_imported(file, e) else "value"
            if name.endswith(f".{member}"):
                found = self.names.denoted(file.facts.language, name, call)
                return found, "type" if "(" in name else "import"
            return (), ""
        if not member:
            return (), ""
        holders = self.evaluator.eval(file, code[e + op.HOLDER])
        if len(holders) != 1:
            return (), ""
        [holder] = holders
        return self.inherited(holder, member), "super" if holder[KIND] == PARENT else "inherited"

    def is_imported(self, file: SourceFile, e: int) -> bool:
        """Whether an import binds the name."""
        scope = op.binding_scope(file.code[e + op.BINDER])
        rows = file.rows(scope, file.strings[file.code[e + op.WORD]]) if scope >= 0 else ()
        return not rows or all(file.code[row.value] in (op.IMPORT, op.IMPORTED) for row in rows)

    def inherited(self, value: Value, name: str) -> tuple[Denoted, ...]:
        """A member that an object or class of the repository has from a library's class."""
        if value[KIND] in (INST, CLASS):
            return self.above((value[FILE], value[SYMBOL]), name)
        if value[KIND] == PARENT and value[RECEIVER][KIND] in (INST, CLASS):
            # What comes behind the class in the order of the receiver's.
            return self.above((value[FILE], value[SYMBOL]), name)
        return ()

    def above(self, owner: Owner, name: str) -> tuple[Denoted, ...]:
        """The member of that name in the first of a class's bases outside the repository that has it. None if some base
        is not known, as it may be that one's."""
        order = self.evaluator.classes.order(*owner)
        if order.unknown or not order.external:
            return ()
        language = self.evaluator.files[owner[OWNER_FILE]].facts.language
        for base in self.list_bases(order.entries):
            if base is None:
                return ()
            found = self.names.member(language, base, name)
            if found:
                return found
            if not self.names.values(language, base):
                return ()  # of a library that was not read, and it may have the member
        return ()

    def list_bases(self, entries: tuple[tuple[int, int, tuple[object, ...]], ...]) -> Iterator[str | None]:
        """The names of the bases outside the repository, in order; None for what is more than a name."""
        for entry in entries:
            here = self.evaluator.files[entry[OWNER_FILE]]
            for keyword, expression in here.facts.bases.get(entry[OWNER_SYMBOL], ()):
                if keyword:
                    continue
                for value in self.evaluator.annotations.typed(here, expression):
                    if value[KIND] == EXTERNAL and not self.evaluator.classes.is_plain(here, value):
                        yield value[OWN_NAME].removesuffix("()")
                    elif value[KIND] not in (INST, CLASS) and value[KIND] != EXTERNAL:
                        yield None


def find_edge_kind(denoted: Denoted, role: int) -> str:
    if role == BASE:
        return "inherits" if denoted.kind in CLASS_KINDS else "references"
    return "calls" if role in _CALLING and denoted.is_callable else "references"
