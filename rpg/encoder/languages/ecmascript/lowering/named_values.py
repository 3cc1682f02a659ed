"""Values with a target: a nameless function, class or object literal takes its name from there.

In: a node and a target. Out: an expression, and perhaps a definition.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from rpg.encoder.languages.ecmascript.types.type_expressions import narrowed_by_cast, type_of
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker, NamedHandlers
from rpg.encoder.lowering.node import Node

FUNCTIONS: Final = frozenset(("function_expression", "generator_function", "arrow_function"))
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


def wrapped_value(walker: EcmaScriptWalker, node: Node, target: Target) -> int:
    """A value in parentheses or with a cast."""
    value = annotation = 0
    inner = None
    for child in walker.parts(node):
        if inner is None:
            inner = child
            value = value_for(walker, child, target)
        else:
            annotation = type_of(walker, child)
    return narrowed_by_cast(walker, node.start_byte, annotation, value) if node.type == "as_expression" else value


def shape_of(node: Node) -> str:
    """The kind of a value inside its parentheses and casts."""
    while node.type in WRAPPERS:
        inner = node.named_children
        if not inner:
            break
        node = inner[0]
    return str(node.type)


def own_name(walker: EcmaScriptWalker, node: Node) -> Node | None:
    while node.type in WRAPPERS and node.named_child_count:
        node = node.named_children[0]
    return walker.name_node(node)


NAMED_VALUES: Final[NamedHandlers] = dict.fromkeys(WRAPPERS, wrapped_value)
