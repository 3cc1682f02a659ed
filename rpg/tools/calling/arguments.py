"""Arguments that several tools share, with the words, bounds and defaults that a client is shown.

A tool's own arguments are in its signature. Descriptions are short: every client loads all of them. What the server's
instructions say once (`graph`, `cursor`, `path`) is not repeated.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated, Literal

from rpg.queries.graph.budget import DEFAULT_TOKENS, MAXIMUM_TOKENS
from rpg.queries.graph.path_filters import LONGEST
from rpg.tools.calling.field import Field

SymbolKind = Literal[
    "directory", "module", "class", "interface", "enum", "struct", "trait", "type", "function", "method", "property",
    "field", "constant", "file", "section",
]  # fmt: skip
EdgeKind = Literal[
    "imports", "calls", "inherits", "overrides", "references", "documents",
    "instantiates", "raises", "catches", "decorates", "reads", "writes", "annotates", "deletes",
]  # fmt: skip

Kinds = Annotated[list[SymbolKind], Field(description="Kinds of symbols", unset="all", is_shown=False)]
Language = Annotated[str, Field(help="Only this language, as stats names it", unset="all")]
PathFilter = Annotated[
    str, Field(description="Only files with this prefix or glob", unset="all", max_length=LONGEST, is_shown=False)
]
ExcludedPath = Annotated[
    str, Field(description="No files with this prefix or glob", unset="none", max_length=LONGEST, is_shown=False)
]
_GUESSED_TESTS = MappingProxyType(
    dict.fromkeys(("exclude", "excluded", "no", "skip", "without", "off", "false", "hide", "ignore"), "none")
    | dict.fromkeys(("include", "included", "yes", "with", "on", "true", "show", "list"), "all")
    | dict.fromkeys(("just", "tests"), "only")
)
Tests = Annotated[
    Literal["fold", "only", "all", "none"],
    Field(
        description="fold: one line counts them by file (find_usages lists up to 8); only, all: lists them; none: "
        "without them",
        is_shown=False,
        guesses=_GUESSED_TESTS,
    ),
]
TestsAgain = Annotated[
    Literal["fold", "only", "all", "none"],
    Field(
        description="fold: one line counts them by file; only, all: lists them; none: without them",
        is_shown=False,
        is_repeated=True,
        guesses=_GUESSED_TESTS,
    ),
]
_GUESSED_DETAIL = MappingProxyType({
    "lines": "sites", "line": "sites", "short": "names", "name": "names", "symbols": "names", "full": "code",
    "source": "code", "snippets": "code", "excerpts": "code",
})  # fmt: skip
Detail = Annotated[
    Literal["sites", "names", "code", "account"],
    Field(
        description="sites: symbols with line numbers; names: without; code: with source lines; account: every place "
        "that has the name, by what it is",
        is_shown=False,
        guesses=_GUESSED_DETAIL,
    ),
]
DetailAgain = Annotated[
    Literal["sites", "names", "code"],
    Field(
        description="sites: symbols with line numbers; names: without; code: with source lines",
        is_shown=False,
        is_repeated=True,
        guesses=_GUESSED_DETAIL,
    ),
]
Format = Annotated[Literal["text", "mermaid", "dot"], Field(help="As text or as a picture")]
FormatAgain = Annotated[Literal["text", "mermaid", "dot"], Field(help="As text or as a picture", is_repeated=True)]
Package = Annotated[str, Field(description="Only this folder or dotted name", unset="all", is_shown=False)]
Within = Annotated[str, Field(description="Only this area or `Area/Category`", unset="all", is_shown=False)]
Content = Annotated[
    Literal["code", "docs", "all"], Field(description="docs: Markdown and doc comments", is_shown=False)
]
Terms = Annotated[str, Field(description="Names and words the code may use", max_length=1_000, is_joined=True)]
TermsAgain = Annotated[
    str, Field(description="Names and words the code may use", max_length=1_000, is_repeated=True, is_joined=True)
]
MinScore = Annotated[float, Field(ge=0, le=1, help="Least score of a hit")]
Rows = Annotated[
    int, Field(ge=0, le=1_000, description="Maximum results", unset="what max-tokens allows", is_shown=False)
]
MaxTokens = Annotated[int, Field(ge=200, le=MAXIMUM_TOKENS, description="Token budget", is_shown=False)]
Cursor = Annotated[str, Field(description="Cursor from the previous answer", unset="at the start", is_shown=False)]
GraphName = Annotated[str, Field(description="If several are loaded", is_shown=False, is_joined=True)]

TOKENS = DEFAULT_TOKENS
