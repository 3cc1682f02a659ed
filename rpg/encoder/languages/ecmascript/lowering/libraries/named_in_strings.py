"""Lowers strings that name something: members by their name alone (`jest.spyOn(cart, "total")`), modules that a test
runner replaces (`jest.mock("./cart")`).

In: a call with its arguments. Out: the member as an expression with its site, at the name in the string; imports.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import DELETED, OFFERED, READ, SIDE_EFFECT, WRITE, Import
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker
from rpg.encoder.lowering.node import Node

_LOOKING: Final = {
    "spyOn": READ, "spyOnProperty": READ, "stub": WRITE, "spy": READ, "replace": WRITE, "replaceGetter": WRITE,
    "replaceProperty": WRITE, "method": WRITE,
}  # fmt: skip
"""Functions of test libraries that take an object and the name of its member, by their last part -> what they do."""
_OF_REFLECTION: Final = {
    "Reflect": {
        "get": READ, "set": WRITE, "has": READ, "deleteProperty": DELETED, "getOwnPropertyDescriptor": READ,
        "defineProperty": WRITE,
    },
    "Object": {"hasOwn": READ, "getOwnPropertyDescriptor": READ},
}  # fmt: skip
"""The same for objects of the language."""
_GLOBAL: Final = frozenset(("spyOn", "spyOnProperty"))
"""Those that need no object in front."""
_COMMON: Final = frozenset(("replace", "method"))
"""Those that other objects have, too: they count only for an object that is called like a test library."""
_STANDING_IN: Final = frozenset(("sinon", "sandbox", "sb", "mock", "td"))
_RUNNERS: Final = frozenset(("jest", "vi", "vitest"))
_MODULES: Final = {
    **dict.fromkeys("mock doMock unmock doUnmock dontMock setMock unstable_mockModule".split(), ""),
    **dict.fromkeys("requireActual requireMock".split(), "require"),
    **dict.fromkeys("importActual importMock".split(), "dynamic"),
}
"""Functions of test runners that take a module's name -> as what they return the module."""
NAMING: Final = frozenset((*_LOOKING, *_MODULES, *(name for named in _OF_REFLECTION.values() for name in named)))
"""Functions whose string may name something."""


def find_named_by_call(walker: EcmaScriptWalker, callee: int, row: list[int], arguments: Node) -> int:
    """What a call with a string among its first two arguments names. Returns the module that it returns; else 0."""
    code, texts = walker.code, walker.texts
    name = texts[op.find_name_word(code, callee)]
    holder = code[callee + op.HOLDER] if code[callee] != op.NAME else 0
    around = (
        texts[op.find_name_word(code, holder)] if holder and code[holder] in (op.NAME, op.ATTRIBUTE, op.PATH) else ""
    )
    if name in _MODULES and around in _RUNNERS:
        if not row or code[row[1]] != op.STRING:
            return 0
        module = module_named(walker, row, _MODULES[name])
        if not _MODULES[name] and len(row) == 4:
            name_replaced(walker, arguments)
        return module
    if (
        len(row) < 4
        or row[0] != op.POSITIONAL
        or code[row[3]] != op.STRING
        or not texts[code[row[3] + op.WORD]].isidentifier()
    ):
        return 0
    role = _OF_REFLECTION.get(around, {}).get(name, -1) if around in _OF_REFLECTION else _LOOKING.get(name, -1)
    if (code[callee] == op.NAME and name not in _GLOBAL) or (name in _COMMON and around not in _STANDING_IN):
        return 0
    if role >= 0:
        walker.site(walker.emit(op.ATTRIBUTE, code[row[3] + op.BYTE] + 1, row[1], code[row[3] + op.WORD]), role)
    return 0


def name_replaced(walker: EcmaScriptWalker, arguments: Node) -> None:
    """`jest.mock("./cart", () => ({ total: jest.fn() }))`: the members of the module that others stand in for."""
    made = arguments.named_children[-1]
    body = made.child_by_field_name("body") if made.type in ("arrow_function", "function_expression") else None
    if body is not None and body.type == "statement_block":
        body = body.named_children[-1] if body.named_child_count else None
    while body is not None and body.type in ("parenthesized_expression", "return_statement"):
        body = body.named_children[0] if body.named_child_count else None
    if body is None or body.type != "object":
        return
    statement = len(walker.imports) - 1
    for child in body.named_children:
        key = child
        if child.type in ("pair", "method_definition"):
            key = child.child_by_field_name("key" if child.type == "pair" else "name") or child
        if key.type in ("property_identifier", "shorthand_property_identifier"):
            byte, name = key.start_byte, walker.string(walker.text_of(key))
            module = walker.emit(op.IMPORT, byte, statement)
            walker.site(walker.emit(op.ATTRIBUTE, byte, module, name), OFFERED)


def module_named(walker: EcmaScriptWalker, row: list[int], returned: str) -> int:
    code = walker.code
    module = walker.texts[code[row[1] + op.WORD]]
    kind = "dynamic" if returned == "dynamic" else "" if returned else SIDE_EFFECT
    walker.imports.append(Import(module, 0, code[row[1] + op.BYTE], walker.scope, kind))
    return walker.emit(op.IMPORT, code[row[1] + op.BYTE], len(walker.imports) - 1) if returned else 0
