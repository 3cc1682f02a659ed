"""Lists of hits: where the scores fall off, which have the written name, and without copies, tests, many of one file.

In: hits, best first. Out: hits in the order in which they are shown, and how many of them count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rpg.queries.graph.nodes import Node
from rpg.queries.search.hits import Hit, Mode, Wanted
from rpg.queries.search.naming import name_weights, names
from rpg.queries.search.order import ranking_weights
from rpg.queries.search.order.question_order import is_test
from rpg.text import words
from rpg.text.titles import container

DEFINED = frozenset(
    {"class", "interface", "enum", "struct", "trait", "type", "function", "method", "property", "module"}
)
"""Kinds that define something."""
NAMED_KINDS = DEFINED | {"constant"}
"""Kinds that an exact name means. A field may have the name only by chance."""
NEARLY = frozenset({"exact", "spelling", "letters"})
"""Kinds of match in which the name is the written one, except for its spelling."""


def count_before_fall(hits: list[Hit], mode: Mode) -> int:
    """How many hits there are before the scores fall off."""
    of_mode = {"symbol": name_weights, "snippets": ranking_weights}.get(mode)
    if of_mode is None:
        return len(hits)
    least = of_mode.FALL * hits[0].score if hits else 0.0
    full = [at for at, hit in enumerate(hits[: of_mode.FULL_MOST]) if at < of_mode.FULL or hit.score >= least]
    return len(full)


def find_exact(ranked: list[Hit]) -> list[Hit]:
    """The definitions that have exactly the written name, with its qualifiers, if any."""
    if not ranked or ranked[0].how != "exact" or ranked[0].node.kind not in NAMED_KINDS:
        return []
    best = ranked[0].score - name_weights.BEHIND_EXACT
    return [hit for hit in ranked if hit.how == "exact" and hit.score >= best]


def otherwise_named(ranked: list[Hit], exact: list[Hit]) -> list[Hit]:
    """Hits with other names, outside tests, one for each name."""
    known = {hit.node.name for hit in exact}
    found: dict[str, Hit] = {}
    for hit in ranked:
        if hit.how and hit.node.name not in known and not is_test(hit.node):
            found.setdefault(hit.node.name, hit)
    return list(found.values())[: name_weights.NEAR_SHOWN]


def is_as_written(hit: Hit, wanted: Wanted) -> bool:
    """Whether a symbol has the written name and is where its qualifiers say: `spring.datasource.url` is not a function
    `url`. A module's own name has a suffix."""
    if hit.how != "exact" and not (hit.how in NEARLY and hit.node.kind == "module"):
        return False
    written = names.identifier(wanted.query)
    if written is None or not written.qualifiers:
        return hit.how == "exact"
    return share_around(hit.node, written.qualifiers) == 1


def fold_tests(hits: list[Hit], wanted: Wanted, is_about_tests: bool) -> tuple[list[Hit], Counter[str]]:
    """Hits outside tests, and how many of the first are in tests, by file. Tests stay if they are asked for or are the
    only hits, or if their name is nearer to the written one than any outside tests, behind which they are put."""
    first = hits[: wanted.limit]
    named = next((at for at, hit in enumerate(hits) if not hit.how or not is_test(hit.node)), len(hits))
    shown = hits[:named] + [hit for hit in hits[named:] if not is_test(hit.node)]
    if wanted.tests != "fold" or is_about_tests or not shown:
        return hits, Counter()
    return shown, Counter(hit.node.path for hit in first[named:] if is_test(hit.node))


def merge_copies(hits: Iterable[Hit]) -> list[Hit]:
    """Copies of an earlier hit (same name, same text) become part of it."""
    distinct: list[Hit] = []
    places: dict[tuple[str, str, str], int] = {}
    for hit in hits:
        node = hit.node
        key = (node.name, node.signature, hit.text)
        if hit.text and key in places:
            distinct[places[key]].copies.append(node)
        else:
            places[key] = len(distinct)
            distinct.append(hit)
    return distinct


def spread_over_files(hits: list[Hit], start: int) -> list[Hit]:
    """From `start` on, hits of files that were shown twice rank after those of other files."""
    shown = Counter(hit.node.path for hit in hits[:start])
    front, postponed = hits[:start], []
    for hit in hits[start:]:
        if shown[hit.node.path] < ranking_weights.SPREAD_TO:
            shown[hit.node.path] += 1
            front.append(hit)
        else:
            postponed.append(hit)
    return front + postponed


def share_around(node: Node, qualifiers: tuple[str, ...]) -> float:
    """The share of a name's qualifiers that a symbol has in its containers or its path."""
    around = words.fold_name(node.path + " " + container(node.name, node.qualified_name))
    return sum(1 for outer in qualifiers if outer in around) / len(qualifiers)
