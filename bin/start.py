"""Runs rpg or rpg-mcp from this clone. Called by the scripts of these names, with the clone's own Python.

In: the name of a program and its arguments. Out: what the program makes. It runs the compiled form of the sources if
there is one, else the sources as they stand; then these are compiled in the background, for a later start
(compile_sources.py). With RPG_COMPILE=0 the sources run, and nothing is compiled.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

BIN = Path(__file__).resolve().parent
sys.path.insert(0, str(BIN))
from compiled import FORMS, ROOT, TRIES, is_made, key_of, tries  # noqa: E402

sys.path.remove(str(BIN))


def folder_of_code() -> Path:
    if os.environ.get("RPG_COMPILE") == "0":
        return ROOT
    key = key_of(ROOT)
    if is_made(key):
        return FORMS / key
    if tries(key) < TRIES:
        with suppress(OSError):
            compile_in_background(key)
    return ROOT


def compile_in_background(key: str) -> None:
    """In a session of its own: it outlives this program, and Ctrl-C does not reach it."""
    subprocess.Popen(
        [sys.executable, "-I", str(BIN / "compile_sources.py"), key],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT,
        start_new_session=True,
    )  # fmt: skip


if __name__ == "__main__":
    program, *arguments = sys.argv[1:]
    sys.argv = [program, *arguments]
    sys.path.insert(0, str(folder_of_code()))
    from rpg.__main__ import main, serve

    serve() if program == "rpg-mcp" else main()
