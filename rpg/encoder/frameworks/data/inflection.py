"""The names that models give their tables and columns by convention.

In: the name of a class or a field. Out: the name in small letters, for a table in the plural as English makes it.
"""

from __future__ import annotations

import re
from typing import Final

_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SAME: Final = frozenset(
    "equipment information rice money species series fish sheep news police media data metadata audio music traffic"
    " feedback history_data exif".split()
)
_IRREGULAR: Final = {
    "person": "people", "man": "men", "woman": "women", "child": "children", "mouse": "mice", "ox": "oxen",
    "medium": "media", "datum": "data", "quiz": "quizzes", "index": "indices", "matrix": "matrices",
    "vertex": "vertices", "analysis": "analyses", "axis": "axes", "crisis": "crises",
}  # fmt: skip


def snake(name: str) -> str:
    return _HUMP.sub("_", name).lower()


def plural(name: str) -> str:
    """Of the last word of a name in small letters."""
    head, mark, last = name.rpartition("_")
    return head + mark + _plural_of(last)


def _plural_of(word: str) -> str:
    if word in _SAME:
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    if word.endswith(("ses", "xes", "ches", "ies")) or (word.endswith("s") and not word.endswith(("ss", "us", "is"))):
        return word
    return f"{word}es" if word.endswith(("s", "x", "z", "ch", "sh")) else f"{word}s"


def table_of(model: str) -> str:
    return plural(snake(re.split(r"::|\\|\.", model)[-1]))
