"""Term counts for a graph without its sources.

In: symbols. Out: counts from their names, signatures, docs and paths.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter

from rpg.graph import CLASS_KINDS, FUNCTION_KINDS, Symbol
from rpg.text import words
from rpg.text.term_frequencies import CHAIN, DOC, NAME, NEIGHBOURS, PATH, SIGNATURE, FileTerms, pack
from rpg.text.titles import container, is_title

_UNIT_KINDS = FUNCTION_KINDS | CLASS_KINDS | {"section", "module"}


def terms_of_symbols(symbols: Iterable[Symbol]) -> dict[str, bytes]:
    """Packed term counts by path, as far as the symbols of a graph provide them."""
    files = (symbol for symbol in symbols if symbol.kind != "directory" and symbol.path)
    of_path = groupby(sorted(files, key=attrgetter("path")), attrgetter("path"))
    return {path: pack(_file_terms(path, list(group))) for path, group in of_path}


def _file_terms(path: str, symbols: list[Symbol]) -> FileTerms:
    found = FileTerms()

    def terms(field: int, text: str) -> tuple[int, list[str]]:
        return field, words.text_terms(text)

    groups: dict[str, int] = {"": 0}
    fields = []
    for symbol in symbols:
        if symbol.kind not in _UNIT_KINDS:
            continue
        chain = container(symbol.name, symbol.qualified_name) if symbol.id != path else ""
        header = " ".join((*symbol.decorators, symbol.signature))
        name = symbol.name if symbol.id != path else ""
        fields.append((terms(NAME, name), terms(SIGNATURE, header), terms(DOC, symbol.doc)))
        found.symbols.append(symbol.id[len(path) + 2 :])
        found.group_of.append(groups.setdefault(chain, len(groups)))
        found.fingerprints.append(b"")
    found.groups = len(groups)
    neighbours = " ".join([each.name for each in symbols if each.id != path and not is_title(each.name)])
    found.add((terms(PATH, path.rpartition(".")[0] or path), terms(NEIGHBOURS, neighbours)))
    for chain in groups:
        found.add((terms(CHAIN, chain),))
    for each in fields:
        found.add(each)
    return found
