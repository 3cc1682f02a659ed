"""Assignments: the names, members and entries that they give values to, and the symbols that they make."""

from __future__ import annotations

from collections.abc import Callable

from rpg.encoder.facts import READ, UPDATED, WRITE, Definition
from rpg.encoder.languages.python.operators import Operators
from rpg.encoder.languages.python.walk import DISPLAYS, Node
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.operations import (
    ATTRIBUTE,
    BYTE,
    CALL,
    ELEMENT,
    HOLDER,
    ITEM,
    LEFT,
    LIST,
    MEMBER,
    NAME,
    OPERATION,
    RIGHT,
    STRING,
    SUBSCRIPT,
    TUPLE,
    TYPED,
    WORD,
    items_of,
)


class Targets(Operators):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.expressions |= {
            "named_expression": self.named_expression,
            "assignment": self.assignment,
            "augmented_assignment": self.augmented_assignment,
        }

    def assignment(self, node: Node) -> int:
        left = node.child_by_field_name("left")
        annotation_node = node.child_by_field_name("type")
        right = node.child_by_field_name("right")
        annotation = self.annotation(annotation_node) if annotation_node is not None else 0
        value = self.expression(right) if right is not None else 0
        if annotation:
            value = self.emit(TYPED, left.start_byte, annotation, value)
        self.assign(left, value, node.end_byte, node, declared=right is None)
        return value

    def augmented_assignment(self, node: Node) -> int:
        left = node.child_by_field_name("left")
        value = self.expression_field(node, "right")
        if left.type == "identifier" and self.node_text(left) == "__all__":
            self.extend_all(value)
        read = self.with_role(left, UPDATED)
        token = node.child_by_field_name("operator")
        byte = token.start_byte if token is not None else left.start_byte
        offset = self.emit(
            OPERATION, byte + self.shift, self.string(self.node_text(token) if token else ""), read, value
        )
        self.site(offset, READ)
        return offset

    def named_expression(self, node: Node) -> int:
        value = self.expression_field(node, "value")
        name = node.child_by_field_name("name")
        scope = self.function_scope()
        self.bind(self.node_text(name), value, node.end_byte, "", scope)
        return value

    def assign(
        self, target: Node | None, value: int, byte: int, statement: Node | None = None, declared: bool = False
    ) -> None:
        """Bind a target. With `statement`, a name at module or class level becomes a constant (or a field)."""
        if target is None:
            return
        kind = target.type
        if kind == "identifier":
            name = self.node_text(target)
            scope_kind = self.scopes[self.scope].kind
            if scope_kind in ("module", "class") and statement is not None:
                self.constant(name, target, statement, declared)
                if name == "__all__" and scope_kind == "module":
                    self.exports["all"] = []
                    self.extend_all(value)
            elif (self.scope, name) in self.elsewhere:
                self.name(name, target.start_byte, WRITE)
            self.forget(name)
            self.bind(name, value, byte, "annotation" if declared else "")
        elif kind == "attribute":
            self.assign_member(target, value, byte, statement)
        elif kind == "subscript":
            container = self.expression_field(target, "value")
            keys = [self.expression(key) for key in target.children_by_field_name("subscript")]
            if value:
                self.items.append((container, keys[0] if len(keys) == 1 else 0, value))
            written = self.emit(SUBSCRIPT, target.start_byte + self.shift, container, keys[0] if len(keys) == 1 else 0)
            self.sites += (written, WRITE, self.definition)
            self.keep(written, value, byte)
        elif kind in ("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list"):
            parts = parts_of(target)
            if value and self.code[value] in (NAME, CALL):
                self.site(self.emit(ELEMENT, self.code[value + BYTE], value), READ)
            stars = [index for index, part in enumerate(parts) if part.type in ("list_splat_pattern", "list_splat")]
            for index, part in enumerate(parts):
                if stars and index == stars[0]:
                    rest = self.rest(value, index, len(parts) - index - 1, part.start_byte) if value else 0
                    self.assign(part.named_children[0] if part.named_child_count else None, rest, byte, statement)
                    continue
                position = index - len(parts) if stars and index > stars[0] else index
                item = self.emit(ITEM, part.start_byte, value, position) if value else 0
                self.assign(part, item, byte, statement)
        elif kind == "parenthesized_expression" or kind in ("as_pattern_target", "list_splat_pattern", "type"):
            for child in target.named_children:
                self.assign(child, value, byte, statement)

    def rest(self, value: int, before: int, after: int, byte: int) -> int:
        """What a starred target takes: the parts between, where they stand in view, else any element."""
        if self.code[value] in (TUPLE, LIST):
            items = items_of(self.code, value)
            kept = items[before : len(items) - after]
            return self.emit(LIST, byte, len(kept), *kept)
        return self.emit(LIST, byte, 1, self.emit(ELEMENT, byte, value))

    def assign_member(self, target: Node, value: int, byte: int, statement: Node | None) -> None:
        """`object.name = value`: on the receiver it makes a field of the class."""
        holder = target.child_by_field_name("object")
        name_node = target.child_by_field_name("attribute")
        name = self.node_text(name_node)
        container = self.expression(holder)
        text = self.node_text(holder)
        for receiver, owner in reversed(self.receivers):
            if receiver != text:
                continue
            if value:
                self.fields.setdefault(owner, []).append((name, value))
            if self.field(owner, name, name_node, statement or target):
                break
            self.site(self.emit(ATTRIBUTE, name_node.start_byte + self.shift, container, self.string(name)), WRITE)
            break
        else:
            if value:
                self.members.append((container, name, value))
            self.site(self.emit(ATTRIBUTE, name_node.start_byte + self.shift, container, self.string(name)), WRITE)
        if value and holder.type == "identifier":
            path = f"{text}.{name}"
            self.bind(path, value, byte)
            self.dotted[self.scope].add(path)

    def field(self, owner: int, name: str, name_node: Node, statement: Node) -> bool:
        """Define a field of a class unless it has a member of that name. Whether this defined it."""
        scope = self.definitions[owner].scope
        if (scope, name) in self.defined or name in self.bound[scope]:
            return False
        self.leaf("field", name, owner, scope, name_node, statement)
        return True

    def constant(self, name: str, name_node: Node, statement: Node, declared: bool = False) -> None:
        """Define a constant, once per scope; later assignments are writes of it."""
        if (self.scope, name) in self.defined or name in self.bound[self.scope]:
            self.name(name, name_node.start_byte, WRITE)
            return
        in_class = self.scopes[self.scope].kind == "class"
        around = self.definitions[self.definition]
        is_field = in_class and (declared or "dataclass" in around.flags or self.is_enum(self.definition))
        self.leaf("field" if is_field else "constant", name, self.definition, self.scope, name_node, statement)

    def leaf(self, kind: str, name: str, parent: int, scope: int, name_node: Node, statement: Node) -> None:
        """A definition without a body."""
        around = self.definitions[parent]
        qualified = f"{around.qualified_name}.{name}" if parent else name
        start, end = statement.start_byte, statement.end_byte
        scope_now, self.scope = self.scope, scope
        self.define(
            Definition(
                kind=kind,
                name=name,
                qualified_name=qualified,
                parent=parent,
                start_byte=start,
                end_byte=end,
                name_byte=name_node.start_byte,
                body_byte=end,
                signature=self.folded(start, end),
                exported=not name.startswith("_"),
            )
        )
        self.scope = scope_now

    def is_enum(self, definition: int) -> bool:
        for _, base in self.bases.get(definition, ()):
            if self.path_of(base).rpartition(".")[2] in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"):
                return True
        return False

    def extend_all(self, value: int) -> None:
        """`__all__` so far; parts that are no literals leave it open."""
        code, names = self.code, self.texts
        listed = self.exports.setdefault("all", [])
        if code[value] == OPERATION:
            self.extend_all(code[value + LEFT])
            self.extend_all(code[value + RIGHT])
        elif code[value] in (LIST, TUPLE):
            items = items_of(code, value)
            listed += [names[code[item + WORD]] for item in items if code[item] == STRING]
        elif (
            code[value] == ATTRIBUTE and names[code[value + MEMBER]] == "__all__" and code[code[value + HOLDER]] == NAME
        ):
            self.exports.setdefault("all_of", []).append(names[code[code[value + HOLDER] + WORD]])
        elif value:
            self.exports["all_open"] = True

    def iterated(self, value: int, byte: int) -> int:
        """An element of a value, iteration being a use of its protocol; `byte` is where the value begins."""
        element = self.emit(ELEMENT, byte + self.shift, value)
        if value and self.code[value] not in DISPLAYS:
            self.sites += (element, READ, self.definition)
        return element
