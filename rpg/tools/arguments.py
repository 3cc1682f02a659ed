"""Arguments that several tools share, with the words, bounds and defaults that a client is shown.

A tool's own arguments stand in its signature. Descriptions are short: every client loads all of them.
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
EdgeKind = Literal["imports", "calls", "inherits", "overrides", "references", "documents"]

Kinds = list[SymbolKind]
PathFilter = Annotated[str, Field(description="Prefix or glob", max_length=LONGEST)]
Package = Annotated[str, Field(description="Directory or dotted name")]
Content = Annotated[Literal["code", "docs", "all"], Field(description="docs: Markdown and doc comments")]
MinScore = Annotated[float, Field(ge=0, le=1)]
MaxTokens = Annotated[int, Field(ge=200, le=MAXIMUM_TOKENS)]
Cursor = Annotated[str, Field(description="`next` of the previous answer")]
GraphName = Annotated[str, Field(description="If several are loaded")]

TOKENS = DEFAULT_TOKENS
