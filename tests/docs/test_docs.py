"""README.md, CLAUDE.md and docs/ are true: what they name is there, what is there is named, what they show works."""

from __future__ import annotations

import ast
import importlib.metadata
import json
import re
import runpy
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from annotations import gaps
from bench.__main__ import benchmarks

import rpg
from rpg.cli import ORDER, run
from rpg.cli import rpg as commands
from rpg.cli.clients.editing import formats
from rpg.cli.clients.entry import keys_of
from rpg.cli.clients.table import CLIENTS, FORMS
from rpg.encoder.options import Options
from rpg.server.prompts import TEMPLATES as PROMPTS
from rpg.server.resources import LIST
from rpg.server.resources import TEMPLATES as RESOURCES
from rpg.tools import TOOLS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
CLAUDE = (ROOT / "CLAUDE.md").read_text("utf-8")
GUIDE = CLAUDE + (ROOT / "docs" / "developing.md").read_text("utf-8")
"""What developers read."""
SECURITY = (ROOT / "SECURITY.md").read_text("utf-8")
FIGURES = (ROOT / "docs" / "figures.md").read_text("utf-8")
OTHER_SERVERS = (ROOT / "docs" / "coming-from-another-server.md").read_text("utf-8")
COMMANDS, LANGUAGES, MODELS, SERVING = (
    (ROOT / "docs" / f"{page}.md").read_text("utf-8") for page in ("commands", "languages", "models", "serving")
)
MANUAL = "\n".join((README, COMMANDS, LANGUAGES, MODELS, SERVING))
EVERY_PAGE = "\n".join([README, SECURITY, *(page.read_text("utf-8") for page in sorted((ROOT / "docs").glob("*.md")))])
PATHS = re.compile(r"(?<![\w/.])((?:rpg|tests|bin|fixtures|docs)/[\w./-]*)(?:::(\w+))?")
SHORT_PATHS = re.compile(r"`(\w[\w/]*\.(?:py|json|bin|md|toml|txt))`")
"""Files by the end of their path, as in `resolve/incremental/affected_resolution.py`."""
THEIR_FILES = frozenset(
    {
        "AGENTS.md",
        "GEMINI.md",
        "mcp.json",
        "opencode.json",
        "claude_desktop_config.json",
        "rpg.toml",
        "_pb2.py",
        "composer.json",
        "jsconfig.json",
        "rpg.json",
        "setup.py",
        "tsconfig.json",
    }
)
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
    """What the text shows of `rpg` and `rpg-mcp`: in blocks for a shell, in steps of a pipeline, in a command,
    in code within lines."""
    shown = [line for block in blocks(text, "sh") for line in block.splitlines()]
    steps = [step for block in blocks(text, "yaml") for step in re.findall(r"^ *- (?:run: )?(rpg .*)$", block, re.M)]
    shown += [re.sub(r"\s+(?:#|>|\|).*", "", re.sub(r"\$\w+", "HEAD", step)) for step in steps]
    shown += re.findall(r"\$\((rpg [^)]*)\)", "\n".join(blocks(text, "sh")))
    shown += re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    for line in shown:
        words = shlex.split(line) if line.startswith(("rpg", "bin/rpg")) else []
        if words and words[0].removeprefix("bin/") in ("rpg", "rpg-mcp"):
            yield [words[0].removeprefix("bin/"), *words[1:]]


# What is named is there


@pytest.mark.invariant("the house", "README, docs/ and CLAUDE.md are true")
@pytest.mark.parametrize(
    "text",
    [MANUAL, GUIDE, SECURITY, FIGURES, OTHER_SERVERS],
    ids=["manual", "guide", "SECURITY", "figures", "other servers"],
)
def test_every_path_that_is_named_exists(text: str) -> None:
    missing = []
    for path, test in PATHS.findall(text):
        file = ROOT / path.rstrip(".")
        if not file.exists() or (test and f"def {test}(" not in file.read_text("utf-8")):
            missing.append(f"{path}::{test}")

    assert missing == []


@pytest.mark.parametrize("text", [MANUAL, GUIDE], ids=["manual", "guide"])
def test_every_file_that_is_named_by_the_end_of_its_path_exists(text: str) -> None:
    folders = ("rpg", "tests", "bin", "fixtures", "docs")
    files = [*ROOT.glob("*"), *(path for folder in folders for path in (ROOT / folder).rglob("*"))]
    endings = {f"/{path.relative_to(ROOT).as_posix()}" for path in files}
    named = {path for path in SHORT_PATHS.findall(text) if path not in THEIR_FILES}

    assert sorted(path for path in named if not any(file.endswith(f"/{path}") for file in endings)) == []


@pytest.mark.parametrize(
    ("text", "least"), [(MANUAL, 15), (GUIDE, 2), (OTHER_SERVERS, 3)], ids=["manual", "guide", "other servers"]
)
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
            command.make_context(
                name, [str(ROOT / "README.md") if word == "FILE" else MEANT.get(word, word) for word in given]
            )
            checked += 1

    assert checked >= least


@pytest.mark.parametrize("text", [MANUAL, GUIDE], ids=["manual", "guide"])
def test_examples_in_python_and_json_parse(text: str) -> None:
    for block in blocks(text, "json"):
        json.loads(block)
    for block in blocks(text, "python"):
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "rpg":
                assert hasattr(rpg, node.attr)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "graph":
                assert node.attr in {*TOOLS, "to_networkx"}


def test_every_benchmark_that_is_named_exists() -> None:
    named = set(re.findall(r"`bin/bench (\w+)", MANUAL + GUIDE + FIGURES))

    assert named
    assert named <= benchmarks().keys()


def test_the_page_of_invariants_is_the_one_that_the_tests_make() -> None:
    made = runpy.run_path(str(ROOT / "bin" / "developer" / "invariants"))["page"]()

    assert made == (ROOT / "docs" / "invariants.md").read_text("utf-8"), "run bin/developer/invariants"
    assert len(list(rows(made))) > 100


def test_the_first_page_for_developers_is_short() -> None:
    assert len(CLAUDE.encode()) <= 10_000


def test_each_threat_is_held_by_a_test() -> None:
    threats = list(rows(section(SECURITY, "Threat model")))

    assert [row for row in threats if not PATHS.search(row[3])] == []
    assert len([row for row in threats if row[0]]) == 4
    assert all("](SECURITY.md)" in text for text in (README, CLAUDE))


def test_what_the_readme_says_of_figures_stands_among_them() -> None:
    said = section(README, "What it is better at than grep, and what it costs").replace("\n  ", " ")
    figures = re.findall(r"(?<![\w.])(?:\.\d+|\d[\d,.]*\d|\d)(?:%| MB| ms| times)?(?![\w])", said)

    assert len(figures) > 10
    assert [figure for figure in figures if figure not in FIGURES] == []


def test_the_first_command_is_on_the_first_screen_and_nothing_is_said_twice() -> None:
    lines = README.splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("rpg encode"))

    assert first < 20
    assert all(f"](docs/{path.name})" in README for path in (ROOT / "docs").glob("*.md"))
    assert not set(figure_rows()) & set(MANUAL.splitlines())


def test_every_link_leads_somewhere() -> None:
    missing = []
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        for target, title in re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([\w-]+))?\)", page.read_text("utf-8")):
            linked = page.parent / target if target else page
            titles = re.findall(r"^#+ (.*)$", linked.read_text("utf-8"), re.M) if linked.is_file() else None
            if titles is None or (title and title not in [re.sub(r"\W+", "-", each.lower()) for each in titles]):
                missing.append(f"{page.name}: {target}#{title}")

    assert missing == []


def figure_rows() -> list[str]:
    return [line for line in FIGURES.splitlines() if line.startswith("|")][2:]


# What is there is named


def test_the_table_of_tools_is_the_table_of_tools() -> None:
    shown = [(cells[0].strip("`"), cells[1].strip("`")) for cells in rows(section(README, "Tools"))]

    assert shown == [(tool.name, f"rpg {tool.command}") for tool in TOOLS.values()]


def test_every_command_resource_and_prompt_is_named() -> None:
    assert [command for command in ORDER if f"rpg {command}" not in MANUAL] == []
    assert [name for name in PROMPTS if f"`{name}`" not in SERVING] == []
    uris = [LIST, *(str(template.uri_template).replace("{+", "{") for template in RESOURCES)]
    assert [uri for uri in uris if f"`{uri}`" not in SERVING] == []
    assert [name for name in Options._fields if f"`{name}`" not in COMMANDS] == []


def test_the_table_of_languages_is_the_one_that_the_languages_make() -> None:
    made = runpy.run_path(str(ROOT / "bin" / "developer" / "languages"))["written"](LANGUAGES)

    assert made == LANGUAGES, "run bin/developer/languages"
    assert [cells[0] for cells in rows(LANGUAGES) if not cells[-1]] == []


def test_every_room_is_on_the_map() -> None:
    named = [name for cells in rows(section(CLAUDE, "Map")) for name in re.findall(r"`([^`]+)`", cells[0])]
    mapped = [name.rstrip("/") for name in named]
    rooms = {path for path in (ROOT / "rpg").iterdir() if path.name not in ("__init__.py", "__pycache__", "py.typed")}
    rooms |= {path.parent for path in (ROOT / "rpg" / "encoder").glob("*/__init__.py")}

    assert set(mapped) == {path.relative_to(ROOT).as_posix() for path in rooms}
    assert len(mapped) == len(set(mapped))


def test_every_client_has_its_row_with_the_file_and_the_block_that_install_writes() -> None:
    shown = {cells[0].strip("`"): cells for cells in rows(section(SERVING, "Clients"))}
    assert tuple(shown) == tuple(CLIENTS)
    for name, client in CLIENTS.items():
        title, project, user = shown[name][1:4]
        assert title == client.title
        assert project.strip("`") == (client.project.file.replace("{name}", "NAME") if client.project else "")
        assert user.strip("`").endswith(client.user.file.rpartition("/")[2])
    forms = dict(zip(("plain", "typed", "local"), blocks(section(SERVING, "Clients"), "json"), strict=True))
    forms |= {"toml": blocks(section(SERVING, "Clients"), "toml")[0]}
    forms |= dict(zip(("named", "extension"), blocks(section(SERVING, "Clients"), "yaml"), strict=True))
    for name in ("claude-code", "vscode", "opencode", "codex", "continue", "goose"):
        client = CLIENTS[name]
        value = FORMS[client.form](["rpg-mcp", client.folder], "repo")
        written = formats.block(client.user.format, keys_of(client.user, "repo"), value)
        shape = "toml" if client.user.format == "toml" else client.form
        known = formats.entries(client.user.format, forms[shape], keys_of(client.user, "repo"))
        assert known == formats.entries(client.user.format, written, keys_of(client.user, "repo"))


def test_the_readme_names_every_client() -> None:
    assert [name for name in CLIENTS if f"`{name}`" not in section(README, "Clients")] == []


def test_the_limits_say_how_many_gaps_there_are() -> None:
    said = re.search(r"pinned by a fixture: (\d+)", section(README, "Limits"))

    assert said
    assert int(said[1]) == len(gaps(ROOT / "fixtures"))


# What is shown works


NOT_RUN = {
    "rpg-mcp": "runs until its client goes away",
    "serve": "runs until its client goes away",
    "watch": "runs until Ctrl-C",
    "--embedder": "needs a model",
    "--model": "needs a model",
    "https://example.com/shop.git": "needs a network",
    "--with-libraries": "needs a library beside the repository",
}
MEANT = {
    "./repo": ".",
    "FILE": "src/click/core.py",
    "PATH:LINE": "src/click/core.py:930",
    "NAME": "invoke",
    "GRAPH": "B.graph.json",
    "CLIENT": "cursor",
    "BASE..HEAD": "HEAD~1..HEAD",
    "FORM": "graphml",
    "LIST": "list.txt",
    "DIR": "library",
    "icons/cart.svg": "src/click/core.py",
    "Users/Index": "src/click/core.py",
}
"""What stands for names of the user's."""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of click, which is installed, as a repository with a past, a branch, and graphs to compare."""
    folder = tmp_path_factory.mktemp("session") / "click"
    version = importlib.metadata.version("click")
    if f"sources of click {version}" not in README:
        pytest.skip(f"click {version} is installed: constraints.txt has the one of the README")
    shutil.copytree(Path(click.__file__).parent, folder / "src" / "click", ignore=shutil.ignore_patterns("__pycache__"))
    git(folder, "init", "-q", "-b", "main")
    for number in range(6):
        git(folder, "add", "src")
        git(folder, "commit", "-q", "--allow-empty", "-m", f"change {number}")
    git(folder, "checkout", "-q", "-b", "topic")
    (folder / "src" / "click" / "more.py").write_text("def more():\n    return 1\n")
    git(folder, "add", "src")
    git(folder, "commit", "-q", "-m", "more")
    git(folder, "checkout", "-q", "main")
    return folder


def git(folder: Path, *arguments: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    who = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def in_checkout(checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(checkout)
    monkeypatch.setenv("RPG_DATA", str(checkout.parent / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("RPG_GRAPH", raising=False)
    return checkout


def test_the_session_says_what_is_shown(in_checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (session,) = blocks(section(README, "A session"), "console")

    assert len(says_what_is_shown(session, capsys)) >= 5


@pytest.mark.parametrize("title", ["Maps and pictures"])
def test_other_answers_that_are_shown_are_given(
    title: str, in_checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["encode"]) == 0
    capsys.readouterr()
    for shown in blocks(section(COMMANDS, title), "console"):
        assert says_what_is_shown(shown, capsys)


def says_what_is_shown(session: str, capsys: pytest.CaptureFixture[str]) -> list[tuple[str, list[str]]]:
    """The commands of a session with what is shown of their answers."""
    shown: list[tuple[str, list[str]]] = []
    for line in session.splitlines():
        if line.startswith("$ "):
            shown.append((line[2:], []))
        else:
            shown[-1][1].append(line)

    assert sum(len(lines) for _, lines in shown) <= 20
    for command, expected in shown:
        if command.startswith("rpg "):
            assert run(shlex.split(command)[1:]) == 0
            told = capsys.readouterr().out
        else:
            told = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True).stdout
        parts = (
            "\n".join(expected).split("…\n")
            if expected[0] == "…"
            else re.split(r"^…$", "\n".join(expected), flags=re.M)
        )
        at = 0
        for part in parts:
            wanted, told = same_time(part.strip("\n")), same_time(told)
            assert told.find(wanted, at) >= at, f"{command}\n{told}"
            at = told.find(wanted, at) + len(wanted)
    return shown


def same_time(text: str) -> str:
    return re.sub(r"in \d+\.\d s", "in 0.0 s", text)


def mean(arguments: list[str]) -> list[str]:
    """With names of this repository in place of those of the user's."""
    of_command = {"import": {"FILE": "rpg.json"}, "stats": {"LIST": "routes"}}.get(
        arguments[0] if arguments else "", {}
    )
    return [(MEANT | of_command).get(word, word) for word in arguments]


def test_every_command_of_the_manual_runs(in_checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["encode"]) == 0
    graph = str(in_checkout / ".rpg" / "click.graph.json")
    for name in ("A", "B", "repo"):
        shutil.copy(graph, in_checkout / f"{name}.graph.json")
    (in_checkout / "list.txt").write_text(".\n")
    (in_checkout / "shop.scip").write_bytes(b"")
    in_install = [line.split() for line in blocks(README, "sh")[0].splitlines() if line.startswith("rpg")]
    assert run(["audit", "--write-baseline", "audit.json"]) in (0, 1)
    assert run(["export", "--to", "codermind", "-o", "rpg.json"]) == 0
    ran: list[str] = []
    failed = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("RPG_GRAPH", graph)
        shown = [*in_install, *command_lines(EVERY_PAGE.replace(section(README, "In a clone"), ""))]
        for program, *arguments in dict.fromkeys((program, *mean(arguments)) for program, *arguments in shown):
            if program in NOT_RUN or not arguments or NOT_RUN.keys() & set(arguments) or arguments[0] == ".":
                continue
            if len(arguments) == 1 and arguments[0] in {*ORDER}:
                continue  # a name in the text
            capsys.readouterr()
            code = run([*arguments])
            if code not in (0, 1):
                failed.append(f"{arguments}: {capsys.readouterr().err[:300]}")
            ran.append(arguments[0])

    assert not failed, "\n".join(failed)
    assert len(ran) >= 50
    assert {"install", "usages", "ask", "diff", "debug", "schema", "completion"} <= set(ran)


def test_a_clone_answers_when_the_lines_are_pasted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a copy of the part of this repository that it asks about, which takes a tenth of the time."""
    copied = tmp_path / "rpg-clone"
    for room in ("cli", "tools"):
        shutil.copytree(ROOT / "rpg" / room, copied / "rpg" / room, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.chdir(copied)
    monkeypatch.delenv("RPG_GRAPH", raising=False)
    session, tests = blocks(section(README, "In a clone"), "sh")
    lines = session.strip().splitlines()

    assert [line.split()[0] for line in lines] == ["bin/rpg"] * len(lines)
    assert {line: run(shlex.split(line)[1:]) for line in lines} == dict.fromkeys(lines, 0)
    assert (copied / ".rpg" / "rpg-clone.graph.json").exists()
    assert (copied / ".rpg" / "rpg-clone.graph.db").exists()
    assert (ROOT / tests.strip()).exists()
