"""What a new user meets: help, graphs that are not there yet, libraries, exports, errors, words of the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from repositories import ENVIRONMENT, git, repository, write

from rpg.cli import run
from rpg.cli.terminal.words_of_the_shell import hints_in_words_of_the_shell, in_words_of_the_shell
from rpg.queries.overview.one_page import first_paragraph

FILES: dict[str, str | bytes] = {
    "shop/prices.py": "def add(a, b):\n    return a + b\n",
    "shop/orders.py": "from shop.prices import add\n\n\ndef order():\n    return add(1, 2)\n",
}


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = repository(tmp_path / "shop", FILES)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("RPG_GRAPH", raising=False)
    return folder


def test_without_a_command_there_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 0
    told = capsys.readouterr()
    assert "Commands:\n" in told.out
    assert told.err == ""


def test_explore_at_the_top_is_the_overview_and_below_it_the_folder(
    shop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [f"offer_{number}" for number in range(30)]
    offers = "".join(f"def {name}():\n    return 1\n\n\n" for name in names)
    write(shop, {"shop/offers.py": offers, "shop/__init__.py": f"from shop.offers import {', '.join(names)}\n"
                 f"__all__ = {names}\n", "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n'})  # fmt: skip
    assert run(["encode"]) == 0
    capsys.readouterr()
    assert run(["overview"]) == 0
    page = capsys.readouterr().out
    assert "(stats --of api says where)" in page
    assert run(["explore"]) == 0
    assert capsys.readouterr().out == page
    monkeypatch.chdir(shop / "shop")
    assert run(["explore"]) == 0
    assert capsys.readouterr().out.startswith("directory shop/")


# Graphs that are not there yet


def test_a_small_repository_or_work_tree_without_a_graph_is_encoded_at_once(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["usages", "add"]) == 0
    told = capsys.readouterr()
    assert "shop/orders.py:5:12" in told.out
    assert "was made now" in told.err

    git(shop, "worktree", "add", "-q", str(tmp_path / "tree"))
    monkeypatch.chdir(tmp_path / "tree" / "shop")
    assert run(["usages", "add"]) == 0
    assert f"started from the graph of {shop}" in capsys.readouterr().err
    assert (tmp_path / "tree" / ".rpg").exists()
    assert git(tmp_path / "tree", "status", "--porcelain") == ""


def test_a_large_repository_a_plain_folder_and_a_home_are_not_encoded_unasked(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(shop, {f"more/{n}.txt": "x\n" for n in range(301)})
    assert run(["usages", "add"]) == 3
    plain = write(tmp_path / "plain", {"a.py": "def a(): pass\n"})
    monkeypatch.chdir(plain)
    assert run(["usages", "a"]) > 1
    home = repository(tmp_path / "home", {"a.py": "def a(): pass\n"})
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)
    assert run(["usages", "a"]) == 3
    assert [each for each in (shop, plain, home) if (each / ".rpg").exists()] == []


def test_a_urls_graph_goes_to_the_library_where_its_name_finds_it(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    for name in ("one", "two"):
        origin = repository(tmp_path / name, {"a.py": f"def {name}():\n    pass\n"})
        assert run(["encode", origin.as_uri()]) == 0
    assert list(here.iterdir()) == []
    library = tmp_path / "data" / "graphs"
    assert sorted(path.name for path in library.glob("*.json")) == ["one.graph.json", "two.graph.json"]

    capsys.readouterr()
    assert run(["search", "one", "-g", "one"]) == 0
    assert "a.py" in capsys.readouterr().out
    for name in ("library", str(library)):
        assert run(["stats", "-g", name]) == 0
        told = capsys.readouterr().out
        assert "one.graph.json" in told
        assert "two.graph.json" in told
        assert run(["search", "two", "-g", name]) == 0
        assert "two" in capsys.readouterr().out
    assert run(["forget", "one"]) == 0
    assert run(["forget", "one"]) == 3
    assert sorted(path.name for path in library.glob("*.json")) == ["two.graph.json"]


# Exports


def test_exports_go_beside_the_graph_or_where_they_are_wanted_and_are_no_text_of_the_repository(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["encode"]) == 0
    (shop / "out").mkdir()
    forms = {"graphml": "shop.graphml", "codermind": "rpg.json", "json": "shop.graph.json", "scip": "index.scip"}
    for form, name in forms.items():
        if form == "graphml":
            pytest.importorskip("networkx")
        assert run(["export", "--to", form]) == 0
        assert (shop / ".rpg" / name).exists()
        assert run(["export", "--to", form, "-o", f"out/{name}"]) == 0
    assert run(["view"]) == 0
    assert run(["view", "-o", "out/page.html"]) == 0
    capsys.readouterr()
    assert run(["review", "HEAD", "--format", "html"]) == 0
    (shop / "out" / "review.html").write_text(capsys.readouterr().out)
    assert git(shop, "status", "--porcelain") == "?? out/"

    capsys.readouterr()
    assert run(["encode"]) == 0
    assert "5 skipped: export of a graph (4), binary (1))" in capsys.readouterr().out
    assert run(["search", "order", "--mode", "text", "--path", "out/"]) == 1


# Errors


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["usages", "nothing_of_the_kind"], 1, "SYMBOL_NOT_FOUND"),
        (["fetch", "../x"], 2, "FORBIDDEN"),
        (["stats", "--of", "nothing"], 2, "BAD_REQUEST"),
        (["stats", "--no-such-option"], 2, "BAD_REQUEST"),
        (["usages", "a", "-g", "nowhere.graph.json"], 3, "GRAPH_NOT_LOADED"),
    ],
)
def test_an_error_under_json_is_json(
    arguments: list[str], code: int, told: str, shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["encode"]) == 0
    capsys.readouterr()

    assert run([*arguments, "--json"]) == code
    said = capsys.readouterr()
    error = json.loads(said.out)["error"]
    assert error["code"] == told
    assert error["message"]
    assert said.err == ""


def test_a_deleted_file_is_said_to_be_deleted_in_the_work_tree(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["encode"]) == 0
    (shop / "shop" / "orders.py").unlink()
    for command in ("fetch", "usages"):
        assert run([command, "shop/orders.py"]) == 2
        told = capsys.readouterr().err
        assert "'shop/orders.py' is deleted in the work tree" in told
        assert "`rpg usages` with --since HEAD lists" in told
    assert run(["fetch", "shop/never.py"]) == 2
    assert "deleted" not in capsys.readouterr().err


def test_a_submodule_that_is_left_out_is_said_where_it_is_asked_for(
    shop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    part = repository(tmp_path / "part", {"inner.py": "def inner(): pass\n"})
    git(shop, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(part), "libs/part")
    git(shop, "commit", "-qm", "with a part")
    assert run(["encode"]) == 0
    assert "1 skipped: a git repository of its own)" in capsys.readouterr().out
    assert run(["usages", "libs/part/inner.py"]) == 2
    assert "in the submodule libs/part, which this graph leaves out: `rpg encode libs/part`" in capsys.readouterr().err
    git(shop, "mv", "libs/part", "part")
    git(shop, "commit", "-qm", "moved")
    for command, name in (("explore", "part"), ("usages", "part/")):
        assert run([command, name]) == 2
        assert f"'{name}' is the submodule, which this graph leaves out: `rpg encode part`" in capsys.readouterr().err


# Words


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("tests=only lists 5 calls in 2 test files", "--tests only lists 5 calls in 2 test files"),
        ("2 more: search finds them with mode=text", "2 more: search finds them with --mode text"),
        ("9 symbols more at hop 3: transitive=3 lists them", "9 symbols more at hop 3: --transitive 3 lists them"),
        ("a.py:3:1  run: pytest.main(tests=only, mode=text)", "a.py:3:1  run: pytest.main(tests=only, mode=text)"),
        ("a.py:3:1  limit=5 or kinds=all", "a.py:3:1  limit=5 or kinds=all"),
    ],
)
def test_hints_are_in_the_words_of_the_command_line_and_source_stays(text: str, spoken: str) -> None:
    assert hints_in_words_of_the_shell(text) == spoken


def test_errors_name_commands_and_options() -> None:
    assert in_words_of_the_shell("find_usages needs `symbol`, or `since` for what changed; `max_tokens` or `x`") == (
        "rpg usages needs SYMBOL, or `--since` for what changed; `--max-tokens` or `x`"
    )


def test_a_command_says_tests_only_as_an_option(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "from shop.prices import add\n\n\ndef test():\n    add(1, 2)\n"
    write(shop, {f"tests/test_{n}.py": text for n in range(9)})
    assert run(["encode"]) == 0
    capsys.readouterr()
    assert run(["usages", "add"]) == 0
    told = capsys.readouterr().out
    assert "--tests only lists" in told
    assert "tests=only" not in told


def test_terms_are_a_list_in_one_word_or_several(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["encode"]) == 0
    answers = []
    for terms in (["--terms", "add,order"], ["--terms", "add", "--terms", "order"]):
        capsys.readouterr()
        assert run(["ask", "where are sums made", "--model", "none", *terms]) == 0
        answers.append(capsys.readouterr().out)
    assert answers[0] == answers[1]


# The rest


def test_powershell_gets_a_script_and_candidates(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment = ENVIRONMENT | {"RPG_DATA": str(tmp_path / "data")}
    start = [sys.executable, "-m", "rpg"]
    script = subprocess.run([*start, "completion", "powershell"], capture_output=True, env=environment, text=True)
    assert script.stdout.startswith("Register-ArgumentCompleter -Native -CommandName rpg ")
    found = subprocess.run(
        start, capture_output=True, text=True,
        env=environment | {"_RPG_COMPLETE": "powershell_complete", "COMP_WORDS": '["rpg", "usages", "--tes"]'},
    )  # fmt: skip
    assert found.stdout.splitlines()[0].startswith("plain\t--tests\t")


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_watch_ends_quietly_when_it_is_terminated(shop: Path, tmp_path: Path) -> None:
    assert run(["encode"]) == 0
    watching = subprocess.Popen(
        [sys.executable, "-m", "rpg", "watch"], cwd=shop, env=ENVIRONMENT | {"RPG_DATA": str(tmp_path / "data")},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert watching.stdout is not None
    assert b"fresh" in watching.stdout.readline()
    watching.send_signal(signal.SIGTERM)
    out, err = watching.communicate(timeout=60)

    assert (watching.returncode, out) == (0, b"")
    assert err.count(b"\n") == 1
    assert err.startswith(b"watching ")


@pytest.mark.parametrize(
    "before",
    [
        "[![CI](https://x/ci.svg)](https://x) [![Docs](https://x/d.svg)](https://y) [![Chat](https://x/c.svg)](https://z)",
        "[English](a.md) | [Deutsch](b.md) | [Français](c.md) | [Español](d.md) | [Português](e.md) | [Русский](f.md)",
        "[Docs](https://x) • [Website](https://y) • [Discord](https://z) • [Blog](https://b) • [Twitter](https://t)",
        '<p align="center"><a href="x"><img src="y.png"></a> <a href="z">English</a></p>',
    ],
)
def test_a_row_of_badges_or_language_links_introduces_nothing(before: str) -> None:
    text = f"# Shop\n\n{before}\n\nShop sells [many things](x.md) to people who want them, and counts what they cost.\n"

    assert first_paragraph(text, "shop").startswith("Shop sells many things to people")


def test_help_names_no_empty_word(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("install", "uninstall"):
        assert run([command, "--help"]) == 0
        assert "[claude-code|" in capsys.readouterr().out


def test_a_block_is_printed_with_those_of_the_offers_that_are_named(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["install", "claude-code", "--print", "--rules", "--hooks", "--answers"]) == 0
    told = capsys.readouterr().out

    assert [told.count(each) for each in ("settings.json:", "check --hook", "usages --hook")] == [1, 2, 1]
    assert "CLAUDE.md:\n<!-- rpg: begin -->" in told
    assert told.endswith("Also: --agent, --skill (with --print, each prints its part).\n")
    assert not list(shop.glob("CLAUDE.md")) + list(shop.glob(".claude*")) + list(shop.glob(".mcp.json"))


def test_uninstall_says_that_the_graph_stays_and_what_removes_it(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["encode"]) == 0
    assert run(["install", "cursor", "-y"]) == 0
    capsys.readouterr()
    assert run(["uninstall", "cursor", "-y"]) == 0
    assert capsys.readouterr().out.endswith("The graph stays: `rpg forget` removes it.\n")


def test_the_words_of_a_search_need_no_quotes(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["encode"]) == 0
    capsys.readouterr()
    assert run(["search", "total", "price"]) == 0
    loose = capsys.readouterr().out
    assert run(["search", "total price"]) == 0

    assert loose == capsys.readouterr().out
    assert loose
