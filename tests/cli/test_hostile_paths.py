"""Names and files that somebody prepared: what is outside a repository is neither read nor written nor waited for."""

from __future__ import annotations

import hashlib
import json
import os
import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from commands import CODE, module_paths, rpg
from repositories import ENVIRONMENT, git, repository, write

from rpg.cli.failures import DONE, FAILED
from rpg.encoder.source_files.git import GitFailed, changes, head, run
from rpg.encoder.source_files.listing import list_files

SECRET = "def outside_secret():\n    return 'do not read'\n"


def git_index(names: Sequence[str], object_id: str) -> bytes:
    """An index as git writes it, with names that git would never take."""
    entries = b""
    for name in sorted(names):
        raw = os.fsencode(name)
        about = struct.pack(">10I", 0, 0, 0, 0, 0, 0, 0o100644, 0, 0, 0)
        entry = about + bytes.fromhex(object_id) + struct.pack(">H", min(len(raw), 0xFFF)) + raw
        entries += entry + b"\0" * (8 - len(entry) % 8)
    content = b"DIRC" + struct.pack(">II", 2, len(names)) + entries
    return content + hashlib.sha1(content, usedforsecurity=False).digest()


def skipped(graph: Path) -> dict[str, str]:
    return {each["path"]: each["reason"] for each in json.loads(graph.read_bytes())["graph"]["skipped"]}


# Names


CLIMBING = ("../outside.py", "a/../../outside.py", "a/../shop.py", "./shop.py", "a//b.py", "/etc/hosts.py", "..")
OF_GIT = (".git/hooks.py", ".GIT/hooks.py", "a/.git/x.py", ".git./x.py", "GIT~1/x.py", ".g\u200cit/x.py")
DRIVES = ("C:/x.py", "c:\\x.py")


@pytest.mark.invariant("trust", "no name leads out of a repository, whatever its source")
@pytest.mark.parametrize("name", [*CLIMBING, *OF_GIT, *DRIVES])
def test_a_name_in_gits_index_that_is_no_place_in_the_repository_is_left_out_and_named(
    tmp_path: Path, name: str
) -> None:
    write(tmp_path, {"outside.py": SECRET})
    root = repository(tmp_path / "shop", {"shop.py": CODE, "a/b.py": CODE})
    for each in OF_GIT:
        write(root, {each: SECRET})
    blob = git(root, "rev-parse", "HEAD:shop.py")
    (root / ".git" / "index").write_bytes(git_index(["shop.py", name], blob))

    ended = rpg(tmp_path, "encode", "shop", "-o", "shop.graph.json")

    assert ended.code == DONE, ended.errors
    graph = tmp_path / "shop.graph.json"
    assert module_paths(graph) in (["shop.py"], ["a/b.py", "shop.py"])
    assert "outside_secret" not in graph.read_text("utf-8")
    told = {path: reason for path, reason in skipped(graph).items() if reason.startswith("unsafe file name: ")}
    assert any(name.startswith(path) for path in told), skipped(graph)


def test_a_tree_with_names_that_climb_out_gives_none_of_them(tmp_path: Path) -> None:
    write(tmp_path, {"outside.py": SECRET})
    root = repository(tmp_path / "shop", {"shop.py": CODE})
    blob = git(root, "rev-parse", "HEAD:shop.py")
    tree = b"".join(
        b"100644 " + name + b"\0" + bytes.fromhex(blob) for name in sorted((b"..", b".git", b"shop.py", b"x"))
    )
    made = subprocess.run(
        ["git", "-C", str(root), "hash-object", "-t", "tree", "-w", "--literally", "--stdin"],
        input=tree, env=ENVIRONMENT, capture_output=True, check=True,
    ).stdout.decode().strip()  # fmt: skip
    commit = git(root, "commit-tree", "-m", "hostile", made)

    listing = list_files(root, revision=commit)

    assert [entry.path for entry in listing.entries] == ["shop.py", "x"]
    assert {each.path: each.reason for each in listing.skipped} == {
        "..": "unsafe file name: climbs with '..'",
        ".git": "unsafe file name: lies in git's own folder",
    }


def test_a_folder_that_becomes_a_symlink_is_not_read_through(tmp_path: Path) -> None:
    write(tmp_path, {"outside/secret.py": SECRET})
    root = repository(tmp_path / "shop", {"shop.py": CODE})
    blob = git(root, "rev-parse", "HEAD:shop.py")
    (root / "inner").symlink_to(tmp_path / "outside")
    (root / ".git" / "index").write_bytes(git_index(["inner/secret.py", "shop.py"], blob))

    assert rpg(tmp_path, "encode", "shop", "-o", "shop.graph.json").code == DONE

    assert "outside_secret" not in (tmp_path / "shop.graph.json").read_text("utf-8")
    fetched = rpg(tmp_path, "fetch", "inner/secret.py")
    assert "do not read" not in fetched.output + fetched.errors


# Places to write


BESIDE = ("shop.graph.json", "shop.graph.db", "shop.graph.db-lock", "shop.graph.db-wal", "shop.graph.db-shm",
          "shop.graph.db-journal")  # fmt: skip


@pytest.mark.invariant("trust", "only regular files of rpg are replaced or removed; links are never written through")
@pytest.mark.parametrize("is_there", [True, False], ids=["to a file", "to nothing"])
@pytest.mark.parametrize("name", BESIDE)
def test_a_symlink_beside_the_graph_is_not_written_through(tmp_path: Path, name: str, is_there: bool) -> None:
    write(tmp_path / "shop", {"shop.py": CODE})
    outside = tmp_path / "outside"
    if is_there:
        outside.write_text("not ours\n")
    for encoded_before in (False, True):
        if encoded_before:
            assert rpg(tmp_path, "encode", "shop", "-o", "shop.graph.json").code == DONE
            write(tmp_path / "shop", {"shop.py": CODE.replace("1", "2")})
            (tmp_path / name).unlink(missing_ok=True)
        (tmp_path / name).symlink_to(outside)

        ended = rpg(tmp_path, "encode", "shop", "-o", "shop.graph.json")

        if is_there:
            assert outside.read_text() == "not ours\n"
        assert not is_there or outside.exists()
        assert is_there or not outside.exists()
        if ended.code != DONE:
            assert ended.code == FAILED
            assert ended.errors.startswith("ENCODE_FAILED: ")
            assert "remove it" in ended.errors
        (tmp_path / name).unlink(missing_ok=True)


def test_a_lock_file_with_other_content_is_left_as_it_is(tmp_path: Path) -> None:
    write(tmp_path / "shop", {"shop.py": CODE})
    (tmp_path / "shop.graph.db-lock").write_text("notes of somebody\n")

    ended = rpg(tmp_path, "encode", "shop", "-o", "shop.graph.json")

    assert (ended.code, ended.errors.partition(":")[0]) == (FAILED, "ENCODE_FAILED")
    assert (tmp_path / "shop.graph.db-lock").read_text() == "notes of somebody\n"


def test_a_lock_file_that_is_another_name_of_a_file_is_left_as_it_is(tmp_path: Path) -> None:
    write(tmp_path / "shop", {"shop.py": CODE})
    (tmp_path / "numbers").write_text("12345")
    os.link(tmp_path / "numbers", tmp_path / "shop.graph.db-lock")

    assert rpg(tmp_path, "encode", "shop", "-o", "shop.graph.json").code == FAILED

    assert (tmp_path / "numbers").read_text() == "12345"


@pytest.mark.parametrize("name", BESIDE)
def test_a_pipe_beside_the_graph_is_not_waited_for(tmp_path: Path, name: str) -> None:
    write(tmp_path / "shop", {"shop.py": CODE})
    os.mkfifo(tmp_path / name)

    ended = rpg(tmp_path, "encode", "shop", "-o", "shop.graph.json")

    assert ended.code == DONE or ended.errors.startswith("ENCODE_FAILED: "), ended
    assert (tmp_path / name).is_fifo()
    rpg(tmp_path, "usages", "price")


def test_a_journal_that_came_with_an_index_is_not_played_back(tmp_path: Path) -> None:
    write(tmp_path / "shop", {"shop.py": CODE})
    assert rpg(tmp_path, "encode", "shop", "-o", "shop.graph.json").code == DONE
    index = tmp_path / "shop.graph.db"
    index.with_name("shop.graph.db-journal").write_bytes(hot_journal(index.read_bytes()))

    asked = rpg(tmp_path, "usages", "price")
    encoded = rpg(tmp_path, "encode", "shop", "-o", "shop.graph.json")

    assert (asked.code, encoded.code) == (DONE, DONE), (asked.errors, encoded.errors)
    assert "another program" not in encoded.errors


def hot_journal(database: bytes) -> bytes:
    """A rollback journal as of a transaction that was cut off, which makes the database another program's."""
    page_size = int.from_bytes(database[16:18], "big")
    page = database[:68] + b"evil" + database[72:page_size]
    header = bytes.fromhex("d9d505f920a163d7") + struct.pack(">IIIII", 1, 0, len(database) // page_size, 512, page_size)
    checksum = sum(page[at] for at in range(page_size - 200, 0, -200)) & 0xFFFFFFFF
    return header.ljust(512, b"\0") + struct.pack(">I", 1) + page + struct.pack(">I", checksum)


def test_git_quotes_no_file_that_a_repository_makes_it_include(tmp_path: Path) -> None:
    included = tmp_path / "included"
    root = repository(tmp_path / "shop", {"shop.py": "def price(): ...\n"})
    with open(root / ".git" / "config", "a", encoding="utf-8") as file:
        file.write(f"[include]\n\tpath = {included}\n")
    for content, command in (
        ("hunter2\n", ("config", "--get-regexp", r"^filter\.")),
        ("[core]\n\tfilemode = hunter2\n", ("status", "--porcelain")),
        ("[core]\n\tautocrlf = hunter2\n", ("ls-files",)),
    ):
        included.write_text(content)
        with pytest.raises(GitFailed) as failed:
            run(root, *command)

        assert "hunter2" not in failed.value.message


def test_a_name_that_is_not_text_is_not_a_change_that_is_asked_for(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", {"shop.py": "def price(): ...\n"})
    with open(os.path.join(os.fsencode(root), b"\xff\xfe.py"), "wb") as file:
        file.write(b"def odd(): ...\n")
    (root / "more.py").write_text("def more(): ...\n")

    assert [change.path for change in changes(root, head(root))] == ["more.py"]
