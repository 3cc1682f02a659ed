"""What a function returns for the arguments of one call: `return item`, `return kind()`, `return items[0]`.

In: a function without a declared return type, and a call of it. Out: values for this call only. Only returned
expressions are evaluated per call, also through local variables; everything else is the same for all calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rpg.encoder import operations as op
from rpg.encoder.resolve.values.values import EXTERNAL, FILE, KIND, OWN_NAME, SYMBOL, Value, Values, union

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.containers.elements import Containers
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.types.annotations import Annotations
    from rpg.encoder.resolve.evaluate.types.type_variables import TypeVariables
    from rpg.encoder.resolve.program.source_file import SourceFile

_MOST: Final = 24
"""The most expressions followed for one returned expression."""
_OF_ONE: Final = frozenset({op.CALL, op.SUBSCRIPT})
"""Operations whose value depends on their first operand."""


class _Call:
    """A call of a function: where it is, and the values of the function's expressions in it."""

    def __init__(self, here: SourceFile, scope: int, shift: int, file: SourceFile, expression: int) -> None:
        self.here = here
        self.scope = scope
        self.shift = shift
        self.file = file
        self.expression = expression
        self.known: dict[int, Values] = {}


class ReturnedArguments:
    def __init__(
        self, evaluator: Context, annotations: Annotations, type_variables: TypeVariables, containers: Containers
    ) -> None:
        self.evaluator = evaluator
        self.annotations = annotations
        self.type_variables = type_variables
        self.containers = containers
        self.files = evaluator.files
        self.known: dict[tuple[int, int], tuple[int, ...]] = {}
        self.following: dict[int, bool] = {}
        """Expression, by its number in the repository -> whether its value depends on an argument."""

    def returned(self, file: SourceFile, index: int) -> tuple[int, ...]:
        """The returned expressions that depend on an argument, in a function without a declared return type."""
        key = (file.index, index)
        known = self.known.get(key)
        if known is None:
            scope = file.definitions[index].scope
            found: tuple[int, ...] = ()
            if (
                scope not in file.facts.annotations
                and scope not in file.facts.yields
                and scope in file.facts.parameters
            ):
                found = tuple(e for e in file.facts.returns.get(scope, ()) if self.follows(file, scope, e))
            known = self.known[key] = found
        return known

    def find_handed_back(self, here: SourceFile, function: Value, file: SourceFile | None, e: int) -> Values:
        """What this call returns of its arguments."""
        expressions = self.returned(here, function[SYMBOL])
        if not expressions:
            return ()
        if file is None or not e or file.code[e] != op.CALL:
            scope = here.definitions[function[SYMBOL]].scope
            shared = [each for each in expressions if self.position(here, scope, each) < 0]
            return union([self.evaluator.eval(here, each) for each in shared])
        shift = self.type_variables.shift(here, function)
        key = ("h", function[FILE], function[SYMBOL], shift, file.base + e)
        return self.evaluator.compute_once(key, self._handed_back, here, function[SYMBOL], shift, file, e)

    def _handed_back(self, here: SourceFile, index: int, shift: int, file: SourceFile, e: int) -> Values:
        call = _Call(here, here.definitions[index].scope, shift, file, e)
        return union([self.value_in_call(call, each) for each in self.returned(here, index)])

    def value_in_call(self, call: _Call, each: int) -> Values:
        """The value of an expression of the function in one call."""
        known = call.known.get(each)
        if known is None:
            call.known[each] = ()
            known = call.known[each] = self._value_in_call(call, each)
        return known

    def _value_in_call(self, call: _Call, each: int) -> Values:
        here, scope = call.here, call.scope
        evaluator, code = self.evaluator, here.code
        operation = code[each]
        if operation == op.UNION:
            return union([self.value_in_call(call, part) for part in op.items_of(code, each)])
        if not self.follows(here, scope, each):
            return evaluator.eval(here, each)
        position = self.position(here, scope, each)
        if position >= 0:
            return self.argument(call, position)
        if operation == op.NAME:
            rows = here.reaching(scope, here.strings[code[each + op.WORD]], code[each + op.BYTE], True)
            return union([self.value_in_call(call, row.value) for row in rows if row.value])
        if operation == op.CALL and self.leaves(here, each):
            return self.value_in_call(call, code[each + op.ARGUMENTS])
        of = self.value_in_call(call, code[each + op.HOLDER])
        if operation == op.CALL:
            return union([evaluator.result(callee, here, each) for callee in of])
        return self.containers.subscript(of, here, code[each + op.INDEX])

    def argument(self, call: _Call, position: int) -> Values:
        """What is passed for a parameter; if unknown, the value of its type or default."""
        evaluator, here = self.evaluator, call.here
        row = here.facts.parameters[call.scope][position]
        declared = self.annotations.typed(here, row.annotation)
        fixed = declared and here.rules.keeps_declared_types and not self.type_variables.mentions_variables(declared)
        if fixed and not self.annotations.is_open(here, declared):
            return declared
        passed = evaluator.argument(call.file, call.expression, position - call.shift, row.name)
        return passed or declared or evaluator.eval(here, row.default)

    def follows(self, file: SourceFile, scope: int, e: int) -> bool:
        """Whether the value of an expression depends on an argument; no if there is too much to follow."""
        key = file.base + e
        known = self.following.get(key)
        if known is None:
            known = self.following[key] = self._follows(file, scope, e)
        return known

    def _follows(self, file: SourceFile, scope: int, e: int) -> bool:
        code = file.code
        pending = [e]
        seen = {e}
        found = False
        while pending and len(seen) <= _MOST:
            each = pending.pop()
            operation = code[each]
            more: Sequence[int] = ()
            if operation == op.UNION:
                more = op.items_of(code, each)
            elif operation == op.CALL and self.leaves(file, each):
                more = (code[each + op.ARGUMENTS],)
            elif operation in _OF_ONE:
                more = (code[each + op.HOLDER],)
            elif self.position(file, scope, each) >= 0:
                found = True
            elif operation == op.NAME and code[each + op.BINDER] == scope:
                rows = file.reaching(scope, file.strings[code[each + op.WORD]], code[each + op.BYTE], True)
                more = [row.value for row in rows if row.value]
            new = [part for part in more if part not in seen]
            seen.update(new)
            pending += new
        return found and len(seen) <= _MOST

    def leaves(self, file: SourceFile, e: int) -> bool:
        """Whether a library call returns the function that it is passed as it is."""
        code = file.code
        if not code[e + op.ARGUMENT_COUNT] or code[e + op.KEYWORDS] != op.POSITIONAL:
            return False
        preserving = file.rules.decorators.preserving
        return any(
            value[KIND] == EXTERNAL and value[OWN_NAME].rpartition(".")[2].removesuffix("()") in preserving
            for value in self.evaluator.eval(file, code[e + op.CALLEE])
        )

    def position(self, file: SourceFile, scope: int, e: int) -> int:
        """The position of the parameter that an expression is or simply reads; -1 if there is none."""
        code = file.code
        parameter = e
        if code[e] == op.NAME and code[e + op.BINDER] == scope:
            rows = file.reaching(scope, file.strings[code[e + op.WORD]], code[e + op.BYTE], True)
            parameter = rows[0].value if len(rows) == 1 else 0
        if code[parameter] != op.PARAMETER or code[parameter + op.SCOPE] != scope:
            return -1
        position: int = code[parameter + op.POSITION]
        row = file.facts.parameters[scope][position]
        plain = row.kind == "positional" and not (position == 0 and row.name == file.scopes[scope].receiver)
        return position if plain else -1
