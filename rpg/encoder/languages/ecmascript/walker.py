"""The base of ECMAScript's lowering: what `this` is, where the walk is, how symbols are named. Knows no construct."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

from rpg.encoder.facts import FileFacts
from rpg.encoder.languages.ecmascript.rules import Rules
from rpg.encoder.languages.ecmascript.runners import TestNames
from rpg.encoder.lowering.node import Node, ReadPiece
from rpg.encoder.lowering.walker import Handlers, Walker


class This(NamedTuple):
    """What `this` is."""

    scope: int
    """The function whose receiver it is (a class's scope in its field values); 0 at module level."""
    value: int = 0
    """The expression that it equals, if known."""
    owner: int = -1
    """The definition whose fields `this.name = value` defines."""


FunctionState = tuple[int, int, int, int, This, set[str], str, int]
"""What lowering a function changes; it is restored when the function ends."""


MemberHandler = Callable[[Any, Node, int, int], None]
"""Lowers a member of an object type: walker, node, scope of the members, definition that has them (-1: none)."""
MemberHandlers = dict[str, MemberHandler]
NamedHandler = Callable[[Any, Node, Any], int]
"""Lowers a value with a target: walker, node, `named_values.Target`."""
NamedHandlers = dict[str, NamedHandler]


class EcmaScriptWalker(Walker):
    type_handlers: ClassVar[Handlers] = {}
    """Like `handlers`, for places where a type is expected."""
    member_handlers: ClassVar[MemberHandlers] = {}
    """Members of object types and interfaces."""
    named_handlers: ClassVar[NamedHandlers] = {}
    """Values that take their name from their target."""
    comment_kinds: ClassVar[tuple[str, ...]] = ("comment", "html_comment")

    def __init__(self, path: str, language: str, source: bytes, parse: ReadPiece) -> None:
        super().__init__(path, language, source, parse)
        self.this = This(0)
        self.paths: set[str] = set()
        """Dotted paths (`a.b`, `this.c`) with a binding of their own in the innermost function."""
        self.prefix = ""
        """Dotted name, below the enclosing definition, of the target whose value is being lowered."""
        self.holder = -1
        """The constant around that value, which is the parent of the symbols in it; -1 if none."""
        self.context = 0
        """The declared type of the object literal that is lowered next, which is `this` in its methods."""
        self.described = (0, 0)
        """The object whose properties the object literal that is lowered next describes, which is `this` in its
        functions, and how far down in it the descriptions are; see property_descriptors.py."""
        self.given_this = 0
        """The object that the function that is lowered next is put into under a key; 0 if none."""
        self.kept: Any = None
        """The target of the function that is the first argument of the call that is lowered next; None if it has
        none."""
        self.derived: dict[int, int] = {}
        """Objects that `Object.create` makes -> the call."""
        self.mergers: set[str] = set()
        """Names of imported functions that copy the members of their further arguments into the first one."""
        self.caught = ""
        """The parameter of the innermost `catch`."""
        self.opening = -1
        """Where the statement around the next definition starts (`export`), until it is used."""
        self.ambient = path.endswith((".d.ts", ".d.mts", ".d.cts"))
        """Whether the file has only declarations without bodies."""
        self.types = self.type_handlers
        self.type_members = self.member_handlers
        self.named_values = self.named_handlers
        self.alias = -1
        """The type alias whose object type is being lowered: its members are symbols."""
        self.mapped = 0
        """For the mapped type lowered last: the type whose keys it has; 0 if it does more than that."""
        self.says_types = language == "javascript" and b"@" in source
        """Whether types are declared only in doc comments."""
        self.tokens: list[str] = []
        """The rest of the type in a doc comment that is being read, last first."""
        self.literal_bindings: dict[int, tuple[int, int]] = {}
        """By scope of an object literal: the range of its own bindings."""
        self.field_names: dict[int, set[str]] = {}
        """By definition: names of the fields that assignments to `this` defined."""
        self.exports_scope = -1
        """Object scope that represents the exports of CommonJS, once they are written to."""
        self.component_names: frozenset[str] | None = None
        """Variables that are put in as components somewhere in the file, once it is asked for."""
        self.decorators_before: list[tuple[str, int]] = []
        """Decorators before `export`, until the class after it takes them."""
        self.inside_interface = False
        self.merged: dict[tuple[int, str], int] = {}
        """(scope, name) -> the first class, interface, enum or namespace of that name; further ones are merged into
        it."""
        self.bodies: dict[int, int] = {}
        """By definition: the block of its members."""
        self.is_module = False
        """Whether an import or export was seen; without any, the declarations of a declaration file are global."""
        self.is_test_file = Rules.is_test(path)
        self.makes_tests = self.is_test_file
        """Whether calls may make tests: in a test file, or since a runner was imported."""
        self.test_names = TestNames()
        self.everywhere: list[str] = []
        """Names that `declare global` declares."""

    def definition_of(self, name: str) -> int:
        """The enclosing class or function of that name; -1 if there is none so far."""
        scope = self.scope
        while scope >= 0:
            found = self.defined.get((scope, name), -1)
            if found >= 0:
                return found
            scope = self.scopes[scope].parent
        return -1

    # The current function

    def function_state(self) -> FunctionState:
        return (
            self.scope, self.definition, self.block, self.function, self.this, self.paths, self.prefix, self.holder
        )  # fmt: skip

    def enter(self, kind: str, definition: int, start: int, end: int) -> FunctionState:
        """Opens a function's scope and enters it. Returns the state to restore with `leave`."""
        around = self.function_state()
        self.scope = self.function = self.open_scope(kind, definition, start, end)
        self.definition = definition
        self.paths = set()
        if kind == "function":
            self.prefix, self.holder = "", -1
        self.open_block(start, end)
        return around

    def leave(self, around: FunctionState) -> None:
        (
            self.scope, self.definition, self.block, self.function, self.this, self.paths, self.prefix, self.holder
        ) = around  # fmt: skip

    # Definitions

    def qualified(self, name: str) -> str:
        parts = [part for part in (self.prefix, name) if part]
        if not parts:
            return self.definitions[self.definition].qualified_name if self.definition else ""
        return super().qualified(".".join(parts))

    def around(self) -> int:
        """The innermost enclosing symbol: the parent of the next one."""
        return self.holder if self.holder >= 0 else self.definition

    def opened(self, node: Node) -> int:
        """Where the statement around a definition starts; asked once per definition."""
        start = node.start_byte if self.opening < 0 else self.opening
        self.opening = -1
        return int(start)

    def documented(self, start: int) -> tuple[int, str]:
        if self.comments:
            begin, end = self.comments[-1]
            source = self.source
            if end <= start and source.startswith(b"/**", begin) and not source[end:start].strip():
                return begin, clean_comment(self.text(begin, end))
        return start, ""

    def leaf_of(self, kind: str, name: Node, start: int, end: int, parent: int, shown: int = -1) -> int:
        """A definition without a body by the node of its name."""
        return self.leaf(kind, self.name_of(name), name.start_byte, start, end, parent, shown, kind == "field")

    def name_of(self, node: Node) -> str:
        """The name that a key or identifier spells: without quotes, computed names with their brackets."""
        text = self.text_of(node)
        if text[:1] == "[" and node.named_child_count == 1 and node.named_children[0].type in ("string", "number"):
            text = text[1:-1].strip()
        if text[:1] in ("'", '"') and text[-1:] == text[:1] and len(text) > 2:
            return text[1:-1]
        return text if len(text) <= 120 else text[:119] + "…"

    def is_understood(self, error: Node) -> bool:
        """`export type * from "m"`, which the grammar does not know."""
        after = error.next_sibling
        return (
            self.source[error.start_byte : error.end_byte] == b"type"
            and after is not None
            and after.type in ("*", "namespace_export")
        )

    def finish(self) -> FileFacts:
        self.settle(True)
        return super().finish()


def clean_comment(comment: str) -> str:
    """The text of a doc comment without its markers."""
    lines = [line.strip() for line in comment.removeprefix("/**").removesuffix("*/").split("\n")]
    return "\n".join(line[1:].removeprefix(" ") if line.startswith("*") else line for line in lines).strip()
