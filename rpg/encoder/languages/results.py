"""What functions, methods and types of a language's own library return: the vocabulary of its tables.

A language says `"sorted": Gives(ELEMENTS)`; the evaluator knows the meaning (`resolve/evaluate/library.py`,
`container_methods.py`, `annotations.py`). If no word here fits something in a language, a word is added.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Gives(NamedTuple):
    """What calling a function of the library returns."""

    what: str
    detail: str = ""
    """The keyword of its argument; for a type variable, that of its bound; for VALUE_OF_TYPE the name of the type; for
    EMPTY_CONTAINER the kind of container."""


class Signature(NamedTuple):
    """The roles of the arguments of a function type."""

    parameters: tuple[int, ...]
    """The type argument that each parameter has, by position; NOT_TOLD if none is its type."""
    result: int
    """The type argument that the function returns; WITHOUT_RESULT if there is none."""


NOT_TOLD: Final = -1
WITHOUT_RESULT: Final = -1


class CallsArgument(NamedTuple):
    """A function that calls one of its arguments."""

    position: int
    """Position in the function that calls it; -1 if it is passed by keyword only."""
    keyword: str
    source: int
    """Position of the argument whose elements it is called with."""
    how: str


# What functions return

ANY_ARGUMENT: Final = "any argument"
FIRST: Final = "first"
"""Their first argument."""
FIRST_OR_OUTSIDE: Final = "first or outside"
"""Their first argument if it is known, else something of the library's."""
FIRST_UNLESS_TEXT: Final = "first unless text"
FIRST_OR_EMPTY: Final = "first or empty"
"""Their first argument, else an empty container of their name."""
OUTSIDE: Final = "outside"
"""Something of the library's, whatever they are passed."""
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
"""An iterable of the elements of their first argument."""
ELEMENTS_OF_LAST: Final = "elements of last"
ONE_ELEMENT: Final = "one element"
"""One element of their only argument, or one of several."""
ONE_OF_FIRST: Final = "one of first"
"""One element of their first argument, or one of the others."""
NUMBERED: Final = "numbered"
"""An iterable of pairs of a number and an element."""
SIDE_BY_SIDE: Final = "side by side"
"""An iterable of tuples of one element of each argument."""
ONE_AFTER_ANOTHER: Final = "one after another"
"""An iterable of the elements of all arguments."""
MADE_WHEN_MISSING: Final = "made when missing"
"""A dictionary whose values their first argument makes."""
FOLDED: Final = "folded"
"""The result of the function that they are passed, or the initial value."""
CALLED_FOR_EACH: Final = "called for each"
"""An iterable of the results of the function that they are passed."""
AWAITED: Final = "awaited"
"""What awaiting their first argument returns."""
VALUE_OF_TYPE: Final = "value of type"
"""A value of a builtin type."""
OF_WRITTEN_TYPE: Final = "of written type"
"""A value of the type that is written as the call's first type argument."""
OF_ASKED_TYPE: Final = "of asked type"
"""An instance of the type that is written for the call, or whose class is passed first; what else such a function gives
is a library's. Its detail: the container that the instances are in."""
VALUES: Final = "values"
PAIRS: Final = "pairs"
"""The values of an object, or its keys with their values."""
BOXED: Final = "boxed"
"""Their first argument in a box."""
LISTED: Final = "listed"
"""A list of their arguments; of a single one that is a list itself, of its elements."""
ELEMENTS_MAPPED: Final = "elements mapped"
"""The elements of the first argument, or what the second one makes of them."""
FIRST_TO_AWAIT: Final = "first to await"
ALL_TO_AWAIT: Final = "all to await"
ANY_TO_AWAIT: Final = "any to await"
"""An awaitable of their argument, of all its elements, of one of them."""
EACH_TO_AWAIT: Final = "each to await"
"""An awaitable of what awaiting each of their arguments returns."""
CALLED_TO_AWAIT: Final = "called to await"
"""An awaitable of what the function that they are passed returns."""
DISPATCHER: Final = "dispatcher"
"""Something of the library's that calls what is registered with it."""
EMPTY_CONTAINER: Final = "empty container"
"""A container of whatever is put into it later."""

# How functions call their argument

WITH_EACH: Final = "with each"
"""With one element; what further parameters receive is unknown."""
WITH_EACH_OF_ALL: Final = "with each of all"
"""With one element of each following argument."""
WITH_ANY: Final = "with any"
"""With one element, or with one of the arguments if there are several."""
WITH_PARTS: Final = "with parts"
"""With the parts of one element."""
FOLDING: Final = "folding"
"""With its last result, or the argument after the elements, and one element."""
ACCUMULATING: Final = "accumulating"
"""With its last result and one element."""

# What methods of builtin values return (also VALUES, PAIRS, FIRST and FOLDED as above)

MAPPED: Final = "mapped"
"""A list of the results of the function that they are passed."""
FLATTENED: Final = "flattened"
"""A list of the elements of these results."""
SETTLED: Final = "settled"
"""An awaitable of the function's result."""
SAME: Final = "same"
"""Their receiver."""
SEQUENCE: Final = "sequence"
"""A list of their receiver's elements."""
AS_WRITTEN: Final = "as written"
"""A list of the type that is written as the call's type argument."""
SAME_TO_AWAIT: Final = "same to await"
KEYS: Final = "keys"
PAIR: Final = "pair"
"""A key with its value."""
ITERATOR_OF_AWAITED: Final = "iterator of awaited"
ZIPPED: Final = "zipped"
"""A list of pairs of an element and one of their argument's."""
INDEXED: Final = "indexed"
"""A dictionary of the elements, or of what the second function makes of them, by what the first one does."""
GROUPED: Final = "grouped"
"""A list of lists of the elements."""
COLLECTED: Final = "collected"
"""What the collector that they are passed makes of the elements (`Methods.collectors`)."""

# What collectors make

LIST_OF: Final = "list of"
LISTS_BY_KEY: Final = "lists by key"

# What such methods pass to the function that they are passed

VALUE: Final = "value"
KEY: Final = "key"
OTHER: Final = "other"
"""What a box holds if it does not hold its value: an error."""
RESULT: Final = "result"
"""The function's previous result."""
TO_AWAIT: Final = "to await"
"""What awaiting the value returns."""

# What a type derived from another one is

AWAITED_OF: Final = "awaited of"
INSTANCE_OF: Final = "instance of"
RESULT_OF: Final = "result of"

# What every object has from the language

TEXT: Final = "text"
TABLE: Final = "table"
MAKER: Final = "maker"
"""The function that makes an instance (see NEW_INSTANCE)."""
