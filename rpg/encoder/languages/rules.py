"""What resolution must know of a language: `Rules`, which each language fills in and overrides.

In: what a language may ask about the repository (`Project`). Out: tables and a few methods, with the defaults of a
plain language. The rooms that resolve ask for these and know no language themselves; what a library's function gives is
said in the words of `results.py`. Tables are read in hot places: fetch one into a local variable before a loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple, Protocol

from rpg.encoder.languages.results import CallsArgument, Gives

NONE: frozenset[str] = frozenset()


class Project(Protocol):
    """What a language may ask about the repository while names of modules are resolved."""

    roots: tuple[str, ...]
    """Folders given as import roots, `/`-terminated; the repository's root is the empty string."""

    def exists(self, path: str) -> bool:
        """Whether a source file of the graph has this path."""

    def paths(self) -> list[str]:
        """All source files of the graph, sorted."""

    def read(self, path: str) -> bytes:
        """The bytes of a file of the repository (a configuration); empty where it is not there."""


class Naming(Protocol):
    """How texts name a module, or some names of it."""

    def may_see(self, source: bytes, imports: bool) -> bool:
        """Whether a file may take a name from the module, or look it up there; `imports`: it imports the module."""

    def may_hold(self, source: bytes, imports: bool) -> bool:
        """Whether a file may import the module itself, or all that it has."""


class Types(NamedTuple):
    """Types that come with a language, by the last part of their names."""

    containers: Mapping[str, str] = {}
    """Name -> kind of container. `list` is anything that yields its one argument, `dict` and `map` have a key and a
    value (iterating gives the keys of a `dict` and the pairs of a `map`), every member of a `record` is a value, a
    `coroutine` is awaited, a `context` is entered, a `tuple` has a type for each of its parts."""
    unions: frozenset[str] = NONE
    """Any of the arguments."""
    transparent: frozenset[str] = NONE
    """The first argument is the type."""
    made_of: Mapping[str, str] = {}
    """Another type, made of the argument."""
    classes: frozenset[str] = NONE
    """The class of the argument."""
    functions: frozenset[str] = NONE
    """A function; its last argument is what it returns."""
    texts: frozenset[str] = NONE
    """Some texts, which are the arguments."""
    generators: frozenset[str] = NONE
    """The arguments are what is yielded, what is sent, what is returned."""
    last_counts: frozenset[str] = NONE
    """Of several arguments the last one is what is held."""
    receiver: frozenset[str] = NONE
    """The type of the receiver."""
    nothing: frozenset[str] = NONE
    """The type of nothing."""
    anything: frozenset[str] = NONE
    """Types that say nothing."""
    without_members: frozenset[str] = NONE
    """Types whose values have no members in a repository."""
    closed: frozenset[str] = NONE
    """Types of which all members are known."""
    empty: frozenset[str] = NONE
    """Literals that stand for nothing, beside the evaluator's own."""
    variable_makers: tuple[str, ...] = ()
    """Ends of the names of what makes type variables."""


class Methods(NamedTuple):
    """Methods of builtin types and of functions, by name."""

    calls_back: Mapping[str, tuple[str, ...]] = {}
    """Those that call their first argument: what its parameters receive of what the method stands on."""
    results: Mapping[str, str] = {}
    """What they give. Of those that call their first argument: what they make of what that gives."""
    element: frozenset[str] = NONE
    """Of a list: give one of its elements."""
    held: frozenset[str] = NONE
    """Of a dictionary: give one of its values."""
    awaitable: frozenset[str] = NONE
    """Members of what is awaited."""
    run: frozenset[str] = NONE
    """Methods of functions that run them."""
    bind: frozenset[str] = NONE
    """Methods of functions that give the function."""
    of_records: frozenset[str] = NONE
    """Members of a `record` that are none of its values."""


class Protocols(NamedTuple):
    """The methods that the language runs for what is no call. An empty name: it has no such method."""

    call: str = ""
    enter: str = ""
    enter_waiting: str = ""
    context: tuple[str, ...] = ()
    """All methods that entering and leaving runs."""
    iterators: Mapping[str, tuple[str, str]] = {}
    """Method that gives an iterator -> its method that gives the next element, and the member of what that gives which
    holds the element, where there is one."""
    item: str = ""
    """Indexing; a loop as well, where there is no iterator."""
    read_item: tuple[str, ...] = ()
    write_item: tuple[str, ...] = ()
    delete_item: tuple[str, ...] = ()
    """What indexing runs: the first that is there."""
    contains: str = ""
    await_: str = ""
    get: str = ""
    set: str = ""
    """Of descriptors."""
    missing: str = ""
    """Gives members that are not there, of objects and of modules."""
    class_of: str = ""
    """The member that holds the class of an object."""
    operators: Mapping[str, tuple[str, ...]] = {}
    """Operator -> the methods that it runs, the first that is there."""
    reflected: Mapping[str, str] = {}
    """Method of an operator -> the method of its right operand that runs where the left one has none."""
    union: str = ""
    """The operator that makes a type of two."""
    functions: Mapping[str, tuple[str, ...]] = {}
    """Builtin function -> the method of its argument that it runs."""


def folders_of(paths: Iterable[str]) -> set[str]:
    """The folders that files stand in, and those around them, without a slash at the end; the root is empty."""
    folders = {""}
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return folders


TEST_FOLDERS = frozenset(("tests", "test", "testing", "__tests__", "testdata", "spec", "specs"))
"""Folders of tests, in whatever language."""


class Rules:
    """What resolution must know of a language, made once per repository. The defaults are a plain language's."""

    # Names and members

    builtins: frozenset[str] = NONE
    """Names bound everywhere without an import."""
    builtin_members: frozenset[str] = NONE
    """Methods of builtin types: an unknown receiver of one of these is never guessed."""
    object_members: frozenset[str] = NONE
    """Members that objects, classes, functions and modules have without anybody defining them."""
    given_members: Mapping[str, str] = {}
    """Those of them of which it is known what they hold."""
    constructor = ""
    """Name of the method that calling a class runs."""
    prototype = ""
    """Name of the member that holds what instances have, of functions and classes."""

    # Libraries

    types = Types()
    methods = Methods()
    protocols = Protocols()
    functions: Mapping[str, Gives] = {}
    """Functions of the language and its library, by their whole name -> what they give."""
    functions_by_last_part: Mapping[str, Gives] = {}
    """Likewise by the last part of their name, wherever they come from."""
    calls_argument: Mapping[str, CallsArgument] = {}
    """Functions that call an argument, by their whole name."""
    runs_argument: Mapping[str, str] = {}
    """Builtin types whose making runs the first argument -> what that is called with."""
    preserving: frozenset[str] = NONE
    """Decorators from outside that leave a function what it is."""
    wrapping = ""
    """What is written in the decorators of a function that stands for another one."""
    getters: frozenset[str] = NONE
    """Decorators from outside that make an attribute of a method, by the last part of their names."""
    attribute_makers: Mapping[str, str] = {}
    """Functions whose result, assigned in a class, gives what their argument does -> the keyword of that."""
    plain_bases: frozenset[str] = NONE
    """Base classes from outside that bring no members that matter."""
    tuple_bases: tuple[str, ...] = ()
    tuple_members: frozenset[str] = NONE
    """Ends of the names of base classes that make a tuple of a class, and the members that it gets from them."""
    tuple_copies = ""
    """That of them which gives an altered copy."""
    dictionary_bases: tuple[str, ...] = ()
    dictionary_members: frozenset[str] = NONE
    """Likewise of base classes whose instances are dictionaries."""
    metaclass = ""
    """Keyword of the base that a class is an instance of."""
    stand_ins = "mock"
    """What is in the names of objects that stand in for others in tests."""
    makes_its_own: frozenset[str] | None = None
    """Libraries and names of the language whose functions never give back what they were given; None where types say
    what a library gives."""
    keeps_others: frozenset[str] = NONE
    """Libraries whose objects keep what they are given, and give it back."""

    # How the language works

    classes_are_called = True
    """Whether `C(...)` calls (Go's is a conversion)."""
    async_returns_wrapped = True
    """Whether the return annotation of an async function names what awaiting it gives."""
    statics_are_apart = False
    """Whether instances lack the static members of their class, and classes those of their instances."""
    shares_package_scope = False
    """Whether all files of a directory see each other's top-level names."""
    imports_are_members = False
    """Whether what a module imports for itself is a member of it, taken by `from module import name`."""
    strings_name_types = False
    """Whether a string in a type is the name of one, and not the type of that string."""
    keeps_declared_types = False
    """Whether a variable stays what it was declared to be, whatever is assigned to it."""
    generators_return_last = False
    """Whether the type of a generator says what it yields, what is sent to it and what it returns, in this order."""
    follows_declared_functions = True
    """Whether values are followed through parameters, results and fields declared to be of functions."""

    # Files

    test_files: frozenset[str] = NONE
    """Names of files, in small letters, that hold what tests need."""

    # What an edit changes for other files

    give_nothing: frozenset[str] = NONE
    """Methods that are run without their names, and of whose results nobody takes members."""
    stand_for_others: frozenset[str] = NONE
    """Names in a module that stand for others."""
    listing = ""
    """Name in a module whose value lists its exports."""
    looked_up: frozenset[str] = NONE
    looked_up_prefixes: tuple[str, ...] = ()
    """Members that the language itself looks up."""

    def __init__(self, project: Project) -> None:
        self.project = project

    @cached_property
    def calling(self) -> frozenset[str]:
        """Last parts of the names of functions and methods that call an argument."""
        return frozenset(self.methods.calls_back) | frozenset(name.rpartition(".")[2] for name in self.calls_argument)

    def may_give_back(self, name: str, call: bool) -> bool:
        """Whether what a library gave, named by how it came about (`queue.Queue().get()`), may be what it was given,
        and so of the repository; `call`: whether it is asked for something to be called.

        What is called by a capital makes an object of the library's. What such an object gives is called for the
        repository's own (`session.query(User).first().greet()`), and read mostly for the library's
        (`client.get("/").status_code`).
        """
        library = name.partition(".")[0].partition("(")[0]
        if self.makes_its_own is None or library in self.makes_its_own:
            return False
        made = [called.rpartition(".")[2][:1].isupper() for called in name.split("(")[:-1]]
        return not all(made) and (call or library in self.keeps_others or not made[0])

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None:
        """The files that an import names (a package's directory, `/`-terminated, in Go); empty where it should be in
        the repository and is not; None for a library."""
        return None

    def submodule(self, path: str, name: str) -> str | None:
        """The module that is a member of the package whose module is `path`."""
        return None

    def is_package(self, path: str) -> bool:
        """Whether a file is imported by the name of its folder."""
        return False

    def module_name(self, path: str) -> str:
        """What a file is imported by; empty where there may be no such name."""
        folder, _, name = path.rpartition("/")
        return folder.rpartition("/")[2] if self.is_package(path) else name.partition(".")[0]

    def naming(self, path: str, names: Iterable[str]) -> Naming:
        """How texts name a file and names in it; asked where `imports_are_members`."""
        raise NotImplementedError

    @classmethod
    def is_test(cls, path: str) -> bool:
        """Whether a file holds tests or what they need."""
        *folders, name = path.lower().split("/")
        if not TEST_FOLDERS.isdisjoint(folders):
            return True
        stem = name.rsplit(".", 1)[0]
        return (
            name in cls.test_files
            or stem.startswith("test_")
            or stem.endswith(("_test", ".test", ".spec", "_spec"))
            or stem == "tests"
        )

    def is_looked_up(self, name: str) -> bool:
        """Whether the language itself looks up a member of that name."""
        return name.startswith(self.looked_up_prefixes) or name in self.looked_up
