"""Go: how its syntax becomes facts, and where its import paths lead.

Read in this order: `types`, `expressions`, `declarations`, `statements` (the `Lowering` itself), then `rules`.
"""

from rpg.encoder.languages.go.rules import Rules
from rpg.encoder.languages.go.statements import Lowering

__all__ = ["Lowering", "Rules"]
