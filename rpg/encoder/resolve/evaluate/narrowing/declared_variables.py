"""What a variable with a declared type holds, in languages where the type of a variable cannot change.

In: a binding of the variable. Out: values. As in TypeScript, an assignment selects parts of a declared union and
changes nothing else; if the declared type has functions, the assigned ones are followed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder import operations as op
from rpg.encoder.resolve.values.mro import ENTRY_ARGUMENTS, OWNER_FILE, OWNER_SYMBOL
from rpg.encoder.resolve.values.values import (
    CONTAINER,
    EXTERNAL,
    FILE,
    FUNC,
    INST,
    KIND,
    LITERAL_AT,
    NONE,
    OBJECT_AT,
    OWN_NAME,
    PRIMITIVE,
    SYMBOL,
    TEXT,
    VARIABLE,
    Value,
    Values,
    union,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.calls.parameters import Parameters
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.members.members import Members
    from rpg.encoder.resolve.evaluate.types.annotations import Annotations
    from rpg.encoder.resolve.evaluate.types.classes import Classes
    from rpg.encoder.resolve.program.file_tables import Row
    from rpg.encoder.resolve.program.source_file import SourceFile

_KEEPING: Final = frozenset({"narrow", "annotation", "type"})
"""Kinds of bindings that do not assign."""


class Assignments:
    def __init__(
        self, evaluator: Context, annotations: Annotations, classes: Classes, members: Members, parameters: Parameters
    ) -> None:
        self.evaluator = evaluator
        self.annotations = annotations
        self.classes = classes
        self.members = members
        self.parameters = parameters

    def held(self, file: SourceFile, scope: int, name: str, row: Row) -> Values:
        """What a variable holds after one of its bindings."""
        evaluator = self.evaluator
        code = file.code
        if row.kind in _KEEPING or code[row.value] == op.PARAMETER:
            return evaluator.eval(file, row.value)
        if row.kind == "declared":
            declared = self.annotations.typed(file, code[row.value + op.ANNOTATED])
            return self.narrow_declared(file, declared, evaluator.eval(file, code[row.value + op.TYPED_VALUE]))
        declared = self.declared(file, scope, name)
        return self.narrow_declared(file, declared, evaluator.eval(file, row.value))

    def find_assigned_member(self, file: SourceFile, holders: Values, name: str, assigned: Values) -> Values:
        """What a member holds after an assignment to it in the same flow."""
        if not holders or not all(self.members.is_declared(holder, name) for holder in holders):
            return assigned
        declared = union([self.members.member_values(holder, name) for holder in holders])
        return self.narrow_declared(file, declared, assigned)

    def narrow_declared(self, file: SourceFile, declared: Values, assigned: Values) -> Values:
        """What a variable or member with a declared type holds after an assignment."""
        empty = file.rules.types.empty
        possible = tuple(value for value in declared if not _is_empty(value, empty))
        if not possible:
            return assigned
        if (
            assigned
            and all(value[KIND] in (OBJECT_AT, FUNC) for value in assigned)
            and all(value[KIND] == EXTERNAL for value in possible)
        ):
            # A literal of a library's type also has the members written in it, and a function runs what is written.
            return union([assigned, possible])
        if self.annotations.is_open(file, declared):
            return union([assigned, declared]) or declared
        if len(possible) == 1 or any(value[KIND] == VARIABLE for value in possible):
            return possible
        present = [value for value in assigned if not _is_empty(value, empty)]
        kept = tuple(value for value in possible if any(self.fits(each, value) for each in present))
        fit = all(any(self.fits(each, value) for value in kept) for each in present)
        return kept if kept and fit else declared

    def declared(self, file: SourceFile, scope: int, name: str) -> Values:
        code = file.code
        for row in file.rows(scope, name):
            if row.kind in ("annotation", "declared") and code[row.value] == op.TYPED:
                return self.annotations.typed(file, code[row.value + op.ANNOTATED])
            if row.value and code[row.value] == op.PARAMETER:
                parameter = file.facts.parameters[code[row.value + op.SCOPE]][code[row.value + op.POSITION]]
                values = self.annotations.typed(file, parameter.annotation)
                return self.parameters.gather_rest(values, parameter.kind) if values else ()
        return ()

    def fits(self, value: Value, declared: Value) -> bool:
        """Whether a value is known to belong to one part of a declared union."""
        evaluator = self.evaluator
        if value[KIND] == TEXT:
            return bool(declared[KIND] == PRIMITIVE)
        if value[KIND] == LITERAL_AT:
            return bool(declared[KIND] == CONTAINER)
        if value[KIND] != INST or declared[KIND] != INST:
            return value == declared or (value[KIND] == declared[KIND] and value[KIND] in (CONTAINER, EXTERNAL))
        classes = self.classes
        for entry in classes.order(value[FILE], value[SYMBOL]).entries:
            if entry[:ENTRY_ARGUMENTS] == declared[FILE : SYMBOL + 1]:
                return True
            for contract in classes.contracts(evaluator.files[entry[OWNER_FILE]], entry[OWNER_SYMBOL]):
                if any(
                    above[:ENTRY_ARGUMENTS] == declared[FILE : SYMBOL + 1] for above in classes.order(*contract).entries
                ):
                    return True
        return False


def _is_empty(value: Value, empty: frozenset[str]) -> bool:
    return value == NONE or bool(value[KIND] == PRIMITIVE and value[OWN_NAME] in empty)
