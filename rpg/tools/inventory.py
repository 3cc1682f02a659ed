"""One page of a list of `stats`: routes, commands, packages and so on.

In: a view, what was asked. Out: the entries that fit, with the counts of all, and their text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from rpg.queries.graph import budget
from rpg.queries.graph.budget import cut, fit_answer, rows
from rpg.queries.graph.filters import Filter, format_count, format_folded_tests
from rpg.queries.inventories.entry import Entry
from rpg.queries.inventories.lists import format_unseen, inventory
from rpg.queries.inventories.stated_contracts import read_contracts
from rpg.queries.inventories.unread_frameworks import unread_frameworks
from rpg.queries.names.notations import plain_path
from rpg.text.printable import one_line
from rpg.tools.calling.call import State, View

Answer = TypeVar("Answer")
PLACES = 3
"""How many places of an entry are shown."""
PLACES_OF_FEW = 40
"""The same if there are few entries."""
FEW = 3
NAME_WIDTH = 160
UNITS = {"routes": "route", "commands": "command", "tasks": "task", "signals": "handler", "models": "model",
         "messages": "message", "environment": "variable", "api": "name", "packages": "package"}  # fmt: skip
"""The word for an entry."""
NOT_HERE = "only the graph file is here: lists need the index; encode the repository"

OF_FRAMEWORKS = frozenset(("routes", "commands", "tasks", "signals", "models", "messages"))
NOT_KNOWN = "none of a framework that rpg lists; those of others are found by search"


class Page(NamedTuple):
    """The arguments of `stats`."""

    of: str
    name: str
    path: str
    exclude_path: str
    tests: str
    limit: int
    max_tokens: int
    cursor: str


@dataclass(frozen=True, kw_only=True)
class Inventory:
    of: str
    total: int
    """Entries, without those of tests where these are folded."""
    by: dict[str, int] = field(default_factory=dict)
    """How many of them each framework or construct accounts for."""
    computed: int = 0
    """How many names are computed in part."""
    entries: list[Entry] = field(default_factory=list)
    tests: dict[str, int] = field(default_factory=dict)
    """Folded entries of tests, by file."""
    note: str = ""
    next: str = ""
    state: State = field(default_factory=State)


def inventory_page(
    view: View, page: Page, wrapped: Callable[[Inventory], Answer], written: Callable[[Answer], str]
) -> Answer:
    request = (page.of, page.name, page.path, page.exclude_path, page.tests)
    wanted = Filter(plain_path(page.path, view.folder), plain_path(page.exclude_path, view.folder), page.tests)
    entries = [] if view.graph_only else inventory(view.index, page.of, page.name, wanted)
    folded: Counter[str] = Counter()
    if page.tests == "fold":
        folded.update(each.places[0].rpartition(":")[0] for each in entries if each.test and each.places)
        entries = [each for each in entries if not (each.test and each.places)]
    first = budget.offset(page.cursor, *request)
    by = dict(Counter(each.by for each in entries).most_common())
    is_of_others = page.of in OF_FRAMEWORKS and not entries and not folded
    computed = sum(each.computed for each in entries)
    note = NOT_HERE if view.graph_only else NOT_KNOWN if is_of_others else ""
    if page.of == "routes" and not view.graph_only:
        if unread := unread_frameworks(view.index):
            note = f"routes of {', '.join(unread)} are not known here; they are found by search"
        unseen = format_unseen(read_contracts(view.index).unseen_requests()) if entries else ""
        note = "; ".join(filter(None, (note, unseen)))

    def head(parts: int) -> Answer:
        last = first + parts
        shown = entries[first:last]
        return wrapped(
            Inventory(
                of=page.of,
                total=len(entries),
                by=by,
                computed=computed,
                entries=[_shorten(each, len(entries)) for each in shown],
                tests=dict(folded),
                note=note,
                next=budget.cursor(last, *request) if last < len(entries) else "",
                state=view.state,
            )
        )

    return fit_answer(rows(max(0, len(entries) - first), page.limit), head, written, page.max_tokens)


def _shorten(entry: Entry, total: int) -> Entry:
    from dataclasses import replace

    most = PLACES_OF_FEW if total <= FEW else PLACES
    if len(entry.places) <= most:
        return entry
    return replace(entry, places=entry.places[:most], more=entry.more + len(entry.places) - most)


def inventory_lines(found: Inventory) -> Iterator[str]:
    unit = UNITS[found.of]
    by = ", ".join(f"{number} {name}" for name, number in list(found.by.items())[:8] if name)
    yield format_count(found.total, unit) + (f": {by}" if by else "")
    if found.computed:
        yield f"… stands for what is computed or a library's own ({found.computed})"
    if found.note:
        yield found.note
    says_by = len(found.by) > 1
    for each in found.entries:
        yield _line(each, says_by and found.of not in ("packages", "api"))
    if found.tests:
        yield format_folded_tests(found.tests, unit)
    left = found.total - len(found.entries)
    if found.next and left:
        yield f"{len(found.entries)} of {format_count(found.total, unit)} shown; narrow with name or path"
    yield from found.state.lines(found.next)


def _line(each: Entry, says_by: bool) -> str:
    path, _, name = each.handler.partition("::")
    at = each.places[0] if each.places else ""
    handler = name if name and path == at.rpartition(":")[0] else each.handler
    handler = "" if handler == each.name or (handler.rpartition(".")[2] == each.name and at) else handler
    places = _places(each.places) + (f" and {each.more} more" if each.more else "")
    kind = each.kind if not each.kind.isupper() else ""
    method = f"{each.kind} " if each.kind.isupper() else ""
    title = f"{method}{cut(one_line(each.name), NAME_WIDTH)}"
    parts = (title, kind, f"-> {one_line(handler)}" if handler else "", each.by if says_by else "", places)
    return "  ".join(filter(None, parts))


def _places(places: list[str]) -> str:
    """The entries, grouped by file."""
    lines: dict[str, list[str]] = {}
    for each in places:
        path, _, line = each.rpartition(":")
        lines.setdefault(path, []).append(line)
    return ", ".join(f"{path}:{','.join(numbers)}" for path, numbers in lines.items())
