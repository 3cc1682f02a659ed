"""A file before and after an edit, side by side: which sites are the same, and what each means.

In: a file of each world. Out: pairs of sites; for a definition, whether it is there on the other side.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Set
from typing import NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import ANONYMOUS, MAKER, ROLE, SITE_WORDS, Definition, Lines, strip_marks
from rpg.encoder.resolve.breakage.worlds import World
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.program.symbol_ids import symbol_ids
from rpg.encoder.resolve.references.outcomes import Outcome, Target
from rpg.encoder.resolve.values.mro import OWNER_FILE, OWNER_SYMBOL
from rpg.graph import POSSIBLE_VIAS

_WORD = re.compile(r"\w+")


class Site(NamedTuple):
    number: int
    expression: int
    role: int
    maker: int
    named: int
    """The expression that has the name: the callee of a call."""
    name: str
    line: int
    column: int


def sites_of(file: SourceFile, names: Set[str], lines: Container[int]) -> list[Site]:
    """The sites that spell one of these names, alone or in a path such as `pkg.module:name`, and those that spell any
    in these lines."""
    sites, code, strings = file.facts.sites, file.code, file.strings
    spelt = {number for number, each in enumerate(strings) if is_spelt(each, names)}
    if not spelt and not lines:
        return []
    places = Lines(file.facts)
    found: list[Site] = []
    for number in range(len(sites) // SITE_WORDS):
        at = number * SITE_WORDS
        e = sites[at]
        named = code[e + op.CALLEE] if code[e] == op.CALL else e
        if code[named] in (op.NAME, op.ATTRIBUTE, op.PATH):
            word = op.find_name_word(code, named)
        elif code[named] == op.SUBSCRIPT and code[code[named + op.INDEX]] == op.STRING:
            word = code[code[named + op.INDEX] + op.WORD]  # the key of a typed dictionary
        else:
            continue
        if word not in spelt and not lines:
            continue  # most sites of most files: their lines are not even counted
        line, column = places.place(code[e + op.BYTE])
        if word in spelt or line in lines:
            name = strings[word] if code[named] == op.SUBSCRIPT else strip_marks(strings[word])
            found.append(Site(number, e, sites[at + ROLE], sites[at + MAKER], named, name, line, column))
    return found


def is_spelt(text: str, names: Set[str]) -> bool:
    """Whether a text is one of these names, or a path with one of them."""
    if text in names:
        return True
    return not text.isidentifier() and (strip_marks(text) in names or not names.isdisjoint(_WORD.findall(text)))


def names_in(file: SourceFile, words: Set[str]) -> Set[str]:
    """The names by which a file may mean what one of the words names: also those that its imports give it."""
    code = file.code
    others = {
        row.name
        for row in file.facts.bindings
        if code[row.value] == op.IMPORTED and strip_marks(file.strings[code[row.value + op.MEMBER]]) in words
    }
    return words | others if others else words


class Side:
    """A world, and what it knows of definitions."""

    def __init__(self, world: World, certain: Callable[[str, str], bool]) -> None:
        self.world = world
        self.program = world.program
        self._certain = certain
        self._names: dict[str, dict[str, list[int]]] = {}
        self._ids: dict[int, list[str]] = {}
        self._sites: dict[int, list[Site]] = {}

    def file(self, path: str) -> SourceFile | None:
        return self.world.file(path)

    def choose(self, file: SourceFile, names: Set[str], lines: Container[int]) -> list[int]:
        """Which sites of a file are looked at: their numbers."""
        self._sites[file.index] = found = sites_of(file, names, lines)
        return [each.number for each in found]

    def sites(self, file: SourceFile) -> list[Site]:
        """Those that are looked at."""
        return self._sites.get(file.index, [])

    def outcome(self, file: SourceFile, site: Site) -> Outcome:
        return self.world.outcomes[file.index][site.number]

    def is_cut(self, file: SourceFile, site: Site) -> bool:
        return self.world.is_cut(file.index, site.number)

    def guessed(self, file: SourceFile, site: Site) -> Outcome:
        return self.world.guessed(file.index, site.number)

    def certain_targets(self, file: SourceFile, outcome: Outcome) -> list[Target]:
        language = file.facts.language
        return [
            each
            for each in outcome.targets
            if each.via not in POSSIBLE_VIAS
            and self._certain(language, each.via)
            and not self.is_nameless(each)
            and not self.is_undeclared(self.program.files[each.file], each.definition)
        ]

    def is_nameless(self, target: Target) -> bool:
        return ANONYMOUS in self.definition(target).flags

    def is_undeclared(self, file: SourceFile, index: int) -> bool:
        """Whether something is a member only because a method assigns it, where that does not make it one."""
        definition = file.definitions[index]
        if definition.kind != "field" or not file.rules.declares_members(file.path):
            return False
        return any(
            each.parent == definition.parent and each.start_byte < definition.start_byte < each.end_byte
            for each in file.definitions
        )

    def definition(self, target: Target) -> Definition:
        return self.program.definition(target.file, target.definition)

    def path_of(self, target: Target) -> str:
        return self.program.files[target.file].path

    def id_of(self, file: int, index: int) -> str:
        known = self._ids.get(file)
        if known is None:
            known = self._ids[file] = symbol_ids(self.program.files[file])
        return known[index]

    def named(self, path: str, qualified_name: str) -> list[int]:
        """The definitions of that name in a file."""
        names = self._names.get(path)
        if names is None:
            names = self._names[path] = {}
            file = self.file(path)
            for index, each in enumerate(file.definitions if file is not None else ()):
                if file is not None and self.is_undeclared(file, index):
                    continue
                names.setdefault(each.qualified_name if index else "", []).append(index)
        return names.get(qualified_name, [])

    def has_file(self, path: str) -> bool:
        return self.program.exists(path)

    def has(self, path: str, qualified_name: str) -> bool:
        return bool(self.named(path, qualified_name))

    def inherits(self, path: str, qualified_name: str) -> bool:
        """Whether a class above that of a member has one of its name."""
        around, _, name = qualified_name.rpartition(".")
        for index in self.named(path, around) if around else ():
            file = self.file(path)
            entries = self.world.evaluator.classes.order(file.index, index).entries if file is not None else ()
            for entry in entries[1:]:
                above = self.program.files[entry[OWNER_FILE]]
                if self.has(above.path, f"{above.definitions[entry[OWNER_SYMBOL]].qualified_name}.{name}"):
                    return True
        return False
