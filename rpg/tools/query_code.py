"""The tool that answers a question in words, or gives what is needed to answer it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rpg.tools.arguments import TOKENS, Content, GraphName, Kinds, MaxTokens, MinScore, Package, PathFilter
from rpg.tools.call import Call


def query_code(
    call: Call,
    question: Annotated[str, Field(min_length=1, max_length=2_000)],
    top_k: Annotated[int, Field(ge=1, le=20, description="Pieces of evidence")] = 12,
    answer: Annotated[
        Literal["auto", "extract"], Field(description="extract: the evidence itself, without a model")
    ] = "auto",
    kinds: Kinds = [],  # noqa: B006
    language: str = "",
    path: PathFilter = "",
    package: Package = "",
    content: Content = "all",
    min_score: MinScore = 0.0,
    max_tokens: MaxTokens = TOKENS,
    graph: GraphName = "",
) -> dict:
    """Explain how something works in one call: the excerpts that a question needs, found by search and followed along
    the graph, in reading order with `path:start-end`; with a local model an answer that cites them."""
    raise NotImplementedError


def text(result: dict) -> str:
    return ""
