"""Overloads: which of several methods of one name a call means, by the number and the types of its arguments.

In: a call and the definitions that its name means. Out: those that it may call. For languages with
`Rules.overloads`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import ACCESSORS, ALIAS, EXTENSION, UNINFERRED, strip_marks
from rpg.encoder.resolve.evaluate.calls.argument_fit import (
    ANY,
    AT_LEAST,
    NEVER,
    UNKNOWN,
    UNLIKELY,
    fit_of_library,
    is_boxed,
    is_of_everything,
)
from rpg.encoder.resolve.evaluate.lookup.platforms import prefer_defined
from rpg.encoder.resolve.program.source_file import MOST_OVERLOADS
from rpg.encoder.resolve.values.mro import OWNER_FILE, OWNER_SYMBOL, Owner
from rpg.encoder.resolve.values.values import (
    CALLABLE,
    CLASS,
    CLOSURE,
    CONTAINER,
    FILE,
    FUNC,
    INST,
    KIND,
    LITERAL_AT,
    OWN_NAME,
    PARENT,
    PRIMITIVE,
    RECEIVER,
    SYMBOL,
    VARIABLE,
    Values,
    union,
)

if TYPE_CHECKING:
    from rpg.encoder.facts import Parameter
    from rpg.encoder.resolve.evaluate.calls.argument_fit import ArgumentFit
    from rpg.encoder.resolve.evaluate.calls.arity import Arity
    from rpg.encoder.resolve.evaluate.calls.conversions import Conversions
    from rpg.encoder.resolve.evaluate.calls.extensions import Extensions
    from rpg.encoder.resolve.evaluate.calls.function_arguments import FunctionArguments, Passed
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.hit import Hit
    from rpg.encoder.resolve.evaluate.members.members import Members
    from rpg.encoder.resolve.evaluate.types.annotations import Annotations
    from rpg.encoder.resolve.evaluate.types.member_lookup import MemberLookup
    from rpg.encoder.resolve.program.source_file import SourceFile

_NO_FUNCTION: Final = frozenset({PRIMITIVE, CONTAINER, VARIABLE})
_CALLED: Final = frozenset({"method", "function"})


class Argument(NamedTuple):
    label: str
    values: Values
    is_closure: bool
    """Whether it is a function without a name."""
    function: Passed | None


class Overloads:
    def __init__(
        self,
        evaluator: Context,
        annotations: Annotations,
        member_lookup: MemberLookup,
        members: Members,
        arity: Arity,
        argument_fit: ArgumentFit,
        conversions: Conversions,
        extensions: Extensions,
        function_arguments: FunctionArguments,
    ) -> None:
        self.evaluator = evaluator
        self.annotations = annotations
        self.member_lookup = member_lookup
        self.members = members
        self.arity = arity
        self.argument_fit = argument_fit
        self.conversions = conversions
        self.extensions = extensions
        self.function_arguments = function_arguments
        self.program = evaluator.program
        self.files = evaluator.files
        self._labels_needed: dict[Owner, list[Parameter]] = {}

    def callees(self, file: SourceFile, e: int) -> Values:
        """What a call may call, as values; a field does not hide a method of its name."""
        evaluator = self.evaluator
        code = file.code
        callee = code[e + op.CALLEE]
        if code[callee] != op.ATTRIBUTE or code[code[callee + op.HOLDER]] == op.UNION:
            return evaluator.eval(file, callee)
        name = file.strings[code[callee + op.MEMBER]]
        found: list[Values] = []
        holders = evaluator.eval(file, code[callee + op.HOLDER])
        if not holders and file.rules.packages_are_written:
            return evaluator.eval(file, callee)
        if file.rules.types_of_one_name == "platforms":
            holders = prefer_defined(self.program, file, holders)
        if file.rules.protocols.forwards:
            holders = self.members.forward_holders(holders, name, True)
        for holder in holders:
            hit = self.member_lookup.hit(holder, name)
            if hit is not None and len(hit.definitions) > MOST_OVERLOADS:
                return ()
            methods = [each for each in hit.definitions if self.is_called(each)] if hit is not None else []
            if hit is None and file.rules.extensions == "called":
                extending = self.extensions.of(file, holder, name, code[e + op.ARGUMENT_COUNT])
                if extending:
                    found.append(tuple((FUNC, *each, holder) for each in self.fitting(file, e, list(extending))))
                    continue
            if hit is None or not methods:
                values = evaluator.member_of(file, holder, name, is_called=True)
                is_accessor = hit is not None and self.is_accessor(hit, name)
                found.append(((CALLABLE, values),) if is_accessor else values)
                continue
            receiver = holder[RECEIVER] if holder[KIND] == PARENT else holder
            found += [self.members.definition_value(each, hit, receiver) for each in self.fitting(file, e, methods)]
        return union(found)

    def is_accessor(self, hit: Hit, name: str) -> bool:
        """Whether a field is read by calling it, by its name or as what the compiler makes for it."""
        if ACCESSORS in self.program.definition(*hit.owner).flags:
            return True
        return any(ALIAS + name in self.program.definition(*each).flags for each in hit.definitions)

    def is_called(self, definition: Owner) -> bool:
        return self.program.definition(*definition).kind in _CALLED

    def fitting(self, file: SourceFile, e: int, definitions: list[Owner]) -> list[Owner]:
        """The definitions that a call fits best; all, if it fits none."""
        if len(definitions) < 2:
            return definitions
        return self.best(file, e, self.taking(file, e, definitions)) or definitions

    def best(self, file: SourceFile, e: int, taking: list[Owner]) -> list[Owner]:
        """Those of the definitions that a call can call which it fits best."""
        code = file.code
        if len(taking) < 2 or any(
            code[e + op.KEYWORDS + 2 * at] < op.POSITIONAL for at in range(code[e + op.ARGUMENT_COUNT])
        ):
            return taking
        if file.rules.argument_types == "deduced":
            return self.conversions.best(file, e, taking)
        arguments = self.arguments(file, e)
        scores = {each: self.score(each, arguments, self.count_taken_before(file, e, each)) for each in taking}
        best = max(scores.values())
        return [each for each in taking if scores[each] == best]

    def taking(self, file: SourceFile, e: int, definitions: list[Owner]) -> list[Owner]:
        """The definitions that can be called with that number of arguments and these labels."""
        code = file.code
        count = code[e + op.ARGUMENT_COUNT]
        keywords = [code[e + op.KEYWORDS + 2 * at] for at in range(count)]
        if any(each < op.POSITIONAL for each in keywords):
            return definitions
        given = {file.strings[each] for each in keywords if each != op.POSITIONAL}
        unlabelled = keywords.count(op.POSITIONAL)
        types = len(file.facts.type_arguments.get(e, ()))
        closures = sum(1 for at in range(count) if code[code[e + op.ARGUMENTS + 2 * at]] == op.FUNCTION)
        return [
            each
            for each in definitions
            if self.arity.takes(each, count + self.count_taken_before(file, e, each))
            and self.is_given(each, given, closures)
            and self.takes_unlabelled(each, unlabelled, closures)
            and self.is_typed(each, types)
        ]

    def count_taken_before(self, file: SourceFile, e: int, definition: Owner) -> int:
        """How many parameters take none of the arguments in parentheses: the first one of an extension takes what the
        extension is called on, unless it is called as what it is, a function of a class."""
        if file.rules.extensions != "called" or EXTENSION not in self.program.definition(*definition).flags:
            return 0
        code = file.code
        callee = code[e + op.CALLEE]
        if code[callee] != op.ATTRIBUTE:
            return 0
        return 0 if any(each[KIND] == CLASS for each in self.evaluator.eval(file, code[callee + op.HOLDER])) else 1

    def is_typed(self, definition: Owner, written: int) -> bool:
        """Whether a call has as many type arguments as a method has type parameters, or none if the arguments determine
        them."""
        if not written:
            return UNINFERRED not in self.program.definition(*definition).flags
        file = self.files[definition[OWNER_FILE]]
        count = len(file.facts.type_parameters.get(definition[OWNER_SYMBOL], ()))
        return count > 0 if file.rules.argument_types == "deduced" else count == written

    def is_too_many(self, definition: Owner, count: int) -> bool:
        """Whether a function or method cannot take so many arguments."""
        return self.is_called(definition) and count > self.arity.numbers_taken(definition)[1]

    def is_too_few(self, definition: Owner, count: int) -> bool:
        """Whether a function or method needs more arguments."""
        return self.is_called(definition) and count < self.arity.numbers_taken(definition)[0]

    def is_given(self, definition: Owner, given: set[str], closures: int) -> bool:
        """Whether the labels of arguments are those of parameters, and no parameter that must be labelled lacks an
        argument, except functions, which may follow the call."""
        needed = self.labels_needed(definition)
        if not needed and not given:
            return True
        rows = self.arity.rows(definition)
        missing = [row for row in needed if row.name not in given]
        if len(missing) > closures or not given <= {row.name for row in rows}:
            return False
        return all(self.may_be_function(definition, row) for row in missing)

    def takes_unlabelled(self, definition: Owner, count: int, closures: int) -> bool:
        """Whether so many arguments without a label find parameters that need none, of which functions may also be for
        others, and no parameter without a label lacks an argument."""
        rows = self.arity.rows(definition)
        if not any(row.kind == "keyword" for row in rows):
            return True
        kinds = [row.kind for row in rows if row.kind not in ("keyword", "map")]
        needed = sum(row.kind == "positional" and not row.default for row in rows)
        return needed <= count and ("list" in kinds or count - closures <= len(kinds))

    def labels_needed(self, definition: Owner) -> list[Parameter]:
        """The parameters that must be labelled and given."""
        known = self._labels_needed.get(definition)
        if known is None:
            rows = self.arity.rows(definition)
            known = [row for row in rows if row.kind == "keyword" and not row.default]
            self._labels_needed[definition] = known
        return known

    def may_be_function(self, definition: Owner, row: Parameter) -> bool:
        """Whether nothing says that a parameter is anything else."""
        declared = self.annotations.typed(self.files[definition[OWNER_FILE]], row.annotation)
        return all(value[KIND] not in _NO_FUNCTION for value in declared)

    def have_one_name(self, one: Owner, other: Owner) -> bool:
        """Whether two methods have the same labels of parameters, which belong to a method's name where they are
        required."""
        rows, others = self.arity.rows(one), self.arity.rows(other)
        if not any(row.kind == "keyword" for row in (*rows, *others)):
            return True
        return [row.name for row in rows if row.kind != "positional"] == [
            row.name for row in others if row.kind != "positional"
        ]

    def arguments(self, file: SourceFile, e: int) -> list[Argument]:
        code = file.code
        found: list[Argument] = []
        for at in range(code[e + op.ARGUMENT_COUNT]):
            passed, label = code[e + op.ARGUMENTS + 2 * at], code[e + op.KEYWORDS + 2 * at]
            name = file.strings[label] if label != op.POSITIONAL else ""
            values = self.evaluator.eval(file, passed)
            function = self.function_arguments.read(file, passed, values)
            found.append(Argument(name, values, code[passed] == op.FUNCTION, function))
        return found

    def score(self, definition: Owner, arguments: list[Argument], before: int = 0) -> int:
        """How well arguments fit, the least likely first. `before`: so many parameters take none of them."""
        rows = self.arity.rows(definition)[before:]
        file = self.files[definition[OWNER_FILE]]
        total = 1
        is_whole = self.is_array_for_rest(file, rows, arguments)
        for at, (label, values, is_closure, function) in enumerate(arguments):
            is_trailing = file.rules.closures.may_trail and at == len(arguments) - 1 and is_closure and not label
            row = rows[-1] if is_trailing else parameter_for(rows, at, label)
            declared = self.annotations.typed(file, row.annotation)
            if is_whole and row is rows[-1]:
                declared = ((CONTAINER, "list", (declared,)),)
            fit = self.function_arguments.fit(function, file, row.annotation, declared) if function else None
            if fit is None:
                fit = self.of_argument(file, values, declared)
            if fit == NEVER:
                return NEVER
            total += fit
        takes_more = len(rows) > len(arguments) or (bool(rows) and rows[-1].kind == "list" and not is_whole)
        return total - (1 if takes_more else 0)

    def choose_overridden(self, definition: Owner, above: list[Owner]) -> tuple[list[Owner], list[Owner]]:
        """Of methods the one that a method of the same name can override: those with parameters of the same types, as
        far as these are known; and all with as many parameters."""
        file, rows = self.files[definition[OWNER_FILE]], self.arity.rows(definition)
        fits: dict[Owner, int] = {}
        for each in above:
            here, others = self.files[each[OWNER_FILE]], self.arity.rows(each)
            if len(others) == len(rows):
                parts = [self.fit_parameter(file, *pair, here) for pair in zip(rows, others, strict=True)]
                fits[each] = NEVER if NEVER in parts else sum(parts)
        best = max(fits.values(), default=NEVER)
        return [each for each, fit in fits.items() if fit == best != NEVER], list(fits)

    def fit_parameter(self, file: SourceFile, row: Parameter, above: Parameter, other: SourceFile) -> int:
        own, declared = self.annotations.typed(file, row.annotation), self.annotations.typed(other, above.annotation)
        if len(own) == len(declared) == 1 and own[0][KIND] == declared[0][KIND] == CONTAINER:
            # An array is no list, though both hold the same.
            one, two = find_written_name(file, row.annotation), find_written_name(other, above.annotation)
            if one and two and one != two:
                return NEVER
        return self.argument_fit.fit_same(own, declared)

    def is_array_for_rest(self, file: SourceFile, rows: list[Parameter], arguments: list[Argument]) -> bool:
        """Whether the last argument is an array, and all that the last parameter takes."""
        if file.rules.spreads != "arrays" or not rows or len(rows) != len(arguments) or rows[-1].kind != "list":
            return False
        values = arguments[-1].values
        return len(values) == 1 and (
            values[0][KIND] == LITERAL_AT or (values[0][KIND] == CONTAINER and values[0][OWN_NAME] == "list")
        )

    def fits_none(self, file: SourceFile, e: int, definitions: list[Owner]) -> bool:
        """Whether no definition can be called with such arguments, as far as their types are known."""
        code = file.code
        if any(code[e + op.KEYWORDS + 2 * at] < op.POSITIONAL for at in range(code[e + op.ARGUMENT_COUNT])):
            return False
        arguments = self.arguments(file, e)
        for each in definitions:
            if not self.is_called(each):
                return False
            before = self.count_taken_before(file, e, each)
            if self.taking(file, e, [each]) and self.score(each, arguments, before) != NEVER:
                return False
        return True

    def is_proven(self, file: SourceFile, e: int, definition: Owner) -> bool:
        """Whether some argument of a call is an object of the very class that a definition declares for it."""
        rows = self.arity.rows(definition)
        here = self.files[definition[OWNER_FILE]]
        for row, argument in zip(rows, self.arguments(file, e), strict=False):
            declared = self.annotations.typed(here, row.annotation)
            for value in argument.values:
                if value[KIND] == INST and any(
                    wanted[KIND] == INST and self.argument_fit.fit_value(value, wanted) > UNKNOWN for wanted in declared
                ):
                    return True
        return False

    def of_argument(self, file: SourceFile, values: Values, declared: Values) -> int:
        """How well an argument fits a parameter that a file declares."""
        rules = file.rules
        fit = fit_of_library(values, declared, rules.types.supertypes)
        if fit is None and rules.argument_types == "deduced":
            fit = self.conversions.fit(file, values, declared)
        elif fit is None:
            fit = self.argument_fit.fit(values, declared)
            if fit == ANY and declared[0][KIND] == VARIABLE:
                # All arguments together decide what it stands for: one alone says no more than a library's type.
                fit = UNLIKELY if is_boxed(values[0]) else UNKNOWN
        if rules.argument_types == "exact" and self.is_closure_for_object(values, declared):
            return NEVER
        return AT_LEAST if fit in (NEVER, UNLIKELY) and is_of_everything(declared, rules.types.of_everything) else fit

    def is_closure_for_object(self, values: Values, declared: Values) -> bool:
        """Whether a function without a name is passed where an object of a class is wanted."""
        if len(values) != 1 or values[0][KIND] != CLOSURE or len(declared) != 1:
            return False
        wanted = declared[0]
        if wanted[KIND] == INST:
            return self.program.definition(*wanted[FILE : SYMBOL + 1]).kind == "class"
        return wanted[KIND] in (PRIMITIVE, CONTAINER)


def parameter_for(rows: list[Parameter], at: int, label: str) -> Parameter:
    """The parameter that an argument is for, by its label or by its position; one may take all that are left."""
    for row in rows if label else ():
        if row.name == label:
            return row
    for row in rows[:at]:
        if row.kind == "list":
            return row
    return rows[min(at, len(rows) - 1)]


def find_written_name(file: SourceFile, e: int) -> str:
    """The name of a type as it is written, without what is in front of it and without its arguments."""
    code = file.code
    named = code[e + op.HOLDER] if code[e] == op.SUBSCRIPT else e
    if code[named] == op.ATTRIBUTE:
        return strip_marks(file.strings[code[named + op.MEMBER]])
    return strip_marks(file.strings[code[named + op.WORD]]) if code[named] in (op.NAME, op.LITERAL) else ""


def is_innermost(file: SourceFile, union: int) -> bool:
    """Whether the parts of a UNION are what a bare name may be a member of, the innermost first; the last may be the
    name itself, which stands where the UNION does."""
    code = file.code
    first, last = code[union + op.ITEMS], code[union + op.ITEMS + code[union + op.ITEM_COUNT] - 1]
    if code[first] == op.THIS or (file.rules.owners_anywhere and code[first] == op.NAME):
        return True
    is_path = file.rules.owners_anywhere and code[first] == op.ATTRIBUTE and code[last] == op.NAME
    if is_path and code[first + op.BYTE] == code[last + op.BYTE]:
        return True
    return bool(file.rules.cases_are_bare and code[last] == op.NAME and code[last + op.BYTE] == code[union + op.BYTE])
