"""The command line: the tools' answers as text or JSON, exit codes, and the commands that are no tools."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from shop import write_graph, write_repository
from syrupy.assertion import SnapshotAssertion

from rpg.cli import ORDER, rpg, run
from rpg.cli.install import CLIENTS, clients
from rpg.tools import TOOLS
from rpg.tools.registry import parameters


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli")
    return write_graph(write_repository(folder / "shop"), folder / "shop.graph.json")


@pytest.fixture
def shop(made: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The graph file, which is the only one in the current folder; nothing may be changed there."""
    monkeypatch.chdir(made.parent)
    monkeypatch.delenv("RPG_GRAPH", raising=False)
    return made


def test_every_tool_has_its_command_with_the_same_arguments() -> None:
    for tool in TOOLS.values():
        command = rpg.get_command(click.Context(rpg), tool.command)
        assert command is not None
        taken = {parameter.name for parameter in command.params}
        assert set(parameters(tool)) - {"graph"} <= taken
        assert "as_json" in taken


def test_help_lists_every_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert run(["--help"]) == 0
    told = capsys.readouterr().out

    assert [line.split()[0] for line in told.split("Commands:\n")[1].splitlines() if line.strip()] == list(ORDER)
    assert told == snapshot


def test_an_answer_is_the_text_that_clients_get(
    shop: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert run(["usages", "Base.save"]) == 0
    assert capsys.readouterr().out == snapshot


def test_json_is_the_structured_answer(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explore", "Base", "--edges", "inherits,overrides", "--direction", "in", "--depth", "1", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)

    assert [edge["source"] for edge in answer["edges"]] == ["Cart", "Cart.total"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["search", "cart"], 0),
        (["usages", "Base.save"], 0),
        (["usages", "retired"], 1),
        (["usages", "Cart.totl"], 1),
        (["fetch", "Nothing"], 1),
        (["fetch", "../secret"], 2),
        (["fetch", "shop/gone.py"], 2),
        (["explore", "Cart", "--depth", "11"], 2),
        (["explore", "Cart", "--sideways"], 2),
        (["explore"], 2),
        (["nothing"], 2),
        (["usages", "Cart", "--graph", "gone.graph.json"], 3),
    ],
)
def test_exit_codes(shop: Path, arguments: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == code
    assert bool(capsys.readouterr().err) == (code > 1 or arguments[-1] in ("Cart.totl", "Nothing"))


# Which graph


def test_the_graph_is_found_from_a_folder_below(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    below = shop.parent / "below" / "this"
    below.mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(below)

    assert run(["usages", "Base.save"]) == 0


def test_the_graph_is_named_by_file_folder_or_name(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    for named in (shop, shop.parent, shop.parent / "shop"):
        if named != shop.parent / "shop":  # a folder of that name is there: the repository
            assert run(["usages", "Base.save", "-g", str(named)]) == 0
    monkeypatch.setenv("RPG_GRAPH", str(shop))
    assert run(["usages", "Base.save"]) == 0


def test_several_graphs_are_not_guessed_between(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("RPG_GRAPH", raising=False)
    for name in ("one", "two"):
        (tmp_path / f"{name}.graph.json").write_text("")
    monkeypatch.chdir(tmp_path)

    assert run(["stats"]) == 2
    assert "one.graph.json, two.graph.json" in capsys.readouterr().err


# encode, forget, diff


def test_encode_writes_here_and_says_what_to_do_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = write_repository(tmp_path / "shop")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    assert run(["encode", str(root)]) == 0
    told = capsys.readouterr()
    made = tmp_path / "here" / "shop.graph.json"
    assert made.exists()
    assert "claude mcp add shop -- " in told.out
    assert f"rpg install {'|'.join(CLIENTS)} {made}" in told.out
    assert told.err == ""  # no progress where nobody watches

    (root / "shop" / "cart.py").write_text("def price(item):\n    return item.price + 1\n")
    assert run(["encode", str(root), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["changes"] == {"modified": ["shop/cart.py"]}

    assert run(["forget", "shop.graph.json"]) == 0
    assert not made.exists()
    assert (root / "shop" / "cart.py").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["encode", "nowhere"], 2, "INVALID_PATH: "),
        (["encode", "empty"], 3, "ENCODE_FAILED: no source file"),
        (["encode", "shop", "-o", "nowhere/x.graph.json"], 2, "INVALID_PATH: "),
        (["encode", "shop", "--branch", "main"], 2, "BAD_REQUEST: branch is for URLs"),
        (["forget", "gone.graph.json"], 3, "GRAPH_NOT_LOADED: "),
    ],
)
def test_what_cannot_be_encoded_or_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    arguments: list[str], code: int, told: str,
) -> None:  # fmt: skip
    write_repository(tmp_path / "shop")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)

    assert run(arguments) == code
    assert capsys.readouterr().err.startswith(told)


# install


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, and no client of the user's."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home" / ".config"))
    monkeypatch.setenv("APPDATA", str(tmp_path / "home"))
    (tmp_path / "shop.graph.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("client", CLIENTS)
def test_install_adds_a_server_and_keeps_the_rest(home: Path, client: str) -> None:
    chosen = clients()[client]
    chosen.file.parent.mkdir(parents=True, exist_ok=True)
    chosen.file.write_text(json.dumps({"theme": "dark", chosen.key: {"other": {"command": "other"}}}))

    assert run(["install", client, "shop.graph.json"]) == 0
    assert run(["install", client, "shop.graph.json"]) == 0

    settings = json.loads(chosen.file.read_text())
    entry = settings[chosen.key].pop("shop")
    assert settings == {"theme": "dark", chosen.key: {"other": {"command": "other"}}}
    assert entry["args"][-1] == str(home / "shop.graph.json")
    assert Path(entry["command"]).name.startswith("rpg-mcp")
    assert [path.name for path in chosen.file.parent.iterdir() if ".json." in path.name] == []


def test_install_can_print_alone(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["install", "vscode", "shop.graph.json", "--print", "--name", "mine"]) == 0

    assert json.loads(capsys.readouterr().out.partition("\n")[2])["servers"]["mine"]["type"] == "stdio"
    assert not (home / ".vscode").exists()


def test_install_leaves_a_file_that_it_does_not_understand(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / ".mcp.json").write_text("// mine\n{}")

    assert run(["install", "claude-code", "shop.graph.json"]) == 2
    assert "add this" in capsys.readouterr().err
    assert (home / ".mcp.json").read_text() == "// mine\n{}"


# debug


def test_debug_facts_shows_what_the_parser_saw(
    shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shop.parent / "shop")

    assert run(["debug", "facts", "shop/orders.py"]) == 0
    told = capsys.readouterr().out
    assert "    5      cart = Cart(owner)\n         · binds cart = Cart(…)\n         · checkout calls Cart(…)" in told
    assert run(["debug", "facts", "shop/orders.py", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["language"] == "python"
    assert run(["debug", "facts", "notes.txt"]) == 2


@pytest.mark.parametrize(
    ("place", "name", "told"),
    [
        ("shop/orders.py:8", "total", "checkout calls shop/cart.py::Cart.total at 8:17, via constructor (certain)"),
        ("shop/orders.py:12", "save", "place calls shop/base.py::Base.save at 12:11, via unique-name (possible)"),
        ("shop/orders.py:13", "archive", "unresolved at 13:11 in shop/orders.py::place"),
        ("shop/cart.py:1", "requests", "external at 1:8 in shop/cart.py: it leads outside the repository"),
        ("shop/orders.py:12", "order", "no edge, and no unresolved place"),
    ],
)
def test_debug_explain_says_what_became_of_a_name(
    shop: Path, capsys: pytest.CaptureFixture[str], place: str, name: str, told: str
) -> None:
    assert run(["debug", "explain", place, name]) == 0
    assert told in capsys.readouterr().out


def test_debug_explain_wants_a_line_that_has_the_name(shop: Path) -> None:
    assert run(["debug", "explain", "shop/orders.py:8", "price"]) == 2
    assert run(["debug", "explain", "shop/orders.py", "price"]) == 2


# The process


def test_the_process_ends_with_the_code_and_a_closed_pipe_is_no_error(shop: Path) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    refused = subprocess.run(
        [sys.executable, "-m", "rpg", "fetch", "../x"], capture_output=True, text=True, env=environment, cwd=shop.parent
    )

    assert refused.returncode == 2
    assert refused.stdout == ""
    assert refused.stderr.startswith("FORBIDDEN: ")
