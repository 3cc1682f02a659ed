"""HTML: ids of elements, which classes, ids and custom properties a document uses, its scripts and style sheets.

In: a syntax tree. Out: facts. What is missing: code in scripts, handlers and templates.
"""

from rpg.encoder.languages.declarative.css.rules import Rules
from rpg.encoder.languages.declarative.html.syntax import Lowering

__all__ = ["Lowering", "Rules"]
