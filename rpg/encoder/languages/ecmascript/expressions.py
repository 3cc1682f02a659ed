"""Expressions that compute: members, calls, literals, operators, JSX. Functions and classes are further up."""

from __future__ import annotations

from collections.abc import Callable

from rpg.encoder.facts import (
    ATTRIBUTE,
    AWAIT,
    CALL,
    CALLED,
    ELEMENT,
    IMPORT,
    IMPORTED,
    LIST,
    NAME,
    NARROWED,
    NUMBER,
    OBJECT,
    PATH,
    POSITIONAL,
    READ,
    STARRED,
    STRING,
    SUBSCRIPT,
    SUPER,
    THIS,
    TYPED,
    UNION,
    YIELD,
    Import,
)
from rpg.encoder.languages.ecmascript.jsdoc import JsDoc
from rpg.encoder.languages.ecmascript.types import SPREAD
from rpg.encoder.walker import Node

_STRING_LIMIT = 120
"""Bytes; longer strings are no keys or names of anything."""
_APPENDING = {"push": 0, "unshift": 0, "add": 0, "append": 0, "splice": 2}
"""Methods of containers that put arguments in, and which is the first."""
_TELLING = _APPENDING.keys() | {"set", "assign", "defineProperty", "inherits", "setPrototypeOf"}
"""Methods whose calls say more than a call."""
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
            "binary_expression": self.binary,
            "unary_expression": self.unary,
            "update_expression": self.update,
            "ternary_expression": self.ternary,
            "sequence_expression": self.sequence,
            "parenthesized_expression": self.only,
            "non_null_expression": self.only,
            "await_expression": self.await_expression,
            "yield_expression": self.yield_expression,
            "as_expression": self.cast,
            "satisfies_expression": self.satisfies,
            "type_assertion": self.type_assertion,
            "instantiation_expression": self.instantiation,
            "spread_element": self.only,
            "meta_property": self.skip,
            "property_identifier": self.skip,
            "private_property_identifier": self.skip,
            "statement_identifier": self.skip,
            "jsx_element": self.jsx_element,
            "jsx_self_closing_element": self.jsx_element,
            "jsx_expression": self.only,
            "jsx_text": self.skip,
        }

    # Members and calls

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
        if code[container] == IMPORT:
            # A name that is taken from a module on the spot.
            return self.emit(IMPORTED, byte, code[container + 2], word)
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
        if code[index] == STRING and self.texts[code[index + 2]].isidentifier():
            return self.member_of(container, code[index + 2], code[index + 1] + 1)
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
        if len(children) > 2:
            for child in children[1:-1]:
                if child.is_named:
                    self.walk(child)
        method = self.texts[code[callee + 3]] if code[callee] in (ATTRIBUTE, PATH) else ""
        row = self.arguments(arguments) if method not in _TELLING else self.arguments_of(callee, arguments)
        offset = len(code)
        code += (CALL, byte, callee, len(row) // 2, *row)
        self.sites += (offset, CALLED, self.definition)
        if method in _TELLING and row:
            self.filled(callee, row)
        if loads:
            self.loaded(row)
        return offset

    def loaded(self, row: list[int]) -> None:
        """A call of what loads modules, other than `require("m")`; CommonJS knows them."""

    def callee(self, function: Node) -> tuple[int, int]:
        """What is called, without a site of its own where the call is one, and where it is named."""
        callee = self.walk(function)
        code = self.code
        if code[callee] in (NAME, ATTRIBUTE, PATH, IMPORTED):
            sites = self.sites
            if sites and sites[-3] == callee:
                del sites[-3:]
            return callee, code[callee + 1]
        inner = code[callee + 3] if code[callee] == TYPED else 0
        if inner and code[inner] in (NAME, ATTRIBUTE, PATH):
            # `(object.member as T)(...)`: the sites of T stand behind the member's.
            for at in range(len(self.sites) - 3, -1, -3):
                if self.sites[at] == inner:
                    del self.sites[at : at + 3]
                    return callee, code[inner + 1]
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
        given = [child for child in arguments.named_children if child.type != "comment"]
        if not given or given[0].type not in ("string", "template_string") or (not kind and len(given) != 1):
            if kind:
                self.through(arguments)
            return 0
        if given[0].named_child_count > 1 or (given[0].type == "template_string" and b"${" in given[0].text):
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
        container, method = code[callee + 2], self.texts[code[callee + 3]]
        first = _APPENDING.get(method)
        if first is not None:
            for position in range(2 * first, len(row), 2):
                value = row[position + 1]
                if row[position] == STARRED and value:
                    value = self.emit(ELEMENT, code[value + 1], value)
                self.items.append((container, 0, value))
        elif method == "set" and len(row) == 4:
            self.items.append((container, row[1], row[3]))
        elif (
            method == "assign"
            and len(row) > 2
            and code[container] == NAME
            and self.texts[code[container + 2]] == "Object"
        ):
            for position in range(2, len(row), 2):
                self.merge(row[1], row[position + 1])
        elif method == "defineProperty" and len(row) == 6 and code[row[3]] == STRING:
            self.define_property(row[1], self.texts[code[row[3] + 2]], row[5])

    def merge(self, target: int, source: int) -> None:
        """`Object.assign(target, source)`."""
        self.members.append((target, SPREAD, source))

    def define_property(self, target: int, name: str, descriptor: int) -> None:
        """`Object.defineProperty(target, name, { value })`, or a getter that returns it."""
        code = self.code
        if code[descriptor] != OBJECT:
            return
        scope = code[descriptor + 2]
        for binding in reversed(self.bindings):
            if binding.scope == scope and binding.name in ("value", "get") and binding.value:
                value = binding.value
                if binding.name == "get":
                    value = self.emit(CALL, code[value + 1], value, 0)
                self.members.append((target, name, value))
                return

    def new(self, node: Node) -> int:
        made = node.child_by_field_name("constructor")
        if made is None:
            return self.through(node)
        callee, byte = self.callee(made)
        row: list[int] = []
        for child in node.named_children:
            kind = child.type
            if kind == "arguments":
                row = self.arguments(child)
            elif kind in ("type_arguments", "comment"):
                self.walk(child)
        offset = self.emit(CALL, byte, callee, len(row) // 2, *row)
        self.sites += (offset, CALLED, self.definition)
        return offset

    # Literals

    def string_literal(self, node: Node) -> int:
        start, end = node.start_byte, node.end_byte
        if end - start > _STRING_LIMIT:
            return self.literal("string", start)
        code = self.code
        offset = len(code)
        piece = self.source[start + 1 : end - 1]
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
                items.append(self.emit(ELEMENT, child.start_byte, self.only(child)))
            else:
                items.append(table[kind](child))
        return self.emit(LIST, node.start_byte, len(items), *items)

    # Operators

    def binary(self, node: Node) -> int:
        """A chain to the left (`a + b + c`) is gone through in a loop: strings put together can be long."""
        rights: list[tuple[Node, str]] = []
        while node.type == "binary_expression":
            children = node.children
            operator = children[1].type if len(children) == 3 else ""
            if operator in ("", "&&", "||", "??") or children[0].type == "private_property_identifier":
                break
            rights.append((children[2], operator))
            node = children[0]
        value = self.logical(node) if node.type == "binary_expression" else self.walk(node)
        for right, operator in reversed(rights):
            other = self.walk(right)
            if operator in _BOOLEAN:
                value = self.literal("boolean", right.start_byte)
            elif operator != "+":
                value = self.literal("number", right.start_byte)
            elif self.is_string(value) or self.is_string(other):
                value = self.literal("string", right.start_byte)
            else:
                value = 0
        return value

    def is_string(self, expression: int) -> bool:
        return self.code[expression] == STRING or expression == self.literals.get("string", -1)

    def logical(self, node: Node) -> int:
        """`&&`, `||` and `??`."""
        operator = node.child_by_field_name("operator")
        left_node, right_node = node.child_by_field_name("left"), node.child_by_field_name("right")
        if operator is None or left_node is None or right_node is None or operator.type not in ("&&", "||", "??"):
            return self.through(node)
        if operator.type == "&&":
            # What `&&` yields is its right side, or something false.
            return self.held(right_node, self.condition(left_node))
        left = self.walk(left_node)
        right = self.held(right_node, [])
        if not left or not right:
            return left or right
        return self.emit(UNION, node.start_byte, 2, left, right)

    def held(self, node: Node, narrowings: list[Narrowing]) -> int:
        """Lower a part that is evaluated where `narrowings` hold, or not at all."""
        if not narrowings and node.type not in _ASSIGNING:
            return self.walk(node)
        around = self.open_block(node.start_byte, node.end_byte)
        self.narrow(narrowings, node.start_byte)
        value = self.walk(node)
        self.block = around
        return value

    def unary(self, node: Node) -> int:
        value = self.field(node, "argument")
        operator = node.children[0].type
        if operator in ("!", "delete"):
            return self.literal("boolean", node.start_byte)
        if operator == "typeof":
            return self.literal("string", node.start_byte)
        if operator == "void":
            return self.literal("undefined", node.start_byte)
        return self.literal("number", node.start_byte) if value else 0

    def update(self, node: Node) -> int:
        self.through(node)
        return self.literal("number", node.start_byte)

    def ternary(self, node: Node) -> int:
        parts = [node.child_by_field_name(name) for name in ("condition", "consequence", "alternative")]
        if None in parts:
            return self.through(node)
        narrowings = self.condition(parts[0])
        first = self.held(parts[1], narrowings)
        second = self.held(parts[2], self.negated(narrowings))
        if not first or not second:
            return first or second
        return self.emit(UNION, node.start_byte, 2, first, second)

    def sequence(self, node: Node) -> int:
        return self.only(node)

    def await_expression(self, node: Node) -> int:
        value = self.only(node)
        return self.emit(AWAIT, node.start_byte, value) if value else 0

    def yield_expression(self, node: Node) -> int:
        value = self.only(node)
        if len(node.children) > 1 and node.children[1].type == "*":
            value = self.emit(ELEMENT, node.start_byte, value)
        self.yields.setdefault(self.function, []).append(value)
        return self.emit(YIELD, node.start_byte, value)

    # Casts

    def cast(self, node: Node) -> int:
        children = [child for child in node.named_children if child.type != "comment"]
        if not children:
            return 0
        value = self.walk(children[0])
        if len(children) < 2:
            return value
        return self.narrowed_by_cast(children[1].start_byte, self.type_of(children[1]), value)

    def satisfies(self, node: Node) -> int:
        value = 0
        for position, child in enumerate(node.named_children):
            if position == 0:
                value = self.walk(child)
            else:
                self.type_of(child)
        return value

    def type_assertion(self, node: Node) -> int:
        """`<T>value`."""
        annotation = value = 0
        for child in node.named_children:
            if child.type == "type_arguments":
                annotation = (self.type_arguments(child) or [0])[0]
            else:
                value = self.walk(child)
        return self.narrowed_by_cast(node.start_byte, annotation, value)

    def instantiation(self, node: Node) -> int:
        """`f<T>`."""
        return self.satisfies(node)

    # Conditions

    def condition(self, node: Node | None) -> list[Narrowing]:
        """Lower a condition; what it proves where it holds."""
        if node is None:
            return []
        kind = node.type
        if kind == "parenthesized_expression":
            inner = [child for child in node.named_children if child.type != "comment"]
            if len(inner) == 1:
                return self.condition(inner[0])
        elif kind == "unary_expression" and node.children[0].type == "!":
            return self.negated(self.condition(node.child_by_field_name("argument")))
        elif kind == "binary_expression" and len(node.children) == 3:
            left, operator, right = node.children
            if operator.type == "&&":
                first = self.condition(left)
                if not first:
                    return self.condition(right)
                around = self.open_block(right.start_byte, right.end_byte)
                self.narrow(first, right.start_byte)
                second = self.condition(right)
                self.block = around
                return first + second
            if operator.type == "instanceof":
                value = self.walk(left)
                classes = self.walk(right)
                path = self.path_of(value) if classes else ""
                return [(value, path, classes, 0)] if path and path != "this" else []
        self.walk(node)
        return []

    def negated(self, narrowings: list[Narrowing]) -> list[Narrowing]:
        """What holds where a condition fails; of several parts none is known to be the one."""
        return (
            [(value, path, classes, 1 - no) for value, path, classes, no in narrowings] if len(narrowings) == 1 else []
        )

    def narrow(self, narrowings: list[Narrowing], byte: int) -> None:
        """Bind what is proven from `byte` on, inside the current block."""
        for value, path, classes, no in narrowings:
            scope = self.function
            if "." in path:
                self.paths.add(path)
            else:
                scope = max(self.scope_of(path), 0)
            self.bind(path, self.emit(NARROWED, self.code[value + 1], value, classes, no), byte, "narrow", scope)

    # JSX

    def jsx_element(self, node: Node) -> int:
        """A component is called with one object of its properties; other elements are values of no interest."""
        tag = node.child_by_field_name("open_tag") if node.type == "jsx_element" else node
        name = self.name_node(tag) if tag is not None else None
        callee = byte = 0
        if name is not None and (
            name.type != "identifier" or self.source[name.start_byte : name.start_byte + 1].isupper()
        ):
            callee, byte = self.callee(name)
        properties = self.open_scope("object", self.definition, node.start_byte, node.end_byte) if callee else -1
        for child in tag.named_children if tag is not None else ():
            if name is not None and child.start_byte == name.start_byte:
                continue
            if child.type == "jsx_attribute":
                self.jsx_attribute(child, properties)
            elif child.type == "jsx_expression":
                value = self.only(child)
                if value and properties >= 0:
                    self.bind(SPREAD, value, child.start_byte, "", properties)
            else:
                self.walk(child)
        if tag is not node:
            for child in node.named_children[1:]:
                kind = child.type
                if kind == "jsx_expression":
                    value = self.only(child)
                    if value and properties >= 0:
                        self.bind("children", value, child.start_byte, "weak", properties)
                elif kind != "jsx_closing_element":
                    self.walk(child)
        if not callee:
            return self.literal("Element", node.start_byte)
        made = self.emit(OBJECT, node.start_byte, properties)
        offset = self.emit(CALL, byte, callee, 1, POSITIONAL, made)
        self.sites += (offset, CALLED, self.definition)
        return offset

    def jsx_attribute(self, node: Node, properties: int) -> None:
        children = [child for child in node.named_children if child.type != "comment"]
        if not children:
            return
        value = self.walk(children[1]) if len(children) > 1 else self.literal("boolean", node.start_byte)
        if value and properties >= 0:
            self.bind(self.text_of(children[0]), value, node.start_byte, "", properties)
