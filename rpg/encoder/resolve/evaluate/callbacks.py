"""What the parameters of a function receive that is given to something: by the type that is expected where it stands
(contextual typing), or from a builtin that calls it.

In: a function's scope and a parameter. Out: values. The function itself is not evaluated for it: what a call binds to
type variables is taken from its other arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rpg.encoder.facts import (
    ATTRIBUTE,
    DEFINITION,
    FUNCTION_TYPE,
    IMPORTED,
    LIST,
    NAME,
    OPERATION,
    PATH,
    POSITIONAL,
    STARRED,
    SUBSCRIPT,
    TUPLE,
    TYPE_VARIABLE,
    TYPED,
    UNION,
    Parameter,
)
from rpg.encoder.resolve.evaluate import container_methods
from rpg.encoder.resolve.program.contextual_typing import ARGUMENT, ASSIGNED, DECLARED, MEMBER
from rpg.encoder.resolve.values.builtin_types import FOLDING, FUNCTIONS, HANDS_ON, TRANSPARENT, UNIONS
from rpg.encoder.resolve.values.values import (
    BUILTIN,
    CALLED_AS,
    CLASS,
    EXTERNAL,
    FUNC,
    INST,
    METHOD_OF,
    OBJECT_AT,
    VARIABLE,
    Value,
    Values,
    union,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.evaluator import Inference
    from rpg.encoder.resolve.program.unit import Unit

_DEEPEST: Final = 4
"""Object literals inside each other, aliases of aliases."""
_ALIASING: Final = frozenset({SUBSCRIPT, OPERATION, UNION, FUNCTION_TYPE})
"""Operations of types that a plain assignment gives a name."""


class Type(NamedTuple):
    """A type as it is written somewhere, and what its type variables stand for."""

    unit: int
    expression: int
    """In a type position; or a DEFINITION: of a function, as the type of its own."""
    bound: dict[str, Values]


def expected(inference: Inference, unit: Unit, scope: int, index: int) -> Values:
    """What a parameter without a type receives by the type that is expected of its function."""
    found: list[Values] = []
    for each in _types(inference, unit, scope, 0):
        for signature in _signatures(inference, each, 0):
            found.append(_parameter(inference, signature, index))
    return inference.members.detached(union(found))


def handed(inference: Inference, unit: Unit, call: int, slot: int, index: int) -> Values:
    """What a parameter of the function in an argument receives from the builtin that is called."""
    found: list[Values] = []
    for callee in inference.eval(unit, unit.code[call + 2]):
        if callee[0] == METHOD_OF and slot == 0:
            found.append(container_methods.handed(inference.containers, callee[1], callee[2], index))
            if callee[2] in FOLDING and index == 0:
                types = unit.facts.type_arguments.get(call)
                folded = inference.annotations.typed(unit, types[0]) if types else ()
                found.append(folded or inference.calls.argument(unit, call, 1, ""))
        elif callee == (BUILTIN, "Promise") and slot == 0:
            # What settles it is the runtime's.
            found.append(((EXTERNAL, "Promise.settle"),))
        elif callee[0] in (BUILTIN, EXTERNAL) and callee[1] in HANDS_ON:
            found.append(_handed_on(inference, unit, call, slot, index, callee[1]))
    return union(found)


def _handed_on(inference: Inference, unit: Unit, call: int, slot: int, index: int, name: str) -> Values:
    position, keyword, source = HANDS_ON[name]
    code = unit.code
    named = code[call + 4 + 2 * slot]
    if not (named == POSITIONAL and slot == position) and not (named >= 0 and unit.strings[named] == keyword):
        return ()
    calls, containers = inference.calls, inference.containers
    if name == "map":
        return containers.elements(calls.argument(unit, call, source + index, ""))
    given = calls.arguments(unit, call)
    if len(given) <= source:
        return ()
    elements = union(given) if name in ("min", "max") and len(given) > 1 else containers.elements(given[source])
    if name == "itertools.starmap":
        return containers.item(elements, index)
    if name == "functools.reduce" and index == 0:
        return union([elements, *given[2:3]])
    return elements if index == 0 or name in ("functools.reduce", "itertools.accumulate") else ()


# The type that is expected


def _types(inference: Inference, unit: Unit, scope: int, depth: int) -> list[Type]:
    """The types that are expected of the function or object literal with this scope."""
    context = unit.contexts.get(scope)
    if context is None or depth > _DEEPEST:
        return []
    if context.kind == DECLARED:
        return [Type(unit.index, context.expression, {})]
    found: list[Type] = []
    if context.kind == ARGUMENT:
        for callee in inference.eval(unit, unit.code[context.expression + 2]):
            found += _of_argument(inference, unit, context.expression, context.slot, callee)
    elif context.kind == MEMBER:
        for holder in _types(inference, unit, context.slot, depth + 1):
            for value in inference.variables.settled(_typed(inference, holder), holder.bound):
                found += _of_member(inference, value, context.name)
    elif context.kind == ASSIGNED:
        for value in inference.eval(unit, context.expression):
            found += _of_member(inference, value, context.name)
    return found


def _typed(inference: Inference, each: Type) -> Values:
    return inference.annotations.typed(inference.units[each.unit], each.expression)


def _of_argument(inference: Inference, unit: Unit, call: int, slot: int, callee: Value) -> list[Type]:
    """The declared type of the parameter that an argument is passed for."""
    function = callee
    if callee[0] == CLASS:
        name = inference.units[callee[1]].rules.constructor
        hit = inference.classes.find(callee[1], callee[2], name) if name else None
        if hit is None or not hit.definitions:
            return []
        instance: Value = (INST, *callee[1:])
        function = (FUNC, *hit.definitions[-1], instance)
    if function[0] != FUNC:
        return []
    here = inference.units[function[1]]
    scope = here.definitions[function[2]].scope
    rows = here.facts.parameters.get(scope, [])
    shift = inference.variables.shift(here, function)
    row = _row(unit, call, slot, rows[shift:])
    if row is None or not row.annotation:
        return []
    bound = inference.variables.bound_by(here, function, unit, call, with_functions=False)
    for value in inference.annotations.typed(here, row.annotation):
        if value[0] == VARIABLE:
            # It stands for this very argument: what it is bounded by says more.
            bound.pop(value[1], None)
    return [Type(function[1], row.annotation, bound)]


def _row(unit: Unit, call: int, slot: int, rows: list[Parameter]) -> Parameter | None:
    """The parameter that an argument is passed for."""
    code = unit.code
    named = code[call + 4 + 2 * slot]
    if named >= 0:
        text = unit.strings[named]
        return next((row for row in rows if row.name == text), None)
    if any(code[call + 4 + 2 * before] == STARRED for before in range(slot + 1)) or named != POSITIONAL:
        return None
    position = sum(code[call + 4 + 2 * before] == POSITIONAL for before in range(slot))
    for at, row in enumerate(rows):
        if row.kind in ("list", "keyword", "map"):
            return row if row.kind == "list" else None
        if at == position:
            return row
    return None


def _of_member(inference: Inference, value: Value, name: str) -> list[Type]:
    """The declared type of a member."""
    if value[0] == INST:
        hit = inference.classes.find(value[1], value[2], name)
        if hit is None:
            return []
        owner_unit, owner = hit.owner
        scope = inference.units[owner_unit].definitions[owner].scope
        names = inference.classes.variables(*hit.owner)
        bound = dict(zip(names, hit.arguments if hit.distance else value[3], strict=False))
    elif value[0] == OBJECT_AT:
        owner_unit, scope, bound = value[1], value[2], {}
    else:
        return []
    here = inference.units[owner_unit]
    return [
        Type(owner_unit, row.value, bound)
        for row in here.rows(scope, name)
        if here.code[row.value] in (TYPED, DEFINITION, FUNCTION_TYPE)
    ]


# What a type says of its functions


def _signatures(inference: Inference, each: Type, depth: int) -> list[Type]:
    """The types of functions in a type: what an alias stands for, the parts of a union."""
    unit = inference.units[each.unit]
    code, e = unit.code, each.expression
    operation = code[e]
    if operation in (FUNCTION_TYPE, DEFINITION):
        return [each]
    if depth > _DEEPEST:
        return []
    parts: list[int] = []
    if operation == TYPED:
        parts = [code[e + 2]]
    elif operation == UNION:
        parts = list(code[e + 3 : e + 3 + code[e + 2]])
    elif operation == OPERATION:
        parts = [code[e + 3], code[e + 4]]
    elif operation == SUBSCRIPT:
        inner = list(code[code[e + 3] + 3 : code[e + 3] + 3 + code[code[e + 3] + 2]])
        inner = inner if code[code[e + 3]] == TUPLE else [code[e + 3]]
        named = [value[1].rpartition(".")[2] for value in inference.eval(unit, code[e + 2]) if value[0] in _OUTSIDE]
        if any(name in FUNCTIONS for name in named):
            return [each]
        if any(name in UNIONS for name in named):
            parts = inner
        elif any(name in TRANSPARENT for name in named):
            parts = inner[:1]
        else:
            return _of_alias(inference, each, unit, code[e + 2], inner, depth) or _called(inference, each)
    elif operation == NAME and (bounded := _bound_of(unit, e)):
        parts = [bounded]
    elif operation in (NAME, ATTRIBUTE, PATH, IMPORTED):
        return _of_alias(inference, each, unit, e, [], depth) or _called(inference, each)
    else:
        return _called(inference, each)
    found: list[Type] = []
    for part in parts:
        found += _signatures(inference, each._replace(expression=part), depth + 1)
    return found


_OUTSIDE: Final = frozenset({BUILTIN, EXTERNAL})


def _bound_of(unit: Unit, e: int) -> int:
    """What the type variable that a name stands for is bounded by; 0 where it is none."""
    code = unit.code
    scope = code[e + 3] if code[e + 3] >= -1 else -2 - code[e + 3]
    rows = unit.rows(scope, unit.strings[code[e + 2]])
    return code[rows[0].value + 3] if len(rows) == 1 and code[rows[0].value] == TYPE_VARIABLE else 0


def _of_alias(inference: Inference, each: Type, unit: Unit, e: int, arguments: list[int], depth: int) -> list[Type]:
    """The types of functions in what a name is short for."""
    alias = inference.annotations.alias_named(unit, e)
    if alias is not None:
        names = alias[0].facts.type_parameters.get(alias[2], ())
        given = [inference.annotations.typed(unit, argument) for argument in arguments]
        substitute = inference.variables.substitute
        bound = {name: substitute(values, each.bound) for name, values in zip(names, given, strict=False)}
        return _signatures(inference, Type(alias[0].index, alias[1], bound), depth + 1)
    assigned = _assigned_alias(inference, unit, e, 0)
    if assigned is None:
        return []
    return _signatures(inference, Type(assigned[0].index, assigned[1], each.bound), depth + 1)


def _assigned_alias(inference: Inference, unit: Unit, e: int, depth: int) -> tuple[Unit, int] | None:
    """The type that a plain assignment gave a name (`Handler = Callable[[Item], None]`), also in another module."""
    code = unit.code
    if depth > _DEEPEST:
        return None
    if code[e] == NAME and code[e + 3] != -1:
        scope = code[e + 3] if code[e + 3] >= 0 else -2 - code[e + 3]
        rows = unit.rows(scope, unit.strings[code[e + 2]])
    elif code[e] == IMPORTED:
        files = inference.modules.files(unit, code[e + 2]) or ()
        other = inference.program.unit_at(files[0]) if len(files) == 1 else None
        if other is None:
            return None
        rows = other.rows(0, unit.strings[code[e + 3]])
        unit, code = other, other.code
    else:
        return None
    if len(rows) != 1 or not rows[0].value:
        return None
    value = rows[0].value
    if code[value] == TYPED:
        value = code[value + 3]
    if code[value] == IMPORTED:
        return _assigned_alias(inference, unit, value, depth + 1)
    return (unit, value) if code[value] in _ALIASING else None


def _called(inference: Inference, each: Type) -> list[Type]:
    """How a type with a call signature is called: an interface's, an object type's, a protocol's `__call__`."""
    found: list[Type] = []
    for value in inference.variables.substitute(_typed(inference, each), each.bound):
        if value[0] in (INST, OBJECT_AT):
            found += _of_member(inference, value, CALLED_AS) or _of_member(inference, value, "__call__")
    return found


def _parameter(inference: Inference, signature: Type, index: int) -> Values:
    """What one parameter of a function of that type receives."""
    unit = inference.units[signature.unit]
    code, e = unit.code, signature.expression
    kind = "any"
    if code[e] == DEFINITION:
        scope = unit.definitions[code[e + 2]].scope
        rows = unit.facts.parameters.get(scope, [])
        shift = 1 if rows and rows[0].name and rows[0].name == unit.scopes[scope].receiver else 0
        annotation = rows[index + shift].annotation if index + shift < len(rows) else 0
        kind = rows[index + shift].kind if annotation else kind
    else:
        listed = code[e + 3]
        if code[e] == SUBSCRIPT:
            listed = code[listed + 3] if code[listed] == TUPLE and code[listed + 2] else 0
        if code[listed] not in (TUPLE, LIST) or index >= code[listed + 2]:
            return ()
        annotation = code[listed + 3 + index]
    if not annotation or kind in ("list", "map"):
        return ()
    return inference.variables.settled(inference.annotations.typed(unit, annotation), signature.bound)
