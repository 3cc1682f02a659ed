"""Lowers what Rust runs without naming it: operators, indexes, loops, what format macros show, `?` and `into`.

In: nodes. Out: expressions, with sites of the methods that run. These are found by their traits (`Add.add`), as a type
may have other methods of their names; the method of a trait that is implemented for a reference has that in front, too.
What is missing: `Deref`, as a reference is followed without it, and `Drop`.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import READ
from rpg.encoder.languages.declarative.expressions import call as plain_call
from rpg.encoder.languages.declarative.expressions import subscript, value_of
from rpg.encoder.languages.declarative.unnamed_calls import run_callee, run_member
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

_BINARY: Final = {
    "+": "Add.add", "-": "Sub.sub", "*": "Mul.mul", "/": "Div.div", "%": "Rem.rem", "&": "BitAnd.bitand",
    "|": "BitOr.bitor", "^": "BitXor.bitxor", "<<": "Shl.shl", ">>": "Shr.shr",
}  # fmt: skip
_COMPARED: Final = {"==": "PartialEq.eq", "!=": "PartialEq.eq"} | dict.fromkeys(
    ("<", ">", "<=", ">="), "PartialOrd.partial_cmp"
)
_SIGNS: Final = {"-": "Neg.neg", "!": "Not.not"}
_ASSIGNING: Final = {
    f"{sign}=": f"{trait}Assign.{name}_assign" for sign, (trait, name) in (
        (sign, method.split(".")) for sign, method in _BINARY.items()
    )
}  # fmt: skip
_INDEX: Final = "Index.index"
_INDEX_MUTABLY: Final = "IndexMut.index_mut"
_INTO_ITER: Final = "IntoIterator.into_iter"
_NEXT: Final = "Iterator.next"
_FROM: Final = "From.from"
_SHOWN: Final = {
    "": "Display.fmt", "?": "Debug.fmt", "x": "LowerHex.fmt", "X": "UpperHex.fmt", "b": "Binary.fmt", "o": "Octal.fmt",
    "e": "LowerExp.fmt", "E": "UpperExp.fmt", "p": "Pointer.fmt",
}  # fmt: skip
METHODS: Final = frozenset(
    (*_BINARY.values(), *_COMPARED.values(), *_SIGNS.values(), *_ASSIGNING.values(), *_SHOWN.values(), _INDEX,
     _INDEX_MUTABLY, _INTO_ITER, _NEXT, _FROM)
)  # fmt: skip
"""Trait and method of what the language runs."""
_FORMATTING: Final = frozenset("format print println eprint eprintln write writeln panic format_args".split())
_COMPARING: Final = frozenset({"assert_eq", "assert_ne", "debug_assert_eq", "debug_assert_ne"})
_PLACE: Final = re.compile(r"\{\{|\}\}|\{(?P<name>\w*)(?::(?P<how>[^{}]*))?\}")
_BOOLEAN: Final = "bool"
_STRINGS: Final = frozenset({"string_literal", "raw_string_literal"})


def alias_of(trait: str, name: str, is_reference: bool) -> list[str]:
    """The names by which the language finds a method of a trait."""
    method = f"{trait}.{name}"
    if method not in METHODS:
        return []
    return [method, f"&{method}"] if is_reference else [method]


def binary(walker: DeclarativeWalker, node: Node) -> int:
    """`a + b`, `a == b`"""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return walker.through(node)
    first, second = value_of(walker, left), value_of(walker, right)
    return run_operator(walker, operator.type, operator.start_byte, first, second)


def run_operator(walker: DeclarativeWalker, operator: str, byte: int, first: int, second: int) -> int:
    if operator in _COMPARED:
        run_member(walker, first, _COMPARED[operator], byte, first, second)
        return walker.literal(_BOOLEAN, byte)
    name = _BINARY.get(operator, "")
    if not name:
        return walker.literal(_BOOLEAN, byte)
    return run_member(walker, first, name, byte, first, second)


def is_operator(token: str) -> bool:
    return token in _BINARY or token in _COMPARED


def compound_assignment(walker: DeclarativeWalker, node: Node) -> int:
    """`a += b`"""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return walker.through(node)
    first, second = value_of(walker, left), value_of(walker, right)
    name = _ASSIGNING.get(operator.type, "")
    if name:
        run_member(walker, first, name, operator.start_byte, first, second)
    return 0


def unary(walker: DeclarativeWalker, node: Node) -> int:
    """`-a`, `!a`; `*a` is used like `a`; `*a.cast::<T>()` is a T."""
    value = 0
    for child in node.named_children:
        value = value_of(walker, child)
    sign = node.children[0]
    if sign.type == "*" and value and walker.code[value] == op.CALL and value in walker.type_arguments:
        return walker.emit(op.TYPED, node.start_byte, walker.type_arguments[value][0], value)
    name = _SIGNS.get(sign.type, "")
    made = run_member(walker, value, name, sign.start_byte, value) if name and value else 0
    return made or value


def index(walker: DeclarativeWalker, node: Node) -> int:
    """`a[i]`"""
    value = subscript(walker, node)
    if value:
        holder = walker.code[value + op.HOLDER]
        name = _INDEX_MUTABLY if is_changed(node) else _INDEX
        run_member(walker, holder, name, node.start_byte, holder, 0)
    return value


def is_changed(node: Node) -> bool:
    """Whether what an index gives is written or lent for writing."""
    around = node.parent
    if around is None:
        return False
    if around.type in ("assignment_expression", "compound_assignment_expr"):
        return around.child_by_field_name("left") == node
    return around.type == "reference_expression" and any(each.type == "mutable_specifier" for each in around.children)


def run_loop(walker: DeclarativeWalker, node: Node, value: int) -> None:
    """`for x in v`; `node`: v"""
    is_reference = node.type == "reference_expression"
    run_member(walker, value, ("&" if is_reference else "") + _INTO_ITER, node.start_byte, value)
    run_member(walker, value, _NEXT, node.start_byte, value)


def run_error_conversion(walker: DeclarativeWalker, value: int, byte: int) -> None:
    """`x?` makes the error that the function around returns of the one that x holds."""
    annotation = walker.annotations.get(walker.function, 0)
    if not annotation or walker.scopes[walker.function].kind == "lambda":
        return
    wanted = error_in(walker, walker.emit(op.TYPED, byte, annotation, 0), byte)
    held = error_in(walker, value, byte)
    callee = walker.emit(op.ATTRIBUTE, byte, wanted, walker.string(_FROM))
    run_callee(walker, callee, byte, [op.POSITIONAL, held])


def error_in(walker: DeclarativeWalker, value: int, byte: int) -> int:
    return walker.emit(op.CALL, byte, walker.emit(op.ATTRIBUTE, byte, value, walker.string("unwrap_err")), 0)


def run_conversion(walker: DeclarativeWalker, annotation: int, value: int) -> None:
    """`let x: T = y.into()`"""
    code = walker.code
    if not annotation or not value or code[value] != op.CALL:
        return
    callee = code[value + op.CALLEE]
    if code[callee] == op.ATTRIBUTE and walker.texts[code[callee + op.MEMBER]] == "into":
        byte = code[callee + op.BYTE]
        holder = walker.emit(op.TYPED, byte, annotation, 0)
        named = walker.emit(op.ATTRIBUTE, byte, holder, walker.string(_FROM))
        run_callee(walker, named, byte, [op.POSITIONAL, code[callee + op.HOLDER]])


def call(walker: DeclarativeWalker, node: Node) -> int:
    """`x.to_string()` shows x."""
    value = plain_call(walker, node)
    code = walker.code
    callee = code[value + op.CALLEE] if value and code[value] == op.CALL else 0
    if callee and code[callee] == op.ATTRIBUTE and walker.texts[code[callee + op.MEMBER]] == "to_string":
        holder = code[callee + op.HOLDER]
        run_member(walker, holder, _SHOWN[""], code[callee + op.BYTE], holder, 0)
    return value


def run_in_macro(walker: DeclarativeWalker, name: str, tokens: Node, standing: dict[int, int]) -> None:
    """What a macro of the library runs; `standing`: the values that stand alone between commas, by where they begin."""
    parts = split(tokens)
    if name in _COMPARING and len(parts) > 1:
        first, second = (standing.get(part[0].start_byte, 0) for part in parts[:2])
        if first:
            run_member(walker, first, _COMPARED["=="], parts[0][0].start_byte, first, second)
    if name not in _FORMATTING:
        return
    at = next((at for at, part in enumerate(parts[:2]) if part[0].type in _STRINGS), -1)
    if at < 0:
        return
    text, count = parts[at][0], 0
    given = parts[at + 1 :]
    named = {walker.source_of(part[0]): part[2] for part in given if len(part) > 2 and part[1].type == "="}
    for found in _PLACE.finditer(walker.source_of(text)):
        written, how = found["name"], found["how"] or ""
        if written is None:
            continue
        method = _SHOWN.get(how.rstrip("$")[-1:] if how[-1:] in _SHOWN else "", _SHOWN[""])
        byte = text.start_byte + len(walker.source_of(text)[: found.start("name")].encode())
        if not written:
            part = given[count] if count < len(given) else None
            count += 1
            value = standing.get(part[0].start_byte, 0) if part is not None else 0
            byte = part[0].start_byte if part is not None else byte
        elif written.isdigit():
            part = given[int(written)] if len(written) < 3 and int(written) < len(given) else None
            value = standing.get(part[0].start_byte, 0) if part is not None else 0
            byte = part[0].start_byte if part is not None else byte
        elif written in named:
            value = standing.get(named[written].start_byte, 0)
        else:
            value = walker.name(written, byte, READ)
        if value:
            run_member(walker, value, method, byte, value, 0)


def split(tokens: Node) -> list[list[Node]]:
    """The tokens between the commas of a macro's call, without `&` in front."""
    parts: list[list[Node]] = [[]]
    for token in tokens.children[1:-1]:
        if token.type == ",":
            parts.append([])
        elif token.type not in ("&", "mutable_specifier") or parts[-1]:
            parts[-1].append(token)
    return [part for part in parts if part]
