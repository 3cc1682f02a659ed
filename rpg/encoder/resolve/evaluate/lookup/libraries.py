"""Libraries of a file or several (Dart): which names a file sees of which others, where imports are not passed on.

In: what each file imports, exports and shares, and what it leaves out of that. Out: for a file and a name, the files
that may declare it. A file sees all names of its own library, and of the libraries that it imports those that they
declare or export. Names behind the prefix of an import are members of a module (modules.py). For languages without
`Rules.imports`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rpg.encoder.facts import IMPORT_LIMITS, PART, RE_EXPORT, SIDE_EFFECT

if TYPE_CHECKING:
    from rpg.encoder.resolve.program.program import Program
    from rpg.encoder.resolve.program.source_file import SourceFile

_MOST_ALTERNATIVES: Final = 4
"""To one file, by imports with different limits; a file with more is taken to be seen whole."""

_MOST_SEEN: Final = 2_000
TOO_MANY_SEEN: Final = f"a file sees the names of more than {_MOST_SEEN} others"


class Limit(NamedTuple):
    """`show A, B` or `hide A, B`."""

    is_hidden: bool
    names: frozenset[str]

    def passes(self, name: str) -> bool:
        return (name in self.names) != self.is_hidden


Limits = tuple[Limit, ...]
_WHOLE: Final[list[Limits]] = [()]
"""Shared by all files that are seen whole."""


class Libraries:
    def __init__(self, program: Program, limit: Callable[[SourceFile, str], None]) -> None:
        self.program = program
        self.limit = limit
        self._leading: dict[tuple[int, str], list[tuple[int, Limits]]] = {}
        self._own: dict[int, frozenset[int]] = {}
        self._seen: dict[int, dict[int, list[Limits]]] = {}

    def own(self, file: SourceFile) -> frozenset[int]:
        """The files of the library that a file belongs to: those of which each names the other."""
        known = self._own.get(file.index)
        if known is None:
            found = {file.index}
            pending = [file]
            while pending:
                here = pending.pop()
                for index, _ in self.leading(here, PART):
                    other = self.program.files[index]
                    if index not in found and any(each == here.index for each, _ in self.leading(other, PART)):
                        found.add(index)
                        pending.append(other)
            known = frozenset(found)
            self._own |= dict.fromkeys(known, known)
        return known

    def seen(self, file: SourceFile) -> dict[int, list[Limits]]:
        """The files whose names a file sees -> the limits on the ways to each."""
        own = self.own(file)
        first = min(own)
        known = self._seen.get(first)
        if known is None:
            known = {index: [()] for index in sorted(own)}
            files = self.program.files
            pending = [each for index in sorted(own) for each in self.leading(files[index], SIDE_EFFECT)]
            while pending:
                index, limits = pending.pop()
                if len(known) > _MOST_SEEN:
                    self.limit(self.program.files[first], TOO_MANY_SEEN)
                    break
                alternatives = known.setdefault(index, [])
                if () in alternatives or limits in alternatives:
                    continue
                if not limits or len(alternatives) >= _MOST_ALTERNATIVES:
                    limits = ()
                    alternatives.clear()
                alternatives.append(limits)
                other = files[index]
                pending += [(part, limits) for part in self.own(other)]
                pending += [(each, (*limits, *more)) for each, more in self.leading(other, RE_EXPORT)]
            known = {index: _WHOLE if found == _WHOLE else found for index, found in known.items()}
            self._seen[first] = known
        return known

    def sees(self, file: SourceFile, name: str, index: int) -> bool:
        """Whether a file sees a name of another."""
        alternatives = self.seen(file).get(index)
        if alternatives is None or (name[:1] == "_" and index not in self.own(file)):
            return False
        return any(all(limit.passes(name) for limit in limits) for limits in alternatives)

    def leading(self, file: SourceFile, kind: str) -> list[tuple[int, Limits]]:
        """The files that a file's statements of one kind name, and their limits."""
        known = self._leading.get((file.index, kind))
        if known is None:
            known = self._leading[file.index, kind] = list(self._found(file, kind))
        return known

    def _found(self, file: SourceFile, kind: str) -> Iterator[tuple[int, Limits]]:
        limits = limits_of(file)
        for number, statement in enumerate(file.facts.imports):
            if statement.kind == kind:
                for path in file.rules.module(file.path, statement.module, statement.level) or ():
                    index = self.program.number_of(path)
                    if index >= 0:
                        yield index, limits.get(number, ())


def limits_of(file: SourceFile) -> dict[int, Limits]:
    """Import -> what its statement says."""
    found: dict[int, Limits] = {}
    rows: list[list[Any]] = file.facts.exports.get(IMPORT_LIMITS, [])
    for number, is_hidden, names in rows:
        found[number] = (*found.get(number, ()), Limit(bool(is_hidden), frozenset(names)))
    return found
