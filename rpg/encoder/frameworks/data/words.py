"""Words of files that name or declare tables.

In: facts. Out: whether a file has one.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.facts import FileFacts

DECLARES: Final = frozenset(
    "createTable create_table __tablename__ Column mapped_column Table Entity db_table tableName table_name TableName"
    " ToTable pgTable mysqlTable sqliteTable Schema migrationBuilder gorm change_table add_column".split()
)
_WORDS: Final = frozenset(
    "knex trx leftJoin innerJoin insertInto selectFrom alterTable hasTable createTable create_table add_column"
    " add_index execute executemany query queryRow QueryRow Query Exec QueryContext ExecContext QueryRowContext prepare"
    " raw rawQuery createNativeQuery jdbcTemplate JdbcTemplate prepareStatement createStatement find_by_sql select_all"
    " exec_query Schema DB text sql SqlCommand QueryAsync ExecuteAsync FromSqlRaw query_as fetch_one fetch_all".split()
)
_OF_MODELS: Final = {
    "ruby": frozenset("find_by where belongs_to ApplicationRecord pluck joins order group".split()),
    "php": frozenset("whereNull whereNotNull where orderBy Model Authenticatable pluck".split()),
    "go": frozenset("Joins Where Order Table".split()),
    "csharp": frozenset("HasColumnName".split()),
}
_NONE: Final[frozenset[str]] = frozenset()


def may_name(facts: FileFacts) -> bool:
    """Whether a file has a word that names a table or a column, or that declares one."""
    words = _OF_MODELS.get(facts.language, _NONE)
    return not (_WORDS.isdisjoint(facts.strings) and DECLARES.isdisjoint(facts.strings)) or not words.isdisjoint(
        facts.strings
    )


def begin_with(words: str, behind: str = "") -> tuple[tuple[str, re.Pattern[str]], ...]:
    """For `has_one`: words, each with an expression that begins with it and goes on with another."""
    return tuple((word, re.compile(re.escape(word) + behind)) for word in words.split())


def has_one(text: str, beginnings: tuple[tuple[str, re.Pattern[str]], ...]) -> bool:
    """Whether a text has one of these anywhere. What begins with fixed letters is searched many times as fast as an
    expression of alternatives, which this says whether to search."""
    return any(word in text and pattern.search(text) is not None for word, pattern in beginnings)
