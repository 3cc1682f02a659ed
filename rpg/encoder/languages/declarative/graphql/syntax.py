"""GraphQL's kinds of nodes.

In: nodes. Out: `SPEC`, `Lowering`.
"""

from __future__ import annotations

from typing import ClassVar, Final

from rpg.encoder.facts import ANNOTATION, BASE, READ
from rpg.encoder.languages.declarative.lowering import DeclarativeLowering, handlers_of
from rpg.encoder.languages.declarative.spec import Spec
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers

_KINDS: Final[dict[str, str]] = {
    "object_type_definition": "class",
    "interface_type_definition": "interface",
    "input_object_type_definition": "struct",
    "enum_type_definition": "enum",
    "union_type_definition": "type",
    "scalar_type_definition": "type",
    "operation_definition": "function",
    "fragment_definition": "function",
    "field_definition": "field",
    "enum_value_definition": "field",
}
_EXTENSIONS: Final[dict[str, str]] = {
    "object_type_extension": "class",
    "interface_type_extension": "interface",
    "input_object_type_extension": "struct",
    "enum_type_extension": "enum",
    "union_type_extension": "type",
    "scalar_type_extension": "type",
}
_OFFERED: Final = frozenset({"class", "interface", "struct", "enum", "type", "function"})
_PARTS: Final = frozenset({"fields_definition", "input_fields_definition", "enum_values_definition", "selection_set"})


def name_of(node: Node) -> Node | None:
    """The name of a definition, which may be in a node of its own; None too if the parser had to make it up."""
    for child in node.named_children:
        if child.type == "name":
            return child if child.start_byte < child.end_byte else None
        if child.type in ("fragment_name", "enum_value"):
            return name_of(child)
    return None


def define(walker: DeclarativeLowering, node: Node) -> int:
    name = name_of(node)
    kind = _KINDS.get(node.type) or _EXTENSIONS[node.type]
    if name is None:
        return walker.through(node)
    text, outer = walker.text_of(name), walker.definition
    start, end = node.start_byte, node.end_byte
    body = next((child.start_byte for child in node.named_children if child.type in _PARTS), end)
    described = next((child for child in node.named_children if child.type == "description"), None)
    doc = walker.source_of(described).strip('" \r\n\t') if described is not None else ""
    shown = described.end_byte if described is not None else start
    index = walker.symbol(kind, text, name.start_byte, node, body, doc=doc, shown=shown, end_marks=" {")
    if node.type in _EXTENSIONS:
        mention(walker, name, text, READ)
    elif not outer and kind in _OFFERED and node.type != "operation_definition":
        walker.bind(text, walker.definition_value(index), 0)
        walker.offered[text] = None
    walker.definition = index
    walker.through(node)
    walker.definition = outer
    return 0


def input_value(walker: DeclarativeLowering, node: Node) -> int:
    """A field of an input type; an argument is no symbol."""
    if walker.definition and walker.definitions[walker.definition].kind == "struct":
        _define_field(walker, node)
        return 0
    return walker.through(node)


def _define_field(walker: DeclarativeLowering, node: Node) -> None:
    name = name_of(node)
    if name is None:
        return
    text = walker.text_of(name)
    index = walker.leaf(
        "field", text, name.start_byte, node.start_byte, node.end_byte, walker.definition, name.start_byte, True
    )
    outer, walker.definition = walker.definition, index
    walker.through(node)
    walker.definition = outer


def mention(walker: DeclarativeLowering, node: Node, text: str, role: int) -> int:
    value = walker.variable(walker.string(text), node.start_byte)
    walker.site(value, role)
    return value


def named_type(walker: DeclarativeLowering, node: Node) -> int:
    return mention(walker, node, walker.text_of(node), ANNOTATION)


def implements(walker: DeclarativeLowering, node: Node) -> int:
    """The interfaces of a type."""
    pending = [node]
    while pending:
        each = pending.pop()
        if each.type == "named_type":
            value = mention(walker, each, walker.text_of(each), BASE)
            walker.bases.setdefault(walker.definition, []).append(("", value))
        else:
            pending += reversed(each.named_children)
    return 0


def fragment_spread(walker: DeclarativeLowering, node: Node) -> int:
    name = name_of(node)
    return mention(walker, name, walker.text_of(name), READ) if name is not None else 0


SPEC: Final[Spec] = Spec(
    skipped=frozenset({"description", "fragment_name", "directives"}),
    handlers={
        **dict.fromkeys(_KINDS, define),
        **dict.fromkeys(_EXTENSIONS, define),
        "input_value_definition": input_value,
        "implements_interfaces": implements,
        "named_type": named_type,
        "fragment_spread": fragment_spread,
    },
    is_global=True,
)


class Lowering(DeclarativeLowering):
    spec: ClassVar[Spec] = SPEC
    handlers: ClassVar[Handlers] = handlers_of(SPEC)
