"""What a search is asked and what it returns: the values that travel between search, answers and tools.

`Wanted` goes in, an `Answer` of `Hit`s comes out. Every kind of search for symbols returns hits of this one type: by
words, by name, by similar code, by kind only. Lines that match a text have a separate type. Absent: any search.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from rpg.queries.graph.nodes import Node
from rpg.queries.search.text.text_matches import TextMatches

Mode = Literal["auto", "features", "snippets", "symbol", "similar", "text", "regex"]
Match = Literal["exact", "prefix", "contains"]
Content = Literal["code", "docs", "all"]


@dataclass(frozen=True, kw_only=True)
class Wanted:
    query: str
    """Empty: all symbols of the `kinds`."""
    in_code: str = ""
    """Words and names that the code may use for what a sentence asks."""
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
    within: str = ""
    """An area, category or feature of the functional view."""
    tests: Literal["fold", "only", "all", "none"] = "all"
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
    """For a name: exact, spelling, letters, parts or typo; for code, in what way it resembles the pasted snippet. Empty
    if found by words and meaning."""
    matched: dict[str, list[str]] = field(default_factory=dict)
    """Words of the query by the part of the symbol that has them: name, container, path, signature, doc, body."""
    copies: list[Node] = field(default_factory=list)
    """The same text in other places."""
    test: bool = False
    is_after_fall: bool = False
    """Whether it scores much less than the best, after the first few; or is only similar to the exact name."""
    used: str = ""
    """How much it is used, for an exact name."""
    text: str = ""
    """Hash of its source."""
    covered: float = 0.0
    """Share of the query's information that it has, if it was found by words."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    hits: list[Hit]
    next: int | None = None
    """Offset of the next hits; None if there are no more."""
    mode: Mode = "snippets"
    """The mode that was used."""
    note: str = ""
    texts: TextMatches | None = None
    """Lines that match, before the other hits."""
    tests: Counter[str] = field(default_factory=Counter)
    """Folded hits in tests, by file."""
