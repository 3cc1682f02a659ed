"""Companions: objects that stand beside a type and have its name, and whose members are the type's static ones.

In: a type, the members that its name has, a call. Out: the members of the side that a value is on; what calling the
type's name runs. For languages with `Rules.has_companions`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpg.encoder import operations as op
from rpg.encoder.facts import CASE, COMPANION, SINGLETON
from rpg.encoder.resolve.values.mro import OWNER_FILE, Owner
from rpg.encoder.resolve.values.values import CLASS, FILE, FUNC, KIND, SYMBOL, Value, Values, union

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.evaluator import Evaluator
    from rpg.encoder.resolve.program.source_file import SourceFile


class Companions:
    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.program = evaluator.program
        self.files = evaluator.files

    def on_side(self, owner: Owner, definitions: tuple[Owner, ...], is_static: bool) -> tuple[Owner, ...]:
        """Those members of a type that its companion has, or its instances; of other types all."""
        if not self.has_companion(owner):
            return definitions
        return tuple(
            each for each in definitions if ("static" in self.program.definition(*each).modifiers) == is_static
        )

    def has_companion(self, owner: Owner) -> bool:
        return COMPANION in self.program.definition(*owner).flags

    def is_companion(self, definition: Owner) -> bool:
        """Whether a symbol is the object beside a type, whose members are symbols in the type."""
        here = self.program.definition(*definition)
        return SINGLETON in here.flags and here.scope < 0

    def called(self, file: SourceFile, e: int, owner: Owner) -> list[Owner]:
        """What the call of a type's name may run: methods of its companion, or the type itself."""
        if file.code[e] != op.CALL or e in file.creations:
            return [owner]
        flags = self.program.definition(*owner).flags
        methods = self.methods(owner) if COMPANION in flags or SINGLETON in flags else []
        if not methods:
            return [] if SINGLETON in flags else [owner]
        if CASE in flags:
            methods.append(owner)
        if len(methods) < 2:
            return methods
        return self.fitting(file, e, methods)

    def fitting(self, file: SourceFile, e: int, methods: list[Owner]) -> list[Owner]:
        """Those that a call fits best by what is known of its arguments. That one of them takes any number of arguments
        does not tell."""
        overloads = self.evaluator.overloads
        fitting = overloads.fitting(file, e, methods)
        taking = overloads.taking(file, e, methods) or methods
        if len({self.takes_any_number(each) for each in taking}) < 2:
            return fitting
        arguments = overloads.arguments(file, e)
        scores = {each: overloads.score(each, arguments) for each in taking}
        best = max(scores.values())
        # A list of arguments takes one off a score.
        return [each for each in taking if scores[each] + self.takes_any_number(each) >= best]

    def takes_any_number(self, method: Owner) -> bool:
        rows = self.evaluator.overloads.rows(method)
        return bool(rows) and rows[-1].kind == "list"

    def methods(self, owner: Owner) -> list[Owner]:
        """The methods that calling the object of a type's name may run."""
        name = self.files[owner[OWNER_FILE]].rules.protocols.call
        hit = self.evaluator.member_lookup.hit((CLASS, *owner, (), False), name)
        found = hit.definitions if hit is not None else ()
        return [each for each in found if self.evaluator.overloads.is_called(each)]

    def takers(self, file: SourceFile, e: int, callees: Values) -> Values:
        """What takes the arguments of a call, as functions: a class takes those of its constructor."""
        found: list[Values] = []
        for callee in callees:
            owners = self.called(file, e, callee[FILE : SYMBOL + 1]) if callee[KIND] == CLASS else []
            found.append(tuple((FUNC, *each, None) for each in owners) if callee[KIND] == CLASS else (callee,))
        return union(found)

    def result(self, callee: Value, file: SourceFile, e: int) -> Values:
        """What calling a type's name returns."""
        calls = self.evaluator.calls
        owner = callee[FILE : SYMBOL + 1]
        return union(
            [
                calls.construct(callee, file, e) if each == owner else calls.returned((FUNC, *each, None), file, e)
                for each in self.called(file, e, owner)
            ]
        )
