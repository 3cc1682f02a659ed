"""What one file says by itself: definitions, bindings, expressions, imports. No other file is known here.

A language lowers its syntax tree into these facts through a `Builder`; `resolve` reads them and nothing else. Facts
depend only on (path, bytes, language), are plain values, and travel as one block of bytes (packing.py), so that they
can be cached by content hash and passed between processes without copying objects.

Definitions are a list in file order; index 0 is the module itself. Scopes are a list too; scope 0 is the module's.

Expressions are a flat array of ints, `code`; operations.py describes it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from typing import Any, Final, NamedTuple

IMPLEMENTED: Final = "implemented by "
"""Begins the keyword of a base of a file, which a type of another file has; its name follows."""

ANY_TYPE: Final = "*"
"""The owner of methods that any type has which fits."""
PATH_MARK: Final = "::"
"""Is in the name of an owner that is written as a path, and is bound as a whole."""

UNDERLYING: Final = "underlying"
"""Keyword of the base that a type without members of its own is made from (`type Kind int`)."""

ANONYMOUS: Final = "anonymous"
"""Flag of a class without a name: it is not a symbol, and its contents belong to the enclosing named symbol."""

ARITY: Final = "`"
"""Between a type's name and the number of its type parameters, where both tell types apart: such a type is bound to,
and read by, ``Pool`1``. A definition's name is without it."""

OWN_TYPE: Final = f"{ARITY}this"
"""Bound in a method that is added to a type where it is not defined: an object of the type."""

MACRO: Final = f"{ARITY}!"
FACTORY: Final = f"{ARITY}factory"
TAG: Final = f"{ARITY}tag"
"""End the name of a macro, of what makes test objects, and of a type behind the word for its kind (`struct stat`),
where it may be the name of something else, too. A definition's name is without them."""

IS_MACRO: Final = "macro"
"""Flag of a macro."""

SHORTENED: Final = f"{ARITY}short"
"""Ends the last parts of a name by which a file may know what another one declares: they mean nothing by themselves,
but are no library's."""

UNINFERRED: Final = "uninferred"
"""Flag of a generic function that is only called with explicit type arguments, because its arguments do not determine
them."""

SPECIALISED: Final = "specialised"
"""Flag of what a generic function is for certain type arguments: `type_arguments` has them by a DEFINITION of it."""

PROMISED: Final = "promised"
"""Flag of what is only declared for all platforms, and defined for each of them."""

PARTIAL: Final = "partial"
"""Flag of a type that may have other parts in other files."""

ACCESSORS: Final = "accessors"
"""Flag of a type whose fields are read by calling them."""

CONSTANT: Final = f"{ARITY}constant"
"""Ends the name of a constant of a class, where a field or method may have the same; read so, no other is meant."""

METHOD: Final = f"{ARITY}()"
"""Ends a name behind an object that means a method without calling it, where a field may have the same."""

FOR_ALL: Final = f"{ARITY}all"
"""Ends a name that a file gives a value for the whole document: such files are meant before those that give the name a
value for a part."""

_ENDINGS: Final = (MACRO, FACTORY, TAG, CONSTANT, METHOD)

ALIAS: Final = "alias "
"""Begins a flag with another name by which a definition is found: that of a method that the compiler makes for a
field."""

PACKAGE_NAMES: Final = "package names"
"""Key of the names that a file gives to others of its package, in a module's exports."""
EXTENSION: Final = "extension"
"""Flag of a method that is called as a member of its first parameter, too."""

EXPLICIT: Final = "explicitly of "
"""Begins a flag of a member that implements the one of a single interface, whose name follows."""

PARAMETERLESS: Final = "parameterless"
"""Flag of a function or method without parameters that is called by naming it."""

AMBIENT: Final = "ambient"
"""Flag of a namespace or module that is only declared, and may add to one of a library."""

IMPLICIT: Final = "implicit"
"""Flag of a function or method all of whose parameters the compiler finds: naming it calls it, too."""

CALLED_BY_NAME: Final = frozenset({PARAMETERLESS, IMPLICIT})

MIXIN: Final = "mixin"
"""Flag of a class that may be mixed into any other at run time, so that the receivers of its methods are not known."""

SINGLETON: Final = "singleton"
"""Flag of an object: a type with a single instance, which has its name."""

COMPANION: Final = "companion"
"""Flag of a type with an object of its name beside it: the members of the object are the static ones of the type."""

CASE: Final = "case"
"""Flag of a type whose name makes an instance when it is called, although its companion can be called as well."""

CONSTRUCTOR: Final = "constructor"
"""Flag of a constructor that is named behind its class, where a member of an instance may have its name."""

CONSTRAINT: Final = "constraint"
"""Flag of an interface that only constrains type parameters: no type implements it."""

ACCESSOR: Final = "accessor"
"""Begins a flag of a function that makes one argument an accessor of another: `accessor 0 2`, the positions of the
object and of the accessor."""

TEST: Final = "test"
SUITE: Final = "suite"
"""Flags of a test, and of a group of tests, that is named by its title (see lowering/titles.py)."""

NAMING: Final = frozenset({"file", "module"})
"""Kinds of imports that name a file, or a module by its dotted name, outside a program: the enclosing symbol refers to
the file as a whole."""
MEMBER: Final = "member"
"""Kind of an import that only leads to the symbol that is named in it."""

SIDE_EFFECT: Final = "side-effect"
RE_EXPORT: Final = "re-export"
PART: Final = "part"
"""Kinds of imports: of a whole file, whose names may be seen; those that others see as well; of another file of the
same library."""
DECLARED_BESIDE: Final = "declared beside"
"""Key of the functions that a file declares and does not define, of names that it defines others of, in a module's
exports."""
IMPORT_LIMITS: Final = "import limits"
"""Key of what imports leave out, in a module's exports: rows of the import, whether names are hidden, the names."""
SHARED_IMPORTS: Final = "shared imports"
"""Key of the files whose names other files of a library see because this one imports them, in the same place."""

# Roles of sites. The expression of a CALLED site is the CALL; that of a DECORATOR site the bare decorator.
READ: Final = 0
WRITE: Final = 1
CALLED: Final = 2
BASE: Final = 3
DECORATOR: Final = 4
ANNOTATION: Final = 5
DELETED: Final = 6
RAISED: Final = 7
HANDLED: Final = 8
CREATED: Final = 9
UPDATED: Final = 10  # read and written: `x += 1`
KEY: Final = 11  # sets a member of the new object: the key of a literal, a keyword of a call
OFFERED: Final = 12  # read by convention if it exists; if not, nothing is missing
DOCUMENTED: Final = 13  # named by a document, or by code in it, which never runs: an edge only if that is certain
RUN: Final = 14  # a call of a member that the source does not name, like that of an operator
# The site of a call may be followed by another of the same expression, RAISED, CREATED (`new`) or DECORATOR, for what
# is done with the call.

# The parts of a site, as positions after its expression.
ROLE: Final = 1
MAKER: Final = 2  # the definition that makes the reference
SITE_WORDS: Final = 3

# The parts of a block, as positions after the byte where it begins.
BLOCK_END: Final = 1
IS_LOOP: Final = 2
BLOCK_WORDS: Final = 3


class Definition:
    """A future symbol. Lines 1-based, inclusive; `*_byte` are offsets into the file's bytes.

    This class and the next two are not tuples: there are so many of them that their numbers should not be objects, and
    compiled slots hold plain numbers.
    """

    __slots__ = (
        "body_byte", "decorators", "doc", "end_byte", "end_line", "exported", "flags", "hash", "kind", "modifiers",
        "name", "name_byte", "owner", "parent", "qualified_name", "returns", "scope", "signature", "start_byte",
        "start_line", "symbol",
    )  # fmt: skip

    def __init__(
        self,
        *,
        kind: str,
        name: str,
        qualified_name: str,
        parent: int,
        owner: str = "",
        scope: int = -1,
        start_byte: int,
        end_byte: int,
        start_line: int = 0,
        end_line: int = 0,
        name_byte: int,
        body_byte: int,
        signature: str = "",
        doc: str = "",
        exported: bool = True,
        decorators: tuple[str, ...] = (),
        modifiers: tuple[str, ...] = (),
        returns: str = "",
        flags: tuple[str, ...] = (),
        hash: str = "",
        symbol: int = -1,
    ) -> None:
        self.kind = kind
        self.name = name
        self.qualified_name = qualified_name
        self.parent = parent
        """Index of the enclosing definition; -1 for the module."""
        self.owner = owner
        """Name of the type that it belongs to although it is defined outside it (Go methods); else empty."""
        self.scope = scope
        """The scope that its body opens; -1 if there is none."""
        self.start_byte = start_byte
        self.end_byte = end_byte
        self.start_line = start_line
        self.end_line = end_line
        self.name_byte = name_byte
        self.body_byte = body_byte
        """Where the signature ends and the body begins; end_byte if there is no body."""
        self.signature = signature
        self.doc = doc
        """The whole doc comment or docstring, without its markers."""
        self.exported = exported
        self.decorators = decorators
        self.modifiers = modifiers
        self.returns = returns
        self.flags = flags
        """What resolution must know: overload, classmethod, staticmethod, property, generator, protocol, ...;
        ANONYMOUS, TEST, SUITE."""
        self.symbol = symbol
        """Index of the definition whose symbol it is part of, as an overload is of its implementation; else -1."""
        self.hash = hash
        """16 hex digits over the span's text, line ends normalised."""


class Scope:
    __slots__ = ("definition", "end_byte", "kind", "parent", "receiver", "start_byte")

    def __init__(
        self, kind: str, parent: int, definition: int, start_byte: int, end_byte: int, receiver: str = ""
    ) -> None:
        self.kind = kind
        """module, class, function, lambda, comprehension, block, object."""
        self.parent = parent
        self.definition = definition
        """The innermost enclosing named symbol, or the one that opens the scope: the source of the references in it."""
        self.start_byte = start_byte
        self.end_byte = end_byte
        self.receiver = receiver
        """For a method: name of the parameter that holds the receiver (`self`), if there is one."""


def is_module_within(definitions: list[Definition], scopes: list[Scope], scope: int) -> bool:
    """Whether a scope is that of a module within a file: a block that is seen from outside, whose names are symbols."""
    here = scopes[scope]
    if here.kind != "block" or here.definition <= 0:
        return False
    holder = definitions[here.definition]
    return holder.scope == scope and holder.kind == "class"


class Binding:
    """A name that gets a value in a scope. Several bindings of one name are several definitions in order of flow."""

    __slots__ = ("block", "byte", "kind", "name", "scope", "value")

    def __init__(self, scope: int, name: str, value: int, byte: int, block: int, kind: str = "") -> None:
        self.scope = scope
        self.name = name
        self.value = value
        """Expression; 0 if nothing is known about it."""
        self.byte = byte
        """The byte from which it is valid."""
        self.block = block
        """Index into blocks: the innermost enclosing conditional part; 0 is the whole body of the scope."""
        self.kind = kind
        """narrow: valid inside its block only; annotation: a declaration; declared: one with a value; weak: one of
        several ways (augmented, merged); type: a name in type position only (interfaces, type aliases, type
        parameters)."""


class Parameter(NamedTuple):
    name: str
    kind: str
    """positional, keyword, any, list (*args), map (**kwargs)."""
    annotation: int = 0
    default: int = 0


class Import(NamedTuple):
    """One module of an import statement. `names` are what it binds from the module; empty for the module itself."""

    module: str
    level: int
    """Leading dots in Python; else 0."""
    byte: int
    scope: int
    kind: str = ""
    """star, type, dynamic, re-export, side-effect, part; of configuration: file, module (NAMING), member."""
    names: tuple[str, ...] = ()


class FileFacts(NamedTuple):
    path: str
    language: str
    definitions: list[Definition]
    scopes: list[Scope]
    blocks: array[int]
    """Each a start byte, BLOCK_END and IS_LOOP: parts of a body that may or may not run, innermost last."""
    bindings: list[Binding]
    parameters: dict[int, list[Parameter]]
    """By scope."""
    returns: dict[int, list[int]]
    """By scope: expressions."""
    yields: dict[int, list[int]]
    bases: dict[int, list[tuple[str, int]]]
    """By definition: (keyword or empty, expression)."""
    decorators: dict[int, list[int]]
    """By definition: expressions."""
    annotations: dict[int, int]
    """By scope of a function: expression of the returned type; by that of an object literal: of the type that it
    satisfies."""
    fields: dict[int, list[tuple[str, int]]]
    """By class definition: (name, value expression) of every `self.name = value` in its methods."""
    members: list[tuple[int, str, int]]
    """`object.name = value` on anything else: object expression, name, value expression."""
    items: list[tuple[int, int, int]]
    """`object[key] = value`: object, key (0: any) and value expressions; appended values count too."""
    imports: list[Import]
    exports: dict[str, Any]
    """What the module declares about its own names. Python: `all` (list of names), `all_of` (modules whose `__all__` is
    added), `all_open` (parts of it are computed). ECMAScript: `names` (exported name -> expression; `=` for the whole
    of `module.exports`), `stars` (indexes of imports that are re-exported as a whole)."""
    type_parameters: dict[int, list[str]]
    """By definition: names of its type parameters, each bound to a TYPE_VARIABLE."""
    type_arguments: dict[int, list[int]]
    """By call: the type arguments written for the callee; by the DEFINITION of what is SPECIALISED: those that it is
    for."""
    sites: array[int]
    """In document order; each an expression, ROLE and MAKER."""
    code: array[int]
    strings: list[str]
    line_starts: array[int]
    """Byte offset of each line."""
    wide: array[int]
    """Byte offsets of UTF-8 continuation bytes, which columns do not count."""
    comments: list[tuple[int, int]]
    """(start byte, end byte)."""
    problems: list[str]
    """Syntax errors and what was left out, as `line: message`."""
    package: str = ""
    """The file's package or module clause, in languages that have one (Go)."""


def aliases(definition: Definition) -> list[str]:
    """The other names by which a definition is found."""
    return [flag[len(ALIAS) :] for flag in definition.flags if flag.startswith(ALIAS)]


def implemented_explicitly(definition: Definition) -> str:
    """The name of the one interface whose member a definition implements, if it says so."""
    return next((flag[len(EXPLICIT) :] for flag in definition.flags if flag.startswith(EXPLICIT)), "")


def strip_marks(name: str) -> str:
    """A name as the source has it, without ARITY, MACRO, FACTORY and TAG."""
    if ARITY not in name:
        return name
    if name.endswith(_ENDINGS):
        return name[: name.rindex(ARITY)]
    text, _, count = name.rpartition(ARITY)
    return text if count.isdecimal() else name


def line_and_column(facts: FileFacts, byte: int) -> tuple[int, int]:
    """Line and column of a byte offset, both 1-based; lines counted at newlines, columns in code points."""
    line = bisect_right(facts.line_starts, byte)
    start = facts.line_starts[line - 1]
    column = byte - start + 1
    if facts.wide:
        column -= bisect_left(facts.wide, byte) - bisect_left(facts.wide, start)
    return line, column


class Lines:
    """Lines and columns of one file's bytes, fast for bytes in ascending order."""

    def __init__(self, facts: FileFacts) -> None:
        self.facts = facts
        self.starts = [*facts.line_starts, 1 << 40]
        self.at = 0

    def place(self, byte: int) -> tuple[int, int]:
        """As `line_and_column` returns it."""
        starts, at = self.starts, self.at
        if not starts[at] <= byte < starts[at + 1]:
            at = self.at = bisect_right(starts, byte) - 1
        column = byte - starts[at] + 1
        if self.facts.wide:
            wide = self.facts.wide
            column -= bisect_left(wide, byte) - bisect_left(wide, starts[at])
        return at + 1, column
