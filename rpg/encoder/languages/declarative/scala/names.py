"""What names mean in Scala: packages, imports, patterns, parameter lists, companions.

In: nodes. Out: expressions, bindings.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rpg.encoder.facts import READ
from rpg.encoder.languages.declarative.definitions import bases_in
from rpg.encoder.languages.declarative.expressions import type_of
from rpg.encoder.languages.declarative.functions import parameters_in
from rpg.encoder.languages.declarative.lowering import DeclarativeLowering
from rpg.encoder.languages.declarative.packages import bind_import
from rpg.encoder.lowering.node import Node
from rpg.encoder.operations import SUPER

TYPES: Final = frozenset({"class_definition", "trait_definition", "enum_definition"})


class ScalaWalker(DeclarativeLowering):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.companions: dict[str, Node] = {}
        """The objects of the body around that have a type of their name beside them."""

    def walk_top(self, root: Node) -> None:
        members(self, root)

    def value_name(self, node: Node, role: int = READ, call: bool = False) -> int:
        text = self.source_of(node)
        if text == "this":
            return self.this_object(node)
        if text == "super":
            return self.emit(SUPER, node.start_byte, self.class_scope, 0) if self.class_scope >= 0 else 0
        return super().value_name(node, role, call)

    def other_body(self, name: str) -> Node | None:
        """The members of a type's companion are members of the type."""
        companion = self.companions.get(name)
        return companion.child_by_field_name("body") if companion is not None else None

    def parameters_beside(self, node: Node, scope: int) -> list[Node]:
        """The first list has the parameters that count; those of others are variables."""
        lists = [each for each in node.children_by_field_name("parameters") if each.type == "parameters"]
        for at, listed in enumerate(lists):
            if at == 0:
                parameters_in(self, listed, scope)
                rows = self.parameters.get(scope, [])
                kinds = [child for child in listed.named_children if child.type == "parameter"]
                for place, child in enumerate(kinds[: len(rows)]):
                    typed = child.child_by_field_name("type")
                    if typed is not None and typed.type == "repeated_parameter_type":
                        rows[place] = rows[place]._replace(kind="list")
            else:
                variables_of(self, listed)
        return lists


def variables_of(walker: ScalaWalker, listed: Node) -> None:
    for child in listed.named_children:
        name, typed = child.child_by_field_name("name"), child.child_by_field_name("type")
        annotation = type_of(walker, typed) if typed is not None else 0
        if name is not None:
            walker.bind(walker.text_of(name), walker.typed_value(annotation, name.start_byte), child.start_byte)


def members(walker: ScalaWalker, node: Node) -> int:
    """What stands in a body; an object beside a type of its name is lowered with that type."""
    around = walker.companions
    children = node.named_children
    types = {name_text(walker, child) for child in children if child.type in TYPES}
    walker.companions = {
        name_text(walker, child): child
        for child in children
        if child.type == "object_definition" and name_text(walker, child) in types
    }
    done: set[str] = set()
    for child in children:
        name = name_text(walker, child)
        companion = walker.companions.get(name)
        if companion is None or (child.type not in TYPES and child.type != "object_definition"):
            walker.walk(child)
        elif child.type != "object_definition":
            walker.walk(child)
            if companion.start_byte < child.start_byte and name not in done:
                companion_object(walker, companion, name)
            done.add(name)
        elif name in done:
            companion_object(walker, companion, name)
    walker.companions = around
    return 0


def companion_object(walker: ScalaWalker, node: Node, name: str) -> None:
    """The object beside a type of its name; its members are with those of the type."""
    named, extended = node.child_by_field_name("name"), node.child_by_field_name("extend")
    body = node.child_by_field_name("body")
    shown = body.start_byte if body is not None else node.end_byte
    index = walker.symbol("class", name, named.start_byte if named is not None else node.start_byte, node, shown)
    around, walker.definition = walker.definition, index
    if extended is not None:
        bases_in(walker, extended, index)
    walker.definition = around


def name_text(walker: ScalaWalker, node: Node) -> str:
    name = node.child_by_field_name("name")
    return walker.source_of(name) if name is not None else ""


def package_clause(walker: ScalaWalker, node: Node) -> int:
    """`package a.b`, also around its members; `package object a`"""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    around = walker.package
    if name is not None:
        own = "".join(walker.source_of(name).split())
        walker.package = f"{around}.{own}" if around else own
    return members(walker, body) if body is not None else 0


def import_declaration(walker: ScalaWalker, node: Node) -> int:
    """`import a.b.C`, `import a.{B, C => D}, e._`"""
    parts: list[str] = []
    start = -1
    is_done = False
    for child in node.children:
        kind = child.type
        if kind == ",":
            if parts and not is_done:
                imported(walker, parts, "", start)
            parts, start, is_done = [], -1, False
        elif kind == "identifier" or kind == "operator_identifier":
            start = child.start_byte if start < 0 else start
            parts.append(walker.source_of(child))
        elif kind == "namespace_wildcard":
            imported(walker, parts, "", start, True)
            is_done = True
        elif kind in ("namespace_selectors", "as_renamed_identifier", "arrow_renamed_identifier"):
            for each in child.named_children if kind == "namespace_selectors" else [child]:
                if each.type == "namespace_wildcard":
                    imported(walker, parts, "", start, True)
                elif each.type == "identifier":
                    imported(walker, [*parts, walker.source_of(each)], "", each.start_byte)
                elif each.named_child_count > 1 and each.named_children[1].type == "identifier":
                    named, alias = walker.source_of(each.named_children[0]), walker.source_of(each.named_children[1])
                    imported(walker, [*parts, named], alias, each.start_byte)
            is_done = True
    if parts and not is_done:
        imported(walker, parts, "", start)
    return 0


def imported(walker: ScalaWalker, parts: list[str], alias: str, byte: int, is_star: bool = False) -> None:
    """An import; of the members of what the file knows, or of a package."""
    if not parts:
        return
    if walker.scope_of(parts[0]) >= 0 or (len(parts) == (1 if is_star else 2) and parts[0][:1].isupper()):
        value = walker.name(parts[0], byte)
        for each in parts[1 : len(parts) if is_star else -1]:
            value = walker.emit_member(value, each, byte)
        if is_star:
            walker.member_stars.append(value)
        elif len(parts) > 1:
            walker.bind(alias or parts[-1], walker.emit_member(value, parts[-1], byte), byte)
        return
    bind_import(walker, ".".join(parts), byte, is_star, alias)


_PARTS: Final = frozenset(
    "case_class_pattern tuple_pattern alternative_pattern infix_pattern identifiers given_pattern".split()
)
_NAMED_TYPES: Final = frozenset({"type_identifier", "generic_type", "stable_type_identifier"})


def pattern(walker: ScalaWalker, node: Node, value: int) -> int:
    """Binds the variables of a pattern: names in lower case. Returns the type that it is of, if it says one."""
    kind = node.type
    said = 0
    if kind == "identifier":
        text = walker.text_of(node)
        if text[:1].islower() or text[:1] == "_":
            walker.bind(text, value, node.end_byte)
        else:
            walker.value_name(node)
    elif kind == "typed_pattern":
        held, typed = node.child_by_field_name("pattern"), node.child_by_field_name("type")
        said = type_of(walker, typed) if typed is not None else 0
        if held is not None:
            pattern(walker, held, walker.typed_value(said, node.start_byte))
    elif kind == "capture_pattern":
        name, held = node.child_by_field_name("name"), node.child_by_field_name("pattern")
        said = pattern(walker, held, value) if held is not None else 0
        if name is not None:
            walker.bind(walker.text_of(name), walker.typed_value(said, name.start_byte) or value, name.end_byte)
    elif kind in _PARTS:
        for child in node.named_children:
            if child.type in _NAMED_TYPES:
                said = type_of(walker, child)
            elif child.type != "operator_identifier":
                pattern(walker, child, 0)
    elif kind != "wildcard":
        walker.walk(node)
    return said if kind != "infix_pattern" else 0
