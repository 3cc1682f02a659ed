"""The builtin types of C++: of literals by how they are written, of names by their words, of pointers.

In: nodes. Out: the names of types, in one spelling each: `unsigned long`, `char*`.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.languages.declarative.expressions import type_of
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

_NUMBER: Final = re.compile(
    r"(?P<digits>0x[0-9a-f]*\.?[0-9a-f]*(?:p[-+]?[0-9]+)?|0b[01]+|[0-9]*\.?[0-9]*(?:e[-+]?[0-9]+)?)(?P<suffix>[a-z_]*)"
)
_FLOATING: Final = {"": "double", "f": "float", "l": "long double"}
_WHOLE: Final = {
    "": "int", "l": "long", "ll": "long long", "u": "unsigned int", "ul": "unsigned long", "lu": "unsigned long",
    "ull": "unsigned long long", "llu": "unsigned long long",
}  # fmt: skip
_CHARACTERS: Final = {"L": "wchar_t", "u": "char16_t", "U": "char32_t"}
_ORDER: Final = ("signed", "unsigned", "short", "long", "char", "int", "double")
_LARGEST_INT: Final = 1 << 31
POINTER: Final = "*"
CONSTANT: Final = "const "
_FUNCTIONS: Final = frozenset({"function_declarator", "abstract_function_declarator"})
_POINTERS: Final = frozenset({"pointer_declarator", "abstract_pointer_declarator", "array_declarator"})


def number(walker: DeclarativeWalker, node: Node) -> int:
    name = type_of_number(walker.source_of(node))
    return walker.literal(name, node.start_byte) if name else 0


def type_of_number(text: str) -> str:
    """The type of a number; empty if it depends on the machine, or on a suffix of the program's own."""
    found = _NUMBER.fullmatch(text.lower().replace("'", "").lstrip("+-"))
    if found is None:
        return ""
    digits, suffix = found["digits"], found["suffix"]
    prefix = digits[:2]
    if "." in digits or ("p" if prefix == "0x" else "e") in digits:
        return _FLOATING.get(suffix, "")
    if suffix:
        return _WHOLE.get(suffix, "")
    base = {"0x": 16, "0b": 2}.get(prefix, 8 if digits.startswith("0") else 10)
    try:
        return "int" if int(digits, base) < _LARGEST_INT else ""
    except ValueError:
        return ""


def character(walker: DeclarativeWalker, node: Node) -> int:
    return walker.literal(_CHARACTERS.get(walker.source_of(node).partition("'")[0], "char"), node.start_byte)


def string(walker: DeclarativeWalker, node: Node) -> int:
    prefix = walker.source_of(node).partition('"')[0].removesuffix("R")
    if prefix.startswith("u8"):
        return 0
    return walker.literal(CONSTANT + _CHARACTERS.get(prefix, "char") + POINTER, node.start_byte)


def strings(walker: DeclarativeWalker, node: Node) -> int:
    """`"a" NAME "b"`"""
    value = 0
    for child in node.named_children:
        made = walker.walk(child)
        value = value or (made if child.type in ("string_literal", "raw_string_literal") else 0)
    return value


def lower_signed_number(walker: DeclarativeWalker, node: Node) -> int:
    """`-1.5`"""
    argument = node.child_by_field_name("argument")
    value = walker.through(node)
    is_number = argument is not None and argument.type == "number_literal"
    return number(walker, argument) if is_number and argument is not None else value


def address(walker: DeclarativeWalker, node: Node) -> int:
    """`*x`, `&x`"""
    argument = node.child_by_field_name("argument")
    value = walker.walk(argument) if argument is not None else 0
    operator = node.children[0].type if node.children else ""
    return walker.emit(op.OPERATION, node.start_byte, walker.string(operator), value, 0) if value else 0


def lower_type_descriptor(walker: DeclarativeWalker, node: Node) -> int:
    """A type where no name is declared: `char *` in a cast."""
    typed = node.child_by_field_name("type")
    annotation = type_of(walker, typed) if typed is not None else 0
    declarator = node.child_by_field_name("declarator")
    if declarator is not None:
        walker.read_declarator(declarator)
    return build_pointer_type(walker, annotation, declarator)


def build_pointer_type(walker: DeclarativeWalker, annotation: int, declarator: Node | None) -> int:
    """The builtin type that a declarator makes a pointer to, as the pointer; a pointer to a class is used like it."""
    if not annotation or walker.code[annotation] != op.LITERAL:
        return annotation
    stars = 0
    around = declarator.parent if declarator is not None else None
    is_constant = around is not None and any(
        child.type == "type_qualifier" and walker.source_of(child) == "const"
        for child in around.named_children
        if declarator is not None and child.start_byte < declarator.start_byte
    )
    while declarator is not None:
        if declarator.type in _FUNCTIONS:
            inner = declarator.child_by_field_name("declarator")
            if inner is None or "parenthesized" in inner.type:
                return 0  # a pointer to a function
            break
        stars += declarator.type in _POINTERS
        inner = declarator.child_by_field_name("declarator")
        if inner is None and declarator.type == "reference_declarator" and declarator.named_child_count:
            inner = declarator.named_children[-1]
        declarator = inner
    if not stars:
        return annotation
    name = walker.texts[walker.code[annotation + op.WORD]]
    constant = CONSTANT if is_constant else ""
    return walker.literal(constant + name + POINTER * stars, walker.code[annotation + op.BYTE])


def normalise_type(text: str) -> str:
    """One spelling of a builtin type: `long unsigned int` is `unsigned long`."""
    words = text.split()
    if not any(word in _ORDER for word in words):
        return text
    counted = [word for name in _ORDER for word in words if word == name]
    if len(counted) > 1:
        counted = [word for word in counted if word not in ("int", "signed")] or ["int"]
        if "signed" in words and "char" in words:
            counted = ["signed", "char"]
    if counted in (["signed"], ["unsigned"]):
        counted = ["int"] if counted == ["signed"] else ["unsigned", "int"]
    return " ".join(counted)


def null(walker: DeclarativeWalker, node: Node) -> int:
    """`nullptr`; what `NULL` is depends on the compiler."""
    return walker.literal("nullptr", node.start_byte) if walker.source_of(node) == "nullptr" else 0
