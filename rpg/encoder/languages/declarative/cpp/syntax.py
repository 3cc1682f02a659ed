"""C++'s kinds of nodes: those of C, and classes, templates and qualified names.

In: nodes. Out: `SPEC`, `Lowering`.
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import ANNOTATION, READ, SPECIALISED, UNINFERRED
from rpg.encoder.languages.declarative import expressions
from rpg.encoder.languages.declarative.c import syntax as c
from rpg.encoder.languages.declarative.c.constructions import (
    construct_by_call,
    field_initializer,
    listed_argument,
    return_object,
    typed_list,
)
from rpg.encoder.languages.declarative.c.declarators import (
    FUNCTION,
    find_declared_name,
    list_declared_names,
    type_specifier,
    types_in,
)
from rpg.encoder.languages.declarative.c.rules import NAMES
from rpg.encoder.languages.declarative.cpp.literals import (
    address,
    build_pointer_type,
    character,
    lower_signed_number,
    lower_type_descriptor,
    normalise_type,
    null,
    number,
    string,
    strings,
)
from rpg.encoder.languages.declarative.cpp.test_macros import MARKS, define_named_test, is_named_test, walk_children
from rpg.encoder.languages.declarative.cpp.torn_classes import closing_brace
from rpg.encoder.languages.declarative.definitions import define
from rpg.encoder.languages.declarative.expressions import arguments_of, type_of
from rpg.encoder.languages.declarative.lowering import handlers_of
from rpg.encoder.languages.declarative.naming import offer_name, type_parameters
from rpg.encoder.languages.declarative.spec import Creation, Slot, Spec
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers, Walker

_WORD: Final = re.compile(r"\w+")
_LIBRARIES: Final = frozenset("std boost absl testing chrono".split())


def namespace(walker: DeclarativeWalker, node: Node) -> int:
    """Its contents are names of the file."""
    name = node.child_by_field_name("name")
    if name is not None:
        walker.spaces += walker.source_of(name).split("::")
    walker.field(node, "body")
    return 0


def template(walker: DeclarativeWalker, node: Node) -> int:
    if walker.attributes < 0:
        walker.attributes = node.start_byte
    around, walker.template = walker.template, node.child_by_field_name("parameters")
    for child in node.named_children:
        if child != walker.template:
            if walker.template is not None and declares_function(child):
                declare_template(walker, child, walker.template)
            else:
                walker.walk(child)
    if walker.template is not None:
        types_in(walker, walker.template)  # nothing is defined
    walker.template, walker.attributes = around, -1
    return 0


def declares_function(node: Node) -> bool:
    declarator = node.child_by_field_name("declarator")
    if node.type not in ("declaration", "field_declaration") or declarator is None:
        return False
    return node.child_by_field_name("default_value") is None and find_declared_name(declarator)[1] is not None


def declare_template(walker: DeclarativeWalker, node: Node, parameters: Node) -> None:
    """A function of a template that is defined elsewhere: its types are those of its header alone."""
    around = walker.scope
    walker.scope = walker.open_scope("block", walker.definition, parameters.start_byte, node.end_byte)
    type_parameters(walker, parameters, -1)
    walker.template = None
    walker.walk(node)
    walker.scope = around


def function_definition(walker: DeclarativeWalker, node: Node) -> int:
    declarator = node.child_by_field_name("declarator")
    name, function = find_declared_name(declarator) if declarator is not None else (None, None)
    if name is None or function is None:
        return c.function_definition(walker, node)
    if is_named_test(walker, node, name, function):
        return define_named_test(walker, node, name, function)
    form, start = FUNCTION._replace(parameters=()), -1
    typed = node.child_by_field_name("type")
    if typed is not None and typed.child_by_field_name("body") is not None:
        # No function returns a class that it defines: the class was torn, and the function is in the rest of it.
        walker.walk(typed)
        form, start = form._replace(result=()), typed.end_byte
    owner, is_class = torn_class_around(walker, name), False
    while name.type == "qualified_identifier":
        scope, inner = name.child_by_field_name("scope"), name.child_by_field_name("name")
        if inner is None:
            break
        if scope is not None:
            text = walker.source_of(scope).partition("<")[0].strip()
            is_space = scope.type == "namespace_identifier" and text in walker.spaces
            within = f"{owner}." if is_class else ""
            owner = "" if is_space or text in _LIBRARIES else f"{within}{text}"
            is_class = bool(owner) and (scope.type == "template_type" or text in walker.bound[0] or bool(walker.spaces))
        name = inner
    is_special = name.type in ("template_function", "template_method")
    held = name.child_by_field_name("arguments") if is_special else None
    types = [type_of(walker, each) for each in held.named_children] if held is not None else []
    if is_special:
        name = name.child_by_field_name("name") or name
    if walker.source_of(name) in c.KEYWORDS:
        return c.misread(walker, node, function)
    if owner:
        form = form._replace(kind="method")
    is_uninferred = not owner and needs_types(walker, function)
    index = define(walker, node, form, name, owner, function, start=start)
    if is_special or is_uninferred:
        # What a template is for certain types is no function beside it.
        walker.definitions[index].flags = (*walker.definitions[index].flags, UNINFERRED)
    if types:
        walker.definitions[index].flags = (*walker.definitions[index].flags, SPECIALISED)
        walker.type_arguments[walker.definition_value(index)] = types
    return 0


def class_specifier(walker: DeclarativeWalker, node: Node) -> int:
    """Remembers a class that the parser left too early."""
    value = type_specifier(walker, node)
    body, name = node.child_by_field_name("body"), node.child_by_field_name("name")
    torn = walker.torn_classes
    if body is not None and name is not None and node.has_error and walker.scope == 0 and (not torn or torn[-1][2] > 0):
        # Where the braces of a file do not match, no later class is asked for its end.
        end = closing_brace(walker.shown, body.start_byte)
        if end < 0 or end > node.end_byte:
            torn.append((walker.text_of(name).partition("<")[0].strip(), node.end_byte, end))
    return value


def torn_class_around(walker: DeclarativeWalker, name: Node) -> str:
    """The class that a function is a member of although the parser had left it before."""
    if walker.torn_classes and walker.function == 0 and walker.class_scope < 0 and name.type != "qualified_identifier":
        torn, start, end = walker.torn_classes[-1]
        if start <= name.start_byte < end:
            return torn
    return ""


def needs_types(walker: DeclarativeWalker, function: Node) -> bool:
    """Whether nothing that a template is passed tells one of its types, so that a call has to write it."""
    parameters = function.child_by_field_name("parameters")
    if walker.template is None or parameters is None:
        return False
    mentioned = set(_WORD.findall(walker.source_of(parameters)))
    needed = [child for child in walker.template.named_children if child.type == "type_parameter_declaration"]
    return any(each.named_child_count and walker.source_of(each.named_children[-1]) not in mentioned for each in needed)


METHOD: Final = FUNCTION._replace(kind="method", parameters=())
FRIEND: Final = FUNCTION._replace(inside="", parameters=())


def lower_qualified_value(walker: DeclarativeWalker, node: Node) -> int:
    """The grammar has one kind for values and types."""
    return lower_qualified_name(walker, node, ANNOTATION if walker.is_type else READ)


def lower_qualified_name(walker: DeclarativeWalker, node: Node, role: int) -> int:
    """`a::B::c`; namespaces are left out."""
    container = doubtful = 0
    is_library, before = False, ""
    is_spaced = node.child_by_field_name("scope") is None
    if is_spaced and _last_name(walker, node) in NAMES:
        container, is_library = walker.variable(walker.string("std"), node.start_byte), True
    current: Node | None = node
    while current is not None and current.type == "qualified_identifier":
        scope = current.child_by_field_name("scope")
        if scope is not None:
            if scope.type == "dependent_name":
                scope = expressions.plain(walker, scope)  # `T::template Held<int>::made`
            text = walker.source_of(scope)
            if scope.type == "template_type":
                container = type_of(walker, scope)
                if container and walker.code[container] == op.SUBSCRIPT:
                    container = walker.code[container + op.HOLDER]
            elif container or is_library:
                container = walker.member(container, scope)
            elif doubtful and not before.islower():
                doubtful = walker.member(either(walker, doubtful, scope), scope)
            elif text in _LIBRARIES:
                container = walker.variable(walker.string(text), scope.start_byte)
                is_library = True
            elif text in walker.spaces:
                is_spaced = True
            else:
                # A class, or a namespace that nothing in this file tells from one.
                is_known = walker.scope_of(text) >= 0
                if is_known or not text.islower():
                    value = walker.type_name(scope, READ)
                else:
                    value = walker.variable(walker.string(text), scope.start_byte)
                container, doubtful = (value, 0) if is_known else (0, value)
            before = text
        current = current.child_by_field_name("name")
    if current is not None and current.type == "dependent_name" and current.named_child_count:
        current = current.named_children[0]  # `T::template make<int>`
    if current is None:
        return 0
    arguments = current.child_by_field_name("arguments") if current.type.startswith("template_") else None
    inner = current.child_by_field_name("name") if arguments is not None else current
    types = [type_of(walker, each) for each in arguments.named_children] if arguments is not None else []
    if inner is None:
        return 0
    if arguments is not None:
        walker.written_types[inner.start_byte] = types
    if container:
        value = walker.member(container, inner, role)
    elif doubtful:
        # Nothing of this file is in that namespace.
        value = walker.member(either(walker, doubtful, inner), inner, role)
    elif is_spaced:
        value = walker.name_in(0, inner, role)
    else:
        value = walker.type_name(inner, role) if role == ANNOTATION else walker.value_name(inner, role)
    if any(types) and role == ANNOTATION:
        return walker.emit(op.SUBSCRIPT, node.start_byte, value, walker.one_or_tuple(types, node.start_byte))
    return value


def either(walker: DeclarativeWalker, holder: int, name: Node) -> int:
    """What a name may be in, if that is a class; a name that no scope of the file binds, if it is a namespace."""
    free = walker.emit(op.NAME, name.start_byte, walker.word_of(name), -1)
    return walker.emit(op.UNION, name.start_byte, 2, holder, free)


def _last_name(walker: DeclarativeWalker, node: Node) -> str:
    """`name` of `::name`; nothing if there is more between them."""
    name = node.child_by_field_name("name")
    return walker.source_of(name) if name is not None and name.type == "identifier" else ""


def call(walker: DeclarativeWalker, node: Node) -> int:
    """Casts look like calls of templates."""
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is not None and function.type == "template_function" and arguments is not None:
        name, types = function.child_by_field_name("name"), function.child_by_field_name("arguments")
        if name is not None and types is not None and walker.source_of(name).endswith("_cast"):
            typed = [type_of(walker, each) for each in types.named_children]
            row = arguments_of(walker, arguments)
            value = row[1] if row else 0
            return walker.emit(op.TYPED, node.start_byte, typed[0], value) if typed and typed[0] else value
    if function is not None and function.type == "primitive_type" and arguments is not None:
        arguments_of(walker, arguments)
        return walker.literal(walker.builtin_type(function), node.start_byte)
    made = expressions.call(walker, node)
    construct_by_call(walker, made)
    return made


def alias(walker: DeclarativeWalker, node: Node) -> int:
    """`using A = B;`"""
    name, typed = node.child_by_field_name("name"), node.child_by_field_name("type")
    if name is None:
        return walker.through(node)
    text = walker.text_of(name)
    walker.leaf("type", text, name.start_byte, node.start_byte, node.end_byte, walker.definition, exported=True)
    value = type_of(walker, typed) if typed is not None else 0
    walker.bind(text, value, walker.scopes[walker.scope].start_byte, "type")
    walker.inner_types.add((walker.scope, text))
    if walker.scope == 0:
        offer_name(walker, text)
    return 0


def using_declaration(walker: DeclarativeWalker, node: Node) -> int:
    """`using a::b;` names it; a whole namespace is no symbol."""
    for child in node.named_children:
        if child.type == "qualified_identifier":
            lower_qualified_name(walker, child, READ)
    return 0


def friend(walker: DeclarativeWalker, node: Node) -> int:
    """A function that is defined in a class without being its member. Others find it by the types of what they pass."""
    for child in node.named_children:
        if child.type == "function_definition":
            declarator = child.child_by_field_name("declarator")
            name, function = find_declared_name(declarator) if declarator is not None else (None, None)
            if name is not None and function is not None:
                define(walker, child, FRIEND, name, "", function)
    return 0


def declares_method(walker: DeclarativeWalker, node: Node) -> int:
    """A member of a class; a method without a body is a symbol only if it has none anywhere."""
    declarator = node.child_by_field_name("declarator")
    value = node.child_by_field_name("default_value")
    name, function = find_declared_name(declarator) if declarator is not None else (None, None)
    if value is not None and name is not None and function is not None and name.type == "field_identifier":
        define(walker, node, METHOD, name, "", function)
        return 0
    return c.SPEC.handlers["field_declaration"](walker, node)


SPEC: Final[Spec] = c.SPEC._replace(
    parameters={
        "parameter_declaration": Slot(("declarator",)),
        "optional_parameter_declaration": Slot(("declarator",), default=("default_value",)),
        "variadic_parameter_declaration": Slot(("declarator",), is_list=True),
    },
    type_parameters=frozenset(
        """type_parameter_declaration optional_type_parameter_declaration
        variadic_type_parameter_declaration""".split()
    ),
    declared={"field_declaration": list_declared_names, "function_definition": list_declared_names},
    member_groups=frozenset({"template_declaration", "preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif"}),
    creations={"new_expression": Creation()},
    names=c.SPEC.names | {"destructor_name", "operator_name"},
    type_names=frozenset({"type_identifier", "namespace_identifier"}),
    generics={"template_type": (("name",), ("arguments",)), "template_function": (("name",), ("arguments",)),
              "template_method": (("name",), ("arguments",))},
    tuples=frozenset({"structured_binding_declarator"}),
    this=frozenset({"this"}),
    lambdas={"lambda_expression": ("declarator",)},
    spreads=frozenset({"parameter_pack_expansion"}),
    blocks=c.SPEC.blocks | {"for_range_loop", "if_statement"},
    loops={"for_range_loop": (("type",), ("declarator",), ("right",))},
    looping=("begin", "end"),
    wrappers=c.SPEC.wrappers | {"reference_declarator", "pointer_declarator"},
    skipped=c.SPEC.skipped
    | frozenset(
        "access_specifier virtual_specifier placeholder_type_specifier".split()
    ),
    handlers={
        **c.SPEC.handlers,
        "namespace_definition": namespace,
        "template_declaration": template,
        "function_definition": function_definition,
        "field_declaration": declares_method,
        "field_initializer": field_initializer,
        "return_statement": return_object,
        "compound_literal_expression": typed_list,
        "initializer_list": listed_argument,
        "class_specifier": class_specifier,
        "struct_specifier": class_specifier,
        "qualified_identifier": lower_qualified_value,
        "alias_declaration": alias,
        "friend_declaration": friend,
        "using_declaration": using_declaration,
        "call_expression": call,
        "number_literal": number,
        "char_literal": character,
        "string_literal": string,
        "raw_string_literal": string,
        "concatenated_string": strings,
        "unary_expression": lower_signed_number,
        "pointer_expression": address,
        "null": null,
        "type_descriptor": lower_type_descriptor,
        "template_function": Walker.through,
        "concept_definition": Walker.through,
    },
    base_kinds=frozenset({"qualified_identifier"}),
    implicit_members=True,
    declarations_construct=True,
    types_are_apart=False,
    types_outside_owners=True,
    has_overloads=True,
    keeps_type_arguments=True,
    private=frozenset({"static"}),
)  # fmt: skip


_WITH_TITLED_TESTS: Final = handlers_of(SPEC._replace(handlers={**SPEC.handlers, "declaration_list": walk_children}))


class Lowering(c.MacroLowering):
    spec: ClassVar[Spec] = SPEC
    handlers: ClassVar[Handlers] = handlers_of(SPEC)

    def lower(self, root: Node) -> None:
        self.offers_all = not self.path.endswith((".cc", ".cpp", ".cxx"))
        if any(mark in self.source for mark in MARKS):
            self.table = _WITH_TITLED_TESTS
        super().lower(root)

    def walk_top(self, root: Node) -> None:
        if self.table is _WITH_TITLED_TESTS:
            walk_children(self, root)
        else:
            super().walk_top(root)

    def declared_type(self, annotation: int, declarator: Node | None) -> int:
        behind = None
        if not annotation and declarator is not None and declarator.type == "function_declarator":
            behind = self.part(declarator, (":trailing_return_type",))
        return type_of(self, behind) if behind is not None else build_pointer_type(self, annotation, declarator)

    def builtin_type(self, node: Node) -> str:
        return normalise_type(self.source_of(node))
