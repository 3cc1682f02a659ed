"""Kotlin's kinds of nodes. Its grammar has no fields: parts are found by kind.

In: nodes. Out: `SPEC`, `Lowering`.
"""

from __future__ import annotations

from typing import ClassVar, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import ANNOTATION, OWN_TYPE, READ, FileFacts, Parameter
from rpg.encoder.languages.declarative.definitions import anonymous_class, define, drop_type_site
from rpg.encoder.languages.declarative.expressions import arguments_of, member, pattern, type_of
from rpg.encoder.languages.declarative.functions import add_parameter, pattern_parameter
from rpg.encoder.languages.declarative.kotlin.accessors import name_accessors
from rpg.encoder.languages.declarative.kotlin.operators import (
    assignment,
    check,
    comparison,
    delegate,
    logical,
    lower_index,
    lower_sign,
    operation,
    range_test,
    take_apart,
    when,
)
from rpg.encoder.languages.declarative.kotlin.repairs import RepairedLowering
from rpg.encoder.languages.declarative.kotlin.rules import Rules
from rpg.encoder.languages.declarative.lowering import handlers_of
from rpg.encoder.languages.declarative.naming import lower_decorators, name_parts
from rpg.encoder.languages.declarative.packages import bind_import
from rpg.encoder.languages.declarative.spec import Call, Creation, Form, Member, Slot, Spec
from rpg.encoder.languages.declarative.tested_types import guarded
from rpg.encoder.languages.declarative.variables import field, local
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers
from rpg.graph import OVERRIDE

UNITERATED: Final = frozenset({op.NOTHING, op.LITERAL})
"""Operations whose values are not objects of the repository."""
_TYPES: Final = frozenset("user_type nullable_type function_type parenthesized_type receiver_type".split())
_CLASS: Final = Form(
    "class", (":type_identifier",), (":class_body", ":enum_class_body"), (":delegation_specifier",),
    generics=(":type_parameters",), fields=(":primary_constructor",),
)  # fmt: skip
_CLASSES: Final = frozenset({"java", "javaObjectType"})
_KINDS: Final = {"interface": "interface", "enum": "enum"}
_FUNCTION: Final = Form(
    "function", (":simple_identifier",), (":function_body",), parameters=(":function_value_parameters",),
    generics=(":type_parameters",), inside="method",
)  # fmt: skip
_ALIAS: Final = Form("type", (":type_identifier",), body=())
_TYPE_PARTS: Final = (":user_type", ":nullable_type", ":function_type", ":parenthesized_type")
_OBJECT: Final = Creation(body=(":class_body",))


def package_header(walker: DeclarativeWalker, node: Node) -> int:
    walker.package = "".join(walker.source_of(node.named_children[0]).split()) if node.named_child_count else ""
    return 0


def import_header(walker: DeclarativeWalker, node: Node) -> int:
    path = next((child for child in node.named_children if child.type == "identifier"), None)
    if path is None:
        return 0
    is_star = any(child.type == "wildcard_import" for child in node.named_children)
    alias = next((child for child in node.named_children if child.type == "import_alias"), None)
    other = walker.source_of(alias.named_children[0]) if alias is not None and alias.named_child_count else ""
    # The members of a companion without a name are those of its class.
    text = walker.source_of(path).replace(".Companion.", ".")
    bind_import(walker, text, path.start_byte, is_star, other)
    return 0


def class_declaration(walker: DeclarativeWalker, node: Node) -> int:
    name = walker.part(node, _CLASS.name)
    if name is None:
        return walker.through(node)
    kind = next((_KINDS[child.type] for child in node.children if child.type in _KINDS), "class")
    index = define(walker, node, _CLASS._replace(kind=kind), name)
    listed = walker.part(node, (":primary_constructor",))
    before = walker.part(listed, (":modifiers",)) if listed is not None else None
    around, walker.definition = walker.definition, index
    for each in before.named_children if before is not None else ():
        if each.type == "annotation":
            walker.walk(each)
    walker.definition = around
    if "data" in walker.words_before(node.start_byte, name.start_byte):
        name_parts(walker, index, "component", listed.end_byte if listed is not None else 0)
    return 0


def function_declaration(walker: DeclarativeWalker, node: Node) -> int:
    """A function; the type in front of its name is the one that it extends."""
    name = walker.part(node, _FUNCTION.name)
    if name is None:
        return walker.through(node)
    owner, result = "", None
    around, walker.owner_object = walker.owner_object, 0
    for child in node.named_children:
        if child.type in _TYPES:
            if child.start_byte < name.start_byte:
                walker.owner_object = walker.emit_typed(type_of(walker, child), child.start_byte)
                owner = find_extended_name(walker, child)
            else:
                result = child
    walker.result = result
    define(walker, node, _FUNCTION._replace(kind="method") if owner else _FUNCTION, name, owner)
    walker.owner_object = around
    return 0


def find_extended_name(walker: DeclarativeWalker, node: Node) -> str:
    """The name of the type in front of what is added to it."""
    return walker.source_of(node).partition("<")[0].rstrip("?").rpartition(".")[2]


def function_body(walker: DeclarativeWalker, node: Node) -> int:
    """`= value`, or statements."""
    value = 0
    for child in node.named_children:
        value = walker.walk(child)
    return value if node.children and node.children[0].type == "=" else 0


def property_declaration(walker: DeclarativeWalker, node: Node) -> int:
    parts = node.named_children
    named = next((child for child in parts if child.type == "variable_declaration"), None)
    several = next((child for child in parts if child.type == "multi_variable_declaration"), None)
    accessors = [child for child in parts if child.type in ("getter", "setter")]
    start = (named or several or node).end_byte
    others = [child for child in parts if child not in accessors and child.type != "type_constraints"]
    held = next((child for child in others if child.start_byte >= start), None)
    if named is None:
        value = walker.walk(held) if held is not None else 0
        if several is not None:
            take_apart(walker, several, value)
        return 0
    name = next((child for child in named.named_children if child.type == "simple_identifier"), None)
    lower_decorators(walker, node, named)
    typed = next((child for child in named.named_children if child.type in _TYPES), None)
    annotation = type_of(walker, typed) if typed is not None else 0
    is_local = bool(walker.function) and walker.scopes[walker.scope].kind != "class"
    index, owner_object = -1, 0
    if held is not None and held.type == "property_delegate":
        value = delegate(walker, held, any(child.type == "var" for each in parts for child in each.children))
    else:
        value = walker.walk(held) if held is not None and (is_local or name is not None) else 0
    if name is not None and is_local:
        local(walker, name, annotation, value, node.end_byte)
    elif name is not None:
        in_class = walker.scopes[walker.scope].kind == "class"
        receiver = next((each for each in parts if each.type in _TYPES and each.end_byte <= named.start_byte), None)
        owner, around_object = walker.owner, walker.owner_object
        if receiver is not None:
            owner_object = walker.emit_typed(type_of(walker, receiver), receiver.start_byte)
            walker.owner_object = owner_object
            walker.owner = find_extended_name(walker, receiver)
        index = field(walker, name, node, annotation, value, "field" if in_class else "constant", node)
        walker.owner, walker.owner_object = owner, around_object
    around, function = walker.here(), walker.function
    scopes = walker.class_scope, walker.owner_scope
    for each in accessors:
        if index >= 0:
            walker.definition = index
        walker.open_block_scope(each)
        bind_given(walker, each)
        walker.function = walker.function or walker.scope
        if index >= 0 and walker.definitions[index].owner:
            walker.class_scope, walker.owner_scope = -1, walker.scope
            if owner_object:
                walker.bind(OWN_TYPE, owner_object, each.start_byte)
        walker.through(each)
        walker.return_to(around)
        walker.function = function
        walker.class_scope, walker.owner_scope = scopes
    return 0


def accessor(walker: DeclarativeWalker, node: Node) -> int:
    """One on a line of its own, which the parser does not make a part of the property."""
    around, function = walker.here(), walker.function
    walker.open_block_scope(node)
    bind_given(walker, node)
    walker.function = walker.function or walker.scope
    walker.through(node)
    walker.return_to(around)
    walker.function = function
    return 0


def bind_given(walker: DeclarativeWalker, accessor: Node) -> None:
    """What an accessor sees: `field`, which holds the property, and what a setter is passed."""
    walker.bind("field", 0, accessor.start_byte)
    for child in accessor.named_children:
        name = child.named_children[0] if child.type == "parameter_with_optional_type" else None
        if name is not None and name.type == "simple_identifier":
            walker.bind(walker.text_of(name), 0, accessor.start_byte)


def list_property_names(node: Node) -> list[Node]:
    """The name of a property; none for one that is added to another type."""
    for child in node.named_children:
        if child.type in _TYPES:
            return []
        if child.type == "variable_declaration":
            return [each for each in child.named_children if each.type == "simple_identifier"]
    return []


def user_type(walker: DeclarativeWalker, node: Node) -> int:
    """`a.B.C<D>`; packages are left out."""
    value = 0
    arguments: list[int] = []
    for child in node.named_children:
        if child.type == "type_identifier":
            if value:
                value = walker.member(value, child, ANNOTATION)
            elif child.end_byte == node.end_byte or walker.source_of(child)[:1].isupper():
                value = walker.type_name(child)
        elif child.type == "type_arguments":
            arguments = [type_of(walker, each) for each in child.named_children]
    if value and any(arguments):
        return walker.emit(op.SUBSCRIPT, node.start_byte, value, walker.one_or_tuple(arguments, node.start_byte))
    return value


def function_type(walker: DeclarativeWalker, node: Node) -> int:
    """`Cart.(Int) -> Unit`: the type that it extends stands first, marked as an instance."""
    receiver = node.child_by_field_name("receiver")
    parameters: list[int] = []
    result = 0
    if receiver is not None:
        parameters.append(walker.emit(op.INSTANCE, receiver.start_byte, type_of(walker, receiver)))
    for child in node.named_children:
        if child.type == "function_type_parameters":
            for each in child.named_children:
                if each.type not in walker.spec.comments:
                    typed = walker.part(each, _TYPE_PARTS) if each.type == "parameter" else each
                    parameters.append(type_of(walker, typed) if typed is not None else 0)
        elif child != receiver:
            result = type_of(walker, child)
    listed = walker.emit(op.TUPLE, node.start_byte, len(parameters), *parameters)
    return walker.emit(op.FUNCTION_TYPE, node.start_byte, result, listed)


def type_alias(walker: DeclarativeWalker, node: Node) -> int:
    """`typealias Name = Type`"""
    name = walker.part(node, _ALIAS.name)
    if name is None:
        return walker.through(node)
    around, walker.definition = walker.definition, define(walker, node, _ALIAS, name)
    aliased = type_of(walker, node.named_children[-1])
    walker.definition = around
    walker.bind(walker.text_of(name), aliased, walker.scopes[walker.scope].start_byte, "type")
    return 0


def lambda_literal(walker: DeclarativeWalker, node: Node) -> int:
    """`{ a -> ... }`; without parameters there is `it`."""
    start, end = node.start_byte, node.end_byte
    around = walker.here()
    walker.scope = walker.function = scope = walker.open_scope("lambda", walker.definition, start, end)
    walker.open_block(start, end)
    value = walker.emit(op.FUNCTION, start, scope)
    listed = next((child for child in node.named_children if child.type == "lambda_parameters"), None)
    rows: list[Parameter] = []
    for each in listed.named_children if listed is not None else ():
        if each.type in walker.spec.patterns:
            pattern_parameter(walker, rows, each, 0, scope)
            continue
        name = next((child for child in each.named_children if child.type == "simple_identifier"), None)
        if name is not None:
            add_parameter(walker, rows, name, 0, 0, scope, start, False)
    if listed is None:
        walker.bind_parameter(Rules.closures.implicit_parameter, rows, scope, start)
    walker.parameters[scope] = rows
    for child in node.named_children:
        if child != listed:
            made = walker.walk(child)
            if made:
                walker.returns.setdefault(scope, []).append(made)
    walker.return_to(around)
    return value


def callable_reference(walker: DeclarativeWalker, node: Node) -> int:
    """`Cart::class` stands for the type; `cart::total` is only read."""
    return class_literal(walker, node, "KClass")


def class_literal(walker: DeclarativeWalker, node: Node, kind: str) -> int:
    named = walker.part(node, (":type_identifier",))
    if named is None or node.children[-1].type != "class":
        return walker.through(node)
    byte = node.start_byte
    typed = type_of(walker, named)
    return walker.emit_typed(walker.emit(op.SUBSCRIPT, byte, walker.literal(kind, byte), typed), byte)


def this_expression(walker: DeclarativeWalker, node: Node) -> int:
    """`this`, or `this@Outer`: the object of a class around."""
    label = walker.part(node, (":type_identifier",))
    scope = walker.scope if label is not None else -1
    while scope > 0 and label is not None:
        here = walker.scopes[scope]
        if here.kind == "class" and walker.definitions[here.definition].name == walker.source_of(label):
            walker.type_name(label, READ)
            return walker.emit(op.THIS, node.start_byte, scope)
        scope = here.parent
    return walker.this_object(node) if label is not None else innermost_object(walker, node)


def innermost_object(walker: DeclarativeWalker, node: Node) -> int:
    """`this`: the object of a lambda around that has one, else that of the function or the class around."""
    scope, around = walker.scope, max(walker.class_scope, walker.owner_scope)
    lambdas: list[int] = []
    while scope > max(around, 0):
        if walker.scopes[scope].kind == "lambda":
            lambdas.append(scope)
        scope = walker.scopes[scope].parent
    scopes = [*lambdas, around] if around >= 0 else lambdas
    objects = [walker.emit(op.THIS, node.start_byte, each) for each in scopes]
    return walker.union(objects, node.start_byte) if len(objects) > 1 else objects[0] if objects else 0


def navigation(walker: DeclarativeWalker, node: Node) -> int:
    """`a.b`; `Cart::class.java` is that class as Java has it."""
    holder = node.named_children[0]
    if holder.type == "callable_reference" and walker.source_of(node).rpartition(".")[2] in _CLASSES:
        return class_literal(walker, holder, "Class")
    return member(walker, node)


def last_of(walker: DeclarativeWalker, node: Node) -> int:
    value = 0
    for child in node.named_children:
        value = walker.walk(child)
    return value


def for_statement(walker: DeclarativeWalker, node: Node) -> int:
    around = walker.enter_block(node)
    named = next((each for each in node.named_children if "variable_declaration" in each.type), None)
    element = 0
    for child in node.named_children:
        if child == named:
            continue
        value = walker.walk(child)
        if named is not None and child.type != "control_structure_body":
            element = walker.iterated(value, child.start_byte, UNITERATED) if value else 0
            if named.type == "multi_variable_declaration":
                take_apart(walker, named, element)
            else:
                pattern(walker, named, element)
            named = None
    walker.leave_block(around)
    return 0


def object_literal(walker: DeclarativeWalker, node: Node) -> int:
    """`object : Base(1), Contract { ... }`: Base is called, Contract mentioned."""
    base = 0
    for child in node.named_children:
        if child.type != "delegation_specifier":
            continue
        inner = child.named_children[0] if child.named_child_count else child
        if inner.type == "constructor_invocation":
            first = len(walker.sites)
            typed = walker.part(inner, (":user_type",))
            made = type_of(walker, typed) if typed is not None else 0
            arguments = walker.part(inner, (":value_arguments",))
            row = []
            if made:
                callee = walker.code[made + op.HOLDER] if walker.code[made] == op.SUBSCRIPT else made
                drop_type_site(walker, callee, first)
                row = arguments_of(walker, arguments, made=callee) if arguments is not None else []
                walker.call(callee, walker.code[callee + op.BYTE], row)
            base = base or made
        else:
            made = walker.walk(inner)
            base = base or made
    anonymous_class(walker, node, _OBJECT, base)
    return 0


SPEC: Final[Spec] = Spec(
    definitions={
        "class_declaration": _CLASS,
        "object_declaration": _CLASS,
        "function_declaration": _FUNCTION,
        "enum_entry": Form("field", (":simple_identifier",), body=()),
        "type_alias": _ALIAS,
    },
    parameters={
        "parameter": Slot((":simple_identifier",), _TYPE_PARTS),
        "class_parameter": Slot((":simple_identifier",), _TYPE_PARTS),
    },
    type_parameters=frozenset({"type_parameter"}),
    declared={"property_declaration": list_property_names},
    member_groups=frozenset({"companion_object", "class_body"}),
    constraints=frozenset({"type_constraints", "type_constraint"}),
    calls={"call_expression": Call(("<",), (":call_suffix",))},
    alternatives={"elvis_expression": ("<", ">")},
    members={"navigation_expression": Member(("<",), (":navigation_suffix",))},
    names=frozenset({"simple_identifier", "interpolated_identifier"}),
    type_names=frozenset({"type_identifier"}),
    wrappers=frozenset(
        """parenthesized_expression value_argument nullable_type type_projection
        statements variable_declaration control_structure_body annotated_lambda parenthesized_type""".split()
    ),
    literals={"string_literal": "String", "integer_literal": "Int", "long_literal": "Long", "real_literal": "Double",
              "hex_literal": "Int", "bin_literal": "Int", "unsigned_literal": "UInt",
              "boolean_literal": "Boolean", "character_literal": "Char"},
    literal_endings={"real_literal": {"f": "Float"}, "unsigned_literal": {"l": "ULong"}},
    this=frozenset({"this_expression"}),
    super=frozenset({"super_expression"}),
    lambdas={"secondary_constructor": (":function_value_parameters",),
             "anonymous_function": (":function_value_parameters",)},
    blocks=frozenset({"anonymous_initializer", "catch_block", "when_entry"}),
    casts={"as_expression": ((">",), ("<",))},
    patterns=frozenset({"multi_variable_declaration"}),
    returns=frozenset({"jump_expression"}),
    decorators=frozenset({"annotation"}),
    comments=frozenset({"line_comment", "multiline_comment"}),
    skipped=frozenset({"binding_pattern_kind", "visibility_modifier", "label", "package_header"}),
    argument_lists=frozenset({"value_arguments"}),
    labelled={"value_argument": (("<",), (">",))},
    label_mark="=",
    spreads=frozenset({"spread_expression"}),
    handlers={
        "package_header": package_header,
        "import_header": import_header,
        "class_declaration": class_declaration,
        "function_declaration": function_declaration,
        "function_body": function_body,
        "property_declaration": property_declaration,
        "getter": accessor,
        "setter": accessor,
        "user_type": user_type,
        "function_type": function_type,
        "type_alias": type_alias,
        "lambda_literal": lambda_literal,
        "for_statement": for_statement,
        "object_literal": object_literal,
        "statements": last_of,
        "callable_reference": callable_reference,
        "navigation_expression": navigation,
        "this_expression": this_expression,
        "assignment": assignment,
        "indexing_expression": lower_index,
        **dict.fromkeys(("additive_expression", "multiplicative_expression", "range_expression"), operation),
        **dict.fromkeys(("comparison_expression", "equality_expression"), comparison),
        "check_expression": check,
        **dict.fromkeys(("conjunction_expression", "disjunction_expression"), logical),
        "if_expression": guarded,
        "when_expression": when,
        "range_test": range_test,
        **dict.fromkeys(("prefix_expression", "postfix_expression"), lower_sign),
    },
    base_kinds=frozenset({"user_type"}),
    field_mark="binding_pattern_kind",
    implicit_members=True,
    keeps_types=True,
    no_functions=Rules.plain_types | Rules.types.containers.keys() | {"CharSequence", "Number", "UInt", "ULong"},
    lambdas_have_receivers=Rules.closures.have_receivers,
    rest_word="vararg",
    values_behind=frozenset("parameter_modifiers type_modifiers annotation line_comment multiline_comment".split()),
    capitalised_types=True,
    private=frozenset({"private", "internal", "protected"}),
    modifiers={"abstract": "abstract", "suspend": "async", "override": OVERRIDE},
    test_marks=Rules.tests.marks,
    has_overloads=True,
    types_beside_arguments=True,
    keeps_type_arguments=True,
    constructors_are_called_like_functions=True,
    promised="expect",
    is_global=True,
)  # fmt: skip


class Lowering(RepairedLowering):
    spec: ClassVar[Spec] = SPEC
    handlers: ClassVar[Handlers] = handlers_of(SPEC)

    def finish(self) -> FileFacts:
        name_accessors(self)
        return super().finish()

    def take_apart(self, node: Node, value: int) -> None:
        take_apart(self, node, value)
