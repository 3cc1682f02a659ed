"""Which files an edit concerns: those that name what others see otherwise now, and those that name what follows from
it, until nothing more does.

In: both sides of the edited files, and who finds the files that name something. Out: the names, and the files; or
NotIncremental, where that is too much, or where something is seen otherwise that is found without its name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from rpg.encoder.languages import BY_NAME, Language
from rpg.encoder.operations import BYTE
from rpg.encoder.resolve.incremental.counterparts import Counterparts
from rpg.encoder.resolve.incremental.file_difference import (
    FileDifference,
    FileVersions,
    NotIncremental,
    Text,
    Word,
    below,
    found_by,
    surveyed,
    word,
)
from rpg.encoder.resolve.incremental.fingerprints import Key, TooMuch
from rpg.encoder.resolve.incremental.importers import holds, seen_by_module, shows_imports
from rpg.encoder.resolve.incremental.visible_names import Item, VisibleNames
from rpg.encoder.resolve.program.source_file import SourceFile

MOST_NAMES = 60
"""Names that are looked for; what changes more concerns about everything."""


class MoreAffected(Exception):
    """What the edits change concerns more files."""

    def __init__(
        self,
        receiver: tuple[int, int, int] | None = None,
        names: Iterable[str] = (),
        functions: Iterable[tuple[int, int]] = (),
    ) -> None:
        super().__init__()
        self.receiver = receiver
        """The parameter of a function, as it was, that receives something else: file, scope, position."""
        self.names = frozenset(names)
        """Of what is something else."""
        self.functions = sorted(functions)
        """Those that give something else: file, definition as it was."""


class Others(Protocol):
    """Who knows all files, as they were; by the index of their files."""

    def mentioning(self, text: Text) -> Iterable[int]:
        """The files that have a word in their source."""

    def sources(self) -> Iterable[tuple[int, bytes]]:
        """All source files."""

    def guessing(self, names: Iterable[str]) -> Iterable[int]:
        """The files with a call of a member of such a name that nothing is known of but the name."""

    def importing(self, index: int) -> Iterable[int]:
        """The files that import a file."""

    def is_borne(self, name: str) -> bool:
        """Whether a symbol of another file than the edited ones has a name."""

    def path(self, index: int) -> str: ...

    def language(self, index: int) -> Language: ...

    def source(self, index: int) -> bytes: ...

    def file(self, index: int) -> SourceFile: ...


class AffectedFiles:
    """`files` by the index of their files: the edited ones, and all others that are concerned."""

    def __init__(
        self,
        edited: Iterable[tuple[SourceFile, bytes, SourceFile, bytes]],
        others: Others,
        most: int,
    ) -> None:
        """`edited`: file and source before, and after. Raises NotIncremental."""
        self.most = most
        self.others = others
        self.versions: dict[int, FileVersions] = {}
        self.names: set[str] = set()
        """What others see otherwise."""
        self.sought: set[Word] = set()
        """Further patterns of the text of files that are concerned."""
        self.unborne: set[str] = set()
        """Names that no other symbol has."""
        self.guessed: set[str] = set()
        """Names of members that came or went where nobody looks for them but who guesses."""
        self.own: dict[int, set[str]] = {}
        """SourceFile -> names of the module that mean something else, which only who names the module sees as well."""
        self.asked: dict[int, set[str]] = {}
        """SourceFile -> those of which whoever names the module was asked."""
        self.importing: dict[int, set[int]] = {}
        """SourceFile -> those that import it, or stand in the package that it is."""
        self.spelled: set[str] = set()
        """Names that came or went, which texts may speak of."""
        self.held: set[int] = set()
        """Files of modules that others may know without their names."""
        self.effective: dict[int, set[str]] = {}
        """SourceFile -> names that mean something else in it."""
        self.families: set[str] = set()
        """Of the languages of edited files: none sees the names of another one."""
        self.with_classes: set[int] = set()
        """Files with a class that is made of something else."""
        self.giving: dict[int, dict[Key, Item]] = {}
        """SourceFile -> functions that others see otherwise only if what they give differs, which is told by value."""
        self.receiving: dict[tuple[int, int], set[str]] = {}
        """SourceFile and region -> parameters that receive something else."""
        try:
            for old, old_source, new, new_source in edited:
                self.versions[new.index] = FileVersions(old, old_source, new, new_source)
                self.families.add(BY_NAME[new.facts.language].family)
            for index, versions in self.versions.items():
                difference_of = FileDifference(versions, others.is_borne)
                self.names |= difference_of.names
                self.sought |= difference_of.sought
                self.guessed |= difference_of.guessed
                self.unborne |= difference_of.unborne
                self.spelled |= difference_of.spelled
                self.own[index] = difference_of.own
                if difference_of.has_classes:
                    self.with_classes.add(index)
                self.giving.setdefault(index, {}).update(difference_of.giving)
            self._follow()
        except TooMuch:
            raise NotIncremental("an edit that is too large to compare") from None

    def widen(self, wider: MoreAffected) -> None:
        """Bring in whom that concerns. Raises NotIncremental."""
        languages = {versions.moves.new.file.rules for versions in self.versions.values()}
        for name in wider.names:
            if any(name.startswith(rules.looked_up_prefixes) for rules in languages):
                raise NotIncremental(f"{name} is found without its name")
        self.names |= wider.names
        for file, index in wider.functions:
            self._found(file, self.giving[file][self.versions[file].moves.old.keys[index]])
        try:
            if wider.receiver is not None:
                self._renew(*wider.receiver)
            self._follow()
        except TooMuch:
            raise NotIncremental("an edit that is too large to compare") from None

    def _renew(self, index: int, scope: int, position: int) -> None:
        """All who call a function are concerned, and all who see what it makes of what it receives."""
        self._add(index)
        versions = self.versions[index]
        file = versions.moves.old.file
        definition = file.definitions[file.scopes[scope].definition]
        if definition.scope != scope or scope in versions.moves.renewed:
            raise NotIncremental("something else is passed to a function")
        versions.moves.renewed.add(scope)
        around = file.definitions[definition.parent].name
        self.sought.add(word(around if definition.name == file.rules.constructor else definition.name))
        name = file.facts.parameters[scope][position].name
        before = versions.moves.old.region(definition.start_byte)
        self.receiving.setdefault((index, before), set()).add(name)
        for (seen, _), region in zip(versions.sides, (before, versions.moves.regions.get(before)), strict=False):
            for key, item in seen.items(region).items() if region else ():
                if name not in item.met or (item.around and item.names[0] in file.rules.give_nothing):
                    continue
                if item.apart is not None and name not in item.apart:
                    self.giving.setdefault(index, {})[key[1]] = item
                    continue
                if item.is_wide:
                    raise NotIncremental("something else is passed to what is found without its name")
                self._found(index, item)

    # What is known by value

    def keeps(self, file: int, index: int) -> bool:
        """Whether what others see of a definition, once a value leads them to it, is what it was."""
        versions = self.versions[file]
        moved = versions.moves.definition(index)
        (old, _), (new, _) = versions.sides[0], versions.sides[-1]
        definition = old.side.file.definitions[index]
        if moved is None or definition.name in self.effective[file]:
            return False
        if not old.side.is_inner(index):
            return True
        names = self._meant_at(file, definition.start_byte)
        a, b = old.definition(index), new.definition(moved)
        return a.tree == b.tree and a.met.isdisjoint(names) and b.met.isdisjoint(names)

    def is_led_to(self, file: int, e: int) -> bool:
        """Whether something follows for an expression of a file as it was."""
        side = self.versions[file].moves.old
        side.met = set()
        side.tree(e)
        return not side.met.isdisjoint(self._meant_at(file, side.file.code[e + BYTE]))

    def _meant_at(self, file: int, byte: int) -> set[str]:
        """The names that mean something else at a place of a file as it was."""
        received = self.receiving.get((file, self.versions[file].moves.old.region(byte)))
        return self.effective[file] | received if received else self.effective[file]

    def giving_in(self, file: int) -> list[tuple[int, int]]:
        """The functions of a file that are compared by what they give: definitions before and after."""
        moves = self.versions[file].moves
        giving = self.giving.get(file, {})
        found = []
        for index, key in enumerate(moves.old.keys) if giving else ():
            # Who knows one that came or went is concerned by its name, or by that of its class.
            moved = moves.definition(index) if key in giving else None
            if moved is not None and not self._is_known(file, giving[key]):
                found.append((index, moved))
        return found

    @property
    def surveyed(self) -> dict[int, Counterparts]:
        """Of the files with other definitions or imports, or classes made of something else, of which surveys tell."""
        return {
            index: versions.moves
            for index, versions in self.versions.items()
            if index in self.with_classes or surveyed(versions.moves.old.file) != surveyed(versions.moves.new.file)
        }

    @property
    def edited(self) -> list[int]:
        return [index for index, versions in self.versions.items() if versions.is_edited]

    def _follow(self) -> None:
        """Until no other name is seen otherwise."""
        for index in self.others.guessing(self.guessed):
            self._add(index)
        for index in self.others.mentioning(Text(map(word, self.unborne))) if self.unborne else ():
            self._add(index)
        for index in self.others.mentioning(Text(map(word, self.spelled))) if self.spelled else ():
            if self.others.language(index).text:
                self._add(index)
        done: set[str] | None = None
        looked: set[Word] = set()
        while looked != self.sought or done != self.names or self.asked != self.own:
            for index in list(self.own):
                self._ask_importers(index)
            if len(self.names) + sum(map(len, self.own.values())) > MOST_NAMES:
                raise NotIncremental("too many names mean something else")
            words = {*(self.sought - looked), *map(word, self.names - (done or set()))}
            for index in self.others.mentioning(Text(words)) if words else ():
                language = self.others.language(index)
                if language.text or language.family in self.families:
                    self._add(index)
            done, looked = set(self.names), set(self.sought)
            for index, versions in self.versions.items():
                names = self.effective[index] = self._meant_in(index, versions)
                for seen, source in versions.sides if names else ():
                    self._lead(index, names, seen, source)

    def _add(self, index: int) -> None:
        if index in self.versions:
            return
        if len(self.versions) >= self.most:
            raise NotIncremental("too many files are concerned")
        file, source = self.others.file(index), self.others.source(index)
        self.versions[index] = FileVersions(file, source, file, source)

    def _ask_importers(self, index: int) -> None:
        """Add those who may see the names of a module that mean something else."""
        file = self.versions[index].moves.new.file
        new = self.own[index] - self.asked.get(index, set())
        if new and shows_imports(file):
            asks = file.rules.imports_are_members and index not in self.held
            if not asks or not self._add_importers(index, file, new):
                self.held.add(index)
                self.names |= new
        self.asked[index] = set(self.own[index])

    def _add_importers(self, index: int, file: SourceFile, new: set[str]) -> bool:
        """Those who take a name from a module, or look for it there. False where they may know it otherwise."""
        rules = file.rules
        if not rules.module_name(file.path):
            return False
        naming = rules.naming(file.path, new)
        importing = self.importing[index] = set(self.others.importing(index))
        if rules.is_package(file.path):
            # Whatever stands in a package may import from it by dots alone.
            folder = file.path.rpartition("/")[0] + "/"
            importing.update(each for each, _ in self.others.sources() if self.others.path(each).startswith(folder))
        for other, source in self.others.sources():
            imports = other in importing
            if other == index:
                continue
            if naming.may_hold(source, imports) and holds(self.others.file(other), file.path):
                return False
            if naming.may_see(source, imports):
                self._add(other)
        return True

    def _meant_in(self, index: int, versions: FileVersions) -> set[str]:
        """The names that mean something else in a file."""
        names = set(self.names)
        for owner, own in self.own.items():
            if owner == index or (own and self._may_see(index, versions, owner)):
                names |= own
        return names

    def _may_see(self, index: int, versions: FileVersions, owner: int) -> bool:
        """Whether a file may see the names of a module that mean something else."""
        file = self.versions[owner].moves.new.file
        if not seen_by_module(file):
            return False
        naming = file.rules.naming(file.path, self.own[owner])
        imports = versions.is_edited or index in self.importing.get(owner, ())
        return any(naming.may_see(source, imports) for _, source in versions.sides)

    def _lead(self, index: int, names: set[str], seen: VisibleNames, source: bytes) -> None:
        """To the items of a file that something follows for."""
        for region in sorted({seen.side.region(place) for place in Text(map(word, names)).places(source)}):
            for key, item in seen.items(region).items():
                if item.met.isdisjoint(names) or self._is_known(index, item):
                    continue
                if item.around and item.names[0] in seen.side.file.rules.give_nothing:
                    continue
                if item.apart is not None and item.apart.isdisjoint(names):
                    self.giving.setdefault(index, {})[key[1]] = item
                    continue
                if item.is_wide:
                    self.sought |= below(key, item, seen)
                    self.with_classes.add(index)
                self._found(index, item)

    def _found(self, index: int, item: Item) -> None:
        """Something is another one for whoever sees it."""
        if item.is_import or (item.is_global and seen_by_module(self.versions[index].moves.new.file)):
            self.own.setdefault(index, set()).update(item.names)
        else:
            self.names.update(found_by(self.versions[index].moves.new.file.rules, item))

    def _is_known(self, index: int, item: Item) -> bool:
        names = self.names
        if item.is_import or item.is_global:
            names = names | self.own.get(index, set())
        return names.issuperset(filter(None, item.names))
