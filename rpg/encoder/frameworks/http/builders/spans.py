"""Where the brackets of a chain of calls begin and end.

In: a file (`Source`), a pattern whose first group is a path. Out: spans with their paths.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import pieces, split_at_commas
from rpg.graph import FUNCTION_KINDS

_LINK: Final = re.compile(r"\)\s*(?://[^\n]*\n\s*)*\.\s*\w+(?:::<[^>]*>)?\(")
"""A bracket that closes, and the method behind it."""


def find_spans(source: Source, pattern: re.Pattern[str], opening: str) -> Iterator[tuple[int, int, str]]:
    for found in pattern.finditer(source.text):
        at = source.text.index(opening, found.start() if opening == "(" else found.end() - 1)
        yield found.start(), end_of_bracket(source.text, at), found[1]


def end_of_bracket(text: str, at: int) -> int:
    """Where what stands in the bracket at a position ends."""
    for each in pieces(text, at + 1, len(text)):
        at = each.start + len(each.text)
    return at


def end_of_chain(text: str, at: int) -> int:
    """Where a chain ends that goes on with methods behind the bracket at a position: `scope("/x").route(…)`."""
    end = _closing(text, at)
    while (link := _LINK.match(text, end)) is not None:
        end = _closing(text, link.end() - 1)
    return end


def _closing(text: str, at: int) -> int:
    """Where the bracket is that closes the one at a position."""
    end = at
    for _, end in split_at_commas(text, at + 1, len(text)):  # noqa: B007
        pass
    return end


def find_maker(source: Source, byte: int) -> int:
    """The innermost function around a place; 0 if there is none."""
    return source.innermost(byte, FUNCTION_KINDS)
