"""The name index: every name of the graph by the trigrams of its letters, for half-remembered and misspelt ones.

In: symbols; or added and removed names. Out: tables. Exact names are found by the index on `symbols.name`. Names are
compared folded: without case and underscores. A module goes by its file's name without the extension. When the tables
are made, names are numbered alphabetically; later additions get any number (places.py).
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from rpg.graph import FUNCTIONAL_KINDS, Symbol
from rpg.stores.search.numbers import pack, unpack
from rpg.stores.search.places import free, numbers_of_runs, runs_of
from rpg.system.arrays import numpy
from rpg.text import words
from rpg.text.titles import is_title

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

Array = Any
"""A numpy array."""

_NAMES_AT_ONCE = 8_000
_LETTER_BITS = 21
_LETTER = (1 << _LETTER_BITS) - 1
"""Mask for a letter in a trigram's number."""
NAMELESS_KINDS = frozenset({"directory", "section", "file"}) | FUNCTIONAL_KINDS
"""Directories are found by path, documents by their words; so are tests by the words of their titles."""


Name = tuple[str, bool]
"""The name as in the graph, and whether it is a module's."""


def build(index: Index, symbols: Iterable[Symbol]) -> None:
    """Fills the tables of names, which must be empty; those of search must not."""
    known = {(symbol.name, symbol.kind == "module") for symbol in symbols if is_indexed(symbol.name, symbol.kind)}
    spellings: dict[str, set[str]] = defaultdict(set)
    for name in known:
        folded = _folded(name)
        if folded:
            spellings[folded].add(name[0])
    names = sorted(spellings)
    rows = [(number, folded, "\n".join(sorted(spellings[folded]))) for number, folded in enumerate(names)]
    having = _having(names)
    index.executemany("INSERT INTO search_names VALUES (?, ?, ?)", rows)
    index.executemany(
        "INSERT INTO search_trigrams VALUES (?, ?)",
        sorted((key_of(trigram), pack(numbers)) for trigram, numbers in having.items()),
    )
    index.execute("INSERT INTO search_statistics VALUES ('name_numbers', ?)", (runs_of(range(len(rows))),))


def is_indexed(name: str, kind: str) -> bool:
    return kind not in NAMELESS_KINDS and not is_title(name)


def _folded(name: Name) -> str:
    written, is_module = name
    return words.fold_name(written.rpartition("/")[2].partition(".")[0] if is_module else written)


def numbers(index: Index) -> Array:
    """The numbers of all names, in alphabetical order."""
    return numbers_of_runs(bytes(index.value("SELECT value FROM search_statistics WHERE key = 'name_numbers'")))


def names_of(index: Index, path: str) -> set[Name]:
    rows = index.rows("SELECT name, kind FROM symbols WHERE path = ?", (path,))
    return {(name, kind == "module") for name, kind in rows if is_indexed(name, kind)}


def update(index: Index, removed: Iterable[Name], added: Iterable[Name]) -> None:
    """Removes names that symbols of some files no longer have and adds new ones; symbols are already up to date."""
    changed: dict[str, tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
    for name in removed:
        if not _is_spelled_elsewhere(index, name):
            changed[_folded(name)][0].add(name[0])
    for name in added:
        changed[_folded(name)][1].add(name[0])
    changed.pop("", None)
    if not changed:
        return
    order = numbers(index)
    spare = free(order)
    for folded, (less, more) in sorted(changed.items()):
        place = bisect_left(range(len(order)), folded, key=lambda at: _row(index, int(order[at]))[0])
        number = int(order[place]) if place < len(order) else -1
        known, spellings = _row(index, number) if number >= 0 else ("", "")
        old_names = set(spellings.split("\n")) if known == folded else set()
        left = (old_names - less) | more
        if old_names and not left:
            order = numpy.delete(order, place)
            _post(index, folded, number, False)
            index.execute("DELETE FROM search_names WHERE id = ?", (number,))
        elif old_names != left:
            if not old_names:
                number = next(spare)
                order = numpy.insert(order, place, number)
                _post(index, folded, number, True)
            row = (number, folded, "\n".join(sorted(left)))
            index.execute("INSERT OR REPLACE INTO search_names VALUES (?, ?, ?)", row)
    index.execute("UPDATE search_statistics SET value = ? WHERE key = 'name_numbers'", (runs_of(order),))


def _row(index: Index, number: int) -> tuple[str, str]:
    folded, names = index.rows("SELECT folded, names FROM search_names WHERE id = ?", (number,))[0]
    return folded, names


def _is_spelled_elsewhere(index: Index, name: Name) -> bool:
    """Whether another symbol has the same spelling under the same folded name."""
    kinds = ",".join(f"'{kind}'" for kind in sorted(NAMELESS_KINDS))
    for is_module in (False, True):
        found = index.rows(
            "SELECT 1 FROM symbols WHERE name = ? COLLATE NOCASE AND name = ? AND (kind = 'module') = ?"
            f" AND kind NOT IN ({kinds}) LIMIT 1",
            (name[0], name[0], is_module),
        )
        if found and _folded((name[0], is_module)) == _folded(name):
            return True
    return False


def _post(index: Index, folded: str, number: int, is_new: bool) -> None:
    """Updates the trigrams of a name that was added or removed."""
    for trigram in trigrams(folded):
        blob = index.value("SELECT names FROM search_trigrams WHERE trigram = ?", (key_of(trigram),)) or b""
        having = array("I", unpack(bytes(blob)))
        at = bisect_left(having, number)
        having[at : at + (not is_new)] = array("I", [number] if is_new else [])
        if having:
            index.execute("INSERT OR REPLACE INTO search_trigrams VALUES (?, ?)", (key_of(trigram), pack(having)))
        else:
            index.execute("DELETE FROM search_trigrams WHERE trigram = ?", (key_of(trigram),))


def trigrams(folded: str) -> set[str]:
    """The trigrams of a folded name, with padding, so that beginnings count twice and ends once."""
    padded = _padded(folded)
    return {padded[i : i + 3] for i in range(len(padded) - 2)}


def key_of(trigram: str) -> int:
    """The key of a trigram in the table."""
    first, second, third = map(ord, trigram)
    return first << 2 * _LETTER_BITS | second << _LETTER_BITS | third


def _padded(folded: str) -> str:
    return f"  {folded} "


def _having(names: list[str]) -> dict[str, array[int]]:
    """By trigram, the numbers of the names that have it; a few thousand names are processed as one array."""
    having: dict[str, array[int]] = defaultdict(lambda: array("I"))
    for first in range(0, len(names), _NAMES_AT_ONCE):
        padded = [_padded(name) for name in names[first : first + _NAMES_AT_ONCE]]
        letters = numpy.frombuffer("".join(padded).encode("utf-32-le"), "<u4").astype(numpy.int64)
        number = numpy.repeat(numpy.arange(first, first + len(padded)), [len(each) for each in padded])
        key = letters[:-2] << 2 * _LETTER_BITS | letters[1:-1] << _LETTER_BITS | letters[2:]
        is_inside = number[:-2] == number[2:]
        key, number = key[is_inside], number[:-2][is_inside]
        order = numpy.argsort(key, kind="stable")
        key, number = key[order], number[order].astype(numpy.uintc)
        is_first = numpy.concatenate(([True], key[1:] != key[:-1]))
        is_new = is_first | numpy.concatenate(([True], number[1:] != number[:-1]))
        is_first, key, number = is_first[is_new], key[is_new], number[is_new]
        starts = numpy.flatnonzero(is_first)
        bounds = pairwise([*starts.tolist(), len(key)])
        for code, (start, end) in zip(key[starts].tolist(), bounds, strict=True):
            before = chr(code >> 2 * _LETTER_BITS) + chr(code >> _LETTER_BITS & _LETTER)
            having[before + chr(code & _LETTER)].frombytes(number[start:end].tobytes())
    return having
