"""Lowers calls and `super()`.

In: nodes. Out: CALL and SUPER expressions with their sites, and what methods of containers put into them.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import KEY, READ, Import
from rpg.encoder.languages.python.accesses import forget_entries, keep_entry
from rpg.encoder.languages.python.strings.members import (
    argument_names,
    pass_to_getters,
    replace_members,
    store_member,
)
from rpg.encoder.languages.python.strings.types import TAKING, takes_type, type_argument
from rpg.encoder.languages.python.walker import DISPLAYS, PythonWalker
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers

_APPENDING: Final = {"append": 0, "add": 0, "appendleft": 0, "insert": 1, "setdefault": 1, "connect": 0}
_ENTERING: Final = frozenset({"enter_context", "enter_async_context"})
"""Methods that enter the context that they are passed, as `with` does."""
_EXTENDING: Final = {"extend", "extendleft", "update"}
"""Method of a container that adds the contents of an argument -> position of that argument."""
_COPYING: Final = frozenset(("replace", "evolve"))
"""Functions that copy their first argument with other values in the fields that keywords name."""
_COPYING_ITSELF: Final = "_replace"
"""The method that does so."""
_MODULE: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", re.ASCII)


def call_expression(walker: PythonWalker, node: Node) -> int:
    children = node.children
    function, arguments = children[0], children[-1]
    callee_kind = function.type
    role, walker.role = walker.role, READ
    if callee_kind == "identifier" and walker.source_of(function) == "super":
        offset = super_call(walker, node)
        walker.role = role
        return offset
    getters = len(walker.getters)
    callee = walker.walk(function)
    is_named = callee_kind in ("identifier", "attribute")
    if is_named:
        walker.drop_site(callee)
    takes_types = is_named and walker.texts[op.find_name_word(walker.code, callee)] in TAKING
    row: list[int] = []
    made = -1
    if arguments.type == "generator_expression":
        row += (op.POSITIONAL, walker.walk(arguments))
    else:
        for argument in arguments.named_children:
            kind = argument.type
            if kind == "keyword_argument":
                parts = argument.children
                word = walker.word_of(parts[0])
                if made < 0:
                    made = find_made_class(walker, callee, row)
                if made:
                    walker.site(walker.emit(op.ATTRIBUTE, parts[0].start_byte + walker.shift, made, word), KEY)
                if takes_types and takes_type(walker, callee, 0, walker.texts[word], parts[-1]):
                    row += (word, type_argument(walker, callee, parts[-1]))
                else:
                    row += (word, walker.walk(parts[-1]))
            elif kind == "list_splat":
                row += (op.STARRED, walker.wrapped(argument))
            elif kind == "dictionary_splat":
                row += (op.DOUBLE_STARRED, walker.wrapped(argument))
            elif kind == "comment":
                walker.comment(argument)
            elif takes_types and takes_type(walker, callee, len(row) // 2, "", argument):
                row += (op.POSITIONAL, type_argument(walker, callee, argument))
            else:
                row += (op.POSITIONAL, walker.walk(argument))
                if kind == "string":
                    argument_names(walker, callee, row, argument)
    walker.role = role
    byte = walker.code[callee + op.BYTE] if is_named else function.end_byte + walker.shift
    offset = walker.call(callee, byte, row)
    if row and row[0] == op.POSITIONAL and is_named and walker.code[row[1]] == op.STRING:
        offset = import_named(walker, callee, row, arguments) or offset
    if callee_kind == "attribute" and len(row) > 2 and walker.texts[walker.code[callee + op.MEMBER]] == "multiple":
        replace_members(walker, callee, row, arguments)
    if is_named and len(row) == 6:
        store_member(walker, callee, row)
    if len(walker.getters) > getters:
        pass_to_getters(walker, callee, row, getters)
    is_entering = callee_kind == "attribute" and walker.texts[walker.code[callee + op.MEMBER]] in _ENTERING
    if is_entering and len(row) == 2 and row[0] == op.POSITIONAL:
        offset = walker.emit(op.ENTERED, walker.code[row[1] + op.BYTE], row[1])
        walker.site(offset, READ)
    if walker.keyed:
        for value in row[1::2]:
            if walker.code[value] == op.NAME:
                forget_entries(walker, walker.texts[walker.code[value + op.WORD]])
        if callee_kind == "attribute" and walker.code[walker.code[callee + op.HOLDER]] == op.NAME:
            forget_entries(walker, walker.texts[walker.code[walker.code[callee + op.HOLDER] + op.WORD]])
    if callee_kind == "attribute" and row:
        method = walker.texts[walker.code[callee + op.MEMBER]]
        position = _APPENDING.get(method)
        if position is not None and 2 * position < len(row):
            walker.items.append((walker.code[callee + op.HOLDER], 0, row[2 * position + 1]))
        elif method in _EXTENDING:
            extends(walker, method, walker.code[callee + op.HOLDER], row, node.end_byte)
    if row and is_named and min(row[::2]) >= 0:
        return made_of_keywords(walker, callee, row, node) or offset
    return offset


def made_of_keywords(walker: PythonWalker, callee: int, row: list[int], node: Node) -> int:
    """The dictionary that `dict(total=1)` makes, the object that `SimpleNamespace(total=1)` makes; 0 for another
    call."""
    code, start = walker.code, node.start_byte + walker.shift
    name = walker.texts[op.find_name_word(code, callee)]
    if name == "dict" and code[callee] == op.NAME and "dict" not in walker.bound[0]:
        pairs = [each for at in range(0, len(row), 2) for each in (walker.emit(op.STRING, start, row[at]), row[at + 1])]
        return walker.emit(op.DICTIONARY, start, len(pairs) // 2, *pairs)
    if name == "SimpleNamespace":
        scope = walker.open_scope("object", walker.definition, start, node.end_byte + walker.shift)
        for word, value in zip(row[::2], row[1::2], strict=True):
            walker.bind(walker.texts[word], value, start, "", scope)
        return walker.emit(op.OBJECT, start, scope)
    return 0


def import_named(walker: PythonWalker, callee: int, row: list[int], arguments: Node) -> int:
    """The module that `importlib.import_module("shop.cart")` or `__import__("shop")` gives; 0 for any other call."""
    code, texts = walker.code, walker.texts
    name, module = texts[op.find_name_word(code, callee)], texts[code[row[1] + op.WORD]]
    holder = code[callee + op.HOLDER] if code[callee] != op.NAME else 0
    is_builtin = name == "__import__" and not holder
    is_library = name == "import_module" and len(row) == 2
    if holder and (code[holder] != op.NAME or texts[code[holder + op.WORD]] != "importlib"):
        return 0
    if not (is_builtin or is_library) or _MODULE.fullmatch(module) is None:
        return 0
    byte = arguments.named_children[0].start_byte + walker.shift
    walker.imports.append(Import(module, 0, byte, walker.scope))
    if is_builtin and "." in module and len(row) == 2:
        walker.imports.append(Import(module.partition(".")[0], 0, byte, walker.scope, "parent"))
    return walker.emit(op.IMPORT, byte, len(walker.imports) - 1)


def find_made_class(walker: PythonWalker, callee: int, row: list[int]) -> int:
    """The class of which a call may make an instance, or the object of which it may make an altered copy; else 0."""
    code = walker.code
    if code[callee] not in (op.NAME, op.ATTRIBUTE, op.PATH):
        return 0
    name = walker.texts[op.find_name_word(code, callee)]
    if name in _COPYING:
        return row[1] if row and row[0] == op.POSITIONAL else 0
    if name == _COPYING_ITSELF and code[callee] != op.NAME:
        return code[callee + op.HOLDER]
    return callee if name == "cls" or name.lstrip("_")[:1].isupper() else 0


def extends(walker: PythonWalker, method: str, holder: int, row: list[int], byte: int) -> None:
    """`list.extend(values)`, `dict.update(values, name=value)`: the container now holds what the values hold."""
    code = walker.code
    for keyword, value in zip(row[::2], row[1::2], strict=True):
        if not value:
            continue
        start = code[value + op.BYTE]
        if keyword >= 0:
            walker.items.append((holder, walker.emit(op.STRING, start, keyword), value))
        elif method == "update" and keyword == op.POSITIONAL and code[value] == op.DICTIONARY:
            pairs = code[value + op.ITEMS : value + op.ITEMS + 2 * code[value + op.ITEM_COUNT]]
            for key, held in zip(pairs[::2], pairs[1::2], strict=True):
                if key and held:
                    walker.items.append((holder, key, held))
                    keep_entry(walker, walker.emit(op.SUBSCRIPT, start, holder, key), held, byte)
        elif method == "update" and code[value] not in DISPLAYS:
            walker.items.append((holder, 0, walker.emit(op.SUBSCRIPT, start, value, 0)))
        elif keyword != op.DOUBLE_STARRED:
            walker.items.append((holder, 0, walker.emit(op.ELEMENT, start, value)))


def super_call(walker: PythonWalker, node: Node) -> int:
    arguments = node.child_by_field_name("arguments")
    parts = parts_of(arguments) if arguments is not None else []
    after = walker.walk(parts[0]) if parts else 0
    for child in parts[1:]:
        walker.walk(child)
    scope = walker.scope
    while scope > 0 and not walker.scopes[scope].receiver:
        scope = walker.scopes[scope].parent
    return walker.emit(op.SUPER, node.start_byte + walker.shift, scope, after)


HANDLERS: Final[Handlers] = {
    "call": call_expression,
}
