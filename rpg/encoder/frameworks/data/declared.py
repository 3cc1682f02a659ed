"""The tables and columns that a file declares, by statements or migrations, and the models that it maps to them.

In: a file (`Source`). Out: rows: what is declared, and for a model both what it declares, where no statement does, and
the table that it names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from rpg.encoder.frameworks.data.words import DECLARES, begin_with, has_one
from rpg.encoder.frameworks.http.requests import is_test
from rpg.encoder.frameworks.rows import Reading, Setting
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import LONGEST, SAID
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS

TABLE: Final = "table"
COLUMN: Final = "column"
STATEMENT: Final = "statement"
MIGRATION: Final = "migration"
MODEL: Final = "model"
MOST_TABLES: Final = 200
"""The most tables of one file that calls make."""
_AROUND: Final = frozenset(FUNCTION_KINDS | CLASS_KINDS)
_HEAD: Final = re.compile(r"(?i)\bcreate\s+(?:[\w]+\s+){0,4}(?:table|view)\b")
_MADE: Final = re.compile(
    r"\.createTable(?:IfNotExists)?\(\s*[\"'`](?P<knex>\w+)[\"'`]|Schema::create\(\s*['\"](?P<laravel>\w+)"
    r"|\bop\.create_table\(\s*['\"](?P<alembic>\w+)|\bcreate_table[( ]\s*[:\"'](?P<rails>\w+)"
    r"|\bCreateTable\(\s*name:\s*\"(?P<entity>\w+)"
    r"|Schema::table\(\s*['\"](?P<changed>\w+)|\bchange_table[( ]\s*[:\"'](?P<altered>\w+)"
)
_CHANGED: Final = frozenset({"changed", "altered"})
"""What adds columns to a table that is there."""
_ADDED: Final = re.compile(
    r"\badd_column[( ]\s*[:\"'](?P<table>\w+)[\"']?\s*,\s*[:\"'](?P<name>\w+)"
    r"|\badd_column\(\s*['\"](?P<alembic>\w+)['\"]\s*,\s*(?:sa\.)?Column\(\s*['\"](?P<column>\w+)"
    r"|\bAddColumn<[^>]*>+\(\s*name:\s*\"(?P<added>\w+)\",\s*(?:schema:[^,]*,\s*)?table:\s*\"(?P<entity>\w+)\""
)
_WORDS_MADE: Final = begin_with("createTable Schema::create create_table CreateTable( Schema::table change_table")
"""One of them is in every text in which the expression above finds anything; likewise below."""
_COLUMN_MADE: Final = re.compile(
    r"(?:\btable|\$table|\bt)\s*(?:\.|->)\s*(?P<type>\w+)[( ]\s*[:'\"](?P<name>\w+)['\"]?"
    r"|\b(?:sa\.)?Column\(\s*['\"](?P<column>\w+)['\"]|^[ \t]+(?P<entity>\w+)\s*=\s*table\.Column<",
    re.MULTILINE,
)
_NO_COLUMN: Final = frozenset(
    "foreign references index unique primary timestamps dropColumn on inTable dropForeign withKeyName dropIndex"
    " renameColumn comment engine charset".split()
)
_MAPPED: Final = re.compile(
    r"^[ \t]*__tablename__\s*=\s*['\"](?P<alchemy>\w+)|@Table\(\s*(?:name\s*=\s*)?['\"](?P<java>\w+)"
    r"|@Entity\(\s*(?:\{\s*name:\s*)?['\"](?P<typeorm>\w+)|\[Table\(\s*\"(?P<dotnet>\w+)"
    r"|\bprotected\s+\$table\s*=\s*['\"](?P<eloquent>\w+)|\bself\.table_name\s*=\s*['\"](?P<record>\w+)"
    r"|\)\s*TableName\(\)\s*string\s*\{\s*return\s*\"(?P<gorm>\w+)|^[ \t]*db_table\s*=\s*['\"](?P<django>\w+)"
    r"|\b(?:pg|mysql|sqlite)Table\(\s*['\"](?P<drizzle>\w+)",
    re.MULTILINE,
)
_WORDS_MAPPED: Final = (
    *begin_with("__tablename__ self.table_name db_table $table", r"\s*=\s*['\"]"),
    *begin_with("@Table( @Entity( [Table( TableName() pgTable( mysqlTable( sqliteTable("),
)
_CORE: Final = re.compile(r"(?P<variable>[\w.]+)\s*(?::[^=\n]+)?=\s*(?:sa\.|db\.)?Table\(\s*['\"](?P<name>\w+)['\"]")
_CORE_COLUMN: Final = re.compile(r"\bColumn\(\s*['\"](\w+)['\"]")
_MAPPED_COLUMN: Final = re.compile(
    r"@(?:Join)?Column\((?:[^)]*?\b(?:name|value)\s*[=:]\s*)?['\"](?P<annotated>\w+)|\[Column\(\s*\"(?P<dotnet>\w+)"
    r"|\bgorm:\"[^\"]*column:(?P<gorm>\w+)"
)
_ATTRIBUTE: Final = re.compile(
    r"\s*(?::[^=\n]+)?=\s*(?:\w+\.)?(?:Column|mapped_column)\(\s*(?:['\"](?P<name>\w+)['\"])?"
)


def around(source: Source, byte: int) -> int:
    """The innermost function or class around a place."""
    return source.innermost(byte, _AROUND)


def row(source: Source, space: str, name: str, maker: int, byte: int, known: bool = True, by: str = "") -> Reading:
    return Reading(
        space,
        ((SAID, name.lower()),),
        source.symbol(maker),
        source.place(byte),
        is_test(source, maker),
        by,
        known=known,
    )


def _stated(source: Source, space: str, name: str, symbol: int, byte: int, by: str) -> Setting:
    return Setting(space, name.lower(), source.symbol(symbol), source.line(byte), by, "", True)


def declared_by(source: Source) -> Iterator[Setting | Reading]:
    if source.language == "sql":
        yield from _by_statements(source)
        return
    text = source.text
    if DECLARES.isdisjoint(source.strings) and not (source.language == "php" and "$table" in text):
        return
    found_made = _MADE.finditer(text) if has_one(text, _WORDS_MADE) else ()
    made = [each for each in found_made if not source.is_comment(each.start())]
    by = STATEMENT if source.path.endswith("db/schema.rb") else MIGRATION  # what migrations have led to
    for at, found in enumerate(made):
        name = found[found.lastgroup or 0]
        maker = around(source, found.start())
        if found.lastgroup not in _CHANGED:
            yield _stated(source, TABLE, name, maker, found.start(), by)
        end = made[at + 1].start() if at + 1 < len(made) else len(text)
        if maker:
            end = min(end, source.facts.definitions[maker].end_byte)
        for column in _COLUMN_MADE.finditer(text, found.end(), end):
            if column["type"] not in _NO_COLUMN:
                word = column["name"] or column["column"] or column["entity"]
                yield _stated(source, COLUMN, f"{name}.{word}", maker, column.start(), by)
    for found in _ADDED.finditer(text) if "add_column" in text or "AddColumn" in text else ():
        table = found["table"] or found["alembic"] or found["entity"]
        word = found["name"] or found["column"] or found["added"]
        if not source.is_comment(found.start()):
            yield _stated(source, COLUMN, f"{table}.{word}", around(source, found.start()), found.start(), MIGRATION)
    yield from _by_models(source)
    yield from _by_core(source)


def _by_statements(source: Source) -> Iterator[Setting]:
    tables: dict[int, str] = {}
    for number, each in enumerate(source.facts.definitions):
        if each.kind == "struct" and _HEAD.search(source.text, each.start_byte, each.start_byte + 200):
            tables[number] = each.name.rpartition(".")[2].strip('`"[]')
            yield _stated(source, TABLE, tables[number], number, each.name_byte, STATEMENT)
        elif each.kind == "field" and each.parent in tables:
            yield _stated(source, COLUMN, f"{tables[each.parent]}.{each.name}", number, each.name_byte, STATEMENT)


def _by_models(source: Source) -> Iterator[Setting | Reading]:
    text, definitions = source.text, source.facts.definitions
    for found in _MAPPED.finditer(text) if has_one(text, _WORDS_MAPPED) else ():
        if source.is_comment(found.start()):
            continue
        group = found.lastgroup or ""
        name, owner = found[group], _owner(source, found.start())
        if group == "django":
            owner = max(definitions[owner].parent, 0) if definitions[owner].name == "Meta" else owner
        yield row(source, TABLE, name, owner, found.start(group), by=MODEL)
        yield _stated(source, TABLE, name, owner, found.start(group), MODEL)
        if not owner or definitions[owner].kind not in CLASS_KINDS:
            continue
        for column in _MAPPED_COLUMN.finditer(text, definitions[owner].start_byte, definitions[owner].end_byte):
            word = column.lastgroup or ""
            yield row(source, COLUMN, f"{name}.{column[word]}", owner, column.start(word), by=MODEL)
        for number, each in enumerate(definitions):
            if each.parent == owner and each.kind in ("field", "constant", "property") and group == "alchemy":
                at = each.name_byte + len(each.name.encode())
                if (mapped := _ATTRIBUTE.match(text, at)) is not None:
                    word = mapped["name"] or each.name
                    yield row(source, COLUMN, f"{name}.{word}", owner, each.name_byte, by=MODEL)
                    yield _stated(source, COLUMN, f"{name}.{word}", number, each.name_byte, MODEL)


def _owner(source: Source, byte: int) -> int:
    """The class around a place, or the one that an annotation there belongs to."""
    found = around(source, byte)
    if source.facts.definitions[found].kind in CLASS_KINDS:
        return found
    for number, each in enumerate(source.facts.definitions):
        if each.kind in CLASS_KINDS and byte < each.name_byte < byte + 400 and not found:
            return number
    return found


def _by_core(source: Source) -> Iterator[Setting | Reading]:
    """SQLAlchemy's tables that are made by calls."""
    text = source.text
    if "Table(" not in text or not any("sqlalchemy" in each for each in source.modules):
        return
    for found in islice(_CORE.finditer(text), MOST_TABLES):
        if source.is_comment(found.start()):
            continue
        name, maker = found["name"], around(source, found.start())
        yield row(source, TABLE, name, maker, found.start("name"), by=MODEL)
        yield _stated(source, TABLE, name, maker, found.start("name"), MODEL)
        limit = min(len(text), found.end() + LONGEST)
        end = text.find("\n\n", found.end(), limit)
        for column in _CORE_COLUMN.finditer(text, found.end(), end if end > 0 else limit):
            yield row(source, COLUMN, f"{name}.{column[1]}", maker, column.start(1), by=MODEL)
            yield _stated(source, COLUMN, f"{name}.{column[1]}", maker, column.start(1), MODEL)
        for used in re.finditer(rf"(?<![\w.]){re.escape(found['variable'])}\.c\.(\w+)", text):
            yield row(source, COLUMN, f"{name}.{used[1]}", around(source, used.start()), used.start(1))
