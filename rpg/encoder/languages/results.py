"""What functions, methods and types of a language's own library give: the words that its tables are written in.

A language says `"sorted": Gives(ELEMENTS)`; the evaluator knows what that comes to (`resolve/evaluate/library.py`,
`container_methods.py`, `annotations.py`). Where a language has something that no word here fits, a word is added.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Gives(NamedTuple):
    """What calling a function of the library gives."""

    what: str
    detail: str = ""
    """The keyword that its argument may be passed by; of a type variable, that of its bound; of VALUE_OF_TYPE the name
    of the type; of EMPTY_CONTAINER the kind of the container."""


class CallsArgument(NamedTuple):
    """A function that calls one of its arguments."""

    position: int
    """Of the function that is called; -1 where it is passed by keyword alone."""
    keyword: str
    source: int
    """Position of the argument whose elements it is called with."""
    how: str


# What functions give

FIRST: Final = "first"
"""Their first argument."""
FIRST_OR_OUTSIDE: Final = "first or outside"
"""Their first argument where it is known, else something of the library's."""
FIRST_UNLESS_TEXT: Final = "first unless text"
FIRST_OR_EMPTY: Final = "first or empty"
"""Their first argument, else an empty container of their name."""
OUTSIDE: Final = "outside"
"""Something of the library's, whatever they are given."""
CLASS_OF: Final = "class of"
"""The class of their argument; with three arguments, a class of that name."""
TYPE_GIVEN: Final = "type given"
"""A value of the type that their first argument names."""
TYPE_VARIABLE: Final = "type variable"
MEMBER_NAMED: Final = "member named"
"""The member of the first argument that the second one names, or the third."""
NEW_INSTANCE: Final = "new instance"
"""An instance of the class that is their argument."""
BOUND_CALL: Final = "bound call"
"""Their first argument with some arguments bound."""
CONTEXT_OF: Final = "context of"
"""What `with` binds to their first argument."""
ELEMENTS: Final = "elements"
"""What yields the elements of their first argument."""
ELEMENTS_OF_LAST: Final = "elements of last"
ONE_ELEMENT: Final = "one element"
"""One element of their only argument, or one of several."""
NUMBERED: Final = "numbered"
"""What yields pairs of a number and an element."""
SIDE_BY_SIDE: Final = "side by side"
"""What yields tuples of one element of each argument."""
ONE_AFTER_ANOTHER: Final = "one after another"
"""What yields the elements of all arguments."""
MADE_WHEN_MISSING: Final = "made when missing"
"""A dictionary whose values their first argument makes."""
FOLDED: Final = "folded"
"""What the function that they are given gives, or what it starts with."""
CALLED_FOR_EACH: Final = "called for each"
"""What yields what the function gives that they are given."""
AWAITED: Final = "awaited"
"""What awaiting their first argument gives."""
VALUE_OF_TYPE: Final = "value of type"
"""A value of a builtin type."""
VALUES: Final = "values"
PAIRS: Final = "pairs"
"""What is held by an object, or under which keys what is."""
ELEMENTS_MAPPED: Final = "elements mapped"
"""The elements of the first argument, or what the second one makes of them."""
FIRST_TO_AWAIT: Final = "first to await"
ALL_TO_AWAIT: Final = "all to await"
ANY_TO_AWAIT: Final = "any to await"
"""Something to await: their argument, all elements of it, one of them."""
EMPTY_CONTAINER: Final = "empty container"
"""A container that holds what is put into it later."""

# How functions call their argument

WITH_EACH: Final = "with each"
"""With one element; what further parameters receive is not known."""
WITH_EACH_OF_ALL: Final = "with each of all"
"""With one element of each argument that follows."""
WITH_ANY: Final = "with any"
"""With one element, or with one of the arguments where there are several."""
WITH_PARTS: Final = "with parts"
"""With the parts of one element."""
FOLDING: Final = "folding"
"""With what it gave last, or what follows the elements, and one element."""
ACCUMULATING: Final = "accumulating"
"""With what it gave last, and one element."""

# What methods of builtin values give (also VALUES, PAIRS, FIRST and FOLDED as above)

MAPPED: Final = "mapped"
"""A list of what the function that they are given gives."""
FLATTENED: Final = "flattened"
"""A list of the elements of that."""
SETTLED: Final = "settled"
"""Something to await that gives what the function gives."""
SAME: Final = "same"
"""What they stand on."""
SAME_TO_AWAIT: Final = "same to await"
KEYS: Final = "keys"
PAIR: Final = "pair"
"""A key with its value."""
ITERATOR_OF_AWAITED: Final = "iterator of awaited"

# What such methods hand to the function that they are given

VALUE: Final = "value"
KEY: Final = "key"
RESULT: Final = "result"
"""What the function gave before."""
TO_AWAIT: Final = "to await"
"""What awaiting the value gives."""

# What a type made of another one is

AWAITED_OF: Final = "awaited of"
INSTANCE_OF: Final = "instance of"
RESULT_OF: Final = "result of"

# What every object has of the language

TEXT: Final = "text"
TABLE: Final = "table"
MAKER: Final = "maker"
"""The function that makes an instance (see NEW_INSTANCE)."""
