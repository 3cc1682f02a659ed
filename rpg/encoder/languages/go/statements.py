"""The lowering of a whole Go file: statements, and the order in which they may run."""

from __future__ import annotations

from collections.abc import Callable

from rpg.encoder.facts import WRITE
from rpg.encoder.languages.go.declarations import Declarations
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.operations import ATTRIBUTE, ELEMENT, SUBSCRIPT, TUPLE, TYPED, UNION

_DECLARING = frozenset(("short_var_declaration", "var_declaration", "const_declaration", "type_declaration"))
_CASES = frozenset(("expression_case", "type_case", "communication_case", "default_case"))


class Lowering(Declarations):
    """Walks one tree of Go."""

    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.table |= {
            "block": self.block_of,
            "statement_list": self.through,
            "expression_statement": self.through,
            "short_var_declaration": self.short_declaration,
            "assignment_statement": self.assignment,
            "inc_statement": self.counted,
            "dec_statement": self.counted,
            "return_statement": self.return_statement,
            "if_statement": self.if_statement,
            "for_statement": self.for_statement,
            "expression_switch_statement": self.switch_statement,
            "type_switch_statement": self.type_switch_statement,
            "select_statement": self.switch_statement,
            "communication_case": self.case,
            "receive_statement": self.short_declaration,
            "send_statement": self.send_statement,
            "labeled_statement": self.through,
            "label_name": self.skip,
            "break_statement": self.skip,
            "continue_statement": self.skip,
            "goto_statement": self.skip,
            "fallthrough_statement": self.skip,
            "empty_statement": self.skip,
        }

    def lower(self, root: Node) -> None:
        """The whole file."""
        self.define_file()
        self.open_scope("module", 0, 0, len(self.source) + 1)
        for child in root.named_children:
            if child.type == "package_clause":
                self.definitions[0].doc = self.documented(child.start_byte)[1]
            self.walk(child)

    # Blocks

    def declares(self, node: Node) -> bool:
        for child in node.named_children:
            if child.type in _DECLARING or (child.type == "statement_list" and self.declares(child)):
                return True
        return False

    def block_of(self, node: Node) -> int:
        """Names that a block declares are seen in it alone."""
        if not self.declares(node):
            return self.through(node)
        around = self.scope
        self.open_block_scope(node)
        self.through(node)
        self.scope = around
        return 0

    def headed(self, node: Node, initializer: Node | None) -> int:
        """Open the scope of a statement whose header declares names. Returns the scope around."""
        around = self.scope
        if initializer is not None and initializer.type == "short_var_declaration":
            self.open_block_scope(node)
        return around

    # Assignment

    def short_declaration(self, node: Node) -> int:
        """`a, b := x, y`, and the same with `=` in a receive."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if right is None:
            return self.through(node)
        values = self.listed(right)
        if left is None:
            return 0
        names = parts_of(left) if left.type == "expression_list" else [left]
        declared = any(child.type == ":=" for child in node.children)
        for index, name in enumerate(names):
            value = self.paired(values, index, len(names))
            if declared and name.type == "identifier":
                if self.source[name.start_byte : name.end_byte] != b"_":
                    self.bind(self.text_of(name), value, node.end_byte)
            else:
                self.assign(name, value, node.end_byte)
        return 0

    def assignment(self, node: Node) -> int:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None:
            return self.through(node)
        values = self.listed(right)
        targets = parts_of(left) if left.type == "expression_list" else [left]
        plain = operator is None or operator.type == "="
        for index, target in enumerate(targets):
            if plain:
                self.assign(target, self.paired(values, index, len(targets)), node.end_byte)
            else:
                self.with_role(target, WRITE)
        return 0

    def assign(self, target: Node, value: int, byte: int) -> None:
        kind = target.type
        if kind == "identifier":
            name = self.text_of(target)
            if name != "_":
                self.name(name, target.start_byte, WRITE)
                self.assign_later(name, value, byte)
        elif kind == "selector_expression" and len(target.children) == 3:
            container = self.walk(target.children[0])
            name_node = target.children[2]
            name = self.text_of(name_node)
            self.site(self.emit(ATTRIBUTE, name_node.start_byte, container, self.string(name)), WRITE)
            if value:
                self.members.append((container, name, value))
        elif kind == "index_expression":
            container, index = self.field(target, "operand"), self.field(target, "index")
            if value:
                self.items.append((container, index, value))
        elif kind == "parenthesized_expression" and target.named_child_count == 1:
            self.assign(target.named_children[0], value, byte)
        else:
            self.walk(target)

    def counted(self, node: Node) -> int:
        for child in node.named_children:
            self.with_role(child, WRITE)
        return 0

    def send_statement(self, node: Node) -> int:
        channel, value = self.field(node, "channel"), self.field(node, "value")
        if channel and value:
            self.items.append((channel, 0, value))
        return 0

    def return_statement(self, node: Node) -> int:
        values: list[int] = []
        for child in node.named_children:
            if child.type == "comment":
                self.comment(child)
            else:
                values += self.listed(child)
        if len(values) > 1:
            values = [self.emit(TUPLE, node.start_byte, len(values), *values)]
        if values and values[0]:
            self.returns.setdefault(self.function, []).append(values[0])
        return 0

    # Control

    def if_statement(self, node: Node) -> int:
        initializer = node.child_by_field_name("initializer")
        around = self.headed(node, initializer)
        if initializer is not None:
            self.walk(initializer)
        self.field(node, "condition")
        self.maybe(node.child_by_field_name("consequence"))
        self.maybe(node.child_by_field_name("alternative"))
        self.scope = around
        return 0

    def for_statement(self, node: Node) -> int:
        body = node.child_by_field_name("body")
        around, block = self.here(), self.block
        for child in node.named_children:
            kind = child.type
            if kind == "range_clause":
                self.range_clause(child, node, body)
            elif kind == "for_clause":
                initializer = child.child_by_field_name("initializer")
                self.headed(node, initializer)
                if initializer is not None:
                    self.walk(initializer)
                self.open_block(child.start_byte, node.end_byte, loop=True)
                self.field(child, "condition")
                self.field(child, "update")
            elif kind == "block":
                if self.block == block:
                    self.open_block(child.start_byte, child.end_byte, loop=True)
                self.walk(child)
            else:
                self.walk(child)
        self.return_to(around)
        return 0

    def range_clause(self, node: Node, loop: Node, body: Node | None) -> None:
        """`for k, v := range e`: v is what stands under an index; k may be a key, or an element of a channel."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        value = self.walk(right) if right is not None else 0
        start = body.start_byte if body is not None else node.end_byte
        if left is None:
            self.open_block(start, loop.end_byte, loop=True)
            return
        names = parts_of(left) if left.type == "expression_list" else [left]
        declared = any(child.type == ":=" for child in node.children)
        if declared:
            self.open_block_scope(loop)
        self.open_block(start, loop.end_byte, loop=True)
        for index, name in enumerate(names[:2]):
            part = 0
            if value:
                byte = name.start_byte
                part = (
                    self.emit(SUBSCRIPT, byte, value, self.literal("int", byte))
                    if index
                    else self.emit(ELEMENT, byte, value)
                )
            if declared and name.type == "identifier":
                if self.source[name.start_byte : name.end_byte] != b"_":
                    self.bind(self.text_of(name), part, start)
            else:
                self.assign(name, part, start)

    def switch_statement(self, node: Node) -> int:
        """`switch` and `select`."""
        initializer = node.child_by_field_name("initializer")
        around = self.headed(node, initializer)
        for child in node.named_children:
            if child.type in _CASES:
                self.case(child)
            else:
                self.walk(child)
        self.scope = around
        return 0

    def case(self, node: Node) -> int:
        around = self.here()
        communication = node.child_by_field_name("communication")
        if self.declares(node) or (communication is not None and communication.type == "receive_statement"):
            self.open_block_scope(node)
        self.open_block(node.start_byte, node.end_byte)
        self.through(node)
        self.return_to(around)
        return 0

    def type_switch_statement(self, node: Node) -> int:
        """`switch t := x.(type)`: in each case `t` is a variable of that type."""
        initializer = node.child_by_field_name("initializer")
        around = self.headed(node, initializer)
        if initializer is not None:
            self.walk(initializer)
        alias_node = node.child_by_field_name("alias")
        alias = self.text_of(alias_node) if alias_node is not None else ""
        value = self.field(node, "value")
        for child in node.named_children:
            if child.type == "comment":
                self.comment(child)
            if child.type not in _CASES:
                continue
            outside = self.here()
            self.open_block_scope(child)
            self.open_block(child.start_byte, child.end_byte)
            listed = [part for part in child.children_by_field_name("type") if part.is_named]
            types = [part for each in listed if (part := self.type_of(each))]
            if alias:
                held = value
                if types:
                    annotation = types[0] if len(types) == 1 else self.emit(UNION, child.start_byte, len(types), *types)
                    held = self.emit(TYPED, child.start_byte, annotation, value)
                self.bind(alias, held, child.start_byte)
            for inner in child.named_children:
                if inner.type == "statement_list":
                    self.through(inner)
                elif inner.type == "comment":
                    self.comment(inner)
            self.return_to(outside)
        self.scope = around
        return 0
