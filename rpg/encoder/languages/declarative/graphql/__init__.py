"""GraphQL: types, fields, operations and fragments by their names, which all files know.

In: a syntax tree. Out: facts. What a query selects, and code that resolves it, are contracts (`frameworks/graphql/`).
"""

from rpg.encoder.languages.declarative.graphql.rules import Rules
from rpg.encoder.languages.declarative.graphql.syntax import Lowering

__all__ = ["Lowering", "Rules"]
