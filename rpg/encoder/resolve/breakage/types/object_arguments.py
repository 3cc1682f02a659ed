"""Literals of objects that are passed where a parameter has a type that needs another member now.

In: a call before and after. Out: a finding at the literal.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import CALLED, line_and_column
from rpg.encoder.resolve.breakage.findings import MISFIT, Finding
from rpg.encoder.resolve.breakage.sides import Side, Site
from rpg.encoder.resolve.breakage.types.ill_typed import Typed
from rpg.encoder.resolve.breakage.written.bare_text import find_end, split_at_commas
from rpg.encoder.resolve.breakage.written.literals import Type, find_lacking_argument
from rpg.encoder.resolve.program.source_file import SourceFile

_OPENING: Final = re.compile(r"\s*(?:<[^<>();]*>)?\s*\(")
_TYPES: Final = frozenset({"class", "interface", "type"})


class ObjectArguments:
    def __init__(self, before: Side, after: Side, typed: Typed) -> None:
        self.before = before
        self.after = after
        self.typed = typed

    def find(self, new: SourceFile, now: Site) -> Finding | None:
        if new.rules.literals_need != "all members" or now.role != CALLED or new.code[now.expression] != op.CALL:
            return None
        text = self.typed.calls.texts.of(self.after, new)
        begin = new.code[now.named + op.BYTE]
        start = _OPENING.match(text, begin + len(now.name))
        end = find_end(text, start.end() - 1) if start else -1
        if start is None or end < 0 or "{" not in text[start.end() : end]:
            return None
        targets = self.after.certain_targets(new, self.after.outcome(new, now))
        run = self.typed.functions(self.after, targets) if len(targets) == 1 else []
        types = self.typed.types(self.after, *run[0]) if len(run) == 1 else None
        for (first, last), (_, declared) in zip(split_at_commas(text, start.end(), end), types or (), strict=False):
            place = first + len(text[first:last]) - len(text[first:last].lstrip())
            if text[place] == "{" and declared.isidentifier():
                found = self.of_literal(new, text, place, run[0][0], declared)
                if found is not None:
                    return found
        return None

    def of_literal(self, new: SourceFile, text: str, place: int, file: SourceFile, name: str) -> Finding | None:
        earlier = self.before.file(file.path)
        has = self.type_named(self.after, file, name)
        had = self.type_named(self.before, earlier, name) if earlier is not None else None
        if had is None or has is None or had.file.facts is has.file.facts:
            return None
        definition = has.file.definitions[has.symbol]
        declared = self.typed.calls.texts.of(self.after, has.file)[definition.start_byte : definition.end_byte]
        found = find_lacking_argument(text, self.after.program.read(new.path), place, had, has, declared)
        if found is None:
            return None
        line, column = line_and_column(new.facts, found.byte)
        symbol = self.after.id_of(has.file.index, has.symbol)
        return Finding(new.path, line, column, found.certain, MISFIT, name, symbol, found.detail)

    def type_named(self, side: Side, file: SourceFile, name: str) -> Type | None:
        """The type that a file means by a name: its own, or one that it imports by that name."""
        paths = [file.path]
        for number, each in enumerate(file.facts.imports):
            if name in each.names:
                paths += side.world.evaluator.modules.files(file, number) or ()
        for path in paths:
            here = side.file(path)
            for index in side.named(path, name):
                if here is not None and here.definitions[index].kind in _TYPES:
                    return Type(here, index)
        return None
