"""Overloads: which of several methods of one name a call means, by the number and the types of its arguments.

In: a call and the definitions that its name means. Out: those that it may call. For languages with
`Rules.has_overloads`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from rpg.encoder.facts import ACCESSORS, UNINFERRED
from rpg.encoder.operations import (
    ARGUMENT_COUNT,
    ARGUMENTS,
    ATTRIBUTE,
    CALLEE,
    FUNCTION,
    HOLDER,
    ITEMS,
    KEYWORDS,
    MEMBER,
    NAME,
    POSITIONAL,
    SCOPE,
    THIS,
    UNION,
)
from rpg.encoder.resolve.values.mro import ENTRY_ARGUMENTS, OWNER_FILE, OWNER_SYMBOL, Owner
from rpg.encoder.resolve.values.values import (
    CALLABLE,
    CONTAINER,
    CONTENTS,
    EXTERNAL,
    FILE,
    INST,
    KIND,
    NONE,
    OWN_NAME,
    PARENT,
    PRIMITIVE,
    RECEIVER,
    SYMBOL,
    VARIABLE,
    Value,
    Values,
    union,
)

if TYPE_CHECKING:
    from rpg.encoder.facts import Parameter
    from rpg.encoder.resolve.evaluate.evaluator import Evaluator
    from rpg.encoder.resolve.program.source_file import SourceFile

_SAME: Final = 4
_BELOW: Final = 3
_UNKNOWN: Final = 2
_UNLIKELY: Final = 1
_AT_LEAST: Final = 0
_NEVER: Final = -1
"""How well an argument fits a parameter."""
_KNOWN: Final = frozenset({PRIMITIVE, INST, CONTAINER})
_NO_FUNCTION: Final = frozenset({PRIMITIVE, CONTAINER, VARIABLE})
_CALLED: Final = frozenset({"method", "function"})
_ANY_NUMBER: Final = 1 << 20


class Overloads:
    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.program = evaluator.program
        self.files = evaluator.files
        self._numbers_taken: dict[Owner, tuple[int, int]] = {}

    def callees(self, file: SourceFile, e: int) -> Values:
        """What a call may call, as values; a field does not hide a method of its name."""
        evaluator = self.evaluator
        code = file.code
        callee = code[e + CALLEE]
        if code[callee] != ATTRIBUTE or code[code[callee + HOLDER]] == UNION:
            return evaluator.eval(file, callee)
        name = file.strings[code[callee + MEMBER]]
        found: list[Values] = []
        holders = evaluator.eval(file, code[callee + HOLDER])
        if not holders and file.rules.packages_are_written:
            return evaluator.eval(file, callee)
        if file.rules.protocols.forwards:
            holders = evaluator.members.forwarded(holders, name)
        for holder in holders:
            hit = evaluator.classes.hit(holder, name)
            methods = [each for each in hit.definitions if self.is_called(each)] if hit is not None else []
            if hit is None and file.rules.has_extension_methods:
                extended = evaluator.extensions.values(file, holder, name, code[e + ARGUMENT_COUNT])
                if extended:
                    found.append(extended)
                    continue
            if hit is None or not methods:
                values = evaluator.member_of(file, holder, name)
                is_accessor = hit is not None and ACCESSORS in self.program.definition(*hit.owner).flags
                found.append(((CALLABLE, values),) if is_accessor else values)
                continue
            receiver = holder[RECEIVER] if holder[KIND] == PARENT else holder
            found += [
                evaluator.members.definition_value(each, hit, receiver) for each in self.fitting(file, e, methods)
            ]
        return union(found)

    def is_called(self, definition: Owner) -> bool:
        return self.program.definition(*definition).kind in _CALLED

    def fitting(self, file: SourceFile, e: int, definitions: list[Owner]) -> list[Owner]:
        """The definitions that a call fits best; all, if it fits none."""
        if len(definitions) < 2:
            return definitions
        code = file.code
        count = code[e + ARGUMENT_COUNT]
        keywords = [code[e + KEYWORDS + 2 * at] for at in range(count)]
        taking = self.taking(file, e, definitions)
        if len(taking) < 2 or any(each != POSITIONAL for each in keywords):
            return taking or definitions
        arguments = [self.evaluator.eval(file, code[e + ARGUMENTS + 2 * at]) for at in range(count)]
        closures = [self.parameters_of_closure(file, code[e + ARGUMENTS + 2 * at]) for at in range(count)]
        scores = {each: self.score(each, arguments, closures) for each in taking}
        best = max(scores.values())
        return [each for each in taking if scores[each] == best]

    def taking(self, file: SourceFile, e: int, definitions: list[Owner]) -> list[Owner]:
        """The definitions that can be called with that number of arguments and these labels."""
        code = file.code
        count = code[e + ARGUMENT_COUNT]
        keywords = [code[e + KEYWORDS + 2 * at] for at in range(count)]
        if any(each < POSITIONAL for each in keywords):
            return definitions
        given = {file.strings[each] for each in keywords if each != POSITIONAL}
        types = len(file.facts.type_arguments.get(e, ()))
        closures = sum(1 for at in range(count) if code[code[e + ARGUMENTS + 2 * at]] == FUNCTION)
        return [
            each
            for each in definitions
            if self.takes(each, count) and self.is_given(each, given, closures) and self.is_typed(each, types)
        ]

    def rows(self, definition: Owner) -> list[Parameter]:
        file = self.files[definition[OWNER_FILE]]
        return file.facts.parameters.get(self.program.definition(*definition).scope, [])

    def takes(self, definition: Owner, count: int) -> bool:
        needed, most = self.numbers_taken(definition)
        return needed <= count <= most

    def numbers_taken(self, definition: Owner) -> tuple[int, int]:
        """The least and the largest number of arguments that a function or method takes."""
        known = self._numbers_taken.get(definition)
        if known is None:
            rows = self.rows(definition)
            needed = sum(1 for row in rows if row.kind == "positional" and not row.default)
            most = _ANY_NUMBER if any(row.kind == "list" for row in rows) else len(rows)
            known = self._numbers_taken[definition] = (needed, most)
        return known

    def is_typed(self, definition: Owner, written: int) -> bool:
        """Whether a call has as many type arguments as a method has type parameters, or none if the arguments determine
        them."""
        if not written:
            return UNINFERRED not in self.program.definition(*definition).flags
        file = self.files[definition[OWNER_FILE]]
        count = len(file.facts.type_parameters.get(definition[OWNER_SYMBOL], ()))
        return count > 0 if file.rules.infers_type_arguments else count == written

    def is_too_many(self, definition: Owner, count: int) -> bool:
        """Whether a function or method cannot take so many arguments."""
        return self.is_called(definition) and count > self.numbers_taken(definition)[1]

    def is_too_few(self, definition: Owner, count: int) -> bool:
        """Whether a function or method needs more arguments."""
        return self.is_called(definition) and count < self.numbers_taken(definition)[0]

    def is_given(self, definition: Owner, given: set[str], closures: int) -> bool:
        """Whether the labels of arguments are those of parameters, and no parameter that must be labelled lacks an
        argument, except functions, which may follow the call."""
        rows = self.rows(definition)
        missing = [row for row in rows if row.kind == "keyword" and not row.default and row.name not in given]
        if len(missing) > closures or not given <= {row.name for row in rows}:
            return False
        return all(self.may_be_function(definition, row) for row in missing)

    def may_be_function(self, definition: Owner, row: Parameter) -> bool:
        """Whether nothing says that a parameter is anything else."""
        declared = self.evaluator.annotations.typed(self.files[definition[OWNER_FILE]], row.annotation)
        return all(value[KIND] not in _NO_FUNCTION for value in declared)

    def have_one_name(self, one: Owner, other: Owner) -> bool:
        """Whether two methods have the same labels of parameters, which belong to a method's name where they are
        required."""
        rows, others = self.rows(one), self.rows(other)
        if not any(row.kind == "keyword" for row in (*rows, *others)):
            return True
        return [row.name for row in rows if row.kind != "positional"] == [
            row.name for row in others if row.kind != "positional"
        ]

    def parameters_of_closure(self, file: SourceFile, e: int) -> int:
        """How many parameters a function has that is written as an argument; -1: it is none."""
        if file.code[e] != FUNCTION:
            return -1
        return len(file.facts.parameters.get(file.code[e + SCOPE], ()))

    def score(self, definition: Owner, arguments: list[Values], closures: list[int]) -> int:
        """How well arguments fit, the least likely first; `closures`: how many parameters each has that is a function
        without a name, else -1."""
        rows = self.rows(definition)
        file = self.files[definition[OWNER_FILE]]
        total = 0
        for at, values in enumerate(arguments):
            row = rows[min(at, len(rows) - 1)]
            declared = self.evaluator.annotations.typed(file, row.annotation)
            fit = fit_of_library(values, declared, file.rules.types.supertypes)
            if fit is None:
                fit = self.fit(values, declared, file.rules.converts_arguments)
            if fit in (_NEVER, _UNLIKELY) and is_of_everything(declared, file.rules.types.of_everything):
                fit = _AT_LEAST
            if closures[at] >= 0:
                taken = self.evaluator.callbacks.numbers_of_parameters(file, row.annotation)
                fit = _NEVER if taken and closures[at] not in taken else _SAME if taken else fit
            if fit == _NEVER:
                return _NEVER
            total += fit
        return 2 * total - (1 if rows and rows[-1].kind == "list" else 0)

    def fit(self, values: Values, declared: Values, converts: bool = False) -> int:
        if converts:
            return _SAME if values and values == declared else _UNKNOWN
        if len(values) != 1 or len(declared) != 1 or values[0] == NONE:
            return _UNKNOWN
        value, wanted = values[0], declared[0]
        kind, other = value[KIND], wanted[KIND]
        if kind == INST and other == INST:
            return self.below(value, wanted)
        if kind == other == CONTAINER and value[OWN_NAME] != wanted[OWN_NAME]:
            return _UNKNOWN
        if kind == other == CONTAINER:
            fit = self.fit(value[CONTENTS][0], wanted[CONTENTS][0]) if value[CONTENTS] and wanted[CONTENTS] else _SAME
            return _BELOW if fit == _UNKNOWN else fit
        if kind == other == PRIMITIVE:
            return _SAME if value[OWN_NAME] == wanted[OWN_NAME] else _UNLIKELY
        if kind == other == EXTERNAL:
            return _SAME if value[OWN_NAME] == wanted[OWN_NAME] else _UNKNOWN
        if kind in _KNOWN and other in _KNOWN:
            return _NEVER
        # A value that is not an object fits a library's class only by conversion.
        return _UNLIKELY if kind == PRIMITIVE and value[OWN_NAME].islower() else _UNKNOWN

    def below(self, value: Value, wanted: Value) -> int:
        if value[FILE : SYMBOL + 1] == wanted[FILE : SYMBOL + 1]:
            return _SAME
        order = self.evaluator.classes.order(value[FILE], value[SYMBOL])
        if any(entry[:ENTRY_ARGUMENTS] == wanted[FILE : SYMBOL + 1] for entry in order.entries):
            return _BELOW
        return _UNKNOWN if order.unknown or order.external else _NEVER


def fit_of_library(values: Values, declared: Values, supertypes: Mapping[str, tuple[str, ...]]) -> int | None:
    """How well a value of the library's fits a type of the library's; None if that is not known."""
    if len(values) != 1 or len(declared) != 1 or not supertypes:
        return None
    name, wanted = library_name(values[0], supertypes), library_name(declared[0], supertypes)
    above = supertypes.get(name)
    if above is None or not wanted:
        return None
    if name == wanted:
        return _SAME
    if wanted not in above:
        return _NEVER
    place = above.index(wanted)
    if place == len(above) - 1:
        return _AT_LEAST  # the type of everything
    return _UNLIKELY if place else _BELOW


def library_name(value: Value, supertypes: Mapping[str, tuple[str, ...]]) -> str:
    """The name of a type of the library; empty if it is none, or its kind alone is known."""
    kind = value[KIND]
    if kind == EXTERNAL:
        return str(value[OWN_NAME]).removesuffix("()").rpartition(".")[2]
    if kind == PRIMITIVE:
        return str(value[OWN_NAME])
    return "Class" if kind == CONTAINER and value[OWN_NAME] == "type" else ""


def is_of_everything(declared: Values, names: frozenset[str]) -> bool:
    """Whether a type is one that every value has."""
    return len(declared) == 1 and declared[0][KIND] == PRIMITIVE and declared[0][OWN_NAME] in names


def is_innermost(file: SourceFile, union: int) -> bool:
    """Whether the parts of a UNION are what a bare name may be a member of, the innermost first; the last may be the
    name itself."""
    code = file.code
    first = code[union + ITEMS]
    return code[first] == THIS or (file.rules.owners_anywhere and code[first] == NAME)
