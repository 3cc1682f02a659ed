"""The index: the same graph in rows, served to many at once, and found out when it is broken or of another time."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from graphs import SHOP, graphs
from hypothesis import HealthCheck, given, settings

from rpg.errors import EncodeFailed
from rpg.graph import RULES_VERSION, Graph
from rpg.stores.connection import connect
from rpg.stores.index import index_writer, stored_graph
from rpg.stores.index.index import BrokenIndex, Index, read_meta
from rpg.stores.index.index_writer import FileRow
from rpg.system.compression import compress

FILES: list[FileRow] = [
    ("cart.py", "python", "aa11", 20, 5, 6, 7, 9, "", compress(b"class Cart: pass\n"), b"facts", b"terms"),
    ("logo.png", "", "bb22", 4, 5, 6, 8, 9, "binary", b"", b"", b""),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "shop.graph.db"


@pytest.fixture
def index(path: Path) -> Iterator[Index]:
    index_writer.write(path, SHOP, FILES, {"graph_hash": "abc"})
    opened = Index.open_read_only(path)
    yield opened
    opened.close()


def named(name: str) -> Graph:
    """A graph that differs from SHOP in size and in one name."""
    symbols = [symbol._replace(doc="x" * 3000) for symbol in SHOP.symbols]
    return SHOP._replace(header={"name": name}, symbols=symbols)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graph=graphs())
def test_the_graph_comes_out_as_it_went_in(graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("indexes") / "any.graph.db"
    index_writer.write(path, graph, [], {})
    index = Index.open_read_only(path)
    assert stored_graph.header(index) == graph.header
    assert list(stored_graph.symbols(index)) == graph.symbols
    assert list(stored_graph.edges(index)) == graph.edges
    index.close()


def test_rows_row_and_value(index: Index) -> None:
    parents = "SELECT s.name, p.name FROM symbols s JOIN symbols p ON p.id = s.parent WHERE s.path = ? ORDER BY s.id"
    assert index.rows(parents, ("cart.py",)) == [("cart", "shop"), ("Cart", "cart"), ("total", "Cart")]
    assert index.row("SELECT kind, exported FROM symbols WHERE name = :name", {"name": "Cart"}) == ("class", 1)
    assert index.row("SELECT kind FROM symbols WHERE name = 'Basket'") is None
    assert index.value("SELECT sites FROM edges WHERE kind = 'calls'") == "8:5 9:13"
    assert index.value("SELECT 1 WHERE false") is None


def test_sources_and_facts_are_kept_by_path(index: Index) -> None:
    assert index.source("cart.py") == b"class Cart: pass\n"
    assert index.facts("cart.py") == b"facts"
    assert index.value("SELECT terms FROM files WHERE path = 'cart.py'") == b"terms"
    assert (index.source("logo.png"), index.facts("logo.png")) == (b"", b"")
    assert (index.source("absent.py"), index.facts("absent.py")) == (b"", b"")


def test_meta_says_what_it_belongs_to(index: Index) -> None:
    assert index.meta("graph_hash") == "abc"
    assert index.meta("rules") == str(RULES_VERSION)
    assert index.meta("absent") == ""
    assert read_meta(index.path)["graph_hash"] == "abc"


def test_external_places_stand_once_for_a_name_in_a_file(index: Index) -> None:
    found = index.rows(
        "SELECT p.name, s.symbol, p.line, p.reason, p.call FROM places p JOIN symbols s ON s.id = p.source"
        " ORDER BY p.name"
    )
    assert found == [
        ("round", "cart.py", 8, "external", 1),
        ("tax", "cart.py::Cart.total", 8, "unresolved", 1),
    ]


def test_a_check_for_changes_never_reads_the_sources(index: Index) -> None:
    columns = "path, hash, size, mtime_ns, ctime_ns, inode, indexed_ns, language"
    plan = index.rows(f"EXPLAIN QUERY PLAN SELECT {columns} FROM files")
    assert "COVERING INDEX" in plan[0][3]


def test_vectors_are_compared_without_importing_sqlite_vec(index: Index) -> None:
    script = """
import sys
from pathlib import Path
from rpg.stores.index.index import Index
index = Index.open_read_only(Path(sys.argv[1]))
print(index.value("SELECT vec_distance_l2(vec_int8(?), vec_int8(?))", (bytes([1, 2, 3, 4]), bytes([1, 2, 3, 9]))))
print("sqlite_vec" in sys.modules, "numpy" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", script, str(index.path)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["5.0", "False", "False"]


def test_what_extends_the_index_comes_with_it_or_not_at_all(path: Path) -> None:
    def fails(index: Index) -> None:
        index.execute("CREATE TABLE half (x)")
        raise EncodeFailed("stopped")

    index_writer.write(path, SHOP, FILES, {})
    with pytest.raises(EncodeFailed):
        index_writer.write(path, named("other"), [], {}, fails)
    index = Index.open_read_only(path)
    assert index.rows("SELECT 1 FROM sqlite_schema WHERE name = 'half'") == []
    assert stored_graph.header(index)["name"] == "shop"
    index.close()
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


@pytest.mark.invariant("freshness", "readers keep their snapshot while the index is replaced")
def test_a_reader_keeps_its_moment_while_the_contents_are_replaced(index: Index) -> None:
    with index.snapshot():
        before = index.rows("SELECT doc FROM symbols")
        generation = index.meta("generation")
        index_writer.write(index.path, named("other"), [], {})
        assert index.rows("SELECT doc FROM symbols") == before
        assert index.meta("generation") == generation
        with index.snapshot():
            assert index.meta("generation") == generation
    assert index.meta("generation") != generation
    assert stored_graph.header(index)["name"] == "other"
    assert index.rows("SELECT DISTINCT length(doc) FROM symbols") == [(3000,)]


def test_threads_read_while_another_writes(index: Index) -> None:
    """Header and docs are written together, so that one moment shows both from the same graph."""
    stop = threading.Event()
    seen: list[set[str]] = []

    def read() -> None:
        found = set()
        while not stop.is_set() or not found:
            with index.snapshot():
                name = stored_graph.header(index)["name"]
                long = index.value("SELECT max(length(doc)) FROM symbols") == 3000
            found.add(f"{name} {long}")
        seen.append(found)

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for number in range(10):
        index_writer.write(index.path, named("other") if number % 2 else SHOP, FILES, {})
    stop.set()
    for reader in readers:
        reader.join()
    assert len(seen) == 4
    assert set.union(*seen) <= {"shop False", "other True"}


def test_a_transaction_is_whole_or_not_at_all(path: Path) -> None:
    index_writer.write(path, SHOP, FILES, {})
    index = Index.open(path)

    def fail() -> None:
        with index.transaction():
            index.execute("UPDATE meta SET value = '1' WHERE key = 'header'")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert stored_graph.header(index)["name"] == "shop"
    with index.transaction():
        index.executemany("INSERT INTO meta VALUES (?, ?)", [("a", "1"), ("b", "2")])
    assert (index.meta("a"), index.meta("b")) == ("1", "2")
    index.close()


def test_read_only_refuses_to_write(index: Index) -> None:
    with pytest.raises(apsw.ReadOnlyError):
        index.execute("DELETE FROM meta")


def test_nothing_is_left_beside_the_index_when_all_have_closed(path: Path) -> None:
    index_writer.write(path, SHOP, FILES, {})
    index = Index.open_read_only(path)
    index_writer.write(path, named("other"), FILES, {})
    assert stored_graph.header(index)["name"] == "other"
    index.close()
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]
    with pytest.raises(BrokenIndex, match="closed"):
        index.rows("SELECT 1")


def test_a_large_result_is_streamed_and_may_be_left_early(index: Index) -> None:
    for (name,) in index.each("SELECT name FROM symbols ORDER BY id"):
        assert name == "shop"
        break
    assert index.value("SELECT count(*) FROM symbols") == 4


def broken(path: Path) -> str:
    """What is said when the index is opened."""
    with pytest.raises(BrokenIndex) as caught:
        Index.open_read_only(path)
    return caught.value.message


def test_an_absent_index_is_reported(path: Path) -> None:
    assert "there is no index" in broken(path)
    assert not path.exists()


@pytest.mark.parametrize("content", [b"", b"{}", b"SQLite format 3\0" + bytes(4096), bytes(range(256)) * 40])
def test_what_is_not_a_database_is_found_out_and_replaced(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert str(path) in broken(path)
    index_writer.write(path, SHOP, FILES, {})
    index = Index.open(path)
    assert list(stored_graph.symbols(index)) == SHOP.symbols
    index.close()


@pytest.mark.parametrize("part", [0.1, 0.5, 0.95])
def test_a_truncated_index_is_found_out_and_replaced(path: Path, part: float) -> None:
    index_writer.write(path, named("other"), FILES, {})
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * part)])
    assert str(path) in broken(path)
    index_writer.write(path, SHOP, FILES, {})
    index = Index.open(path)
    assert list(stored_graph.symbols(index)) == SHOP.symbols
    index.close()


def test_a_log_left_by_a_lost_index_is_not_played_into_the_new_one(path: Path) -> None:
    index_writer.write(path, named("other"), FILES, {})
    writer = connect(str(path))
    writer.execute("UPDATE meta SET value = 'lost' WHERE key = 'header'")
    log = path.with_name(path.name + "-wal").read_bytes()
    writer.close()
    path.write_bytes(b"no database")
    path.with_name(path.name + "-wal").write_bytes(log)
    index_writer.write(path, SHOP, FILES, {})
    index = Index.open(path)
    assert stored_graph.header(index)["name"] == "shop"
    index.close()


def test_damage_met_by_a_query_is_reported_and_remembered(path: Path) -> None:
    index_writer.write(path, named("other"), FILES, {})
    index = Index.open_read_only(path)
    root = index.value("SELECT rootpage FROM sqlite_schema WHERE name = 'places'")
    index.close()
    content = bytearray(path.read_bytes())
    content[(root - 1) * 4096 : root * 4096] = b"\xff" * 4096
    path.write_bytes(content)
    index = Index.open_read_only(path)
    assert index.value("SELECT count(*) FROM edges") == 4
    with pytest.raises(BrokenIndex, match="is damaged"):
        index.rows("SELECT * FROM places")
    assert index.broken
    index.close()


@pytest.mark.parametrize(("key", "says"), [("rules", "has rules 0"), ("format", "has format 0")])
def test_an_index_of_other_rules_or_format_is_reported_but_still_says_where_it_came_from(
    path: Path, key: str, says: str
) -> None:
    index_writer.write(path, SHOP, FILES, {"root": "/there"})
    writer = Index.open(path)
    with writer.transaction():
        writer.execute("UPDATE meta SET value = '0' WHERE key = ?", (key,))
    writer.close()
    assert says in broken(path)
    assert read_meta(path)["root"] == "/there"


def test_the_database_of_another_program_is_never_written_over(path: Path) -> None:
    other = apsw.Connection(str(path))
    other.execute("CREATE TABLE accounts (x); INSERT INTO accounts VALUES (1)")
    other.close()
    assert "not an index that rpg wrote" in broken(path)
    with pytest.raises(EncodeFailed, match="another program"):
        index_writer.write(path, SHOP, FILES, {})
    other = apsw.Connection(str(path))
    assert other.execute("SELECT x FROM accounts").fetchall() == [(1,)]
    other.close()


def test_an_index_in_a_folder_that_cannot_be_written_to_is_served(path: Path, tmp_path: Path) -> None:
    """Permissions do not hold the super-user, so the folder is reached as SQLite would: without room for a log."""
    index_writer.write(path, SHOP, FILES, {})
    # A directory where the log would be made stops SQLite from opening one, for any user.
    (tmp_path / "shop.graph.db-wal").mkdir()
    index = Index.open_read_only(path)
    assert index.value("SELECT count(*) FROM symbols") == 4
    index.close()
