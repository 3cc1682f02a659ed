"""Hubs: symbols and files by how many files depend on them, over any number of hops.

In: a question. Out: findings: symbols, then files. Those with many dependents, over hops and directly, come first, and
among these the ones that depend on much themselves, since they change with it. Tests do not count as dependents.

Absent: possible edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from rpg.components import components
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS, POSSIBLE_VIAS
from rpg.queries.graph.filters import format_count
from rpg.queries.graph.memo import memoize
from rpg.queries.graph.nodes import nodes_by_row
from rpg.queries.health.findings import Finding, HealthQuery
from rpg.stores.index.edge_reads import each_edge_of_code
from rpg.stores.index.symbol_reads import list_file_ends
from rpg.system import deadline

SHOWN = 100
_KINDS = ("calls", "references", "inherits", "imports")

Thing = TypeVar("Thing", int, str)


def hubs(question: HealthQuery) -> list[Finding]:
    """At most SHOWN files and as many symbols; cached until the index changes."""
    whole = memoize(question.index, "hubs", lambda: compute_hubs(question))
    covers = question.filter.covers
    return whole if question.is_whole else [each for each in whole if covers(each.what.partition("::")[0])]


def compute_hubs(question: HealthQuery) -> list[Finding]:
    index = question.index
    vias = sorted(POSSIBLE_VIAS)
    used_by: dict[int, set[int]] = {}
    file_used_by: dict[str, set[str]] = {}
    path_of: dict[int, str] = {}
    edges = each_edge_of_code(index, _KINDS, vias)
    for source, target, source_path, target_path, target_kind in edges:
        if source_path != target_path:
            file_used_by.setdefault(target_path, set()).add(source_path)
        if source != target and target_kind in FUNCTION_KINDS | CLASS_KINDS:
            used_by.setdefault(target, set()).add(source)
            path_of[source], path_of[target] = source_path, target_path
    files = {path: number for number, path in enumerate(sorted({*path_of.values(), *file_used_by}))}
    for users in file_used_by.values():
        for path in users:
            files.setdefault(path, len(files))
    deadline.check()
    symbols = dependents(used_by, {row: files[path] for row, path in path_of.items()})
    of_symbols = rank_hubs(symbols, used_by)
    of_files = rank_hubs(dependents(file_used_by, files), file_used_by)
    nodes = nodes_by_row(index, [row for row, *_ in of_symbols])
    modules = {path: (kind, last) for path, kind, last in list_file_ends(index, [path for path, *_ in of_files])}
    return [
        *(
            Finding(what=nodes[row].id, kind=nodes[row].kind, lines=nodes[row].lines, size=number, reasons=reasons)
            for row, number, reasons in of_symbols
        ),
        *(
            Finding(what=path, kind=modules[path][0], lines=f"1-{modules[path][1]}", size=number, reasons=reasons)
            for path, number, reasons in of_files
            if path in modules
        ),
    ]


def dependents(used_by: Mapping[Thing, set[Thing]], file_of: Mapping[Thing, int]) -> dict[Thing, int]:
    """How many files other than its own depend on each. Sets of files are numbers, one bit for each file."""
    reached: dict[Thing, int] = {}
    for group in components(sorted(used_by, key=str), lambda each: used_by.get(each, ())):
        bits = 0
        for each in group:
            bits |= 1 << file_of[each]
            for user in used_by.get(each, ()):
                if user not in group:
                    bits |= reached[user]
        for each in group:
            reached[each] = bits
    return {each: (bits & ~(1 << file_of[each])).bit_count() for each, bits in reached.items() if each in used_by}


def rank_hubs(numbers: Mapping[Thing, int], used_by: Mapping[Thing, set[Thing]]) -> list[tuple[Thing, int, list[str]]]:
    """The first SHOWN: by the number of files that depend on it, times direct users, since all files of a cycle have
    the same dependents; up to twice as much for what needs more than it is used."""
    needs: dict[Thing, int] = {}
    for users in used_by.values():
        for user in users:
            needs[user] = needs.get(user, 0) + 1
    direct = {each: len(users) for each, users in used_by.items()}

    def weight(each: Thing) -> float:
        needed = needs.get(each, 0)
        return numbers[each] * direct[each] * (1 + needed / (needed + direct[each]))

    first: Iterable[Thing] = sorted(numbers, key=lambda each: (-weight(each), each))[:SHOWN]
    return [
        (each, numbers[each], [f"{format_count(direct[each], 'direct user')}, and it needs {needs.get(each, 0)}"])
        for each in first
        if numbers[each]
    ]
