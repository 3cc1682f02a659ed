"""The files that a graph leaves out although code in them may name a symbol: too large, broken, crashed, unreadable;
the folders that could not be entered; and those in which resolution stopped at a limit.

In: an index, its header, a language. Out: their paths. Files that are not code of the repository do not count:
binaries, lock files, links, vendored and excluded files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rpg.encoder.languages import find_language, may_name_code
from rpg.encoder.source_files.selection import NO_CODE
from rpg.queries.graph.families import find_language_family
from rpg.queries.graph.memo import memoize

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

_ANY_SIZE = 1 << 40
"""The size at which such a file is judged: whether it would be data if it were large."""


def unread_files(index: Index, header: Mapping[str, Any], language: str) -> list[tuple[str, bool]]:
    """Path and whether it is a test, for files in the language or one of its family, or that may name code of any."""
    found = memoize(index, "files that were not read", lambda: _unread(header))
    return [
        (path, test)
        for path, other, test in found
        if not other or find_language_family(other) == find_language_family(language)
    ]


def find_limited_files(header: Mapping[str, Any], language: str, word: str) -> list[tuple[str, str]]:
    """Path and reason, for files in the language or one of its family in which something is not followed to its end
    that may have a word, or any if it is empty."""
    return [
        (str(each["path"]), str(each["reason"]))
        for each in header.get("limited", ())
        if find_language_family(find_language(str(each["path"])).name) == find_language_family(language)
        and (not word or "words" not in each or word in each["words"])
    ]


def _unread(header: Mapping[str, Any]) -> list[tuple[str, str, bool]]:
    """Path, language if only code of it is in the file, whether it is a test."""
    found = []
    for each in header.get("skipped", ()):
        path, reason = str(each["path"]), str(each["reason"])
        if reason in NO_CODE:
            continue
        if path.endswith("/"):
            found.append((path, "", False))  # nobody knows what is in it
            continue
        language = find_language(path)
        names_all = may_name_code(path, language.name, _ANY_SIZE)
        if names_all or not (language.is_text or language.configures):
            found.append((path, "" if names_all else language.name, language.rules.is_test(path)))
    return found
