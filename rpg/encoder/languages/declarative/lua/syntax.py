"""Lua's kinds of nodes.

In: nodes. Out: `SPEC`, `Lowering`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import WRITE, Import
from rpg.encoder.languages.declarative.definitions import define
from rpg.encoder.languages.declarative.expressions import branch, call, lower_repeated, member
from rpg.encoder.languages.declarative.lowering import DeclarativeLowering, handlers_of
from rpg.encoder.languages.declarative.lua.rules import Rules
from rpg.encoder.languages.declarative.spec import Call, Form, Member, Spec
from rpg.encoder.languages.declarative.variables import field
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.titles import SOURCE_LIMIT, define_titled
from rpg.encoder.lowering.walker import Handlers

_FUNCTION: Final = Form("function", generics=())
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_INDEXED: Final = ("bracket_index_expression", "dot_index_expression")
SPREAD: Final = "..."
"""The name of a binding of a table all of whose members another one has."""
_RAW: Final = ("rawget", "rawset")
"""Functions that are passed a table and the name of a member."""
_SUITES: Final = ("context", "describe", "expose", "insulate")
_TESTS: Final = ("it", "spec", "test")


def function_declaration(walker: DeclarativeWalker, node: Node) -> int:
    """`function f()`, `function M.f()`, `function M:f()`."""
    name = node.child_by_field_name("name")
    if name is None:
        return walker.through(node)
    if name.type == "identifier":
        is_local = any(child.type == "local" for child in node.children)
        define(walker, node, _FUNCTION, name)
        if is_local:
            walker.offered.pop(walker.text_of(name), None)
        return 0
    member_function(walker, node, name)
    return 0


def member_function(walker: DeclarativeWalker, node: Node, target: Node) -> int:
    """A function of a table. Returns its definition."""
    table, named = target.child_by_field_name("table"), key_of(walker, target)
    if table is None or named is None:
        return walker.through(node)
    holder = walker.walk(table)
    walker.drop_site(holder)
    walker.receiver_value = holder if target.type == "method_index_expression" else 0
    header, walker.header = walker.header, None
    index = define(walker, node, _FUNCTION, named, "", header, walker.source_of(table))
    walker.receiver_value = 0
    walker.members.append((holder, walker.text_of(named), walker.definition_value(index)))
    return index


def key_of(walker: DeclarativeWalker, node: Node) -> Node | None:
    """What names a member: `m.run`, `m:run`, `m["run"]`."""
    named = node.child_by_field_name("field") or node.child_by_field_name("method")
    if named is None:
        return None
    return constant_key(walker, named) if node.type == "bracket_index_expression" else named


def constant_key(walker: DeclarativeWalker, node: Node) -> Node | None:
    """The name in `["run"]`."""
    content = node.child_by_field_name("content") if node.type == "string" else None
    return content if content is not None and _NAME.fullmatch(walker.source_of(content)) else None


def index(walker: DeclarativeWalker, node: Node) -> int:
    """`m["run"]` is `m.run`; `_G["run"]` is a global name."""
    named, table = key_of(walker, node), node.child_by_field_name("table")
    if named is None or table is None:
        return walker.through(node)
    if walker.source_of(table) == "_G":
        return walker.identifier(named)
    return walker.member(walker.walk(table), named)


def lower_dotted(walker: DeclarativeWalker, node: Node) -> int:
    table, named = node.child_by_field_name("table"), node.child_by_field_name("field")
    is_global = table is not None and named is not None and walker.source_of(table) == "_G"
    return walker.identifier(named) if is_global and named is not None else member(walker, node)


def assignment(walker: DeclarativeWalker, node: Node) -> int:
    """`a, b.c = x, y`"""
    is_local = walker.is_local_declaration
    walker.is_local_declaration = False
    left = next((child for child in node.named_children if child.type == "variable_list"), None)
    right = next((child for child in node.named_children if child.type == "expression_list"), None)
    targets = [each for each in left.named_children if each.type != "comment"] if left is not None else []
    parts = [each for each in right.named_children if each.type != "comment"] if right is not None else []
    for at, target in enumerate(targets):
        part = parts[at] if at < len(parts) else None
        if part is not None and part.type == "function_definition" and len(parts) == len(targets):
            if target.type == "identifier":
                define(walker, node, _FUNCTION._replace(parameters=()), target, "", part)
                continue
            if target.type in _INDEXED and key_of(walker, target) is not None:
                walker.header = part
                member_function(walker, node, target)
                continue
        value = walker.walk(part) if part is not None else 0
        if target.type == "identifier":
            if is_local and value and walker.code[value] == op.IMPORT:
                walker.bind(walker.text_of(target), value, node.end_byte)  # an import, no symbol
            elif walker.scope == 0 and (is_local or walker.scope_of(walker.text_of(target)) < 0):
                field(walker, target, node, 0, value, "constant", None, not is_local)
            elif is_local or walker.scope_of(walker.text_of(target)) < 0:
                walker.bind(walker.text_of(target), value, node.end_byte)
            else:
                walker.value_name(target, WRITE)
                walker.assign_later(walker.text_of(target), value, node.end_byte)
        else:
            written = walker.with_role(target, WRITE)
            if value and written and walker.code[written] == op.ATTRIBUTE:
                walker.store(written, value)
    for part in parts[len(targets) :]:
        walker.walk(part)
    return 0


def local_declaration(walker: DeclarativeWalker, node: Node) -> int:
    for child in node.named_children:
        if child.type == "assignment_statement":
            walker.is_local_declaration = True
            walker.walk(child)
        elif child.type == "variable_list":
            for each in child.named_children:
                if each.type == "identifier":
                    walker.bind(walker.text_of(each), 0, node.end_byte)
        else:
            walker.walk(child)
    return 0


def function_call(walker: DeclarativeWalker, node: Node) -> int:
    """`require "m"` is the module."""
    name, arguments = node.child_by_field_name("name"), node.child_by_field_name("arguments")
    if name is not None and arguments is not None and walker.source[name.start_byte : name.end_byte] == b"require":
        text = next((child for child in arguments.named_children if child.type == "string"), None)
        content = text.child_by_field_name("content") if text is not None else None
        if content is not None:
            walker.imports.append(Import(walker.source_of(content), 0, content.start_byte, 0))
            return walker.emit(op.IMPORT, content.start_byte, len(walker.imports) - 1)
    if name is not None and arguments is not None and define_titled_test(walker, node, name, arguments):
        return 0
    value = call(walker, node)
    if name is not None and walker.source_of(name) == "setmetatable" and walker.code[value + op.ARGUMENT_COUNT] == 2:
        return set_metatable(walker, walker.code[value + op.ARGUMENTS], walker.code[value + op.ARGUMENTS + 2], value)
    if name is not None and arguments is not None and walker.source_of(name) in _RAW:
        parts = arguments.named_children
        named = constant_key(walker, parts[1]) if len(parts) > 1 else None
        if named is not None:
            walker.member(walker.code[value + op.ARGUMENTS], named)
    return value


def define_titled_test(walker: DeclarativeWalker, node: Node, name: Node, arguments: Node) -> bool:
    """`it("adds", function() ... end)` of busted."""
    text = walker.source_of(name) if name.type == "identifier" else ""
    if text not in _SUITES and text not in _TESTS:
        return False
    parts = [child for child in arguments.named_children if child.type != "comment"]
    if len(parts) != 2 or parts[1].type != "function_definition":
        return False
    if not Rules.is_run(walker.path) or walker.scope_of(text) >= 0:
        return False
    written, body = parts
    title = "".join(title_parts(walker, written))[:SOURCE_LIMIT]
    start, end, is_suite = node.start_byte, node.end_byte, text in _SUITES
    head, at = walker.folded(start, body.start_byte), written.start_byte
    around = walker.here()
    index = define_titled(walker, title, is_suite, walker.definition, start, end, at, body.start_byte, head)
    walker.definition = index
    if not is_suite:
        walker.scope = walker.function = walker.open_scope("function", index, start, end)
        walker.definitions[index].scope = walker.scope
    walker.walk(written)
    walker.walk(body)
    walker.return_to(around)
    return True


def title_parts(walker: DeclarativeWalker, node: Node) -> Iterator[str]:
    """The parts of `"adds " .. count .. " lines"`: what is only known when it runs is in `${}`."""
    if node.type == "string":
        content = node.child_by_field_name("content")
        yield walker.source_of(content) if content is not None else ""
    elif node.type == "binary_expression" and any(child.type == ".." for child in node.children):
        for child in node.named_children:
            yield from title_parts(walker, child)
    else:
        yield f"${{{walker.source_of(node)}}}"


def set_metatable(walker: DeclarativeWalker, table: int, meta: int, value: int) -> int:
    """`setmetatable(table, meta)` is the table, which has the members of `meta.__index`, too."""
    code = walker.code
    if code[table] == op.NAME:
        text = walker.texts[code[table + op.WORD]]
        bound = [each.value for each in walker.bindings if each.name == text and each.scope == walker.scope_of(text)]
        made = next((each for each in reversed(bound) if code[each] == op.OBJECT), 0)
    else:
        made = table if code[table] == op.OBJECT else 0
    if not made or not meta:
        return table or value
    byte = code[value + op.BYTE]
    index = walker.emit_member(meta, "__index", byte)
    if code[meta] == op.OBJECT:
        # The members of a table without a name are for the language alone.
        walker.bind(SPREAD, index, byte, "", code[made + op.SCOPE])
    else:
        walker.bind(SPREAD, meta, byte, "", code[made + op.SCOPE])
        walker.bind(SPREAD, index, byte, "", code[made + op.SCOPE])
    return table


def table_constructor(walker: DeclarativeWalker, node: Node) -> int:
    scope = walker.open_scope("object", walker.definition, node.start_byte, node.end_byte)
    for child in node.named_children:
        name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
        held = walker.walk(value) if value is not None else walker.walk(child) if child.type != "field" else 0
        if name is not None and child.children[0].type == "[":
            walker.walk(name)
            name = constant_key(walker, name)
        if name is not None:
            walker.bind(walker.text_of(name), held, child.start_byte, "", scope)
    return walker.emit(op.OBJECT, node.start_byte, scope)


def return_statement(walker: DeclarativeWalker, node: Node) -> int:
    """What a file returns is the module."""
    value = 0
    for child in node.named_children:
        for each in child.named_children if child.type == "expression_list" else [child]:
            value = walker.walk(each)
    if value and walker.function:
        walker.returns.setdefault(walker.function, []).append(value)
    elif value and walker.scope == 0:
        walker.exports["names"] = {"=": value}
    return 0


def for_statement(walker: DeclarativeWalker, node: Node) -> int:
    around = walker.enter_block(node)
    clause = node.child_by_field_name("clause")
    for child in clause.named_children if clause is not None else ():
        if child.type == "variable_list":
            for each in child.named_children:
                walker.bind(walker.text_of(each), 0, each.end_byte)
        elif child.type == "identifier" and clause is not None and clause.child_by_field_name("name") == child:
            walker.bind(walker.text_of(child), 0, child.end_byte)
        else:
            walker.walk(child)
    walker.field(node, "body")
    walker.leave_block(around)
    return 0


SPEC: Final[Spec] = Spec(
    definitions={"function_declaration": _FUNCTION},
    calls={"function_call": Call(("name",))},
    members={
        "dot_index_expression": Member(("table",), ("field",)),
        "method_index_expression": Member(("table",), ("method",)),
    },
    names=frozenset({"identifier"}),
    wrappers=frozenset({"parenthesized_expression"}),
    literals={"string": "string", "number": "number", "true": "boolean", "false": "boolean"},
    lambdas={"function_definition": ("parameters",)},
    blocks=frozenset({"do_statement"}),
    handlers={
        "function_declaration": function_declaration,
        "assignment_statement": assignment,
        "variable_declaration": local_declaration,
        "function_call": function_call,
        "bracket_index_expression": index,
        "dot_index_expression": lower_dotted,
        "table_constructor": table_constructor,
        "return_statement": return_statement,
        "for_statement": for_statement,
        "if_statement": branch,
        "elseif_statement": branch,
        "else_statement": branch,
        "while_statement": lower_repeated,
        "repeat_statement": lower_repeated,
    },
    is_global=True,
)


class Lowering(DeclarativeLowering):
    spec: ClassVar[Spec] = SPEC
    handlers: ClassVar[Handlers] = handlers_of(SPEC)
