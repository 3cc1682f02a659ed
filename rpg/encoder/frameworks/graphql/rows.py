"""How fields, what resolves them and what selects them become rows.

In: names and places of one file. Out: rows. What code declares both declares and, where a schema is written out, names
the field there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rpg.encoder.frameworks.graphql.words import DOCUMENT, FIELD, RESOLVER, key_of, plain
from rpg.encoder.frameworks.http.requests import is_test
from rpg.encoder.frameworks.rows import Reading, Setting
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import SAID

SCHEMA: Final = "GraphQL schema"
CODE: Final = "GraphQL in code"
RESOLVED: Final = "GraphQL resolver"


def declare_written(source: Source, type: str, field: str, of: str, number: int, byte: int) -> Setting:
    """What a schema declares."""
    name = key_of(type, field) if field else plain(type)
    return Setting(FIELD, name, source.symbol(number), source.line(byte), SCHEMA, of, True)


def declare(source: Source, type: str, field: str, of: str, number: int, byte: int = -1) -> Iterator[Setting | Reading]:
    """What code declares, by the definition that is the field or states it."""
    byte = source.facts.definitions[number].name_byte if byte < 0 else byte
    name = key_of(type, field) if field else plain(type)
    yield Setting(FIELD, name, source.symbol(number), source.line(byte), CODE, of, True)
    yield _reading(source, FIELD, name, number, byte, CODE)


def resolve(
    source: Source, type: str, field: str, number: int, byte: int = -1, symbol: str = ""
) -> Iterator[Setting | Reading]:
    """What resolves a field: a definition, or a symbol that a definition names."""
    byte = source.facts.definitions[number].name_byte if byte < 0 else byte
    name = key_of(type, field)
    yield Setting(RESOLVER, name, symbol or source.symbol(number), source.line(byte), RESOLVED, "", True)
    if not symbol or symbol in source.numbers:
        yield _reading(source, FIELD, name, source.numbers[symbol] if symbol else number, byte, "")
    else:
        yield _reading(source, FIELD, name, number, byte, "")


def select(source: Source, path: str, number: int, byte: int) -> Reading:
    space, name = (DOCUMENT, path) if "/" in path else (FIELD, plain(path))
    return _reading(source, space, name, number, byte, "")


def _reading(source: Source, space: str, name: str, number: int, byte: int, by: str) -> Reading:
    return Reading(space, ((SAID, name),), source.symbol(number), source.place(byte), is_test(source, number), by)
