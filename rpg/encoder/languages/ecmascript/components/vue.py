"""Vue's single-file components.

In: a `.vue` file. Out: its script as a module, whose default export is the component, and what its template refers to:
with `<script setup>` the names of the script, else the members of the exported object and the components that it
lists. Members that the object takes from elsewhere (mixins, spread getters) remain open.

Absent: global components that no declaration names, filters, Pug.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.languages.ecmascript.components.component import (
    CODE,
    ENTER,
    LEAVE,
    LIST,
    PATTERN,
    TAG,
    WORD,
    Component,
    Step,
    has,
    language_of,
)
from rpg.encoder.languages.ecmascript.components.markup import BRACES, OPEN, VOID_ELEMENTS, Attribute, Markup, Token
from rpg.encoder.languages.ecmascript.components.rules import VueRules as Rules
from rpg.encoder.languages.ecmascript.lowering.modules import DEFAULT
from rpg.encoder.lowering.node import Node

__all__ = ["Lowering", "Rules"]

_FOR: Final = re.compile(rb"\s*(.*?)\s+(?:in|of)\s+", re.DOTALL)
_FILTER: Final = re.compile(
    rb"""(?:[^|"'`]|\|\||"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)*?(?<!\|)\|(?!\|)""", re.DOTALL
)
_NO_CODE: Final = frozenset(("v-else", "v-pre", "v-cloak", "v-once"))
_MEMBERS: Final = frozenset(("methods", "computed", "props", "data", "setup", "inject", "asyncData", "emits"))


class Lowering(Component):
    def lower(self, root: Node | None = None) -> None:
        """The whole component."""
        self.has_setup = False
        self.registered: dict[str, str] = {}
        """Names of elements -> names in the script."""
        self.member_values: dict[str, int] = {}
        self.read_blocks()
        roots = self.lower_scripts()
        if not self.has_setup:
            for script in roots:
                self.read_options(script)
        self.define_component()
        self.lower_markup()
        self.finish_component()

    # Blocks

    def read_blocks(self) -> None:
        template: Token | None = None
        opened: list[tuple[str, bool]] = []
        counts: dict[str, int] = {}
        for token in Markup(self.source, False).tokens():
            if template is None:
                if token.kind != OPEN or token.is_empty:
                    continue
                if token.name == "script" and not has(token, "src"):
                    self.scripts.append(token)
                    self.has_setup = self.has_setup or has(token, "setup")
                elif token.name == "template":
                    if language_of(self, token) not in ("", "html"):
                        self.problems.append(f"{self.line(token.start)}: a template in another language")
                        continue
                    template = token
                    opened, counts = [("template", False)], {"template": 1}
                if token.name in ("script", "template") and (not self.begins_end or has(token, "setup")):
                    self.begins, self.begins_end = token.start, token.end
            elif token.kind == BRACES:
                self.interpolation(token)
            elif token.kind == OPEN:
                has_scope = self.tag(token)
                if token.is_empty or token.name in VOID_ELEMENTS or token.content_end > token.end:
                    if has_scope:
                        self.steps.append(Step(LEAVE, token.end, token.end))
                else:
                    opened.append((token.name, has_scope))
                    counts[token.name] = counts.get(token.name, 0) + 1
            elif counts.get(token.name):
                name = ""
                while name != token.name:
                    name, has_scope = opened.pop()
                    counts[name] -= 1
                    if has_scope:
                        self.steps.append(Step(LEAVE, token.start, token.start))
                if not opened:
                    template = None

    def interpolation(self, token: Token) -> None:
        start, end = token.start + 1, token.end - 2
        self.parenthesise(start, end)
        self.blank_filters(start + 1, end)
        self.steps.append(Step(CODE, start, end + 1))

    def blank_filters(self, start: int, end: int) -> None:
        found = _FILTER.match(self.source, start, end)
        if found is not None:
            at = found.end() - 1
            self.written[at:end] = b" " * (end - at)

    def tag(self, token: Token) -> bool:
        """The steps of an opening tag. Whether it opened a scope."""
        scoped = [each for each in token.attributes if binds(each)]
        for attribute in scoped:
            if attribute.name == "v-for":
                found = _FOR.match(self.source, attribute.value_start, attribute.value_end)
                if found is not None:
                    self.steps.append(Step(LIST, found.end(), attribute.value_end))
        if scoped:
            self.steps.append(Step(ENTER, token.start, len(self.source)))
        for attribute in scoped:
            found = _FOR.match(self.source, attribute.value_start, attribute.value_end)
            if attribute.name != "v-for":
                self.steps.append(Step(PATTERN, attribute.value_start, attribute.value_end))
            elif found is not None:
                self.steps.append(Step(PATTERN, found.start(1), found.end(1)))
        self.steps.append(Step(TAG, token.start + 1, token.end, token.name))
        for attribute in token.attributes:
            if not binds(attribute):
                self.attribute(attribute)
        return bool(scoped)

    def attribute(self, attribute: Attribute) -> None:
        name, start, end = attribute.name, attribute.value_start, attribute.value_end
        if name.startswith(("@", "v-on:")):
            if start >= 0:
                self.steps.append(Step(CODE, start, end))
        elif name.startswith((":", "v-bind:", "v-")) and name not in _NO_CODE:
            directive = camel(re.split(r"[:.]", name)[0])
            if name.startswith("v-") and directive.encode() in self.source:
                self.steps.append(Step(WORD, attribute.start, attribute.name_end, directive))
            quote = self.source[start - 1 : start] if start > 0 else b""
            if start < 0:
                if name.startswith(":"):
                    self.steps.append(Step(WORD, attribute.start + 1, attribute.name_end, camel(name[1:])))
            elif quote in (b'"', b"'") and end < len(self.source):
                self.parenthesise(start - 1, end)
                self.blank_filters(start, end)
                self.steps.append(Step(CODE, start - 1, end + 1))
            else:
                self.steps.append(Step(CODE, start, end))

    # The exported object

    def read_options(self, root: Node) -> None:
        for statement in root.named_children:
            if statement.type == "export_statement":
                options = options_of(statement.child_by_field_name("value"))
                if options is not None:
                    self.read_object(options)

    def read_object(self, options: Node) -> None:
        definitions = {each.name_byte: index for index, each in enumerate(self.definitions) if index}
        for name, _, value in members_of(self, options):
            if name == "components" and value is not None and value.type == "object":
                for tag, _, component in members_of(self, value):
                    if component is not None and component.type in ("identifier", "shorthand_property_identifier"):
                        self.registered[tag] = self.source_of(component)
            elif name in _MEMBERS and value is not None:
                is_function = value.type != "object" and value.type != "array"
                inside = find_returned_object(value) if is_function else value
                scope = self.scope_from(value) if is_function else 0
                for member, at, held in members_of(self, inside) if inside is not None else ():
                    known = definitions.get(at)
                    if known is not None:
                        self.member_values[member] = self.definition_value(known)
                        continue
                    named = held is not None and held.type in ("identifier", "shorthand_property_identifier")
                    text = self.source_of(held) if held is not None and named else ""
                    found = self.held(text, scope) if scope and text else 0
                    self.member_values[member] = found or (self.held(text, 0) if text else 0)
        self.share_members(options)

    def share_members(self, options: Node) -> None:
        """`this` is the component in all functions of the object, however they are grouped: each group has all
        members."""
        groups = {(each.start_byte, each.end_byte) for each in walk_groups(options)}
        for scope, opened in enumerate(self.scopes):
            if opened.kind == "object" and (opened.start_byte, opened.end_byte) in groups:
                for name, value in self.member_values.items():
                    if value and name not in self.bound[scope]:
                        self.bind(name, value, opened.start_byte, "", scope)

    def scope_from(self, function: Node) -> int:
        """The scope that a function opens; 0 if there is none."""
        start, end = function.start_byte, function.end_byte
        for index, scope in enumerate(self.scopes):
            if scope.kind == "function" and start <= scope.start_byte and scope.end_byte <= end:
                return index
        return 0

    # The template

    def bind_members(self) -> None:
        for name, value in self.member_values.items():
            self.bind(name, value, 0)

    def element(self, name: str, start: int) -> None:
        spelled = (name, camel(name), pascal(name))
        if self.has_setup:
            own = next((each for each in spelled if each.partition(".")[0] in self.bound[0]), "")
            if own:
                self.name(own.partition(".")[0], start)
                return
        else:
            for tag, own in self.registered.items():
                if tag in spelled or pascal(tag) == spelled[2]:
                    self.script_names.add(len(self.code))
                    self.name(own, start)
                    return
        if pascal(self.path.rpartition("/")[2].partition(".")[0]) == spelled[2]:
            self.name(DEFAULT, start)
        elif not name.islower() or "-" in name:
            if spelled[2] not in self.bound[0]:
                self.script_names.add(len(self.code))  # a global component is no member
            self.name(spelled[2], start)

    def lower_markup(self) -> None:
        first = len(self.named)
        self.script_names: set[int] = set()
        super().lower_markup()
        if self.has_setup:
            return
        # Names of the template are members of the component, and never the script's own.
        kept = self.named[:first]
        code = self.code
        for offset in self.named[first:]:
            text = self.texts[code[offset + op.WORD]]
            is_member = (
                self.lexical_scope(code[offset + op.BINDER], text) <= 0
                and offset not in self.script_names
                and text != DEFAULT
            )
            if code[offset] == op.NAME and is_member and text not in Rules.builtins:
                code[offset + op.MEMBER] = code[offset + op.WORD]
                code[offset] = op.ATTRIBUTE
                code[offset + op.HOLDER] = 0
            else:
                kept.append(offset)
        self.named = kept


def binds(attribute: Attribute) -> bool:
    """Whether an attribute declares names for its element."""
    name = attribute.name
    return attribute.value_start >= 0 and (name in ("v-for", "slot-scope", "scope") or name.startswith(("v-slot", "#")))


def camel(name: str) -> str:
    """`my-button` as `myButton`."""
    first, *rest = name.split("-")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)


def pascal(name: str) -> str:
    """`my-button` as `MyButton`."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("-"))


def options_of(value: Node | None) -> Node | None:
    """The object that describes a component, also as the argument of a call (`defineComponent({ ... })`)."""
    while value is not None and value.type != "object":
        if value.type == "call_expression":
            arguments = value.child_by_field_name("arguments")
            value = next(iter(arguments.named_children), None) if arguments is not None else None
        elif value.type in ("as_expression", "satisfies_expression", "parenthesized_expression"):
            value = next(iter(value.named_children), None)
        else:
            return None
    return value


def walk_groups(options: Node, depth: int = 2) -> Iterator[Node]:
    """The object that describes a component, and those in it whose functions belong to the component."""
    yield options
    for child in options.named_children if depth else ():
        value = child.child_by_field_name("value") if child.type == "pair" else None
        if value is not None and value.type == "object":
            yield from walk_groups(value, depth - 1)


def members_of(component: Component, node: Node) -> Iterator[tuple[str, int, Node | None]]:
    """Names in an object or a list of strings, where they stand, and their values."""
    for child in node.named_children:
        kind = child.type
        if kind == "pair":
            key = child.child_by_field_name("key")
            if key is not None:
                yield component.name_of(key), key.start_byte, child.child_by_field_name("value")
        elif kind == "method_definition":
            name = child.child_by_field_name("name")
            if name is not None:
                yield component.name_of(name), name.start_byte, child
        elif kind == "shorthand_property_identifier":
            yield component.source_of(child), child.start_byte, child
        elif kind == "string":
            yield component.source_of(child)[1:-1], child.start_byte, None


def find_returned_object(function: Node) -> Node | None:
    """The object that a function returns at its end."""
    body = function.child_by_field_name("body")
    if body is not None and body.type == "parenthesized_expression":
        return options_of(body)
    for statement in reversed(body.named_children if body is not None else []):
        if statement.type == "return_statement":
            return options_of(next(iter(statement.named_children), None))
    return None
