"""Lowers assignments: the names, members and entries that get values, and the symbols that this defines.

In: a target and a value. Out: bindings, fields, constants.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import READ, UPDATED, WRITE, Definition
from rpg.encoder.languages.python.accesses import forget_entries, keep_entry
from rpg.encoder.languages.python.strings.members import key_named, lower_declared_keys
from rpg.encoder.languages.python.walker import PythonWalker
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers


def assignment(walker: PythonWalker, node: Node) -> int:
    left = node.child_by_field_name("left")
    annotation_node = node.child_by_field_name("type")
    right = node.child_by_field_name("right")
    if left is None:
        return walker.through(node)
    annotation = walker.annotation(annotation_node) if annotation_node is not None else 0
    value = walker.walk(right) if right is not None else 0
    if annotation:
        lower_declared_keys(walker, annotation, value)
        value = walker.emit(op.TYPED, left.start_byte, annotation, value)
    assign(walker, left, value, node.end_byte, node, declared=right is None)
    return value


def augmented_assignment(walker: PythonWalker, node: Node) -> int:
    left = node.child_by_field_name("left")
    if left is None:
        return walker.through(node)
    value = walker.field(node, "right")
    if left.type == "identifier" and walker.source_of(left) == "__all__":
        extend_all(walker, value)
    read = walker.with_role(left, UPDATED)
    token = node.child_by_field_name("operator")
    byte = token.start_byte if token is not None else left.start_byte
    offset = walker.emit(
        op.OPERATION, byte + walker.shift, walker.string(walker.source_of(token) if token else ""), read, value
    )
    walker.site(offset, READ)
    return offset


def named_expression(walker: PythonWalker, node: Node) -> int:
    value = walker.field(node, "value")
    name = node.child_by_field_name("name")
    if name is not None:
        walker.bind(walker.source_of(name), value, node.end_byte, "", walker.function_scope())
    return value


def assign(
    walker: PythonWalker,
    target: Node | None,
    value: int,
    byte: int,
    statement: Node | None = None,
    declared: bool = False,
) -> None:
    """Binds a target. With `statement`, a name at module or class level becomes a constant (or a field)."""
    if target is None:
        return
    kind = target.type
    if kind == "identifier":
        name = walker.source_of(target)
        scope_kind = walker.scopes[walker.scope].kind
        if scope_kind in ("module", "class") and statement is not None:
            define_constant(walker, name, target, statement, declared)
            if name == "__all__" and scope_kind == "module":
                walker.exports["all"] = []
                extend_all(walker, value)
        elif (walker.scope, name) in walker.elsewhere:
            walker.name(name, target.start_byte, WRITE)
        forget_entries(walker, name)
        walker.bind(name, value, byte, "annotation" if declared else "")
    elif kind == "attribute":
        assign_member(walker, target, value, byte, statement)
    elif kind == "subscript":
        container = walker.field(target, "value")
        keys = [walker.walk(key) for key in target.children_by_field_name("subscript")]
        if value:
            walker.items.append((container, keys[0] if len(keys) == 1 else 0, value))
        written = walker.emit(
            op.SUBSCRIPT, target.start_byte + walker.shift, container, keys[0] if len(keys) == 1 else 0
        )
        walker.sites += (written, WRITE, walker.definition)
        if len(keys) == 1:
            key_named(walker, container, keys[0])
        keep_entry(walker, written, value, byte)
    elif kind in ("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list"):
        parts = parts_of(target)
        if value and walker.code[value] in (op.NAME, op.CALL):
            walker.site(walker.emit(op.ELEMENT, walker.code[value + op.BYTE], value), READ)
        stars = [index for index, part in enumerate(parts) if part.type in ("list_splat_pattern", "list_splat")]
        for index, part in enumerate(parts):
            if stars and index == stars[0]:
                rest = rest_of(walker, value, index, len(parts) - index - 1, part.start_byte) if value else 0
                assign(walker, part.named_children[0] if part.named_child_count else None, rest, byte, statement)
                continue
            position = index - len(parts) if stars and index > stars[0] else index
            item = walker.emit(op.ITEM, part.start_byte, value, position) if value else 0
            assign(walker, part, item, byte, statement)
    elif kind == "parenthesized_expression" or kind in ("as_pattern_target", "list_splat_pattern", "type"):
        for child in target.named_children:
            assign(walker, child, value, byte, statement)


def rest_of(walker: PythonWalker, value: int, before: int, after: int, byte: int) -> int:
    """What a starred target takes: the parts between the others if they are visible, else any element."""
    if walker.code[value] in (op.TUPLE, op.LIST):
        items = op.items_of(walker.code, value)
        kept = items[before : len(items) - after]
        return walker.emit(op.LIST, byte, len(kept), *kept)
    return walker.emit(op.LIST, byte, 1, walker.emit(op.ELEMENT, byte, value))


def assign_member(walker: PythonWalker, target: Node, value: int, byte: int, statement: Node | None) -> None:
    """`object.name = value`: on the receiver it defines a field of the class."""
    holder = target.child_by_field_name("object")
    name_node = target.child_by_field_name("attribute")
    if holder is None or name_node is None:
        return
    name = walker.source_of(name_node)
    container = walker.walk(holder)
    text = walker.source_of(holder)
    for receiver, owner in reversed(walker.receivers):
        if receiver != text:
            continue
        if value:
            walker.fields.setdefault(owner, []).append((name, value))
        if define_field(walker, owner, name, name_node, statement or target) and not walker.bases.get(owner):
            break
        walker.site(
            walker.emit(op.ATTRIBUTE, name_node.start_byte + walker.shift, container, walker.string(name)), WRITE
        )
        break
    else:
        if value:
            walker.members.append((container, name, value))
        walker.site(
            walker.emit(op.ATTRIBUTE, name_node.start_byte + walker.shift, container, walker.string(name)), WRITE
        )
    if value and holder.type == "identifier":
        path = f"{text}.{name}"
        walker.bind(path, value, byte)
        walker.dotted.setdefault(walker.scope, set()).add(path)


def define_field(walker: PythonWalker, owner: int, name: str, name_node: Node, statement: Node) -> bool:
    """Defines a field of a class unless it has a member of that name. Returns whether it did."""
    scope = walker.definitions[owner].scope
    if (scope, name) in walker.defined or name in walker.bound[scope] or name in walker.properties.get(owner, ()):
        return False
    define_leaf(walker, "field", name, owner, scope, name_node, statement)
    return True


def define_constant(walker: PythonWalker, name: str, name_node: Node, statement: Node, declared: bool = False) -> None:
    """Defines a constant, once per scope; later assignments are writes."""
    if (walker.scope, name) in walker.defined or name in walker.bound[walker.scope]:
        walker.name(name, name_node.start_byte, WRITE)
        return
    in_class = walker.scopes[walker.scope].kind == "class"
    around = walker.definitions[walker.definition]
    is_field = in_class and (declared or "dataclass" in around.flags or is_enum(walker, walker.definition))
    define_leaf(
        walker, "field" if is_field else "constant", name, walker.definition, walker.scope, name_node, statement
    )


def define_leaf(
    walker: PythonWalker, kind: str, name: str, parent: int, scope: int, name_node: Node, statement: Node
) -> None:
    """A definition without a body."""
    around = walker.definitions[parent]
    qualified = f"{around.qualified_name}.{name}" if parent else name
    start, end = statement.start_byte, statement.end_byte
    scope_now, walker.scope = walker.scope, scope
    walker.define(
        Definition(
            kind=kind,
            name=name,
            qualified_name=qualified,
            parent=parent,
            start_byte=start,
            end_byte=end,
            name_byte=name_node.start_byte,
            body_byte=end,
            signature=walker.folded(start, end),
            exported=not name.startswith("_"),
        )
    )
    walker.scope = scope_now


def is_enum(walker: PythonWalker, definition: int) -> bool:
    for _, base in walker.bases.get(definition, ()):
        if walker.path_of(base).rpartition(".")[2] in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"):
            return True
    return False


def extend_all(walker: PythonWalker, value: int) -> None:
    """Extends `__all__`; parts that are no literals leave it open."""
    code, names = walker.code, walker.texts
    listed = walker.exports.setdefault("all", [])
    if code[value] == op.OPERATION:
        extend_all(walker, code[value + op.LEFT])
        extend_all(walker, code[value + op.RIGHT])
    elif code[value] in (op.LIST, op.TUPLE):
        items = op.items_of(code, value)
        listed += [names[code[item + op.WORD]] for item in items if code[item] == op.STRING]
    elif (
        code[value] == op.ATTRIBUTE
        and names[code[value + op.MEMBER]] == "__all__"
        and code[code[value + op.HOLDER]] == op.NAME
    ):
        walker.exports.setdefault("all_of", []).append(names[code[code[value + op.HOLDER] + op.WORD]])
    elif value:
        walker.exports["all_open"] = True


HANDLERS: Final[Handlers] = {
    "named_expression": named_expression,
    "assignment": assignment,
    "augmented_assignment": augmented_assignment,
}
