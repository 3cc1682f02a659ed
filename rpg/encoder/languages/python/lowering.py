"""The lowering of a whole Python file: the handlers of all modules, put together.

In: a syntax tree. Out: `FileFacts`.
"""

from __future__ import annotations

from typing import ClassVar

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
from rpg.encoder.languages.python.walker import PythonWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers, Table


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
        mark_exported(self)
