"""A file that does not parse is parsed again without what its grammar has no place for.

In: a syntax tree with errors. Out: facts of the tree with fewer errors; what was left out is named where it stands.
What that is, each language says (`readable`).
"""

from __future__ import annotations

from rpg.encoder.languages.declarative.lowering import DeclarativeLowering
from rpg.encoder.lowering.node import Node, errors_in


class RereadLowering(DeclarativeLowering):
    reread: Node | None = None

    def readable(self) -> tuple[bytes, list[tuple[int, int]]]:
        """The source with what has no place in it blanked, and the spans of what was blanked and has names."""
        raise NotImplementedError

    def name_between(self, start: int, end: int) -> None:
        """Names what stands in a span that was left out."""
        raise NotImplementedError

    def may_be_misread(self, root: Node) -> bool:
        return root.has_error

    def is_better(self, other: Node, root: Node) -> bool:
        return errors_in(other) < errors_in(root)

    def lower(self, root: Node) -> None:
        left_out: list[tuple[int, int]] = []
        if self.may_be_misread(root):
            source, spans = self.readable()
            if source is not self.source:
                other = self.parse(source)
                if self.is_better(other, root):
                    root, self.shown, left_out = other, source, spans
                    self.reread = other
        super().lower(root)
        self.name_left_out(left_out)

    def name_left_out(self, spans: list[tuple[int, int]]) -> None:
        definitions = sorted(
            (each.start_byte, -each.end_byte, index) for index, each in enumerate(self.definitions) if index
        )
        around: list[int] = []
        at = done = 0
        for start, end in sorted(spans):
            if start < done:
                continue
            done = end
            while at < len(definitions) and definitions[at][0] <= start:
                around.append(definitions[at][2])
                at += 1
            while around and self.definitions[around[-1]].end_byte <= start:
                around.pop()
            self.definition = around[-1] if around else 0
            self.scope = max(self.definitions[self.definition].scope, 0)
            self.name_between(start, end)
        self.definition = self.scope = 0
