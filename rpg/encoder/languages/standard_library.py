"""Tables of what comes with a language: its types, the methods of builtin types, the methods that the language runs.

In: what a language fills in. Out: `LibraryBase`, `Types`, `Methods`, `Protocols` and `Decorators`, whose defaults are
those of a language without a library. The words for what functions and methods return are in results.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from rpg.encoder.languages.results import Signature

NONE: frozenset[str] = frozenset()


class LibraryBase(NamedTuple):
    """What a class has from a base of the library."""

    is_made_of: Literal["", "tuple", "dictionary", "fields"] = ""
    """Its instances are tuples, dictionaries, or only known to be made of their fields: calls of the class take its
    fields as keywords."""
    members: frozenset[str] = NONE
    """What such instances have."""
    copies: str = ""
    """The one of them that returns an altered copy."""
    arguments: Mapping[str, int] = {}
    """Members whose type is an argument of the base -> its position."""
    is_plain: bool = False
    """Whether it has no members that matter."""


class Types(NamedTuple):
    """Types that come with a language, by the last part of their names."""

    containers: Mapping[str, str] = {}
    """Name -> kind of container. `list` is anything that yields its one argument, `dict` and `map` have a key and a
    value (iterating gives the keys of a `dict` and the pairs of a `map`), every member of a `record` is a value, a
    `coroutine` is awaited, a `context` is entered, a `tuple` has a type for each of its parts, a method of a `box`
    returns the one value that it contains, one of a `type` an instance of the class that it stands for."""
    unions: frozenset[str] = NONE
    """Types whose values are of any of the arguments."""
    transparent: frozenset[str] = NONE
    """Types that mean their first argument."""
    lend_arguments: bool = False
    """Whether values of other types of a library may be used like what their arguments say."""
    made_of: Mapping[str, str] = {}
    """Name -> the type made from the argument."""
    classes: frozenset[str] = NONE
    """Types whose value is the class of the argument."""
    functions: frozenset[str] = NONE
    """Function types; the last argument is the return type."""
    signatures: Mapping[tuple[str, int], Signature] = {}
    """Function types whose arguments are the types of parameters and result: name and number of arguments -> which."""
    texts: frozenset[str] = NONE
    """Types of certain strings, which are the arguments."""
    generators: frozenset[str] = NONE
    """The arguments are what is yielded, what is sent, what is returned."""
    last_counts: frozenset[str] = NONE
    """Containers with several arguments, of which the last is the type of the contents."""
    receiver: frozenset[str] = NONE
    """Names for the type of the receiver."""
    nothing: frozenset[str] = NONE
    """Names for the type of nothing."""
    anything: frozenset[str] = NONE
    """Types that say nothing."""
    supertypes: Mapping[str, tuple[str, ...]] = {}
    """Builtin types and types of the library -> all types that take their values, the nearest first."""
    extended_as: Mapping[str, tuple[str, ...]] = {}
    """Builtin types -> types above them whose added members they have; there may be more above."""
    numbers: frozenset[str] = NONE
    """Builtin types whose values are converted to each other."""
    promoted: Mapping[str, str] = {}
    """Those of them that are converted to one before all others -> which."""
    of_pointers: frozenset[str] = NONE
    """Builtin types that every pointer is converted to."""
    null_pointer: str = ""
    """The type of what points at nothing."""
    of_everything: frozenset[str] = NONE
    """Builtin types that every value has."""
    no_result: str = ""
    """The type of what a function returns that returns nothing."""
    without_members: frozenset[str] = NONE
    """Types whose values have no members in a repository."""
    closed: frozenset[str] = NONE
    """Types all of whose members are known."""
    empty: frozenset[str] = NONE
    """Literals without a value, in addition to the evaluator's."""
    variable_makers: tuple[str, ...] = ()
    """Suffixes of the names of what creates type variables."""
    of_globals: Mapping[str, str] = {}
    """Builtins that are objects of a type that a repository can add to -> that type."""
    in_strings: bool = False
    """Whether a string in a type is the name of a type, rather than a literal type."""
    of_one_method: bool = False
    """Whether a function can stand for an interface with one method."""
    starred: frozenset[str] = NONE
    """Types whose functions the tables name, and which a file that imports everything of a package may mean."""
    run_argument: Mapping[str, str] = {}
    """Builtin types whose construction runs the first argument -> what that is called with."""
    pointer_mark: str = ""
    """What ends the name of a builtin type that is a pointer. As an operator in front of a value it gives what that
    points at; `&` there gives a pointer."""


class Methods(NamedTuple):
    """Methods of builtin types and of functions, by name. The receiver is the value that a method is called on."""

    calls_back: Mapping[str, tuple[str, ...]] = {}
    """Methods that call their first argument -> which part of the receiver its parameters receive."""
    calls_back_later: Mapping[str, tuple[str, ...]] = {}
    """Methods that call an argument after the first -> the same."""
    calls_back_of_maps: Mapping[str, tuple[str, ...]] = {}
    """Methods that pass something else to their first argument if the receiver is a dictionary -> the same."""
    passes_on: frozenset[str] = NONE
    """Functions of the library, by the last part of their names, whose result calls what they are passed with what the
    method passes that this result is passed to: `sort(comparing(x -> ...))`."""
    collectors: Mapping[str, str] = {}
    """Functions of the library that make collectors, by the last part of their names -> what those make."""
    results: Mapping[str, str] = {}
    """Method -> what it returns. For methods that call their first argument: what they make of its results."""
    element: frozenset[str] = NONE
    """Methods of a list that return one of its elements."""
    converts: Mapping[str, str] = {}
    """Methods of builtin values that return one of a builtin type -> which."""
    texts_are_apart: bool = False
    """Whether it is unknown what all other methods of builtin values return; else they return a text."""
    held: frozenset[str] = NONE
    """Methods of a dictionary that return one of its values."""
    positions: frozenset[str] = NONE
    """Methods of a list or dictionary that return what points at an element, and has its members."""
    held_otherwise: frozenset[str] = NONE
    """Methods of a box that return what it holds if it does not hold its value."""
    boxes: frozenset[str] = NONE
    """Methods of a list or dictionary that return such an element or value in a box, because there may be none."""
    fills: frozenset[str] = NONE
    """Methods that store an element or value in an argument."""
    read: frozenset[str] = NONE
    """Methods that are read and not called."""
    parts: Mapping[str, int] = {}
    """Methods of a pair or tuple that return one of its parts -> which."""
    part_members: Mapping[str, int] = {}
    """Members of a pair or tuple that are its parts -> which."""
    awaitable: frozenset[str] = NONE
    """Members of awaitables."""
    run: frozenset[str] = NONE
    """Methods of functions that run them."""
    bind: frozenset[str] = NONE
    """Methods of functions that return the function."""
    of_records: frozenset[str] = NONE
    """Members of a `record` that are not among its values."""


class Protocols(NamedTuple):
    """The methods that the language runs without a call. An empty name: there is no such method."""

    call: str = ""
    enter: str = ""
    enter_waiting: str = ""
    context: tuple[str, ...] = ()
    """All methods that entering and leaving runs."""
    iterators: Mapping[str, tuple[str, str]] = {}
    """Method that returns an iterator -> the iterator's method that returns the next element, and the member of that
    result which holds the element, if there is one."""
    iterates_itself: str = ""
    """The method that returns the next element of what a loop may be over without asking for an iterator."""
    each: str = ""
    """The method that passes elements to a function. A class that has it from a base outside the repository contains
    objects like itself."""
    item: str = ""
    """Indexing; also a loop if there is no iterator."""
    read_item: tuple[str, ...] = ()
    write_item: tuple[str, ...] = ()
    delete_item: tuple[str, ...] = ()
    """What indexing runs: the first that exists."""
    contains: str = ""
    await_: str = ""
    get: str = ""
    set: str = ""
    delete: str = ""
    """For descriptors."""
    derived: str = ""
    """Runs in a class from which another one is derived; only with descriptors."""
    missing: str = ""
    """Answers for missing members, of objects and of modules."""
    converts: str = ""
    """Makes an object of its class of another one, where the language converts it."""
    forwards: str = ""
    """Returns what has the members that an object lacks."""
    matched: str = ""
    """The member with the names of those that a pattern of a class matches by position."""
    class_of: str = ""
    """The member with the class of an object."""
    operators: Mapping[str, tuple[str, ...]] = {}
    """Operator -> the methods that it may run; the first that exists does."""
    reflected: Mapping[str, str] = {}
    """Method of an operator -> the method of its right operand that runs if the left one has none."""
    union: str = ""
    """The operator that makes a union of two types."""
    functions: Mapping[str, tuple[str, ...]] = {}
    """Builtin function -> the method of its argument that it runs."""
    maker: str = ""
    """Runs in place of the construction of a class that has its own."""
    prototype: str = ""
    """The member of functions and classes with the members of instances."""
    given: Mapping[str, str] = {}
    """Members that objects, classes and functions have without defining them, and whose contents are known."""
    without_results: frozenset[str] = NONE
    """Those of all these methods whose results nobody takes members of."""
    run_by_loops: bool = False
    """Whether a loop over a function runs the function, and gets what it passes to its only parameter."""


class Decorators(NamedTuple):
    """What decorators of a library make of a function or method, by the last part of their names."""

    preserving: frozenset[str] = NONE
    """Leave it what it is."""
    getters: frozenset[str] = NONE
    """Turn it into an attribute."""
    wrapping: str = ""
    """Text in the decorators of a function that stands for another one."""
    makers: Mapping[str, str] = {}
    """Functions, by full name, whose result, assigned in a class, evaluates to what their argument returns -> the
    keyword of that argument."""
