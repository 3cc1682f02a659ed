"""Lowers classes and their members.

In: nodes. Out: definitions, scopes, bases, fields.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import ANONYMOUS, BASE, Definition
from rpg.encoder.languages.ecmascript.lowering.functions import (
    Head,
    head_of,
    lower_body,
    lower_statements,
    read_return_type,
)
from rpg.encoder.languages.ecmascript.lowering.libraries.angular import lower_angular
from rpg.encoder.languages.ecmascript.lowering.libraries.property_descriptors import lower_declared_properties
from rpg.encoder.languages.ecmascript.lowering.named_values import FUNCTIONS, Target, shape_of, value_for
from rpg.encoder.languages.ecmascript.lowering.patterns import lower_decorator
from rpg.encoder.languages.ecmascript.types.jsdoc import annotate, find_declared_type
from rpg.encoder.languages.ecmascript.types.shapes import function_type, index_signature
from rpg.encoder.languages.ecmascript.types.type_expressions import (
    lower_wrapped_type,
    subscript_type,
    type_arguments_of,
    type_of,
    type_parameters_of,
)
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker, MemberHandlers, NamedHandlers, This
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers

IMPLEMENTS: Final = "implements"
"""Keyword of the bases that contribute no members to a class."""


# Classes


def class_declaration(walker: EcmaScriptWalker, node: Node) -> int:
    name = walker.name_node(node)
    if name is None:
        return walker.through(node)
    start = walker.opened(node)
    text = walker.text_of(name)
    target = Target(text, name.start_byte, text, start, node.end_byte)
    definition = len(walker.definitions)
    merged = walker.merged.get((walker.scope, text), -1)
    declare_type(walker, text, definition, name.start_byte)
    class_of(walker, node, target)
    if merged >= 0 and walker.definitions[merged].kind == "interface":
        merge_interface(walker, merged, definition)
    return 0


def open_body(walker: EcmaScriptWalker, definition: int, start: int, end: int) -> None:
    """Enters the block of a definition's members, which merged parts share."""
    walker.open_block(start, end)
    walker.block = walker.bodies.setdefault(definition, walker.block)


def merge_interface(walker: EcmaScriptWalker, interface: int, definition: int) -> None:
    """An interface before a class of that name is part of the class."""
    for binding in reversed(walker.bindings):
        if walker.code[binding.value] == op.DEFINITION and walker.code[binding.value + op.DEFINED] == interface:
            binding.value, binding.kind = walker.definition_value(definition), ""
            break
    walker.bases.setdefault(definition, []).append(("", walker.definition_value(interface)))


def declare_type(walker: EcmaScriptWalker, name: str, definition: int, byte: int, kind: str = "") -> None:
    """Binds a declared name from the start of its scope; further declarations of that name are merged into it."""
    again = name in walker.bound[walker.scope]
    start = walker.scopes[walker.scope].start_byte
    walker.merged.setdefault((walker.scope, name), definition)
    walker.bind(name, walker.emit(op.DEFINITION, byte, definition), start, "weak" if again and not kind else kind)


def class_expression(walker: EcmaScriptWalker, node: Node) -> int:
    """A class expression without a target: it has members and bases, but is no symbol unless it has a name."""
    name = walker.name_node(node)
    text = walker.text_of(name) if name is not None else ""
    byte = name.start_byte if name is not None else node.start_byte
    return class_of(walker, node, Target(text, byte, text, node.start_byte, node.end_byte))


def lower_named_class(walker: EcmaScriptWalker, node: Node, target: Target) -> int:
    return class_of(walker, node, target)


class ClassParts:
    """What the node of a class consists of."""

    def __init__(self, node: Node) -> None:
        self.name: Node | None = None
        self.generics: Node | None = None
        self.body: Node | None = None
        self.heritage: list[Node] = []
        self.decorators: list[tuple[str, int]] = []
        self.is_abstract = False
        self.start = node.start_byte
        """Where it begins behind its decorators."""


def parts_of(walker: EcmaScriptWalker, node: Node) -> ClassParts:
    parts = ClassParts(node)
    parts.decorators = list(walker.decorators_before)
    walker.decorators_before = []
    for child in node.children:
        kind = child.type
        if kind in ("class_heritage", "extends_clause", "implements_clause"):
            parts.heritage.append(child)
        elif kind == "class_body":
            parts.body = child
        elif kind == "type_parameters":
            parts.generics = child
        elif kind in ("type_identifier", "identifier"):
            parts.name = child
        elif kind == "decorator":
            parts.decorators.append(lower_decorator(walker, child))
        elif kind == "abstract":
            parts.is_abstract = True
        elif kind == "comment":
            walker.comment(child)
    for child in node.children:
        if child.type not in ("decorator", "comment"):
            parts.start = child.start_byte
            break
    return parts


def class_of(walker: EcmaScriptWalker, node: Node, target: Target) -> int:
    """A class of that name. Its scope's parent sees its type parameters; members are looked up only on the class."""
    begin, doc = walker.documented(target.start)
    parts = parts_of(walker, node)
    generics, body, decorators = parts.generics, parts.body, parts.decorators
    own_name = parts.name if node.type == "class" else None
    """Of an expression, which only the class itself sees."""
    end = node.end_byte
    around = walker.function_state()
    definition = len(walker.definitions)
    if generics is not None or own_name is not None:
        walker.scope = walker.open_scope("block", definition, begin, end)
    header = body.start_byte if body is not None else target.end
    scope = len(walker.scopes)
    walker.define(
        Definition(
            kind="class",
            name=target.name,
            qualified_name=walker.qualified(target.path),
            parent=walker.around(),
            owner=target.owner,
            scope=scope,
            start_byte=begin,
            end_byte=target.end,
            name_byte=target.byte,
            body_byte=header,
            signature=walker.folded(parts.start if target.shown < 0 else target.shown, header),
            doc=doc,
            exported=False,
            decorators=tuple(text for text, _ in decorators),
            modifiers=("abstract",) if parts.is_abstract else (),
            flags=() if target.name else (ANONYMOUS,),
        )
    )
    if decorators:
        walker.decorators[definition] = [value for _, value in decorators if value]
    value = walker.definition_value(definition)
    if own_name is not None:
        walker.bind(walker.text_of(own_name), value, begin)
    walker.definition = definition
    walker.prefix, walker.holder = "", -1
    if decorators:
        lower_angular(walker, node, definition)
    if generics is not None:
        type_parameters_of(walker, generics, definition)
    for part in parts.heritage:
        lower_heritage(walker, part, definition)
    walker.open_scope("class", definition, begin, end)
    open_body(walker, definition, begin, end)
    if body is not None:
        class_body(walker, body, scope, definition)
    walker.leave(around)
    return value


def lower_heritage(walker: EcmaScriptWalker, node: Node, definition: int) -> None:
    """`extends A<B>`, `implements C, D`."""
    rows = walker.bases.setdefault(definition, [])
    if node.type == "implements_clause":
        rows += [(IMPLEMENTS, base) for child in node.named_children if (base := base_type(walker, child))]
        return
    if node.type == "class_heritage" and any(child.type.endswith("_clause") for child in node.named_children):
        for child in node.named_children:
            lower_heritage(walker, child, definition)
        return
    base = 0
    for child in walker.parts(node):
        kind = child.type
        if kind == "type_arguments":
            base = subscript_type(walker, child.start_byte, base, type_arguments_of(walker, child))
        else:
            base = walker.with_role(child, BASE)
    if base:
        rows.append(("", base))


def base_type(walker: EcmaScriptWalker, node: Node) -> int:
    """An implemented or extended type: its outermost name is the base."""
    first = len(walker.sites)
    return walker.set_role_in_type(type_of(walker, node), first, BASE)


def class_body(walker: EcmaScriptWalker, node: Node, scope: int, definition: int) -> None:
    """Members are bound in the class's scope; their values see the scope around the class."""
    outer = walker.scope
    decorators: list[tuple[str, int]] = []
    start = -1
    members = node.named_children
    walker.field_names[definition] = {name for member in members if (name := member_name(walker, member))}
    for child in members:
        kind = child.type
        if kind == "comment":
            walker.comment(child)
            continue
        if kind == "decorator":
            if start < 0:
                start = child.start_byte
            decorators.append(lower_decorator(walker, child))
            continue
        begin = child.start_byte if start < 0 else start
        if kind in ("method_definition", "method_signature", "abstract_method_signature"):
            lower_method(walker, child, begin, scope, definition, decorators)
        elif kind in ("public_field_definition", "field_definition"):
            class_field(walker, child, begin, scope, definition, decorators)
        elif kind == "class_static_block":
            static_block(walker, child, definition)
        elif kind == "index_signature":
            index_signature(walker, child, scope, definition)
        else:
            walker.walk(child)
        walker.scope = outer
        decorators, start = [], -1


def member_name(walker: EcmaScriptWalker, node: Node) -> str:
    kind = node.type
    if kind in ("comment", "decorator"):
        return ""
    name = node.child_by_field_name("property" if kind == "field_definition" else "name")
    return walker.text_of(name) if name is not None else ""


def lower_method(
    walker: EcmaScriptWalker, node: Node, begin: int, scope: int, definition: int, decorators: list[tuple[str, int]]
) -> None:
    begin, doc = walker.documented(begin)
    head = head_of(walker, node)
    for child in node.named_children[:3] if node.type == "method_definition" else ():
        if child.type == "decorator":
            decorators.append(lower_decorator(walker, child))
    if head.name is None:
        walker.through(node)
        return
    if head.name.type == "computed_property_name":
        walker.only(head.name)
    bodiless = node.type == "method_signature" and not walker.ambient and not walker.inside_interface
    method = define_method(walker, node, head, begin, doc, scope, decorators, ("overload",) if bodiless else ())
    static = "static" in head.marks
    if static and "get" in head.marks:
        lower_declared_properties(walker, walker.name_of(head.name), head.body, definition)
    # A method's parent scope is the class's, but code in the method does not see the names in it.
    around = walker.function_state()
    walker.scope = scope
    walker.enter("function", method, node.start_byte, node.end_byte)
    walker.this = This(walker.scope, 0, -1 if static else definition)
    lower_body(walker, head, method)
    annotate(walker, walker.scope, doc, begin)
    walker.leave(around)


def define_method(
    walker: EcmaScriptWalker,
    node: Node,
    head: Head,
    begin: int,
    doc: str,
    scope: int,
    decorators: list[tuple[str, int]],
    flags: tuple[str, ...],
) -> int:
    name_node = head.name or node
    name = walker.name_of(name_node)
    marks = head.marks
    accessor = "get" in marks or "set" in marks
    if "set" in marks:
        flags += ("setter",)
    if "*" in marks:
        flags += ("generator",)
    modifiers = tuple(mark for mark in ("async", "static", "abstract") if mark in marks)
    end = node.end_byte
    hidden = name.startswith("#") or "private" in marks
    body = head.body.start_byte if head.body is not None else end
    method = walker.define(
        Definition(
            kind="property" if accessor else "method",
            name=name,
            qualified_name=walker.qualified(name),
            parent=walker.around(),
            scope=len(walker.scopes),
            start_byte=begin,
            end_byte=end,
            name_byte=name_node.start_byte,
            body_byte=body,
            signature=walker.folded(node.start_byte, head.header_end),
            doc=doc,
            exported=not hidden,
            decorators=tuple(text for text, _ in decorators),
            modifiers=modifiers,
            returns=read_return_type(walker, head),
            flags=flags,
        )
    )
    if decorators:
        walker.decorators[method] = [value for _, value in decorators if value]
    weak = "set" in marks and name in walker.bound[scope]
    walker.bind(name, walker.definition_value(method), walker.scopes[scope].start_byte, "weak" if weak else "", scope)
    return method


def method_signature(walker: EcmaScriptWalker, node: Node, scope: int, owner: int) -> None:
    """A member of an interface or object type; without an owner it is no symbol."""
    if owner < 0:
        head = head_of(walker, node)
        if head.name is not None:
            value = function_type(walker, node)
            walker.bind(walker.name_of(head.name), value, node.start_byte, "weak", scope)
        return
    around, walker.inside_interface = walker.inside_interface, True
    lower_method(walker, node, node.start_byte, scope, owner, [])
    walker.inside_interface = around


def class_field(
    walker: EcmaScriptWalker, node: Node, begin: int, scope: int, definition: int, decorators: list[tuple[str, int]]
) -> None:
    name_node = annotation_node = value_node = None
    static = hidden = False
    begin_all = begin
    for child in node.children:
        kind = child.type
        if kind == "decorator":
            decorators.append(lower_decorator(walker, child))
        elif kind == "static":
            static = True
        elif kind == "accessibility_modifier":
            hidden = walker.text_of(child) == "private"
        elif kind == "type_annotation":
            annotation_node = child
        elif kind == "comment":
            walker.comment(child)
        elif not child.is_named or kind == "override_modifier" or child.start_byte == child.end_byte:
            continue
        elif name_node is None:
            name_node = child
        else:
            value_node = child
    if name_node is None:
        return
    if name_node.type == "computed_property_name":
        walker.only(name_node)
    name = walker.name_of(name_node)
    start, end = node.start_byte, node.end_byte
    shape = shape_of(walker, value_node) if value_node is not None else ""
    member = -1
    if shape not in FUNCTIONS and shape != "class":
        member = walker.leaf_of("field", name_node, begin_all, end, definition, start)
        field = walker.definitions[member]
        field.exported = not (hidden or name.startswith("#"))
        field.modifiers = ("static",) if static else ()
        field.decorators = tuple(text for text, _ in decorators)
    annotation = (
        lower_wrapped_type(walker, annotation_node)
        if annotation_node is not None
        else find_declared_type(walker, begin_all)
    )
    value = 0
    if value_node is not None:
        around = walker.this, walker.scope
        made = shape in FUNCTIONS
        walker.this = This(scope, walker.definition_value(definition) if static else 0, -1 if static else definition)
        if made:
            walker.scope = scope
        target = Target(
            name, name_node.start_byte, name, begin_all, end, "method", fields=walker.this.owner, static=static,
            member=made, shown=start,
        )  # fmt: skip
        value = value_for(walker, value_node, target)
        walker.this, walker.scope = around
        if member < 0 and walker.code[value] == op.DEFINITION:
            member = walker.code[value + op.DEFINED]
            walker.definitions[member].exported = not (hidden or name.startswith("#"))
    if static:
        lower_declared_properties(walker, name, value_node, definition)
    if decorators and member >= 0:
        walker.decorators[member] = [each for _, each in decorators if each]
    typed = walker.emit(op.TYPED, name_node.start_byte, annotation, value) if annotation else value
    walker.bind(name, typed, walker.scopes[scope].start_byte, "" if value else "annotation", scope)


def static_block(walker: EcmaScriptWalker, node: Node, definition: int) -> None:
    around = walker.enter("lambda", walker.definition, node.start_byte, node.end_byte)
    walker.this = This(walker.scope, walker.definition_value(definition))
    body = node.child_by_field_name("body")
    if body is not None:
        lower_statements(walker, body.named_children)
    walker.leave(around)


HANDLERS: Final[Handlers] = {
    "class_declaration": class_declaration,
    "abstract_class_declaration": class_declaration,
    "class": class_expression,
}
NAMED_VALUES: Final[NamedHandlers] = {"class": lower_named_class}
MEMBERS: Final[MemberHandlers] = {"method_signature": method_signature}
