"""Lowers JSX: elements of components are calls.

In: nodes. Out: calls with one object of properties.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.languages.ecmascript.lowering.expressions import lower_callee
from rpg.encoder.languages.ecmascript.lowering.objects import key_of
from rpg.encoder.languages.ecmascript.types.type_expressions import SPREAD
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers, Walker


def jsx_element(walker: EcmaScriptWalker, node: Node) -> int:
    """A component is called with one object of its properties; the values of other elements do not matter."""
    tag = node.child_by_field_name("open_tag") if node.type == "jsx_element" else node
    name = walker.name_node(tag) if tag is not None else None
    callee = byte = 0
    if name is not None and (
        name.type != "identifier" or walker.source[name.start_byte : name.start_byte + 1].isupper()
    ):
        callee, byte = lower_callee(walker, name)
    properties = walker.open_scope("object", walker.definition, node.start_byte, node.end_byte) if callee else -1
    made = walker.emit(op.OBJECT, node.start_byte, properties) if callee else 0
    for child in tag.named_children if tag is not None else ():
        if name is not None and child.start_byte == name.start_byte:
            continue
        if child.type == "jsx_attribute":
            jsx_attribute(walker, child, properties, made)
        elif child.type == "jsx_expression":
            value = walker.only(child)
            if value and properties >= 0:
                walker.bind(SPREAD, value, child.start_byte, "", properties)
        else:
            walker.walk(child)
    if tag is not node:
        for child in node.named_children[1:]:
            kind = child.type
            if kind == "jsx_expression":
                value = walker.only(child)
                if value and properties >= 0:
                    walker.bind("children", value, child.start_byte, "weak", properties)
            elif kind != "jsx_closing_element":
                walker.walk(child)
    if not callee:
        return walker.literal("Element", node.start_byte)
    return walker.call(callee, byte, [op.POSITIONAL, made])


def jsx_attribute(walker: EcmaScriptWalker, node: Node, properties: int, made: int) -> None:
    children = parts_of(node)
    if not children:
        return
    if made:
        key_of(walker, children[0], walker.text_of(children[0]), made)
    value = walker.walk(children[1]) if len(children) > 1 else walker.literal("boolean", node.start_byte)
    if value and properties >= 0:
        walker.bind(walker.text_of(children[0]), value, node.start_byte, "", properties)


HANDLERS: Final[Handlers] = {
    "jsx_element": jsx_element,
    "jsx_expression": Walker.only,
    "jsx_self_closing_element": jsx_element,
    "jsx_text": Walker.skip,
}
