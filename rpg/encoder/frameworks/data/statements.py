"""The tables and columns that a statement of SQL names.

In: its words with their places, as a string or several have them. Out: tables, and columns with their table where the
statement says it: by its name or alias, or because there is only one. Names that the statement makes itself are left
out. No grammar of a dialect is used, so that all of them are read alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

BEGINS: Final = re.compile(
    r"\s*(?:SELECT|INSERT\s+(?:OR\s+\w+\s+|IGNORE\s+)?INTO|UPDATE|DELETE\s+FROM|WITH(?:\s+RECURSIVE)?\s+\w+\s+AS|ALTER\s+TABLE"
    r"|TRUNCATE|DROP\s+TABLE|REPLACE\s+INTO|MERGE\s+INTO|CREATE\s+(?:UNIQUE\s+)?INDEX)\b",
    re.IGNORECASE,
)
_TOKEN: Final = re.compile(
    r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|(?P<quote>[`\"\[]?)(?P<name>[A-Za-z_]\w*)[`\"\]]?"
    r"(?:\.[`\"\[]?(?P<second>[A-Za-z_]\w*)[`\"\]]?)?(?:\.[`\"\[]?(?P<third>[A-Za-z_]\w*)[`\"\]]?)?|(?P<mark>[(),;*=])"
    r"|(?P<skipped>[$:@%#?][\w({]*)",
    re.DOTALL,
)
_BEFORE_TABLE: Final = frozenset("from join into update table".split())
_BETWEEN: Final = frozenset("only if exists not ignore lateral".split())
_WORDS: Final = frozenset(
    "select from where and or not null is in as on join inner left right full outer cross natural using group by order"
    " having limit offset union all distinct insert into values update set delete returning case when then else end"
    " asc desc between like ilike exists any some true false default with recursive for of nulls first last interval"
    " over partition rows range unbounded preceding following current row cast extract collate conflict do nothing"
    " excluded constraint primary key foreign references unique index create alter drop table add column if only"
    " truncate cascade restrict lateral except intersect fetch next share skip locked nowait integer int bigint text"
    " varchar char date timestamp boolean numeric now count sum min max avg coalesce replace ignore merge matched"
    " to rename type".split()
)


class Named(NamedTuple):
    table: str
    column: str
    """Empty for the table itself."""
    at: int


class Word(NamedTuple):
    name: str
    """Lower case; a mark as it is."""
    first: str
    """What stands before a dot."""
    at: int
    """Where the last part begins."""


def words_of(text: str, start: int) -> Iterator[Word]:
    for found in _TOKEN.finditer(text):
        if found["mark"]:
            yield Word(found["mark"], "", start + found.start())
        elif found["name"]:
            last = "third" if found["third"] else "second" if found["second"] else "name"
            first = found["second"] if found["third"] else found["name"] if found["second"] else ""
            yield Word(found[last].lower(), first.lower(), start + found.start(last))


def names_in(words: Iterable[Word]) -> Iterator[Named]:
    every = list(words)
    made = {each.name for at, each in enumerate(every[:-2]) if every[at + 1].name == "as" and every[at + 2].name == "("}
    aliases: dict[str, str] = {}
    tables: list[Named] = []
    taken: set[int] = set()
    for begin, each in enumerate(every):
        if each.name not in _BEFORE_TABLE or each.first:
            continue
        here = begin + 1
        while here < len(every) and every[here].name in _BETWEEN:
            here += 1
        while here < len(every):
            table = every[here]
            is_call = here + 1 < len(every) and every[here + 1].name == "(" and each.name != "into"
            if not table.name.isidentifier() or table.name in _WORDS or is_call:
                break
            taken.add(here)
            is_made = table.name in made and not table.first
            if not is_made:
                tables.append(Named(table.name, "", table.at))
            here += 1
            if here < len(every) and every[here].name == "as":
                here += 1
            if here < len(every) and every[here].name.isidentifier() and every[here].name not in _WORDS:
                taken.add(here)
                aliases[every[here].name] = "" if is_made else table.name
                here += 1
            aliases.setdefault(table.name, "" if is_made else table.name)
            if each.name != "from" or here >= len(every) or every[here].name != ",":
                break
            here += 1
    yield from tables
    only = tables[0].table if len({each.table for each in tables}) == 1 and len(set(aliases.values())) == 1 else ""
    named_as = {every[at + 1].at for at, each in enumerate(every[:-1]) if each.name == "as"}
    for at, each in enumerate(every):
        if at in taken or not each.name.isidentifier():
            continue
        if each.first:
            if known := aliases.get(each.first, ""):
                yield Named(known, each.name, each.at)
        elif only and each.name not in _WORDS - {"timestamp", "date", "text", "type"} and each.at not in named_as:
            if at + 1 < len(every) and every[at + 1].name == "(":
                continue
            yield Named(only, each.name, each.at)
