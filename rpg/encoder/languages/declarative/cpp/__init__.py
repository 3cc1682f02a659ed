"""C++: classes with what is defined of them elsewhere, names by included headers, overloads, templates by their names.

In: a syntax tree. Out: facts. Namespaces are seen through: their contents are names of the repository. What is missing:
lookup by arguments, specialisations, and types that templates infer.
"""

from rpg.encoder.languages.declarative.cpp.rules import Rules
from rpg.encoder.languages.declarative.cpp.syntax import Lowering

__all__ = ["Lowering", "Rules"]
