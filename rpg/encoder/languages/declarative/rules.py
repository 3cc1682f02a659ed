"""What all defined languages share for resolution.

In: what a language may ask about the repository. Out: `DeclarativeRules`. A library may return whatever it was passed,
so that nothing is external for which there is no evidence.
"""

from __future__ import annotations

from rpg.encoder.languages.rules import Rules
from rpg.encoder.languages.rules.attribute_types import Extensions
from rpg.encoder.languages.tests import Tests

NOTHING_KNOWN: frozenset[str] = frozenset()


class DeclarativeRules(Rules):
    makes_its_own: frozenset[str] | None = NOTHING_KNOWN
    keeps_declared_types = True
    follows_declared_functions = False
    tests = Tests()


class ExtensibleRules(DeclarativeRules):
    """Of a language in which the repository may add members to any type: a library's object may have them, too."""

    extensions: Extensions = "anywhere"

    def may_give_back(self, name: str, call: bool) -> bool:
        return call or super().may_give_back(name, call)
