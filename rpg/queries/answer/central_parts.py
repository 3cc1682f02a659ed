"""What a repository, or a part of it, consists of: its introduction, entry points and central symbols.

In: an index and a question that asks for an overview. Out: candidates, the introduction first, then symbols by how many
files depend on them. A part is a directory that the question names. No source is read except to find the introduction,
and no functional view is needed.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.answer import evidence_weights
from rpg.queries.answer.graph_expansion import Candidate
from rpg.queries.answer.question_analysis import Question
from rpg.queries.answer.users import users_in_folder
from rpg.queries.graph.memo import memoize, remember
from rpg.queries.graph.nodes import IS_CALLED, Node, nodes, nodes_by_row
from rpg.queries.graph.nodes import members as inside
from rpg.stores.index.symbol_reads import list_directories
from rpg.system.arrays import numpy
from rpg.text.words import text_terms

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

Members = list[tuple[float, int]]
"""How much each used member of a symbol is used, and its row."""
INTRODUCTION = (
    "readme.md",
    "readme.rst",
    "readme.txt",
    "readme",
    "index.md",
    "doc.go",
    "__init__.py",
    "mod.rs",
    "index.ts",
)

FOLDERS_KEPT = 8
"""How many folders have their most used symbols cached: the same few come up again and again."""


def overview(index: Index, question: Question, likeness: Mapping[int, float]) -> list[Candidate]:
    folder = part(index, question, likeness)
    return [
        *introduction(index, folder),
        *entries(index, folder),
        *(
            part._replace(lines=name_lines(index, part.node.row, used))
            for part, used in central(index, folder, likeness, evidence_weights.CENTRAL)
        ),
    ]


def central(index: Index, folder: str, likeness: Mapping[int, float], limit: int) -> list[tuple[Candidate, Members]]:
    """The symbols of a folder that most files depend on, each with its used members."""
    cache: dict[str, tuple[dict[int, float], dict[int, Members]]] = memoize(index, "most used", dict)
    if folder not in cache:
        remember(cache, {folder: most_used(index, folder)}, FOLDERS_KEPT)
    weights, members = cache[folder]
    found = nodes_by_row(index, weights)
    scored = []
    for row, node in found.items():
        if node.kind in CLASS_KINDS or node.kind in FUNCTION_KINDS:
            score = (
                weights[row]
                * (evidence_weights.FUNCTIONS if node.kind in FUNCTION_KINDS else 1.0)
                * (1.0 if node.exported else evidence_weights.NOT_EXPORTED)
            )
            # A part that the question names is also judged by its own words.
            scored.append((score * (1.0 + likeness.get(row, 0.0)), node))
    scored.sort(key=lambda pair: (-pair[0], pair[1].row))
    best = (scored[0][0] if scored else 0.0) or 1.0  # 0 if nothing is used by others
    return [
        (Candidate(node, score / best, "part", "central: much depends on it"), members[node.row])
        for score, node in scored[:limit]
    ]


def most_used(index: Index, folder: str) -> tuple[dict[int, float], dict[int, Members]]:
    """How much depends on each of the most used symbols of a folder, and on which of their members."""
    rows, parents, weights = users_in_folder(index, folder)
    holders, holder_of = numpy.unique(numpy.where(parents > 0, parents, rows), return_inverse=True)
    total = numpy.bincount(holder_of, weights, len(holders))
    best = numpy.lexsort((holders, -total))[: evidence_weights.CENTRAL_READ * evidence_weights.CENTRAL]
    is_best = numpy.zeros(len(holders), bool)
    is_best[best] = True
    members: dict[int, Members] = defaultdict(list)
    of_best = numpy.flatnonzero(is_best[holder_of])
    for holder, weight, row in zip(
        holders[holder_of[of_best]].tolist(), weights[of_best].tolist(), rows[of_best].tolist(), strict=True
    ):
        members[holder].append((weight, row))
    return {row: math.log1p(total) for row, total in zip(holders[best].tolist(), total[best].tolist(), strict=True)}, (
        dict(members)
    )


def part(index: Index, question: Question, likeness: Mapping[int, float]) -> str:
    """The directory that the question is about, with its slash; empty for the whole repository."""
    directories = list_directories(index)
    mass: dict[str, float] = defaultdict(float)
    for node in nodes_by_row(index, likeness).values():
        if not node.test:
            folder = node.path.rpartition("/")[0]
            while folder:
                mass[folder + "/"] += likeness[node.row] ** 2
                folder = folder.rpartition("/")[0]
    wanted = set(question.terms)
    best, strength = "", 0.0
    for path in directories:
        path = path.rstrip("/") + "/"
        shared = wanted.intersection(text_terms(path.rstrip("/").rpartition("/")[2]))
        if shared and len(shared) + mass.get(path, 0.0) > strength and mass.get(path, 0.0) > 0:
            best, strength = path, len(shared) + mass.get(path, 0.0)
    return best


def topic(index: Index, likeness: Mapping[int, float]) -> str:
    """The smallest directory with most of the similar symbols; empty if that is practically everything."""
    mass: defaultdict[str, float] = defaultdict(float)
    for node in nodes_by_row(index, likeness).values():
        folder = node.path
        while folder and not node.test:
            folder = folder.rpartition("/")[0]
            mass[folder] += likeness[node.row] ** 2
    whole = mass.pop("", 0.0)
    inside = [folder for folder, part in mass.items() if part >= evidence_weights.TOPIC_SHARE * whole]
    folder = max(inside, key=lambda folder: (folder.count("/"), folder), default="")
    return folder + "/" if folder else ""


def name_lines(index: Index, row: int, used: Members) -> frozenset[int]:
    """Where the most informative members of a class are: the most used first, functions before fields."""
    uses = {member: weight for weight, member in used}
    own = sorted(inside(index, row), key=lambda node: (-uses.get(node.row, 0.0), not node.exported))
    functions = [node.name_line for node in own if node.kind in FUNCTION_KINDS]
    values = [node.name_line for node in own if node.kind not in FUNCTION_KINDS and node.row in uses]
    return frozenset(functions[: evidence_weights.MEMBERS_NAMED] + values[: evidence_weights.FIELDS_NAMED])


def introduction(index: Index, folder: str) -> list[Candidate]:
    for name in INTRODUCTION:
        found = nodes(index, "s.path = ? COLLATE NOCASE AND s.kind IN ('file', 'module') LIMIT 1", (folder + name,))
        if found:
            return [Candidate(found[0], 1.0, "introduction", "how it introduces itself", frozenset(), True)]
    return []


def entries(index: Index, folder: str) -> list[Candidate]:
    """Functions called main that nothing calls."""
    found: list[Node] = nodes(
        index,
        "s.name = 'main' AND s.kind = 'function' AND s.test = 0 AND substr(s.path, 1, ?) = ? "
        f"AND NOT {IS_CALLED} ORDER BY length(s.path), s.id LIMIT 3",
        (len(folder), folder, 1),
    )
    return [Candidate(node, 0.5, "entry", "entry point", frozenset()) for node in found]
