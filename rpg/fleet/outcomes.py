"""The outcome for each repository of a fleet, and the totals.

In: what workers return. Out: values that JSON can represent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

State = Literal["encoded", "unchanged", "failed"]


class Outcome(NamedTuple):
    """The outcome for one repository."""

    name: str
    state: State
    source: str
    reason: str = ""
    """Why it failed, or what the user should know."""
    files: int = 0
    symbols: int = 0
    graph_bytes: int = 0
    cpu_seconds: float = 0.0
    """CPU seconds of the encode with its parsers, without cloning."""
    seconds: float = 0.0
    worker: str = ""
    attempts: int = 1


def totals(outcomes: Iterable[Outcome]) -> dict[str, Any]:
    listed = list(outcomes)
    states = Counter(each.state for each in listed)
    return {
        "encoded": states["encoded"],
        "unchanged": states["unchanged"],
        "failed": states["failed"],
        "files": sum(each.files for each in listed),
        "symbols": sum(each.symbols for each in listed),
        "graph_bytes": sum(each.graph_bytes for each in listed),
        "cpu_seconds": round(sum(each.cpu_seconds for each in listed), 2),
    }
