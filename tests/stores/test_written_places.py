"""Where graphs, clones and settings are written and removed: never over what is not ours, nor at its cost."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import anyio
import apsw
import pytest
from commands import CODE, rpg
from mcp import Client
from repositories import git, repository, write

import rpg as product
from rpg.cli.failures import DONE, FAILED, WRONG_REQUEST
from rpg.encoder.source_files.remotes import normalise_url, source_url
from rpg.errors import RpgError
from rpg.repository.locations import clone_folder
from rpg.server import build_server
from rpg.tools.loaded.graphs import Graphs


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """The sources of a repository."""
    return write(tmp_path / "shop", {"shop.py": CODE})


@pytest.fixture
def graph(tmp_path: Path, shop: Path) -> Path:
    ended = rpg(tmp_path, "encode", "shop", "-o", "shop.graph.json")
    assert ended.code == DONE, ended.errors
    return tmp_path / "shop.graph.json"


# What counts as ours


@pytest.mark.parametrize("content", [b"", b"{", b'{\n"directed":true', b"pass\n", b"{}"])
@pytest.mark.parametrize("name", ["__init__.py", "notes.graph.json"])
def test_a_file_that_is_not_a_graph_is_neither_forgotten_nor_written_over(
    tmp_path: Path, shop: Path, name: str, content: bytes
) -> None:
    mine = tmp_path / name
    mine.write_bytes(content)

    forgotten = rpg(tmp_path, "forget", name)
    encoded = rpg(tmp_path, "encode", "shop", "-o", name)

    assert (forgotten.code, encoded.code) == (WRONG_REQUEST, WRONG_REQUEST), (forgotten, encoded)
    assert mine.read_bytes() == content
    assert "--force" in encoded.errors


def test_what_rpg_did_not_write_is_written_over_with_force(tmp_path: Path, shop: Path) -> None:
    write(tmp_path, {"notes.graph.json": "mine", "notes.graph.db": "mine"})

    assert rpg(tmp_path, "encode", "shop", "-o", "notes.graph.json", "--force").code == DONE

    assert rpg(tmp_path, "usages", "price", "--graph", "notes.graph.json").code == DONE


def test_an_index_that_is_none_is_neither_forgotten_nor_written_over(tmp_path: Path, shop: Path, graph: Path) -> None:
    for name, content in (("notes", b"mine"), ("database", other_database(tmp_path / "made.db"))):
        mine = tmp_path / f"{name}.graph.db"
        mine.write_bytes(content)

        encoded = rpg(tmp_path, "encode", "shop", "-o", f"{name}.graph.json")
        forgotten = rpg(tmp_path, "forget", f"{name}.graph.json")

        assert encoded.code in (WRONG_REQUEST, FAILED)
        assert forgotten.code == WRONG_REQUEST
        assert mine.read_bytes() == content


def other_database(path: Path) -> bytes:
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE accounts (name)")
    connection.close()
    return path.read_bytes()


def test_a_graph_that_is_cut_off_behind_its_header_is_made_again(tmp_path: Path, graph: Path) -> None:
    whole = graph.read_bytes()
    graph.write_bytes(whole[: len(whole) // 2])

    assert rpg(tmp_path, "encode", "shop", "-o", "shop.graph.json").code == DONE

    assert graph.read_bytes() == whole


@pytest.mark.invariant("trust", "only regular files of rpg are replaced or removed; links are never written through")
@pytest.mark.parametrize("kind", ["device", "pipe", "folder", "link"])
def test_what_is_not_a_regular_file_is_refused_at_once(tmp_path: Path, shop: Path, graph: Path, kind: str) -> None:
    place = tmp_path / "out.graph.json"
    if kind == "device":
        try:
            os.mknod(place, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        except PermissionError:
            pytest.skip("only who may make a device could lose one")
    elif kind == "pipe":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    else:
        place.symlink_to(graph)
    before = (os.lstat(place).st_mode, os.lstat(place).st_ino, graph.read_bytes())

    for arguments in (("encode", "shop", "-o", str(place)), ("encode", "shop", "-o", str(place), "--force"),
                      ("forget", str(place))):  # fmt: skip
        ended = rpg(tmp_path, *arguments)

        assert ended.code in (WRONG_REQUEST, FAILED), (arguments, ended)
        assert ended.errors.partition(":")[0] in ("BAD_REQUEST", "ENCODE_FAILED", "GRAPH_NOT_LOADED"), ended.errors
    assert (os.lstat(place).st_mode, os.lstat(place).st_ino, graph.read_bytes()) == before


@pytest.mark.parametrize(
    "output", ["x" * 5000 + ".graph.json", "x" * 240 + ".graph.json", "/", "a\0b.graph.json", "..", "", "no/such/x"]
)
def test_an_output_that_can_be_no_file_is_a_wrong_request(tmp_path: Path, shop: Path, output: str) -> None:
    if output:
        with pytest.raises(RpgError) as told:
            product.encode(shop, output=output)
        assert told.value.code in ("BAD_REQUEST", "INVALID_PATH")
        assert len(told.value.message) < 1000


# What a server writes


def call(graphs: Graphs, tool: str, **arguments: Any) -> Any:
    async def run() -> Any:
        async with Client(build_server(graphs, structured=True)) as client:
            return await client.call_tool(tool, arguments)

    try:
        return anyio.run(run)
    finally:
        graphs.close()


OUTSIDE = (
    "{there}/.bash_profile", "{there}/evil.graph.json", "../there/evil.graph.json", "shop/../../there/evil.graph.json",
    "~/evil.graph.json", "link/evil.graph.json", "evil.json", "evil.graph.json/", ".graph.json/../../evil.graph.json",
    "evil.graph.json\0", "x\n.graph.json", "x" * 300 + ".graph.json", "/",
)  # fmt: skip


@pytest.mark.invariant("trust", "a server writes graphs only in its own folders")
@pytest.mark.parametrize("started_with_a_graph", [True, False], ids=["with a graph", "without"])
@pytest.mark.parametrize("output", OUTSIDE)
def test_a_server_writes_no_graph_outside_its_folders(
    tmp_path: Path, shop: Path, monkeypatch: pytest.MonkeyPatch, output: str, started_with_a_graph: bool
) -> None:
    for name in ("data", "home", "there", "work"):
        (tmp_path / name).mkdir()
    (tmp_path / "work" / "link").symlink_to(tmp_path / "there")
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path / "work")
    given = []
    if started_with_a_graph:
        given = [tmp_path / "work" / "shop.graph.json"]
        product.encode(shop, output=str(given[0]))

    answer = call(Graphs(given), "encode", repository=str(shop), output=output.format(there=tmp_path / "there"))

    assert answer.is_error, answer.content[0].text
    assert answer.content[0].text.partition(":")[0] in ("BAD_REQUEST", "INVALID_PATH"), answer.content[0].text
    assert len(answer.content[0].text) < 1500
    assert [*(tmp_path / "there").iterdir(), *(tmp_path / "home").iterdir()] == []
    assert list(tmp_path.rglob("evil*")) == []


def test_a_server_writes_beside_the_graph_that_it_was_started_with_and_into_its_library(
    tmp_path: Path, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))
    given = tmp_path / "work" / "shop.graph.json"
    given.parent.mkdir()
    product.encode(shop, output=str(given))
    library = tmp_path / "data" / "graphs"
    library.mkdir(parents=True)

    for output in ("other.graph.json", str(library / "other.graph.json"), str(given)):
        answer = call(Graphs([given]), "encode", repository=str(shop), output=output)

        assert not answer.is_error, answer.content[0].text
    assert (given.parent / "other.graph.json").exists()
    assert (library / "other.graph.json").exists()


def test_a_server_replaces_no_graph_of_another_repository_and_no_other_file(
    tmp_path: Path, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))
    other = write(tmp_path / "other", {"other.py": CODE})
    given = tmp_path / "work" / "other.graph.json"
    given.parent.mkdir()
    product.encode(other, output=str(given))
    mine = write(given.parent, {"mine.graph.json": '{"a program": "of mine"}'}) / "mine.graph.json"
    before = given.read_bytes()

    for output in (str(given), "other.graph.json", "mine.graph.json"):
        answer = call(Graphs([given]), "encode", repository=str(shop), output=output)

        assert answer.is_error, answer.content[0].text
    assert given.read_bytes() == before
    assert mine.read_text() == '{"a program": "of mine"}'
    # Without an output it goes beside them, under a name of its own.
    write(given.parent, {"shop.graph.json": "notes"})
    answer = call(Graphs([given]), "encode", repository=str(shop))
    assert answer.structured_content["graph_file"] == str(given.parent / "shop-2.graph.json")


# Clones


@pytest.mark.parametrize(
    "url",
    ["https://host.example/a/.", "https://host.example/a/..", "https://host.example/a/./", "https://host.example/..",
     "https://host.example/a//", "https://host.example/a/%2e%2e", "https://host.example/a/...", "https://h.example/a/.git",
     "git@host.example:..", "host.example:a/..", "https://host.example/a/x\x00y", "https://host.example/a/x. .",
     "https://host.example/a/C:", "https://host.example/a/" + "x" * 5000, "file:///a/.."],
)  # fmt: skip
def test_every_url_has_a_folder_of_its_own_right_below_the_clones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("RPG_DATA", str(tmp_path))
    for spelling in (url, source_url(url), normalise_url(url) or url):
        folder = clone_folder(spelling, "")

        assert folder.parent.parent == tmp_path / "clones"
        assert len(folder.parent.name) == 12
        assert folder.name.strip(". ") == folder.name != ""
        assert len(folder.name) <= 80
        assert folder.name.casefold() != ".git"


def test_a_url_that_ends_in_a_dot_leaves_all_other_clones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))
    origin = repository(tmp_path / "origin" / "shop", {"shop.py": CODE})
    kept = write(tmp_path / "data" / "clones" / ("0" * 12) / "other", {"kept.py": CODE})
    for url in (f"{origin.as_uri()}/.", f"{origin.as_uri()}/./", f"{origin.as_uri()}/../shop/."):
        encoded = rpg(tmp_path, "encode", url)

        assert (kept / "kept.py").exists(), url
        assert encoded.code == DONE, encoded.errors


def test_a_url_without_a_folder_to_clone_into_says_what_to_do(tmp_path: Path) -> None:
    origin = repository(tmp_path / "origin", {"shop.py": CODE})
    (tmp_path / "data").write_text("a file in the place of the folder")

    ended = rpg(tmp_path, "encode", origin.as_uri())

    assert (ended.code, ended.errors.partition(":")[0]) == (FAILED, "ENCODE_FAILED"), ended
    assert "RPG_DATA" in ended.errors


# Clients


def test_install_leaves_a_configuration_that_is_a_link(tmp_path: Path, graph: Path) -> None:
    mine = write(tmp_path, {"mine.json": "{}"}) / "mine.json"
    (tmp_path / ".mcp.json").symlink_to(mine)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".cursor").symlink_to(tmp_path / "elsewhere")

    for client in ("claude-code", "cursor"):
        ended = rpg(tmp_path, "install", client, str(graph))

        assert ended.code == WRONG_REQUEST, ended
        assert "symlink" in ended.errors
        assert '"mcpServers"' in ended.errors
    assert (tmp_path / ".mcp.json").is_symlink()
    assert mine.read_text() == "{}"
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_install_keeps_what_a_server_of_the_same_name_has_beside_its_command(tmp_path: Path, graph: Path) -> None:
    assert rpg(tmp_path, "install", "claude-code", str(graph)).code == DONE
    settings = json.loads((tmp_path / ".mcp.json").read_text())
    settings["mcpServers"]["shop"] |= {"env": {"RPG_DATA": "elsewhere"}, "disabled": True}
    (tmp_path / ".mcp.json").write_text(json.dumps(settings))
    (tmp_path / ".mcp.json").chmod(0o600)

    assert rpg(tmp_path, "install", "claude-code", str(graph)).code == DONE

    assert json.loads((tmp_path / ".mcp.json").read_text()) == settings
    assert (tmp_path / ".mcp.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("entry", [{"command": "npx", "args": ["shop"], "env": {"KEY": "x"}}, {"url": "http://x"}, []])
def test_install_does_not_replace_the_server_of_another_program(tmp_path: Path, graph: Path, entry: Any) -> None:
    text = json.dumps({"mcpServers": {"shop": entry}})
    (tmp_path / ".mcp.json").write_text(text)

    refused = rpg(tmp_path, "install", "claude-code", str(graph))

    assert refused.code == WRONG_REQUEST, refused
    assert "--name" in refused.errors
    assert (tmp_path / ".mcp.json").read_text() == text
    assert rpg(tmp_path, "install", "claude-code", str(graph), "--name", "graph-of-shop").code == DONE


# Graphs that are found


def test_a_graph_of_a_folder_above_is_named_when_it_answers(tmp_path: Path, graph: Path) -> None:
    inner = tmp_path / "shop" / "inner"
    inner.mkdir()

    above = rpg(inner, "usages", "price")
    here = rpg(tmp_path, "usages", "price")

    assert (above.code, here.code) == (DONE, DONE), (above, here)
    assert str(graph) in above.errors
    assert "--graph" in above.errors
    assert here.errors == ""


def test_a_folder_that_git_tops_is_not_left_for_a_graph_above(tmp_path: Path, graph: Path) -> None:
    git(tmp_path / "shop", "init", "-q")

    assert rpg(tmp_path / "shop", "usages", "price").errors.startswith("GRAPH_NOT_LOADED: ")
