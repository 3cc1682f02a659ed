"""SQLAlchemy: relationships hold instances of the mapped classes that strings name; other strings name their members.

In: expressions of an evaluator. Out: values, and edges for names in strings.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from rpg.encoder import operations as op
from rpg.encoder.facts import CALLED, MAKER, ROLE, SITE_WORDS
from rpg.encoder.resolve.frameworks.plugin import Mention, Plugin, classes_of, name_byte
from rpg.encoder.resolve.values.mro import OWNER_FILE
from rpg.encoder.resolve.values.values import (
    CLASS,
    CONTAINER,
    EXTERNAL,
    FILE,
    KIND,
    OWN_NAME,
    SPELLING,
    SYMBOL,
    TEXT,
    Values,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.program.source_file import SourceFile

_RELATED = frozenset({"relationship", "Relationship", "dynamic_loader"})
_OTHER_SIDE = frozenset({"back_populates", "backref"})
"""Keywords whose string names a member of the related class."""


class SQLAlchemy(Plugin):
    library = frozenset({"sqlalchemy", "sqlmodel", "flask_sqlalchemy"})
    own = library

    @cached_property
    def classes_by_name(self) -> dict[str, list[tuple[int, int]]]:
        return self.program.table("classes", classes_of)

    def survey(self) -> None:
        assert self.classes_by_name is not None

    def result(self, name: str, file: SourceFile, e: int) -> Values:
        """One instance or a list of them: which one, the columns say."""
        if name.rpartition(".")[2] not in _RELATED:
            return ()
        instances = tuple(self.instance(owner) for owner in self.related(file, e))
        return (*instances, (CONTAINER, "list", (instances,))) if instances else ()

    def related(self, file: SourceFile, e: int) -> list[tuple[int, int]]:
        """The classes that a relationship leads to."""
        found: list[tuple[int, int]] = []
        for value in self.evaluator.calls.argument(file, e, 0, "argument"):
            if value[KIND] == CLASS:
                found.append((value[FILE], value[SYMBOL]))
            elif value[KIND] == TEXT:
                found += self.class_named(file, value[SPELLING])
        return list(dict.fromkeys(found))

    def class_named(self, file: SourceFile, text: str) -> list[tuple[int, int]]:
        """The mapped class of a name: what the file means by it, else the only one that there is."""
        here = [
            (target[FILE], target[SYMBOL])
            for row in file.rows(0, text)
            for target in self.evaluator.modules.find_bound_values(file, 0, text, row.value)
            if target[KIND] == "definition"
        ]
        found = here or self.classes_by_name.get(text, [])
        outside_tests = [each for each in found if file.in_test or not self.files[each[OWNER_FILE]].in_test]
        return outside_tests if len(outside_tests) == 1 else []

    def found(self, file: SourceFile) -> Iterator[Mention]:
        if _RELATED.isdisjoint(file.strings):
            return
        code, sites = file.code, file.facts.sites
        for at in range(0, len(sites), SITE_WORDS):
            e = sites[at]
            if sites[at + ROLE] != CALLED or code[code[e + op.CALLEE]] not in (op.NAME, op.ATTRIBUTE, op.PATH):
                continue
            if file.strings[op.find_name_word(code, code[e + op.CALLEE])] not in _RELATED:
                continue
            self.evaluator.start()
            if any(
                value[KIND] == EXTERNAL and value[OWN_NAME].partition(".")[0] in self.library
                for value in self.evaluator.eval(file, code[e + op.CALLEE])
            ):
                yield from self.named_by(file, e, sites[at + MAKER])

    def named_by(self, file: SourceFile, e: int, maker: int) -> Iterator[Mention]:
        """What the strings of one relationship name."""
        code = file.code
        related = self.related(file, e)
        for slot in range(code[e + op.ARGUMENT_COUNT]):
            keyword, argument = code[e + op.KEYWORDS + 2 * slot], code[e + op.ARGUMENTS + 2 * slot]
            if code[argument] != op.STRING:
                continue
            text, byte = file.strings[code[argument + op.WORD]], name_byte(file, argument)
            name = file.strings[keyword] if keyword >= 0 else ""
            if name in _OTHER_SIDE:
                for owner in related:
                    hit = self.evaluator.member_lookup.find(*owner, text)
                    for each in hit.definitions if hit is not None else ():
                        yield Mention(maker, each, byte)
            elif keyword == op.POSITIONAL or name == "argument":
                for target in self.class_named(file, text):
                    yield Mention(maker, target, byte)
