"""Protobuf's kinds of nodes.

In: nodes. Out: `SPEC`, `Lowering`.
"""

from __future__ import annotations

from typing import ClassVar, Final

from rpg.encoder.facts import ANNOTATION, Import
from rpg.encoder.languages.declarative.lowering import DeclarativeLowering, handlers_of
from rpg.encoder.languages.declarative.spec import Spec
from rpg.encoder.lowering.node import Node, ReadPiece
from rpg.encoder.lowering.walker import Handlers

_TYPES: Final[dict[str, tuple[str, str]]] = {
    "message": ("message_name", "struct"),
    "enum": ("enum_name", "enum"),
    "service": ("service_name", "interface"),
}
"""Kind of node -> kind of the child that names it, kind of symbol."""
_BODIES: Final = frozenset({"message_body", "enum_body"})


class ProtobufWalker(DeclarativeLowering):
    def __init__(self, path: str, language: str, source: bytes, parse: ReadPiece) -> None:
        super().__init__(path, language, source, parse)
        self.space = ""
        """The package of the file."""
        self.full_names: set[str] = set()
        """Of the types of the file."""

    def walk_top(self, root: Node) -> None:
        for child in root.named_children:
            if child.type == "package" and child.named_child_count:
                self.space = self.source_of(child.named_children[0])
        for name in names_below(self, root, self.space):
            self.full_names.add(name)
        self.through(root)


def names_below(walker: ProtobufWalker, root: Node, space: str) -> list[str]:
    """The full names of all types of a file."""
    found: list[str] = []
    pending = [(root, space)]
    while pending:
        node, around = pending.pop()
        for child in node.named_children:
            named = name_of(child, _TYPES[child.type][0]) if child.type in _TYPES else None
            if named is not None:
                full = join_name(around, walker.source_of(named))
                found.append(full)
                pending.append((child, full))
            elif child.type in _BODIES:
                pending.append((child, around))
    return found


def join_name(space: str, name: str) -> str:
    return f"{space}.{name}" if space else name


def name_of(node: Node, kind: str) -> Node | None:
    """None too if the parser had to make it up."""
    name = next((child for child in node.named_children if child.type == kind), None)
    return name if name is not None and name.start_byte < name.end_byte else None


def define(walker: ProtobufWalker, node: Node, name: Node, kind: str, body_byte: int) -> int:
    return walker.symbol(kind, walker.text_of(name), name.start_byte, node, body_byte, end_marks=" {;")


def type_definition(walker: ProtobufWalker, node: Node) -> int:
    named, kind = _TYPES[node.type]
    name = name_of(node, named)
    if name is None:
        return walker.through(node)
    index = define(walker, node, name, kind, name.end_byte)
    full = join_name(walker.space, walker.definitions[index].qualified_name)
    walker.bind(full, walker.definition_value(index), 0)
    walker.offered[full] = None
    around, walker.definition = walker.definition, index
    walker.through(node)
    walker.definition = around
    return 0


def member(walker: ProtobufWalker, node: Node) -> int:
    """A field, a value of an enum, a call of a service."""
    name = name_of(node, "rpc_name" if node.type == "rpc" else "identifier")
    if name is None or walker.definition == 0:
        return walker.through(node)
    kind = "method" if node.type == "rpc" else "field"
    around, walker.definition = walker.definition, define(walker, node, name, kind, node.end_byte)
    for child in node.named_children:
        if child != name:
            walker.walk(child)
    walker.definition = around
    return 0


def type_name(walker: ProtobufWalker, node: Node) -> int:
    """A type: of the messages around, of the package, or by its full name."""
    text = "".join(walker.source_of(node).split())
    full = text.lstrip(".")
    if not text.startswith("."):
        around = walker.definitions[walker.definition].qualified_name if walker.definition else ""
        space = join_name(walker.space, around) if around else walker.space
        while space and join_name(space, text) not in walker.full_names:
            space = space.rpartition(".")[0]
        if space:
            full = join_name(space, text)
        elif "." not in text and text not in walker.full_names:
            full = join_name(walker.space, text)
    walker.site(walker.variable(walker.string(full), node.start_byte), ANNOTATION)
    return 0


def import_statement(walker: ProtobufWalker, node: Node) -> int:
    path = node.child_by_field_name("path")
    if path is not None:
        text = walker.source_of(path).strip("\"'")
        walker.imports.append(Import(text, 0, path.start_byte + 1, 0, "side-effect"))
    return 0


SPEC: Final[Spec] = Spec(
    skipped=frozenset({"option", "field_options", "reserved", "extensions", "syntax", "package"}),
    handlers={
        **dict.fromkeys(_TYPES, type_definition),
        **dict.fromkeys(("field", "map_field", "oneof_field", "enum_field", "rpc"), member),
        "message_or_enum_type": type_name,
        "import": import_statement,
    },
    is_global=True,
)


class Lowering(ProtobufWalker):
    spec: ClassVar[Spec] = SPEC
    handlers: ClassVar[Handlers] = handlers_of(SPEC)
