"""The tool that removes a graph.

In: a graph's name. Out: the removed files.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from rpg.tools.calling.call import Call
from rpg.tools.calling.field import Field


@dataclass(frozen=True, kw_only=True)
class Forgotten:
    name: str
    removed: list[str]
    """Graph file, index, and the clone if rpg made one; never a repository of the user's."""


def forget(
    call: Call,
    graph: Annotated[str, Field(description="Name of the graph, even if only one is loaded", is_shown=False)],
) -> Forgotten:
    """Delete a graph, its index and its clone. The repository stays."""
    name, removed = call.graphs.forget(graph)
    return Forgotten(name=name, removed=[str(path) for path in removed])


def text(result: Forgotten) -> str:
    return "\n".join([f"forgot {result.name}; removed:", *(f"  {path}" for path in result.removed)])
