"""What one file says by itself: definitions, bindings, expressions, imports. No other file is known here.

A language lowers its syntax tree into these facts through a `Builder`; `resolve` reads them and nothing else.
Facts depend on (path, bytes, language) alone, are inert, and travel as one block of bytes (packing.py), so
they are cached by content hash and cross process borders without copying objects around.

Definitions are a list in file order; index 0 is the module itself. Scopes are a list too; scope 0 is the module's.

Expressions are a flat array of ints, `code`. An expression is an offset into it: its operation, the byte offset at
which it is named in the source, then its operands, which are strings (indexes into `strings`), scopes, definitions
or other expressions. Offset 0 is the expression NOTHING, so that 0 stands for "none".
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from typing import Any, Final, NamedTuple

# Operations: name, operands. `e` is an expression, `s` a string, `#` a number.
NOTHING: Final = 0  #        of no use to resolution, but evaluated
NAME: Final = 1  #           s name, # scope that binds it; -1: none in this file; -2 - scope: read in a closure
ATTRIBUTE: Final = 2  #      e object, s name: position is the member's
CALL: Final = 3  #           e callee, # n, then n times (s keyword | POSITIONAL | STARRED | DOUBLE_STARRED, e value)
SUBSCRIPT: Final = 4  #      e object, e index
STRING: Final = 5  #         s value
NUMBER: Final = 6  #         s text
LITERAL: Final = 7  #        s name of the builtin type: bool, int, float, bytes, None, ...
LIST: Final = 8  #           # n, e items
TUPLE: Final = 9  #          # n, e items
SET: Final = 10  #           # n, e items
DICTIONARY: Final = 11  #    # n, n times (e key, e value); key 0 is a spread
UNION: Final = 12  #         # n, e any of them: `or`, `and`, conditional expressions
OPERATION: Final = 13  #     s operator, e left, e right (0 for a unary one)
AWAIT: Final = 14  #         e
YIELD: Final = 15  #         e generator that is delegated to (0: none), # scope: the value of the expression itself
FUNCTION: Final = 16  #      # scope: a lambda or nameless callback
COMPREHENSION: Final = 17  # s list | set | dict | generator, e element, e value (of a dictionary, else 0)
ELEMENT: Final = 18  #       e: what iterating over it yields
ENTERED: Final = 19  #       e: what `with e as x` binds
ITEM: Final = 20  #          e, # index: the i-th part of an unpacking; negative counts from the end
DEFINITION: Final = 21  #    # definition
PARAMETER: Final = 22  #     # scope, # index into its parameters
IMPORT: Final = 23  #        # index into imports: the module
IMPORTED: Final = 24  #      # index into imports, s name: a member of that module
NARROWED: Final = 25  #      e value, e class or tuple of classes, # 1: is not one of them
TYPED: Final = 26  #         e annotation, e value (0: none): a value of the annotated type
INSTANCE: Final = 27  #      e class: an instance made without a call (composite literals)
THIS: Final = 28  #          # scope: the receiver of the method whose scope that is
SUPER: Final = 29  #         # scope of the method, e class after which to look (0: the one around the scope)
FUNCTION_TYPE: Final = 30  # e returned type, e tuple of the parameters' types (0: none known): the type of a function
OBJECT: Final = 31  #        # scope: an object literal whose members are that scope's bindings
TYPE_OF: Final = 32  #       e: in an annotation, the type of that value
CAUGHT: Final = 33  #        e class or tuple of classes: what `except e as x` binds
PATH: Final = 34  #          e object, s name, # scope, s dotted path: an attribute whose path is bound in the scope
TYPE_VARIABLE: Final = 35  # s name, e bound (0: none)
SLICE: Final = 36  #         e start, e stop, e step (0: none each): an index
KEYED: Final = 37  #         e subscript, # scope, s path: a subscript with a constant key, assigned in the scope

LENGTHS: Final[tuple[int, ...]] = (
    2,
    4,
    4,
    0,
    4,
    3,
    3,
    3,
    -1,
    -1,
    -1,
    -2,
    -1,
    5,
    3,
    4,
    3,
    5,
    3,
    3,
    4,
    3,
    4,
    3,
    4,
    5,
    4,
    3,
    3,
    4,
    4,
    3,
    3,
    3,
    6,
    4,
    5,
    5,
)
"""Words of each operation, itself and its byte included; -1 and -2: 3 and n times one or two; 0 (CALL): 4 and n times
two."""

UNDERLYING: Final = "underlying"
"""Keyword of the base that a type without members of its own is made of (`type Kind int`)."""

ANONYMOUS: Final = "anonymous"
"""Flag of a class without a name: no symbol. What stands in it belongs to the named symbol around."""

POSITIONAL: Final = -1
STARRED: Final = -2
DOUBLE_STARRED: Final = -3

# Roles of sites. A CALLED site's expression is the CALL; a DECORATOR's the bare decorator.
READ: Final = 0
WRITE: Final = 1
CALLED: Final = 2
BASE: Final = 3
DECORATOR: Final = 4
ANNOTATION: Final = 5
DELETED: Final = 6
RAISED: Final = 7


class Definition:
    """A symbol to be. Lines 1-based, inclusive; `*_byte` are offsets into the file's bytes.

    This and the next two are no tuples: there are so many that their numbers are to be held without objects of their
    own, as what is compiled does.
    """

    __slots__ = (
        "body_byte", "decorators", "doc", "end_byte", "end_line", "exported", "flags", "hash", "kind", "modifiers",
        "name", "name_byte", "owner", "parent", "qualified_name", "returns", "scope", "signature", "start_byte",
        "start_line",
    )  # fmt: skip

    def __init__(
        self,
        kind: str,
        name: str,
        qualified_name: str,
        parent: int,
        owner: str,
        scope: int,
        start_byte: int,
        end_byte: int,
        start_line: int,
        end_line: int,
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
    ) -> None:
        self.kind = kind
        self.name = name
        self.qualified_name = qualified_name
        self.parent = parent
        """Index of the definition around it; -1 for the module. Kept apart where the parent stands in another file."""
        self.owner = owner
        """Name of the type that it belongs to though it is defined outside of it (Go methods); else empty."""
        self.scope = scope
        """The scope that its body opens; -1 where there is none."""
        self.start_byte = start_byte
        self.end_byte = end_byte
        self.start_line = start_line
        self.end_line = end_line
        self.name_byte = name_byte
        self.body_byte = body_byte
        """Where the signature ends and the body begins; end_byte where there is no body."""
        self.signature = signature
        self.doc = doc
        """The whole doc comment or docstring, cleaned of its markers."""
        self.exported = exported
        self.decorators = decorators
        self.modifiers = modifiers
        self.returns = returns
        self.flags = flags
        """What resolution must know: overload, classmethod, staticmethod, property, generator, protocol, ...;
        ANONYMOUS."""
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
        """The innermost named symbol around or at it: the source of the references in it."""
        self.start_byte = start_byte
        self.end_byte = end_byte
        self.receiver = receiver
        """Of a method: name of the parameter that holds the receiver (`self`), where there is one."""


class Binding:
    """A name given a value in a scope. Several bindings of one name are several definitions in order of flow."""

    __slots__ = ("block", "byte", "kind", "name", "scope", "value")

    def __init__(self, scope: int, name: str, value: int, byte: int, block: int, kind: str = "") -> None:
        self.scope = scope
        self.name = name
        self.value = value
        """Expression; 0 where nothing is known of it."""
        self.byte = byte
        """From where it holds."""
        self.block = block
        """Index into blocks: the innermost conditional part around it; 0 is the scope's whole body."""
        self.kind = kind
        """narrow: holds inside its block only; annotation: a declaration; declared: one with a value; weak: one of
        several ways (augmented, merged); type: a name in type position alone (interfaces, type aliases, type
        parameters)."""


class Parameter(NamedTuple):
    name: str
    kind: str
    """positional, keyword, any, list (*args), map (**kwargs)."""
    annotation: int = 0
    default: int = 0


class Import(NamedTuple):
    """An import statement's one module. `names` are what it binds from the module; empty for the module itself."""

    module: str
    level: int
    """Leading dots in Python; else 0."""
    byte: int
    scope: int
    kind: str = ""
    """star, type, dynamic, re-export, side-effect."""
    names: tuple[str, ...] = ()


class FileFacts(NamedTuple):
    path: str
    language: str
    definitions: list[Definition]
    scopes: list[Scope]
    blocks: array[int]
    """Triples: start byte, end byte, 1 for a loop. Parts of a body that may run or not, innermost last."""
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
    """By function scope: expression of the returned type."""
    fields: dict[int, list[tuple[str, int]]]
    """By class definition: (name, value expression) of every `self.name = value` in its methods."""
    members: list[tuple[int, str, int]]
    """`object.name = value` on anything else: object expression, name, value expression."""
    items: list[tuple[int, int, int]]
    """`object[key] = value`: object, key (0: any), value expressions; what is appended counts as well."""
    imports: list[Import]
    exports: dict[str, Any]
    """What the module says of its own names. Python: `all` (list of names), `all_of` (modules whose `__all__` is
    added), `all_open` (parts of it are computed). ECMAScript: `names` (exported name -> expression; `=` for
    the whole of `module.exports`), `stars` (indexes of imports re-exported whole)."""
    type_parameters: dict[int, list[str]]
    """By definition: names of its type parameters, each bound to a TYPE_VARIABLE."""
    type_arguments: dict[int, list[int]]
    """By call: the types that are written for the type parameters of what is called."""
    sites: array[int]
    """Triples in document order: expression, role, definition that makes the reference."""
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
    """What the file calls its package or module, where the language has such a line (Go)."""


def line_and_column(facts: FileFacts, byte: int) -> tuple[int, int]:
    """Line and column of a byte offset, both 1-based; lines counted at newlines, columns in code points."""
    line = bisect_right(facts.line_starts, byte)
    start = facts.line_starts[line - 1]
    column = byte - start + 1
    if facts.wide:
        column -= bisect_left(facts.wide, byte) - bisect_left(facts.wide, start)
    return line, column


class Lines:
    """The lines and columns of one file's bytes, where most are asked for in their order."""

    def __init__(self, facts: FileFacts) -> None:
        self.facts = facts
        self.starts = [*facts.line_starts, 1 << 40]
        self.at = 0

    def place(self, byte: int) -> tuple[int, int]:
        """As `line_and_column` has it."""
        starts, at = self.starts, self.at
        if not starts[at] <= byte < starts[at + 1]:
            at = self.at = bisect_right(starts, byte) - 1
        column = byte - starts[at] + 1
        if self.facts.wide:
            wide = self.facts.wide
            column -= bisect_left(wide, byte) - bisect_left(wide, starts[at])
        return at + 1, column
