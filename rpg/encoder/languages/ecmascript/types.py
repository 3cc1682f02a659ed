"""Types: annotations become expressions in type position, whose names are ANNOTATION sites.

Types that compute (conditional, mapped, `keyof`) stand for nothing, but the names in them count.
"""

from __future__ import annotations

from collections.abc import Callable

from rpg.encoder.facts import ANNOTATION
from rpg.encoder.languages.ecmascript.walk import Walk
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Table
from rpg.encoder.operations import (
    ATTRIBUTE,
    ELEMENT,
    IMPORT,
    IMPORTED,
    INSTANCE,
    LITERAL,
    NAME,
    NARROWED,
    STATEMENT,
    STRING,
    SUBSCRIPT,
    THIS,
    TUPLE,
    TYPE_OF,
    TYPE_VARIABLE,
    TYPED,
    UNION,
    WORD,
)

CALL_SIGNATURE, NEW_SIGNATURE, INDEX_SIGNATURE = "()", "new", "[]"
"""What the nameless members of an object type are bound to: what calling, `new` and indexing give."""
SPREAD = "..."
"""A binding or member of this name: all members of its value."""
_ANYTHING = frozenset(("any", "unknown", "object"))
_SAME_MEMBERS = frozenset(("Partial", "Readonly", "Required"))
"""Types of the library with the members of their argument."""


class Types(Walk):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.alias = -1
        """The type alias whose object type is being lowered: its members are symbols."""
        self.mapped = 0
        """Of the mapped type that was lowered last: the type whose keys it has; 0 where that is not all it says."""
        self.types = Table(self.computed_type)
        self.types |= {
            "type_identifier": self.type_name,
            "identifier": self.type_name,
            "predefined_type": self.predefined_type,
            "generic_type": self.generic_type,
            "nested_type_identifier": self.qualified_type,
            "nested_identifier": self.qualified_type,
            "member_expression": self.qualified_type,
            "call_expression": self.imported_type,
            "array_type": self.array_type,
            "tuple_type": self.tuple_type,
            "union_type": self.union_type,
            "intersection_type": self.union_type,
            "literal_type": self.literal_type,
            "this_type": self.this_type,
            "type_query": self.type_query,
            "lookup_type": self.lookup_type,
            "conditional_type": self.conditional_type,
            "infer_type": self.infer_type,
            "type_predicate": self.type_predicate,
            "asserts": self.type_predicate,
            "type_annotation": self.wrapped_type,
            "parenthesized_type": self.wrapped_type,
            "readonly_type": self.wrapped_type,
            "optional_type": self.wrapped_type,
            "constraint": self.wrapped_type,
            "default_type": self.wrapped_type,
            "adding_type_annotation": self.wrapped_type,
            "omitting_type_annotation": self.wrapped_type,
            "opting_type_annotation": self.wrapped_type,
            "rest_type": self.rest_type,
            "index_type_query": self.computed_type,
            "template_literal_type": self.computed_type,
            "template_type": self.computed_type,
            "asserts_annotation": self.wrapped_type,
            "type_predicate_annotation": self.wrapped_type,
            "comment": self.comment,
            "string": self.skip,
            "string_fragment": self.skip,
            "mapped_type_clause": self.mapped_clause,
        }
        self.table["type_arguments"] = self.arguments_of_type
        self.table["type_parameters"] = self.skip

    def close(self) -> None:
        super().close()
        self.types.close()

    def type_of(self, node: Node) -> int:
        """Lower a type; the expression in type position, 0 where it is computed."""
        return self.types[node.type](node)

    def computed_type(self, node: Node) -> int:
        for child in node.named_children:
            self.type_of(child)
        return 0

    def wrapped_type(self, node: Node) -> int:
        value = 0
        types = self.types
        for child in node.named_children:
            value = types[child.type](child)
        return value

    def rest_type(self, node: Node) -> int:
        inner = self.wrapped_type(node)
        return self.emit(ELEMENT, node.start_byte, self.emit(INSTANCE, node.start_byte, inner)) if inner else 0

    def type_name(self, node: Node) -> int:
        start = node.start_byte
        piece = self.source[start : node.end_byte]
        word = self.words.get(piece)
        if word is None:
            word = self.word(piece)
        code = self.code
        offset = len(code)
        code += (NAME, start, word, self.scope)
        self.named.append(offset)
        self.sites += (offset, ANNOTATION, self.definition)
        return offset

    def predefined_type(self, node: Node) -> int:
        return self.literal(self.text_of(node), node.start_byte)

    def qualified_type(self, node: Node) -> int:
        """`a.B`: the member is the reference; the namespace before it is one as well."""
        children = node.children
        if len(children) != 3:
            return self.computed_type(node)
        container = self.type_of(children[0])
        member = children[2]
        start = member.start_byte
        word = self.word(self.source[start : member.end_byte])
        if self.code[container] == IMPORT:
            offset = self.emit(IMPORTED, start, self.code[container + STATEMENT], word)
        else:
            offset = self.emit(ATTRIBUTE, start, container, word)
        self.sites += (offset, ANNOTATION, self.definition)
        return offset

    def imported_type(self, node: Node) -> int:
        """`import("module")` in a type."""
        count = len(self.imports)
        value = self.walk(node)
        if len(self.imports) > count:
            self.imports[count] = self.imports[count]._replace(kind="type")
        return value

    def generic_type(self, node: Node) -> int:
        base = 0
        arguments: list[int] = []
        for child in node.named_children:
            if child.type == "type_arguments":
                arguments = self.type_arguments_of(child)
            else:
                base = self.type_of(child)
        return self.subscript_type(node.start_byte, base, arguments)

    def subscript_type(self, byte: int, base: int, arguments: list[int]) -> int:
        if not arguments:
            return base
        index = arguments[0] if len(arguments) == 1 else self.emit(TUPLE, byte, len(arguments), *arguments)
        return self.emit(SUBSCRIPT, byte, base, index)

    def type_arguments_of(self, node: Node) -> list[int]:
        alias = self.alias
        around = node.parent
        if around is None or around.type != "generic_type" or self.text_of(around.children[0]) not in _SAME_MEMBERS:
            self.alias = -1
        arguments = [self.type_of(child) for child in parts_of(node)]
        self.alias = alias
        return arguments

    def arguments_of_type(self, node: Node) -> int:
        """Type arguments that nothing is made of."""
        self.type_arguments_of(node)
        return 0

    def array_type(self, node: Node) -> int:
        item = self.wrapped_type(node)
        start = node.start_byte
        array = self.variable(self.word(b"Array"), start)
        return self.emit(SUBSCRIPT, start, array, item)

    def tuple_type(self, node: Node) -> int:
        items = []
        for child in node.named_children:
            kind = child.type
            if kind in ("required_parameter", "optional_parameter"):
                annotation = child.child_by_field_name("type")
                items.append(self.type_of(annotation) if annotation is not None else 0)
            elif kind == "comment":
                self.comment(child)
            else:
                items.append(self.type_of(child))
        return self.emit(TUPLE, node.start_byte, len(items), *items)

    def union_type(self, node: Node) -> int:
        """`A | B | C`, a chain to the left, flattened. `&` as well: a value of the type has the members of all."""
        parts: list[int] = []
        pending = [node]
        while pending:
            current = pending.pop()
            for child in reversed(current.named_children) if current.type == node.type else (current,):
                if child.type == node.type:
                    pending.append(child)
                elif child is current:
                    parts.append(self.type_of(child))
                else:
                    pending.append(child)
        parts = [part for part in parts if part]
        if len(parts) < 2:
            return parts[0] if parts else 0
        return self.emit(UNION, node.start_byte, len(parts), *parts)

    def literal_type(self, node: Node) -> int:
        for child in node.named_children:
            kind = child.type
            if kind == "string":
                return self.emit(STRING, child.start_byte, self.string(self.name_of(child)))
            if kind == "comment":
                self.comment(child)
            else:
                return self.literal(
                    "number" if kind in ("number", "unary_expression") else self.text_of(child), child.start_byte
                )
        return 0

    def this_type(self, node: Node) -> int:
        return self.this.value or self.emit(THIS, node.start_byte, self.this.scope)

    def type_query(self, node: Node) -> int:
        """`typeof a.b` in a type: the type of that value."""
        value = 0
        for child in node.named_children:
            value = self.type_of(child) if child.type != "this" else self.this_type(child)
        return self.emit(TYPE_OF, node.start_byte, value) if value else 0

    def lookup_type(self, node: Node) -> int:
        """`T["name"]` is the type of that member of a value; `T[number]` of its elements."""
        parts = parts_of(node)
        if len(parts) != 2:
            return self.computed_type(node)
        holder = self.type_of(parts[0])
        key = parts[1]
        index = self.type_of(key)
        if not holder or not index:
            return 0
        start = key.start_byte
        if self.code[index] == STRING:
            member = self.emit(ATTRIBUTE, start + 1, self.emit(INSTANCE, start, holder), self.code[index + WORD])
            return self.emit(TYPE_OF, start, member)
        if self.code[index] == LITERAL and key.type == "predefined_type":
            return self.emit(TYPE_OF, start, self.emit(ELEMENT, start, self.emit(INSTANCE, start, holder)))
        return 0

    def conditional_type(self, node: Node) -> int:
        """Which branch holds is not known; names that `infer` gives hold inside."""
        around = self.scope
        self.scope = self.open_scope("block", self.definition, node.start_byte, node.end_byte)
        self.computed_type(node)
        self.scope = around
        return 0

    def infer_type(self, node: Node) -> int:
        for position, child in enumerate(node.named_children):
            if position == 0:
                self.type_variable(self.text_of(child), 0, child.start_byte)
            else:
                self.type_of(child)
        return 0

    def mapped_clause(self, node: Node) -> int:
        """`K in keyof T`: gives T, 0 for other keys."""
        of = 0
        for child in node.named_children:
            if child.type == "type_identifier" and child.start_byte == node.start_byte:
                self.type_variable(self.text_of(child), 0, child.start_byte)
            elif child.type == "index_type_query" and child.named_child_count == 1:
                of = self.type_of(child.named_children[0])
            else:
                self.type_of(child)
        return of

    def type_predicate(self, node: Node) -> int:
        """`x is T` is a boolean that proves something of an argument: of which the annotation tells as NARROWED."""
        value = name = 0
        for child in node.named_children:
            kind = child.type
            if kind == "type_predicate":
                return self.type_predicate(child)
            if kind == "identifier" and not name:
                name = self.variable(self.word(self.source[child.start_byte : child.end_byte]), child.start_byte)
            elif kind != "this":
                value = self.type_of(child)
        if not name or not value:
            return self.literal("boolean", node.start_byte)
        return self.emit(NARROWED, node.start_byte, name, value, 0)

    # Type parameters

    def type_variable(self, name: str, bound: int, byte: int) -> None:
        start = self.scopes[self.scope].start_byte
        self.bind(name, self.emit(TYPE_VARIABLE, byte, self.string(name), bound), start, "type")

    def type_parameters_of(self, node: Node, definition: int = -1) -> None:
        """Bind type parameters in the current scope; `definition`: whose they are."""
        names: list[str] = []
        for child in node.named_children:
            if child.type != "type_parameter":
                self.walk(child)
                continue
            name = ""
            bound = 0
            start = child.start_byte
            for part in child.named_children:
                if part.type == "type_identifier":
                    name, start = self.text_of(part), part.start_byte
                elif part.type == "constraint":
                    bound = self.wrapped_type(part)
                else:
                    self.type_of(part)
            self.type_variable(name, bound, start)
            names.append(name)
        if definition >= 0:
            self.type_parameters[definition] = names

    def narrowed_by_cast(self, byte: int, annotation: int, value: int) -> int:
        """`value as T`; casts to anything say nothing."""
        if not annotation:
            return value
        code = self.code
        if code[annotation] == LITERAL and self.texts[code[annotation + WORD]] in _ANYTHING:
            return value
        if code[annotation] == NAME and self.texts[code[annotation + WORD]] == "const":
            return value
        return self.emit(TYPED, byte, annotation, value)
