"""What names mean in Scala: packages, imports, patterns, parameter lists, companions.

In: nodes. Out: expressions, bindings.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import ANNOTATION, CASE, COMPANION, READ, SINGLETON, Parameter
from rpg.encoder.languages.declarative.definitions import bases_in, define
from rpg.encoder.languages.declarative.expressions import type_of
from rpg.encoder.languages.declarative.functions import parameters_in
from rpg.encoder.languages.declarative.lowering import DeclarativeLowering
from rpg.encoder.languages.declarative.naming import name_parts
from rpg.encoder.languages.declarative.scala.rules import Rules
from rpg.encoder.languages.declarative.unnamed_calls import run_member
from rpg.encoder.lowering.node import Node, ReadPiece

MEMBERS_OF: Final = "members of"
"""Begins the names of variables that hold what an import takes members of. No name in a source has a blank."""
TYPES: Final = frozenset({"class_definition", "trait_definition", "enum_definition"})

_OPEN_TYPES: Final = frozenset(("*", "+*", "-*", "?"))
"""What a compiler plugin reads as the open argument of a type: `Either[Int, *]`."""


class ScalaWalker(DeclarativeLowering):
    def __init__(self, path: str, language: str, source: bytes, parse: ReadPiece) -> None:
        super().__init__(path, language, source, parse)
        self.companions: dict[str, Node] = {}
        """The objects of the body around that have a type of their name beside them."""
        self.names_of_companions: dict[int, tuple[set[str], set[str]]] = {}
        """Scope of a type that has a companion -> names of its own members, and of those of the companion."""
        self.own_body: Node | None = None
        """The body of the type that is being defined."""
        self.companion_bodies: set[int] = set()
        """Where bodies of companions begin."""
        self.companion_scopes: set[int] = set()
        """Scopes of the types around whose companion is being lowered."""
        self.imported_members: dict[tuple[int, str], tuple[int, int]] = {}
        """(scope, name): members that an import names -> the variable that holds what has them, and their own names."""
        self.held_at = -1
        """Where the last import began that names something of the file."""
        self.stars: dict[int, list[int]] = {}
        """Scope -> variables that hold what imports in it take all members of."""
        self.types_of_this: dict[int, list[int]] = {}
        """Scope of a type -> the other types that its objects are of: `trait Till { this: Pricing => }`."""
        self.names_of_this: dict[int, str] = {}
        """Scope of a type -> another name for the object around: `trait Till { self => }`."""

    def walk_top(self, root: Node) -> None:
        members(self, root)

    # Names

    def value_name(self, node: Node, role: int = READ, call: bool = False) -> int:
        text = self.source_of(node)
        if text == "this":
            return self.this_object(node)
        if text == "super":
            is_known = self.class_scope >= 0 and self.class_scope not in self.companion_scopes
            return self.emit(op.SUPER, node.start_byte, self.class_scope, 0) if is_known else 0
        return self.lower_bare_name(node, role, call)

    def type_name(self, node: Node, role: int = ANNOTATION) -> int:
        if self.source_of(node) in _OPEN_TYPES:
            return 0
        return self.lower_bare_name(node, role, False)

    def lower_bare_name(self, node: Node, role: int, call: bool) -> int:
        """A bare name: bound, inherited or imported in the innermost scope that knows it."""
        text, byte = self.text_of(node), node.start_byte
        bound, scopes = self.bound, self.scopes
        scope = self.scope
        holders: list[int] = []
        while scope >= 0:
            here = scopes[scope]
            is_seen = here.kind != "class" or role != ANNOTATION or (scope, text) in self.inner_types
            if text in bound[scope] and is_seen and self.is_visible_member(scope, text):
                if here.kind != "class":
                    break
                if (scope, text) in self.inner_types and not call and not holders:
                    return self.name_in(scope, node, role)
                return self.member_among([*holders, self.object_of(scope, byte)], node, role)
            if here.kind == "class":
                if self.names_of_this.get(scope) == text and scope not in self.companion_scopes:
                    return self.object_around(scope, byte)
                types = self.list_types_of_this(scope, byte)
                if types or scope in self.deriving or scope in self.companion_scopes:
                    holders += [self.object_of(scope, byte), *types]
                if (scope, text) in self.imported_members:
                    break
            if scope in self.stars:
                holders += [self.variable_at_top(each, byte) for each in reversed(self.stars[scope])]
            scope = here.parent
        member = self.imported_members.get((scope, text))
        if member is not None:
            holder, word = member
            imported = self.variable_at_top(holder, byte)
            if not holders:
                return self.member_among([imported], node, role, word)
            return self.member_among([*holders, imported, self.variable(self.word_of(node), byte)], node, role, word)
        if scope < 0 and self.owner_scope >= 0:
            holders.append(self.emit(op.THIS, byte, self.owner_scope))
        is_type = role == ANNOTATION or (text[:1].isupper() and not call)
        if not holders or (is_type and (scope >= 0 or text in Rules.builtins)):
            return self.identifier(node, role)
        return self.member_among([*holders, self.variable(self.word_of(node), byte)], node, role)

    def this_object(self, node: Node) -> int:
        if self.class_scope >= 0:
            return self.object_around(self.class_scope, node.start_byte)
        return super().this_object(node)

    def object_around(self, scope: int, byte: int) -> int:
        """The object whose members are lowered in a scope, as all that its type says it is."""
        return self.union([self.object_of(scope, byte), *self.list_types_of_this(scope, byte)], byte)

    def list_types_of_this(self, scope: int, byte: int) -> list[int]:
        """The object around as each of the other types that it is of."""
        if scope in self.companion_scopes:
            return []
        return [self.emit_typed(each, byte) for each in self.types_of_this.get(scope, ())]

    def object_of(self, scope: int, byte: int) -> int:
        """The object whose members are lowered in a scope: an instance of its class, or the companion of a type."""
        if scope not in self.companion_scopes:
            return self.emit(op.THIS, byte, scope)
        return self.emit(op.DEFINITION, byte, self.scopes[scope].definition)

    def bind_companion(self, value: int, byte: int) -> int:
        """A companion as a variable, which may stand first among what has members."""
        name = f"{MEMBERS_OF} {self.definitions[self.code[value + op.DEFINED]].qualified_name}"
        self.bind_at_top(name, value)
        return self.variable_at_top(self.string(name), byte)

    def bind_at_top(self, name: str, value: int) -> None:
        """A variable of the file that no name in the source means; bound once."""
        if name not in self.bound[0]:
            around, self.block = self.block, 0
            self.bind(name, value, 0, "", 0)
            self.block = around

    def is_visible_member(self, scope: int, text: str) -> bool:
        """Whether a member is not one of the companion alone in a type, or one of the type alone in the companion."""
        names = self.names_of_companions.get(scope)
        if names is None:
            return True
        own, of_companion = names
        return text in of_companion if scope in self.companion_scopes else text in own or text not in of_companion

    def member_among(self, holders: list[int], node: Node, role: int, word: int = -1) -> int:
        """A member, called by another word than it has, of the first of several that has it."""
        byte = node.start_byte
        if len(holders) > 1 and self.code[holders[0]] == op.DEFINITION:
            holders[0] = self.bind_companion(holders[0], byte)
        offset = self.emit(op.ATTRIBUTE, byte, self.union(holders, byte), self.word_of(node) if word < 0 else word)
        self.sites += (offset, role, self.definition)
        return offset

    def variable_at_top(self, word: int, byte: int) -> int:
        """A variable of the file, whatever else has its name nearer."""
        offset = self.emit(op.NAME, byte, word, 0)
        self.named.append(offset)
        return offset

    def holder_of(self, parts: list[str], byte: int) -> int:
        """The name of a variable that holds what an import names the members of: a package, an object, a value."""
        scope = self.holding_scope(parts[0])
        name = f"{MEMBERS_OF} {'.'.join(parts)} {self.scope if scope > 0 else 0}"
        word = self.string(name)
        first = self.string(parts[0])
        if scope >= 0 and self.scopes[scope].kind == "class":
            value = self.emit(op.ATTRIBUTE, byte, self.object_of(scope, byte), first)
        else:
            value = self.variable(first, byte)
        if scope >= 0 and byte != self.held_at:
            self.held_at = byte
            self.site(value, READ)
        if name not in self.bound[0]:
            for each in parts[1:]:
                value = self.emit_member(value, each, byte)
            self.bind_at_top(name, value)
        return word

    def holding_scope(self, text: str) -> int:
        """The innermost scope that binds a name, as code there sees it; -1: the file does not."""
        scope = self.scope
        while scope >= 0 and (text not in self.bound[scope] or not self.is_visible_member(scope, text)):
            scope = self.scopes[scope].parent
        return scope

    def adds_bases(self, node: Node, index: int) -> bool:
        """A function type is a type of the library; the types in it are no bases."""
        if node.type not in ("function_type", "tuple_type"):
            return False
        type_of(self, node)
        return True

    def other_body(self, name: str) -> Node | None:
        """The members of a type's companion are members of the type."""
        companion = self.companions.get(name)
        body = companion.child_by_field_name("body") if companion is not None else None
        if companion is not None:
            own = self.bound[self.scope] | self.list_declared_members(self.own_body)
            self.names_of_companions[self.scope] = own, self.list_declared_members(body)
        if body is not None:
            self.companion_bodies.add(body.start_byte)
        return body

    def list_declared_members(self, body: Node | None) -> set[str]:
        """The names of the members in a body."""
        children = body.named_children if body is not None else ()
        parts = [child.child_by_field_name("name") or child.child_by_field_name("pattern") for child in children]
        return {self.text_of(each) for each in parts if each is not None}

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
            walker.bind(walker.text_of(name), walker.emit_typed(annotation, name.start_byte), child.start_byte)


def members(walker: ScalaWalker, node: Node) -> int:
    """What stands in a body."""
    scope = walker.scope
    if node.start_byte not in walker.companion_bodies:
        return apart_from_companions(walker, node)
    walker.companion_scopes.add(scope)
    first = len(walker.definitions)
    apart_from_companions(walker, node)
    walker.companion_scopes.discard(scope)
    for each in walker.definitions[first:]:
        if each.parent == walker.definition:
            each.modifiers = tuple(sorted({*each.modifiers, "static"}))
    return 0


def apart_from_companions(walker: ScalaWalker, node: Node) -> int:
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


def self_type(walker: ScalaWalker, node: Node) -> int:
    """`self: Pricing with Logging =>` at the beginning of a type's body."""
    name, *rest = node.named_children
    text = walker.source_of(name)
    if text not in ("this", "_"):
        walker.names_of_this[walker.scope] = text
    for each in rest:
        parts = each.named_children if each.type in ("compound_type", "infix_type") else [each]
        types = [type_of(walker, part) for part in parts if part.type != "operator_identifier"]
        walker.types_of_this.setdefault(walker.scope, []).extend(made for made in types if made)
    return 0


def companion_object(walker: ScalaWalker, node: Node, name: str) -> None:
    """The object beside a type of its name; its members are with those of the type."""
    named, extended = node.child_by_field_name("name"), node.child_by_field_name("extend")
    body = node.child_by_field_name("body")
    shown = body.start_byte if body is not None else node.end_byte
    index = walker.symbol("class", name, named.start_byte if named is not None else node.start_byte, node, shown)
    around, walker.definition = walker.definition, index
    walker.definitions[index].flags = (SINGLETON,)
    if extended is not None:
        bases_in(walker, extended, index)
    walker.definition = around
    beside = walker.defined.get((walker.scope, name), -1)
    if beside >= 0:
        rows = walker.bases.setdefault(beside, [])
        rows += [(Rules.metaclass, base) for _, base in walker.bases.get(index, ())]


def type_definition(walker: ScalaWalker, node: Node) -> int:
    """A class, trait, enum or object."""
    form = walker.spec.definitions[node.type]
    name = node.child_by_field_name("name")
    if name is None or name.start_byte == name.end_byte:
        return walker.through(node)
    walker.own_body = node.child_by_field_name("body")
    index = define(walker, node, form, name)
    here = walker.definitions[index]
    flags = list(here.flags)
    if node.type == "object_definition":
        flags.append(SINGLETON)
    elif here.scope in walker.names_of_companions:
        flags.append(COMPANION)
        if any(child.type == "case" for child in node.children):
            flags.append(CASE)
    here.flags = tuple(flags)
    constructor_parameters(walker, node, here.scope)
    listed = node.child_by_field_name("class_parameters")
    if listed is not None and any(child.type == "case" for child in node.children):
        name_parts(walker, index, "_", listed.end_byte)
    return 0


def constructor_parameters(walker: ScalaWalker, node: Node, scope: int) -> None:
    """What making an instance takes."""
    listed = node.child_by_field_name("class_parameters")
    if listed is None or scope < 0:
        return
    around, walker.scope = walker.scope, scope
    first = len(walker.sites)
    rows: list[Parameter] = []
    for child in listed.named_children:
        name, typed = child.child_by_field_name("name"), child.child_by_field_name("type")
        if child.type == "class_parameter" and name is not None:
            is_list = typed is not None and typed.type == "repeated_parameter_type"
            held = child.child_by_field_name("default_value")
            rows.append(
                Parameter(
                    walker.text_of(name),
                    "list" if is_list else "positional",
                    type_of(walker, typed) if typed is not None else 0,
                    walker.literal("default", held.start_byte) if held is not None else 0,
                )
            )
    del walker.sites[first:]
    walker.scope = around
    walker.parameters[scope] = rows


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


def run_extractor(walker: ScalaWalker, node: Node) -> None:
    """`Even(n)` runs `unapply` of the object Even, if it has one."""
    if node.type == "type_identifier":
        byte = node.start_byte
        named = walker.variable(walker.word_of(node), byte)
        for name in ("unapply", "unapplySeq"):
            run_member(walker, named, name, byte, 0)


_PARTS: Final = frozenset("case_class_pattern alternative_pattern infix_pattern identifiers given_pattern".split())
_NAMED_TYPES: Final = frozenset({"type_identifier", "generic_type", "stable_type_identifier"})


def pattern(walker: ScalaWalker, node: Node, value: int) -> int:
    """Binds the variables of a pattern: names in lower case. Returns the type that it is of, if it says one."""
    kind = node.type
    written_type = 0
    if kind == "identifier":
        text = walker.text_of(node)
        if text[:1].islower() or text[:1] == "_":
            walker.bind(text, value, node.end_byte)
        else:
            walker.value_name(node)
    elif kind == "typed_pattern":
        held, typed = node.child_by_field_name("pattern"), node.child_by_field_name("type")
        written_type = type_of(walker, typed) if typed is not None else 0
        if held is not None:
            pattern(walker, held, walker.emit_typed(written_type, node.start_byte))
    elif kind == "capture_pattern":
        name, held = node.child_by_field_name("name"), node.child_by_field_name("pattern")
        written_type = pattern(walker, held, value) if held is not None else 0
        if name is not None:
            walker.bind(walker.text_of(name), walker.emit_typed(written_type, name.start_byte) or value, name.end_byte)
    elif kind == "tuple_pattern":
        for at, child in enumerate(node.named_children):
            pattern(walker, child, walker.emit(op.ITEM, child.start_byte, value, at) if value else 0)
    elif kind in _PARTS:
        at = 0
        for child in node.named_children:
            if child.type in _NAMED_TYPES:
                written_type = type_of(walker, child)
                run_extractor(walker, child)
            elif child.type != "operator_identifier":
                at += 1
                if child.type == "wildcard":
                    continue
                whole = walker.emit_typed(written_type, child.start_byte)
                pattern(walker, child, run_member(walker, whole, f"_{at}", child.start_byte))
    elif kind != "wildcard":
        walker.walk(node)
    return written_type if kind != "infix_pattern" else 0
