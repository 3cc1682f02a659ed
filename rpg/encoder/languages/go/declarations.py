"""Go's declarations: imports, constants, variables, types, functions and methods."""

from __future__ import annotations

import re
from collections.abc import Callable

from rpg.encoder.facts import BASE, ROLE, SITE_WORDS, UNDERLYING, Definition, Import
from rpg.encoder.languages.go.expressions import Expressions
from rpg.encoder.languages.go.types import Row
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.operations import BYTE, CALL, DEFINITION, HOLDER, IMPORT, ITEM, SUBSCRIPT, TYPE_VARIABLE, TYPED

_VERSION = re.compile(r"v\d+")
_SUFFIX = re.compile(r"\.v\d+$")
_KINDS = {"struct_type": "struct", "interface_type": "interface"}


class Declarations(Expressions):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.table |= {
            "package_clause": self.package_clause,
            "import_declaration": self.import_declaration,
            "const_declaration": self.value_declaration,
            "var_declaration": self.value_declaration,
            "type_declaration": self.type_declaration,
            "function_declaration": self.function_declaration,
            "method_declaration": self.function_declaration,
        }

    # Package and imports

    def package_clause(self, node: Node) -> int:
        for child in node.named_children:
            if child.type == "package_identifier":
                self.package = self.text_of(child)
        return 0

    def import_declaration(self, node: Node) -> int:
        for child in node.named_children:
            if child.type == "import_spec_list":
                self.import_declaration(child)
            elif child.type == "import_spec":
                self.import_spec(child)
            else:
                self.walk(child)
        return 0

    def import_spec(self, node: Node) -> None:
        path, name = node.child_by_field_name("path"), self.name_node(node)
        if path is None:
            return
        start = path.start_byte
        module = self.text(start + 1, path.end_byte - 1)
        shape = name.type if name is not None else ""
        kind = {"dot": "star", "blank_identifier": "side-effect"}.get(shape, "")
        self.imports.append(Import(module, 0, start, 0, kind))
        if kind:
            return
        value = self.emit(IMPORT, start, len(self.imports) - 1)
        self.bind(self.text_of(name) if name is not None else package_name(module), value, 0, "", 0)

    # Constants and variables

    def value_declaration(self, node: Node) -> int:
        """`const` and `var`, alone or in a group, in which a constant may repeat the one above."""
        specs: list[Node] = []
        for child in node.named_children:
            specs += child.named_children if child.type == "var_spec_list" else [child]
        grouped = any(child.type == "(" for child in node.children) or any(
            child.type == "var_spec_list" for child in node.named_children
        )
        annotation = 0
        for spec in specs:
            if spec.type not in ("const_spec", "var_spec"):
                self.walk(spec)
                continue
            start = spec.start_byte if grouped else node.start_byte
            annotation = self.value_spec(spec, start, annotation if node.type == "const_declaration" else 0)
        return 0

    def value_spec(self, node: Node, start: int, above: int) -> int:
        """One specification. Returns its type, for those below that repeat it."""
        names, values = [], []
        type_node = node.child_by_field_name("type")
        value_node = node.child_by_field_name("value")
        for child in node.children_by_field_name("name"):
            if child.is_named and child.end_byte > child.start_byte:
                names.append(child)
        end = node.end_byte
        outside = self.scope == 0
        if outside:
            for name in names:
                if self.text_of(name) != "_":
                    begin = start if name is names[0] else name.start_byte
                    text = self.text_of(name)
                    self.leaf("constant", text, name.start_byte, begin, end, 0, start, self.exports_name(text))
        annotation = self.type_of(type_node) if type_node is not None else (above if value_node is None else 0)
        if value_node is not None:
            values = self.listed(value_node)
        byte = 0 if outside else end
        for index, name in enumerate(names):
            value = self.paired(values, index, len(names))
            if annotation:
                value = value or self.empty(annotation, name.start_byte)
                value = self.emit(TYPED, name.start_byte, annotation, value)
            if self.text_of(name) != "_":
                kind = ("declared" if annotation else "") if value_node is not None else "annotation"
                self.bind(self.text_of(name), value, byte, kind)
        return annotation

    def listed(self, node: Node) -> list[int]:
        if node.type != "expression_list":
            return [self.walk(node)]
        return [self.walk(child) for child in parts_of(node)]

    def paired(self, values: list[int], index: int, count: int) -> int:
        """The value that the name at `index` of `count` names gets."""
        if len(values) == count:
            return values[index]
        if len(values) != 1 or not values[0]:
            return 0
        value = values[0]
        code = self.code
        if code[value] == CALL:
            return self.emit(ITEM, code[value + BYTE], value, index)
        # v, ok := m[key], x.(T), <-channel
        return value if index == 0 else self.literal("bool", code[value + BYTE])

    # Types

    def type_declaration(self, node: Node) -> int:
        specs = [child for child in node.named_children if child.type in ("type_spec", "type_alias")]
        grouped = any(child.type == "(" for child in node.children)
        for child in node.named_children:
            if child.type in ("type_spec", "type_alias"):
                self.type_spec(child, child.start_byte if grouped or len(specs) > 1 else node.start_byte)
            else:
                self.walk(child)
        return 0

    def type_spec(self, node: Node, start: int) -> None:
        name, type_node = self.name_node(node), node.child_by_field_name("type")
        if name is None or type_node is None:
            self.through(node)
            return
        generics = node.child_by_field_name("type_parameters")
        text, end = self.text_of(name), node.end_byte
        alias = node.type == "type_alias"
        kind = "type" if alias else _KINDS.get(type_node.type, "type")
        body = next((child for child in type_node.named_children if child.type == "field_declaration_list"), None)
        header = end
        if kind == "struct" and body is not None:
            header = body.start_byte
        elif kind == "interface":
            header = min(type_node.start_byte + len(b"interface"), end)
        begin, doc = self.documented(start)
        around = self.here()
        scope = -1 if alias else len(self.scopes) + (generics is not None)
        definition = self.define(
            Definition(
                kind=kind,
                name=text,
                qualified_name=self.qualified(text),
                parent=self.definition,
                scope=scope,
                start_byte=begin,
                end_byte=end,
                name_byte=name.start_byte,
                body_byte=header,
                signature=self.folded(start, header),
                doc=doc,
                exported=self.exports_name(text),
            )
        )
        held = self.scopes[self.scope].start_byte
        if not alias:
            self.bind(text, self.emit(DEFINITION, name.start_byte, definition), held)
        self.definition = definition
        if generics is not None:
            self.scope = self.open_scope("block", definition, begin, end)
            self.type_parameters_of(generics, definition)
        if alias:
            value = self.type_of(type_node)
            self.return_to(around)
            self.bind(text, value, held, "type")
            return
        self.open_scope("class", definition, begin, end)
        self.open_block(begin, end)
        if kind == "struct":
            self.fields_of(type_node, scope, definition)
        elif kind == "interface":
            self.interface_members(type_node, scope, definition)
        else:
            underlying = self.type_of(type_node)
            if underlying:
                self.bases[definition] = [(UNDERLYING, underlying)]
        self.return_to(around)

    def interface_members(self, node: Node, scope: int, definition: int) -> None:
        for child in node.named_children:
            kind = child.type
            if kind == "method_elem":
                self.interface_method(child, scope, definition)
            elif kind == "type_elem" and len(child.children) == 1:
                inner = child.named_children[0]
                base = (
                    self.base(inner)
                    if inner.type in ("type_identifier", "qualified_type", "generic_type")
                    else self.type_of(child)
                )
                if base and inner.type != "negated_type":
                    self.bases.setdefault(definition, []).append(("", base))
            else:
                self.type_of(child)

    def interface_method(self, node: Node, scope: int, definition: int) -> None:
        name = self.name_node(node)
        if name is None:
            self.through(node)
            return
        outer = self.scope
        method = self.define_function(node, name, "method", "", node.start_byte, definition)
        self.bind(
            self.text_of(name), self.emit(DEFINITION, name.start_byte, method), self.scopes[scope].start_byte, "", scope
        )
        # An interface's names are no variables: what its methods name is looked up around it.
        self.scope = scope
        self.function_scope(node, method, [Row("", name.start_byte, 0, False)], "")
        self.scope = outer

    def base(self, node: Node) -> int:
        count = len(self.sites)
        value = self.type_of(node)
        code = self.code
        named = code[value + HOLDER] if code[value] == SUBSCRIPT else value
        for at in range(count, len(self.sites), SITE_WORDS):
            if self.sites[at] == named:
                self.sites[at + ROLE] = BASE
        return value

    # Functions

    def function_declaration(self, node: Node) -> int:
        name = self.name_node(node)
        if name is None:
            return self.through(node)
        receiver = node.child_by_field_name("receiver")
        owner = self.owner_of(receiver) if receiver is not None else ""
        kind = "method" if receiver is not None else "function"
        definition = self.define_function(node, name, kind, owner, node.start_byte, self.definition)
        text = self.text_of(name)
        if receiver is None and text not in ("init", "_"):
            self.bind(text, self.emit(DEFINITION, name.start_byte, definition), self.scopes[self.scope].start_byte)
        self.function_scope(node, definition, None if receiver is not None else [], owner)
        return 0

    def define_function(self, node: Node, name: Node, kind: str, owner: str, start: int, parent: int) -> int:
        text, end = self.text_of(name), node.end_byte
        begin, doc = self.documented(start)
        body, result = node.child_by_field_name("body"), node.child_by_field_name("result")
        parameters = node.child_by_field_name("parameters")
        header = (result or parameters or name).end_byte
        return self.define(
            Definition(
                kind=kind,
                name=text,
                qualified_name=f"{owner}.{text}" if owner else self.qualified(text),
                parent=parent,
                owner=owner,
                scope=len(self.scopes),
                start_byte=begin,
                end_byte=end,
                name_byte=name.start_byte,
                body_byte=body.start_byte if body is not None else end,
                signature=self.folded(start, header),
                doc=doc,
                exported=self.exports_name(text),
                returns=self.folded(result.start_byte, result.end_byte) if result is not None else "",
            )
        )

    def function_scope(self, node: Node, definition: int, receiver: list[Row] | None, owner: str) -> None:
        """A function's own scope; `receiver` None: the node has one."""
        start, end = node.start_byte, node.end_byte
        around = self.here()
        receiver_node = node.child_by_field_name("receiver") if receiver is None else None
        scope = self.open_scope("function", definition, start, end, self.receiver_name(receiver_node))
        self.scope = self.function = scope
        self.definition = definition
        self.open_block(start, end)
        generics = node.child_by_field_name("type_parameters")
        if generics is not None:
            self.type_parameters_of(generics, definition)
        if receiver_node is not None:
            self.type_parameters_of_receiver(receiver_node, definition)
            receiver = self.rows_of(receiver_node)[:1]
        self.signature(node, scope, receiver or [])
        body = node.child_by_field_name("body")
        if body is not None:
            self.through(body)
        self.return_to(around)

    def receiver_name(self, node: Node | None) -> str:
        for child in node.named_children if node is not None else ():
            name = self.name_node(child)
            if name is not None:
                text = self.text_of(name)
                return "" if text == "_" else text
        return ""

    def receiver_type(self, node: Node) -> Node | None:
        for child in node.named_children:
            found = child.child_by_field_name("type")
            while found is not None and found.type in ("pointer_type", "parenthesized_type"):
                found = found.named_children[-1] if found.named_child_count else None
            if found is not None:
                return found
        return None

    def owner_of(self, receiver: Node) -> str:
        """The name of the type that a method belongs to."""
        found = self.receiver_type(receiver)
        if found is not None and found.type == "generic_type" and found.named_child_count:
            found = found.named_children[0]
        return self.text_of(found) if found is not None else ""

    def type_parameters_of_receiver(self, receiver: Node, definition: int) -> None:
        """`func (s *S[T])` names the type's parameters."""
        found = self.receiver_type(receiver)
        names = []
        if found is not None and found.type == "generic_type":
            for child in found.named_children:
                if child.type == "type_arguments":
                    names = [self.text_of(part) for part in parts_of(child)]
        start = self.scopes[self.scope].start_byte
        if names:
            self.type_parameters[definition] = names
        for name in names:
            if name != "_":
                self.bind(name, self.emit(TYPE_VARIABLE, start, self.string(name), 0), start, "type")


def package_name(module: str) -> str:
    """What a package is probably called: the last part of its path, without what only versions or marks it as Go's."""
    parts = module.split("/")
    if len(parts) > 1 and _VERSION.fullmatch(parts[-1]):
        parts.pop()
    name = _SUFFIX.sub("", parts[-1])
    for affix in ("go-", "golang-"):
        name = name.removeprefix(affix)
    for affix in ("-go", ".go", "-golang"):
        name = name.removesuffix(affix)
    return name.replace("-", "_") if not name.isidentifier() and name.replace("-", "_").isidentifier() else name
