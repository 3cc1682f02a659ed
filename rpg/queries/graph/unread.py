"""Languages of which only symbols and imports are read, where that limits an answer.

In: an index, the languages of symbols. Out: the languages of its files that may use these symbols unseen, and a place
in such code that may be a use, by its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from rpg.encoder.languages import BY_NAME
from rpg.queries.graph.families import find_language_family
from rpg.queries.graph.memo import memoize
from rpg.stores.index.reader import list_files

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

_PLAIN: Final = re.compile(rb"[a-z]+")
_MEMBER: Final = re.compile(rb"(?:->|::|(?<![\d.])\.)[ \t]*\Z")


def reaches(language: str, other: str) -> bool:
    """Whether code of a language of which no use is read runs in one program with the other one's, and names it."""
    known = BY_NAME.get(language)
    return known is not None and find_language_family(other) in known.reaches


def is_used_unread(language: str, other: str) -> bool:
    """Whether code of a language may use what the other one, or itself, defines, and no such use is read."""
    known = BY_NAME.get(language)
    if known is None or not known.is_outlined:
        return False
    return find_language_family(language) == find_language_family(other) or reaches(language, other)


def languages_of(index: Index) -> frozenset[str]:
    """Those of all files."""
    return memoize(index, "languages of files", lambda: frozenset(each.language for each in list_files(index)))


def find_unread_languages(index: Index, languages: Iterable[str]) -> list[str]:
    """Those in which symbols of these languages may be used, and of which no use is read."""
    wanted = set(languages)
    return [each for each in sorted(languages_of(index)) if any(is_used_unread(each, language) for language in wanted)]


def find_unread_headers(index: Index, language: str) -> tuple[str, ...]:
    """Suffixes of headers, in other languages, that are part of code that may use a language's symbols unseen."""
    found = [suffix for each in sorted(languages_of(index)) if reaches(each, language) for suffix in _headers(each)]
    return tuple(found)


def _headers(language: str) -> tuple[str, ...]:
    return BY_NAME[language].headers


def may_be_use(text: bytes, offset: int, word: bytes) -> bool:
    """Whether a name in code of another language may be a use: a word of plain language only where something is
    called or sent there."""
    end = offset + len(word)
    if _PLAIN.fullmatch(word) is None or text[end : end + 1] in (b"(", b":"):
        return True
    if _MEMBER.search(text, max(0, offset - 20), offset) is not None:
        return True
    return text[end : end + 1] == b"]" and text[offset - 1 : offset].isspace()


def format_unread(languages: Sequence[str]) -> str:
    return f"uses in {' and '.join(languages)} are not read, only symbols and imports"
