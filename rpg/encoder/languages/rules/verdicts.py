"""What a language refuses, by which an edit breaks what stands elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from rpg.encoder.languages.rules.attribute_types import Words
from rpg.encoder.languages.standard_library import NONE


class VerdictRules:
    hiding = Words()
    """The words in front of a symbol's name that hide it from other files, or show it to them."""
    keepers: frozenset[str] = NONE
    """Names of functions that take another one, and arguments that it is to be called with."""
    closing = Words()
    """The words in front of a class's name with which no other can inherit from it, or of which one is needed for
    that."""
    overrides_fit: Literal["loosely", "as called", "with fewer", "exactly"] = "loosely"
    """How a member must be like the one that it overrides: not at all; take every call of it, `with fewer` parameters
    if it needs no more; or take the very same."""
    plain_types: frozenset[str] = NONE
    """Types that the language brings, of which none takes the place of another, also not as a result."""
    closing_members = Words()
    """The words with which a member cannot be overridden, or of which one is needed for that."""
    effects_of_overrides = Words()
    """The words that an overriding member may only have if the overridden one does, and that it must have then."""
    unsaid_visibility: Literal["private", "package", "protected", "public"] = "public"
    """From where a member can be seen that says nothing of it."""
    demands_members: Literal["never", "of objects", "of classes"] = "never"
    """When it is an error that a class lacks a member which it must have: when an object is made of one that is meant
    to be abstract, or at once."""
    literals_need: Literal["nothing", "all fields by name", "all fields if none is named", "all members"] = "nothing"
    """What a literal of an object must have; all members: of a type, where it is assigned to a variable of it."""
    branching: re.Pattern[str] | None = None
    """What stands in front of the branches of a statement that must have one for each member of an enum."""
    branch_sign = ""
    branch_word = ""
    """What stands behind the members that a branch takes, and in front of them if anything does."""
    literals_fit: Mapping[str, str] = {}
    """Types of the language -> the kinds of literals that may be passed where they are declared: string, char, int,
    float, bool, null; zero, digits (a string of them). Where a type is not among them, nothing is said."""
    types_stand: Literal["behind colons", "in front", "behind"] = "behind colons"
    """Where the type of a parameter is: `n: int`, `int n`, `n int`."""
    has_characters = False
    """Whether single quotes hold a character."""
    has_void = False
    """Whether a function says before its name that it gives nothing: `void`."""
    tells_properties_from_methods = False
    """Whether a method is called with parentheses, and a property without."""

    awaiting: Literal["loose", "strict", "results"] = "loose"
    """Whether it is an error at once to await what is not awaitable, or to use without awaiting what is (`strict`); or
    an async function awaits by itself what it returns (`results`)."""
    ignores_case = False
    """Whether functions, methods and classes may be called in capital or small letters alike."""
    leaves_parts = False
    """Whether a value may be taken apart into fewer variables than it has parts."""
    imports_are_read = True
    """Whether what an import names must be there, and not only where it is used."""

    def may_be_of_library(self, name: str) -> bool:
        """Whether a type that no file declares any more may be one of the library, which has its name."""
        return True

    def is_promise(self, kind: str, text: str) -> bool:
        """Whether a field, constant or type of an interface is one that who implements it must have. `text`: from its
        beginning on, and a little more."""
        return False

    def declares_members(self, path: str) -> bool:
        """Whether classes in a file have only the members that they declare, whatever their methods assign."""
        return False

    @classmethod
    def is_written_as_literal(cls, header: str) -> bool:
        """Whether objects of a class are literals that have its fields as keys; `header`: its declaration."""
        return False

    @classmethod
    def has_literals(cls, header: str) -> bool:
        """The same, also of those that may lack a field."""
        return cls.is_written_as_literal(header)

    @classmethod
    def is_without_body(cls, signature: str) -> bool:
        """Whether a method that has no body has none by intention, as its signature says."""
        return False

    @classmethod
    def must_be_caught(cls, name: str) -> bool:
        """Whether an exception of the library must be caught or declared, and so must what inherits from it."""
        return False

    @classmethod
    def lets_none_through(cls, taker: str) -> bool:
        """Whether a type of the library for functions, or a method that takes one, takes none that throws what must be
        caught."""
        return False

    def is_optional(self, name: str, header: str) -> bool:
        """Whether a type may lack a member of one that it implements; `header`: the member's declaration."""
        return False
