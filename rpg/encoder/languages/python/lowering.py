"""The lowering of a whole Python file: the handlers of all modules, put together.

In: a syntax tree. Out: `FileFacts`.
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rpg.encoder.facts import ALIAS, FileFacts
from rpg.encoder.languages.prose.examples import Examples
from rpg.encoder.languages.python import (
    accesses,
    calls,
    definitions,
    imports,
    literals,
    operators,
    patterns,
    statements,
    targets,
)
from rpg.encoder.languages.python.definitions import docstring
from rpg.encoder.languages.python.imports import mark_exported
from rpg.encoder.languages.python.strings.types import type_comment
from rpg.encoder.languages.python.walker import PythonWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers, Table
from rpg.graph import CLASS_KINDS

_MOST_EXAMPLES: Final = 500
_LONGEST_EXAMPLE: Final = 20_000
_NESTED: Final = re.compile(rb"(?:[(\[{~+-][ \t]*){60}|(?:\bnot\b[ \t]*){60}")
"""Deeper than any example: lowering recurses with the nesting."""


class Lowering(PythonWalker):
    """Walks one Python syntax tree."""

    handlers: ClassVar[Handlers] = Table(
        accesses.HANDLERS,
        literals.HANDLERS,
        calls.HANDLERS,
        operators.HANDLERS,
        targets.HANDLERS,
        definitions.HANDLERS,
        imports.HANDLERS,
        patterns.HANDLERS,
        statements.HANDLERS,
    )

    def lower(self, root: Node) -> None:
        """The whole module."""
        self.define_file(docstring(self, root))
        self.through(root)
        for definition, start, end in self.examples[:_MOST_EXAMPLES]:
            Examples(self, self.language).read(self.example, self.language, start, end, definition)
        mark_exported(self)
        self.add_mangled_aliases()

    def comment(self, node: Node) -> int:
        if b"type:" in self.bytes_of(node):
            type_comment(self, node)
        return super().comment(node)

    def add_mangled_aliases(self) -> None:
        """Outside its class, a member with two underscores in front has the class in its name."""
        for definition in self.definitions:
            name = definition.name
            if name.startswith("__") and not name.endswith("__") and definition.parent > 0:
                around = self.definitions[definition.parent]
                if around.kind in CLASS_KINDS:
                    definition.flags = (*definition.flags, f"{ALIAS}_{around.name.lstrip('_')}{name}")

    def example(self, language: str, piece: bytes) -> FileFacts | None:
        """The facts of code in a docstring; None if it is no code."""
        if len(piece) > _LONGEST_EXAMPLE or _NESTED.search(piece) is not None:
            return None
        root = self.parse(piece)
        if root.has_error:
            return None
        lowering = Lowering(self.path, language, piece, self.parse)
        lowering.define_file()
        lowering.through(root)
        return lowering.finish()
