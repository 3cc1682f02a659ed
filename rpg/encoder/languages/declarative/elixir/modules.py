"""Lowers Elixir's modules, with their imports and attributes.

In: calls of `defmodule`, `alias` and the like; `@attributes`. Out: definitions, imports, bases.
"""

from __future__ import annotations

import posixpath
import re
from typing import Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import BASE, OFFERED, READ, SHORTENED, Import, Parameter
from rpg.encoder.languages.declarative.elixir.functions import FUNCTIONS, head_of
from rpg.encoder.languages.declarative.elixir.names import (
    FUNCTION_NAME,
    ElixirWalker,
    Uses,
    argument_nodes,
    blocks_of,
    count_written,
    embedding,
    full_name,
    keyword_value,
    local_function_named,
    lower_all,
    module_text,
    module_value,
    row_of,
    stand_for,
    using,
)
from rpg.encoder.languages.declarative.elixir.patterns import mention_field, read_field, struct_in
from rpg.encoder.lowering.node import Node

MODULES: Final[dict[str, str]] = {"defmodule": "class", "defprotocol": "interface", "defimpl": "class"}
_VIEW: Final = re.compile(r"((?:.*/)?)views/((?:\w+/)*\w+)_view")
_LIVE: Final = re.compile(r"(?:^|/)live/|_(?:live|component)$")
_TYPES: Final = frozenset("type typep opaque spec callback macrocallback".split())
_DEFINING: Final = frozenset("type typep opaque".split())
_KEY: Final = re.compile(r"\b(\w+):(?=\s)")
"""Names of variables behind `when`."""
_WHEN: Final = re.compile(r"\bwhen\b")
_BUILTIN_TYPES: Final = frozenset(
    """any arity as_boolean atom binary bitstring boolean byte char charlist dynamic float fun function identifier
    integer iodata iolist keyword list map maybe_improper_list mfa module neg_integer no_return node non_neg_integer
    none nonempty_binary nonempty_bitstring nonempty_charlist nonempty_improper_list nonempty_list
    nonempty_maybe_improper_list number pid pos_integer port reference string struct term timeout tuple var
    __MODULE__ _""".split()
)
_BEFORE: Final = frozenset("doc typedoc spec impl deprecated since".split())
"""Attributes that belong to the definition below."""
_DOCS: Final = frozenset("doc moduledoc typedoc".split())


class TypesAround(NamedTuple):
    """What names are not uses of types where an attribute says types."""

    defined: int
    """Where the name stands that it defines or specifies; -1: nowhere."""
    variables: frozenset[str]


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
    short = full.rpartition(".")[2]
    index = walker.symbol(MODULES[kind], short, name.start_byte, node, body.start_byte, full_name=full)
    walker.bind(full, walker.definition_value(index), 0, "", 0)
    walker.offered[full] = None
    parts = full.split(".")
    for at in range(1, len(parts)):
        # Code that `use` is made of may bring an alias for it.
        walker.offered[".".join(parts[at:]) + SHORTENED] = None
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
    around_types, walker.types = walker.types, find_types(walker, body)
    foresee(walker, body, scope)
    around_embedded, walker.embedded = walker.embedded, embedding_places(walker) if not outer else []
    walker.walk(body)
    for place in walker.embedded:
        modules = [full, *(each for each, only in walker.opened if not only)]
        stand_for(walker, embedding(place), Uses(modules, walker.aliases), start)
    walker.embedded, walker.types = around_embedded, around_types
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
        if target is not None and target.type == "identifier" and walker.source_of(target) in FUNCTIONS:
            arguments = argument_nodes(child)
            name = head_of(walker, arguments[0])[0] if arguments else None
            if name is not None:
                walker.bound[scope].add(walker.source_of(name))


def find_types(walker: ElixirWalker, body: Node) -> frozenset[str]:
    """The types of a module, as code above them may name them."""
    found = set()
    for child in body.named_children:
        operand = child.child_by_field_name("operand") if child.type == "unary_operator" else None
        target = operand.child_by_field_name("target") if operand is not None and operand.type == "call" else None
        if operand is not None and target is not None and walker.source_of(target) in _DEFINING:
            named = type_named(argument_nodes(operand))
            if named is not None:
                found.add(walker.source_of(named))
    return frozenset(found)


def type_named(arguments: list[Node]) -> Node | None:
    """The name of what an attribute gives the types of: `role_t`, `list_t(a) :: [a]`, `price(item) :: t`."""
    first = arguments[0] if arguments else None
    while first is not None and first.type == "binary_operator":
        first = first.child_by_field_name("left")
    named = first.child_by_field_name("target") if first is not None and first.type == "call" else first
    return named if named is not None and named.type == "identifier" else None


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
        if text == "use" and not (full and each.type == "atom"):
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
    which = arguments[1] if text == "use" and len(arguments) > 1 and arguments[1].type == "atom" else None
    asked = walker.source_of(which).removeprefix(":") if which is not None else ""
    brought = [using(full), *([using(full, asked)] if asked else [])] if text == "use" else [full]
    if walker.is_quoting and walker.uses is not None:
        if text in ("import", "use"):
            walker.uses.modules.extend(brought)
        elif text == "alias":
            short = keyword_value(walker, arguments, "as:")
            walker.uses.aliases[walker.source_of(short) if short is not None else full.rpartition(".")[2]] = full
    if text == "use":
        if is_of_program(walker, full):
            walker.opened += [(each, frozenset()) for each in brought]
        callee = walker.emit(op.ATTRIBUTE, byte, value, walker.string("__using__"))
        walker.call(callee, byte, row_of([], 1))
        if which is not None and FUNCTION_NAME.fullmatch(asked):
            # Most such modules run the function of that name.
            named = walker.emit(op.ATTRIBUTE, which.start_byte + 1, value, walker.string(asked))
            walker.site(named, OFFERED)
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


def is_of_program(walker: ElixirWalker, module: str) -> bool:
    """Whether a module is of the same program as the one around: `ShopWeb` and `Shop.Cart`."""
    own, other = walker.module.partition(".")[0], module.partition(".")[0]
    return bool(own) and (own.startswith(other) or other.startswith(own))


def embedding_places(walker: ElixirWalker) -> list[str]:
    """Where the templates of a module may be by convention: beside a live view, in the folder of a view."""
    stem = walker.path.removesuffix(".ex")
    view = _VIEW.fullmatch(stem)
    if view is not None:
        return [f"{view[1]}templates/{view[2]}/"]
    return [stem] if _LIVE.search(stem) else []


def embed(walker: ElixirWalker, arguments: list[Node]) -> None:
    """`embed_templates "page_html/*"`"""
    pattern = arguments[0] if arguments and arguments[0].type == "string" else None
    if pattern is not None:
        folder = walker.path.rpartition("/")[0]
        named = walker.source_of(pattern).strip('"').rpartition("/")[0]
        walker.embedded.append(posixpath.normpath(posixpath.join(folder, named)) + "/")


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
    if name == "impl" and arguments:
        walker.implements = walker.source_of(arguments[0]) != "false"
    if name == "dialyzer":
        for each in arguments:
            mention_functions(walker, each)
        return 0
    if name == "enforce_keys" and arguments:
        for each in arguments[0].named_children:
            key = walker.source_of(each).removeprefix(":")
            if each.type == "atom" and FUNCTION_NAME.fullmatch(key):
                read_field(walker, walker.module, key, each.start_byte + 1)
        return 0
    if name in _TYPES:
        return lower_type_attribute(walker, node, name, arguments)
    return lower_all(walker, arguments)


def mention_functions(walker: ElixirWalker, node: Node) -> None:
    """`name: 2` in a list of functions of the module around, by name and number of arguments."""
    if node.type == "pair":
        key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
        text = walker.source_of(key).strip().rstrip(":") if key is not None else ""
        if key is None or walker.class_scope < 0 or text not in walker.bound[walker.class_scope] or walker.is_quoting:
            return
        callee = local_function_named(walker, text, key.start_byte)
        digits = walker.source_of(value) if value is not None else ""
        if digits.isdigit():
            walker.call(callee, key.start_byte, row_of([], count_written(digits)))
        return
    for child in node.named_children:
        mention_functions(walker, child)


def lower_type_attribute(walker: ElixirWalker, node: Node, name: str, arguments: list[Node]) -> int:
    """`@spec`, `@type`, `@callback`: the types that it names; callbacks and types are symbols."""
    named = type_named(arguments)
    around = walker.definition
    if named is not None and name != "spec" and not walker.function:
        is_function = "callback" in name
        text = walker.text_of(named)
        start, end = node.start_byte, node.end_byte
        index = walker.symbol(
            "method" if is_function else "type", text, named.start_byte, node, end, doc=walker.doc_text,
            exported=name != "typep", modifiers=("abstract",) if is_function else (),
        )  # fmt: skip
        walker.doc_text, walker.attributes = "", -1
        if is_function:
            head = named.parent
            count = len(argument_nodes(head)) if head is not None and head.type == "call" else 0
            walker.definitions[index].scope = scope = walker.open_scope("function", index, start, end)
            walker.parameters[scope] = [Parameter("", "positional") for _ in range(count)]
            walker.bind(text, walker.definition_value(index), walker.scopes[walker.scope].start_byte)
        walker.definition = index
    hidden = {key for each in _WHEN.split(walker.source_of(node))[1:] for key in _KEY.findall(each)}
    if name in _DEFINING and named is not None and named.parent is not None and named.parent.type == "call":
        hidden.update(map(walker.source_of, argument_nodes(named.parent)))
    own = TypesAround(named.start_byte if named is not None else -1, frozenset(hidden))
    for each in arguments:
        types_in(walker, each, own)
    walker.definition = around
    return 0


def types_in(walker: ElixirWalker, node: Node, own: TypesAround) -> None:
    """The types that are named, and the modules before them."""
    if node.type == "alias":
        module_value(walker, node)
        return
    if node.type == "identifier":
        if node.start_byte != own.defined and walker.source_of(node) not in own.variables:
            own_type(walker, node)
        return
    if node.type == "dot":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        value = module_value(walker, left) if left is not None else 0
        if value and right is not None and right.type == "identifier":
            walker.site(walker.emit(op.ATTRIBUTE, right.start_byte, value, walker.word_of(right)), READ)
        return
    module = struct_in(walker, node)
    for child in node.named_children:
        if module and child.type == "map_content":
            for pair in (each for keywords in child.named_children for each in keywords.named_children):
                key = pair.child_by_field_name("key")
                if key is not None:
                    mention_field(walker, module, key)
        if is_label(node, child):
            continue
        types_in(walker, child, own)


def is_label(node: Node, child: Node) -> bool:
    """Whether a name only says what a type is for: `price :: integer`."""
    operator = node.child_by_field_name("operator") if node.type == "binary_operator" else None
    if operator is None or operator.type != "::" or child.type != "identifier":
        return False
    left = node.child_by_field_name("left")
    return left is not None and left.start_byte == child.start_byte


def own_type(walker: ElixirWalker, node: Node) -> None:
    """A type of the module around, which is named without that."""
    text = walker.source_of(node)
    if walker.is_quoting or walker.class_scope < 0 or (text in _BUILTIN_TYPES and text not in walker.types):
        return
    # A function may have the same name: then it is left open which of them is found.
    is_shared = text in walker.bound[walker.class_scope]
    holder = 0 if is_shared else walker.variable(walker.string(walker.module), node.start_byte)
    walker.site(walker.emit(op.ATTRIBUTE, node.start_byte, holder, walker.word_of(node)), READ)
