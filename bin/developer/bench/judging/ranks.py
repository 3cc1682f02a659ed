"""What a ranked answer is worth: the judgement of the retrieval benchmark.

In: a task's queries with their gold, and the hits for each, best first. Out: figures from 0 to 1 by name.
A hit finds a gold function when the path is the same and either the names end alike and the lines meet, or the lines
agree for at least half, or the hit lies inside. Hits that are no functions are passed over where functions are
ranked; among names, classes count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

NO_FUNCTIONS = frozenset(
    {"file", "module", "directory", "class", "struct", "interface", "enum", "trait", "type", "field", "section"}
)
NO_NAMES = frozenset({"file", "module", "directory"})
DEEPEST = 50
"""Hits that are looked at."""


class Ranked(NamedTuple):
    """What is judged of a hit."""

    path: str
    name: str
    """As it is called in its file."""
    kind: str
    start: int
    end: int


class Asked(NamedTuple):
    id: str
    task: str
    """doc, hist or ident."""
    variant: str
    """Of ident: exact, case, typo, partial, qualified."""
    text: str
    gold: list[dict[str, Any]]
    """path, qual, start, end."""
    gold_files: frozenset[str]


def asked(row: Mapping[str, Any]) -> Asked:
    """A line of queries.jsonl."""
    return Asked(
        row["qid"], row["task"], row.get("variant", ""), row["query"], row["gold"], frozenset(row["gold_files"])
    )


def judged(query: Asked, hits: Sequence[Ranked]) -> dict[str, float]:
    passed_over = NO_NAMES if query.task == "ident" else NO_FUNCTIONS
    functions = [hit for hit in hits if hit.kind not in passed_over][:DEEPEST]
    ranks: dict[int, int] = {}
    for rank, hit in enumerate(functions, 1):
        for number, gold in enumerate(query.gold):
            if number not in ranks and is_same(hit, gold):
                ranks[number] = rank
    best = min(ranks.values(), default=DEEPEST + 1)
    if query.task == "hist":
        files = list(dict.fromkeys(hit.path for hit in hits))
        found = {f"file@{k}": float(query.gold_files <= set(files[:k])) for k in (1, 5)}
        if query.gold:
            found["func@10"] = float(len(ranks) == len(query.gold) and max(ranks.values()) <= 10)
        return found
    found = {f"R@{k}": float(best <= k) for k in (1, 5, 10)}
    found["MRR@10"] = 1 / best if best <= 10 else 0.0
    if query.variant:
        found[query.variant] = found["R@1"]
    return found


def is_same(hit: Ranked, gold: Mapping[str, Any]) -> bool:
    if hit.path != gold["path"]:
        return False
    common = min(hit.end, gold["end"]) - max(hit.start, gold["start"]) + 1
    if common <= 0:
        return False
    name, wanted = hit.name.split("."), gold["qual"].split(".")
    if name[-1] == wanted[-1] and (1 in (len(name), len(wanted)) or name[-2:] == wanted[-2:]):
        return True
    if hit.start >= gold["start"] and hit.end <= gold["end"] and hit.end > hit.start:
        return True
    return common / (max(hit.end, gold["end"]) - min(hit.start, gold["start"]) + 1) >= 0.5


def mean(judgements: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """By figure, over those that have it."""
    values: dict[str, list[float]] = {}
    for each in judgements:
        for figure, value in each.items():
            values.setdefault(figure, []).append(value)
    return {figure: sum(each) / len(each) for figure, each in values.items()}
