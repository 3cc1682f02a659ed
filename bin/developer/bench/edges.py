"""How right the edges are, by the call-graph benchmark; and each rule's confidence, which is written from it.

In: the folder of the benchmark, the repositories that it has gold for, and on request its micro suites. The scorer
runs as a process and is not part of this repository. Out: its figures; for every language and rule the share of
edges that the gold calls right; and `rpg/encoder/confidence.json` made from that.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from rpg.encoder import encode as encoder
from rpg.encoder.languages import BY_NAME
from rpg.encoder.options import options_for
from rpg.stores import atomic
from rpg.stores.graph_file import graph_file

from .judging.jcg import print_jcg
from .judging.judgement import Verdict, load_benchmark, shares, verdicts
from .judging.scorecard import print_scorecard
from .measuring.processes import ROOT, RPG, cost
from .measuring.tables import show

TABLE = ROOT / "rpg" / "encoder" / "confidence.json"
LEAST_JUDGED = 20
FOLDERS = {"py": "python", "ts": "typescript", "go": "go", "java": "java", "rust": "rust", "c": "c"}
"""The benchmark's names of languages."""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bin/bench edges", description=__doc__)
    parser.add_argument("--bench", type=Path, metavar="DIR", help="the benchmark: score_all.py, gold/")
    parser.add_argument("--corpus", type=Path, required=True, metavar="DIR", help="LANGUAGE/REPOSITORY below it")
    parser.add_argument("--suites", type=Path, metavar="DIR", help="micro suites, as its micro.py extracts them")
    parser.add_argument("--graphs", type=Path, metavar="DIR", help="keep the graphs there, else they are thrown away")
    parser.add_argument("--keep", action="store_true", help="leave confidence.json as it is")
    parser.add_argument("--wrong", type=int, default=0, metavar="N", help="show N wrong edges of each rule")
    parser.add_argument("--scorecard", action="store_true", help="judge by compilers instead (scorecard.py, .toml)")
    parser.add_argument("--tools", type=Path, metavar="DIR", help="for --scorecard: the compilers (see scorecard.py)")
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="for --scorecard: repository, language"
    )
    parser.add_argument("--jcg", type=Path, metavar="DIR", help="judge by the cases of JCG instead (jcg.py)")
    given = parser.parse_args(arguments)
    if given.jcg:
        print_jcg(given.jcg)
        return 0
    if given.scorecard:
        if not given.tools:
            parser.error("--scorecard needs --tools DIR: scorecard.py says how to make it")
        with tempfile.TemporaryDirectory(prefix="rpg-bench-") as scratch:
            place = (given.graphs or Path(scratch)).resolve()
            place.mkdir(parents=True, exist_ok=True)
            print_scorecard(given.corpus, given.tools, place, given.only, given.wrong)
        return 0
    if not given.bench:
        parser.error("--bench DIR is needed, or --scorecard")
    with tempfile.TemporaryDirectory(prefix="rpg-bench-") as scratch:
        graphs = (given.graphs or Path(scratch)).resolve()
        benchmark = load_benchmark(given.bench.resolve())
        found: list[Verdict] = []
        for folder in known_folders(given.corpus):
            for repository in sorted(folder.iterdir()):
                gold = benchmark.first_gold(repository.name)
                if gold is None or gold.parent.name != folder.name:
                    continue
                graph = graphs / folder.name / f"{repository.name}.graph.json"
                graph.parent.mkdir(parents=True, exist_ok=True)
                cost([*RPG, "encode", str(repository), "-o", str(graph)])
                found += verdicts(benchmark, graph, gold)
        score(given.bench, given.corpus, graphs, certain_alone=False)
        score(given.bench, given.corpus, graphs, certain_alone=True)
        if given.suites:
            score_suites(given.bench, given.suites.resolve(), graphs / "suites")
    if not found:
        raise SystemExit(f"no repository in {given.corpus} has gold: expected LANGUAGE/REPOSITORY; nothing was written")
    report(found, given.wrong)
    if not given.keep:
        TABLE.write_text(json.dumps(shares(found, LEAST_JUDGED), indent=1, sort_keys=True) + "\n", encoding="utf-8")
        print(f"\nwritten: {TABLE.relative_to(ROOT)}")
    return 0


def known_folders(corpus: Path) -> list[Path]:
    return [corpus / short for short, language in FOLDERS.items() if language in BY_NAME and (corpus / short).is_dir()]


def score(bench: Path, corpus: Path, graphs: Path, *, certain_alone: bool) -> None:
    title = "callers outside tests, certain edges alone" if certain_alone else "callers outside tests, all edges"
    print(f"\n{title}", flush=True)
    languages = ",".join(folder.name for folder in known_folders(corpus))
    environment = {name: value for name, value in os.environ.items() if name != "CERTAIN"}
    subprocess.run(
        [
            sys.executable, str(bench / "score_all.py"), "--corpus", str(corpus), "--langs", languages, "--src",
            "--graphs", f"{graphs}/{{lang}}/{{repo}}.graph.json",
        ],
        env=environment | ({"CERTAIN": "1"} if certain_alone else {}),
        check=True,
    )  # fmt: skip


def score_suites(bench: Path, suites: Path, out: Path) -> None:
    """The micro suites; their hundreds of cases are encoded in this process, as starting Python would take longest."""
    for suite in sorted(path for path in suites.iterdir() if (path.is_dir() and not path.name.startswith("."))):
        (out / suite.name).mkdir(parents=True, exist_ok=True)
        for gold in sorted(suite.glob("*/*/gold.json")):
            case = gold.parent
            target = out / suite.name / f"{case.parent.name}__{case.name}.json"
            graph = encoder.encode(case / "src", options_for(case / "src", {}), workers=1).graph
            staged = graph_file.stage(target, graph.header, graph.symbols, graph.edges)
            atomic.publish(staged.temporary, target)
    print("\nmicro suites", flush=True)
    subprocess.run(
        [sys.executable, str(bench / "micro.py"), "score", "--root", str(suites), "--out", str(out), "--brief"],
        check=True,
    )


def report(found: list[Verdict], wrong: int) -> None:
    judged = Counter((each.language, each.via) for each in found)
    right = Counter((each.language, each.via) for each in found if each.is_right)
    show(
        f"each rule by the gold (in confidence.json from {LEAST_JUDGED} judged edges)",
        ("language", "via", "judged", "right", "share"),
        [(*key, judged[key], right[key], f"{right[key] / judged[key]:.3f}") for key in sorted(judged)],
    )
    if wrong:
        chance = random.Random(1)
        for key in sorted(judged):
            bad = [each for each in found if (each.language, each.via) == key and not each.is_right]
            for each in sorted(chance.sample(bad, min(wrong, len(bad)))):
                print(f"  wrong: {each.via} {each.source} {each.kind} {each.target} at {' '.join(each.sites)}")
