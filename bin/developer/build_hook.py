"""Compiles the modules that do most of the encoding with mypyc, for the wheel: about two thirds of the CPU time.

Compiled modules keep to what mypyc knows: no cached_property, no slice of bytes that may end before it begins, no
interpreted subclass of a compiled class, values of the declared types (facts from JSON are made tuples again),
constants that are `Final`, as any other is looked up by name wherever it is read. What there are hundreds of thousands
of (definitions, scopes, bindings) is a class with slots: compiled, it stores its numbers without an object for each.

In: the sources, for hatchling. Out: extension modules beside the Python sources in the wheel, which stay in it. Only
with RPG_COMPILE=1, as for the wheels of a release: otherwise, and without a C compiler, the wheel has only the sources,
which do the same more slowly, and is built in seconds. An editable installation is never compiled, so that an edit
takes effect at once.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

GROUPS = {
    "rpg_resolve": (
        "rpg/components.py",
        "rpg/graph.py",
        "rpg/text/titles.py",
        "rpg/encoder/facts.py",
        "rpg/encoder/operations.py",
        "rpg/encoder/parsing/packing.py",
        "rpg/encoder/areas/*.py",
        "rpg/encoder/symbol_ids.py",
        "rpg/encoder/resolve/*.py",
        "rpg/encoder/resolve/assembly/*.py",
        "rpg/encoder/resolve/evaluate/*.py",
        "rpg/encoder/resolve/evaluate/*/*.py",
        "rpg/encoder/resolve/incremental/*.py",
        "rpg/encoder/resolve/program/*.py",
        "rpg/encoder/resolve/references/*.py",
        "rpg/encoder/resolve/values/*.py",
    ),
    "rpg_lowering": (
        "rpg/text/term_frequencies.py",
        "rpg/text/fingerprints.py",
        "rpg/text/words.py",
        "rpg/encoder/parsing/count_terms.py",
        "rpg/encoder/lowering/builder.py",
        "rpg/encoder/lowering/declarations.py",
        "rpg/encoder/masking/*.py",
        "rpg/encoder/source_files/selection.py",
        "rpg/encoder/lowering/narrowing.py",
        "rpg/encoder/lowering/walker.py",
        "rpg/encoder/languages/prose/asciidoc.py",
        "rpg/encoder/languages/prose/examples.py",
        "rpg/encoder/languages/prose/markdown.py",
        "rpg/encoder/languages/prose/prompts.py",
        "rpg/encoder/languages/prose/restructuredtext.py",
        "rpg/encoder/languages/prose/sections.py",
        "rpg/encoder/languages/prose/sphinx.py",
        "rpg/encoder/languages/template_code.py",
        "rpg/encoder/languages/prose/text.py",
        "rpg/encoder/languages/prose/underlined.py",
        "rpg/encoder/languages/ecmascript/*.py",
        "rpg/encoder/languages/ecmascript/*/*.py",
        "rpg/encoder/languages/go/*.py",
        "rpg/encoder/languages/python/*.py",
        "rpg/encoder/languages/python/*/*.py",
        "rpg/stores/graph_file/graph_file.py",
        "rpg/stores/graph_file/nodes.py",
        "rpg/stores/index/rows.py",
        "rpg/stores/index/row_update.py",
        "rpg/stores/search/*.py",
    ),
    "rpg_declarative": (
        "rpg/encoder/languages/configuration/*.py",
        "rpg/encoder/languages/declarative/*.py",
        "rpg/encoder/languages/declarative/*/*.py",
        "rpg/encoder/languages/outlined/*.py",
    ),
}
"""Each is one run of the C compiler. What is compiled slices bytes from start to end only
where the end is not before the start: mypyc fails there."""
LEFT_OUT = "/rules.py"
"""These classes give values of their own to what their base class declares, as a compiled class cannot."""
COMPILE = """
import sys
from setuptools import setup
from mypyc.build import mypycify
groups = [(names.split(","), group) for group, names in (each.split("=") for each in sys.argv[2:])]
options = ["--config-file=", "--ignore-missing-imports", *(name for names, _ in groups for name in names)]
extensions = mypycify(options, opt_level="1", debug_level="0", separate=groups)
command = ["build_ext", "--inplace", "--parallel", sys.argv[1]]
setup(name="rpg", packages=[], ext_modules=extensions, script_args=command)
"""


class Compiled(BuildHookInterface):  # type: ignore[type-arg]
    PLUGIN_NAME = "compiled"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or os.environ.get("RPG_COMPILE") != "1":
            return
        self.folder = tempfile.mkdtemp(prefix="rpg-compiled-")
        try:
            made = compiled(Path(self.root), Path(self.folder))
        except (OSError, subprocess.CalledProcessError) as error:
            said = "".join(getattr(error, stream, None) or "" for stream in ("stdout", "stderr")) or str(error)
            self.app.display_warning(f"not compiled, encoding will take about half as long again: {said[-400:]}")
            if log := os.environ.get("RPG_COMPILE_LOG"):  # pip shows no warning of a build that goes on
                Path(log).write_text(said, encoding="utf-8")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"].update({str(path): str(path.relative_to(self.folder)) for path in made})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        shutil.rmtree(getattr(self, "folder", ""), ignore_errors=True)


def compiled(root: Path, folder: Path) -> list[Path]:
    """The extension modules, made in a copy of the package. Raises what subprocess does, with the reason in stderr."""
    shutil.copytree(root / "rpg", folder / "rpg", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    groups = []
    for group, patterns in GROUPS.items():
        names = sorted(str(path.relative_to(folder)) for pattern in patterns for path in folder.glob(pattern))
        groups.append(f"{group}={','.join(name for name in names if not name.endswith(LEFT_OUT))}")
    compilers = os.environ.get("RPG_COMPILERS") or str(os.cpu_count() or 1)
    command = [sys.executable, "-c", COMPILE, compilers, *groups]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return [path for path in folder.rglob("*") if path.suffix in (".so", ".pyd") and "build" not in path.parts]
