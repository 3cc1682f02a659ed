"""Who sets a variable of the environment or a key, or declares a table or column, and who reads or names it.

In: an index, a name as a person writes it. Out: one line; empty if nothing sets or reads it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rpg.encoder.frameworks import CONTRACTS, Contracts, plain_key, unpack_rows
from rpg.queries.graph.memo import memoize

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

SHOWN: Final = 12
"""How many places of each side are named; more are counted."""
_VARIABLE: Final = re.compile(r"[A-Za-z_]\w{2,}")
_KEY: Final = re.compile(r"[A-Za-z]\w*(?:[.:][\w-]+)+")


def describe_setting(index: Index, written: str) -> str:
    is_key = _KEY.fullmatch(written) is not None
    if not is_key and not _VARIABLE.fullmatch(written):
        return ""
    settings = memoize(index, "contracts", lambda: _contracts(index)).settings
    if settings is None:
        return ""
    name = plain_key(written) if is_key else written
    keys = {("key", name), ("column", written.lower())} if is_key else {("environment", name), ("table", name.lower())}
    is_stored = ("column" if is_key else "table", written.lower()) in settings.settings
    setters = [
        f"{path}:{each.line}" + (f" ({each.symbol.partition('::')[2]})" if "::" in each.symbol else "")
        for key in keys
        for each, path in settings.settings.get(key, ())
    ]
    sure: list[str] = []
    maybe: list[str] = []
    none: list[str] = []
    for path, rows in settings.files.items() if setters or not is_key else ():
        for found in settings.outcomes(rows):
            if (found.reading.space, found.name) in keys:
                known = sure if found.certain else maybe if found.possible or found.left_out else none
                known.append(f"{path}:{found.reading.site[0]}")
    if not setters and not (sure or maybe or none):
        return ""
    read = "named" if is_stored else "read"
    parts = [
        f"{'declared' if is_stored else 'set'} at {_listed(setters)}" if setters else "set by nothing that is read here"
    ]
    if sure:
        parts.append(f"{read} at {_listed(sure)}")
    if maybe:
        parts.append(f"{read} at {_listed(maybe)}, where it is not sure which of these is meant")
    if none:
        parts.append(f"{read} at {_listed(none)}" + (", where none of these is known to be meant" if setters else ""))
    if not (sure or maybe or none):
        parts.append(f"{read} by nothing whose names are constant")
    return f"{written} is {'; '.join(parts)}"


def _listed(places: list[str]) -> str:
    shown = list(dict.fromkeys(places))
    more = len(shown) - SHOWN
    return ", ".join(shown[:SHOWN]) + (f" and {more} more" if more > 0 else "")


def _contracts(index: Index) -> Contracts:
    rows = index.rows("SELECT data FROM survey WHERE name = ?", (CONTRACTS,))
    return Contracts(unpack_rows(rows[0][0]).values() if rows else ())
