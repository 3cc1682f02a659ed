"""C#'s kinds of nodes.

In: nodes. Out: `SPEC`, `Lowering`.
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import ANNOTATION, ARITY, EXPLICIT, EXTENSION, READ, Import, strip_marks
from rpg.encoder.languages.declarative.conditionals import blank_conditionals
from rpg.encoder.languages.declarative.csharp.accessors import accessor, event, indexer
from rpg.encoder.languages.declarative.csharp.attributes import attribute
from rpg.encoder.languages.declarative.csharp.creations import (
    anonymous_object,
    array_creation,
    arrow,
    chosen,
    collection,
    constructor_initializer,
    conversion,
    implicit_creation,
    initializer,
    with_expression,
)
from rpg.encoder.languages.declarative.csharp.operators import (
    lower_assignment,
    lower_postfix,
    lower_sign,
    operation,
    operator_declaration,
)
from rpg.encoder.languages.declarative.csharp.patterns import (
    declaration,
    declaration_pattern,
    invocation,
    is_pattern,
    recursive_pattern,
)
from rpg.encoder.languages.declarative.csharp.resources import local_declaration, using_block
from rpg.encoder.languages.declarative.csharp.rules import Rules
from rpg.encoder.languages.declarative.definitions import definition, last_name
from rpg.encoder.languages.declarative.expressions import plain, type_member, type_of
from rpg.encoder.languages.declarative.lowering import handlers_of
from rpg.encoder.languages.declarative.packages import bind_import
from rpg.encoder.languages.declarative.reread import RereadLowering
from rpg.encoder.languages.declarative.spec import Call, Creation, Form, Member, Slot, Spec, Variable
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers, Walker
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


def member(walker: DeclarativeWalker, node: Node) -> int:
    """A method or property; `IShop.Open` is the one of an interface, and only called through that."""
    first = len(walker.definitions)
    definition(walker, node)
    specifier = walker.part(node, (":explicit_interface_specifier",))
    if first < len(walker.definitions) and specifier is not None:
        made = walker.definitions[first]
        made.modifiers = (*made.modifiers, OVERRIDE)
        around, walker.definition = walker.definition, first
        interface = explicit_interface(walker, specifier)
        walker.definition = around
        if interface and (name := last_name(walker, interface)):
            made.flags = (*made.flags, f"{EXPLICIT}{strip_marks(name)}")
    return 0


def explicit_interface(walker: DeclarativeWalker, node: Node) -> int:
    """The `IShop.` in front of the name of a member."""
    return type_of(walker, node.named_children[0]) if node.named_child_count else 0


def method(walker: DeclarativeWalker, node: Node) -> int:
    """A method; `this` in front of its first parameter makes it one of that type, too."""
    first = len(walker.definitions)
    member(walker, node)
    listed = node.child_by_field_name("parameters")
    parameter = walker.part(listed, (":parameter",)) if listed is not None else None
    if parameter is not None and first < len(walker.definitions):
        words = [walker.source_of(child) for child in parameter.named_children if child.type == "modifier"]
        if "this" in words:
            made = walker.definitions[first]
            made.flags = (*made.flags, EXTENSION)
    return 0


def element_binding(walker: DeclarativeWalker, node: Node) -> int:
    """The `[i]` of `x?[i]`."""
    holder = walker.expected
    walker.expected = 0
    walker.through(node)
    walker.expected = holder
    if not holder:
        return 0
    return walker.emit(op.SUBSCRIPT, node.start_byte, holder, walker.literal("int", node.start_byte))


def nullable(walker: DeclarativeWalker, node: Node) -> int:
    """`int?` is another type than `int`; `Cart?` is a Cart or nothing."""
    inner = node.named_children[0] if node.named_child_count else None
    if inner is None:
        return 0
    text = walker.source_of(node)
    return walker.literal(text, node.start_byte) if text in Rules.types.without_members else type_of(walker, inner)


def number(walker: DeclarativeWalker, node: Node) -> int:
    """The type of a number by the letters at its end."""
    text = walker.source_of(node).lower()
    if node.type == "real_literal":
        return walker.literal({"f": "float", "m": "decimal"}.get(text[-1:], "double"), node.start_byte)
    end = (
        "" if text.startswith(("0x", "0b")) and text[-1:] not in ("l", "u") else text[-2:].lstrip("0123456789abcdef_x")
    )
    name = "ulong" if end in ("ul", "lu") else {"l": "long", "u": "uint"}.get(end[-1:], "int")
    return walker.literal(name, node.start_byte)


def lower_await(walker: DeclarativeWalker, node: Node) -> int:
    value = walker.only(node)
    return walker.emit(op.AWAIT, node.start_byte, value) if value else 0


def argument(walker: DeclarativeWalker, node: Node) -> int:
    """Of a tuple; those of calls are read with their list."""
    return walker.walk(node.named_children[-1]) if node.named_child_count else 0


def tuple_element(walker: DeclarativeWalker, node: Node) -> int:
    typed = node.child_by_field_name("type")
    return type_of(walker, typed) if typed is not None else 0


def query(walker: DeclarativeWalker, node: Node) -> int:
    """`from x in xs where ... select y`: a list of what is selected."""
    around = walker.enter_block(node)
    selected = 0
    for child in node.named_children:
        kind = child.type
        if kind in ("from_clause", "join_clause"):
            name = child.child_by_field_name("name") or child.named_children[0]
            values = [walker.walk(part) for part in child.named_children if part != name]
            element = walker.emit(op.ELEMENT, child.start_byte, values[0]) if values and values[0] else 0
            walker.bind(walker.text_of(name), element, name.end_byte)
        elif kind == "let_clause" and child.named_child_count > 1:
            name = child.named_children[0]
            walker.bind(walker.text_of(name), walker.walk(child.named_children[1]), child.end_byte)
        elif kind == "select_clause":
            selected = walker.only(child)
        else:
            walker.walk(child)
    walker.leave_block(around)
    if not selected:
        return 0
    return walker.emit(op.COMPREHENSION, node.start_byte, walker.string("list"), selected, 0)


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
    return walker.emit(op.SUBSCRIPT, node.start_byte, base, walker.one_or_tuple(types, node.start_byte))


def qualified_name(walker: DeclarativeWalker, node: Node) -> int:
    """`Space.X`, `Space.X<A, B>`"""
    holder, named = walker.part(node, ("qualifier",)), walker.part(node, ("name",))
    name = walker.part(named, ("<",)) if named is not None and named.type == "generic_name" else None
    held = walker.part(named, (":type_argument_list",)) if named is not None and name is not None else None
    if holder is None or name is None or held is None:
        return type_member(walker, node)
    space = type_of(walker, holder)
    arity = 1 + sum(child.type == "," for child in held.children)
    base = walker.emit(op.ATTRIBUTE, name.start_byte, space, walker.string(f"{walker.text_of(name)}{ARITY}{arity}"))
    walker.site(base, ANNOTATION)
    types = [type_of(walker, child) for child in held.named_children]
    if not any(types):
        return base
    return walker.emit(op.SUBSCRIPT, node.start_byte, base, walker.one_or_tuple(types, node.start_byte))


_NAMED: Final = ("name", ":tuple_pattern")
_DECLARATION: Final = Variable(
    each=frozenset({"variable_declarator"}), name=_NAMED, value=(">",), inside="variable_declaration"
)
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
        "delegate_declaration": Form("type", body=(), result=("type",), generics=(":type_parameter_list",)),
        "method_declaration": Form("method", result=("returns",), generics=(":type_parameter_list",)),
        "local_function_statement": Form("function", result=("type",), generics=(":type_parameter_list",)),
        "constructor_declaration": Form("method"),
        "destructor_declaration": Form("method"),
        "property_declaration": Form("property", body=("accessors", "value"), result=("type",), parameters=()),
    },
    variables={
        "field_declaration": _DECLARATION,
        "event_field_declaration": _DECLARATION,
        "variable_declaration": Variable(each=frozenset({"variable_declarator"}), name=_NAMED, value=(">",)),
        "declaration_expression": Variable(value=()),
        "catch_declaration": Variable(value=()),
    },
    parameters={"parameter": Slot(default=(">",))},
    rest_word="params",
    type_parameters=frozenset({"type_parameter"}),
    constraints=frozenset({"type_parameter_constraints_clause"}),
    tuples=frozenset({"tuple_expression", "tuple_type", "tuple_pattern"}),
    calls={"invocation_expression": Call()},
    containers=frozenset(Rules.types.containers),
    creations={"object_creation_expression": Creation(initializer=("initializer",))},
    alternatives={"conditional_expression": ("consequence", "alternative")},
    members={"member_access_expression": Member(("expression",), ("name",))},
    type_members={"qualified_name": Member(("qualifier",), ("name",))},
    names=frozenset({"identifier"}),
    generics={"generic_name": (("<",), (":type_argument_list",))},
    lists={"array_type": ("type",)},
    labelled={"argument": (("name",), (">",))},
    wrappers=frozenset({"parenthesized_expression", "argument", "ref_expression"}),
    primitives=frozenset({"predefined_type"}),
    literals={"string_literal": "string", "verbatim_string_literal": "string", "raw_string_literal": "string",
              "character_literal": "char", "boolean_literal": "bool"},
    subscripts={"element_access_expression": ("expression",)},
    this=frozenset({"this"}),
    super=frozenset({"base"}),
    lambdas={"lambda_expression": ("parameters",), "anonymous_method_expression": ("parameters",)},
    blocks=frozenset({"block", "for_statement", "using_statement", "switch_section", "catch_clause"}),
    casts={"cast_expression": (("type",), ("value",)), "as_expression": (("right",), ("left",))},
    loops={"foreach_statement": (("type",), ("left",), ("right",))},
    looping=("GetEnumerator",),
    assignments={"assignment_expression": (("left",), ("right",))},
    returns=frozenset({"return_statement"}),
    no_result="void",
    directives=frozenset(
        """preproc_endregion preproc_error preproc_line preproc_nullable preproc_pragma preproc_region
        preproc_warning""".split()
    ),
    decorators=frozenset({"attribute", "attribute_list"}),
    skipped=frozenset({"modifier", "implicit_type"}),
    handlers={
        "namespace_declaration": namespace,
        "file_scoped_namespace_declaration": namespace,
        "using_directive": using,
        "conditional_access_expression": conditional_access,
        "member_binding_expression": member_binding,
        "initializer_expression": initializer,
        "method_declaration": method,
        "property_declaration": member,
        "explicit_interface_specifier": explicit_interface,
        "accessor_declaration": accessor,
        "indexer_declaration": indexer,
        "event_declaration": event,
        "element_binding_expression": element_binding,
        "invocation_expression": invocation,
        "declaration_expression": declaration,
        "declaration_pattern": declaration_pattern,
        "is_pattern_expression": is_pattern,
        "recursive_pattern": recursive_pattern,
        "await_expression": lower_await,
        "operator_declaration": operator_declaration,
        "binary_expression": operation,
        "prefix_unary_expression": lower_sign,
        "postfix_unary_expression": lower_postfix,
        "argument": argument,
        "nullable_type": nullable,
        "integer_literal": number,
        "real_literal": number,
        "tuple_element": tuple_element,
        "assignment_expression": lower_assignment,
        "implicit_object_creation_expression": implicit_creation,
        "array_creation_expression": array_creation,
        "implicit_array_creation_expression": array_creation,
        "arrow_expression_clause": arrow,
        "collection_expression": collection,
        "conversion_operator_declaration": conversion,
        "switch_expression": chosen,
        "using_statement": using_block,
        "local_declaration_statement": local_declaration,
        "constructor_initializer": constructor_initializer,
        "query_expression": query,
        "anonymous_object_creation_expression": anonymous_object,
        "with_expression": with_expression,
        "generic_name": generic_name,
        "qualified_name": qualified_name,
        "attribute": attribute,
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
    keeps_type_arguments=True,
    partial="partial",
    is_global=True,
)  # fmt: skip


class Lowering(RereadLowering):
    """A file that directives tear apart is parsed without them."""

    spec: ClassVar[Spec] = SPEC
    handlers: ClassVar[Handlers] = handlers_of(SPEC)

    def walk_top(self, root: Node) -> None:
        # A type that no file of the repository declares is a library's.
        self.exports["declared"] = True
        super().walk_top(root)

    def readable(self) -> tuple[bytes, list[tuple[int, int]]]:
        return blank_conditionals(self.source, labels_stand_alone=True)

    def name_between(self, start: int, end: int) -> None:
        """Names in a branch that was left out; what is called is not known, as nothing tells the overload."""
        text = self.source[start:end]
        for found in _NAME.finditer(text):
            name = found["name"]
            if name is None or name.decode() in _KEYWORDS:
                continue
            at = start + found.start("name")
            if found["holder"] or text[found.end() :].lstrip().startswith((b"(", b"<")):
                self.site(self.emit(op.ATTRIBUTE, at, 0, self.word(name)), READ)
            else:
                self.site(self.variable(self.word(name), at), READ)
