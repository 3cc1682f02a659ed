"""Requests, messages and readings that meant a route, a handler or a setting before an edit and mean none now.

In: an index of the work tree, and the changed files as they were and are. Out: findings at the requests, which may be
in files that the edit did not touch. What the names of an earlier text meant is taken from what they mean now: nothing
is resolved a second time. Absent: requests that the edit itself wrote; of
messages those are told that took the place of one that was handled.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from rpg.encoder.frameworks import (
    CONTRACTS,
    Contracts,
    FileRows,
    Outcome,
    ResolvedFile,
    Serving,
    Source,
    may_take,
    rows_of,
    unpack_rows,
)  # fmt: skip
from rpg.encoder.frameworks.by_text.assets import STATIC
from rpg.encoder.frameworks.by_text.charts import PART
from rpg.encoder.frameworks.by_text.commands import COMMAND
from rpg.encoder.frameworks.by_text.components import COMPONENT
from rpg.encoder.frameworks.by_text.flags import FLAG
from rpg.encoder.frameworks.by_text.native import NATIVE
from rpg.encoder.frameworks.data.declared import COLUMN, TABLE
from rpg.encoder.frameworks.graphql.words import FIELD, RESOLVER
from rpg.encoder.frameworks.named.grpc import DECLARED, REMOTE
from rpg.encoder.frameworks.named.matching import DIRECT, Delivery, Names
from rpg.encoder.frameworks.rows import Reading, Setting
from rpg.encoder.frameworks.settings.matching import Set, Settings
from rpg.encoder.resolve import Contents, Finding
from rpg.repository import LastResolution
from rpg.stores.index import stored_graph
from rpg.stores.index.reader import find_survey, is_test_module
from rpg.stores.index.symbol_reads import list_two_bearers

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

KIND = "contract"
_PLACES = ("site", "line")
_ABOUT_ITSELF = ("path", "test", "serves", "takes")
_DONE = {
    TABLE: "declared", COLUMN: "declared", FIELD: "declared", RESOLVER: "resolved", COMMAND: "defined",
    FLAG: "declared", STATIC: "served", COMPONENT: "registered", PART: "defined", NATIVE: "offered",
}  # fmt: skip
"""What is done to what is read, named or selected, where it is not set."""
MOST_READ = 2_000
"""The most files that are read for their requests where the last file of routes is gone."""


def find_broken_contracts(
    index: Index,
    last: LastResolution,
    before: Mapping[str, Contents | None],
    after: Mapping[str, Contents | None],
    unencoded: Mapping[str, Contents | None],
) -> Iterator[Finding]:
    """`unencoded`: what files contain that differ from the index."""
    serving = Serving(last.paths)
    were = {
        path: rows_of(_resolved(last, serving, path, old), old.source)
        for path, old in before.items()
        if old is not None
    }
    are = {path: rows_of(_resolved(last, serving, path, new), new.source) for path, new in after.items() if new}
    if all(_meaning(were.get(path)) == _meaning(are.get(path)) for path in before):
        return
    data = find_survey(index, CONTRACTS)
    now = {path: each for path, each in _unpacked(data).items() if path not in unencoded}
    now |= {path: are[path] for path in unencoded if path in are}
    if not now and any(
        old is not None and (serving.may_serve(old.facts) or may_take(old.facts)) for old in before.values()
    ):
        now = dict(_rows_without_routes(index, last))
    then = {path: each for path, each in now.items() if path not in before}
    then |= were
    for path in sorted({id.partition("::")[0] for each in then.values() for id in each.constants()}):
        if path not in then and path not in before and path in last.languages:
            then[path] = _rows_now(index, last, path)  # of constants that only an earlier text names
    if not any(each.serves or each.takes or each.settings for each in then.values()):
        return
    had, has = Contracts(then.values()), Contracts(now.values())
    yield from _unhandled(had, has)
    yield from _unset(had, has, before.keys())
    for path, each in has.files.items():
        earlier = _by_meaning(had, path)
        for outcome in has.outcomes(each):
            request = outcome.request
            meant = earlier.get((request.maker, request.method, has.text(request.address)))
            if meant is None or not meant.routes or outcome.routes:
                continue
            route = meant.routes[0]
            address = f"{request.method or 'ANY'} {route.written}"
            yield Finding(path, *request.site, meant.certain, KIND, address, route.handler, "is served no more")


_last: dict[bytes, dict[str, FileRows]] = {}
"""The rows of the last question, by how they are stored: most edits leave them as they are."""


def _unpacked(data: bytes | None) -> dict[str, FileRows]:
    if data is None:
        return {}
    found = _last.get(data)
    if found is None:
        found = unpack_rows(data)
        _last.clear()
        _last[data] = found
    return found


def _meaning(rows: FileRows | None) -> object:
    """What rows state, wherever in the file; None if they state nothing."""
    if rows is None or not any(each for name, each in rows._asdict().items() if name not in _ABOUT_ITSELF):
        return None
    return _without_places(rows)


def _without_places(part: object) -> object:
    if not isinstance(part, tuple):
        return part
    names = getattr(part, "_fields", ())
    if names:
        return [_without_places(each) for name, each in zip(names, part, strict=True) if name not in _PLACES]
    return [_without_places(each) for each in part]


def _unhandled(had: Contracts, has: Contracts) -> Iterator[Finding]:
    """What is sent that was handled before, and what is sent to nobody since its name was changed."""
    if had.names is None:
        return
    for path, rows in has.files.items():
        earlier = had.files.get(path)
        if earlier is None:
            continue
        deliveries = list(had.names.outcomes(earlier))
        by_name = {(each.sender.maker, each.sender.space, each.name): each for each in deliveries}
        by_maker: dict[tuple[str, str], list[Delivery]] = {}
        for each in deliveries:
            by_maker.setdefault((each.sender.maker, each.sender.space), []).append(each)
        for outcome in (has.names or Names((), {}, has.text)).outcomes(rows):
            sender = outcome.sender
            meant = by_name.get((sender.maker, sender.space, outcome.name))
            if meant is None and outcome.name:
                before = by_maker.get((sender.maker, sender.space), [])
                kept = {each.name for each in has.names.outcomes(rows)} if has.names else set()
                gone = [each for each in before if each.name not in kept]
                meant = gone[0] if len(gone) == 1 else None
            if meant is not None and meant.handlers and not outcome.handlers and meant.sender.space != DIRECT:
                name = outcome.name.removeprefix("@")
                said = "is handled no more" if outcome.name == meant.name else "is handled by nothing"
                if sender.space in REMOTE:
                    name = meant.handlers[0][0].rpartition("::")[2]
                    said = "is declared no more" if sender.space == DECLARED else "is served no more"
                yield Finding(path, *sender.site, meant.certain, KIND, name, meant.handlers[0][0], said)


def _unset(had: Contracts, has: Contracts, changed: Collection[str]) -> Iterator[Finding]:
    """What is read that something set before, and what is read and set by nothing since its name was changed."""
    if had.settings is None:
        return
    settings = has.settings or Settings(has.files, has.text)
    for path, rows in has.files.items():
        earlier = had.files.get(path)
        if earlier is None:
            continue
        meant = [each for each in had.settings.outcomes(earlier) if each.certain or each.possible]
        by_name = {(each.reading.maker, each.reading.space, each.name): each for each in meant}
        read = list(settings.outcomes(rows))
        kept = {each.name for each in read}
        # Of several that read the same there, some may never have meant it, as what declares it itself.
        still = {(each.reading.maker, each.reading.space, each.name) for each in read if each.certain or each.possible}
        for each in read:
            if each.left_out or not each.name:
                continue
            reading = each.reading
            key = (reading.maker, reading.space, each.name)
            before = by_name.get(key)
            set_or_declared = _DONE.get(reading.space, "set")
            said = f"is {set_or_declared} no more"
            if each.certain or each.possible:
                if before is not None and (lost := _lost(before, each, changed)):
                    said = f"is {set_or_declared} no more in {lost[0][1]}"
                    yield Finding(path, *reading.site, False, KIND, each.name, lost[0][0].symbol, said)
                continue
            if key in still:
                continue
            if before is None:
                gone = [one for one in meant if _is_like(one.reading, reading) and one.name not in kept]
                before, said = (
                    gone[0] if len({one.name for one in gone}) == 1 else None,
                    f"is {set_or_declared} by nothing",
                )
            if before is not None:
                setting, _ = (before.certain or before.possible)[0]
                yield Finding(path, *reading.site, bool(before.certain), KIND, each.name, setting.symbol, said)


def _lost(before: Set, now: Set, changed: Collection[str]) -> list[tuple[Setting, str]]:
    """What set it in a changed file, where nothing in that file does any more."""
    still = {path for _, path in (*now.certain, *now.possible)}
    return [each for each in (*before.certain, *before.possible) if each[1] in changed and each[1] not in still]


def _is_like(one: Reading, other: Reading) -> bool:
    return (one.maker, one.space) == (other.maker, other.space)


def _rows_without_routes(index: Index, last: LastResolution) -> Iterator[tuple[str, FileRows]]:
    """The rows of files where none registers a route any more, and none was kept for that reason."""
    for path in sorted(last.languages)[:MOST_READ]:
        yield path, _rows_now(index, last, path)


def _rows_now(index: Index, last: LastResolution, path: str) -> FileRows:
    """The rows of a file that serves nothing and takes nothing."""
    facts = last.facts(path)
    ids = [path, *(f"{path}::{each.qualified_name}" for each in facts.definitions[1:])]
    file = ResolvedFile(facts, ids, {}, stored_graph.edges_at(index, path), False, False, False, _is_none)
    return rows_of(file, last.source(path))


def _by_meaning(had: Contracts, path: str) -> dict[tuple[object, ...], Outcome]:
    rows = had.files.get(path)
    if rows is None:
        return {}
    return {
        (each.request.maker, each.request.method, had.text(each.request.address)): each for each in had.outcomes(rows)
    }


def _resolved(last: LastResolution, serving: Serving, path: str, text: Contents) -> ResolvedFile:
    """A text of a file that the index does not have, with its names as the index has them."""
    index, facts = last.index, text.facts
    ids = [path, *(f"{path}::{each.qualified_name}" for each in facts.definitions[1:])]
    named = {each.name: id for each, id in zip(facts.definitions, ids, strict=True) if each.parent == 0}
    for name in (name for each in facts.imports for name in each.names):
        bearers = list_two_bearers(index, name)
        if len(bearers) == 1:
            named.setdefault(name, bearers[0])
    is_test = is_test_module(index, path)
    imports = []
    if path in last.languages:
        known = last.facts(path)
        edges = stored_graph.edges_at(index, path)
        now = Source(
            ResolvedFile(known, [path] * len(known.definitions), {}, edges, False, False, False, _is_none),
            last.source(path),
        )
        named = {**now.named(), **named}
        imports = [edge for edge in edges if edge.kind == "imports"]
    return ResolvedFile(facts, ids, {}, imports, is_test, serving.may_serve(facts), may_take(facts), _is_none, named)


def _is_none(_: object) -> bool:
    return False
