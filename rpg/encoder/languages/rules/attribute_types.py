"""Types of what rules say, where a word or a number is not enough."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from rpg.encoder.languages.standard_library import NONE

Extensions = Literal["none", "anywhere", "imported", "called", "based", "traits"]
ADDED_BY_NAME: Final = frozenset({"imported", "based"})
"""Kinds of `Rules.extensions` by which members of a type of the library are found by the name of the type."""
GivenToType = Literal["itself", "one", "all"]


class OnAnyObject(NamedTuple):
    """A method that every object has."""

    returns: Literal["", "itself", "result"] = ""
    """The object, or what is used like it; or what the function returns that it is passed."""
    lends: Literal["", "value", "receiver"] = ""
    """It runs that function with the object: as its `value`, or as its `receiver`. Called as a function, it does so
    with its first argument."""


class Words(NamedTuple):
    """The words in front of a name that say something of a symbol."""

    that_say_so: frozenset[str] = NONE
    that_say_no: frozenset[str] = NONE
    """Where there are any, it is so without one of them."""

    def is_said_now(self, was: frozenset[str], now: frozenset[str]) -> bool:
        """Whether the words of an edited symbol say so, and did not before."""
        return not (now - was).isdisjoint(self.that_say_so) or self.is_no_longer_denied(was, now)

    def is_no_longer_denied(self, was: frozenset[str], now: frozenset[str]) -> bool:
        return not was.isdisjoint(self.that_say_no) and now.isdisjoint(self.that_say_no)


class FieldMarks(NamedTuple):
    """What of a class that is made of its fields says that not each field is a parameter of its construction."""

    changing: re.Pattern[str]
    """Makes fields no plain parameters."""
    leaving_out: re.Pattern[str]
    """Makes a field none at all."""
    fixing: re.Pattern[str]
    """Of a class: that no field is written once an object is made."""
    basing: re.Pattern[str] | None = None
    """Of the declaration of a class: that it takes its fields because of its base."""

    def say_of_base(self, header: str) -> bool:
        return self.basing is not None and self.basing.search(header) is not None


class MembersRead(NamedTuple):
    """How code reads members of a module or class that it does not name: what stands around the name of that."""

    by_name: re.Pattern[bytes] | None = None
    """Behind it, where the name of one member is computed."""
    by_name_before: re.Pattern[bytes] | None = None
    """The same in front of it."""
    all: re.Pattern[bytes] | None = None
    """Behind it, where all members are taken."""
    all_before: re.Pattern[bytes] | None = None
    by_key_before: re.Pattern[bytes] | None = None
    """The end of what reads a field by its name as a key, from what a library made of all fields of an object."""
    by_index: bool = False
    """Whether an index is the name of a member of any object: `table[name]` has what `table.name` has."""
    joined_by: bytes = rb"\+"
    """The operator that joins two texts, as a pattern."""
    of_own_module: re.Pattern[bytes] | None = None
    """Code that goes through the names of its own module."""
    by_path: re.Pattern[bytes] | None = None
    """Code that loads a module by its path, which is the group, and hands it on as a whole."""
    of_page: re.Pattern[bytes] | None = None
    """The end of what names the object of a page, whose members are all that its scripts define outside modules; for a
    language of scripts."""


class Macros(NamedTuple):
    """Macros whose names and text the code around them has."""

    mark: str = ""
    """How the header of a macro begins, which is no alternative to a function of its name."""
    pasting: str = ""
    """What joins parts of names in them, where text is put together before it is parsed."""


class MethodSets(NamedTuple):
    """What methods do that are declared beside their type, in a language in which they are what a type is."""

    make_implementers: bool = False
    """Whether a type implements an interface by having its methods, without naming it."""
    name_parameters: bool = False
    """Whether a method names the type's parameters itself."""
    interfaces: Mapping[str, tuple[str, ...]] = {}
    """Interfaces of the library by origin: the signatures of their methods."""


class Closures(NamedTuple):
    """What functions without a name have."""

    have_receivers: bool = False
    """Whether the type that is expected of one may say what it extends."""
    implicit_parameter: str = ""
    """The name of the parameter that one may have without declaring it."""
    may_trail: bool = False
    """Whether one that stands last among the arguments is passed for the last parameter."""


class Construction(NamedTuple):
    """How objects are made of the fields of their type."""

    copies: str = ""
    """Name of the method of such objects that the compiler makes, and that takes the fields as labels."""
    kinds: frozenset[str] = NONE
    """Kinds of types that, without a constructor of their own, are made by a call that has all fields as labels."""
    variants: bool = False
    """Whether a variant of an enum may have fields of its own, which its literals and patterns name."""
    marks: FieldMarks | None = None
    """Which fields are no plain parameters of the construction; None where there are no such classes."""


class ModuleObjects(NamedTuple):
    """What modules have, and stand for, in a language in which they are objects while code runs."""

    imports_are_members: bool = False
    """Whether a module's own imports are members of it, available to `from module import name`."""
    are_folders: bool = False
    """Whether a folder is a module without a file that makes it one."""
    listing: str = ""
    """Name in a module whose value lists its exports."""
    stand_for_others: frozenset[str] = NONE
    """Names in a module that stand for several others."""


class Arguments(NamedTuple):
    """What a call passes."""

    number: int
    """How many by position."""
    keywords: tuple[str, ...]
    is_open: bool
    """Whether further ones may be passed by position."""
    has_any_keyword: bool
