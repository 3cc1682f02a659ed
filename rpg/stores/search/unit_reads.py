"""Reads of the search tables, by name: the units of symbols, their vectors, the postings of terms, and names.

In: an index. Out: rows, as the names of the functions say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rpg.stores.index.placeholders import placeholders

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


def each_unit_of(index: Index, kinds: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Path, qualified name and hash of the symbols of these kinds that search finds."""
    return index.each(
        "SELECT s.path, s.qualified_name, s.hash FROM search_units u JOIN symbols s ON s.id = u.symbol "
        f"WHERE s.kind IN ({placeholders(kinds)})",
        kinds,
    )


def list_units_by_length(
    index: Index, kinds: Sequence[str], most_lines: int
) -> list[tuple[str, str, str, str, str, str, int, int]]:
    """The same, short ones first and those of tests last: path, qualified name, hash, kind, signature, documentation,
    first and last line. `most_lines` of one count, as 40 characters each."""
    return index.rows(
        "SELECT s.path, s.qualified_name, s.hash, s.kind, s.signature, s.doc, s.start_line, s.end_line "
        f"FROM search_units u JOIN symbols s ON s.id = u.symbol WHERE s.kind IN ({placeholders(kinds)}) "
        "ORDER BY s.test, "
        f"length(s.signature) + length(s.doc) + 40 * min(s.end_line - s.start_line, {most_lines}), s.id",
        kinds,
    )


# Vectors and names


def list_distances(index: Index, vector: bytes, units: Iterable[int]) -> list[tuple[int, float]]:
    """The distance of a vector of bytes from those of these units, computed by sqlite-vec."""
    return index.rows(
        "SELECT unit, vec_distance_l2(vec_int8(vector), vec_int8(?)) FROM search_units"
        f" WHERE unit IN ({_listed(units)}) AND vector != x''",
        (vector,),
    )


def measure_vectors(index: Index) -> tuple[int, int]:
    """How many units have a vector, and the longest one's bytes."""
    [(count, length)] = index.rows("SELECT count(*), max(length(vector)) FROM search_units WHERE vector != x''")
    return count, length or 0


def each_vector(index: Index) -> Iterator[tuple[int, bytes]]:
    """The units that have a vector, in the order of their symbols, with it."""
    return index.each("SELECT unit, vector FROM search_units WHERE vector != x'' ORDER BY symbol")


def list_packed_names_with(index: Index, trigrams: Sequence[int]) -> list[bytes]:
    """For each of these trigrams that occurs, the packed numbers of the names that have it."""
    rows = index.rows(f"SELECT names FROM search_trigrams WHERE trigram IN ({placeholders(trigrams)})", trigrams)
    return [packed for (packed,) in rows]


def list_names_at(index: Index, numbers: Iterable[int]) -> list[tuple[int, str, str]]:
    """The names of these numbers: number, folded, and its spellings, one a line."""
    return index.rows(f"SELECT id, folded, names FROM search_names WHERE id IN ({_listed(numbers)})")


def list_names_like(index: Index, pattern: str) -> list[tuple[str, str]]:
    """The folded names that a LIKE pattern fits, each with its spellings, one a line."""
    return index.rows("SELECT folded, names FROM search_names WHERE folded LIKE ?", (pattern,))


def _listed(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))
