"""What names mean in Elixir: modules by their full names, functions by module; and the parts of a call.

In: nodes. Out: expressions; nodes.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import ANONYMOUS, READ, Definition, FileFacts
from rpg.encoder.languages.declarative.elixir.rules import Rules
from rpg.encoder.languages.declarative.lowering import DeclarativeLowering
from rpg.encoder.lowering.node import Node, ReadPiece

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


FUNCTION_NAME: Final = re.compile(r"[a-z_]\w*[?!]?")


class Uses(NamedTuple):
    """What `use` of a module brings."""

    modules: list[str]
    """Those that are imported, or used in turn."""
    aliases: dict[str, str]


class ElixirWalker(DeclarativeLowering):
    def __init__(self, path: str, language: str, source: bytes, parse: ReadPiece) -> None:
        super().__init__(path, language, source, parse)
        self.module = ""
        """Full name of the module around."""
        self.aliases: dict[str, str] = {}
        """Short name -> full name of a module."""
        self.opened: list[tuple[str, frozenset[str]]] = []
        """Imported modules, each with the only functions that are imported; none if all are."""
        self.variables: set[str] = set()
        """Names that patterns bind in the function around."""
        self.structs: dict[str, str] = {}
        """Of these, those that hold a struct -> the full name of its module."""
        self.clauses: dict[tuple[int, str, int], int] = {}
        """(module, name, number of parameters) -> the first clause of a function."""
        self.types: frozenset[str] = frozenset()
        """Those that the module around defines."""
        self.doc_text = ""
        """What `@doc` says of the next function."""
        self.uses: Uses | None = None
        """What the code brings that the function around makes; None outside functions."""
        self.made: dict[str, Uses] = {}
        """The same of each function that makes such code, by the name under which it is known."""
        self.is_quoting = False
        """Whether code is lowered that a macro makes."""
        self.embedded: list[str] = []
        """The names under which the module around is known to the templates that it embeds."""
        self.implements = False
        """Whether `@impl` says that the next function is a behaviour's."""

    def finish(self) -> FileFacts:
        self.scope = 0
        for name, made in self.made.items():
            stand_for(self, name, made, 0)
        return super().finish()


_USING: Final = ("(use ", "(templates ")


def using(module: str, which: str = "") -> str:
    """The name under which a module is known for what `use` of it imports: no name in the source is like it."""
    return f"(use {module} {which})" if which else f"(use {module})"


def alias_of(short: str) -> str:
    """The member of what is used that is a module by another name."""
    return f"(alias {short})"


def embedding(place: str) -> str:
    """The same for the functions of the module that embeds the templates of a folder, or the one of a path."""
    return f"(templates {place})"


def stand_for(walker: ElixirWalker, name: str, made: Uses, byte: int) -> None:
    """Makes a name stand, in all files, for a class without a name that has the functions of all these modules."""
    index = walker.define(
        Definition(
            kind="class",
            name="",
            qualified_name="",
            parent=0,
            start_byte=byte,
            end_byte=byte,
            name_byte=byte,
            body_byte=byte,
            exported=False,
            flags=(ANONYMOUS,),
        )
    )
    walker.definitions[index].scope = scope = walker.open_scope("class", index, byte, byte)
    values = [walker.variable(walker.string(each), byte) for each in dict.fromkeys(made.modules)]
    walker.bases[index] = [("", each) for each in values]
    around, walker.block = walker.block, 0
    for short, full in made.aliases.items():
        walker.bind(alias_of(short), walker.variable(walker.string(full), byte), byte, "", scope)
    walker.bind(name, walker.definition_value(index), 0, "", 0)
    walker.block = around
    walker.offered[name] = None


def templates_of(path: str) -> list[str]:
    """The names for the modules that may embed a template: by its folder, or by a file beside it of its name."""
    folder, _, name = path.rpartition("/")
    return [embedding(f"{folder}/"), embedding(f"{folder}/{name.partition('.')[0]}")]


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
    byte = node.start_byte
    value = walker.variable(walker.string(text), byte)
    if node.type == "identifier":
        return value
    brought = [each for each, only in walker.opened if each.startswith(_USING) and not only]
    if not brought or "." in text or text in walker.aliases or text in Rules.builtins:
        walker.site(value, role)
        return value
    # What is used may bring an alias.
    walker.site(value, role)
    holder = walker.union([walker.variable(walker.string(each), byte) for each in brought], byte)
    return walker.union([value, walker.emit(op.ATTRIBUTE, byte, holder, walker.string(alias_of(text)))], byte)


def local_function(walker: ElixirWalker, node: Node) -> int:
    """A function of the module around, of an imported one, or one that only the library or a macro may have."""
    return local_function_named(walker, walker.text_of(node), node.start_byte)


def local_function_named(walker: ElixirWalker, text: str, byte: int) -> int:
    if walker.class_scope >= 0 and text in walker.bound[walker.class_scope]:
        return walker.emit(op.ATTRIBUTE, byte, walker.emit(op.THIS, byte, walker.class_scope), walker.string(text))
    named = [module for module, only in walker.opened if text in only]
    holders = named or [module for module, only in walker.opened if not only]
    if not named and (text in _KERNEL or (text in _IN_TESTS and Rules.is_run(walker.path))):
        return 0
    if holders:
        holder = walker.union([walker.variable(walker.string(each), byte) for each in holders], byte)
        return walker.emit(op.ATTRIBUTE, byte, holder, walker.string(text))
    return walker.variable(walker.string(text), byte)


def argument_nodes(node: Node) -> list[Node]:
    for child in node.named_children:
        if child.type == "arguments":
            return [each for each in child.named_children if each.type != "comment"]
    return []


def blocks_of(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.type == "do_block"]


def keyword_value(walker: ElixirWalker, arguments: list[Node], key: str) -> Node | None:
    for each in arguments:
        if each.type == "keywords":
            for pair in each.named_children:
                named, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
                if named is not None and walker.source_of(named).strip() == key:
                    return value
    return None


def row_of(arguments: list[Node], piped: int) -> list[int]:
    """Arguments of a call, of which only the number is known."""
    return [op.POSITIONAL, 0] * (len(arguments) + piped)


def lower_all(walker: ElixirWalker, nodes: list[Node]) -> int:
    """Lowers nodes; of arguments and tuples, `Module, :function` names a function, and a list or number behind it says
    how many arguments it takes."""
    at = 0
    while at < len(nodes):
        each = nodes[at]
        following = nodes[at + 1] if at + 1 < len(nodes) else None
        if following is not None and following.type == "atom" and module_text(walker, each):
            function_in_atom(walker, each, following, nodes[at + 2] if at + 2 < len(nodes) else None)
            at += 2
        else:
            walker.walk(each)
            at += 1
    return 0


def function_in_atom(walker: ElixirWalker, module: Node, atom: Node, arguments: Node | None) -> None:
    """`Module, :function, [argument]`"""
    text = walker.source_of(atom).removeprefix(":")
    holder = module_value(walker, module)
    if not FUNCTION_NAME.fullmatch(text):
        return
    byte = atom.start_byte + 1
    callee = walker.emit(op.ATTRIBUTE, byte, holder, walker.string(text))
    count = count_in(walker, arguments)
    if count < 0:
        walker.site(callee, READ)
    else:
        walker.call(callee, byte, row_of([], count))


def count_written(digits: str) -> int:
    """A number of arguments; 255 stands for all that are larger."""
    return min(int(digits), 255) if len(digits) < 4 else 255


def count_in(walker: ElixirWalker, node: Node | None) -> int:
    """How many arguments a list has, or a number says; -1 if it is not known."""
    if node is not None and node.type == "integer" and walker.source_of(node).isdigit():
        return count_written(walker.source_of(node))
    if node is None or node.type != "list":
        return -1
    parts = [child for child in node.named_children if child.type != "comment"]
    is_open = any(child.type == "binary_operator" and "|" in walker.source_of(child) for child in parts)
    return -1 if is_open else len(parts)
