"""Fields of a class that a static member of it declares by name, as components of Lit and Polymer do: `this.nick` by
`static properties = { nick: {} }`.

In: that member. Out: a site at each key of its literal, of the field if there is one.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import OFFERED
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker
from rpg.encoder.lowering.node import Node

_DECLARING: Final = frozenset(("properties",))


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
