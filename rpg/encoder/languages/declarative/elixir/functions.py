"""Lowers Elixir's functions and tests.

In: calls of `def` and `test`. Out: definitions with what their bodies refer to; clauses of one function are one symbol.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import Parameter
from rpg.encoder.languages.declarative.elixir.names import (
    ElixirWalker,
    Uses,
    argument_nodes,
    blocks_of,
    keyword_value,
    lower_all,
    module_text,
    row_of,
    using,
)
from rpg.encoder.languages.declarative.elixir.patterns import pattern
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.titles import SOURCE_LIMIT, define_titled
from rpg.graph import OVERRIDE

FUNCTIONS: Final = frozenset("def defp defmacro defmacrop defguard defguardp defdelegate".split())
_PRIVATE: Final = frozenset("defp defmacrop defguardp".split())


def lower_quote(walker: ElixirWalker, node: Node) -> int:
    """Code that a macro makes: what it defines is no symbol here."""
    around, is_quoting = walker.function, walker.is_quoting
    walker.function, walker.is_quoting = around or walker.scope, True
    lower_all(walker, [*argument_nodes(node), *blocks_of(node)])
    walker.function, walker.is_quoting = around, is_quoting
    return 0


def lower_unquote(walker: ElixirWalker, node: Node) -> int:
    """`unquote(helpers())` in code that is made: what that function makes is part of it."""
    arguments = argument_nodes(node)
    target = arguments[0].child_by_field_name("target") if arguments and arguments[0].type == "call" else None
    if target is not None and target.type == "identifier" and walker.uses is not None:
        walker.uses.modules.append(using(walker.module, walker.source_of(target)))
    return lower_all(walker, arguments)


def head_of(walker: ElixirWalker, node: Node) -> tuple[Node | None, list[Node]]:
    """Name and parameters of a function's head."""
    operator = node.child_by_field_name("operator") if node.type == "binary_operator" else None
    if operator is not None and operator.type == "when":
        left = node.child_by_field_name("left")
        return head_of(walker, left) if left is not None else (None, [])
    if node.type == "identifier":
        return node, []
    if node.type == "call":
        target = node.child_by_field_name("target")
        if target is None or target.type != "identifier" or walker.source_of(target) == "unquote":
            return None, []
        return target, argument_nodes(node)
    if operator is not None and node.type == "binary_operator":
        return operator, [child for child in node.named_children if child.type != "comment"]
    return None, []


def function(walker: ElixirWalker, node: Node, word: str, arguments: list[Node]) -> int:
    """A clause of a function; all clauses with as many parameters are one symbol."""
    name, parameters = head_of(walker, arguments[0])
    if name is None:
        return lower_quote(walker, node)
    text = walker.text_of(name)
    start, end = node.start_byte, node.end_byte
    around, variables, structs = walker.here(), walker.variables, walker.structs
    body = next(iter(blocks_of(node)), None)
    body_byte = body.start_byte if body is not None else arguments[0].end_byte
    key = (walker.definition, text, len(parameters))
    first = walker.clauses.get(key, -1)
    definitions = walker.definitions
    is_next = first >= 0 and first == len(definitions) - 1
    if not is_next:
        index = walker.symbol(
            "method",
            text,
            name.start_byte,
            node,
            body_byte,
            doc=walker.doc_text,
            exported=word not in _PRIVATE,
            modifiers=(OVERRIDE,) if walker.implements else (),
        )
        walker.attributes = -1
        if first >= 0:
            definitions[index].symbol = first
        else:
            walker.clauses[key] = first = index
            walker.bind(text, walker.definition_value(index), walker.scopes[walker.scope].start_byte)
    else:
        index, walker.attributes = first, -1
        lengthen(walker, index, end)
    walker.doc_text, walker.implements = "", False
    walker.definition = index
    walker.scope = walker.function = scope = walker.open_scope("function", index, start, end)
    if definitions[index].scope < 0:
        definitions[index].scope = scope
    walker.open_block(start, end)
    walker.variables, walker.structs = set(), {}
    rows: list[Parameter] = []
    for each in parameters:
        operator = each.child_by_field_name("operator") if each.type == "binary_operator" else None
        has_default = operator is not None and operator.type == "\\\\"
        rows.append(Parameter("", "positional", 0, walker.literal("default", each.start_byte) if has_default else 0))
        pattern(walker, each)
    if rows:
        walker.parameters[scope] = rows
    guard = arguments[0].child_by_field_name("right") if arguments[0].type == "binary_operator" else None
    if guard is not None and guard not in parameters:
        walker.walk(guard)
    if word == "defdelegate":
        lower_delegate(walker, text, name, len(parameters), arguments)
    making(walker, "" if text == "__using__" else text, [*arguments[1:], *blocks_of(node)])
    walker.variables, walker.structs = variables, structs
    walker.return_to(around)
    return 0


def making(walker: ElixirWalker, name: str, nodes: list[Node]) -> None:
    """Lowers the body of a function, which may make code for `use`."""
    outer, walker.uses = walker.uses, Uses([], {})
    lower_all(walker, nodes)
    made, walker.uses = walker.uses, outer
    if made.modules or made.aliases:
        walker.made[using(walker.module, name)] = made


def case_template(walker: ElixirWalker, node: Node, arguments: list[Node]) -> int:
    """`using do ... end` in a case template is its `__using__`."""
    making(walker, "", [*arguments, *blocks_of(node)])
    return 0


def lengthen(walker: ElixirWalker, index: int, end: int) -> None:
    """A function's symbol reaches to its last clause."""
    definition = walker.definitions[index]
    definition.end_byte = end
    definition.end_line = walker.line(max(end - 1, 0))
    scope = walker.scopes[definition.scope]
    walker.definitions.pop()
    around, walker.definition = walker.definition, definition.parent
    walker.define(definition)
    walker.definition = around
    scope.definition = index


def lower_delegate(walker: ElixirWalker, text: str, name: Node, count: int, arguments: list[Node]) -> None:
    """`defdelegate f(x), to: Module` calls the module's."""
    target = keyword_value(walker, arguments, "to:")
    given = keyword_value(walker, arguments, "as:")
    full = module_text(walker, target) if target is not None else ""
    if full:
        word = walker.string(walker.source_of(given).lstrip(":") if given is not None else text)
        holder = walker.variable(walker.string(full), name.start_byte)
        walker.call(walker.emit(op.ATTRIBUTE, name.start_byte, holder, word), name.start_byte, row_of([], count))


def define_titled_test(walker: ElixirWalker, node: Node, is_suite: bool, arguments: list[Node]) -> int:
    """`test "adds things" do`"""
    text = arguments[0] if arguments else None
    bodies = blocks_of(node)
    if text is None or text.type != "string" or not bodies:
        return lower_all(walker, [*arguments, *bodies])
    title = walker.text(text.start_byte + 1, min(text.end_byte - 1, text.start_byte + SOURCE_LIMIT))
    start, end, body = node.start_byte, node.end_byte, bodies[0].start_byte
    head = walker.folded(start, body)
    parent = walker.definition
    index = define_titled(walker, title, is_suite, parent, start, end, text.start_byte, body, head)
    around, variables, structs = walker.here(), walker.variables, walker.structs
    walker.definition = index
    if not is_suite:
        walker.scope = walker.function = walker.open_scope("function", index, start, end)
        walker.definitions[index].scope = walker.scope
        walker.variables, walker.structs = set(), {}
        for each in arguments[1:]:
            pattern(walker, each)
    lower_all(walker, bodies)
    walker.variables, walker.structs = variables, structs
    walker.return_to(around)
    return 0
