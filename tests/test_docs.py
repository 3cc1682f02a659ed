"""README.md and CLAUDE.md are true: what they name is there, what is there is named, what they show works."""

from __future__ import annotations

import ast
import json
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from annotations import gaps

import rpg
from rpg.cli import ORDER, run
from rpg.cli import rpg as commands
from rpg.cli.install import CLIENTS, clients, entry
from rpg.encoder.languages import LANGUAGES
from rpg.encoder.options import Options
from rpg.server.prompts import TEMPLATES as PROMPTS
from rpg.server.resources import LIST
from rpg.server.resources import TEMPLATES as RESOURCES
from rpg.tools import TOOLS
from tests.bench.__main__ import benchmarks

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
GUIDE = (ROOT / "CLAUDE.md").read_text("utf-8")
SECURITY = (ROOT / "SECURITY.md").read_text("utf-8")
PATHS = re.compile(r"(?<![\w/.])((?:rpg|tests|bin|fixtures|docs)/[\w./-]*)(?:::(\w+))?")
SHORT_PATHS = re.compile(r"`(\w[\w/]*\.(?:py|json|bin|md|toml|txt))`")
"""Files by the end of their path, as in `resolve/incremental/affected_resolution.py`."""
THEIR_FILES = frozenset({"claude_desktop_config.json", "rpg.toml", "_pb2.py"})
"""Files of users and of their repositories."""


def section(text: str, title: str) -> str:
    return text.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def rows(text: str) -> Iterator[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("|")]
    for line in lines[2:]:
        yield [cell.strip() for cell in line.strip("|").split("|")]


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def command_lines(text: str) -> Iterator[list[str]]:
    """What the text shows of `rpg` and `rpg-mcp`: in blocks for a shell, and in code within lines."""
    shown = [line for block in blocks(text, "sh") for line in block.splitlines()]
    shown += re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    for line in shown:
        words = shlex.split(line) if line.startswith(("rpg", "bin/rpg")) else []
        if words and words[0].removeprefix("bin/") in ("rpg", "rpg-mcp"):
            yield [words[0].removeprefix("bin/"), *words[1:]]


# What is named is there


@pytest.mark.parametrize("text", [README, GUIDE, SECURITY], ids=["README", "CLAUDE", "SECURITY"])
def test_every_path_that_is_named_exists(text: str) -> None:
    missing = []
    for path, test in PATHS.findall(text):
        file = ROOT / path.rstrip(".")
        if not file.exists() or (test and f"def {test}(" not in file.read_text("utf-8")):
            missing.append(f"{path}::{test}")

    assert missing == []


@pytest.mark.parametrize("text", [README, GUIDE], ids=["README", "CLAUDE"])
def test_every_file_that_is_named_by_the_end_of_its_path_exists(text: str) -> None:
    folders = ("rpg", "tests", "bin", "fixtures", "docs")
    files = [*ROOT.glob("*"), *(path for folder in folders for path in (ROOT / folder).rglob("*"))]
    endings = {f"/{path.relative_to(ROOT).as_posix()}" for path in files}
    named = {path for path in SHORT_PATHS.findall(text) if path not in THEIR_FILES}

    assert sorted(path for path in named if not any(file.endswith(f"/{path}") for file in endings)) == []


@pytest.mark.parametrize(("text", "least"), [(README, 15), (GUIDE, 2)], ids=["README", "CLAUDE"])
def test_every_command_line_parses(text: str, least: int) -> None:
    checked = 0
    for program, *arguments in command_lines(text):
        if program == "rpg-mcp":
            arguments = ["serve", *arguments]
        if not arguments or arguments[0].startswith("-"):
            continue
        command = commands.get_command(click.Context(commands), arguments[0])
        assert command is not None, f"there is no command {arguments[0]}"
        if len(arguments) > 1:
            name, *given = arguments
            if isinstance(command, click.Group):
                name, *given = given
                command = command.commands[name]
            command.make_context(name, [str(ROOT / "README.md") if word == "FILE" else word for word in given])
            checked += 1

    assert checked >= least


@pytest.mark.parametrize("text", [README, GUIDE], ids=["README", "CLAUDE"])
def test_examples_in_python_and_json_parse(text: str) -> None:
    for block in blocks(text, "json"):
        json.loads(block)
    for block in blocks(text, "python"):
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "rpg":
                assert hasattr(rpg, node.attr)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "graph":
                assert node.attr in TOOLS


def test_every_benchmark_that_is_named_exists() -> None:
    named = set(re.findall(r"`bin/bench (\w+)", README + GUIDE))

    assert named
    assert named <= benchmarks().keys()


def test_each_invariant_is_held_by_a_test() -> None:
    assert [row for row in rows(section(GUIDE, "What must hold")) if not PATHS.search(row[1])] == []


def test_each_threat_is_held_by_a_test() -> None:
    threats = list(rows(section(SECURITY, "Threat model")))

    assert [row for row in threats if not PATHS.search(row[3])] == []
    assert len([row for row in threats if row[0]]) == 4
    assert all("](SECURITY.md)" in text for text in (README, GUIDE))


# What is there is named


def test_the_table_of_tools_is_the_table_of_tools() -> None:
    shown = [(cells[0].strip("`"), cells[1].strip("`")) for cells in rows(section(README, "Tools"))]

    assert shown == [(tool.name, f"rpg {tool.command}") for tool in TOOLS.values()]


def test_every_command_resource_and_prompt_is_named() -> None:
    tools = section(README, "Tools")
    text = README.split("\n## Coming from another server\n")[0]

    assert [command for command in ORDER if f"rpg {command}" not in text] == []
    assert [name for name in PROMPTS if f"`{name}`" not in tools] == []
    uris = [LIST, *(str(template.uri_template).replace("{+", "{") for template in RESOURCES)]
    assert [uri for uri in uris if f"`{uri}`" not in tools] == []
    assert [name for name in Options._fields if f"`{name}`" not in tools] == []


def test_the_table_of_languages_is_the_table_of_languages() -> None:
    shown = {cells[0]: set(re.findall(r"`(\.\w+)`", cells[1])) for cells in rows(section(README, "Languages"))}

    assert shown == {language.name: set(language.suffixes) for language in LANGUAGES}


def test_every_room_is_on_the_map() -> None:
    mapped = [cells[0].strip("`").rstrip("/") for cells in rows(section(GUIDE, "Map"))]
    rooms = {path for path in (ROOT / "rpg").iterdir() if path.name not in ("__init__.py", "__pycache__")}
    rooms |= {path.parent for path in (ROOT / "rpg" / "encoder").glob("*/__init__.py")}

    assert set(mapped) == {path.relative_to(ROOT).as_posix() for path in rooms}
    assert len(mapped) == len(set(mapped))


def test_every_client_has_the_block_that_install_writes() -> None:
    shown = [json.loads(block) for block in blocks(section(README, "Clients"), "json")]
    known = clients()
    graph = Path("/path/to/repo.graph.json")
    written = [
        {known[name].key: {"repo": entry(known[name], str(graph)) | {"command": "rpg-mcp", "args": [str(graph)]}}}
        for name in CLIENTS
    ]

    assert shown == written
    assert [client.title for client in known.values() if f"\n{client.title}" not in section(README, "Clients")] == []
    assert [name for name in CLIENTS if name not in section(README, "Clients")] == []


def test_the_limits_say_how_many_gaps_there_are() -> None:
    said = re.search(r"pinned by a fixture: (\d+)", section(README, "Limits"))

    assert said
    assert int(said[1]) == len(gaps(ROOT / "fixtures"))


# What is shown works


def test_the_session_works_when_pasted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a copy of the part of this repository that it asks about, which takes a tenth of the time."""
    copied = tmp_path / "rpg-clone"
    for room in ("cli", "tools"):
        shutil.copytree(ROOT / "rpg" / room, copied / "rpg" / room, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.chdir(copied)
    monkeypatch.delenv("RPG_GRAPH", raising=False)
    session, tests = blocks(section(README, "Start"), "sh")
    lines = session.strip().splitlines()

    assert [line.split()[0] for line in lines] == ["bin/rpg"] * len(lines)
    assert {line: run(shlex.split(line)[1:]) for line in lines} == dict.fromkeys(lines, 0)
    assert (copied / ".rpg" / "rpg-clone.graph.json").exists()
    assert (copied / ".rpg" / "rpg-clone.graph.db").exists()
    assert (ROOT / tests.strip()).exists()
