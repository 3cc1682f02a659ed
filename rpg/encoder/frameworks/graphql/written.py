"""Schemas and documents as they are written: in files of GraphQL, and in strings of other languages.

In: a file (`Source`). Out: rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.frameworks.graphql.language import declared_in, selected_in, tokens_of
from rpg.encoder.frameworks.graphql.rows import declare_written, select
from rpg.encoder.frameworks.graphql.words import may_query
from rpg.encoder.frameworks.rows import Reading, Setting
from rpg.encoder.frameworks.source import Source

MOST_IN_STRINGS: Final = 200_000
"""The most bytes of GraphQL in the strings of one file that are read."""
_QUOTE: Final = r"""(?P<quote>\"{3}|'{3}|[`"'])"""
_BEGINNING: Final = re.compile(
    r"(?:(?:\b(?:gql|graphql)\b|/\*\s*GraphQL\s*\*/)\s*(?:<[^<>`]*>)?\s*\(?\s*(?:/\*\s*GraphQL\s*\*/\s*)?[rRfF@$]?(?P<tagged>"
    + _QUOTE
    + r")|(?P<plain>"
    + _QUOTE.replace("quote", "other")
    + r")(?=\s*(?:\#graphql\b|(?:query|mutation|subscription)\b\s*\w*\s*(?:\(\s*\$[^{}]{0,600}\))?\s*(?:@\w+\s*)?\{"
    r"|fragment\s+\w+\s+on\s+\w+\s*\{|(?:extend\s+)?(?:type|interface|input|schema)\s+\w*[^{}\n;\"'`]{0,200}\{\s*(?:\#[^\n]*\s*)*"
    r"(?:\"+[^\"]*\"+\s*)?\w+\s*[(:])))"
)  # fmt: skip
_HERE_DOCUMENT: Final = re.compile(r"<<[~\-<]?\s*['\"]?(?P<end>[A-Z_]*(?:GRAPHQL|GQL)[A-Z_]*)['\"]?[^\n]*\n")
_MENTIONED: Final = re.compile(
    r"(?:query|mutation|subscription)\b\s*\w*\s*(?:\(\s*\$[^{}]{0,600}\))?\s*(?:@\w+\s*)?\{|fragment\s+\w+\s+on\s"
)
"""In a file that has no word of GraphQL."""


def written_by(source: Source) -> Iterator[Setting | Reading]:
    text = source.text
    if source.language == "graphql":
        yield from _of_file(source)
        return
    if not may_query(source.facts) and (not ("query" in text or "mutation" in text) or _MENTIONED.search(text) is None):
        return
    last = read = 0
    for found in _BEGINNING.finditer(text):
        start = found.end()
        if start <= last or source.is_comment(found.start()):
            continue
        quote = found["quote"] or found["other"]
        end = _end_of(text, start, quote)
        if end < 0:
            continue
        last = end
        read += end - start
        if read > MOST_IN_STRINGS:
            return
        yield from _of_string(source, start, end)
    for found in _HERE_DOCUMENT.finditer(text) if "<<" in text else ():
        end = text.find(found["end"], found.end())
        if 0 < end < found.end() + MOST_IN_STRINGS:
            yield from _of_string(source, found.end(), end)


def _end_of(text: str, start: int, quote: str) -> int:
    end = start
    while True:
        end = text.find(quote, end, start + MOST_IN_STRINGS)
        if end < 0 or text[end - 1] != "\\":
            break
        end += 1
    if len(quote) == 1 and quote != "`" and "\n" in text[start:end]:
        return -1
    return end


def _of_file(source: Source) -> Iterator[Setting | Reading]:
    tokens = tokens_of(source.text, 0, len(source.text))
    by_place = {each.name_byte: number for number, each in enumerate(source.facts.definitions) if number}
    for declared in declared_in(tokens):
        number = by_place.get(declared.at, 0)
        if number or declared.type == "schema":
            yield declare_written(source, declared.type, declared.field, declared.of, number, declared.at)
    for selected in selected_in(tokens):
        if "/" in selected.path:  # the types that it names are references already
            yield select(source, selected.path, source.innermost(selected.at), selected.at)


def _of_string(source: Source, start: int, end: int) -> Iterator[Setting | Reading]:
    tokens = tokens_of(source.text, start, end)
    maker = source.innermost(start)
    for declared in declared_in(tokens):
        yield declare_written(source, declared.type, declared.field, declared.of, maker, declared.at)
    for selected in selected_in(tokens):
        yield select(source, selected.path, maker, selected.at)
