"""Parameters, and what patterns declare: names, parts of objects and lists, rests and defaults."""

from __future__ import annotations

from rpg.encoder.facts import DECORATOR, Parameter
from rpg.encoder.languages.ecmascript.jsx import Jsx
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.operations import BYTE, ELEMENT, ITEM, LIST, PARAMETER, TYPED, UNION


class Patterns(Jsx):
    # Parameters

    def parameters_of(self, node: Node, scope: int) -> None:
        if node.type == "identifier":
            name = self.text_of(node)
            self.parameters[scope] = [Parameter(name, "positional")]
            self.bind(name, self.emit(PARAMETER, node.start_byte, scope, 0), self.scopes[scope].start_byte)
            return
        rows: list[Parameter] = []
        self.parameters[scope] = rows
        for child in node.named_children:
            kind = child.type
            if kind == "comment":
                self.comment(child)
            elif kind in ("required_parameter", "optional_parameter"):
                self.typed_parameter(child, scope, rows)
            elif kind == "assignment_pattern":
                default = self.field(child, "right")
                pattern = child.child_by_field_name("left")
                if pattern is not None:
                    self.parameter(pattern, scope, rows, 0, default)
            else:
                self.parameter(child, scope, rows, 0, 0)
        if not rows:
            del self.parameters[scope]

    def typed_parameter(self, node: Node, scope: int, rows: list[Parameter]) -> None:
        pattern = None
        annotation = default = 0
        is_field = False
        for child in node.children:
            kind = child.type
            if kind == "type_annotation":
                annotation = self.wrapped_type(child)
            elif kind == "decorator":
                # Evaluated with the class around the method.
                method, self.definition = self.definition, max(self.definitions[self.definition].parent, 0)
                self.decorator(child)
                self.definition = method
            elif kind in ("accessibility_modifier", "override_modifier", "readonly"):
                is_field = True
            elif kind == "comment":
                self.comment(child)
            elif pattern is None and child.is_named:
                pattern = child
            elif child.is_named:
                default = self.walk(child)
        if pattern is None:
            return
        if pattern.type == "this":
            # Says what `this` is; no argument is passed for it.
            if annotation:
                value = self.emit(TYPED, pattern.start_byte, annotation, 0)
                self.this = self.this._replace(value=value)
            return
        self.parameter(pattern, scope, rows, annotation, default)
        if is_field and pattern.type == "identifier":
            self.parameter_field(
                pattern, node, annotation, self.emit(PARAMETER, pattern.start_byte, scope, len(rows) - 1)
            )

    def parameter_field(self, name: Node, parameter: Node, annotation: int, value: int) -> None:
        """Defined with the classes: `constructor(private x: T)`."""
        raise NotImplementedError

    def parameter(self, pattern: Node, scope: int, rows: list[Parameter], annotation: int, default: int) -> None:
        kind = "positional"
        if pattern.type == "rest_pattern":
            kind = "list"
            inner = parts_of(pattern)
            pattern = inner[0] if inner else pattern
        start = self.scopes[scope].start_byte
        value = self.emit(PARAMETER, pattern.start_byte, scope, len(rows))
        if pattern.type == "identifier":
            name = self.text_of(pattern)
            rows.append(Parameter(name, kind, annotation, default))
            self.bind(name, value, start)
        else:
            rows.append(Parameter("", kind, annotation, default))
            self.declare(pattern, value, start, scope)

    def decorator(self, node: Node) -> tuple[str, int]:
        """Text and expression of a decorator."""
        value = 0
        text = ""
        for child in node.named_children:
            if child.type == "comment":
                self.comment(child)
                continue
            text = self.folded(child.start_byte, child.end_byte)
            value = self.walk(child) if child.type == "call_expression" else self.with_role(child, DECORATOR)
        return text, value

    # Patterns

    def declare(
        self, pattern: Node, value: int, byte: int, scope: int, kind: str = "", statement: Node | None = None
    ) -> None:
        """Bind what a pattern declares; below scope 0 it assigns to what others declare.

        `statement`: names become constants, since it stands at module level.
        """
        shape = pattern.type
        if shape in ("identifier", "shorthand_property_identifier_pattern"):
            if pattern.start_byte == pattern.end_byte:
                return
            if statement is not None:
                self.constant(pattern, statement)
            if scope < 0:
                self.assign_name(self.text_of(pattern), pattern.start_byte, value, byte)
            else:
                self.bind(self.text_of(pattern), value, byte, kind, scope)
        elif shape == "object_pattern":
            for child in pattern.named_children:
                self.part_of_object(child, value, byte, scope, statement)
        elif shape == "array_pattern":
            position = 0
            for child in pattern.children:
                if child.type == ",":
                    position += 1
                elif child.type == "rest_pattern":
                    rest = (
                        self.emit(LIST, child.start_byte, 1, self.emit(ELEMENT, child.start_byte, value))
                        if value
                        else 0
                    )
                    self.declare(child, rest, byte, scope, "", statement)
                elif child.is_named:
                    item = self.emit(ITEM, child.start_byte, value, position) if value else 0
                    self.declare(child, item, byte, scope, "", statement)
        elif shape in ("assignment_pattern", "object_assignment_pattern"):
            left = pattern.child_by_field_name("left")
            default = self.field(pattern, "right")
            if left is not None:
                self.declare(left, self.either(value, default), byte, scope, "", statement)
        elif shape == "comment":
            self.comment(pattern)
        elif shape in ("rest_pattern", "parenthesized_expression", "non_null_expression", "as_expression"):
            for child in pattern.named_children[:1]:
                self.declare(child, value, byte, scope, "", statement)
        elif scope < 0:
            self.assign_to(pattern, value, byte)
        else:
            self.walk(pattern)

    def part_of_object(self, node: Node, value: int, byte: int, scope: int, statement: Node | None) -> None:
        """One part of `{ a, b: c, d = 1, ...rest }`."""
        shape = node.type
        if shape == "pair_pattern":
            key, target = node.child_by_field_name("key"), node.child_by_field_name("value")
            if key is None or target is None:
                return
            if key.type == "computed_property_name":
                part = self.indexed(value, self.only(key), key.start_byte) if value else self.through(key)
            else:
                part = self.part(value, key)
            self.declare(target, part, byte, scope, "", statement)
        elif shape == "shorthand_property_identifier_pattern":
            self.declare(node, self.part(value, node), byte, scope, "", statement)
        elif shape == "object_assignment_pattern":
            left = node.child_by_field_name("left")
            if left is not None:
                part = self.part(value, left)
                self.declare(left, self.either(part, self.field(node, "right")), byte, scope, "", statement)
        else:
            self.declare(node, value, byte, scope, "", statement)

    def part(self, value: int, key: Node) -> int:
        if not value:
            return 0
        return self.member_of(value, self.string(self.name_of(key)), key.start_byte)

    def either(self, value: int, default: int) -> int:
        if not value or not default:
            return value or default
        return self.emit(UNION, self.code[default + BYTE], 2, value, default)

    def assign_name(self, name: str, byte: int, value: int, end: int, kind: str = "") -> None:
        """Defined with the targets."""
        raise NotImplementedError

    def assign_to(self, target: Node, value: int, byte: int) -> None:
        """Defined with the targets: members and subscripts."""
        raise NotImplementedError

    def constant(self, name: Node, statement: Node) -> int:
        """Defined with the targets."""
        raise NotImplementedError
