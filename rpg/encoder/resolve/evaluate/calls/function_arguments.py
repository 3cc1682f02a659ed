"""Functions as arguments: how well one fits a parameter whose type is a function's, by how many parameters it has,
whether it returns something, and their types.

In: an argument and the type of a parameter. Out: a step of the scale of argument_fit.py. What is known of an argument:
of a function without a name how it is written, of a variable its declared type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.resolve.evaluate.calls.argument_fit import ANY, NEVER, SAME, UNLIKELY
from rpg.encoder.resolve.evaluate.types.function_types import WrittenType
from rpg.encoder.resolve.values.values import (
    CALLABLE,
    CONTAINER,
    FILE,
    INST,
    KIND,
    OWN_NAME,
    PRIMITIVE,
    RESULT,
    SYMBOL,
    Values,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.calls.argument_fit import ArgumentFit
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.types.annotations import Annotations
    from rpg.encoder.resolve.evaluate.types.function_types import FunctionTypes
    from rpg.encoder.resolve.program.source_file import SourceFile

_NO_STATEMENTS: Final = frozenset({op.NAME, op.ATTRIBUTE, op.STRING, op.NUMBER, op.LITERAL, op.UNION})
"""What is no statement by itself: a function that is such an expression returns it."""


class Passed(NamedTuple):
    """A function that is an argument."""

    parameters: tuple[int, ...]
    """How many it may have."""
    returns: bool | None
    """Whether it returns something; None: that is not known."""
    declared: WrittenType | None
    """Its type, if it is a variable."""


class FunctionArguments:
    def __init__(
        self, evaluator: Context, annotations: Annotations, function_types: FunctionTypes, argument_fit: ArgumentFit
    ) -> None:
        self.evaluator = evaluator
        self.annotations = annotations
        self.function_types = function_types
        self.argument_fit = argument_fit

    def read(self, file: SourceFile, e: int, values: Values) -> Passed | None:
        """What is known of an argument as a function; None if it is none, or nothing is known."""
        code = file.code
        if code[e] == op.FUNCTION:
            return Passed(self.count_parameters(file, e), self.find_returns(file, code[e + op.SCOPE]), None)
        if code[e] != op.NAME or len(values) != 1 or values[0][KIND] != CALLABLE:
            return None
        annotation = self.find_declared_type(file, e)
        signatures = self.function_types.signatures(WrittenType(file.index, annotation, {}), 0) if annotation else []
        if len(signatures) != 1:
            return None
        numbers = tuple(self.function_types.numbers_of_parameters(file, annotation))
        return Passed(numbers, self.function_types.has_result(file, annotation), signatures[0]) if numbers else None

    def count_parameters(self, file: SourceFile, e: int) -> tuple[int, ...]:
        """How many parameters a function may have that is written as an argument."""
        rows = file.facts.parameters.get(file.code[e + op.SCOPE], ())
        implicit = file.rules.closures.implicit_parameter
        return (0, 1) if implicit and len(rows) == 1 and rows[0].name == implicit else (len(rows),)

    def find_returns(self, file: SourceFile, scope: int) -> bool | None:
        """Whether a function without a name returns something, as far as its text says."""
        no_result = file.rules.types.no_result
        if not no_result:
            return None
        annotation = file.facts.annotations.get(scope, 0)
        if annotation:
            returned = self.annotations.typed(file, annotation)
            if len(returned) == 1 and returned[0][KIND] == PRIMITIVE and returned[0][OWN_NAME] == no_result:
                return False
        given = file.facts.returns.get(scope, [])
        if any(file.code[e] in _NO_STATEMENTS for e in given):
            return True
        return self.find_returns_of_call(file, given[0]) if given and file.code[given[0]] == op.CALL else None

    def find_returns_of_call(self, file: SourceFile, e: int) -> bool | None:
        """Whether a call of a variable returns something, as its declared type says."""
        callee = file.code[e + op.CALLEE]
        annotation = self.find_declared_type(file, callee) if file.code[callee] == op.NAME else 0
        if not annotation or not self.function_types.numbers_of_parameters(file, annotation):
            return None
        return self.function_types.has_result(file, annotation)

    def find_declared_type(self, file: SourceFile, e: int) -> int:
        """The type that the one binding of a name declares; 0 if none does."""
        code = file.code
        scope = op.binding_scope(code[e + op.BINDER])
        rows = file.rows(scope, file.strings[code[e + op.WORD]]) if scope >= 0 else ()
        if len(rows) != 1 or not rows[0].value:
            return 0
        value = rows[0].value
        if code[value] == op.TYPED:
            return code[value + op.ANNOTATED]
        if code[value] == op.PARAMETER:
            parameter = file.facts.parameters[code[value + op.SCOPE]][code[value + op.POSITION]]
            return parameter.annotation if parameter.kind in ("positional", "any", "keyword") else 0
        return 0

    def fit(self, passed: Passed, file: SourceFile, annotation: int, declared: Values) -> int | None:
        """How well a function fits a parameter; None if its type says nothing of functions."""
        taken = self.function_types.numbers_of_parameters(file, annotation)
        if not taken:
            return NEVER if passed.declared is not None and self.is_no_function(file, declared) else None
        if taken.isdisjoint(passed.parameters):
            return NEVER
        is_returned = self.function_types.has_result(file, annotation)
        if passed.returns is False and is_returned:
            return NEVER
        if passed.declared is None:
            # What is a statement, too, may be passed where nothing is returned, but is meant where something is.
            return UNLIKELY if passed.returns and not is_returned and self.is_written(file, annotation) else SAME
        if passed.returns and not is_returned and self.is_written(file, annotation):
            return NEVER
        return self.fit_types(passed.declared, file, annotation, declared)

    def is_written(self, file: SourceFile, annotation: int) -> bool:
        """Whether the type is the library's, which says whether something is returned."""
        signatures = self.function_types.signatures(WrittenType(file.index, annotation, {}), 0)
        written = [self.function_types.written(self.evaluator.files[each.file], each.expression) for each in signatures]
        return bool(written) and None not in written

    def fit_types(self, given: WrittenType, file: SourceFile, annotation: int, declared: Values) -> int:
        """How well the types of parameters and of the result fit, the least of them."""
        wanted = self.function_types.signatures(WrittenType(file.index, annotation, {}), 0)
        if len(wanted) != 1:
            return SAME
        here = self.evaluator.files[given.file]
        least = SAME
        count = min(self.function_types.numbers_of_parameters(here, given.expression) or {0})
        for at in range(count):
            one, other = self.function_types.parameter(given, at), self.function_types.parameter(wanted[0], at)
            least = min(least, self.fit_part(one, other))
        result = self.annotations.typed(here, given.expression)
        if len(result) == len(declared) == 1 and result[0][KIND] == declared[0][KIND] == CALLABLE:
            least = min(least, self.fit_part(result[0][RESULT], declared[0][RESULT]))
        return least

    def fit_part(self, one: Values, other: Values) -> int:
        """How well two types in types of functions fit: one may be above the other, but is not converted to it."""
        if len(one) != 1 or len(other) != 1:
            return ANY
        fit = max(self.argument_fit.fit(one, other), self.argument_fit.fit(other, one))
        return NEVER if fit == UNLIKELY else fit

    def is_no_function(self, file: SourceFile, declared: Values) -> bool:
        """Whether a type is one that no function has."""
        if len(declared) != 1:
            return False
        kind = declared[0][KIND]
        if kind == PRIMITIVE:
            return declared[0][OWN_NAME] not in file.rules.types.of_everything
        if kind == INST:
            return self.evaluator.program.definition(*declared[0][FILE : SYMBOL + 1]).kind == "class"
        return bool(kind == CONTAINER)
