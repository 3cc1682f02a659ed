"""Imports and exports with syntax of their own."""

from __future__ import annotations

from collections.abc import Callable

from rpg.encoder.facts import Import
from rpg.encoder.languages.ecmascript.commonjs import WHOLE
from rpg.encoder.languages.ecmascript.functions import FUNCTIONS, Target
from rpg.encoder.languages.ecmascript.interfaces import Interfaces
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.operations import DEFINED, DEFINITION, IMPORT, IMPORTED, NAME, OBJECT, SCOPE, WORD

DEFAULT = "default"


class Modules(Interfaces):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.table |= {
            "import_statement": self.import_statement,
            "import_alias": self.import_alias,
            "export_statement": self.export_statement,
            "ambient_declaration": self.ambient_declaration,
        }
        self.is_module = False
        """Whether an import or export was seen; what else a declaration file declares is global."""
        self.everywhere: list[str] = []
        """Names that `declare global` declares."""

    def add_import(self, source: Node, kind: str, names: tuple[str, ...] = ()) -> int:
        """An import of the module that a string names. Returns its index."""
        start = source.start_byte
        self.imports.append(Import(self.name_of(source), 0, start, self.scope, kind, names))
        return len(self.imports) - 1

    def is_understood(self, error: Node) -> bool:
        """`export type * from "m"`, which the grammar does not know."""
        after = error.next_sibling
        return (
            self.source[error.start_byte : error.end_byte] == b"type"
            and after is not None
            and after.type in ("*", "namespace_export")
        )

    # Imports

    def import_statement(self, node: Node) -> int:
        source = clause = None
        kind = ""
        self.is_module = True
        for child in node.children:
            shape = child.type
            if shape == "string":
                source = child
            elif shape in ("import_clause", "import_require_clause"):
                clause = child
            elif shape in ("type", "typeof"):
                kind = "type"
            elif shape == "comment":
                self.comment(child)
        start = self.scopes[self.scope].start_byte
        if clause is None:
            if source is not None:
                self.add_import(source, "side-effect")
            return 0
        if clause.type == "import_require_clause":
            source = clause.child_by_field_name("source")
            if source is not None:
                index = self.add_import(source, kind)
                name = clause.named_children[0]
                self.bind(self.text_of(name), self.emit(IMPORT, source.start_byte, index), start)
            return 0
        if source is None:
            return 0
        names: list[tuple[str, str, int]] = []
        whole = ""
        for part in clause.named_children:
            shape = part.type
            if shape == "identifier":
                names.append((DEFAULT, self.text_of(part), part.start_byte))
            elif shape == "namespace_import":
                whole = next((self.text_of(child) for child in part.named_children if child.type == "identifier"), "")
            elif shape == "named_imports":
                names += self.specifiers(part)
            elif shape == "comment":
                self.comment(part)
        index = self.add_import(source, kind, tuple(name for name, _, _ in names))
        if whole:
            self.bind(whole, self.emit(IMPORT, source.start_byte, index), start)
        for imported, alias, byte in names:
            self.bind(alias, self.emit(IMPORTED, byte, index, self.string(imported)), start)
        return 0

    def specifiers(self, node: Node) -> list[tuple[str, str, int]]:
        """(name, alias or the same name, byte of the name) of `{ a, b as c }`."""
        found = []
        for child in node.named_children:
            if child.type not in ("import_specifier", "export_specifier"):
                self.walk(child)
                continue
            name, alias = self.name_node(child), child.child_by_field_name("alias")
            if name is not None:
                text = self.name_of(name)
                found.append((text, self.name_of(alias) if alias is not None else text, name.start_byte))
        return found

    def import_alias(self, node: Node) -> int:
        """`import X = A.B`."""
        parts = parts_of(node)
        if len(parts) == 2:
            value = self.type_of(parts[1])
            self.bind(self.text_of(parts[0]), value, self.scopes[self.scope].start_byte)
        return 0

    # Exports

    def ambient_declaration(self, node: Node) -> int:
        """`declare ...`: what is declared has no body."""
        around, self.ambient = self.ambient, True
        if self.opening < 0:
            self.opening = node.start_byte
        for child in node.named_children:
            if child.type == "statement_block":
                # declare global { ... }
                self.opening = -1
                first = len(self.bindings)
                self.statements(child.named_children)
                self.everywhere += self.declared_since(first)
            else:
                self.walk(child)
        self.opening = -1
        self.ambient = around
        return 0

    def export_statement(self, node: Node) -> int:
        declaration = value = source = clause = namespace = None
        self.is_module = self.is_module or self.scope == 0
        marks: set[str] = set()
        for child in node.children:
            kind = child.type
            if kind == "string" and "from" in marks:
                source = child
            elif kind == "export_clause":
                clause = child
            elif kind == "namespace_export":
                namespace = child
            elif kind == "decorator":
                self.decorators_before = [*self.decorators_before, self.decorator(child)]
            elif kind == "comment":
                self.comment(child)
            elif not child.is_named:
                marks.add(kind)
            elif kind.endswith(("_declaration", "_signature")) or kind in ("internal_module", "module", "import_alias"):
                declaration = child
            else:
                value = child
        if source is not None:
            self.export_from(node, source, clause, namespace, "type" in marks)
        elif clause is not None:
            for name, alias, byte in self.specifiers(clause):
                self.export(alias, self.variable(self.string(name), byte))
        elif declaration is not None:
            self.export_declaration(node, declaration, DEFAULT in marks)
        elif value is not None and "=" in marks:
            self.export(WHOLE, self.walk(value))
        elif value is not None and DEFAULT in marks:
            self.export_default(node, value)
        elif value is not None and "namespace" not in marks:
            self.walk(value)
        return 0

    def export(self, name: str, value: int) -> None:
        """Only what stands at the top of the module is exported by it."""
        if self.scope == 0:
            self.names()[name] = value

    def export_from(self, node: Node, source: Node, clause: Node | None, namespace: Node | None, of_type: bool) -> None:
        names = self.specifiers(clause) if clause is not None else []
        index = self.add_import(source, "re-export", tuple(name for name, _, _ in names))
        if namespace is not None:
            alias = next(iter(parts_of(namespace)), None)
            if alias is not None:
                self.export(self.name_of(alias), self.emit(IMPORT, source.start_byte, index))
        elif clause is None and self.scope == 0:
            self.exports.setdefault("stars", []).append(index)
        for name, alias_name, byte in names:
            self.export(alias_name, self.emit(IMPORTED, byte, index, self.string(name)))

    def export_declaration(self, node: Node, declaration: Node, default: bool) -> None:
        self.opening = node.start_byte
        first = len(self.bindings)
        scope = self.scope
        self.walk(declaration)
        self.opening = -1
        for binding in self.bindings[first:]:
            if binding.scope == scope and binding.kind != "narrow" and "." not in binding.name:
                name = self.variable(self.string(binding.name), binding.byte)
                self.export(DEFAULT if default else binding.name, name)

    def export_default(self, node: Node, value_node: Node) -> None:
        shape = self.shape(value_node)
        start, end = node.start_byte, node.end_byte
        if shape in FUNCTIONS or shape == "class":
            own = self.own_name(value_node)
            name = self.text_of(own) if own is not None else DEFAULT
            target = Target(name, own.start_byte if own is not None else value_node.start_byte, name, start, end)
            value = self.given(value_node, target)
            if own is not None:
                self.bind(name, value, self.scopes[self.scope].start_byte)
        elif shape == "identifier":
            value = self.walk(value_node)
        else:
            value = self.default_value(node, value_node)
        self.export(DEFAULT, value)

    def default_value(self, node: Node, value_node: Node) -> int:
        """`export default { ... }` is a constant of the module."""
        start, end = node.start_byte, node.end_byte
        constant = self.leaf_of("constant", value_node, start, end, self.definition)
        given = self.definitions[constant]
        given.name, given.qualified_name, given.name_byte = DEFAULT, self.qualified(DEFAULT), value_node.start_byte
        around = self.prefix, self.holder
        self.prefix, self.holder = DEFAULT, constant
        value = self.given(value_node, Target(DEFAULT, start, "", start, end))
        self.prefix, self.holder = around
        return value

    # The end

    def declared_since(self, first: int) -> list[str]:
        """Names of the module that were bound since a moment."""
        return [each.name for each in self.bindings[first:] if each.scope == 0 and each.kind != "narrow"]

    def mark_global(self) -> None:
        """Names that all files see: of `declare global`, of a declaration file that is no module."""
        names = self.declared_since(0) if self.ambient and not self.is_module else self.everywhere
        if names:
            self.exports["globals"] = list(dict.fromkeys(names))
        if self.language != "javascript":
            self.exports["declared"] = True

    def mark_exported(self) -> None:
        """Symbols that the module's exports reach: what they name, and the members of that."""
        exports = self.exports.get("names", {})
        reached, named = self.reached(list(exports.values()))
        if DEFAULT in exports:
            named.add(DEFAULT)
        everything = self.ambient and not self.exports
        for index, definition in enumerate(self.definitions):
            parent = definition.parent
            if definition.owner:
                exported = definition.owner in named
            elif definition.kind in ("method", "property", "field"):
                exported = parent in reached and definition.exported
            elif parent == 0:
                exported = everything or definition.name in named
            else:
                exported = parent in reached and "namespace" in self.definitions[parent].flags
            exported = exported or index in reached or not index
            if exported and index:
                reached.add(index)
                if parent == 0 and not definition.owner:
                    named.add(definition.name)
            definition.exported = exported

    def reached(self, values: list[int]) -> tuple[set[int], set[str]]:
        """The definitions and the names that exported values hold, those inside of object literals as well."""
        code = self.code
        reached: set[int] = set()
        named: set[str] = set()
        members: dict[int, list[int]] = {}
        if any(code[value] == OBJECT for value in values):
            for binding in self.bindings:
                if self.scopes[binding.scope].kind == "object" and binding.value:
                    members.setdefault(binding.scope, []).append(binding.value)
        while values:
            value = values.pop()
            if code[value] == NAME:
                named.add(self.texts[code[value + WORD]])
            elif code[value] == DEFINITION:
                reached.add(code[value + DEFINED])
            elif code[value] == OBJECT:
                values += members.pop(code[value + SCOPE], [])
        return reached, named
