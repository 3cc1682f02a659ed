"""What library functions and types return, where that is known and depends on their arguments.

In: a library name and the call. Out: values. The functions themselves are listed by each language (`Rules.functions`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder import operations as op
from rpg.encoder.languages.results import (
    ALL_TO_AWAIT,
    ANY_ARGUMENT,
    ANY_TO_AWAIT,
    AWAITED,
    BOUND_CALL,
    BOXED,
    CALLED_TO_AWAIT,
    CLASS_OF,
    CONTEXT_OF,
    DISPATCHER,
    EACH_TO_AWAIT,
    ELEMENTS,
    ELEMENTS_MAPPED,
    ELEMENTS_OF_LAST,
    EMPTY_CONTAINER,
    FIRST,
    FIRST_OR_EMPTY,
    FIRST_OR_OUTSIDE,
    FIRST_TO_AWAIT,
    FIRST_UNLESS_TEXT,
    FOLDED,
    LISTED,
    MADE_WHEN_MISSING,
    MEMBER_NAMED,
    NEW_INSTANCE,
    NUMBERED,
    OF_ASKED_TYPE,
    OF_WRITTEN_TYPE,
    ONE_AFTER_ANOTHER,
    ONE_ELEMENT,
    ONE_OF_FIRST,
    OUTSIDE,
    PAIRS,
    SIDE_BY_SIDE,
    TYPE_GIVEN,
    TYPE_VARIABLE,
    VALUE_OF_TYPE,
    VALUES,
    Gives,
)
from rpg.encoder.resolve.evaluate.containers import container_methods
from rpg.encoder.resolve.evaluate.types.annotations import OF_TYPE
from rpg.encoder.resolve.values.held import held_in, hold, make_outside
from rpg.encoder.resolve.values.values import (
    BOX,
    CLASS,
    CLASS_OBJECTS,
    CLOSURE,
    CONTAINER,
    CONTENTS,
    EXTERNAL,
    FILE,
    FUNC,
    HELD,
    INST,
    KIND,
    LITERAL_AT,
    MODULE,
    OBJECT_AT,
    OWN_NAME,
    PARTIAL,
    PRIMITIVE,
    SPELLING,
    SYMBOL,
    TEXT,
    TYPE_ARGUMENTS,
    VARIABLE,
    Value,
    Values,
    union,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.containers.elements import Containers
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.members.members import Members
    from rpg.encoder.resolve.evaluate.members.object_members import ObjectMembers
    from rpg.encoder.resolve.evaluate.types.annotations import Annotations
    from rpg.encoder.resolve.program.source_file import SourceFile

_NAMING: Final = frozenset({op.NAME, op.ATTRIBUTE, op.PATH, op.FUNCTION})
WRAPPED: Final = "(function)"
"""Suffix of the name of a library's wrapper around a function: calling it may return that function's result."""
_PLAIN: Final = frozenset({op.NOTHING, op.STRING, op.NUMBER, op.LITERAL})
"""Operations whose value is of the language."""
_WITHOUT_CONTENTS: Final = frozenset({TEXT, PRIMITIVE, OBJECT_AT, MODULE, FUNC, CLOSURE})
WRAPPED_WITH_MORE: Final = f"{WRAPPED}()"
"""The same where the wrapper was handed something else of the repository, too."""
_OF_CONTENTS: Final = frozenset(
    {VALUES, PAIRS, ELEMENTS_MAPPED, FIRST_TO_AWAIT, ALL_TO_AWAIT, ANY_TO_AWAIT, EMPTY_CONTAINER}
)


class Library:
    """Calls that leave the repository."""

    def __init__(
        self,
        evaluator: Context,
        annotations: Annotations,
        object_members: ObjectMembers,
        members: Members,
        containers: Containers,
    ) -> None:
        self.evaluator = evaluator
        self.annotations = annotations
        self.object_members = object_members
        self.members = members
        self.containers = containers

    def from_library(self, callee: Value, file: SourceFile | None, e: int) -> Values:
        """What a library function or type returns, where that is known; else something of the library that may give
        back what the function's object holds and what it was handed."""
        evaluator = self.evaluator
        name: str = callee[OWN_NAME]
        if file is None or not e or file.code[e] != op.CALL:
            return ((EXTERNAL, f"{name}()", *callee[HELD:]),)
        if evaluator.frameworks is not None:
            result = evaluator.frameworks.result(name, file, e)
            if result:
                return result
        rules = file.rules
        last = name.rpartition(".")[2]
        gives = rules.functions.get(name) or rules.functions_by_last_part.get(last)
        if gives is not None:
            found = self.look_up_result(gives, name, last, file, e)
            return (
                tuple(hold(each, callee[HELD]) if each[KIND] == EXTERNAL else each for each in found)
                if len(callee) > HELD
                else found
            )
        if last.removesuffix("()") in rules.decorators.preserving:
            return evaluator.argument(file, e, 0, "")
        if WRAPPED in name:
            return ()
        held = self.find_handed(file, e)
        given = held_in((*callee[HELD], *held)) if len(callee) > HELD else held
        if any(value[KIND] == INST for value in self.find_requested(file, e, False)):
            return (make_outside(name + OF_TYPE, given),)
        functions = self.find_functions_among(file, e)
        if not functions:
            return (make_outside(f"{name}()", given),)
        results = held_in(union([evaluator.result(each, None, 0) for each in functions]))
        return (make_outside(name + (WRAPPED_WITH_MORE if held else WRAPPED), held_in((*given, *results))),)

    def find_handed(self, file: SourceFile, e: int) -> Values:
        """What of the repository a call hands to a library: its type arguments, objects and classes."""
        code = file.code
        found: list[Value] = []
        for each in file.facts.type_arguments.get(e, ()):
            found += held_in(self.annotations.typed(file, each))
        for argument in code[e + op.ARGUMENTS : e + op.ARGUMENTS + 2 * code[e + op.ARGUMENT_COUNT] : 2]:
            if code[argument] in _PLAIN:
                continue
            for value in self.evaluator.eval(file, argument):
                kind: int = value[KIND]
                if kind == LITERAL_AT:
                    found += held_in(self.containers.element(value))
                elif kind in (INST, CLASS):
                    found += self.members.find_held_by_bases(value)
                elif kind not in _WITHOUT_CONTENTS:
                    found += held_in((value,))
        return held_in(tuple(found)) if found else ()

    def find_requested(self, file: SourceFile, e: int, is_any: bool) -> Values:
        """Instances of the type that is written for a call, or whose class is passed first, as a literal unless
        `is_any`."""
        code, evaluator = file.code, self.evaluator
        types = file.facts.type_arguments.get(e)
        if types:
            return self.annotations.typed(file, types[0])
        if not code[e + op.ARGUMENT_COUNT] or code[e + op.KEYWORDS] != op.POSITIONAL:
            return ()
        first = code[e + op.ARGUMENTS]
        if not is_any and code[first] != op.TYPED:
            return ()
        found: list[Values] = []
        for value in evaluator.eval(file, first):
            if value[KIND] == CONTAINER and value[OWN_NAME] in CLASS_OBJECTS:
                found += value[CONTENTS]
            elif value[KIND] == CLASS and is_any:
                found.append(((INST, *value[FILE : SYMBOL + 1], value[TYPE_ARGUMENTS], False),))
        return union(found)

    def look_up_result(self, gives: Gives, name: str, last: str, file: SourceFile, e: int) -> Values:
        """The result of a function that the language's tables describe."""
        containers = self.containers
        what, detail = gives
        if what == VALUE_OF_TYPE:
            return ((PRIMITIVE, detail),)
        if what in _OF_CONTENTS:
            return self.of_contents(what, name, file, e)
        if what == ANY_ARGUMENT:
            return union(self.evaluator.arguments(file, e))
        if what == FIRST:
            return self.first(file, e)
        if what in (FIRST_OR_OUTSIDE, FIRST_UNLESS_TEXT):
            first = self.first(file, e)
            is_outside = not first or (what == FIRST_UNLESS_TEXT and first[0][KIND] in (TEXT, PRIMITIVE))
            return ((EXTERNAL, f"{name}()"),) if is_outside else first
        if what == FIRST_OR_EMPTY:
            return self.first(file, e) or self.annotations.find_library_type(file, last, ())
        if what == OUTSIDE:
            return ((EXTERNAL, f"{name}()"),)
        if what == DISPATCHER:
            return ((EXTERNAL, f"{name}()"), (LITERAL_AT, file.index, e))
        if what == TYPE_VARIABLE:
            return self.type_variable(file, e, detail)
        if what == MEMBER_NAMED:
            return self.get_attribute(file, e)
        if what == NEW_INSTANCE:
            return self.object_members.made(file, e, detail)
        if what == BOUND_CALL:
            return tuple((PARTIAL, value, file.index, e) for value in self.evaluator.argument(file, e, 0, detail))
        if what == TYPE_GIVEN:
            return self.annotations.typed(file, file.code[e + op.ARGUMENTS]) if file.code[e + op.ARGUMENT_COUNT] else ()
        if what == CONTEXT_OF:
            first = self.first(file, e)
            return ((CONTAINER, "context", (first,)),) if first else ((EXTERNAL, f"{name}()"),)
        if what == CLASS_OF:
            return self.annotations.classes_of(self.first(file, e))
        if what in (ELEMENTS, ELEMENTS_OF_LAST):
            arguments = self.evaluator.arguments(file, e)
            elements = containers.elements(arguments[-1 if what == ELEMENTS_OF_LAST else 0]) if arguments else ()
            return ((CONTAINER, "list", (elements,)),)
        if what == BOXED:
            first = self.first(file, e)
            return ((CONTAINER, BOX, (first,)),) if first else ((EXTERNAL, f"{name}()"),)
        if what == LISTED:
            arguments = self.evaluator.arguments(file, e)
            spread = containers.elements(arguments[0]) if len(arguments) == 1 and is_list(arguments[0]) else ()
            return ((CONTAINER, "list", (spread or union(arguments),)),)
        if what == EACH_TO_AWAIT:
            return ((CONTAINER, "coroutine", ((self.gathered(file, e),),)),)
        if what == CALLED_TO_AWAIT:
            made = union([self.evaluator.result(each, None, 0) for each in self.first(file, e)])
            return ((CONTAINER, "coroutine", (containers.await_values(made),)),)
        if what == OF_WRITTEN_TYPE:
            types = file.facts.type_arguments.get(e, ())
            return self.annotations.typed(file, types[0]) if types else ()
        if what == OF_ASKED_TYPE:
            asked = self.find_requested(file, e, True)
            held: Values = ((CONTAINER, detail, (asked,)),) if detail else asked
            return held if asked else ((EXTERNAL, f"{name}()"),)
        if what == ONE_ELEMENT:
            arguments = self.evaluator.arguments(file, e)
            return containers.elements(arguments[0]) if len(arguments) == 1 else union(arguments)
        if what == ONE_OF_FIRST:
            arguments = self.evaluator.arguments(file, e)
            return union([containers.elements(arguments[0]), *arguments[1:]]) if arguments else ()
        if what == NUMBERED:
            elements = containers.elements(self.evaluator.argument(file, e, 0, detail))
            return ((CONTAINER, "list", (((CONTAINER, "tuple", (((PRIMITIVE, "int"),), elements)),),)),)
        if what == SIDE_BY_SIDE:
            columns = tuple(containers.elements(each) for each in self.evaluator.arguments(file, e))
            return ((CONTAINER, "list", (((CONTAINER, "tuple", columns),),)),)
        if what == ONE_AFTER_ANOTHER:
            return (
                (
                    CONTAINER,
                    "list",
                    (union([containers.elements(each) for each in self.evaluator.arguments(file, e)]),),
                ),
            )
        if what == MADE_WHEN_MISSING:
            made = self.bare(
                file,
                union([self.evaluator.result(each, None, 0) for each in self.evaluator.argument(file, e, 0, detail)]),
            )
            if any(each[KIND] == CONTAINER and each[OWN_NAME] == "list" for each in made):
                # One list for all keys, known by the place of the call: what is put into any of them is in it.
                made = ((LITERAL_AT, file.index, e), *made)
            return ((CONTAINER, "dict", ((), made)),)
        if what == AWAITED:
            return containers.await_values(self.evaluator.argument(file, e, 0, detail))
        results = union([self.evaluator.result(each, None, 0) for each in self.first(file, e)])
        if what == FOLDED:
            return union([results, self.evaluator.argument(file, e, 2, "")])
        return ((CONTAINER, "list", (results,)),)

    def gathered(self, file: SourceFile, e: int) -> Value:
        """What awaiting each argument returns: a tuple, or a list if some are spread."""
        code, containers = file.code, self.containers
        made: list[Values] = []
        is_spread = False
        for at in range(code[e + op.ARGUMENT_COUNT]):
            keyword = code[e + op.KEYWORDS + 2 * at]
            if keyword in (op.POSITIONAL, op.STARRED):
                values = self.evaluator.eval(file, code[e + op.ARGUMENTS + 2 * at])
                is_spread = is_spread or keyword == op.STARRED
                made.append(containers.await_values(containers.elements(values) if keyword == op.STARRED else values))
        return (CONTAINER, "list", (union(made),)) if is_spread else (CONTAINER, "tuple", tuple(made))

    def first(self, file: SourceFile, e: int) -> Values:
        return self.evaluator.argument(file, e, 0, "")

    def bare(self, file: SourceFile, made: Values) -> Values:
        """What builtin types make without arguments: containers with unknown contents."""
        annotations = self.annotations
        return union(
            [
                annotations.find_library_type(file, value[OWN_NAME].removesuffix("()"), ())
                if value[KIND] == EXTERNAL
                else (value,)
                for value in made
            ]
        )

    def find_functions_among(self, file: SourceFile, e: int) -> Values:
        """The functions of the repository among the arguments."""
        code = file.code
        return tuple(
            value
            for argument in code[e + op.ARGUMENTS : e + op.ARGUMENTS + 2 * code[e + op.ARGUMENT_COUNT] : 2]
            if code[argument] in _NAMING
            for value in self.evaluator.eval(file, argument)
            if value[KIND] in (FUNC, CLOSURE)
        )

    def of_contents(self, what: str, name: str, file: SourceFile, e: int) -> Values:
        """The result of a function that depends on the contents of its argument."""
        containers = self.containers
        if what == EMPTY_CONTAINER:
            types = file.facts.type_arguments.get(e, ())
            typed = tuple(self.annotations.typed(file, each) for each in types)
            declared = self.annotations.find_library_type(file, name, typed) if any(typed) else ()
            return ((LITERAL_AT, file.index, e), *declared)
        arguments = self.evaluator.arguments(file, e)
        first = arguments[0] if arguments else ()
        if what in (VALUES, PAIRS):
            held = union([containers.values_in(each) for each in first])
            return container_methods.view(what, ((PRIMITIVE, "str"),), held)
        if what == ELEMENTS_MAPPED:
            elements = containers.elements(first)
            if len(arguments) > 1:
                elements = union([self.evaluator.result(each, None, 0) for each in arguments[1]])
            return ((CONTAINER, "list", (elements,)),)
        if what == FIRST_TO_AWAIT:
            return ((CONTAINER, "coroutine", (containers.await_values(first),)),)
        if what == ANY_TO_AWAIT:
            return ((CONTAINER, "coroutine", (containers.await_values(containers.elements(first)),)),)
        gathered: list[Values] = []
        for each in first:
            if each[KIND] == LITERAL_AT and containers.is_exact(each, containers.entries(each)[1]):
                parts = tuple(containers.await_values(containers.held(row)) for row in containers.entries(each)[0])
                gathered.append(((CONTAINER, "tuple", parts),))
            else:
                gathered.append(((CONTAINER, "list", (containers.await_values(containers.element(each)),)),))
        return ((CONTAINER, "coroutine", (union(gathered),)),)

    def type_variable(self, file: SourceFile, e: int, keyword: str) -> Values:
        names = self.first(file, e)
        if not names or names[0][KIND] != TEXT:
            return ()
        code = file.code
        bounds = [
            code[e + op.ARGUMENTS + 2 * i]
            for i in range(1, code[e + op.ARGUMENT_COUNT])
            if code[e + op.KEYWORDS + 2 * i] == op.POSITIONAL or file.strings[code[e + op.KEYWORDS + 2 * i]] == keyword
        ]
        return ((VARIABLE, names[0][SPELLING], union([self.annotations.typed(file, each) for each in bounds])),)

    def get_attribute(self, file: SourceFile, e: int) -> Values:
        arguments = self.evaluator.arguments(file, e)
        if len(arguments) < 2:
            return ()
        found = [
            self.members.member_values(value, name[SPELLING])
            for value in arguments[0]
            for name in arguments[1]
            if name[KIND] == TEXT
        ]
        return union(found + arguments[2:3])


def is_list(values: Values) -> bool:
    return any(value[KIND] == CONTAINER and value[OWN_NAME] == "list" for value in values)
