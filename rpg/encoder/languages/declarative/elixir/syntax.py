"""Elixir's constructs, most of which are calls to its grammar.

In: nodes. Out: `SPEC`, `Lowering`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

from rpg.encoder.facts import BASE, CREATED, READ, Definition, Import, Parameter
from rpg.encoder.languages.declarative.lowering import DeclarativeLowering, handlers_of
from rpg.encoder.languages.declarative.spec import Spec
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.titles import SOURCE_LIMIT, define_titled
from rpg.encoder.lowering.walker import Handlers
from rpg.encoder.operations import ATTRIBUTE, POSITIONAL, THIS

_MODULES: Final[dict[str, str]] = {"defmodule": "class", "defprotocol": "interface", "defimpl": "class"}
_FUNCTIONS: Final = frozenset("def defp defmacro defmacrop defguard defguardp defdelegate".split())
_PRIVATE: Final = frozenset("defp defmacrop defguardp".split())
_DIRECTIVES: Final = frozenset("alias import require use".split())
_TYPES: Final = frozenset("type typep opaque spec callback macrocallback".split())
_BEFORE: Final = frozenset("doc typedoc spec impl deprecated since".split())
"""Attributes that belong to the definition below."""
_DOCS: Final = frozenset("doc moduledoc typedoc".split())
_KERNEL: Final = frozenset(
    """! abs and apply binary_part binding bit_size byte_size case catch ceil cond dbg def defexception defoverridable
    defstruct destructure div elem else exit floor for fn function_exported? get_and_update_in get_in hd if in inspect
    is_atom is_binary is_bitstring is_boolean is_exception is_float is_function is_integer is_list is_map is_map_key
    is_nil is_number is_pid is_port is_reference is_struct is_tuple length macro_exported? make_ref map_size match? max
    min node not or pop_in put_elem put_in quote raise receive rem reraise rescue round self send sigil_r sigil_s spawn
    spawn_link spawn_monitor struct struct! super tap then throw tl to_charlist to_string trunc try tuple_size unless
    unquote unquote_splicing update_in use var! with __DIR__ __ENV__ __CALLER__ __MODULE__ __STACKTRACE__""".split()
)
"""Functions and forms of the language itself."""
_IN_TESTS: Final = frozenset(
    """assert assert_raise assert_receive assert_received assert_in_delta catch_error catch_exit catch_throw
    flunk on_exit refute refute_receive refute_received setup setup_all
    start_supervised start_supervised! stop_supervised""".split()
)
"""The same in a test file."""


class ElixirWalker(DeclarativeLowering):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.module = ""
        """Full name of the module around."""
        self.aliases: dict[str, str] = {}
        """Short name -> full name of a module."""
        self.opened: list[tuple[str, frozenset[str]]] = []
        """Imported modules, each with the only functions that are imported; none if all are."""
        self.variables: set[str] = set()
        """Names that patterns bind in the function around."""
        self.clauses: dict[tuple[int, str, int], int] = {}
        """(module, name, number of parameters) -> the first clause of a function."""
        self.doc_text = ""
        """What `@doc` says of the next function."""


# Names


def full_name(walker: ElixirWalker, text: str) -> str:
    first, dot, rest = text.partition(".")
    if first == "Elixir" and dot:
        return rest
    if first == "__MODULE__":
        return walker.module + dot + rest
    known = walker.aliases.get(first)
    return known + dot + rest if known else text


def module_text(walker: ElixirWalker, node: Node) -> str:
    """The full name of a module that an expression writes; empty if it is computed."""
    if node.type == "alias":
        return full_name(walker, "".join(walker.source_of(node).split()))
    if node.type == "identifier" and walker.source[node.start_byte : node.end_byte] == b"__MODULE__":
        return walker.module
    if node.type == "dot":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None and right.type == "alias":
            before = module_text(walker, left)
            return f"{before}.{walker.source_of(right)}" if before else ""
    return ""


def module_value(walker: ElixirWalker, node: Node, role: int = READ) -> int:
    """A module by its name, with its site."""
    text = module_text(walker, node)
    if not text:
        return 0
    value = walker.variable(walker.string(text), node.start_byte)
    if node.type != "identifier":
        walker.site(value, role)
    return value


def alias(walker: ElixirWalker, node: Node) -> int:
    return module_value(walker, node)


def identifier(walker: ElixirWalker, node: Node) -> int:
    """A variable, or a call without arguments."""
    text = walker.source_of(node)
    if text in walker.variables or walker.class_scope < 0 or text not in walker.bound[walker.class_scope]:
        return 0
    return walker.call(local_function(walker, node), node.start_byte, [])


def local_function(walker: ElixirWalker, node: Node) -> int:
    """A function of the module around, of an imported one, or one that only the library or a macro may have."""
    text = walker.text_of(node)
    byte = node.start_byte
    if walker.class_scope >= 0 and text in walker.bound[walker.class_scope]:
        return walker.emit(ATTRIBUTE, byte, walker.emit(THIS, byte, walker.class_scope), walker.string(text))
    named = [module for module, only in walker.opened if text in only]
    holders = named or [module for module, only in walker.opened if not only]
    if not named and (text in _KERNEL or (text in _IN_TESTS and walker.path.endswith("_test.exs"))):
        return 0
    if holders:
        holder = walker.union([walker.variable(walker.string(each), byte) for each in holders], byte)
        return walker.emit(ATTRIBUTE, byte, holder, walker.string(text))
    return walker.variable(walker.string(text), byte)


# Calls


def call(walker: ElixirWalker, node: Node) -> int:
    return applied(walker, node, 0)


def applied(walker: ElixirWalker, node: Node, piped: int) -> int:
    """A call; `piped`: how many arguments stand before it."""
    target = node.child_by_field_name("target")
    arguments = argument_nodes(node)
    if target is None:
        return walker.through(node)
    if target.type == "identifier":
        return named_call(walker, node, target, arguments, piped)
    if target.type != "dot":
        return walker.through(node)
    left, right = target.child_by_field_name("left"), target.child_by_field_name("right")
    if left is None or right is None:
        return walker.through(node)
    is_module = bool(module_text(walker, left))
    holder = module_value(walker, left) if is_module else walker.walk(left)
    if right.type != "identifier":
        return through_all(walker, [*([] if right.type == "alias" else [right]), *arguments, *blocks_of(node)])
    if is_module or (
        left.type not in ("atom", "quoted_atom") and any(child.type == "arguments" for child in node.named_children)
    ):
        byte = right.start_byte
        callee = walker.emit(ATTRIBUTE, byte, holder if is_module else 0, walker.word_of(right))
        row = row_of(arguments, piped)
        walker.call(callee, byte, row)
    return through_all(walker, [*arguments, *blocks_of(node)])


def named_call(walker: ElixirWalker, node: Node, target: Node, arguments: list[Node], piped: int) -> int:
    text = walker.source_of(target)
    if text in _MODULES:
        return module(walker, node, text, arguments)
    if text in _FUNCTIONS and arguments:
        if walker.function or walker.class_scope < 0:
            return through_all(walker, [*arguments[1:], *blocks_of(node)])
        return function(walker, node, text, arguments)
    if text in _DIRECTIVES and arguments:
        return directive(walker, node, text, arguments)
    if text in ("test", "describe", "property") and walker.class_scope >= 0 and walker.path.endswith("_test.exs"):
        return titled(walker, node, text == "describe", arguments)
    if text in ("for", "with"):
        return through_all(walker, [*arguments, *blocks_of(node)])
    if text == "quote":
        return quoted(walker, node)
    callee = local_function(walker, target)
    if callee:
        walker.call(callee, target.start_byte, row_of(arguments, piped))
    return through_all(walker, [*arguments, *blocks_of(node)])


def quoted(walker: ElixirWalker, node: Node) -> int:
    """Code that a macro makes: what it defines is no symbol here."""
    around = walker.function
    walker.function = around or walker.scope
    through_all(walker, [*argument_nodes(node), *blocks_of(node)])
    walker.function = around
    return 0


def row_of(arguments: list[Node], piped: int) -> list[int]:
    """Arguments of a call, of which only the number is known."""
    return [POSITIONAL, 0] * (len(arguments) + piped)


def argument_nodes(node: Node) -> list[Node]:
    for child in node.named_children:
        if child.type == "arguments":
            return [each for each in child.named_children if each.type != "comment"]
    return []


def blocks_of(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.type == "do_block"]


def through_all(walker: ElixirWalker, nodes: list[Node]) -> int:
    for each in nodes:
        walker.walk(each)
    return 0


def binary_operator(walker: ElixirWalker, node: Node) -> int:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return walker.through(node)
    kind = operator.type
    if kind == "|>":
        walker.walk(left)
        if right.type == "call":
            return applied(walker, right, 1)
        if right.type == "identifier":
            callee = local_function(walker, right)
            if callee:
                walker.call(callee, right.start_byte, row_of([], 1))
            return 0
        return walker.walk(right)
    if kind in ("=", "<-", "\\\\"):
        walker.walk(right)
        pattern(walker, left)
        return 0
    return walker.through(node)


def unary_operator(walker: ElixirWalker, node: Node) -> int:
    operator, operand = node.child_by_field_name("operator"), node.child_by_field_name("operand")
    if operator is None or operand is None:
        return walker.through(node)
    if operator.type == "@":
        return attribute(walker, node, operand)
    if operator.type == "&" and operand.type == "binary_operator":
        return captured(walker, operand)
    return walker.walk(operand)


def captured(walker: ElixirWalker, node: Node) -> int:
    """`&name/1`, `&Module.name/1`."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or right.type != "integer" or not walker.source_of(right).isdigit():
        return walker.through(node)
    row = row_of([], min(int(walker.source_of(right)), 255))
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
    return walker.call(walker.emit(ATTRIBUTE, named.start_byte, value, walker.word_of(named)), named.start_byte, row)


# Patterns


def pattern(walker: ElixirWalker, node: Node) -> None:
    """Binds the names of a pattern; the modules in it are mentioned."""
    kind = node.type
    if kind == "identifier":
        walker.variables.add(walker.source_of(node))
    elif kind == "alias":
        module_value(walker, node)
    elif kind == "struct":
        struct(walker, node)
    elif kind == "unary_operator" or kind == "comment":
        return
    elif kind == "binary_operator":
        operator = node.child_by_field_name("operator")
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None:
            pattern(walker, left)
        if right is not None and operator is not None and operator.type not in ("::", "\\\\", "when"):
            pattern(walker, right)
        elif right is not None and operator is not None and operator.type != "::":
            walker.walk(right)
    elif kind == "call":
        for each in argument_nodes(node):
            pattern(walker, each)
    else:
        for child in node.named_children:
            pattern(walker, child)


def struct(walker: ElixirWalker, node: Node) -> int:
    """`%Module{}`"""
    for child in node.named_children:
        if child.type == "alias":
            module_value(walker, child, CREATED)
        elif child.type != "identifier":
            walker.walk(child)
    return 0


def clause(walker: ElixirWalker, node: Node) -> int:
    """`pattern -> body`"""
    left = node.child_by_field_name("left")
    if left is not None:
        pattern(walker, left)
    for child in node.named_children:
        if child != left:
            walker.walk(child)
    return 0


# Modules


def module(walker: ElixirWalker, node: Node, kind: str, arguments: list[Node]) -> int:
    bodies = blocks_of(node)
    name = arguments[0] if arguments else None
    own = "".join(walker.source_of(name).split()) if name is not None else ""
    if name is None or name.type not in ("alias", "dot") or not bodies:
        return walker.through(node)
    implementing = keyword_value(walker, arguments, "for:") if kind == "defimpl" else None
    around_aliases, around_opened = dict(walker.aliases), list(walker.opened)
    around, class_scope, outer = walker.here(), walker.class_scope, walker.module
    base = 0
    if kind == "defimpl":
        target = module_text(walker, implementing) if implementing is not None else outer
        full = f"{full_name(walker, own)}.{target or walker.source_of(implementing or name)}"
    else:
        full = module_text(walker, name) if "__MODULE__" in own else f"{outer}.{own}" if outer else own
    start, end, body = node.start_byte, node.end_byte, bodies[0]
    begin, doc = walker.documented(start)
    short = full.rpartition(".")[2]
    index = walker.define(
        Definition(
            kind=_MODULES[kind],
            name=short,
            qualified_name=full,
            parent=walker.definition,
            start_byte=begin,
            end_byte=end,
            name_byte=name.start_byte,
            body_byte=body.start_byte,
            signature=walker.folded(start, body.start_byte),
            doc=doc,
            exported=True,
        )
    )
    walker.bind(full, walker.definition_value(index), 0, "", 0)
    walker.offered[full] = None
    walker.definition = index
    walker.module = full
    if kind == "defimpl":
        base = module_value(walker, name, BASE)
        if implementing is not None:
            walker.walk(implementing)
        if base:
            walker.bases[index] = [("", base)]
    walker.scope = walker.class_scope = scope = walker.open_scope("class", index, start, end)
    walker.definitions[index].scope = scope
    walker.function = 0
    foresee(walker, body, scope)
    walker.walk(body)
    walker.doc_text = ""
    walker.class_scope, walker.module = class_scope, outer
    walker.aliases, walker.opened = around_aliases, around_opened
    walker.return_to(around)
    if outer and kind != "defimpl":
        walker.aliases[own.partition(".")[0]] = f"{outer}.{own.partition('.')[0]}"
    return 0


def foresee(walker: ElixirWalker, body: Node, scope: int) -> None:
    """Notes the functions of a module, as code above them may call them."""
    for child in body.named_children:
        target = child.child_by_field_name("target") if child.type == "call" else None
        if target is not None and target.type == "identifier" and walker.source_of(target) in _FUNCTIONS:
            arguments = argument_nodes(child)
            name = head_of(walker, arguments[0])[0] if arguments else None
            if name is not None:
                walker.bound[scope].add(walker.source_of(name))


def keyword_value(walker: ElixirWalker, arguments: list[Node], key: str) -> Node | None:
    for each in arguments:
        if each.type == "keywords":
            for pair in each.named_children:
                named, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
                if named is not None and walker.source_of(named).strip() == key:
                    return value
    return None


def directive(walker: ElixirWalker, node: Node, text: str, arguments: list[Node]) -> int:
    """`alias`, `import`, `require`, `use`."""
    first = arguments[0]
    if first.type == "dot":
        held, parts = first.child_by_field_name("left"), first.child_by_field_name("right")
        if held is not None and parts is not None and parts.type == "tuple":
            prefix = module_text(walker, held)
            for each in parts.named_children:
                if prefix and each.type == "alias":
                    bring(walker, text, f"{prefix}.{walker.source_of(each)}", each, arguments)
            return 0
    full = module_text(walker, first)
    if full:
        bring(walker, text, full, first, arguments)
    else:
        walker.walk(first)
    for each in arguments[1:]:
        if text == "use":
            walker.walk(each)
    return 0


def bring(walker: ElixirWalker, text: str, full: str, node: Node, arguments: list[Node]) -> None:
    byte = node.start_byte
    walker.imports.append(Import(full, 0, byte, 0, "side-effect"))
    value = walker.variable(walker.string(full), byte)
    walker.site(value, READ)
    given = keyword_value(walker, arguments, "as:")
    if given is not None:
        walker.aliases[walker.source_of(given)] = full
    elif text == "alias":
        walker.aliases[full.rpartition(".")[2]] = full
    if text == "use":
        callee = walker.emit(ATTRIBUTE, byte, value, walker.string("__using__"))
        walker.call(callee, byte, row_of([], 1))
    elif text == "import":
        only = keyword_value(walker, arguments, "only:")
        names: list[str] = []
        if only is not None and only.type == "list":
            for each in only.named_children:
                for pair in each.named_children:
                    key = pair.child_by_field_name("key")
                    if key is not None:
                        names.append(walker.source_of(key).strip().rstrip(":"))
        walker.opened.append((full, frozenset(names)))


def attribute(walker: ElixirWalker, node: Node, operand: Node) -> int:
    """`@doc`, `@spec`, `@behaviour` and other attributes of a module."""
    target = operand.child_by_field_name("target") if operand.type == "call" else None
    if target is None:
        return 0
    name = walker.source_of(target)
    arguments = argument_nodes(operand)
    if name in _BEFORE and walker.attributes < 0 and walker.class_scope >= 0 and not walker.function:
        walker.attributes = node.start_byte
    if name in _DOCS:
        text = arguments[0] if arguments else None
        content = next((each for each in text.named_children if each.type == "quoted_content"), None) if text else None
        if content is None:
            return 0
        if name == "moduledoc" and walker.class_scope >= 0 and not walker.function:
            walker.definitions[walker.definition].doc = walker.source_of(content).strip()
            walker.attributes = -1
        elif name == "doc":
            walker.doc_text = walker.source_of(content).strip()
        return 0
    if name == "behaviour" and arguments and walker.class_scope >= 0 and not walker.function:
        value = module_value(walker, arguments[0], BASE)
        if value:
            walker.bases.setdefault(walker.definition, []).append(("", value))
        return 0
    if name in _TYPES:
        return typed(walker, node, name, arguments)
    return through_all(walker, arguments)


def typed(walker: ElixirWalker, node: Node, name: str, arguments: list[Node]) -> int:
    """`@spec`, `@type`, `@callback`: the types that it names; callbacks and types are symbols."""
    first = arguments[0] if arguments else None
    while first is not None and first.type == "binary_operator":
        first = first.child_by_field_name("left")
    named = first.child_by_field_name("target") if first is not None and first.type == "call" else first
    around = walker.definition
    if named is not None and named.type == "identifier" and name != "spec" and not walker.function:
        is_function = "callback" in name
        text = walker.text_of(named)
        start, end = node.start_byte, node.end_byte
        begin, doc = walker.documented(start)
        index = walker.define(
            Definition(
                kind="method" if is_function else "type",
                name=text,
                qualified_name=walker.qualified(text),
                parent=walker.definition,
                start_byte=begin,
                end_byte=end,
                name_byte=named.start_byte,
                body_byte=end,
                signature=walker.folded(start, end),
                doc=walker.doc_text or doc,
                exported=name != "typep",
                modifiers=("abstract",) if is_function else (),
            )
        )
        walker.doc_text, walker.attributes = "", -1
        if is_function:
            count = len(argument_nodes(first)) if first is not None else 0
            walker.definitions[index].scope = scope = walker.open_scope("function", index, start, end)
            walker.parameters[scope] = [Parameter("", "positional") for _ in range(count)]
            walker.bind(text, walker.definition_value(index), walker.scopes[walker.scope].start_byte)
        walker.definition = index
    for each in arguments:
        types_in(walker, each)
    walker.definition = around
    return 0


def types_in(walker: ElixirWalker, node: Node) -> None:
    """The modules whose types are named."""
    if node.type == "alias":
        module_value(walker, node)
        return
    if node.type == "dot":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        value = module_value(walker, left) if left is not None else 0
        if value and right is not None and right.type == "identifier":
            walker.site(walker.emit(ATTRIBUTE, right.start_byte, value, walker.word_of(right)), READ)
        return
    for child in node.named_children:
        types_in(walker, child)


# Functions


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
        return quoted(walker, node)
    text = walker.text_of(name)
    start, end = node.start_byte, node.end_byte
    around, variables = walker.here(), walker.variables
    body = next(iter(blocks_of(node)), None)
    body_byte = body.start_byte if body is not None else arguments[0].end_byte
    key = (walker.definition, text, len(parameters))
    first = walker.clauses.get(key, -1)
    definitions = walker.definitions
    is_next = first >= 0 and first == len(definitions) - 1
    begin, doc = walker.documented(start)
    walker.attributes = -1
    if not is_next:
        index = walker.define(
            Definition(
                kind="method",
                name=text,
                qualified_name=walker.qualified(text),
                parent=walker.definition,
                start_byte=begin,
                end_byte=end,
                name_byte=name.start_byte,
                body_byte=body_byte,
                signature=walker.folded(start, body_byte),
                doc=walker.doc_text or doc,
                exported=word not in _PRIVATE,
            )
        )
        if first >= 0:
            definitions[index].symbol = first
        else:
            walker.clauses[key] = first = index
            walker.bind(text, walker.definition_value(index), walker.scopes[walker.scope].start_byte)
    else:
        index = first
        lengthen(walker, index, end)
    walker.doc_text = ""
    walker.definition = index
    walker.scope = walker.function = scope = walker.open_scope("function", index, start, end)
    if definitions[index].scope < 0:
        definitions[index].scope = scope
    walker.open_block(start, end)
    walker.variables = set()
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
        delegated(walker, text, name, len(parameters), arguments)
    through_all(walker, [*arguments[1:], *blocks_of(node)])
    walker.variables = variables
    walker.return_to(around)
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


def delegated(walker: ElixirWalker, text: str, name: Node, count: int, arguments: list[Node]) -> None:
    """`defdelegate f(x), to: Module` calls the module's."""
    target = keyword_value(walker, arguments, "to:")
    given = keyword_value(walker, arguments, "as:")
    full = module_text(walker, target) if target is not None else ""
    if full:
        word = walker.string(walker.source_of(given).lstrip(":") if given is not None else text)
        holder = walker.variable(walker.string(full), name.start_byte)
        walker.call(walker.emit(ATTRIBUTE, name.start_byte, holder, word), name.start_byte, row_of([], count))


def titled(walker: ElixirWalker, node: Node, is_suite: bool, arguments: list[Node]) -> int:
    """`test "adds things" do`"""
    text = arguments[0] if arguments else None
    bodies = blocks_of(node)
    if text is None or text.type != "string" or not bodies:
        return through_all(walker, [*arguments, *bodies])
    title = walker.text(text.start_byte + 1, min(text.end_byte - 1, text.start_byte + SOURCE_LIMIT))
    start, end, body = node.start_byte, node.end_byte, bodies[0].start_byte
    head = walker.folded(start, body)
    parent = walker.definition
    index = define_titled(walker, title, is_suite, parent, start, end, text.start_byte, body, head)
    around, variables = walker.here(), walker.variables
    walker.definition = index
    if not is_suite:
        walker.scope = walker.function = walker.open_scope("function", index, start, end)
        walker.definitions[index].scope = walker.scope
        walker.variables = set()
        for each in arguments[1:]:
            pattern(walker, each)
    through_all(walker, bodies)
    walker.variables = variables
    walker.return_to(around)
    return 0


SPEC: Final[Spec] = Spec(
    handlers={
        "call": call,
        "identifier": identifier,
        "alias": alias,
        "binary_operator": binary_operator,
        "unary_operator": unary_operator,
        "stab_clause": clause,
        "struct": struct,
    },
    has_overloads=True,
    is_global=True,
)


class Lowering(ElixirWalker):
    spec: ClassVar[Spec] = SPEC
    handlers: ClassVar[Handlers] = handlers_of(SPEC)
