"""The exports object of CommonJS, whose members `exports.a = b` and `module.exports = { ... }` define.

In: names and values. Out: a scope for the object, and the module's exports.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.languages.ecmascript.types.type_expressions import SPREAD
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker

WHOLE: Final = "="
"""The name under which `module.exports` itself is exported."""
EXPORTS: Final = ("exports", "module.exports")


def is_free(walker: EcmaScriptWalker, name: str) -> bool:
    """Whether `exports` or `module` has its CommonJS meaning: nothing binds it, except ourselves."""
    scope = walker.scope_of(name)
    return scope < 0 or (scope == 0 and walker.exports_scope >= 0)


def exports_object(walker: EcmaScriptWalker) -> int:
    """The scope that represents the exports: `exports.a` and `module.exports.a` find their members there."""
    if walker.exports_scope < 0:
        size = len(walker.source)
        around = walker.here()
        walker.scope = walker.block = 0
        walker.exports_scope = walker.open_scope("object", 0, 0, size)
        module = walker.open_scope("object", 0, 0, size)
        walker.bind("exports", walker.emit(op.OBJECT, 0, walker.exports_scope), 0, "", module)
        walker.bind("exports", walker.emit(op.OBJECT, 0, walker.exports_scope), 0, "", 0)
        walker.bind("module", walker.emit(op.OBJECT, 0, module), 0, "", 0)
        walker.return_to(around)
    return walker.exports_scope


def find_exported_names(walker: EcmaScriptWalker) -> dict[str, int]:
    names: dict[str, int] = walker.exports.setdefault("names", {})
    return names


def export_member(walker: EcmaScriptWalker, name: str, value: int, byte: int) -> None:
    scope = exports_object(walker)
    find_exported_names(walker)[name] = value
    walker.bind(name, value, byte, "weak" if name in walker.bound[scope] else "", scope)


def export_members(walker: EcmaScriptWalker, value: int) -> None:
    """Exports the members of an object literal by name."""
    if walker.code[value] == op.IMPORT:
        walker.exports.setdefault("stars", []).append(walker.code[value + op.STATEMENT])
    walker.bind(SPREAD, value, walker.code[value + op.BYTE], "weak", walker.exports_scope)
    if walker.code[value] != op.OBJECT:
        return
    scope, names = walker.code[value + op.SCOPE], find_exported_names(walker)
    first, end = walker.literal_bindings.get(scope, (0, 0))
    for binding in [each for each in walker.bindings[first:end] if each.scope == scope and each.value]:
        if binding.name == SPREAD:
            export_members(walker, binding.value)
        else:
            names[binding.name] = binding.value
