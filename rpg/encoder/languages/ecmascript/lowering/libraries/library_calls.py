"""Library calls that mean more than a call: they put something into a container, add members, set a base.

In: a call. Out: stores, members, bases.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import BASE, Import
from rpg.encoder.languages.ecmascript.lowering.commonjs import (
    EXPORTS,
    WHOLE,
    export_member,
    export_members,
    exports_object,
    find_exported_names,
    is_free,
)
from rpg.encoder.languages.ecmascript.lowering.libraries.property_descriptors import (
    find_described_value,
    list_described_values,
    note_accessor,
)
from rpg.encoder.languages.ecmascript.types.type_expressions import SPREAD, expect_type
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker

_APPENDING: Final = {"push": 0, "unshift": 0, "add": 0, "append": 0, "splice": 2}
"""Method of a container that adds arguments -> the position of the first of them."""
_MERGED: Final = frozenset((op.NAME, op.ATTRIBUTE, op.PATH, op.OBJECT, op.IMPORT, op.CALL))
"""Expressions of objects whose members may be copied."""
MERGING: Final = frozenset(("merge-descriptors", "utils-merge", "object-assign"))
"""Modules that are a function like `Object.assign`."""
_HOLDING: Final = frozenset(
    """
    BehaviorSubject atom createContext createSignal createStore observable reactive ref shallowReactive shallowRef
    signal useImmer useRef useSignal useState writable
    """.split()
)
"""Functions and classes that hold what they are passed first, whose type their type argument is."""
_REGISTERING: Final = frozenset(("on", "once", "addListener", "prependListener"))
"""Methods of dispatchers that register a function under a name."""
TELLING: Final = (
    _APPENDING.keys()
    | _REGISTERING
    | {
        "set",
        "assign",
        "defineProperty",
        "defineProperties",
        "inherits",
        "setPrototypeOf",
    }
)
"""Methods whose calls mean more than a call."""


def note_types(walker: EcmaScriptWalker, call: int, types: list[int]) -> None:
    """The type arguments of a call: `useState<Cart>({ total: 0 })` takes a literal of the type."""
    walker.type_arguments[call] = types
    code = walker.code
    callee = code[call + op.CALLEE]
    named = code[callee] in (op.NAME, op.ATTRIBUTE, op.PATH)
    if named and code[call + op.ARGUMENT_COUNT] and walker.texts[op.find_name_word(code, callee)] in _HOLDING:
        expect_type(walker, types[0], code[call + op.ARGUMENTS])


def inherit(walker: EcmaScriptWalker, definition: int, value: int) -> None:
    """The value that a constructor function's prototype is made from is its base."""
    base = prototype_of(walker, value)
    if definition >= 0 and base:
        walker.bases.setdefault(definition, []).append(("", base))
        walker.sites += (base, BASE, definition)


def prototype_of(walker: EcmaScriptWalker, value: int) -> int:
    """The class in `Object.create(Base.prototype)`, `Base.prototype` or `new Base`."""
    code, texts = walker.code, walker.texts
    if code[value] == op.ATTRIBUTE and texts[code[value + op.MEMBER]] == "prototype":
        return code[value + op.HOLDER]
    if code[value] != op.CALL:
        return 0
    callee = code[value + op.CALLEE]
    if code[callee] == op.ATTRIBUTE and texts[code[callee + op.MEMBER]] == "create":
        return prototype_of(walker, code[value + op.ARGUMENTS]) if code[value + op.ARGUMENT_COUNT] else 0
    made = code[callee] == op.NAME and walker.source[: code[callee + op.BYTE]].rstrip().endswith(b"new")
    return callee if made else 0


def fill(walker: EcmaScriptWalker, callee: int, row: list[int]) -> None:
    """Calls that put values into their receiver."""
    code = walker.code
    container, method = code[callee + op.HOLDER], walker.texts[code[callee + op.MEMBER]]
    first = _APPENDING.get(method)
    if first is not None:
        for position in range(2 * first, len(row), 2):
            value = row[position + 1]
            if row[position] == op.STARRED and value:
                value = walker.emit(op.ELEMENT, code[value + op.BYTE], value)
            walker.items.append((container, 0, value))
    elif method in _REGISTERING:
        if len(row) >= 4 and row[3]:
            walker.items.append((container, row[1], row[3]))
            if code[row[1]] == op.STRING:
                walker.members.append((container, f"on {walker.texts[code[row[1] + op.WORD]]}", row[3]))
    elif method == "set" and len(row) == 4:
        walker.items.append((container, row[1], row[3]))
    elif (
        method == "assign"
        and len(row) > 2
        and code[container] == op.NAME
        and walker.texts[code[container + op.WORD]] == "Object"
    ):
        for position in range(2, len(row), 2):
            merge_members(walker, row[1], row[position + 1])
    elif method == "defineProperty" and len(row) == 6:
        note_accessor(walker, row[1], row[5])
        if code[row[3]] == op.STRING:
            define_property(walker, row[1], walker.texts[code[row[3] + op.WORD]], row[5])
    elif method == "defineProperties" and len(row) == 4:
        for name, value in list_described_values(walker, row[3]):
            walker.members.append((row[1], name, value))
    elif method == "inherits" and len(row) >= 4 and code[row[1]] == op.NAME:
        # util.inherits(Derived, Base)
        definition = walker.definition_of(walker.texts[code[row[1] + op.WORD]])
        if definition >= 0:
            walker.bases.setdefault(definition, []).append(("", row[3]))
            walker.sites += (row[3], BASE, definition)
    elif method == "setPrototypeOf" and len(row) == 4 and prototype_of(walker, row[1]):
        inherit(walker, walker.definition_of(walker.path_of(prototype_of(walker, row[1]))), row[3])


def load(walker: EcmaScriptWalker, row: list[int]) -> None:
    """`define(["a"], function (a) { return ... })`; `__exportStar(require("a"))`, which compilers write."""
    code = walker.code
    values = row[1::2]
    if values and code[values[0]] == op.IMPORT:
        walker.exports.setdefault("stars", []).append(code[values[0] + op.STATEMENT])
    listed = next((value for value in values[:-1] if code[value] == op.LIST), 0)
    if not listed or code[values[-1]] != op.FUNCTION:
        return
    scope = code[values[-1] + op.SCOPE]
    modules = op.items_of(code, listed)
    for position, parameter in enumerate(walker.parameters.get(scope, [])[: len(modules)]):
        if code[modules[position]] == op.STRING and parameter.name:
            byte = code[modules[position] + op.BYTE]
            module = walker.texts[code[modules[position] + op.WORD]]
            walker.imports.append(Import(module, 0, byte, walker.scope))
            bind_module(walker, scope, parameter.name, walker.emit(op.IMPORT, byte, len(walker.imports) - 1))
    if walker.function == 0 and scope in walker.returns:
        exports_object(walker)
        find_exported_names(walker)[WHOLE] = walker.returns[scope][-1]
        export_members(walker, walker.returns[scope][-1])


def bind_module(walker: EcmaScriptWalker, scope: int, name: str, value: int) -> None:
    """A parameter that holds the module."""
    for binding in walker.bindings:
        if binding.scope == scope and binding.name == name:
            binding.value = value
            return


def merge_members(walker: EcmaScriptWalker, target: int, source: int) -> None:
    """`Object.assign(target, source)`."""
    walker.members.append((target, SPREAD, source))
    path = walker.path_of(target)
    if path in EXPORTS and is_free(walker, path.partition(".")[0]):
        exports_object(walker)
        export_members(walker, source)


def merge_all(walker: EcmaScriptWalker, row: list[int]) -> None:
    """A call of an imported function like `Object.assign`; what else it takes are options."""
    for position in range(2, len(row), 2):
        if walker.code[row[position + 1]] in _MERGED:
            merge_members(walker, row[1], row[position + 1])


def define_property(walker: EcmaScriptWalker, target: int, name: str, descriptor: int) -> None:
    """`Object.defineProperty(target, name, { value })`, or a getter that returns it."""
    value = find_described_value(walker, descriptor)
    if not value:
        return
    path = walker.path_of(target)
    if path not in EXPORTS or not is_free(walker, path.partition(".")[0]):
        walker.members.append((target, name, value))
    elif name != "__esModule":
        export_member(walker, name, value, walker.code[descriptor + op.BYTE])
