"""What C# disposes of: `using (var reader = Open()) { ... }`, `using var reader = Open();`, `await using`.

In: nodes. Out: calls of `Dispose` or `DisposeAsync`, which the source does not name.
"""

from __future__ import annotations

from rpg.encoder.languages.declarative.unnamed_calls import close_resource, close_variable
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node


def using_block(walker: DeclarativeWalker, node: Node) -> int:
    around = walker.enter_block(node)
    body = node.child_by_field_name("body")
    for child in node.named_children:
        value = walker.walk(child)
        if child.type == "variable_declaration":
            dispose_variables(walker, node, child)
        elif child != body and child.type != "comment":
            close_resource(walker, value, child.start_byte, disposing(node))
    walker.leave_block(around)
    return 0


def local_declaration(walker: DeclarativeWalker, node: Node) -> int:
    """Variables of a function, which may be disposed of at the end of the block around."""
    for child in node.named_children:
        walker.walk(child)
        if child.type == "variable_declaration" and any(each.type == "using" for each in node.children):
            dispose_variables(walker, node, child)
    return 0


def dispose_variables(walker: DeclarativeWalker, node: Node, declared: Node) -> None:
    for child in declared.named_children:
        name = child.child_by_field_name("name") if child.type == "variable_declarator" else None
        if name is not None and name.type == "identifier":
            close_variable(walker, name, declared.end_byte, disposing(node))


def disposing(node: Node) -> str:
    return "DisposeAsync" if any(each.type == "await" for each in node.children) else "Dispose"
