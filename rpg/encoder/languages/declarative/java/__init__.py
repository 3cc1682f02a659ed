"""Java: packages as files declare them, members of declared types, overloads by the arguments.

In: a syntax tree. Out: facts. What is missing: what libraries return, and types that are inferred through generics.
"""

from rpg.encoder.languages.declarative.java.rules import Rules
from rpg.encoder.languages.declarative.java.syntax import Lowering

__all__ = ["Lowering", "Rules"]
