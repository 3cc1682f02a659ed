"""ECMAScript and TypeScript: how their syntax becomes facts, and where their imports lead.

In: a syntax tree; module names. Out: facts; files. The lowering's modules each know those before them: `walker`,
`types`, `shapes`, `jsdoc`, `named_values`, `commonjs`, `library_calls`, `suites`,
`expressions`, `operators`, `jsx`, `members`,
`patterns`, `functions`, `objects`, `declarations`, `assignments`, `classes`, `interfaces`, `modules`, `statements`;
`lowering` puts their handlers together, through which they reach those after them. Module names: `rules` and `names`;
`builtins`, `library` and `runners` are data.
"""

from rpg.encoder.languages.ecmascript.lowering import Lowering
from rpg.encoder.languages.ecmascript.rules import Rules

__all__ = ["Lowering", "Rules"]
