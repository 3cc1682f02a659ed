"""Which files an edit concerns: those that name what others see otherwise now, and those that name what follows from
it, until nothing more does.

In: both sides of the edited files, and who finds the files that name something. Out: the names, and the files; or
NotAlone, where that is too much, or where something is seen otherwise that is found without its name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from rpg.encoder.languages import BY_NAME, Language
from rpg.encoder.resolve.incremental.counterparts import Moves
from rpg.encoder.resolve.incremental.file_difference import (
    GIVE_NOTHING,
    Differing,
    File,
    NotAlone,
    Text,
    Word,
    below,
    found_by,
    surveyed,
    word,
)
from rpg.encoder.resolve.incremental.fingerprints import Key, TooMuch
from rpg.encoder.resolve.incremental.importers import (
    Naming,
    holds,
    is_package,
    module_name,
    seen_by_module,
    shows_imports,
)
from rpg.encoder.resolve.incremental.visible_names import Item, Seen
from rpg.encoder.resolve.program.unit import Unit

MOST_NAMES = 60
"""Names that are looked for; what changes more concerns about everything."""


class Wider(Exception):
    """What the edits change concerns more files."""

    def __init__(
        self,
        receiver: tuple[int, int, int] | None = None,
        names: Iterable[str] = (),
        functions: Iterable[tuple[int, int]] = (),
    ) -> None:
        super().__init__()
        self.receiver = receiver
        """The parameter of a function, as it was, that receives something else: unit, scope, position."""
        self.names = frozenset(names)
        """Of what is something else."""
        self.functions = sorted(functions)
        """Those that give something else: unit, definition as it was."""


class Others(Protocol):
    """Who knows all files, as they were; by the index of their units."""

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

    def unit(self, index: int) -> Unit: ...


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
        self.own: dict[int, set[str]] = {}
        """Unit -> names of the module that mean something else, which only who names the module sees as well."""
        self.asked: dict[int, set[str]] = {}
        """Unit -> those of which whoever names the module was asked."""
        self.importing: dict[int, set[int]] = {}
        """Unit -> those that import it, or stand in the package that it is."""
        self.spelled: set[str] = set()
        """Names that came or went, which texts may speak of."""
        self.held: set[int] = set()
        """Units of modules that others may know without their names."""
        self.effective: dict[int, set[str]] = {}
        """Unit -> names that mean something else in it."""
        self.families: set[str] = set()
        """Of the languages of edited files: none sees the names of another one."""
        self.with_classes: set[int] = set()
        """Units with a class that is made of something else."""
        self.giving: dict[int, dict[Key, Item]] = {}
        """Unit -> functions that others see otherwise only if what they give differs, which is told by value."""
        self.receiving: dict[tuple[int, int], set[str]] = {}
        """Unit and region -> parameters that receive something else."""
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
                self.spelled |= differing.spelled
                self.own[index] = differing.own
                if differing.has_classes:
                    self.with_classes.add(index)
                self.giving.setdefault(index, {}).update(differing.giving)
            self._follow()
        except TooMuch:
            raise NotAlone("an edit that is too large to compare") from None

    def widen(self, wider: Wider) -> None:
        """Bring in whom that concerns. Raises NotAlone."""
        for name in wider.names:
            if name.startswith("__"):
                raise NotAlone(f"{name} is found without its name")
        self.names |= wider.names
        for unit, index in wider.functions:
            self._found(unit, self.giving[unit][self.files[unit].moves.old.keys[index]])
        try:
            if wider.receiver is not None:
                self._renew(*wider.receiver)
            self._follow()
        except TooMuch:
            raise NotAlone("an edit that is too large to compare") from None

    def _renew(self, index: int, scope: int, position: int) -> None:
        """All who call a function are concerned, and all who see what it makes of what it receives."""
        self._add(index)
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
        self.receiving.setdefault((index, before), set()).add(name)
        for (seen, _), region in zip(file.sides, (before, file.moves.regions.get(before)), strict=False):
            for key, item in seen.items(region).items() if region else ():
                if name not in item.met or (item.around and item.names[0] in GIVE_NOTHING):
                    continue
                if item.apart is not None and name not in item.apart:
                    self.giving.setdefault(index, {})[key[1]] = item
                    continue
                if item.is_wide:
                    raise NotAlone("something else is passed to what is found without its name")
                self._found(index, item)

    # What is known by value

    def keeps(self, unit: int, index: int) -> bool:
        """Whether what others see of a definition, once a value leads them to it, is what it was."""
        file = self.files[unit]
        moved = file.moves.definition(index)
        (old, _), (new, _) = file.sides[0], file.sides[-1]
        definition = old.side.unit.definitions[index]
        if moved is None or definition.name in self.effective[unit]:
            return False
        if not old.side.is_inner(index):
            return True
        names = self._meant_at(unit, definition.start_byte)
        a, b = old.definition(index), new.definition(moved)
        return a.tree == b.tree and a.met.isdisjoint(names) and b.met.isdisjoint(names)

    def is_led_to(self, unit: int, e: int) -> bool:
        """Whether something follows for an expression of a file as it was."""
        side = self.files[unit].moves.old
        side.met = set()
        side.tree(e)
        return not side.met.isdisjoint(self._meant_at(unit, side.unit.code[e + 1]))

    def _meant_at(self, unit: int, byte: int) -> set[str]:
        """The names that mean something else at a place of a file as it was."""
        received = self.receiving.get((unit, self.files[unit].moves.old.region(byte)))
        return self.effective[unit] | received if received else self.effective[unit]

    def giving_in(self, unit: int) -> list[tuple[int, int]]:
        """The functions of a file that are compared by what they give: definitions before and after."""
        moves = self.files[unit].moves
        giving = self.giving.get(unit, {})
        found = []
        for index, key in enumerate(moves.old.keys) if giving else ():
            # Who knows one that came or went is concerned by its name, or by that of its class.
            moved = moves.definition(index) if key in giving else None
            if moved is not None and not self._is_known(unit, giving[key]):
                found.append((index, moved))
        return found

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
                raise NotAlone("too many names mean something else")
            words = {*(self.sought - looked), *map(word, self.names - (done or set()))}
            for index in self.others.mentioning(Text(words)) if words else ():
                language = self.others.language(index)
                if language.text or language.family in self.families:
                    self._add(index)
            done, looked = set(self.names), set(self.sought)
            for index, file in self.files.items():
                names = self.effective[index] = self._meant_in(index, file)
                for seen, source in file.sides if names else ():
                    self._lead(index, names, seen, source)

    def _add(self, index: int) -> None:
        if index in self.files:
            return
        if len(self.files) >= self.most:
            raise NotAlone("too many files are concerned")
        unit, source = self.others.unit(index), self.others.source(index)
        self.files[index] = File(unit, source, unit, source)

    def _ask_importers(self, index: int) -> None:
        """Add those who may see the names of a module that mean something else."""
        unit = self.files[index].moves.new.unit
        new = self.own[index] - self.asked.get(index, set())
        if new and shows_imports(unit):
            asks = unit.rules.imports_are_members and index not in self.held
            if not asks or not self._add_importers(index, unit, new):
                self.held.add(index)
                self.names |= new
        self.asked[index] = set(self.own[index])

    def _add_importers(self, index: int, unit: Unit, new: set[str]) -> bool:
        """Those who take a name from a module, or look for it there. False where they may know it otherwise."""
        if not module_name(unit.path):
            return False
        naming = Naming(unit.path, new)
        importing = self.importing[index] = set(self.others.importing(index))
        if is_package(unit.path):
            # Whatever stands in a package may import from it by dots alone.
            folder = unit.path.rpartition("/")[0] + "/"
            importing.update(each for each, _ in self.others.sources() if self.others.path(each).startswith(folder))
        for other, source in self.others.sources():
            imports = other in importing
            if other == index:
                continue
            if naming.may_hold(source, imports) and holds(self.others.unit(other), unit.path):
                return False
            if naming.may_see(source, imports):
                self._add(other)
        return True

    def _meant_in(self, index: int, file: File) -> set[str]:
        """The names that mean something else in a file."""
        names = set(self.names)
        for owner, own in self.own.items():
            if owner == index or (own and self._may_see(index, file, owner)):
                names |= own
        return names

    def _may_see(self, index: int, file: File, owner: int) -> bool:
        """Whether a file may see the names of a module that mean something else."""
        unit = self.files[owner].moves.new.unit
        if not seen_by_module(unit):
            return False
        naming = Naming(unit.path, self.own[owner])
        imports = file.is_edited or index in self.importing.get(owner, ())
        return any(naming.may_see(source, imports) for _, source in file.sides)

    def _lead(self, index: int, names: set[str], seen: Seen, source: bytes) -> None:
        """To the items of a file that something follows for."""
        for region in sorted({seen.side.region(place) for place in Text(map(word, names)).places(source)}):
            for key, item in seen.items(region).items():
                if item.met.isdisjoint(names) or self._is_known(index, item):
                    continue
                if item.around and item.names[0] in GIVE_NOTHING:
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
        if item.is_import or (item.is_global and seen_by_module(self.files[index].moves.new.unit)):
            self.own.setdefault(index, set()).update(item.names)
        else:
            self.names.update(found_by(item))

    def _is_known(self, index: int, item: Item) -> bool:
        names = self.names
        if item.is_import or item.is_global:
            names = names | self.own.get(index, set())
        return names.issuperset(filter(None, item.names))
