"""Calls: what they return, what parameters receive, what decorators make of a function, what is stored on objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rpg.encoder.facts import ATTRIBUTE, CALL, DOUBLE_STARRED, FUNCTION, NAME, PATH, POSITIONAL, STARRED, Parameter
from rpg.encoder.resolve import callbacks, container_methods, dispatch
from rpg.encoder.resolve.contexts import ARGUMENT
from rpg.encoder.resolve.knowledge import (
    CALLS_FIRST,
    MADE_EMPTY,
    OF_OBJECTS,
    PRESERVING,
    PRIMITIVES,
    SAME_ELEMENTS,
    TAKES_ONE,
)
from rpg.encoder.resolve.passing import Passing
from rpg.encoder.resolve.values import (
    BUILTIN,
    CALLABLE,
    CALLED_AS,
    CLASS,
    CLOSURE,
    CONTAINER,
    EXTERNAL,
    FUNC,
    INST,
    LITERAL_AT,
    MADE_AS,
    METHOD_OF,
    NONE,
    OBJECT_AT,
    PARTIAL,
    PRIMITIVE,
    TEXT,
    TYPE_OF_VARIABLE,
    VARIABLE,
    Value,
    Values,
    joined,
    union,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.infer import Inference
    from rpg.encoder.resolve.program import Unit

MOST_CALLERS = 24
"""A parameter of a function called from more places than this is not followed to its callers."""


class Caller(NamedTuple):
    """A place that calls a function, as far as its parameters are concerned."""

    unit: int
    expression: int
    """The CALL; for a decorator its expression."""
    bound: int
    """1 where the first parameter is the receiver and stands in no argument."""
    decorated: int
    """Definition that is passed by standing under a decorator; -1 for a written call; CALLED_BACK where the function
    is given to a builtin, whose call this is."""
    slot: int = 0
    """Of a function given to a builtin: in which argument, in the order written."""


CALLED_BACK = -2
_NAMING = frozenset({NAME, ATTRIBUTE, PATH, FUNCTION})
WRAPPED = "(function)"
"""At the end of the name of what a library made of a function: what calling it gives may come from that function."""


class Calls:
    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self.program = inference.program
        self.units = inference.units
        self.received: dict[tuple[int, int, int], Values] = {}
        """(unit, function scope, parameter) -> what its callers passed in the round before."""
        self.stored: dict[tuple[tuple[int, int] | str, str], dict[tuple[int, int], Values]] = {}
        """(class, object scope as -1 - scope, or module's path; name) -> values stored from outside, by store."""
        self.passing = Passing(inference)

    # Arguments

    def arguments(self, unit: Unit, e: int) -> list[Values]:
        """The positional arguments' values."""
        code = unit.code
        return [
            self.inference.eval(unit, code[e + 5 + 2 * i])
            for i in range(code[e + 3])
            if code[e + 4 + 2 * i] == POSITIONAL
        ]

    def argument(self, unit: Unit, e: int, position: int, name: str) -> Values:
        """The values passed for a parameter, by place or name."""
        code = unit.code
        at = 0
        for i in range(code[e + 3]):
            keyword, value = code[e + 4 + 2 * i], code[e + 5 + 2 * i]
            if keyword == POSITIONAL:
                if at == position:
                    return self.inference.eval(unit, value)
                at += 1
            elif keyword == STARRED:
                if position >= 0 and at <= position:
                    return self.inference.containers.item(self.inference.eval(unit, value), position - at)
            elif keyword == DOUBLE_STARRED:
                held = self.inference.eval(unit, value)
                found = [
                    container_methods.method_result(self.inference.containers, each, "get", [((TEXT, name, 5),)])
                    for each in held
                ]
                if any(found):
                    return union(found)
            elif unit.strings[keyword] == name:
                return self.inference.eval(unit, value)
        return ()

    # Parameters

    def parameter(self, unit: Unit, scope: int, index: int) -> Values:
        """What a parameter holds: its receiver, its annotation, the overridden method's, its default, and in flow
        rounds whatever callers pass."""
        inference = self.inference
        row = unit.facts.parameters[scope][index]
        if index == 0 and row.name and row.name == unit.scopes[scope].receiver and row.kind == "positional":
            receiver = inference.classes.receiver(unit, scope)
            if receiver:
                return receiver
        declared = inference.annotations.typed(unit, row.annotation)
        if declared and declared != (NONE,):
            gathered = self.gathered(declared, row.kind)
            if not inference.annotations.is_open(unit, declared):
                return gathered
            key = (unit.index, scope, index)
            inference.depends.add(key)
            given = (inference.eval(unit, row.default), self.received.get(key, ()), gathered)
            return union([*given]) or gathered
        if not row.annotation and row.kind in ("positional", "keyword"):
            inherited = self.inherited_annotation(unit, scope, index, row)
            if inherited:
                return inherited
        fixture = inference.frameworks.parameter(unit, scope, row.name) if inference.frameworks is not None else ()
        if fixture:
            return fixture
        default = tuple(value for value in inference.eval(unit, row.default) if value != NONE)
        if row.annotation and default:
            return default
        context = unit.contexts.get(scope) if not row.annotation and row.kind in ("positional", "any") else None
        if context is not None:
            expected = callbacks.expected(inference, unit, scope, index)
            if expected and not inference.annotations.is_open(unit, expected):
                return expected
            default = union([default, expected])
        handed: Values = ()
        if context is not None and context.kind == ARGUMENT and unit.scopes[scope].kind == "lambda":
            handed = callbacks.handed(inference, unit, context.expression, context.slot, index)
        key = (unit.index, scope, index)
        inference.depends.add(key)
        return union([default, handed, self.received.get(key, ())]) or self.gathered((), row.kind)

    def is_followed(self, unit: Unit, row: Parameter) -> bool:
        """Whether callers say what a parameter holds: it has no type, or a function's."""
        return not row.annotation or self.inference.annotations.is_open(
            unit, self.inference.annotations.typed(unit, row.annotation)
        )

    def gathered(self, values: Values, kind: str) -> Values:
        if kind == "list":
            return ((CONTAINER, "list", (values,)),)
        if kind == "map":
            return ((CONTAINER, "dict", (((PRIMITIVE, "str"),), values)),)
        return values

    def inherited_annotation(self, unit: Unit, scope: int, index: int, row: Parameter) -> Values:
        """The type of the same parameter of the method that is overridden."""
        each = unit.scopes[scope]
        holder = unit.scopes[each.parent] if each.parent >= 0 else None
        if holder is None or holder.kind != "class" or each.definition == holder.definition:
            return ()
        owner = unit.class_of_scope[each.parent]
        name = unit.definitions[each.definition].name
        if name == unit.rules.constructor:
            return ()
        hit = self.inference.classes.find(unit.index, owner, name, (unit.index, owner))
        for other_unit, other in hit.definitions if hit is not None else ():
            here = self.units[other_unit]
            rows = here.facts.parameters.get(here.definitions[other].scope, ())
            if index < len(rows) and rows[index].name == row.name and rows[index].annotation:
                return self.inference.classes.detached(self.inference.annotations.typed(here, rows[index].annotation))
        return ()

    def passed(self, unit: Unit, scope: int, index: int, row: Parameter, places: list[Caller]) -> Values:
        """What some callers pass for one parameter."""
        rows = unit.facts.parameters[scope]
        found: list[Values] = []
        for caller in places:
            here = self.units[caller.unit]
            position = index - caller.bound
            if caller.decorated == CALLED_BACK:
                found.append(callbacks.handed(self.inference, here, caller.expression, caller.slot, position))
            elif caller.decorated >= 0:
                if position == 0:
                    found.append(self.under_decorator(here, caller.decorated, caller.expression))
            elif row.kind == "list":
                rest = self.arguments(here, caller.expression)[max(position, 0) :]
                if rest:
                    found.append(((CONTAINER, "tuple", tuple(rest)),))
            elif row.kind == "map":
                found.append(self.keywords(here, caller.expression, {each.name for each in rows}))
            else:
                position = -1 if row.kind == "keyword" else position
                found.append(self.argument(here, caller.expression, position, row.name))
        return self.inference.classes.detached(union(found))

    def keywords(self, unit: Unit, e: int, taken: set[str]) -> Values:
        code = unit.code
        values = [
            self.inference.eval(unit, code[e + 5 + 2 * i])
            for i in range(code[e + 3])
            if code[e + 4 + 2 * i] >= 0 and unit.strings[code[e + 4 + 2 * i]] not in taken
        ]
        merged = union(values)
        return ((CONTAINER, "dict", (((PRIMITIVE, "str"),), merged)),) if merged else ()

    # Returns

    def method_result(self, value: Value, name: str) -> Values:
        """What calling a method of an instance without arguments gives."""
        hit = self.inference.classes.hit(value, name)
        if hit is None or not hit.definitions:
            return ()
        receiver = value if value[0] == INST else None
        return union([self.returned((FUNC, *each, receiver)) for each in hit.definitions])

    def returned(self, function: Value, unit: Unit | None = None, e: int = 0) -> Values:
        """What a function of the repository returns, its receiver's and arguments' types put in for type variables."""
        here = self.units[function[1]]
        seen = dispatch.receiver_in(self.inference, here, function[2], function[3])
        key = ("r", function[1], function[2]) if seen is None else ("r", function[1], function[2], seen)
        values = self.inference.remembered(key, self._returned, here, function[2], seen)
        handed = self.passing.handed_back(here, function, unit, e)
        if handed:
            values = union([values, handed])
        if not values:
            return ()
        receiver = function[3]
        values = self.for_receiver(values, receiver)
        if self.mentions_variables(values):
            values = self.solved(values, here, function, unit, e)
        return values

    def _returned(self, unit: Unit, index: int, receiver: Value | None) -> Values:
        inference = self.inference
        definition = unit.definitions[index]
        scope = definition.scope
        annotation = unit.facts.annotations.get(scope)
        values = inference.annotations.typed(unit, annotation) if annotation else ()
        is_context = "contextmanager" in definition.flags
        if values and values != (NONE,):
            if is_context:
                return ((CONTAINER, "context", (inference.containers.elements(values),)),)
            if "async" in definition.modifiers and scope not in unit.facts.yields and unit.rules.async_returns_wrapped:
                return ((CONTAINER, "coroutine", (values,)),)
            if inference.annotations.is_open(unit, values):
                made = [inference.eval(unit, each) for each in unit.facts.returns.get(scope, ())]
                return union([*made, values]) or values
            return values
        yields = unit.facts.yields.get(scope)
        if yields is not None:
            elements = union([inference.eval(unit, each) for each in yields])
            return ((CONTAINER, "context" if is_context else "list", (elements,)),)
        of_arguments = self.passing.returned(unit, index)
        plain = [each for each in unit.facts.returns.get(scope, ()) if each not in of_arguments]
        if receiver is None:
            made = [inference.eval(unit, each) for each in plain]
        else:
            made = [dispatch.seen_by(inference, unit, scope, each, receiver) for each in plain]
        values = tuple(value for value in joined(made) if value != NONE)
        if "async" in definition.modifiers:
            return ((CONTAINER, "coroutine", (values,)),)
        return values

    def for_receiver(self, values: Values, receiver: Value | None) -> Values:
        """`return self` gives what the method was called on."""
        found: list[Value] = []
        for value in values:
            if value[0] in (INST, CLASS) and value[4]:
                if receiver is not None and receiver[0] in (INST, CLASS):
                    order = self.inference.classes.order(receiver[1], receiver[2])
                    if any(entry[:2] == value[1:3] for entry in order.entries):
                        found.append((value[0], *receiver[1:]))
                        continue
                value = (*value[:4], False)
            elif value[0] == CONTAINER and any(map(self.mentions_receiver, value[2])):
                value = (CONTAINER, value[1], tuple(self.for_receiver(each, receiver) for each in value[2]))
            found.append(value)
        return values if len(found) == len(values) and tuple(found) == values else tuple(dict.fromkeys(found))

    def mentions_receiver(self, values: Values) -> bool:
        return any(
            (value[0] in (INST, CLASS) and value[4])
            or (value[0] == CONTAINER and any(map(self.mentions_receiver, value[2])))
            for value in values
        )

    def mentions_variables(self, values: Values, depth: int = 0) -> bool:
        for value in values:
            kind = value[0]
            if kind in (VARIABLE, TYPE_OF_VARIABLE):
                return True
            if depth < 4:
                if kind == CONTAINER and any(self.mentions_variables(each, depth + 1) for each in value[2]):
                    return True
                if kind in (INST, CLASS) and any(self.mentions_variables(each, depth + 1) for each in value[3]):
                    return True
                if kind == CALLABLE and self.mentions_variables(value[1], depth + 1):
                    return True
        return False

    def substitute(self, values: Values, bound: dict[str, Values], depth: int = 0) -> Values:
        """Values with type variables replaced; an unbound one stays."""
        if not bound or depth > 4 or not self.mentions_variables(values):
            return values
        found: list[Values] = []
        for value in values:
            kind = value[0]
            if kind == VARIABLE:
                found.append(bound.get(value[1], (value,)))
            elif kind == TYPE_OF_VARIABLE:
                given = bound.get(value[1][1])
                found.append(self.inference.annotations.classes_of(given) if given is not None else (value,))
            elif kind == CONTAINER:
                found.append(
                    ((CONTAINER, value[1], tuple(self.substitute(each, bound, depth + 1) for each in value[2])),)
                )
            elif kind in (INST, CLASS) and value[3]:
                arguments = tuple(self.substitute(each, bound, depth + 1) for each in value[3])
                found.append(((kind, value[1], value[2], arguments, value[4]),))
            elif kind == CALLABLE:
                found.append(((CALLABLE, self.substitute(value[1], bound, depth + 1)),))
            else:
                found.append((value,))
        return union(found)

    def solved(self, values: Values, here: Unit, function: Value, unit: Unit | None, e: int) -> Values:
        """Type variables from the receiver's type arguments, then from the arguments of the call."""
        return self.settled(values, self.bound_by(here, function, unit, e, with_functions=True))

    def settled(self, values: Values, bound: dict[str, Values]) -> Values:
        """Values with type variables replaced; of an unbound one, what it is bounded by."""
        values = self.substitute(values, bound)
        if not self.mentions_variables(values):
            return values
        return tuple(
            each
            for value in values
            for each in (value[2] if value[0] == VARIABLE else (value,))
            if value[0] != TYPE_OF_VARIABLE
        )

    def shift(self, here: Unit, function: Value) -> int:
        """How many of a function's parameters its receiver takes."""
        scope = here.definitions[function[2]].scope
        rows = here.facts.parameters.get(scope, ())
        return 1 if rows and function[3] is not None and rows[0].name == here.scopes[scope].receiver else 0

    def bound_by(
        self, here: Unit, function: Value, unit: Unit | None, e: int, *, with_functions: bool
    ) -> dict[str, Values]:
        """What type variables stand for in a call; `with_functions`: also by what functions return that are given."""
        classes = self.inference.classes
        bound: dict[str, Values] = {}
        receiver = function[3]
        definition = here.definitions[function[2]]
        owner = classes.of_member(here, function[2]) if receiver is not None and receiver[0] in (INST, CLASS) else None
        if receiver is not None and owner is not None:
            own_names = tuple(here.facts.type_parameters.get(function[2], ()))
            names = own_names if definition.owner else classes.variables(*owner)
            for entry in classes.order(receiver[1], receiver[2]).entries:
                if entry[:2] == owner:
                    own = dict(zip(classes.variables(receiver[1], receiver[2]), receiver[3], strict=False))
                    arguments = receiver[3] if owner == receiver[1:3] else classes.substituted(entry[2], own)
                    bound = dict(zip(names, arguments, strict=False))
                    break
        rows = here.facts.parameters.get(definition.scope, [])
        shift = self.shift(here, function)
        if shift and rows[0].annotation:
            bound |= classes.as_declared(here, rows[0].annotation, receiver)
        if unit is not None and e and unit.code[e] == CALL:
            for index, row in enumerate(rows[shift:]):
                if row.annotation:
                    declared = self.inference.annotations.typed(here, row.annotation)
                    if self.mentions_variables(declared) and (
                        with_functions or not self.inference.annotations.holds_functions(declared)
                    ):
                        self.match(declared, self.argument(unit, e, index, row.name), bound)
        return bound

    def match(self, declared: Values, given: Values, bound: dict[str, Values]) -> None:
        """Bind the variables of a declared type to the parts of a given one that stand in their places."""
        if not given:
            return
        for value in declared:
            if value[0] == VARIABLE:
                bound.setdefault(value[1], tuple(each for each in given if each != NONE))
            elif value[0] == TYPE_OF_VARIABLE:
                instances = union([self.inference.annotations.instances(each) for each in given if each[0] == CLASS])
                if instances:
                    bound.setdefault(value[1][1], instances)
            elif value[0] == CONTAINER and value[1] == "list" and value[2]:
                self.match(value[2][0], self.inference.containers.elements(given), bound)
            elif value[0] == CONTAINER and value[1] == "coroutine" and value[2]:
                self.match(value[2][0], self.inference.containers.awaited(given), bound)
            elif value[0] == CALLABLE:
                results = union([self.result(each, None, 0) for each in given])
                self.match(value[1], results, bound)
            elif value[0] == INST and value[3]:
                for each in given:
                    if each[0] == INST and each[1:3] == value[1:3]:
                        for wanted, got in zip(value[3], each[3], strict=False):
                            self.match(wanted, got, bound)

    def result(self, callee: Value, unit: Unit | None, e: int) -> Values:
        """What calling a value gives; `unit` and `e` are the call, where there is one."""
        inference = self.inference
        kind = callee[0]
        if kind == FUNC:
            values = self.returned(callee, unit, e)
            here = self.units[callee[1]]
            if callee[2] in here.facts.fields and callee[3] is None and not values:
                return ((INST, callee[1], callee[2], (), False),)
            if not values and inference.classes.has_prototype(here, callee[2]):
                return ((INST, callee[1], callee[2], (), False),)
            return values
        if kind == CLASS:
            return self.constructed(callee, unit, e)
        if kind == EXTERNAL:
            return self.from_library(callee[1], unit, e)
        if kind == BUILTIN:
            return self.from_library(callee[1], unit, e)
        if kind == INST:
            hit = inference.classes.find(callee[1], callee[2], "__call__")
            if hit is not None:
                return union([self.returned((FUNC, *each, callee), unit, e) for each in hit.definitions])
            signed = self.by_signature(callee)
            if signed:
                return signed
            if inference.classes.is_external_member(callee):
                return ((EXTERNAL, "__call__()"),)
            return union([each[1] for each in inference.classes.underlying(callee) if each[0] == CALLABLE])
        if kind == METHOD_OF:
            arguments = self.arguments(unit, e) if unit is not None else []
            return container_methods.method_result(inference.containers, callee[1], callee[2], arguments)
        if kind == CLOSURE:
            here = self.units[callee[1]]
            return union([inference.eval(here, each) for each in here.facts.returns.get(callee[2], ())])
        if kind == PARTIAL:
            return self.result(callee[1], None, 0)
        if kind == OBJECT_AT:
            return self.by_signature(callee)
        if kind == CALLABLE:
            return callee[1]  # type: ignore[no-any-return]
        if kind == TYPE_OF_VARIABLE:
            return (callee[1],)
        return ()

    def by_signature(self, callee: Value) -> Values:
        """What calling a value of a type with call or construct signatures gives."""
        members = self.inference.classes.member_values
        signatures = [members(callee, name) for name in (CALLED_AS, MADE_AS)]
        return union([each[1] for values in signatures for each in values if each[0] == CALLABLE])

    def constructed(self, callee: Value, unit: Unit | None, e: int) -> Values:
        """An instance; its type arguments from the constructor's annotated parameters, where it is generic."""
        if unit is not None and e and not self.units[callee[1]].rules.classes_are_called:
            return self.converted(callee, self.argument(unit, e, 0, ""))
        names = self.inference.classes.variables(callee[1], callee[2])
        arguments = callee[3]
        if names and not arguments and unit is not None and e:
            hit = self.inference.classes.find(callee[1], callee[2], self.units[callee[1]].rules.constructor)
            if hit is not None and hit.definitions:
                here = self.units[hit.definitions[-1][0]]
                rows = here.facts.parameters.get(here.definitions[hit.definitions[-1][1]].scope, ())
                shift = (
                    1
                    if rows and rows[0].name == here.scopes[here.definitions[hit.definitions[-1][1]].scope].receiver
                    else 0
                )
                bound: dict[str, Values] = {}
                for index, row in enumerate(rows[shift:]):
                    declared = self.inference.annotations.typed(here, row.annotation)
                    if self.mentions_variables(declared):
                        self.match(declared, self.argument(unit, e, index, row.name), bound)
                if bound:
                    shallow = self.inference.annotations.shallow
                    arguments = tuple(shallow(bound.get(name, ())) for name in names)
        return ((INST, callee[1], callee[2], arguments, callee[4]),)

    def converted(self, callee: Value, given: Values) -> Values:
        """A conversion to a type: a function is still itself."""
        made: Values = ((INST, callee[1], callee[2], callee[3], callee[4]),)
        if not self.inference.annotations.holds_functions(made):
            return made
        return union([tuple(value for value in given if value[0] in (FUNC, CLOSURE)), made])

    def from_library(self, name: str, unit: Unit | None, e: int) -> Values:
        """What a function or type from outside gives, where that is known."""
        inference = self.inference
        last = name.rpartition(".")[2]
        if unit is None or not e or unit.code[e] != CALL:
            return ((EXTERNAL, f"{name}()"),)
        if inference.frameworks is not None:
            given = inference.frameworks.result(name, unit, e)
            if given:
                return given
        containers = inference.containers
        if name in OF_OBJECTS or name in MADE_EMPTY:
            return self.of_objects(name, unit, e)
        if last == "TypeVar":
            return self.type_variable(unit, e)
        if last == "getattr":
            return self.get_attribute(unit, e)
        if last == "partial":
            first = self.argument(unit, e, 0, "func")
            return tuple((PARTIAL, value, unit.index, e) for value in first)
        if last == "cast":
            return inference.annotations.typed(unit, unit.code[e + 5]) if unit.code[e + 3] else ()
        if last == "wraps":
            return ((EXTERNAL, f"{name}()"),)
        if last == "update_wrapper" or last.removesuffix("()") in PRESERVING:
            return self.argument(unit, e, 0, "")
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
            given = self.argument(unit, e, 0, "")
            if given and not (last == "replace" and given[0][0] in (TEXT, PRIMITIVE)):
                return ((CONTAINER, "context", (given,)),) if last == "closing" else given
            return ((EXTERNAL, f"{name}()"),)
        if last == "type":
            return inference.annotations.classes_of(self.argument(unit, e, 0, ""))
        if last in SAME_ELEMENTS or last == "tuple":
            arguments = self.arguments(unit, e)
            elements = containers.elements(arguments[-1 if last == "filter" else 0]) if arguments else ()
            return ((CONTAINER, "list", (elements,)),)
        if last in TAKES_ONE:
            arguments = self.arguments(unit, e)
            return containers.elements(arguments[0]) if len(arguments) == 1 else union(arguments)
        if last == "enumerate":
            elements = containers.elements(self.argument(unit, e, 0, "iterable"))
            return ((CONTAINER, "list", (((CONTAINER, "tuple", (((PRIMITIVE, "int"),), elements)),),)),)
        if last in ("zip", "zip_longest"):
            columns = tuple(containers.elements(each) for each in self.arguments(unit, e))
            return ((CONTAINER, "list", (((CONTAINER, "tuple", columns),),)),)
        if last == "chain":
            return ((CONTAINER, "list", (union([containers.elements(each) for each in self.arguments(unit, e)]),)),)
        if last in ("dict", "OrderedDict", "defaultdict"):
            given = self.argument(unit, e, 0, "")
            return given if last != "defaultdict" and given else inference.annotations.of_library(last, ())
        if name == "functools.reduce":
            results = union([self.result(each, None, 0) for each in self.argument(unit, e, 0, "")])
            return union([results, self.argument(unit, e, 2, "")])
        if last in CALLS_FIRST:
            results = union([self.result(each, None, 0) for each in self.argument(unit, e, 0, "")])
            return ((CONTAINER, "list", (results,)),)
        if last == "run" and name == "asyncio.run":
            return containers.awaited(self.argument(unit, e, 0, "main"))
        if last in PRIMITIVES:
            return ((PRIMITIVE, last if last in ("str", "bytes", "int") else "object"),)
        if WRAPPED in name:
            return ()
        return ((EXTERNAL, name + (WRAPPED if self.is_given_function(unit, e) else "()")),)

    def is_given_function(self, unit: Unit, e: int) -> bool:
        """Whether a function of the repository is among the arguments."""
        code = unit.code
        return any(
            value[0] in (FUNC, CLOSURE)
            for given in code[e + 5 : e + 5 + 2 * code[e + 3] : 2]
            if code[given] in _NAMING
            for value in self.inference.eval(unit, given)
        )

    def of_objects(self, name: str, unit: Unit, e: int) -> Values:
        """What the functions give that stand on builtin types: `Object.values(x)`, `Promise.all(xs)`, `new Map()`."""
        containers = self.inference.containers
        if name in MADE_EMPTY:
            return ((LITERAL_AT, unit.index, e),)
        arguments = self.arguments(unit, e)
        first = arguments[0] if arguments else ()
        if name in ("Object.values", "Object.entries"):
            held = union([containers.values_in(each) for each in first])
            return container_methods.view(name.removeprefix("Object."), ((PRIMITIVE, "str"),), held)
        if name == "Array.from":
            elements = containers.elements(first)
            if len(arguments) > 1:
                elements = union([self.result(each, None, 0) for each in arguments[1]])
            return ((CONTAINER, "list", (elements,)),)
        if name == "Promise.resolve":
            return ((CONTAINER, "coroutine", (containers.awaited(first),)),)
        if name == "Promise.all":
            gathered: list[Values] = []
            for each in first:
                if each[0] == LITERAL_AT and containers.is_exact(each, containers.entries(each)[1]):
                    parts = tuple(containers.awaited(containers.held(row)) for row in containers.entries(each)[0])
                    gathered.append(((CONTAINER, "tuple", parts),))
                else:
                    gathered.append(((CONTAINER, "list", (containers.awaited(containers.element(each)),)),))
            return ((CONTAINER, "coroutine", (union(gathered),)),)
        if name in ("Promise.race", "Promise.any"):
            return ((CONTAINER, "coroutine", (containers.awaited(containers.elements(first)),)),)
        return first

    def type_variable(self, unit: Unit, e: int) -> Values:
        names = self.argument(unit, e, 0, "name")
        if not names or names[0][0] != TEXT:
            return ()
        code = unit.code
        bounds = [
            code[e + 5 + 2 * i]
            for i in range(1, code[e + 3])
            if code[e + 4 + 2 * i] == POSITIONAL or unit.strings[code[e + 4 + 2 * i]] == "bound"
        ]
        return ((VARIABLE, names[0][1], union([self.inference.annotations.typed(unit, each) for each in bounds])),)

    def get_attribute(self, unit: Unit, e: int) -> Values:
        arguments = self.arguments(unit, e)
        if len(arguments) < 2:
            return ()
        found = [
            self.inference.classes.member_values(value, name[1])
            for value in arguments[0]
            for name in arguments[1]
            if name[0] == TEXT
        ]
        return union(found + arguments[2:3])

    # Decorators

    def decorated(self, unit: Unit, index: int, decorators: list[int]) -> Values:
        """A decorated function is still itself; what else its decorators made of it comes after."""
        return self.inference.remembered(("d", unit.index, index), self._decorated, unit, index, decorators)

    def _decorated(self, unit: Unit, index: int, decorators: list[int]) -> Values:
        own: Value = (FUNC, unit.index, index, None)
        made: Values = (own,)
        for expression in reversed(decorators):
            results: list[Values] = []
            for callee in self.inference.eval(unit, expression):
                if callee[0] in (FUNC, CLOSURE, CALLABLE):
                    results.append(self.result(callee, None, 0))
                elif callee[0] == CLASS:
                    results.append(self.constructed(callee, None, 0))
            made = union(results) or made
        made = tuple(
            value
            for value in made
            if value[0] in (INST, CLOSURE) or (value[0] == FUNC and value != own and not self.is_wrapper(value))
        )
        return (own, *made)

    def under_decorator(self, unit: Unit, index: int, expression: int) -> Values:
        """What a decorator is given: the function, or what the decorators below it made of it."""
        decorators = unit.facts.decorators[index]
        below = decorators[decorators.index(expression) + 1 :]
        made = self._decorated(unit, index, below) if below else ()
        return made[1:] or ((FUNC, unit.index, index, None),)

    def is_wrapper(self, function: Value) -> bool:
        """Whether a function says of itself that it stands for the one it wraps."""
        unit = self.units[function[1]]
        return any("wraps" in text for text in unit.definitions[function[2]].decorators)

    # What is stored on objects from outside

    def stored_on(self, owner: tuple[int, int] | str, name: str) -> Values:
        """What is assigned to a member from outside of its class, object or module."""
        self.inference.depends.add((owner, name))
        stored = self.stored.get((owner, name))
        return union([stored[store] for store in sorted(stored)]) if stored else ()
