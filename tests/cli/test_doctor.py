"""`rpg doctor`: what is wrong with an installation, and the command that mends it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from repositories import repository, write

from rpg.cli import run
from rpg.cli.doctor import checks


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("RPG_GRAPH", raising=False)
    folder = repository(tmp_path / "shop", {"shop.py": "def price():\n    return 1\n"})
    monkeypatch.chdir(folder)
    return folder


def found(capsys: pytest.CaptureFixture[str], code: int) -> dict[str, dict[str, Any]]:
    capsys.readouterr()
    assert run(["doctor", "--json"]) == code
    told = json.loads(capsys.readouterr().out)
    assert told["wrong"] == len([each for each in told["findings"] if each["state"] == "wrong"])
    assert all(each["mend"] for each in told["findings"] if each["state"] == "wrong")
    return {each["name"]: each for each in told["findings"]}


def test_where_nothing_is_wrong_that_is_said(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["encode"]) == 0
    assert run(["install", "claude-code", "--yes"]) == 0
    states = {name: each["state"] for name, each in found(capsys, 0).items()}

    assert {name: states[name] for name in ("python", "extensions", "git", "graph", "index", "claude-code")} == (
        dict.fromkeys(("python", "extensions", "git", "graph", "index", "claude-code"), "ok")
    )
    assert states["claude-code hook"] == "ok"
    assert states["goose"] == states["model"] == "off"
    assert run(["doctor"]) == 0
    told = capsys.readouterr().out
    assert "11 clients have no server of rpg here" in told
    assert told.endswith("Nothing is wrong.\n")


def test_a_graph_that_is_missing_is_no_fault(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph = found(capsys, 0)["graph"]
    assert (graph["state"], graph["mend"]) == ("off", f"rpg encode {shop}")


def test_a_damaged_index_and_one_of_a_folder_that_is_gone_are_found(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["encode"]) == 0
    index = shop / ".rpg" / "shop.graph.db"
    content = index.read_bytes()
    index.write_bytes(content[:5000])
    assert found(capsys, 1)["index"]["mend"] == f"rpg encode {shop}"
    index.unlink()
    assert found(capsys, 1)["index"]["state"] == "wrong"
    assert run(["encode"]) == 0
    assert found(capsys, 0)["index"]["state"] == "ok"


@pytest.mark.parametrize(
    ("file", "content", "name", "told"),
    [
        (".mcp.json", "{", "claude-code", "not JSON"),
        (".mcp.json", '{"mcpServers": {"s": {"command": "/nowhere/rpg-mcp", "args": ["."]}}}', "claude-code",
         "/nowhere/rpg-mcp is not there any more"),
        (".codex/config.toml", '[mcp_servers.s]\ncommand = "rpg-mcp-of-nobody"\nargs = ["."]\n', "codex",
         "is not on the PATH"),
        ("opencode.json", '{"mcp": {"s": {"type": "local", "command": ["rpg-mcp", "."], "enabled": false}}}',
         "opencode",
         "it is switched off"),
        (".claude/settings.json",
         '{"hooks": {"Stop": [{"hooks": [{"type": "command",\n"command": "/nowhere/rpg check --hook"}]}]}}',
         "claude-code hook", "/nowhere/rpg is not there any more"),
    ],
)  # fmt: skip
def test_a_clients_file_that_cannot_start_the_server_is_found(
    file: str, content: str, name: str, told: str, shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(shop, {file: content})

    finding = found(capsys, 1)[name]
    assert told in finding["what"]
    assert finding["mend"].startswith(f"rpg install {name.split()[0]}")
    assert (shop / file).read_text() == content


def test_an_entry_whose_folder_is_gone_is_found(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["install", "windsurf"]) == 0
    shop.rename(shop.with_name("elsewhere"))
    write(shop.with_name("other"), {"a.py": ""})
    import os

    os.chdir(shop.with_name("other"))
    assert f"{shop} is not there any more" in found(capsys, 1)["windsurf"]["what"]


def test_without_git_or_with_an_extension_that_does_not_load_that_is_said(
    shop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(checks, "LIBRARIES", ("apsw", "a_library_that_nobody_has"))
    monkeypatch.setenv("PATH", str(shop))
    monkeypatch.setenv("RPG_MODEL", str(shop / "shop.py"))

    wrong = found(capsys, 1)
    assert "a_library_that_nobody_has" in wrong["extensions"]["what"]
    assert wrong["git"]["state"] == "wrong"
    assert wrong["model"]["mend"] == "unset RPG_MODEL"
