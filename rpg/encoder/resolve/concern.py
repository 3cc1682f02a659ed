"""Which files an edit concerns: those that name what others see otherwise now, and those that name what follows from
it, until nothing more does.

In: both sides of the edited files, and who finds the files that name something. Out: the names, and the files; or
NotAlone, where that is too much, or where something is seen otherwise that is found without its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Protocol

from rpg.encoder.languages import BY_NAME
from rpg.encoder.resolve.differing import (
    GIVE_NOTHING,
    Differing,
    File,
    NotAlone,
    Text,
    Word,
    below,
    surveyed,
    word,
)
from rpg.encoder.resolve.moves import Moves
from rpg.encoder.resolve.seen import Seen
from rpg.encoder.resolve.trees import TooMuch
from rpg.encoder.resolve.unit import Unit

MOST_NAMES = 60
"""Names that are looked for; what changes more concerns about everything."""
_OF_FOLDERS = frozenset({"__init__", "__main__", "index"})
"""Files that are imported by the names of their folders."""
_OTHERWISE = (
    rb"(?m)^[ \t]*(?:(?:from|import)\b.*?)?\bMODULE[ \t]+as[ \t]+\w+[ \t]*(?:[,)#]|$)|\bMODULE\s+import\s*\(?\s*\*"
)
"""An import of a module by another name, or of all that it has."""
_TAKEN = (
    rb"\bMODULE\s+import\b(?:[ \t]*\([^)]*|[^\n(]*(?:\\\n[^\n]*)*)\b(?:NAMES)\b|\bMODULE[\s\\)]*\.[\s\\]*(?:NAMES)\b"
)
"""A name that is imported from a module, or looked up in it."""


class Wider(Exception):
    """What the edits change concerns more files."""

    def __init__(self, receiver: tuple[int, int, int] | None, names: set[str]) -> None:
        super().__init__()
        self.receiver = receiver
        """The parameter of a function, as it was, that receives something else: unit, scope, position."""
        self.names = names
        """Of what is something else."""


class Others(Protocol):
    """Who knows all files, as they were."""

    def mentioning(self, text: Text) -> Iterable[tuple[Unit, bytes]]:
        """The files that have a word in their source, and that."""

    def guessing(self, names: Iterable[str]) -> Iterable[tuple[Unit, bytes]]:
        """The files with a call of a member of such a name that nothing is known of but the name."""

    def importing(self, index: int) -> Iterable[int]:
        """The files that import a file."""

    def is_borne(self, name: str) -> bool:
        """Whether a symbol of another file than the edited ones has a name."""

    def file(self, index: int) -> tuple[Unit, bytes]:
        """A file and its text."""


class Concern:
    """`files` by the index of their units: the edited ones, and all others that are concerned."""

    def __init__(
        self,
        edited: Iterable[tuple[Unit, bytes, Unit, bytes]],
        others: Others,
        most: int,
    ) -> None:
        """`edited`: unit and source before, and after. Raises NotAlone."""
        self.most = most
        self.others = others
        self.files: dict[int, File] = {}
        self.names: set[str] = set()
        """What others see otherwise."""
        self.sought: set[Word] = set()
        """Further patterns of the text of files that are concerned."""
        self.unborne: set[str] = set()
        """Names that no other symbol has."""
        self.guessed: set[str] = set()
        """Names of members that came or went where nobody looks for them but who guesses."""
        self.imported: dict[int, set[str]] = {}
        """Unit -> names that it imports otherwise, which only who names its module sees as well."""
        self.effective: dict[int, set[str]] = {}
        """Unit -> names that mean something else in it."""
        self.families: set[str] = set()
        """Of the languages of edited files: none sees the names of another one."""
        self.with_classes: set[int] = set()
        """Units with a class that is made of something else."""
        try:
            for old, old_source, new, new_source in edited:
                self.files[new.index] = File(old, old_source, new, new_source)
                self.families.add(BY_NAME[new.facts.language].family)
            for index, file in self.files.items():
                differing = Differing(file, others.is_borne)
                self.names |= differing.names
                self.sought |= differing.sought
                self.guessed |= differing.guessed
                self.unborne |= differing.unborne
                if differing.imported:
                    self.imported[index] = differing.imported
                if differing.has_classes:
                    self.with_classes.add(index)
            self._follow()
        except TooMuch:
            raise NotAlone("an edit that is too large to compare") from None

    def widen(self, wider: Wider) -> None:
        """Bring in whom that concerns. Raises NotAlone."""
        for name in wider.names:
            if name.startswith("__"):
                raise NotAlone(f"{name} is found without its name")
        self.names |= wider.names
        try:
            if wider.receiver is not None:
                self._renew(*wider.receiver)
            self._follow()
        except TooMuch:
            raise NotAlone("an edit that is too large to compare") from None

    def _renew(self, index: int, scope: int, position: int) -> None:
        """All who call a function are concerned, and all who see what it makes of what it receives."""
        if index not in self.files:
            self._add(*self.others.file(index))
        file = self.files[index]
        unit = file.moves.old.unit
        definition = unit.definitions[unit.scopes[scope].definition]
        if definition.scope != scope or scope in file.moves.renewed:
            raise NotAlone("something else is passed to a function")
        file.moves.renewed.add(scope)
        around = unit.definitions[definition.parent].name
        self.sought.add(word(around if definition.name == unit.rules.constructor else definition.name))
        name = unit.facts.parameters[scope][position].name
        before = file.moves.old.region(definition.start_byte)
        for (seen, _), region in zip(file.sides, (before, file.moves.regions.get(before)), strict=False):
            for item in seen.items(region).values() if region else ():
                if name not in item.met or (item.around and item.names[0] in GIVE_NOTHING):
                    continue
                if item.is_wide or any(each.startswith("__") for each in item.names):
                    raise NotAlone("something else is passed to what is found without its name")
                self.names.update(filter(None, item.names))

    # What is known by value

    def keeps(self, unit: int, index: int) -> bool:
        """Whether what others see of a definition, once a value leads them to it, is what it was."""
        file = self.files[unit]
        moved = file.moves.definition(index)
        (old, _), (new, _) = file.sides[0], file.sides[-1]
        names = self.effective[unit]
        if moved is None or old.side.unit.definitions[index].name in names:
            return False
        if not old.side.is_inner(index):
            return True
        a, b = old.definition(index), new.definition(moved)
        return a.tree == b.tree and a.met.isdisjoint(names) and b.met.isdisjoint(names)

    def is_led_to(self, unit: int, e: int) -> bool:
        """Whether something follows for an expression of a file as it was."""
        side = self.files[unit].moves.old
        side.met = set()
        side.tree(e)
        return not side.met.isdisjoint(self.effective[unit])

    @property
    def surveyed(self) -> dict[int, Moves]:
        """Of the files with other definitions or imports, or classes made of something else, of which surveys tell."""
        return {
            index: file.moves
            for index, file in self.files.items()
            if index in self.with_classes or surveyed(file.moves.old.unit) != surveyed(file.moves.new.unit)
        }

    @property
    def edited(self) -> list[int]:
        return [index for index, file in self.files.items() if file.is_edited]

    def _follow(self) -> None:
        """Until no other name is seen otherwise."""
        for index in list(self.imported):
            self._ask_importers(index)
        for unit, source in self.others.guessing(self.guessed):
            self._add(unit, source)
        for unit, source in self.others.mentioning(Text(map(word, self.unborne))) if self.unborne else ():
            self._add(unit, source)
        done: set[str] | None = None
        looked: set[Word] = set()
        while looked != self.sought or done != self.names:
            if len(self.names) > MOST_NAMES:
                raise NotAlone("too many names mean something else")
            words = {*(self.sought - looked), *map(word, self.names - (done or set()))}
            for unit, source in self.others.mentioning(Text(words)) if words else ():
                if BY_NAME[unit.facts.language].text or BY_NAME[unit.facts.language].family in self.families:
                    self._add(unit, source)
            done, looked = set(self.names), set(self.sought)
            for index, file in self.files.items():
                names = self.effective[index] = self._meant_in(index, file)
                for seen, source in file.sides if names else ():
                    self._lead(index, names, seen, source)

    def _add(self, unit: Unit, source: bytes) -> None:
        if unit.index not in self.files:
            self.files[unit.index] = File(unit, source, unit, source)
        if len(self.files) > self.most:
            raise NotAlone("too many files are concerned")

    def _ask_importers(self, index: int) -> None:
        """Add those who may see what a module imports."""
        unit = self.files[index].moves.new.unit
        if not _shows_imports(unit):
            return
        module = _module(unit) if unit.rules.imports_are_members else None
        if module is None or not self._add_importers(index, module):
            self.names |= self.imported.pop(index)

    def _add_importers(self, index: int, module: Word) -> bool:
        """Those who take a name from a module, or look for it there. False where they may know it by another name."""
        names = b"|".join(re.escape(name.encode()) for name in sorted(self.imported[index]))
        here = re.escape(module.name)
        otherwise = re.compile(_OTHERWISE.replace(b"MODULE", here))
        taken = re.compile(_TAKEN.replace(b"MODULE", here).replace(b"NAMES", names))
        importing = set(self.others.importing(index))
        for other, source in self.others.mentioning(Text([module])):
            if other.index in importing and otherwise.search(source):
                return False
            if taken.search(source) and other.index != index:
                self._add(other, source)
        return True

    def _meant_in(self, index: int, file: File) -> set[str]:
        """The names that mean something else in a file."""
        names = set(self.names)
        for importer, imported in self.imported.items():
            unit = self.files[importer].moves.new.unit
            module = _module(unit) if _shows_imports(unit) else None
            if importer == index or (module and any(Text([module]).is_in(source) for _, source in file.sides)):
                names |= imported
        return names

    def _lead(self, index: int, names: set[str], seen: Seen, source: bytes) -> None:
        """To the items of a file that something follows for."""
        for region in sorted({seen.side.region(place) for place in Text(map(word, names)).places(source)}):
            for key, item in seen.items(region).items():
                if item.met.isdisjoint(names) or names.issuperset(item.names):
                    continue
                if item.is_wide:
                    self.sought |= below(key, item, seen)
                    self.with_classes.add(index)
                self.names.update(filter(None, item.names))


def _shows_imports(unit: Unit) -> bool:
    """Whether what a file imports for itself is a member of it: not in Go, nor where exports are said."""
    return not unit.rules.shares_package_scope and "names" not in unit.facts.exports


def _module(unit: Unit) -> Word | None:
    """What a file is imported by; None where there may be no such name."""
    stem = unit.path.rpartition("/")[2].partition(".")[0]
    return word(stem) if stem not in _OF_FOLDERS else None
