"""Where a function or class is handed on by a place that does not name it: where it is written.

In: an index, a symbol that nothing is known to use. Out: that place, if the symbol is a value there (`on("x", function
go() {})`), so that its name is only a label of it; and where an object is handed to a function in whose literal it is
(`registry.add({ go() {} })`): whoever gets that may reach its members by names that it computes, unless it is known to
do no such thing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from rpg.encoder.languages import BY_NAME
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.account.literals import reflects
from rpg.queries.account.occurrences import LinesOf, find_line_starts, find_offset
from rpg.queries.account.places import UNRESOLVED, Left
from rpg.queries.account.placing.brackets import Brackets
from rpg.queries.graph.families import is_of_object
from rpg.stores.index.edge_reads import list_edges_from_file
from rpg.stores.index.symbol_reads import find_extent
from rpg.text.computed_keys import key_of

if TYPE_CHECKING:
    from rpg.queries.graph.nodes import Node
    from rpg.stores.index.index import Index

AS_VALUE: Final = "a value where it is written: what gets that may run it"
IN_OBJECT: Final = "hands on as a whole the object that it is in"
NEAR: Final = 120
"""How many bytes in front of a name or bracket say what it is."""
_CALL: Final = re.compile(rb"[\w$)\]]\s*(?:<[\w<>, |]*>)?\Z")
_CALLEE: Final = re.compile(rb"([\w$]+)\s*(?:<[\w<>, |]*>)?\Z")
_NO_CALL: Final = re.compile(rb"\b(?:if|for|while|switch|catch|function|return|with)\s*\Z|\bfunction\s+[\w$]+\s*\Z")
_NAMED: Final = re.compile(rb"=\s*\Z")
_BLOCK: Final = re.compile(rb"(?:\)|=>|\b(?:do|else|try|finally|then|class\s[^{]*)|[;}{])\s*\Z")


def find_places_handed_on(index: Index, node: Node, covers: Callable[[str], bool]) -> list[Left]:
    if node.kind not in (*FUNCTION_KINDS, *CLASS_KINDS) or node.language not in BY_NAME or not covers(node.path):
        return []
    if key_of(node.name) is not None:
        return []  # code that has the object reaches it by the same value
    rules = BY_NAME[node.language].rules
    if rules.labels_value is None and not rules.members_read.by_index:
        return []
    text = index.source(node.path)
    offset = find_offset(text, find_line_starts(text), node.name_line, find_extent(index, node.row)[2])
    at, reason = -1, IN_OBJECT
    if rules.labels_value is not None and rules.labels_value.search(text[max(0, offset - NEAR) : offset]) is not None:
        at, reason = offset, AS_VALUE
    elif rules.members_read.by_index and is_of_object(index, node):
        at, opening = find_argument(text, offset)
        at = -1 if at == offset or _takes_by_name(index, node.path, text, opening) else at
    return [Left(UNRESOLVED, node.path, *LinesOf(text).place(at), bool(node.test), reason)] if at >= 0 else []


def _takes_by_name(index: Index, path: str, text: bytes, opening: int) -> bool:
    """Whether a call runs a function of the repository in whose file no member is reached by a computed name."""
    called = _CALLEE.search(text, max(0, opening - NEAR), opening)
    if called is None:
        return False
    site = ":".join(map(str, LinesOf(text).place(called.start(1))))
    targets = {
        target.partition("::")[0]
        for _, kind, _, sites, target, _, _ in list_edges_from_file(index, path)
        if kind == "calls" and site in sites.split()
    }
    return bool(targets) and not any(reflects(index.source(each)) for each in targets)


def find_argument(text: bytes, offset: int) -> tuple[int, int]:
    """Where the argument of a call begins that is what stands at an offset, or the literal that has it, and where the
    call's arguments do; -1 if there is none."""
    literal = offset
    for opening in Brackets(text).around(offset):
        before = text[max(0, opening - NEAR) : opening]
        if text.startswith(b"(", opening):
            is_call = _CALL.search(before) is not None and _NO_CALL.search(before) is None
            return (literal, opening) if is_call else (-1, -1)
        if _NAMED.search(before) is not None or (text.startswith(b"{", opening) and _BLOCK.search(before) is not None):
            return -1, -1
        literal = opening
    return -1, -1
