"""The entry points that a page about a repository lists: of package metadata and code, the commands, routes and tasks
of frameworks, and the names that a library offers.

In: an index. Out: entry points, the first ones of each kind and how many more there are. Tests, examples and the
project's own tools are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from rpg.queries.graph.filters import Filter, is_beside
from rpg.queries.graph.nodes import batches
from rpg.queries.inventories.api import BY_RULE
from rpg.queries.inventories.entry import Entry
from rpg.queries.inventories.lists import inventory
from rpg.queries.inventories.source_text import COMPUTED
from rpg.queries.overview.entry_points import PACKAGES_ARE_FOLDERS, EntryPoint, entry_points
from rpg.stores.index.edge_reads import count_other_files

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

LISTED = {"command": 40, "api": 12, "exports": 12, "route": 5, "task": 5}
"""How many are listed of these kinds, and of others."""
OF_A_KIND = 6
INVENTORIES = {"command": "commands", "route": "routes", "task": "tasks", "api": "api"}
"""The list of `stats` with all entries of a kind."""
STARTED = frozenset({"script", "main", "module", "process"})


def list_entry_points(index: Index) -> list[EntryPoint]:
    by_kind: dict[str, dict[str, EntryPoint]] = {}
    for each in _find_entry_points(index):
        by_kind.setdefault(each.kind, {}).setdefault(each.name, each)
    listed = []
    for kind, by_name in by_kind.items():
        shown = list(by_name.values())[: LISTED.get(kind, OF_A_KIND)]
        listed += [*shown[:-1], replace(shown[-1], more=len(by_name) - len(shown))]
    return listed


def _find_entry_points(index: Index) -> Iterator[EntryPoint]:
    own = entry_points(index)
    yield from own
    for kind in ("command", "route", "task"):
        for each in _outside_tests(index, kind):
            if each.places and each.name == COMPUTED and kind == "command":
                yield EntryPoint(kind=kind, name=f"names computed at {each.places[0]}", target=each.places[0])
            elif each.places and each.name != COMPUTED:
                method = f"{each.kind} " if kind == "route" and each.kind.isalpha() else ""
                yield EntryPoint(kind=kind, name=f"{method}{each.name}", target=each.places[0])
    is_program = any(each.kind in STARTED for each in own)
    packages = {each.name for each in own}
    for each in _by_use(index, _importable(_outside_tests(index, "api"), is_program)):
        if each.name not in packages:
            yield EntryPoint(kind="api", name=_with_package(each), target=each.handler or each.places[0])


def _outside_tests(index: Index, kind: str) -> list[Entry]:
    entries = inventory(index, INVENTORIES[kind], "", Filter(tests="none"))
    return [each for each in entries if not any(is_beside(place) for place in each.places[:1])]


def _with_package(entry: Entry) -> str:
    folder = _folder(entry)
    return f"{folder.rpartition('/')[2]}.{entry.name}" if folder else entry.name


def _folder(entry: Entry) -> str:
    """Of the package, where folders are packages; empty at the top and in other languages."""
    path = entry.handler.partition("::")[0]
    return path.rpartition("/")[0] if path.endswith(PACKAGES_ARE_FOLDERS) else ""


def _importable(entries: list[Entry], is_program: bool) -> list[Entry]:
    """What importers of a package may name: `package.name`. In languages where all that is public may be imported, of
    the language that most of it is in, and only where nothing is started: a program has public names for itself."""
    named = [each for each in entries if each.by not in BY_RULE]
    if named or is_program:
        return named
    languages = [each.by for each in entries]
    return [each for each in entries if each.by == max(set(languages), key=lambda by: (languages.count(by), by))]


def _by_use(index: Index, entries: list[Entry]) -> list[Entry]:
    """Sorted by how many other files use them: tests, examples and documents use the same names as people do."""
    used: dict[str, int] = {}
    for batch in batches({each.handler for each in entries if each.handler}):
        rows = count_other_files(index, batch)
        used.update(rows)
    return sorted(entries, key=lambda each: (_folder(each) != "", -used.get(each.handler, 0), each.name))
