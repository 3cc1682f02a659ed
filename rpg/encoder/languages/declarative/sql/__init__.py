"""SQL: tables with their columns, views, functions, triggers and types by their names, which all files know.

In: a syntax tree. Out: facts. What is missing: what a later statement renames or drops, dialects that the grammar does
not know, SQL in strings.
"""

from rpg.encoder.languages.declarative.sql.rules import Rules
from rpg.encoder.languages.declarative.sql.syntax import Lowering

__all__ = ["Lowering", "Rules"]
