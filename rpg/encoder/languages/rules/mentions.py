"""How text may name a symbol where no reference does: in strings, pages, macros and configuration."""

from __future__ import annotations

import re

from rpg.encoder.languages.given_names import Given
from rpg.encoder.languages.rules.attribute_types import MembersRead


class MentionRules:
    made_where: re.Pattern[bytes] | None = None
    """What stands before the name of a class, used as a type, where others may make an object of it."""
    page_variable = ""
    """What stands in front of the name of a variable in pages, to which libraries hand members of objects."""
    converted: re.Pattern[bytes] | None = None
    """What in a file shows that a library spells the names of its fields in another way: `user_name` as `userName`."""
    exports: re.Pattern[bytes] | None = None
    """What stands in front of a list of the names that a module offers, as strings or as they are, or of one name."""
    loads_by_path: re.Pattern[bytes] | None = None
    """Code that loads a module by a path that it computes."""
    members_read = MembersRead()
    """How members of a module or class are read, or handed on, without naming them."""
    labels_value: re.Pattern[bytes] | None = None
    """What stands in front of the name of a function or class that is a value, so that the name is a label of it."""
    takes_names: re.Pattern[bytes] | None = None
    """The end of the name of a library's function that is told members by name: in strings, or as keywords."""
    marks_name_fields: re.Pattern[bytes] | None = None
    """The begin of an attribute or annotation of a library, in whose strings fields are named."""
    takes_fields: re.Pattern[bytes] | None = None
    """The end of the name of a library's function that is told the fields of what it looks for, in strings."""
    takes_conditions: re.Pattern[bytes] | None = None
    """The end of the name of a library's function that is told a part of a query, which names fields behind what stands
    for their objects: `where("user.age > 18")`."""
    joined_names: tuple[tuple[str, str], ...] = ()
    """Longer names that a library takes apart to find a member: a text that is in all of them, and a pattern, with the
    member's `{name}`, or its `{Name}` with a capital."""
    conforming: re.Pattern[str] | None = None
    """The header of a type whose members are called on any object that has them, whatever it says of itself."""
    reached_by: frozenset[str] = frozenset({"strings"})
    """What may reach a function, type, variable or member by its name alone: `strings`, which are run or looked up;
    `commands`, strings that are lines of code, and words that nothing declares; `symbols`, values written `:name`, and
    keys `name:` of what is passed; `derives`, macros that make types in a module by the names of what is in it."""
    is_contract = False
    """Whether code of any language may name what its files define: tables, messages, styles."""

    @classmethod
    def names_given(cls, kind: str, name: str) -> tuple[Given, ...]:
        """The names that frameworks and generators make of that of a symbol."""
        return ()

    @classmethod
    def examples_in_comments(cls, source: bytes) -> list[tuple[int, int]]:
        """Where code begins and ends that stands in comments and that the language's tests run."""
        return []
