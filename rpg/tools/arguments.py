"""Arguments that several tools share, with the words, bounds and defaults that a client is shown.

A tool's own arguments are in its signature. Descriptions are short: every client loads all of them. What the server's
instructions say once (`graph`, `cursor`, `path`) is not repeated.
"""

from __future__ import annotations

from typing import Annotated, Literal

from rpg.queries.graph.budget import DEFAULT_TOKENS, MAXIMUM_TOKENS
from rpg.queries.graph.path_filters import LONGEST
from rpg.tools.field import Field

SymbolKind = Literal[
    "directory", "module", "class", "interface", "enum", "struct", "trait", "type", "function", "method", "property",
    "field", "constant", "file", "section",
]  # fmt: skip
EdgeKind = Literal[
    "imports", "calls", "inherits", "overrides", "references", "documents",
    "instantiates", "raises", "catches", "decorates", "reads", "writes", "annotates", "deletes",
]  # fmt: skip

Kinds = Annotated[list[SymbolKind], Field(description="Kinds of symbols", is_told=False)]
KindsAgain = Annotated[list[SymbolKind], Field(description="As in search", is_told=False)]
PathFilter = Annotated[str, Field(description="Prefix or glob", max_length=LONGEST, is_told=False)]
Tests = Annotated[
    Literal["fold", "only", "all", "none"],
    Field(description="fold: one line counts them by file; only, all: lists them; none: without them", is_told=False),
]
TestsAgain = Annotated[
    Literal["fold", "only", "all", "none"], Field(description="As in find_usages", is_told=False, is_repeated=True)
]
Detail = Annotated[
    Literal["sites", "names", "code"],
    Field(description="sites: symbols with line numbers; names: without; code: with source lines", is_told=False),
]
Package = Annotated[str, Field(description="Folder or dotted name", is_told=False)]
Content = Annotated[Literal["code", "docs", "all"], Field(description="docs: Markdown and doc comments", is_told=False)]
MinScore = Annotated[float, Field(ge=0, le=1)]
MaxTokens = Annotated[int, Field(ge=200, le=MAXIMUM_TOKENS, description="Of the text of the answer", is_told=False)]
Cursor = Annotated[str, Field(description="From the end of an answer that goes on", is_told=False)]
GraphName = Annotated[str, Field(description="If several are loaded", is_told=False)]

TOKENS = DEFAULT_TOKENS
