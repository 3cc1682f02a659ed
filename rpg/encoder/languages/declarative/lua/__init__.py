"""Lua: modules as the tables that files return, functions of tables, globals.

In: a syntax tree. Out: facts. What is missing: what metatables run but `__index`, and classes that libraries make.
"""

from rpg.encoder.languages.declarative.lua.rules import Rules
from rpg.encoder.languages.declarative.lua.syntax import Lowering

__all__ = ["Lowering", "Rules"]
