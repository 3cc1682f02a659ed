"""Where a text stands that is no symbol's name: an environment variable, a key of configuration, a table, a template's
path, a key of translations, a name that is gone.

In: what a client wrote. Out: every line that has it, code first, and what it seems to be. It must stand between
characters that do not continue it, as `git grep -w` has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from rpg.encoder.languages import BY_NAME
from rpg.queries.account.occurrences import LinesOf, find_occurrences

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

SHORTEST: Final = 3
LONGEST: Final = 200
MOST_LISTED: Final = 20
"""How many places are listed; more are counted."""
CODE, CONFIGURATION, TEXT = "code", "configuration", "text"
_VARIABLE: Final = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*")
_KEY: Final = re.compile(r"[\w-]+(?:\.[\w-]+)+")


class TextUse(NamedTuple):
    site: str
    """path:line:column."""
    where: str
    """code, configuration or text."""
    text: str = ""
    """The line."""


@dataclass(frozen=True, kw_only=True)
class TextUses:
    name: str
    what: str
    """What it seems to be, by its form: an environment variable or constant, a dotted key, a path, a name."""
    total: int
    places: list[TextUse]


def find_text_uses(index: Index, name: str, covers: Callable[[str], bool]) -> TextUses | None:
    """None if no file has it."""
    text = name.strip().strip("`'\"")
    if not SHORTEST <= len(text) <= LONGEST or not re.search(r"\w", text) or re.search(r"\s", text):
        return None
    uses: list[tuple[int, TextUse]] = []
    total = 0
    for found in find_occurrences(index, text, covers):
        total += len(found.offsets)
        lines = LinesOf(found.text)
        rank, where = _where(found.file.language)
        for offset in found.offsets[:MOST_LISTED]:
            line, column = lines.place(offset)
            uses.append((rank, TextUse(f"{found.file.path}:{line}:{column}", where)))
    if not total:
        return None
    uses.sort(key=lambda each: each[0])
    return TextUses(name=text, what=_what(text), total=total, places=[use for _, use in uses[:MOST_LISTED]])


def _where(language: str) -> tuple[int, str]:
    known = BY_NAME.get(language)
    if known is None or (known.is_text and known.is_prose):
        return 2, TEXT
    if known.configures or known.is_text:
        return 1, CONFIGURATION
    return 0, CODE


def _what(text: str) -> str:
    if _VARIABLE.fullmatch(text):
        return "variable"
    if "/" in text:
        return "path"
    return "key" if _KEY.fullmatch(text) else "name"
