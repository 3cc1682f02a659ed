"""Go: how its syntax becomes facts, and where its import paths lead.

In: a syntax tree; import paths. Out: facts; folders. The lowering's modules each know those before them: `walker`,
`types`, `literals`, `expressions`, `declarations`, `statements`; `lowering` puts their handlers together. Where imports
lead: `rules`.
"""

from rpg.encoder.languages.go.lowering import Lowering
from rpg.encoder.languages.go.rules import Rules

__all__ = ["Lowering", "Rules"]
