"""Scala: packages as files declare them, imports of members, members of declared types and their companions, apply,
extensions, overloads.

In: a syntax tree. Out: facts. What is missing: implicit values, conversions and classes, what libraries
return, macros.
"""

from rpg.encoder.languages.declarative.scala.rules import Rules
from rpg.encoder.languages.declarative.scala.syntax import Lowering

__all__ = ["Lowering", "Rules"]
