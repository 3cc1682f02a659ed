"""What the grammar of Kotlin misreads: a primary constructor on a line of its own, where it has the class end with its
name; what a base is delegated to in front of a class's body, which it takes for a lambda that is passed; `..<`.

In: the bytes of a file. Out: the same bytes with that blanked, so that all else keeps its place; what stands in it is
named there.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.languages.declarative.reread import RereadLowering
from rpg.encoder.lowering.node import Node, errors_in

_CONSTRUCTOR: Final = re.compile(
    rb"\bclass\s+[\w`]+[^\S\n]*(?:<(?:[^<>{}]|<[^<>{}]*>){0,400}>)?"
    rb"(?P<part>(?:\s|//[^\n]*|\b(?:private|internal|protected|public)\b"
    rb"|@[\w.:]+(?:\((?:[^()]|\([^()]*\)){0,400}\))?){1,400}constructor\s*)\("
)
_DELEGATE: Final = re.compile(
    rb"\b(?:class|object)\b(?P<header>[^{}]{0,4000}?:[^{}]{0,2000}?)"
    rb"(?P<part>\bby\s+[\w.]+(?:\([^(){}]*\))?)\s*\{"
)
_PROPERTY: Final = re.compile(rb"\b(?:val|var)\s+[^()=]*\Z")
_RANGE: Final = re.compile(rb"(?<=\.\.)(?P<part><)")
_NOT_OF_LINES: Final = re.compile(rb"[^\n]")


class RepairedLowering(RereadLowering):
    def may_be_misread(self, root: Node) -> bool:
        # Most of it parses: a class's body as a lambda.
        return root.has_error or b"constructor" in self.source or b" by " in self.source

    def is_better(self, other: Node, root: Node) -> bool:
        return errors_in(other) <= errors_in(root)

    def readable(self) -> tuple[bytes, list[tuple[int, int]]]:
        source = self.source
        spans = [each.span("part") for each in _CONSTRUCTOR.finditer(source) if b"\n" in each["part"]]
        if b" by " in source:
            spans += [each.span("part") for each in _DELEGATE.finditer(source) if not _PROPERTY.search(each["header"])]
        spans += [each.span("part") for each in _RANGE.finditer(source)]
        if not spans:
            return source, spans
        blanked = bytearray(source)
        for start, end in spans:
            blanked[start:end] = _NOT_OF_LINES.sub(b" ", source[start:end])
        return bytes(blanked), spans

    def name_between(self, start: int, end: int) -> None:
        if self.source.startswith(b"by", start):
            self.walk(self.parse(self.source[start + 2 : end], start + 2))
            return
        open_nodes = [self.parse(self.source[start:end], start)]
        while open_nodes:
            node = open_nodes.pop()
            if node.type == "annotation":
                self.walk(node)
            else:
                open_nodes.extend(reversed(node.named_children))

    def root_read(self, root: Node) -> Node:
        return root if self.reread is None else self.reread
