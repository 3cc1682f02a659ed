"""What the grammar of Kotlin misreads: a primary constructor on a line of its own, where it has the class end with its
name; what a base is delegated to in front of a class's body, which it takes for a lambda that is passed; `..<`.

In: the bytes of a file. Out: the same bytes with that blanked, so that all else keeps its place; what stands in it is
named there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.languages.declarative.reread import RereadLowering
from rpg.encoder.lowering.node import Node, errors_in

_CONSTRUCTOR: Final = re.compile(rb"\bconstructor\s*(?=\()")
_HEADER: Final = re.compile(
    rb"class\s+[\w`]+[^\S\n]*(?:<(?:[^<>{}]|<[^<>{}]*>)*>)?"
    rb"(?P<words>(?:\s|//[^\n]*\n|\b(?:private|internal|protected|public)\b"
    rb"|@[\w.:]+(?:\((?:[^()]|\([^()]*\))*\))?)+)\Z"
)
_HEADER_LIMIT: Final = 600
_CLASSES_IN_HEADER: Final = 3
_DELEGATE: Final = re.compile(rb"\bby\s+[\w.]+(?:\([^(){}]*\))?(?=\s*\{)")
_DELEGATE_LIMIT: Final = 4000
_DECLARES: Final = re.compile(rb"\b(?:class|object)\b")
_RANGE: Final = re.compile(rb"(?<=\.\.)<")
_NOT_OF_LINES: Final = re.compile(rb"[^\n]")


def constructors(source: bytes) -> Iterator[tuple[int, int]]:
    """The words in front of the parameters of constructors that stand on another line than the class's name."""
    for found in _CONSTRUCTOR.finditer(source):
        at, first = found.start(), max(0, found.start() - _HEADER_LIMIT)
        # An annotation in between may name classes, too.
        for _ in range(_CLASSES_IN_HEADER):
            at = source.rfind(b"class", first, at)
            if at < 0:
                break
            header = _HEADER.match(source[at : found.start()])
            if header and b"\n" in header["words"]:
                yield at + header.start("words"), found.end()
                break


def delegates(source: bytes) -> Iterator[tuple[int, int]]:
    """`by b` in front of the body of a class; a lambda in braces belongs to a property's."""
    for found in _DELEGATE.finditer(source):
        at, first = found.start(), max(0, found.start() - _DELEGATE_LIMIT)
        header = source[max(source.rfind(b"{", first, at), source.rfind(b"}", first, at), first) : at]
        named = max(header.rfind(b"val "), header.rfind(b"var "))
        of_property = named >= 0 and not any(sign in header[named:] for sign in (b"(", b")", b"="))
        if b":" in header and not of_property and _DECLARES.search(header):
            yield found.span()


class RepairedLowering(RereadLowering):
    def may_be_misread(self, root: Node) -> bool:
        # Most of it parses: a class's body as a lambda.
        return root.has_error or b"constructor" in self.source or b" by " in self.source

    def is_better(self, other: Node, root: Node) -> bool:
        return errors_in(other) <= errors_in(root)

    def readable(self) -> tuple[bytes, list[tuple[int, int]]]:
        source = self.source
        spans = [*constructors(source), *delegates(source), *(each.span() for each in _RANGE.finditer(source))]
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
