"""Kotlin: packages as files declare them, members of declared types, extensions, companions, overloads.

In: a syntax tree. Out: facts. What is missing: what libraries return.
"""

from rpg.encoder.languages.declarative.kotlin.rules import Rules
from rpg.encoder.languages.declarative.kotlin.syntax import Lowering

__all__ = ["Lowering", "Rules"]
