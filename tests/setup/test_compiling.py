"""A clone runs its sources, or their compiled form once somebody asked for it. The builder is a script here."""

from __future__ import annotations

import fcntl
import os
import select
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from test_bin import BIN, ROOT, SCRIPTS, executable

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scripts are for POSIX shells")

MAIN = "def main():\n    print(__file__)\n\n\nserve = main\n"
KEY = "import sys; sys.path.insert(0, 'bin/developer'); from compiled import *; print(key_of(ROOT))"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """With a program that prints where it lies."""
    root = tmp_path / "clone"
    (root / "bin" / "developer").mkdir(parents=True)
    for name in SCRIPTS:
        shutil.copy(BIN / name, root / "bin" / name)
    shutil.copy(ROOT / "pyproject.toml", root)
    (root / "rpg").mkdir()
    (root / "rpg" / "__init__.py").touch()
    (root / "rpg" / "__main__.py").write_text(MAIN)
    return root


def python(clone: Path, *arguments: str, tools: Path | None = None, **variables: str) -> subprocess.Popen[str]:
    path = f"{tools}:{os.environ['PATH']}" if tools else os.environ["PATH"]
    environment = {name: value for name, value in os.environ.items() if name != "RPG_COMPILE"}
    return subprocess.Popen(
        [sys.executable, "-I", *arguments], cwd=clone, env=environment | {"PATH": path} | variables,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def started(clone: Path, **variables: str) -> str:
    """Where the program lies that a start runs."""
    process = python(clone, "bin/developer/start.py", "rpg", **variables)
    out, errors = process.communicate()
    assert process.returncode == 0, errors
    return str(Path(out.strip()).relative_to(clone.resolve()))


def key(clone: Path) -> str:
    return python(clone, "-c", KEY).communicate()[0].strip()


def forms(clone: Path) -> Path:
    folder = clone / ".venv" / "compiled"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def builder(clone: Path, script: str) -> Path:
    """A folder with a `uv` that runs this; `$out` is where the wheel has to go."""
    head = 'while [ "$1" != --out-dir ]; do shift; done; out=$2'
    return executable(clone / "tools" / "uv", f"{head}\n{script}").parent


def wheel(clone: Path, *, compiled: bool) -> Path:
    """What a builder would make of the sources as they are."""
    made = clone / "rpg-1-py3-none-any.whl"
    with zipfile.ZipFile(made, "w") as archive:
        for path in (clone / "rpg").glob("*.py"):
            archive.write(path, f"rpg/{path.name}")
        if compiled:
            archive.writestr("rpg/made.so", "")
    return made


def compile_now(clone: Path, tools: Path) -> tuple[int, str]:
    process = python(clone, "bin/developer/compile_sources.py", tools=tools)
    _, errors = process.communicate()
    return process.returncode, errors


def left_in(clone: Path) -> set[str]:
    return {path.name for path in forms(clone).iterdir()} - {"lock"}


def test_the_sources_run_until_their_compiled_form_is_there(clone: Path) -> None:
    known = key(clone)
    shutil.copytree(clone / "rpg", forms(clone) / known / "rpg")

    assert started(clone) == f".venv/compiled/{known}/rpg/__main__.py"
    assert started(clone, RPG_COMPILE="0") == "rpg/__main__.py"

    (clone / "rpg" / "__init__.py").write_text("edited = True\n")
    assert started(clone) == "rpg/__main__.py"


@pytest.mark.invariant(
    "the house",
    "a clone runs its sources; they are compiled only on request, by one process at a time, which leaves "
    "no process behind and changes nothing for programs that are running",
)
def test_a_start_compiles_nothing(clone: Path) -> None:
    (clone / "bin" / "developer" / "compile_sources.py").write_text(f"open({str(clone / 'told')!r}, 'w')\n")

    assert started(clone) == "rpg/__main__.py"
    forms(clone)
    assert started(clone) == "rpg/__main__.py"

    assert not (clone / "told").exists()
    assert left_in(clone) == set()


def test_what_was_compiled_is_used_by_the_next_start_and_not_made_again(clone: Path) -> None:
    made = wheel(clone, compiled=True)
    tools = builder(clone, f'cp "{made}" "$out"; echo built >> "{clone}/built"')

    assert compile_now(clone, tools)[1].splitlines()[-1] == "rpg: compiled; the next start uses it"

    assert (forms(clone) / key(clone)).stat().st_mode & 0o777 == 0o755, "others may run the clone as well"
    assert started(clone) == f".venv/compiled/{key(clone)}/rpg/__main__.py"
    assert compile_now(clone, tools)[1] == "rpg: the sources are compiled already\n"
    assert (clone / "built").read_text() == "built\n"


@pytest.mark.parametrize("script", ["exit 1", 'cp "{made}" "$out"'], ids=["fails", "no compiler"])
def test_what_cannot_be_compiled_runs_anyway(clone: Path, script: str) -> None:
    made = wheel(clone, compiled=False)

    code, errors = compile_now(clone, builder(clone, script.format(made=made)))

    assert code == 3
    assert "rpg runs the sources" in errors
    assert started(clone) == "rpg/__main__.py"
    assert left_in(clone) == set()


def test_sources_that_are_edited_meanwhile_are_not_called_compiled(clone: Path) -> None:
    made = wheel(clone, compiled=True)
    asked = key(clone)
    tools = builder(clone, f'cp "{made}" "$out"')
    (clone / "rpg" / "__init__.py").write_text("edited = True\n")

    code, errors = compile_now(clone, tools)

    assert (code, errors.splitlines()[-1]) == (0, "rpg: the sources changed meanwhile: run this again")
    assert left_in(clone) == {asked}


@pytest.mark.invariant(
    "the house",
    "a clone runs its sources; they are compiled only on request, by one process at a time, which leaves "
    "no process behind and changes nothing for programs that are running",
)
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_compiler_that_is_killed_is_started_again(clone: Path, end: signal.Signals) -> None:
    told = clone / "told"
    os.mkfifo(told)
    waiting = clone / "waiting"
    os.mkfifo(waiting)
    tools = builder(clone, f'exec 9> "{told}"; echo $$ >&9; cat "{waiting}"')
    process = python(clone, "bin/developer/compile_sources.py", tools=tools)
    with told.open() as said:
        compiling = int(said.readline())

        process.send_signal(end)
        process.wait()

        if end == signal.SIGKILL:
            os.killpg(compiling, signal.SIGKILL)
        else:
            assert not any(name.startswith("building-") for name in left_in(clone))
        process.communicate()
        assert select.select([said], [], [], 30)[0], "a process that it started is still there"
        assert said.read() == ""
    made = wheel(clone, compiled=True)
    assert compile_now(clone, builder(clone, f'cp "{made}" "$out"'))[0] == 0
    assert started(clone) == f".venv/compiled/{key(clone)}/rpg/__main__.py"
    assert not any(name.startswith("building-") for name in left_in(clone))


def test_one_process_compiles_at_a_time(clone: Path) -> None:
    tools = builder(clone, f'echo tried >> "{clone}/tried"; exit 1')
    with (forms(clone) / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        process = python(clone, "bin/developer/compile_sources.py", tools=tools)
        assert process.stderr is not None
        assert (
            process.stderr.readline()
            == "rpg: the sources are being compiled by another process: waiting for that ...\n"
        )
        assert not (clone / "tried").exists()

    process.communicate()
    assert (clone / "tried").read_text() == "tried\n"


@pytest.mark.invariant(
    "the house",
    "a clone runs its sources; they are compiled only on request, by one process at a time, which leaves "
    "no process behind and changes nothing for programs that are running",
)
def test_a_running_program_keeps_the_form_that_it_began_with(clone: Path) -> None:
    began = []
    for number in range(4):
        (clone / "rpg" / "__init__.py").write_text(f"number = {number}\n")
        made = wheel(clone, compiled=True)
        assert compile_now(clone, builder(clone, f'cp "{made}" "$out"'))[0] == 0
        began.append(key(clone))

    assert left_in(clone) == set(began[-2:])
