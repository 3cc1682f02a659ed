"""An index that somebody made by hand: it is told from ours by what stands in it, and never takes a server down."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from rpg.encoder.options import Options
from rpg.errors import GraphNotLoaded, TimedOut
from rpg.repository import Repository, encode, index_path
from rpg.stores.connection import connect, page_sum
from rpg.stores.index.index import BrokenIndex, Index
from rpg.system.deadline import limit_time

FILES = {
    "cart.py": "class Cart:\n    def total(self):\n        return price()\n\n\ndef price():\n    return 1\n",
    "shop.py": "from cart import Cart\n\n\ndef buy():\n    return Cart().total()\n",
}
NAMES = [".", "Cart", "buy", "cart.py", "price", "shop.py", "total"]
ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT"


@pytest.fixture
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))
    root = tmp_path / "shop"
    root.mkdir()
    for name, text in FILES.items():
        (root / name).write_text(text)
    graph = tmp_path / "shop.graph.json"
    encode(root, graph, Options())
    return graph


@pytest.fixture
def writer(graph: Path) -> Iterator[apsw.Connection]:
    """Who knows how sums are made, and may do anything to the file."""
    connection = connect(str(index_path(graph)))
    for switch in (apsw.SQLITE_DBCONFIG_ENABLE_VIEW, apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER):
        connection.config(switch, 1)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
    yield connection
    connection.close()


SCHEMAS = {
    "a view in place of a table": "DROP TABLE survey; CREATE VIEW survey AS SELECT '' AS name, x'' AS data",
    "an endless view": f"DROP TABLE files; CREATE VIEW files AS {ENDLESS} x AS id, x AS path FROM n",
    "an endless view of what it says of itself": (
        f"ALTER TABLE meta RENAME TO old; CREATE VIEW meta AS {ENDLESS} 'k' || x AS key, '' AS value FROM n"
    ),
    "a trigger": "CREATE TRIGGER again AFTER INSERT ON meta BEGIN DELETE FROM files; END",
    "a table more": "CREATE TABLE more (x)",
    "a table less": "DROP TABLE survey",
    "an index more": "CREATE INDEX more ON files (size)",
    "a column that is computed": "ALTER TABLE survey ADD COLUMN more GENERATED ALWAYS AS (hex(data))",
}


@pytest.mark.invariant(
    "trust",
    "an index is not served if its tables, or a page that is read, differ from what rpg wrote",
)
@pytest.mark.parametrize("statements", SCHEMAS.values(), ids=SCHEMAS)
def test_an_index_with_other_tables_than_rpg_makes_is_never_asked(
    graph: Path, writer: apsw.Connection, statements: str
) -> None:
    writer.execute(statements)
    writer.close()
    with pytest.raises(BrokenIndex):
        Index.open_read_only(index_path(graph))
    assert served(graph) == NAMES


@pytest.mark.invariant(
    "trust",
    "an index is not served if its tables, or a page that is read, differ from what rpg wrote",
)
def test_a_page_that_was_changed_is_noticed_when_it_is_read(graph: Path) -> None:
    path = index_path(graph)
    content = bytearray(path.read_bytes())
    at = content.rindex(b"price")
    content[at] ^= 1
    path.write_bytes(content)
    index = Index.open_read_only(path)
    with pytest.raises(BrokenIndex, match="is damaged"):
        read_whole(index)
    index.close()


def test_pages_that_claim_to_have_no_sums_are_not_an_index(graph: Path) -> None:
    path = index_path(graph)
    content = bytearray(path.read_bytes())
    content[20] = 0
    content[4088:4096] = page_sum(bytes(content[:4088]))
    path.write_bytes(content)
    with pytest.raises(GraphNotLoaded):
        Index.open_read_only(path)
    assert served(graph) == NAMES


def test_damage_that_a_question_meets_is_mended_before_the_next(graph: Path) -> None:
    repository = Repository.open(graph)
    with repository.view():
        pass
    content = bytearray(index_path(graph).read_bytes())
    content[content.rindex(b"price")] ^= 1
    index_path(graph).write_bytes(content)
    with pytest.raises(BrokenIndex, match="ask again"), repository.view() as view:
        read_whole(view.index)
    assert "was damaged and has been rebuilt" in repository.refresh().note
    assert repository.refresh().note == ""
    assert names(repository) == NAMES
    repository.close()


def test_a_statement_ends_with_the_time_of_who_asked_or_when_nobody_waits_any_more(graph: Path) -> None:
    index = Index.open_read_only(index_path(graph))
    for seconds, is_cancelled in ((0.05, lambda: False), (60.0, lambda: True)):
        with pytest.raises(TimedOut), limit_time(seconds, is_cancelled):
            index.rows(f"{ENDLESS} sum(x) FROM n")
        with limit_time(60.0, lambda: False):
            assert index.value("SELECT count(*) FROM files") == 2
    index.close()


def read_whole(index: Index) -> None:
    for table in ("files", "symbols", "edges", "places", "search_units", "search_terms", "search_names"):
        index.rows(f"SELECT * FROM {table}")
    index.rows("SELECT name FROM symbols ORDER BY name COLLATE NOCASE")


def served(graph: Path) -> list[str]:
    """What an answer of a server that starts now is made of."""
    repository = Repository.open(graph)
    try:
        return names(repository)
    finally:
        repository.close()


def names(repository: Repository) -> list[str]:
    with repository.view() as view:
        return sorted(name for (name,) in view.index.rows("SELECT name FROM symbols"))
