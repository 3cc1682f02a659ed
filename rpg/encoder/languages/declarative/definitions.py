"""Lowers definitions of all defined languages: types, functions, variables, parameters.

In: nodes, and the forms that the Spec gives them. Out: definitions, bindings, scopes.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder.facts import ANONYMOUS, BASE, CREATED, SITE_WORDS, TEST, Definition, Parameter
from rpg.encoder.languages.declarative.expressions import arguments_of, pattern, type_of, value_of
from rpg.encoder.languages.declarative.spec import Creation, Form, Slot, Variable
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.operations import (
    ATTRIBUTE,
    BYTE,
    FUNCTION,
    HOLDER,
    NAME,
    PARAMETER,
    SUBSCRIPT,
    TYPE_VARIABLE,
    TYPED,
    named_word,
)
from rpg.graph import CLASS_KINDS

_FUNCTIONS: Final = frozenset(("function", "method"))
_DOTS: Final = 4
"""Bytes of the dots that end a list of parameters, with the parenthesis behind them."""


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
) -> int:
    """A symbol with all that is in it; `header`: where its parameters are, if not in the node; `table`: what it is a
    member of without being in it; `space`: the namespace in front of its name. Returns its definition."""
    kind = kind_of(walker, form)
    start, end = node.start_byte, max(node.end_byte, name.end_byte)
    body = walker.part(node, form.body) if form.body else None
    result = walker.part(node, form.result) if form.result else walker.result
    walker.result = None
    body_byte = body.start_byte if body is not None else end
    text = walker.text_of(name)
    begin, doc = walker.documented(start)
    marks, walker.marks, walker.attributes = walker.marks, [], -1
    written = decorated(walker, node, name)
    words = walker.words_before(start, name.start_byte)
    spec = walker.spec
    if walker.owner and not owner and walker.function == 0:
        owner = walker.owner
    is_test = bool(spec.test_marks) and not spec.test_marks.isdisjoint([*marks, *written])
    spaced = f"{space}.{text}" if space else text
    qualified = f"{owner or table}.{text}" if owner or table else walker.qualified(spaced)
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
            decorators=tuple(f"@{each}" for each in written),
            modifiers=tuple(spec.modifiers[each] for each in sorted(words) if each in spec.modifiers),
            returns=walker.folded(result.start_byte, result.end_byte) if result is not None else "",
            flags=(TEST,) if is_test else (),
        )
    )
    around = walker.here()
    class_scope, owner_scope = walker.class_scope, walker.owner_scope
    if not owner and not table:
        offer(walker, index, text)
    walker.definition = index
    if form.is_space:
        walker.scope = walker.open_scope("block", index, start, end)
        walker.definitions[index].scope = walker.scope
        foresee(walker, body)
        inside(walker, node, name)
    elif kind in CLASS_KINDS:
        class_body(walker, node, form, name, body, index)
    elif kind in _FUNCTIONS or kind == "property":
        function_body(walker, node, form, name, body, result, index, header)
    else:
        inside(walker, node, name)
    walker.class_scope, walker.owner_scope = class_scope, owner_scope
    walker.return_to(around)
    return index


def kind_of(walker: DeclarativeWalker, form: Form) -> str:
    if form.inside and walker.class_scope == walker.scope:
        return form.inside
    return form.kind


def is_exported(walker: DeclarativeWalker, words: frozenset[str], name: str) -> bool:
    spec = walker.spec
    if not spec.private.isdisjoint(words) or walker.scopes[walker.scope].kind not in ("module", "class", "block"):
        return False
    return not spec.public or not spec.public.isdisjoint(words)


def offer_name(walker: DeclarativeWalker, text: str) -> None:
    """Lets other files of the package see a name of the file."""
    if walker.spec.is_global:
        walker.offered[text] = None


def offer(walker: DeclarativeWalker, index: int, text: str) -> None:
    """Binds a definition to its name, in its scope; a type in a type also to its full name, in the file."""
    here = walker.definitions[index]
    scope = walker.scopes[walker.scope]
    value = walker.definition_value(index)
    held = 0 if here.kind in ("constant", "field") else value
    is_tag = walker.spec.types_are_apart and here.kind in CLASS_KINDS
    walker.bind(text, held, scope.start_byte, "type" if is_tag else "")
    if walker.scope == 0:
        if here.exported or walker.offers_all or not walker.spec.private_to_file:
            offer_name(walker, text)
    elif walker.spec.offers_nested and here.kind in CLASS_KINDS and not walker.function:
        around, walker.block = walker.block, 0
        walker.bind(text, value, 0, "", 0)
        walker.block = around
        offer_name(walker, text)
    elif scope.kind == "class" and not walker.function:
        around, walker.block = walker.block, 0
        walker.bind(here.qualified_name, value, 0, "", 0)
        walker.block = around


def inside(walker: DeclarativeWalker, node: Node, name: Node) -> None:
    """Whatever else a definition holds."""
    table = walker.table
    for child in node.named_children:
        if child != name:
            table[child.type](walker, child)


# Types


def class_body(walker: DeclarativeWalker, node: Node, form: Form, name: Node, body: Node | None, index: int) -> None:
    """A type with its type parameters, bases and members."""
    start, end = node.start_byte, node.end_byte
    generics = walker.part(node, form.generics) if form.generics else None
    generics, walker.template = generics or walker.template, None
    if generics is not None:
        walker.scope = walker.open_scope("block", index, start, end)
        type_parameters(walker, generics, index)
    for part in walker.all_parts(node, form.bases):
        bases_in(walker, part, index)
    walker.scope = scope = walker.open_scope("class", index, start, end)
    walker.definitions[index].scope = scope
    walker.class_scope, walker.owner_scope = scope, -1
    if walker.bases.get(index):
        walker.deriving.add(scope)
    walker.open_block(start, end)
    for part in walker.all_parts(node, form.fields):
        for child in part.named_children:
            slot = walker.spec.parameters.get(child.type)
            named = walker.part(child, slot.name) if slot is not None else None
            if slot is not None and named is not None and named.start_byte < named.end_byte:
                typed = walker.part(child, slot.type)
                annotation = type_of(walker, typed) if typed is not None else 0
                mark = walker.spec.field_mark
                if mark and walker.part(child, (":" + mark,)) is None:
                    local(walker, named, annotation, 0, start)
                else:
                    field(walker, named, child, annotation, 0, "field")
    other = walker.other_body(walker.definitions[index].name)
    for each in (body, other):
        foresee(walker, each)
    for each in (body, other):
        if each is not None:
            walker.walk(each)


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
                text = walker.text_of(name)
                bound.add(text)
                if form.kind in CLASS_KINDS:
                    walker.inner_types.add((scope, text))
            continue
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
    spec = walker.spec
    kind = node.type
    if kind in spec.type_names or kind in spec.type_members or kind in spec.generics or kind in spec.base_kinds:
        first = len(walker.sites)
        base = type_of(walker, node)
        if base:
            walker.with_role_in_type(base, first, BASE)
            walker.bases.setdefault(index, []).append(("", base))
            walker.base_names.setdefault(index, last_name(walker, base))
        return
    if kind in spec.argument_lists:
        walker.walk(node)
        return
    for child in node.named_children:
        bases_in(walker, child, index)


def last_name(walker: DeclarativeWalker, type_expression: int) -> str:
    """The last part of the name of a type."""
    code = walker.code
    if code[type_expression] == SUBSCRIPT:
        type_expression = code[type_expression + HOLDER]
    return walker.texts[named_word(code, type_expression)] if code[type_expression] in (NAME, ATTRIBUTE) else ""


def type_parameters(walker: DeclarativeWalker, node: Node, index: int) -> None:
    spec = walker.spec
    names: list[str] = []
    start = walker.scopes[walker.scope].start_byte
    for child in node.named_children:
        if child.type not in spec.type_parameters:
            continue
        name, bounds = None, []
        default = child.child_by_field_name("default_type")
        kinds = spec.type_names | spec.names
        if child.type in kinds:
            name = child
        else:
            for part in child.named_children:
                if name is None and part.type in kinds:
                    name = part
                elif name is not None and part.type not in spec.comments:
                    bound = type_of(walker, part)
                    if bound and part != default:
                        bounds.append(bound)
        if name is not None:
            text = walker.text_of(name)
            names.append(text)
            bound = walker.union(bounds, name.start_byte)
            variable = walker.emit(TYPE_VARIABLE, name.start_byte, walker.string(text), bound)
            walker.bind(text, variable, start, "type")
    if names and index >= 0:
        walker.type_parameters[index] = names


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
        if walker.code[made] == SUBSCRIPT:
            made = walker.code[made + HOLDER]
        byte = walker.code[made + BYTE]
        unsited(walker, made, first)
        row = arguments_of(walker, arguments) if arguments is not None else []
        value = walker.call(made, byte, row)
        walker.sites += (value, CREATED, walker.definition)
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


def unsited(walker: DeclarativeWalker, expression: int, first: int) -> None:
    """Drops the site of a type that is called, as the call is its site."""
    sites = walker.sites
    for at in range(first, len(sites), SITE_WORDS):
        if sites[at] == expression:
            del sites[at : at + SITE_WORDS]
            return


# Functions


def function_body(
    walker: DeclarativeWalker, node: Node, form: Form, name: Node, body: Node | None, result: Node | None, index: int,
    header: Node | None = None,
) -> None:  # fmt: skip
    spec = walker.spec
    start, end = node.start_byte, node.end_byte
    walker.scope = walker.function = scope = walker.open_scope("function", index, start, end)
    walker.definitions[index].scope = scope
    if walker.definitions[index].owner:
        walker.owner_scope = scope
    walker.open_block(start, end)
    generics = walker.part(node, form.generics) if form.generics else None
    generics, walker.template = generics or walker.template, None
    if generics is not None:
        type_parameters(walker, generics, index)
    seen = [generics]
    if walker.receiver_value:
        walker.bind("self", walker.receiver_value, start)
        walker.receiver_value = 0
    if header is not None:
        parameters = header.child_by_field_name("parameters")
        body = body or header.child_by_field_name("body")
        seen.append(node.child_by_field_name("declarator"))
    else:
        parameters = walker.part(node, form.parameters) if form.parameters else None
    if parameters is not None:
        parameters_in(walker, parameters, scope)
        seen.append(parameters)
    elif not form.parameters:
        seen += walker.parameters_beside(node, scope)
    if result is not None:
        returned = type_of(walker, result)
        if returned:
            walker.annotations[scope] = returned
        seen.append(result)
    if body is not None:
        value = walker.walk(body)
        if value and (spec.blocks_have_values or body.type not in spec.blocks):
            walker.returns.setdefault(scope, []).append(value)
        seen.append(body)
    for child in node.named_children:
        if child.start_byte > name.start_byte and child not in seen:
            walker.walk(child)


def parameters_in(walker: DeclarativeWalker, node: Node, scope: int) -> None:
    """Binds the parameters of a list in the scope of their function."""
    spec = walker.spec
    start = walker.scopes[scope].start_byte
    rows: list[Parameter] = []
    for child in node.named_children:
        kind = child.type
        slot = spec.parameters.get(kind)
        if kind in spec.names:
            add_parameter(walker, rows, child, 0, 0, scope, start, False)
        elif slot is None:
            walker.walk(child)
        else:
            parameter(walker, rows, child, slot, scope, start)
    if ends_with_dots(walker, node) and not any(row.kind == "list" for row in rows):
        rows.append(Parameter("", "list"))
    if rows:
        walker.parameters[scope] = rows
        if spec.receiver and rows[0].name == spec.receiver:
            walker.scopes[scope].receiver = spec.receiver


def ends_with_dots(walker: DeclarativeWalker, node: Node) -> bool:
    """`(int size, ...)`: whatever else is passed has no name."""
    start, end = node.start_byte, node.end_byte
    return end - start > _DOTS and walker.source[max(start, end - 2 * _DOTS) : end - 1].rstrip().endswith(b"...")


def parameter(walker: DeclarativeWalker, rows: list[Parameter], node: Node, slot: Slot, scope: int, start: int) -> None:
    typed = walker.part(node, slot.type) if slot.type else None
    annotation = type_of(walker, typed) if typed is not None else 0
    held = walker.part(node, slot.default) if slot.default else None
    default = value_of(walker, held) if held is not None else 0
    name = walker.part(node, slot.name)
    while name is not None and name.type not in walker.spec.names:
        inner = walker.part(name, ("name", "declarator"))
        if inner is None:
            inner = name.named_children[-1] if name.named_child_count else None
        name = inner
    if name is not None:
        add_parameter(walker, rows, name, annotation, default, scope, start, slot.is_list)
    else:
        rows.append(Parameter("", "list" if slot.is_list else "positional", annotation, default))


def add_parameter(
    walker: DeclarativeWalker, rows: list[Parameter], name: Node, annotation: int, default: int, scope: int,
    start: int, is_list: bool,
) -> None:  # fmt: skip
    text = walker.text_of(name)
    walker.bind(text, walker.emit(PARAMETER, name.start_byte, scope, len(rows)), start)
    rows.append(Parameter(text, "list" if is_list else "positional", annotation, default))


def lambda_expression(walker: DeclarativeWalker, node: Node) -> int:
    """A function without a name."""
    start, end = node.start_byte, node.end_byte
    around = walker.here()
    walker.scope = walker.function = scope = walker.open_scope("lambda", walker.definition, start, end)
    walker.open_block(start, end)
    value = walker.emit(FUNCTION, start, scope)
    spec = walker.spec
    listed = walker.part(node, spec.lambdas[node.type])
    inner = listed.child_by_field_name("parameters") if listed is not None else None
    if inner is not None:
        listed = inner
    if listed is not None:
        if listed.type in spec.names:
            rows: list[Parameter] = []
            add_parameter(walker, rows, listed, 0, 0, scope, start, False)
            walker.parameters[scope] = rows
        else:
            parameters_in(walker, listed, scope)
    for child in node.named_children:
        if child != listed:
            made = walker.walk(child)
            if made and (spec.blocks_have_values or child.type not in spec.blocks):
                walker.returns.setdefault(scope, []).append(made)
    walker.return_to(around)
    return value


# Variables


def declarators(walker: DeclarativeWalker, node: Node, variable: Variable) -> list[Node]:
    if variable.inside:
        node = walker.part(node, (":" + variable.inside,)) or node
    if not variable.each:
        return [node]
    return [child for child in node.named_children if child.type in variable.each]


def variable_declaration(walker: DeclarativeWalker, node: Node) -> int:
    """Variables of a function or file, fields of a class."""
    spec = walker.spec
    variable = spec.variables[node.type]
    inner = walker.part(node, (":" + variable.inside,)) if variable.inside else node
    typed = walker.part(inner or node, variable.type) if variable.type else None
    annotation = type_of(walker, typed) if typed is not None else 0
    here = walker.scopes[walker.scope].kind
    each_of = declarators(walker, node, variable)
    for at, each in enumerate(each_of):
        name = walker.part(each, variable.name)
        if name is not None and name.start_byte == name.end_byte:
            name = None  # made up by the parser
        held = walker.part(each, variable.value) if variable.value else None
        if held is not None and held in (name, typed):
            held = None
        if typed is None and each is not node and variable.type:
            own = walker.part(each, variable.type)
            annotation = type_of(walker, own) if own is not None else 0
        if name is None or name.type not in spec.names:
            if name is not None:
                pattern(walker, name, value_of(walker, held) if held is not None else 0)
            elif held is not None:
                walker.walk(held)
            continue
        if here == "class" or (here in ("module", "block") and not walker.function and not walker.is_damaged):
            kind = variable.kind if here == "class" else variable.outside
            value = value_of(walker, held) if held is not None else 0
            field(walker, name, node if at == 0 else each, annotation, value, kind, node)
        else:
            value = value_of(walker, held) if held is not None else 0
            local(walker, name, annotation, value, node.end_byte)
    return 0


def field(
    walker: DeclarativeWalker,
    name: Node,
    node: Node,
    annotation: int,
    value: int,
    kind: str,
    whole: Node | None = None,
    is_offered: bool = True,
) -> int:
    """A symbol that holds a value."""
    text = walker.text_of(name)
    start, end = node.start_byte, whole.end_byte if whole is not None else node.end_byte
    shown = whole.start_byte if whole is not None else start
    words = walker.words_before(shown, name.start_byte)
    begin, doc = walker.documented(start)
    walker.marks, walker.attributes = [], -1
    owner = walker.owner if walker.function == 0 else ""
    index = walker.define(
        Definition(
            kind=kind,
            name=text,
            qualified_name=(f"{owner}.{text}" if owner else walker.qualified(text)).replace("::", "."),
            parent=walker.definition,
            owner=owner,
            start_byte=begin,
            end_byte=end,
            name_byte=name.start_byte,
            body_byte=end,
            signature=walker.folded(shown, end).rstrip(";,"),
            doc=doc,
            exported=is_exported(walker, words, text),
            modifiers=tuple(walker.spec.modifiers[each] for each in sorted(words) if each in walker.spec.modifiers),
        )
    )
    if owner:
        return index
    held = walker.emit(TYPED, name.start_byte, annotation, value) if annotation else value
    first = walker.scopes[walker.scope].start_byte
    walker.bind(text, held, first, ("declared" if value else "annotation") if annotation else "")
    if walker.scope == 0 and (is_offered or walker.offers_all):
        offer_name(walker, text)
    return index


def local(walker: DeclarativeWalker, name: Node, annotation: int, value: int, byte: int) -> None:
    """A variable that is no symbol."""
    held = walker.emit(TYPED, name.start_byte, annotation, value) if annotation else value
    kind = ("declared" if value else "annotation") if annotation else ""
    walker.bind(walker.text_of(name), held, byte, kind)


# Decorators


def decorated(walker: DeclarativeWalker, node: Node, name: Node) -> list[str]:
    """The names of the annotations before a definition's name; each is a reference."""
    decorators = walker.spec.decorators
    found: list[str] = []
    if not decorators:
        return found
    for child in node.named_children:
        if child.start_byte >= name.start_byte:
            break
        for each in [child] if child.type in decorators else child.named_children:
            if each.type in decorators:
                found += names_of_decorator(walker, each)
                walker.walk(each)
    return found


def names_of_decorator(walker: DeclarativeWalker, node: Node) -> list[str]:
    """What an annotation, or each of a group of attributes, is called."""
    inner = [child for child in node.named_children if child.type in walker.spec.decorators]
    if inner:
        return [each for child in inner for each in names_of_decorator(walker, child)]
    return [walker.source_of(node.named_children[0]).split("(", 1)[0]] if node.named_child_count else []
