"""The name index: every name of the graph by the trigrams of its letters, for half-remembered and misspelt ones.

In: symbols. Out: tables. What is exact is found by the index on `symbols.name`.
Names are compared folded: without case and underscores. A module goes by its file's name without the ending.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rpg import words
from rpg.graph import Symbol
from rpg.stores.numbers import packed

if TYPE_CHECKING:
    from rpg.stores.index import Index

TABLES = """
-- `names` are the spellings of one folded name, as in `symbols.name`, separated by newlines.
CREATE TABLE search_names (id INTEGER PRIMARY KEY, folded TEXT NOT NULL, names TEXT NOT NULL);

-- Ids of the names that have a trigram (see numbers.py).
CREATE TABLE search_trigrams (trigram TEXT PRIMARY KEY, names BLOB NOT NULL) WITHOUT ROWID;
"""

NAMELESS_KINDS = frozenset({"directory", "section", "file"})
"""Directories are found by path, documents by their words."""


def build(index: Index, symbols: Iterable[Symbol]) -> None:
    """Fill the tables of names, which must not exist yet."""
    known = {(symbol.name, symbol.kind == "module") for symbol in symbols if symbol.kind not in NAMELESS_KINDS}
    spellings: dict[str, set[str]] = defaultdict(set)
    for name, is_module in known:
        folded = words.folded(name.rpartition("/")[2].partition(".")[0] if is_module else name)
        if folded:
            spellings[folded].add(name)
    rows = []
    having: dict[str, array[int]] = defaultdict(lambda: array("I"))
    for number, folded in enumerate(sorted(spellings), 1):
        rows.append((number, folded, "\n".join(sorted(spellings[folded]))))
        for trigram in trigrams(folded):
            having[trigram].append(number)
    index.execute(TABLES)
    index.executemany("INSERT INTO search_names VALUES (?, ?, ?)", rows)
    index.executemany(
        "INSERT INTO search_trigrams VALUES (?, ?)", ((trigram, packed(having[trigram])) for trigram in sorted(having))
    )


def trigrams(folded: str) -> set[str]:
    """Of a folded name, with padding, so that beginnings count twice and ends once."""
    padded = f"  {folded} "
    return {padded[i : i + 3] for i in range(len(padded) - 2)}
