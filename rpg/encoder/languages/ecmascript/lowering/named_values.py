"""Values with a target: a nameless function, class or object literal takes its name from there.

In: a node and a target. Out: an expression, and perhaps a definition.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import PARAMETERLESS
from rpg.encoder.languages.ecmascript.types.type_expressions import expect_type, narrow_by_cast, type_of
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker, NamedHandlers
from rpg.encoder.lowering.node import Node

FUNCTIONS: Final = frozenset(("function_expression", "generator_function", "arrow_function"))
_KEEPING: Final = frozenset(
    """
    useCallback useEventCallback useEvent useEffectEvent useMemoizedFn useDebouncedCallback useThrottledCallback memo
    forwardRef observer
    """.split()
)
"""Functions that return the function which they are passed first, or one that stands for it."""
_KEEPING_IN_LIBRARIES: Final = frozenset("debounce throttle once memoize memoizeOne asyncHandler".split())
"""The same for names that functions of the repository often have: only if they are imported from a library."""
_RUNNING: Final = frozenset(("useMemo",))
"""Those that return what it returns: naming the variable is running the function."""
_OBJECTS: Final = frozenset((b"React", b"Preact", b"preact", b"_", b"lodash"))
"""Objects with such functions."""
_LIBRARY: Final = re.compile(
    "lodash|underscore|debounce|throttle|memoize|es-toolkit|ahooks|usehooks|react-use|mantine|async-handler|once$"
)
WRAPPERS: Final = frozenset(
    ("parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression")
)


class Target(NamedTuple):
    """What a value is assigned to: a function without a name of its own is named after it."""

    name: str
    byte: int
    """Where that name is."""
    path: str
    """Dotted, below the enclosing definition and prefix (`app.get`)."""
    start: int
    """The statement that assigns it."""
    end: int
    kind: str = "function"
    owner: str = ""
    this: int = 0
    """The expression that `this` equals in it; 0 if unknown."""
    fields: int = -1
    """The definition whose fields `this.name = value` makes; -1: the function's own."""
    static: bool = False
    member: bool = False
    """Whether it is a field of a class, so that an arrow function has a receiver too."""
    keeps_this: bool = False
    """Whether it gets the enclosing receiver."""
    shown: int = -1
    """Where its signature starts, if not where the statement does."""


def value_for(walker: EcmaScriptWalker, node: Node, target: Target) -> int:
    """Lowers a value; a function, class or object literal takes its name from the target."""
    kind = node.type
    lower = walker.named_values.get(kind)
    return walker.table[kind](walker, node) if lower is None else lower(walker, node, target)


def lower_wrapped_value(walker: EcmaScriptWalker, node: Node, target: Target) -> int:
    """A value in parentheses or with a cast."""
    value = annotation = 0
    inner = None
    for child in walker.parts(node):
        if inner is None:
            inner = child
            value = value_for(walker, child, target)
        else:
            annotation = type_of(walker, child)
    if node.type == "satisfies_expression":
        expect_type(walker, annotation, value)
    return narrow_by_cast(walker, node.start_byte, annotation, value) if node.type == "as_expression" else value


def shape_of(walker: EcmaScriptWalker, node: Node) -> str:
    """The kind of a value inside its parentheses and casts, and inside calls that keep a function."""
    while True:
        is_wrapped = node.type in WRAPPERS and node.named_child_count
        inner = node.named_children[0] if is_wrapped else find_kept_function(walker, node)
        if inner is None:
            return str(node.type)
        node = inner


def find_kept_function(walker: EcmaScriptWalker, node: Node) -> Node | None:
    """For a call that keeps or runs the function which it is passed first: that argument."""
    if node.type != "call_expression" or not keeping_name(walker, node):
        return None
    first = next((part for part in node.children[-1].named_children if part.type != "comment"), None)
    return first if first is not None and shape_of(walker, first) in FUNCTIONS else None


def keeping_name(walker: EcmaScriptWalker, node: Node) -> str:
    """The name of the function that is called, if it is one of those."""
    function = node.children[0]
    is_member = function.type == "member_expression" and walker.bytes_of(function.children[0]) in _OBJECTS
    if is_member:
        function = function.children[-1]
    elif function.type != "identifier":
        return ""
    name = walker.source_of(function)
    is_common = name in _KEEPING_IN_LIBRARIES
    if not (is_common or name in _KEEPING or name in _RUNNING):
        return ""
    return name if is_member or is_of_library(walker, name, is_common) else ""


def is_of_library(walker: EcmaScriptWalker, name: str, is_common: bool) -> bool:
    """Whether an import brings a name from outside the file's own code; `is_common`: from a library that is known."""
    code = walker.code
    values = [each.value for each in walker.bindings if each.name == name]
    modules = [
        walker.imports[code[value + op.STATEMENT]].module for value in values if code[value] in (op.IMPORT, op.IMPORTED)
    ]
    if is_common:
        return any(_LIBRARY.search(module) for module in modules)
    return len(modules) == len(values) and not any(module.startswith(".") for module in modules)


def lower_kept_value(walker: EcmaScriptWalker, node: Node, target: Target) -> int:
    """A call: if it keeps a function, the variable holds that."""
    if find_kept_function(walker, node) is None:
        return walker.table[node.type](walker, node)
    walker.kept = target
    call = walker.table[node.type](walker, node)
    code = walker.code
    value = code[call + op.ARGUMENTS] if code[call] == op.CALL and code[call + op.ARGUMENT_COUNT] else 0
    if code[value] != op.DEFINITION:
        return call
    if keeping_name(walker, node) in _RUNNING:
        definition = walker.definitions[code[value + op.DEFINED]]
        if definition.scope in walker.parameters:
            return call
        definition.flags = (*definition.flags, PARAMETERLESS)
    return value


def own_name(walker: EcmaScriptWalker, node: Node) -> Node | None:
    while node.type in WRAPPERS and node.named_child_count:
        node = node.named_children[0]
    return walker.name_node(node)


NAMED_VALUES: Final[NamedHandlers] = {
    **dict.fromkeys(WRAPPERS, lower_wrapped_value),
    "call_expression": lower_kept_value,
}
