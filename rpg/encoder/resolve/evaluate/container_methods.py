"""Methods of builtin containers: what they give, and what they hand to a callback. Their names: builtin_types.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpg.encoder.operations import CALL
from rpg.encoder.resolve.values.builtin_types import (
    BINDS,
    CALLS_BACK,
    ELEMENT_METHODS,
    KEYED,
    SAME_METHODS,
    VALUE_METHODS,
)
from rpg.encoder.resolve.values.values import (
    CLOSURE,
    CONTAINER,
    CONTENTS,
    EXPRESSION,
    FILE,
    FUNC,
    INST,
    KIND,
    LITERAL_AT,
    OWN_NAME,
    PRIMITIVE,
    TEXT,
    Value,
    Values,
    union,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.containers import Containers


def method_result(containers: Containers, receiver: Value, name: str, arguments: list[Values]) -> Values:
    """What a method of a builtin container gives."""
    if receiver[KIND] in (FUNC, CLOSURE):
        return (receiver,) if name in BINDS else containers.evaluator.calls.result(receiver, None, 0)
    if receiver[KIND] == INST:
        # Of a dictionary whose keys a class declares.
        return union([containers.declared_under(receiver, arguments[0] if arguments else ()), *arguments[1:2]])
    roles = CALLS_BACK.get(name)
    if roles is not None and arguments and name not in SAME_METHODS and "find" not in name:
        results = union([containers.evaluator.calls.result(each, None, 0) for each in arguments[0]])
        if name == "then":
            return ((CONTAINER, "coroutine", (containers.awaited(results),)),)
        if name in ("map", "flatMap"):
            return ((CONTAINER, "list", (containers.elements(results) if name == "flatMap" else results,)),)
        if roles[0] == "result":
            return union([results, *arguments[1:2]])
    keyed = receiver[KIND] == CONTAINER and receiver[OWN_NAME] in KEYED
    if receiver[KIND] == LITERAL_AT:
        rows, keyed = containers.entries(receiver)
        if keyed and name in VALUE_METHODS:
            return union([containers.under(receiver, arguments[0] if arguments else ()), *arguments[1:2]])
        if keyed and name in ("values", "items", "entries"):
            held = containers.values_of(rows)
            return view(name, containers.element(receiver), held)
    elif keyed:
        key, held = (*receiver[CONTENTS], (), ())[:2]
        if name in VALUE_METHODS:
            return union([held, *arguments[1:2]])
        if name in ("values", "items", "entries"):
            return view(name, key, held)
    if name == "entries":
        return view(name, ((PRIMITIVE, "int"),), containers.element(receiver))
    if name == "values":
        return ((CONTAINER, "list", (containers.element(receiver),)),)
    if name == "keys":
        return ((CONTAINER, "list", (containers.element(receiver),)),)
    if name == "popitem":
        return ((CONTAINER, "tuple", pair_of(containers, receiver)),)
    if name == "__await__" and receiver[KIND] == CONTAINER and receiver[OWN_NAME] == "coroutine":
        return ((CONTAINER, "list", ((), (), receiver[CONTENTS][0] if receiver[CONTENTS] else ())),)
    if name in SAME_METHODS:
        return (receiver,)
    if not keyed and name in ELEMENT_METHODS:
        return containers.element(receiver)
    if name in ("then", "catch", "finally"):
        return (receiver,)
    return ((PRIMITIVE, "str"),) if receiver[KIND] in (TEXT, PRIMITIVE) else ()


def handed(containers: Containers, receiver: Value, name: str, position: int) -> Values:
    """What a function given to a method of a builtin receives at a place; a result is what it returned before."""
    roles = CALLS_BACK.get(name, ())
    role = roles[position] if position < len(roles) else ""
    if role == "awaited":
        return (
            containers.awaited((receiver,)) if receiver[KIND] == CONTAINER and receiver[OWN_NAME] == "coroutine" else ()
        )
    if role == "result":
        return containers.element(receiver)
    if role not in ("value", "key"):
        return ()
    element = containers.element(receiver)
    pairs = (receiver[KIND] == CONTAINER and receiver[OWN_NAME] == "map") or (
        receiver[KIND] == LITERAL_AT
        and containers.files[receiver[FILE]].code[receiver[EXPRESSION]] == CALL
        and containers.entries(receiver)[1]
    )
    if pairs:
        return containers.item(element, 1 if role == "value" else 0)
    return element if role == "value" else ((PRIMITIVE, "int"),)


def pair_of(containers: Containers, receiver: Value) -> tuple[Values, ...]:
    """A key and what stands under it."""
    if receiver[KIND] == LITERAL_AT:
        return containers.element(receiver), containers.values_of(containers.entries(receiver)[0])
    return (
        (*receiver[CONTENTS], (), ())[:2] if receiver[KIND] == CONTAINER and receiver[OWN_NAME] in KEYED else ((), ())
    )


def view(name: str, keys: Values, held: Values) -> Values:
    inner = held if name == "values" else ((CONTAINER, "tuple", (keys, held)),)
    return ((CONTAINER, "list", (inner,)),)
