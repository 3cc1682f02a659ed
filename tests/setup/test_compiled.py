"""Compiled and interpreted code are one program: the same facts, the same graph, the same limits."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rpg.encoder.resolve.program import program

ROOT = Path(__file__).parents[2]
IS_COMPILED = not program.__file__.endswith(".py")
IS_EDITABLE = Path(program.__file__).is_relative_to(ROOT / "rpg")

ENCODE = """
import sys
from pathlib import Path
sys.path[0:0] = sys.argv[3:]
import rpg.encoder.lowering.builder as builder
from rpg.encoder.options import Options
from rpg.repository.encoding.encode import encode
encode(Path(sys.argv[1]), Path(sys.argv[2]), Options())
print(builder.__file__)
"""


def groups() -> dict[str, tuple[str, ...]]:
    """What bin/developer/build_hook.py compiles; read, as it can be run only where hatchling is."""
    tree = ast.parse((ROOT / "bin" / "developer" / "build_hook.py").read_text(encoding="utf-8"))
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", "") == "GROUPS":
            found: Any = ast.literal_eval(statement.value)
            return dict(found)
    raise AssertionError("bin/developer/build_hook.py has no GROUPS")


@pytest.mark.skipif(
    IS_EDITABLE or not shutil.which("cc"), reason="the installation is editable, or there is no C compiler"
)
def test_what_is_installed_is_compiled() -> None:
    assert IS_COMPILED


@pytest.mark.skipif(not IS_COMPILED, reason="nothing is compiled")
def test_both_make_the_same_graph(tmp_path: Path) -> None:
    made: dict[str, bytes] = {}
    for name, first in (("compiled", []), ("interpreted", [str(ROOT)])):
        graph = tmp_path / f"{name}.graph.json"
        command = [sys.executable, "-P", "-c", ENCODE, str(ROOT / "fixtures"), str(graph), *first]
        ran = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ""})
        assert ran.returncode == 0, ran.stderr
        assert ran.stdout.strip().endswith(".py") == (name == "interpreted")
        made[name] = graph.read_bytes()
    assert made["compiled"] == made["interpreted"]


def test_what_is_compiled_exists_and_fits_the_compiler() -> None:
    """A cached property in a compiled class is evaluated again at every access: mypyc does not know it."""
    for pattern in (pattern for group in groups().values() for pattern in group):
        modules = sorted(ROOT.glob(pattern))
        assert modules, pattern
        for module in modules:
            if module.name != "rules.py":
                assert "cached_property\n" not in module.read_text(encoding="utf-8"), module


def test_code_nested_beyond_measure_is_left_out_and_named(tmp_path: Path) -> None:
    """Compiled code has no limit of its own but the end of the stack."""
    source = tmp_path / "repository"
    source.mkdir()
    (source / "plain.py").write_text("def plain():\n    pass\n", encoding="utf-8")
    for name, text in {
        "calls.py": "x = " + "f(" * 40_000 + ")" * 40_000,
        "chain.ts": "x" + ".then(f)" * 40_000,
        "functions.ts": "x = " + "() => " * 40_000 + "1",
        "calls.go": "package a\nvar x = " + "f(" * 40_000 + "1" + ")" * 40_000,
    }.items():
        (source / name).write_text(text + "\n", encoding="utf-8")
    graph = tmp_path / "deep.graph.json"
    command = [sys.executable, "-P", "-c", ENCODE, str(source), str(graph)]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    text = graph.read_text(encoding="utf-8")
    assert text.count("nested too deeply to parse") == 4
    assert '"kind":"function","name":"plain"' in text
