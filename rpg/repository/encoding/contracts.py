"""The edges of contracts after an edit.

In: what the last resolution kept, and the part of the graph that the edit affects. Out: that part with its contracts,
and the parts of all other files whose contracts are no longer the same, as they are stored but for these.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from rpg.encoder.frameworks import (
    CONTRACTS,
    Contracts,
    Serving,
    insert_crossings,
    is_concerned,
    is_configured,
    pack_rows,
    rows_of,
    unpack_rows,
)
from rpg.encoder.resolve import NotIncremental, Updated
from rpg.graph import CROSSINGS
from rpg.stores.index import stored_graph
from rpg.stores.index.index import Index


class Last(Protocol):
    index: Index
    paths: set[str]

    def source(self, path: str) -> bytes: ...

    def survey(self, name: str) -> bytes | None: ...


def add_contracts(last: Last, updated: Updated, edited: Mapping[str, bytes], gone: Collection[str]) -> Updated:
    """`edited`: the new sources; `gone`: the paths of what is no longer there. Raises NotIncremental where a constant
    is named in a file that was not read before."""
    data = last.survey(CONTRACTS)
    if data is None:
        raise NotIncremental("nothing was saved of the contracts")
    known = unpack_rows(data)
    before = {path: rows for path, rows in known.items() if path not in gone}
    is_served = any(rows.serves or rows.takes for rows in known.values())
    if is_served and not any(rows.serves or rows.takes for rows in before.values()):
        raise NotIncremental("no file that serves is left")
    if not is_served and any(file.serves or file.takes for file in updated.concerned.values()):
        raise NotIncremental("routes and messages were not looked for before")
    paths = {*last.paths, *edited}
    if Serving(last.paths).packages != Serving(paths.difference(gone)).packages:
        raise NotIncremental("a framework came or went")
    after = dict(before)
    for path, file in updated.concerned.items():
        is_asked = is_served and is_concerned(file.facts, file.serves, file.takes)
        if path in before or is_asked or is_configured(file.facts):
            source = edited[path] if path in edited else last.source(path)
            after[path] = rows_of(file, source)
            for named in after[path].constants():
                of = named.partition("::")[0]
                if of in paths and of not in after and of not in updated.concerned:
                    raise NotIncremental("a constant is named in a file that was not read")
    old, new = Contracts(known.values()).edges(), Contracts(after.values()).edges()
    here = {symbol.path for symbol in updated.symbols}
    elsewhere = [
        path for path in sorted((old.keys() | new.keys()) - here) if path not in gone and old.get(path) != new.get(path)
    ]
    symbols, edges, places = list(updated.symbols), list(updated.edges), list(updated.places)
    for path in elsewhere:
        symbols += stored_graph.symbols_at(last.index, path)
        edges += [edge for edge in stored_graph.edges_at(last.index, path) if edge.via not in CROSSINGS]
        places += stored_graph.places_at(last.index, path)
    if elsewhere:
        path_of = {symbol.id: symbol.path for symbol in symbols}
        symbols.sort(key=lambda symbol: symbol.path)
        edges.sort(key=lambda edge: path_of[edge.source])
        places.sort(key=lambda place: path_of[place.source])
        here.update(elsewhere)
    edges = insert_crossings(symbols, edges, {path: found for path, found in new.items() if path in here})
    kept = updated.kept
    if after != known:
        kept = kept._replace(survey=[*kept.survey, (CONTRACTS, pack_rows(after.values()))])
    return updated._replace(symbols=symbols, edges=edges, places=places, kept=kept)
