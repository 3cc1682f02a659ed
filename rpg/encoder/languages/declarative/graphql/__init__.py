"""GraphQL: types, fields, operations and fragments by their names, which all files know.

In: a syntax tree. Out: facts. What is missing: fields that a query selects, and code that resolves them.
"""

from rpg.encoder.languages.declarative.graphql.rules import Rules
from rpg.encoder.languages.declarative.graphql.syntax import Lowering

__all__ = ["Lowering", "Rules"]
