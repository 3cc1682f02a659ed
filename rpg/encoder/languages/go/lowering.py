"""The lowering of a whole Go file: the handlers of all modules, put together.

In: a syntax tree. Out: `FileFacts`.
"""

from __future__ import annotations

from typing import ClassVar

from rpg.encoder.languages.go import declarations, expressions, literals, statements, types
from rpg.encoder.languages.go.walker import GoWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers, Table


class Lowering(GoWalker):
    """Walks one Go syntax tree."""

    handlers: ClassVar[Handlers] = Table(
        types.HANDLERS, literals.HANDLERS, expressions.HANDLERS, declarations.HANDLERS, statements.HANDLERS
    )

    def lower(self, root: Node) -> None:
        """The whole file."""
        self.define_file()
        for child in root.named_children:
            if child.type == "package_clause":
                self.definitions[0].doc = self.documented(child.start_byte)[1]
            self.walk(child)
