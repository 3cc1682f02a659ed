"""Lowers expressions and types of all defined languages: names, members, calls, instances, casts.

In: nodes, and the tables of the Spec. Out: expressions with their sites.
"""

from __future__ import annotations

from typing import Any, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import ANNOTATION, KEY, READ, WRITE
from rpg.encoder.languages.declarative.spec import Call
from rpg.encoder.languages.declarative.unnamed_calls import run_member
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

_EXPECTED: Final = "`expected"
"""The name of what has a type for its place alone."""
_NEAR: Final = 200
"""How many bindings back the declaration of a variable is looked for."""


def value_of(walker: DeclarativeWalker, node: Node) -> int:
    """An expression."""
    return walker.table[node.type](walker, node)


def name(walker: DeclarativeWalker, node: Node) -> int:
    return walker.value_name(node)


def this(walker: DeclarativeWalker, node: Node) -> int:
    return walker.this_object(node)


def super_object(walker: DeclarativeWalker, node: Node) -> int:
    if walker.class_scope < 0:
        return 0
    return walker.emit(op.SUPER, node.start_byte, walker.class_scope, 0)


def lower_wrapped(walker: DeclarativeWalker, node: Node) -> int:
    """What a node wraps: the last of its expressions."""
    value = 0
    for child in node.named_children:
        value = walker.table[child.type](walker, child)
    return value


def tuple_of(walker: DeclarativeWalker, node: Node) -> int:
    """`(first, second)`"""
    parts = [child for child in node.named_children if child.type not in walker.spec.comments]
    values = [walker.table[child.type](walker, child) for child in parts]
    return walker.emit(op.TUPLE, node.start_byte, len(values), *values)


def alternatives(walker: DeclarativeWalker, node: Node) -> int:
    """`ready ? first : second`"""
    chosen = [walker.part(node, (each,)) for each in walker.spec.alternatives[node.type]]
    values: list[int] = []
    for child in node.named_children:
        value = walker.walk(child)
        if child in chosen:
            values.append(value)
    return walker.union(values, node.start_byte)


def coalescing(walker: DeclarativeWalker, node: Node) -> int:
    """`first ?? second`"""
    values = [walker.walk(child) for child in node.named_children]
    is_either = any(child.type == "??" for child in node.children)
    return walker.union(values, node.start_byte) if is_either else 0


def literal(walker: DeclarativeWalker, node: Node) -> int:
    if node.named_child_count:
        walker.through(node)
    kind = node.type
    endings = walker.spec.literal_endings.get(kind)
    if endings is not None:
        text = walker.source_of(node).lower()
        for ending, name in endings.items():
            if text.endswith(ending):
                return walker.literal(name, node.start_byte)
    return walker.literal(walker.spec.literals[kind], node.start_byte)


# Members and calls


def member(walker: DeclarativeWalker, node: Node) -> int:
    """`holder.name`."""
    form = walker.spec.members[node.type]
    holder, named = walker.part(node, form.holder), walker.part(node, form.name)
    if named is None:
        return walker.through(node)
    named = plain(walker, named)
    if holder is None or holder == named:
        return walker.value_name(named)
    container = walker.table[holder.type](walker, holder)
    return walker.member(container, named)


def plain(walker: DeclarativeWalker, named: Node) -> Node:
    """The name itself, without type arguments and whatever else is around it."""
    spec = walker.spec
    while named.type not in spec.names and named.named_child_count:
        if named.type in spec.generics:
            base_part, held_part = spec.generics[named.type]
            base, held = walker.part(named, base_part), walker.part(named, held_part)
            type_arguments(walker, base, held)
            if base is None:
                break
            named = base
        else:
            named = named.named_children[-1]
    return named


def call(walker: DeclarativeWalker, node: Node) -> int:
    spec = walker.spec
    form = spec.calls[node.type]
    arguments = walker.part(node, form.arguments)
    types: list[int] | None = None
    if form.name:
        callee = lower_called_member(walker, node, form)
    else:
        function = walker.part(node, form.function)
        if function is None:
            return walker.through(node)
        callee = lower_callee(walker, function)
    if arguments is not None and spec.types_beside_arguments:
        listed = walker.part(arguments, (":type_arguments",))
        types = [type_of(walker, each) for each in listed.named_children] if listed is not None else None
    if not callee:
        if arguments is not None:
            arguments_of(walker, arguments)
        return 0
    byte = walker.code[callee + op.BYTE] if walker.drop_site(callee) else node.end_byte
    if arguments is not None and walker.code[callee] not in (op.NAME, op.ATTRIBUTE):
        byte = arguments.start_byte
    row = arguments_of(walker, arguments, made=callee) if arguments is not None else []
    made = walker.call(callee, byte, row)
    is_member = bool(row) and walker.code[callee] == op.ATTRIBUTE
    if is_member and walker.texts[walker.code[callee + op.MEMBER]] in spec.puts:
        walker.items.append((walker.code[callee + op.HOLDER], 0, row[-1]))
    types = types or walker.written_types.pop(byte, None)
    is_kept = spec.keeps_type_arguments
    if not is_kept and types is not None and walker.code[callee] == op.ATTRIBUTE:
        is_kept = walker.texts[walker.code[callee + op.MEMBER]] in spec.converts_to
    if types is not None and is_kept:
        walker.type_arguments[made] = types
    return made


def type_arguments(walker: DeclarativeWalker, named: Node | None, held: Node | None) -> None:
    """What stands in angle brackets behind a name."""
    if named is not None and named.type in walker.spec.members:
        named = walker.part(named, walker.spec.members[named.type].name) or named
    types = [type_of(walker, child) for child in held.named_children] if held is not None else []
    if named is not None:
        walker.written_types[named.start_byte] = types


def lower_callee(walker: DeclarativeWalker, function: Node) -> int:
    """What is called. Its own site is the last one."""
    spec = walker.spec
    is_value = function.type in spec.parentheses
    while function.type in spec.wrappers and function.named_child_count == 1:
        function = function.named_children[0]
    if function.type in spec.generics:
        base_part, held_part = spec.generics[function.type]
        base, held = walker.part(function, base_part), walker.part(function, held_part)
        type_arguments(walker, base, held)
        if base is not None:
            function = base
    if function.type in spec.names:
        return walker.value_name(function, READ, True)
    callee = walker.walk(function)
    if is_value and callee and walker.code[callee] == op.ATTRIBUTE:
        return walker.emit(op.UNION, function.start_byte, 1, callee)
    return callee


def lower_called_member(walker: DeclarativeWalker, node: Node, form: Call) -> int:
    holder = walker.part(node, form.holder) if form.holder else None
    named = walker.part(node, form.name)
    if holder is None:
        if named is None:
            return 0
        return walker.value_name(named, READ, True) if named.type in walker.spec.names else walker.walk(named)
    container = walker.table[holder.type](walker, holder)
    if named is None:
        return 0
    if named.type not in walker.spec.names and named.type not in walker.spec.type_names:
        walker.walk(named)
        return 0
    return walker.member(container, named)


def arguments_of(walker: DeclarativeWalker, node: Node, left_out: Node | None = None, made: int = 0) -> list[int]:
    """The row of a call; `left_out`: an argument that is none of what is called; `made`: what is called, if its labels
    may be the names of fields."""
    row: list[int] = []
    spec = walker.spec
    table, comments, lists, labelled = walker.table, spec.comments, spec.argument_lists, spec.labelled
    for child in node.named_children:
        kind = child.type
        if left_out is not None and child == left_out:
            continue
        if kind in comments:
            walker.comment(child)
        elif kind in lists:
            row += arguments_of(walker, child, made=made)
        elif kind == "type_arguments":
            if not spec.types_beside_arguments:
                type_of(walker, child)
        elif kind in labelled:
            label_part, value_part = labelled[kind]
            is_labelled = not spec.label_mark or any(each.type == spec.label_mark for each in child.children)
            label = walker.part(child, label_part) if is_labelled else None
            held = walker.part(child, value_part)
            named = plain(walker, label) if label is not None else None
            unnamed = op.STARRED if held is not None and held.type in spec.spreads else op.POSITIONAL
            if named is not None and made:
                walker.site(walker.emit(op.ATTRIBUTE, named.start_byte, made, walker.word_of(named)), KEY)
            row.append(unnamed if named is None else walker.label(named))
            row.append(walker.walk(held) if held is not None else 0)
        elif kind not in spec.directives:
            row.append(op.STARRED if kind in spec.spreads else op.POSITIONAL)
            row.append(table[kind](walker, child))
    return row


def subscript(walker: DeclarativeWalker, node: Node) -> int:
    """`holder[index]`"""
    holder = walker.part(node, walker.spec.subscripts[node.type])
    value = walker.walk(holder) if holder is not None else 0
    for child in node.named_children:
        if child != holder:
            walker.walk(child)
    if not value:
        return 0
    return walker.emit(op.SUBSCRIPT, node.start_byte, value, walker.literal("int", node.start_byte))


# Types


def type_of(walker: DeclarativeWalker, node: Node) -> int:
    """An expression in type position."""
    spec = walker.spec
    kind = node.type
    if kind in spec.type_names or kind in spec.names:
        if spec.inferred and walker.source_of(node) == spec.inferred:
            return 0
        return walker.type_name(node)
    if kind in spec.primitives:
        return walker.literal(walker.builtin_type(node), node.start_byte)
    handler = spec.handlers.get(kind)
    if handler is not None:
        around, walker.is_type = walker.is_type, True
        value = handler(walker, node)
        walker.is_type = around
        return value
    if kind in spec.tuples:
        parts = [type_of(walker, child) for child in node.named_children if child.type not in spec.comments]
        return walker.emit(op.TUPLE, node.start_byte, len(parts), *parts)
    if kind in spec.generics:
        return generic_type(walker, node)
    if kind in spec.type_members:
        return type_member(walker, node)
    if kind in spec.lists:
        element = walker.part(node, spec.lists[kind])
        inner = type_of(walker, element) if element is not None else 0
        return walker.emit(op.SUBSCRIPT, node.start_byte, walker.literal("list", node.start_byte), inner)
    if kind in spec.comments:
        return walker.comment(node)
    if kind in spec.skipped:
        return 0
    value, count = 0, 0
    for child in node.named_children:
        inner = type_of(walker, child)
        if inner:
            value = inner
            count += 1
    return value if count == 1 or kind in spec.wrappers else 0


def generic_type(walker: DeclarativeWalker, node: Node) -> int:
    base_part, arguments_part = walker.spec.generics[node.type]
    base_node = walker.part(node, base_part)
    held = walker.part(node, arguments_part)
    if base_node is None:
        return walker.through(node)
    base = type_of(walker, base_node)
    walker.is_base = False
    arguments: list[int] = []
    for child in held.named_children if held is not None else ():
        arguments.append(type_of(walker, child))
    if not base or not any(arguments):
        return base
    return walker.emit(op.SUBSCRIPT, node.start_byte, base, walker.one_or_tuple(arguments, node.start_byte))


def type_member(walker: DeclarativeWalker, node: Node) -> int:
    """`Outer.Inner` in a type."""
    form = walker.spec.type_members[node.type]
    holder, named = walker.part(node, form.holder), walker.part(node, form.name)
    if named is None:
        return walker.through(node)
    if holder is None or holder == named:
        return walker.type_name(named)
    return walker.member(type_of(walker, holder), plain(walker, named), ANNOTATION)


def annotation_type(walker: DeclarativeWalker, node: Node) -> int:
    """A type among expressions."""
    return type_of(walker, node)


def cast(walker: DeclarativeWalker, node: Node) -> int:
    typed, held = walker.spec.casts[node.type]
    type_node, value_node = walker.part(node, typed), walker.part(node, held)
    annotation = type_of(walker, type_node) if type_node is not None else 0
    value = walker.walk(value_node) if value_node is not None else 0
    for child in node.named_children:
        if child not in (type_node, value_node):
            walker.walk(child)
    return walker.emit(op.TYPED, node.start_byte, annotation, value) if annotation else value


# Statements


def pattern(walker: DeclarativeWalker, node: Node, value: int) -> None:
    """The variables that taking a value apart binds: nothing is known of them, unless it is a single one, or a tuple is
    taken apart."""
    spec = walker.spec
    if node.type in spec.names:
        walker.bind(walker.text_of(node), value, node.end_byte)
        return
    if node.type in spec.tuples:
        for at, child in enumerate(node.named_children):
            pattern(walker, child, walker.emit(op.ITEM, child.start_byte, value, at) if value else 0)
        return
    variable = spec.variables.get(node.type)
    name = walker.part(node, variable.name) if variable is not None else None
    if variable is not None and name is not None and name.type in spec.names:
        typed = walker.part(node, variable.type)
        annotation = type_of(walker, typed) if typed is not None else 0
        held = walker.emit(op.TYPED, name.start_byte, annotation, 0) if annotation else value
        walker.bind(walker.text_of(name), held, name.end_byte, "annotation" if annotation else "")
        return
    single = value if node.named_child_count == 1 and node.type in spec.wrappers else 0
    for child in node.named_children:
        if child.type in spec.names:
            walker.bind(walker.text_of(child), single, child.end_byte)
        elif child.type in spec.type_names or child.type in spec.type_members or child.type in spec.members:
            walker.walk(child)
        else:
            pattern(walker, child, single)


def block(walker: DeclarativeWalker, node: Node) -> int:
    """Names that a block declares are visible only in it."""
    around = walker.enter_block(node)
    value = 0
    for child in node.named_children:
        value = walker.table[child.type](walker, child)
    walker.leave_block(around)
    return value


def loop(walker: DeclarativeWalker, node: Node) -> int:
    """A loop over elements."""
    typed, named, iterated = walker.spec.loops[node.type]
    around = walker.enter_block(node)
    type_node = walker.part(node, typed) if typed else None
    name_node, held = walker.part(node, named), walker.part(node, iterated)
    annotation = type_of(walker, type_node) if type_node is not None else 0
    value = walker.walk(held) if held is not None else 0
    element = walker.emit(op.ELEMENT, held.start_byte, value) if held is not None and value else 0
    if element and held is not None:
        for name in walker.spec.looping:
            run_member(walker, value, name, held.start_byte)
    if name_node is not None:
        if annotation and name_node.type in walker.spec.names:
            typed_value = walker.emit(op.TYPED, name_node.start_byte, annotation, element)
            walker.bind(walker.text_of(name_node), typed_value, name_node.end_byte, "declared")
        else:
            pattern(walker, name_node, element)
    for child in node.named_children:
        if child not in (type_node, name_node, held):
            walker.walk(child)
    walker.leave_block(around)
    return 0


def assignment(walker: DeclarativeWalker, node: Node) -> int:
    left_part, right_part = walker.spec.assignments[node.type]
    return assign(walker, walker.part(node, left_part), walker.part(node, right_part))


def assign(walker: DeclarativeWalker, left: Node | None, right: Node | None) -> int:
    """Writes what is on the right to what is on the left."""
    value = walker.walk(right) if right is not None else 0
    if left is None:
        return value
    spec = walker.spec
    if left.type in spec.names:
        target = walker.value_name(left, WRITE)
        is_told = value and (walker.code[value] == op.FUNCTION or is_expecting(walker.code, value))
        if is_told and walker.code[target] == op.ATTRIBUTE:
            # The type of the member says what the function receives.
            walker.members.append(
                (walker.code[target + op.HOLDER], walker.texts[walker.code[target + op.MEMBER]], value)
            )
        elif is_told and walker.code[target] == op.NAME:
            declared = declared_type_of(walker, left)
            if declared:
                expect(walker, declared, value)
    elif left.type in spec.members:
        target = walker.with_role(left, WRITE)
        if value and target and walker.code[target] == op.ATTRIBUTE:
            holder = walker.code[target + op.HOLDER]
            walker.members.append((holder, walker.texts[walker.code[target + op.MEMBER]], value))
    else:
        target = walker.walk(left)
        if value and target and is_expecting(walker.code, value):
            if walker.code[target] == op.SUBSCRIPT:
                walker.items.append((walker.code[target + op.HOLDER], walker.code[target + op.INDEX], value))
            elif walker.code[target] == op.ATTRIBUTE:
                holder, member = walker.code[target + op.HOLDER], walker.code[target + op.MEMBER]
                walker.members.append((holder, walker.texts[member], value))
    return value


def is_expecting(code: Any, value: int) -> bool:
    """Whether the place of an expression says of which class it makes an instance or names a member, or one of its
    parts does."""
    if code[value] in (op.LIST, op.UNION):
        return any(is_expecting(code, part) for part in op.items_of(code, value))
    return bool(op.expected_class(code, value))


def expect(walker: DeclarativeWalker, annotation: int, value: int) -> None:
    """Notes what type is expected of a value that no name is bound to."""
    held = walker.emit(op.TYPED, walker.code[value + op.BYTE], annotation, value)
    walker.bind(_EXPECTED, held, walker.code[value + op.BYTE])


def declared_type_of(walker: DeclarativeWalker, name: Node) -> int:
    """The type that a variable of the function around is declared to have; 0 if there is none."""
    text, scope = walker.text_of(name), walker.scope_of(walker.text_of(name))
    for row in reversed(walker.bindings[-_NEAR:]):
        if row.name == text and row.scope == scope:
            return walker.code[row.value + op.ANNOTATED] if walker.code[row.value] == op.TYPED else 0
    return 0


def return_statement(walker: DeclarativeWalker, node: Node) -> int:
    value = 0
    for child in node.named_children:
        value = walker.table[child.type](walker, child)
        walker.scopes_with_results.add(walker.function)
    if value and walker.function:
        walker.returns.setdefault(walker.function, []).append(value)
    return 0


def decorator(walker: DeclarativeWalker, node: Node) -> int:
    """An annotation, or a list of them: its name is a reference, its arguments are expressions."""
    is_name, made = True, 0
    labelled = walker.spec.labelled
    for child in node.named_children:
        if is_name and child.type not in walker.spec.decorators:
            made = type_of(walker, child)
            is_name = False
        elif labelled and any(each.type in labelled for each in child.named_children):
            arguments_of(walker, child, made=made)
        else:
            walker.walk(child)
    return 0


def lower_damaged(walker: DeclarativeWalker, node: Node) -> int:
    """What the parser did not understand: variables in it may be anybody's."""
    around, walker.is_damaged = walker.is_damaged, True
    walker.through(node)
    walker.is_damaged = around
    return 0


def branch(walker: DeclarativeWalker, node: Node) -> int:
    """What may run or not."""
    around = walker.open_block(node.start_byte, node.end_byte)
    walker.through(node)
    walker.block = around
    return 0


def lower_repeated(walker: DeclarativeWalker, node: Node) -> int:
    """What may run several times."""
    around = walker.open_block(node.start_byte, node.end_byte, True)
    walker.through(node)
    walker.block = around
    return 0
