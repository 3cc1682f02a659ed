"""PHP's kinds of nodes.

In: nodes. Out: `SPEC`, `Lowering`.
"""

from __future__ import annotations

from typing import ClassVar, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import ALIAS, ANNOTATION, BASE, CONSTANT, CREATED, READ, WRITE
from rpg.encoder.languages.declarative.definitions import anonymous_class, creation, define, definition, drop_type_site
from rpg.encoder.languages.declarative.expressions import (
    arguments_of,
    branch,
    call,
    coalescing,
    lower_repeated,
    member,
    type_of,
)
from rpg.encoder.languages.declarative.lowering import handlers_of
from rpg.encoder.languages.declarative.packages import bind_import
from rpg.encoder.languages.declarative.php.callables import array, find_braced_name, lower_callable_argument, text
from rpg.encoder.languages.declarative.php.doc_types import (
    annotate_class,
    annotate_function,
    choose,
    doc_of_class,
    find_field_type,
    find_promoted_types,
    hold_variable,
    note_comment,
)
from rpg.encoder.languages.declarative.php.factories import lower_factory_call
from rpg.encoder.languages.declarative.php.policies import policy
from rpg.encoder.languages.declarative.php.routes import routes
from rpg.encoder.languages.declarative.php.rules import Rules
from rpg.encoder.languages.declarative.php.views import views
from rpg.encoder.languages.declarative.php.walker import PhpWalker
from rpg.encoder.languages.declarative.spec import Call, Creation, Form, Member, Slot, Spec, Variable
from rpg.encoder.languages.declarative.tested_types import choice, find_tests, guarded, lower_both, narrow, note_test
from rpg.encoder.languages.declarative.unnamed_calls import run_member
from rpg.encoder.languages.declarative.variables import field, variable_declaration
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers

_NEW: Final = Creation(("<",), (":arguments",), (":declaration_list",))
_TESTING: Final = frozenset(("instanceof", "&&", "||", "and", "or"))
_LOOPING: Final = ("getIterator", "current", "next")
"""What a loop runs of an object, if it has it."""
_METHOD: Final = Form("method", result=("return_type",), generics=())


def namespace(walker: DeclarativeWalker, node: Node) -> int:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is not None:
        walker.package = walker.source_of(name)
    if body is not None:
        walker.walk(body)
    return 0


def use_declaration(walker: PhpWalker, node: Node) -> int:
    """`use A\\B;`, `use A\\{B, C as D};`"""
    before = ""
    for child in node.named_children:
        if child.type == "namespace_name":
            before = walker.source_of(child) + "\\"
        elif child.type == "namespace_use_group":
            for each in child.named_children:
                use_clause(walker, each, before)
        elif child.type == "namespace_use_clause":
            use_clause(walker, child, before)
    return 0


def use_clause(walker: PhpWalker, node: Node, before: str) -> None:
    alias = node.child_by_field_name("alias")
    path = next((child for child in node.named_children if child.type in ("qualified_name", "name")), None)
    if path is None:
        return
    package, _, name = (before + walker.source_of(path)).lstrip("\\").rpartition("\\")
    other = walker.source_of(alias) if alias is not None else name
    walker.aliases[other] = f"{package}\\{name}" if package else name
    bind_import(walker, name, path.start_byte, False, other, package, name)


def qualified_name(walker: PhpWalker, node: Node, role: int = READ) -> int:
    """`A\\B\\C`: from what a `use` calls `A` on, else from the file's namespace, or from the root."""
    text = walker.source_of(node)
    start = node.end_byte - len(text.rpartition("\\")[2].encode())
    walker.bind_spelled(text, start)
    return walker.name(text, start, ANNOTATION if walker.is_type else role)


def variable(walker: DeclarativeWalker, node: Node) -> int:
    if walker.source[node.start_byte : node.end_byte] == b"$this":
        return walker.this_object(node)
    return walker.identifier(node)


def relative_scope(walker: DeclarativeWalker, node: Node) -> int:
    """`parent`, `self`, `static`"""
    if walker.class_scope >= 0 and walker.source_of(node) == "parent":
        return walker.emit(op.SUPER, node.start_byte, walker.class_scope, 0)
    return walker.this_object(node)


def call_by_name(walker: PhpWalker, node: Node) -> int:
    value = call(walker, node)
    lower_callable_argument(walker, node, value)
    views(walker, node)
    asserted(walker, node)
    return value


def asserted(walker: PhpWalker, node: Node) -> None:
    """What `assert($cart instanceof Cart)` proves behind it."""
    name, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if walker.tested and name is not None and arguments is not None and walker.source_of(name).lstrip("\\") == "assert":
        first = arguments.named_children[0] if arguments.named_child_count else None
        if first is not None and first.named_child_count == 1:
            narrow(walker, find_tests(walker, first.named_children[0]), node.end_byte)


def call_with_routes(walker: PhpWalker, node: Node) -> int:
    inner = find_braced_name(walker, node)
    if inner is not None:
        callee = walker.member(walker.field(node, "object"), inner)
        walker.drop_site(callee)
        arguments = node.child_by_field_name("arguments")
        return walker.call(callee, inner.start_byte, arguments_of(walker, arguments) if arguments is not None else [])
    value = call(walker, node)
    policy(walker, node)
    views(walker, node)
    if walker.names_routes:
        routes(walker, node)
    return lower_factory_call(walker, node) or value


def member_access(walker: DeclarativeWalker, node: Node) -> int:
    inner = find_braced_name(walker, node)
    return member(walker, node) if inner is None else walker.member(walker.field(node, "object"), inner)


def class_constant(walker: DeclarativeWalker, node: Node) -> int:
    """`Cart::LIMIT`; `Cart::class` is the name of the class."""
    parts = node.named_children
    if len(parts) == 2 and walker.source_of(parts[1]) == "class":
        walker.walk(parts[0])
        return 0
    if len(parts) != 2 or parts[1].type != "name":
        return member(walker, node)
    holder, byte = walker.walk(parts[0]), parts[1].start_byte
    value = walker.emit(op.ATTRIBUTE, byte, holder, walker.string(walker.source_of(parts[1]) + CONSTANT))
    walker.site(value, READ)
    return value


def constants(walker: DeclarativeWalker, node: Node) -> int:
    """Constants; those of a class have their names apart from its fields and methods."""
    first = len(walker.definitions)
    variable_declaration(walker, node)
    if walker.scope == walker.class_scope:
        set_apart(walker, first)
    return 0


def enum_case(walker: DeclarativeWalker, node: Node) -> int:
    first = len(walker.definitions)
    definition(walker, node)
    set_apart(walker, first)
    return 0


def set_apart(walker: DeclarativeWalker, first: int) -> None:
    for each in walker.definitions[first:]:
        each.flags = (*each.flags, f"{ALIAS}{each.name}{CONSTANT}")


def static_property(walker: DeclarativeWalker, node: Node) -> int:
    scope, name = node.child_by_field_name("scope"), node.child_by_field_name("name")
    holder = walker.walk(scope) if scope is not None else 0
    if name is None or not name.named_child_count:
        return holder
    return walker.member(holder, name.named_children[0])


def class_declaration(walker: PhpWalker, node: Node) -> int:
    name = walker.name_node(node)
    if name is None:
        return walker.through(node)
    around, walker.self_name = walker.self_name, walker.text_of(name)
    annotate_class(walker, define(walker, node, SPEC.definitions[node.type], name))
    walker.self_name = around
    return 0


def new_object(walker: DeclarativeWalker, node: Node) -> int:
    """`new T(1)`, `new class(1) extends T { ... }`"""
    made = walker.part(node, (":anonymous_class",))
    if made is None:
        return creation(walker, node)
    above, contracts = walker.part(made, (":base_clause",)), walker.part(made, (":class_interface_clause",))
    arguments = walker.part(made, (":arguments",))
    marks = walker.part(made, ("attributes",))
    if marks is not None:
        walker.walk(marks)
    first = len(walker.sites)
    base = type_of(walker, above.named_children[0]) if above is not None and above.named_child_count else 0
    if base:
        drop_type_site(walker, base, first)
    row = arguments_of(walker, arguments, made=base) if arguments is not None else []
    value = 0
    if base:
        value = walker.call(base, walker.code[base + op.BYTE], row)
        walker.sites += (value, CREATED, walker.definition)
    for each in contracts.named_children if contracts is not None else ():
        type_of(walker, each)
    anonymous_class(walker, made, _NEW, base)
    return value


def method_declaration(walker: PhpWalker, node: Node) -> int:
    """A method; parameters of a constructor may be properties."""
    name, parameters = walker.name_node(node), node.child_by_field_name("parameters")
    if name is None:
        return walker.through(node)
    said = find_promoted_types(walker, node) if walker.text_of(name) == Rules.constructor else None
    for child in parameters.named_children if parameters is not None else ():
        promoted = child.child_by_field_name("name") if child.type == "property_promotion_parameter" else None
        if promoted is not None and promoted.named_child_count:
            typed = child.child_by_field_name("type")
            annotation = type_of(walker, typed) if typed is not None else 0
            if said is not None:
                annotation = choose(walker, annotation, said.parameters.get(walker.text_of(promoted), (0, False)))
            field(walker, promoted.named_children[0], child, annotation, 0, "field")
    annotate_function(walker, define(walker, node, _METHOD, name), doc_of_class(walker))
    return 0


def function_definition(walker: PhpWalker, node: Node) -> int:
    name = walker.name_node(node)
    if name is None or name.start_byte == name.end_byte:
        return walker.through(node)
    annotate_function(walker, define(walker, node, SPEC.definitions[node.type], name), "")
    return 0


def property_declaration(walker: PhpWalker, node: Node) -> int:
    typed = node.child_by_field_name("type")
    annotation = type_of(walker, typed) if typed is not None else 0
    marks = node.child_by_field_name("attributes")
    if marks is not None:
        walker.walk(marks)
    for child in node.named_children:
        name = child.child_by_field_name("name") if child.type == "property_element" else None
        if name is not None and name.named_child_count:
            value = walker.field(child, "default_value")
            annotation = find_field_type(walker, node, walker.text_of(name), annotation)
            field(walker, name.named_children[0], node, annotation, value, "field", node)
    return 0


def trait_use(walker: PhpWalker, node: Node) -> int:
    """`use T;` in a class: its members are the class's, and hide those of all other bases."""
    if walker.class_scope < 0:
        return 0
    traits: list[tuple[str, int]] = []
    rules = walker.part(node, (":use_list",))
    preferred = traits_preferred(walker, rules) if rules is not None else frozenset()
    first = 0
    for child in node.named_children:
        if child.type in ("name", "qualified_name"):
            base = walker.type_name(child, BASE) if child.type == "name" else qualified_name(walker, child, BASE)
            is_first = walker.text_of(child) in preferred
            traits.insert(first if is_first else len(traits), ("", base))
            first += is_first
    walker.bases.setdefault(walker.scopes[walker.class_scope].definition, [])[:0] = traits
    for rule in rules.named_children if rules is not None else ():
        if rule.type in ("use_as_clause", "use_instead_of_clause"):
            trait_rule(walker, rule)
    return 0


def traits_preferred(walker: PhpWalker, rules: Node) -> frozenset[str]:
    """Those that `T::show insteadof U;` prefers, and none of which is left out for another one."""
    wanted: set[str] = set()
    others: set[str] = set()
    for rule in rules.named_children:
        if (
            rule.type == "use_instead_of_clause"
            and rule.named_child_count > 1
            and rule.named_children[0].named_child_count
        ):
            wanted.add(walker.text_of(rule.named_children[0].named_children[0]))
            others.update(walker.text_of(each) for each in rule.named_children[1:])
    return frozenset(wanted - others)


def trait_rule(walker: PhpWalker, node: Node) -> None:
    """`T::show as print;`, `T::show insteadof U;`: the method that is meant, and its further name in the class."""
    parts = [each for each in node.named_children if each.type != "visibility_modifier"]
    if not parts or parts[0].type not in ("name", "class_constant_access_expression"):
        return
    named = parts[0] if parts[0].type == "name" else parts[0].named_children[-1]
    if parts[0].type == "name":
        holder = walker.emit(op.THIS, named.start_byte, walker.class_scope)
    else:
        holder = type_of(walker, parts[0].named_children[0])
    method = walker.emit(op.ATTRIBUTE, named.start_byte, holder, walker.string(walker.text_of(named)))
    if node.type == "use_as_clause" and len(parts) > 1:
        name, around = parts[1], walker.here()
        index = walker.symbol("method", walker.text_of(name), name.start_byte, node, node.end_byte)
        begin = walker.scopes[walker.class_scope].start_byte
        walker.bind(walker.text_of(name), walker.definition_value(index), begin)
        walker.definition = index
        walker.scope = walker.function = scope = walker.open_scope("function", index, node.start_byte, node.end_byte)
        walker.definitions[index].scope = scope
        walker.returns[scope] = [walker.call(method, named.start_byte, [op.STARRED, 0])]
        walker.return_to(around)
        return
    walker.site(method, READ)
    for each in parts[1:]:
        type_of(walker, each)


def assignment(walker: PhpWalker, node: Node) -> int:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    value = walker.walk(right) if right is not None else 0
    if left is None:
        return value
    if left.type == "variable_name":
        name = walker.text_of(left)
        held, kind = hold_variable(walker, node, name, value)
        walker.bind(name, held, node.end_byte, kind)
    elif left.type == "member_access_expression":
        target = walker.with_role(left, WRITE)
        if value and target and walker.code[target] == op.ATTRIBUTE:
            walker.store(target, value)
    elif left.type == "subscript_expression":
        subscript(walker, left, value)
    else:
        walker.walk(left)
    return value


def subscript(walker: DeclarativeWalker, node: Node, written: int = 0) -> int:
    """`$cart[1]` runs `offsetGet` of an object, an assignment to it `offsetSet`."""
    parts = node.named_children
    holder = walker.walk(parts[0]) if parts else 0
    index = walker.walk(parts[1]) if len(parts) > 1 else 0
    if not holder:
        return 0
    byte = node.start_byte
    if written:
        run_member(walker, holder, "offsetSet", byte, index, written)
        return 0
    run_member(walker, holder, "offsetGet", byte, index)
    return walker.emit(op.SUBSCRIPT, byte, holder, walker.literal("int", byte))


def clone(walker: DeclarativeWalker, node: Node) -> int:
    """`clone $cart` runs `__clone`."""
    value = 0
    for child in node.named_children:
        value = walker.walk(child)
    if value:
        run_member(walker, value, "__clone", node.start_byte)
    return value


def foreach(walker: PhpWalker, node: Node) -> int:
    children = [child for child in node.named_children if child.type != "comment"]
    body = node.child_by_field_name("body")
    around = walker.open_block(node.start_byte, node.end_byte, True)
    value = walker.walk(children[0]) if children else 0
    element = walker.emit(op.ELEMENT, node.start_byte, value) if value else 0
    if value:
        for name in _LOOPING:
            run_member(walker, value, name, children[0].start_byte)
    if len(children) > 1 and children[1] != body:
        target = children[1]
        names = target.named_children if target.type == "pair" else [target]
        for at, each in enumerate(names):
            if each.type == "variable_name":
                name = walker.text_of(each)
                held, kind = hold_variable(walker, node, name, element if at == len(names) - 1 else 0)
                walker.bind(name, held, each.end_byte, kind)
            else:
                walker.walk(each)
    if body is not None:
        walker.walk(body)
    walker.block = around
    return 0


def catch_clause(walker: DeclarativeWalker, node: Node) -> int:
    typed, name = node.child_by_field_name("type"), node.child_by_field_name("name")
    annotation = type_of(walker, typed) if typed is not None else 0
    if name is not None:
        held = walker.emit_typed(annotation, name.start_byte)
        walker.bind(walker.text_of(name), held, name.end_byte, "annotation")
    walker.field(node, "body")
    return 0


def named_type(walker: PhpWalker, node: Node) -> int:
    child = node.named_children[0] if node.named_child_count else None
    if child is None:
        return 0
    if child.type == "name":
        return walker.type_name(child, ANNOTATION)
    return qualified_name(walker, child, ANNOTATION)


_BASES: Final = (":base_clause", ":class_interface_clause")


def binary_expression(walker: PhpWalker, node: Node) -> int:
    """`$cart instanceof Cart`, `$a && $b`, `$a ?? $b`"""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    sign = operator.type.lower() if operator is not None else ""
    if left is None or right is None or sign not in _TESTING:
        return coalescing(walker, node)
    if sign != "instanceof":
        lower_both(walker, left, right)
        return 0
    value, tested = walker.walk(left), walker.walk(right)
    note_test(walker, node, left, value, tested)
    return 0


SPEC: Final[Spec] = Spec(
    definitions={
        "class_declaration": Form("class", bases=_BASES, generics=()),
        "interface_declaration": Form("interface", bases=_BASES, generics=()),
        "trait_declaration": Form("trait", generics=()),
        "enum_declaration": Form("enum", bases=_BASES, generics=()),
        "enum_case": Form("field", body=()),
        "method_declaration": _METHOD,
        "function_definition": Form("function", result=("return_type",), generics=()),
    },
    variables={
        "const_declaration": Variable((), frozenset({"const_element"}), (":name",), (">",), kind="constant"),
    },
    parameters={
        "simple_parameter": Slot(default=("default_value",)),
        "property_promotion_parameter": Slot(default=("default_value",)),
        "variadic_parameter": Slot(is_list=True),
    },
    calls={
        "function_call_expression": Call(),
        "member_call_expression": Call(holder=("object",), name=("name",)),
        "nullsafe_member_call_expression": Call(holder=("object",), name=("name",)),
        "scoped_call_expression": Call(holder=("scope",), name=("name",)),
    },
    creations={"object_creation_expression": _NEW},
    coalescing=frozenset({"binary_expression"}),
    members={
        "member_access_expression": Member(("object",), ("name",)),
        "nullsafe_member_access_expression": Member(("object",), ("name",)),
        "class_constant_access_expression": Member(("<",), (">",)),
    },
    names=frozenset({"variable_name", "name"}),
    wrappers=frozenset({"parenthesized_expression", "argument", "optional_type", "type_list"}),
    labelled={"argument": (("name",), (">",))},
    spreads=frozenset({"variadic_unpacking"}),
    primitives=frozenset({"primitive_type"}),
    literals={"string": "string", "encapsed_string": "string", "integer": "int", "float": "float", "boolean": "bool"},
    lambdas={"anonymous_function": ("parameters",), "arrow_function": ("parameters",)},
    blocks_have_values=False,
    returns=frozenset({"return_statement"}),
    skipped=frozenset({"visibility_modifier", "static_modifier", "namespace_name", "anonymous_function_use_clause"}),
    handlers={
        "conditional_expression": choice,
        "binary_expression": binary_expression,
        "array_creation_expression": array,
        "subscript_expression": subscript,
        "clone_expression": clone,
        "object_creation_expression": new_object,
        "string": text,
        "encapsed_string": text,
        "function_call_expression": call_by_name,
        "member_access_expression": member_access,
        "class_constant_access_expression": class_constant,
        "const_declaration": constants,
        "enum_case": enum_case,
        "member_call_expression": call_with_routes,
        "scoped_call_expression": call_with_routes,
        "namespace_definition": namespace,
        "namespace_use_declaration": use_declaration,
        "use_declaration": trait_use,
        "qualified_name": qualified_name,
        "named_type": named_type,
        "variable_name": variable,
        "relative_scope": relative_scope,
        "scoped_property_access_expression": static_property,
        "class_declaration": class_declaration,
        "trait_declaration": class_declaration,
        "enum_declaration": class_declaration,
        "method_declaration": method_declaration,
        "function_definition": function_definition,
        "comment": note_comment,
        "property_declaration": property_declaration,
        "assignment_expression": assignment,
        "foreach_statement": foreach,
        "catch_clause": catch_clause,
        "if_statement": guarded,
        "else_clause": branch,
        "else_if_clause": guarded,
        "case_statement": branch,
        "for_statement": lower_repeated,
        "while_statement": guarded,
        "do_statement": lower_repeated,
    },
    base_kinds=frozenset({"name", "qualified_name"}),
    self_types=frozenset({"self", "static"}),
    private=frozenset({"private", "protected"}),
    modifiers={"static": "static", "abstract": "abstract"},
    decorators=frozenset({"attribute", "attribute_group", "attribute_list"}),
    test_marks=Rules.tests.marks,
    is_global=True,
)  # fmt: skip


class Lowering(PhpWalker):
    spec: ClassVar[Spec] = SPEC
    handlers: ClassVar[Handlers] = handlers_of(SPEC)
