"""Object literals: what stands in them is evaluated in the scope around, and bound in one of their own."""

from __future__ import annotations

from collections.abc import Callable

from rpg.encoder.languages.ecmascript.functions import FUNCTIONS, WRAPPERS, Functions, Target
from rpg.encoder.languages.ecmascript.types import SPREAD
from rpg.encoder.languages.ecmascript.walk import This
from rpg.encoder.lowering.node import Node
from rpg.encoder.operations import HOLDER, INDEX, NAME, OBJECT, SUBSCRIPT, TYPED, WORD


class Objects(Functions):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.table["object"] = self.object_literal
        self.literal_bindings: dict[int, tuple[int, int]] = {}
        """By scope of an object literal: from and to where in the bindings its own ones stand."""

    def settled(self, annotation: int) -> int:
        """What a promise of the annotated type is of; any other type itself."""
        code = self.code
        base = code[annotation + HOLDER] if code[annotation] == SUBSCRIPT else 0
        promised = base and code[base] == NAME and self.texts[code[base + WORD]] == "Promise"
        return code[annotation + INDEX] if promised else annotation

    def object_literal(self, node: Node) -> int:
        return self.members_of(node)

    def named_object(self, node: Node, target: Target) -> int:
        around = self.prefix
        if target.path:
            self.prefix = f"{around}.{target.path}" if around else target.path
        value = self.members_of(node, target.owner, target.fields)
        self.prefix = around
        return value

    def members_of(self, node: Node, owner: str = "", fields: int = -1) -> int:
        """An object literal: a scope of its own for the members, whose values are evaluated in the scope around.

        `owner`: the class whose prototype it becomes.
        """
        scope = self.open_scope("object", self.definition, node.start_byte, node.end_byte)
        made = self.emit(OBJECT, node.start_byte, scope)
        first = len(self.bindings)
        context, self.context = self.context, 0
        this = self.emit(TYPED, node.start_byte, context, made) if context else made
        for child in node.named_children:
            kind = child.type
            if kind == "pair":
                key, value_node = child.child_by_field_name("key"), child.child_by_field_name("value")
                if key is None or value_node is None or key.start_byte == key.end_byte:
                    self.through(child)
                    continue
                shape = key.type
                name = self.text_of(key) if shape == "property_identifier" else self.name_of(key)
                computed = self.only(key) if shape == "computed_property_name" else 0
                inner = value_node.type
                if inner in FUNCTIONS or inner in ("object", "class") or inner in WRAPPERS:
                    target = Target(
                        name, key.start_byte, name, child.start_byte, child.end_byte, "method", owner,
                        0 if owner else this, fields,
                    )  # fmt: skip
                    value = self.given(value_node, target)
                else:
                    value = self.table[inner](value_node)
                if shape == "computed_property_name" and not name.startswith("[Symbol."):
                    if value:
                        self.items.append((made, computed, value))
                else:
                    self.bind(name, value, child.end_byte, "", scope)
            elif kind == "shorthand_property_identifier":
                self.bind(self.text_of(child), self.identifier(child), child.end_byte, "", scope)
            elif kind == "method_definition":
                self.literal_method(child, scope, this, owner, fields)
            elif kind == "spread_element":
                self.bind(SPREAD, self.only(child), child.end_byte, "weak", scope)
            else:
                self.walk(child)
        self.literal_bindings[scope] = first, len(self.bindings)
        return made

    def literal_method(self, node: Node, scope: int, this: int, owner: str, fields: int) -> None:
        """`{ name() {} }`, `{ get name() {} }`."""
        head = self.head(node)
        if head.name is None:
            self.through(node)
            return
        if head.name.type == "computed_property_name":
            self.only(head.name)
        name = self.name_of(head.name)
        accessor = "get" in head.marks or "set" in head.marks
        start, end = node.start_byte, node.end_byte
        target = Target(name, head.name.start_byte, name, start, end, owner=owner)
        begin, doc = self.documented(start)
        modifiers = ("async",) if "async" in head.marks else ()
        definition = self.define_function(
            "property" if accessor else "method", target, begin, doc, head, modifiers, start
        )
        if "set" in head.marks:
            self.definitions[definition].flags = ("setter",)
        value = self.definition_value(definition)
        self.bind(name, value, end, "weak" if "set" in head.marks else "", scope)
        around = self.enter("function", definition, start, end)
        self.this = This(self.scope, 0 if owner else this, fields)
        self.body(head, definition)
        self.annotate(self.scope, doc, begin)
        self.leave(around)
