"""One file of the repository, as the inventories read it.

In: an index and a path. Out: the facts of the file, arranged for the inventories: bindings, calls with their arguments,
targets of sites and imports.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import CALLED, MAKER, ROLE, SITE_WORDS, Binding, Definition, FileFacts
from rpg.stores.index.import_reads import list_imports_in_file, list_resolved_targets

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

LITERAL_TEXT = 2_000
"""The most bytes of a literal that are read."""


class Argument(NamedTuple):
    keyword: str
    value: int


class Value(NamedTuple):
    """An expression, or a definition if that is not -1."""

    file: CodeFile
    expression: int
    definition: int = -1

    @property
    def key(self) -> tuple[str, int, int]:
        """Equal for equal values."""
        return self.file.path, self.expression if self.definition < 0 else -1, self.definition

    @property
    def operation(self) -> int:
        return self.file.code[self.expression] if self.definition < 0 else op.DEFINITION


class CodeFile:
    """The facts of one file, arranged for the inventories."""

    def __init__(self, index: Index, path: str, facts: FileFacts, test: bool) -> None:
        self.index = index
        self.path = path
        self.facts = facts
        self.code = facts.code
        self.strings = facts.strings
        self.test = test

    @cached_property
    def source(self) -> bytes:
        return self.index.source(self.path)

    @cached_property
    def bindings(self) -> dict[tuple[int, str], list[Binding]]:
        found: dict[tuple[int, str], list[Binding]] = defaultdict(list)
        for each in self.facts.bindings:
            found[each.scope, each.name].append(each)
        return found

    @cached_property
    def by_name(self) -> dict[str, int]:
        """Definitions by qualified name."""
        found: dict[str, int] = {}
        for number, each in enumerate(self.facts.definitions):
            found.setdefault(each.qualified_name, number)
        return found

    @cached_property
    def targets(self) -> dict[tuple[int, int], tuple[str, str]]:
        """Path and qualified name of the symbol that a site leads to."""
        found: dict[tuple[int, int], tuple[str, str]] = {}
        for sites, path, name in list_resolved_targets(self.index, self.path):
            for site in sites.split():
                found[place_of(site)] = path, name
        return found

    @cached_property
    def imported(self) -> dict[int, list[str]]:
        """Files of the repository that the import statements of a line lead to."""
        found: dict[int, list[str]] = defaultdict(list)
        for sites, path in list_imports_in_file(self.index, self.path):
            for site in sites.split():
                found[place_of(site)[0]].append(path)
        return found

    @cached_property
    def calls(self) -> list[tuple[int, int]]:
        """Every call, with the definition that makes it, in order."""
        sites = self.facts.sites
        return [
            (sites[at], sites[at + MAKER])
            for at in range(0, len(sites), SITE_WORDS)
            if sites[at + ROLE] == CALLED and self.code[sites[at]] == op.CALL
        ]

    @cached_property
    def read_at(self) -> dict[int, int]:
        """The expressions of sites, by their byte."""
        sites = self.facts.sites
        return {self.code[sites[at] + op.BYTE]: sites[at] for at in range(0, len(sites), SITE_WORDS)}

    @cached_property
    def decorated(self) -> dict[int, int]:
        """The definition that an expression decorates."""
        return {each: number for number, found in self.facts.decorators.items() for each in found}

    def line(self, e: int) -> int:
        return self.line_of(self.code[e + op.BYTE])

    def line_of(self, byte: int) -> int:
        return bisect_right(self.facts.line_starts, byte)

    def place(self, e: int) -> str:
        return f"{self.path}:{self.line(e)}"

    def text(self, byte: int) -> str:
        return self.source[byte : byte + LITERAL_TEXT].decode("utf-8", "replace")

    def arguments(self, call: int) -> list[Argument]:
        code = self.code
        found = []
        for at in range(call + op.KEYWORDS, call + op.KEYWORDS + 2 * code[call + op.ARGUMENT_COUNT], 2):
            word = code[at]
            found.append(Argument(self.strings[word] if word >= 0 else "*" * -(word + 1), code[at + 1]))
        return found

    def member(self, e: int) -> str:
        """The last name of a NAME, ATTRIBUTE or PATH; empty for anything else."""
        operation = self.code[e]
        if operation == op.NAME:
            return self.strings[self.code[e + op.WORD]]
        return self.strings[self.code[e + op.MEMBER]] if operation in (op.ATTRIBUTE, op.PATH) else ""

    def within(self, definition: int) -> list[Definition]:
        return [each for each in self.facts.definitions if each.parent == definition]


def place_of(site: str) -> tuple[int, int]:
    line, _, column = site.partition(":")
    return int(line), int(column)


def label(file: CodeFile, definition: int) -> str:
    return f"{file.path}::{file.facts.definitions[definition].qualified_name}"


def argument(arguments: list[Argument], position: int | None, keyword: str) -> int:
    """The expression of an argument by its keyword or position; 0 if it is not there. Options in an object count as
    keywords only where the language has these."""
    if keyword:
        for each in arguments:
            if each.keyword == keyword:
                return each.value
    plain = [each.value for each in arguments if not each.keyword]
    if position is None or not plain:
        return 0
    if position < 0:
        return plain[position]
    return plain[position] if position < len(plain) else 0
