"""What the graph knows of a name, in a few lines: for an agent that searches files for it.

In: an index, a name. Out: where it is defined, and how often and where it is used; nothing for a name that nothing in
the graph has, or that too many have. Nothing is resolved and no file is read: this takes milliseconds.

Absent: which uses are certain, and whether they are all: find_usages says that.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rpg.stores.index.edge_reads import list_uses_of
from rpg.stores.index.symbol_reads import list_definitions_named

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

MOST_DEFINITIONS = 3
"""A name of more is no name to be told about: the agent's own search says as much."""
MOST_FILES = 4
"""How many files with uses are named of each; more are counted."""
DEFINED = ("function", "method", "class", "interface", "type", "enum", "variable", "constant", "property", "field")


def describe_known_name(index: Index, name: str) -> list[str]:
    rows = list_definitions_named(index, name, MOST_DEFINITIONS + 1)
    # What tests define is told only of a name that nothing else has.
    rows = [row for row in rows if not row[-1]] or rows
    if not rows or len(rows) > MOST_DEFINITIONS:
        return []
    return [line_of(index, *row[:-1]) for row in rows]


def line_of(index: Index, number: int, kind: str, path: str, first: int, last: int, qualified: str) -> str:
    uses: Counter[str] = Counter()
    first_lines: dict[str, str] = {}
    tests = 0
    for user, sites, is_test in list_uses_of(index, number):
        places = sites.split()
        if is_test:
            tests += len(places)
            continue
        uses[user] += len(places)
        if places and user not in first_lines:
            first_lines[user] = places[0].partition(":")[0]
    found = f"{path}:{first}{f'-{last}' if last > first else ''} {kind} {qualified}: "
    total = sum(uses.values())
    if not total and not tests:
        return found + "no use is known"
    named = [
        f"{user}:{first_lines[user]}{f' and {count - 1} more' if count > 1 else ''}" if user in first_lines else user
        for user, count in uses.most_common(MOST_FILES)
    ]
    more = f" and {len(uses) - MOST_FILES} more files" if len(uses) > MOST_FILES else ""
    counts = [format_uses(total)] if total else []
    counts += [f"{tests} in tests" if total else f"{format_uses(tests)}, all in tests"] if tests else []
    return f"{found}{', '.join(counts)}{': ' + ', '.join(named) if named else ''}{more}"


def format_uses(number: int) -> str:
    return "1 use" if number == 1 else f"{number} uses"
