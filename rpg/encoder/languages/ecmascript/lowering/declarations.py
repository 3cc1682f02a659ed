"""Lowers variables: `const`, `let`, `var` and `using`.

In: nodes. Out: bindings and constants.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.languages.ecmascript.lowering.named_values import FUNCTIONS, Target, shape_of, value_for
from rpg.encoder.languages.ecmascript.lowering.patterns import declare
from rpg.encoder.languages.ecmascript.types.jsdoc import find_declared_type
from rpg.encoder.languages.ecmascript.types.type_expressions import lower_wrapped_type
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers


def variable_declaration(walker: EcmaScriptWalker, node: Node) -> int:
    signature = node.start_byte
    start = walker.opened(node)
    scope = walker.function if node.type == "variable_declaration" else walker.scope
    declarators = []
    for child in node.named_children:
        if child.type == "variable_declarator":
            declarators.append(child)
        else:
            walker.walk(child)
    if len(declarators) == 1:
        declare_variable(walker, declarators[0], scope, start, node.end_byte, signature)
        return 0
    for declarator in declarators:
        begin = start if declarator is declarators[0] else declarator.start_byte
        declare_variable(walker, declarator, scope, begin, declarator.end_byte, declarator.start_byte)
    return 0


def declare_variable(walker: EcmaScriptWalker, node: Node, scope: int, start: int, end: int, signature: int) -> None:
    pattern = annotation_node = value_node = None
    for child in walker.parts(node):
        kind = child.type
        if pattern is None:
            pattern = child
        elif kind == "type_annotation":
            annotation_node = child
        else:
            value_node = child
    if pattern is None or pattern.start_byte == pattern.end_byte:
        return
    byte = node.end_byte
    at_module = walker.scopes[scope].kind == "module"
    shape = shape_of(walker, value_node) if value_node is not None else ""
    annotation = 0
    if annotation_node is not None:
        around = walker.definition
        if shape in FUNCTIONS and pattern.type == "identifier":
            # The annotation belongs to the function, which is the next definition.
            walker.definition = len(walker.definitions)
        annotation = lower_wrapped_type(walker, annotation_node)
        walker.definition = around
    else:
        annotation = find_declared_type(walker, start)
    if pattern.type != "identifier":
        value = build_typed_value(walker, pattern, annotation, walker.walk(value_node) if value_node is not None else 0)
        makes = at_module and walker.code[value] != op.IMPORT
        declare(walker, pattern, value, byte, scope, "", node if makes else None)
        return
    name = walker.text_of(pattern)
    if value_node is None:
        if at_module:
            walker.leaf_of("constant", pattern, start, end, walker.definition, signature)
        walker.bind(name, build_typed_value(walker, pattern, annotation, 0), byte, "annotation", scope)
        return
    if annotation and value_node.type == "object":
        walker.context = annotation
    value = value_of(walker, pattern, value_node, start, end, signature)
    walker.bind(
        name, build_typed_value(walker, pattern, annotation, value), byte, "declared" if annotation else "", scope
    )


def value_of(walker: EcmaScriptWalker, name_node: Node, node: Node, start: int, end: int, signature: int) -> int:
    """The value of a variable, which at the top of a module is a constant unless it is a function or class."""
    name = walker.text_of(name_node)
    target = Target(name, name_node.start_byte, name, start, end, shown=signature)
    before = walker.prefix, walker.holder
    shape = shape_of(walker, node)
    at_module = walker.scopes[walker.scope].kind == "module"
    if at_module and shape not in FUNCTIONS and shape != "class" and not is_import(walker, node):
        walker.holder = walker.leaf_of("constant", name_node, start, end, walker.definition, signature)
        walker.prefix = f"{before[0]}.{name}" if before[0] else name
        target = target._replace(path="")
    value = value_for(walker, node, target)
    walker.prefix, walker.holder = before
    return value


def build_typed_value(walker: EcmaScriptWalker, node: Node, annotation: int, value: int) -> int:
    return walker.emit(op.TYPED, node.start_byte, annotation, value) if annotation else value


def is_import(walker: EcmaScriptWalker, node: Node) -> bool:
    """Whether a value is `require("m")`, or a member of it: the variable is then an import's binding."""
    while node.type == "member_expression" and node.child_count:
        node = node.children[0]
    if node.type == "await_expression" and node.named_child_count:
        node = node.named_children[0]
    if node.type != "call_expression":
        return False
    function, arguments = node.children[0], node.children[-1].named_children
    called = walker.source[function.start_byte : function.end_byte]
    if called not in (b"require", b"import") or len(arguments) != 1 or arguments[0].type != "string":
        return False
    return called == b"import" or walker.scope_of("require") < 0


HANDLERS: Final[Handlers] = {
    "lexical_declaration": variable_declaration,
    "variable_declaration": variable_declaration,
    "using_declaration": variable_declaration,
}
