"""Duplicate functions: the same tokens, or the same structure with other names, or nearly so.

In: a question. Out: a finding for each group of duplicates, the most repeated lines first. Candidates are those
whose fingerprints (fingerprints.py) are near; their tokens are then compared as those of a pasted snippet are
(search/similar.py). Tests are compared with each other, and only if they are asked for.

Absent: declaration files, generated code, examples and scripts, and functions inside others that are duplicates.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from rpg.encoder.languages import BY_NAME, declaration_suffixes
from rpg.encoder.source_files.contents import is_generated
from rpg.graph import FUNCTION_KINDS
from rpg.queries.graph.families import find_language_family
from rpg.queries.graph.memo import memoize
from rpg.queries.graph.nodes import COLUMNS, Node
from rpg.queries.graph.sources import Sources
from rpg.queries.health import duplicate_weights as weights
from rpg.queries.health.findings import Finding, HealthQuery
from rpg.queries.search.meaning.similar import Forms, Piece, piece, source
from rpg.stores.search.unit_reads import list_fingerprinted
from rpg.system import deadline
from rpg.system.arrays import numpy
from rpg.text.fingerprints import SIZE


class Pair(NamedTuple):
    one: int
    other: int
    """Positions among the candidates."""
    alike: float
    """Share of windows of tokens that both functions have."""
    names: float
    """Share of words of names."""


def duplicates(question: HealthQuery) -> list[Finding]:
    """The findings of the whole repository are cached until the index changes."""
    if not question.is_whole:
        return compute_duplicates(question)
    return memoize(question.index, f"duplicates {question.of_tests}", lambda: compute_duplicates(question))


def compute_duplicates(question: HealthQuery) -> list[Finding]:
    sources = Sources(question.index.source)
    nodes, shapes = candidates(question, sources)
    pairs = list(find_similar_pairs(nodes, shapes, sources))
    groups = group_pairs(pairs)
    group_of = {nodes[each].row: number for number, group in enumerate(groups) for each in group}
    out = []
    for number, group in enumerate(groups):
        around = [group_of.get(nodes[each].parent or 0) for each in group]
        kept_apart = [each for each, outer in zip(group, around, strict=True) if outer != number]
        if len(kept_apart) < 2 or (len(set(around)) == 1 and around[0] is not None):
            continue
        among = set(kept_apart)
        of_these = [pair for pair in pairs if {pair.one, pair.other} <= among]
        out.append(finding([nodes[each] for each in kept_apart], of_these or [p for p in pairs if p.one in group]))
    return sorted(out, key=lambda each: (-each.size * (len(each.members) - 1), each.what))


def candidates(question: HealthQuery, sources: Sources) -> tuple[list[Node], Any]:
    nodes: list[Node] = []
    shapes = bytearray()
    generated: dict[str, bool] = {}
    found = list_fingerprinted(question.index, COLUMNS, FUNCTION_KINDS, question.of_tests, weights.FEWEST_LINES)
    for *columns, shape in found:
        node = Node(*columns)
        if not question.covers(node.path):
            continue
        language = BY_NAME.get(node.language)
        if language is None or language.configures or node.path.endswith(declaration_suffixes()):
            continue
        if node.path not in generated:
            generated[node.path] = is_generated("\n".join((sources.lines(node.path) or [])[:20]).encode())
        if not generated[node.path]:
            nodes.append(node)
            shapes += shape
    return nodes, numpy.frombuffer(bytes(shapes), numpy.uint8).reshape(len(nodes), SIZE).astype(numpy.int16)


def find_similar_pairs(nodes: list[Node], shapes: Any, sources: Sources) -> Iterator[Pair]:
    forms = Forms()
    pieces: dict[int, Piece | None] = {}

    def read(position: int) -> Piece | None:
        if position not in pieces:
            pieces[position] = prepare_piece(source(sources, nodes[position]), forms)
        return pieces[position]

    for one, other in find_near_shapes(nodes, shapes):
        deadline.check()
        first, second = read(one), read(other)
        if first is None or second is None:
            continue
        alike = common(first.windows, second.windows)
        names = common(first.terms, second.terms)
        if alike >= weights.EXACT or (alike >= weights.NEAR and names >= weights.NAMES):
            yield Pair(one, other, alike, names)


def find_near_shapes(nodes: list[Node], shapes: Any) -> Iterator[tuple[int, int]]:
    """Pairs of positions whose fingerprints are near, in one family of languages."""
    if not len(nodes):
        return
    totals = shapes.sum(axis=1)
    order = numpy.argsort(totals, kind="stable")
    ordered, sizes = shapes[order], totals[order]
    ends = numpy.searchsorted(sizes, sizes / (1 - weights.FAR), side="right")
    for place in range(len(order)):
        behind = ordered[place + 1 : ends[place]]
        if not len(behind):
            continue
        distances = numpy.abs(behind - ordered[place]).sum(axis=1)
        near = numpy.flatnonzero(distances <= weights.FAR * sizes[place + 1 : ends[place]])
        if len(near) > weights.NEAREST:
            near = near[numpy.argsort(distances[near], kind="stable")[: weights.NEAREST]]
        one = int(order[place])
        for at in near.tolist():
            other = int(order[place + 1 + at])
            if find_language_family(nodes[one].language) == find_language_family(
                nodes[other].language
            ) and not is_inside(nodes, one, other):
                yield min(one, other), max(one, other)


def is_inside(nodes: list[Node], one: int, other: int) -> bool:
    """Whether one of the two contains the other."""
    first, second = nodes[min(one, other)], nodes[max(one, other)]
    return first.path == second.path and second.start_line <= first.end_line


def prepare_piece(text: str, forms: Forms) -> Piece | None:
    """None if it is too small to be compared."""
    if not text or len(text) > weights.LONGEST:
        return None
    candidate = piece(text, forms)
    total = candidate.windows.total()
    if total < weights.FEWEST_TOKENS or len(candidate.windows) < weights.VARIED * total:
        return None
    return candidate


def common(one: Any, other: Any) -> float:
    """Share of the larger of two counts that both have."""
    most = max(one.total(), other.total())
    return float((one & other).total() / most) if most else 1.0


def group_pairs(pairs: list[Pair]) -> list[list[int]]:
    """Groups in which each resembles another, in order."""
    group_of: dict[int, set[int]] = {}
    for pair in pairs:
        one, other = group_of.setdefault(pair.one, {pair.one}), group_of.setdefault(pair.other, {pair.other})
        if one is not other:
            one |= other
            for each in other:
                group_of[each] = one
    unique = {id(group): group for group in group_of.values()}
    return sorted(sorted(group) for group in unique.values())


def finding(nodes: list[Node], pairs: list[Pair]) -> Finding:
    least = min(pairs, key=lambda pair: pair.alike)
    is_exact = least.alike >= weights.EXACT
    if not is_exact:
        likeness = f"{int(100 * least.alike)}% of the structure in common"
    elif min(pair.names for pair in pairs) >= weights.EXACT:
        likeness = "the same code"
    else:
        likeness = "the same structure, other names"
    first = nodes[0]
    return Finding(
        what=first.id,
        kind="exact" if is_exact else "near",
        lines=first.lines,
        size=min(node.end_line - node.start_line + 1 for node in nodes),
        reasons=[likeness],
        members=[f"{node.path}:{node.lines} {node.label}" for node in nodes],
        names=[node.id for node in nodes],
    )
