"""C's kinds of nodes.

In: nodes. Out: `SPEC`, `Lowering`.
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import DECLARED_BESIDE, READ, TAG, FileFacts, Import
from rpg.encoder.languages.declarative.c.declarators import (
    FUNCTION,
    declaration,
    enumerator,
    find_declared_name,
    initializer_pair,
    is_macro,
    part_tags,
    read_declarator,
    type_definition,
    type_specifier,
    types_in,
)
from rpg.encoder.languages.declarative.c.macros import blank_macros
from rpg.encoder.languages.declarative.conditionals import blank_conditionals
from rpg.encoder.languages.declarative.definitions import define
from rpg.encoder.languages.declarative.lowering import handlers_of
from rpg.encoder.languages.declarative.reread import RereadLowering
from rpg.encoder.languages.declarative.spec import Call, Form, Member, Slot, Spec
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers
from rpg.graph import CLASS_KINDS

_TOKEN: Final = re.compile(
    rb"#[ \t]*(?:(?:define|undef)[ \t]+\w+(?:\([^)]*\))?|\w+(?:[ \t]*<[^>\n]*>)?)|"
    rb'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|(?:(?:->|\.)\s*)?[A-Za-z_]\w*|//[^\n]*|/\*.*?\*/',
    re.DOTALL,
)
_KINDS: Final = frozenset({b"struct", b"union", b"enum"})
_INCLUDE: Final = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"(?P<path>[^"\n]*)"', re.MULTILINE)
KEYWORDS: Final = frozenset(
    """if else while do for return switch case default break continue goto sizeof typedef struct union enum static
    const volatile extern inline void int char short long unsigned signed float double defined auto bool class constexpr
    catch const_cast decltype delete dynamic_cast explicit false friend mutable namespace new noexcept nullptr operator
    private protected public reinterpret_cast requires static_assert static_cast template this throw true try typeid
    typename using virtual""".split()
)


def include(walker: DeclarativeWalker, node: Node) -> int:
    path = node.child_by_field_name("path")
    if path is None or path.type not in ("string_literal", "system_lib_string"):
        return 0
    text = walker.text(path.start_byte + 1, path.end_byte - 1)
    kind = "side-effect" if path.type == "string_literal" else "system"
    walker.imports.append(Import(text, 0, path.start_byte + 1, 0, kind))
    return 0


def function_definition(walker: DeclarativeWalker, node: Node) -> int:
    declarator = node.child_by_field_name("declarator")
    name, function = find_declared_name(declarator) if declarator is not None else (None, None)
    if name is None or (function is None and declarator is not None and declarator.type != "parenthesized_declarator"):
        return walker.through(node)
    if walker.source_of(name) in KEYWORDS:
        return misread(walker, node, function)
    around, is_outside = walker.here(), walker.function != 0 and not walker.spec.has_overloads
    if is_outside:
        # C has no functions in functions: what is in between was not understood.
        walker.definition = walker.scope = walker.function = 0
    define(walker, node, FUNCTION._replace(parameters=()), name, header=function)
    if is_outside:
        walker.return_to(around)
    return 0


def misread(walker: DeclarativeWalker, node: Node, function: Node | None) -> int:
    """A statement where the grammar expects definitions looks like one: `MACRO if (ready) { ... }`."""
    parameters = function.child_by_field_name("parameters") if function is not None else None
    if parameters is not None:
        types_in(walker, parameters)
    walker.field(node, "body")
    return 0


def macro_body(walker: DeclarativeWalker, node: Node) -> int:
    """Names in the body of a macro."""
    names_between(walker, node.start_byte, node.end_byte)
    return 0


def member_around(walker: DeclarativeWalker, text: str, byte: int) -> int:
    """What a name in left out text means if it is that of a member of the class around."""
    definition, definitions = walker.definition, walker.definitions
    while walker.spec.implicit_members and definition > 0:
        scope = definitions[definition].scope
        if definitions[definition].kind in CLASS_KINDS and scope >= 0 and text in walker.bound[scope]:
            return walker.emit(op.ATTRIBUTE, byte, walker.emit(op.THIS, byte, scope), walker.string(text))
        definition = definitions[definition].parent
    return 0


def names_between(walker: DeclarativeWalker, start: int, end: int) -> None:
    """Names in text that is no syntax yet."""
    text = walker.source[start:end]
    before = b""
    for found in _TOKEN.finditer(text):
        word = found[0]
        name = word.lstrip(b"->. \t\\\r\n")
        of_kind, before = before in _KINDS, name
        if not name or name[0] in b"#\"'/" or name.decode() in KEYWORDS:
            continue
        at, held = start + found.end() - len(name), 0
        if word is name or word == name:
            held = 0 if of_kind else member_around(walker, name.decode(), at)
            value = held or walker.variable(walker.string(name.decode() + TAG) if of_kind else walker.word(name), at)
        else:
            value = walker.emit(op.ATTRIBUTE, at, 0, walker.word(name))
        if text[found.end() :].lstrip().startswith(b"("):
            walker.call(value, at, [])
        elif walker.code[value] == op.NAME or word != name or held:
            walker.site(value, READ)


def conditional(walker: DeclarativeWalker, node: Node) -> int:
    """`#if`: what is in it may not be there."""
    around = walker.open_block(node.start_byte, node.end_byte)
    walker.through(node)
    walker.block = around
    return 0


SPEC: Final[Spec] = Spec(
    definitions={
        "preproc_def": Form("constant", body=(), parameters=(), generics=()),
        "preproc_function_def": Form("function", body=(), generics=()),
    },
    parameters={"parameter_declaration": Slot(("declarator",))},
    calls={"call_expression": Call()},
    subscripts={"subscript_expression": ("argument",)},
    alternatives={"conditional_expression": ("consequence", "alternative")},
    members={"field_expression": Member(("argument",), ("field",))},
    names=frozenset({"identifier", "field_identifier"}),
    type_names=frozenset({"type_identifier"}),
    wrappers=frozenset({"parenthesized_expression", "pointer_expression", "type_descriptor"}),
    primitives=frozenset({"primitive_type", "sized_type_specifier"}),
    literals={"string_literal": "char", "concatenated_string": "char", "char_literal": "char",
              "number_literal": "int", "true": "bool", "false": "bool"},
    blocks=frozenset({"compound_statement", "for_statement"}),
    casts={"cast_expression": (("type",), ("value",)), "compound_literal_expression": (("type",), ("value",))},
    assignments={"assignment_expression": (("left",), ("right",))},
    returns=frozenset({"return_statement"}),
    skipped=frozenset(
        "storage_class_specifier type_qualifier attribute_specifier preproc_directive preproc_call".split()
    ),
    handlers={
        "preproc_include": include,
        "preproc_arg": macro_body,
        "preproc_if": conditional,
        "preproc_ifdef": conditional,
        "preproc_elif": conditional,
        "preproc_else": conditional,
        "function_definition": function_definition,
        "declaration": declaration,
        "field_declaration": declaration,
        "type_definition": type_definition,
        "struct_specifier": type_specifier,
        "union_specifier": type_specifier,
        "enum_specifier": type_specifier,
        "enumerator": enumerator,
        "initializer_pair": initializer_pair,
    },
    private=frozenset({"static"}),
    modifiers={"static": "static"},
    types_are_apart=True,
    has_tags=True,
    private_to_file=True,
    is_global=True,
)  # fmt: skip


class MacroLowering(RereadLowering):
    """A file that macros or conditions make hard to parse is parsed without them."""

    def readable(self) -> tuple[bytes, list[tuple[int, int]]]:
        without, macros = blank_macros(self.source)
        without, left_out = blank_conditionals(without)
        return without, [*macros, *left_out]

    def read_declarator(self, declarator: Node) -> None:
        read_declarator(self, declarator)

    def finish(self) -> FileFacts:
        part_tags(self)
        if not self.offers_all:
            # No other file sees what `#define` defines here.
            shared = {each.name for each in self.definitions if each.parent == 0 and not is_macro(each)}
            for each in self.definitions:
                if is_macro(each) and each.name not in shared:
                    self.offered.pop(each.name, None)
        if self.spec.has_overloads:
            defined = {each.name for each in self.definitions if each.kind == "function"}
            beside = sorted(self.declared_functions & defined)
            if beside:
                self.exports[DECLARED_BESIDE] = beside
        return super().finish()

    def name_between(self, start: int, end: int) -> None:
        names_between(self, start, end)
        for found in _INCLUDE.finditer(self.source, start, end):
            self.imports.append(Import(self.text(*found.span("path")), 0, found.start("path"), 0, "side-effect"))


class Lowering(MacroLowering):
    spec: ClassVar[Spec] = SPEC
    handlers: ClassVar[Handlers] = handlers_of(SPEC)

    def lower(self, root: Node) -> None:
        self.offers_all = not self.path.endswith(".c")
        super().lower(root)
