"""What values are assigned to: variables, members, `this`."""

from __future__ import annotations

from collections.abc import Callable

from rpg.encoder.facts import WRITE
from rpg.encoder.languages.ecmascript.functions import FUNCTIONS, WRAPPERS, Target
from rpg.encoder.languages.ecmascript.objects import Objects
from rpg.encoder.lowering.node import Node
from rpg.encoder.operations import ATTRIBUTE, BYTE, DEFINITION, IMPORT, PATH, SCOPE, STRING, THIS, TYPED, WORD

_LOGICAL = frozenset(("||=", "&&=", "??="))
_SYMBOLS = FUNCTIONS | {"class"}


class Targets(Objects):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.field_names: dict[int, set[str]] = {}
        """By definition: names of the fields that assignments to `this` made."""
        self.table |= {
            "lexical_declaration": self.declaration,
            "variable_declaration": self.declaration,
            "using_declaration": self.declaration,
            "assignment_expression": self.assignment,
            "augmented_assignment_expression": self.augmented_assignment,
        }

    # Declarations

    def declaration(self, node: Node) -> int:
        signature = node.start_byte
        start = self.opened(node)
        scope = self.function if node.type == "variable_declaration" else self.scope
        declarators = []
        for child in node.named_children:
            if child.type == "variable_declarator":
                declarators.append(child)
            else:
                self.walk(child)
        if len(declarators) == 1:
            self.declarator(declarators[0], scope, start, node.end_byte, signature)
            return 0
        for declarator in declarators:
            begin = start if declarator is declarators[0] else declarator.start_byte
            self.declarator(declarator, scope, begin, declarator.end_byte, declarator.start_byte)
        return 0

    def declarator(self, node: Node, scope: int, start: int, end: int, signature: int) -> None:
        pattern = annotation_node = value_node = None
        for child in node.named_children:
            kind = child.type
            if kind == "comment":
                self.comment(child)
            elif pattern is None:
                pattern = child
            elif kind == "type_annotation":
                annotation_node = child
            else:
                value_node = child
        if pattern is None or pattern.start_byte == pattern.end_byte:
            return
        byte = node.end_byte
        at_module = self.scopes[scope].kind == "module"
        shape = self.shape(value_node) if value_node is not None else ""
        annotation = 0
        if annotation_node is not None:
            around = self.definition
            if shape in FUNCTIONS and pattern.type == "identifier":
                # The annotation is that of the function, which is the next definition.
                self.definition = len(self.definitions)
            annotation = self.wrapped_type(annotation_node)
            self.definition = around
        else:
            annotation = self.declared_type(start)
        if pattern.type != "identifier":
            value = self.typed(pattern, annotation, self.walk(value_node) if value_node is not None else 0)
            makes = at_module and self.code[value] != IMPORT
            self.declare(pattern, value, byte, scope, "", node if makes else None)
            return
        name = self.text_of(pattern)
        if value_node is None:
            if at_module:
                self.leaf_of("constant", pattern, start, end, self.definition, signature)
            self.bind(name, self.typed(pattern, annotation, 0), byte, "annotation", scope)
            return
        target = Target(name, pattern.start_byte, name, start, end, shown=signature)
        before = self.prefix, self.holder
        if at_module and shape not in FUNCTIONS and shape != "class" and not self.is_import(value_node):
            self.holder = self.leaf_of("constant", pattern, start, end, self.definition, signature)
            self.prefix = f"{before[0]}.{name}" if before[0] else name
            target = target._replace(path="")
        if annotation and value_node.type == "object":
            self.context = annotation
        value = self.given(value_node, target)
        self.prefix, self.holder = before
        self.bind(name, self.typed(pattern, annotation, value), byte, "declared" if annotation else "", scope)

    def typed(self, node: Node, annotation: int, value: int) -> int:
        return self.emit(TYPED, node.start_byte, annotation, value) if annotation else value

    def shape(self, node: Node) -> str:
        """The kind of a value under its parentheses and casts."""
        while node.type in WRAPPERS:
            inner = node.named_children
            if not inner:
                break
            node = inner[0]
        return str(node.type)

    def is_import(self, node: Node) -> bool:
        """Whether a value is `require("m")`, or a member of it: the variable is then what an import binds."""
        while node.type == "member_expression" and node.child_count:
            node = node.children[0]
        if node.type == "await_expression" and node.named_child_count:
            node = node.named_children[0]
        if node.type != "call_expression":
            return False
        function, arguments = node.children[0], node.children[-1].named_children
        called = self.source[function.start_byte : function.end_byte]
        if called not in (b"require", b"import") or len(arguments) != 1 or arguments[0].type != "string":
            return False
        return called == b"import" or self.scope_of("require") < 0

    def constant(self, name: Node, statement: Node) -> int:
        return self.leaf_of("constant", name, statement.start_byte, statement.end_byte, self.definition)

    # Assignments

    def assignment(self, node: Node) -> int:
        return self.assigned_value(node, node.start_byte, node.end_byte)

    def assigned_value(self, node: Node, start: int, end: int) -> int:
        """`left = right`; from `start` to `end` goes the statement by which a function on the right is defined."""
        children = node.children
        left, right = children[0], children[-1]
        for child in children[1:-1]:
            if child.is_named:
                self.walk(child)
        kind = left.type
        while kind in WRAPPERS and left.named_child_count:
            left = left.named_children[0]
            kind = left.type
        if kind == "member_expression":
            return self.member_assignment(left, right, start, end)
        if kind == "identifier":
            return self.name_assignment(left, right, start, end)
        value = self.right_side(right, None)
        if kind == "subscript_expression":
            self.assign_to(left, value, end)
        else:
            self.declare(left, value, end, -1)
        return value

    def name_assignment(self, left: Node, right: Node, start: int, end: int) -> int:
        name = self.text_of(left)
        value = self.right_side(right, Target(name, left.start_byte, name, start, end))
        self.assign_name(name, left.start_byte, value, end)
        return value

    def right_side(self, node: Node, target: Target | None) -> int:
        if target is None:
            return self.walk(node)
        if node.type == "assignment_expression":
            return self.assigned_value(node, target.start, target.end)
        return self.given(node, target)

    def assign_name(self, name: str, byte: int, value: int, end: int, kind: str = "") -> None:
        """`name = value`: a binding in whichever scope declares the name, which may be further down."""
        self.name(name, byte, WRITE)
        self.assign_later(name, value, end, kind)

    def augmented_assignment(self, node: Node) -> int:
        left = node.child_by_field_name("left")
        right = node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None or operator is None:
            return self.through(node)
        start, end = node.start_byte, node.end_byte
        logical = operator.type in _LOGICAL
        if left.type == "identifier":
            name = self.text_of(left)
            value = self.right_side(right, Target(name, left.start_byte, name, start, end) if logical else None)
            if logical:
                self.assign_name(name, left.start_byte, value, end, "weak")
                return value
            self.name(name, left.start_byte, WRITE)
        elif logical and left.type == "member_expression":
            return self.member_assignment(left, right, start, end)
        else:
            self.with_role(left, WRITE)
            value = self.walk(right)
        if operator.type == "+=":
            return self.literal("string", start) if self.is_string(value) else 0
        return self.literal("number", start)

    # Members

    def member_assignment(self, left: Node, right: Node, start: int, end: int) -> int:
        """`object.name = value`."""
        name, holder = left.child_by_field_name("property"), left.child_by_field_name("object")
        if name is None or holder is None or name.start_byte == name.end_byte:
            value = self.walk(right)
            self.walk(left)
            return value
        path = self.text(left.start_byte, left.end_byte)
        special = self.special_assignment(path, left, holder, name, right, start, end)
        if special is not None:
            return special
        container = self.walk(holder)
        text, byte = self.text_of(name), name.start_byte
        if self.is_this(container):
            in_class = self.this.owner >= 0 and self.definitions[self.this.owner].kind == "class"
            kind = "method" if in_class else "function"
            target = Target(text, byte, text, start, end, kind, this=container, fields=self.this.owner)
        else:
            dotted = path.removeprefix("this.") if path.replace(".", "").replace("$", "").isidentifier() else text
            target = Target(text, byte, dotted, start, end, this=container)
        value = self.right_side(right, target)
        if self.is_this(container):
            self.set_member(container, name, value, end, start)
        else:
            if self.code[value] != DEFINITION or self.shape(right) not in _SYMBOLS:
                self.site(self.emit(ATTRIBUTE, byte, container, self.string(text)), WRITE)
            self.give_member(container, text, value, end)
        return value

    def special_assignment(
        self, path: str, left: Node, holder: Node, name: Node, right: Node, start: int, end: int
    ) -> int | None:
        """Exports and prototypes, of which CommonJS and constructor functions know; None where it is neither."""
        return None

    def assign_to(self, target: Node, value: int, byte: int) -> None:
        """A target that is no name and no pattern."""
        kind = target.type
        if kind == "subscript_expression":
            container, index = self.field(target, "object"), self.field(target, "index")
            code = self.code
            if code[index] == STRING and self.texts[code[index + WORD]].isidentifier():
                self.site(self.emit(ATTRIBUTE, code[index + BYTE] + 1, container, code[index + WORD]), WRITE)
                self.give_member(container, self.texts[code[index + WORD]], value, byte)
            elif value:
                self.items.append((container, index, value))
        elif kind == "member_expression":
            container = self.field(target, "object")
            name = target.child_by_field_name("property")
            if name is not None:
                self.set_member(container, name, value, byte, target.start_byte)
        else:
            self.walk(target)

    def set_member(self, container: int, name: Node, value: int, end: int, start: int) -> None:
        """`container.name = value`, with its site unless it is the place that makes a field."""
        if not self.makes_field(container, name, value, start, end):
            self.site(self.emit(ATTRIBUTE, name.start_byte, container, self.string(self.text_of(name))), WRITE)
        self.give_member(container, self.text_of(name), value, end)

    def give_member(self, container: int, name: str, value: int, byte: int) -> None:
        if not value:
            return
        if not (self.is_this(container) and self.this.owner >= 0):
            self.members.append((container, name, value))
        path = self.path_of(container)
        if path and self.code[container] != PATH:
            dotted = f"{path}.{name}"
            self.paths.add(dotted)
            self.bind(dotted, value, byte, "", self.function)

    def is_this(self, container: int) -> bool:
        return self.code[container] == THIS and self.code[container + SCOPE] == self.this.scope

    def makes_field(self, container: int, name: Node, value: int, start: int, end: int) -> bool:
        """`this.name = value`: the first one defines a field. Whether this was it."""
        owner = self.this.owner
        if owner < 0 or not self.is_this(container):
            return False
        text = self.text_of(name)
        if value:
            self.fields.setdefault(owner, []).append((text, value))
        known = self.field_names.setdefault(owner, set())
        if text in known or (self.code[value] != DEFINITION and self.is_declared_above(owner)):
            return False
        known.add(text)
        if self.code[value] != DEFINITION:
            self.leaf_of("field", name, start, end, owner)
        return True

    def is_declared_above(self, owner: int) -> bool:
        """Whether what a class does not declare itself is a field of the class that it extends: where fields have to be
        declared."""
        return self.language != "javascript" and any(not keyword for keyword, _ in self.bases.get(owner, ()))
