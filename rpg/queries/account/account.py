"""Takes the account of a symbol's name.

In: a symbol, and all its uses. Out: how many places have the name, by class; which of those that no edge explains may
mean it. The counts add up to the lines of `git grep -owF NAME`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rpg.queries.account.computed import find_computed_names
from rpg.queries.account.given import places_of_given_names
from rpg.queries.account.handed_values import find_places_handed_on
from rpg.queries.account.holders import find_reads_of_holder
from rpg.queries.account.joined import find_joined_names
from rpg.queries.account.loaded import hand_overs_of, loads_of, reads_of_names
from rpg.queries.account.occurrences import find_occurrences, is_word
from rpg.queries.account.places import CLASSES, NOT_READ, Left, Placed
from rpg.queries.account.placing.placing import Placing
from rpg.queries.account.run_by_parts import find_unnamed_runs
from rpg.queries.account.unread import Unread, count_unread
from rpg.queries.usages.outside import explain_outside_calls
from rpg.queries.usages.usage_sites import UsageSite, word_of

if TYPE_CHECKING:
    from rpg.queries.graph.nodes import Node
    from rpg.stores.index.index import Index

WITHOUT_ACCOUNT = frozenset(("directory", "module", "file", "section", "area", "category", "feature"))
"""Kinds of symbols that others name by a path or a title, and not by a word."""


@dataclass(frozen=True)
class Account:
    counts: dict[str, int]
    """By class of CLASSES, without zeros."""
    left: Sequence[Left] = ()
    """Places that may mean the symbol although no edge says so: not parsed, in strings, in templates and other text."""
    others: int = 0
    """How many other definitions the places of that class are, or mean."""
    imports: Sequence[Left] = ()
    """Those of the certain places that import it: no edge leads from them to the symbol."""
    elsewhere: int = 0
    """How many certain uses have another name: an alias, an operator, what the language or a framework runs."""
    unread: Unread = field(default_factory=Unread)
    lines: dict[str, dict[str, list[int]]] | None = None
    """By class and file, the lines of all places, if they are wanted."""

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def has_account(node: Node) -> bool:
    return node.kind not in WITHOUT_ACCOUNT and is_word(word_of(node))


def take_account(
    index: Index,
    header: dict[str, Any],
    folder: Path | None,
    node: Node,
    uses: Iterable[UsageSite],
    covers: Callable[[str], bool],
    with_lines: bool = False,
) -> Account:
    """`uses`: certain, possible and unresolved ones of all kinds. `covers`: which files count, by path. `folder`: of
    the repository, if it is there, for files that the graph leaves out."""
    uses = list(uses)
    placed = Placed(lines={} if with_lines else None)
    placing = Placing(index, node, uses)
    for found in find_occurrences(index, word_of(node), covers):
        placing.place(found, placed)
    unread = count_unread(index, header, folder, node, covers)
    placed.counts[NOT_READ] = unread.places
    # What a library or a framework may call is said of it anyway.
    loads = [] if explain_outside_calls(index, node) else loads_of(index, node, covers)
    loads += hand_overs_of(index, node, covers)
    loads += reads_of_names(index, node, covers)
    loads += find_computed_names(index, node, covers, bool(uses))
    loads += find_reads_of_holder(index, node, covers, bool(uses))
    loads += [] if uses else find_places_handed_on(index, node, covers)
    loads += find_joined_names(index, node, covers)
    loads += find_unnamed_runs(index, node, uses, covers)
    certain = {(use.path, use.line, use.column) for use in uses if use.section == "certain" and use.kind != "documents"}
    return Account(
        {name: placed.counts[name] for name in CLASSES if placed.counts[name]},
        drop_repeated([*placed.left, *places_of_given_names(index, node, uses, covers), *loads]),
        len(placed.others),
        placed.imports,
        len(certain - placed.met),
        unread,
        placed.lines,
    )


def drop_repeated(left: Iterable[Left]) -> list[Left]:
    """Each place once, with the first reason: two names of a symbol may begin at one place."""
    found: dict[tuple[str, int, int], Left] = {}
    for each in left:
        found.setdefault((each.path, each.line, each.column), each)
    return list(found.values())
