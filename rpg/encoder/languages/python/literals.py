"""Lowers literals and displays.

In: nodes. Out: expressions. A quoted annotation is parsed as source of its own.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import ANNOTATION, Import
from rpg.encoder.languages.page_templates import SUFFIXES
from rpg.encoder.languages.python.strings.members import path_in
from rpg.encoder.languages.python.strings.types import lower_quoted_annotation
from rpg.encoder.languages.python.walker import PythonWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import STRING_LIMIT, Handlers

_TEMPLATE: Final = re.compile(r"[\w./-]{1,200}\.\w+")
"""A string that may be the name of a page's template."""
_PLAIN: Final = frozenset({"string_content", "string_end"})
"""What is behind the opening quote of a string without interpolations."""


def string_literal(walker: PythonWalker, node: Node) -> int:
    start, end = node.start_byte, node.end_byte
    children = node.named_children
    if walker.role == ANNOTATION and len(children) == 3:
        return lower_quoted_annotation(walker, children[1])
    number = len(children)
    is_plain = number < 2 or (number <= 3 and children[1].type in _PLAIN and children[-1].type in _PLAIN)
    if is_plain and end - start <= STRING_LIMIT:
        text = walker.source_of(children[1]) if number == 3 else ""
        if text.endswith(SUFFIXES) and _TEMPLATE.fullmatch(text):
            walker.imports.append(Import(text, 0, children[1].start_byte + walker.shift, 0, "file"))
        elif "." in text:
            path_in(walker, text, children[1].start_byte + walker.shift)
        return walker.emit(op.STRING, start + walker.shift, walker.string(text))
    for child in children:
        if child.type == "interpolation":
            for part in child.named_children:
                if part.type not in ("format_specifier", "type_conversion"):
                    walker.walk(part)
                else:
                    walker.through(part)
    return walker.emit(op.LITERAL, start + walker.shift, walker.string("str"))


def concatenated_string(walker: PythonWalker, node: Node) -> int:
    for child in node.named_children:
        walker.walk(child)
    return walker.emit(op.LITERAL, node.start_byte + walker.shift, walker.string("str"))


def number_literal(walker: PythonWalker, node: Node) -> int:
    return walker.emit(op.NUMBER, node.start_byte + walker.shift, walker.word_of(node))


def boolean_literal(walker: PythonWalker, node: Node) -> int:
    return walker.emit(op.LITERAL, node.start_byte + walker.shift, walker.string("bool"))


def none_literal(walker: PythonWalker, node: Node) -> int:
    return walker.emit(op.LITERAL, node.start_byte + walker.shift, walker.string("None"))


def display(walker: PythonWalker, node: Node, operation: int) -> int:
    items = []
    for child in node.named_children:
        if child.type == "comment":
            walker.comment(child)
        elif child.type == "list_splat":
            items.append(walker.emit(op.ELEMENT, child.start_byte + walker.shift, walker.wrapped(child)))
        else:
            items.append(walker.walk(child))
    return walker.emit(operation, node.start_byte + walker.shift, len(items), *items)


def list_display(walker: PythonWalker, node: Node) -> int:
    return display(walker, node, op.LIST)


def tuple_display(walker: PythonWalker, node: Node) -> int:
    return display(walker, node, op.TUPLE)


def set_display(walker: PythonWalker, node: Node) -> int:
    return display(walker, node, op.SET)


def dictionary(walker: PythonWalker, node: Node) -> int:
    pairs: list[int] = []
    for child in walker.parts(node):
        if child.type == "pair":
            pairs += (walker.field(child, "key"), walker.field(child, "value"))
        elif child.type == "dictionary_splat":
            pairs += (0, walker.wrapped(child))
    return walker.emit(op.DICTIONARY, node.start_byte + walker.shift, len(pairs) // 2, *pairs)


HANDLERS: Final[Handlers] = {
    "string": string_literal,
    "concatenated_string": concatenated_string,
    "integer": number_literal,
    "float": number_literal,
    "true": boolean_literal,
    "false": boolean_literal,
    "none": none_literal,
    "list": list_display,
    "list_pattern": list_display,
    "tuple": tuple_display,
    "expression_list": tuple_display,
    "pattern_list": tuple_display,
    "tuple_pattern": tuple_display,
    "set": set_display,
    "dictionary": dictionary,
}
