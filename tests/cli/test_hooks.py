"""What an agent is told unasked: after an edit, at the end of a turn; the socket of a server; `rpg install --hooks`."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from repositories import ENVIRONMENT, repository, write

from rpg.cli import run
from rpg.cli.serving.serve import listen_for_hooks
from rpg.hooks import names
from rpg.hooks.edits import answer, ask_server
from rpg.hooks.telling import MOST_BYTES, News, format_news
from rpg.stores import local_socket
from rpg.tools.loaded.graphs import Graphs

FILES: dict[str, str | bytes] = {
    "shop/prices.py": "def add(price, count):\n    return price * count\n",
    "shop/orders.py": "from shop.prices import add\n\n\ndef order(items):\n    return [add(n, 1) for n in items]\n",
    "tests/test_orders.py": "from shop.orders import order\n\n\ndef test_order():\n    assert order([]) == []\n",
}
BROKEN = "def add(price, count, tax):\n    return price * count\n"

on_unix = pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="there are no such sockets")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Its data folder has a short path, as a socket needs."""
    data = Path(tempfile.mkdtemp())
    folder = repository(tmp_path / "shop", FILES)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("RPG_DATA", str(data))
    monkeypatch.delenv("RPG_GRAPH", raising=False)
    assert run(["encode"]) == 0
    yield folder
    shutil.rmtree(data)


def event(name: str, folder: Path, session: str = "one") -> dict[str, Any]:
    return {"hook_event_name": name, "session_id": session, "cwd": str(folder)}


def said(found: dict[str, Any] | None) -> str:
    assert found is not None
    return str(found["hookSpecificOutput"]["additionalContext"])


def test_an_edit_that_breaks_nothing_is_silent(shop: Path) -> None:
    write(shop, {"shop/prices.py": "def add(price, count):\n    return price * count * 2\n"})

    assert answer(event("PostToolUse", shop)) is None


@pytest.mark.parametrize("name", ["PostToolUse", "AfterTool"])
def test_what_an_edit_broke_is_told_once_until_it_breaks_again(name: str, shop: Path) -> None:
    write(shop, {"shop/prices.py": BROKEN})
    first = answer(event(name, shop))
    assert said(first) == "Now broken:\nshop/orders.py:5 `add` needs `tax`"
    assert first is not None
    assert first["hookSpecificOutput"]["hookEventName"] == name
    assert answer(event(name, shop)) is None
    write(shop, {"shop/late.py": "from shop.prices import missing\n"})
    late = answer(event(name, shop))
    assert late is None or "orders" not in said(late)
    assert "tax" in said(answer(event(name, shop, "another session")))

    write(shop, {"shop/prices.py": FILES["shop/prices.py"]})
    assert answer(event(name, shop)) is None
    write(shop, {"shop/prices.py": BROKEN})
    assert "tax" in said(answer(event(name, shop)))


def test_at_the_end_of_a_turn_the_tests_to_run_are_told(shop: Path) -> None:
    write(shop, {"shop/prices.py": "def add(price, count):\n    return price * count * 2\n"})

    assert answer(event("Stop", shop)) == {
        "systemMessage": "1 test reaches what changed: pytest tests/test_orders.py::test_order"
    }
    assert answer(event("Stop", shop)) is None


def test_a_client_that_takes_no_text_after_an_edit_is_told_at_the_end_of_a_turn(shop: Path) -> None:
    write(shop, {"shop/prices.py": BROKEN})

    found = answer({"hook_event_name": "stop", "conversation_id": "one", "workspace_roots": [str(shop)]})
    assert found == {"followup_message": "Now broken:\nshop/orders.py:5 `add` needs `tax`"}


def test_other_events_and_folders_without_a_graph_are_silent(shop: Path, tmp_path: Path) -> None:
    write(shop, {"shop/prices.py": BROKEN})

    assert answer(event("SessionStart", shop)) is None
    assert answer(event("PostToolUse", tmp_path)) is None
    assert answer(event("PostToolUse", tmp_path / "nowhere")) is None


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff", b'{"hook_event_name": "PostToolUse", "cwd": 1}'])
def test_the_command_blocks_nothing_whatever_it_is_given(content: bytes, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rpg", "check", "--hook"],
        input=content, cwd=tmp_path, capture_output=True, env=ENVIRONMENT | {"RPG_DATA": str(tmp_path / "data")},
    )  # fmt: skip

    assert (done.returncode, done.stdout) == (0, b"")


def test_what_is_told_has_150_tokens_at_most() -> None:
    text = format_news(
        [News(str(n), f"a/rather/long/path.py:{n} `something` needs `more`" * 3) for n in range(50)], "Head:"
    )

    assert len(text.encode()) <= MOST_BYTES
    assert text.splitlines()[-1].startswith("and ")


@on_unix
@pytest.mark.parametrize("is_relative", [False, True])
def test_a_running_server_is_asked_over_its_socket(
    is_relative: bool, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [graph] = (shop / ".rpg").glob("*.graph.json")
    if is_relative:
        monkeypatch.chdir(shop.parent)
        graph = graph.relative_to(shop.parent)
    loaded = Graphs([graph])
    assert ask_server(graph, "edit") is None
    end = listen_for_hooks(loaded, graph)
    try:
        assert ask_server(graph, "edit") == []
        write(shop, {"shop/prices.py": BROKEN})
        found = ask_server(graph, "edit")
        assert found is not None
        assert [each.text for each in found] == ["shop/orders.py:5 `add` needs `tax`"]
        assert ask_server(graph, "nothing of the kind") is None
    finally:
        end()
        loaded.close()
    assert ask_server(graph, "edit") is None


@on_unix
def test_one_server_listens_and_the_place_of_a_killed_one_is_taken_over(shop: Path) -> None:
    graph = shop / "a.graph.json"
    place = local_socket.place(graph)
    assert place is not None
    end = local_socket.listen(graph, lambda line: b"first " + line)
    local_socket.listen(graph, lambda line: b"second " + line)()
    assert local_socket.ask(graph, b"x") == b"first x"
    end()
    assert local_socket.ask(graph, b"x") is None
    killed = socket.socket(socket.AF_UNIX)
    killed.bind(str(place))
    killed.close()
    assert place.exists()
    end = local_socket.listen(graph, lambda line: b"third " + line)
    assert local_socket.ask(graph, b"x") == b"third x"
    end()


@on_unix
def test_nobody_listens_where_others_may_enter_or_something_else_is(shop: Path) -> None:
    graph = shop / "a.graph.json"
    place = local_socket.place(graph)
    assert place is not None
    place.parent.mkdir(exist_ok=True)
    place.parent.chmod(0o755)
    local_socket.listen(graph, lambda line: line)
    assert not place.exists()
    place.parent.chmod(0o700)
    place.write_text("mine")
    local_socket.listen(graph, lambda line: line)()
    assert place.read_text() == "mine"


def test_a_folder_with_a_long_path_has_no_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RPG_DATA", str(tmp_path / ("x" * 100)))

    assert local_socket.place(tmp_path / "a.graph.json") is None


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = repository(tmp_path / "project", FILES)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    return folder


@pytest.mark.parametrize(
    ("client", "file", "events"),
    [
        ("claude-code", ".claude/settings.json", {"PostToolUse", "Stop"}),
        ("codex", ".codex/hooks.json", {"PostToolUse", "Stop"}),
        ("gemini", ".gemini/settings.json", {"AfterTool", "AfterAgent"}),
        ("cursor", ".cursor/hooks.json", {"stop"}),
    ],
)
def test_hooks_are_added_to_what_a_client_has(
    client: str, file: str, events: set[str], project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = {"command": "mine"} if client == "cursor" else {"matcher": "Bash", "hooks": [{"type": "command"}]}
    first = sorted(events)[0]
    write(project, {file: json.dumps({"model": "m", "hooks": {first: [own], "Other": []}}, indent=2)})

    assert run(["install", client, "--hooks"]) == 0
    once = (project / file).read_text()
    assert run(["install", client, "--hooks"]) == 0
    assert (project / file).read_text() == once

    settings = json.loads(once)
    assert settings["model"] == "m"
    assert set(settings["hooks"]) == events | {"Other"}
    assert settings["hooks"][first][0] == own
    for name in events:
        assert json.dumps(settings["hooks"][name]).count("check --hook") == 1
    assert "runs `rpg check --hook`" in capsys.readouterr().out


def test_the_plugin_of_opencode_is_written_and_no_other_is_replaced(project: Path) -> None:
    file = project / ".opencode" / "plugins" / "rpg-check.js"
    assert run(["install", "opencode", "--hooks"]) == 0
    assert '"check", "--hook"]' in file.read_text()
    assert run(["install", "opencode", "--hooks"]) == 0
    file.write_text("export const Other = 1\n")
    assert run(["install", "opencode", "--hooks"]) == 2
    assert file.read_text() == "export const Other = 1\n"


@pytest.mark.parametrize("content", ["[]", "{", '{"hooks": []}', '{"hooks": {"Stop": {}}}'])
def test_a_file_of_hooks_that_has_another_form_is_left_alone(
    content: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, {".codex/hooks.json": content})

    assert run(["install", "codex", "--hooks"]) == 2
    assert (project / ".codex/hooks.json").read_text() == content
    assert "check --hook" in capsys.readouterr().err


def test_hooks_are_for_clients_that_have_them(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["install", "vscode", "--hooks"]) == 2
    assert "--hooks" in capsys.readouterr().err
    if hasattr(os, "symlink"):
        (project / ".gemini").symlink_to(project / "shop")
        assert run(["install", "gemini", "--hooks"]) == 2
        assert not (project / "shop" / "settings.json").exists()


# After a search through files


def grepped(shop: Path, **given: Any) -> dict[str, Any]:
    return {"hook_event_name": "PostToolUse", "session_id": "one", "cwd": str(shop), "tool_input": given}


@pytest.mark.parametrize(
    "given",
    [
        {"pattern": "add"},
        {"pattern": r"\badd\b", "path": "shop"},
        {"pattern": r"def add\("},
        {"pattern": "prices.add"},
        {"command": "grep -rn 'add' ."},
        {"command": "cd shop && LC_ALL=C rg -A 3 --type py 'add\\(' | head -5"},
        {"command": "git grep -n -e add -- shop tests 2>/dev/null"},
        {"command": ["bash", "-lc", "rg add"]},
    ],
    ids=str,
)
def test_a_search_for_a_name_that_the_graph_knows_is_answered(given: dict[str, Any], shop: Path) -> None:
    assert said(names.answer(grepped(shop, **given))) == (
        "The code graph (rpg) knows this name; `find_usages` has the whole list:\n"
        "shop/prices.py:1-2 function add: 1 use: shop/orders.py:5"
    )


@pytest.mark.parametrize(
    "given",
    [
        {"pattern": "nothing_of_the_kind"},
        {"pattern": "the price of an item"},
        {"pattern": "add", "path": "shop/prices.py"},
        {"pattern": "[a-z]+"},
        {"pattern": ""},
        {"pattern": "a" * 10_000},
        {"pattern": 7},
        {"command": "grep add shop/prices.py"},
        {"command": "ls | grep add"},
        {"command": "echo grep add"},
        {"command": "grep 'unclosed"},
        {"command": "cat shop/prices.py"},
        {"command": []},
        {},
    ],
    ids=lambda given: str(given)[:40],
)
def test_a_search_for_something_else_is_not_answered(given: dict[str, Any], shop: Path) -> None:
    assert names.answer(grepped(shop, **given)) is None


def test_a_name_is_answered_once_in_a_session(shop: Path, tmp_path: Path) -> None:
    event = grepped(shop, pattern="add|order")
    assert said(names.answer(event)).count("\n") == 2
    assert names.answer(event) is None
    assert names.answer(grepped(shop, pattern="order")) is None
    assert names.answer(event | {"session_id": "two"}) is not None
    assert names.answer(event | {"session_id": "three", "cwd": str(tmp_path)}) is None
    assert names.answer(event | {"session_id": "three", "hook_event_name": "Stop"}) is None


def test_what_is_added_to_a_search_has_150_tokens_at_most_and_is_masked(shop: Path) -> None:
    deep = "/".join(["a_rather_long_name"] * 6)
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    write(shop, {f"{deep}/{token}_{n}.py": "from shop.prices import add\n\nadd(1, 2)\n" for n in range(9)})
    assert run(["encode"]) == 0

    text = said(names.answer(grepped(shop, pattern="add")))
    assert len(text.encode()) <= MOST_BYTES
    assert "10 uses" in text
    assert token not in text


def test_a_name_is_told_as_code_has_it_and_each_call_of_a_test_counts_once(shop: Path) -> None:
    write(
        shop,
        {
            "shop/till.py": "class Till:\n    def shut(self): ...\n\n\nTill().shut()\n",
            "tests/test_till.py": (
                "from shop.till import Till\n\n\ndef test_shut():\n    Till().shut()\n\n\n"
                "class Fake:\n    def shut(self): ...\n\n\nFake().shut()\n\n\ndef helped(): ...\n\n\nhelped()\n"
            ),
        },
    )
    assert run(["encode"]) == 0

    first, *rest = said(names.answer(grepped(shop, pattern="shut"))).splitlines()[1:]
    assert first == "shop/till.py:2 method Till.shut: 1 use, 1 in tests: shop/till.py:5"
    assert rest == []
    assert "helped: 1 use, all in tests" in said(names.answer(grepped(shop, pattern="helped")))


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{", b"\xff", b'{"hook_event_name": "PostToolUse", "tool_input": []}']
)
def test_the_hook_of_searches_blocks_nothing_whatever_it_is_given(content: bytes, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rpg", "usages", "--hook"],
        input=content, cwd=tmp_path, capture_output=True, env=ENVIRONMENT | {"RPG_DATA": str(tmp_path / "data")},
    )  # fmt: skip

    assert (done.returncode, done.stdout) == (0, b"")


def test_the_hook_of_edits_imports_nothing_of_the_command_line(shop: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "rpg", "check", "--hook"],
        input=b"{}", cwd=shop, capture_output=True, env=ENVIRONMENT | {"RPG_DATA": os.environ["RPG_DATA"]},
    )  # fmt: skip

    imported = {line.rpartition(b"|")[2].strip().decode() for line in done.stderr.splitlines()}
    assert done.returncode == 0
    assert "rpg.hooks.edits" in imported
    assert not imported & {"click", "rich", "rpg.cli", "mcp", "numpy", "tree_sitter", "pydantic"}


def test_the_hook_of_searches_imports_nothing_of_the_command_line(shop: Path) -> None:
    event = json.dumps(grepped(shop, pattern="add"))
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "rpg", "usages", "--hook"],
        input=event.encode(), cwd=shop, capture_output=True, env=ENVIRONMENT | {"RPG_DATA": os.environ["RPG_DATA"]},
    )  # fmt: skip

    assert b"shop/orders.py:5" in done.stdout
    imported = {line.rpartition(b"|")[2].strip().decode() for line in done.stderr.splitlines()}
    assert not imported & {"click", "rich", "rpg.cli", "rpg.tools", "mcp", "numpy", "tree_sitter", "pydantic"}
    assert len(imported) < 200
