"""Globals: names that a file declares for all others, which use them without an import (`declare global`), and names
that a convention about folders offers them.

In: what the facts of all files say about such names. Out: for a name that its own file does not bind, the bindings that
declare it, in the nearest file, or the export that is offered under it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from rpg.encoder.languages import BY_NAME
from rpg.encoder.languages.markup_names import is_of_markup
from rpg.encoder.resolve.values.values import INST, Value, Values
from rpg.graph import CLASS_KINDS

if TYPE_CHECKING:
    from rpg.encoder.resolve.program.file_tables import Row
    from rpg.encoder.resolve.program.program import Program
    from rpg.encoder.resolve.program.source_file import SourceFile

GLOBALS: Final = "globals"
"""Key of the global names in a module's exports."""
OFFERED: Final = "offered names"
DECLARED: Final = "declared"
"""Key in the same place: whether a type that no file of the repository declares must come from a library."""


class GlobalNames:
    def __init__(self, program: Program) -> None:
        self.program = program
        self._by_name: dict[str, list[int]] | None = None
        self._instances: dict[tuple[str, bool], Values] = {}
        self._added_members: frozenset[str] | None = None

    @property
    def by_name(self) -> dict[str, list[int]]:
        """Name -> indexes of the files that declare it, by path."""
        if self._by_name is None:
            self._by_name = self.program.surveyed(GLOBALS, self._make_by_name)
        return self._by_name

    def _make_by_name(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for file in self.program.files:
            for name in dict.fromkeys(file.facts.exports.get(GLOBALS, ())):
                found.setdefault(name, []).append(file.index)
        return found

    def parts(self) -> dict[tuple[int, int], list[tuple[int, int]]]:
        """Type that several files declare -> its parts in files in subfolders."""
        found: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for name, indexes in self.by_name.items():
            for file in [self.program.files[index] for index in indexes] if len(indexes) > 1 else ():
                head = self.head(name, file)
                mine, first = file.children(0, name), head.children(0, name)
                if head is file or not mine or not first:
                    continue
                if file.definitions[mine[0]].kind in CLASS_KINDS and head.definitions[first[0]].kind in CLASS_KINDS:
                    found.setdefault((head.index, first[0]), []).append((file.index, mine[0]))
        return found

    def head(self, name: str, file: SourceFile) -> SourceFile:
        """The outermost of the surrounding files that declare a name in the same way."""
        files = [self.program.files[index] for index in self.by_name[name]]
        around = [each for each in files if file.path.startswith(each.path[: each.path.rfind("/") + 1])]
        return min(around, key=lambda each: (each.path.count("/"), each.path))

    def is_open(self, file: SourceFile, index: int) -> bool:
        """Whether a library may declare more of a type, because it is global."""
        definition = file.definitions[index]
        return definition.parent == 0 and file.index in self.by_name.get(definition.name, ())

    def is_declared(self, file: SourceFile) -> bool:
        """Whether a type that no file of the repository declares must come from a library."""
        return bool(file.facts.exports.get(DECLARED))

    def bindings(self, file: SourceFile, name: str, as_type: bool) -> tuple[SourceFile, list[Row]] | None:
        """The bindings of a name that a file does not bind: of values, or of types."""
        other = self.nearest(file, name) if name in self.by_name else None
        if other is None:
            return None
        rows = other.rows(0, name)
        rows = (other.types(0, name) or rows) if as_type else [row for row in rows if row.kind != "type"]
        return (other, rows) if rows else None

    def offered(self, file: SourceFile, name: str) -> list[tuple[str, str]]:
        """The exports that a convention offers a file under a name: modules and names in them. Of several files the
        first counts, with its variants for other platforms."""
        table = self.program.table(OFFERED, _offered_by)
        found: list[tuple[str, str]] = []
        for index, member, root in table.get(name, ()):
            other = self.program.files[index]
            if not file.path.startswith(root) or (other.in_test and not file.in_test) or other is file:
                continue
            if not found or _stem(found[0][0]) == _stem(other.path):
                found.append((other.path, member))
        return found

    def instances(self, file: SourceFile, name: str) -> Values:
        """For an object of the runtime: what the files of the repository declare of its type, wherever they are."""
        declared = file.rules.types.of_globals.get(name)
        if not declared:
            return ()
        known = self._instances.get((declared, file.in_test))
        if known is None:
            found: list[Value] = []
            for other in [self.program.files[index] for index in self.by_name.get(declared, ())]:
                parts = [part for part in other.children(0, declared) if other.definitions[part].kind in CLASS_KINDS]
                if parts and (file.in_test or not other.in_test):
                    found.append((INST, other.index, parts[0], (), False))
            known = self._instances[declared, file.in_test] = tuple(found)
        return known

    @property
    def added_members(self) -> frozenset[str]:
        """The names of all members that files declare for types that every file sees."""
        if self._added_members is None:
            found: set[str] = set()
            for name, indexes in self.by_name.items():
                for file in [self.program.files[index] for index in indexes]:
                    parts = set(file.children(0, name))
                    found.update(each.name for each in file.definitions if each.parent in parts)
            self._added_members = frozenset(found)
        return self._added_members

    def nearest(self, file: SourceFile, name: str) -> SourceFile | None:
        """The file whose declaration of a name another file sees. A declaration of something built into the language
        applies only to the folders below."""
        here = file.path.split("/")[:-1]
        is_builtin = name in file.rules.builtins
        family = BY_NAME[file.facts.language].family
        in_test = file.in_test
        best: SourceFile | None = None
        longest = -1
        for index in self.by_name[name]:
            other = self.program.files[index]
            folders = other.path.split("/")[:-1]
            shared = 0
            while shared < len(folders) and shared < len(here) and folders[shared] == here[shared]:
                shared += 1
            is_foreign = BY_NAME[other.facts.language].family != family and not is_of_markup(name)
            if (
                is_foreign
                or (is_builtin and shared < len(folders))
                or not file.rules.sees_globals(file.path, other.path)
            ):
                continue
            if not in_test and other.in_test:
                continue
            if shared > longest:
                best, longest = other, shared
        return self.head(name, best) if best is not None else None


def _offered_by(file: SourceFile) -> Iterator[tuple[str, tuple[int, str, str]]]:
    """Name -> the file, its export, and the folder whose files see it."""
    offer = file.rules.offer(file.path)
    if offer is None:
        return
    for name, member in offer.names.items():
        yield name, (file.index, member, offer.root)
    for name in file.facts.exports.get("names", ()) if offer.exports else ():
        if name not in offer.names and name not in ("default", "="):
            yield name, (file.index, name, offer.root)


def _stem(path: str) -> str:
    """A path up to the first dot of the file's name."""
    folder, _, name = path.rpartition("/")
    return f"{folder}/{name.partition('.')[0]}"
