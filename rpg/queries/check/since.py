"""What is gone since a revision and what that broke, for the list of uses of what changed: in the words of `check`.

In: an index, its header, the repository's folder, a revision, which files are asked about. Out: `Gone`, and its lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rpg.encoder.languages import find_language
from rpg.queries.check.find_broken import find_broken
from rpg.queries.check.verdict import Broken, broken_lines
from rpg.queries.graph.filters import format_count

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

MOST = 50
"""The most of each kind."""
NAMED = 8
"""How many files are named that are no code; the rest is counted."""


@dataclass(frozen=True, kw_only=True)
class Renamed:
    old: str
    new: str


@dataclass(frozen=True, kw_only=True)
class Gone:
    renamed: list[Renamed] = field(default_factory=list)
    """Symbols and files."""
    symbols: list[str] = field(default_factory=list)
    """Ids of symbols, and paths of files, that are there no more and have no other name."""
    broken: list[Broken] = field(default_factory=list)
    """What broke by it."""
    more: int = 0
    """How many more places broke."""
    unjudged: list[str] = field(default_factory=list)
    """`path:line` of places that may be broken, and cannot be judged."""
    other_files: list[str] = field(default_factory=list)
    """Changed files that are no code."""


def gone_since(
    index: Index, header: dict[str, Any], root: Path, revision: str, admits: Callable[[str, bool], bool]
) -> Gone:
    """`admits`: which files it is about, by path and whether it is a test."""

    def is_asked(path: str) -> bool:
        return admits(path, find_language(path).rules.is_test(path))

    found = find_broken(index, root, header, revision)
    broken = [each for each in found.broken if is_asked(each.path)]
    renamed = [Renamed(old=old, new=new) for old, new in found.renamed.items() if is_asked(new.partition("::")[0])]
    moved = {each.old for each in renamed if "::" not in each.old}
    return Gone(
        # What moved with its file is told with the file.
        renamed=[each for each in renamed if "::" not in each.old or each.old.partition("::")[0] not in moved][:MOST],
        symbols=[each for each in found.gone if is_asked(each.partition("::")[0])][:MOST],
        broken=broken[:MOST],
        more=max(0, len(broken) - MOST),
        unjudged=[each for each in found.unjudged if is_asked(each.rpartition(":")[0])][:MOST],
        other_files=[path for path in found.other_files if is_asked(path)],
    )


def lines(found: Gone, revision: str) -> Iterator[str]:
    for each in found.renamed:
        yield f"renamed since {revision}: {each.old} -> {each.new}"
    for symbol in found.symbols:
        yield f"deleted since {revision}: {symbol}"
    yield from broken_lines(found.broken)
    if found.more:
        yield f"and {format_count(found.more, 'broken place')} more"
    if found.unjudged:
        yield f"may be broken, which cannot be judged: {', '.join(found.unjudged)}"
    elif (found.renamed or found.symbols) and not found.broken:
        yield "nothing is broken by it"
    if found.other_files:
        more = f" and {len(found.other_files) - NAMED} more" if len(found.other_files) > NAMED else ""
        yield f"other files changed: {', '.join(found.other_files[:NAMED])}{more}"
