"""Lowers parameters, and what patterns declare: names, parts of objects and lists, rests and defaults.

In: nodes and values. Out: parameters and bindings.
"""

from __future__ import annotations

from rpg.encoder import operations as op
from rpg.encoder.facts import DECORATOR, Parameter
from rpg.encoder.languages.ecmascript.lowering.expressions import build_element, member_of
from rpg.encoder.languages.ecmascript.lowering.members import assign_name, assign_to, define_constant
from rpg.encoder.languages.ecmascript.types.type_expressions import lower_wrapped_type
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node

# Parameters


def parameters_of(walker: EcmaScriptWalker, node: Node, scope: int) -> None:
    if node.type == "identifier":
        name = walker.text_of(node)
        walker.parameters[scope] = [Parameter(name, "positional")]
        walker.bind(name, walker.emit(op.PARAMETER, node.start_byte, scope, 0), walker.scopes[scope].start_byte)
        return
    rows: list[Parameter] = []
    walker.parameters[scope] = rows
    for child in walker.parts(node):
        kind = child.type
        if kind in ("required_parameter", "optional_parameter"):
            lower_typed_parameter(walker, child, scope, rows)
        elif kind == "assignment_pattern":
            default = walker.field(child, "right")
            pattern = child.child_by_field_name("left")
            if pattern is not None:
                lower_parameter(walker, pattern, scope, rows, 0, default)
        else:
            lower_parameter(walker, child, scope, rows, 0, 0)
    if not rows:
        del walker.parameters[scope]


def lower_typed_parameter(walker: EcmaScriptWalker, node: Node, scope: int, rows: list[Parameter]) -> None:
    pattern = None
    annotation = default = 0
    is_field = False
    for child in node.children:
        kind = child.type
        if kind == "type_annotation":
            annotation = lower_wrapped_type(walker, child)
        elif kind == "decorator":
            # Evaluated in the scope of the class around the method.
            method, walker.definition = walker.definition, max(walker.definitions[walker.definition].parent, 0)
            lower_decorator(walker, child)
            walker.definition = method
        elif kind in ("accessibility_modifier", "override_modifier", "readonly"):
            is_field = True
        elif kind == "comment":
            walker.comment(child)
        elif pattern is None and child.is_named:
            pattern = child
        elif child.is_named:
            default = walker.walk(child)
    if pattern is None:
        return
    if pattern.type == "this":
        # Declares what `this` is; no argument is passed for it.
        if annotation:
            value = walker.emit(op.TYPED, pattern.start_byte, annotation, 0)
            walker.this = walker.this._replace(value=value)
        return
    if pattern.type == "rest_pattern":
        annotation = type_of_each(walker, annotation)
    lower_parameter(walker, pattern, scope, rows, annotation, default)
    if is_field and pattern.type == "identifier":
        parameter_field(
            walker, pattern, node, annotation, walker.emit(op.PARAMETER, pattern.start_byte, scope, len(rows) - 1)
        )


def type_of_each(walker: EcmaScriptWalker, annotation: int) -> int:
    """The type of what a rest parameter takes, which is declared by that of their array."""
    code = walker.code
    if not annotation or code[annotation] != op.SUBSCRIPT:
        return annotation
    holder = code[annotation + op.HOLDER]
    if code[holder] != op.NAME:
        return annotation
    arrays = (walker.words.get(b"Array", -1), walker.words.get(b"ReadonlyArray", -1))
    return code[annotation + op.INDEX] if code[holder + op.WORD] in arrays else annotation


def lower_parameter(
    walker: EcmaScriptWalker, pattern: Node, scope: int, rows: list[Parameter], annotation: int, default: int
) -> None:
    kind = "positional"
    if pattern.type == "rest_pattern":
        kind = "list"
        inner = parts_of(pattern)
        pattern = inner[0] if inner else pattern
    start = walker.scopes[scope].start_byte
    value = walker.emit(op.PARAMETER, pattern.start_byte, scope, len(rows))
    if pattern.type == "identifier":
        name = walker.text_of(pattern)
        rows.append(Parameter(name, kind, annotation, default))
        walker.bind(name, value, start)
    else:
        rows.append(Parameter("", kind, annotation, default))
        declare(walker, pattern, value, start, scope)


def lower_decorator(walker: EcmaScriptWalker, node: Node) -> tuple[str, int]:
    """Text and expression of a decorator."""
    value = 0
    text = ""
    for child in walker.parts(node):
        text = walker.folded(child.start_byte, child.end_byte)
        value = walker.walk(child) if child.type == "call_expression" else walker.with_role(child, DECORATOR)
    return text, value


# Patterns


def declare(
    walker: EcmaScriptWalker,
    pattern: Node,
    value: int,
    byte: int,
    scope: int,
    kind: str = "",
    statement: Node | None = None,
) -> None:
    """Binds what a pattern declares; with `scope` below 0 it assigns to names declared elsewhere.

    `statement`: names become constants, since the statement is at module level.
    """
    shape = pattern.type
    if shape in ("identifier", "shorthand_property_identifier_pattern"):
        if pattern.start_byte == pattern.end_byte:
            return
        if statement is not None:
            define_constant(walker, pattern, statement)
        if scope < 0:
            assign_name(walker, walker.text_of(pattern), pattern.start_byte, value, byte)
        else:
            walker.bind(walker.text_of(pattern), value, byte, kind, scope)
    elif shape == "object_pattern":
        for child in pattern.named_children:
            part_of_object(walker, child, value, byte, scope, statement)
    elif shape == "array_pattern":
        position = 0
        for child in pattern.children:
            if child.type == ",":
                position += 1
            elif child.type == "rest_pattern":
                rest = (
                    walker.emit(op.LIST, child.start_byte, 1, walker.emit(op.ELEMENT, child.start_byte, value))
                    if value
                    else 0
                )
                declare(walker, child, rest, byte, scope, "", statement)
            elif child.is_named:
                item = walker.emit(op.ITEM, child.start_byte, value, position) if value else 0
                declare(walker, child, item, byte, scope, "", statement)
    elif shape in ("assignment_pattern", "object_assignment_pattern"):
        left = pattern.child_by_field_name("left")
        default = walker.field(pattern, "right")
        if left is not None:
            declare(walker, left, either(walker, value, default), byte, scope, "", statement)
    elif shape == "comment":
        walker.comment(pattern)
    elif shape in ("rest_pattern", "parenthesized_expression", "non_null_expression", "as_expression"):
        for child in pattern.named_children[:1]:
            declare(walker, child, value, byte, scope, "", statement)
    elif scope < 0:
        assign_to(walker, pattern, value, byte)
    else:
        walker.walk(pattern)


def part_of_object(
    walker: EcmaScriptWalker, node: Node, value: int, byte: int, scope: int, statement: Node | None
) -> None:
    """One part of `{ a, b: c, d = 1, ...rest }`."""
    shape = node.type
    if shape == "pair_pattern":
        key, target = node.child_by_field_name("key"), node.child_by_field_name("value")
        if key is None or target is None:
            return
        if key.type == "computed_property_name":
            part = build_element(walker, value, walker.only(key), key.start_byte) if value else walker.through(key)
        else:
            part = part_of(walker, value, key)
        declare(walker, target, part, byte, scope, "", statement)
    elif shape == "shorthand_property_identifier_pattern":
        declare(walker, node, part_of(walker, value, node), byte, scope, "", statement)
    elif shape == "object_assignment_pattern":
        left = node.child_by_field_name("left")
        if left is not None:
            part = part_of(walker, value, left)
            declare(walker, left, either(walker, part, walker.field(node, "right")), byte, scope, "", statement)
    else:
        declare(walker, node, value, byte, scope, "", statement)


def part_of(walker: EcmaScriptWalker, value: int, key: Node) -> int:
    if not value:
        return 0
    return member_of(walker, value, walker.string(walker.name_of(key)), key.start_byte)


def either(walker: EcmaScriptWalker, value: int, default: int) -> int:
    if not value or not default:
        return value or default
    return walker.emit(op.UNION, walker.code[default + op.BYTE], 2, value, default)


def parameter_field(walker: EcmaScriptWalker, name: Node, parameter: Node, annotation: int, value: int) -> None:
    owner = walker.this.owner
    if owner < 0 or walker.definitions[owner].kind != "class":
        return
    hidden = any(
        child.type == "accessibility_modifier" and walker.bytes_of(child) == b"private"
        for child in parameter.named_children
    )
    member = walker.leaf_of("field", name, parameter.start_byte, parameter.end_byte, owner)
    walker.definitions[member].exported = not hidden
    text = walker.text_of(name)
    scope = walker.definitions[owner].scope
    walker.fields.setdefault(owner, []).append((text, value))
    typed = walker.emit(op.TYPED, name.start_byte, annotation, value) if annotation else value
    walker.bind(text, typed, walker.scopes[scope].start_byte, "", scope)
