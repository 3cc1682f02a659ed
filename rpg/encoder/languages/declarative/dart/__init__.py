"""Dart: libraries by their files, members of declared types, mixins, extensions, named constructors, tests by title.

In: a syntax tree. Out: facts. What is missing: patterns of lists, maps and records, what libraries
return, parts that name their library rather than its file.
"""

from rpg.encoder.languages.declarative.dart.rules import Rules
from rpg.encoder.languages.declarative.dart.syntax import Lowering

__all__ = ["Lowering", "Rules"]
