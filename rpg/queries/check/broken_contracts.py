"""Requests that meant a route before an edit and mean none now.

In: an index of the work tree, and the changed files as they were and are. Out: findings at the requests, which may be
in files that the edit did not touch. What the names of an earlier text meant is taken from what they mean now: nothing
is resolved a second time. Absent: requests that the edit itself wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rpg.encoder.frameworks import (
    CONTRACTS,
    Contracts,
    FileRows,
    Outcome,
    ResolvedFile,
    Serving,
    Source,
    rows_of,
    unpack_rows,
)  # fmt: skip
from rpg.encoder.resolve import Contents, Finding
from rpg.repository import LastResolution
from rpg.stores.index import stored_graph

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

KIND = "contract"
MOST_READ = 2_000
"""The most files that are read for their requests where the last file of routes is gone."""


def find_broken_contracts(
    index: Index, last: LastResolution, before: Mapping[str, Contents | None], after: Mapping[str, Contents | None]
) -> Iterator[Finding]:
    rows = index.rows("SELECT data FROM survey WHERE name = ?", (CONTRACTS,))
    now = unpack_rows(rows[0][0]) if rows else {}
    serving = Serving(last.paths)
    if not now and any(old is not None and serving.may_serve(old.facts) for old in before.values()):
        now = dict(_rows_without_routes(index, last))
    then = {path: each for path, each in now.items() if path not in before}
    for path, old in before.items():
        if old is not None:
            then[path] = rows_of(_resolved(index, serving, path, old, after.get(path)), old.source)
    if not any(each.serves for each in then.values()):
        return
    had, has = Contracts(then.values()), Contracts(now.values())
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


def _rows_without_routes(index: Index, last: LastResolution) -> Iterator[tuple[str, FileRows]]:
    """The rows of files where none registers a route any more, and none was kept for that reason."""
    for path in sorted(last.languages)[:MOST_READ]:
        facts = last.facts(path)
        ids = [path, *(f"{path}::{each.qualified_name}" for each in facts.definitions[1:])]
        file = ResolvedFile(facts, ids, {}, stored_graph.edges_at(index, path), False, False, _is_none)
        yield path, rows_of(file, last.source(path))


def _by_meaning(had: Contracts, path: str) -> dict[tuple[object, ...], Outcome]:
    rows = had.files.get(path)
    if rows is None:
        return {}
    return {
        (each.request.maker, each.request.method, had.text(each.request.address)): each for each in had.outcomes(rows)
    }


def _resolved(index: Index, serving: Serving, path: str, old: Contents, new: Contents | None) -> ResolvedFile:
    """An earlier text of a file, with its names as they are meant now."""
    facts = old.facts
    ids = [path, *(f"{path}::{each.qualified_name}" for each in facts.definitions[1:])]
    named = {each.name: id for each, id in zip(facts.definitions, ids, strict=True) if each.parent == 0}
    for name in (name for each in facts.imports for name in each.names):
        bearers = index.rows("SELECT symbol FROM symbols WHERE name = ? AND kind != 'module' LIMIT 2", (name,))
        if len(bearers) == 1:
            named.setdefault(name, bearers[0][0])
    module = index.value("SELECT test FROM symbols WHERE path = ? AND kind = 'module'", (path,))
    if new is not None:
        edges = stored_graph.edges_at(index, path)
        now = Source(
            ResolvedFile(new.facts, [path] * len(new.facts.definitions), {}, edges, False, False, _is_none), new.source
        )
        named = {**now.named(), **named}
    imports = [edge for edge in stored_graph.edges_at(index, path) if edge.kind == "imports"] if new is not None else []
    return ResolvedFile(facts, ids, {}, imports, bool(module), serving.may_serve(facts), _is_none, named)


def _is_none(_: object) -> bool:
    return False
