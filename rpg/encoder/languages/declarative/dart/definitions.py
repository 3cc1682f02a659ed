"""Lowers Dart's types, functions and variables, whose parts stand beside each other.

In: nodes. Out: definitions with what is in them.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import CONSTRUCTOR, KEY, WRITE, Parameter
from rpg.encoder.languages.declarative.dart.names import UNITERATED, DartWalker, flat, lower_call, row, types_in
from rpg.encoder.languages.declarative.definitions import define
from rpg.encoder.languages.declarative.naming import offer, type_parameters
from rpg.encoder.languages.declarative.spec import Form
from rpg.encoder.languages.declarative.variables import field, local
from rpg.encoder.lowering.node import Node

TYPE: Final = Form("class", bases=("superclass", "interfaces", ":mixins"), body=("body", ":class_body"))
SIGNATURES: Final = frozenset(
    """function_signature getter_signature setter_signature operator_signature constructor_signature
    constant_constructor_signature factory_constructor_signature redirecting_factory_constructor_signature""".split()
)
_LISTS: Final = frozenset({"static_final_declaration_list", "initialized_identifier_list"})
_TYPE_PARTS: Final = frozenset({"type_identifier", "type_arguments"})
_AROUND_PATTERNS: Final = frozenset({"parenthesized_pattern", "null_check_pattern", "null_assert_pattern"})
_RUNNING_SUPER: Final = frozenset({"constructor_signature", "constant_constructor_signature"})
_ONE: Final = frozenset({"static_final_declaration", "initialized_identifier"})


# Bodies


def members(walker: DartWalker, node: Node) -> int:
    """What stands in a file or a type: annotations, signatures and bodies, types and names beside each other."""
    before: list[Node] = []
    children = node.named_children
    at = 0
    while at < len(children):
        child = children[at]
        kind = child.type
        at += 1
        if kind in ("comment", "documentation_comment"):
            walker.comment(child)
        elif kind == "annotation":
            walker.attributes = child.start_byte if walker.attributes < 0 else walker.attributes
            walker.walk(child)
        elif kind == "method_signature" or kind in SIGNATURES:
            body = children[at] if at < len(children) and children[at].type == "function_body" else None
            at += body is not None
            lower_signature(walker, child, body)
            before = []
        elif kind in _LISTS:
            variables(walker, before[0] if before else child, types_in(walker, before), child)
            before = []
        elif kind.endswith(("_builtin", "_type", "type_arguments")) or kind == "type_identifier":
            before.append(child)
        else:
            walker.walk(child)
            walker.attributes = -1
            before = []
    return 0


def signature_in(node: Node) -> Node | None:
    """The signature of a member, which may be within others."""
    for child in node.named_children:
        if child.type in SIGNATURES:
            return child
    return None


def lower_signature(walker: DartWalker, node: Node, body: Node | None) -> None:
    signature = node if node.type in SIGNATURES else signature_in(node)
    if signature is None:
        walker.walk(node)
        return
    function(walker, node, signature, body)


def declaration(walker: DartWalker, node: Node) -> int:
    """A member without a body: a constructor, an abstract method, fields."""
    signature = signature_in(node)
    if signature is not None:
        function(walker, node, signature, None)
        return 0
    before: list[Node] = []
    for child in node.named_children:
        if child.type in _LISTS:
            variables(walker, node, types_in(walker, before), child)
        else:
            before.append(child)
    walker.attributes = -1
    return 0


def list_declared_names(node: Node) -> list[Node]:
    """The names that a member declares."""
    if node.type in _LISTS:
        return [each.named_children[0] for each in node.named_children if each.type in _ONE and each.named_child_count]
    signature = node if node.type in SIGNATURES else signature_in(node)
    if signature is not None:
        named = name_of(signature)
        return [named] if named is not None else []
    return [name for child in node.named_children if child.type in _LISTS for name in list_declared_names(child)]


def name_of(signature: Node) -> Node | None:
    """The name of a function; of a constructor the last part."""
    if signature.type == "operator_signature":
        return next((child for child in signature.children if child.type.endswith(("_operator", "]", "]="))), None)
    names = [child for child in signature.children_by_field_name("name") if child.is_named]
    if not names:
        names = [child for child in signature.named_children if child.type == "identifier"]
    return names[-1] if names and names[-1].start_byte < names[-1].end_byte else None


def operator_name(walker: DartWalker, signature: Node, name: Node) -> str:
    """The name of an operator; of a minus without a parameter it says so."""
    listed = walker.part(signature, (":formal_parameter_list",))
    is_unary = listed is not None and not listed.named_child_count
    text = walker.source_of(name)
    return f"unary{text}" if text == "-" and is_unary else text


# Types


def class_definition(walker: DartWalker, node: Node) -> int:
    application = walker.part(node, (":mixin_application_class",))
    name = walker.part(application or node, ("name", ":identifier"))
    if name is None or name.start_byte == name.end_byte:
        return walker.through(node)
    form = TYPE._replace(kind="enum") if node.type == "enum_declaration" else TYPE
    if node.type == "mixin_declaration":
        form = form._replace(bases=(":interfaces",))
    elif application is not None:
        form = form._replace(bases=(":mixin_application_class",))
    owner, walker.owner = walker.owner, ""
    define(walker, node, form, name)
    walker.owner = owner
    return 0


def extension(walker: DartWalker, node: Node) -> int:
    """`extension Name on Type`: its members are the type's."""
    name, extended = node.child_by_field_name("name"), node.child_by_field_name("class")
    body = node.child_by_field_name("body")
    shown = body.start_byte if body is not None else node.end_byte
    if name is not None and name.start_byte < name.end_byte:
        index = walker.symbol("class", walker.text_of(name), name.start_byte, node, shown)
        offer(walker, index, walker.definitions[index].name)
    owner = walker.owner
    if extended is not None:
        types_in(walker, [extended])
        walker.owner = walker.source_of(extended).partition("<")[0]
    if body is not None:
        walker.walk(body)
    walker.owner = owner
    return 0


def enum_constant(walker: DartWalker, node: Node) -> int:
    name = node.child_by_field_name("name")
    if name is not None and name.start_byte < name.end_byte:
        field(walker, name, node, 0, 0, "field", node)
    for child in node.named_children:
        if child.type == "argument_part":
            lower_call(walker, 0, child)
        elif child.type == "annotation":
            walker.walk(child)
    return 0


def type_alias(walker: DartWalker, node: Node) -> int:
    names = [child for child in node.named_children if child.type == "type_identifier"]
    if not names:
        return walker.through(node)
    name = names[0] if any(child.type == "=" for child in node.children) else names[-1]
    index = walker.symbol("type", walker.text_of(name), name.start_byte, node, node.end_byte, end_marks=";")
    offer(walker, index, walker.definitions[index].name)
    around = walker.here()
    walker.scope = walker.open_scope("function", walker.definition, node.start_byte, node.end_byte)
    for child in node.named_children:
        if child.type == "type_parameters":
            type_parameters(walker, child, index)
    types_in(walker, [child for child in node.named_children if child != name])
    for child in node.named_children:
        if child.type == "formal_parameter_list":
            walker.walk(child)
    walker.return_to(around)
    return 0


# Functions


def function(walker: DartWalker, node: Node, signature: Node, body: Node | None) -> None:
    """A function, method, accessor or constructor with what is in it."""
    name = name_of(signature)
    if name is None:
        walker.through(node)
        return
    kind = signature.type
    text = operator_name(walker, signature, name) if kind == "operator_signature" else walker.text_of(name)
    is_constructor = "constructor" in kind
    runs_super = kind in _RUNNING_SUPER and not any(child.type == "redirection" for child in node.named_children)
    started = super_initializer(node) if runs_super else None
    owner = walker.owner if not walker.function else ""
    in_class = walker.scopes[walker.scope].kind == "class" or bool(owner)
    is_accessor = kind in ("getter_signature", "setter_signature")
    symbol = "function" if not in_class else "property" if is_accessor else "method"
    end = body.end_byte if body is not None else node.end_byte
    shown = body.start_byte if body is not None else end
    words = walker.words_before(node.start_byte, name.start_byte)
    index = walker.symbol(
        symbol, text, name.start_byte, node, shown, end=end, owner=owner, end_marks=";", exported=text[:1] != "_",
        modifiers=("static",) if "static" in words else (),
    )  # fmt: skip
    if kind == "setter_signature":
        walker.definitions[index].flags = ("setter",)
    elif is_constructor:
        walker.definitions[index].flags = (CONSTRUCTOR,)
    walker.attributes = -1
    around, class_scope, owner_scope = walker.here(), walker.class_scope, walker.owner_scope
    if not owner:
        offer(walker, index, text)
    walker.definition = index
    start = node.start_byte
    walker.scope = walker.function = scope = walker.open_scope("function", index, start, end)
    walker.definitions[index].scope = scope
    if owner:
        walker.owner_scope = scope
    walker.open_block(start, end)
    result: list[Node] = []
    made_super = super_constructor(walker, started, name) if runs_super else 0
    for child in signature.named_children:
        if child.type == "type_parameters":
            type_parameters(walker, child, index)
        elif child.type == "formal_parameter_list":
            parameters(walker, child, scope, made_super)
        elif child.start_byte < name.start_byte:
            result.append(child)
        elif child.type == "initializers":
            walker.walk(child)
    if made_super and started is None:
        walker.call(made_super, walker.code[made_super + op.BYTE], [])
    types = types_in(walker, result)
    if is_constructor and class_scope >= 0:
        walker.annotations[scope] = walker.name_of_type(walker.scopes[class_scope].definition, name.start_byte)
    elif types and types[-1]:
        walker.annotations[scope] = types[-1]
    if node is not signature:
        for child in node.named_children:
            if child.type in ("initializers", "redirection"):
                walker.walk(child)
    if body is not None:
        value = walker.walk(body)
        if value and not any(child.type == "block" for child in body.named_children):
            walker.returns.setdefault(scope, []).append(value)
    walker.class_scope, walker.owner_scope = class_scope, owner_scope
    walker.return_to(around)


def super_initializer(node: Node) -> Node | None:
    """What a constructor says of the constructor of its base: `super(a)`, `super.named(a)`."""
    for part in node.named_children:
        for entry in part.named_children if part.type == "initializers" else ():
            kinds = [child.type for child in entry.named_children]
            if kinds[:1] == ["super"] and "arguments" in kinds:
                return entry
    return None


def super_constructor(walker: DartWalker, started: Node | None, name: Node) -> int:
    """The constructor of the base that a constructor runs, which is the one without a name if it does not say; at the
    first parameter that is the base's, at what it says, or at its own name."""
    named = None
    if started is not None:
        named = next((child for child in started.named_children if child.type == "identifier"), None)
    if walker.class_scope < 0:
        return 0
    base = walker.extended.get(walker.scopes[walker.class_scope].definition, "")
    text = walker.text_of(named) if named is not None else base
    if not text:
        return 0
    byte = (named or started or name).start_byte
    receiver = walker.emit(op.SUPER, byte, walker.class_scope, 0)
    return walker.emit(op.ATTRIBUTE, byte, receiver, walker.string(text))


def parameters(walker: DartWalker, node: Node, scope: int, made_super: int = 0) -> None:
    """`made_super`: the constructor of the base that the function runs, of which some may be parameters."""
    rows: list[Parameter] = walker.parameters.setdefault(scope, [])
    around, walker.made_super = walker.made_super, made_super
    collect_parameters(walker, node, rows, scope, "")
    walker.made_super = around
    if not rows:
        del walker.parameters[scope]


def collect_parameters(walker: DartWalker, node: Node, rows: list[Parameter], scope: int, mark: str) -> None:
    """Parameters; `mark`: what optional ones stand between."""
    for child in node.named_children:
        if child.type == "optional_formal_parameters":
            collect_parameters(walker, child, rows, scope, walker.text(child.start_byte, child.start_byte + 1))
        elif child.type == "formal_parameter":
            rows.append(parameter(walker, child, scope, len(rows), mark))
        elif child.type in ("comment", "documentation_comment"):
            walker.comment(child)
        elif child.type != "annotation":
            walker.walk(child)


def parameter(walker: DartWalker, node: Node, scope: int, place: int, mark: str) -> Parameter:
    start = walker.scopes[scope].start_byte
    names = [child for child in node.named_children if child.type == "identifier"]
    name = node.child_by_field_name("name") or (names[-1] if names else None)
    inner = walker.part(node, (":constructor_param", ":super_formal_parameter"))
    for child in node.named_children:
        if child.type == "annotation":
            walker.walk(child)
    types = types_in(walker, [child for child in node.named_children if child != name])
    if inner is not None:
        held = [child for child in inner.named_children if child.type == "identifier"]
        name = held[-1] if held else None
    annotation = types[-1] if types else 0
    text = walker.text_of(name) if name is not None else ""
    if name is not None and inner is not None and walker.class_scope >= 0:
        member = walker.emit(op.ATTRIBUTE, name.start_byte, walker.this_object(inner), walker.string(text))
        walker.bind(text, member, start)
        if inner.type == "constructor_param":
            walker.site(member, WRITE)
        elif walker.made_super:
            walker.site(walker.emit(op.ATTRIBUTE, name.start_byte, walker.made_super, walker.string(text)), KEY)
    elif name is not None:
        walker.bind(text, walker.emit(op.PARAMETER, name.start_byte, scope, place), start)
    before = node.prev_sibling
    is_needed = mark == "{" and before is not None and before.type == "required"
    default = walker.literal("default", node.start_byte) if mark and not is_needed else 0
    return Parameter(text, "keyword" if mark == "{" else "positional", annotation, default)


def function_expression(walker: DartWalker, node: Node) -> int:
    """A function without a name."""
    start, end = node.start_byte, node.end_byte
    around = walker.here()
    walker.scope = walker.function = scope = walker.open_scope("lambda", walker.definition, start, end)
    walker.open_block(start, end)
    value = walker.emit(op.FUNCTION, start, scope)
    for child in node.named_children:
        if child.type == "formal_parameter_list":
            parameters(walker, child, scope)
        else:
            made = walker.walk(child)
            if made and not any(each.type == "block" for each in child.named_children):
                walker.returns.setdefault(scope, []).append(made)
    walker.return_to(around)
    return value


def local_function(walker: DartWalker, node: Node) -> int:
    signature, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")
    if signature is None or signature.type not in SIGNATURES:
        return flat(walker, node)
    function(walker, node, signature, body)
    return 0


def initializer(walker: DartWalker, node: Node) -> int:
    """`super(a)`, `super.named(a)`, `this.named(a)`, `field = a` before a constructor's body."""
    parts = node.named_children
    arguments = next((child for child in parts if child.type == "arguments"), None)
    named = next((child for child in parts if child.type == "identifier"), None)
    if arguments is None:
        return flat(walker, node)
    callee = 0
    if any(child.type == "super" for child in parts):
        callee = super_constructor(walker, node, node)
    elif walker.class_scope >= 0:
        around = walker.scopes[walker.class_scope].definition
        text = walker.text_of(named) if named is not None else walker.definitions[around].name
        start = (named or parts[0]).start_byte
        callee = walker.emit(op.ATTRIBUTE, start, walker.this_object(node), walker.string(text))
    lower_call(walker, callee, arguments)
    return 0


def field_initializer(walker: DartWalker, node: Node) -> int:
    parts = [child for child in node.named_children if child.type != "this"]
    if parts and walker.class_scope >= 0:
        walker.member(walker.this_object(node), parts[0], WRITE)
    return row(walker, parts[1:])


# Variables


def variables(walker: DartWalker, node: Node, types: list[int], listed_names: Node) -> None:
    """Fields, or variables of a file."""
    annotation = types[-1] if types else 0
    in_class = walker.scopes[walker.scope].kind == "class" or bool(walker.owner and not walker.function)
    kind = "field" if in_class else "constant"
    for at, each in enumerate(child for child in listed_names.named_children if child.type in _ONE):
        parts = each.named_children
        name = parts[0] if parts else None
        value = row(walker, parts[1:])
        if name is not None and name.start_byte < name.end_byte:
            is_seen = walker.source_of(name)[:1] != "_"
            field(walker, name, node if at == 0 else each, annotation, value, kind, listed_names, is_seen)
            made = walker.definitions[-1]
            made.exported, made.signature = is_seen, walker.folded(node.start_byte, listed_names.end_byte)


def local_variable(walker: DartWalker, node: Node) -> int:
    """`final List<Line> a = b, c = d;`"""
    name = node.child_by_field_name("name")
    if name is None:
        return flat(walker, node)
    parts = node.named_children
    types = types_in(walker, [child for child in parts if child.start_byte < name.start_byte])
    annotation = types[-1] if types else 0
    after = [child for child in parts if child.start_byte > name.start_byte]
    more = [child for child in after if child.type == "initialized_identifier"]
    value = row(walker, [child for child in after if child not in more])
    local(walker, name, annotation, value, node.end_byte)
    for each in more:
        if each.named_child_count:
            held = row(walker, each.named_children[1:])
            local(walker, each.named_children[0], annotation, held, each.end_byte)
    return 0


def loop_parts(walker: DartWalker, node: Node) -> int:
    """`final line in lines`"""
    name = node.child_by_field_name("name")
    pattern = walker.part(node, (":object_pattern",))
    held = node.child_by_field_name("value")
    if name is None and pattern is not None and held is not None:
        match_pattern(walker, pattern, walker.iterated(walker.walk(held), held.start_byte, UNITERATED), True)
        return 0
    if name is None:
        return flat(walker, node)
    parts = node.named_children
    types = types_in(walker, [child for child in parts if child.start_byte < name.start_byte])
    value = row(walker, [child for child in parts if child.start_byte > name.start_byte])
    element = walker.iterated(value, parts[-1].start_byte, UNITERATED) if value else 0
    local(walker, name, types[-1] if types else 0, element, name.end_byte)
    return 0


def bound_pattern(walker: DartWalker, node: Node) -> int:
    """`Visa visa` or `var name` in a pattern, which is matched with the subject."""
    parts = node.named_children
    types = types_in(walker, parts)
    name = parts[-1] if parts and parts[-1].type == "identifier" else None
    if name is not None:
        local(walker, name, types[-1] if types else 0, walker.subject, name.end_byte)
    return 0


def match_pattern(walker: DartWalker, node: Node, value: int, is_binding: bool) -> None:
    """A pattern that is matched with a value; `is_binding`: bare names in it are variables."""
    parts = node.named_children
    if node.type == "object_pattern":
        fields_matched(walker, node, is_binding)
    elif node.type == "constant_pattern" and is_binding and len(parts) == 1 and parts[0].type == "identifier":
        local(walker, parts[0], 0, value, parts[0].end_byte)
    elif node.type in _AROUND_PATTERNS and is_binding:
        for child in parts:
            match_pattern(walker, child, 0, True)
    else:
        around, walker.subject = walker.subject, value
        walker.walk(node)
        walker.subject = around


def fields_matched(walker: DartWalker, node: Node, is_binding: bool) -> None:
    """`Point(x: 1, :var y)` reads members of the object."""
    types = types_in(walker, [child for child in node.named_children if child.type in _TYPE_PARTS])
    held = walker.emit_typed(types[-1], node.start_byte) if types else 0
    named: Node | None = None
    is_field = False
    for child in node.children:
        if child.type == "identifier":
            named = child
        elif child.type == ":":
            is_field = True
        elif child.type.endswith("_pattern"):
            name = named or (bound_name(child) if is_field else None)
            value = walker.member(held, name) if name is not None else 0
            match_pattern(walker, child, value, is_binding)
            named, is_field = None, False


def bound_name(node: Node) -> Node | None:
    """The variable that a pattern binds: `var y`, `y?`."""
    while node.named_child_count:
        node = node.named_children[-1]
    return node if node.type == "identifier" else None


def lower_destructuring(walker: DartWalker, node: Node) -> int:
    """`var (a, b) = pair`, `var Point(:x) = point`"""
    parts = node.named_children
    patterns = [child for child in parts if child.type.endswith("_pattern")]
    value = row(walker, [child for child in parts if child not in patterns])
    for child in patterns:
        if child.type == "object_pattern":
            match_pattern(walker, child, value, True)
            continue
        for each in child.named_children:
            if each.type == "object_pattern":
                match_pattern(walker, each, 0, True)
                continue
            name = each.named_children[-1] if each.named_child_count else each
            if name.type == "identifier":
                local(walker, name, 0, 0, name.end_byte)
    return 0


def constant_pattern(walker: DartWalker, node: Node) -> int:
    """A value; `_` is anything."""
    return 0 if walker.source_of(node) == "_" else flat(walker, node)


def object_pattern(walker: DartWalker, node: Node) -> int:
    fields_matched(walker, node, False)
    return 0


def try_statement(walker: DartWalker, node: Node) -> int:
    """`on Failure catch (error)`: the variable is of the type in front."""
    caught = 0
    around, function = walker.scope, walker.function
    for child in node.named_children:
        if child.type == "type_identifier":
            caught = types_in(walker, [child])[0]
        elif child.type == "catch_clause":
            walker.scope = around
            walker.open_block_scope(child)
            names = [name for each in child.named_children for name in each.named_children if name.type == "identifier"]
            for at, name in enumerate(names):
                local(walker, name, caught if at == 0 else 0, 0, name.end_byte)
            caught = 0
        else:
            walker.walk(child)
    walker.scope, walker.function = around, function
    return 0
