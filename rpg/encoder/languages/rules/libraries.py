"""What is known of the library of a language and of those that its repositories use.

The tables of a library are in standard_library.py, the words for what its functions return in results.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from rpg.encoder.languages.results import CallsArgument, Gives
from rpg.encoder.languages.rules.attribute_types import OnAnyObject
from rpg.encoder.languages.standard_library import NONE, Decorators, LibraryBase, Methods, Protocols, Types


class LibraryRules:
    types = Types()
    methods = Methods()
    protocols = Protocols()
    decorators = Decorators()
    functions: Mapping[str, Gives] = {}
    """Functions of the language and its library, by full name -> what they return."""
    functions_by_last_part: Mapping[str, Gives] = {}
    """The same by the last part of the name, wherever they come from."""
    calls_argument: Mapping[str, CallsArgument] = {}
    """Functions that call an argument, by full name."""
    library_bases: Mapping[str, LibraryBase] = {}
    """Base classes of libraries, by the last part of their names."""
    makes_its_own: frozenset[str] | None = None
    """Libraries and names of the language whose functions never return what they were passed; None if types say what a
    library returns."""
    dispatching: Mapping[str, int] = {}
    """Methods of dispatchers and signals that call what was registered -> the position of the name under which it was;
    -1 if there is only one list."""
    on_any_object: Mapping[str, OnAnyObject] = {}
    """Methods that every object has."""

    @classmethod
    def is_in_headers(cls, name: str) -> bool:
        """Whether headers of the library declare a name, which a file of the repository may declare, too, for those
        that include it."""
        return False

    @cached_property
    def calling(self) -> frozenset[str]:
        """Last parts of the names of functions and methods that call an argument."""
        return frozenset(self.methods.calls_back) | frozenset(name.rpartition(".")[2] for name in self.calls_argument)

    @cached_property
    def returns_itself(self) -> frozenset[str]:
        return frozenset(name for name, method in self.on_any_object.items() if method.returns == "itself")

    @cached_property
    def gives_result(self) -> frozenset[str]:
        return frozenset(name for name, method in self.on_any_object.items() if method.returns == "result")

    @cached_property
    def lends(self) -> Mapping[str, str]:
        return {name: method.lends for name, method in self.on_any_object.items() if method.lends}

    @cached_property
    def plain_bases(self) -> frozenset[str]:
        """Base classes of libraries without members that matter."""
        return frozenset(name for name, base in self.library_bases.items() if base.is_plain)

    @cached_property
    def given_by_bases(self) -> frozenset[str]:
        """All members that classes have from base classes of libraries."""
        return NONE.union(*(base.members.union(base.arguments) for base in self.library_bases.values()))

    def may_give_back(self, name: str, call: bool) -> bool:
        """Whether what a library returned, named by its origin (`queue.Queue().get()`), may be what it was passed, and
        so come from the repository; `call`: whether something is to be called on it.

        Calling a capitalised name creates an object of the library. What such an object returns is taken for the
        repository's own if a method is called on it (`session.query(User).first().greet()`), and for the library's if
        an attribute is read (`client.get("/").status_code`).
        """
        library = name.partition(".")[0].partition("(")[0]
        if self.makes_its_own is None or library in self.makes_its_own:
            return False
        made = [called.rpartition(".")[2][:1].isupper() for called in name.split("(")[:-1]]
        return not all(made) and (call or not made[0])
