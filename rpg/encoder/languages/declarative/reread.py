"""A file that does not parse is parsed again without what its grammar has no place for.

In: a syntax tree with errors. Out: facts of the tree with fewer errors; what was left out is named where it stands.
What that is, each language says (`attempts`).
"""

from __future__ import annotations

from collections.abc import Iterator

from rpg.encoder.languages.declarative.lowering import DeclarativeLowering
from rpg.encoder.lowering.node import Node


class RereadLowering(DeclarativeLowering):
    def attempts(self) -> Iterator[tuple[bytes, list[tuple[int, int]]]]:
        """The source with ever more of it blanked, and the spans of what was blanked and has names."""
        raise NotImplementedError

    def name_between(self, start: int, end: int) -> None:
        """Names what stands in a span that was left out."""
        raise NotImplementedError

    def lower(self, root: Node) -> None:
        best: list[tuple[int, int]] = []
        errors = errors_in(root) if root.has_error else 0
        for blanked, spans in self.attempts() if errors else ():
            other = self.parse(blanked)
            left = errors_in(other)
            if left < errors:
                root, self.shown, best, errors = other, blanked, spans, left
            if not errors:
                break
        super().lower(root)
        self.name_left_out(best)

    def name_left_out(self, spans: list[tuple[int, int]]) -> None:
        definitions = sorted(
            (each.start_byte, -each.end_byte, index) for index, each in enumerate(self.definitions) if index
        )
        around: list[int] = []
        at = 0
        for start, end in spans:
            while at < len(definitions) and definitions[at][0] <= start:
                around.append(definitions[at][2])
                at += 1
            while around and self.definitions[around[-1]].end_byte <= start:
                around.pop()
            self.definition = around[-1] if around else 0
            self.scope = max(self.definitions[self.definition].scope, 0)
            self.name_between(start, end)
        self.definition = self.scope = 0


def errors_in(root: Node) -> int:
    if not root.has_error:
        return 0
    count = 0
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type == "ERROR" or node.is_missing:
            count += 1
        if node.has_error:
            stack.extend(node.children)
    return count
