"""What comes with GraphQL. All files see each other's names."""

from __future__ import annotations

from rpg.encoder.languages.declarative.rules import DeclarativeRules


class Rules(DeclarativeRules):
    builtins = frozenset("Boolean Float ID Int String @deprecated @include @oneOf @skip @specifiedBy".split())
    has_packages = True
    imports_name_packages = False
