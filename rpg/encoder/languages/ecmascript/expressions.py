"""Expressions that compute: members, calls, literals, operators, JSX. Functions and classes are further up."""

from __future__ import annotations

from collections.abc import Callable

from rpg.encoder.facts import CALLED, CREATED, READ, SITE_WORDS, Import
from rpg.encoder.languages.ecmascript.jsdoc import JsDoc
from rpg.encoder.languages.ecmascript.types import SPREAD
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.operations import (
    ATTRIBUTE,
    BYTE,
    CALL,
    ELEMENT,
    HOLDER,
    IMPORT,
    IMPORTED,
    LIST,
    LITERAL,
    MEMBER,
    NAME,
    NUMBER,
    OBJECT,
    PATH,
    POSITIONAL,
    SCOPE,
    STARRED,
    STATEMENT,
    STRING,
    SUBSCRIPT,
    SUPER,
    THIS,
    TYPED,
    TYPED_VALUE,
    WORD,
)

_STRING_LIMIT = 120
"""Bytes; longer strings are no keys or names of anything."""
_APPENDING = {"push": 0, "unshift": 0, "add": 0, "append": 0, "splice": 2}
"""Methods of containers that put arguments in, and which is the first."""
_TELLING = _APPENDING.keys() | {"set", "assign", "defineProperty", "inherits", "setPrototypeOf"}
"""Methods whose calls say more than a call."""
_DISPLAYS = frozenset((LIST, STRING, LITERAL))
"""Values whose iteration is the language's own."""
_LOADERS = frozenset((b"require", b"requirejs", b"define", b"__exportStar", b"__export"))
_BOOLEAN = frozenset(("==", "!=", "===", "!==", "<", ">", "<=", ">=", "in", "instanceof"))
_ASSIGNING = frozenset(("parenthesized_expression", "assignment_expression", "augmented_assignment_expression"))

Narrowing = tuple[int, str, int, int]
"""What a condition proves: value, its dotted path, class, 1 where it is not one."""


class Expressions(JsDoc):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.table |= {
            "identifier": self.identifier,
            "shorthand_property_identifier": self.identifier,
            "this": self.this_expression,
            "super": self.super_expression,
            "member_expression": self.member,
            "nested_identifier": self.member,
            "subscript_expression": self.subscript,
            "call_expression": self.call,
            "new_expression": self.new,
            "string": self.string_literal,
            "template_string": self.template,
            "template_substitution": self.only,
            "number": self.number,
            "regex": self.regex,
            "true": self.boolean,
            "false": self.boolean,
            "null": self.nothing,
            "undefined": self.nothing,
            "array": self.array,
            "parenthesized_expression": self.only,
            "non_null_expression": self.only,
            "spread_element": self.only,
            "meta_property": self.meta_property,
            "property_identifier": self.skip,
            "private_property_identifier": self.skip,
            "statement_identifier": self.skip,
        }

    # Members and calls

    def meta_property(self, node: Node) -> int:
        """`import.meta` is an object of the runtime's; `new.target` may be any class."""
        return self.literal("ImportMeta", node.start_byte) if node.children[0].type == "import" else 0

    def this_expression(self, node: Node) -> int:
        this = self.this
        return this.value or self.emit(THIS, node.start_byte, this.scope)

    def super_expression(self, node: Node) -> int:
        return self.emit(SUPER, node.start_byte, self.this.scope, 0)

    def member(self, node: Node) -> int:
        children = node.children
        if len(children) != 3:
            holder, name = node.child_by_field_name("object"), node.child_by_field_name("property")
            if holder is None or name is None:
                return self.through(node)
        else:
            holder, name = children[0], children[2]
        container = self.table[holder.type](holder)
        start = name.start_byte
        piece = self.source[start : name.end_byte]
        word = self.words.get(piece)
        if word is None:
            word = self.word(piece)
        code = self.code
        if self.paths or code[container] == IMPORT:
            return self.member_of(container, word, start)
        offset = len(code)
        code += (ATTRIBUTE, start, container, word)
        self.sites += (offset, READ, self.definition)
        return offset

    def member_of(self, container: int, word: int, byte: int) -> int:
        """`container.word`, with its site."""
        code = self.code
        if code[container] == IMPORT and self.imports[code[container + STATEMENT]].kind != "dynamic":
            # A name that is taken from a module on the spot.
            return self.emit(IMPORTED, byte, code[container + STATEMENT], word)
        path = self.path_of(container) if self.paths else ""
        dotted = f"{path}.{self.texts[word]}" if path else ""
        if dotted in self.paths:
            offset = self.emit(PATH, byte, container, word, self.function, self.string(dotted))
        else:
            offset = self.emit(ATTRIBUTE, byte, container, word)
        self.sites += (offset, READ, self.definition)
        return offset

    def subscript(self, node: Node) -> int:
        container = self.field(node, "object")
        index = self.field(node, "index")
        return self.indexed(container, index, node.end_byte - 1)

    def indexed(self, container: int, index: int, byte: int) -> int:
        """`container[index]`; a key that is a name is a member."""
        code = self.code
        if code[index] == STRING and self.texts[code[index + WORD]].isidentifier():
            return self.member_of(container, code[index + WORD], code[index + BYTE] + 1)
        return self.emit(SUBSCRIPT, byte, container, index)

    def call(self, node: Node) -> int:
        children = node.children
        function, arguments = children[0], children[-1]
        kind = function.type
        code = self.code
        loads = False
        if kind == "identifier":
            start = byte = function.start_byte
            piece = self.source[start : function.end_byte]
            if piece in _LOADERS and self.scope_of(piece.decode()) < 0:
                module = self.module_call(arguments, "") if piece == b"require" else 0
                if module:
                    return module
                loads = True
            word = self.words.get(piece)
            callee = len(code)
            code += (NAME, start, self.word(piece) if word is None else word, self.scope)
            self.named.append(callee)
        elif kind == "import":
            return self.module_call(arguments, "dynamic")
        elif kind == "super":
            byte = function.start_byte
            callee = self.emit(SUPER, byte, self.this.scope, 0)
            callee = self.emit(ATTRIBUTE, byte, callee, self.word(b"constructor"))
        else:
            callee, byte = self.callee(function)
        types: list[int] = []
        if len(children) > 2:
            for child in children[1:-1]:
                if child.type == "type_arguments":
                    types = self.type_arguments_of(child)
                elif child.is_named:
                    self.walk(child)
        method = self.texts[code[callee + MEMBER]] if code[callee] in (ATTRIBUTE, PATH) else ""
        row = self.arguments(arguments) if method not in _TELLING else self.arguments_of(callee, arguments)
        offset = len(code)
        code += (CALL, byte, callee, len(row) // 2, *row)
        self.sites += (offset, CALLED, self.definition)
        if types:
            self.type_arguments[offset] = types
        if method in _TELLING and row:
            self.filled(callee, row)
        if loads:
            self.loaded(row)
        return offset

    def loaded(self, row: list[int]) -> None:
        """A call of what loads modules, other than `require("m")`; CommonJS knows them."""

    def callee(self, function: Node) -> tuple[int, int]:
        """What is called, without a site of its own where the call is one, and where it is named."""
        callee = self.table[function.type](function)
        code = self.code
        if code[callee] in (NAME, ATTRIBUTE, PATH, IMPORTED):
            sites = self.sites
            if sites and sites[-SITE_WORDS] == callee:
                del sites[-SITE_WORDS:]
            return callee, code[callee + BYTE]
        inner = code[callee + TYPED_VALUE] if code[callee] == TYPED else 0
        if inner and code[inner] in (NAME, ATTRIBUTE, PATH):
            # `(object.member as T)(...)`: the sites of T stand behind the member's.
            for at in range(len(self.sites) - SITE_WORDS, -1, -SITE_WORDS):
                if self.sites[at] == inner:
                    del self.sites[at : at + SITE_WORDS]
                    return callee, code[inner + BYTE]
                if self.sites[at] < inner:
                    break
        return callee, function.end_byte

    def arguments_of(self, callee: int, node: Node) -> list[int]:
        """The arguments of a call of a member."""
        return self.arguments(node)

    def arguments(self, node: Node) -> list[int]:
        """Pairs as in CALL; of a template call its substitutions."""
        row: list[int] = []
        if node.type == "template_string":
            row += (POSITIONAL, self.literal("Array", node.start_byte))
            for child in node.named_children:
                if child.type == "template_substitution":
                    row += (POSITIONAL, self.only(child))
            return row
        table = self.table
        for child in node.named_children:
            kind = child.type
            if kind == "spread_element":
                row += (STARRED, self.only(child))
            elif kind == "comment":
                self.comment(child)
            else:
                row += (POSITIONAL, table[kind](child))
        return row

    def module_call(self, arguments: Node, kind: str) -> int:
        """`require("m")`, `import("m")`; 0 where the module is computed."""
        given = parts_of(arguments)
        if not given or given[0].type not in ("string", "template_string") or (not kind and len(given) != 1):
            if kind:
                self.through(arguments)
            return 0
        if given[0].named_child_count > 1 or (given[0].type == "template_string" and b"${" in (given[0].text or b"")):
            self.through(arguments)
            return 0
        for other in given[1:]:
            self.walk(other)
        byte = given[0].start_byte
        self.imports.append(Import(self.text(byte + 1, given[0].end_byte - 1), 0, byte, self.scope, kind))
        return self.emit(IMPORT, byte, len(self.imports) - 1)

    def filled(self, callee: int, row: list[int]) -> None:
        """Calls that put values into what they are called on."""
        code = self.code
        container, method = code[callee + HOLDER], self.texts[code[callee + MEMBER]]
        first = _APPENDING.get(method)
        if first is not None:
            for position in range(2 * first, len(row), 2):
                value = row[position + 1]
                if row[position] == STARRED and value:
                    value = self.emit(ELEMENT, code[value + BYTE], value)
                self.items.append((container, 0, value))
        elif method == "set" and len(row) == 4:
            self.items.append((container, row[1], row[3]))
        elif (
            method == "assign"
            and len(row) > 2
            and code[container] == NAME
            and self.texts[code[container + WORD]] == "Object"
        ):
            for position in range(2, len(row), 2):
                self.merge(row[1], row[position + 1])
        elif method == "defineProperty" and len(row) == 6 and code[row[3]] == STRING:
            self.define_property(row[1], self.texts[code[row[3] + WORD]], row[5])

    def merge(self, target: int, source: int) -> None:
        """`Object.assign(target, source)`."""
        self.members.append((target, SPREAD, source))

    def define_property(self, target: int, name: str, descriptor: int) -> None:
        """`Object.defineProperty(target, name, { value })`, or a getter that returns it."""
        code = self.code
        if code[descriptor] != OBJECT:
            return
        scope = code[descriptor + SCOPE]
        for binding in reversed(self.bindings):
            if binding.scope == scope and binding.name in ("value", "get") and binding.value:
                value = binding.value
                if binding.name == "get":
                    value = self.emit(CALL, code[value + BYTE], value, 0)
                self.members.append((target, name, value))
                return

    def new(self, node: Node) -> int:
        made = node.child_by_field_name("constructor")
        if made is None:
            return self.through(node)
        callee, byte = self.callee(made)
        row: list[int] = []
        types: list[int] = []
        for child in node.named_children:
            kind = child.type
            if kind == "arguments":
                row = self.arguments(child)
            elif kind == "type_arguments":
                types = self.type_arguments_of(child)
            elif kind == "comment":
                self.comment(child)
        offset = self.emit(CALL, byte, callee, len(row) // 2, *row)
        self.sites += (offset, CALLED, self.definition, offset, CREATED, self.definition)
        if types:
            self.type_arguments[offset] = types
        return offset

    def iterated(self, value: int, byte: int) -> int:
        """An element of a value, iteration being a use of its protocol; `byte` is where the value begins."""
        element = self.emit(ELEMENT, byte, value)
        if value and self.code[value] not in _DISPLAYS:
            self.sites += (element, READ, self.definition)
        return element

    # Literals

    def string_literal(self, node: Node) -> int:
        start, end = node.start_byte, node.end_byte
        if end - start > _STRING_LIMIT:
            return self.literal("string", start)
        code = self.code
        offset = len(code)
        piece = self.source[start + 1 : max(start + 1, end - 1)]
        word = self.words.get(piece)
        code += (STRING, start, self.word(piece) if word is None else word)
        return offset

    def template(self, node: Node) -> int:
        substituted = False
        for child in node.named_children:
            if child.type == "template_substitution":
                self.only(child)
                substituted = True
        return self.literal("string", node.start_byte) if substituted else self.string_literal(node)

    def number(self, node: Node) -> int:
        start = node.start_byte
        return self.emit(NUMBER, start, self.word(self.source[start : node.end_byte][:_STRING_LIMIT]))

    def regex(self, node: Node) -> int:
        return self.literal("RegExp", node.start_byte)

    def boolean(self, node: Node) -> int:
        return self.literal("boolean", node.start_byte)

    def nothing(self, node: Node) -> int:
        return self.literal(node.type, node.start_byte)

    def array(self, node: Node) -> int:
        items = []
        table = self.table
        for child in node.named_children:
            kind = child.type
            if kind == "comment":
                self.comment(child)
            elif kind == "spread_element":
                items.append(self.iterated(self.only(child), child.start_byte + 3))
            else:
                items.append(table[kind](child))
        return self.emit(LIST, node.start_byte, len(items), *items)
