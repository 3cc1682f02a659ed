"""Term counts for a graph without its sources.

In: symbols. Out: counts from their names, signatures, docs and paths.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter

from rpg import words
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS, Symbol
from rpg.term_frequencies import (
    CHAIN,
    DOC,
    FIELD_BITS,
    NAME,
    NEIGHBOURS,
    NOTHING,
    PATH,
    SIGNATURE,
    FileTerms,
    TermCounts,
    Unit,
    pack,
    term_counts,
)
from rpg.titles import container, is_title

_UNIT_KINDS = FUNCTION_KINDS | CLASS_KINDS | {"section", "module"}


def terms_of_symbols(symbols: Iterable[Symbol]) -> dict[str, bytes]:
    """Packed term counts by path, as far as the symbols of a graph provide them."""
    files = (symbol for symbol in symbols if symbol.kind != "directory" and symbol.path)
    of_path = groupby(sorted(files, key=attrgetter("path")), attrgetter("path"))
    return {path: pack(_file_terms(path, list(group))) for path, group in of_path}


def _file_terms(path: str, symbols: list[Symbol]) -> FileTerms:
    numbers: dict[str, int] = {}
    groups: dict[str, int] = {"": 0}
    group_counts: list[TermCounts] = [NOTHING]
    units = []
    for symbol in symbols:
        if symbol.kind not in _UNIT_KINDS:
            continue
        chain = container(symbol.name, symbol.qualified_name) if symbol.id != path else ""
        if chain not in groups:
            groups[chain] = len(group_counts)
            group_counts.append(_term_counts(numbers, {CHAIN: chain}))
        header = " ".join((*symbol.decorators, symbol.signature))
        name = symbol.name if symbol.id != path else ""
        words_of = _term_counts(numbers, {NAME: name, SIGNATURE: header, DOC: symbol.doc})
        units.append(Unit(symbol.id[len(path) + 2 :], groups[chain], words_of))
    neighbours = " ".join([each.name for each in symbols if each.id != path and not is_title(each.name)])
    words_of = _term_counts(numbers, {PATH: path.rpartition(".")[0] or path, NEIGHBOURS: neighbours})
    return FileTerms(list(numbers), words_of, group_counts, units)


def _term_counts(numbers: dict[str, int], fields: dict[int, str]) -> TermCounts:
    counts: dict[int, int] = {}
    for field, text in fields.items():
        for term in words.text_terms(text):
            code = numbers.setdefault(term, len(numbers)) << FIELD_BITS | field
            counts[code] = counts.get(code, 0) + 1
    return term_counts(list(counts), list(counts.values()))
