"""Ruby: classes and modules by their constants, methods of self and of what is made in view, mixins, accessors.

In: a syntax tree. Out: facts. What is missing: methods that are made at run time, and what Rails makes of names.
"""

from rpg.encoder.languages.declarative.ruby.rules import Rules
from rpg.encoder.languages.declarative.ruby.syntax import Lowering

__all__ = ["Lowering", "Rules"]
