"""Elixir's constructs, most of which are calls to its grammar.

In: nodes. Out: `SPEC`, `Lowering`.
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import READ, Import
from rpg.encoder.languages.declarative.elixir.functions import (
    FUNCTIONS,
    case_template,
    define_titled_test,
    function,
    lower_quote,
    lower_unquote,
)
from rpg.encoder.languages.declarative.elixir.markup import lower_components, markup_code
from rpg.encoder.languages.declarative.elixir.modules import (
    MODULES,
    attribute,
    directive,
    embed,
    mention_functions,
    module,
)
from rpg.encoder.languages.declarative.elixir.names import (
    FUNCTION_NAME,
    ElixirWalker,
    argument_nodes,
    blocks_of,
    count_written,
    local_function,
    local_function_named,
    lower_all,
    module_text,
    module_value,
    row_of,
)
from rpg.encoder.languages.declarative.elixir.patterns import (
    STRUCTS,
    block,
    clause,
    lower_keys,
    lower_struct_definition,
    map_of,
    mention_fields,
    pattern,
    read_field,
    struct,
    struct_in,
)
from rpg.encoder.languages.declarative.elixir.rules import Rules
from rpg.encoder.languages.declarative.lowering import handlers_of
from rpg.encoder.languages.declarative.spec import Spec
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers

_CONTROLLER: Final = re.compile(r"((?:.*/)?)controllers/((?:\w+/)*\w+)_controller\.ex")
_RENDERING: Final = frozenset(("render", "render!"))
_DIRECTIVES: Final = frozenset("alias import require use".split())
_RUNNING: Final = frozenset(
    """apply async async_nolink async_stream async_stream_nolink apply_after apply_interval apply_repeatedly call
    capture cast exec function_exported? macro_exported? multicall send_after spawn spawn_link spawn_monitor spawn_opt
    start start_child start_link tc""".split()
)
"""Functions that run a function of a module that is in a variable, or ask for one."""
_SIGILS: Final = frozenset("C D H L N R S T U W c r s w".split())
"""Those of the language and its best known library."""
_COMPARING: Final = frozenset("== != === !== in".split()) | {"not in"}


def alias(walker: ElixirWalker, node: Node) -> int:
    return module_value(walker, node)


def identifier(walker: ElixirWalker, node: Node) -> int:
    """A variable, or a call without arguments."""
    text = walker.source_of(node)
    if text in walker.variables or walker.class_scope < 0 or text not in walker.bound[walker.class_scope]:
        return 0
    return walker.call(local_function(walker, node), node.start_byte, [])


def dot(walker: ElixirWalker, node: Node) -> int:
    """`__MODULE__.Types` names one module, `Shop.{Cart, Till}` several."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    prefix = module_text(walker, left) if left is not None and right is not None else ""
    if right is None or not prefix or right.type not in ("alias", "tuple"):
        return walker.through(node)
    for each in [right] if right.type == "alias" else right.named_children:
        if each.type == "alias":
            full = f"{prefix}.{''.join(walker.source_of(each).split())}"
            walker.site(walker.variable(walker.string(full), each.start_byte), READ)
    return 0


def call(walker: ElixirWalker, node: Node) -> int:
    return lower_piped_call(walker, node, 0)


def lower_piped_call(walker: ElixirWalker, node: Node, piped: int) -> int:
    """A call; `piped`: how many arguments stand before it."""
    target = node.child_by_field_name("target")
    arguments = argument_nodes(node)
    if target is None:
        return walker.through(node)
    if target.type == "identifier":
        return lower_named_call(walker, node, target, arguments, piped)
    if target.type != "dot":
        return walker.through(node)
    left, right = target.child_by_field_name("left"), target.child_by_field_name("right")
    if left is None or right is None:
        return walker.through(node)
    is_module = bool(module_text(walker, left))
    holder = module_value(walker, left) if is_module else walker.walk(left)
    if right.type != "identifier":
        return lower_all(walker, [*([] if right.type == "alias" else [right]), *arguments, *blocks_of(node)])
    if is_module or (
        left.type not in ("atom", "quoted_atom") and any(child.type == "arguments" for child in node.named_children)
    ):
        byte = right.start_byte
        lower_keys(walker, walker.source_of(target), arguments, piped)
        if is_module and walker.source_of(right) == "exception" and arguments and arguments[0].type == "keywords":
            mention_fields(walker, module_text(walker, left), arguments[0])
        callee = walker.emit(op.ATTRIBUTE, byte, holder if is_module else 0, walker.word_of(right))
        row = row_of(arguments, piped)
        walker.call(callee, byte, row)
    elif left.type not in ("atom", "quoted_atom"):
        read_field(walker, struct_in(walker, left), walker.text_of(right), right.start_byte)
    return lower_all(walker, [*arguments, *blocks_of(node)])


def lower_named_call(walker: ElixirWalker, node: Node, target: Node, arguments: list[Node], piped: int) -> int:
    text = walker.source_of(target)
    if text in MODULES:
        return module(walker, node, text, arguments)
    if text in FUNCTIONS and arguments:
        if walker.function or walker.class_scope < 0:
            return lower_all(walker, [*arguments[1:], *blocks_of(node)])
        return function(walker, node, text, arguments)
    if text in _DIRECTIVES and arguments:
        return directive(walker, node, text, arguments)
    if text in ("test", "describe", "property") and walker.class_scope >= 0 and Rules.is_run(walker.path):
        return define_titled_test(walker, node, text == "describe", arguments)
    if text in ("for", "with"):
        structs = dict(walker.structs)
        lower_all(walker, [*arguments, *blocks_of(node)])
        walker.structs = structs
        return 0
    if text in STRUCTS and walker.class_scope >= 0 and not walker.function and not walker.is_quoting:
        return lower_struct_definition(walker, arguments)
    if text == "quote":
        return lower_quote(walker, node)
    if text == "using" and blocks_of(node) and not walker.function:
        return case_template(walker, node, arguments)
    if text == "unquote" and walker.is_quoting:
        return lower_unquote(walker, node)
    if text == "defoverridable" and not walker.function:
        for each in arguments:
            mention_functions(walker, each)
    if text == "embed_templates" and not walker.function:
        embed(walker, arguments)
        return 0
    lower_keys(walker, text, arguments, piped)
    if text in _RENDERING:
        lower_render(walker, arguments, piped)
    callee = local_function(walker, target)
    if callee:
        walker.call(callee, target.start_byte, row_of(arguments, piped))
    return lower_all(walker, [*arguments, *blocks_of(node)])


def binary_operator(walker: ElixirWalker, node: Node) -> int:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return walker.through(node)
    kind = operator.type
    if kind == "|>":
        walker.walk(left)
        if right.type == "call":
            return lower_piped_call(walker, right, 1)
        if right.type == "identifier":
            callee = local_function(walker, right)
            if callee:
                walker.call(callee, right.start_byte, row_of([], 1))
            return 0
        return walker.walk(right)
    if kind in ("=", "<-", "\\\\"):
        walker.walk(right)
        pattern(walker, left, struct_in(walker, right) if kind == "=" else "")
        return 0
    return walker.through(node)


def unary_operator(walker: ElixirWalker, node: Node) -> int:
    operator, operand = node.child_by_field_name("operator"), node.child_by_field_name("operand")
    if operator is None or operand is None:
        return walker.through(node)
    if operator.type == "@":
        return attribute(walker, node, operand)
    if operator.type == "&" and operand.type == "binary_operator":
        return lower_capture(walker, operand)
    return walker.walk(operand)


def lower_capture(walker: ElixirWalker, node: Node) -> int:
    """`&name/1`, `&Module.name/1`."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or right.type != "integer" or not walker.source_of(right).isdigit():
        return walker.through(node)
    row = row_of([], count_written(walker.source_of(right)))
    if left.type == "identifier":
        callee = local_function(walker, left)
        if callee:
            walker.call(callee, left.start_byte, row)
        return 0
    target = left.child_by_field_name("target") if left.type == "call" else None
    holder = target.child_by_field_name("left") if target is not None else None
    named = target.child_by_field_name("right") if target is not None else None
    if holder is None or named is None or named.type != "identifier" or not module_text(walker, holder):
        return walker.through(node)
    value = module_value(walker, holder)
    return walker.call(walker.emit(op.ATTRIBUTE, named.start_byte, value, walker.word_of(named)), named.start_byte, row)


def atom(walker: ElixirWalker, node: Node) -> int:
    """`:name` may be the name of a function: of any module."""
    text = walker.source_of(node).removeprefix(":")
    if FUNCTION_NAME.fullmatch(text) and not is_data(walker, node):
        walker.site(walker.emit(op.ATTRIBUTE, node.start_byte + 1, 0, walker.string(text)), READ)
    return 0


def is_data(walker: ElixirWalker, node: Node) -> bool:
    """Whether an atom, or the list that it is in, is compared, or is passed by a function to what does not run it: it
    follows no variable, which may hold a module, unless a library takes it, and nothing in its file is applied."""
    value, around = node, node.parent
    while around is not None and around.type == "list":
        value, around = around, around.parent
    if around is None:
        return False
    if around.type == "binary_operator":
        operator = around.child_by_field_name("operator")
        return operator is not None and operator.type in _COMPARING
    if around.type != "arguments" or around.parent is None or not walker.function or walker.is_quoting:
        return False
    target = around.parent.child_by_field_name("target")
    holder, named = None, target
    if target is not None and target.type == "dot":
        holder, named = target.child_by_field_name("left"), target.child_by_field_name("right")
    if named is None or walker.source_of(named) in _RUNNING or b"apply" in walker.source:
        return False
    if holder is not None and (holder.type == "atom" or module_text(walker, holder) in Rules.builtins):
        return True
    row = argument_nodes(around.parent)
    at = next((number for number, each in enumerate(row) if each.start_byte == value.start_byte), 0)
    return at == 0 or row[at - 1].type not in ("identifier", "unary_operator", "call")


def lower_render(walker: ElixirWalker, arguments: list[Node], piped: int) -> None:
    """`render(conn, :show)`, `render(conn, "show.html")`: the template of a controller's view."""
    controller = _CONTROLLER.fullmatch(walker.path)
    at = 1 - piped
    if controller is None or len(arguments) <= at or arguments[at].type not in ("atom", "string"):
        return
    node = arguments[at]
    name = walker.source_of(node).strip(':"').partition(".")[0]
    if name.isidentifier():
        root, own = controller[1], controller[2]
        paths = [
            f"{root}{folder}/{name}.html.{handler}"
            for folder in (f"controllers/{own}_html", f"templates/{own}")
            for handler in ("heex", "eex", "leex")
        ]
        walker.imports.append(Import("\n".join(paths), 0, node.start_byte + 1, 0, "file"))


def sigil(walker: ElixirWalker, node: Node) -> int:
    """`~H"..."`: markup with Elixir in it."""
    name = next((each for each in node.named_children if each.type == "sigil_name"), None)
    text = next((each for each in node.named_children if each.type == "quoted_content"), None)
    if name is not None and (own := walker.source_of(name)) not in _SIGILS:
        callee = local_function_named(walker, f"sigil_{own}", name.start_byte)
        if callee:
            walker.call(callee, name.start_byte, row_of([], 2))
    if name is None or text is None or walker.source_of(name) not in ("H", "L"):
        return walker.through(node)
    start, end = text.start_byte, text.end_byte
    scan = markup_code(walker.source[start:end])
    if not scan.code.isspace():
        walker.through(walker.parse(bytes(scan.code) + b"\n", start))
    lower_components(walker, scan, start)
    return 0


def tuple_of(walker: ElixirWalker, node: Node) -> int:
    """`{Module, :function, []}`"""
    return lower_all(walker, [child for child in node.named_children if child.type != "comment"])


SPEC: Final[Spec] = Spec(
    handlers={
        "atom": atom,
        "call": call,
        "dot": dot,
        "tuple": tuple_of,
        "sigil": sigil,
        "identifier": identifier,
        "alias": alias,
        "binary_operator": binary_operator,
        "unary_operator": unary_operator,
        "stab_clause": clause,
        "struct": struct,
        "map": map_of,
        "do_block": block,
    },
    has_overloads=True,
    is_global=True,
)


class Lowering(ElixirWalker):
    spec: ClassVar[Spec] = SPEC
    handlers: ClassVar[Handlers] = handlers_of(SPEC)
