"""Whether code looks members up by the words of a list: by its name, or that of a function that returns it, in a file
that reaches members by names that it computes.

In: a list in a file, by what stands in front of it. Out: that.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rpg.encoder.languages import BY_NAME
from rpg.queries.account.literals import reflects
from rpg.queries.account.occurrences import File, find_occurrences
from rpg.queries.graph.families import find_language_family
from rpg.queries.graph.memo import memoize

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

NEAR: Final = 120
"""How many bytes in front of a list say what has it."""
MOST_FUNCTIONS: Final = 4
_NAMED: Final = re.compile(rb"(?<![\w.])(?P<name>[A-Za-z_]\w*)\s*(?::[^=\n]{0,60})?=\s*(?:(?:new\s+)?[\w.]+\(\s*|&)?\Z")
_RETURNED: Final = (
    rb"\b(?:def|function|func|fun|fn)\s+(?:self\.)?(\w+)\s*(?:\([^()\n]*\))?[^\n=]{0,40}?(?:[{:;=]|\n)\s*(?:return\s+)?"
    rb"(?:self\.|this\.|cls\.)?%s\b(?!\s*[.=(\[])"
)


def is_looked_up(index: Index, file: File, text: bytes, opening: int) -> bool:
    """`opening`: where the list begins."""
    found = _NAMED.search(text, max(0, opening - NEAR), opening)
    if found is None:
        return False
    name = found["name"].decode()
    return memoize(index, f"lookups by {name} of {file.path}", lambda: _is_looked_up(index, file, text, name))


def _is_looked_up(index: Index, file: File, text: bytes, name: str) -> bool:
    returning = re.compile(_RETURNED % re.escape(name.encode())).findall(text)
    names = [name, *(each.decode() for each in dict.fromkeys(returning))]
    family = find_language_family(file.language)
    return any(
        found.file.language in BY_NAME and find_language_family(found.file.language) == family and reflects(found.text)
        for each in names[: MOST_FUNCTIONS + 1]
        for found in find_occurrences(index, each, lambda _: True)
    )
