"""Threads of a server import what they need one after the other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EVERYTHING = """
import importlib, pkgutil, sys, threading
import rpg
from rpg.system import imports

held, over = threading.Event(), threading.Event()


def hold():
    with imports._TURN:
        held.set()
        over.wait()


holder = threading.Thread(target=hold, daemon=True)
holder.start()
held.wait()
for module in pkgutil.walk_packages(rpg.__path__, "rpg."):
    if not module.name.endswith(("__main__", "_child")):
        importlib.import_module(module.name)
over.set()
holder.join()
print(len([name for name in sys.modules if name.startswith("rpg.")]))
"""
FIRST = """
import sys, threading
from rpg.system.imports import import_in_turn

other = threading.Thread(target=import_in_turn, args=("second",))
other.start()
other.join(0.2)
was_second_imported = "second" in sys.modules
"""


def test_a_module_is_imported_when_the_other_thread_has_imported_its_own(tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text(FIRST)
    (tmp_path / "second.py").write_text("")
    script = (
        "from rpg.system.imports import import_in_turn\n"
        'first = import_in_turn("first")\nfirst.other.join()\n'
        'import sys\nprint(first.was_second_imported, "second" in sys.modules)\n'
    )
    assert _run(script, tmp_path).split() == ["False", "True"]


def test_no_module_asks_for_its_turn_while_it_is_imported(tmp_path: Path) -> None:
    """Another thread has the turn all the time: a module that asked for it would wait for ever."""
    assert int(_run(EVERYTHING, tmp_path)) > 700


def _run(script: str, folder: Path) -> str:
    environment = {"PYTHONPATH": str(folder), "PATH": ""}
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120, env=environment
    ).stdout
