"""Contextual typing: the place of a function without parameter types says what its parameters receive.

In: the facts of one file. Out: for the scope of each function, and of each object literal that contains functions,
whether it is an argument, has a declared type, is returned, or is a member of another literal. expected_types.py in
evaluate/ says which type that is.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import CALLED, CREATED, ROLE, SITE_WORDS, FileFacts

ARGUMENT: Final = 0
DECLARED: Final = 1
OBJECT_MEMBER: Final = 2
ASSIGNED: Final = 3
ELEMENT_OF: Final = 4
RESULT_OF: Final = 5
NEW: Final = "new"
_HEADED: Final = frozenset({op.ATTRIBUTE, op.CALL})
"""Operations at whose head a class may stand that only their place names."""
_DEEPEST: Final = 4
"""Limit on lists in lists and choices in choices."""


class Context(NamedTuple):
    kind: int
    expression: int
    """The call; the declared type; for an assigned member or element, the object; else 0."""
    slot: int = 0
    """For an argument: its position as written; for a member, the scope of its literal; for a result, that of the
    function."""
    name: str = ""
    """For a member; for an argument, NEW if the call makes an instance with `new`."""
    inside: int = 0
    """How many lists an object literal is written in there."""


def contexts_of(facts: FileFacts) -> dict[int, Context]:
    """Context by scope; of a call that is an argument and is passed a function, and of the unnamed class that a call
    makes an instance of, by their expressions, negative."""
    found: dict[int, Context] = {}
    code, sites = facts.code, facts.sites
    for at in range(0, len(sites), SITE_WORDS):
        call = sites[at]
        if sites[at + ROLE] == CALLED and code[call] == op.CALL:
            behind = at + SITE_WORDS
            makes = behind < len(sites) and sites[behind] == call and sites[behind + ROLE] == CREATED
            for slot in range(code[call + op.ARGUMENT_COUNT]):
                argument = code[call + op.ARGUMENTS + 2 * slot]
                if argument:
                    _note(facts, found, argument, Context(ARGUMENT, call, slot, NEW if makes else ""), 0)
    declared: dict[tuple[int, str], int] = {}
    for binding in facts.bindings:
        value = binding.value
        if code[value] == op.TYPED:
            _note(facts, found, value, None, 0)
            if binding.kind in ("annotation", "declared"):
                declared[binding.scope, binding.name] = code[value + op.ANNOTATED]
        elif code[value] == op.OBJECT and (binding.scope, binding.name) in declared:
            _note(facts, found, value, Context(DECLARED, declared[binding.scope, binding.name]), 0)
        elif facts.scopes[binding.scope].kind == "object":
            _note(facts, found, value, Context(OBJECT_MEMBER, 0, binding.scope, binding.name), 0)
    for scope, returned in facts.returns.items():
        annotation = facts.annotations.get(scope, 0)
        context = Context(DECLARED, annotation) if annotation else None
        if not annotation and facts.scopes[scope].kind in ("lambda", "function"):
            context = Context(RESULT_OF, 0, scope)
        for value in returned:
            if (
                context is None
                or context.kind == DECLARED
                or code[value] == op.OBJECT
                or op.expected_class(code, value)
            ):
                _note(facts, found, value, context, 0)
    for rows in facts.parameters.values():
        for row in rows:
            if row.default and row.annotation:
                _note(facts, found, row.default, Context(DECLARED, row.annotation), 0)
    for scope, annotation in facts.annotations.items():
        if facts.scopes[scope].kind == "object":
            found.setdefault(scope, Context(DECLARED, annotation))
    for holder, name, value in facts.members:
        _note(facts, found, value, Context(ASSIGNED, holder, 0, name), 0)
    for holder, _, value in facts.items:
        if op.expected_class(code, value):
            _note(facts, found, value, Context(ELEMENT_OF, holder), 0)
    return found


def _note(facts: FileFacts, found: dict[int, Context], value: int, context: Context | None, depth: int) -> None:
    code = facts.code
    operation = code[value]
    if operation == op.TYPED:
        _note(facts, found, code[value + op.TYPED_VALUE], Context(DECLARED, code[value + op.ANNOTATED]), depth)
    elif context is None or depth > _DEEPEST:
        return
    elif operation == op.OBJECT or (operation == op.FUNCTION and not context.inside):
        found.setdefault(code[value + op.SCOPE], context)
    elif operation == op.DEFINITION and not context.inside:
        scope = facts.definitions[code[value + op.DEFINED]].scope
        if scope >= 0:
            found.setdefault(scope, context)
    elif operation in _HEADED and op.expected_class(code, value):
        found.setdefault(-op.expected_class(code, value), context)
    elif operation == op.CALL and context.kind == ARGUMENT:
        # A call that is an argument, and is passed a function itself: the key is no scope.
        passed = range(value + op.ARGUMENTS, value + op.ARGUMENTS + 2 * code[value + op.ARGUMENT_COUNT], 2)
        if any(code[code[at]] == op.FUNCTION for at in passed):
            found.setdefault(-value, context)
    elif operation == op.UNION:
        for part in op.items_of(code, value):
            _note(facts, found, part, context, depth + 1)
    elif operation == op.LIST:
        for item in op.items_of(code, value):
            _note(facts, found, item, context._replace(inside=context.inside + 1), depth + 1)
