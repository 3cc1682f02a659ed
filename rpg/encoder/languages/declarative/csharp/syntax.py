"""C#'s kinds of nodes.

In: nodes. Out: `SPEC`, `Lowering`.
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rpg.encoder.facts import READ, WRITE, Import
from rpg.encoder.languages.declarative.conditionals import without_conditionals
from rpg.encoder.languages.declarative.csharp.rules import Rules
from rpg.encoder.languages.declarative.expressions import plain, type_of
from rpg.encoder.languages.declarative.lowering import handlers_of
from rpg.encoder.languages.declarative.packages import bind_import
from rpg.encoder.languages.declarative.reread import RereadLowering
from rpg.encoder.languages.declarative.spec import Call, Creation, Form, Member, Slot, Spec, Variable
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers, Walker
from rpg.encoder.operations import ATTRIBUTE, INSTANCE, SUBSCRIPT
from rpg.graph import OVERRIDE

_NAME: Final = re.compile(
    rb'//[^\n]*|/\*.*?(?:\*/|\Z)|@"(?:[^"]|"")*"|"(?:[^"\\\n]|\\.)*"|' + rb"'(?:[^'\\\n]|\\.)*'"  # no names in these
    rb"|^[ \t]*#[^\n]*|(?P<holder>\.\s*)?\b(?P<name>[A-Za-z_]\w*)",
    re.DOTALL | re.MULTILINE,
)
_KEYWORDS: Final = frozenset(
    """abstract as async await base bool break byte case catch char class const continue decimal default
    delegate do double else enum event explicit extern false finally fixed float for foreach get if implicit
    in int interface internal is lock long namespace new null object operator out override params partial
    private protected public readonly ref return sbyte sealed set short sizeof stackalloc static string struct
    switch this throw true try typeof uint ulong unchecked unsafe ushort using value var virtual void volatile
    where while yield""".split()
)


def namespace(walker: DeclarativeWalker, node: Node) -> int:
    name = node.child_by_field_name("name")
    if name is not None and not walker.package:
        walker.package = walker.source_of(name)
    for child in node.named_children:
        if child != name:
            walker.walk(child)
    return 0


def using(walker: DeclarativeWalker, node: Node) -> int:
    """`using A.B;`, `using static A.B.C;`, `using X = A.B.C;`"""
    alias = node.child_by_field_name("name")
    path = next((child for child in node.named_children if child != alias), None)
    if path is None:
        return 0
    text, start = walker.source_of(path), path.start_byte
    if alias is not None:
        package, _, last = text.rpartition(".")
        bind_import(walker, text, start, False, walker.text_of(alias), package, last)
    elif any(child.type == "static" for child in node.children):
        package, _, last = text.rpartition(".")
        bind_import(walker, text, start, True, "", package, last)
    else:
        walker.imports.append(Import(text, 0, start, 0, "star"))
    return 0


def conditional_access(walker: DeclarativeWalker, node: Node) -> int:
    """`x?.y`"""
    parts = node.named_children
    around = walker.expected
    walker.expected = walker.walk(parts[0]) if parts else 0
    value = walker.walk(parts[-1]) if len(parts) > 1 else 0
    walker.expected = around
    return value


def member_binding(walker: DeclarativeWalker, node: Node) -> int:
    name = node.child_by_field_name("name")
    named = plain(walker, name) if name is not None else None
    return walker.member(walker.expected, named) if named is not None and named.type == "identifier" else 0


def initializer(walker: DeclarativeWalker, node: Node) -> int:
    """`new T { Name = value }`"""
    for child in node.named_children:
        left = child.child_by_field_name("left") if child.type == "assignment_expression" else None
        if left is not None and left.type == "identifier":
            holder = walker.emit(INSTANCE, left.start_byte, walker.expected) if walker.expected else 0
            walker.member(holder, left, WRITE)
            around, walker.expected = walker.expected, 0
            walker.field(child, "right")
            walker.expected = around
        else:
            walker.walk(child)
    return 0


def generic_name(walker: DeclarativeWalker, node: Node) -> int:
    """`X<A, B>`, in `typeof` also `X<,>`: of the types named X the one with two type parameters."""
    name, held = walker.part(node, ("<",)), walker.part(node, (":type_argument_list",))
    if name is None or held is None:
        return walker.through(node)
    arity = 1 + sum(child.type == "," for child in held.children)
    base = walker.generic_type_name(name, arity)
    types = [type_of(walker, child) for child in held.named_children]
    if not any(types):
        return base
    return walker.emit(SUBSCRIPT, node.start_byte, base, walker.one_or_tuple(types, node.start_byte))


_DECLARATION: Final = Variable(each=frozenset({"variable_declarator"}), value=(">",), inside="variable_declaration")
SPEC: Final[Spec] = Spec(
    definitions={
        "class_declaration": Form("class", bases=(":base_list",), generics=(":type_parameter_list",),
                                  fields=(":parameter_list",)),
        "struct_declaration": Form("struct", bases=(":base_list",), generics=(":type_parameter_list",)),
        "record_declaration": Form("class", bases=(":base_list",), generics=(":type_parameter_list",),
                                   fields=(":parameter_list",)),
        "interface_declaration": Form("interface", bases=(":base_list",), generics=(":type_parameter_list",)),
        "enum_declaration": Form("enum"),
        "enum_member_declaration": Form("field", body=()),
        "delegate_declaration": Form("type", body=(), generics=(":type_parameter_list",)),
        "method_declaration": Form("method", result=("returns",), generics=(":type_parameter_list",)),
        "local_function_statement": Form("function", result=("type",), generics=(":type_parameter_list",)),
        "constructor_declaration": Form("method"),
        "destructor_declaration": Form("method"),
        "property_declaration": Form("property", body=("accessors", "value"), result=("type",), parameters=()),
    },
    variables={
        "field_declaration": _DECLARATION,
        "event_field_declaration": _DECLARATION,
        "variable_declaration": Variable(each=frozenset({"variable_declarator"}), value=(">",)),
        "declaration_pattern": Variable(value=()),
        "declaration_expression": Variable(value=()),
        "catch_declaration": Variable(value=()),
    },
    parameters={"parameter": Slot(default=(">",))},
    rest_word="params",
    type_parameters=frozenset({"type_parameter"}),
    constraints=frozenset({"type_parameter_constraints_clause"}),
    calls={"invocation_expression": Call()},
    containers=frozenset(Rules.types.containers),
    creations={"object_creation_expression": Creation(initializer=("initializer",))},
    alternatives={"conditional_expression": ("consequence", "alternative")},
    coalescing=frozenset({"binary_expression"}),
    members={"member_access_expression": Member(("expression",), ("name",))},
    type_members={"qualified_name": Member(("qualifier",), ("name",))},
    names=frozenset({"identifier"}),
    generics={"generic_name": (("<",), (":type_argument_list",))},
    lists={"array_type": ("type",)},
    wrappers=frozenset("""parenthesized_expression await_expression argument nullable_type postfix_unary_expression
    ref_expression""".split()),
    primitives=frozenset({"predefined_type"}),
    literals={"string_literal": "string", "verbatim_string_literal": "string", "raw_string_literal": "string",
              "character_literal": "char", "integer_literal": "int", "real_literal": "double",
              "boolean_literal": "bool"},
    subscripts={"element_access_expression": ("expression",)},
    this=frozenset({"this"}),
    super=frozenset({"base"}),
    lambdas={"lambda_expression": ("parameters",), "anonymous_method_expression": ("parameters",)},
    blocks=frozenset({"block", "for_statement", "using_statement", "switch_section", "catch_clause"}),
    casts={"cast_expression": (("type",), ("value",)), "as_expression": (("right",), ("left",))},
    loops={"foreach_statement": (("type",), ("left",), ("right",))},
    assignments={"assignment_expression": (("left",), ("right",))},
    returns=frozenset({"return_statement"}),
    decorators=frozenset({"attribute", "attribute_list"}),
    skipped=frozenset({"modifier", "implicit_type"}),
    handlers={
        "namespace_declaration": namespace,
        "file_scoped_namespace_declaration": namespace,
        "using_directive": using,
        "conditional_access_expression": conditional_access,
        "member_binding_expression": member_binding,
        "initializer_expression": initializer,
        "generic_name": generic_name,
        "expression_statement": Walker.through,
    },
    base_kinds=frozenset({"identifier", "generic_name", "qualified_name"}),
    implicit_members=True,
    types_beside_members=True,
    public=frozenset({"public", "protected", "internal"}),
    modifiers={"static": "static", "abstract": "abstract", "async": "async", "override": OVERRIDE},
    test_marks=Rules.tests.marks,
    has_overloads=True,
    has_arities=True,
    partial="partial",
    is_global=True,
)  # fmt: skip


class Lowering(RereadLowering):
    """A file that directives tear apart is parsed without them."""

    spec: ClassVar[Spec] = SPEC
    handlers: ClassVar[Handlers] = handlers_of(SPEC)

    def readable(self) -> tuple[bytes, list[tuple[int, int]]]:
        return without_conditionals(self.source)

    def name_between(self, start: int, end: int) -> None:
        """Names in a branch that was left out; what is called is not known, as nothing tells the overload."""
        text = self.source[start:end]
        for found in _NAME.finditer(text):
            name = found["name"]
            if name is None or name.decode() in _KEYWORDS:
                continue
            at = start + found.start("name")
            if found["holder"] or text[found.end() :].lstrip().startswith((b"(", b"<")):
                self.site(self.emit(ATTRIBUTE, at, 0, self.word(name)), READ)
            else:
                self.site(self.variable(self.word(name), at), READ)
