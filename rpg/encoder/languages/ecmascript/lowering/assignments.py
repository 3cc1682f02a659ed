"""Lowers assignments, and what they express without syntax of its own: `module.exports`, `exports.a`, `X.prototype.m`.

In: nodes. Out: bindings, definitions, exports.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import WRITE
from rpg.encoder.languages.ecmascript.lowering.commonjs import (
    EXPORTS,
    WHOLE,
    export_member,
    export_members,
    exports_object,
    find_exported_names,
    is_free,
)
from rpg.encoder.languages.ecmascript.lowering.declarations import declare_variable
from rpg.encoder.languages.ecmascript.lowering.libraries.library_calls import inherit
from rpg.encoder.languages.ecmascript.lowering.members import (
    assign_name,
    assign_to,
    give_entry,
    give_member,
    is_this,
    set_member,
)
from rpg.encoder.languages.ecmascript.lowering.named_values import (
    FUNCTIONS,
    WRAPPERS,
    Target,
    own_name,
    shape_of,
    value_for,
)
from rpg.encoder.languages.ecmascript.lowering.operators import is_string
from rpg.encoder.languages.ecmascript.lowering.patterns import declare
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers

_LOGICAL: Final = frozenset(("||=", "&&=", "??="))
_SYMBOLS: Final = FUNCTIONS | {"class"}


def assignment_expression(walker: EcmaScriptWalker, node: Node) -> int:
    return lower_assigned_value(walker, node, node.start_byte, node.end_byte)


def lower_assigned_value(walker: EcmaScriptWalker, node: Node, start: int, end: int) -> int:
    """`left = right`; `start` to `end` is the statement that defines a function on the right."""
    children = node.children
    left, right = children[0], children[-1]
    if left.type == "using":  # the grammar of TypeScript takes the declaration for an assignment
        declare_variable(walker, node, walker.scope, start, end, start)
        return 0
    for child in children[1:-1]:
        if child.is_named:
            walker.walk(child)
    kind = left.type
    while kind in WRAPPERS and left.named_child_count:
        left = left.named_children[0]
        kind = left.type
    if kind == "member_expression":
        return member_assignment(walker, left, right, start, end)
    if kind == "identifier":
        return name_assignment(walker, left, right, start, end)
    if kind == "subscript_expression" and shape_of(walker, right) in FUNCTIONS:
        # `object[key] = function () {}`: `this` is the object.
        container, index = walker.field(left, "object"), walker.field(left, "index")
        walker.given_this = container
        value = right_side(walker, right, None)
        walker.given_this = 0
        give_entry(walker, container, index, value, end)
        return value
    value = right_side(walker, right, None)
    if kind == "subscript_expression":
        assign_to(walker, left, value, end)
    else:
        declare(walker, left, value, end, -1)
    return value


def right_side(walker: EcmaScriptWalker, node: Node, target: Target | None) -> int:
    if target is None:
        return walker.walk(node)
    if node.type == "assignment_expression":
        return lower_assigned_value(walker, node, target.start, target.end)
    return value_for(walker, node, target)


def augmented_assignment(walker: EcmaScriptWalker, node: Node) -> int:
    left = node.child_by_field_name("left")
    right = node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return walker.through(node)
    start, end = node.start_byte, node.end_byte
    logical = operator.type in _LOGICAL
    if left.type == "identifier":
        name = walker.text_of(left)
        value = right_side(walker, right, Target(name, left.start_byte, name, start, end) if logical else None)
        if logical:
            assign_name(walker, name, left.start_byte, value, end, "weak")
            return value
        walker.name(name, left.start_byte, WRITE)
    elif logical and left.type == "member_expression":
        return member_assignment(walker, left, right, start, end)
    elif logical and left.type == "subscript_expression":
        return entry_if_missing(walker, left, right, end)
    else:
        walker.with_role(left, WRITE)
        value = walker.walk(right)
    if operator.type == "+=":
        return walker.literal("string", start) if is_string(walker, value) else 0
    return walker.literal("number", start)


def entry_if_missing(walker: EcmaScriptWalker, left: Node, right: Node, end: int) -> int:
    """`object[key] ||= value`: what is there, or the value."""
    read = walker.with_role(left, WRITE)
    value = walker.walk(right)
    code = walker.code
    if code[read] == op.SUBSCRIPT:
        give_entry(walker, code[read + op.HOLDER], code[read + op.INDEX], value, end)
    elif code[read] in (op.ATTRIBUTE, op.PATH):
        give_member(walker, code[read + op.HOLDER], walker.texts[code[read + op.MEMBER]], value, end)
    return walker.union([read, value], left.start_byte)


def member_assignment(walker: EcmaScriptWalker, left: Node, right: Node, start: int, end: int) -> int:
    """`object.name = value`."""
    name, holder = left.child_by_field_name("property"), left.child_by_field_name("object")
    if name is None or holder is None or name.start_byte == name.end_byte:
        value = walker.walk(right)
        walker.walk(left)
        return value
    path = walker.text(left.start_byte, left.end_byte)
    special = special_assignment(walker, path, left, holder, name, right, start, end)
    if special is not None:
        return special
    container = walker.walk(holder)
    text, byte = walker.text_of(name), name.start_byte
    if is_this(walker, container):
        in_class = walker.this.owner >= 0 and walker.definitions[walker.this.owner].kind == "class"
        kind = "method" if in_class else "function"
        target = Target(text, byte, text, start, end, kind, this=container, fields=walker.this.owner)
    else:
        dotted = path.removeprefix("this.") if path.replace(".", "").replace("$", "").isidentifier() else text
        target = Target(text, byte, dotted, start, end, this=container)
    value = right_side(walker, right, target)
    if is_this(walker, container):
        set_member(walker, container, name, value, end, start)
    else:
        if walker.code[value] != op.DEFINITION or shape_of(walker, right) not in _SYMBOLS:
            walker.site(walker.emit(op.ATTRIBUTE, byte, container, walker.string(text)), WRITE)
        give_member(walker, container, text, value, end)
    return value


def special_assignment(
    walker: EcmaScriptWalker, path: str, left: Node, holder: Node, name: Node, right: Node, start: int, end: int
) -> int | None:
    container, _, last = path.rpartition(".")
    if path == "module.exports":
        return whole_exports(walker, right, start, end, True) if is_free(walker, "module") else None
    if container in EXPORTS and is_free(walker, container.partition(".")[0]):
        target = Target(last, name.start_byte, last, start, end)
        value = right_side(walker, right, target)
        export_member(walker, last, value, end)
        return value
    if container.endswith(".prototype"):
        return prototype_member(walker, holder, name, right, container.removesuffix(".prototype"), start, end)
    if last == "prototype" and "(" not in container:
        return whole_prototype(walker, holder, name, right, container, start, end)
    return None


def name_assignment(walker: EcmaScriptWalker, left: Node, right: Node, start: int, end: int) -> int:
    if walker.source[left.start_byte : left.end_byte] == b"exports" and is_free(walker, "exports"):
        return whole_exports(walker, right, start, end, False)
    name = walker.text_of(left)
    value = right_side(walker, right, Target(name, left.start_byte, name, start, end))
    assign_name(walker, name, left.start_byte, value, end)
    return value


def prototype_member(
    walker: EcmaScriptWalker, holder: Node, name: Node, right: Node, owner: str, start: int, end: int
) -> int:
    """`X.prototype.name = value`."""
    container = walker.walk(holder)
    text = walker.text_of(name)
    definition = walker.definition_of(owner)
    target = Target(text, name.start_byte, f"{owner}.{text}", start, end, "method", owner, 0, definition)
    value = right_side(walker, right, target)
    if value and shape_of(walker, right) not in FUNCTIONS:
        if definition >= 0:
            walker.fields.setdefault(definition, []).append((text, value))
        else:
            walker.members.append((container, text, value))
    return value


def whole_prototype(
    walker: EcmaScriptWalker, holder: Node, name: Node, right: Node, owner: str, start: int, end: int
) -> int:
    """`X.prototype = { ... }`, `= Object.create(Base.prototype)`, `= new Base`."""
    container = walker.walk(holder)
    definition = walker.definition_of(owner)
    byte = name.start_byte
    if shape_of(walker, right) == "object":
        value = value_for(walker, right, Target("prototype", byte, owner, start, end, "method", owner, 0, definition))
        take_members(walker, definition, value)
    else:
        value = right_side(walker, right, Target("prototype", byte, f"{owner}.prototype", start, end))
        value = walker.derived.get(value, value)
        inherit(walker, definition, value)
    if value:
        walker.members.append((container, "prototype", value))
    return value


def take_members(walker: EcmaScriptWalker, definition: int, prototype: int) -> None:
    """Instances have what the object holds without defining it: `X.prototype = { open: ring }`."""
    code = walker.code
    if definition < 0 or code[prototype] != op.OBJECT:
        return
    scope = code[prototype + op.SCOPE]
    for each in walker.bindings:
        if each.scope == scope and code[each.value] in (op.NAME, op.ATTRIBUTE):
            walker.fields.setdefault(definition, []).append((each.name, each.value))


def whole_exports(walker: EcmaScriptWalker, right: Node, start: int, end: int, of_module: bool) -> int:
    """`module.exports = value`. `exports = value` alone exports nothing."""
    exports_object(walker)
    shape = shape_of(walker, right)
    if shape in FUNCTIONS or shape == "class":
        own = own_name(walker, right)
        name = walker.text_of(own) if own is not None else "default"
        byte = own.start_byte if own is not None else right.start_byte
        value = value_for(walker, right, Target(name, byte, name, start, end))
    else:
        value = right_side(walker, right, Target("", start, "", start, end))
    if of_module and value:
        find_exported_names(walker)[WHOLE] = value
        export_members(walker, value)
    return value


HANDLERS: Final[Handlers] = {
    "assignment_expression": assignment_expression,
    "augmented_assignment_expression": augmented_assignment,
}
