"""Lowers imports, `global` and `nonlocal`.

In: nodes. Out: imports and bindings; at the end, which names the module exports.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import Import
from rpg.encoder.languages.python.walker import PythonWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers


def import_statement(walker: PythonWalker, node: Node) -> int:
    for child in node.named_children:
        if child.type == "aliased_import":
            module, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
            if module is not None and alias is not None:
                import_module(
                    walker, walker.source_of(module), module.start_byte, node.end_byte, walker.source_of(alias)
                )
        elif child.type == "dotted_name":
            import_module(walker, walker.source_of(child), child.start_byte, node.end_byte, "")
    return 0


def import_module(walker: PythonWalker, module: str, byte: int, end: int, alias: str) -> None:
    walker.imports.append(Import(module, 0, byte, walker.scope))
    index = len(walker.imports) - 1
    if alias:
        walker.bind(alias, walker.emit(op.IMPORT, byte, index), end)
        return
    first = module.split(".", 1)[0]
    if first != module:
        walker.imports.append(Import(first, 0, byte, walker.scope, "parent"))
        index += 1
    walker.bind(first, walker.emit(op.IMPORT, byte, index), end, "weak" if first in walker.bound[walker.scope] else "")


def import_from_statement(walker: PythonWalker, node: Node) -> int:
    source = node.child_by_field_name("module_name")
    if source is None:
        return 0
    text = "".join(walker.source_of(source).split())  # blanks may stand between dots and names
    module = text.lstrip(".")
    level = len(text) - len(module)
    names: list[tuple[str, str, int]] = []
    star = False
    for child in node.named_children:
        if child.type == "wildcard_import":
            star = True
        elif child.type == "aliased_import":
            name_node, alias_node = child.child_by_field_name("name"), child.child_by_field_name("alias")
            if name_node is not None and alias_node is not None:
                names.append((walker.source_of(name_node), walker.source_of(alias_node), name_node.start_byte))
        elif child.type == "dotted_name" and child.start_byte != source.start_byte:
            text = walker.source_of(child)
            names.append((text, text, child.start_byte))
    kind = "star" if star else ""
    walker.imports.append(
        Import(module, level, source.start_byte, walker.scope, kind, tuple(name for name, _, _ in names))
    )
    index = len(walker.imports) - 1
    for name, alias, byte in names:
        walker.bind(alias, walker.emit(op.IMPORTED, byte, index, walker.string(name)), node.end_byte)
    return 0


def global_statement(walker: PythonWalker, node: Node) -> int:
    for child in node.named_children:
        walker.elsewhere[walker.scope, walker.source_of(child)] = 0
    return 0


def nonlocal_statement(walker: PythonWalker, node: Node) -> int:
    for child in node.named_children:
        name = walker.source_of(child)
        scope = walker.scopes[walker.scope].parent
        while scope > 0 and not (name in walker.bound[scope] and walker.scopes[scope].kind != "class"):
            scope = walker.scopes[scope].parent
        walker.elsewhere[walker.scope, name] = scope
    return 0


def mark_exported(walker: PythonWalker) -> None:
    """`__all__` lists what a module exports, if it exists."""
    listed = walker.exports.get("all")
    if listed is None or walker.exports.get("all_open"):
        return
    known = set(listed)
    for index, definition in enumerate(walker.definitions):
        if index and definition.parent == 0:
            definition.exported = definition.name in known


HANDLERS: Final[Handlers] = {
    "import_statement": import_statement,
    "import_from_statement": import_from_statement,
    "global_statement": global_statement,
    "nonlocal_statement": nonlocal_statement,
}
