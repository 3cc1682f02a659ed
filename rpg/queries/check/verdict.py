"""The answer to what an edit has broken: plain values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rpg.queries.graph.filters import format_count


@dataclass(frozen=True, kw_only=True)
class Broken:
    path: str
    line: int
    """After the edit."""
    certain: bool
    kind: str
    """gone, hidden, unbased, import, misfit, overriding, missing, unknown, syntax, awaited, string, contract."""
    message: str
    hint: str = ""
    """What to do, where that is plain."""
    symbol: str = ""
    """Id before the edit of what the place meant."""
    follows: int = 0
    """How many more places fall with this one."""


@dataclass(frozen=True, kw_only=True)
class Note:
    """What breaks nothing."""

    kind: str
    """cycle, unused, duplicate, document."""
    path: str
    line: int
    message: str


@dataclass(frozen=True, kw_only=True)
class Verdict:
    broken: list[Broken] = field(default_factory=list)
    broken_before: list[Broken] = field(default_factory=list)
    """Only if asked for: what else is wrong in the changed files, and where others use what changed."""
    notes: list[Note] = field(default_factory=list)
    """Only if asked for."""
    since: str = ""
    files: list[str] = field(default_factory=list)
    """Changed files of code, by their path after the edit."""
    changed: list[str] = field(default_factory=list)
    """Ids of the symbols that came, went or look different from outside, before the edit where they were there."""
    checked: int = 0
    """How many uses were compared with before, or stand in lines that the edit changed and were judged there."""
    checked_anew: int = 0
    """How many of them stand in lines that the edit changed."""
    unjudged: list[str] = field(default_factory=list)
    """`path:line` of places that may be broken: it cannot be told what they mean, or how many arguments they pass."""
    unread: list[str] = field(default_factory=list)
    """The languages in which what changed may be used, and of which no use is read."""
    without_arguments: list[str] = field(default_factory=list)
    """The languages of checked uses of functions of which the names alone were judged, and no arguments."""
    renamed: dict[str, str] = field(default_factory=dict)
    """Symbol or file before -> after."""
    gone: list[str] = field(default_factory=list)
    """Ids of symbols, and paths of files, that are there no more and have no other name now."""
    other_files: list[str] = field(default_factory=list)
    """Changed files that are no code."""
    left_out: int = 0
    """How many changed files were too many or too large to compare."""


def broken_lines(broken: Iterable[Broken]) -> Iterator[str]:
    """Places by what is wrong with them, then by file."""
    groups: dict[tuple[str, str, bool], list[Broken]] = {}
    for each in broken:
        groups.setdefault((each.message, each.hint, each.certain), []).append(each)
    for (message, hint, certain), members in groups.items():
        head = f"{message}: {hint}" if hint else message
        yield f"{'' if certain else 'possibly: '}{head}"
        by_path: dict[str, list[Broken]] = {}
        for each in members:
            by_path.setdefault(each.path, []).append(each)
        for path, places in by_path.items():
            more = sum(each.follows for each in places)
            numbers = ",".join(str(each.line) for each in places)
            behind = f" and {format_count(more, 'use')} of it" if more else ""
            yield f"  {path}:{numbers}{behind}"
