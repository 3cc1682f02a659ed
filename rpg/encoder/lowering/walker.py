"""A Builder that walks a syntax tree: one table of node kinds, one handler each.

In: a root node. Out: facts. A handler is a function of the walker and a node. It returns the expression that the node
stands for, 0 if there is none. A language's modules (expressions, statements, types, ...) each list their handlers, and
its `Lowering` puts the lists together. Kinds that a language does not mention are descended into. Nothing here knows
any construct.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import CALLED, READ, ROLE, SITE_WORDS, Binding, Definition
from rpg.encoder.lowering.builder import SIGNATURE_LIMIT, Builder
from rpg.encoder.lowering.node import Node, ReadPiece

Handler = Callable[[Any, Node], int]
Handlers = dict[str, Handler]
"""By kind of node. The first argument is the language's own walker."""
Position = tuple[int, int, int, int]
"""Scope, definition, block and function scope in which a node is lowered."""


class Table(Handlers):
    """Handlers by kind of node, put together from those of several modules; `otherwise` handles all other kinds."""

    def __init__(self, *parts: Handlers, otherwise: Handler | None = None) -> None:
        super().__init__()
        for part in parts:
            self.update(part)
        self.otherwise = Walker.through if otherwise is None else otherwise

    def __missing__(self, kind: str) -> Handler:
        return self.otherwise


STRING_LIMIT: Final = 120
"""Bytes; longer strings are only values of their type, not keys or names."""


class Walker(Builder):
    """Walks one tree. `parse` returns the root node of a piece of source."""

    comment_kinds: ClassVar[tuple[str, ...]] = ("comment",)
    handlers: ClassVar[Handlers] = {}
    """A Table: how each kind of node is lowered."""

    def __init__(self, path: str, language: str, source: bytes, parse: ReadPiece) -> None:
        super().__init__(path, language, source)
        self.parse = parse
        self.shown = source
        """The bytes that the parser got in place of the source, of the same length."""
        self.table = self.handlers
        self.shift = 0
        """Offset in the file where the walked source begins: not 0 for a piece of it, such as a quoted annotation."""
        self.words: dict[bytes, int] = {}
        """Index of a string by its bytes: names are looked up without decoding them."""
        self.literals: dict[str, int] = {}
        """Expression of each builtin type that occurred."""
        self.function = 0
        """The innermost function's scope: where `return` belongs."""
        self.assigned: list[Binding] = []
        """Bindings by plain assignment, whose scope is known only after all declarations have been seen."""

    # Walking

    def walk(self, node: Node) -> int:
        """Lowers a node; returns the expression it stands for, 0 if there is none."""
        return self.table[node.type](self, node)

    def through(self, node: Node) -> int:
        """Lowers the children of a node that stands for nothing itself."""
        table = self.table
        for child in node.named_children:
            table[child.type](self, child)
        return 0

    def skip(self, node: Node) -> int:
        """For nodes in which nothing names anything."""
        return 0

    def comment(self, node: Node) -> int:
        self.comments.append((node.start_byte, node.end_byte))
        return 0

    def parts(self, node: Node) -> Iterator[Node]:
        """The children of a node, one by one; the comments between are recorded on the way."""
        for child in node.named_children:
            if child.type == "comment":
                self.comment(child)
            else:
                yield child

    def field(self, node: Node, name: str) -> int:
        child = node.child_by_field_name(name)
        return self.walk(child) if child is not None else 0

    def only(self, node: Node) -> int:
        """The value of the one expression that a node wraps: the last."""
        value = 0
        for child in node.named_children:
            kind = child.type
            if kind in self.comment_kinds:
                self.comment(child)
            else:
                value = self.table[kind](self, child)
        return value

    def maybe(self, node: Node | None, loop: bool = False) -> None:
        """Lowers a part that may or may not run."""
        if node is not None:
            around = self.open_block(node.start_byte, node.end_byte, loop)
            self.walk(node)
            self.block = around

    # The current position

    def here(self) -> Position:
        """The current position, to return to."""
        return self.scope, self.definition, self.block, self.function

    def return_to(self, position: Position) -> None:
        self.scope, self.definition, self.block, self.function = position

    def open_block_scope(self, node: Node) -> int:
        """Opens a scope for what a block declares, and enters it."""
        self.scope = scope = self.open_scope("block", self.definition, node.start_byte, node.end_byte)
        return scope

    # Names

    def word(self, piece: bytes) -> int:
        """Index of a string, looked up by its bytes."""
        index = self.words.get(piece)
        if index is None:
            index = self.words[piece] = self.string(piece.decode("utf-8", "replace"))
        return index

    def word_of(self, node: Node) -> int:
        """Index of the string that is a node's text."""
        shift = self.shift
        piece = self.source[node.start_byte + shift : node.end_byte + shift]
        word = self.words.get(piece)
        return self.word(piece) if word is None else word

    def text_of(self, node: Node) -> str:
        """A node's text, added to the strings of the file."""
        return self.texts[self.word_of(node)]

    def source_of(self, node: Node) -> str:
        """Like `text_of`, for text that no expression names."""
        shift = self.shift
        return self.source[node.start_byte + shift : node.end_byte + shift].decode("utf-8", "replace")

    def bytes_of(self, node: Node) -> bytes:
        shift = self.shift
        return self.source[node.start_byte + shift : node.end_byte + shift]

    def identifier(self, node: Node, role: int = READ) -> int:
        """A variable by its node, with its site."""
        shift = self.shift
        start = node.start_byte + shift
        piece = self.source[start : node.end_byte + shift]
        word = self.words.get(piece)
        if word is None:
            word = self.word(piece)
        code = self.code
        offset = len(code)
        code += (op.NAME, start, word, self.scope)
        self.named.append(offset)
        self.sites += (offset, role, self.definition)
        return offset

    def literal(self, name: str, byte: int) -> int:
        """A value of a builtin type; one expression serves all of them in a file."""
        offset = self.literals.get(name)
        if offset is None:
            offset = self.literals[name] = self.emit(op.LITERAL, byte, self.string(name))
        return offset

    def lower_quoted(self, node: Node, name: str) -> int:
        """Text between two quotes of one character; a long one is only a value of the builtin type `name`."""
        start, end = node.start_byte, node.end_byte
        if end - start > STRING_LIMIT:
            return self.literal(name, start)
        piece = self.source[start + 1 : max(start + 1, end - 1)]
        word = self.words.get(piece)
        code = self.code
        offset = len(code)
        code += (op.STRING, start, self.word(piece) if word is None else word)
        return offset

    def with_role(self, node: Node, role: int) -> int:
        """Lowers a node whose outermost name has a special role."""
        value = self.walk(node)
        sites = self.sites
        if value and sites and sites[-SITE_WORDS] == value and self.code[value] in (op.NAME, op.ATTRIBUTE, op.PATH):
            sites[ROLE - SITE_WORDS] = role
        return value

    def set_role_in_type(self, value: int, first: int, role: int) -> int:
        """Gives the outermost name of a type a special role; `first`: number of words in `sites` before the type."""
        code, sites = self.code, self.sites
        named = code[value + op.HOLDER] if code[value] == op.SUBSCRIPT else value
        for at in range(first, len(sites), SITE_WORDS):
            if sites[at] == named:
                sites[at + ROLE] = role
        return value

    def drop_site(self, expression: int) -> bool:
        """Drops the site of the name that was lowered last, because a call of it is the site. Returns whether it was a
        name."""
        if self.code[expression] not in (op.NAME, op.ATTRIBUTE, op.PATH, op.IMPORTED):
            return False
        sites = self.sites
        if sites and sites[-SITE_WORDS] == expression:
            del sites[-SITE_WORDS:]
        return True

    def call(self, callee: int, byte: int, row: list[int]) -> int:
        """A call, with its site; `row`: pairs as in CALL."""
        code = self.code
        offset = len(code)
        code += (op.CALL, byte, callee, len(row) // 2, *row)
        self.sites += (offset, CALLED, self.definition)
        return offset

    def iterated(self, value: int, byte: int, plain: frozenset[int]) -> int:
        """An element of a value; iteration uses its protocol, except for `plain` operations, whose iteration is built
        in. `byte` is where the value begins."""
        element = self.emit(op.ELEMENT, byte + self.shift, value)
        if value and self.code[value] not in plain:
            self.sites += (element, READ, self.definition)
        return element

    def one_or_tuple(self, values: list[int], byte: int) -> int:
        """A key or type argument; several become a tuple."""
        return values[0] if len(values) == 1 else self.emit(op.TUPLE, byte, len(values), *values)

    def union(self, types: list[int], byte: int) -> int:
        """Any of several types; those that stand for nothing are left out."""
        known = [each for each in types if each]
        if len(known) < 2:
            return known[0] if known else 0
        return self.emit(op.UNION, byte, len(known), *known)

    def name_node(self, node: Node) -> Node | None:
        """The node that names a definition; None if it is missing."""
        name = node.child_by_field_name("name")
        return None if name is None or name.start_byte == name.end_byte else name

    def path_of(self, expression: int) -> str:
        """`a.b.c` for a chain of names, which may start at `this`; else empty."""
        parts: list[str] = []
        code, texts = self.code, self.texts
        while code[expression] in (op.ATTRIBUTE, op.PATH):
            parts.append(texts[code[expression + op.MEMBER]])
            expression = code[expression + op.HOLDER]
        if code[expression] == op.NAME:
            parts.append(texts[code[expression + op.WORD]])
        elif code[expression] == op.THIS:
            parts.append("this")
        else:
            return ""
        return ".".join(reversed(parts))

    def scope_of(self, name: str) -> int:
        """The enclosing scope that binds a name so far; -1 if none does."""
        return self.lexical_scope(self.scope, name)

    def assign_later(self, name: str, value: int, byte: int, kind: str = "") -> None:
        """Binds a name in the scope that declares it, which may not be known yet."""
        bound = self.bound[self.scope]
        known = name in bound
        self.bind(name, value, byte, kind)
        self.assigned.append(self.bindings[-1])
        if not known:
            bound.discard(name)

    # Definitions

    def folded(self, start: int, end: int) -> str:
        return super().folded(start, min(end, start + 8 * SIGNATURE_LIMIT))

    def leaf(
        self,
        kind: str,
        name: str,
        byte: int,
        start: int,
        end: int,
        parent: int,
        shown: int = -1,
        exported: bool = False,
    ) -> int:
        """A definition without a body; its doc comment belongs to it. Its signature starts at `shown`."""
        begin, doc = self.documented(start)
        around = self.definitions[parent]
        return self.define(
            Definition(
                kind=kind,
                name=name,
                qualified_name=f"{around.qualified_name}.{name}" if parent else name,
                parent=parent,
                start_byte=begin,
                end_byte=end,
                name_byte=byte,
                body_byte=end,
                signature=self.folded(start if shown < 0 else shown, end),
                doc=doc,
                exported=exported,
            )
        )

    def documented(self, start: int) -> tuple[int, str]:
        """Where a definition that starts here begins with its doc comment, and that comment's text."""
        return start, ""

    def comments_above(self, start: int) -> int:
        """Where the comment lines directly above begin, up to a blank line; `start` if there are none."""
        source, comments = self.shown, self.comments
        begin = start
        at = len(comments) - 1
        while at >= 0:
            first, last = comments[at]
            between = source[last : max(last, begin)]
            line = source.rfind(b"\n", 0, first) + 1
            if last > begin or between.strip() or between.count(b"\n") > 1 or source[line:first].strip():
                break
            begin = first
            at -= 1
        return begin

    def definition_value(self, definition: int) -> int:
        return self.emit(op.DEFINITION, self.definitions[definition].name_byte, definition)

    # The end

    def settle(self, everywhere: bool) -> None:
        """Gives plain assignments the scope that declares their name; module level if none does.

        `everywhere`: an assignment there makes a name of the module.
        """
        for binding in self.assigned:
            scope = self.lexical_scope(binding.scope, binding.name)
            if scope < 0:
                scope = 0
                if everywhere:
                    self.bound[0].add(binding.name)
            binding.scope = scope
