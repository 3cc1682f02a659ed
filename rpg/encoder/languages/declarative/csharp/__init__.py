"""C#: namespaces and usings, members of declared types, properties, overloads by the arguments, types by the number
of their type parameters, types in several parts.

In: a syntax tree. Out: facts. What is missing: what most of the library returns, members of named tuples, indexers.
"""

from rpg.encoder.languages.declarative.csharp.rules import Rules
from rpg.encoder.languages.declarative.csharp.syntax import Lowering

__all__ = ["Lowering", "Rules"]
