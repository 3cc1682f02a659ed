"""Which files an edit affects: those that mention a changed name, then those that mention a name which changes as a
consequence, until nothing is added.

In: both versions of the edited files, and a search for the files that mention a name. Out: the names and the files; or
NotIncremental if there are too many, or if a change can be reached without naming it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from typing import Any, Protocol

from rpg.encoder import operations as op
from rpg.encoder.facts import SITE_WORDS, strip_marks
from rpg.encoder.languages import BY_NAME, Language
from rpg.encoder.resolve.incremental.ancestry import Ancestry
from rpg.encoder.resolve.incremental.counterparts import Counterparts
from rpg.encoder.resolve.incremental.file_difference import (
    FileDifference,
    FileVersions,
    NotIncremental,
    Text,
    Word,
    find_words_below,
    list_search_names,
    survey_file,
    word,
)
from rpg.encoder.resolve.incremental.fingerprints import SUPER, Key, TooMuch
from rpg.encoder.resolve.incremental.importers import find_dotted, holds, is_seen_by_module, shows_imports
from rpg.encoder.resolve.incremental.moved_files import Moved, find_bound_names
from rpg.encoder.resolve.incremental.visible_names import Item, VisibleNames
from rpg.encoder.resolve.program.source_file import SourceFile

MOST_NAMES = 60
NAMES_OF_FILE = 2
"""The most names to search for: this many, or so many for each file that may be affected. An edit that changes more
affects nearly everything."""


_WORD = re.compile(r"\w+")
_NAMED = frozenset({op.NAME, op.ATTRIBUTE, op.PATH})


class MoreAffected(Exception):
    """The edits affect further files."""

    def __init__(
        self,
        receiver: tuple[int, int, int] | None = None,
        names: Iterable[str] = (),
        functions: Iterable[tuple[int, int]] = (),
    ) -> None:
        super().__init__()
        self.receiver = receiver
        """The parameter of a function in the old version that receives other values: file, scope, position."""
        self.names = frozenset(names)
        """Names whose meaning changed."""
        self.functions = sorted(functions)
        """Functions whose results changed: file and definition in the old version."""


class Others(Protocol):
    """Access to all files in their old version, by file index."""

    def mentioning(self, text: Text) -> Iterable[int]:
        """The files whose source contains one of the words."""

    def having(self, name: bytes) -> Set[int] | None:
        """The files that may contain a name, and some that do not; None if any may."""

    def sources(self) -> Iterable[tuple[int, bytes]]:
        """All source files."""

    def guessing(self, names: Iterable[str]) -> Iterable[int]:
        """The files with a call of such a member on a receiver of unknown type."""

    def missing(self, members: Iterable[str]) -> Iterable[int]:
        """The files with a place where a class was seen to lack a member: class and member, joined by a dot."""

    def is_guessed(self, family: str, name: str, in_test: bool) -> bool:
        """Whether a member of that name that comes or goes may change a guess; `in_test`: in tests alone."""

    def bearing(self, name: str) -> Iterable[int]:
        """The files with a symbol of that name."""

    def importing(self, index: int) -> Iterable[int]:
        """The files that import a file."""

    def importing_around(self, index: int) -> Iterable[int]:
        """The files that import a file, or a folder or package around it."""

    def is_borne(self, name: str) -> bool:
        """Whether a symbol outside the edited files has that name."""

    def is_test(self, index: int) -> bool: ...

    def path(self, index: int) -> str: ...

    def language(self, index: int) -> Language: ...

    def source(self, index: int) -> bytes: ...

    def file(self, index: int) -> SourceFile: ...


class AffectedFiles:
    """`files` by index: the edited ones, and all others that are affected."""

    def __init__(
        self,
        edited: Iterable[tuple[SourceFile, bytes, SourceFile, bytes]],
        others: Others,
        most: int,
        moved: Moved | None = None,
    ) -> None:
        """`edited`: file and source before, and after; `moved`: which of them are there in one version only. Raises
        NotIncremental."""
        self.most = most
        self.others = others
        self.versions: dict[int, FileVersions] = {}
        self.names: set[str] = set()
        """Names whose meaning changed for other files."""
        self.configured: set[str] = set()
        """Names that changed in configuration, which no code names."""
        self.sought: set[Word] = set()
        """Further patterns to search for in the text of files."""
        self.unborne: set[str] = set()
        """Names that no other symbol has."""
        self.guessed: set[str] = set()
        """Names of members added or removed that only a guess by name can reach."""
        self.own: dict[int, set[str]] = {}
        """File -> changed names of the module that are visible only to files that name the module."""
        self.asked: dict[int, set[str]] = {}
        """File -> those of them whose importers have been added."""
        self.importing: dict[int, set[int]] = {}
        """File -> the files that import it, or are in the package that it is."""
        self.spelled: set[str] = set()
        """Names added or removed, which text files may mention."""
        self.held: set[int] = set()
        """Files of modules that others may know without naming them."""
        self.effective: dict[int, set[str]] = {}
        """File -> names that have a new meaning in it."""
        self.families: set[str] = set()
        """Language families of the edited files: no family sees the names of another."""
        self.with_classes: set[int] = set()
        """Files with a class whose composition changed."""
        self.by_result: dict[int, dict[Key, Item]] = {}
        """File -> functions whose change affects others only if their results differ, which evaluation will tell."""
        self.receiving: dict[tuple[int, int], set[str]] = {}
        """File and region -> parameters that receive other values."""
        self.missed: set[tuple[str, bool]] = set()
        """Class and member, joined by a dot, of which one below now has, or no longer: and whether in a test."""
        self.seeking: dict[int, set[str]] = {}
        """File -> names by which it finds files that came or went, and what it takes from them."""
        self.led: set[tuple[int, tuple[Any, ...]]] = set()
        """Classes that a change reaches: file and item."""
        self.with_siblings: set[int] = set()
        """Files with classes in which `super()` may mean another class."""
        numbers = moved.numbers if moved is not None else frozenset()
        self.ancestry = ancestry = Ancestry(others)
        self.siblings: set[str] = set()
        """Classes with several bases that are composed otherwise, by name."""
        try:
            for old, old_source, new, new_source in edited:
                versions = FileVersions(old, old_source, new, new_source, new.index in numbers)
                versions.parted = versions.moves.part_what_moved() if not versions.is_moved else set()
                self.versions[new.index] = versions
                ancestry.add(old)
                ancestry.add(new)
                self.families.add(BY_NAME[new.facts.language].family)
            for index, versions in self.versions.items():
                difference_of = FileDifference(versions, others.is_borne)
                (self.configured if self._configures(index) else self.names).update(difference_of.names)
                self.sought |= difference_of.sought
                file = versions.moves.new.file if versions.moves.new.file.facts.sites else versions.moves.old.file
                family, in_test = BY_NAME[file.facts.language].family, file.in_test
                self.guessed.update(
                    name
                    for name in difference_of.guessed
                    if not versions.is_moved or others.is_guessed(family, name, in_test)
                )
                self.unborne |= difference_of.unborne
                self.spelled |= difference_of.spelled
                self.own[index] = difference_of.own
                for of, name in difference_of.missed:
                    self.missed.update((f"{above}.{name}", in_test) for above in ancestry.above(of))
                self.siblings |= difference_of.siblings
                if difference_of.has_classes:
                    self.with_classes.add(index)
                self.by_result.setdefault(index, {}).update(difference_of.by_result)
            if moved is not None:
                self._add_seekers(moved)
            self._follow()
        except TooMuch:
            raise NotIncremental("an edit that is too large to compare") from None

    def widen(self, wider: MoreAffected) -> None:
        """Adds the files that this affects. Raises NotIncremental."""
        languages = {versions.moves.new.file.rules for versions in self.versions.values()}
        for name in wider.names:
            if any(name.startswith(rules.looked_up_prefixes) for rules in languages):
                raise NotIncremental(f"{name} can be reached without its name")
        self.names |= wider.names
        for file, index in wider.functions:
            self._found(file, self.by_result[file][self.versions[file].moves.old.keys[index]])
        try:
            if wider.receiver is not None:
                self._renew(*wider.receiver)
            self._follow()
        except TooMuch:
            raise NotIncremental("an edit that is too large to compare") from None

    def include(self, files: Iterable[int]) -> None:
        """Adds files that are affected without naming what changed. Raises NotIncremental."""
        for index in files:
            self._add(index)
        try:
            self._follow()
        except TooMuch:
            raise NotIncremental("an edit that is too large to compare") from None

    def _renew(self, index: int, scope: int, position: int) -> None:
        """Affects all callers of a function, and all who see what it makes of its parameter."""
        self._add(index)
        versions = self.versions[index]
        file = versions.moves.old.file
        definition = file.definitions[file.scopes[scope].definition]
        if definition.scope != scope or scope in versions.moves.renewed:
            raise NotIncremental("other values are passed to a function")
        versions.moves.renewed.add(scope)
        around = file.definitions[definition.parent].name
        self.sought.add(word(around if definition.name == file.rules.constructor else definition.name))
        name = file.facts.parameters[scope][position].name
        before = versions.moves.old.region(definition.start_byte)
        self.receiving.setdefault((index, before), set()).add(name)
        for (seen, _), region in zip(versions.sides, (before, versions.moves.regions.get(before)), strict=False):
            for key, item in seen.items(region).items() if region else ():
                if name not in item.met or (item.around and item.names[0] in file.rules.protocols.without_results):
                    continue
                if item.outside_results is not None and name not in item.outside_results:
                    self.by_result.setdefault(index, {})[key[1]] = item
                    continue
                if item.is_wide:
                    raise NotIncremental("other values are passed to code that is reached without its name")
                self._found(index, item)

    # Compared by value

    def keeps(self, file: int, index: int) -> bool:
        """Whether a definition that a value refers to still looks the same to other files."""
        versions = self.versions[file]
        moved = versions.moves.definition(index)
        (old, _), (new, _) = versions.sides[0], versions.sides[-1]
        definition = old.side.file.definitions[index]
        if moved is None or definition.name in self.effective[file]:
            return False
        if not old.side.is_inner(index):
            return True
        names = self._changed_at(file, definition.start_byte)
        a, b = old.definition(index), new.definition(moved)
        return a.tree == b.tree and a.met.isdisjoint(names) and b.met.isdisjoint(names)

    def is_led_to(self, file: int, e: int) -> bool:
        """Whether the change affects an expression of the old version."""
        side = self.versions[file].moves.old
        side.met = set()
        side.tree(e)
        return not side.met.isdisjoint(self._changed_at(file, side.file.code[e + op.BYTE]))

    def _changed_at(self, file: int, byte: int) -> set[str]:
        """The names that have a new meaning at a place in the old version of a file."""
        received = self.receiving.get((file, self.versions[file].moves.old.region(byte)))
        return self.effective[file] | received if received else self.effective[file]

    def list_by_result(self, file: int) -> list[tuple[int, int]]:
        """The functions of a file that are compared by their results: definitions before and after."""
        moves = self.versions[file].moves
        by_result = self.by_result.get(file, {})
        found = []
        for index, key in enumerate(moves.old.keys) if by_result else ():
            # Functions added or removed affect others by their name, or by that of their class.
            moved = moves.definition(index) if key in by_result else None
            if moved is not None and not self._is_known(file, by_result[key]):
                found.append((index, moved))
        return found

    @property
    def surveyed(self) -> dict[int, Counterparts]:
        """The files with other definitions or imports, or with changed classes, which surveys record."""
        return {
            index: versions.moves
            for index, versions in self.versions.items()
            if index in self.with_classes
            or versions.is_moved
            or survey_file(versions.moves.old.file) != survey_file(versions.moves.new.file)
        }

    @property
    def edited(self) -> list[int]:
        return [index for index, versions in self.versions.items() if versions.is_edited]

    def _follow(self) -> None:
        """Repeats until no further name changes its meaning."""
        for index in self.others.guessing(self.guessed):
            self._add(index)
        for index in self.others.missing({member for member, in_test in self.missed if not in_test}):
            self._add(index)
        for index in self.others.missing({member for member, in_test in self.missed if in_test}):
            if self.others.is_test(index):
                self._add(index)
        for index in self.others.mentioning(Text(map(word, self.unborne))) if self.unborne else ():
            if self._spells(index, self.unborne) if self.others.language(index).is_text else self._refers(index):
                self._add(index)
        for index in self.others.mentioning(Text(map(word, self.spelled))) if self.spelled else ():
            if self.others.language(index).is_text and self._spells(index, self.spelled):
                self._add(index)
        done: set[str] | None = None
        looked: set[Word] = set()
        beside: set[str] = set()
        configured: set[str] = set()
        while (looked, done, self.asked, beside, configured) != (
            self.sought,
            self.names,
            self.own,
            self.siblings,
            self.configured,
        ):
            self._add_siblings(self.siblings - beside)
            written = Text(map(word, self.configured - configured))
            for index in self.others.mentioning(written) if written.names else ():
                if self.others.language(index).configures:
                    self._add(index)
            beside, configured = set(self.siblings), set(self.configured)
            for index in list(self.own):
                self._ask_importers(index)
            if len(self.names) + sum(map(len, self.own.values())) > max(MOST_NAMES, NAMES_OF_FILE * self.most):
                raise NotIncremental("too many names have a new meaning")
            words = {*(self.sought - looked), *map(word, self.names - (done or set()))}
            spelled = {each.name.decode() for each in words}
            for index in self.others.mentioning(Text(words)) if words else ():
                language = self.others.language(index)
                if language.is_text:
                    if index not in self.versions and self._spells(index, spelled):
                        self._add(index)
                elif language.configures or language.family in self.families:
                    self._add(index)
            done, looked = set(self.names), set(self.sought)
            for index, versions in self.versions.items():
                names = self.effective[index] = self._changed_in(index, versions)
                # Others know of a file that comes or goes only what was found already.
                for seen, source in versions.sides if names and not versions.is_moved else ():
                    self._lead(index, names, seen, source)

    def _refers(self, index: int) -> bool:
        """Whether a place in a file refers to one of the names that no other symbol has."""
        file = self.others.file(index)
        code, strings, sites = file.code, file.strings, file.facts.sites
        for at in range(0, len(sites), SITE_WORDS):
            e = sites[at]
            named = code[e + op.CALLEE] if code[e] == op.CALL else e
            if code[named] in _NAMED and strip_marks(strings[op.find_name_word(code, named)]) in self.unborne:
                return True
        return False

    def _spells(self, index: int, names: set[str]) -> bool:
        """Whether a text refers to one of some names, and does not only have the word."""
        return any(not names.isdisjoint(_WORD.findall(each)) for each in self.others.file(index).strings)

    def _add_seekers(self, moved: Moved) -> None:
        """Adds the files that may find a file that came, or one that went."""
        for index, names in moved.find_seekers(self.others.sources(), self.others.importing):
            if index in self.versions and self.versions[index].is_moved:
                continue
            self._add(index)
            file = self.versions[index].moves.new.file
            self.seeking[index] = names
            if not is_seen_by_module(file):
                continue
            is_edited = self.versions[index].is_edited
            for seen, _ in self.versions[index].sides:
                each = seen.side.file
                # Of an edited file any import may mean something else.
                imports = range(len(each.facts.imports)) if is_edited else moved.list_changed_imports(index)
                bound, own = find_bound_names(each, imports)
                self.seeking[index] = self.seeking[index] | bound
                self.own.setdefault(index, set()).update(own)

    def _add_siblings(self, siblings: Iterable[str]) -> None:
        """Adds the files of classes above these."""
        for name in sorted({above for each in siblings for above in self.ancestry.above(each)}):
            for index in self.others.bearing(name):
                self._add(index)
                self.with_siblings.add(index)

    def _add(self, index: int) -> None:
        if index in self.versions:
            return
        if len(self.versions) >= self.most:
            raise NotIncremental("too many files are affected")
        file, source = self.others.file(index), self.others.source(index)
        self.versions[index] = FileVersions(file, source, file, source)

    def _ask_importers(self, index: int) -> None:
        """Adds the files that may see changed names of a module."""
        file = self.versions[index].moves.new.file
        new = self.own[index] - self.asked.get(index, set())
        if new and shows_imports(file):
            asks = file.rules.module_objects.imports_are_members and index not in self.held
            if not asks or not self._add_importers(index, file, new):
                self.held.add(index)
                self.names |= new
        self.asked[index] = set(self.own[index])

    def _add_importers(self, index: int, file: SourceFile, new: set[str]) -> bool:
        """Adds the files that import a name from a module or look it up there. False if they may know it in other
        ways."""
        rules = file.rules
        if not rules.module_name(file.path):
            return False
        naming = rules.naming(file.path, new)
        spelled = Text(map(word, new))
        importing = self.importing[index] = set(self.others.importing(index))
        if rules.is_package(file.path):
            # Files in a package may import from it with dots alone.
            folder = file.path.rpartition("/")[0] + "/"
            importing.update(each for each, _ in self.others.sources() if self.others.path(each).startswith(folder))
        around = set(self.others.importing_around(index)) | importing
        dotted = find_dotted(file.path, rules.module_name(file.path))
        named = self.others.having(dotted.module) if dotted is not None else None
        for other, source in self.others.sources():
            if other == index:
                continue
            if other not in around and dotted is not None:
                may_name = named is None or other in named
                if not may_name or not dotted.is_in(source):
                    continue
            imports = other in importing
            if naming.may_hold(source, imports) and holds(self.others.file(other), file.path):
                return False
            language = self.others.language(other)
            # These name a module without the statements that code imports it by.
            is_plain = language.configures or language.is_text
            if spelled.is_in(source) if is_plain else naming.may_see(source, imports):
                self._add(other)
        return True

    def _changed_in(self, index: int, versions: FileVersions) -> set[str]:
        """The names that have a new meaning in a file."""
        names = set(self.names)
        names |= self.seeking.get(index, set())
        if self._configures(index):
            names |= self.configured
        if index in self.with_siblings:
            names.add(SUPER)
        for owner, own in self.own.items():
            if owner == index or (own and self._may_see(index, versions, owner)):
                names |= own
        return names

    def _may_see(self, index: int, versions: FileVersions, owner: int) -> bool:
        """Whether a file may see the changed names of a module."""
        file = self.versions[owner].moves.new.file
        if not is_seen_by_module(file):
            return False
        naming = file.rules.naming(file.path, self.own[owner])
        imports = versions.is_edited or index in self.importing.get(owner, ())
        return any(naming.may_see(source, imports) for _, source in versions.sides)

    def _lead(self, index: int, names: set[str], seen: VisibleNames, source: bytes) -> None:
        """Finds the items of a file that the change affects."""
        regions = {seen.side.region(place) for place in Text(map(word, names)).places(source)}
        for region in sorted(regions if SUPER not in names else regions | seen.parts.keys()):
            for key, item in seen.items(region).items():
                if item.met.isdisjoint(names):
                    continue
                is_known = self._is_known(index, item)
                # Of a class, the name may be known by another one.
                if item.is_wide and not (is_known and (key[0] != "definition" or (index, key) in self.led)):
                    self.led.add((index, key))
                    self.sought |= find_words_below(key, item, seen)
                    self.with_classes.add(index)
                    if item.bases > 1:
                        self.siblings.update(item.names)
                if is_known:
                    continue
                if item.around and item.names[0] in seen.side.file.rules.protocols.without_results:
                    continue
                if item.outside_results is not None and item.outside_results.isdisjoint(names):
                    self.by_result.setdefault(index, {})[key[1]] = item
                    continue
                self._found(index, item)

    def _found(self, index: int, item: Item) -> None:
        """Records that an item changed for those who see it."""
        if item.is_import or (item.is_global and is_seen_by_module(self.versions[index].moves.new.file)):
            self.own.setdefault(index, set()).update(item.names)
        else:
            names = self.configured if self._configures(index) else self.names
            names.update(list_search_names(self.versions[index].moves.new.file.rules, item))

    def _configures(self, index: int) -> bool:
        return BY_NAME[self.versions[index].moves.new.file.facts.language].configures

    def _is_known(self, index: int, item: Item) -> bool:
        names = self.names
        if self._configures(index):
            names = names | self.configured
        if item.is_import or item.is_global:
            names = names | self.own.get(index, set())
        return names.issuperset(filter(None, item.names))
