"""Where a symbol is used: the sites of its edges, and the places that name it and could not be resolved.

In: nodes, kinds and a filter. Out: one site for each usage, unordered. find_usages.py makes a list of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg.encoder.languages import BY_NAME
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.graph.certainty import is_certain
from rpg.queries.graph.families import class_around, find_language_family
from rpg.queries.graph.filters import Filter
from rpg.queries.graph.nodes import Node, batches, nodes, nodes_by_row
from rpg.queries.graph.roles import edge_kinds, site_roles
from rpg.queries.graph.sources import Sources
from rpg.queries.usages.argument_count import find_misfits
from rpg.queries.usages.outside import is_made_by_library
from rpg.stores.index.edge_reads import list_sites_to
from rpg.stores.index.place_reads import list_unresolved

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

USAGE_KINDS = ("calls", "references", "inherits", "imports", "documents")
"""`tests` edges repeat `calls` at the same sites; `overrides` have no sites and are listed separately."""
NOUNS = {
    "calls": "call", "references": "reference", "inherits": "subclass", "imports": "import", "documents": "mention",
    "overrides": "override", "instantiates": "instantiation", "raises": "raise", "catches": "catch",
    "decorates": "decoration", "reads": "read", "writes": "write", "annotates": "annotation", "deletes": "deletion",
}  # fmt: skip
"""The word for one use of a kind."""
LOOKED_BEHIND = 80
"""How many characters before the name of a class are looked at, for what makes an object of it."""
_POINTS = re.compile(r"[\w:]+\s*[*&]")
"""The name of a type of which a pointer or a reference is meant."""
_OF_ONE_CLASS = ("constructor", "super")
"""Rules that show which class a call starts from."""
_BY_RECEIVER = ("self", "inherited", "unique-name", "fan-out")
"""Rules of calls that what stands in front of the name may tell where they start."""
_ON_PARENT = re.compile(r"(?:\bsuper\s*(?:\([^()]*\))?|\bparent|\bbase)\s*(?:\.|->|::)\s*\Z")
_ON_OWN = re.compile(r"(?<![\w.)\]>])\$?(?:self|this|cls)\s*(?:\.|->)\s*\Z")


class UsageSite(NamedTuple):
    """One usage before it is rendered."""

    section: str
    test: int
    path: str
    kind: str
    via: str
    through: str
    reason: str
    line: int
    column: int
    source: str


class Instead(NamedTuple):
    """Which calls of one method may run another: a call on an object that was just constructed does not."""

    by_super: Collection[int]
    """Classes whose `super()` may reach the other."""
    by_object: Collection[int]
    """Classes whose own object may have the other; empty: that is not known."""


@dataclass(frozen=True)
class UsageQuery:
    index: Index
    header: dict[str, Any]
    kinds: Sequence[str]
    filter: Filter
    folds_tests: bool
    from_graph_only: bool
    """No sources were read: unresolved places are unknown."""
    folder: Path | None = None
    """The repository's, if it is there."""
    with_places: bool = False
    """Whether all places that have the name are wanted, by class."""

    @property
    def is_of_all(self) -> bool:
        """Whether it is about all kinds of uses, in tests too."""
        return set(USAGE_KINDS) <= set(self.kinds) and not self.filter.is_by_test


def edge_sites(question: UsageQuery, targets: Mapping[int, str], instead: Instead | None = None) -> Iterator[UsageSite]:
    """One place per site of each edge to one of the targets: a row, and what is named there instead (`through`).

    `instead`: only calls that may run another method instead of the target.
    """
    wanted = edge_kinds(question.kinds)
    sources = Sources(question.index.source)
    for batch in batches(targets):
        for target, target_kind, row, path, name, kind, is_test, language, line, column, *edge in list_sites_to(
            question.index, batch, wanted
        ):
            if not question.filter.admits(path, is_test):
                continue
            edge_kind, via, sites, roles = edge
            if instead is not None and via in _OF_ONE_CLASS and not is_beside(question.index, row, via, instead):
                continue
            section = "certain" if is_certain(question.header, via, language) else "possible"
            source = "(module)" if kind == "module" else name
            # An edge without a site is the definition's.
            for site, role in site_roles(question.kinds, edge_kind, target_kind, sites or f"{line}:{column}", roles):
                where = site.partition(":")
                at_line, at_column = int(where[0]), int(where[2])
                if instead is not None and via in _BY_RECEIVER:
                    text = (sources.lines(path) or [])[at_line - 1 : at_line]
                    if not may_run_instead(question.index, row, via, "".join(text)[: at_column - 1], instead):
                        continue
                yield UsageSite(section, is_test, path, role, via, targets[target], "", at_line, at_column, source)


def is_beside(index: Index, row: int, via: str, instead: Instead) -> bool:
    """Whether a call may start from a class beside the overriding one."""
    return via == "super" and bool(instead.by_super) and class_around(index, row) in instead.by_super


def may_run_instead(index: Index, row: int, via: str, before: str, instead: Instead) -> bool:
    """Whether a call on the object of a class around it may run the other method; `before`: its line up to the name."""
    if not instead.by_object:
        return True
    if _ON_PARENT.search(before):
        return class_around(index, row) in instead.by_super
    if via != "self" and not _ON_OWN.search(before):
        return True
    around = class_around(index, row)
    return around is None or around in instead.by_object


def find_unresolved_places(question: UsageQuery, node: Node) -> list[UsageSite]:
    """Where the name occurs unresolved, in a language that could mean this symbol.

    A plain name does not mean a member, unless the language has members without a receiver: a variable got it at a
    place that names the member. A member of an object that only a library makes counts where code may have such an
    object.
    """
    if node.kind in ("directory", "module", "file", "section"):
        return []
    found = []
    wanted = edge_kinds(question.kinds)
    index = question.index
    is_apart = is_made_by_library(index, node)
    misfits = find_misfits(index, node) if "calls" in wanted else set()
    sources = Sources(index.source)
    with_bare = may_be_bare(node) or not is_member(index, node)
    for path, name, kind, is_test, language, line, column, why, call in list_unresolved(
        index, word_of(node), with_bare
    ):
        if call and word_of(node) != node.name:
            continue
        if not means(node, language) or not question.filter.admits(path, is_test):
            continue
        if is_apart and not (is_test or BY_NAME[language].rules.is_run_by_library(path)):
            continue
        if (path, line, column) in misfits or may_not_mean(sources, node, path, line, column):
            continue
        # What is not called may be a base of a class.
        may_be = ("calls",) if call else ("references", "inherits") if node.kind in CLASS_KINDS else ("references",)
        edge_kind = next((each for each in may_be if each in wanted), "")
        if edge_kind:
            source = "(module)" if kind == "module" else name
            found.append(UsageSite("unresolved", is_test, path, edge_kind, "", "", why, line, column, source))
    return found


def may_not_mean(sources: Sources, node: Node, path: str, line: int, column: int) -> bool:
    """Whether the text around a name says that it is that of a function and the symbol is a field, or the reverse."""
    rules = BY_NAME[node.language].rules if node.language in BY_NAME else None
    if rules is None or rules.member_spaces != "named by types" or node.kind not in ("field", *FUNCTION_KINDS):
        return False
    lines = sources.lines(path)
    if lines is None:
        return False
    text, at = lines[line - 1], column - 1
    is_field = rules.is_field_meant(text[:at], text[at + len(node.name) :])
    return is_field is not None and is_field != (node.kind == "field")


def may_make(sources: Sources, node: Node, place: UsageSite) -> bool:
    """Whether an object of a class may be made where it is named as a type: `make_unique<Cart>(2)`, `#[Route("/")]`."""
    pattern = BY_NAME[node.language].rules.made_where
    if pattern is None:
        return False
    lines, at = sources.lines(place.path), place.column - 1
    if lines is None:
        return False
    line = lines[place.line - 1]
    before = line[max(0, at - LOOKED_BEHIND) : at].encode()
    return pattern.search(before) is not None and _POINTS.match(line, at) is None


def word_of(node: Node) -> str:
    """The word that stands in code for it: without what marks the name of a method that writes a member."""
    return BY_NAME[node.language].rules.word_of(node.name) if node.language in BY_NAME else node.name


def means(node: Node, language: str) -> bool:
    """Whether a name in code of this language may be that of the symbol."""
    return find_language_family(language) == find_language_family(node.language)


def may_be_bare(node: Node) -> bool:
    """Whether a plain name may mean a member of the class around, or of one of its bases."""
    return BY_NAME[node.language].tier == "defined" if node.language in BY_NAME else False


def is_member(index: Index, node: Node) -> bool:
    """Whether it belongs to a class, so that only a member access can mean it."""
    around = nodes_by_row(index, [node.parent]) if node.parent is not None else {}
    return any(each.kind in CLASS_KINDS for each in around.values())


def component_of(index: Index, node: Node) -> Node | None:
    """The component that a file of Vue, Svelte or Astro is: templates name it, imports the file."""
    if node.kind != "module" or node.language not in BY_NAME or not BY_NAME[node.language].has_regions:
        return None
    found = nodes(index, "s.parent = ? AND s.name = 'default'", (node.row,))
    return found[0] if found else None
