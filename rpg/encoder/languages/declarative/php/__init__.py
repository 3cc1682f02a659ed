"""PHP: namespaces and uses, members of declared and assigned types, traits, promoted properties; names in constant
strings (`callables`); of Laravel: routes, policies, views, factories, and the templates of `blade`.

In: a syntax tree. Out: facts. What is missing: magic methods, facades and containers, files that are included.
"""

from rpg.encoder.languages.declarative.php.rules import Rules
from rpg.encoder.languages.declarative.php.syntax import Lowering

__all__ = ["Lowering", "Rules"]
