"""PHP: namespaces and uses, members of declared and assigned types, traits, promoted properties; routes of Laravel.

In: a syntax tree. Out: facts. What is missing: magic methods, facades and containers, files that are included.
"""

from rpg.encoder.languages.declarative.php.rules import Rules
from rpg.encoder.languages.declarative.php.syntax import Lowering

__all__ = ["Lowering", "Rules"]
