"""The ground under every part of the lowering: the table of node kinds, names, comments, places.

Each part of the language is a class on top of another that puts its handlers into `table`; a handler takes a node and
returns the expression that the node stands for, 0 where there is none. Nothing here knows any construct.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from rpg.encoder.builder import SIGNATURE_LIMIT, Builder
from rpg.encoder.facts import ATTRIBUTE, DEFINITION, LITERAL, NAME, PATH, READ, THIS, Definition

Node = Any
Handler = Callable[[Node], int]


class This(NamedTuple):
    """What `this` is."""

    scope: int
    """The function whose receiver it is (a class's scope in its field values); 0 at module level."""
    value: int = 0
    """The expression that it equals, where that is known."""
    owner: int = -1
    """The definition whose fields `this.name = value` makes."""


class Place(NamedTuple):
    """Where the walk stands; a function puts it back when it ends."""

    scope: int
    definition: int
    block: int
    function: int
    this: This
    paths: set[str]
    prefix: str
    holder: int


class Walk(Builder):
    """Walks one tree. `parse` gives the root node of a piece of source."""

    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source)
        self.parse = parse
        self.table: dict[str, Handler] = {"comment": self.comment, "html_comment": self.comment}
        self.words: dict[bytes, int] = {}
        """Index of a string by its bytes: names are looked up without decoding them."""
        self.literals: dict[str, int] = {}
        """Expression of each builtin type that was met."""
        self.function = 0
        """The innermost function's scope: where `var` and `return` belong."""
        self.this = This(0)
        self.paths: set[str] = set()
        """Dotted paths (`a.b`, `this.c`) with a binding of their own in the innermost function."""
        self.prefix = ""
        """Dotted name, below the definition around, of the target whose value is being lowered."""
        self.holder = -1
        """The constant around that value: the parent of the symbols in it; -1: none."""
        self.opening = -1
        """Where the statement around the next definition starts (`export`), until it is taken."""
        self.ambient = path.endswith((".d.ts", ".d.mts", ".d.cts"))
        """Whether declarations without bodies are all there is."""
        self.assigned: list[int] = []
        """Bindings by plain assignment, whose scope is known only when every declaration has been seen."""

    # Walking

    def walk(self, node: Node) -> int:
        """Lower a node; the expression it stands for, 0 where there is none."""
        lower = self.table.get(node.type)
        return lower(node) if lower is not None else self.through(node)

    def through(self, node: Node) -> int:
        """Lower what a node contains; it stands for nothing itself."""
        for child in node.named_children:
            self.walk(child)
        return 0

    def skip(self, node: Node) -> int:
        """Nothing that names anything."""
        return 0

    def comment(self, node: Node) -> int:
        self.comments.append((node.start_byte, node.end_byte))
        return 0

    def field(self, node: Node, name: str) -> int:
        child = node.child_by_field_name(name)
        return self.walk(child) if child is not None else 0

    def only(self, node: Node) -> int:
        """The value of the one expression that a node wraps: the last."""
        value = 0
        for child in node.named_children:
            if child.type == "comment":
                self.comment(child)
            else:
                value = self.walk(child)
        return value

    # Names

    def word(self, piece: bytes) -> int:
        """Index of a string given as bytes."""
        index = self.words.get(piece)
        if index is None:
            index = self.words[piece] = self.string(piece.decode("utf-8", "replace"))
        return index

    def text_of(self, node: Node) -> str:
        return self.texts[self.word(self.source[node.start_byte : node.end_byte])]

    def identifier(self, node: Node) -> int:
        start = node.start_byte
        piece = self.source[start : node.end_byte]
        word = self.words.get(piece)
        if word is None:
            word = self.word(piece)
        code = self.code
        offset = len(code)
        code += (NAME, start, word, self.scope)
        self.sites += (offset, READ, self.definition)
        return offset

    def literal(self, name: str, byte: int) -> int:
        """A value of a builtin type; one expression serves all of them in a file."""
        offset = self.literals.get(name)
        if offset is None:
            offset = self.literals[name] = self.emit(LITERAL, byte, self.string(name))
        return offset

    def with_role(self, node: Node, role: int) -> int:
        """Lower a node whose outermost name stands in a role of its own."""
        value = self.walk(node)
        sites = self.sites
        if value and sites and sites[-3] == value and self.code[value] in (NAME, ATTRIBUTE, PATH):
            sites[-2] = role
        return value

    def path_of(self, expression: int) -> str:
        """`a.b.c` for a chain of names, which may start at `this`; else empty."""
        parts: list[str] = []
        code, texts = self.code, self.texts
        while code[expression] in (ATTRIBUTE, PATH):
            parts.append(texts[code[expression + 3]])
            expression = code[expression + 2]
        if code[expression] == NAME:
            parts.append(texts[code[expression + 2]])
        elif code[expression] == THIS:
            parts.append("this")
        else:
            return ""
        return ".".join(reversed(parts))

    def scope_of(self, name: str) -> int:
        """The scope around that binds a name so far; -1 for none."""
        return self.lexical_scope(self.scope, name)

    def definition_of(self, name: str) -> int:
        """The class or function of that name around here; -1 where there is none so far."""
        scope = self.scope
        while scope >= 0:
            found = self.defined.get((scope, name), -1)
            if found >= 0:
                return found
            scope = self.scopes[scope].parent
        return -1

    # Places

    def enter(self, kind: str, definition: int, start: int, end: int) -> Place:
        """Open a function's scope and stand in it. Returns the place to go back to."""
        around = Place(
            self.scope, self.definition, self.block, self.function, self.this, self.paths, self.prefix, self.holder
        )  # fmt: skip
        self.scope = self.function = self.open_scope(kind, definition, start, end)
        self.definition = definition
        self.paths = set()
        if kind == "function":
            self.prefix, self.holder = "", -1
        self.open_block(start, end)
        return around

    def leave(self, around: Place) -> None:
        (
            self.scope, self.definition, self.block, self.function, self.this, self.paths, self.prefix, self.holder
        ) = around  # fmt: skip

    # Definitions

    def qualified(self, name: str) -> str:
        return super().qualified(f"{self.prefix}.{name}" if self.prefix and name else name or self.prefix)

    def around(self) -> int:
        """The innermost symbol around: the parent of the next one."""
        return self.holder if self.holder >= 0 else self.definition

    def opened(self, node: Node) -> int:
        """Where the statement that holds a definition starts; asked once per definition."""
        start = node.start_byte if self.opening < 0 else self.opening
        self.opening = -1
        return int(start)

    def documented(self, start: int) -> tuple[int, str]:
        """Where a definition that starts here begins with its doc comment, and that comment's text."""
        if self.comments:
            begin, end = self.comments[-1]
            source = self.source
            if end <= start and source.startswith(b"/**", begin) and not source[end:start].strip():
                return begin, cleaned(self.text(begin, end))
        return start, ""

    def folded(self, start: int, end: int) -> str:
        return super().folded(start, min(end, start + 8 * SIGNATURE_LIMIT))

    def leaf(self, kind: str, name_node: Node, start: int, end: int, parent: int, declared: int | None = None) -> int:
        """A definition without a body; its doc comment belongs to it. `declared` is where its signature starts."""
        name = self.name_of(name_node)
        begin, doc = self.documented(start)
        around = self.definitions[parent]
        return self.define(
            Definition(
                kind, name, f"{around.qualified_name}.{name}" if parent else name, parent, "", -1, begin, end,
                self.line(begin), self.line(end - 1), name_node.start_byte, end,
                self.folded(start if declared is None else declared, end), doc, False,
            )
        )  # fmt: skip

    def name_of(self, node: Node) -> str:
        """The name that a key or identifier spells: quotes taken off, computed names with their brackets."""
        text = self.text_of(node)
        if text[:1] in ("'", '"') and text[-1:] == text[:1] and len(text) > 1:
            return text[1:-1]
        return text if len(text) <= 120 else text[:119] + "…"

    def definition_value(self, definition: int) -> int:
        return self.emit(DEFINITION, self.definitions[definition].name_byte, definition)


def cleaned(comment: str) -> str:
    """The text of a doc comment without its markers."""
    lines = [line.strip() for line in comment.removeprefix("/**").removesuffix("*/").split("\n")]
    return "\n".join(line[1:].removeprefix(" ") if line.startswith("*") else line for line in lines).strip()
