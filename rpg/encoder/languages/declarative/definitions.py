"""Lowers definitions of all defined languages: types, their bases and members, and whatever else has a name and a body.

In: nodes, and the forms that the Spec gives them. Out: definitions, bindings, scopes.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import (
    ACCESSORS,
    ANONYMOUS,
    BASE,
    CREATED,
    IS_MACRO,
    PARTIAL,
    PROMISED,
    SITE_WORDS,
    TEST,
    UNINFERRED,
    Definition,
    Parameter,
)
from rpg.encoder.languages.declarative.expressions import arguments_of, type_of
from rpg.encoder.languages.declarative.functions import function_body
from rpg.encoder.languages.declarative.naming import (
    bound_name,
    is_exported,
    is_uninferred,
    lower_decorators,
    offer,
    type_parameters,
)
from rpg.encoder.languages.declarative.spec import Creation, Form
from rpg.encoder.languages.declarative.variables import declarators, field, local
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node
from rpg.graph import CLASS_KINDS

_FUNCTIONS: Final = frozenset(("function", "method"))


def definition(walker: DeclarativeWalker, node: Node) -> int:
    """A node that the Spec gives a form."""
    form = walker.spec.definitions[node.type]
    name = walker.part(node, form.name)
    if name is None or name.start_byte == name.end_byte:
        return walker.through(node)
    define(walker, node, form, name)
    return 0


def define(
    walker: DeclarativeWalker,
    node: Node,
    form: Form,
    name: Node,
    owner: str = "",
    header: Node | None = None,
    table: str = "",
    space: str = "",
    start: int = -1,
) -> int:
    """A symbol with all that is in it; `header`: where its parameters are, if not in the node; `table`: what it is a
    member of without being in it; `space`: the namespace in front of its name; `start`: where it begins, if not with
    the node. Returns its definition."""
    kind = kind_of(walker, form)
    start, end = start if start >= 0 else node.start_byte, max(node.end_byte, name.end_byte)
    body = walker.part(node, form.body) if form.body else None
    result = walker.part(node, form.result) if form.result else walker.result
    walker.result = None
    body_byte = body.start_byte if body is not None else end
    text = walker.text_of(name)
    begin, doc = walker.documented(start)
    marks, walker.marks, walker.attributes = walker.marks, [], -1
    written = lower_decorators(walker, node, name)
    words = walker.words_before(start, name.start_byte)
    spec = walker.spec
    if walker.owner and not owner and walker.function == 0:
        owner = walker.owner
    is_test = bool(spec.test_marks) and not spec.test_marks.isdisjoint([*marks, *written])
    spaced = f"{space}.{text}" if space else text
    qualified = walker.qualified(spaced)
    if owner or table:
        qualified = f"{owner or table}.{text}"
        qualified = walker.qualified(qualified) if spec.owners_are_named else qualified
    if "::" in qualified:
        qualified = qualified.replace("::", ".")  # in an id it ends the path
    index = walker.define(
        Definition(
            kind=kind,
            name=text,
            qualified_name=qualified,
            parent=walker.definition,
            owner=owner,
            scope=-1,
            start_byte=begin,
            end_byte=end,
            name_byte=name.start_byte,
            body_byte=body_byte,
            signature=walker.folded(start, body_byte).rstrip(" {:="),
            doc=doc,
            exported=is_exported(walker, words, text),
            decorators=tuple(f"@{each}" for each in (*written, *marks)),
            modifiers=tuple(spec.modifiers[each] for each in sorted(words) if each in spec.modifiers),
            returns=walker.folded(result.start_byte, result.end_byte) if result is not None else "",
            flags=flags_of(walker, node, form, is_test, words),
        )
    )
    around = walker.here()
    class_scope, owner_scope = walker.class_scope, walker.owner_scope
    if not owner and not table:
        offer(walker, index, bound_name(walker, node, form, text))
    walker.definition = index
    if form.is_space:
        walker.scope = walker.open_scope("block", index, start, end)
        walker.definitions[index].scope = walker.scope
        foresee(walker, body)
        walk_rest(walker, node, name)
    elif kind in _FUNCTIONS or kind == "property" or is_function_type(form):
        function_body(walker, node, form, name, body, result, index, header)
    elif kind in CLASS_KINDS:
        class_body(walker, node, form, name, body, index)
    else:
        walk_rest(walker, node, name)
    walker.class_scope, walker.owner_scope = class_scope, owner_scope
    walker.return_to(around)
    return index


def is_function_type(form: Form) -> bool:
    """Whether a form defines a type of functions by a name, as it says what they return."""
    return form.kind == "type" and bool(form.result)


def flags_of(
    walker: DeclarativeWalker, node: Node, form: Form, is_test: bool, words: frozenset[str]
) -> tuple[str, ...]:
    if is_test:
        return (TEST,)
    if form.is_macro:
        return (IS_MACRO,)
    if walker.spec.promised in words:
        return (PROMISED,)
    if form.kind in CLASS_KINDS:
        if form.has_accessors:
            return (ACCESSORS,)
        return (PARTIAL,) if walker.spec.partial in words else ()
    return (UNINFERRED,) if is_uninferred(walker, node, form) else ()


def kind_of(walker: DeclarativeWalker, form: Form) -> str:
    if form.inside and walker.class_scope == walker.scope:
        return form.inside
    return form.kind


def walk_rest(walker: DeclarativeWalker, node: Node, name: Node) -> None:
    """Whatever else a definition holds. What decorates it has been read."""
    table, decorators = walker.table, walker.spec.decorators
    for child in node.named_children:
        if child != name and not (decorators and child.start_byte < name.start_byte):
            table[child.type](walker, child)


def class_body(walker: DeclarativeWalker, node: Node, form: Form, name: Node, body: Node | None, index: int) -> None:
    """A type with its type parameters, bases and members."""
    start, end = node.start_byte, node.end_byte
    generics = walker.part(node, form.generics) if form.generics else None
    generics, walker.template = generics or walker.template, None
    if generics is not None:
        walker.scope = walker.open_scope("block", index, start, end)
        type_parameters(walker, generics, index)
    for child in node.named_children if walker.spec.constraints else ():
        if child.type in walker.spec.constraints:
            walker.walk(child)
    walker.adds_bases(node, index)
    for part in walker.all_parts(node, form.bases):
        bases_in(walker, part, index)
    walker.scope = scope = walker.open_scope("class", index, start, end)
    walker.definitions[index].scope = scope
    walker.class_scope, walker.owner_scope = scope, -1
    if walker.bases.get(index) or PARTIAL in walker.definitions[index].flags:
        walker.deriving.add(scope)
    walker.open_block(start, end)
    taken: list[Parameter] = []
    for part in walker.all_parts(node, form.fields):
        for child in part.named_children:
            slot = walker.spec.parameters.get(child.type)
            named = walker.part(child, slot.name) if slot is not None else None
            if slot is not None and named is not None and named.start_byte < named.end_byte:
                lower_decorators(walker, child, named)
                typed = walker.part(child, slot.type)
                annotation = type_of(walker, typed) if typed is not None else 0
                default = False
                for each in child.children:
                    if default and each.is_named:
                        walker.walk(each)
                    default = default or each.type == "="
                taken.append(Parameter(walker.text_of(named), "positional", annotation, int(default)))
                mark = walker.spec.field_mark
                if mark and walker.part(child, (":" + mark,)) is None:
                    local(walker, named, annotation, 0, start)
                else:
                    field(walker, named, child, annotation, 0, "field")
    if taken and walker.spec.constructors_are_called_like_functions:
        walker.parameters[scope] = [
            row._replace(default=walker.literal("default", start)) if row.default else row for row in taken
        ]
    other = walker.other_body(walker.definitions[index].name)
    for branch in (body, other):
        foresee(walker, branch)
    for branch in (body, other):
        if branch is not None:
            walker.walk(branch)


def foresee(walker: DeclarativeWalker, body: Node | None) -> None:
    """Notes the names that a body declares, as code above their definitions may use them."""
    spec = walker.spec
    scope = walker.scope
    bound = walker.bound[scope]
    for child in body.named_children if body is not None else ():
        kind = child.type
        form = spec.definitions.get(kind)
        if form is not None:
            name = walker.part(child, form.name)
            if name is not None:
                text = bound_name(walker, child, form, walker.text_of(name))
                bound.add(text)
                if form.kind in CLASS_KINDS or is_function_type(form):
                    walker.inner_types.add((scope, text))
            continue
        if kind in spec.member_groups:
            foresee(walker, child)
        names_of = spec.declared.get(kind)
        if names_of is not None:
            for each in names_of(child):
                bound.add(walker.text_of(each))
        variable = spec.variables.get(kind)
        if variable is not None:
            for each in declarators(walker, child, variable):
                name = walker.part(each, variable.name)
                if name is not None and name.type in spec.names:
                    bound.add(walker.text_of(name))


def bases_in(walker: DeclarativeWalker, node: Node, index: int) -> None:
    """The types that a part of a header names."""
    if walker.adds_bases(node, index):
        return
    spec = walker.spec
    kind = node.type
    if kind in spec.type_names or kind in spec.type_members or kind in spec.generics or kind in spec.base_kinds:
        first = len(walker.sites)
        walker.is_base = True
        base = type_of(walker, node)
        walker.is_base = False
        add_base(walker, index, base, first)
        return
    if kind in spec.argument_lists:
        made = walker.bases[index][-1][1] if walker.bases.get(index) else 0
        arguments_of(walker, node, made=walker.code[made + op.HOLDER] if walker.code[made] == op.SUBSCRIPT else made)
        return
    for child in node.named_children:
        bases_in(walker, child, index)


def add_base(walker: DeclarativeWalker, index: int, base: int, first: int) -> None:
    """`first`: the place of the type's first site."""
    if base:
        walker.set_role_in_type(base, first, BASE)
        walker.bases.setdefault(index, []).append(("", base))
        walker.base_names.setdefault(index, last_name(walker, base))


def last_name(walker: DeclarativeWalker, type_expression: int) -> str:
    """The last part of the name of a type."""
    code = walker.code
    if code[type_expression] == op.SUBSCRIPT:
        type_expression = code[type_expression + op.HOLDER]
    return (
        walker.texts[op.find_name_word(code, type_expression)]
        if code[type_expression] in (op.NAME, op.ATTRIBUTE)
        else ""
    )


def anonymous_class(walker: DeclarativeWalker, node: Node, creation: Creation, base: int) -> None:
    """The body of a class without a name: it is no symbol, and has one base."""
    body = walker.part(node, creation.body)
    if body is None:
        return
    start, end = body.start_byte, body.end_byte
    index = walker.define(
        Definition(
            kind="class",
            name="",
            qualified_name=walker.qualified("(anonymous)"),
            parent=walker.definition,
            scope=-1,
            start_byte=start,
            end_byte=end,
            name_byte=start,
            body_byte=start,
            exported=False,
            flags=(ANONYMOUS,),
        )
    )
    around, class_scope = walker.here(), walker.class_scope
    walker.definition = index
    if base:
        walker.bases[index] = [("", base)]
    walker.scope = walker.class_scope = scope = walker.open_scope("class", index, start, end)
    walker.definitions[index].scope = scope
    if base:
        walker.deriving.add(scope)
    walker.open_block(start, end)
    foresee(walker, body)
    walker.walk(body)
    walker.class_scope = class_scope
    walker.return_to(around)


def creation(walker: DeclarativeWalker, node: Node) -> int:
    """`new T(...)`: a call of the type."""
    form = walker.spec.creations[node.type]
    type_node = walker.part(node, form.type)
    arguments = walker.part(node, form.arguments) if form.arguments else None
    if type_node is None:
        return walker.through(node)
    first = len(walker.sites)
    made = type_of(walker, type_node)
    value = 0
    base = made
    if made:
        if walker.code[made] == op.SUBSCRIPT:
            made = walker.code[made + op.HOLDER]
        byte = walker.code[made + op.BYTE]
        drop_type_site(walker, made, first)
        row = arguments_of(walker, arguments, made=made) if arguments is not None else []
        value = walker.call(made, byte, row)
        if base != made and walker.spec.has_arities:
            index = walker.code[base + op.INDEX]
            types = op.items_of(walker.code, index) if walker.code[index] == op.TUPLE else [index]
            walker.type_arguments[value] = list(types)
        walker.sites += (value, CREATED, walker.definition)
        if base != made and last_name(walker, made) in walker.spec.containers:
            value = walker.emit(op.TYPED, byte, base, value)
    elif arguments is not None:
        arguments_of(walker, arguments)
    if form.initializer:
        held = walker.part(node, form.initializer)
        if held is not None:
            around, walker.expected = walker.expected, base
            walker.walk(held)
            walker.expected = around
    if form.body:
        anonymous_class(walker, node, form, base)
    return value


def drop_type_site(walker: DeclarativeWalker, expression: int, first: int) -> None:
    """Drops the site of a type that is called, as the call is its site."""
    sites = walker.sites
    for at in range(first, len(sites), SITE_WORDS):
        if sites[at] == expression:
            del sites[at : at + SITE_WORDS]
            return
