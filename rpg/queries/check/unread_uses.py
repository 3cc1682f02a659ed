"""Places that have the name of what changed, in code of which no use is read: whether they are broken, nobody judges.

In: an index of the work tree, and what changed. Out: the places, and the languages of which that is so. Absent:
comments, strings and definitions of the name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from rpg.encoder.languages import find_language
from rpg.encoder.parsing.packing import unpack
from rpg.encoder.resolve import Contents
from rpg.queries.account.literals import Literals
from rpg.queries.account.occurrences import LinesOf, find_occurrences, find_words, is_word
from rpg.queries.graph.marks import Marks
from rpg.queries.graph.unread import find_unread_headers, find_unread_languages, is_used_unread, may_be_use
from rpg.system.compression import decompress

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

MOST = 50
"""The most symbols that are looked for."""
Unencoded = Mapping[str, Contents | None]


class UnreadUses(NamedTuple):
    places: list[tuple[str, int]]
    languages: list[str]


class _File(NamedTuple):
    path: str
    language: str
    text: bytes
    offsets: list[int]
    contents: Contents | None


def find_unread_uses(
    index: Index, changed: Iterable[str], files: Mapping[str, str], unencoded: Unencoded
) -> UnreadUses:
    """`changed`: ids of symbols that were there before. `files`: the languages of the changed files."""
    places: set[tuple[str, int]] = set()
    languages = set(find_unread_languages(index, files.values()))
    languages.update(each for each in files.values() if is_used_unread(each, each))
    if languages:
        for symbol in sorted(changed)[:MOST]:
            path, _, qualified = symbol.partition("::")
            name = qualified.rpartition(".")[2]
            language = files.get(path, "")
            if language and is_word(name):
                places.update(_places_of(index, name, language, unencoded))
    return UnreadUses(sorted(places), sorted(languages))


def _places_of(index: Index, name: str, language: str, unencoded: Unencoded) -> Iterator[tuple[str, int]]:
    headers = find_unread_headers(index, language)
    word = name.encode()
    for file in _files_with(index, name, unencoded):
        is_own = is_used_unread(file.language, file.language) and file.language == language
        if not (is_own or is_used_unread(file.language, language) or file.path.endswith(headers)):
            continue
        facts = file.contents.facts if file.contents is not None else None
        packed = index.facts(file.path) if facts is None else None
        facts = unpack(decompress(packed)) if packed else facts
        comments = facts.comments if facts is not None else []
        defined = {each.name_byte for each in facts.definitions} if facts is not None else set()
        marks, literals, lines = Marks(file.text), Literals(file.text, comments), LinesOf(file.text)
        for offset in file.offsets:
            if offset in defined or marks.is_in_comment(offset) or literals.around(offset) is not None:
                continue
            if is_own or may_be_use(file.text, offset, word):
                yield file.path, lines.place(offset)[0]


def _files_with(index: Index, name: str, unencoded: Unencoded) -> Iterator[_File]:
    known = (
        _File(found.file.path, found.file.language, found.text, found.offsets, None)
        for found in find_occurrences(index, name, lambda path: path not in unencoded)
    )
    now = (
        _File(path, each.facts.language, each.source, find_words(each.source, name.encode()), each)
        for path, each in unencoded.items()
        if each is not None
    )
    return (each for each in chain(known, now) if each.offsets and find_language(each.path).grammar)
