"""Companions: objects that stand beside a type and have its name, and whose members are the type's static ones.

In: a type, a call of its name. Out: what that runs. For languages whose `Rules.sides` are `companions`. Absent: which
side a member is on; member_lookup.py knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpg.encoder import operations as op
from rpg.encoder.facts import CASE, COMPANION, SINGLETON
from rpg.encoder.resolve.values.mro import OWNER_FILE, Owner
from rpg.encoder.resolve.values.values import CLASS, FILE, FUNC, KIND, SYMBOL, Value, Values, union

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.calls.arity import Arity
    from rpg.encoder.resolve.evaluate.calls.overloads import Overloads
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.types.member_lookup import MemberLookup
    from rpg.encoder.resolve.program.source_file import SourceFile


class Companions:
    def __init__(self, evaluator: Context, member_lookup: MemberLookup, arity: Arity, overloads: Overloads) -> None:
        self.evaluator = evaluator
        self.member_lookup = member_lookup
        self.arity = arity
        self.overloads = overloads
        self.program = evaluator.program
        self.files = evaluator.files

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
        overloads = self.overloads
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
        rows = self.arity.rows(method)
        return bool(rows) and rows[-1].kind == "list"

    def methods(self, owner: Owner) -> list[Owner]:
        """The methods that calling the object of a type's name may run."""
        name = self.files[owner[OWNER_FILE]].rules.protocols.call
        hit = self.member_lookup.hit((CLASS, *owner, (), False), name)
        found = hit.definitions if hit is not None else ()
        return [each for each in found if self.overloads.is_called(each)]

    def takers(self, file: SourceFile, e: int, callees: Values) -> Values:
        """What takes the arguments of a call, as functions: a class takes those of its constructor."""
        found: list[Values] = []
        for callee in callees:
            owners = self.called(file, e, callee[FILE : SYMBOL + 1]) if callee[KIND] == CLASS else []
            found.append(tuple((FUNC, *each, None) for each in owners) if callee[KIND] == CLASS else (callee,))
        return union(found)

    def result(self, callee: Value, file: SourceFile, e: int) -> Values:
        """What calling a type's name returns."""
        owner = callee[FILE : SYMBOL + 1]
        return union(
            [
                self.evaluator.construct(callee, file, e)
                if each == owner
                else self.evaluator.returned((FUNC, *each, None), file, e)
                for each in self.called(file, e, owner)
            ]
        )
