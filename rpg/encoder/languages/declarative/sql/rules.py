"""What comes with SQL: functions of its dialects. All files see each other's names."""

from __future__ import annotations

from rpg.encoder.languages.declarative.rules import DeclarativeRules


class Rules(DeclarativeRules):
    builtins = frozenset("avg cast coalesce concat count date length lower max min now round sum upper".split())
    classes_are_called = False
    has_packages = True
    imports_name_packages = False
    unknown_is_outside = True
