"""Dart: libraries by their files, members of declared types, mixins, extensions, named constructors, tests by title.

In: a syntax tree. Out: facts. What is missing: which names an import shows or hides, patterns that take objects apart,
what libraries return.
"""

from rpg.encoder.languages.declarative.dart.rules import Rules
from rpg.encoder.languages.declarative.dart.syntax import Lowering

__all__ = ["Lowering", "Rules"]
