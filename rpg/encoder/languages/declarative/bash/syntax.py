"""Bash's kinds of nodes.

In: nodes. Out: `SPEC`, `Lowering`.
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rpg.encoder.facts import READ, WRITE, Import
from rpg.encoder.languages.declarative.definitions import define
from rpg.encoder.languages.declarative.expressions import branch, lower_repeated
from rpg.encoder.languages.declarative.lowering import DeclarativeLowering, handlers_of
from rpg.encoder.languages.declarative.naming import offer_name
from rpg.encoder.languages.declarative.spec import Form, Spec
from rpg.encoder.languages.declarative.variables import field
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers

_NAME: Final = re.compile(r"[A-Za-z_][\w:-]*")
_NAMING: Final = frozenset({"hash", "trap", "type", "unset"})
"""Programs whose arguments are names of functions, whatever they look like."""
_COMPUTED: Final = re.compile(r"^(?:\$\([^()]*\)|\$\{[^{}]*\}|\$\w+|`[^`]*`|/)*(?=/)")
"""A beginning that is computed: `$HOME`, `${BASH_SOURCE%/*}`, `$(dirname "$0")`."""


def command(walker: DeclarativeWalker, node: Node) -> int:
    name = node.child_by_field_name("name")
    word = name.named_children[0] if name is not None and name.named_child_count == 1 else None
    is_naming = False
    if word is not None and word.type == "word":
        text = walker.source_of(word).lstrip("\\")
        if text in ("source", "."):
            lower_source(walker, node)
        else:
            is_naming = text in _NAMING
            callee = walker.identifier(word)
            walker.drop_site(callee)
            walker.call(callee, word.start_byte, [])
    for child in node.named_children:
        if child.type == "word" and child != word:
            function_name(walker, child, is_naming)
        elif is_naming and child.type in ("string", "raw_string"):
            lower_text_command(walker, child)
            walker.walk(child)
        elif child != name or word is None or word.type != "word":
            walker.walk(child)
    return 0


def function_name(walker: DeclarativeWalker, node: Node, is_naming: bool) -> None:
    """An argument may be the name of a function (`trap clean_up EXIT`); a word of prose is none."""
    text = walker.source_of(node)
    if _NAME.fullmatch(text) and (is_naming or "_" in text or "::" in text):
        walker.identifier(node)


def lower_text_command(walker: DeclarativeWalker, node: Node) -> None:
    """`trap 'clean_up "$1"' EXIT`: the command that a text begins with."""
    found = _NAME.match(walker.source_of(node)[1:])
    if found is not None:
        start = node.start_byte + 1
        walker.call(walker.variable(walker.string(found[0]), start), start, [])


def function_definition(walker: DeclarativeWalker, node: Node) -> int:
    """A function in a function is known everywhere, once the outer one has run."""
    name = node.child_by_field_name("name")
    if name is None:
        return walker.through(node)
    index = define(walker, node, SPEC.definitions["function_definition"], name)
    if walker.function:
        around, walker.block = walker.block, 0
        walker.bind(walker.text_of(name), walker.definition_value(index), 0, "", 0)
        walker.block = around
        offer_name(walker, walker.text_of(name))
    return 0


def lower_source(walker: DeclarativeWalker, node: Node) -> None:
    path = node.child_by_field_name("argument")
    if path is None or path.type not in ("word", "raw_string", "string"):
        return
    text = walker.source_of(path).strip("\"'")
    if "$" in text or "`" in text:
        # Where a variable or a command leads is not known, but what it begins is a folder.
        text = _COMPUTED.sub("", text)
        if not text.startswith("/") or "$" in text or "`" in text:
            return
        text = f"*{text}"
    walker.imports.append(Import(text, 0, path.start_byte + (path.type != "word"), 0, "side-effect"))


def assignment(walker: DeclarativeWalker, node: Node) -> int:
    name = node.child_by_field_name("name")
    value = node.child_by_field_name("value")
    if value is not None:
        walker.walk(value)
    if name is None or name.type != "variable_name" or walker.function:
        return 0
    if walker.scope == 0 and walker.text_of(name) not in walker.given:
        walker.given.add(walker.text_of(name))
        field(walker, name, node, 0, 0, "constant")
    elif walker.scope == 0:
        walker.identifier(name, WRITE)
    return 0


def variable(walker: DeclarativeWalker, node: Node) -> int:
    text = walker.source_of(node)
    return walker.identifier(node, READ) if text[:1].isalpha() or text[:1] == "_" else 0


SPEC: Final[Spec] = Spec(
    definitions={"function_definition": Form("function", parameters=(), generics=())},
    names=frozenset({"word", "variable_name"}),
    handlers={
        "command": command,
        "function_definition": function_definition,
        "variable_assignment": assignment,
        "variable_name": variable,
        "word": DeclarativeWalker.skip,
        "if_statement": branch,
        "elif_clause": branch,
        "else_clause": branch,
        "case_item": branch,
        "while_statement": lower_repeated,
        "for_statement": lower_repeated,
    },
    is_global=True,
)


class Lowering(DeclarativeLowering):
    spec: ClassVar[Spec] = SPEC
    handlers: ClassVar[Handlers] = handlers_of(SPEC)
