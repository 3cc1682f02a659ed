"""What is asked of a search and what it gives: the values that travel between search, answers and tools.

`Wanted` is asked for, an `Answer` of `Hit`s comes back. Every way to search gives hits of this one type: by words, by
name, by similar code, by kind alone. Absent: any search.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rpg.queries.graph.nodes import Node

Mode = Literal["auto", "features", "snippets", "symbol", "similar"]
Match = Literal["exact", "prefix", "contains"]
Content = Literal["code", "docs", "all"]


@dataclass(frozen=True, kw_only=True)
class Wanted:
    query: str
    """Empty: all symbols of the `kinds`."""
    mode: Mode = "auto"
    match: Match | None = None
    """In symbol mode; None tolerates other spellings and typing errors."""
    kinds: tuple[str, ...] = ()
    language: str = ""
    path: str = ""
    """A prefix or a glob."""
    exclude_path: str = ""
    package: str = ""
    """A directory, or its dotted form."""
    content: Content = "code"
    min_score: float = 0.0
    limit: int = 20
    offset: int = 0


@dataclass(frozen=True, kw_only=True)
class Hit:
    """A symbol that was found."""

    node: Node
    score: float
    how: str = ""
    """Of a name: exact, spelling, letters, parts or typo; of code, in what way it is like the pasted piece. Empty where
    words and meaning found it."""
    matched: dict[str, list[str]] = field(default_factory=dict)
    """Words of the question by where they stand: name, container, path, signature, doc, body."""
    copies: list[Node] = field(default_factory=list)
    """The same text in other places."""
    test: bool = False
    text: str = ""
    """Hash of its source."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    hits: list[Hit]
    next: int | None = None
    """Offset at which the following hits start; None where there are no more."""
    mode: Mode = "snippets"
    """The one that answered."""
    note: str = ""
