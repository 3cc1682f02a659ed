"""Ruby: classes and modules by their constants, in all files that open them; methods of self and of what is made in
view, mixins, accessors.

In: a syntax tree. Out: facts. What Rails makes of names is here as well: members that calls in a class define
(`class_macros`), columns (`schema`), attributes in queries (`queries`), routes (`routes`), views (`erb`,
`haml`, `slim`, `templates`). What is missing: methods that are made at run time in any other way.
"""

from rpg.encoder.languages.declarative.ruby.rules import Rules
from rpg.encoder.languages.declarative.ruby.syntax import Lowering

__all__ = ["Lowering", "Rules"]
