"""Option values that are one of a few words: checked with a suggestion, shown in help, completed.

In: the words, and synonyms that are accepted but not shown. Out: click parameter types.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from rpg.text.printable import quote_text

if TYPE_CHECKING:
    Words = click.ParamType[str]
else:
    Words = click.ParamType


class OneOf(Words):
    """One word."""

    name = "choice"

    def __init__(
        self, words: Sequence[str], synonyms: Sequence[str] = (), guesses: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self.guesses = guesses
        self.words = [word for word in words if word not in synonyms]
        self.accepted = frozenset(words)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return f"[{'|'.join(self.words)}]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        value = self.guesses.get(value, value)
        if value and value not in self.accepted:
            self.fail(
                f"{quote_text(value)} is none of {', '.join(self.words)}{suggestion(value, self.words)}", param, ctx
            )
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(word) for word in self.words if word.startswith(incomplete)]


class SomeOf(OneOf):
    """Words separated by commas; the option may be repeated too."""

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return f"{(param.name or 'words').upper()},…"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        for word in value.split(","):
            super().convert(word, param, ctx)
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        before, comma, last = incomplete.rpartition(",")
        used = before.split(",")
        return [
            CompletionItem(f"{before}{comma}{word}")
            for word in self.words
            if word.startswith(last) and word not in used
        ]


class Place(Words):
    """Text that the shell completes with files, or with folders only."""

    def __init__(self, name: str, completed: str = "file") -> None:
        self.name = name
        self._completed = completed

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type=self._completed)]


def suggestion(written: str, known: Sequence[str]) -> str:
    """` (did you mean …?)`, or nothing."""
    close = get_close_matches(written, known, 1)
    return f" (did you mean {close[0]}?)" if close else ""
