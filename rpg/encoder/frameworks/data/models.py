"""Models and the tables and columns that they have by convention: Active Record, Eloquent, GORM, Spring Data, EF Core.

In: a file (`Source`). Out: rows. A model names the table that its name makes, if something declares one; a struct of
GORM declares it. Queries on a model, or within its class, name columns. Absent: queries on what a variable holds,
associations that say no key, Django and Prisma, whose tables their own migrations name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.frameworks.data.declared import COLUMN, MODEL, TABLE, around, row
from rpg.encoder.frameworks.data.inflection import plural, snake, table_of
from rpg.encoder.frameworks.data.statements import names_in, words_of
from rpg.encoder.frameworks.rows import Reading, Setting
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import LONGEST, pieces
from rpg.graph import CLASS_KINDS

_RECORD: Final = re.compile(
    r"^[ \t]*class\s+(?P<name>[\w:]+)\s*<\s*(?:::)?(?:ApplicationRecord|ActiveRecord::Base)\b", re.MULTILINE
)
_QUERIED: Final = re.compile(
    r"(?:(?<![\w.:])(?P<model>[A-Z]\w*(?:::[A-Z]\w*)*)\.|(?P<chained>\.)|(?<![\w.:@]))"
    r"(?P<method>where|find_by!?|find_or_create_by!?|find_or_initialize_by|exists\?|rewhere|order|reorder|group|pluck|having"
    r"|not|joins|update_all|select|distinct|sum|maximum|minimum|average)[( ]"
)
_OF_MANY: Final = re.compile(r"(?<=\.)(?P<name>[a-z]\w*[^s\W]s)\s*\Z")
"""`user.orders.where(…)`: of many objects that another one has, whose table is called so."""
LONGEST_CHAIN: Final = 60
_BY_KEY: Final = frozenset("where find_by find_or_create_by find_or_initialize_by rewhere not".split())
_FOUND_BY: Final = re.compile(r"(?<![\w.:])(?P<model>[A-Z]\w*(?:::[A-Z]\w*)*)\.find_by_(?P<names>\w+)")
_FOUND_IN: Final = re.compile(r"(?<![\w.:])(?P<model>[A-Z]\w*(?:::[A-Z]\w*)*)\.arel_table\[\s*:(?P<name>\w+)")
_ASSOCIATED: Final = re.compile(
    r"^[ \t]*(?P<kind>belongs_to|has_many|has_one)[ (]\s*:(?P<name>\w+)(?P<rest>[^\n]*)", re.MULTILINE
)
_FOREIGN: Final = re.compile(r"\bforeign_key:\s*[:'\"](?P<name>\w+)")
_CLASSED: Final = re.compile(r"\bclass_name:\s*['\"](?P<name>[\w:]+)")
_ELOQUENT: Final = re.compile(
    r"^[ \t]*(?:final\s+|abstract\s+)?class\s+(?P<name>\w+)\s+extends\s+(?:Model|Authenticatable|Pivot)\b", re.MULTILINE
)
_CHAIN: Final = re.compile(
    r"(?<![\w>$\\])(?:(?P<model>[A-Z]\w*)::(?=(?:query|where|select|orderBy|latest|with|find|pluck|count|first)\w*\()|DB::table\(\s*['\"](?P<table>\w+)['\"]\))"
)
_LINK: Final = re.compile(
    r"(?:->|::)(?P<method>where(?P<magic>[A-Z]\w*)?|orWhere(?P<either>[A-Z]\w*)?|orderBy(?:Desc)?|pluck|increment|decrement"
    r"|latest|oldest|groupBy|select|value|sum|max|min|firstWhere)\("
)
_OF_QUERY: Final = frozenset(
    "Null NotNull In NotIn Between NotBetween Date Day Month Year Time Column Exists NotExists Has DoesntHave Raw"
    " JsonContains JsonLength Relation Not HasMorph Like Key KeyNot Any All None FullText".split()
)
_FIRST: Final = re.compile(r"\s*\[?\s*['\"](?P<name>[a-z_][\w.]*)['\"]")
_STRUCT: Final = re.compile(r"\bgorm:\"(?P<tag>[^\"]*)\"")
_FIELD: Final = re.compile(
    r"^[ \t]*(?P<name>[A-Z]\w*)[ \t]+(?P<type>[\w.*\[\]]+)[^`\n]*(?:`(?P<tag>[^`\n]*)`)?", re.MULTILINE
)
_FRAGMENT: Final = re.compile(
    r"(?:\.|->)\s*(?:Joins|Where|Order|Group|Select|Having|Or|Not|join(?:s|Sub)?|where(?:Raw)?|selectRaw|orderByRaw"
    r"|reorder|order|group|pluck|having)\(\s*(?P<quote>[\"'`])(?P<text>(?:(?!(?P=quote))[^\\]){3,600})(?P=quote)"
)
_GORM_TABLE: Final = re.compile(r"\.Table\(\s*\"(?P<name>\w+)(?:\s+(?:AS\s+)?\w+)?\"", re.IGNORECASE)
_ENTITY: Final = re.compile(r"@Table\(\s*(?:name\s*=\s*|value\s*=\s*)?\"(?P<name>\w+)\"")
_JAVA_FIELD: Final = re.compile(
    r"(?P<marks>(?:^[ \t]*@[^\n]*\n)*)^[ \t]*(?:private|protected|public)?[ \t]*(?!static|return|final static)"
    r"[\w<>\[\], .?]+[ \t]+(?P<name>[a-z]\w*)\s*(?:=[^;\n]*)?;",
    re.MULTILINE,
)
_KOTLIN_FIELD: Final = re.compile(r"(?P<marks>(?:@[^\n]*\s)*)\b(?:val|var)\s+(?P<name>\w+)\s*:")
_PLAIN_ENTITY: Final = re.compile(
    r"@Entity\b(?:\([^)]*\))?(?:\s*@\w+(?:\.\w+)*(?:\((?:[^()]|\([^()]*\))*\))?)*\s*"
    r"(?:public\s+|open\s+|final\s+|data\s+|abstract\s+)*class\s+(?P<name>\w+)"
)
_SET: Final = re.compile(r"\bDbSet<\s*[\w.]+\s*>\s+(?P<name>\w+)")
_APART: Final = (
    "@Transient",
    "@OneToMany",
    "@ManyToMany",
    "@MappedCollection",
    "@OneToOne",
    "@ManyToOne",
    "@Column",
    "@JoinColumn",
)
_TO_TABLE: Final = re.compile(r"\.ToTable\(\s*(?:name:\s*)?\"(?P<name>\w+)\"")
_NAMED_COLUMN: Final = re.compile(r"\.HasColumnName\(\s*\"(?P<name>\w+)\"")


def rows_of_models(source: Source) -> Iterator[Setting | Reading]:
    language = source.language
    if language == "ruby":
        yield from _of_record(source)
    elif language == "php":
        yield from _of_eloquent(source)
    elif language == "go":
        yield from _of_gorm(source)
    elif language in ("java", "kotlin"):
        yield from _of_spring(source)
    elif language == "csharp":
        yield from _of_entity_framework(source)


def _column(source: Source, table: str, name: str, at: int) -> Reading:
    return row(source, COLUMN, f"{table}.{name}", around(source, at), at)


# Active Record


def _of_record(source: Source) -> Iterator[Reading]:
    text = source.text
    tables: dict[int, str] = {}
    for found in _RECORD.finditer(text):
        number = source.innermost(found.start("name"), CLASS_KINDS)
        tables[number] = table_of(found["name"])
        yield row(source, TABLE, tables[number], number, found.start("name"), by=MODEL)
    for found in _ASSOCIATED.finditer(text) if tables else ():
        key = _FOREIGN.search(found["rest"])
        own = tables.get(source.innermost(found.start("kind"), CLASS_KINDS), "")
        if key is None or not own:
            continue
        other = _CLASSED.search(found["rest"])
        table = own if found["kind"] == "belongs_to" else table_of(other["name"]) if other else plural(found["name"])
        yield _column(source, table, key["name"], found.start("rest") + key.start("name"))
    for found in _QUERIED.finditer(text):
        if source.is_comment(found.start()):
            continue
        model = found["model"]
        many = None
        if model:
            table = table_of(model)
        else:
            many = (
                _OF_MANY.search(text, max(0, found.start() - LONGEST_CHAIN), found.start())
                if found["chained"]
                else None
            )
            own_table = tables.get(source.innermost(found.start(), CLASS_KINDS), "")
            table = many["name"] if many is not None else "" if found["chained"] else own_table
        if model and table:
            yield row(source, TABLE, table, around(source, found.start()), found.start("model"))
        for each in _in_query(source, found, table):
            is_stated = many is None or f"{table}." in text[found.end() : found.end() + LONGEST_CHAIN]
            yield each if is_stated else each._replace(known=False)
    for pattern in (_FOUND_BY, _FOUND_IN):
        for found in pattern.finditer(text):
            names = found.groupdict().get("names")
            for name in names.split("_and_") if names else [found["name"]]:
                if not source.is_comment(found.start()):
                    yield _column(source, table_of(found["model"]), name.rstrip("!"), found.start("model"))


def _in_query(source: Source, found: re.Match[str], table: str) -> Iterator[Reading]:
    text = source.text
    end = min(len(text), found.end() + LONGEST)
    if text[found.end() - 1] == " ":
        end = text.find("\n", found.end()) if "\n" in text[found.end() : end] else end
    for each in pieces(text, found.end(), end):
        if each.keyword and table and found["method"].rstrip("!") in _BY_KEY:
            at = text.rfind(each.keyword, found.end() - 1, each.start)
            yield _column(source, table, each.keyword, at if at > 0 else each.start)
        elif each.text[:1] == ":" and each.text[1:].isidentifier() and table and found["method"] != "joins":
            yield _column(source, table, each.text[1:], each.start + 1)
        elif each.text[:1] in "\"'":
            yield from _fragment(source, each.text[1:-1], each.start + 1, table)


def _fragment(source: Source, said: str, start: int, table: str = "") -> Iterator[Reading]:
    """A piece of a statement: tables that it joins, columns with their table, the first one of a known table."""
    words = list(words_of(said, start))
    joined = [each for each in names_in(words) if not each.column] if "join" in said.lower() else []
    maker = around(source, start)
    for one in joined:
        yield row(source, TABLE, one.table, maker, one.at)
    aliases = {
        words[at + 1].name
        for at, each in enumerate(words[:-1])
        if each.name == "as" or (each.name in {one.table for one in joined} and not each.first)
    }
    for each in words:
        if each.first and each.first not in aliases:
            yield row(source, COLUMN, f"{each.first}.{each.name}", maker, each.at)
            yield row(source, TABLE, each.first, maker, max(each.at - len(each.first) - 1, start))
    if table and words and not words[0].first and words[0].name.isidentifier():
        yield row(source, COLUMN, f"{table}.{words[0].name}", maker, words[0].at)


# Eloquent


def _of_eloquent(source: Source) -> Iterator[Reading]:
    text = source.text
    for found in _ELOQUENT.finditer(text):
        number = source.innermost(found.start("name"), CLASS_KINDS)
        if "$table" not in text:
            yield row(source, TABLE, table_of(found["name"]), number, found.start("name"), by=MODEL)
    yield from _fragments(source)
    for found in _CHAIN.finditer(text):
        if source.is_comment(found.start()):
            continue
        table = found["table"] or table_of(found["model"])
        if found["model"]:
            yield row(source, TABLE, table, around(source, found.start()), found.start("model"))
        yield from _in_chain(source, table, found.end("model") if found["model"] else found.end())


def _in_chain(source: Source, table: str, at: int) -> Iterator[Reading]:
    """Columns that calls on one table name, up to the end of the statement; what stands in their arguments is not
    looked at."""
    text, limit = source.text, min(len(source.text), at + LONGEST)
    depth = 0
    for mark in re.finditer(r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|[(\[{)\]};]|->|::", text[at:limit]):
        sign = mark[0]
        if sign in ("(", "[", "{"):
            depth += 1
        elif sign in (")", "]", "}"):
            depth -= 1
            if depth < 0:
                return
        elif sign == ";" and not depth:
            return
        elif sign in ("->", "::") and not depth:
            link = _LINK.match(text, at + mark.start())
            if link is None:
                if re.match(r"->(?:left|right|cross)?[jJ]oin", text[at + mark.start() : at + mark.start() + 12]):
                    return
                continue
            magic = link["magic"] or link["either"]
            if magic and magic not in _OF_QUERY:
                yield _column(source, table, snake(magic), at + mark.start() + 2)
            elif (first := _FIRST.match(text, link.end())) is not None:
                of, _, name = first["name"].rpartition(".")
                yield _column(source, of or table, name, first.start("name"))


def _fragments(source: Source) -> Iterator[Reading]:
    for found in _FRAGMENT.finditer(source.text):
        if "." in found["text"] or "join" in found["text"].lower():
            yield from _fragment(source, found["text"], found.start("text"))


# GORM


def _of_gorm(source: Source) -> Iterator[Setting | Reading]:
    text = source.text
    if "gorm" not in text:
        return
    definitions = source.facts.definitions
    for found in _GORM_TABLE.finditer(text):
        yield row(source, TABLE, found["name"], around(source, found.start()), found.start("name"))
    yield from _fragments(source)
    if 'gorm:"' not in text and "gorm.Model" not in text:
        return
    for number, each in enumerate(definitions):
        body = text[each.start_byte : each.end_byte] if each.kind == "struct" else ""
        if 'gorm:"' not in body and "gorm.Model" not in body:
            continue
        named = re.search(rf"\)?\s*\(\s*\w*\s*\*?{each.name}\)\s*TableName\(\)\s*string\s*\{{\s*return\s*\"(\w+)", text)
        table = named[1] if named else table_of(each.name)
        line = source.line(each.name_byte)
        if not named:
            yield Setting(TABLE, table, source.symbol(number), line, MODEL, "", True)
            yield row(source, TABLE, table, number, each.name_byte, by=MODEL)
        for field, at in [(one, position) for position, one in enumerate(definitions) if one.parent == number]:
            end = text.find("\n", field.name_byte)
            tag = _STRUCT.search(text, field.name_byte, end if end > 0 else len(text))
            said = tag["tag"] if tag else ""
            joined = re.search(r"many2many:(\w+)", said)
            if joined is not None:
                yield Setting(TABLE, joined[1], source.symbol(at), source.line(field.name_byte), MODEL, "", True)
                continue
            column = re.search(r"column:(\w+)", said)
            name = column[1] if column else snake(field.name)
            yield Setting(COLUMN, f"{table}.{name}", source.symbol(at), source.line(field.name_byte), MODEL, "", True)
            yield row(source, COLUMN, f"{table}.{name}", at, field.name_byte, by=MODEL)


# Spring Data and JPA


def _of_spring(source: Source) -> Iterator[Reading]:
    text = source.text
    yield from _of_plain_entities(source)
    for found in _ENTITY.finditer(text) if "@Table" in text else ():
        owner = next(
            (
                number
                for number, each in enumerate(source.facts.definitions)
                if each.kind in CLASS_KINDS and found.end() < each.name_byte < found.end() + 400
            ),
            0,
        )
        if not owner:
            continue
        definition = source.facts.definitions[owner]
        for field in _JAVA_FIELD.finditer(text, definition.name_byte, definition.end_byte):
            if not any(each in field["marks"] for each in _APART):
                yield row(
                    source, COLUMN, f"{found['name']}.{snake(field['name'])}", owner, field.start("name"), by=MODEL
                )


def _of_plain_entities(source: Source) -> Iterator[Reading]:
    """Entities that say no table have one of their own name."""
    text = source.text
    for found in _PLAIN_ENTITY.finditer(text) if "@Entity" in text else ():
        if "@Table" in text[max(0, found.start() - LONGEST_CHAIN) : found.end()]:
            continue
        owner = source.innermost(found.start("name"), CLASS_KINDS)
        definition = source.facts.definitions[owner]
        if not owner or definition.name != found["name"]:
            continue
        table = snake(found["name"])
        yield row(source, TABLE, table, owner, found.start("name"), by=MODEL)
        pattern = _KOTLIN_FIELD if source.language == "kotlin" else _JAVA_FIELD
        for field in pattern.finditer(text, definition.name_byte, definition.end_byte):
            if not any(each in field["marks"] for each in _APART):
                yield row(source, COLUMN, f"{table}.{snake(field['name'])}", owner, field.start("name"), by=MODEL)


# EF Core


def _of_entity_framework(source: Source) -> Iterator[Reading]:
    text = source.text
    for found in _SET.finditer(text) if "DbSet" in text else ():
        yield row(source, TABLE, found["name"].lower(), around(source, found.start()), found.start("name"), by=MODEL)
    tables = list(_TO_TABLE.finditer(text))
    for at, found in enumerate(tables):
        maker = around(source, found.start())
        end = source.facts.definitions[maker].end_byte if maker else len(text)
        if at + 1 < len(tables):
            end = min(end, tables[at + 1].start())
        yield row(source, TABLE, found["name"], maker, found.start("name"))
        start = source.facts.definitions[maker].start_byte if at == 0 and maker else found.end()
        for column in _NAMED_COLUMN.finditer(text, start, end):
            yield row(source, COLUMN, f"{found['name']}.{column['name']}", maker, column.start("name"))
