"""The lowering of a whole JavaScript or TypeScript file: the handlers of all modules, put together.

In: a syntax tree. Out: `FileFacts`.
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rpg.encoder.languages.ecmascript.lowering import (
    assignments,
    classes,
    declarations,
    expressions,
    functions,
    interfaces,
    jsx,
    modules,
    named_values,
    objects,
    operators,
    statements,
)
from rpg.encoder.languages.ecmascript.lowering.functions import lower_statements
from rpg.encoder.languages.ecmascript.lowering.modules import mark_exported, mark_global
from rpg.encoder.languages.ecmascript.types import shapes, type_expressions
from rpg.encoder.languages.ecmascript.types.jsdoc import typedefs
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker, MemberHandlers, NamedHandlers, clean_comment
from rpg.encoder.lowering.node import Node, errors_in
from rpg.encoder.lowering.walker import Handlers, Table

_VALUES: Final = frozenset(("identifier", "member_expression", "call_expression", "string", "string_fragment"))
"""Kinds of nodes that are types only where a type is expected."""
_TYPED_MEMBER: Final = re.compile(rb"(?<=[\w>\])}])[ \t\r]*\n\s*(?=<\w)")
"""The end of a line, and the next one up to type parameters."""
_TYPES: Final = {**type_expressions.TYPES, **shapes.TYPES}


class Lowering(EcmaScriptWalker):
    """Walks one JavaScript or TypeScript syntax tree."""

    type_handlers: ClassVar[Handlers] = Table(_TYPES, otherwise=type_expressions.lower_computed_type)
    member_handlers: ClassVar[MemberHandlers] = {**shapes.MEMBERS, **classes.MEMBERS}
    named_handlers: ClassVar[NamedHandlers] = {
        **named_values.NAMED_VALUES,
        **functions.NAMED_VALUES,
        **objects.NAMED_VALUES,
        **classes.NAMED_VALUES,
    }
    handlers: ClassVar[Handlers] = Table(
        {kind: _TYPES[kind] for kind in _TYPES if kind not in _VALUES},
        type_expressions.HANDLERS,
        expressions.HANDLERS,
        operators.HANDLERS,
        jsx.HANDLERS,
        functions.HANDLERS,
        objects.HANDLERS,
        declarations.HANDLERS,
        assignments.HANDLERS,
        classes.HANDLERS,
        interfaces.HANDLERS,
        modules.HANDLERS,
        statements.HANDLERS,
    )

    def lower(self, root: Node) -> None:
        """The whole module."""
        root = self.read_apart(root)
        self.define_file(overview(self, root))
        lower_statements(self, root.named_children)
        typedefs(self)
        mark_exported(self)
        mark_global(self)

    def read_apart(self, root: Node) -> Node:
        """The tree of a file that does not parse because the grammar joins members of an interface that nothing but a
        line's end parts, where the second begins with its type parameters."""
        if self.language != "typescript" or not root.has_error or _TYPED_MEMBER.search(self.source) is None:
            return root
        other = self.parse(_TYPED_MEMBER.sub(lambda found: found[0][:-1] + b";", self.source))
        return other if errors_in(other) < errors_in(root) else root


def overview(walker: EcmaScriptWalker, root: Node) -> str:
    """The doc comment of the file: one that a blank line or an import separates from what follows."""
    children = root.named_children[:3]
    for position, child in enumerate(children):
        if child.type == "hash_bang_line":
            continue
        if child.type != "comment" or not walker.source.startswith(b"/**", child.start_byte):
            return ""
        text = walker.text(child.start_byte, child.end_byte)
        following = children[position + 1] if position + 1 < len(children) else None
        is_separate = following is None or following.type in ("import_statement", "comment")
        if not is_separate and following is not None:
            is_separate = walker.source.count(b"\n", child.end_byte, following.start_byte) > 1
        return clean_comment(text) if is_separate or "@fileoverview" in text or "@module" in text else ""
    return ""
