"""C#: namespaces and usings, members of declared types, properties, overloads by the arguments.

In: a syntax tree. Out: facts. What is missing: extension methods, what libraries return, members of parts of a class in
other files.
"""

from rpg.encoder.languages.declarative.csharp.rules import Rules
from rpg.encoder.languages.declarative.csharp.syntax import Lowering

__all__ = ["Lowering", "Rules"]
