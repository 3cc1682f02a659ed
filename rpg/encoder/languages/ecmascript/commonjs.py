"""How programs say modules and classes without syntax for them: `module.exports`, `exports.a`, `X.prototype.m`."""

from __future__ import annotations

from collections.abc import Callable

from rpg.encoder.facts import BASE, Import
from rpg.encoder.languages.ecmascript.functions import FUNCTIONS, WRAPPERS, Target
from rpg.encoder.languages.ecmascript.targets import Targets
from rpg.encoder.languages.ecmascript.types import SPREAD
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.operations import (
    ARGUMENT_COUNT,
    ARGUMENTS,
    ATTRIBUTE,
    BYTE,
    CALL,
    CALLEE,
    FUNCTION,
    HOLDER,
    IMPORT,
    LIST,
    MEMBER,
    NAME,
    OBJECT,
    POSITIONAL,
    SCOPE,
    STARRED,
    STATEMENT,
    STRING,
    WORD,
    items_of,
)

WHOLE = "="
"""The name under which `module.exports` itself is exported."""
_EXPORTS = ("exports", "module.exports")


class CommonJs(Targets):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.exports_scope = -1
        """Object scope that stands for the exports, once they are written to."""

    def special_assignment(
        self, path: str, left: Node, holder: Node, name: Node, right: Node, start: int, end: int
    ) -> int | None:
        container, _, last = path.rpartition(".")
        if path == "module.exports":
            return self.whole_exports(right, start, end, True) if self.is_free("module") else None
        if container in _EXPORTS and self.is_free(container.partition(".")[0]):
            target = Target(last, name.start_byte, last, start, end)
            value = self.right_side(right, target)
            self.export_member(last, value, end)
            return value
        if container.endswith(".prototype"):
            return self.prototype_member(holder, name, right, container.removesuffix(".prototype"), start, end)
        if last == "prototype" and "(" not in container:
            return self.whole_prototype(holder, name, right, container, start, end)
        return None

    def name_assignment(self, left: Node, right: Node, start: int, end: int) -> int:
        if self.source[left.start_byte : left.end_byte] == b"exports" and self.is_free("exports"):
            return self.whole_exports(right, start, end, False)
        return super().name_assignment(left, right, start, end)

    # Prototypes

    def prototype_member(self, holder: Node, name: Node, right: Node, owner: str, start: int, end: int) -> int:
        """`X.prototype.name = value`."""
        container = self.walk(holder)
        text = self.text_of(name)
        target = Target(
            text, name.start_byte, f"{owner}.{text}", start, end, "method", owner, 0, self.definition_of(owner)
        )  # fmt: skip
        value = self.right_side(right, target)
        if value and self.shape(right) not in FUNCTIONS:
            self.members.append((container, text, value))
        return value

    def whole_prototype(self, holder: Node, name: Node, right: Node, owner: str, start: int, end: int) -> int:
        """`X.prototype = { ... }`, `= Object.create(Base.prototype)`, `= new Base`."""
        container = self.walk(holder)
        definition = self.definition_of(owner)
        byte = name.start_byte
        if self.shape(right) == "object":
            value = self.given(right, Target("prototype", byte, owner, start, end, "method", owner, 0, definition))
        else:
            value = self.right_side(right, Target("prototype", byte, f"{owner}.prototype", start, end))
            self.inherit(definition, value)
        if value:
            self.members.append((container, "prototype", value))
        return value

    def inherit(self, definition: int, value: int) -> None:
        """What the prototype of a constructor function is made of is its base."""
        base = self.prototype_of(value)
        if definition >= 0 and base:
            self.bases.setdefault(definition, []).append(("", base))
            self.sites += (base, BASE, definition)

    def prototype_of(self, value: int) -> int:
        """The class in `Object.create(Base.prototype)`, `Base.prototype` or `new Base`."""
        code, texts = self.code, self.texts
        if code[value] == ATTRIBUTE and texts[code[value + MEMBER]] == "prototype":
            return code[value + HOLDER]
        if code[value] != CALL:
            return 0
        callee = code[value + CALLEE]
        if code[callee] == ATTRIBUTE and texts[code[callee + MEMBER]] == "create":
            return self.prototype_of(code[value + ARGUMENTS]) if code[value + ARGUMENT_COUNT] else 0
        made = code[callee] == NAME and self.source[: code[callee + BYTE]].rstrip().endswith(b"new")
        return callee if made else 0

    def filled(self, callee: int, row: list[int]) -> None:
        super().filled(callee, row)
        code, texts = self.code, self.texts
        method = texts[code[callee + MEMBER]]
        if method == "inherits" and len(row) >= 4 and code[row[1]] == NAME:
            # util.inherits(Derived, Base)
            definition = self.definition_of(texts[code[row[1] + WORD]])
            if definition >= 0:
                self.bases.setdefault(definition, []).append(("", row[3]))
                self.sites += (row[3], BASE, definition)
        elif method == "setPrototypeOf" and len(row) == 4 and self.prototype_of(row[1]):
            self.inherit(self.definition_of(self.path_of(self.prototype_of(row[1]))), row[3])

    # Exports

    def is_free(self, name: str) -> bool:
        """Whether `exports` or `module` means what CommonJS means by it: it is bound nowhere, or by us."""
        scope = self.scope_of(name)
        return scope < 0 or (scope == 0 and self.exports_scope >= 0)

    def exports_object(self) -> int:
        """The scope that stands for the exports: `exports.a` and `module.exports.a` find their members there."""
        if self.exports_scope < 0:
            size = len(self.source)
            around = self.here()
            self.scope = self.block = 0
            self.exports_scope = self.open_scope("object", 0, 0, size)
            module = self.open_scope("object", 0, 0, size)
            self.bind("exports", self.emit(OBJECT, 0, self.exports_scope), 0, "", module)
            self.bind("exports", self.emit(OBJECT, 0, self.exports_scope), 0, "", 0)
            self.bind("module", self.emit(OBJECT, 0, module), 0, "", 0)
            self.return_to(around)
        return self.exports_scope

    def names(self) -> dict[str, int]:
        names: dict[str, int] = self.exports.setdefault("names", {})
        return names

    def export_member(self, name: str, value: int, byte: int) -> None:
        scope = self.exports_object()
        self.names()[name] = value
        self.bind(name, value, byte, "weak" if name in self.bound[scope] else "", scope)

    def whole_exports(self, right: Node, start: int, end: int, of_module: bool) -> int:
        """`module.exports = value`. `exports = value` alone exports nothing."""
        self.exports_object()
        shape = self.shape(right)
        if shape in FUNCTIONS or shape == "class":
            own = self.own_name(right)
            name = self.text_of(own) if own is not None else "default"
            byte = own.start_byte if own is not None else right.start_byte
            value = self.given(right, Target(name, byte, name, start, end))
        else:
            value = self.right_side(right, Target("", start, "", start, end))
        if of_module and value:
            self.names()[WHOLE] = value
            self.export_members(value)
        return value

    def own_name(self, node: Node) -> Node | None:
        while node.type in WRAPPERS and node.named_child_count:
            node = node.named_children[0]
        return self.name_node(node)

    def export_members(self, value: int) -> None:
        """The members of an object literal are exported by their names."""
        if self.code[value] == IMPORT:
            self.exports.setdefault("stars", []).append(self.code[value + STATEMENT])
        self.bind(SPREAD, value, self.code[value + BYTE], "weak", self.exports_scope)
        if self.code[value] != OBJECT:
            return
        scope, names = self.code[value + SCOPE], self.names()
        first, end = self.literal_bindings.get(scope, (0, 0))
        for binding in [each for each in self.bindings[first:end] if each.scope == scope and each.value]:
            if binding.name == SPREAD:
                self.export_members(binding.value)
            else:
                names[binding.name] = binding.value

    def arguments_of(self, callee: int, node: Node) -> list[int]:
        """`Object.assign(X.prototype, { m() {} })`: what is put in is named after what it is put into."""
        code, texts = self.code, self.texts
        given = parts_of(node)
        if (
            len(given) < 2
            or code[callee] != ATTRIBUTE
            or texts[code[callee + MEMBER]] != "assign"
            or code[code[callee + HOLDER]] != NAME
            or texts[code[code[callee + HOLDER] + WORD]] != "Object"
        ):
            return self.arguments(node)
        first = self.walk(given[0])
        path = self.path_of(first)
        owner = path.removesuffix(".prototype") if path.endswith(".prototype") else ""
        fields = self.definition_of(owner) if owner else -1
        row = [POSITIONAL, first]
        for child in given[1:]:
            name = owner or ("" if path in _EXPORTS else path)
            target = Target(name, child.start_byte, name, child.start_byte, child.end_byte, "method", owner, 0, fields)
            if child.type == "spread_element":
                row += (STARRED, self.only(child))
            else:
                row += (POSITIONAL, self.given(child, target))
        return row

    def loaded(self, row: list[int]) -> None:
        """`define(["a"], function (a) { return ... })`; `__exportStar(require("a"))`, which compilers write."""
        code = self.code
        values = row[1::2]
        if values and code[values[0]] == IMPORT:
            self.exports.setdefault("stars", []).append(code[values[0] + STATEMENT])
        listed = next((value for value in values[:-1] if code[value] == LIST), 0)
        if not listed or code[values[-1]] != FUNCTION:
            return
        scope = code[values[-1] + SCOPE]
        modules = items_of(code, listed)
        for position, parameter in enumerate(self.parameters.get(scope, [])[: len(modules)]):
            if code[modules[position]] == STRING and parameter.name:
                byte = code[modules[position] + BYTE]
                module = self.texts[code[modules[position] + WORD]]
                self.imports.append(Import(module, 0, byte, self.scope))
                self.given_module(scope, parameter.name, self.emit(IMPORT, byte, len(self.imports) - 1))
        if self.function == 0 and scope in self.returns:
            self.exports_object()
            self.names()[WHOLE] = self.returns[scope][-1]
            self.export_members(self.returns[scope][-1])

    def given_module(self, scope: int, name: str, value: int) -> None:
        """What a parameter holds is the module."""
        for binding in self.bindings:
            if binding.scope == scope and binding.name == name:
                binding.value = value
                return

    def merge(self, target: int, source: int) -> None:
        super().merge(target, source)
        path = self.path_of(target)
        if path in _EXPORTS and self.is_free(path.partition(".")[0]):
            self.exports_object()
            self.export_members(source)

    def define_property(self, target: int, name: str, descriptor: int) -> None:
        count = len(self.members)
        super().define_property(target, name, descriptor)
        path = self.path_of(target)
        if path in _EXPORTS and self.is_free(path.partition(".")[0]) and len(self.members) > count:
            value = self.members.pop()[2]
            if name != "__esModule":
                self.export_member(name, value, self.code[descriptor + BYTE])
