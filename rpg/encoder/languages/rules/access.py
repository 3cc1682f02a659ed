"""What a language says of how others may use a symbol, and what a use must show: by which an edit breaks it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from rpg.encoder.languages.rules.attribute_types import Words
from rpg.encoder.languages.standard_library import NONE


class AccessRules:
    access_stands: Literal["in words", "in labels", "in sections"] = "in words"
    """Where it is said from where a member can be seen: in front of its name, or by a label or section around it."""
    showing_in_build: frozenset[str] = NONE
    """The words with which a symbol is seen by everything that is built together."""
    objects_reach_statics = True
    classes_reach_members = True
    """Whether a static member is reached through an object, and one that is not through its class."""
    fixed = Words()
    """The words in front of a variable's name with which it is not written again."""
    setters_are_apart = False
    """Whether a property is written by a definition of its own, without which it is only read."""
    setters_in_text: tuple[tuple[re.Pattern[str], str], ...] = ()
    """What in the text of a property or field says from where it is written, the first that is found: `everywhere`, `in
    its class`, `while it is made`, `in constructors`, `nowhere`, or that it is `only written`. The text: its signature
    in one line, and from the next one on its body, or what stands behind it."""
    call_marks: Mapping[str, str] = {}
    """Words of a function's signature -> the word that a call of it must have in front; none: the function around the
    call must have the same word."""
    may_be_nothing: re.Pattern[str] | None = None
    """What in the text of a type says that a value may be missing, and is not used without a look."""
    counted_types: frozenset[str] = NONE
    uncounted_types: frozenset[str] = NONE
    """Types of the language whose elements are taken by their number, and types of which that is refused."""
    bodiless_is_abstract = False
    """Whether a method of an abstract class that has no body is one that others must have."""
