"""Scala's kinds of nodes.

In: nodes. Out: `SPEC`, `Lowering`.
"""

from __future__ import annotations

from typing import ClassVar, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import IMPLICIT, PARAMETERLESS, SUITE
from rpg.encoder.languages.declarative.definitions import define
from rpg.encoder.languages.declarative.expressions import arguments_of, assign, lower_callee, type_of
from rpg.encoder.languages.declarative.lowering import handlers_of
from rpg.encoder.languages.declarative.scala.imports import import_declaration
from rpg.encoder.languages.declarative.scala.names import (
    ScalaWalker,
    members,
    package_clause,
    pattern,
    self_type,
    type_definition,
    variables_of,
)
from rpg.encoder.languages.declarative.scala.rules import Rules
from rpg.encoder.languages.declarative.spec import Creation, Form, Member, Slot, Spec, Variable
from rpg.encoder.languages.declarative.unnamed_calls import offer_writer, run_member, run_with
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.titles import SOURCE_LIMIT, define_titled
from rpg.encoder.lowering.walker import Handlers
from rpg.graph import FUNCTION_KINDS, OVERRIDE

_CLASS: Final = Form("class", bases=("extend",), fields=("class_parameters",))
_GENERICS: Final = ("type_parameters", ":type_parameters")
_METHOD: Final = Form("method", parameters=(), result=("return_type",), generics=_GENERICS)
_FUNCTION: Final = _METHOD._replace(kind="function", inside="method")
_ARITHMETIC: Final = frozenset("+ - * / % == != < > <= >= && || & | ^ ! :: -> << >> ++ :+ +: += -=".split())
_EQUAL: Final = frozenset({"==", "!="})
_COMPARED: Final = frozenset({"<=", ">=", "!=", "=="})
_STABLE: Final = (":type_identifier", ":generic_type", ":stable_type_identifier")

_GROUPED: Final = frozenset({"can", "must", "should", "when"})
"""Verbs of ScalaTest and specs2 between what is tested and what is in its group."""
_FOUND: Final = frozenset({"implicit", "using"})
"""Words before parameters whose arguments the compiler finds."""
_GIVERS: Final = frozenset({"implicitly", "summon"})
"""Functions of the library that give what the compiler finds for a type."""


# Definitions


def function_definition(walker: ScalaWalker, node: Node) -> int:
    name = node.child_by_field_name("name")
    if name is None or name.start_byte == name.end_byte:
        return walker.through(node)
    owner, walker.owner = walker.owner, ""
    index = define(walker, node, _METHOD if owner else _FUNCTION, name, owner)
    walker.owner = owner
    here = walker.definitions[index]
    listed = [each for each in node.children_by_field_name("parameters") if each.type == "parameters"]
    if not listed:
        here.flags = (*here.flags, PARAMETERLESS)
    elif any(child.type in _FOUND for child in listed[0].children):
        here.flags = (*here.flags, IMPLICIT)
    return 0


def extension_definition(walker: ScalaWalker, node: Node) -> int:
    """`extension (cart: Cart) def total: Int`: methods of the type of what is extended."""
    around, owner = walker.here(), walker.owner
    walker.open_block_scope(node)
    listed = [each for each in node.children_by_field_name("parameters") if each.type == "parameters"]
    for each in listed:
        variables_of(walker, each)
    typed = listed[0].named_children[0].child_by_field_name("type") if listed and listed[0].named_child_count else None
    name = walker.source_of(typed).partition("[")[0].rpartition(".")[2] if typed is not None else ""
    if walker.class_scope < 0 and name.isidentifier():
        walker.owner = name
    for child in node.children_by_field_name("body"):
        walker.walk(child)
    walker.owner = owner
    walker.return_to(around)
    return 0


# Expressions


def call(walker: ScalaWalker, node: Node) -> int:
    """`f(a)(b) { ... }`: further lists belong to the same call."""
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None:
        return walker.through(node)
    if function.type == "call_expression":
        if arguments is not None and define_titled_test(walker, node, function, arguments):
            return 0
        value = walker.walk(function)
        if arguments is not None:
            row_of(walker, arguments)
        return value
    if walker.source_of(function) == walker.definitions[walker.definition].name == "this":
        if arguments is not None:  # of another constructor of the class
            byte, scope = function.start_byte, walker.class_scope
            row_of(walker, arguments, walker.name_of_type(walker.scopes[scope].definition, byte) if scope >= 0 else 0)
        return 0
    callee = lower_callee(walker, function)
    byte = arguments.start_byte if arguments is not None else node.end_byte
    if callee and walker.drop_site(callee) and walker.code[callee] in (op.NAME, op.ATTRIBUTE):
        byte = walker.code[callee + op.BYTE]
    row = row_of(walker, arguments, callee) if arguments is not None else []
    return walker.call(callee, byte, row) if callee else 0


def define_titled_test(walker: ScalaWalker, node: Node, function: Node, body: Node) -> bool:
    """`test("adds") { ... }`"""
    named, given = function.child_by_field_name("function"), function.child_by_field_name("arguments")
    text = given.named_children[0] if given is not None and given.named_child_count else None
    if (
        named is None or text is None or text.type != "string" or not takes_tests(walker)
        or walker.source_of(named) not in ("test", "describe", "it", "property")
    ):  # fmt: skip
        return False
    quotes = 3 if walker.source[text.start_byte : text.start_byte + 3] == b'"""' else 1
    title = walker.text(text.start_byte + quotes, min(text.end_byte - quotes, text.start_byte + SOURCE_LIMIT))
    define_test(walker, title, walker.source_of(named) == "describe", node, text, body)
    return True


def takes_tests(walker: ScalaWalker) -> bool:
    """Whether tests may stand here: in the body of a class or in a group of tests."""
    around = walker.definitions[walker.definition]
    return SUITE in around.flags or around.kind not in FUNCTION_KINDS


def define_phrased_test(walker: ScalaWalker, text: str, node: Node, left: Node, right: Node) -> bool:
    """`"A cart" should { ... }` and what is in it, `"add" in { ... }`; `"A cart" should "add" in { ... }`."""
    is_suite = text in _GROUPED
    if not (is_suite and right.type == "block") and text != "in":
        return False
    if not takes_tests(walker) or not Rules.is_run(walker.path):
        return False
    words = title_words(walker, left)
    if not any(words):
        return False
    define_test(walker, " ".join(words)[:SOURCE_LIMIT], is_suite, node, left, right)
    return True


def title_words(walker: ScalaWalker, node: Node) -> list[str]:
    """Those of `"A cart" should "add"` and of `it should "add"`; none if it is something else."""
    if node.type == "string":
        return [walker.source_of(node).strip('"')]
    sides = [node.child_by_field_name(each) for each in ("left", "operator", "right")]
    left, operator, right = sides if node.type == "infix_expression" else (None, None, None)
    if left is None or operator is None or right is None or right.type != "string":
        return []
    verb = walker.source_of(operator)
    subject = [walker.source_of(left)] if left.type == "identifier" else title_words(walker, left)
    return [*subject, verb, *title_words(walker, right)] if verb in _GROUPED and any(subject) else []


def define_test(walker: ScalaWalker, title: str, is_suite: bool, node: Node, text: Node, body: Node) -> None:
    start, end = node.start_byte, node.end_byte
    head = walker.folded(start, body.start_byte)
    index = define_titled(
        walker, title, is_suite, walker.definition, start, end, text.start_byte, body.start_byte, head
    )
    around = walker.here()
    walker.definition = index
    if not is_suite:
        walker.scope = walker.function = walker.open_scope("function", index, start, end)
        walker.definitions[index].scope = walker.scope
    walker.walk(body)
    walker.return_to(around)


def row_of(walker: ScalaWalker, arguments: Node, made: int = 0) -> list[int]:
    if arguments.type != "arguments":
        return [op.POSITIONAL, walker.walk(arguments)]
    if not any(starts_with_placeholder(child) for child in arguments.named_children):
        return arguments_of(walker, arguments, made=made)
    row: list[int] = []
    for child in arguments.named_children:
        row += (op.POSITIONAL, placeholder(walker, child) if starts_with_placeholder(child) else walker.walk(child))
    return row


def starts_with_placeholder(node: Node) -> bool:
    """Whether an expression begins with `_.`"""
    if node.type == "wildcard":
        return False
    while node.type in ("field_expression", "call_expression", "infix_expression"):
        first = node.named_children[0] if node.named_child_count else None
        if first is None:
            return False
        node = first
    return node.type == "wildcard"


def placeholder(walker: ScalaWalker, node: Node) -> int:
    """`_.name`: a function of what `_` stands for."""
    start, end = node.start_byte, node.end_byte
    around = walker.here()
    walker.scope = walker.function = scope = walker.open_scope("lambda", walker.definition, start, end)
    walker.open_block(start, end)
    value = walker.emit(op.FUNCTION, start, scope)
    walker.bind_parameter("_", walker.parameters.setdefault(scope, []), scope, start)
    made = walker.walk(node)
    if made:
        walker.returns.setdefault(scope, []).append(made)
    walker.return_to(around)
    return value


def wildcard(walker: ScalaWalker, node: Node) -> int:
    return walker.variable(walker.string("_"), node.start_byte) if walker.scope_of("_") >= 0 else 0


def infix_expression(walker: ScalaWalker, node: Node) -> int:
    """`a method b`"""
    left, operator, right = (node.child_by_field_name(each) for each in ("left", "operator", "right"))
    if left is None or operator is None or right is None:
        return walker.through(node)
    text = walker.source_of(operator)
    if define_phrased_test(walker, text, node, left, right):
        return 0
    holder = walker.walk(left)
    if operator.type not in ("identifier", "operator_identifier"):
        walker.walk(right)
        return 0
    if text in _ARITHMETIC:
        return arithmetic(walker, node, text, operator.start_byte, holder, walker.walk(right))
    if text.endswith(":"):
        holder, value = walker.walk(right), holder
    else:
        value = placeholder(walker, right) if starts_with_placeholder(right) else walker.walk(right)
    callee = walker.member(holder, operator)
    walker.drop_site(callee)
    return walker.call(callee, operator.start_byte, [op.POSITIONAL, value])


def arithmetic(walker: ScalaWalker, node: Node, name: str, byte: int, left: int, right: int) -> int:
    """An operator that numbers have, too."""
    if name in _EQUAL:
        run_member(walker, left, "equals", byte, right)
        return walker.literal("Boolean", node.start_byte)
    if name.endswith(":"):
        left, right = right, left
    made = run_member(walker, left, name, byte, right)
    if name.endswith("=") and name not in _COMPARED:
        run_member(walker, left, name[:-1], byte, right)
        offer_writer(walker, left, "_=")
    return made


def prefix_expression(walker: ScalaWalker, node: Node) -> int:
    """`-a` runs `unary_-`."""
    value = 0
    for child in node.named_children:
        value = walker.walk(child)
    sign = node.children[0]
    if walker.code[value] == op.LITERAL:
        return value
    return run_member(walker, value, f"unary_{walker.source_of(sign)}", sign.start_byte)


def assignment(walker: ScalaWalker, node: Node) -> int:
    """`a(i) = b` runs `update`."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or left.type != "call_expression":
        return assign(walker, left, right)
    function, arguments = left.child_by_field_name("function"), left.child_by_field_name("arguments")
    holder = walker.walk(function) if function is not None else 0
    row = row_of(walker, arguments) if arguments is not None else []
    value = walker.walk(right) if right is not None else 0
    run_with(walker, holder, "update", left.start_byte, [*row, op.POSITIONAL, value])
    return value


def generic_function(walker: ScalaWalker, node: Node) -> int:
    """`builder[Config]`: what the name in front means."""
    function, types = node.child_by_field_name("function"), node.child_by_field_name("type_arguments")
    if function is None or types is None:
        return walker.through(node)
    held = function.child_by_field_name("value") if function.type == "field_expression" else None
    is_cast = held is not None and walker.source_of(function).endswith(".asInstanceOf")
    if is_cast or walker.source_of(function) in _GIVERS:
        value = walker.walk(held) if held is not None else 0
        kinds = [type_of(walker, child) for child in types.named_children]
        return walker.emit(op.TYPED, node.start_byte, kinds[0], value) if kinds and kinds[0] else value
    type_of(walker, types)
    return walker.walk(function)


def stable_identifier(walker: ScalaWalker, node: Node) -> int:
    """`a.b.C`"""
    value = 0
    for at, child in enumerate(node.named_children):
        value = walker.member(value, child) if at else walker.walk(child)
    return value


def lower_interpolated_string(walker: ScalaWalker, node: Node) -> int:
    for child in node.named_children:
        if child.type == "interpolated_string":
            walker.through(child)
    return walker.literal("String", node.start_byte)


def if_expression(walker: ScalaWalker, node: Node) -> int:
    walker.field(node, "condition")
    values = [walker.field(node, "consequence"), walker.field(node, "alternative")]
    return walker.union(values, node.start_byte)


def case_clause(walker: ScalaWalker, node: Node) -> int:
    around = walker.enter_block(node)
    held = node.child_by_field_name("pattern")
    if held is not None:
        pattern(walker, held, 0)
    value = 0
    for child in node.named_children:
        if child != held:
            value = walker.walk(child)
    walker.leave_block(around)
    return value


def for_expression(walker: ScalaWalker, node: Node) -> int:
    around = walker.enter_block(node)
    walker.through(node)
    walker.leave_block(around)
    return 0


def enumerator(walker: ScalaWalker, node: Node) -> int:
    """`line <- lines`, `price = line.price`"""
    parts = node.named_children
    is_loop = any(child.type == "<-" for child in node.children)
    value = 0
    for child in parts[1:]:
        if child.type != "guard" and not value:
            value = walker.walk(child)
    if is_loop and value:
        for name in methods_of_loop(node):
            run_member(walker, value, name, parts[1].start_byte, 0)
    if parts:
        element = walker.emit(op.ELEMENT, parts[0].start_byte, value) if is_loop and value else value
        pattern(walker, parts[0], element)
    for child in parts[1:]:
        if child.type == "guard":
            walker.walk(child)
    return 0


def methods_of_loop(node: Node) -> list[str]:
    """What `for (a <- as; b <- bs if c) yield d` runs of one of its values."""
    listed = node.parent
    around = listed.parent if listed is not None else None
    if listed is None or around is None:
        return []
    has_condition = any(child.type == "guard" for child in node.named_children)
    filtering = ["withFilter"] if has_condition else []
    if not any(child.type == "yield" for child in around.children):
        return [*filtering, "foreach"]
    loops = [each for each in listed.named_children if any(child.type == "<-" for child in each.children)]
    return [*filtering, "map" if loops and loops[-1] == node else "flatMap"]


def function_type(walker: ScalaWalker, node: Node) -> int:
    """`(Cart, Int) => Line`"""
    parameters: list[int] = []
    result = 0
    for child in node.named_children:
        if child.type == "parameter_types":
            parameters = [type_of(walker, each) for each in child.named_children if each.type != "comment"]
        else:
            result = type_of(walker, child)
    listed = walker.emit(op.TUPLE, node.start_byte, len(parameters), *parameters)
    return walker.emit(op.FUNCTION_TYPE, node.start_byte, result, listed)


def types_in(walker: ScalaWalker, node: Node) -> int:
    for child in node.named_children:
        type_of(walker, child)
    return 0


SPEC: Final[Spec] = Spec(
    definitions={
        "class_definition": _CLASS,
        "object_definition": _CLASS,
        "trait_definition": _CLASS._replace(kind="trait"),
        "enum_definition": _CLASS._replace(kind="enum"),
        "full_enum_case": _CLASS,
        "simple_enum_case": Form("field", body=()),
        "function_definition": _FUNCTION,
        "function_declaration": _FUNCTION,
        "type_definition": Form("type", body=()),
    },
    variables=dict.fromkeys(
        ("val_definition", "var_definition", "val_declaration", "var_declaration"), Variable(name=("pattern", "name"))
    ),
    parameters={"parameter": Slot(default=("default_value",)), "class_parameter": Slot(), "binding": Slot()},
    type_parameters=frozenset(
        "identifier covariant_type_parameter contravariant_type_parameter type_parameter".split()
    ),
    creations={"instance_expression": Creation(_STABLE, (":arguments",), (":template_body",))},
    labelled={"assignment_expression": (("left",), ("right",))},
    argument_lists=frozenset({"arguments"}),
    members={"field_expression": Member(("value",), ("field",))},
    names=frozenset({"identifier", "operator_identifier"}),
    type_names=frozenset({"type_identifier"}),
    type_members={"stable_type_identifier": Member(("<",), (">",))},
    generics={"generic_type": (("type",), ("type_arguments",)),
              "generic_function": (("function",), ("type_arguments",))},
    wrappers=frozenset("parenthesized_expression lazy_parameter_type annotated_type repeated_parameter_type".split()),
    literals={"string": "String", "integer_literal": "Int", "floating_point_literal": "Double",
              "boolean_literal": "Boolean", "character_literal": "Char"},
    literal_endings={"integer_literal": {"l": "Long"}, "floating_point_literal": {"f": "Float"}},
    lambdas={"lambda_expression": ("parameters",)},
    tuples=frozenset({"tuple_type", "tuple_expression", "tuple_pattern"}),
    blocks=frozenset({"block", "indented_block"}),
    blocks_have_values=True,
    returns=frozenset({"return_expression"}),
    decorators=frozenset({"annotation"}),
    comments=frozenset({"comment", "block_comment"}),
    skipped=frozenset({"modifiers", "access_modifier", "null_literal"}),
    handlers={
        "package_clause": package_clause,
        "package_object": package_clause,
        "import_declaration": import_declaration,
        "template_body": members,
        "self_type": self_type,
        "function_definition": function_definition,
        "function_declaration": function_definition,
        "class_definition": type_definition,
        "trait_definition": type_definition,
        "enum_definition": type_definition,
        "object_definition": type_definition,
        "full_enum_case": type_definition,
        "extension_definition": extension_definition,
        "call_expression": call,
        "infix_expression": infix_expression,
        "prefix_expression": prefix_expression,
        "assignment_expression": assignment,
        "generic_function": generic_function,
        "stable_identifier": stable_identifier,
        "wildcard": wildcard,
        "interpolated_string_expression": lower_interpolated_string,
        "if_expression": if_expression,
        "case_clause": case_clause,
        "for_expression": for_expression,
        "enumerator": enumerator,
        "function_type": function_type,
        "infix_type": types_in,
    },
    implicit_members=True,
    capitalised_types=True,
    private=frozenset({"private", "protected"}),
    modifiers={"abstract": "abstract", "override": OVERRIDE},
    test_marks=Rules.tests.marks,
    has_overloads=True,
    name_quotes=b"`",
    is_global=True,
)  # fmt: skip


class Lowering(ScalaWalker):
    spec: ClassVar[Spec] = SPEC
    handlers: ClassVar[Handlers] = handlers_of(SPEC)
