"""Where code names a table or a column: in statements of SQL in its strings, and in calls of query builders.

In: a file (`Source`). Out: rows. A statement is read as far as its strings say it; what is filled in is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.frameworks.data.declared import COLUMN, TABLE, around, row
from rpg.encoder.frameworks.data.statements import BEGINS, Word, names_in, words_of
from rpg.encoder.frameworks.data.words import begin_with, has_one
from rpg.encoder.frameworks.rows import Reading
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import LONGEST

MOST_READ: Final = 100_000
"""The most bytes of statements of one file that are read."""
_QUOTED: Final = re.compile(rf"[\"'`](?=\s*[A-Za-z]{{4,8}}\s)(?=(?i:{BEGINS.pattern}))")
"""The last character of the quotation mark in front of a statement. It begins with a set of characters, which is
searched several times as fast as alternatives."""
_HERE_DOCUMENT: Final = re.compile(r"<<[~-]?['\"]?(?P<end>[A-Z_]*SQL[A-Z_]*)['\"]?[^\n]*\n")
_JOINT: Final = re.compile(
    r"(?:\s|//[^\n]*|#[^\n]*)*(?:[+.]|\\\n)?(?:\s|//[^\n]*|#[^\n]*)*(?:[fFrRbB]{0,2})(?P<quote>\"\"\"|'''|[\"'`])"
)
_BUILDERS: Final = re.compile(
    r"\b(?:knex|trx|tx)\(\s*[\"'](?P<called>\w+)(?:\s+as\s+\w+)?[\"']"
    r"|(?:\.|->)(?:\w*[jJ]oin)\(\s*[\"'](?P<joined>\w+)(?:\s+as\s+\w+)?[\"']\s*,"
    r"|(?:\.|->|::)(?:from|into|table|alterTable|dropTable|dropTableIfExists|hasTable|hasColumn|insertInto|updateTable"
    r"|deleteFrom|selectFrom|inTable)\(\s*[\"'](?P<named>\w+)(?:\s+as\s+\w+)?[\"']"
    r"|\b(?:add_column|remove_column|rename_column|change_column|add_index|add_foreign_key|drop_table|remove_index)"
    r"[( ]\s*[:\"'](?P<migrated>\w+)"
)
_BUILDER_WORDS: Final = (
    *begin_with("knex( tx( trx( oin( from( From( into( Into( able( IfExists( hasColumn(", r"\s*[\"']"),
    *begin_with("_column _index _foreign_key drop_table", r"[( ]\s*[:\"']"),
)
"""One of them is in every text in which the expression above finds anything."""
_OF_BUILDERS: Final = re.compile(r"(?i)knex|kysely|supabase|DB::|Schema::|ActiveRecord|op\.|QueryBuilder|createClient")


def names_of(source: Source) -> Iterator[Reading]:
    if source.language == "sql":
        return
    seen = 0
    last = 0
    text = source.text
    for found in _QUOTED.finditer(text):
        start = found.end()
        begin = BEGINS.match(text, start) if start >= last else None
        first = begin[0].split()[0] if begin else ""
        quote = found[0]
        if quote != "`" and start > 2 and text.startswith(quote * 2, start - 3):
            quote *= 3
        if not (first.isupper() or first.islower()) or source.is_comment(start - len(quote)):
            continue
        if seen > MOST_READ:
            break
        words, last = _statement(text, start, quote)
        seen += last - start
        yield from _rows(source, words, start)
    for found in _HERE_DOCUMENT.finditer(text) if "SQL" in text else ():
        end = text.find(found["end"], found.end(), found.end() + LONGEST)
        if end > 0:
            yield from _rows(source, list(words_of(text[found.end() : end], found.end())), found.end())
    calls = list(_BUILDERS.finditer(text)) if has_one(text, _BUILDER_WORDS) else []
    is_used = bool(calls) and _OF_BUILDERS.search(text) is not None
    for found in calls:
        group = found.lastgroup or "named"
        if not source.is_comment(found.start()) and (is_used or group in ("called", "joined", "migrated")):
            known = is_used
            yield row(source, TABLE, found[group], around(source, found.start()), found.start(group), known)


def _rows(source: Source, words: list[Word], start: int) -> Iterator[Reading]:
    maker = around(source, start)
    for each in names_in(words):
        if each.column:
            yield row(source, COLUMN, f"{each.table}.{each.column}", maker, each.at)
        else:
            yield row(source, TABLE, each.table, maker, each.at)


def _statement(text: str, start: int, quote: str) -> tuple[list[Word], int]:
    """Its words, also of strings that are added to it, and where it ends."""
    words: list[Word] = []
    at, limit = start, min(len(text), start + LONGEST)
    while True:
        end = at
        while True:
            end = text.find(quote, end, limit)
            if end < 0:
                return words, limit
            if text[end - 1] != "\\":
                break
            end += 1
        words += words_of(text[at:end], at)
        joint = _JOINT.match(text, end + len(quote))
        if joint is None or joint.end() >= limit:
            return words, end
        at, quote = joint.end(), joint["quote"]
