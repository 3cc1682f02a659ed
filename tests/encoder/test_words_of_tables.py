"""Texts are searched for tables by an expression only if they have one of its words: the words must not miss any."""

import re

import pytest

from rpg.encoder.frameworks.data import declared, queries
from rpg.encoder.frameworks.data.words import has_one

BUILT = (
    'knex("users")', "trx('users')", "tx( 'users')", ".join('users', 'a')", "->leftJoin('users as u', 'a')",
    '.from("users")', "::from('users')", ".into('users')", "->table('users')", ".alterTable('users')",
    ".dropTable('users')", ".dropTableIfExists('users')", ".hasTable('users')", ".hasColumn('users')",
    ".insertInto('users')", ".updateTable('users')", ".deleteFrom('users')", ".selectFrom('users')",
    ".inTable('users')", "add_column :users", "remove_column(:users", "rename_column 'users'", 'change_column "users"',
    "add_index :users", "add_foreign_key(:users", "drop_table :users", "remove_index :users",
)  # fmt: skip
MADE = (
    ".createTable('users'", ".createTableIfNotExists('users'", "Schema::create('users'", "op.create_table('users'",
    "create_table :users", 'create_table("users"',
)  # fmt: skip
MAPPED = (
    '    __tablename__ = "users"', '@Table(name = "users"', "@Entity({ name: 'users'", "@Entity('users'",
    '[Table("users"', "protected $table = 'users'", "self.table_name = 'users'",
    ') TableName() string { return "users"', "  db_table = 'users'", "pgTable('users'", "mysqlTable('users'",
    "sqliteTable('users'",
)  # fmt: skip


@pytest.mark.parametrize(
    ("pattern", "words", "texts"),
    [
        (queries._BUILDERS, queries._BUILDER_WORDS, BUILT),
        (declared._MADE, declared._WORDS_MADE, MADE),
        (declared._MAPPED, declared._WORDS_MAPPED, MAPPED),
    ],
    ids=["builders", "migrations", "models"],
)
def test_every_text_in_which_an_expression_finds_a_table_has_one_of_its_words(
    pattern: re.Pattern[str], words: tuple[tuple[str, re.Pattern[str]], ...], texts: tuple[str, ...]
) -> None:
    for text in texts:
        assert pattern.search(text), text
        assert has_one(f"x = 1\n{text})", words), text
    assert not has_one("from users import table, column", words)


@pytest.mark.parametrize("quote", ['"""', "'''", '"', "'", "`", '"" + "'])
def test_a_statement_begins_behind_its_quotation_mark(quote: str) -> None:
    found = queries._QUOTED.search(f"sql = {quote}\n SELECT name FROM users{quote}")
    assert found is not None
    assert found.end() == len("sql = ") + len(quote)
