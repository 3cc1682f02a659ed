"""ECMAScript and TypeScript: how their syntax becomes facts, and where their imports lead.

In: a syntax tree; module names. Out: facts; files. What lowers a tree knows only what comes before it: `walker`,
`types`, `lowering`. Module names: `rules` and `names`; `builtins`, `library` and `runners` are data.
"""

from rpg.encoder.languages.ecmascript.lowering.file_lowering import Lowering
from rpg.encoder.languages.ecmascript.rules import Rules

__all__ = ["Lowering", "Rules"]
