"""The schema: what a graph is made of. Read this first.

A graph is a header, symbols (nodes) and edges; `places` are the references that became no edge and live in the index
only. All values are inert and hashable; nothing here reads, writes or resolves.

Symbol ids: `path::Qualified.name`; a module's id is its path, a directory's ends in `/` (the root is `./`), a Markdown
section's is `path::Heading text`; the id of a test with a title is `path::"outer title > title"`, and of a definition
in it `path::"outer title > title".name`; `~2` marks the second definition of the same id in file order. Overloads are
one symbol with what implements them, a property with its setters, a merged interface with all its parts.

Edges read as sentences, source kind target:

    contains    directory|module|class|... contains symbol       one tree, the innermost enclosing parent
    imports     module imports module                             the module that the statement names
    calls       function calls function|class                     calling a class is one edge, to the class
    inherits    class inherits class                              interfaces and embedded structs too
    overrides   method overrides method                           the nearest overridden member, and interfaces' own
    references  symbol references symbol                          reads, writes, annotations, values passed
    tests       test function tests symbol                        besides its `calls`
    documents   section|symbol documents symbol|file              named in full by a text, or imported by code in it
    covers      area|category|feature covers category|feature|directory|file    the functional view

Areas, categories and features are the functional view (rpg/encoder/areas/). They have no file: their path is empty, and
their id is `::Area/Category/Feature`, made of titles. A file or symbol belongs to the node whose `covers` edge names
it, or the nearest directory or file around it.

A site of a `calls` or `references` edge has a role, one letter per site in `Edge.roles` (ROLES): a call may raise what
it makes, a reference may read, write, delete, annotate or catch.

`via` names the rule that resolved an edge:

    syntax       structure and import statements; in configuration, a file that is named by its path
    scope        lexical lookup
    import       a name bound by an import
    self, super  the receiver is the enclosing class, or its bases
    type         the receiver's or value's type, declared or inferred
    constructor  the receiver was constructed in view
    inherited    the member is defined in a base class of the receiver's type
    method-set   the type has all methods of the interface, with identical signatures
    value        functions carried by variables, arguments and containers
    protocol     operators, iteration, `with`
    framework    a framework's registration or naming convention
    unique-name  the receiver is unknown, one symbol has the name (possible, never certain)
    fan-out      the receiver is unknown, 2 to 5 symbols have the name (possible, never certain)
    crossing     a contract between parts that do not import each other: a request and the route that it is sent to
    possible-crossing    the same where several are meant, or not all of it is known (possible, never certain)
    grouping     directories, and what depends on what
    compiler     a compiler's index says so (`rpg encode --scip`), of a file that has not changed since
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

FORMAT: Final = "rpg-graph"
FORMAT_VERSION: Final = 3
"""Raised only for a change that an old reader would misread; readers ignore unknown fields."""

RULES_VERSION: Final = 93
"""Raised for every change of extraction or resolution that can change a graph; an index of other rules is rebuilt."""

SYMBOL_KINDS: Final = (
    "directory", "module", "class", "interface", "enum", "struct", "trait", "type", "function", "method",
    "property", "field", "constant", "file", "section", "area", "category", "feature",
)  # fmt: skip
EDGE_KINDS: Final = (
    "contains",
    "imports",
    "calls",
    "inherits",
    "overrides",
    "references",
    "tests",
    "documents",
    "covers",
)
VIAS: Final = (
    "syntax", "scope", "import", "self", "super", "type", "constructor", "inherited", "method-set", "value",
    "protocol", "framework", "unique-name", "fan-out", "grouping", "crossing", "possible-crossing",
    "compiler",
)  # fmt: skip
CROSSING: Final = "crossing"
COMPILER: Final = "compiler"
POSSIBLE_CROSSING: Final = "possible-crossing"
CROSSINGS: Final = frozenset({CROSSING, POSSIBLE_CROSSING})
"""The rules of contracts."""
POSSIBLE_VIAS: Final = frozenset({"unique-name", "fan-out", POSSIBLE_CROSSING})
"""Never certain, whatever was measured. Other rules are possible if their confidence is below CERTAIN_FROM."""
CERTAIN_FROM: Final = 0.95
FAN_OUT_LIMIT: Final = 5
REASONS: Final = ("external", "unresolved", "ambiguous")

ROLES: Final = {
    "c": "calls",
    "n": "instantiates",
    "t": "raises",
    "x": "catches",
    "@": "decorates",
    "r": "reads",
    "w": "writes",
    "a": "annotates",
    "d": "deletes",
}
"""What a site does with the target of its edge, by letter. A call of a class instantiates it whatever its letter: `n`
is used only if the target's kind does not show that."""
PLAIN_ROLES: Final = {"calls": "c", "references": "r"}
"""The role of an edge's sites if `Edge.roles` is empty, by kind of edge."""

CLASS_KINDS: Final = frozenset({"class", "interface", "enum", "struct", "trait", "type"})
FUNCTION_KINDS: Final = frozenset({"function", "method", "property"})
FUNCTIONAL_KINDS: Final = frozenset({"area", "category", "feature"})
FUNCTIONAL_PATH: Final = ""
"""The path of all of them, which no file has."""


LIBRARY: Final = "library"
"""The modifier of what is a library's: it is there as what the repository's references end in, and nothing of the
repository."""
OVERRIDE: Final = "override"
"""The modifier of a member that its source says to override or implement one of a base or trait."""


def is_left_out(path: object, reason: object) -> bool:
    """Whether this may stand in the header's list `skipped`: what the encoder writes there and a reader takes.

    The path is the name as text, shown and compared with the next listing. It may be no place in a repository, such as
    `c:/x.py`, and be left out for that very reason: whoever asks the file system judges it like any other name."""
    if type(path) is not str or type(reason) is not str:
        return False
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return path != ""


class Symbol(NamedTuple):
    """A named thing with a definition. Lines are 1-based and inclusive; columns 1-based, in code points."""

    id: str
    kind: str
    name: str
    qualified_name: str
    """The part of the id after `::`, without `~2`; for a module or directory its path."""
    path: str
    """The file, relative to the repository's root, `/`-separated, NFC; for a directory its own path."""
    language: str = ""
    start_line: int = 0
    """Decorators and doc comments are part of the span."""
    end_line: int = 0
    name_line: int = 0
    name_column: int = 0
    signature: str = ""
    """As written, with white space folded, without the body. Signatures of overloads follow after `; `."""
    doc: str = ""
    """First paragraph."""
    hash: str = ""
    """16 hex digits over the span's text, line ends normalised."""
    exported: bool = False
    test: bool = False
    decorators: tuple[str, ...] = ()
    modifiers: tuple[str, ...] = ()
    """Any of async, static, abstract, override; library for all that is of one."""
    returns: str = ""
    """The return annotation as written."""
    references: tuple[int, int, int, int, int] | None = None
    """For modules: how many references are certain, possible, external, unresolved, ambiguous."""


class Edge(NamedTuple):
    """One (source, target, kind, via) with all its sites."""

    source: str
    target: str
    kind: str
    via: str
    sites: tuple[tuple[int, int], ...] = ()
    """(line, column) in the source symbol's file, ascending; empty for `contains` and `overrides`."""
    roles: str = ""
    """A letter of ROLES for each site; empty if all have the plain role of the kind."""


def role_at(kind: str, roles: str, position: int) -> str:
    """The name of the role of an edge's site; empty for kinds without roles."""
    return ROLES.get(roles[position : position + 1] or PLAIN_ROLES.get(kind, ""), "")


class Place(NamedTuple):
    """A reference without an edge, kept in the index so that an empty answer can explain itself."""

    source: str
    """Id of the innermost enclosing named symbol."""
    name: str
    line: int
    column: int
    reason: str
    """external, unresolved or ambiguous."""
    call: bool
    """Whether the name is called."""
    bare: bool = False
    """Whether it is a plain name, not a member access."""
    arguments: int = -1
    """With how many it is called; -1 where that cannot be told."""

    @property
    def stored_call(self) -> int:
        """0: it is not called; 1: with any number of arguments; n + 2: with n."""
        return self.arguments + 2 if self.call else 0


class Graph(NamedTuple):
    """Symbols and edges are sorted by (path, position); contains-edges follow the same order."""

    header: dict[str, Any]
    symbols: list[Symbol]
    edges: list[Edge]
    places: list[Place]


def without_libraries(graph: Graph) -> Graph:
    """The repository's own part of a graph: without the symbols of libraries, and what leads to them."""
    if not graph.header.get("libraries"):
        return graph
    symbols = [each for each in graph.symbols if LIBRARY not in each.modifiers]
    own = {each.id for each in symbols}
    return graph._replace(
        symbols=symbols, edges=[each for each in graph.edges if each.source in own and each.target in own]
    )
