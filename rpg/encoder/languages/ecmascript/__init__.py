"""ECMAScript and TypeScript: how their syntax becomes facts, and where their imports lead.

The lowering is one class in layers, each a file that knows those below it: `walk`, `types`, `shapes`, `jsdoc`,
`expressions`, `operators`, `jsx`, `patterns`, `functions`, `objects`, `targets`, `commonjs`, `classes`, `interfaces`,
`modules`, and `statements` with the `Lowering` itself. Names of modules: `rules` and `names`; `builtins` are data.
"""

from rpg.encoder.languages.ecmascript.rules import Rules
from rpg.encoder.languages.ecmascript.statements import Lowering

__all__ = ["Lowering", "Rules"]
