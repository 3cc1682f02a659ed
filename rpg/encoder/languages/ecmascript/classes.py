"""Classes and their members."""

from __future__ import annotations

from collections.abc import Callable

from rpg.encoder.facts import ANONYMOUS, BASE, ROLE, SITE_WORDS, Definition
from rpg.encoder.languages.ecmascript.commonjs import CommonJs
from rpg.encoder.languages.ecmascript.functions import FUNCTIONS, Head, Target
from rpg.encoder.languages.ecmascript.walk import This
from rpg.encoder.lowering.node import Node
from rpg.encoder.operations import DEFINED, DEFINITION, HOLDER, SUBSCRIPT, TYPED

IMPLEMENTS = "implements"
"""Keyword of the bases that give a class no members."""


class Classes(CommonJs):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.decorators_before: list[tuple[str, int]] = []
        """Decorators in front of `export`, until the class behind it takes them."""
        self.inside_interface = False
        self.merged: dict[tuple[int, str], int] = {}
        """(scope, name) -> the first class, interface, enum or namespace of that name; further ones add to it."""
        self.bodies: dict[int, int] = {}
        """By definition: the block of its members."""
        self.table |= {
            "class_declaration": self.class_declaration,
            "abstract_class_declaration": self.class_declaration,
            "class": self.class_expression,
        }

    # Classes

    def class_declaration(self, node: Node) -> int:
        name = self.name_node(node)
        if name is None:
            return self.through(node)
        start = self.opened(node)
        text = self.text_of(name)
        target = Target(text, name.start_byte, text, start, node.end_byte)
        definition = len(self.definitions)
        merged = self.merged.get((self.scope, text), -1)
        self.declare_type(text, definition, name.start_byte)
        self.class_of(node, target)
        if merged >= 0 and self.definitions[merged].kind == "interface":
            self.merge_interface(merged, definition)
        return 0

    def open_body(self, definition: int, start: int, end: int) -> None:
        """Stand in the block of a definition's members, which parts that are merged into it share."""
        self.open_block(start, end)
        self.block = self.bodies.setdefault(definition, self.block)

    def merge_interface(self, interface: int, definition: int) -> None:
        """An interface before a class of that name is part of the class."""
        for binding in reversed(self.bindings):
            if self.code[binding.value] == DEFINITION and self.code[binding.value + DEFINED] == interface:
                binding.value, binding.kind = self.definition_value(definition), ""
                break
        self.bases.setdefault(definition, []).append(("", self.definition_value(interface)))

    def declare_type(self, name: str, definition: int, byte: int, kind: str = "") -> None:
        """A declared name holds from the start of its scope; further ones of that name are merged into it."""
        again = name in self.bound[self.scope]
        start = self.scopes[self.scope].start_byte
        self.merged.setdefault((self.scope, name), definition)
        self.bind(name, self.emit(DEFINITION, byte, definition), start, "weak" if again and not kind else kind)

    def class_expression(self, node: Node) -> int:
        """A class that is given to nothing: it has members and bases, but is no symbol unless it has a name."""
        name = self.name_node(node)
        text = self.text_of(name) if name is not None else ""
        byte = name.start_byte if name is not None else node.start_byte
        return self.class_of(node, Target(text, byte, text, node.start_byte, node.end_byte))

    def named_class(self, node: Node, target: Target) -> int:
        return self.class_of(node, target)

    def class_of(self, node: Node, target: Target) -> int:
        """A class of that name. Its scope's parent sees its type parameters; members are looked up on it alone."""
        name_node = generics = body = None
        heritage: list[Node] = []
        begin, doc = self.documented(target.start)
        decorators = list(self.decorators_before)
        self.decorators_before = []
        abstract = False
        for child in node.children:
            kind = child.type
            if kind in ("class_heritage", "extends_clause", "implements_clause"):
                heritage.append(child)
            elif kind == "class_body":
                body = child
            elif kind == "type_parameters":
                generics = child
            elif kind in ("type_identifier", "identifier"):
                name_node = child
            elif kind == "decorator":
                decorators.append(self.decorator(child))
            elif kind == "abstract":
                abstract = True
            elif kind == "comment":
                self.comment(child)
        end = node.end_byte
        signature = node.start_byte
        for child in node.children:
            if child.type not in ("decorator", "comment"):
                signature = child.start_byte
                break
        around = self.scope, self.definition, self.block, self.this, self.prefix, self.holder
        definition = len(self.definitions)
        if generics is not None or (name_node is not None and node.type == "class"):
            self.scope = self.open_scope("block", definition, begin, end)
        header = body.start_byte if body is not None else target.end
        scope = len(self.scopes)
        self.define(
            Definition(
                kind="class",
                name=target.name,
                qualified_name=self.qualified(target.path),
                parent=self.around(),
                owner=target.owner,
                scope=scope,
                start_byte=begin,
                end_byte=target.end,
                name_byte=target.byte,
                body_byte=header,
                signature=self.folded(signature if target.shown < 0 else target.shown, header),
                doc=doc,
                exported=False,
                decorators=tuple(text for text, _ in decorators),
                modifiers=("abstract",) if abstract else (),
                flags=() if target.name else (ANONYMOUS,),
            )
        )
        if decorators:
            self.decorators[definition] = [value for _, value in decorators if value]
        value = self.definition_value(definition)
        if name_node is not None and node.type == "class":
            self.bind(self.text_of(name_node), value, begin)
        self.definition = definition
        self.prefix, self.holder = "", -1
        if generics is not None:
            self.type_parameters_of(generics, definition)
        for part in heritage:
            self.heritage(part, definition)
        self.open_scope("class", definition, begin, end)
        self.open_body(definition, begin, end)
        if body is not None:
            self.class_body(body, scope, definition)
        self.scope, self.definition, self.block, self.this, self.prefix, self.holder = around
        return value

    def heritage(self, node: Node, definition: int) -> None:
        """`extends A<B>`, `implements C, D`."""
        rows = self.bases.setdefault(definition, [])
        if node.type == "implements_clause":
            rows += [(IMPLEMENTS, base) for base in map(self.base_type, node.named_children) if base]
            return
        if node.type == "class_heritage" and any(child.type.endswith("_clause") for child in node.named_children):
            for child in node.named_children:
                self.heritage(child, definition)
            return
        base = 0
        for child in node.named_children:
            kind = child.type
            if kind == "type_arguments":
                base = self.subscript_type(child.start_byte, base, self.type_arguments_of(child))
            elif kind == "comment":
                self.comment(child)
            else:
                base = self.with_role(child, BASE)
        if base:
            rows.append(("", base))

    def base_type(self, node: Node) -> int:
        """A type that is implemented or extended: its outermost name is the base."""
        count = len(self.sites)
        value = self.type_of(node)
        code = self.code
        named = code[value + HOLDER] if code[value] == SUBSCRIPT else value
        for at in range(count, len(self.sites), SITE_WORDS):
            if self.sites[at] == named:
                self.sites[at + ROLE] = BASE
        return value

    def class_body(self, node: Node, scope: int, definition: int) -> None:
        """Members are bound in the class's scope; what they evaluate sees the scope around the class."""
        outer = self.scope
        decorators: list[tuple[str, int]] = []
        start = -1
        members = node.named_children
        self.field_names[definition] = {name for member in members if (name := self.member_name(member))}
        for child in members:
            kind = child.type
            if kind == "comment":
                self.comment(child)
                continue
            if kind == "decorator":
                if start < 0:
                    start = child.start_byte
                decorators.append(self.decorator(child))
                continue
            begin = child.start_byte if start < 0 else start
            if kind in ("method_definition", "method_signature", "abstract_method_signature"):
                self.method(child, begin, scope, definition, decorators)
            elif kind in ("public_field_definition", "field_definition"):
                self.class_field(child, begin, scope, definition, decorators)
            elif kind == "class_static_block":
                self.static_block(child, definition)
            elif kind == "index_signature":
                self.index_signature(child, scope)
            else:
                self.walk(child)
            self.scope = outer
            decorators, start = [], -1

    def member_name(self, node: Node) -> str:
        kind = node.type
        if kind in ("comment", "decorator"):
            return ""
        name = node.child_by_field_name("property" if kind == "field_definition" else "name")
        return self.text_of(name) if name is not None else ""

    def method(self, node: Node, begin: int, scope: int, definition: int, decorators: list[tuple[str, int]]) -> None:
        outer = self.scope
        begin, doc = self.documented(begin)
        head = self.head(node)
        for child in node.named_children[:3] if node.type == "method_definition" else ():
            if child.type == "decorator":
                decorators.append(self.decorator(child))
        if head.name is None:
            self.through(node)
            return
        if head.name.type == "computed_property_name":
            self.only(head.name)
        bodiless = node.type == "method_signature" and not self.ambient and not self.inside_interface
        method = self.define_method(node, head, begin, doc, scope, decorators, ("overload",) if bodiless else ())
        static = "static" in head.marks
        # The scope that a method stands in is the class's; its names are seen by none of what it evaluates.
        around = self.scope, self.this
        self.scope = scope
        place = self.enter("function", method, node.start_byte, node.end_byte)
        self.this = This(self.scope, 0, -1 if static else definition)
        self.body(head, method)
        self.annotate(self.scope, doc, begin)
        self.leave(place)
        self.scope, self.this = around
        self.scope = outer

    def define_method(
        self,
        node: Node,
        head: Head,
        begin: int,
        doc: str,
        scope: int,
        decorators: list[tuple[str, int]],
        flags: tuple[str, ...],
    ) -> int:
        name_node = head.name or node
        name = self.name_of(name_node)
        marks = head.marks
        accessor = "get" in marks or "set" in marks
        if "set" in marks:
            flags += ("setter",)
        if "*" in marks:
            flags += ("generator",)
        modifiers = tuple(mark for mark in ("async", "static", "abstract") if mark in marks)
        end = node.end_byte
        hidden = name.startswith("#") or "private" in marks
        body = head.body.start_byte if head.body is not None else end
        method = self.define(
            Definition(
                kind="property" if accessor else "method",
                name=name,
                qualified_name=self.qualified(name),
                parent=self.around(),
                scope=len(self.scopes),
                start_byte=begin,
                end_byte=end,
                name_byte=name_node.start_byte,
                body_byte=body,
                signature=self.folded(node.start_byte, head.header_end),
                doc=doc,
                exported=not hidden,
                decorators=tuple(text for text, _ in decorators),
                modifiers=modifiers,
                returns=self.returned(head),
                flags=flags,
            )
        )
        if decorators:
            self.decorators[method] = [value for _, value in decorators if value]
        weak = "set" in marks and name in self.bound[scope]
        self.bind(name, self.definition_value(method), self.scopes[scope].start_byte, "weak" if weak else "", scope)
        return method

    def method_signature(self, node: Node, scope: int, owner: int) -> None:
        """A member of an interface or object type; without an owner it is no symbol."""
        if owner < 0:
            head = self.head(node)
            if head.name is not None:
                value = self.function_type(node)
                self.bind(self.name_of(head.name), value, node.start_byte, "weak", scope)
            return
        around, self.inside_interface = self.inside_interface, True
        self.method(node, node.start_byte, scope, owner, [])
        self.inside_interface = around

    def class_field(
        self, node: Node, begin: int, scope: int, definition: int, decorators: list[tuple[str, int]]
    ) -> None:
        name_node = annotation_node = value_node = None
        static = hidden = False
        begin_all = begin
        for child in node.children:
            kind = child.type
            if kind == "decorator":
                decorators.append(self.decorator(child))
            elif kind == "static":
                static = True
            elif kind == "accessibility_modifier":
                hidden = self.text_of(child) == "private"
            elif kind == "type_annotation":
                annotation_node = child
            elif kind == "comment":
                self.comment(child)
            elif not child.is_named or kind == "override_modifier" or child.start_byte == child.end_byte:
                continue
            elif name_node is None:
                name_node = child
            else:
                value_node = child
        if name_node is None:
            return
        if name_node.type == "computed_property_name":
            self.only(name_node)
        name = self.name_of(name_node)
        start, end = node.start_byte, node.end_byte
        shape = self.shape(value_node) if value_node is not None else ""
        member = -1
        if shape not in FUNCTIONS and shape != "class":
            member = self.leaf_of("field", name_node, begin_all, end, definition, start)
            field = self.definitions[member]
            field.exported = not (hidden or name.startswith("#"))
            field.modifiers = ("static",) if static else ()
            field.decorators = tuple(text for text, _ in decorators)
        annotation = (
            self.wrapped_type(annotation_node) if annotation_node is not None else self.declared_type(begin_all)
        )
        value = 0
        if value_node is not None:
            around = self.this, self.scope
            made = shape in FUNCTIONS
            self.this = This(scope, self.definition_value(definition) if static else 0, -1 if static else definition)
            if made:
                self.scope = scope
            target = Target(
                name, name_node.start_byte, name, begin_all, end, "method", fields=self.this.owner, static=static,
                member=made, shown=start,
            )  # fmt: skip
            value = self.given(value_node, target)
            self.this, self.scope = around
            if member < 0 and self.code[value] == DEFINITION:
                member = self.code[value + DEFINED]
                self.definitions[member].exported = not (hidden or name.startswith("#"))
        if decorators and member >= 0:
            self.decorators[member] = [each for _, each in decorators if each]
        typed = self.emit(TYPED, name_node.start_byte, annotation, value) if annotation else value
        self.bind(name, typed, self.scopes[scope].start_byte, "" if value else "annotation", scope)

    def static_block(self, node: Node, definition: int) -> None:
        around = self.enter("lambda", self.definition, node.start_byte, node.end_byte)
        self.this = This(self.scope, self.definition_value(definition))
        body = node.child_by_field_name("body")
        if body is not None:
            self.statements(body.named_children)
        self.leave(around)

    def parameter_field(self, name: Node, parameter: Node, annotation: int, value: int) -> None:
        owner = self.this.owner
        if owner < 0 or self.definitions[owner].kind != "class":
            return
        hidden = any(
            child.type == "accessibility_modifier" and child.text == b"private" for child in parameter.named_children
        )
        member = self.leaf_of("field", name, parameter.start_byte, parameter.end_byte, owner)
        self.definitions[member].exported = not hidden
        text = self.text_of(name)
        scope = self.definitions[owner].scope
        self.fields.setdefault(owner, []).append((text, value))
        typed = self.emit(TYPED, name.start_byte, annotation, value) if annotation else value
        self.bind(text, typed, self.scopes[scope].start_byte, "", scope)
