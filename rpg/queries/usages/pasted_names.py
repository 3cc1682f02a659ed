"""Where macros may paste a name together: `uv_ ## type ## _init`.

In: an index, a name, a language. Out: the lines of macros whose fixed parts begin and end the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from rpg.encoder.languages import BY_NAME
from rpg.queries.graph.families import find_language_family
from rpg.queries.graph.memo import memoize
from rpg.stores.index.reader import list_files, list_test_modules

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

_FEWEST = 4
"""Characters of a name that a macro must spell."""
_MOST = 4
"""The most lines that are reported."""
_MOST_READ = 400
"""The most files that are searched."""


class Paste(NamedTuple):
    head: str
    tail: str
    path: str
    line: int
    test: bool


def find_pastes(index: Index, name: str, language: str) -> list[Paste]:
    """The lines of macros that may make the name."""
    if language not in BY_NAME or not BY_NAME[language].rules.macros.pasting:
        return []
    mark = BY_NAME[language].rules.macros.pasting
    found = memoize(index, f"names that macros paste with {mark}", lambda: list(_pastes(index, language, mark)))
    return [
        each
        for each in found
        if name.startswith(each.head) and name.endswith(each.tail) and len(each.head) + len(each.tail) < len(name)
    ][:_MOST]


def _pastes(index: Index, language: str, mark: str) -> Iterator[Paste]:
    family = find_language_family(language)
    paths = {each.id: each.path for each in list_files(index) if find_language_family(each.language) == family}
    tests = set(list_test_modules(index))
    between = rf"[ \t]*{re.escape(mark)}[ \t]*"
    joined = re.compile(rf"(?<![\w.>])\w*(?:{between}\w+)+(?:{between})?")
    packed = index.read_packed_sources(list(paths)[:_MOST_READ])
    seen: set[tuple[str, str]] = set()
    for id in sorted(packed, key=paths.__getitem__):
        source = index.unpacked(*packed[id])
        if mark.encode() not in source:
            continue
        text = source.decode("utf-8", "replace")
        for each in joined.finditer(text):
            parts = re.split(between, each[0])
            # A part that is a plain word may be a parameter of the macro.
            head, tail = (part if "_" in part else "" for part in (parts[0], parts[-1]))
            if len(head) + len(tail) >= _FEWEST and (head, tail) not in seen:
                seen.add((head, tail))
                yield Paste(head, tail, paths[id], text.count("\n", 0, each.start()) + 1, paths[id] in tests)
