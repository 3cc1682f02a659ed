"""Lowers types that stand in strings and comments: quoted annotations, arguments of `cast` and of what makes types,
type comments.

In: nodes. Out: expressions with ANNOTATION sites, as if the type were written out.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import ANNOTATION
from rpg.encoder.languages.python.walker import PythonWalker
from rpg.encoder.lowering.node import Node

_COMMENT: Final = re.compile(rb"#\s*type:\s*(?!ignore\b)(\S.*?)\s*(?:#.*)?\Z", re.DOTALL)
_OF_FUNCTION: Final = re.compile(rb"\(([^()]*)\)\s*->\s*(\S.*)\Z", re.DOTALL)
_MODULES: Final = frozenset(("typing", "typing_extensions", "t", "te", "tp", "_t"))
"""What the modules of types are called."""
_FROM: Final = {"cast": (0, 1), "assert_type": (1, 2), "NewType": (1, 2), "ForwardRef": (0, 1), "TypeVar": (1, 99)}
"""Functions of these modules that take types -> the positions of these, from and to."""
_MAKERS: Final = frozenset(("NamedTuple", "TypedDict"))
"""Those that take the types of fields, in pairs or by name."""
TAKING: Final = frozenset((*_FROM, *_MAKERS))
"""All of them."""
_KEYWORDS: Final = frozenset(("bound", "default"))
_GENERIC: Final = frozenset(
    """
    Awaitable Callable Dict FrozenSet Generator Iterable Iterator List Mapping Optional Sequence Set Tuple Type Union
    """.split()
)
"""Types whose arguments are types wherever they stand; quoted ones are none of strings."""


def lower_quoted_annotation(walker: PythonWalker, content: Node) -> int:
    """A quoted annotation, which is source of its own."""
    return type_between(walker, content.start_byte, content.end_byte)


def type_between(walker: PythonWalker, start: int, end: int) -> int:
    """The type that the source has between two places, with the current role."""
    if walker.shift:
        return 0
    piece = walker.source[start:end]
    root = walker.parse(piece.strip())
    statements = root.named_children
    if root.has_error or len(statements) != 1:
        return 0
    inner = statements[0].named_children[0] if statements[0].type == "expression_statement" else statements[0]
    walker.shift = start + len(piece) - len(piece.lstrip())
    offset = walker.walk(inner)
    walker.shift = 0
    return offset


def is_typing(walker: PythonWalker, callee: int) -> bool:
    """Whether a callee or generic type may be one of the modules of types."""
    code = walker.code
    if code[callee] == op.NAME:
        return True
    holder = code[callee + op.HOLDER] if code[callee] in (op.ATTRIBUTE, op.PATH) else 0
    return bool(holder) and code[holder] == op.NAME and walker.texts[code[holder + op.WORD]] in _MODULES


def takes_type(walker: PythonWalker, callee: int, position: int, keyword: str, node: Node) -> bool:
    """Whether an argument with a quoted type is one; `position`: how many arguments are before it."""
    name = walker.texts[op.find_name_word(walker.code, callee)]
    if name in _MAKERS:
        is_taken = position == 1 and not keyword
    elif keyword:
        is_taken = name == "TypeVar" and keyword in _KEYWORDS
    else:
        first, last = _FROM.get(name, (0, 0))
        is_taken = first <= position < last
    if not is_taken or not is_typing(walker, callee):
        return False
    written = walker.bytes_of(node)
    return b'"' in written or b"'" in written


def type_argument(walker: PythonWalker, callee: int, node: Node) -> int:
    """Such an argument; of the pairs of a named tuple and the entries of a dictionary, the second parts are types."""
    if walker.texts[op.find_name_word(walker.code, callee)] not in _MAKERS:
        return walker.annotation(node)
    for each in node.named_children:
        parts = each.named_children
        if each.type in ("tuple", "list", "pair") and len(parts) == 2:
            walker.walk(parts[0])
            walker.annotation(parts[1])
        else:
            walker.walk(each)
    return 0


def is_generic(walker: PythonWalker, value: int) -> bool:
    """Whether what an index is taken of is a type that takes types."""
    if walker.code[value] not in (op.NAME, op.ATTRIBUTE, op.PATH):
        return False
    return walker.texts[op.find_name_word(walker.code, value)] in _GENERIC and is_typing(walker, value)


def type_comment(walker: PythonWalker, node: Node) -> None:
    """`# type: list[Cart]`, `# type: (Cart) -> int`."""
    found = _COMMENT.match(walker.bytes_of(node))
    if found is None or walker.shift:
        return
    before = walker.role
    parts = _OF_FUNCTION.match(found.group(1))
    start = node.start_byte + found.start(1)
    spans = [found.span(1)] if parts is None else [parts.span(1), parts.span(2)]
    for first, last in spans:
        at = node.start_byte if parts is None else start
        if last > first:
            walker.role = ANNOTATION
            type_between(walker, at + first, at + last)
    walker.role = before
