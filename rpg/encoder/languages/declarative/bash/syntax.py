"""Bash's kinds of nodes.

In: nodes. Out: `SPEC`, `Lowering`.
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rpg.encoder.facts import READ, Import
from rpg.encoder.languages.declarative.definitions import field
from rpg.encoder.languages.declarative.lowering import DeclarativeLowering, handlers_of
from rpg.encoder.languages.declarative.spec import Form, Spec
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers

_COMPUTED: Final = re.compile(r"^(?:\$\([^()]*\)|\$\{[^{}]*\}|\$\w+|`[^`]*`|/)*(?=/)")
"""A beginning that is computed: `$HOME`, `${BASH_SOURCE%/*}`, `$(dirname "$0")`."""


def command(walker: DeclarativeWalker, node: Node) -> int:
    name = node.child_by_field_name("name")
    word = name.named_children[0] if name is not None and name.named_child_count == 1 else None
    if word is not None and word.type == "word":
        text = walker.source_of(word).lstrip("\\")
        if text in ("source", "."):
            sourced(walker, node)
        else:
            callee = walker.identifier(word)
            walker.drop_site(callee)
            walker.call(callee, word.start_byte, [])
    for child in node.named_children:
        if child != name or word is None or word.type != "word":
            walker.walk(child)
    return 0


def sourced(walker: DeclarativeWalker, node: Node) -> None:
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
    return 0


def variable(walker: DeclarativeWalker, node: Node) -> int:
    text = walker.source_of(node)
    return walker.identifier(node, READ) if text[:1].isalpha() or text[:1] == "_" else 0


SPEC: Final[Spec] = Spec(
    definitions={"function_definition": Form("function", parameters=(), generics=())},
    names=frozenset({"word", "variable_name"}),
    handlers={
        "command": command,
        "variable_assignment": assignment,
        "variable_name": variable,
        "word": DeclarativeWalker.skip,
    },
    is_global=True,
)


class Lowering(DeclarativeLowering):
    spec: ClassVar[Spec] = SPEC
    handlers: ClassVar[Handlers] = handlers_of(SPEC)
