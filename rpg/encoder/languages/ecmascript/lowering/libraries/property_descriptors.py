"""Lowers properties that calls describe: `Object.defineProperty(target, name, { get() {} })`, `Object.create(base)`;
and those that a static member declares by name, as components of Lit and Polymer do: `static properties = { x: {} }`.

In: a call's arguments, or that member. Out: arguments in whose functions `this` is the object that gets the property,
its members, and objects made from others; a site at each name of a field that there is.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import ACCESSOR, OFFERED
from rpg.encoder.languages.ecmascript.types.type_expressions import SPREAD
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node

_DEPTHS: Final = {"defineProperty": 0, "defineProperties": 1, "create": 1}
"""Functions of `Object` -> whether their last argument describes one property or holds the descriptions of several."""
_ACCESSORS: Final = ("get", "set")
_DECLARING: Final = frozenset(("properties",))


def is_describing(walker: EcmaScriptWalker, callee: int, parts: list[Node]) -> bool:
    """Whether a call describes properties, or makes an object from another one."""
    code, texts = walker.code, walker.texts
    if code[callee] != op.ATTRIBUTE or code[code[callee + op.HOLDER]] != op.NAME:
        return False
    depth = _DEPTHS.get(texts[code[callee + op.MEMBER]], -1)
    return (
        depth >= 0
        and texts[code[code[callee + op.HOLDER] + op.WORD]] == "Object"
        and 1 + (len(parts) > 1) <= len(parts) <= 3 - depth
        and parts[0].type not in ("null", "undefined", "spread_element")
    )


def describing_arguments(walker: EcmaScriptWalker, callee: int, parts: list[Node], target: int = 0) -> list[int]:
    """The arguments of such a call; `target`: the object that gets the properties, if it is not the first of them."""
    first = walker.walk(parts[0])
    row = [op.POSITIONAL, first]
    for part in parts[1:]:
        if part is parts[-1] and part.type == "object":
            walker.described = (target or first, _DEPTHS[walker.texts[walker.code[callee + op.MEMBER]]])
        row += (op.POSITIONAL, walker.walk(part))
        walker.described = (0, 0)
    return row


def build_derived_object(walker: EcmaScriptWalker, callee: int, byte: int, node: Node) -> int:
    """`Object.create(base, descriptors)`: an object of its own, with the members of the base."""
    scope = walker.open_scope("object", walker.definition, node.start_byte, node.end_byte)
    made = walker.emit(op.OBJECT, node.start_byte, scope)
    row = describing_arguments(walker, callee, parts_of(node), made)
    call = walker.call(callee, byte, row)
    base = row[1]
    before = len(walker.bindings)
    walker.bind(SPREAD, base, node.end_byte, "weak", scope)
    for name, value in list_described_values(walker, row[3]) if len(row) > 2 else ():
        walker.bind(name, value, node.end_byte, "", scope)
        # What is made from the base calls the base's functions, in which `this` has these members.
        walker.members.append((base, name, value))
    walker.literal_bindings[scope] = before, len(walker.bindings)
    walker.derived[made] = call
    return made


def list_described_values(walker: EcmaScriptWalker, descriptors: int) -> list[tuple[str, int]]:
    """The properties that an object of descriptors describes."""
    code = walker.code
    if code[descriptors] != op.OBJECT:
        return []
    scope = code[descriptors + op.SCOPE]
    found = []
    for binding in list(walker.bindings):
        if binding.scope == scope and binding.name != SPREAD:
            value = find_described_value(walker, binding.value)
            if value:
                found.append((binding.name, value))
    return found


def find_described_value(walker: EcmaScriptWalker, descriptor: int) -> int:
    """What reading a property gives that a literal describes: its `value`, or what its `get` returns; 0 if unknown."""
    code = walker.code
    if code[descriptor] != op.OBJECT:
        return 0
    scope = code[descriptor + op.SCOPE]
    for binding in reversed(walker.bindings):
        if binding.scope == scope and binding.name in ("value", "get") and binding.value:
            value = binding.value
            return walker.emit(op.CALL, code[value + op.BYTE], value, 0) if binding.name == "get" else value
    return 0


def note_accessor(walker: EcmaScriptWalker, target: int, descriptor: int) -> None:
    """A function that makes one of its arguments an accessor of another one."""
    owner = parameter_of(walker, target)
    if owner < 0 or walker.code[descriptor] != op.OBJECT:
        return
    scope = walker.code[descriptor + op.SCOPE]
    definition = walker.definitions[walker.definition]
    for binding in walker.bindings:
        if binding.scope == scope and binding.name in _ACCESSORS:
            given = parameter_of(walker, binding.value)
            flag = f"{ACCESSOR} {owner} {given}"
            if given >= 0 and definition.scope == walker.function and flag not in definition.flags:
                definition.flags = (*definition.flags, flag)


def parameter_of(walker: EcmaScriptWalker, value: int) -> int:
    """The position of the parameter of the current function that a name means; -1 if it means something else."""
    if walker.code[value] != op.NAME:
        return -1
    name = walker.texts[walker.code[value + op.WORD]]
    for position, parameter in enumerate(walker.parameters.get(walker.function, ())):
        if parameter.name == name:
            return position
    return -1


def lower_declared_properties(walker: EcmaScriptWalker, name: str, value: Node | None, definition: int) -> None:
    """`value`: what a static member holds, or the body of its getter."""
    if name not in _DECLARING or value is None:
        return
    literal = _returned(value) if value.type == "statement_block" else value
    for pair in literal.named_children if literal is not None and literal.type == "object" else ():
        key = pair.child_by_field_name("key")
        if key is not None and key.type in ("property_identifier", "string"):
            byte = key.start_byte + (key.type == "string")
            holder = walker.emit(op.INSTANCE, byte, walker.definition_value(definition))
            walker.site(walker.emit(op.ATTRIBUTE, byte, holder, walker.string(walker.name_of(key))), OFFERED)


def _returned(body: Node) -> Node | None:
    last = body.named_children[-1] if body.named_child_count else None
    is_value = last is not None and last.type == "return_statement" and last.named_child_count
    return last.named_children[0] if last is not None and is_value else None
