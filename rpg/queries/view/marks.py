"""What the map can be coloured by, and the lists of the page: each from the query that also answers a tool.

In: a view's index and header, and the columns of the graph. Out: plain JSON, in which symbols are numbers where they
are on the page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rpg.encoder.languages import BY_NAME
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.graph.filters import Filter
from rpg.queries.graph.nodes import Node
from rpg.queries.health.audit import findings
from rpg.queries.health.findings import Finding, HealthQuery
from rpg.queries.inventories.entry import Entry
from rpg.queries.inventories.lists import inventory
from rpg.queries.view.graph_columns import Columns

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

INVENTORIES = ("routes", "tasks", "commands", "signals", "models", "environment", "packages")
HEALTH = ("unused", "cycles", "duplicates", "hubs")
MOST_ENTRIES = 5_000
"""Of one list; the rest is counted."""
MOST_PLACES = 6


def lists(index: Index, header: dict[str, Any], graph_only: bool, folder: Path | None) -> dict[str, Any]:
    """Each list with how many entries it has in all."""
    out: dict[str, Any] = {}
    for of in INVENTORIES:
        entries = [] if graph_only else inventory(index, of, "", Filter())
        shown = [build_entry(each) for each in entries[:MOST_ENTRIES]]
        out[of] = {"total": len(entries), "entries": shown}
    question = HealthQuery(index, header, Filter(), True, from_graph_only=graph_only, folder=folder)
    for of in HEALTH:
        found = findings(question, of)
        out[of] = {"total": len(found), "entries": [build_finding(each) for each in found[:MOST_ENTRIES]]}
    return out


def build_entry(entry: Entry) -> dict[str, Any]:
    more = max(0, len(entry.places) - MOST_PLACES) + entry.more
    found = {**asdict(entry), "places": entry.places[:MOST_PLACES], "more": more}
    return {name: value for name, value in found.items() if value}


def build_finding(finding: Finding) -> dict[str, Any]:
    found = asdict(finding)
    del found["names"]
    return {name: value for name, value in found.items() if value}


def find_untested(columns: Columns) -> list[int]:
    """Functions and classes to which no way leads from a test, along calls, values that are passed on, and what
    overrides. `rpg tests` also follows names and registrations: what it reaches beyond this counts as tested only
    there."""
    onward: defaultdict[int, list[int]] = defaultdict(list)
    named: set[int] = set()
    for source, target, kind in columns.edges:
        if kind == "overrides":
            onward[target].append(source)
        elif kind in ("calls", "references", "inherits", "tests"):
            onward[source].append(target)
            named.add(target)
    for number, each in enumerate(columns.symbols):
        around = columns.numbers.get(each.parent or -1)
        if around is None or each.kind not in FUNCTION_KINDS:
            continue
        above = columns.symbols[around].kind
        # A class runs what the language runs of it, and what nobody names, as far as anybody can tell.
        if above in FUNCTION_KINDS or (above in CLASS_KINDS and (number not in named or is_constructor(each))):
            onward[around].append(number)
    frontier = [number for number, each in enumerate(columns.symbols) if each.test]
    reached = set(frontier)
    while frontier:
        frontier = [to for number in frontier for to in onward.get(number, ()) if to not in reached]
        reached.update(frontier)
        frontier = list(dict.fromkeys(frontier))
    return [
        number
        for number, each in enumerate(columns.symbols)
        if each.kind in FUNCTION_KINDS | CLASS_KINDS and not (each.test or number in reached) and is_code(each.language)
    ]


def is_constructor(each: Node) -> bool:
    language = BY_NAME.get(each.language)
    return language is not None and each.name == language.rules.constructor


def is_code(language: str) -> bool:
    known = BY_NAME.get(language)
    return known is not None and not (known.is_text or known.configures or known.is_template or known.is_outlined)


def find_numbers(ids: Iterable[str], columns: Columns) -> list[int]:
    """The numbers of symbols on the page."""
    wanted = set(ids)
    return [number for number, each in enumerate(columns.symbols) if each.id in wanted]


def group_by_confidence(found: Mapping[str, Any], columns: Columns) -> dict[str, list[int]]:
    """Numbers of unused symbols by how certain that is."""
    by: defaultdict[str, set[str]] = defaultdict(set)
    for each in found["entries"]:
        by[each.get("confidence", "certain")].add(each["what"])
    return {confidence: find_numbers(ids, columns) for confidence, ids in by.items()}


def cyclic_files(found: Mapping[str, Any]) -> list[str]:
    return sorted({path for each in found["entries"] for path in each.get("members", [])})
