"""Java's kinds of nodes.

In: nodes. Out: `SPEC`, `Lowering`.
"""

from __future__ import annotations

from typing import ClassVar, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import READ, FileFacts
from rpg.encoder.languages.declarative.definitions import anonymous_class, definition
from rpg.encoder.languages.declarative.expressions import arguments_of, member, type_of
from rpg.encoder.languages.declarative.java.lombok import name_accessors
from rpg.encoder.languages.declarative.java.patterns import annotation, label, record_pattern, switch
from rpg.encoder.languages.declarative.java.reflection import binary, invocation
from rpg.encoder.languages.declarative.java.rules import Rules
from rpg.encoder.languages.declarative.lowering import DeclarativeLowering, handlers_of
from rpg.encoder.languages.declarative.naming import name_parts
from rpg.encoder.languages.declarative.packages import bind_import
from rpg.encoder.languages.declarative.spec import Call, Creation, Form, Member, Slot, Spec, Variable
from rpg.encoder.languages.declarative.tested_types import conditional, note_test
from rpg.encoder.languages.declarative.unnamed_calls import close_resource, close_variable
from rpg.encoder.languages.declarative.variables import local, variable_declaration
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers, Walker


def package_declaration(walker: DeclarativeWalker, node: Node) -> int:
    for child in node.named_children:
        if child.type in ("scoped_identifier", "identifier"):
            walker.package = walker.source_of(child)
    return 0


def import_declaration(walker: DeclarativeWalker, node: Node) -> int:
    """`import a.b.C;`, `import static a.b.C.d;`, `import a.b.*;`"""
    is_star = any(child.type == "asterisk" for child in node.named_children)
    if is_star:
        # What no file of the repository declares is then a library's.
        walker.exports["declared"] = True
    for child in node.named_children:
        if child.type in ("scoped_identifier", "identifier"):
            bind_import(walker, walker.source_of(child), child.start_byte, is_star)
        elif child.type != "asterisk":
            walker.walk(child)
    return 0


def constructor_call(walker: DeclarativeWalker, node: Node) -> int:
    """`this(...)` and `super(...)`: the constructor has its class's name."""
    named, arguments = node.child_by_field_name("constructor"), node.child_by_field_name("arguments")
    holder = node.child_by_field_name("object")
    if holder is not None:
        walker.walk(holder)
    if named is None or walker.class_scope < 0:
        return walker.through(node)
    start, scope = node.start_byte, walker.class_scope
    around = walker.scopes[scope].definition
    row = arguments_of(walker, arguments) if arguments is not None else []
    if named.type == "this":
        receiver, name = walker.emit(op.THIS, start, scope), walker.definitions[around].name
    else:
        receiver, name = walker.emit(op.SUPER, start, scope, 0), walker.base_names.get(around, "")
    return walker.call(walker.emit(op.ATTRIBUTE, start, receiver, walker.string(name)), start, row)


def field_access(walker: DeclarativeWalker, node: Node) -> int:
    """`x.y`; `Outer.this` is the object of a class around."""
    holder, named = node.child_by_field_name("object"), node.child_by_field_name("field")
    if holder is None or named is None or named.type != "this":
        return member(walker, node)
    walker.type_name(holder, READ)
    name, scope = walker.text_of(holder), walker.class_scope
    while scope > 0:
        here = walker.scopes[scope]
        if here.kind == "class" and walker.definitions[here.definition].name == name:
            return walker.emit(op.THIS, node.start_byte, scope)
        scope = here.parent
    return 0


def number(walker: DeclarativeWalker, node: Node) -> int:
    text = walker.source[node.start_byte : node.end_byte].lower()
    is_integer = node.type != "decimal_floating_point_literal"
    name = "long" if is_integer and text.endswith(b"l") else "float" if text.endswith(b"f") else "double"
    return walker.literal("int" if is_integer and name != "long" else name, node.start_byte)


def unary(walker: DeclarativeWalker, node: Node) -> int:
    """`-1`, `!ready`"""
    value = walker.field(node, "operand")
    sign = node.child_by_field_name("operator")
    if sign is not None and sign.type == "!":
        return walker.literal("boolean", node.start_byte)
    return value


def annotation_argument(walker: DeclarativeWalker, node: Node) -> int:
    return walker.field(node, "value")


def class_body(walker: DeclarativeWalker, node: Node) -> int:
    """The body of an enum's constant is that of a class without a name, below the enum."""
    around = node.parent
    is_of_constant = around is not None and walker.definitions[walker.definition].kind == "field"
    if around is None or not is_of_constant or walker.class_scope < 0:
        return walker.through(node)
    here = walker.scopes[walker.class_scope]
    scope, walker.scope = walker.scope, here.parent  # in the enum, its name may be that of a constructor
    base = walker.name_of_type(here.definition, node.start_byte)
    walker.scope = scope
    anonymous_class(walker, around, _CONSTANT, base)
    return 0


_CONSTANT: Final = Creation(body=(":class_body",))


def array_type(walker: DeclarativeWalker, node: Node) -> int:
    """`T[][]`: lists of lists."""
    element, dimensions = node.child_by_field_name("element"), node.child_by_field_name("dimensions")
    value = type_of(walker, element) if element is not None else 0
    return lists_of(walker, value, dimensions, node.start_byte)


def lists_of(walker: DeclarativeWalker, value: int, dimensions: Node | None, byte: int) -> int:
    count = walker.source_of(dimensions).count("[") if dimensions is not None else 1
    for _ in range(min(count, _MOST_DIMENSIONS)):
        value = walker.emit(op.SUBSCRIPT, byte, walker.literal("list", byte), value)
    return value


_MOST_DIMENSIONS: Final = 4


def array_creation(walker: DeclarativeWalker, node: Node) -> int:
    """`new T[n]`, `new T[] {...}`"""
    named, dimensions = node.child_by_field_name("type"), walker.part(node, (":dimensions",))
    element = type_of(walker, named) if named is not None else 0
    for child in node.named_children:
        if child not in (named, dimensions):
            walker.walk(child)
    if not element:
        return 0
    sized = [child for child in node.named_children if child.type == "dimensions_expr"]
    for _ in sized[:_MOST_DIMENSIONS]:
        element = walker.emit(op.SUBSCRIPT, node.start_byte, walker.literal("list", node.start_byte), element)
    if dimensions is not None:
        element = lists_of(walker, element, dimensions, node.start_byte)
    return walker.emit_typed(element, node.start_byte)


def instance_of(walker: DeclarativeWalker, node: Node) -> int:
    """`x instanceof T`, `x instanceof T t`, `x instanceof T(var a)`"""
    named, typed = node.child_by_field_name("name"), node.child_by_field_name("right")
    value = walker.field(node, "left")
    walker.field(node, "pattern")
    annotation = type_of(walker, typed) if typed is not None else 0
    if named is not None:
        local(walker, named, annotation, 0, node.end_byte)
    else:
        note_test(walker, node, node.child_by_field_name("left"), value, annotation)
    return 0


def class_literal(walker: DeclarativeWalker, node: Node) -> int:
    """`T.class` is a `Class<T>`."""
    named = node.named_children[0] if node.named_child_count else None
    value = type_of(walker, named) if named is not None else 0
    if not value:
        return 0
    start = node.start_byte
    return walker.emit_typed(walker.emit(op.SUBSCRIPT, start, walker.literal("Class", start), value), start)


def resource(walker: DeclarativeWalker, node: Node) -> int:
    """`try (Reader reader = open(); other) { ... }` closes both at its end."""
    name = node.child_by_field_name("name")
    if name is not None:
        variable_declaration(walker, node)
        close_variable(walker, name, node.end_byte, "close")
    else:
        for child in node.named_children:
            close_resource(walker, walker.walk(child), child.start_byte, "close")
    return 0


def record_declaration(walker: DeclarativeWalker, node: Node) -> int:
    index = len(walker.definitions)
    definition(walker, node)
    listed = node.child_by_field_name("parameters")
    if index < len(walker.definitions) and listed is not None:
        name_parts(walker, index, "component", listed.end_byte)
    return 0


SPEC: Final[Spec] = Spec(
    definitions={
        "class_declaration": Form("class", bases=("superclass", "interfaces")),
        "interface_declaration": Form("interface", bases=(":extends_interfaces",)),
        "enum_declaration": Form("enum", bases=("interfaces",)),
        "record_declaration": Form("class", bases=("interfaces",), fields=("parameters",), has_accessors=True),
        "annotation_type_declaration": Form("interface"),
        "method_declaration": Form("method", result=("type",)),
        "constructor_declaration": Form("method"),
        "compact_constructor_declaration": Form("method", parameters=()),
        "annotation_type_element_declaration": Form("method", result=("type",), body=()),
        "enum_constant": Form("field", body=()),
    },
    variables={
        "field_declaration": Variable(each=frozenset({"variable_declarator"})),
        "constant_declaration": Variable(each=frozenset({"variable_declarator"})),
        "local_variable_declaration": Variable(each=frozenset({"variable_declarator"})),
        "resource": Variable(),
        "catch_formal_parameter": Variable(type=(":catch_type",), value=()),
        "type_pattern": Variable(type=(":type_identifier", ":generic_type"), name=(":identifier",), value=()),
    },
    parameters={
        "formal_parameter": Slot(),
        "spread_parameter": Slot(
            (":variable_declarator",), (":type_identifier", ":generic_type", ":array_type", ":integral_type"),
            is_list=True,
        ),
    },
    type_parameters=frozenset({"type_parameter"}),
    calls={"method_invocation": Call(holder=("object",), name=("name",))},
    containers=frozenset(Rules.types.containers),
    creations={"object_creation_expression": Creation(body=(":class_body",))},
    alternatives={"ternary_expression": ("consequence", "alternative")},
    members={
        "field_access": Member(("object",), ("field",)),
        "scoped_identifier": Member(("scope",), ("name",)),
        "method_reference": Member(("<",), (">",)),
    },
    type_members={"scoped_type_identifier": Member(("<",), (">",))},
    names=frozenset({"identifier"}),
    type_names=frozenset({"type_identifier"}),
    generics={
        "generic_type": ((":type_identifier", ":scoped_type_identifier"), (":type_arguments",)),
    },
    wrappers=frozenset({"parenthesized_expression", "annotated_type", "catch_type", "wildcard", "superclass"}),
    primitives=frozenset({"integral_type", "floating_point_type", "boolean_type", "void_type"}),
    literals={
        "string_literal": "String",
        "character_literal": "char",
        "true": "boolean",
        "false": "boolean",
    },
    subscripts={"array_access": ("array",)},
    this=frozenset({"this"}),
    super=frozenset({"super"}),
    lambdas={"lambda_expression": ("parameters",)},
    blocks=frozenset({"block", "constructor_body", "switch_block_statement_group", "for_statement",
                      "try_with_resources_statement", "catch_clause"}),
    casts={"cast_expression": (("type",), ("value",))},
    loops={"enhanced_for_statement": (("type",), ("name",), ("value",))},
    looping=("iterator",),
    assignments={"assignment_expression": (("left",), ("right",))},
    returns=frozenset({"return_statement"}),
    no_result="void",
    decorators=frozenset({"annotation", "marker_annotation"}),
    comments=frozenset({"line_comment", "block_comment"}),
    handlers={
        "class_body": class_body,
        "instanceof_expression": instance_of,
        "method_invocation": invocation,
        "binary_expression": binary,
        "if_statement": conditional,
        "array_type": array_type,
        "array_creation_expression": array_creation,
        "class_literal": class_literal,
        "package_declaration": package_declaration,
        "import_declaration": import_declaration,
        "explicit_constructor_invocation": constructor_call,
        "field_access": field_access,
        "labeled_statement": Walker.through,
        "break_statement": Walker.skip,
        "continue_statement": Walker.skip,
        "decimal_integer_literal": number,
        "hex_integer_literal": number,
        "decimal_floating_point_literal": number,
        "element_value_pair": annotation_argument,
        **dict.fromkeys(("annotation", "marker_annotation"), annotation),
        "record_declaration": record_declaration,
        "record_pattern": record_pattern,
        "switch_expression": switch,
        "switch_statement": switch,
        "switch_label": label,
        "receiver_parameter": Walker.skip,
        "resource": resource,
        "unary_expression": unary,
    },
    member_groups=frozenset({"enum_body_declarations"}),
    implicit_members=True,
    types_beside_members=True,
    capitalised_types=True,
    types_are_no_values=True,
    inferred="var",
    public=frozenset({"public", "protected"}),
    modifiers={"static": "static", "abstract": "abstract"},
    test_marks=Rules.tests.marks,
    has_overloads=True,
    is_global=True,
)  # fmt: skip


class Lowering(DeclarativeLowering):
    spec: ClassVar[Spec] = SPEC
    handlers: ClassVar[Handlers] = handlers_of(SPEC)

    def finish(self) -> FileFacts:
        name_accessors(self)
        return super().finish()
