"""Calls that make tests: `describe("cart", () => ...)`, `it.each(table)("adds %i", ...)`, `t.test("empty", ...)`.

In: a call. Out: the symbol of the test, named by its title; what the other arguments do, such as the function that is
the test, belongs to it. A call counts if its function is known to be a runner's: imported from one, or in a test file
one of the names that runners make global. Which these are is in runners.py.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.languages.ecmascript import runners
from rpg.encoder.languages.ecmascript.runners import CASE, CONTEXT, LIBRARY, SEVERAL, SUITE, Role, TestNames
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.titles import SOURCE_LIMIT, define_titled

_ROOT: Final = re.compile(rb"[A-Za-z_$][\w$]*")
_FUNCTIONS: Final = frozenset(("function_expression", "generator_function", "arrow_function"))
_TEXTS: Final = frozenset(("string", "template_string", "binary_expression"))
_HANDLES: Final = frozenset(("identifier", "member_expression", "call_expression"))
"""What may stand for the function of a test, beside a function."""
_ESCAPE: Final = re.compile(r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|[nrtbfv0\n]|(.))")
_LIMIT_OF_CODES: Final = 0x110000
_TABLE: Final = re.compile(rb"[(`]")
_LONGEST_CHAIN: Final = 8
"""How many members and calls there may be before a title."""


class MadeTest(NamedTuple):
    """A call that makes a test."""

    is_suite: bool
    passes_context: bool
    title: Node
    callback: Node | None


def find_made_test(walker: EcmaScriptWalker, function: Node, arguments: Node) -> MadeTest | None:
    """What a call makes, if its function is a runner's and it has a title and something that is run."""
    root = _ROOT.match(walker.source, function.start_byte)
    if root is None or arguments.type != "arguments":
        return None
    role = role_of(walker, root[0].decode())
    if role is None:
        return None
    is_suite = suite_or_case(walker, function, role)
    parts = parts_of(arguments) if is_suite is not None else []
    if is_suite is None or len(parts) < 2:
        return None
    callback = next((part for part in reversed(parts[1:]) if part.type in _FUNCTIONS), None)
    title = parts[0]
    if callback is None:
        is_test = title.type in _TEXTS and any(part.type in _HANDLES for part in parts[1:])
    else:
        is_test = title.type not in _FUNCTIONS and title.type != "object"
    return MadeTest(is_suite, role.passes_context, title, callback) if is_test else None


def suite_or_case(walker: EcmaScriptWalker, function: Node, role: Role) -> bool | None:
    """Whether a callee that begins with such a name groups tests; None if it is neither a group nor a test."""
    members: list[str] = []
    is_called = False
    for _ in range(_LONGEST_CHAIN):
        kind = function.type
        if kind == "member_expression":
            name = function.children[-1]
            member = walker.source_of(name)
            if is_called and member not in runners.CALLED_VARIANTS:
                return None
            is_called = False
            members.append(member)
            function = function.children[0]
        elif kind == "call_expression" and not is_called:
            is_called = True
            function = function.children[0]
        else:
            break
    if function.type != "identifier" or is_called:
        return None
    found = {SUITE: True, CASE: False}.get(role.kind)
    for member in reversed(members):
        if member in runners.SUITES:
            found = True
        elif member in runners.CASES:
            found = False
        elif member not in runners.VARIANTS:
            return None
    return False if found is None and role.kind == LIBRARY else found


def role_of(walker: EcmaScriptWalker, name: str) -> Role | None:
    known = walker.test_names
    look_at_bindings(walker, known)
    scope = known.scopes.get(name, -1)
    if scope == SEVERAL:
        scope = walker.scope_of(name)
    if scope >= 0:
        return known.roles.get((scope, name))
    if not walker.is_test_file:
        return None
    is_global = known.globals.get(name)
    if is_global is None:
        is_known = name in runners.GLOBALS or name in runners.NAMESPACES
        is_global = known.globals[name] = is_known and not declares(walker, name)
    if not is_global:
        return None
    return Role(LIBRARY if name in runners.NAMESPACES else SUITE if name in runners.SUITES else CASE, False)


def declares(walker: EcmaScriptWalker, name: str) -> bool:
    """Whether the file has a function of that name, which may come after its uses."""
    return re.search(rb"\bfunction\s*\*?\s*" + re.escape(name.encode()) + rb"\s*[<(]", walker.source) is not None


def look_at_bindings(walker: EcmaScriptWalker, known: TestNames) -> None:
    """Notes which names are a runner's among those bound since the last look."""
    bindings = walker.bindings
    for at in range(known.read, len(bindings)):
        binding = bindings[at]
        name = binding.name
        role = role_of_value(walker, known, binding.value) if binding.value else None
        if role is not None:
            known.roles[binding.scope, name] = role
        elif (binding.scope, name) in known.roles:
            del known.roles[binding.scope, name]
        known.scopes[name] = binding.scope if known.scopes.get(name, binding.scope) == binding.scope else SEVERAL
    known.read = len(bindings)


def role_of_value(walker: EcmaScriptWalker, known: TestNames, value: int) -> Role | None:
    code = walker.code
    operation = code[value]
    if operation == op.PARAMETER:
        is_context = code[value + op.POSITION] == 0 and code[value + op.SCOPE] in known.context_scopes
        return Role(CONTEXT, True) if is_context else None
    if operation == op.CALL:
        callee = code[value + op.CALLEE]
        if code[callee] != op.ATTRIBUTE or walker.texts[code[callee + op.MEMBER]] != runners.EXTENDED:
            return None
        holder = code[callee + op.HOLDER]
        if code[holder] != op.NAME:
            return None
        name = walker.texts[code[holder + op.WORD]]
        return known.roles.get((known.scopes.get(name, -1), name))
    if operation not in (op.IMPORT, op.IMPORTED):
        return None
    module = walker.imports[code[value + op.STATEMENT]].module
    if module not in runners.LIBRARIES:
        return None
    passes_context = module in runners.WITH_CONTEXT
    imported = walker.texts[code[value + op.MEMBER]] if operation == op.IMPORTED else "default"
    if imported == "default":
        return Role(LIBRARY, passes_context)
    if imported in runners.SUITES:
        return Role(SUITE, passes_context)
    return Role(CASE, passes_context) if imported in runners.CASES else None


def begin_test(walker: EcmaScriptWalker, node: Node, made: MadeTest) -> None:
    """Defines the symbol of the test, which then is the current definition."""
    body = made.callback.start_byte if made.callback is not None else made.title.end_byte
    if made.callback is not None:
        walker.test_names.callbacks.add(body)
        if made.passes_context:
            walker.test_names.contexts.add(body)
    start = node.start_byte
    called = node.children[0].end_byte
    table = _TABLE.search(walker.source, start, called)
    head = walker.folded(start, called) if table is None else walker.folded(start, table.start()) + "(…)"
    walker.definition = define_titled(
        walker,
        title_of(walker, made.title),
        made.is_suite,
        walker.around(),
        start,
        node.end_byte,
        made.title.start_byte,
        body,
        head,
    )
    walker.prefix, walker.holder = "", -1


def title_of(walker: EcmaScriptWalker, node: Node) -> str:
    """The text of a title; what is computed stands as it is written, like in a template."""
    parts: list[str] = []
    pending = [node]
    length = 0
    while pending and length < SOURCE_LIMIT:
        node = pending.pop()
        kind = node.type
        start, end = node.start_byte, min(node.end_byte, node.start_byte + SOURCE_LIMIT)
        operands = node.children
        if kind in ("string", "template_string"):
            end = max(start + 1, end - (node.end_byte == end))
            part = _ESCAPE.sub(unescape, walker.text(start + 1, end))
        elif kind == "binary_expression" and len(operands) == 3 and operands[1].type == "+":
            pending += (operands[2], operands[0])
            continue
        elif kind == "parenthesized_expression" and node.named_child_count == 1:
            pending.append(node.named_children[0])
            continue
        else:
            part = walker.text(start, end)
            is_type = kind == "identifier" and part[:1].isupper() and not parts and not pending
            part = part if is_type else f"${{{part}}}"
        parts.append(part)
        length += len(part)
    return "".join(parts)


def unescape(match: re.Match[str]) -> str:
    """What an escape in a string stands for; white space for control characters."""
    code = match[1] or match[2] or match[3]
    if not code:
        return match[4] or " "
    number = int(code, 16)
    return chr(number) if number < _LIMIT_OF_CODES and not 0xD800 <= number < 0xE000 else " "
