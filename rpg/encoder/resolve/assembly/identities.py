"""Which symbol each definition is, and its place in the tree of symbols.

In: files. Out: ids; definitions that are not a symbol or part of another one; members that are written outside their
type. Each is computed once, when first needed.
"""

from __future__ import annotations

from rpg.encoder.facts import SUITE, TEST
from rpg.encoder.resolve.program.program import ANYWHERE, Program
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.program.symbol_ids import nameless, parts, symbol_ids
from rpg.graph import CLASS_KINDS


class Identities:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.homes: dict[str, dict[str, tuple[int, int]]] = {}
        """Place (`Program.package_of`) -> the types and functions defined there, by qualified name."""
        self.known_ids: dict[int, list[str]] = {}
        self.known_nameless: dict[int, dict[int, int]] = {}
        self.known_parts: dict[int, dict[int, int]] = {}
        self.known_titled: dict[int, set[int]] = {}

    def ids(self, file: int) -> list[str]:
        """Symbol ids by definition."""
        known = self.known_ids.get(file)
        if known is None:
            known = self.known_ids[file] = symbol_ids(self.program.files[file])
        return known

    def nameless(self, file: int) -> dict[int, int]:
        """Classes that are not symbols -> the enclosing named symbol."""
        known = self.known_nameless.get(file)
        if known is None:
            known = self.known_nameless[file] = nameless(self.program.files[file])
        return known

    def parts(self, file: int) -> dict[int, int]:
        """Definitions that are part of the symbol of another one -> that one."""
        known = self.known_parts.get(file)
        if known is None:
            known = self.known_parts[file] = parts(self.program.files[file])
        return known

    def find_titled_tests(self, file: int) -> set[int]:
        """In a file that is not a test file: tests with titles, groups of them, and their contents."""
        known = self.known_titled.get(file)
        if known is None:
            known = self.known_titled[file] = set()
            here = self.program.files[file]
            if not here.in_test:
                for index, definition in enumerate(here.definitions):
                    if definition.parent in known or TEST in definition.flags or SUITE in definition.flags:
                        known.add(index)
        return known

    def owned(self, file: SourceFile) -> dict[int, list[str]]:
        """Members of this file's types that are defined outside them, including those in other files."""
        if not self.program.owned:
            return {}
        places = [self.program.package_of(file)]
        if file.rules.owners == "beside":
            places.append(file.path)
        found: dict[int, list[str]] = {}
        for index, definition in enumerate(file.definitions):
            for place in places:
                members = self.owned_by.get((place, definition.qualified_name))
                if members and self.home(place, definition.qualified_name) == (file.index, index):
                    whole = self.parts(file.index).get(index, index)
                    ids = [self.ids(of)[member] for of, member in members if member not in self.parts(of)]
                    found[whole] = found.get(whole, []) + ids
        return found

    def home(self, place: str, name: str) -> tuple[int, int] | None:
        """The type that contains members defined outside it; None if the repository does not define it, as for
        additions to the prototype of a builtin: these stay where they are written."""
        homes = self.homes.get(place)
        if homes is None:
            homes = self.homes[place] = {}
            if place == ANYWHERE:
                for each in self.program.files:
                    if each.rules.owners_anywhere:
                        for index, definition in enumerate(each.definitions):
                            if definition.kind in CLASS_KINDS:
                                homes.setdefault(definition.qualified_name, (each.index, index))
                return homes.get(name)
            file = self.program.file_at(place)
            for each in [file] if file is not None else self.program.files_in(place):
                for index, definition in enumerate(each.definitions):
                    if definition.kind in CLASS_KINDS or definition.kind == "function":
                        homes.setdefault(definition.qualified_name, (each.index, index))
        return homes.get(name)

    @property
    def owned_by(self) -> dict[tuple[str, str], list[tuple[int, int]]]:
        if not hasattr(self, "_owned_by"):
            self._owned_by: dict[tuple[str, str], list[tuple[int, int]]] = {}
            for (place, owner, _), members in self.program.owned.items():
                self._owned_by.setdefault((place, owner), []).extend(members)
            for members in self._owned_by.values():
                members.sort()
        return self._owned_by
