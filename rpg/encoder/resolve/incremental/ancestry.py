"""Which classes may be above others, by their names alone: more than really are, and none less.

In: the files that an edit brings or takes, and where other symbols of a name are. Out: names of classes; or
NotIncremental where a base is computed by code of the repository.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, Protocol

from rpg.encoder import operations as op
from rpg.encoder.resolve.incremental.file_difference import NotIncremental
from rpg.encoder.resolve.program.source_file import SourceFile

_WORDS: Final = {op.NAME: op.WORD, op.ATTRIBUTE: op.MEMBER, op.PATH: op.MEMBER, op.IMPORTED: op.MEMBER}
_WORD: Final = re.compile(r"[^\W\d]\w*")


class Bearers(Protocol):
    def bearing(self, name: str) -> Iterable[int]:
        """The files with a symbol of that name."""

    def file(self, index: int) -> SourceFile: ...


class Ancestry:
    def __init__(self, others: Bearers) -> None:
        self._others = others
        self._bases: dict[str, set[str]] = {}
        """Of classes, and of other names for them, in the files that were looked into."""
        self._looked: set[str] = set()
        self._known: set[int] = set()
        """Files that were looked into."""
        self._above: dict[str, set[str]] = {}

    def add(self, file: SourceFile) -> None:
        """Looks into a file that an edit brings or takes, or that a class is in."""
        code, strings = file.code, file.strings
        for index, bases in file.facts.bases.items():
            definition = file.definitions[index]
            of = self._bases.setdefault(definition.name, set())
            for _, e in bases:
                of.update(self._find_words(file, e, definition.signature))
        for binding in file.facts.bindings:
            at = _WORDS.get(code[binding.value])
            if at:
                self._bases.setdefault(binding.name, set()).add(strings[code[binding.value + at]])

    def above(self, name: str) -> set[str]:
        """Those that a class of that name may be below."""
        known = self._above.get(name)
        if known is None:
            known = self._above[name] = set()
            pending = list(self._of(name))
            while pending:
                each = pending.pop()
                if each not in known:
                    known.add(each)
                    pending += self._of(each)
        return known

    def _of(self, name: str) -> set[str]:
        if name not in self._looked:
            self._looked.add(name)
            for index in self._others.bearing(name):
                self._look_into(index, self._others.file(index))
        return self._bases.get(name, set())

    def _find_words(self, file: SourceFile, e: int, header: str) -> Iterator[str]:
        """The names that a base may be known by."""
        code = file.code
        at = _WORDS.get(code[e])
        if at:
            yield file.strings[code[e + at]]
            return
        yield from _WORD.findall(header)
        if code[e] == op.CALL:
            yield from self._find_results(file, e)

    def _find_results(self, file: SourceFile, call: int) -> Iterator[str]:
        """The names of what functions of the name that is called return."""
        called: set[str] = set()
        pending = [(file, call)]
        while pending:
            file, e = pending.pop()
            code = file.code
            at = _WORDS.get(code[e])
            if at:
                yield file.strings[code[e + at]]
            elif code[e] == op.UNION:
                pending += [(file, each) for each in op.items_of(code, e)]
            elif code[e] == op.CALL:
                callee = code[e + op.CALLEE]
                at = _WORDS.get(code[callee])
                if not at:
                    raise NotIncremental("a base that is computed")
                name = file.strings[code[callee + at]]
                if name in called:
                    continue
                called.add(name)
                for index in self._others.bearing(name):
                    other = self._others.file(index)
                    self._look_into(index, other)
                    for definition in other.definitions:
                        if definition.name == name:
                            pending += [(other, each) for each in other.facts.returns.get(definition.scope, ())]

    def _look_into(self, index: int, file: SourceFile) -> None:
        if index not in self._known:
            self._known.add(index)
            self.add(file)
