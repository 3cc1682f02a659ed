"""Imports that lead nowhere any more.

In: a file before and after. Out: a finding for each import of a file, or of a name in one, that led somewhere before
and does not now. What comes through another import that is reported, as through a re-export, falls with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from typing import TYPE_CHECKING

from rpg.encoder import operations as op
from rpg.encoder.facts import MEMBER, NAMING, Binding, line_and_column
from rpg.encoder.resolve.breakage.access.hiding import Hiding
from rpg.encoder.resolve.breakage.findings import HIDDEN, IMPORT, Finding
from rpg.encoder.resolve.program.source_file import SourceFile

if TYPE_CHECKING:
    from rpg.encoder.resolve.breakage.lines import LineMap
    from rpg.encoder.resolve.breakage.sides import Side

NOT_JUDGED = frozenset({"parent", MEMBER, *NAMING})
"""Kinds of statements that are none, or name what need not be there."""
_WORD = re.compile(r"\w+")


class BrokenImports:
    def __init__(self, before: Side, after: Side, edited: Set[str], words: Set[str]) -> None:
        """`words`: the names of what came, went or looks different."""
        self.before = before
        self.after = after
        self.edited = edited
        self.words = set(words)
        """With those that imports elsewhere give it."""
        self._hiding = Hiding(before, after)
        self._whole: set[tuple[int, int]] = set()
        """(file before, import) that leads to no file any more."""
        self._names: set[tuple[int, int, str]] = set()
        """(file before, import, name) that leads to nothing any more."""
        self._bytes: dict[int, tuple[SourceFile, dict[tuple[int, str], int]]] = {}

    def is_broken(self, old: SourceFile, row: Binding) -> bool:
        """Whether what binds a name is an import that is reported. Only after `find` of that file."""
        index = old.code[row.value + op.STATEMENT]
        if (old.index, index) in self._whole:
            return True
        if old.code[row.value] != op.IMPORTED:
            return False
        return (old.index, index, old.strings[old.code[row.value + op.MEMBER]]) in self._names

    def find(self, old: SourceFile, new: SourceFile, lines: LineMap) -> Iterator[Finding]:
        now = self._imports_after(old, new, lines)
        for index, each in enumerate(old.facts.imports):
            other = now.get(index)
            if other is None or each.kind in NOT_JUDGED:
                continue
            files = self.files(self.before, old, index)
            if not files:
                continue
            line, column = line_and_column(new.facts, new.facts.imports[other].byte)
            # A relative import of a file that moved leads from another place now.
            is_here = old.path == new.path or not (each.level or each.module.startswith("."))
            is_of_names = is_here and bool(each.names) and any(map(self.after.has_file, files))
            now_there = self.files(self.after, new, other)
            if not now_there and not is_of_names:
                if self.is_declared(new, each.module):
                    continue
                self._whole.add((old.index, index))
                certain = new.rules.imports_are_read
                why = self._why(is_here, files[0])
                yield Finding(new.path, line, column, certain, IMPORT, each.module, files[0], why)
                continue
            is_elsewhere = old.facts is new.facts and is_here and files == now_there
            is_same = (
                is_elsewhere and self.edited.isdisjoint(files) and self.words.isdisjoint(_WORD.findall(each.module))
            )
            for name in each.names:
                if is_same and name not in self.words:
                    continue  # most imports: what they lead to is not even read
                if name in new.facts.imports[other].names:
                    yield from self._of_name(old, index, new, other, name, is_here)

    def is_declared(self, new: SourceFile, module: str) -> bool:
        """Whether a file declares the module that an import names, wherever the file is now."""
        return new.rules.has_packages and module in self.after.world.evaluator.package_names.by_name

    def new_ones(self, old: SourceFile, new: SourceFile) -> Iterator[tuple[str, int, str]]:
        """The path, the line and the imported file of each import of a file that was not imported before."""
        judged = [index for index, each in enumerate(old.facts.imports) if each.kind not in NOT_JUDGED]
        had = {path for index in judged for path in self.files(self.before, old, index) or ()}
        for index, each in enumerate(new.facts.imports):
            if each.kind not in NOT_JUDGED:
                for path in self.files(self.after, new, index) or ():
                    if path not in had and path != new.path:
                        yield new.path, line_and_column(new.facts, each.byte)[0], path

    def leads_into_repository(self, new: SourceFile, index: int, name: str) -> bool:
        return bool(self._targets(self.after, new, index, name))

    def is_of_nothing(self, new: SourceFile, index: int, name: str) -> bool:
        """Whether a name is imported from a module of the repository that does not have it."""
        return not self._targets(self.after, new, index, name) and not self._has(new, index, name)

    def _why(self, is_here: bool, path: str) -> str:
        return "" if is_here or not self.after.has_file(path) else f"leads to {path} no more"

    def _of_name(
        self, old: SourceFile, index: int, new: SourceFile, other: int, name: str, is_here: bool
    ) -> Iterator[Finding]:
        found = self._targets(self.before, old, index, name)
        if not found:
            return
        still = self._targets(self.after, new, other, name)
        if still and all(place == "definition" and self._hiding.is_hidden(new, *at) for place, *at in still):
            self._names.add((old.index, index, name))
            line, column = line_and_column(new.facts, self.byte_of(new, other, name))
            symbol = self.after.id_of(*still[0][1:])
            yield Finding(new.path, line, column, True, HIDDEN, name, symbol)
            return
        if still or not self.is_of_nothing(new, other, name):
            return
        self._names.add((old.index, index, name))
        certain = self.is_closed(new, other) and new.rules.imports_are_read
        line, column = line_and_column(new.facts, self.byte_of(new, other, name))
        _, file, definition = found[0]
        symbol = self.before.id_of(file, definition) if file >= 0 else ""
        detail = self._why(is_here, self.before.program.files[file].path) if file >= 0 else ""
        follows = self._comes_through(old, index, name)
        yield Finding(new.path, line, column, certain, IMPORT, name, symbol, detail, follows)

    def bytes_of(self, file: SourceFile) -> dict[tuple[int, str], int]:
        """Import and name -> where it spells the name."""
        known = self._bytes.get(file.index)
        if known is None or known[0] is not file:
            found: dict[tuple[int, str], int] = {}
            for row in file.facts.bindings:
                if file.code[row.value] == op.IMPORTED:
                    name = file.strings[file.code[row.value + op.MEMBER]]
                    found.setdefault((file.code[row.value + op.STATEMENT], name), file.code[row.value + op.BYTE])
            known = self._bytes[file.index] = (file, found)
        return known[1]

    def byte_of(self, file: SourceFile, index: int, name: str) -> int:
        return self.bytes_of(file).get((index, name), file.facts.imports[index].byte)

    def _comes_through(self, old: SourceFile, index: int, name: str) -> bool:
        """Whether the module only passes the name on, by an import that is reported."""
        for path in self.files(self.before, old, index) or ():
            other = self.before.file(path)
            if other is None:
                continue
            values = [row.value for row in other.rows(0, name)]
            exported = other.facts.exports.get("names", {}).get(name)
            values += [exported] if exported is not None else []
            if any(self._leads_nowhere(other, each) for each in values if other.code[each] == op.IMPORTED):
                return True
        return False

    def _leads_nowhere(self, file: SourceFile, e: int) -> bool:
        """Whether an import of any file led somewhere before and does not now."""
        index, name = file.code[e + op.STATEMENT], file.strings[file.code[e + op.MEMBER]]
        if not self._targets(self.before, file, index, name):
            return False
        now = self.after.file(file.path)
        if now is None:
            return True
        places = [each for each, one in enumerate(now.facts.imports) if name in one.names]
        return bool(places) and not any(self._targets(self.after, now, each, name) for each in places)

    def _imports_after(self, old: SourceFile, new: SourceFile, lines: LineMap) -> dict[int, int]:
        """Import before -> the same one after."""
        if old.facts is new.facts:
            return {index: index for index in range(len(old.facts.imports))}
        places: dict[tuple[int, str, int, tuple[str, ...]], int] = {}
        for index, each in enumerate(new.facts.imports):
            places.setdefault((line_and_column(new.facts, each.byte)[0], each.module, each.level, each.names), index)
        found: dict[int, int] = {}
        moved: list[int] = []
        for index, each in enumerate(old.facts.imports):
            line = lines.after_of.get(line_and_column(old.facts, each.byte)[0], 0)
            other = places.get((line, each.module, each.level, each.names))
            if other is not None:
                found[index] = other
            else:
                moved.append(index)
        # The same names of the same module in another line, or among other names.
        used = set(found.values())
        rest: dict[tuple[str, int, str], int] = {}
        for index, each in enumerate(new.facts.imports) if moved else ():
            if index not in used:
                for name in each.names or ("",):
                    rest.setdefault((each.module, each.level, name), index)
        for index in moved:
            each = old.facts.imports[index]
            others = (rest.get((each.module, each.level, name)) for name in each.names or ("",))
            if (other := next((one for one in others if one is not None), None)) is not None:
                found[index] = other
        return found

    def settled(self, old: SourceFile, new: SourceFile, lines: LineMap) -> set[tuple[str, int, str]]:
        """What a file imported (module, level, name, or no name for the module) that is judged as the same import, or
        that led nowhere before."""
        same = self._imports_after(old, new, lines)
        found: set[tuple[str, int, str]] = set()
        for index, each in enumerate(old.facts.imports):
            kept = new.facts.imports[same[index]].names if index in same else ()
            if index in same or not self.files(self.before, old, index):
                found.add((each.module, each.level, ""))
            found |= {
                (each.module, each.level, name)
                for name in each.names
                if name in kept or not self._targets(self.before, old, index, name)
            }
        return found

    def files(self, side: Side, file: SourceFile, index: int) -> tuple[str, ...] | None:
        modules = side.world.evaluator.modules
        files = modules.files(file, index)
        within = modules.within(file, index) if not files else None
        return files if within is None else (within[0],)

    def _targets(self, side: Side, file: SourceFile, index: int, name: str) -> list[tuple[str, int, int]]:
        modules = side.world.evaluator.modules
        found = [
            each
            for as_type in (False, True)
            for path, member in modules.places(file, index, name) or ()
            for each in modules.targets(path, member, None, as_type)
        ]
        return [each for each in found if each[0] in ("definition", "module")]

    def _has(self, new: SourceFile, index: int, name: str) -> bool:
        """Whether the module may have the name all the same, in a way that is not followed."""
        modules = self.after.world.evaluator.modules
        for path in modules.files(new, index) or ():
            file = self.after.file(path)
            if file is not None and "names" not in file.facts.exports and self._binds(file, name):
                return True
            if file is not None and self._passes_on_unknown(file, set()):
                return True
        return bool(modules.member(new, index, name))

    def _passes_on_unknown(self, file: SourceFile, seen: set[int]) -> bool:
        """Whether a module exports everything of one that is not in the repository, such as what a build makes."""
        seen.add(file.index)
        for star in file.facts.exports.get("stars", file.stars):
            paths = self.files(self.after, file, star)
            if not paths:
                return True
            others = [self.after.file(path) for path in paths]
            if any(
                each is not None and each.index not in seen and self._passes_on_unknown(each, seen) for each in others
            ):
                return True
        return False

    def is_closed(self, new: SourceFile, index: int) -> bool:
        """Whether no code of the module answers for names that it does not have."""
        files = [self.after.file(path) for path in self.files(self.after, new, index) or ()]
        return not any(each is not None and each.children(0, each.rules.protocols.missing) for each in files)

    def _binds(self, file: SourceFile, name: str) -> bool:
        """Whether a module has a name otherwise than by an import from the repository."""
        for row in file.rows(0, name):
            if file.code[row.value] != op.IMPORTED:
                return True
            if self.after.world.evaluator.modules.files(file, file.code[row.value + op.STATEMENT]) is None:
                return True
        return False
