"""Calls, `super()`, and what methods of containers put into them."""

from __future__ import annotations

from collections.abc import Callable

from rpg.encoder.facts import CALLED, READ, SITE_WORDS
from rpg.encoder.languages.python.literals import Literals
from rpg.encoder.languages.python.walk import DISPLAYS, Node
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.operations import (
    BYTE,
    CALL,
    DICTIONARY,
    DOUBLE_STARRED,
    ELEMENT,
    HOLDER,
    ITEM_COUNT,
    ITEMS,
    MEMBER,
    NAME,
    POSITIONAL,
    STARRED,
    STRING,
    SUBSCRIPT,
    SUPER,
    WORD,
)

_APPENDING = {"append": 0, "add": 0, "appendleft": 0, "insert": 1, "setdefault": 1}
_EXTENDING = {"extend", "extendleft", "update"}
"""Methods of containers that put an argument in, and which one."""


class Calls(Literals):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.expressions |= {
            "call": self.call,
        }

    def call(self, node: Node) -> int:
        children = node.children
        function, arguments = children[0], children[-1]
        callee_kind = function.type
        role, self.role = self.role, READ
        if callee_kind == "identifier" and self.node_text(function) == "super":
            offset = self.super_call(node)
            self.role = role
            return offset
        silent = callee_kind in ("identifier", "attribute")
        if silent:
            # The call is the site, not the reading of its callee.
            callee = self.expression(function)
            del self.sites[-SITE_WORDS:]
        else:
            callee = self.expression(function)
        row: list[int] = []
        if arguments.type == "generator_expression":
            row += (POSITIONAL, self.expression(arguments))
        else:
            for argument in arguments.named_children:
                kind = argument.type
                if kind == "keyword_argument":
                    parts = argument.children
                    row += (self.string(self.node_text(parts[0])), self.expression(parts[-1]))
                elif kind == "list_splat":
                    row += (STARRED, self.wrapped(argument))
                elif kind == "dictionary_splat":
                    row += (DOUBLE_STARRED, self.wrapped(argument))
                elif kind == "comment":
                    self.comment(argument)
                else:
                    row += (POSITIONAL, self.expression(argument))
        self.role = role
        byte = self.code[callee + BYTE] if silent else function.end_byte + self.shift
        offset = self.emit(CALL, byte, callee, len(row) // 2, *row)
        self.sites += (offset, CALLED, self.definition)
        if self.keyed:
            for value in row[1::2]:
                if self.code[value] == NAME:
                    self.forget(self.texts[self.code[value + WORD]])
            if callee_kind == "attribute" and self.code[self.code[callee + HOLDER]] == NAME:
                self.forget(self.texts[self.code[self.code[callee + HOLDER] + WORD]])
        if callee_kind == "attribute" and row:
            method = self.texts[self.code[callee + MEMBER]]
            position = _APPENDING.get(method)
            if position is not None and 2 * position < len(row):
                self.items.append((self.code[callee + HOLDER], 0, row[2 * position + 1]))
            elif method in _EXTENDING:
                self.extends(method, self.code[callee + HOLDER], row, node.end_byte)
        return offset

    def extends(self, method: str, holder: int, row: list[int], byte: int) -> None:
        """`list.extend(values)`, `dict.update(values, name=value)`: what is in the values is in the container now."""
        code = self.code
        for keyword, value in zip(row[::2], row[1::2], strict=True):
            if not value:
                continue
            start = code[value + BYTE]
            if keyword >= 0:
                self.items.append((holder, self.emit(STRING, start, keyword), value))
            elif method == "update" and keyword == POSITIONAL and code[value] == DICTIONARY:
                pairs = code[value + ITEMS : value + ITEMS + 2 * code[value + ITEM_COUNT]]
                for key, held in zip(pairs[::2], pairs[1::2], strict=True):
                    if key and held:
                        self.items.append((holder, key, held))
                        self.keep(self.emit(SUBSCRIPT, start, holder, key), held, byte)
            elif method == "update" and code[value] not in DISPLAYS:
                self.items.append((holder, 0, self.emit(SUBSCRIPT, start, value, 0)))
            elif keyword != DOUBLE_STARRED:
                self.items.append((holder, 0, self.emit(ELEMENT, start, value)))

    def super_call(self, node: Node) -> int:
        arguments = node.child_by_field_name("arguments")
        given = parts_of(arguments) if arguments is not None else []
        after = self.expression(given[0]) if given else 0
        for child in given[1:]:
            self.expression(child)
        scope = self.scope
        while scope > 0 and not self.scopes[scope].receiver:
            scope = self.scopes[scope].parent
        return self.emit(SUPER, node.start_byte + self.shift, scope, after)
