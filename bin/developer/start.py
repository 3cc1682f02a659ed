"""Runs rpg or rpg-mcp from this clone. Called by the scripts of these names, with the clone's own Python.

In: the name of a program and its arguments. Out: what the program makes. It runs the compiled form of these very
sources if `bin/setup --compile` made one, else the sources as they stand. With RPG_COMPILE=0 it always runs the
sources.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

BIN = Path(__file__).resolve().parent
sys.path.insert(0, str(BIN))
from compiled import FORMS, ROOT, is_made, key_of  # noqa: E402

sys.path.remove(str(BIN))


def folder_of_code() -> Path:
    if os.environ.get("RPG_COMPILE") == "0" or not FORMS.is_dir():
        return ROOT
    key = key_of(ROOT)
    return FORMS / key if is_made(key) else ROOT


if __name__ == "__main__":
    program, *arguments = sys.argv[1:]
    sys.argv = [program, *arguments]
    sys.path.insert(0, str(folder_of_code()))
    from rpg.__main__ import main, serve

    serve() if program == "rpg-mcp" else main()
