"""The contents of a graph, in numbers.

In: an index and its header. Out: symbols by kind, edges by kind and rule, how many references became edges, languages,
central symbols, import cycles, skipped files. Freshness belongs to the repository.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rpg.graph import REASONS
from rpg.queries.graph.certainty import confidence
from rpg.queries.graph.cycles import cycle_groups
from rpg.queries.graph.functional_view import functional_view, sizes
from rpg.queries.graph.lifted import memoize, read_lifted_texts
from rpg.queries.lift.gone import present
from rpg.queries.packages.manifests import packages
from rpg.stores.graph_file.tiers import compiled_by, libraries_read
from rpg.stores.index.overview_reads import (
    count_edges_by_kind,
    count_edges_by_via,
    count_symbols_by_kind,
    count_symbols_by_language,
    list_most_used,
)

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

CENTRAL = 12
CYCLES = 5
COMPILED = 40
"""How many of the files with edges of a compiler are named."""
PACKAGES = 40
WEIGHTS = {"calls": 3, "inherits": 3, "references": 1, "imports": 1}
"""How much an incoming edge adds to its target's centrality; an edge from a test adds nothing."""


@dataclass(frozen=True, kw_only=True)
class Central:
    name: str
    kind: str
    path: str
    lines: str
    users: int


@dataclass(frozen=True, kw_only=True)
class Statistics:
    files: int
    symbols: dict[str, int]
    """By kind."""
    edges: dict[str, int]
    """By kind; those of the kind `covers` are the functional view."""
    via: dict[str, int]
    """By rule, without `contains`."""
    languages: dict[str, dict[str, int]]
    """Number of files and symbols of each."""
    tiers: dict[str, str] = field(default_factory=dict)
    """How each language is read: resolved, defined or as text."""
    not_parsed: dict[str, int] = field(default_factory=dict)
    """The most frequent kinds of files that no parser reads, by suffix or name."""
    counted_in_part: int = 0
    """Number of files so large that search by words knows only their beginning."""
    references: dict[str, dict[str, int]] = field(default_factory=dict)
    """By language: how many are certain, possible, external, unresolved, ambiguous."""
    resolved: dict[str, float] = field(default_factory=dict)
    """By language: share of references with an edge among those that stay inside the repository."""
    confidence: dict[str, dict[str, float]] = field(default_factory=dict)
    """By language and rule: the measured share of right edges."""
    areas: dict[str, int] = field(default_factory=dict)
    """How many symbols have their place in each area of the functional view."""
    written: dict[str, int] = field(default_factory=dict)
    """How many features and titles a model or an agent wrote, by author; `gone`: for code that no longer exists."""
    central: list[Central] = field(default_factory=list)
    cycles: list[list[str]] = field(default_factory=list)
    """Groups of files that import each other in cycles, the largest first."""
    more_cycles: int = 0
    packages: dict[str, str] = field(default_factory=dict)
    """Packages by name, with folder and version from their manifests."""
    more_packages: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    """Number of files left out, by reason."""
    limited: dict[str, int] = field(default_factory=dict)
    """Number of files in which something was not followed to its end, by reason."""
    problems: int = 0
    """Number of files with syntax errors; the rest of them was read."""
    compiler: str = ""
    """Which files have edges of a compiler's index."""
    libraries: str = ""
    """Which libraries were read as well."""


def statistics(index: Index, header: dict[str, Any]) -> Statistics:
    """Cached until the index changes."""
    return memoize(index, "statistics", lambda: compute_statistics(index, header))


def compute_statistics(index: Index, header: dict[str, Any]) -> Statistics:
    groups = cycle_groups(index)
    references = header.get("references", {})
    known: dict[str, str] = {}
    for each in packages(index):  # the first of several manifests that name one package
        known.setdefault(each.name, f"{each.folder or './'} {each.version}".rstrip())
    by_language = count_symbols_by_language(index)
    return Statistics(
        files=sum(files for _, files, _ in by_language),
        symbols=dict(count_symbols_by_kind(index)),
        edges=dict(count_edges_by_kind(index, bool(header.get("libraries")))),
        via=dict(count_edges_by_via(index, bool(header.get("libraries")))),
        languages={
            language: {"files": files, "symbols": symbols} for language, files, symbols in by_language if language
        },
        tiers=header.get("tiers", {}),
        not_parsed=header.get("not_parsed", {}),
        counted_in_part=sum(each.get("counted_in_part", 0) for each in header.get("languages", {}).values()),
        references=references,
        resolved={language: share(counted) for language, counted in references.items() if sum(counted.values())},
        confidence={
            language: {via: confidence(header, via, language) or 0.0 for via in rules}
            for language, rules in header.get("confidence", {}).items()
        },
        areas={area: sizes(index).get(area, 0) for area in functional_view(index).below("")},
        written=count_lifted_texts(index),
        central=central(index),
        cycles=[group[:12] for group in groups[:CYCLES]],
        packages=dict(list(known.items())[:PACKAGES]),
        more_packages=max(0, len(known) - PACKAGES),
        more_cycles=max(0, len(groups) - CYCLES),
        skipped=dict(Counter(each["reason"] for each in header.get("skipped", ())).most_common()),
        limited=dict(Counter(each["reason"] for each in header.get("limited", ())).most_common()),
        problems=len(header.get("problems", ())),
        compiler=compiled_by(header, COMPILED),
        libraries=libraries_read(header),
    )


def count_lifted_texts(index: Index) -> dict[str, int]:
    texts = read_lifted_texts(index)
    here = present(index) if texts else set()
    return dict(sorted(Counter(each.provenance if key in here else "gone" for key, each in texts.items()).items()))


def share(counted: dict[str, int]) -> float:
    inside = sum(number for name, number in counted.items() if name != REASONS[0])
    return round((counted.get("certain", 0) + counted.get("possible", 0)) / inside, 3) if inside else 1.0


def central(index: Index) -> list[Central]:
    return [
        Central(name=name, kind=kind, path=path, lines=f"{first}-{last}", users=users)
        for name, kind, path, first, last, users in list_most_used(index, WEIGHTS, CENTRAL)
    ]
