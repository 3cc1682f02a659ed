"""Lowers functions of all defined languages: parameters, bodies, functions without a name.

In: nodes, and the forms that the Spec gives them. Out: scopes, parameters, values that are returned.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import OWN_TYPE, Parameter
from rpg.encoder.languages.declarative.expressions import type_of, value_of
from rpg.encoder.languages.declarative.naming import lower_decorators, type_parameters
from rpg.encoder.languages.declarative.spec import Form, Slot
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

_DOTS: Final = 4
"""Bytes of the dots that end a list of parameters, with the parenthesis behind them."""


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
    if walker.definitions[index].owner and walker.owner_object:
        walker.bind(OWN_TYPE, walker.owner_object, start)
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
        returned = walker.declared_type(type_of(walker, result), node.child_by_field_name("declarator"))
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
    element = 0
    for child in node.named_children:
        kind = child.type
        slot = spec.parameters.get(kind)
        if kind in spec.names and not (rows and spec.values_behind):
            add_parameter(walker, rows, child, element, 0, scope, start, False)
        elif spec.rest_word and kind in spec.lists:
            part = walker.part(child, spec.lists[kind])
            element = type_of(walker, part) if part is not None else 0
        elif kind in spec.patterns:
            pattern_parameter(walker, rows, child, 0, scope)
        elif slot is None and spec.values_behind and rows and kind not in spec.values_behind:
            default = value_of(walker, child) or walker.literal("default", child.start_byte)
            rows[-1] = rows[-1]._replace(default=default)
        elif slot is None:
            walker.walk(child)
        else:
            parameter(walker, rows, child, slot, scope, start)
    if spec.values_behind:
        read_around(walker, node, rows)
    if ends_with_dots(walker, node) and not any(row.kind == "list" for row in rows):
        rows.append(Parameter("", "list"))
    if rows and spec.rest_word and any(child.type == spec.rest_word for child in node.children):
        rows[-1] = Parameter(rows[-1].name, "list", rows[-1].annotation)
    if rows:
        walker.parameters[scope] = rows
        if spec.receiver and rows[0].name == spec.receiver:
            walker.scopes[scope].receiver = spec.receiver


def read_around(walker: DeclarativeWalker, node: Node, rows: list[Parameter]) -> None:
    """What stands in front of parameters and behind them: words, defaults."""
    spec = walker.spec
    at = -1
    takes_all = False
    for child in node.children:
        kind = child.type
        if kind in spec.parameters:
            at += 1
            if takes_all:
                rows[at] = rows[at]._replace(kind="list")
            takes_all = False
        elif kind == "=" and not rows[at].default:
            rows[at] = rows[at]._replace(default=walker.literal("default", child.start_byte))
        elif kind in spec.values_behind and spec.rest_word:
            takes_all = takes_all or spec.rest_word in walker.source_of(child).split()


def ends_with_dots(walker: DeclarativeWalker, node: Node) -> bool:
    """`(int size, ...)`: whatever else is passed has no name."""
    start, end = node.start_byte, node.end_byte
    return end - start > _DOTS and walker.source[max(start, end - 2 * _DOTS) : end - 1].rstrip().endswith(b"...")


def parameter(walker: DeclarativeWalker, rows: list[Parameter], node: Node, slot: Slot, scope: int, start: int) -> None:
    typed = walker.part(node, slot.type) if slot.type else None
    annotation = type_of(walker, typed) if typed is not None else 0
    held = walker.part(node, slot.default) if slot.default else None
    name = walker.part(node, slot.name)
    if held is not None and held in (name, typed):
        held = None
    default = value_of(walker, held) if held is not None else 0
    if walker.spec.decorators and name is not None:
        lower_decorators(walker, node, name)
    if held is not None and annotation and not default:
        default = walker.literal("default", held.start_byte)
    if name is not None and name.type in walker.spec.patterns:
        pattern_parameter(walker, rows, name, annotation, scope)
        return
    annotation = walker.declared_type(annotation, name)
    if name is not None:
        walker.read_declarator(name)
    while name is not None and name.type not in walker.spec.names:
        inner = walker.part(name, ("name", "declarator"))
        if inner is None:
            inner = name.named_children[-1] if name.named_child_count else None
        name = inner
    if name is not None:
        add_parameter(walker, rows, name, annotation, default, scope, start, slot.is_list)
        if typed is not None and walker.spec.no_functions:
            kind = walker.source_of(typed).rstrip("?").partition("<")[0]
            if kind in walker.spec.no_functions or kind in walker.bound[scope]:
                walker.uncallable.add((scope, walker.text_of(name)))
    else:
        rows.append(Parameter("", "list" if slot.is_list else "positional", annotation, default))


def pattern_parameter(
    walker: DeclarativeWalker, rows: list[Parameter], node: Node, annotation: int, scope: int
) -> None:
    """A parameter without a name, whose parts have names."""
    value = walker.emit(op.PARAMETER, node.start_byte, scope, len(rows))
    rows.append(Parameter("", "positional", annotation))
    walker.take_apart(node, value)


def add_parameter(
    walker: DeclarativeWalker, rows: list[Parameter], name: Node, annotation: int, default: int, scope: int,
    start: int, is_list: bool,
) -> None:  # fmt: skip
    text = walker.text_of(name)
    walker.bind(text, walker.emit(op.PARAMETER, name.start_byte, scope, len(rows)), start)
    rows.append(Parameter(text, "list" if is_list else "positional", annotation, default))


def lambda_expression(walker: DeclarativeWalker, node: Node) -> int:
    """A function without a name."""
    start, end = node.start_byte, node.end_byte
    around = walker.here()
    walker.scope = walker.function = scope = walker.open_scope("lambda", walker.definition, start, end)
    walker.open_block(start, end)
    value = walker.emit(op.FUNCTION, start, scope)
    spec = walker.spec
    listed = walker.part(node, spec.lambdas[node.type])
    inner = listed.child_by_field_name("parameters") if listed is not None else None
    if inner is not None:
        listed = inner
    if listed is not None:
        is_bare = listed.type in spec.names or walker.text_of(listed).isidentifier()
        if is_bare:
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
    if spec.no_result:
        if any(walker.source_of(child) == "async" for child in node.named_children[:-1]):
            # It gives something to await, whatever its body is: a union says that it returns, and not what.
            walker.returns.setdefault(scope, []).append(walker.emit(op.UNION, start, 0))
        elif scope not in walker.scopes_with_results and _ends_without_result(walker, node):
            walker.annotations[scope] = walker.literal(spec.no_result, start)
    walker.return_to(around)
    return value


def _ends_without_result(walker: DeclarativeWalker, node: Node) -> bool:
    """Whether a function without a name, which returns no value, reaches its end. What only throws may be taken for a
    function with any result."""
    body = node.named_children[-1]
    if body.type not in walker.spec.blocks:
        return False
    statements = [child for child in body.named_children if child.type not in walker.spec.comments]
    return not statements or not statements[-1].type.startswith("throw")
