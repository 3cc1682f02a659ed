"""Imports, `global` and `nonlocal`, and what a module exports."""

from __future__ import annotations

from collections.abc import Callable

from rpg.encoder.facts import Import
from rpg.encoder.languages.python.definitions import Definitions
from rpg.encoder.languages.python.walk import Node
from rpg.encoder.operations import IMPORT, IMPORTED


class Imports(Definitions):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.statements |= {
            "import_statement": self.import_statement,
            "import_from_statement": self.import_from_statement,
            "global_statement": self.global_statement,
            "nonlocal_statement": self.nonlocal_statement,
        }

    def import_statement(self, node: Node) -> None:
        for child in node.named_children:
            if child.type == "aliased_import":
                module = child.child_by_field_name("name")
                alias = child.child_by_field_name("alias")
                self.import_module(self.node_text(module), module.start_byte, node.end_byte, self.node_text(alias))
            elif child.type == "dotted_name":
                self.import_module(self.node_text(child), child.start_byte, node.end_byte, "")

    def import_module(self, module: str, byte: int, end: int, alias: str) -> None:
        self.imports.append(Import(module, 0, byte, self.scope))
        index = len(self.imports) - 1
        if alias:
            self.bind(alias, self.emit(IMPORT, byte, index), end)
            return
        first = module.split(".", 1)[0]
        if first != module:
            self.imports.append(Import(first, 0, byte, self.scope, "parent"))
            index += 1
        self.bind(first, self.emit(IMPORT, byte, index), end, "weak" if first in self.bound[self.scope] else "")

    def import_from_statement(self, node: Node) -> None:
        source = node.child_by_field_name("module_name")
        if source is None:
            return
        text = self.node_text(source)
        module = text.lstrip(".")
        level = len(text) - len(module)
        names: list[tuple[str, str, int]] = []
        star = False
        for child in node.named_children:
            if child.type == "wildcard_import":
                star = True
            elif child.type == "aliased_import":
                name = child.child_by_field_name("name")
                names.append(
                    (self.node_text(name), self.node_text(child.child_by_field_name("alias")), name.start_byte)
                )
            elif child.type == "dotted_name" and child.start_byte != source.start_byte:
                text = self.node_text(child)
                names.append((text, text, child.start_byte))
        kind = "star" if star else ""
        self.imports.append(
            Import(module, level, source.start_byte, self.scope, kind, tuple(name for name, _, _ in names))
        )
        index = len(self.imports) - 1
        for name, alias, byte in names:
            self.bind(alias, self.emit(IMPORTED, byte, index, self.string(name)), node.end_byte)

    def global_statement(self, node: Node) -> None:
        for child in node.named_children:
            self.elsewhere[self.scope, self.node_text(child)] = 0

    def nonlocal_statement(self, node: Node) -> None:
        for child in node.named_children:
            name = self.node_text(child)
            scope = self.scopes[self.scope].parent
            while scope > 0 and not (name in self.bound[scope] and self.scopes[scope].kind != "class"):
                scope = self.scopes[scope].parent
            self.elsewhere[self.scope, name] = scope

    def mark_exported(self) -> None:
        """`__all__` says what a module exports, where there is one."""
        listed = self.exports.get("all")
        if listed is None or self.exports.get("all_open"):
            return
        known = set(listed)
        for index, definition in enumerate(self.definitions):
            if index and definition.parent == 0:
                definition.exported = definition.name in known
