"""Reads of the search tables, by name: the units of symbols, and the postings of terms.

In: an index. Out: rows, as the names of the functions say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


def list_known_terms(index: Index, keys: Iterable[int]) -> list[int]:
    """Which of these terms occur in the repository, by key."""
    return [key for (key,) in index.rows(f"SELECT term FROM search_terms WHERE term IN ({_listed(keys)})")]


def list_postings(index: Index, keys: Iterable[int]) -> list[tuple[int, bytes, bytes, bytes]]:
    """The packed postings of terms: key, of units, of blocks, of files."""
    return index.rows(f"SELECT term, units, blocks, files FROM search_terms WHERE term IN ({_listed(keys)})")


def list_units_of(index: Index, units: Iterable[int]) -> list[tuple[int, int]]:
    """The symbol of each of these units, and the unit."""
    return index.rows(f"SELECT symbol, unit FROM search_units WHERE unit IN ({_listed(units)})")


def list_symbols_of_units(index: Index, columns: str, units: Iterable[int]) -> list[tuple[Any, ...]]:
    """Unit, hash of the text, and these columns of `symbols s`."""
    return index.rows(
        f"SELECT u.unit, s.hash, {columns} FROM search_units u JOIN symbols s ON s.id = u.symbol"
        f" WHERE u.unit IN ({_listed(units)})"
    )


def each_hash_of_units(index: Index) -> Iterator[tuple[int, str, str, str]]:
    """Unit, path, qualified name, and hash of the text, in order."""
    return index.each(
        "SELECT u.unit, s.path, s.qualified_name, s.hash FROM search_units u JOIN symbols s ON s.id = u.symbol"
        " ORDER BY u.unit"
    )


def each_fingerprint(index: Index) -> Iterator[tuple[int, bytes]]:
    """Symbol and fingerprint, by symbol."""
    return index.each("SELECT symbol, fingerprint FROM search_units WHERE fingerprint != x'' ORDER BY symbol")


def list_fingerprinted(
    index: Index, columns: str, kinds: Iterable[str], of_tests: bool, fewest_lines: int
) -> list[tuple[Any, ...]]:
    """These columns of `symbols s`, then the fingerprint, of the symbols of these kinds that are long enough."""
    listed = ", ".join(f"'{kind}'" for kind in sorted(kinds))
    return index.rows(
        f"SELECT {columns}, u.fingerprint FROM search_units u JOIN symbols s ON s.id = u.symbol "
        f"WHERE s.kind IN ({listed}) AND s.test = ? AND s.end_line - s.start_line + 1 >= ? AND u.fingerprint != x'' "
        "ORDER BY s.id",
        (of_tests, fewest_lines),
    )


def _listed(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))
