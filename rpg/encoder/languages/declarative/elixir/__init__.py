"""Elixir: modules by their full names, functions by name and number of arguments, aliases, imports, behaviours.

In: a syntax tree. Out: facts. Clauses of one function are one symbol. `use` is a call of `__using__`, and brings what
that imports. Markup of Phoenix is in `markup` and `eex`. What is missing: what macros
define, what functions return, module attributes, and modules that variables hold.
"""

from rpg.encoder.languages.declarative.elixir.rules import Rules
from rpg.encoder.languages.declarative.elixir.syntax import Lowering

__all__ = ["Lowering", "Rules"]
