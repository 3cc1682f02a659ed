"""Extension methods: functions of any class that are called as if they were members of their first parameter.

In: a value and the name of a member that its type lacks. Out: the methods that stand for it. Only those of packages
count that the calling file sees, as the language has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from rpg.encoder.facts import EXTENSION
from rpg.encoder.resolve.values.mro import ENTRY_ARGUMENTS, OWNER_FILE, OWNER_SYMBOL, Owner
from rpg.encoder.resolve.values.values import (
    CLASS,
    CONTAINER,
    CONTENTS,
    EXTERNAL,
    FILE,
    FUNC,
    INST,
    KIND,
    LITERAL_AT,
    NONE,
    OWN_NAME,
    PRIMITIVE,
    RECEIVER,
    SYMBOL,
    UPPER_BOUND,
    VARIABLE,
    Value,
    Values,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.evaluator import Evaluator
    from rpg.encoder.resolve.program.source_file import SourceFile

_EXACT: Final = 3
_BELOW: Final = 2
_ANY: Final = 1
_NOT: Final = 0
"""How well a value fits the first parameter of an extension method."""


class Extensions:
    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.files = evaluator.files

    def of(self, file: SourceFile, value: Value, name: str, count: int) -> tuple[Owner, ...]:
        """The methods that a call of so many arguments means; -1: it is not known how many."""
        found = self.evaluator.program.table("extensions", _extensions_of).get(name)
        if not found or value == NONE or value[KIND] in (CLASS, FUNC) or self.is_of_library(file, value, name):
            return ()
        seen = self.evaluator.package_names.seen_by(file)
        best, fitting = _NOT, []
        for each in found:
            here = self.files[each[OWNER_FILE]]
            if here.facts.language != file.facts.language or here.facts.package not in seen:
                continue
            needed, most = self.evaluator.overloads.numbers_taken(each)
            if count >= 0 and not needed <= count + 1 <= most:
                continue
            fit = self.fit(here, each, value)
            if fit > best:
                best, fitting = fit, [each]
            elif fit and fit == best:
                fitting.append(each)
        return tuple(fitting)

    def is_of_library(self, file: SourceFile, value: Value, name: str) -> bool:
        """Whether a value of the library may have such a member itself, which then counts."""
        if value[KIND] in (INST, VARIABLE):
            return False
        rules = file.rules
        methods = rules.methods
        return name in rules.builtin_members or (
            value[KIND] == CONTAINER and (name in methods.results or name in methods.calls_back)
        )

    def values(self, file: SourceFile, value: Value, name: str, count: int) -> Values:
        """The same as functions that are bound to the value."""
        found = self.of(file, value, name, count)
        return tuple((FUNC, *each, value) for each in found) if len(found) == 1 else ()

    def fit(self, file: SourceFile, definition: Owner, value: Value) -> int:
        rows = file.facts.parameters.get(file.definitions[definition[OWNER_SYMBOL]].scope, [])
        if not rows:
            return _NOT
        fits = [self.fits(each, value) for each in self.evaluator.annotations.typed(file, rows[0].annotation)]
        return max(fits, default=_NOT)

    def fits(self, wanted: Value, value: Value, depth: int = 0) -> int:
        kind, other = value[KIND], wanted[KIND]
        if other == VARIABLE:
            return _ANY if not wanted[UPPER_BOUND] or self.is_bounded(wanted, value) else _NOT
        if kind == VARIABLE:
            return max((self.fits(wanted, each, depth) for each in value[UPPER_BOUND]), default=_NOT)
        if kind == INST and other == INST:
            return self.below(value, wanted)
        if kind == PRIMITIVE:
            return _EXACT if other == PRIMITIVE and wanted[OWN_NAME] == value[OWN_NAME] else _NOT
        if kind == LITERAL_AT:
            return _ANY if other == CONTAINER else _NOT
        if kind == other == CONTAINER and value[OWN_NAME] == wanted[OWN_NAME]:
            if depth or not value[CONTENTS] or not wanted[CONTENTS]:
                return _ANY
            held, asked = value[CONTENTS][-1], wanted[CONTENTS][-1]
            if not held or not asked:
                return _ANY
            return max((self.fits(a, b, depth + 1) for a in asked for b in held), default=_NOT)
        if kind == other == EXTERNAL:
            mine, theirs = (each[OWN_NAME].removesuffix("()").rpartition(".")[2] for each in (value, wanted))
            return _EXACT if mine == theirs else _NOT
        return _NOT

    def is_bounded(self, wanted: Value, value: Value) -> bool:
        return any(self.fits(bound, value, 1) for bound in wanted[UPPER_BOUND])

    def below(self, value: Value, wanted: Value) -> int:
        if value[FILE : SYMBOL + 1] == wanted[FILE : SYMBOL + 1]:
            return _EXACT
        order = self.evaluator.classes.order(value[FILE], value[SYMBOL])
        above = any(entry[:ENTRY_ARGUMENTS] == wanted[FILE : SYMBOL + 1] for entry in order.entries)
        return _BELOW if above else _NOT

    def is_extended(self, function: Value) -> bool:
        """Whether a function was called as a member of what it takes first, and not of its own class."""
        receiver = function[RECEIVER]
        file = self.files[function[FILE]]
        definition = file.definitions[function[SYMBOL]]
        if receiver is None or EXTENSION not in definition.flags:
            return False
        return bool(receiver[KIND] != INST or receiver[FILE : SYMBOL + 1] != (function[FILE], definition.parent))


def _extensions_of(file: SourceFile) -> Iterator[tuple[str, Owner]]:
    for index, definition in enumerate(file.definitions):
        if EXTENSION in definition.flags:
            yield definition.name, (file.index, index)
