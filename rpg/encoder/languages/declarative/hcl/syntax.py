"""HCL's kinds of nodes.

In: nodes. Out: `SPEC`, `Lowering`.
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import READ, WRITE, Import
from rpg.encoder.languages.declarative.lowering import DeclarativeLowering, handlers_of
from rpg.encoder.languages.declarative.spec import Spec
from rpg.encoder.lowering.node import Node, ReadPiece
from rpg.encoder.lowering.walker import Handlers

_BLOCKS: Final[dict[str, tuple[str, int, str]]] = {
    "resource": ("", 2, "struct"),
    "data": ("data", 2, "struct"),
    "ephemeral": ("ephemeral", 2, "struct"),
    "source": ("source", 2, "struct"),
    "module": ("module", 1, "struct"),
    "dependency": ("dependency", 1, "struct"),
    "check": ("check", 1, "struct"),
    "run": ("run", 1, "struct"),
    "variable": ("var", 1, "constant"),
    "output": ("output", 1, "constant"),
}
"""Kind of block -> first part of its address, number of its labels, kind of symbol."""
_LENGTHS: Final[dict[str, int]] = {"data": 3, "ephemeral": 3, "source": 3}
"""First part of an address -> number of its parts; else two."""
_ROOTS: Final = frozenset("count each self path terraform null true false include feature values".split())
"""First parts of what is no block's address."""
_MODULE_ARGUMENTS: Final = frozenset("source version providers count for_each depends_on lifecycle".split())
_SOURCES: Final[dict[str, str]] = {"module": "source", "dependency": "config_path"}
_FILE: Final = re.compile(rb"^[^#\n]*?\$\{path\.module\}/([\w./-]+)\"", re.MULTILINE)
"""A file that is named from the folder of the module; one a line."""
_NAMED: Final = frozenset({"identifier", "string_lit"})


class HclWalker(DeclarativeLowering):
    def __init__(self, path: str, language: str, source: bytes, parse: ReadPiece) -> None:
        super().__init__(path, language, source, parse)
        self.given_names: set[str] = set()
        """Variables of the loops and dynamic blocks around."""

    def lower(self, root: Node) -> None:
        super().lower(root)
        for found in _FILE.finditer(self.source):
            self.imports.append(Import(found[1].decode(), 0, found.start(1), 0, "file"))


def label(walker: HclWalker, node: Node) -> str:
    """A word, or what stands between quotes."""
    text = walker.source_of(node)
    return text[1:-1] if text[:1] == '"' else text


def block(walker: HclWalker, node: Node) -> int:
    """A block with a name is a symbol; what is in any other belongs to the block around."""
    labels = [child for child in node.named_children if child.type in _NAMED]
    body = next((child for child in node.named_children if child.type == "body"), None)
    kind = walker.source_of(labels[0]) if labels else ""
    if walker.definition == 0 and kind in _BLOCKS and len(labels) == _BLOCKS[kind][1] + 1:
        return lower_named_block(walker, node, kind, labels, body)
    if walker.definition == 0 and kind == "locals" and body is not None:
        for child in body.named_children:
            if child.type == "attribute":
                local(walker, child)
            else:
                walker.walk(child)
        return 0
    if walker.definition == 0 and kind == "provider" and len(labels) == 2:
        alias = attribute_text(walker, body, "alias")
        if alias:
            return define(walker, node, f"{label(walker, labels[1])}.{alias[0]}", alias[0], labels[1], "struct", body)
    if body is None:
        return 0
    if walker.definition == 0 and kind in ("moved", "removed"):
        skip_attribute(walker, body, "from")
        return 0
    local_names: list[str] = []
    if kind == "dynamic" and len(labels) == 2:
        iterator = next((each for each in body.named_children if attribute_name(walker, each) == "iterator"), None)
        own = iterator.named_children[-1] if iterator is not None else None
        local_names = [label(walker, labels[1]) if own is None else walker.source_of(own)]
    walk_with_names(walker, local_names, [body])
    return 0


def skip_attribute(walker: HclWalker, body: Node, name: str) -> None:
    for child in body.named_children:
        if attribute_name(walker, child) != name:
            walker.walk(child)


def lower_named_block(walker: HclWalker, node: Node, kind: str, labels: list[Node], body: Node | None) -> int:
    first, _, symbol = _BLOCKS[kind]
    parts = [label(walker, each) for each in labels[1:]]
    address = ".".join([first, *parts] if first else parts)
    source = _SOURCES.get(kind, "")
    named = attribute_text(walker, body, source) if source else None
    statement = -1
    if named is not None:
        text = named[0]
        if kind == "dependency" and not text.startswith("."):
            text = f"./{text}"
        statement = len(walker.imports)
        walker.imports.append(Import(text, 0, named[1], 0))
        inside = walker.emit(op.IMPORT, named[1], statement)
        walker.bind(build_folder_name(address), inside, 0)
        if not text.startswith("."):
            statement = -1
    return define(walker, node, address, parts[-1], labels[-1], symbol, body, statement)


def build_folder_name(address: str) -> str:
    """The name that the folder of a module is bound to."""
    return f"{address}/"


def define(
    walker: HclWalker, node: Node, address: str, name: str, label_node: Node, kind: str, body: Node | None,
    statement: int = -1,
) -> int:  # fmt: skip
    """A symbol with what its block refers to; `statement`: the import of a module's folder, whose variables the
    arguments are."""
    described = attribute_text(walker, body, "description")
    quoted = 1 if label_node.type == "string_lit" else 0
    shown = body.start_byte if body is not None else node.end_byte
    index = walker.symbol(
        kind, name, label_node.start_byte + quoted, node, shown, full_name=address, end_marks="{= ",
        otherwise=described[0] if described is not None else "",
    )  # fmt: skip
    walker.bind(address, walker.definition_value(index), 0)
    around, walker.definition = walker.definition, index
    if statement < 0:
        if body is not None:
            walker.walk(body)
    elif body is not None:
        for child in body.named_children:
            argument(walker, child, statement)
    walker.definition = around
    return 0


def local(walker: HclWalker, node: Node) -> None:
    """`name = value` in `locals`."""
    name, value = node.named_children[0], node.named_children[-1]
    text = walker.text_of(name)
    index = walker.symbol("constant", text, node.start_byte, node, node.end_byte, full_name=f"local.{text}")
    walker.bind(f"local.{text}", walker.definition_value(index), 0)
    walker.definition = index
    walker.walk(value)
    walker.definition = 0


def argument(walker: HclWalker, node: Node, statement: int) -> None:
    """An argument of a module: the variable of that name in its folder."""
    name = attribute_name(walker, node)
    if name and name not in _MODULE_ARGUMENTS:
        byte = node.start_byte
        holder = walker.emit(op.IMPORT, byte, statement)
        walker.site(walker.emit(op.ATTRIBUTE, byte, holder, walker.string(f"var.{name}")), WRITE)
    walker.walk(node)


def attribute_name(walker: HclWalker, node: Node) -> str:
    return walker.source_of(node.named_children[0]) if node.type == "attribute" and node.named_child_count else ""


def attribute_text(walker: HclWalker, body: Node | None, name: str) -> tuple[str, int] | None:
    """The string without parameters that a block gives an attribute, and where it begins."""
    for child in body.named_children if body is not None else ():
        if attribute_name(walker, child) == name:
            value = child.named_children[-1]
            text = walker.source_of(value)
            if len(text) > 1 and text[0] == text[-1] == '"' and '"' not in text[1:-1] and "${" not in text:
                return text[1:-1], value.start_byte + 1
    return None


def attribute(walker: HclWalker, node: Node) -> int:
    """`name = value`; in a file of values the variable is written."""
    if walker.definition == 0 and walker.path.endswith(".tfvars") and node.named_child_count:
        name = node.named_children[0]
        address = walker.variable(walker.string(f"var.{walker.source_of(name)}"), name.start_byte)
        walker.site(address, WRITE)
    for child in node.named_children[1:]:
        walker.walk(child)
    return 0


def operands(walker: HclWalker, node: Node) -> int:
    """`aws_vpc.this[0].id`, also among operands: names of blocks."""
    parts: list[str] = []
    bytes_of: list[int] = []
    is_whole = True
    for child in node.named_children:
        kind = child.type
        if kind == "get_attr":
            if is_whole:
                name = child.named_children[0] if child.named_child_count else child
                parts.append(walker.source_of(name))
                bytes_of.append(name.start_byte)
            continue
        if kind in ("index", "splat"):
            is_whole = is_whole and bool(parts) and parts[0] == "module" and len(parts) == 2
            walker.walk(child)
            continue
        if parts:
            reference(walker, parts, bytes_of)
            parts = []
        if kind == "variable_expr":
            parts, bytes_of, is_whole = [walker.source_of(child)], [child.start_byte], True
        else:
            walker.walk(child)
    if parts:
        reference(walker, parts, bytes_of)
    return 0


def reference(walker: HclWalker, parts: list[str], bytes_of: list[int]) -> None:
    root = parts[0]
    if root in _ROOTS or (root in walker.given_names and root not in ("var", "local", "module", "data")):
        return
    count = _LENGTHS.get(root, 2)
    if len(parts) < count:
        return
    address = ".".join(parts[:count])
    walker.site(walker.variable(walker.string(address), bytes_of[0]), READ)
    at = 3 if root == "dependency" and parts[2:3] == ["outputs"] else 2
    if root in _SOURCES and len(parts) > at:
        holder = walker.variable(walker.string(build_folder_name(address)), bytes_of[0])
        output = walker.string(f"output.{parts[at]}")
        walker.site(walker.emit(op.ATTRIBUTE, bytes_of[at], holder, output), READ)


def for_expression(walker: HclWalker, node: Node) -> int:
    """`for k, v in ...`"""
    intro = next((child for child in node.named_children if child.type == "for_intro"), None)
    names = (
        [walker.source_of(child) for child in intro.named_children if child.type == "identifier"]
        if intro is not None
        else []
    )
    walk_with_names(walker, names, node.named_children)
    return 0


def walk_with_names(walker: HclWalker, names: list[str], nodes: list[Node]) -> None:
    """Lowers nodes in which some names are variables of their own."""
    added = [name for name in names if name not in walker.given_names]
    walker.given_names.update(added)
    for each in nodes:
        walker.walk(each)
    walker.given_names.difference_update(added)


SPEC: Final[Spec] = Spec(
    handlers={
        "block": block,
        "attribute": attribute,
        "expression": operands,
        "binary_operation": operands,
        "unary_operation": operands,
        "for_tuple_expr": for_expression,
        "for_object_expr": for_expression,
    },
)


class Lowering(HclWalker):
    spec: ClassVar[Spec] = SPEC
    handlers: ClassVar[Handlers] = handlers_of(SPEC)
