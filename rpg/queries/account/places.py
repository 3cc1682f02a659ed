"""The classes of places that have a symbol's name, and why one may mean the symbol that no edge explains."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

DEFINITION: Final = "definition"
CERTAIN: Final = "certain"
POSSIBLE: Final = "possible"
OTHER: Final = "other_definition"
LIBRARY: Final = "library_or_local"
UNRESOLVED: Final = "unresolved"
LITERAL: Final = "string_or_template"
PROSE: Final = "comment_or_prose"
NOT_READ: Final = "not_read"
CLASSES: Final = (DEFINITION, CERTAIN, POSSIBLE, OTHER, LIBRARY, UNRESOLVED, LITERAL, PROSE, NOT_READ)
NOT_RECORDED: Final = "not parsed"
"""Why a place is unresolved that looks like a use and is in no facts: code of a macro, or of a torn part of a file."""
NOT_EXPLAINED: Final = "nothing in its file says what it is"
OUTLINED: Final = "in code of which only symbols and imports are read"
NAMED_IN_STRING: Final = "named in a string"
CALL_OF_LIBRARY: Final = "called on a library's type, of which this may take the place"
GENERATED: Final = "may be what is generated from it"
OTHER_ACCESSOR: Final = "read through another accessor"
NO_OWNER: Final = "nothing says whose member it is"
MEMBER_OF_TYPE: Final = "a member of a type that its object may be of"
ADDED_TO: Final = "a library's type of that name, to which it may add"
IMPORTED: Final = "imported"
IN_EXAMPLE: Final = "named in an example of a comment, which the language's tests run"
RUN_BY_NAME: Final = "run by that name"
DECLARED: Final = "named as it is declared in another file, for which this may be the code"
OF_RECEIVER: Final = "may be a member of what the function around it is called on"
OF_ENVIRONMENT: Final = "read from the environment"
IN_PAGE: Final = "in a page"
IN_SELECTOR: Final = "in a selector"
IN_IMPORT: Final = "in the path of an import"
TOLD: Final = "named to a library's function that is told members by name"
ADDED: Final = "a member of any type, to which its class adds it"
REPLACED: Final = "a build may replace the name"
MISSED_IMPORT: Final = "behind an import that is not resolved"
"""Why a place is unresolved that no edge explains, in a file with an import like the path of the symbol's file."""


class Left(NamedTuple):
    """A place that means the symbol, or may mean it, although no edge says so."""

    kind: str
    """UNRESOLVED or LITERAL; CERTAIN for an import."""
    path: str
    line: int
    column: int
    test: bool
    reason: str


@dataclass
class Placed:
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CLASSES, 0))
    left: list[Left] = field(default_factory=list)
    others: set[int] = field(default_factory=set)
    """The rows of the other definitions that occurrences mean or are."""
    imports: list[Left] = field(default_factory=list)
    """Those of the certain places that import it."""
    lines: dict[str, dict[str, list[int]]] | None = None
    """By class and file, the lines of all places, if they are wanted."""
    met: set[tuple[str, int, int]] = field(default_factory=set)
    """The certain and possible places that have the name."""
