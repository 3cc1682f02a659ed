"""One finding of any kind, and the frame that all kinds share.

In: nothing. Out: types. audit.py says how a finding is recognised in a later run.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rpg.queries.graph.filters import Filter, is_beside

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

CONFIDENCES = ("certain", "likely", "possible")
"""Most confident first."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    what: str
    """Id of the unused symbol, of the first of several like functions, or of what others depend on; the first file of
    an import cycle."""
    kind: str = ""
    """The symbol's kind; `exact` or `near` for duplicates; empty for a cycle."""
    lines: str = ""
    size: int = 0
    """Lines of an unused symbol or of a duplicate, files of a cycle, dependents of a hub."""
    confidence: str = "certain"
    reasons: list[str] = field(default_factory=list)
    """Why it may still be used, how alike the duplicates are, which import to cut, or how a hub is used."""
    members: list[str] = field(default_factory=list)
    """All places of a duplicate, as `path:first-last name`; the files of a cycle, closed by its first."""
    names: list[str] = field(default_factory=list)
    """Its identity in a baseline, if that is more than `what`: ids of duplicates, all files of a group of cycles."""

    def doubted(self, confidence: str, reason: str) -> Finding:
        """The finding with the lower of both confidences, and one more reason."""
        worse = max(self.confidence, confidence, key=CONFIDENCES.index)
        return replace(self, confidence=worse, reasons=[*self.reasons, reason])


@dataclass(frozen=True)
class HealthQuery:
    index: Index
    header: dict[str, Any]
    filter: Filter
    is_whole: bool
    """Whether the filter admits everything, so that the findings can be cached."""
    of_tests: bool = False
    """Duplicates among tests are asked for, instead of those outside."""
    from_graph_only: bool = False
    """No sources were read: what depends on them is unknown."""
    folder: Path | None = None
    """The repository's, if it is there."""

    def covers(self, path: str) -> bool:
        """Whether the question includes a file: one outside the package, such as an example or a script, only if its
        path is named."""
        return self.filter.covers(path) and not (self.is_whole and is_beside(path))
