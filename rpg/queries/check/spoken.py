"""Places that are no code and name what is gone: strings, settings, templates, paths of files.

In: an index, and what is gone: ids of symbols, paths of files. Out: findings, all of them possible:

- a string with the name behind that of its class or module: `shop.cart.price` of a patch or a setting
- a string that is the whole name of a module: `site.urls`
- a member in an expression of a template, or in a list of names in the body of a class (the fields of a form), if no
  other symbol has the name
- the path of a file, from the folder of who names it or from the root

Absent: documents and comments, which are notes (notes.py).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from rpg.encoder.languages import BY_NAME, find_language
from rpg.encoder.parsing.packing import unpack
from rpg.encoder.resolve import Contents, Finding
from rpg.queries.account.literals import Literals, names_in
from rpg.queries.account.occurrences import File, FileOccurrences, LinesOf, find_occurrences, find_words, is_word
from rpg.queries.account.placing.brackets import Brackets
from rpg.stores.index.reader import has_symbol_named
from rpg.stores.index.symbol_reads import list_places_named
from rpg.system.compression import decompress

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

MOST = 50
"""The most symbols, and the most files, that are looked for."""
_SPELLED = "string"
_MEMBERS = frozenset({"field", "property", "method"})
_ASSIGNED = re.compile(rb"\s*[\w.-]+\s*=\s*(?=[\w.]+:)")
"""What stands before an entry point in a string: `shop = shop.cli:main`."""
_PATH = re.compile(rb"[\w./@~-]*")
_PATH_BEFORE = re.compile(rb"[\w./@~-]*\Z")
_LONGEST = 200
_OPENINGS = (b"{{", b"{%", b"<%", b"${", b"#{", b"@")
_CLOSINGS = (b"}}", b"%}", b"%>", b"}", b"\n")
_FARTHEST = 400
Unencoded = Mapping[str, Contents | None]
"""What files contain that differ from the index, by path; None for those that are gone."""


class Place(NamedTuple):
    text: bytes
    offset: int
    literal: tuple[int, int] | None
    is_template: bool


def find_spoken(
    index: Index, gone: Iterable[str], kinds: dict[str, str], files: Collection[str], unencoded: Unencoded
) -> Iterator[Finding]:
    """`kinds`: of the symbols that are gone; `files`: those that are."""
    for symbol in sorted(gone)[:MOST]:
        yield from _of_symbol(index, symbol, kinds.get(symbol, ""), unencoded)
    for path in sorted(files)[:MOST]:
        yield from _of_module(index, path, unencoded)
        yield from _of_path(index, path, unencoded)


def _of_symbol(index: Index, symbol: str, kind: str, unencoded: Unencoded) -> Iterator[Finding]:
    path, _, qualified = symbol.partition("::")
    around, _, name = qualified.rpartition(".")
    if not is_word(name):
        return
    # What stands before the name in a string that means it: its class, or its module.
    stem = path.rpartition("/")[2].partition(".")[0]
    owner = (around.rpartition(".")[2] or stem).encode()
    word = name.encode()
    is_member = kind in _MEMBERS or (kind == "constant" and bool(around))
    is_alone = is_member and not _has_symbol_named(index, name, unencoded)
    for found, place in _places(index, name, unencoded):
        parts: list[bytes] | None = None
        if place.literal is not None:
            literal = _ASSIGNED.sub(b"", place.text[place.literal[0] + 1 : place.literal[1] - 1], count=1)
            parts = names_in(literal, word)
        is_spelled = parts is not None and word in parts[1:] and parts[parts.index(word, 1) - 1] == owner
        if is_spelled or (is_alone and _is_member(place, word, parts)):
            yield _finding(found, place.offset, name, symbol)


def _has_symbol_named(index: Index, name: str, unencoded: Unencoded) -> bool:
    if any(each.name == name for file in unencoded.values() if file for each in file.facts.definitions):
        return True
    if not unencoded:
        return has_symbol_named(index, name)
    return any(path not in unencoded for path, _ in list_places_named(index, name))


def _is_member(place: Place, word: bytes, parts: list[bytes] | None) -> bool:
    """Whether a place means a member that no other symbol has the name of."""
    if place.is_template and place.text[place.offset - 1 : place.offset] == b"." and _is_expression(place):
        return True
    if place.literal is None or parts != [word]:
        return False
    holder = Brackets(place.text).holder_at(place.literal[0])
    return holder is not None and (holder.in_class or holder.reflects)


def _is_expression(place: Place) -> bool:
    start = max(0, place.offset - _FARTHEST)
    opening = max(place.text.rfind(each, start, place.offset) for each in _OPENINGS)
    return opening > max(place.text.rfind(each, start, place.offset) for each in _CLOSINGS)


def _of_module(index: Index, path: str, unencoded: Unencoded) -> Iterator[Finding]:
    separator = find_language(path).module_separator
    if not separator:
        return
    module = path.rpartition(".")[0].removesuffix("/__init__").replace("/", separator)
    name = module.rpartition(separator)[2]
    if not is_word(name):
        return
    for found, place in _places(index, name, unencoded):
        if place.literal is None:
            continue
        literal = place.text[place.literal[0] + 1 : place.literal[1] - 1].decode(errors="replace")
        # Such as `src.shop.urls`, of which `src` is no part of the name.
        if separator in literal and (module == literal or module.endswith(f"{separator}{literal}")):
            yield _finding(found, place.offset, literal, path)


def _of_path(index: Index, path: str, unencoded: Unencoded) -> Iterator[Finding]:
    for found, offset, spelled in find_paths(index, path, False, unencoded):
        yield _finding(found, offset, spelled, path)


def find_paths(
    index: Index, path: str, in_prose: bool, unencoded: Unencoded
) -> Iterator[tuple[FileOccurrences, int, str]]:
    """Where the path of a file is spelled, from the folder of who names it or from the root: in documents and comments,
    or elsewhere."""
    base = path.rpartition("/")[2]
    stem = max(re.findall(r"\w+", base), key=len, default="")
    if not is_word(stem):
        return
    places = (
        find_in_prose(index, stem)
        if in_prose
        else ((found, place.offset) for found, place in _places(index, stem, unencoded))
    )
    told: set[tuple[str, int]] = set()
    for found, offset in places:
        before = _PATH_BEFORE.search(found.text, max(0, offset - _LONGEST), offset)
        behind = _PATH.match(found.text, offset, offset + _LONGEST)
        if before is None or behind is None:
            continue
        spelled = (before[0] + behind[0]).decode(errors="replace").rstrip(".")
        if not spelled.endswith(base) or (found.file.path, before.start()) in told:
            continue
        folder = posixpath.dirname(found.file.path)
        if path in (posixpath.normpath(posixpath.join(folder, spelled)), posixpath.normpath(spelled.lstrip("/"))):
            told.add((found.file.path, before.start()))
            yield found, offset, spelled


def find_in_prose(index: Index, name: str) -> Iterator[tuple[FileOccurrences, int]]:
    """Where a name stands in documents and comments."""
    for found in find_occurrences(index, name, lambda path: True):
        language = BY_NAME.get(found.file.language)
        is_prose = language is not None and language.is_prose
        comments = [] if is_prose else _comments(index, found.file.path)
        for offset in found.offsets:
            if is_prose or any(begin <= offset < end for begin, end in comments):
                yield found, offset


def _places(index: Index, name: str, unencoded: Unencoded) -> Iterator[tuple[FileOccurrences, Place]]:
    """Where a name stands, but for documents and comments."""
    known = ((found, None) for found in find_occurrences(index, name, lambda path: path not in unencoded))
    for found, contents in chain(known, _now(name, unencoded)):
        language = BY_NAME.get(found.file.language)
        if language is not None and language.is_prose:
            continue
        comments = contents.facts.comments if contents is not None else _comments(index, found.file.path)
        literals = Literals(found.text, comments)
        is_template = language is not None and (language.is_template or language.has_regions)
        for offset in found.offsets:
            if not any(begin <= offset < end for begin, end in comments):
                yield found, Place(found.text, offset, literals.around(offset), is_template)


def _now(name: str, unencoded: Unencoded) -> Iterator[tuple[FileOccurrences, Contents]]:
    for path, each in unencoded.items():
        offsets = find_words(each.source, name.encode()) if each is not None else []
        if each is not None and offsets:
            file = File(0, path, each.facts.language, len(each.source), find_language(path).rules.is_test(path))
            yield FileOccurrences(file, each.source, offsets), each


def _finding(found: FileOccurrences, offset: int, name: str, symbol: str) -> Finding:
    line, column = LinesOf(found.text).place(offset)
    return Finding(found.file.path, line, column, False, _SPELLED, name, symbol)


def _comments(index: Index, path: str) -> list[tuple[int, int]]:
    packed = index.facts(path)
    return unpack(decompress(packed)).comments if packed else []
