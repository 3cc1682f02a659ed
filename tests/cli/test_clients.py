"""`rpg install` and `rpg uninstall`: twelve clients, each with its own file and form, and back to the bytes before."""

from __future__ import annotations

import json
import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from repositories import read, repository, write
from ruamel.yaml import YAML
from shop import write_repository

from rpg.cli import run
from rpg.cli.clients.editing.json_with_comments import load, set_value
from rpg.cli.clients.entry import own_command
from rpg.cli.clients.offers.explorer import EXPLORERS, TASK
from rpg.cli.clients.offers.hooks import HOOKED
from rpg.cli.clients.offers.rules import BEGIN, END, LINES
from rpg.cli.clients.offers.skill import SKILL
from rpg.cli.clients.offers.wording import BREAKS, CHECKS, EXPLAINS, FINDS, OUTLINES, USES
from rpg.cli.clients.receipts import FOLDER
from rpg.cli.clients.table import CLIENTS, NAMES
from rpg.encoder.encode import encode
from rpg.encoder.options import Options
from rpg.encoder.source_files.own_files import MADE, is_own
from rpg.stores.installation import data_folder
from rpg.tools import TOOLS
from rpg.tools.calling.registry import parameters

ROOT = Path(__file__).parents[2]

WITH_PROJECT = [name for name in NAMES if CLIENTS[name].project]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder, with no client's files in it."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / ".config"))
    monkeypatch.setenv("APPDATA", str(folder / "roaming"))
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("CODEX_HOME", raising=False)
    monkeypatch.delenv("RPG_GRAPH", raising=False)
    return folder


@pytest.fixture
def project(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = repository(tmp_path / "my shop", {"shop.py": "def price():\n    return 1\n"})
    monkeypatch.chdir(folder)
    return folder


def own_file(client: str, project: Path, scope: str = "") -> Path:
    chosen = CLIENTS[client]
    scope = scope or ("project" if chosen.project else "user")
    name = "my-shop" if scope == "project" or not chosen.folder else "rpg"
    return chosen.file(scope, project, name)


# What is written is what each client documents. The forms stand here by hand, as their pages show them.

PROGRAM = re.compile(r".*rpg-mcp$")
DOCUMENTED: dict[str, tuple[str, tuple[str, ...], dict[str, Any]]] = {
    "claude-code": (".mcp.json", ("mcpServers", "my-shop"), {"command": PROGRAM, "args": ["."]}),
    "claude-desktop": ("~/.config/Claude/claude_desktop_config.json", ("mcpServers", "my-shop"),
                       {"command": PROGRAM, "args": ["PROJECT"]}),
    "cursor": (".cursor/mcp.json", ("mcpServers", "my-shop"), {"command": PROGRAM, "args": ["${workspaceFolder}"]}),
    "vscode": (".vscode/mcp.json", ("servers", "my-shop"),
               {"type": "stdio", "command": PROGRAM, "args": ["${workspaceFolder}"]}),
    "windsurf": ("~/.codeium/windsurf/mcp_config.json", ("mcpServers", "my-shop"),
                 {"command": PROGRAM, "args": ["PROJECT"]}),
    "zed": (".zed/settings.json", ("context_servers", "my-shop"), {"command": PROGRAM, "args": ["."]}),
    "codex": (".codex/config.toml", ("mcp_servers", "my-shop"), {"command": PROGRAM, "args": ["."]}),
    "gemini": (".gemini/settings.json", ("mcpServers", "my-shop"), {"command": PROGRAM, "args": ["."]}),
    "opencode": ("opencode.json", ("mcp", "my-shop"), {"type": "local", "command": [PROGRAM, "."], "enabled": True}),
    "continue": (".continue/mcpServers/my-shop.yaml", ("mcpServers", "0"),
                 {"name": "my-shop", "command": PROGRAM, "args": ["."]}),
    "junie": (".junie/mcp/mcp.json", ("mcpServers", "my-shop"), {"command": PROGRAM, "args": ["."]}),
    "goose": ("~/.config/goose/config.yaml", ("extensions", "rpg"),
              {"name": "rpg", "type": "stdio", "cmd": PROGRAM, "args": ["."], "enabled": True, "timeout": 300}),
}  # fmt: skip


def settings_of(file: Path) -> Any:
    text = file.read_text()
    if file.suffix == ".toml":
        return tomllib.loads(text)
    return YAML(typ="safe", pure=True).load(text) if file.suffix == ".yaml" else load(text)


def at(settings: Any, keys: tuple[str, ...]) -> Any:
    for key in keys:
        settings = settings[int(key)] if isinstance(settings, list) else settings[key]
    return settings


def assert_fits(found: Any, wanted: Any, project: Path) -> None:
    if isinstance(wanted, re.Pattern):
        assert wanted.match(found)
    elif isinstance(wanted, dict):
        assert found.keys() == wanted.keys()
        for key, each in wanted.items():
            assert_fits(found[key], each, project)
    elif isinstance(wanted, list):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            assert_fits(one, other, project)
    else:
        assert found == (str(project) if wanted == "PROJECT" else wanted)


def test_a_clone_starts_by_the_script_that_installs_what_it_needs() -> None:
    assert own_command() == [str(ROOT / "bin" / "rpg-mcp")]
    assert os.access(own_command()[0], os.X_OK)


def test_the_clients_are_those_that_are_documented() -> None:
    assert tuple(DOCUMENTED) == NAMES
    assert " ".join(NAMES) == (
        "claude-code claude-desktop cursor vscode windsurf zed codex gemini opencode continue junie goose"
    )


@pytest.mark.skipif(os.name != "posix" or os.uname().sysname == "Darwin", reason="other systems have other folders")
@pytest.mark.parametrize("client", NAMES)
def test_what_is_written_has_the_clients_documented_place_and_form(client: str, project: Path, home: Path) -> None:
    place, keys, form = DOCUMENTED[client]
    assert run(["install", client]) == 0

    file = home / place[2:] if place.startswith("~/") else project / place
    assert_fits(at(settings_of(file), keys), form, project)
    if client == "continue":
        assert {key: value for key, value in settings_of(file).items() if key != "mcpServers"} == {
            "name": "rpg", "version": "1.0.0", "schema": "v1",
        }  # fmt: skip


BEFORE = {
    "json": (
        "// mine\n{\n    /* servers are below */\n    \"theme\": \"dark\", // at night\n"
        "    \"%s\": {\n        \"other\": {\"command\": \"x\", \"env\": {\"A\": \"b\"}}, // keep me\n    },\n}\n"
    ),
    "toml": (
        "# mine\nmodel = 'm'   # fast\n\n[%s.other]  # keep me\ncommand = 'x'\nargs = [\n  'a', # one\n]\n\n# the end\n"
    ),
    "yaml": (
        "# mine\nGOOSE_MODEL: m   # fast\n%s:\n    other:   # keep me\n        cmd: x\n        args: [a,   b]\n\n"
        "# the end\nlast: 'y'\n"
    ),
    "list": "# mine\nname: n   # fast\n%s:\n-   name: other   # keep me\n    command: x\n\n# the end\nmodels: []\n",
}  # fmt: skip


def content_before(client: str, scope: str) -> str:
    place = CLIENTS[client].place(scope)
    assert place is not None
    form = "list" if place.keys[-1] == "[name]" else place.format
    return BEFORE[form] % place.keys[0]


CASES = [(name, "project") for name in WITH_PROJECT] + [(name, "user") for name in NAMES]


@pytest.mark.parametrize(("client", "scope"), CASES)
def test_comments_other_servers_and_layout_stay_twice_changes_nothing_and_uninstall_restores_the_bytes(
    client: str, scope: str, project: Path
) -> None:
    file, before = own_file(client, project, scope), content_before(client, scope)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(before)
    file.chmod(0o600)

    assert run(["install", client, "--scope", scope]) == 0
    once = file.read_text()
    added = once.splitlines()
    for line in before.splitlines():
        assert line in added
        added.remove(line)
    assert once != before
    assert "other" in once
    assert file.stat().st_mode & 0o777 == 0o600
    assert run(["install", client, "--scope", scope]) == 0
    assert file.read_text() == once
    assert not [each for each in file.parent.iterdir() if each.name.endswith(".tmp")]

    assert run(["uninstall", client]) == 0
    assert file.read_text() == before
    assert run(["uninstall", client]) == 1


@pytest.mark.parametrize(("client", "scope"), CASES)
def test_with_everything_nothing_is_left_of_it_after_uninstall(
    client: str, scope: str, project: Path, home: Path
) -> None:
    before, of_user = read(project), read(home)
    folders = {each for each in [*project.rglob("*"), *home.rglob("*")] if ".git" not in each.parts}

    assert run(["install", client, "--scope", scope, "--yes"]) == 0
    assert (read(project), read(home)) != (before, of_user)
    now = (read(project), read(home))
    assert run(["install", client, "--scope", scope, "--yes"]) == 0
    assert (read(project), read(home)) == now

    assert run(["uninstall", client, "--yes"]) == 0
    assert (read(project), read(home)) == (before, of_user)
    assert {each for each in [*project.rglob("*"), *home.rglob("*")] if ".git" not in each.parts} == folders


@pytest.mark.parametrize("is_remembered", [True, False])
@pytest.mark.parametrize(("client", "scope"), CASES)
def test_what_the_user_changed_since_stays_when_the_entry_goes(
    client: str, scope: str, is_remembered: bool, project: Path
) -> None:
    file, before = own_file(client, project, scope), content_before(client, scope)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(before)
    assert run(["install", client, "--scope", scope]) == 0
    edited = file.read_text().replace("mine", "mine, since yesterday")
    file.write_text(edited)
    if not is_remembered:
        for each in (data_folder() / FOLDER).iterdir():
            each.unlink()

    assert run(["uninstall", client]) == 0
    after = file.read_text()
    wanted = before.replace("mine", "mine, since yesterday")
    assert "rpg-mcp" not in after
    if is_remembered:
        assert after == wanted
    else:
        assert after.replace(",", "").split() == wanted.replace(",", "").split()  # a last comma may go


def test_lines_that_another_client_needs_stay_until_the_last_is_uninstalled(project: Path) -> None:
    write(project, {"AGENTS.md": "# Ours\n\nBe kind."})
    for client in ("codex", "zed"):
        assert run(["install", client, "--rules"]) == 0
    assert (project / "AGENTS.md").read_text().count(BEGIN) == 1

    assert run(["uninstall", "codex"]) == 0
    assert (project / "AGENTS.md").read_text().count(BEGIN) == 1
    assert run(["uninstall", "zed"]) == 0
    assert (project / "AGENTS.md").read_text() == "# Ours\n\nBe kind."


@pytest.mark.parametrize("client", WITH_PROJECT)
def test_folders_that_were_made_go_however_often_it_was_installed(client: str, project: Path, home: Path) -> None:
    folders = {each for each in [*project.rglob("*"), *home.rglob("*")] if ".git" not in each.parts}
    for more in ([], ["--rules"], ["--yes"], []):
        assert run(["install", client, *more]) == 0
    assert run(["uninstall", client, "--yes"]) == 0
    assert {each for each in [*project.rglob("*"), *home.rglob("*")] if ".git" not in each.parts} == folders


def test_a_path_of_this_machine_in_a_file_of_the_project_is_said(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = f"{ROOT / 'bin' / 'rpg-mcp'} is a path of this machine"
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert run(["install", "cursor"]) == 0
    assert said in capsys.readouterr().out
    assert run(["install", "cursor", "--scope", "user"]) == 0
    assert "of this machine" not in capsys.readouterr().out

    monkeypatch.setenv("PATH", f"{ROOT / 'bin'}:/usr/bin:/bin")
    assert run(["install", "cursor", "--hooks"]) == 0
    assert "of this machine" not in capsys.readouterr().out
    written = "".join(read(project)[name] for name in (".cursor/mcp.json", ".cursor/hooks.json"))
    assert str(ROOT) not in written


def test_uninstall_all_reaches_every_project_and_client(project: Path, home: Path, tmp_path: Path) -> None:
    other = repository(tmp_path / "other", {"a.py": "", ".mcp.json": "{}"})
    assert run(["install", "goose"]) == 0
    os.chdir(other)
    assert run(["install", "claude-code", "--yes"]) == 0
    os.chdir(project)

    assert run(["uninstall", "--all", "--print"]) == 0
    assert "rpg" in (other / ".mcp.json").read_text()
    assert run(["uninstall", "--all"]) == 0
    assert read(other) == {"a.py": "", ".mcp.json": "{}"}
    assert read(home) == {}
    assert run(["uninstall", "--all"]) == 1
    assert run(["uninstall"]) == 2
    assert run(["uninstall", "goose", "--all"]) == 2


def test_the_change_is_shown_and_secrets_around_it_are_masked(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    text = json.dumps({"mcpServers": {"gh": {"command": "gh", "env": {"GITHUB_TOKEN": token}}}}, indent=2)
    write(project, {".mcp.json": text})

    assert run(["install", "claude-code"]) == 0
    told = capsys.readouterr().out
    assert "--- .mcp.json\n+++ .mcp.json\n" in told
    assert '+    "my-shop": {' in told
    assert token not in told
    assert token in (project / ".mcp.json").read_text()
    for each in (data_folder() / FOLDER).iterdir():
        assert token not in each.read_text()
        assert each.stat().st_mode & 0o077 == 0


# The user's files may be anything


BROKEN = {
    "json": ["[]", "{", "{} {}", '{"%s": []}', '{"%s": {}, "%s": {}}', "[" * 100_000, "// mine", "\x00", "null"],
    "toml": ["[", "%s = 1", "a = 1\na = 2", "%s = {}", "\x00"],
    "yaml": ["[", "- a", "%s: [", "%s: 1", "a: &x 1\n%s: *x", "a: 1\na: 2", "--- 1\n--- 2", "%s: {a: {b: 1}}",
             "\tx: 1"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("client", "text"),
    [(client, text) for client, form in (("gemini", "json"), ("codex", "toml"), ("goose", "yaml"))
     for text in BROKEN[form]],
    ids=lambda text: text[:20].encode("unicode_escape").decode(),
)  # fmt: skip
def test_a_file_that_is_not_understood_is_left_and_the_block_to_add_is_given(
    client: str, text: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = CLIENTS[client].user
    file = own_file(client, project, "user")
    file.parent.mkdir(parents=True, exist_ok=True)
    text = text.replace("%s", place.keys[0])
    file.write_text(text)

    assert run(["install", client, "--scope", "user", "--yes"]) == 2
    assert file.read_text() == text
    told = capsys.readouterr().err
    assert "add this" in told
    assert "rpg-mcp" in told
    assert read(project) == {"shop.py": "def price():\n    return 1\n"}


@pytest.mark.parametrize("client", NAMES)
def test_a_file_that_is_a_link_too_large_or_no_text_is_left(
    client: str, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = own_file(client, project)
    file.parent.mkdir(parents=True, exist_ok=True)
    mine = tmp_path / "mine"
    mine.write_text("{}")
    file.symlink_to(mine)
    assert run(["install", client]) == 2
    assert "symlink" in capsys.readouterr().err
    assert file.is_symlink()

    file.unlink()
    file.write_bytes(b"\xff\xfe{}")
    assert run(["install", client]) == 2
    assert "UTF-8" in capsys.readouterr().err
    with file.open("wb") as large:
        large.truncate(17 << 20)
    assert run(["install", client]) == 2
    assert "larger" in capsys.readouterr().err
    assert file.stat().st_size == 17 << 20
    assert run(["uninstall", client]) in (1, 3)
    assert file.stat().st_size == 17 << 20
    assert mine.read_text() == "{}"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_is_read_only_is_left(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, {".mcp.json": "{}"})
    (project / ".mcp.json").chmod(0o400)

    assert run(["install", "claude-code"]) == 2
    assert "read-only" in capsys.readouterr().err
    assert (project / ".mcp.json").read_text() == "{}"


def test_a_server_of_another_program_is_not_replaced(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = '[mcp_servers.my-shop]\ncommand = "npx"\nargs = ["shop"]\n'
    write(project, {".codex/config.toml": text})

    assert run(["install", "codex"]) == 2
    assert "--name" in capsys.readouterr().err
    assert (project / ".codex/config.toml").read_text() == text
    assert run(["install", "codex", "--name", "graph"]) == 0
    assert run(["uninstall", "codex"]) == 0
    assert (project / ".codex/config.toml").read_text() == text


@pytest.mark.parametrize("client", ["codex", "goose", "continue", "zed"])
def test_only_how_it_is_started_changes_in_an_entry_that_is_there(client: str, project: Path) -> None:
    scope = "project" if client in WITH_PROJECT else "user"
    assert run(["install", client, "--name", "graph"]) == 0
    file = CLIENTS[client].file(scope, project, "graph")
    once = file.read_text()
    extra = {
        ".toml": "startup_timeout_sec = 30 # slow\n", ".json": '"env": {"A": "b"}, // mine\n      ',
        ".yaml": "env: {A: b}   # mine\n    ",
    }[file.suffix]  # fmt: skip
    first = {".toml": "command", ".json": '"command"', ".yaml": "cmd:" if client == "goose" else "command:"}[
        file.suffix
    ]
    mine = once.replace(first, extra + first, 1).replace('"."', '"elsewhere"')
    file.write_text(mine)

    assert run(["install", client, "--name", "graph"]) == 0
    assert file.read_text() == once.replace(first, extra + first, 1)


def test_an_existing_jsonc_of_opencode_is_the_one_that_is_changed(project: Path) -> None:
    write(project, {"opencode.jsonc": "{\n  // mine\n}\n"})
    assert run(["install", "opencode"]) == 0
    assert "// mine" in (project / "opencode.jsonc").read_text()
    assert not (project / "opencode.json").exists()
    assert run(["uninstall", "opencode"]) == 0
    assert (project / "opencode.jsonc").read_text() == "{\n  // mine\n}\n"


# Scopes, names, graphs


@pytest.mark.parametrize("client", NAMES)
def test_install_for_the_user_writes_nothing_in_the_project(client: str, project: Path, home: Path) -> None:
    before = read(project)
    assert run(["install", client, "--scope", "user", "--yes"]) == 0

    assert read(project) == before
    assert ("rpg" if CLIENTS[client].folder else "my-shop") in own_file(client, project, "user").read_text()


@pytest.mark.parametrize("client", [name for name in NAMES if name not in WITH_PROJECT])
def test_a_client_without_projects_has_no_project_scope(client: str, project: Path) -> None:
    assert run(["install", client, "--scope", "project"]) == 2


@pytest.mark.parametrize("client", NAMES)
def test_install_can_name_a_graph_and_print_alone(
    client: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, {"shop.graph.json": "{}"})
    before = read(project)

    assert run(["install", client, "shop.graph.json", "--print", "--name", "mine"]) == 0
    told = capsys.readouterr().out
    assert "mine" in told
    assert str(project / "shop.graph.json") in told
    assert read(project) == before


def test_install_below_the_top_writes_at_the_top(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "inner").mkdir()
    monkeypatch.chdir(project / "inner")

    assert run(["install", "claude-code"]) == 0
    assert (project / ".mcp.json").exists()
    assert "There is no graph yet" in capsys.readouterr().out
    assert list((project / "inner").iterdir()) == []


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("", '{\n  "s": {\n    "n": 1\n  }\n}\n'),
        ("{}", '{\n  "s": {\n    "n": 1\n  }\n}'),
        ('{"a": 2}', '{"a": 2,\n  "s": {\n    "n": 1\n  }\n}'),
        ('{"s": {"n": 5}}', '{"s": {"n": 1}}'),
        ('{"s": {"n": 1 /* x */}}', '{"s": {"n": 1 /* x */}}'),
        ('{\r\n\t"s": {} // y\r\n}\r\n', '{\r\n\t"s": {\r\n\t\t"n": 1\r\n\t} // y\r\n}\r\n'),
        ('\ufeff{"s": {"m": "}//,]"},}', '\ufeff{"s": {"m": "}//,]",\n    "n": 1\n  },}'),
        ('{"s": {"m": 1, // a, b\n}}', '{"s": {"m": 1, // a, b\n    "n": 1\n}}'),
        ('{"s": {"m": 1 // a, b\n}}', '{"s": {"m": 1, // a, b\n    "n": 1\n}}'),
    ],
)
def test_one_value_is_changed_and_nothing_else(text: str, after: str) -> None:
    assert set_value(text, ("s", "n"), 1) == after


# What is offered besides


def test_four_lines_are_fenced_and_name_tools_that_there_are() -> None:
    assert len(LINES.splitlines()) == 4
    assert set(re.findall(r"`([a-z]+(?:_[a-z]+)*)`", LINES)) - {"rpg"} <= TOOLS.keys()
    assert BEGIN.startswith("<!--")
    assert END.startswith("<!--")


@pytest.mark.parametrize("client", [name for name in NAMES if CLIENTS[name].rules])
def test_the_lines_stand_once_in_what_the_client_reads(client: str, project: Path) -> None:
    scope = "project" if client in WITH_PROJECT else "user"
    chosen = CLIENTS[client]
    place = chosen.rules if scope == "project" else chosen.user_rules
    file = (project if scope == "project" else Path.home()) / place
    write(file.parent, {file.name: "# Mine\r\nNo newline at the end"})

    for name in ("one", "two"):
        assert run(["install", client, "--rules", "--name", name]) == 0
    text = file.read_bytes().decode()
    assert text.startswith("# Mine\r\nNo newline at the end\r\n")
    assert text.count(BEGIN) == text.count("the MCP server `two`") == 1
    assert text.count("\n") == text.count("\r\n")
    assert run(["uninstall", client]) == 0
    assert file.read_bytes() == b"# Mine\r\nNo newline at the end"


@pytest.mark.parametrize("client", EXPLORERS)
def test_the_sub_agent_has_tools_that_only_read(client: str, project: Path) -> None:
    assert run(["install", client, "--agent"]) == 0
    file = project / EXPLORERS[client].file
    text = file.read_text()

    if file.suffix == ".toml":
        fields = tomllib.loads(text)
        assert {"name", "description", "developer_instructions"} <= fields.keys()
        assert fields["sandbox_mode"] == "read-only"
    else:
        head, _, task = text.removeprefix("---\n").partition("\n---\n")
        fields = YAML(typ="safe", pure=True).load(head)
        assert "find_usages" in task
        assert fields["description"]
    written = json.dumps(fields)
    assert not any(tool.name in written for tool in TOOLS.values() if not tool.read_only)
    if client in ("claude-code", "vscode", "gemini"):
        assert all(tool.name in written for tool in TOOLS.values() if tool.read_only)
        assert "my-shop" in str(fields["tools"])
    file.write_text("mine")
    assert run(["install", client, "--agent"]) == 2
    assert run(["uninstall", client]) == 0
    assert file.read_text() == "mine"


@pytest.mark.parametrize("client", [name for name in HOOKED if HOOKED[name].events])
def test_hooks_are_added_to_the_users_own_and_taken_out_again(client: str, project: Path) -> None:
    file = project / HOOKED[client].file
    event = HOOKED[client].events[0][0]
    before = f'{{\n  "hooks": {{\n    "{event}": [\n      {{"matcher": "mine"}}\n    ]\n  }},\n  "z": 1\n}}\n'
    write(project, {HOOKED[client].file: before})

    options = ["--hooks", *(["--answers"] if HOOKED[client].answers else [])]
    assert run(["install", client, *options]) == 0
    once = file.read_text()
    assert '      {"matcher": "mine"},\n' in once
    assert once.count("check --hook") == len(HOOKED[client].events)
    assert once.count("usages --hook") == len(HOOKED[client].answers)
    assert run(["install", client, *options]) == 0
    assert file.read_text() == once
    assert run(["uninstall", client]) == 0
    assert file.read_text() == before


def test_offers_are_for_clients_that_have_a_place_for_them(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for client, option in (("claude-desktop", "rules"), ("zed", "agent"), ("cursor", "skill"), ("vscode", "hooks"),
                           ("cursor", "answers")):  # fmt: skip
        assert run(["install", client, f"--{option}"]) == 2
        assert f"leave --{option} out" in capsys.readouterr().err
    assert read(project) == {"shop.py": "def price():\n    return 1\n"}


def test_what_was_not_asked_for_is_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["install", "claude-code", "--no-skill"]) == 0

    told = capsys.readouterr().out
    assert "Also: --rules, --agent, --hooks, --answers" in told
    assert sorted(read(project)) == [".mcp.json", "shop.py"]


def test_lines_skill_and_sub_agent_say_the_same_of_the_tools() -> None:
    for text in (LINES, SKILL, TASK):
        assert [each for each in (USES, BREAKS, FINDS, OUTLINES, EXPLAINS) if each not in text] == []
    assert CHECKS in LINES
    assert CHECKS in SKILL


def test_the_skill_is_short_and_names_tools_that_there_are() -> None:
    assert len(SKILL.splitlines()) <= 25
    named = set(re.findall(r"`([a-z]+(?:_[a-z]+)*)`", SKILL))
    arguments = {name for tool in TOOLS.values() for name in parameters(tool)}
    assert named - {"rpg", "calls", "to"} <= TOOLS.keys() | arguments
    assert {tool.name for tool in TOOLS.values() if tool.name in SKILL} >= {
        "search", "fetch", "explore", "find_usages", "get_dependencies", "query_code",
    }  # fmt: skip
    assert SKILL.startswith("---\nname: rpg\ndescription: ")


def test_the_skill_is_written_where_it_is_asked_for_and_another_is_kept(project: Path, home: Path) -> None:
    file = project / ".claude" / "skills" / "rpg" / "SKILL.md"
    assert run(["install", "claude-code", "--skill"]) == 0
    assert file.read_text() == SKILL
    assert run(["install", "claude-code", "--scope", "user", "--skill"]) == 0
    assert (home / ".claude" / "skills" / "rpg" / "SKILL.md").read_text() == SKILL
    file.write_text("mine")
    assert run(["install", "claude-code", "--skill"]) == 2
    assert run(["uninstall", "claude-code"]) == 0
    assert file.read_text() == "mine"


@pytest.mark.parametrize("linked", [".claude", ".claude/skills", ".claude/skills/rpg", ".claude/skills/rpg/SKILL.md"])
def test_nothing_is_written_through_a_link(project: Path, tmp_path: Path, linked: str) -> None:
    elsewhere = write(tmp_path / "elsewhere", {"SKILL.md": "theirs\nname: rpg\n"})
    place = project / linked
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(elsewhere / "SKILL.md" if linked.endswith(".md") else elsewhere)

    assert run(["install", "claude-code", "--skill"]) == 2
    assert read(elsewhere) == {"SKILL.md": "theirs\nname: rpg\n"}
    assert not (project / ".mcp.json").exists()  # all of it, or nothing


def test_a_repository_without_git_is_its_own_folder(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_repository(tmp_path / "plain")
    monkeypatch.chdir(root)
    before = read(root)
    assert run(["install", "junie", "--yes"]) == 0
    assert run(["uninstall", "junie"]) == 0
    assert read(root) == before


def test_what_was_installed_is_no_part_of_the_repository(project: Path) -> None:
    """Files that are rpg's as a whole are left out; in others, its lines name no code and are found by no word."""
    ours = "def search(): ...\n\n\ndef fetch(): ...\n"
    write(
        project,
        {"till.py": ours, "CLAUDE.md": "# Till\n\nOpens with `till.fetch`.\n", ".mcp.json": '{"mcpServers": {}}\n'},
    )
    before = {path for path in read(project) if not path.startswith(".git/")}
    for client in WITH_PROJECT:
        assert run(["install", client, "--yes"]) == 0
    made = encode(project, Options())
    symbols = {symbol.path for symbol in made.graph.symbols if symbol.kind in ("module", "file")}
    skipped = {each["path"]: each["reason"] for each in made.graph.header["skipped"]}

    added = {path for path in read(project) if not path.startswith((".git/", ".rpg/"))} - before
    assert len(added) > 15
    assert symbols & added == set()
    assert {skipped[path] for path in added} == {MADE}
    named = [(edge.source, edge.target) for edge in made.graph.edges if edge.kind == "documents"]
    assert [target for source, target in named if source.startswith("CLAUDE.md")] == ["till.py::fetch"]
    assert [place for place in made.graph.places if place.source.startswith("CLAUDE.md")] == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".mcp.json", '{"mcpServers": {"a": {"command": "rpg-mcp"}, "b": {"command": "other-mcp"}}}'),
        (".mcp.json", '{"mcpServers": {"a": {"command": "rpg-mcp"}, "b": {"url": "http://localhost"}}}'),
        (".claude/settings.json", '{"model": "x", "hooks": {"Stop": [{"command": "rpg check --hook"}]}}'),
        ("package.json", '{"name": "rpg-mcp", "command": "rpg-mcp"}'),
        (".codex/config.toml", 'model = "x"\n[mcp_servers.a]\ncommand = "rpg-mcp"\n'),
        ("config.yaml", "command: rpg-mcp\n"),
        ("CLAUDE.md", f"{BEGIN}\nAsk.\n{END}\nAnd ours.\n"),
        ("rpg-explore.md", "# Explore the rpg world\n"),
    ],
)
def test_a_file_that_has_anything_else_is_of_the_repository(path: str, text: str) -> None:
    assert not is_own(path, text.encode())
