"""ECMAScript and TypeScript: how their syntax becomes facts, and where their imports lead.

Read in this order: `walk` (what every part needs), `types`, `expressions`, `functions`, `targets`, `classes`, `modules`,
`statements` (the `Lowering` itself), then `rules` (names of modules) and `builtins`.
"""

from rpg.encoder.languages.ecmascript.rules import Rules
from rpg.encoder.languages.ecmascript.statements import Lowering

__all__ = ["Lowering", "Rules"]
