"""What names mean that nothing in a repository declares, and how a language names constructors."""

from __future__ import annotations

from collections.abc import Mapping

from rpg.encoder.languages.rules.attribute_types import GivenToType
from rpg.encoder.languages.standard_library import NONE


class NameRules:
    builtins: frozenset[str] = NONE
    """Names bound everywhere without an import."""
    given_names: frozenset[str] = NONE
    """Names that the language binds in some places, such as the parameter that a block does not declare: where the
    facts do not bind one, nothing follows from it."""
    builtin_members: frozenset[str] = NONE
    """Methods of builtin types: an unknown receiver of one of these is never guessed."""
    object_members: frozenset[str] = NONE
    """Members that objects, classes, functions and modules have without defining them."""
    given_to_types: Mapping[str, GivenToType] = {}
    """Functions that a type may have without defining them -> what they return: an instance of it, or one or all of
    the values of an enum, which alone has these."""
    needs_imports = False
    """Whether a name that nothing in sight binds is an error: what a file uses of others it imports by name, or as a
    whole."""
    constructor = ""
    """Name of the method that calling a class runs."""
    constructors_are_named_like_classes = False
    """Whether the constructor has the name of its class instead; there may be several."""
    names_other_constructor = ""
    """What in the text of a constructor, behind its first parenthesis, names the constructor of its base or another of
    its class that it runs, as an expression with `BASE` and `OWN` for the names of these classes; without that, it runs
    the one of its base that takes nothing. Empty where it would run none."""
    metaclass = ""
    """Keyword of the base that a class is an instance of."""

    @classmethod
    def is_attribute(cls, name: str) -> bool:
        """Whether annotations may make objects of a class of that name: of one of its bases they must, too."""
        return True

    def brings(self, module: str, name: str, role: int) -> bool:
        """Whether a name means something without the import of it from a module; `role`: of the place that reads
        it."""
        return name in self.builtins or name in self.given_names
