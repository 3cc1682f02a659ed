"""Conditions: what they prove of names where they hold, and where they fail."""

from __future__ import annotations

from collections.abc import Iterable

from rpg.encoder.languages.python.calls import Calls
from rpg.encoder.languages.python.walk import Narrowing, Node
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.operations import ARGUMENT_COUNT, ARGUMENTS, BYTE, CALLEE, NAME, NARROWED, UNION, WORD

PROVES_NOTHING: Narrowing = (0, "", 0, 0)
"""A part of a condition that no name is narrowed by."""


class Conditions(Calls):
    def condition(self, node: Node | None) -> list[tuple[int, str, int, int]]:
        """Lower a condition; what it proves where it holds."""
        if node is None:
            return []
        kind = node.type
        if kind == "parenthesized_expression":
            inner = parts_of(node)
            return self.condition(inner[0]) if len(inner) == 1 else self.nothing_proven(node)
        if kind == "not_operator":
            return self.negated(self.condition(node.child_by_field_name("argument")))
        if kind == "boolean_operator" and self.operator(node) == b"and":
            left, right = self.both(node, False)
            # Where it fails, either part may be the one.
            return [*(left or (right and [PROVES_NOTHING])), *(right or (left and [PROVES_NOTHING]))]
        if kind == "boolean_operator" and self.operator(node) == b"or":
            left, right = self.both(node, True)
            if len(left) == len(right) == 1 and left[0][1] == right[0][1] and not left[0][3] and not right[0][3]:
                value, path, classes, _ = left[0]
                return [(value, path, self.emit(UNION, node.start_byte, 2, classes, right[0][2]), 0)]
            return []
        if kind == "call":
            offset = self.call(node)
            code = self.code
            callee = code[offset + CALLEE]
            if (
                code[offset + ARGUMENT_COUNT] == 2
                and code[callee] == NAME
                and self.texts[code[callee + WORD]] == "isinstance"
            ):
                value, classes = code[offset + ARGUMENTS], code[offset + ARGUMENTS + 2]
                path = self.path_of(value)
                return [(value, path, classes, 0)] if path else []
            return []
        return self.nothing_proven(node)

    def both(self, node: Node, fails: bool) -> tuple[list[Narrowing], list[Narrowing]]:
        """What each side of `and` or `or` proves; the right one is evaluated where the left one holds, or `fails`."""
        left = self.condition(node.child_by_field_name("left"))
        right_node = node.child_by_field_name("right")
        held = self.negated(left) if fails else left
        if not held or right_node is None:
            return left, self.condition(right_node)
        around = self.open_block(right_node.start_byte, right_node.end_byte)
        self.narrow(held, right_node.start_byte)
        right = self.condition(right_node)
        self.block = around
        return left, right

    def nothing_proven(self, node: Node) -> list[tuple[int, str, int, int]]:
        self.expression(node)
        return []

    def negated(self, narrowings: list[tuple[int, str, int, int]]) -> list[tuple[int, str, int, int]]:
        """What holds where a condition fails; of several parts none is known to be the one."""
        return (
            [(value, path, classes, 1 - no) for value, path, classes, no in narrowings] if len(narrowings) == 1 else []
        )

    def narrow(self, narrowings: Iterable[tuple[int, str, int, int]], byte: int) -> None:
        for value, path, classes, no in narrowings:
            if not path:
                continue
            self.bind(path, self.emit(NARROWED, self.code[value + BYTE], value, classes, no), byte, "narrow")
            if "." in path:
                self.dotted[self.scope].add(path)
