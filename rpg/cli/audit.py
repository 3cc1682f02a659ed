"""`rpg audit`: unused code, duplicates and import cycles, with an exit code for continuous integration.

In: a graph, limits by kind, a baseline. Out: findings beyond the baseline as text or JSON; 0 if they are within the
limits, 1 if not. `--write-baseline` writes what is found now, sorted, in one step.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rpg.cli.arguments.choices import Place
from rpg.cli.arguments.options import graph_option, json_option
from rpg.cli.failures import DONE, NOTHING_FOUND
from rpg.cli.terminal.output import say, say_json
from rpg.errors import BadRequest
from rpg.text.printable import quote_text

if TYPE_CHECKING:
    from rpg.queries.health.findings import Finding

OVER_LIMIT = NOTHING_FOUND
LARGEST_BASELINE = 64 << 20
KINDS = ("unused", "duplicates", "cycles")
CONFIDENCES = ("certain", "likely", "possible")


@dataclass(frozen=True, kw_only=True)
class AuditedKind:
    """The findings of one kind that are not in the baseline."""

    total: int
    limit: int
    known: int = 0
    """How many findings are in the baseline."""
    less_sure: int = 0
    """How many are less certain than was asked for."""
    findings: list[Finding] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        return self.total > self.limit


@click.command(short_help="Find unused and duplicated code and import cycles, for CI")
@click.argument("kinds", nargs=-1, type=click.Choice(KINDS))
@click.option("--max-unused", default=0, show_default=True, type=click.IntRange(0), metavar="N",
              help="Unused definitions to tolerate")  # fmt: skip
@click.option("--max-duplicates", default=0, show_default=True, type=click.IntRange(0), metavar="N",
              help="Groups of duplicates to tolerate")  # fmt: skip
@click.option("--max-cycles", default=0, show_default=True, type=click.IntRange(0), metavar="N",
              help="Import cycles to tolerate")  # fmt: skip
@click.option("--confidence", default="certain", show_default=True, type=click.Choice(CONFIDENCES),
              help="The least confidence of what counts")  # fmt: skip
@click.option("--baseline", type=click.Path(path_type=Path), show_default="none", metavar="FILE",
              help="Count only what this file does not have")  # fmt: skip
@click.option("--write-baseline", type=click.Path(path_type=Path), show_default="none", metavar="FILE",
              help="Write what is found to this file, for later")  # fmt: skip
@click.option("--path", default="", type=Place("text"), show_default="all",
              help="Only files with this prefix or glob")  # fmt: skip
@click.option("--exclude-path", default="", type=Place("text"), show_default="none",
              help="No files with this prefix or glob")  # fmt: skip
@click.option("--tests", is_flag=True, help="Duplicates among tests, instead of in other code")
@click.option(
    "--limit", default=20, show_default=True, type=click.IntRange(0), metavar="N", help="Findings shown per kind"
)
def audit(
    kinds: tuple[str, ...], max_unused: int, max_duplicates: int, max_cycles: int, confidence: str,
    baseline: Path | None, write_baseline: Path | None, path: str, exclude_path: str, tests: bool, limit: int,
    graph: str, as_json: bool,
) -> int:  # fmt: skip
    """Find definitions that nothing uses, duplicate functions, and import cycles. KINDS: unused, duplicates, cycles;
    all of them if none is named.

    \b
    Exits with 0 if the repository is within the limits, else with 1.
    rpg audit --write-baseline audit.json    run once; then in CI:
    rpg audit --baseline audit.json          fails on new findings only
    """
    from rpg.queries.graph.budget import plain
    from rpg.queries.health.audit import baseline_of, read_baseline

    limits = {"unused": max_unused, "duplicates": max_duplicates, "cycles": max_cycles}
    chosen = [kind for kind in KINDS if not kinds or kind in kinds]
    known = read_baseline(contents(baseline), str(baseline)) if baseline else {}
    sure, less_sure = collect_findings(graph, chosen, confidence, path, exclude_path, tests)
    if write_baseline:
        write(write_baseline, baseline_of(sure))
        say(f"{write_baseline}: {', '.join(f'{len(each)} {kind}' for kind, each in sure.items())}")
        return DONE
    audited = {
        kind: compare_with_baseline(sure[kind], less_sure[kind], known.get(kind, []), limits[kind]) for kind in chosen
    }
    if as_json:
        say_json({kind: plain(each) for kind, each in audited.items()})
    else:
        say(text(audited, limit))
    return OVER_LIMIT if any(each.is_over for each in audited.values()) else DONE


audit.params += [graph_option(), json_option("Print all findings as JSON")]


def collect_findings(
    graph: str, kinds: list[str], confidence: str, path: str, exclude_path: str, tests: bool
) -> tuple[dict[str, list[Finding]], dict[str, int]]:
    """For each kind, the findings of at least that confidence, and how many others there are."""
    from rpg.cli.arguments.graphs import graph_to_query
    from rpg.queries.graph.filters import Filter
    from rpg.queries.health.audit import findings
    from rpg.queries.health.findings import HealthQuery
    from rpg.queries.names.notations import plain_path
    from rpg.tools.calling.call import Call
    from rpg.tools.loaded.graphs import Graphs
    from rpg.tools.loaded.settings import Settings

    admitted = CONFIDENCES[: CONFIDENCES.index(confidence) + 1]
    with Call(Graphs([graph_to_query(graph)], Settings(anywhere=True))).view("") as view:
        chosen = Filter(plain_path(path, view.folder), plain_path(exclude_path, view.folder))
        is_whole = not path and not exclude_path
        question = HealthQuery(view.index, view.header, chosen, is_whole, tests, view.graph_only, view.folder)
        every = {kind: findings(question, kind) for kind in kinds}
    sure = {kind: [each for each in listed if each.confidence in admitted] for kind, listed in every.items()}
    return sure, {kind: len(listed) - len(sure[kind]) for kind, listed in every.items()}


def compare_with_baseline(sure: list[Finding], less_sure: int, known: list[frozenset[str]], limit: int) -> AuditedKind:
    from rpg.queries.health.audit import is_known

    new = [each for each in sure if not is_known(each, known)]
    return AuditedKind(
        total=len(new), limit=limit, known=len(sure) - len(new), less_sure=less_sure, findings=new
    )  # fmt: skip


def text(audited: Mapping[str, AuditedKind], limit: int) -> str:
    from rpg.queries.health.lines import finding_lines

    lines: list[str] = []
    for kind, each in audited.items():
        parts = [
            f"{each.known} in the baseline" if each.known else "",
            f"{each.less_sure} less certain (--confidence)" if each.less_sure else "",
            f"at most {each.limit} allowed" if each.limit else "",
        ]
        remarks = "; ".join(filter(None, parts))
        lines.append(f"{kind}: {each.total}{' new' if each.known else ''}{f' ({remarks})' if remarks else ''}")
        for finding in each.findings[:limit]:
            lines += (f"  {line}" for line in finding_lines(kind, finding))
        if len(each.findings) > limit:
            lines.append(f"  and {len(each.findings) - limit} more (--limit)")
    return "\n".join(lines)


def contents(path: Path) -> bytes:
    from rpg.system.filesystem import read_file

    try:
        return read_file(path, LARGEST_BASELINE)
    except FileNotFoundError:
        raise BadRequest(
            f"there is no {quote_text(str(path))}: make it with `rpg audit --write-baseline {path}`"
        ) from None


def write(path: Path, content: bytes) -> None:
    """Writes the baseline. Replaces an older one, but no other file."""
    from rpg.queries.health.audit import read_baseline
    from rpg.stores import atomic
    from rpg.system import filesystem

    filesystem.refuse_foreign(path)
    if path.exists():
        read_baseline(contents(path), str(path))
    staged = atomic.staging_path(path)
    try:
        with filesystem.create(staged) as file:
            file.write(content)
        atomic.sync(staged)
        atomic.publish(staged, path)
    except BaseException:
        with suppress(OSError):
            staged.unlink()
        raise
