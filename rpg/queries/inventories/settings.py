"""Who sets a variable of the environment or a key, or declares a table, a column, a field of GraphQL, a translation or
a command, and who reads, names, resolves, selects or runs it.

In: an index, a name as a person writes it. Out: one line; empty if nothing sets or reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from rpg.encoder.frameworks import plain_key
from rpg.encoder.frameworks.by_text.assets import STATIC
from rpg.encoder.frameworks.by_text.charts import PART
from rpg.encoder.frameworks.by_text.commands import COMMAND
from rpg.encoder.frameworks.by_text.components import COMPONENT
from rpg.encoder.frameworks.by_text.flags import FLAG
from rpg.encoder.frameworks.by_text.locales import TRANSLATION
from rpg.encoder.frameworks.graphql.words import FIELD, RESOLVER, key_of
from rpg.encoder.frameworks.settings.matching import Settings
from rpg.encoder.frameworks.settings.stated import VALUE, VARIABLE
from rpg.queries.inventories.stated_contracts import read_contracts

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

SHOWN: Final = 12
"""How many places of each side are named; more are counted."""
_VARIABLE: Final = re.compile(r"[A-Za-z_]\w{2,}")
_FILE: Final = re.compile(r"/?[\w@-][\w@./-]*\.\w{2,12}|[\w-]+(?:[./][\w-]+)*-[\w./-]*|[A-Z]\w*(?:/\w+)+")
"""A file that is served, a flag with a hyphen, a component with a folder."""
_KEY: Final = re.compile(r"[A-Za-z]\w*(?:[.:][\w-]+)+")


def describe_setting(index: Index, written: str) -> str:
    is_key = _KEY.fullmatch(written) is not None
    if not is_key and not _VARIABLE.fullmatch(written) and not _FILE.fullmatch(written):
        return ""
    settings = read_contracts(index).settings
    if settings is None:
        return ""
    name = plain_key(written) if is_key else written
    keys = {("key", name), ("column", written.lower())} if is_key else {("environment", name), ("table", name.lower())}
    keys |= {(TRANSLATION, written), (VALUE, written)}
    keys |= {(STATIC, written.lstrip("/")), (FLAG, written), (COMPONENT, written), (PART, written)}
    keys |= {(COMMAND, f"{each} {written}") for each in ("artisan", "rake", "manage")}
    is_stored = ("column" if is_key else "table", written.lower()) in settings.settings
    field = key_of(*written.split(".")) if is_key and written.count(".") == 1 else ""
    if (FIELD, field) in settings.settings or (RESOLVER, field) in settings.settings:
        keys.add((FIELD, field))
        is_stored = True
    setters = _places(settings, keys)
    resolvers = _places(settings, {(RESOLVER, field)}) if field else []
    files = {there for _, there in settings.settings.get((STATIC, written.lstrip("/")), ())}
    unknown = made = unnamed = 0
    sure: list[str] = []
    maybe: list[str] = []
    none: list[str] = []
    for path, rows in settings.files.items() if setters or not is_key else ():
        for found in settings.outcomes(rows):
            unknown += found.reading.space == FIELD and not found.name
            made += found.reading.space == TRANSLATION and not found.name
            unnamed += found.reading.space == VARIABLE and not found.name and not rows.test
            is_file = found.reading.space == STATIC and any(
                there in files for _, there in (*found.certain, *found.possible)
            )
            if is_file or (found.reading.space, found.name) in keys:
                known = sure if found.certain else maybe if found.possible or found.left_out else none
                known.append(f"{path}:{found.reading.site[0]}")
    if not setters and not resolvers and not (sure or maybe or none):
        return ""
    read = "named" if is_stored else "read"
    parts = [
        f"{'declared' if is_stored else 'set'} at {_list_places(setters)}"
        if setters
        else "set by nothing that is read here"
    ]
    if resolvers:
        parts.append(f"resolved at {_list_places(resolvers)}")
    if sure:
        parts.append(f"{read} at {_list_places(sure)}")
    if maybe:
        parts.append(f"{read} at {_list_places(maybe)}, where it is not sure which of these is meant")
    if none:
        parts.append(
            f"{read} at {_list_places(none)}" + (", where none of these is known to be meant" if setters else "")
        )
    if not (sure or maybe or none):
        parts.append(f"{read} by nothing whose names are constant")
    if field and unknown and is_stored:
        parts.append(f"{unknown} selections of other fields follow types that nothing here declares")
    if made and (TRANSLATION, written) in settings.settings:
        parts.append(f"{made} place{' names' if made == 1 else 's name'} a translation by a key that is put together")
    if unnamed and (VARIABLE, name) in keys and (VARIABLE, name) in settings.settings:
        parts.append(
            f"{unnamed} place{' reads' if unnamed == 1 else 's read'} a variable by a name that is put together"
        )
    return f"{written} is {'; '.join(parts)}"


def _places(settings: Settings, keys: Iterable[tuple[str, str]]) -> list[str]:
    return [
        f"{path}:{each.line}" + (f" ({each.symbol.partition('::')[2]})" if "::" in each.symbol else "")
        for key in sorted(keys)
        for each, path in settings.settings.get(key, ())
    ]


def _list_places(places: list[str]) -> str:
    shown = list(dict.fromkeys(places))
    more = len(shown) - SHOWN
    return ", ".join(shown[:SHOWN]) + (f" and {more} more" if more > 0 else "")
