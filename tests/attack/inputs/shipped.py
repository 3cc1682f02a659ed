# ruff: noqa: E501
"""Graphs and indexes that came with somebody's repository, and lie.

In: a folder with a good graph and index. Out: the same, hostile. Each says in a line what it tries.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import zstandard

from attack.canaries import World

Change = Callable[[World, Path, Path], None]
"""World, graph file, index."""
SHIPPED: dict[str, Change] = {}
ODD_VALUES: dict[str, Any] = {
    "null": None, "number": -1, "huge": 10**30, "fraction": 1e308, "list": [[]], "object": {"a": {"a": 1}}, "text": "\u202e\x1b[2J",
    "true": True, "long": "x" * 100_000,
}  # fmt: skip
HEADER_FIELDS = (
    "format", "version", "name", "options", "languages", "references", "confidence", "skipped", "problems", "repository",
    "encoder", "rules",
)  # fmt: skip
META_FIELDS = ("format", "rules", "code", "generation", "graph_hash", "graph_stat", "previous_hash", "behind", "header",
               "root", "refused", "options", "beside", "basis", "edges", "embedder")  # fmt: skip


def shipped(change: Change) -> Change:
    SHIPPED[change.__name__] = change
    return change


# Graph files


def edited(change: Callable[[dict[str, Any]], None], text: Callable[[str], str] = str) -> Change:
    """A graph file alone, in the layout of rpg, after a change of its JSON: of version 1, which has no sum."""

    def apply(world: World, graph: Path, index: Path) -> None:
        data = json.loads(graph.read_text("utf-8"))
        data["graph"]["version"] = 1
        change(data)
        graph.write_text(text(written(data)), "utf-8", errors="surrogatepass")
        index.unlink()

    return apply


def written(data: dict[str, Any]) -> str:
    nodes = ",\n".join(json.dumps(node) for node in data["nodes"])
    edges = ",\n".join(json.dumps(edge) for edge in data["edges"])
    header = json.dumps(data["graph"])
    return (
        '{\n"directed":true,\n"multigraph":true,\n"graph":'
        + header + ',\n"nodes":[\n' + nodes + '\n],\n"edges":[\n' + edges + "\n]\n}\n"
    )  # fmt: skip


def setter(field: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["graph"].update({field: value})


for _field in HEADER_FIELDS:
    for _kind in ("null", "number", "list", "object", "text"):
        SHIPPED[f"header_{_field}_{_kind}"] = edited(setter(_field, ODD_VALUES[_kind]))


def node_setter(field: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["nodes"][-1].update({field: value})


for _field in (
    "id",
    "symbol",
    "kind",
    "name",
    "qualified_name",
    "path",
    "start_line",
    "signature",
    "doc",
    "decorators",
    "references",
    "exported",
):
    for _kind in ("null", "huge", "list", "object", "text", "long"):
        SHIPPED[f"node_{_field}_{_kind}"] = edited(node_setter(_field, ODD_VALUES[_kind]))


def edge_setter(field: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["edges"][-1].update({field: value})


for _field in ("source", "target", "kind", "via", "sites"):
    for _kind in ("null", "huge", "list", "object", "text", "long"):
        SHIPPED[f"edge_{_field}_{_kind}"] = edited(edge_setter(_field, ODD_VALUES[_kind]))


def moved(path: str) -> Callable[[dict[str, Any]], None]:
    """All of one file stands at another path."""

    def change(data: dict[str, Any]) -> None:
        for node in data["nodes"]:
            if node["path"] == "shop/cart.py":
                node["path"] = path
                if "symbol" in node:
                    node["symbol"] = node["symbol"].replace("shop/cart.py", path)

    return change


for _number, _path in enumerate(
    ("../outside/secret.py", "/etc/passwd", ".git/config", "shop/../../outside/secret.py", ".env", "link_file.py", "",
     "C:\\x", "a\nb.py", "\x1b[2J.py", "x" * 5_000, "link_folder/secret.py", "a\0b.py")
):  # fmt: skip
    SHIPPED[f"path_{_number}"] = edited(moved(_path))


def circle(data: dict[str, Any]) -> None:
    """`contains` goes round."""
    first, last = data["nodes"][0]["id"], data["nodes"][-1]["id"]
    data["edges"] += [
        {"source": last, "target": first, "kind": "contains", "via": "syntax"},
        {"source": last, "target": last, "kind": "contains", "via": "syntax"},
    ]


def chain(data: dict[str, Any]) -> None:
    """`contains` and `inherits` are 5,000 deep."""
    model = dict(data["nodes"][-1])
    first = len(data["nodes"])
    for number in range(5_000):
        data["nodes"].append({**model, "id": first + number, "symbol": f"chain{number}", "name": f"chain{number}"})
    for number in range(first, first + 4_999):
        for kind in ("contains", "inherits", "calls"):
            ends = {"source": number, "target": number + 1}
            data["edges"].append({**ends, "kind": kind, "via": "syntax"})


def many_edges(data: dict[str, Any]) -> None:
    """One symbol calls another from 200,000 sites, by as many edges."""
    ends = {"source": data["nodes"][-1]["id"], "target": data["nodes"][-2]["id"], "kind": "calls", "via": "scope"}
    data["edges"] += [{**ends, "sites": [f"{number}:1"]} for number in range(200_000)]


def many_sites(data: dict[str, Any]) -> None:
    """One edge has 300,000 sites, at absurd lines."""
    ends = {"source": data["nodes"][-1]["id"], "target": data["nodes"][-2]["id"], "kind": "calls", "via": "scope"}
    data["edges"].append({**ends, "sites": [f"{10**9 + number}:{10**9}" for number in range(300_000)]})


def odd_sites(data: dict[str, Any]) -> None:
    """Sites are no numbers, negative, larger than any integer of the index."""
    data["edges"][-1]["sites"] = ["-1:-1", "0:0", f"{2**70}:{2**70}", "\u0661:\u0662"]


def twice(data: dict[str, Any]) -> None:
    """Every id stands there twice."""
    data["nodes"] += data["nodes"]


def no_nodes(data: dict[str, Any]) -> None:
    data["nodes"], data["edges"] = [], []


def dangling(data: dict[str, Any]) -> None:
    data["nodes"] = data["nodes"][:1]


for _change in (circle, chain, many_edges, many_sites, odd_sites, twice, no_nodes, dangling):
    SHIPPED[f"graph_{_change.__name__}"] = edited(_change)


def same(data: dict[str, Any]) -> None:
    """As it was."""


TEXTS: dict[str, Callable[[str], str]] = {
    "cut": lambda text: text[: len(text) // 2],
    "nested": lambda text: text.replace('"nodes":[\n', '"nodes":[\n' + "[" * 100_000, 1),
    "one_line": lambda text: text.replace("\n", " "),
    "trailing": lambda text: text + "x" * 100,
    "surrogate": lambda text: text.replace("Cart", "\ud800", 5),
    "escaped_surrogate": lambda text: text.replace("Cart", "\\ud800", 5),
    "nul": lambda text: text.replace("Cart", "\0", 5),
    "only_blanks": lambda text: " " * 1_000_000,
    "long_header": lambda text: text.replace('"graph":{', '"graph":{"x":"' + "y" * 5_000_000 + '",', 1),
    "digits": lambda text: text.replace('"version": ', '"version": ' + "9" * 5_000, 1),
}
for _name, _text in TEXTS.items():
    SHIPPED[f"text_{_name}"] = edited(same, _text)


@shipped
def graph_is_a_link(world: World, graph: Path, index: Path) -> None:
    """The graph file is a link to a file outside."""
    graph.unlink()
    graph.symlink_to(world.outside / "secret.txt")


@shipped
def graph_is_a_pipe(world: World, graph: Path, index: Path) -> None:
    """The graph file never ends."""
    graph.unlink()
    os.mkfifo(graph)


@shipped
def index_is_a_pipe(world: World, graph: Path, index: Path) -> None:
    """The index never ends."""
    index.unlink()
    os.mkfifo(index)


@shipped
def index_is_a_link(world: World, graph: Path, index: Path) -> None:
    """The index is a link to a file outside."""
    index.unlink()
    index.symlink_to(world.outside / "secret.txt")


@shipped
def index_is_a_folder(world: World, graph: Path, index: Path) -> None:
    """The index is a folder with files in it."""
    index.unlink()
    index.mkdir()
    (index / "kept").write_text("x")


@shipped
def companions_are_links(world: World, graph: Path, index: Path) -> None:
    """Lock, journal and vectors are links to a file outside."""
    for ending in ("-lock", "-wal", "-shm", "-journal", "-vectors", "-vectors-wal"):
        Path(f"{index}{ending}").symlink_to(world.outside / "secret.txt")


@shipped
def graph_of_zeros(world: World, graph: Path, index: Path) -> None:
    """Three gigabytes of nothing."""
    with open(graph, "wb") as file:
        file.truncate(3 << 30)


@shipped
def graph_of_zeros_in_its_header(world: World, graph: Path, index: Path) -> None:
    """Its first line has no end."""
    with open(graph, "r+b") as file:
        file.truncate(60)
        file.truncate(3 << 30)


@shipped
def graph_of_zeros_in_a_node(world: World, graph: Path, index: Path) -> None:
    """A node has no end."""
    index.unlink()
    with open(graph, "r+b") as file:
        at = file.read().index(b'"nodes":[')
        file.truncate(at + 20)
        file.truncate(3 << 30)


@shipped
def graph_that_hides(world: World, graph: Path, index: Path) -> None:
    """Its options leave out all but one file."""

    def change(data: dict[str, Any]) -> None:
        data["graph"]["options"].update(include=["shop/cart.py"], max_bytes=1_000)

    edited(change)(world, graph, index)


# Indexes


def sql(*statements: str) -> Change:
    """An index after statements of SQL, whoever checks its meta finds what was there before."""

    def apply(world: World, graph: Path, index: Path) -> None:
        connection = apsw.Connection(str(index))
        for statement in statements:
            connection.execute(statement.replace("OUTSIDE", str(world.outside)))
        connection.close()

    return apply


ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT"
STATEMENTS: dict[str, tuple[str, ...]] = {
    "view_for_files": (
        "ALTER TABLE files RENAME TO kept", f"CREATE VIEW files AS {ENDLESS} x AS id, 'a' AS path FROM c"
    ),
    "view_for_meta": ("ALTER TABLE meta RENAME TO kept", f"CREATE VIEW meta AS {ENDLESS} x AS key, x AS value FROM c"),
    "trigger": (
        "CREATE TRIGGER t AFTER DELETE ON files BEGIN UPDATE files SET path = '../outside/secret.py'; END",
        "CREATE TRIGGER u AFTER INSERT ON meta BEGIN DELETE FROM files; END",
    ),
    "no_tables": ("DROP TABLE files", "DROP TABLE all_symbols"),
    "other_columns": ("ALTER TABLE files ADD COLUMN more DEFAULT 1000",),
    "generated_column": ("ALTER TABLE all_symbols ADD COLUMN g AS (zeroblob(100000000))",),
    "check": ("CREATE TABLE more (a CHECK (a = zeroblob(1000000000)))",),
    "index_on_expression": ("CREATE INDEX evil ON all_symbols (hex(zeroblob(1000)))",),
    "odd_types": ("UPDATE files SET source = 7, hash = 1.5, size = 'x'", "UPDATE all_symbols SET start_line = 'x', name = x'ff'"),
    "invalid_text": ("UPDATE all_symbols SET name = CAST(x'ff80' AS TEXT), doc = CAST(x'c0ae' AS TEXT)",),
    "huge_numbers": ("UPDATE all_symbols SET start_line = 9223372036854775807, end_line = -9223372036854775808, parent = id",),
    "nulls": ("PRAGMA writable_schema = 1", "UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '')"),
    "paths_outside": ("UPDATE files SET path = '../outside/secret.py' WHERE path = 'shop/base.py'",
                      "UPDATE all_symbols SET path = '../outside/secret.py' WHERE path = 'shop/base.py'"),
    "root_outside": ("UPDATE meta SET value = 'OUTSIDE' WHERE key = 'root'",),
    "root_is_everything": ("UPDATE meta SET value = '/' WHERE key = 'root'",),
    "root_and_stale": ("UPDATE meta SET value = 'OUTSIDE' WHERE key = 'root'", "UPDATE files SET hash = 'x', mtime_ns = 0",
                       "UPDATE meta SET value = 'x' WHERE key IN ('code', 'generation')"),
    "other_source": ("UPDATE files SET source = (SELECT source FROM files WHERE path = 'shop/base.py')",),
    "circle": ("UPDATE all_symbols SET parent = id",),
    "user_version": ("PRAGMA user_version = 99", "PRAGMA application_id = 7"),
    "attached": ("CREATE VIEW v AS SELECT * FROM pragma_database_list", "CREATE VIRTUAL TABLE f USING fts5(a)"),
}  # fmt: skip
for _name, _statements in STATEMENTS.items():
    SHIPPED[f"index_{_name}"] = sql(*_statements)


def meta_setter(field: str, value: str) -> Change:
    def apply(world: World, graph: Path, index: Path) -> None:
        connection = apsw.Connection(str(index))
        connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (field, value))
        connection.close()

    return apply


for _field in META_FIELDS:
    for _kind, _value in {
        "empty": "",
        "json": '{"a": [1]}',
        "list": "[[]]",
        "nested": "[" * 50_000,
        "digits": "9" * 5_000,
    }.items():
        SHIPPED[f"meta_{_field}_{_kind}"] = meta_setter(_field, _value)


@shipped
def index_bomb(world: World, graph: Path, index: Path) -> None:
    """Blocks that decompress to three gigabytes, and say that they are small."""
    compressor = zstandard.ZstdCompressor(level=1, write_content_size=False).compressobj()
    piece = bytes(1 << 20)
    bomb = b"".join(compressor.compress(piece) for _ in range(3_000)) + compressor.flush()
    connection = apsw.Connection(str(index))
    connection.execute("UPDATE files SET source = ?, facts = ?, terms = ?", (bomb, bomb, bomb))
    connection.close()


@shipped
def index_is_garbage(world: World, graph: Path, index: Path) -> None:
    """Its header is right, and nothing else."""
    content = index.read_bytes()
    index.write_bytes(content[:4096] + b"\xa5" * (len(content) - 4096))


@shipped
def index_is_cut(world: World, graph: Path, index: Path) -> None:
    """It ends in the middle."""
    content = index.read_bytes()
    index.write_bytes(content[: len(content) // 2])


@shipped
def index_of_zeros(world: World, graph: Path, index: Path) -> None:
    """Eight gigabytes of nothing, with the right header."""
    with open(index, "r+b") as file:
        file.truncate(8 << 30)
