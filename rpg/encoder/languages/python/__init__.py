"""Python: how its syntax becomes facts (`lowering`), how its imports name files (`rules`), its own `names`."""

from rpg.encoder.languages.python.lowering import Lowering
from rpg.encoder.languages.python.rules import Rules

__all__ = ["Lowering", "Rules"]
