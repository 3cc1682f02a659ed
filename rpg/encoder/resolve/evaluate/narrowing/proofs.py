"""What tests prove about values: `isinstance`, type guards, and combinations of two.

In: a test. Out: the values that pass it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder import operations as op
from rpg.encoder.resolve.values.values import EXTERNAL, FILE, FUNC, KIND, OBJECT_AT, SYMBOL, Values, union

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.types.annotations import Annotations
    from rpg.encoder.resolve.evaluate.types.classes import Classes
    from rpg.encoder.resolve.program.source_file import SourceFile

_SHARED: Final = frozenset({EXTERNAL, OBJECT_AT})


class Narrowing:
    def __init__(self, evaluator: Context, annotations: Annotations, classes: Classes) -> None:
        self.evaluator = evaluator
        self.annotations = annotations
        self.classes = classes

    def narrow_values(self, file: SourceFile, e: int) -> Values:
        """`isinstance`: the known values that pass; if none does, the tested class."""
        evaluator = self.evaluator
        code = file.code
        values = evaluator.eval(file, code[e + op.OPERAND])
        tested = self.proven(file, code[e + op.GUARD])
        if not tested and code[code[e + op.GUARD]] in (op.CALL, op.UNION):
            return values
        if code[e + op.IS_EXCLUDED]:
            # Something external, or a part that several types share, may still be present.
            return tuple(
                value for value in values if value[KIND] in _SHARED or not self.classes.is_any_of(value, tested)
            )
        fitting = tuple(value for value in values if self.classes.is_any_of(value, tested))
        if len(fitting) < len(values) and any(value[KIND] == OBJECT_AT for value in tested):
            # A part that both share says less than the tested class.
            return tested
        return fitting or tested

    def proven(self, file: SourceFile, e: int) -> Values:
        """The instances that pass a test for a class, for a guard's type or for either of two; empty if unknown."""
        code = file.code
        if code[e] == op.UNION:
            parts = [self.proven(file, part) for part in op.items_of(code, e)]
            return union(parts) if all(parts) else ()
        return self.find_guarded(file, e) if code[e] == op.CALL else self.annotations.find_tested_types(file, e)

    def find_guarded(self, file: SourceFile, call: int) -> Values:
        """What a function that returns `x is T` proves if it returns true."""
        evaluator = self.evaluator
        found: list[Values] = []
        for value in evaluator.eval(file, file.code[call + op.CALLEE]):
            if value[KIND] == FUNC:
                other = evaluator.files[value[FILE]]
                annotation = other.facts.annotations.get(other.definitions[value[SYMBOL]].scope, 0)
                if other.code[annotation] == op.NARROWED:
                    found.append(self.annotations.typed(other, other.code[annotation + op.GUARD]))
        return union(found)
