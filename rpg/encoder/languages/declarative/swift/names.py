"""What names mean in Swift: types in the modules around, patterns, parameters with labels.

In: nodes. Out: expressions, bindings.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple, cast

from rpg.encoder import operations as op
from rpg.encoder.facts import ANNOTATION, READ, Import, Parameter
from rpg.encoder.languages.declarative.expressions import type_of
from rpg.encoder.languages.declarative.lowering import DeclarativeLowering
from rpg.encoder.languages.declarative.packages import bind_import
from rpg.encoder.languages.declarative.swift.rules import module_of
from rpg.encoder.lowering.node import Node, ReadPiece, errors_in

TYPES: Final = frozenset(
    """user_type optional_type array_type dictionary_type function_type tuple_type opaque_type existential_type
    protocol_composition_type metatype""".split()
)


_UNKNOWN_MACRO: Final = re.compile(rb"#_[A-Za-z]\w*")


class Behind(NamedTuple):
    """A part of a node that is a name, where that stands behind a sign."""

    start_byte: int
    end_byte: int
    type: str


class SwiftWalker(DeclarativeLowering):
    def __init__(self, path: str, language: str, source: bytes, parse: ReadPiece) -> None:
        super().__init__(path, language, source, parse)
        self.package = module_of(path)
        self.modules: set[str] = {self.package, "Swift", "Foundation"}
        """The module of the file, and those that it imports."""
        self.extended: list[str] = []
        """The types in whose extensions the types around stand."""
        self.held_back: list[tuple[int, Node, int]] = []
        """Operators whose last operand is not known yet: where the operation begins, the operator, the other operand
        (0: none)."""

    def lower(self, root: Node) -> None:
        """Macros of the language whose names begin with `#_` stand as numbers for the grammar, which does not know
        them."""
        if root.has_error and b"#_" in self.source:
            other = self.parse(_UNKNOWN_MACRO.sub(lambda found: b"0".ljust(len(found[0])), self.source))
            if errors_in(other) < errors_in(root):
                root = other
        super().lower(root)

    def words_before(self, start: int, name: int) -> frozenset[str]:
        """Without what says who may write a variable."""
        words = super().words_before(start, name)
        return words - {"private", "fileprivate"} if "set" in words else words

    def type_name(self, node: Node, role: int = ANNOTATION) -> int:
        """In an extension also a type of the one that it extends."""
        text = self.text_of(node)
        if not (self.owner or self.extended) or text in self.spec.self_types or self.scope_of(text) >= 0:
            return super().type_name(node, role)
        return self.type_of_extended(node, text, [self.owner, *self.extended] if self.owner else self.extended, role)

    def value_name(self, node: Node, role: int = READ, call: bool = False) -> int:
        """In a type that stands in an extension also a type of the one that is extended."""
        node = self.wrapped(node)
        text = self.text_of(node)
        is_type = bool(self.extended) and text[:1].isupper() and self.scope_of(text) < 0
        if not is_type or self.scope_of_type(text) >= 0:
            return super().value_name(node, role, call)
        return self.type_of_extended(node, text, self.extended, role)

    def member(self, holder: int, node: Node, role: int = READ) -> int:
        return super().member(holder, self.wrapped(node), role)

    def wrapped(self, node: Node) -> Node:
        """The name behind the sign of `$name`, which is what the wrapper of that property gives out."""
        start = node.start_byte + self.shift
        if self.source[start : start + 1] != b"$" or not self.source[start + 1 : start + 2].isalpha():
            return node
        return cast(Node, Behind(node.start_byte + 1, node.end_byte, node.type))

    def type_of_extended(self, node: Node, text: str, owners: list[str], role: int) -> int:
        start, word = node.start_byte, self.string(text)
        around: list[int] = []
        for each in owners:
            outermost, *inner = each.split(".")
            holder = self.variable(self.string(outermost), start)
            for part in inner:
                holder = self.emit(op.ATTRIBUTE, start, holder, self.string(part))
            around.append(holder)
        value = self.emit(op.ATTRIBUTE, start, self.union([*around, self.variable(word, start)], start), word)
        self.site(value, role)
        return value

    def parameters_beside(self, node: Node, scope: int) -> list[Node]:
        """`label name: Type = value`: the label is what a call gives, the name what the body reads."""
        defaults = {child.start_byte for child in node.children_by_field_name("default_value")}
        rows: list[Parameter] = []
        seen: list[Node] = []
        start = self.scopes[scope].start_byte
        named = node.child_by_field_name("name")
        is_labelled = node.type == "init_declaration" or (named is not None and named.type == "simple_identifier")
        for child in node.children:
            if child.type == "parameter":
                rows.append(parameter(self, child, rows, scope, start, is_labelled))
                seen.append(child)
            elif child.type == "..." and rows:
                rows[-1] = rows[-1]._replace(kind="list")
            elif child.start_byte in defaults and rows:
                if child.is_named:
                    around, self.expected = self.expected, rows[-1].annotation
                    self.walk(child)
                    self.expected = around
                    seen.append(child)
                rows[-1] = rows[-1]._replace(default=self.literal("default", child.start_byte))
        if rows:
            self.parameters[scope] = rows
        return seen


def parameter(
    walker: SwiftWalker, node: Node, rows: list[Parameter], scope: int, start: int, is_labelled: bool
) -> Parameter:
    """`is_labelled`: whether its name is its label where it has none of its own, unlike those of operators and
    subscripts."""
    named = node.children_by_field_name("name")
    label = node.child_by_field_name("external_name")
    annotation = type_of(walker, named[-1]) if len(named) > 1 else 0
    name = walker.text_of(named[0]) if named else ""
    if name:
        walker.bind(name, walker.emit(op.PARAMETER, node.start_byte, scope, len(rows)), start)
    given = walker.source_of(label) if label is not None else name if is_labelled else "_"
    is_list = any(child.type == "..." for child in node.children)
    kind = "list" if is_list else "positional" if given == "_" else "keyword"
    return Parameter("" if given == "_" else given, kind, annotation, 0)


def import_declaration(walker: SwiftWalker, node: Node) -> int:
    """`import Shop`, `import struct Shop.Cart`"""
    path = next((child for child in node.named_children if child.type == "identifier"), None)
    if path is None:
        return 0
    text = "".join(walker.source_of(path).split())
    module, _, name = text.partition(".")
    walker.modules.add(module)
    if name and "." not in name and name[:1].isupper():
        bind_import(walker, text, path.start_byte, False, "", module, name)
    else:
        walker.imports.append(Import(module, 0, path.start_byte, 0, "star"))
    return 0


def identifier(walker: SwiftWalker, node: Node) -> int:
    """A variable; `Self` is the type around."""
    if walker.self_name and walker.source_of(node) == "Self":
        return walker.variable(walker.string(walker.self_name), node.start_byte)
    return walker.value_name(node)


def user_type(walker: SwiftWalker, node: Node) -> int:
    """`Module.Outer.Inner<Argument>`"""
    value = 0
    arguments: list[int] = []
    parts = [child for child in node.named_children if child.type == "type_identifier"]
    is_module = len(parts) > 1 and walker.source_of(parts[0]) in walker.modules
    for child in parts[1:] if is_module else parts:
        value = walker.member(value, child, ANNOTATION) if value else walker.type_name(child)
    for child in node.named_children:
        if child.type == "type_arguments":
            arguments = [type_of(walker, each) for each in child.named_children]
    if value and any(arguments):
        return walker.emit(op.SUBSCRIPT, node.start_byte, value, walker.one_or_tuple(arguments, node.start_byte))
    return value


def dictionary_type(walker: SwiftWalker, node: Node) -> int:
    held = [type_of(walker, child) for child in node.children_by_field_name("name")]
    return walker.emit(op.SUBSCRIPT, node.start_byte, walker.literal("dict", node.start_byte),
                       walker.one_or_tuple(held, node.start_byte)) if len(held) == 2 else 0  # fmt: skip


def function_type(walker: SwiftWalker, node: Node) -> int:
    """`(Cart, _ count: Int) -> Line`"""
    listed = node.child_by_field_name("params")
    parameters: list[int] = []
    for item in listed.named_children if listed is not None else ():
        named = [child for child in item.children_by_field_name("name") if child.type != "simple_identifier"]
        parameters.append(type_of(walker, named[-1]) if named else 0)
    result = node.child_by_field_name("name")
    returned = type_of(walker, result) if result is not None else 0
    byte = node.start_byte
    types = walker.emit(op.TUPLE, byte, len(parameters), *parameters)
    return walker.emit(op.FUNCTION_TYPE, byte, returned, types)


def types_in(walker: SwiftWalker, node: Node) -> int:
    """A type of which only its parts are known: of functions, of types."""
    for child in node.named_children:
        type_of(walker, child)
    return 0


def bind_pattern(walker: SwiftWalker, node: Node, value: int, is_bound: bool) -> None:
    """Binds the variables of a pattern; `is_bound`: bare names in it are variables."""
    bound = node.children_by_field_name("bound_identifier")
    parts = node.named_children
    typed = next((child for child in parts if child.type in TYPES), None)
    if typed is not None:
        value = walker.emit_typed(type_of(walker, typed), typed.start_byte)
    is_case = False
    for child in node.children:
        kind = child.type
        if kind == ".":
            is_case = True
        elif is_case and kind == "simple_identifier":
            walker.member(value, child)
            is_case, value = False, 0
        elif not child.is_named:
            continue
        elif kind == "value_binding_pattern":
            is_bound = True
        elif kind == "simple_identifier":
            if child in bound or (is_bound and len(parts) == 1):
                walker.bind(walker.text_of(child), value, child.end_byte)
        elif kind == "pattern":
            bind_pattern(walker, child, value if typed is not None or len(parts) == 1 else 0, is_bound)
        elif child != typed:
            walker.walk(child)


def find_matched_value(node: Node, at: int) -> Node | None:
    """What stands behind the `=` of a `case`."""
    is_behind = False
    for child in node.children[at:]:
        if is_behind and child.is_named:
            return child
        is_behind = is_behind or child.type == "="
    return None


def conditions(walker: SwiftWalker, node: Node) -> None:
    """The parts of `if`, `guard` and `while` in order; a name that is only unwrapped keeps what it is."""
    pending: Node | None = None
    given: Node | None = None
    in_case = is_bound = is_case = False
    annotation = 0
    known: dict[int, int] = {}
    for at, child in enumerate(node.children):
        kind = child.type
        if kind == "case":
            in_case, is_bound = True, False
            matched = find_matched_value(node, at)
            value = walker.walk(matched) if matched is not None else 0
            if matched is not None:
                known[matched.start_byte] = value
        elif in_case and kind == ".":
            is_case = True
        elif in_case and is_case and kind == "simple_identifier":
            walker.member(value, child)
            is_case, value = False, 0
        elif child.start_byte in known and not in_case:
            continue
        elif kind == "=":
            if in_case:
                in_case = False
            elif pending is not None:
                given, pending = pending, None
        elif kind == "value_binding_pattern":
            is_bound = True
        elif in_case:
            if kind == "pattern":
                bind_pattern(walker, child, value, is_bound)
            elif kind in TYPES:
                type_of(walker, child)
        elif not child.is_named:
            if kind == "," and pending is not None:
                walker.value_name(pending, READ)
                pending = None
            is_bound = False
        elif kind == "simple_identifier" and is_bound and pending is None and given is None:
            pending, is_bound, annotation = child, False, 0
        elif kind == "type_annotation":
            annotation = type_of(walker, child.named_children[-1]) if child.named_child_count else 0
        else:
            if pending is not None and kind in ("statements", "else"):
                walker.value_name(pending, READ)
                pending = None
            value = walker.walk(child)
            if given is not None:
                value = walker.emit_typed(annotation, child.start_byte) if annotation else value
                walker.bind(walker.text_of(given), value, child.end_byte)
                given = None
            is_bound = False
    if pending is not None:
        walker.value_name(pending, READ)
