"""Python: how its syntax becomes facts, and where its imports lead.

In: a syntax tree; names of modules. Out: facts; files. The lowering's modules each know those before them: `walker`,
`accesses`, `literals`, `calls`, `conditions`, `operators`, `targets`, `definitions`, `imports`, `patterns`,
`statements`; `lowering` puts their handlers together. How imports name files: `rules`; Python's own `names`.
"""

from rpg.encoder.languages.python.lowering import Lowering
from rpg.encoder.languages.python.rules import Rules

__all__ = ["Lowering", "Rules"]
