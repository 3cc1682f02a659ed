"""What functions and types from outside the repository give, where that is known, of their arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder.operations import (
    ARGUMENT_COUNT,
    ARGUMENTS,
    ATTRIBUTE,
    CALL,
    FUNCTION,
    KEYWORDS,
    NAME,
    PATH,
    POSITIONAL,
)
from rpg.encoder.resolve.evaluate import container_methods, object_members
from rpg.encoder.resolve.values.builtin_types import (
    CALLS_FIRST,
    MADE_EMPTY,
    OF_OBJECTS,
    PRESERVING,
    PRIMITIVES,
    SAME_ELEMENTS,
    TAKES_ONE,
)
from rpg.encoder.resolve.values.values import (
    CLOSURE,
    CONTAINER,
    EXTERNAL,
    FUNC,
    KIND,
    LITERAL_AT,
    OWN_NAME,
    PARTIAL,
    PRIMITIVE,
    SPELLING,
    TEXT,
    VARIABLE,
    Values,
    union,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.evaluator import Evaluator
    from rpg.encoder.resolve.program.source_file import SourceFile

_NAMING: Final = frozenset({NAME, ATTRIBUTE, PATH, FUNCTION})
WRAPPED: Final = "(function)"
"""At the end of the name of what a library made of a function: what calling it gives may come from that function."""


class Library:
    """Calls that leave the repository."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator

    def from_library(self, name: str, file: SourceFile | None, e: int) -> Values:
        """What a function or type from outside gives, where that is known."""
        evaluator, calls = self.evaluator, self.evaluator.calls
        last = name.rpartition(".")[2]
        if file is None or not e or file.code[e] != CALL:
            return ((EXTERNAL, f"{name}()"),)
        if evaluator.frameworks is not None:
            given = evaluator.frameworks.result(name, file, e)
            if given:
                return given
        containers = evaluator.containers
        if name in OF_OBJECTS or name in MADE_EMPTY:
            return self.of_objects(name, file, e)
        if last == "TypeVar":
            return self.type_variable(file, e)
        if last == "getattr":
            return self.get_attribute(file, e)
        if last == object_members.MAKER:
            return object_members.made(evaluator, file, e)
        if last == "partial":
            first = calls.argument(file, e, 0, "func")
            return tuple((PARTIAL, value, file.index, e) for value in first)
        if last == "cast":
            return evaluator.annotations.typed(file, file.code[e + ARGUMENTS]) if file.code[e + ARGUMENT_COUNT] else ()
        if last == "wraps":
            return ((EXTERNAL, f"{name}()"),)
        if last == "update_wrapper" or last.removesuffix("()") in PRESERVING:
            return calls.argument(file, e, 0, "")
        if last in (
            "copy",
            "deepcopy",
            "replace",
            "proxy",
            "shield",
            "ensure_future",
            "create_task",
            "wait_for",
            "closing",
        ):
            given = calls.argument(file, e, 0, "")
            if given and not (last == "replace" and given[0][KIND] in (TEXT, PRIMITIVE)):
                return ((CONTAINER, "context", (given,)),) if last == "closing" else given
            return ((EXTERNAL, f"{name}()"),)
        if last == "type":
            return evaluator.annotations.classes_of(calls.argument(file, e, 0, ""))
        if last in SAME_ELEMENTS or last == "tuple":
            arguments = calls.arguments(file, e)
            elements = containers.elements(arguments[-1 if last == "filter" else 0]) if arguments else ()
            return ((CONTAINER, "list", (elements,)),)
        if last in TAKES_ONE:
            arguments = calls.arguments(file, e)
            return containers.elements(arguments[0]) if len(arguments) == 1 else union(arguments)
        if last == "enumerate":
            elements = containers.elements(calls.argument(file, e, 0, "iterable"))
            return ((CONTAINER, "list", (((CONTAINER, "tuple", (((PRIMITIVE, "int"),), elements)),),)),)
        if last in ("zip", "zip_longest"):
            columns = tuple(containers.elements(each) for each in calls.arguments(file, e))
            return ((CONTAINER, "list", (((CONTAINER, "tuple", columns),),)),)
        if last == "chain":
            return (
                (
                    CONTAINER,
                    "list",
                    (union([containers.elements(each) for each in calls.arguments(file, e)]),),
                ),
            )
        if last == "defaultdict":
            made = union([calls.result(each, None, 0) for each in calls.argument(file, e, 0, "default_factory")])
            return ((CONTAINER, "dict", ((), self.bare(made))),)
        if last in ("dict", "OrderedDict"):
            return calls.argument(file, e, 0, "") or evaluator.annotations.of_library(last, ())
        if name == "functools.reduce":
            results = union([calls.result(each, None, 0) for each in calls.argument(file, e, 0, "")])
            return union([results, calls.argument(file, e, 2, "")])
        if last in CALLS_FIRST:
            results = union([calls.result(each, None, 0) for each in calls.argument(file, e, 0, "")])
            return ((CONTAINER, "list", (results,)),)
        if last == "run" and name == "asyncio.run":
            return containers.awaited(calls.argument(file, e, 0, "main"))
        if last in PRIMITIVES:
            return ((PRIMITIVE, last if last in ("str", "bytes", "int") else "object"),)
        if WRAPPED in name:
            return ()
        return ((EXTERNAL, name + (WRAPPED if self.is_given_function(file, e) else "()")),)

    def bare(self, made: Values) -> Values:
        """What builtin types make when nothing is given to them: containers, not yet known of what."""
        annotations = self.evaluator.annotations
        return union(
            [
                annotations.of_library(value[OWN_NAME].removesuffix("()"), ()) if value[KIND] == EXTERNAL else (value,)
                for value in made
            ]
        )

    def is_given_function(self, file: SourceFile, e: int) -> bool:
        """Whether a function of the repository is among the arguments."""
        code = file.code
        return any(
            value[KIND] in (FUNC, CLOSURE)
            for given in code[e + ARGUMENTS : e + ARGUMENTS + 2 * code[e + ARGUMENT_COUNT] : 2]
            if code[given] in _NAMING
            for value in self.evaluator.eval(file, given)
        )

    def of_objects(self, name: str, file: SourceFile, e: int) -> Values:
        """What the functions give that stand on builtin types: `Object.values(x)`, `Promise.all(xs)`, `new Map()`."""
        containers = self.evaluator.containers
        if name in MADE_EMPTY:
            types = file.facts.type_arguments.get(e, ())
            typed = tuple(self.evaluator.annotations.typed(file, each) for each in types)
            declared = self.evaluator.annotations.of_library(name, typed) if any(typed) else ()
            return ((LITERAL_AT, file.index, e), *declared)
        arguments = self.evaluator.calls.arguments(file, e)
        first = arguments[0] if arguments else ()
        if name in ("Object.values", "Object.entries"):
            held = union([containers.values_in(each) for each in first])
            return container_methods.view(name.removeprefix("Object."), ((PRIMITIVE, "str"),), held)
        if name == "Array.from":
            elements = containers.elements(first)
            if len(arguments) > 1:
                elements = union([self.evaluator.calls.result(each, None, 0) for each in arguments[1]])
            return ((CONTAINER, "list", (elements,)),)
        if name == "Promise.resolve":
            return ((CONTAINER, "coroutine", (containers.awaited(first),)),)
        if name == "Promise.all":
            gathered: list[Values] = []
            for each in first:
                if each[KIND] == LITERAL_AT and containers.is_exact(each, containers.entries(each)[1]):
                    parts = tuple(containers.awaited(containers.held(row)) for row in containers.entries(each)[0])
                    gathered.append(((CONTAINER, "tuple", parts),))
                else:
                    gathered.append(((CONTAINER, "list", (containers.awaited(containers.element(each)),)),))
            return ((CONTAINER, "coroutine", (union(gathered),)),)
        if name in ("Promise.race", "Promise.any"):
            return ((CONTAINER, "coroutine", (containers.awaited(containers.elements(first)),)),)
        return first

    def type_variable(self, file: SourceFile, e: int) -> Values:
        names = self.evaluator.calls.argument(file, e, 0, "name")
        if not names or names[0][KIND] != TEXT:
            return ()
        code = file.code
        bounds = [
            code[e + ARGUMENTS + 2 * i]
            for i in range(1, code[e + ARGUMENT_COUNT])
            if code[e + KEYWORDS + 2 * i] == POSITIONAL or file.strings[code[e + KEYWORDS + 2 * i]] == "bound"
        ]
        return (
            (VARIABLE, names[0][SPELLING], union([self.evaluator.annotations.typed(file, each) for each in bounds])),
        )

    def get_attribute(self, file: SourceFile, e: int) -> Values:
        arguments = self.evaluator.calls.arguments(file, e)
        if len(arguments) < 2:
            return ()
        found = [
            self.evaluator.members.member_values(value, name[SPELLING])
            for value in arguments[0]
            for name in arguments[1]
            if name[KIND] == TEXT
        ]
        return union(found + arguments[2:3])
