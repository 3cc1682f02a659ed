"""The command line: the tools' answers as text or JSON, exit codes, and the commands that are no tools."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import click
import pytest
from repositories import repository, write
from shop import write_graph, write_repository
from syrupy.assertion import SnapshotAssertion

from rpg.cli import INSTEAD, ORDER, OTHERS, rpg, run
from rpg.encoder.options import options_for
from rpg.repository import data_folder, encode
from rpg.tools import TOOLS
from rpg.tools.calling.registry import Tool, output_schema, parameters


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
        assert set(parameters(tool)) - {"graph", "strict"} <= taken  # a command asks one graph
        assert "as_json" in taken


def test_help_lists_every_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert run(["--help"]) == 0
    shown = capsys.readouterr().out

    assert [line.split()[0] for line in shown.split("Commands:\n")[1].splitlines() if line.strip()] == list(ORDER)
    assert {*OTHERS, *(tool.command for tool in TOOLS.values())} == set(ORDER)
    assert shown == snapshot


@pytest.mark.parametrize("command", [tool.command for tool in TOOLS.values() if tool.read_only])
def test_help_in_a_pipe_has_a_line_for_each_option_that_its_name_does_not_explain(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([command, "--help"]) == 0
    told = capsys.readouterr().out

    *listed, by_name = told.partition("Options:\n")[2].splitlines()
    assert all(re.match(r"-[-\w]", line) and "  " in line for line in listed)
    assert {"-g, --graph FILE", "--json", "-h, --help"} <= set(by_name.split("; "))
    assert not any("--json" in line for line in listed)
    assert not re.search(r"\[default: \(| {4}", told)


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
        (["explore"], 0),
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
        (tmp_path / f"{name}.graph.json").write_text('{"graph": {}}')
    monkeypatch.chdir(tmp_path)

    assert run(["stats"]) == 2
    assert "one.graph.json, two.graph.json" in capsys.readouterr().err


# encode, forget, diff


def test_encode_writes_into_the_repository_and_says_what_to_do_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = write_repository(tmp_path / "shop")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    assert run(["encode", str(root)]) == 0
    told = capsys.readouterr()
    made = root / ".rpg" / "shop.graph.json"
    assert made.exists()
    assert "claude mcp add shop -- " in told.out
    assert f"rpg install claude-code {made}" in told.out
    assert told.err == ""  # no progress where nobody watches

    assert run(["encode", str(root), "-o", "../chosen.graph.json"]) == 0
    assert str(tmp_path / "chosen.graph.json") in capsys.readouterr().out

    (root / "shop" / "cart.py").write_text("def price(item):\n    return item.price + 1\n")
    assert run(["encode", str(root), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["changes"] == {"modified": ["shop/cart.py"]}

    assert run(["forget", str(root)]) == 0
    assert not made.parent.exists()
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


def test_the_process_ends_with_the_code_and_a_closed_pipe_is_not_an_error(shop: Path) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    refused = subprocess.run(
        [sys.executable, "-m", "rpg", "fetch", "../x"], capture_output=True, text=True, env=environment, cwd=shop.parent
    )

    assert refused.returncode == 2
    assert refused.stdout == ""
    assert refused.stderr.startswith("FORBIDDEN: ")


# One grammar


def every_command() -> list[tuple[str, click.Command]]:
    context = click.Context(rpg)
    found = []
    for name in ORDER:
        command = rpg.get_command(context, name)
        assert command is not None
        inner = command.commands.items() if isinstance(command, click.Group) else ()
        found += [(f"{name} {under}", each) for under, each in inner] or [(name, command)]
    return found


COMMANDS = every_command()
ABOUT_NO_GRAPH = {"encode", "uninstall", "doctor", "fleet encode", "schema", "completion", "debug facts"}
LISTS = {"audit", "stats", "search", "explore", "usages", "dependencies", "ask", "diff"}
PRINT_NO_ANSWER = {"serve", "install", "uninstall", "schema", "completion", "debug explain"}


@pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[name for name, _ in COMMANDS])
def test_commands_share_one_grammar(name: str, command: click.Command) -> None:
    taken = {word for each in command.params if isinstance(each, click.Option) for word in each.opts}

    assert ({"-g", "--graph"} <= taken) == (name not in ABOUT_NO_GRAPH)
    assert ("--json" in taken) == (name not in PRINT_NO_ANSWER)
    assert ({"--limit", "--path"} <= taken) == (name in LISTS)
    assert ("--max-tokens" in taken) == (name in (LISTS | {"fetch"}) - {"audit", "diff"})


@pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[name for name, _ in COMMANDS])
def test_every_option_says_what_it_is_for_and_what_holds_without_it(name: str, command: click.Command) -> None:
    context = click.Context(command, info_name=name, help_option_names=["-h", "--help"])
    for option in command.get_params(context):
        if not isinstance(option, click.Option) or option.name == "help":
            continue
        written, said = option.get_help_record(context) or ("", "")
        about = said.partition("[default:")[0]
        assert len(about.strip()) > 5, written
        assert option.is_flag or "[default: " in said, written
        assert "default: ]" not in said
        assert ", ," not in said
        assert not said.rstrip("]").endswith(", ")


@pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[name for name, _ in COMMANDS])
def test_every_choice_is_shown_completed_and_checked(name: str, command: click.Command) -> None:
    tool = next((tool for tool in TOOLS.values() if tool.command == name), None)
    context = click.Context(command, info_name=name)
    for argument in parameters(tool).values() if tool else ():
        inner = getattr(argument.annotation, "__origin__", argument.annotation)
        words = [word for word in (get_args(inner) or ()) if isinstance(word, str)]
        words = words or [word for each in get_args(inner) for word in get_args(each)]
        shown = {word for word in words if word}
        if not shown:
            continue
        option = next(each for each in command.params if each.name == argument.name)
        assert isinstance(option, click.Option)
        completed = {item.value for item in option.shell_complete(context, "")}
        said = " ".join(option.get_help_record(context) or ())
        assert completed <= shown
        assert len(completed) > 1
        assert all(re.search(rf"\b{word}\b", said) for word in completed), said
        with pytest.raises(click.UsageError, match="did you mean"):
            option.type_cast_value(context, [f"{min(completed)}x"] if option.multiple else f"{min(completed)}x")


def test_completion_goes_on_after_a_comma(shop: Path) -> None:
    command = rpg.get_command(click.Context(rpg), "explore")
    assert command is not None
    kinds = next(each for each in command.params if each.name == "kinds")

    completed = [item.value for item in kinds.shell_complete(click.Context(command), "class,f")]

    assert completed == ["class,function", "class,field", "class,file"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_its_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    assert "_RPG_COMPLETE" in capsys.readouterr().out


def test_the_shell_asks_for_what_may_follow(shop: Path) -> None:
    asked = {**os.environ, "_RPG_COMPLETE": "bash_complete", "COMP_WORDS": "rpg usages --tests ", "COMP_CWORD": "3"}
    told = subprocess.run([sys.executable, "-m", "rpg"], capture_output=True, text=True, env=asked)

    assert (told.returncode, told.stdout.split()) == (0, ["plain,fold", "plain,only", "plain,all", "plain,none"])


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (["usage", "Cart"], "(did you mean usages?)"),
        (["find_usages", "Cart"], "(did you mean usages?)"),
        (["search", "x", "--tests", "onyl"], "(did you mean only?)"),
        (["explore", "--kinds", "class,metod"], "(did you mean method?)"),
        (["explore", "--dept", "2"], "'--depth'"),
    ],
)
def test_what_is_misspelt_is_answered_with_what_is_meant(
    shop: Path, capsys: pytest.CaptureFixture[str], written: list[str], meant: str
) -> None:
    assert run(written) == 2
    assert meant in capsys.readouterr().err


def test_a_symbol_that_is_misspelt_is_answered_with_the_nearest(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["usages", "Cart.totl"]) == 1
    assert "Cart.total" in capsys.readouterr().err


@pytest.mark.parametrize("tool", TOOLS.values(), ids=lambda tool: tool.name)
def test_the_schema_of_an_answer_is_that_of_a_structured_server(tool: Tool, capsys: pytest.CaptureFixture[str]) -> None:
    for name in (tool.name, tool.command):
        assert run(["schema", name]) == 0
        assert json.loads(capsys.readouterr().out) == output_schema(tool)
    assert run(["schema", tool.name, "--arguments"]) == 0
    assert set(json.loads(capsys.readouterr().out)["properties"]) == set(parameters(tool))


# Places as they are written at a shell


def told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    code = run(arguments)
    out = capsys.readouterr()
    assert code == 0, out.err
    return out.out


def test_explore_without_a_start_shows_where_one_is(
    shop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RPG_GRAPH", str(shop))
    whole = told(["explore"], capsys)
    monkeypatch.chdir(shop.parent / "shop")
    assert told(["explore"], capsys) == whole != told(["explore", "./"], capsys)

    monkeypatch.chdir(shop.parent / "shop" / "shop")
    assert told(["explore"], capsys) == told(["explore", "shop/"], capsys) != whole


def test_paths_are_absolute_relative_or_at_home(
    shop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RPG_GRAPH", str(shop))
    monkeypatch.setenv("RPG_DATA", str(data_folder()))
    monkeypatch.setenv("HOME", str(shop.parent))
    monkeypatch.setenv("USERPROFILE", str(shop.parent))
    expected = told(["fetch", "shop/cart.py"], capsys)
    within = told(["search", "--kinds", "class", "--path", "shop/"], capsys)
    monkeypatch.chdir(shop.parent / "shop" / "shop")

    assert told(["fetch", str(shop.parent / "shop" / "shop" / "cart.py")], capsys) == expected
    assert told(["fetch", "~/shop/shop/cart.py"], capsys) == expected
    assert told(["fetch", "./cart.py"], capsys) == expected
    assert told(["fetch", "../shop/cart.py"], capsys) == expected
    assert told(["search", "--kinds", "class", "--path", "."], capsys) == within
    assert told(["stats", "-g", "~/shop.graph.json"], capsys) == told(["stats"], capsys)
    assert run(["fetch", "../../secret"]) == 2
    assert "FORBIDDEN" in capsys.readouterr().err


def test_the_graph_is_an_option_too(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")

    assert run(["stats", "-g", str(shop)]) == 0
    assert run(["stats", str(shop)]) == 0


def test_forget_takes_the_graph_of_the_repository_around_or_the_one_of_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("RPG_GRAPH", raising=False)
    root = repository(tmp_path / "shop", {"shop/a.py": "def a():\n    pass\n", "b/b.py": "import shop.a\n"})
    monkeypatch.chdir(root / "b")
    for arguments, folder in (([], root / "b"), (["shop"], root / "b"), (["shop"], root), (["-g", "shop"], root)):
        monkeypatch.chdir(folder)
        assert run(["encode", str(root)]) == 0
        assert run(["stats", "-g", "shop"]) == 0
        assert run(["forget", "nope"]) == 3
        assert (root / ".rpg" / "shop.graph.json").exists()
        assert run(["forget", *arguments]) == 0
        assert not (root / ".rpg").exists()
    capsys.readouterr()
    assert run(["forget"]) == 3
    assert "has no graph" in capsys.readouterr().err


def test_forget_without_a_name_leaves_a_graph_above_a_folder_that_is_in_no_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RPG_GRAPH", raising=False)
    write(tmp_path, {"a.py": "def a():\n    pass\n", "below/b.py": ""})
    assert run(["encode", str(tmp_path)]) == 0
    monkeypatch.chdir(tmp_path / "below")
    assert run(["forget"]) == 3
    assert (tmp_path / ".rpg").exists()


def test_help_says_what_the_argument_of_forget_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["forget", "--help"]) == 0
    assert "GRAPH is its file or name, or the folder of its repository" in capsys.readouterr().out


def test_nothing_is_nearest_to_a_name_that_is_like_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "".join(f"def {each}():\n    pass\n" for each in ("open", "none", "remove_user", "sort_items"))
    monkeypatch.chdir(repository(tmp_path / "shop", {"a.py": text}))
    assert run(["usages", "nope_nope"]) == 1
    assert "nothing has a similar name" in capsys.readouterr().err
    for written, meant in (("delete_user", "remove_user"), ("sortitem", "sort_items"), ("opne", "open")):
        assert run(["usages", written]) == 1
        assert f"nearest: a.py::{meant}" in capsys.readouterr().err


def test_the_page_is_named_by_its_plain_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(repository(tmp_path / "shop", {"a.py": "def a():\n    pass\n"}))
    assert run(["view", "-o", "../page.html"]) == 0
    assert capsys.readouterr().out == f"{tmp_path.resolve() / 'page.html'}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["usages", "Base.save", "--tests", "all"],
        ["explore", "./"],
        ["dependencies", "shop/cart.py", "--direction", "both"],
    ],
)
def test_an_answer_has_at_most_so_many_rows(
    shop: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    whole = json.loads(told([*arguments, "--json"], capsys))
    one = json.loads(told([*arguments, "--limit", "1", "--json"], capsys))

    assert one["next"]
    assert "next" not in whole
    rest = json.loads(told([*arguments, "--limit", "1", "--cursor", one["next"], "--json"], capsys))
    assert rest != one


def test_a_difference_may_be_of_one_folder(shop: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    root = write_repository(tmp_path / "shop")
    old, new = tmp_path / "old.graph.json", tmp_path / "new.graph.json"
    encode(root, old, options_for(root))
    (root / "shop" / "cart.py").write_text("def added():\n    pass\n")
    (root / "more.py").write_text("def elsewhere():\n    pass\n")
    encode(root, new, options_for(root))

    assert "elsewhere" in told(["diff", str(old), str(new)], capsys)
    here = told(["diff", str(old), str(new), "--path", "shop/"], capsys)
    assert "elsewhere" not in here
    assert "+ shop/cart.py::added" in here


def test_what_others_call_a_command_is_answered_with_what_does_it_here(capsys: pytest.CaptureFixture[str]) -> None:
    assert [run([name]) for name in INSTEAD] == [2] * len(INSTEAD)
    told = capsys.readouterr().err
    assert "there is no command 'find': rpg search WORDS finds code" in told
    assert "rpg explore SYMBOL --direction callers" in told
    assert not INSTEAD.keys() & set(ORDER)

    assert run(["usages", "Cart", "--format", "json"]) == 2
    assert "--json prints the answer as JSON" in capsys.readouterr().err
