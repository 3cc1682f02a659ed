"""What the commands write: nothing that commands a terminal, and what could not be written is no success."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from wire import call, serving, text_of

from rpg.cli import run
from rpg.cli.terminal.painted_answers import answer
from rpg.cli.terminal.source_colors import COLOR
from rpg.encoder.options import options_for
from rpg.repository import encode

RPG = [sys.executable, "-m", "rpg"]
NAME = "evil\x1b]0;owned\x07\x1b[2J\u202egpj.py"
SOURCE = '''"""Says \x1b[31mred\x1b[0m \x9b5m and \u202e\u2066backwards\u2069, \x08\x08 \x7f and \x07."""


def harmless(value="\x1b]8;;http://evil.example\x1b\\\\click\x1b]8;;\x1b\\\\"):
    """Ends \x1b[2J\x1b[H the screen."""
    return value  # \x1b[8m hidden \u202e


def caller():
    return harmless()
'''
COMMANDS = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
LINK = re.compile("\x1b\\]8;;[^\x1b]*\x1b\\\\")
"""What the program itself sends to a terminal."""


@pytest.fixture(scope="session")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph of a file whose name and contents command a terminal."""
    folder = tmp_path_factory.mktemp("terminal")
    (folder / "evil").mkdir()
    (folder / "evil" / NAME).write_text(SOURCE, "utf-8")
    (folder / "evil" / "other.py").write_text("def other():\n    pass\n")
    encode(folder / "evil", folder / "evil.graph.json", options_for(folder / "evil"))
    return folder / "evil.graph.json"


QUESTIONS = [
    ["search", "harmless"],
    ["search", "harmless", "--excerpts", "--expand"],
    ["search", "--kinds", "function"],
    ["fetch", NAME],
    ["fetch", "harmless", "--relations"],
    ["explore", "./", "--depth", "5"],
    ["explore", "caller", "--edges", "calls"],
    ["usages", "harmless"],
    ["dependencies", NAME],
    ["ask", "what does harmless do?", "--answer", "extract"],
    ["stats"],
    ["fetch", "\x1b[2J"],
    ["fetch", f"{NAME}/../x"],
    ["usages", "\x1b[2J"],
    ["search", "x", "--mode", "\x1b[2J"],
    ["search", "--\x1b[2J"],
    ["\x1b[2J"],
    ["stats", "\x1b[2J.graph.json"],
    ["encode", "\x1b[2J"],
    ["diff", "evil.graph.json", "\x1b[2J"],
    ["debug", "facts", f"evil/{NAME}"],
    ["debug", "explain", f"{NAME}:5", "harmless"],
    ["debug", "explain", "\x1b[2J:5", "harmless"],
]


@pytest.mark.invariant(
    "answers",
    "no output controls a terminal, except by colours, which add nothing to the text; output that could "
    "not be written is a failure",
)
@pytest.mark.parametrize("arguments", QUESTIONS, ids=lambda arguments: ascii(" ".join(arguments))[:40])
def test_nothing_that_commands_a_terminal_is_written(
    evil: Path, arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(evil.parent)

    code = run(arguments)
    told = capsys.readouterr()

    assert COMMANDS.findall(told.out + told.err) == []
    assert told.out + told.err
    assert "Traceback" not in told.err
    assert "bug in rpg" not in told.err
    assert code in (0, 1, 2, 3)


@pytest.mark.parametrize("arguments", QUESTIONS[:11], ids=lambda arguments: ascii(" ".join(arguments))[:40])
def test_json_says_the_same_exactly(
    evil: Path, arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(evil.parent)

    run([*arguments, "--json"])
    told = capsys.readouterr().out

    assert COMMANDS.findall(told) == []
    assert json.loads(told) is not None


def test_what_install_says_of_a_graph_and_a_server_commands_no_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "\x1b[2J\u202efolder"
    (folder / "below").mkdir(parents=True)
    (folder / "\x1b[31m.graph.json").write_text('{"graph": {}}')
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(tmp_path))

    assert run(["install", "cursor", "\x1b[31m.graph.json", "--print"]) == 0
    assert run(["install", "cursor", "\x1b[31m.graph.json", "--name", "\x1b[2J"]) == 0
    monkeypatch.chdir(folder / "below")
    run(["stats"])

    told = capsys.readouterr()
    assert COMMANDS.findall(told.out + told.err) == []
    assert "\\x1b[2J" in told.out
    assert "rpg: using" in told.err


def test_what_a_difference_names_commands_no_terminal(
    evil: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "x.py").write_text("x = 1\n")
    encode(tmp_path / "empty", tmp_path / "empty.graph.json", options_for(tmp_path / "empty"))

    for more in ([], ["--json"]):
        assert run(["diff", str(tmp_path / "empty.graph.json"), str(evil), *more]) == 0
        told = capsys.readouterr().out
        assert "harmless" in told
        assert COMMANDS.findall(told) == []


def on_terminal(arguments: list[str], folder: Path, **environment: str) -> str:
    """All that a terminal gets, of stdout and stderr."""
    ours, theirs = pty.openpty()
    given = {**os.environ, "TERM": "xterm", "PAGER": "cat", "NO_COLOR": "", "COLUMNS": "100", **environment}
    process = subprocess.Popen([*RPG, *arguments], cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env=given)
    os.close(theirs)
    out = b""
    try:
        while piece := os.read(ours, 65536):
            out += piece
    except OSError:  # as a terminal ends
        pass
    finally:
        os.close(ours)
        process.wait()
    return out.decode().replace("\r\n", "\n")


def test_links_on_a_terminal_lead_to_the_file_and_nothing_else(evil: Path) -> None:
    told = on_terminal(["ask", "what does harmless do?", "--answer", "extract"], evil.parent)

    links = LINK.findall(told)
    assert [link for link in links if "evil%1B%5D0%3Bowned%07%1B%5B2J%E2%80%AEgpj.py" in link]
    rest = re.sub("\x1b\\[[0-9;?]*[a-zA-Z]", "", LINK.sub("", told))  # of the bar, which is the program's own
    assert COMMANDS.findall(rest) == []
    assert "owned" in rest


def test_what_a_model_reads_commands_nothing_either(evil: Path) -> None:
    with serving(evil) as wire:
        wire.send(
            call(1, "fetch", targets=[NAME]),
            call(2, "search", query="harmless"),
            call(3, "find_usages", symbol="\x1b[2J"),
        )
        told = [text_of(answer) for answer in wire.answers(3)]

    assert [COMMANDS.findall(text) for text in told] == [[], [], []]
    assert any("\\x1b[31mred" in text for text in told)


# Colours, and a pager


SHOWN = [*QUESTIONS[:10], ["explore", f"{NAME}"], ["search", "harmless", "--mode", "text"]]


@pytest.mark.invariant(
    "answers",
    "no output controls a terminal, except by colours, which add nothing to the text; output that could "
    "not be written is a failure",
)
@pytest.mark.parametrize("arguments", SHOWN, ids=lambda arguments: ascii(" ".join(arguments))[:40])
def test_colours_add_nothing_but_colours(evil: Path, arguments: list[str]) -> None:
    """And blanks, and the lines of a tree."""
    plain = on_terminal(arguments, evil.parent, NO_COLOR="1", RPG_LINKS="none")
    shown = on_terminal(arguments, evil.parent, RPG_LINKS="none")

    assert "\x1b[" in shown
    without = COLOR.sub("", re.sub("\x1b\\[[0-9;?]*[A-Zhl]", "", shown))
    assert COMMANDS.findall(without) == []
    assert words(without) == words(re.sub("\x1b\\[[0-9;?]*[a-zA-Z]", "", plain))


def words(text: str) -> list[str]:
    """Sorted, as a tree has its line numbers in front."""
    return sorted(text.translate({ord(mark): " " for mark in "│├└─"}).split())


@pytest.mark.parametrize("plainly", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_who_wants_no_colours_gets_none(evil: Path, plainly: dict[str, str]) -> None:
    piped = subprocess.run([*RPG, "explore", "./"], cwd=evil.parent, capture_output=True, text=True)

    assert on_terminal(["explore", "./"], evil.parent, **plainly) == piped.stdout
    assert "\x1b" not in piped.stdout


def test_what_is_long_goes_to_the_pager(evil: Path, tmp_path: Path) -> None:
    pager = f"tee {tmp_path / 'paged'}"
    short = on_terminal(["fetch", "harmless"], evil.parent, PAGER=pager, LINES="40")
    assert not (tmp_path / "paged").exists()
    long = on_terminal(["fetch", "harmless"], evil.parent, PAGER=pager, LINES="3")

    assert (tmp_path / "paged").read_text() == short == long
    for none in ("", "cat", "no-such-program-anywhere", "'"):
        assert on_terminal(["fetch", "harmless"], evil.parent, PAGER=none, LINES="3") == short


def test_a_pager_that_is_left_early_is_not_a_failure(evil: Path) -> None:
    assert on_terminal(["fetch", "harmless"], evil.parent, PAGER="true", LINES="3") == ""


def test_what_colours_need_is_imported_for_a_terminal_alone(evil: Path) -> None:
    program = "import sys; from rpg.cli import run; run(sys.argv[1:]); print({'pygments', 'rich'} & set(sys.modules))"
    for arguments in (["fetch", "harmless"], ["search", "harmless"], ["ask", "what is harmless?"], ["--help"]):
        told = subprocess.run(
            [sys.executable, "-c", program, *arguments], cwd=evil.parent, capture_output=True, text=True
        )
        assert told.stdout.endswith("set()\n"), told


def test_a_tree_is_drawn_with_its_numbers_in_a_column() -> None:
    text = "module a.py  1-120\n  class A  3-9  (1 field)\n    field x  4-4\n  def f(x)  10-120\nmore: cursor 4-abc"

    assert "\x1b[35mdef\x1b[0m \x1b[34mf\x1b[0m(x)" in answer(text, 4)
    assert COLOR.sub("", answer(text, 4)).split("\n") == [
        " 1-120  module a.py",
        "   3-9  ├─ class A  (1 field)",
        "   4-4  │  └─ field x",
        "10-120  └─ def f(x)",
        "more: cursor 4-abc",
    ]


# Streams that are closed or full, folders that are gone


def shell(program: str, folder: Path, **environment: str | None) -> subprocess.CompletedProcess[bytes]:
    """`$RPG` is the program."""
    given: dict[str, Any] = {**os.environ, "RPG": " ".join(RPG), **environment}
    return subprocess.run(
        ["bash", "-c", program], cwd=folder, capture_output=True, timeout=60, stdin=subprocess.DEVNULL,
        env={name: value for name, value in given.items() if value is not None},
    )  # fmt: skip


@pytest.mark.invariant(
    "answers",
    "no output controls a terminal, except by colours, which add nothing to the text; output that could "
    "not be written is a failure",
)
@pytest.mark.parametrize(
    ("program", "code", "told"),
    [
        ("$RPG stats >&-", 3, b"FAILED: the answer could not be written: stdout is closed"),
        ("$RPG stats --json >&-", 3, b"FAILED: the answer could not be written: stdout is closed"),
        ("$RPG --help >&-", 3, b"FAILED: "),
        ("$RPG stats >/dev/full", 3, b"FAILED: the answer could not be written: No space left on device"),
        ("$RPG --help >/dev/full", 3, b"FAILED: there is no space left on the disk"),
        ("mkdir -p made; $RPG encode evil -o made/x.graph.json >/dev/full", 3, b"FAILED: the answer could"),
        ("$RPG debug facts evil/other.py >/dev/full", 3, b"FAILED: the answer could not be written"),
        ("$RPG diff evil.graph.json evil.graph.json >/dev/full", 3, b"FAILED: the answer could not be written"),
        ("$RPG stats >&- 2>&-", 3, b""),
        ("$RPG stats 2>&-", 0, b""),
        ("$RPG stats 2>/dev/full", 0, b""),
        ("$RPG fetch nothing 2>/dev/full", 1, b""),
        ("$RPG stats <&-", 0, b""),
        ("$RPG serve evil.graph.json <&-", 0, b""),
        ("$RPG serve evil.graph.json >&-", 3, b"FAILED: the answer could not be written: stdout is closed"),
        ("$RPG stats | exec true; exit ${PIPESTATUS[0]}", 3, b""),
        ("mkdir -p gone; cd gone; rmdir ../gone; $RPG stats", 3, b"FAILED: the current folder no longer exists"),
        ("mkdir -p gone; cd gone; rmdir ../gone; $RPG encode .", 3, b"the current folder no longer exists"),
        ("there=$PWD; mkdir -p gone; cd gone; rmdir ../gone; $RPG stats $there/evil.graph.json", 0, b""),
        ("there=$PWD; mkdir -p gone; cd gone; rmdir ../gone; $RPG serve $there/evil.graph.json", 0, b""),
        ("env -u HOME $RPG stats", 0, b""),
        ("env -u HOME $RPG search x -g '~nobody-of-that-name/x'", 2, b"BAD_REQUEST: no graph file can have the name"),
        ("HOME=/nonexistent $RPG stats", 0, b""),
        ("LC_ALL=C PYTHONIOENCODING=ascii $RPG search harmless", 0, b""),
        ("$RPG stats $(printf 'x%.0s' {1..5000})", 2, b"BAD_REQUEST: no graph file can have the name"),
        ("$RPG encode $(printf 'x%.0s' {1..5000})", 2, b""),
        ("$RPG fetch $'caf\\xe9'", 2, b"BAD_REQUEST: argument 'targets' of fetch contains"),
        ("$RPG search $'caf\\xe9'", 2, b"BAD_REQUEST: argument 'query' of search contains"),
    ],
)
def test_every_end_is_explained_and_no_failure_is_a_success(evil: Path, program: str, code: int, told: bytes) -> None:
    ran = shell(program, evil.parent)

    assert (ran.returncode, b"Traceback" in ran.stderr, b"bug in rpg" in ran.stderr) == (code, False, False), ran.stderr
    assert told in ran.stderr
    assert len(ran.stderr) < 5_000


@pytest.mark.invariant("encoding", "an encode finishes even if nobody reads its output")
@pytest.mark.parametrize("streams", ["", "2>&1"])
def test_an_encode_does_its_work_although_nobody_reads_what_it_says(evil: Path, streams: str) -> None:
    encode = f"$RPG encode evil -o made/unread.graph.json --full {streams}"
    ran = shell(f"mkdir -p made; {encode} | exec true; exit ${{PIPESTATUS[0]}}", evil.parent)

    assert (ran.returncode, ran.stderr) == (0, b"")
    assert shell("$RPG stats made/unread.graph.json", evil.parent).returncode == 0


def test_no_file_takes_the_place_of_a_closed_stream(evil: Path) -> None:
    """What else is opened would get the number of stdout, and what is written there would go into it."""
    shell("mkdir -p made; $RPG encode evil -o made/closed.graph.json --full <&- >&- 2>&-", evil.parent)

    assert (evil.parent / "made" / "closed.graph.json").read_bytes()[:1] == b"{"
    assert shell("$RPG stats made/closed.graph.json", evil.parent).returncode == 0


# Ctrl-C


def on_its_terminal() -> None:
    """Makes stdin the terminal whose Ctrl-C counts, which a background job, as these tests may be, ignores."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def until_closed(terminal: int) -> Iterator[bytes]:
    """What a program writes until it ends: one that nobody reads would wait for its reader."""
    with suppress(OSError):  # what Linux says at the end
        while select.select([terminal], [], [], 60)[0] and (piece := os.read(terminal, 65536)):
            yield piece


def test_ctrl_c_ends_a_command_with_the_code_that_shells_expect(evil: Path) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*RPG, "serve", str(evil)], stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
        preexec_fn=on_its_terminal,
    )  # fmt: skip
    os.close(theirs)
    os.write(ours, json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode() + b"\n")
    told = b""
    while b'"result"' not in told:
        told += os.read(ours, 65536)
    os.write(ours, b"\x03")

    told = b"".join(until_closed(ours))
    os.close(ours)
    assert process.wait(30) == 130
    assert told.endswith(b"stopped\r\n")
    assert b"Traceback" not in told


def test_progress_is_for_a_terminal_and_is_gone_at_the_end(evil: Path, tmp_path: Path) -> None:
    told = on_terminal(["encode", str(evil.parent / "evil")], tmp_path)

    assert "writing graph and index" in told
    assert told.rindex("\x1b[2K") > told.rindex("writing graph and index")
    piped = subprocess.run([*RPG, "encode", str(evil.parent / "evil"), "--full"], cwd=tmp_path, capture_output=True)
    assert piped.stderr == b""
