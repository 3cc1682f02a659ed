"""What comes with SQL: functions of its dialects. All files see each other's names."""

from __future__ import annotations

from rpg.encoder.languages.declarative.rules import DeclarativeRules
from rpg.encoder.languages.given_names import MEMBERS, PAGES, Given, spellings


class Rules(DeclarativeRules):
    ignores_case = True
    builtins = frozenset("avg cast coalesce concat count date length lower max min now round sum upper".split())
    classes_are_called = False
    has_packages = True
    is_contract = True
    imports = "files"
    unknown_is_outside = True

    @classmethod
    def names_given(cls, kind: str, name: str) -> tuple[Given, ...]:
        return tuple(Given(each, PAGES) for each in spellings(name)) if kind in MEMBERS else ()
