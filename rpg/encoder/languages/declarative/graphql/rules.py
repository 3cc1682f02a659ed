"""What comes with GraphQL. All files see each other's names."""

from __future__ import annotations

from rpg.encoder.languages.declarative.rules import DeclarativeRules
from rpg.encoder.languages.given_names import ANYWHERE, MEMBERS, Given, spellings


class Rules(DeclarativeRules):
    builtins = frozenset("Boolean Float ID Int String @deprecated @include @oneOf @skip @specifiedBy".split())
    has_packages = True
    is_contract = True
    imports = "files"

    @classmethod
    def names_given(cls, kind: str, name: str) -> tuple[Given, ...]:
        return tuple(Given(each, ANYWHERE) for each in spellings(name)) if kind in MEMBERS else ()
