"""Python: how its syntax becomes facts, and where its imports lead.

The lowering is one class in layers, each a file that knows those below it: `walk`, `accesses`, `literals`, `calls`,
`conditions`, `operators`, `targets`, `definitions`, `imports`, `patterns`, and `statements` with the `Lowering` itself.
How imports name files: `rules`; Python's own `names`.
"""

from rpg.encoder.languages.python.rules import Rules
from rpg.encoder.languages.python.statements import Lowering

__all__ = ["Lowering", "Rules"]
