"""Where graphs lie and how they are found: in `.rpg/`, which git does not see and strangers may prepare."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from commands import CODE, rpg
from repositories import commit, git, repository, write

import rpg as product
from rpg.cli.arguments.graphs import SMALL
from rpg.cli.failures import DONE, FAILED, NOTHING_FOUND, WRONG_REQUEST
from rpg.errors import EncodeFailed
from rpg.repository import default_place, forget, index_path, repository_around
from rpg.stores import graph_folder
from rpg.tools.loaded.graphs import Graphs


@pytest.fixture(autouse=True)
def no_repository_above(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RPG_GRAPH", raising=False)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))  # the same repository of another test is no relative


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop", {"shop.py": CODE, "deep/er/cart.py": "class Cart:\n    pass\n"})


def files(graph: Path) -> list[str]:
    nodes = json.loads(graph.read_bytes())["nodes"]
    return [node["path"] for node in nodes if node["kind"] == "module"]


def seen_by_git(root: Path) -> str:
    return subprocess.run(
        ["git", "-C", str(root), "status", "--porcelain", "--untracked-files=all"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip


# The place


@pytest.mark.invariant("trust", "git sees nothing of a graph in its default place, and nothing in that place is source")
def test_git_sees_nothing_of_a_graph(shop: Path, tmp_path: Path) -> None:
    assert rpg(tmp_path, "encode", "shop").code == DONE
    write(shop, {"shop.py": CODE + "\n\nNEW = 1\n"})
    assert rpg(tmp_path, "search", "NEW", "--mode", "symbol", "-g", "shop").code == DONE

    assert seen_by_git(shop) == " M shop.py\n"
    assert {path.name for path in (shop / ".rpg").iterdir()} == {".gitignore", "shop.graph.json", "shop.graph.db"}


def test_the_commands_find_it_from_any_folder_of_the_repository(shop: Path, tmp_path: Path) -> None:
    assert rpg(tmp_path, "encode", "shop").code == DONE

    for folder in (shop, shop / "deep", shop / "deep" / "er"):
        asked = rpg(folder, "usages", "price")
        assert (asked.code, asked.errors) == (DONE, ""), folder
    for named in ("shop", "shop/deep"):
        assert rpg(tmp_path, "usages", "price", "-g", named).code == DONE
    with product.open(shop / "deep") as graph:
        assert graph.search(query="Cart", mode="symbol").hits[0].path == "deep/er/cart.py"


def test_a_graph_beside_the_repository_is_found_and_kept_up_to_date_where_it_is(shop: Path, tmp_path: Path) -> None:
    assert rpg(tmp_path, "encode", "shop", "-o", "shop.graph.json").code == DONE
    assert rpg(tmp_path, "usages", "price").code == DONE
    write(shop, {"new.py": CODE})

    assert rpg(tmp_path, "encode", "shop").code == DONE

    assert files(tmp_path / "shop.graph.json") == ["deep/er/cart.py", "new.py", "shop.py"]
    assert not (shop / ".rpg").exists()


@pytest.mark.invariant("trust", "git sees nothing of a graph in its default place, and nothing in that place is source")
def test_what_is_in_the_folder_is_not_source(shop: Path, tmp_path: Path) -> None:
    write(shop / ".rpg", {"evil.py": CODE, "deep/more.py": CODE})
    git(shop, "add", "-f", ".rpg")
    commit(shop)
    assert rpg(shop, "encode").code == DONE
    assert files(shop / ".rpg" / "shop.graph.json") == ["deep/er/cart.py", "shop.py"]

    shutil.rmtree(shop / ".git")
    assert rpg(shop, "encode", "--full").code == DONE
    assert files(shop / ".rpg" / "shop.graph.json") == ["deep/er/cart.py", "shop.py"]


def test_forgetting_removes_the_folder_and_leaves_what_is_not_ours(shop: Path) -> None:
    assert rpg(shop, "encode").code == DONE
    forget(shop / ".rpg" / "shop.graph.json")
    assert not (shop / ".rpg").exists()

    assert rpg(shop, "encode").code == DONE
    (shop / ".rpg" / "mine.txt").write_text("mine")
    forget(shop / ".rpg" / "shop.graph.json")
    assert (shop / ".rpg" / "mine.txt").read_text() == "mine"


def test_a_folder_below_is_not_forgotten_with_its_repository(shop: Path, tmp_path: Path) -> None:
    assert rpg(shop, "encode").code == DONE

    assert rpg(tmp_path, "forget", "shop/deep").code == FAILED

    assert (shop / ".rpg" / "shop.graph.json").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_repository_that_cannot_be_written_has_its_graph_in_the_current_folder(shop: Path, tmp_path: Path) -> None:
    shop.chmod(0o555)
    try:
        assert default_place(shop) == Path.cwd() / "shop.graph.json"
    finally:
        shop.chmod(0o755)


# A folder in a repository stands for the repository


def test_a_folder_stands_for_its_repository_unless_told(shop: Path, tmp_path: Path) -> None:
    ended = rpg(tmp_path, "encode", "shop/deep")

    assert ended.code == DONE
    assert f"{shop.resolve()} is encoded, the repository around" in ended.output
    assert files(shop / ".rpg" / "shop.graph.json") == ["deep/er/cart.py", "shop.py"]
    assert not (shop / "deep" / ".rpg").exists()

    assert rpg(tmp_path, "encode", "shop/deep", "--here").code == DONE
    assert files(shop / "deep" / ".rpg" / "deep.graph.json") == ["er/cart.py"]
    assert "is encoded" not in rpg(tmp_path, "encode", "shop/deep").output, "it has a graph of its own now"
    assert seen_by_git(shop) == ""


def test_a_repository_around_the_home_folder_is_not_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # settings are often kept in git
    home = repository(tmp_path / "home", {"settings.py": CODE, "project/shop.py": CODE})
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))

    assert repository_around(home / "project") == (home / "project").resolve()


def test_a_folder_that_its_repository_ignores_stands_for_itself(shop: Path) -> None:
    write(shop, {".gitignore": "built/\n", "built/made.py": CODE})

    assert repository_around(shop / "built") == (shop / "built").resolve()
    assert repository_around(shop / "deep" / "er") == shop.resolve()


# What strangers prepare


@pytest.mark.invariant(
    "trust",
    "a `.rpg` that is not a folder of the user is neither read nor written; a graph that came in one is "
    "rebuilt from the sources around it",
)
@pytest.mark.parametrize("kind", ["link", "dangling", "file", "pipe"])
def test_what_is_not_a_folder_is_neither_written_nor_read(shop: Path, tmp_path: Path, kind: str) -> None:
    place, outside = shop / ".rpg", tmp_path / "outside"
    repository(outside, {"other.py": CODE})
    assert rpg(tmp_path, "encode", "outside", "-o", "outside/outside.graph.json").code == DONE
    before = sorted(path.name for path in outside.iterdir())
    if kind == "link":
        place.symlink_to(outside, target_is_directory=True)
    elif kind == "dangling":
        place.symlink_to(tmp_path / "nowhere")
    elif kind == "pipe":
        os.mkfifo(place)
    else:
        place.write_text("mine")

    encoded = rpg(shop, "encode")
    asked = rpg(shop, "usages", "price")

    assert encoded.code == FAILED
    assert f"{place} is " in encoded.errors
    assert asked.errors.startswith("GRAPH_NOT_LOADED: there is no graph here")
    assert sorted(path.name for path in outside.iterdir()) == before
    assert not (tmp_path / "nowhere").exists()
    assert rpg(shop, "encode", "-o", "../shop.graph.json").code == DONE


def test_a_server_writes_nothing_through_a_link(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (shop / ".rpg").symlink_to(tmp_path / "outside", target_is_directory=True)

    with pytest.raises(EncodeFailed, match="is a symlink"):
        product.encode(shop)

    assert list((tmp_path / "outside").iterdir()) == []


@pytest.mark.parametrize("kind", ["link", "other"])
def test_an_ignore_file_that_is_there_is_left_as_it_is(shop: Path, tmp_path: Path, kind: str) -> None:
    (tmp_path / "outside").write_text("mine")
    (shop / ".rpg").mkdir()
    ignored = shop / ".rpg" / ".gitignore"
    if kind == "link":
        ignored.symlink_to(tmp_path / "outside")
    else:
        ignored.write_text("mine")

    assert rpg(shop, "encode").code == DONE

    assert (tmp_path / "outside").read_text() == ignored.read_text() == "mine"


@pytest.mark.invariant(
    "trust",
    "a `.rpg` that is not a folder of the user is neither read nor written; a graph that came in one is "
    "rebuilt from the sources around it",
)
def test_a_graph_that_came_with_a_clone_is_rebuilt_from_its_sources(shop: Path, tmp_path: Path) -> None:
    """It names functions that are not there, options that hide files, and another folder."""
    other = repository(tmp_path / "other", {"harmless.py": CODE.replace("price", "harmless")})
    place = shop / ".rpg" / "planted.graph.json"
    assert rpg(tmp_path, "encode", "other", "-o", "planted.graph.json").code == DONE
    (shop / ".rpg").mkdir()
    for made in (tmp_path / "planted.graph.json", tmp_path / "planted.graph.db"):
        shutil.copy(made, shop / ".rpg")
    git(shop, "add", "-f", ".rpg")
    commit(shop)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(shop), str(clone))

    asked = rpg(clone / "deep", "usages", "price")

    assert asked.code == DONE, asked.errors
    assert "shop.py" in asked.output
    assert files(clone / ".rpg" / place.name) == ["deep/er/cart.py", "shop.py"]
    assert rpg(clone, "usages", "harmless").code == NOTHING_FOUND
    assert files(tmp_path / "planted.graph.json") == ["harmless.py"]
    assert other.exists()


def test_a_repository_that_is_moved_or_copied_takes_its_graph_along(shop: Path, tmp_path: Path) -> None:
    assert rpg(shop, "encode").code == DONE
    moved = shop.rename(tmp_path / "moved")
    repository(shop, {"unlike.py": CODE})
    copied = shutil.copytree(moved, tmp_path / "copied")
    for root in (moved, copied):
        write(root, {"new.py": f"def only_in_{root.name}():\n    pass\n"})

        asked = rpg(root, "search", f"only_in_{root.name}", "--mode", "symbol")

        assert "new.py" in asked.output
        assert default_place(root) == root.resolve() / ".rpg" / "shop.graph.json"
    assert not (shop / ".rpg").exists()


def test_a_folder_of_another_user_is_not_taken_for_ours(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert rpg(shop, "encode").code == DONE
    monkeypatch.setattr(os, "geteuid", lambda: shop.stat().st_uid + 1)

    assert graph_folder.graphs_in(shop) == []


def test_of_several_graphs_the_one_named_as_the_repository_is_meant(shop: Path) -> None:
    assert rpg(shop, "encode").code == DONE
    assert rpg(shop, "encode", "-o", ".rpg/other.graph.json", "--include", "deep/**").code == DONE
    assert graph_folder.only_graph(shop) == shop / ".rpg" / "shop.graph.json"
    forget(shop / ".rpg" / "shop.graph.json")
    assert rpg(shop, "encode", "-o", ".rpg/third.graph.json").code == DONE

    assert rpg(shop, "stats").code == WRONG_REQUEST
    assert index_path(shop / ".rpg" / "third.graph.json").exists()


def test_graphs_of_repositories_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    places = [tmp_path / folder / "shop" / ".rpg" / "shop.graph.json" for folder in ("one", "two")]

    assert Graphs(places).names() == ["one/shop", "two/shop"]
    assert Graphs(places[:1]).names() == ["shop"]


# Without a graph


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
@pytest.mark.parametrize("answer", ["y", "n"])
@pytest.mark.parametrize("more", [0, SMALL], ids=["small", "larger"])
def test_on_a_terminal_a_query_offers_to_make_the_graph(shop: Path, more: int, answer: str) -> None:
    """Of any size: who can be asked is asked. Only without a terminal a small one is made at once."""
    import pty

    write(shop, {f"more/of{number}.py": "" for number in range(more)})
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(shop / "deep")
        os.execv(sys.executable, [sys.executable, "-m", "rpg", "usages", "price"])
    shown = b""
    with os.fdopen(terminal, "r+b", buffering=0) as screen:
        while b"[Y/n]" not in shown:
            shown += screen.read(1)
        screen.write(answer.encode() + b"\n")
        with suppress(OSError):  # how a terminal ends on Linux
            while more := screen.read(4096):
                shown += more
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])

    assert f"There is no graph of {shop.resolve()} yet." in shown.decode()
    assert (shop / ".rpg" / "shop.graph.json").exists() == (answer == "y")
    assert code == (DONE if answer == "y" else FAILED)


def test_without_a_terminal_the_command_is_named(shop: Path) -> None:
    ended = rpg(shop, "usages", "price")

    assert ended.code == FAILED
    assert "make one with `rpg encode`" in ended.errors
    assert not (shop / ".rpg").exists()
