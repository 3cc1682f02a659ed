"""Contextual typing: the place of a function without parameter types says what its parameters receive.

In: the facts of one file. Out: for the scope of each function, and of each object literal that contains functions,
whether it is an argument, has a declared type, is returned, or is a member of another literal. callbacks.py draws the
conclusions.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from rpg.encoder.facts import CALLED, ROLE, SITE_WORDS, FileFacts
from rpg.encoder.operations import (
    ANNOTATED,
    ARGUMENT_COUNT,
    ARGUMENTS,
    CALL,
    DEFINED,
    DEFINITION,
    FUNCTION,
    OBJECT,
    SCOPE,
    TYPED,
    TYPED_VALUE,
)

ARGUMENT: Final = 0
DECLARED: Final = 1
OBJECT_MEMBER: Final = 2
ASSIGNED: Final = 3


class Context(NamedTuple):
    kind: int
    expression: int
    """The call; the declared type; for an assigned member, the object; else 0."""
    slot: int = 0
    """For an argument: its position as written; for a member, the scope of its literal."""
    name: str = ""
    """For a member."""


def contexts_of(facts: FileFacts) -> dict[int, Context]:
    """Context by scope."""
    found: dict[int, Context] = {}
    code, sites = facts.code, facts.sites
    for at in range(0, len(sites), SITE_WORDS):
        call = sites[at]
        if sites[at + ROLE] == CALLED and code[call] == CALL:
            for slot in range(code[call + ARGUMENT_COUNT]):
                argument = code[call + ARGUMENTS + 2 * slot]
                if code[argument] in (FUNCTION, OBJECT):
                    found[code[argument + SCOPE]] = Context(ARGUMENT, call, slot)
                elif code[argument] == DEFINITION:
                    # A function with a name of its own, written in the call.
                    _note(facts, found, argument, Context(ARGUMENT, call, slot))
    for binding in facts.bindings:
        value = binding.value
        if code[value] == TYPED:
            _note(facts, found, code[value + TYPED_VALUE], Context(DECLARED, code[value + ANNOTATED]))
        elif facts.scopes[binding.scope].kind == "object":
            _note(facts, found, value, Context(OBJECT_MEMBER, 0, binding.scope, binding.name))
    for scope, returned in facts.returns.items():
        if scope in facts.annotations:
            for value in returned:
                _note(facts, found, value, Context(DECLARED, facts.annotations[scope]))
    for holder, name, value in facts.members:
        _note(facts, found, value, Context(ASSIGNED, holder, 0, name))
    return found


def _note(facts: FileFacts, found: dict[int, Context], value: int, context: Context) -> None:
    operation = facts.code[value]
    if operation in (FUNCTION, OBJECT):
        found.setdefault(facts.code[value + SCOPE], context)
    elif operation == DEFINITION:
        scope = facts.definitions[facts.code[value + DEFINED]].scope
        if scope >= 0:
            found.setdefault(scope, context)
