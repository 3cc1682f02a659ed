"""Findings as lines of text.

In: findings of one kind. Out: lines. Unused symbols and cycles are one line each, followed by the reasons; duplicates
list their places.
"""

from __future__ import annotations

from collections.abc import Iterator

from rpg.queries.graph.filters import format_count
from rpg.queries.health.findings import Finding


def finding_lines(kind: str, finding: Finding) -> Iterator[str]:
    why = f"  [{'; '.join(finding.reasons)}]" if finding.reasons else ""
    if kind == "unused":
        path, _, name = finding.what.partition("::")
        yield f"{path}:{finding.lines}  {finding.kind} {name}  {finding.confidence}{why}"
    elif kind == "duplicates":
        yield f"{finding.kind}, {format_count(finding.size, 'line')} {len(finding.members)} times{why}"
        for member in finding.members:
            yield f"  {member}"
    elif kind == "cycles":
        yield f"{' -> '.join(finding.members)}  {finding.confidence}"
        for reason in finding.reasons:
            yield f"  {reason}"
    else:
        path, _, name = finding.what.partition("::")
        label = f"{path}:{finding.lines}  {finding.kind} {name}" if name else path
        yield f"{label}  {format_count(finding.size, 'file')} depend on it; {finding.reasons[0]}"
