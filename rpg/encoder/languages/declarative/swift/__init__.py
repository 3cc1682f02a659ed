"""Swift: modules by their folders, members of declared types, extensions, closures, overloads by their labels.

In: a syntax tree. Out: facts. What is missing: what libraries return, modules that are exported again, protocols that
an extension in another file adds.
"""

from rpg.encoder.languages.declarative.swift.rules import Rules
from rpg.encoder.languages.declarative.swift.syntax import Lowering

__all__ = ["Lowering", "Rules"]
