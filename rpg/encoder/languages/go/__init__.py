"""Go: how its syntax becomes facts, and where its import paths lead.

Read in this order: `types`, `literals`, `expressions`, `declarations`, `statements` (the `Lowering` itself), `rules`.
"""

from rpg.encoder.languages.go.rules import Rules
from rpg.encoder.languages.go.statements import Lowering

__all__ = ["Lowering", "Rules"]
