"""CSS and SCSS: classes, custom properties, animations, mixins and variables by their names; sheets by import.

In: a syntax tree. Out: facts. A class is where a sheet first has a selector of it; ids are defined by documents. What
is missing: which rule wins, selectors that are put together of parts.
"""

from rpg.encoder.languages.declarative.css.rules import Rules
from rpg.encoder.languages.declarative.css.syntax import Lowering

__all__ = ["Lowering", "Rules"]
