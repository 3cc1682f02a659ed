"""What changed in an edited file from the point of view of other files: by name, and by patterns to search their text
for.

In: both versions of a file. Out: names and patterns; or NotIncremental if something changed that can be reached without
naming it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any, Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import EXTENSION, PACKAGE_NAMES, PARTIAL, strip_marks
from rpg.encoder.languages import Rules
from rpg.encoder.languages.markup_names import is_of_markup
from rpg.encoder.resolve.incremental.counterparts import Counterparts
from rpg.encoder.resolve.incremental.fingerprints import Key, Side
from rpg.encoder.resolve.incremental.importers import is_seen_by_module
from rpg.encoder.resolve.incremental.visible_names import SAME, Item, Items, VisibleNames
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.graph import CLASS_KINDS

_KIND = SAME.index("kind")
_SIGNATURE = SAME.index("signature")
_FLAGS = SAME.index("flags")
_FEW_WORDS = 8
"""So many are looked for one by one."""
_ALONE = (False, False)
_WHOLE_WORD = re.compile(rb"\w+")
_OF_WORDS: Final = frozenset(byte for byte in range(128) if _WHOLE_WORD.match(bytes((byte,))))
_HEADER = attrgetter("kind", "qualified_name", "owner", "decorators", "flags", "signature")
_IMPORT = attrgetter("module", "level", "kind", "names")


class NotIncremental(Exception):
    """The edits may affect other files in ways that are not followed."""


class FileVersions:
    """Both versions of a file with their sources; they may be the same one."""

    def __init__(
        self, old: SourceFile, old_source: bytes, new: SourceFile, new_source: bytes, is_moved: bool = False
    ) -> None:
        """`is_moved`: the file is there in one version only, and empty in the other."""
        numbers: dict[Any, int] = {}
        self.is_moved = is_moved
        before = Side(old, numbers)
        self.is_edited = old.facts is not new.facts
        after = Side(new, numbers) if self.is_edited else before
        self.moves = Counterparts(before, after)
        self.parted: set[str] = set()
        """The names of definitions that are elsewhere in the file, or have another id."""
        self.sides = [(VisibleNames(before), old_source)]
        if self.is_edited:
            self.sides.append((VisibleNames(after), new_source))


class Word(NamedTuple):
    """A name as it appears in text."""

    name: bytes
    is_member: bool = False
    """Only after a dot."""
    is_quoted: bool = False
    """Only as a string, or at its end behind a dot."""


class Text:
    """Any of a few words, or of many."""

    def __init__(self, words: Iterable[Word]) -> None:
        sought = sorted(words)
        self.names = sorted({each.name for each in sought})
        self.alone = frozenset(each.name for each in sought if each[1:] == _ALONE)
        specials: dict[bytes, list[bytes]] = {}
        for each in sought:
            if each[1:] != _ALONE:
                specials.setdefault(each.name, []).append(_pattern(each))
        self._specials = {name: re.compile(b"|".join(patterns)) for name, patterns in specials.items()}
        """By name, what finds it where it has to stand in some way."""
        self.plain = frozenset(name for name in self.alone if _WHOLE_WORD.fullmatch(name))
        """Those that are found as whole words wherever they stand."""
        self.is_long = len(self.plain) > _FEW_WORDS
        parts = [
            _pattern(each) for each in sought if not self.is_long or each[1:] != _ALONE or each.name not in self.plain
        ]
        self.pattern = re.compile(b"|".join(parts)) if parts else None

    def is_in(self, source: bytes) -> bool:
        return any(self.has(name, source) for name in self.names)

    def has(self, name: bytes, source: bytes) -> bool:
        """Whether a source contains one of the words of that name."""
        at = source.find(name)
        if at < 0:
            return False
        # From one occurrence of the bytes to the next, which a pattern that begins with a condition cannot do.
        if name in self.alone and _is_whole(name, source, at):
            return True
        special = self._specials.get(name)
        return special is not None and special.search(source) is not None

    def places(self, source: bytes) -> list[int]:
        found = [match.start() for match in self.pattern.finditer(source)] if self.pattern is not None else []
        if self.is_long:
            plain = self.plain
            found += [match.start() for match in _WHOLE_WORD.finditer(source) if match[0] in plain]
        return found


def _pattern(word: Word) -> bytes:
    name = re.escape(word.name)
    if word.is_quoted:
        return rb"[\"'](?:[\w.]*\.)?" + name + rb"[\"']"
    return (rb"\.[\s\\]*" if word.is_member else rb"(?<!\w)") + name + rb"(?!\w)"


def _is_whole(name: bytes, source: bytes, at: int) -> bool:
    """Whether a name is not a part of longer ones only, of which the first is at a place."""
    while at >= 0:
        end = at + len(name)
        if not (at and source[at - 1] in _OF_WORDS) and not (end < len(source) and source[end] in _OF_WORDS):
            return True
        at = source.find(name, at + 1)
    return False


def word(name: str) -> Word:
    return Word(name.encode())


def _member(name: str) -> Word:
    return Word(name.encode(), True)


def _refuse_part(item: Item) -> None:
    if PARTIAL in item.tree[0][0][_FLAGS]:
        raise NotIncremental("a part of a type")


def find_words_below(key: tuple[Any, ...], item: Item, seen: VisibleNames) -> set[Word]:
    """What to search for: the members of a class that may now be below another one."""
    if key[0] != "definition":
        raise NotIncremental("what others see of a module as a whole changed")
    _refuse_part(item)
    file = seen.side.file
    index = seen.side.keys.index(key[1])
    scope = file.definitions[index].scope
    names = {definition.name for definition in file.definitions if definition.parent == index}
    names |= {strip_marks(binding.name) for binding in file.facts.bindings if binding.scope == scope}
    names |= {name for name, _ in file.facts.fields.get(index, ())}
    return {_member(name) for name in names if name not in file.rules.object_members}


def list_search_names(rules: Rules, item: Item) -> Iterator[str]:
    """The names that an item can be found by. Raises NotIncremental if it can be reached without them."""
    for name in filter(None, item.names):
        if name in rules.module_objects.stand_for_others or (item.around and rules.is_looked_up(name)):
            raise NotIncremental(f"{name} can be reached without its name")
        if is_of_markup(name):
            raise NotIncremental("markup of any language may mean it")
        yield name


class FileDifference:
    """What changed in an edited file from the point of view of other files."""

    def __init__(self, versions: FileVersions, is_borne: Callable[[str], bool]) -> None:
        self.is_borne = is_borne
        (self.old, self.old_source), (self.new, self.new_source) = versions.sides[0], versions.sides[-1]
        self.rules = self.new.side.file.rules
        self.moves = versions.moves
        self.names: set[str] = set()
        self.sought: set[Word] = set()
        self.own: set[str] = set()
        """Names of the module that are visible only to files that name the module."""
        self.guessed: set[str] = set()
        self.unborne = {name for name in self.renamed() if not is_borne(name)} | versions.parted
        self.spelled: set[str] = set()
        self.by_result: dict[Key, Item] = {}
        """Functions whose return statements changed, although their results may be the same."""
        self.has_classes = False
        """Whether the composition of a class changed."""
        self.missed: set[tuple[str, str]] = set()
        """Classes added or removed that others are above, and their members, by name."""
        self.siblings: set[str] = set()
        """Classes added, removed or composed otherwise that have bases beside each other, by name."""
        self.is_moved = versions.is_moved
        if self.is_moved:
            _check_moved(self.old.side.file, self.new.side.file)
        else:
            _check(self.old.side.file, self.new.side.file)
        if self.rules.owners == "named" and _named_owners(self.old.side) != _named_owners(self.new.side):
            raise NotIncremental("other types get methods or bases here")
        if self.new.side.file.is_text:
            return  # no file looks up what is in a document; that a name is in the repository, `unborne` tells
        regions = [region for region in self.old.side.outermost if self.moves.is_edited(region)]
        if versions.parted or _outside(self.old.side, self.old_source) != _outside(self.new.side, self.new_source):
            regions.append(0)
        for region in regions:
            has = self.new.items(self.moves.regions[region]) if region in self.moves.regions else {}
            self.compare(self.old.items(region), has)
        for region in sorted(set(self.new.side.outermost).difference(self.moves.regions.values())):
            self.compare({}, self.new.items(region))

    def renamed(self) -> set[str]:
        """Names that symbols have in one version only, including local ones."""
        before, after = (
            {definition.name for definition in seen.side.file.definitions} for seen in (self.old, self.new)
        )
        return before ^ after

    def compare(self, had: Items, has: Items) -> None:
        for key in dict.fromkeys((*had, *has)):
            a, b = had.get(key), has.get(key)
            if a is not None and b is not None:
                if a.tree != b.tree:
                    self.changed(key, a, b)
            elif a is not None:
                self.came(key[0], a, self.old, a.around == 0 or self.moves.definition(a.around) is not None)
            elif b is not None:
                self.came(key[0], b, self.new, b.around == 0 or self.moves.is_known_definition(b.around))

    def changed(self, key: tuple[Any, ...], a: Item, b: Item) -> None:
        if a.is_wide:
            self.sought |= find_words_below(key, a, self.old) | find_words_below(key, b, self.new)
            self.has_classes = True
            if max(a.bases, b.bases) > 1:
                self.siblings.update(a.names)
        if (
            a.around
            and key[0] == "definition"
            and a.names[0] in self.rules.protocols.without_results
            and _is_like(a, b)
        ):
            if a.names[0] == self.rules.constructor:
                # Its callers must be among the affected files (IncrementalResolution.compare_renewed).
                self.sought.add(word(self.old.side.file.definitions[a.around].name))
            return
        if a.outside_results is not None and b.outside_results is not None and _differs_in_returns(a, b):
            self.by_result[key[1]] = a
            return
        if key[0] == "definition" and not a.is_wide and _has_same_results(a, b):
            self.sought.update(map(word, a.names[:1]))  # its callers must be among the affected files
            return
        self.found(a, a.is_global and b.is_global and is_seen_by_module(self.new.side.file))

    def came(self, what: str, item: Item, seen: VisibleNames, is_class_known: bool) -> None:
        """For an item added or removed."""
        if self.is_moved and self.came_along(what, item, seen):
            return
        if item.is_wide and what != "definition":
            raise NotIncremental("what others see of a module as a whole changed")
        if item.is_wide:
            _refuse_part(item)
            if item.bases > 1:
                self.siblings.update(item.names)
        if is_class_known:
            is_own = item.is_global and is_seen_by_module(seen.side.file)
            if is_own and what == "definition":
                self.spelled.update(item.names)
            self.found(item, is_own)
            return
        for name in filter(None, item.names):
            # Nobody knew the class, so its members are found by those who know the class now, except for guesses.
            if self.is_borne(name) and name not in seen.side.file.rules.object_members:
                # An object that lacks a member may be of a subclass that has it.
                if self.is_above(seen, item.around):
                    if self.is_moved:
                        self.missed.add((seen.side.file.definitions[item.around].name, name))
                        self.guess(what, item, name)
                        continue
                    self.sought.add(_member(name))
                else:
                    self.guess(what, item, name)

    def guess(self, what: str, item: Item, name: str) -> None:
        """Records that a guess may mean a member, if it is one that is guessed."""
        if not self.is_moved or (what == "definition" and item.tree[0][0][_KIND] in ("method", "property")):
            self.guessed.add(name)

    def came_along(self, what: str, item: Item, seen: VisibleNames) -> bool:
        """Whether others see an item only by naming the file that comes or goes: which files do is asked apart."""
        side = seen.side
        if item.around or side.file.is_text:
            return False
        if what in ("member", "exports", "listed", "export"):
            return True  # what it stores elsewhere is compared by value
        if not is_seen_by_module(side.file):
            raise NotIncremental("others see the names of a file without naming it")
        if what == "definition":
            self.spelled.update(filter(None, item.names))
        if item.is_wide:
            for index, definition in enumerate(side.file.definitions):
                if index and definition.name == item.names[0] and definition.kind in CLASS_KINDS:
                    self.add_siblings(seen, index)
            self.sought.update(Word(name.encode(), is_quoted=True) for name in item.names)
            return True
        return item.is_import or item.is_global or what == "binding"

    def add_siblings(self, seen: VisibleNames, index: int) -> None:
        """For a class added or removed: what `super()` means in classes above it that are beside each other."""
        side = seen.side
        bases = side.file.facts.bases.get(index, ())
        if PARTIAL in side.file.definitions[index].flags:
            raise NotIncremental("a part of a type")
        if len(bases) > 1:
            self.siblings.add(side.file.definitions[index].name)

    def is_above(self, seen: VisibleNames, index: int) -> bool:
        """Whether a class may have a base in the repository."""
        side = seen.side
        bases = [side.written(e) for _, e in side.file.facts.bases.get(index, ())]
        own = {definition.name for definition in side.file.definitions}
        return any(not name or name in own or self.is_borne(name) for _, name in bases)

    def found(self, item: Item, is_own: bool = False) -> None:
        if item.is_import or is_own:
            self.own.update(item.names)
        else:
            self.names.update(list_search_names(self.rules, item))


def _is_like(a: Item, b: Item) -> bool:
    """Whether a method is of the same kind, apart from its signature and its results."""
    (itself, *_), (other, *_) = a.tree[0], b.tree[0]
    return len(a.tree) == len(b.tree) == 1 and [each for at, each in enumerate(itself) if at != _SIGNATURE] == [
        each for at, each in enumerate(other) if at != _SIGNATURE
    ]


def _has_same_results(a: Item, b: Item) -> bool:
    """Whether a function has other parameters but the same results."""
    if not _is_like(a, b) or a.names != b.names:
        return False
    (_, *before, had), (_, *after, has) = a.tree[0], b.tree[0]
    return before == after and len(had) == len(has) and had[:1] + had[2:] == has[:1] + has[2:]


def _differs_in_returns(a: Item, b: Item) -> bool:
    """Whether two functions differ only in what they return or yield."""
    (*before, had), (*after, has) = a.tree[0], b.tree[0]
    is_generator = had[-2] is not None, has[-2] is not None
    return a.names == b.names and before == after and had[:-2] == has[:-2] and is_generator[0] == is_generator[1]


def _check(old: SourceFile, new: SourceFile) -> None:
    """What all other files may see."""
    if old.facts.language != new.facts.language or old.facts.package != new.facts.package:
        raise NotIncremental("a file changed its language or package")
    if old.rules.owners_anywhere and _owned(old) != _owned(new):
        raise NotIncremental("other methods of types in other files")
    if _extensions(old) != _extensions(new):
        raise NotIncremental("other methods that are called as members of other types")
    if _stars(old) != _stars(new):
        raise NotIncremental("star imports changed")
    if _exports(old) != _exports(new):
        raise NotIncremental("the exports of a module as a whole changed")


def _check_moved(old: SourceFile, new: SourceFile) -> None:
    """What all other files may see of a file that is there in one version only."""
    rules = new.rules
    if rules.has_packages or rules.shares_package_scope or rules.owners != "within":
        raise NotIncremental("others see the names of a file without naming it")
    if _extensions(old) or _extensions(new):
        raise NotIncremental("other methods that are called as members of other types")


def _owned(file: SourceFile) -> list[tuple[str, str, str, bool]]:
    """Methods that are defined outside their types, and whether the types are in the same file."""
    return [
        (each.owner, each.name, each.kind, file.rules.owners == "beside" and file.defines_class(each.owner))
        for each in file.definitions
        if each.owner
    ]


def _named_owners(side: Side) -> tuple[Any, ...]:
    """The types that get methods or bases where they are not defined, and how their names are imported."""
    facts = side.file.facts
    owners = {each.owner for each in facts.definitions if each.owner}
    known = {each.name for each in facts.definitions if each.kind in CLASS_KINDS}
    known.update(each.name for each in facts.bindings if facts.code[each.value] == op.IMPORTED)
    added = [(each.owner, each.name) for each in facts.definitions if each.owner and each.owner not in known]
    bases = [(keyword, side.written(e)) for keyword, e in facts.bases.get(0, ())]
    imported = [
        (each.name, facts.imports[facts.code[each.value + op.STATEMENT]].module)
        for each in facts.bindings
        if each.name in owners and facts.code[each.value] == op.IMPORTED
    ]
    return sorted(owners), added, bases, imported


def _extensions(file: SourceFile) -> list[tuple[str, str]]:
    """Methods that are called as members of their first parameter."""
    return [(each.name, each.signature) for each in file.definitions if EXTENSION in each.flags]


def survey_file(file: SourceFile) -> tuple[Any, ...]:
    imported = {each.module.partition(".")[0] for each in file.facts.imports if not each.level}
    return imported, list(map(_HEADER, file.definitions))


def _stars(file: SourceFile) -> list[tuple[Any, ...]]:
    return [_IMPORT(each) for each in file.facts.imports if each.kind == "star"]


def _exports(file: SourceFile) -> dict[str, Any]:
    """What a module declares about its names as a whole."""
    exports = {key: value for key, value in file.facts.exports.items() if key not in ("names", "all")}
    stars = [_IMPORT(file.facts.imports[each]) for each in exports.pop("stars", ())]
    offered = sorted(exports.pop(PACKAGE_NAMES, ()))
    return exports | {"stars": stars, "offered": offered, "is_listed": "all" in file.facts.exports}


def _outside(side: Side, source: bytes) -> list[bytes]:
    """The lines of a source without its functions, comments and blank lines."""
    definitions = side.file.definitions
    functions = [(definitions[each].start_byte, definitions[each].end_byte) for each in side.outermost]
    parts: list[bytes] = []
    at = 0
    for start, end in sorted([*functions, *side.file.facts.comments]):
        if end > at:
            parts.append(source[at : max(start, at)])
            at = end
    parts.append(source[at:])
    return [line.rstrip() for line in b"".join(parts).split(b"\n") if line.strip()]
