"""What resolution must know about a language: `Rules`, which each language fills in and overrides.

In: what a language may ask about the repository (`Project`). Out: tables and a few methods, with the defaults of a
plain language. The rooms that resolve ask for these and know no language themselves. The tables of a library are in
standard_library.py, the words for what its functions return in results.py, how tests are recognised in tests.py. Tables
are read in hot places: put one into a local variable before a loop.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Final, Literal, NamedTuple

from rpg.encoder.facts import TEST, Definition, Import, Parameter
from rpg.encoder.languages.given_names import Given
from rpg.encoder.languages.project import Naming, Offer, Placed, Project
from rpg.encoder.languages.results import CallsArgument, Gives
from rpg.encoder.languages.standard_library import NONE, LibraryBase, Methods, Protocols, Types
from rpg.encoder.languages.tests import Tests

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


class Arguments(NamedTuple):
    """What a call passes."""

    number: int
    """How many by position."""
    keywords: tuple[str, ...]
    is_open: bool
    """Whether further ones may be passed by position."""
    has_any_keyword: bool


class Rules:
    """What resolution must know about a language, made once per repository. The defaults are those of a plain
    language."""

    # Names and members

    builtins: frozenset[str] = NONE
    """Names bound everywhere without an import."""
    global_types: Mapping[str, str] = {}
    """Builtins that are objects of a type that a repository can add to -> that type."""
    builtin_members: frozenset[str] = NONE
    """Methods of builtin types: an unknown receiver of one of these is never guessed."""
    object_members: frozenset[str] = NONE
    """Members that objects, classes, functions and modules have without defining them."""
    given_to_types: Mapping[str, GivenToType] = {}
    """Functions that a type may have without defining them -> what they return: an instance of it, or one or all of
    the values of an enum, which alone has these."""
    given_members: Mapping[str, str] = {}
    """Object members whose contents are known."""
    maker = ""
    """Name of the method of a class that runs in place of its construction, if the class has its own."""
    constructor = ""
    """Name of the method that calling a class runs."""
    constructors_are_named_like_classes = False
    names_other_constructor = ""
    """What in the text of a constructor, behind its first parenthesis, names the constructor of its base or another of
    its class that it runs, as an expression with `BASE` and `OWN` for the names of these classes; without that, it runs
    the one of its base that takes nothing. Empty where it would run none."""
    """Whether the constructor has the name of its class instead; there may be several."""
    prototype = ""
    """Name of the member of functions and classes with the members of instances."""

    # Libraries

    types = Types()
    methods = Methods()
    protocols = Protocols()
    functions: Mapping[str, Gives] = {}
    """Functions of the language and its library, by full name -> what they return."""
    functions_by_last_part: Mapping[str, Gives] = {}
    """The same by the last part of the name, wherever they come from."""
    starred_types: frozenset[str] = NONE
    """Types of the library with such functions, which a file that imports everything of a package may mean."""
    calls_argument: Mapping[str, CallsArgument] = {}
    """Functions that call an argument, by full name."""
    runs_argument: Mapping[str, str] = {}
    """Builtin types whose construction runs the first argument -> what that is called with."""
    preserving: frozenset[str] = NONE
    """External decorators that leave a function what it is."""
    wrapping = ""
    """Text in the decorators of a function that stands for another one."""
    getters: frozenset[str] = NONE
    """External decorators that turn a method into an attribute, by the last part of their names."""
    attribute_makers: Mapping[str, str] = {}
    """Functions whose result, assigned in a class, evaluates to what their argument returns -> the keyword of that
    argument."""
    library_bases: Mapping[str, LibraryBase] = {}
    """Base classes of libraries, by the last part of their names."""
    metaclass = ""
    """Keyword of the base that a class is an instance of."""
    makes_its_own: frozenset[str] | None = None
    """Libraries and names of the language whose functions never return what they were passed; None if types say what a
    library returns."""
    keeps_others: frozenset[str] = NONE
    """Libraries whose objects keep what they are passed, and return it."""

    dispatching: Mapping[str, int] = {}
    """Methods of dispatchers and signals that call what was registered -> the position of the name under which it was;
    -1 if there is only one list."""

    # What uses a symbol without naming it

    passive_marks: frozenset[str] = NONE
    """Annotations, attributes and decorators by the last part of their names that have nothing called."""
    override_marks: frozenset[str] = NONE
    """Those that say that a method overrides or implements one."""
    bases_in_parentheses = False
    """Whether the bases of a class stand in parentheses behind its name."""
    called_functions: frozenset[str] = NONE
    """Functions that the language or a tool calls by their names."""
    called_members: frozenset[str] = NONE
    """Members that a library calls by their names, whatever type has them."""
    library_folders: frozenset[str] = NONE
    library_suffixes: tuple[str, ...] = ()
    """Folders whose code a library runs, and how the names of the classes there end whose objects only the library
    makes: other code has none of them."""
    run_places: re.Pattern[str] | None = None
    """Paths of the files whose exports a framework calls because of their place."""
    library_marks: tuple[str, ...] = ()
    """How the headers of definitions begin that add to a library."""
    pasting_mark = ""
    """What joins parts of names in macros."""
    unnamed_members: frozenset[str] = NONE
    """Members that the language runs where nothing names them, and whose uses are not followed."""
    unnamed_prefixes: tuple[str, ...] = ()
    """How the names of such members begin."""
    unnamed_signs = False
    """Whether a member whose name is no word, like `+`, is one of them."""
    unnamed_words: frozenset[str] = NONE
    """The words before their names one of which says so; empty: none is needed."""

    # How the language works

    pointer_mark = ""
    """What ends the name of a builtin type that is a pointer. As an operator in front of a value it gives what that
    points at; `&` there gives a pointer."""
    interfaces_are_functions = False
    """Whether a function can stand for an interface with one method."""
    classes_are_called = True
    """Whether `C(...)` is a call (in Go it is a conversion)."""
    properties_override_attributes = False
    """Whether a property may replace a base's attribute, so that reading the attribute runs it."""
    loops_run_functions = False
    """Whether a loop over a function runs the function, and gets what it passes to its only parameter."""
    async_returns_wrapped = True
    """Whether the return annotation of an async function names what awaiting it returns."""
    sides: Literal["shared", "separate", "apart"] = "shared"
    """The static members of a class and those of its instances: each side has the other's, too; lacks them
    (`separate`); or a member of each side may have the same name, which is meant on its own side (`apart`)."""
    shares_package_scope = False
    """Whether all files of a directory see each other's top-level names."""
    imports_are_members = False
    """Whether a module's own imports are members of it, available to `from module import name`."""
    folders_are_modules = False
    """Whether a folder is a module without a file that makes it one."""
    methods_make_implementers = False
    """Whether a type implements an interface by having its methods, without naming it."""
    interfaces: Mapping[str, tuple[str, ...]] = {}
    """Interfaces of the library by origin: the signatures of their methods."""
    strings_name_types = False
    """Whether a string in a type is the name of a type, rather than a literal type."""
    keeps_declared_types = False
    """Whether a variable keeps its declared type, whatever is assigned to it."""
    types_precede_names = False
    """Whether a declaration is a type and a name: `int open(char *path);`."""
    reads_are_calls = False
    """Whether a member is read by calling it: calling a value that is not a function returns the value."""
    on_any_object: Mapping[str, OnAnyObject] = {}
    """Methods that every object has."""
    lambdas_have_receivers = False
    """Whether the type that is expected of a function without a name may say what it extends."""
    implicit_parameter = ""
    """The name of the parameter that a function without a name may have without declaring it."""
    trailing_functions = False
    """Whether a function that stands last among the arguments is passed for the last parameter."""
    gives_itself: frozenset[str] = NONE
    """Members that a class has from a base outside the repository, and that return instances of the class itself."""
    follows_declared_functions = True
    """Whether values are followed through parameters, results and fields with declared function types."""

    has_packages = False
    """Whether files say which package they belong to, and see the names that its files offer."""
    inherits_types = False
    """Whether a bare name may mean a type that is nested in a base of a class around it."""
    imports: Literal["packages", "files", "libraries"] = "packages"
    """What imports name where `has_packages`: packages and their members; files; or `libraries`: files without which
    a file sees nothing of others, and of which it sees what they export."""
    packages_are_written = False
    """Whether a name may have its package in front, without an import: `shop.stock.Item`."""
    methods_name_parameters = False
    """Whether a method outside its type names the type's parameters itself."""
    owners: Literal["within", "named", "anywhere", "beside", "spaces"] = "within"
    """Where a type's methods may be defined: within it; wherever its name means the type (`named`); in any file of the
    repository, where methods in a file that defines a type of that name may be of that type alone (`beside`), or a
    namespace before a name is a symbol (`spaces`)."""
    unknown_is_outside = False
    """Whether a bare name that nothing in the repository defines comes from outside."""
    constants_are_capitalised = False
    """Whether a capitalised name is a constant: one that no file of the repository declares comes from outside; only if
    `has_packages`."""
    holders_are_named = False
    """Whether code names what has a member, but for what variables hold, by a path of capitalised words (`Shop.Cart`)
    that is one name: nothing is guessed of it, and what it means is recorded where it begins."""
    types_of_one_name: Literal["apart", "parts", "rivals"] = "apart"
    """What several types of one name in a package are: `parts` of one, if they say so; `rivals`, of which it is not
    known which one is meant, as files of one build never declare a type twice; only if `has_packages`."""
    has_platforms = False
    """Whether `platform` tells files for different platforms."""
    traits: Literal["above", "within", "behind"] = "above"
    """Where what a class takes from a trait is found: as what it inherits; as its own, and nothing of its parent's
    (`within`); or `behind` the methods of that name that it has by itself."""
    member_spaces: Literal["one", "read as fields", "named by types"] = "one"
    """Whether a type may have a method and a field of one name: `x.name()` then means the method alone, `x.name` the
    field alone, but for reading what no field has (`read as fields`), or for `Type.name` without a call, which may mean
    a method, too, and never a field of an object (`named by types`)."""
    variants_have_fields = False
    """Whether a variant of an enum may have fields of its own, which its literals and patterns name."""
    has_alternatives = False
    """Whether functions of one name in one place are alternatives, of which a build has one."""
    macro_mark = ""
    """How the header of a macro begins, which is no alternative to a function of its name."""
    attribute_ending = ""
    """How the names of classes end of which annotations make objects: one of them is a base of each."""
    library_names: frozenset[str] = NONE
    """Names of the library that a file of the repository may declare, too, for those that include it."""
    links_by_name = False
    """Whether functions of one name in several files are alternatives, because only the linker chooses."""
    labels_arguments = False
    """Whether a label of an argument may be the name of a field, which the constructor's header declares."""
    copies = ""
    """Name of the method of objects made of such fields that the compiler makes, and that takes them as labels."""
    made_of_fields: frozenset[str] = NONE
    """Kinds of types that, without a constructor of their own, are made by a call that has all fields as labels."""
    overloads: Literal["none", "methods", "constructors"] = "none"
    """Whether a class may have several methods of one name, which differ in their parameters; `constructors`: and a
    function may have the name of a class, where what they take decides which one is called."""

    argument_types: Literal["plain", "exact", "deduced"] = "plain"
    """What the type of an argument says of the overload that is called; `exact`: no argument is converted to another
    type, so of what fits none is meant, but what lies further outside; `deduced`: it may be converted, so its type says
    little, and it tells the type arguments that a call does not write."""

    argument_count: Literal["any", "most", "all"] = "any"
    """Whether a call is never certain if the callee cannot take as many arguments (`most`), or if it has fewer than the
    callee needs (`all`); only if there are `overloads`."""
    base_precedence: Literal["kind", "first", "last", "none"] = "kind"
    """Which member a class has that inherits one from each of two bases: that of a class before that of an interface
    (`kind`), that of the base named first or last, or of neither, because the call would be ambiguous (`none`)."""
    refuses_more_arguments = False
    refuses_fewer_arguments = False
    """Whether a call is an error that has more arguments than its callee takes, or fewer than it needs."""
    counts_select_functions = False
    """Whether a function is another one if it takes another number of arguments: no call can mean it that passes as
    many as it took before."""
    always_checks_arguments = True
    """Whether such a call fails also where nothing says what is called: not where a type checker alone refuses it, or
    where the text of a call does not say how many it passes."""
    hiding = Words()
    """The words in front of a symbol's name that hide it from other files, or show it to them."""
    keepers: frozenset[str] = NONE
    """Names of functions that take another one, and arguments that it is to be called with."""
    pure_mark = ""
    """What stands at the end of the signature of a method that has no body by intention."""
    field_marks: FieldMarks | None = None
    """Which fields of a class are no plain parameters of its construction; None where none are."""
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
    refuses_results = False
    """Whether to await what is not awaitable, or to use without awaiting what is, is an error at once."""
    keywords_are_pairs = False
    """Whether the facts do not tell what is passed by name from what is passed by position; the text of a call does."""
    spreads_results = False
    """Whether what a call returns may be several arguments of another."""
    extensions: Extensions = "none"
    """What a repository may add to types that it does not define: nothing; members, to any type, also to builtin ones,
    seen `anywhere`; such that a file sees only by its package or an import (`imported`); methods that are `called` as
    members of their first argument; members and bases (`based`); `traits`, whose methods are then called as members of
    the types that implement them by files that import the trait."""
    has_companions = False
    """Whether a type may have an object beside it, whose members are the type's static ones (COMPANION), and which has
    bases of its own (`metaclass`); calling the type runs `protocols.call` of that object."""
    accessors: Literal["named", "offered", "read"] = "named"
    """Whether others read its accessors as properties (`offered`, see `properties_of`), and whether a member that a
    type lacks may be such an accessor of another language's (`read`, see `accessors_of`)."""
    writers_end = ""
    """What ends the name of a method that runs when a member is written: `=` of `size=`, for `cart.size = 2`."""
    made_where: re.Pattern[bytes] | None = None
    """What stands before the name of a class, used as a type, where others may make an object of it."""
    cases_are_bare = False
    """Whether the constant of an enum is named alone in a case of what is compared with it."""
    namespaces_merge = False
    """Whether a namespace may have the name of a function, class or type, and both are meant."""

    # Files

    tests = Tests(functions="test")
    private_folders: frozenset[str] = NONE
    """Folders whose contents only the code around them may import."""
    entries: frozenset[str] = frozenset({"main", "Main"})
    """Functions that run without being named."""
    program = ""
    """Name of packages that are programs: no other code imports them."""
    for_types_only: tuple[str, ...] = ()
    """Text in an import, or in the condition around it, that makes it an import for type checkers only."""
    loads_in_order = False
    """Whether files run one after the other as they are imported, so that one of a cycle sees another unfinished."""
    named_in: tuple[str, ...] = ()
    """Manifests that name the package which others import; none: uses in other repositories are not followed."""
    manifests: frozenset[str] = NONE
    """Files without which the code around them cannot be imported by others; empty if any repository can be."""

    # What an edit changes for other files

    give_nothing: frozenset[str] = NONE
    """Methods that run without being named, and whose results nobody takes members of."""
    stand_for_others: frozenset[str] = NONE
    """Names in a module that stand for several others."""
    listing = ""
    """Name in a module whose value lists its exports."""
    looked_up: frozenset[str] = NONE
    looked_up_prefixes: tuple[str, ...] = ()
    """Members that the language itself looks up."""
    run_unnamed: frozenset[str] = NONE
    """Members whose uses are followed where the language runs them without naming them; so are those with
    `unnamed_prefixes`, if there are any."""

    def __init__(self, project: Project) -> None:
        self.project = project

    @cached_property
    def calling(self) -> frozenset[str]:
        """Last parts of the names of functions and methods that call an argument."""
        return frozenset(self.methods.calls_back) | frozenset(name.rpartition(".")[2] for name in self.calls_argument)

    @cached_property
    def declares_apart(self) -> bool:
        """Whether the text of a class or a header declares what the facts hold only where it is defined: default
        arguments, access, constructors."""
        return self.owners == "beside"

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

    @cached_property
    def owners_anywhere(self) -> bool:
        """Whether a type's methods may be defined in any file of the repository."""
        return self.owners in ("anywhere", "beside", "spaces")

    @cached_property
    def stars_are_packages(self) -> bool:
        """Whether importing everything of a package only says whose declared names a file sees."""
        return self.has_packages and self.imports == "packages" and not self.shares_package_scope

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
        return not all(made) and (call or library in self.keeps_others or not made[0])

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None:
        """The files that an import names (a package's directory, `/`-terminated, in Go); empty if it should be in the
        repository and is not; None for a library."""
        return None

    @classmethod
    def examples_in_comments(cls, source: bytes) -> list[tuple[int, int]]:
        """Where code begins and ends that stands in comments and that the language's tests run."""
        return []

    def accessors_of(self, name: str, is_written: bool) -> tuple[str, ...]:
        """The methods that reading or writing a property may run; only if `accessors` are read."""
        return ()

    def properties_of(self, method: str) -> tuple[str, ...]:
        """The properties as which a language whose `accessors` are read reads or writes a method of that name."""
        written = self.word_of(method)
        return (written,) if written != method else ()

    @classmethod
    def word_of(cls, name: str) -> str:
        """The word that stands in code for a symbol of that name: `size` for the method `size=`."""
        stem = name.removesuffix(cls.writers_end) if cls.writers_end else name
        return stem if stem.isidentifier() else name

    page_variable = ""
    """What stands in front of the name of a variable in pages, to which libraries hand members of objects."""
    converted: re.Pattern[bytes] | None = None
    """What in a file shows that a library spells the names of its fields in another way: `user_name` as `userName`."""
    exports: re.Pattern[bytes] | None = None
    """What stands in front of a list of the names that a module offers, as strings or as they are, or of one name."""
    loads_by_path: re.Pattern[bytes] | None = None
    """Code that loads a module by a path that it computes."""
    hands_on_modules: re.Pattern[bytes] | None = None
    """Code that loads a module by its path, which is the group, and hands it on as a whole."""
    reads_own_names: re.Pattern[bytes] | None = None
    """Code that goes through the names of its own module."""
    of_page: re.Pattern[bytes] | None = None
    """The end of what names the object of a page, whose members are all that its scripts define outside modules; for a
    language of scripts."""
    takes_names: re.Pattern[bytes] | None = None
    """The end of the name of a library's function that is told members by name: in strings, or as keywords."""
    joined_names: tuple[tuple[str, str], ...] = ()
    """Longer names that a library takes apart to find a member: a text that is in all of them, and a pattern, with the
    member's `{name}`, or its `{Name}` with a capital."""
    conforming: re.Pattern[str] | None = None
    """The header of a type whose members are called on any object that has them, whatever it says of itself."""
    strings_are_commands = False
    """Whether a string may be a line of code, and a word that nothing declares a function's name."""
    has_symbols = False
    """Whether `:name` is a value, by which code names members, and `name:` a key of what is passed."""
    is_contract = False
    """Whether code of any language may name what its files define: tables, messages, styles."""

    @classmethod
    def names_given(cls, kind: str, name: str) -> tuple[Given, ...]:
        """The names that frameworks and generators make of that of a symbol."""
        return ()

    offering_modules: frozenset[str] = NONE
    """Modules from which a file imports what it also sees without an import."""
    configuration_files: frozenset[str] = NONE
    """Names of source files that say what other files mean."""

    def offer(self, path: str) -> Offer | None:
        """What other files see of a file without an import, by a convention about its place."""
        return None

    def files_named(self, importer: str, statement: Import) -> tuple[str, ...]:
        """The files or folders that a statement names besides importing them; only of the kinds in `NAMING`."""
        return ()

    def packages_imported(self, path: str) -> tuple[str, ...]:
        """The packages that a file imports in full because a configuration says so."""
        return ()

    packages_nest = False
    """Whether an import may name a package by its name in one around the file: `using Internal;` in `namespace Shop`;
    only if `has_packages`."""

    def packages_seen(self, package: str) -> tuple[str, ...]:
        """The packages whose names a file of a package sees without an import; only if `has_packages`."""
        return (package,)

    def sees_globals(self, path: str, other: str) -> bool:
        """Whether a file sees the global names that another file of its language declares."""
        return True

    def platform(self, path: str) -> str:
        """Which platform the code in a file is for; empty if for all of them. Code sees what is for its own platform or
        for all, where there is such."""
        return ""

    def is_nested(self, importer: str, place: str, module: str) -> bool:
        """Whether an import finds a module in a folder that is neither the importer's nor a main one."""
        return False

    def around_module(self, importer: str, module: str) -> tuple[str, str] | None:
        """The file that may define a module within it, and the dotted name of the module there."""
        return None

    def elsewhere(self, module: str, place: str) -> tuple[str, ...] | None:
        """The files that an import means if it does not name a place; None for a library."""
        return None

    def submodule(self, path: str, name: str) -> str | None:
        """The module that is a member of the package whose module is `path`."""
        return None

    def is_package(self, path: str) -> bool:
        """Whether a file is imported by the name of its folder."""
        return False

    def placed(self, path: str) -> Placed | None:
        """How other files name a file, or a folder (`/`-terminated), to find it; None if they may find it otherwise."""
        return None

    def finds_alike(self, before: Rules) -> bool:
        """Whether files are looked for in the same folders as by the rules before an edit, but for those that came or
        went."""
        return True

    def module_name(self, path: str) -> str:
        """The name that a file is imported by; empty if there may be none."""
        folder, _, name = path.rpartition("/")
        return folder.rpartition("/")[2] if self.is_package(path) else name.partition(".")[0]

    def is_named(self, path: str, module: str) -> bool:
        """Whether a string in a file may name the file itself so."""
        return False

    def naming(self, path: str, names: Iterable[str]) -> Naming:
        """How source text names a file and names in it; asked only if `imports_are_members`."""
        raise NotImplementedError

    def method_shape(self, signature: str, named: Callable[[str, str], str]) -> str:
        """The types in a method's signature, as text that is equal for identical types; empty if they cannot be
        compared. `named(module, name)` gives the full name of a type; the module is empty for a name without one."""
        return ""

    def judges_arguments(self, path: str) -> bool:
        """Whether calls in a file are refused for their arguments, if the language refuses them at all."""
        return self.refuses_more_arguments or self.refuses_fewer_arguments

    def may_add_functions(self, source: bytes) -> bool:
        """Whether code that runs while a file is compiled may give its modules functions that the file does not spell;
        asked only if `counts_select_functions`."""
        return True

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

    def written_arguments(self, text: str) -> Arguments | None:
        """What a call passes, as its text says from its callee on, where `keywords_are_pairs`; None if that cannot be
        told."""
        return None

    def written_parameter(self, row: Parameter, text: str) -> Parameter | None:
        """A parameter with what its text in the signature says beyond the facts: its kind, and whether it may be left
        out (any default). None if it takes no argument."""
        return row

    @classmethod
    def is_written_as_literal(cls, header: str) -> bool:
        """Whether objects of a class are literals that have its fields as keys; `header`: its declaration."""
        return False

    @classmethod
    def must_be_caught(cls, name: str) -> bool:
        """Whether an exception of the library must be caught or declared, and so must what inherits from it."""
        return False

    def is_optional(self, name: str, header: str) -> bool:
        """Whether a type may lack a member of one that it implements; `header`: the member's declaration."""
        return False

    @classmethod
    def is_test(cls, path: str) -> bool:
        """Whether a file is a test file or test support."""
        return cls.tests.is_test_file(path)

    @classmethod
    def is_test_code(cls, path: str, definitions: Iterable[Definition]) -> bool:
        """The same by what is in the file: without tests it may be what a package ships for the tests of others."""
        if not cls.is_test(path):
            return False
        if not cls.tests.shipped or not cls.tests.is_shipped(path):
            return True
        prefix = cls.tests.functions
        return any(each.kind in ("function", "method") and each.name.startswith(prefix) for each in definitions)

    @classmethod
    def is_run(cls, path: str) -> bool:
        """Whether a runner looks for tests in a file: only there a title makes one."""
        return path.endswith(cls.tests.run) if cls.tests.run else cls.is_test(path)

    def is_test_function(self, definition: Definition) -> bool:
        """Whether a definition in a test file is a test."""
        prefix = self.tests.functions
        if definition.kind not in ("function", "method"):
            return False
        return TEST in definition.flags or (bool(prefix) and definition.name.lower().startswith(prefix))

    @classmethod
    def is_unit(cls, path: str) -> bool:
        """Whether others see of a file only what it is asked for by name, unless they include it; only if
        `imports` name files."""
        return False

    @classmethod
    def is_called_by_name(cls, name: str, is_member: bool) -> bool:
        """Whether the language or a tool calls functions of that name."""
        return name in (cls.called_members if is_member else cls.called_functions)

    @classmethod
    def is_run_unnamed(cls, name: str, header: str) -> bool:
        """Whether the language runs a member of that name where no code names it; `header`: what is in front of the
        name."""
        is_sign = cls.unnamed_signs and not (name[:1].isalnum() or name[:1] in "_$")
        if not is_sign and name not in cls.unnamed_members and not name.startswith(cls.unnamed_prefixes):
            return False
        return not cls.unnamed_words or not cls.unnamed_words.isdisjoint(header.split())

    @classmethod
    def is_implicit(cls, header: str) -> bool:
        """Whether the compiler finds it by its type, where no code names it; `header`: its declaration."""
        return False

    @classmethod
    def is_embedded(cls, kind: str, name: str, header: str) -> bool:
        """Whether the members of a member are reached without naming it; `header`: its declaration."""
        return False

    @classmethod
    def is_run_by_library(cls, path: str) -> bool:
        """Whether code in a file may have an object that only a library makes: it runs in one."""
        return not cls.library_folders.isdisjoint(path.split("/")[:-1])

    @classmethod
    def speaks_to_library(cls, path: str) -> bool:
        """Whether calls in a file describe something to a library, such as the tables of a database: those that no
        lowering reads are the library's."""
        return False

    @classmethod
    def is_run_by_place(cls, path: str) -> bool:
        """Whether a framework calls what a file exports because of its place."""
        return cls.run_places is not None and cls.run_places.search(path) is not None

    @classmethod
    def is_made_by_library(cls, path: str, name: str) -> bool:
        """Whether only a library makes objects of a class."""
        return name.endswith(cls.library_suffixes) and cls.is_run_by_library(path)

    def is_looked_up(self, name: str) -> bool:
        """Whether the language itself looks up a member of that name."""
        if name in self.looked_up or name in self.run_unnamed or name.startswith(self.looked_up_prefixes):
            return True
        return bool(self.run_unnamed) and name.startswith(self.unnamed_prefixes) and name != self.constructor
