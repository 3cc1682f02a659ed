"""Input that is broken, hostile or in the wrong place, given to the command itself: what it says, how it ends, and that
the graph from before is still there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from repositories import ENVIRONMENT, git, repository, write

from rpg.cli.failures import DONE, FAILED, WRONG_REQUEST
from rpg.graph import FORMAT_VERSION
from rpg.stores.graph_file.nodes import add_symbol_ids

RPG = (sys.executable, "-I", str(Path(sys.executable).with_name("rpg")))
CODE = "def price():\n    return 1\n\n\ndef total():\n    return price()\n"


class Ended(NamedTuple):
    code: int
    output: str
    errors: str


def rpg(folder: Path, *arguments: str) -> Ended:
    """Runs the command there, with nothing of this user's settings."""
    environment = ENVIRONMENT | {"RPG_DATA": str(folder / "data"), "HOME": str(folder)}
    environment.pop("RPG_GRAPH", None)
    process = subprocess.run(
        [*RPG, *arguments], cwd=folder, env=environment, capture_output=True, stdin=subprocess.DEVNULL
    )
    return Ended(process.returncode, process.stdout.decode(), process.stderr.decode())


def header(graph: Path) -> dict[str, object]:
    loaded: dict[str, object] = json.loads(graph.read_text("utf-8"))["graph"]
    return loaded


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """A graph that was made when all was well, of the folder `shop` beside it."""
    write(tmp_path / "shop", {"shop.py": CODE})
    ended = rpg(tmp_path, "encode", "shop", "-o", "shop.graph.json")
    assert ended.code == DONE, ended.errors
    return tmp_path / "shop.graph.json"


# Graphs


@pytest.mark.parametrize("is_alone", [True, False], ids=["alone", "beside its index"])
def test_a_graph_cut_in_the_middle_is_reported_and_encode_repairs_it(graph: Path, is_alone: bool) -> None:
    whole = graph.read_bytes()
    graph.write_bytes(whole[: len(whole) // 2])
    if is_alone:
        graph.with_name("shop.graph.db").unlink()

    broken = rpg(graph.parent, "usages", "price")

    assert broken.code == FAILED
    assert broken.errors.startswith("GRAPH_NOT_LOADED: ")
    assert "rpg encode" in broken.errors
    assert broken.output == ""
    assert rpg(graph.parent, "encode", "shop", "-o", "shop.graph.json").code == DONE
    assert graph.read_bytes() == whole


def test_a_graph_of_a_newer_version_is_refused_with_both_versions(graph: Path) -> None:
    newer = FORMAT_VERSION + 1
    text = graph.read_text("utf-8").replace(f'"version":{FORMAT_VERSION}', f'"version":{newer}', 1)
    graph.write_text(text, "utf-8")
    assert header(graph)["version"] == newer
    graph.with_name("shop.graph.db").unlink()

    ended = rpg(graph.parent, "usages", "price")

    assert ended.code == FAILED
    assert ended.errors.startswith("GRAPH_NOT_LOADED: ")
    assert str(newer) in ended.errors
    assert str(FORMAT_VERSION) in ended.errors
    assert graph.read_text("utf-8") == text


def test_a_failed_encode_leaves_the_graph(graph: Path) -> None:
    before = graph.read_bytes()
    (graph.parent / "shop" / "shop.py").unlink()

    ended = rpg(graph.parent, "encode", "shop", "-o", "shop.graph.json")

    assert ended.code == FAILED
    assert ended.errors.startswith("ENCODE_FAILED: ")
    assert "no source file" in ended.errors
    assert graph.read_bytes() == before


# Repositories


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    ended = rpg(tmp_path, "encode", "nowhere")

    assert ended.code == WRONG_REQUEST
    assert ended.errors.startswith("INVALID_PATH: ")
    assert "nowhere" in ended.errors
    assert "Traceback" not in ended.errors
    assert list(tmp_path.glob("*.graph.*")) == []


def test_files_that_cannot_be_source_are_left_out_with_their_reason(tmp_path: Path) -> None:
    root = write(
        tmp_path / "shop",
        {"shop.py": CODE, "image.py": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" * 40, "broken.py": "def (:\n\x0c"},
    )
    with open(root / "large.py", "wb") as file:
        file.truncate(50 << 20)
    (root / "loop").symlink_to(root)
    (root / "loop.py").symlink_to("loop.py")
    (root / "outside.py").symlink_to(tmp_path / "outside.py")
    write(tmp_path, {"outside.py": "def stolen(): ...\n"})
    locked = write(root, {"locked.py": "def locked(): ...\n"}) / "locked.py"
    locked.chmod(0)

    ended = rpg(tmp_path, "encode", "shop", "-o", "shop.graph.json")

    assert ended.code == DONE, ended.errors
    made = header(tmp_path / "shop.graph.json")
    skipped = {each["path"]: each["reason"] for each in made["skipped"]}
    expected = {
        "image.py": "binary",
        "large.py": "larger than",
        "loop": "link",
        "loop.py": "link",
        "outside.py": "link",
    }
    if os.geteuid() != 0:  # root reads everything
        expected["locked.py"] = "ermission"
    assert {path: word for path, word in expected.items() if word not in skipped.get(path, "")} == {}
    assert [each["path"] for each in made["problems"]] == ["broken.py"]
    found = rpg(tmp_path, "search", "stolen", "--mode", "symbol", "--match", "exact")
    assert "stolen" not in found.output


def test_what_the_grammar_alone_does_not_know_is_not_a_problem(tmp_path: Path) -> None:
    exports = {"a.ts": 'export type * from "./b";\nexport type * as c from "./b";\n', "b.ts": "export class B {}\n"}
    write(tmp_path / "shop", {**exports, "near.ts": "export type class C {}\n"})

    rpg(tmp_path, "encode", "shop", "-o", "shop.graph.json")

    assert [each["path"] for each in header(tmp_path / "shop.graph.json")["problems"]] == ["near.ts"]


def test_a_path_that_climbs_out_is_forbidden(graph: Path) -> None:
    write(graph.parent, {"secret.txt": "do not read"})
    for path in ("../secret.txt", "shop/../../secret.txt", str(graph.parent / "secret.txt")):
        ended = rpg(graph.parent, "fetch", path)

        assert ended.code == WRONG_REQUEST, path
        assert "FORBIDDEN: " in ended.errors + ended.output
        assert "do not read" not in ended.output


@pytest.mark.invariant("trust", "nothing that a repository configures is run")
def test_nothing_runs_that_a_repository_configures(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", {"shop.py": CODE, ".gitattributes": "*.py filter=evil\n"})
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\n: > '{tmp_path / 'sprung'}'\ncat\n")
    trap.chmod(0o755)
    for key in ("core.fsmonitor", "filter.evil.clean", "filter.evil.smudge", "filter.evil.process"):
        git(root, "config", key, str(trap))
    write(root, {"shop.py": CODE.replace("1", "2")})  # as long as before: git must read it to compare

    ended = rpg(tmp_path, "encode", "shop", "-o", "shop.graph.json")

    assert ended.code == DONE, ended.errors
    assert not (tmp_path / "sprung").exists()
    git(root, "status", fails=True)
    assert (tmp_path / "sprung").exists(), "the trap does not work, and the test above says nothing"


def test_a_repository_in_a_folder_that_an_outer_one_ignores(tmp_path: Path) -> None:
    outer = repository(tmp_path / "outer", {".gitignore": "clones/\n", "outer.py": CODE})
    repository(outer / "clones" / "shop", {"shop.py": CODE, ".gitignore": "made.py\n"})
    write(outer / "clones" / "shop", {"made.py": CODE, "fresh.py": CODE})
    write(outer / "clones" / "plain", {"plain.py": CODE})

    for name, files in (("shop", ["fresh.py", "shop.py"]), ("plain", ["plain.py"])):
        ended = rpg(tmp_path, "encode", str(outer / "clones" / name), "-o", f"{name}.graph.json")

        assert ended.code == DONE, ended.errors
        nodes = json.loads((tmp_path / f"{name}.graph.json").read_text("utf-8"))["nodes"]
        assert [node["path"] for node in nodes if node["kind"] == "module"] == files


def test_outside_git_a_configuration_counts_although_an_ignore_file_names_it(tmp_path: Path) -> None:
    # Git may track it nevertheless, which a walk cannot know.
    write(tmp_path / "shop", {
        "till.ts": 'import { total } from "cart";\ntotal();\n',
        "packages/cart/.gitignore": "package.json\n",
        "packages/cart/package.json": '{"name": "cart", "main": "src/cart.ts"}',
        "packages/cart/src/cart.ts": "export function total() {}\n",
        "package.json": '{"workspaces": ["packages/*"]}',
    })  # fmt: skip

    ended = rpg(tmp_path, "encode", "shop", "-o", "shop.graph.json")

    assert ended.code == DONE, ended.errors
    edges = add_symbol_ids(json.loads((tmp_path / "shop.graph.json").read_text("utf-8")))["edges"]
    assert [edge["target"] for edge in edges if edge["kind"] == "imports"] == ["packages/cart/src/cart.ts"]
