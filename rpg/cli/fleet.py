"""`rpg fleet encode`: many repositories, encoded by a Dask cluster into a library.

In: a list, a library, a cluster. Out: a line for each repository as it is done, then the totals; exit code 3 if one
failed.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rpg.cli.arguments.choices import Place
from rpg.cli.arguments.options import json_option
from rpg.cli.failures import DONE, FAILED
from rpg.cli.terminal.output import complain, report_output, say, say_json
from rpg.errors import BadRequest
from rpg.text.printable import make_printable

if TYPE_CHECKING:
    from rpg.fleet import Fleet, Listed


@click.group(short_help="Encode many repositories, on one machine or a cluster")
def fleet() -> None:
    """Encode many repositories into a library of graphs, with the workers of a Dask cluster."""


@fleet.command(short_help="Encode the repositories of a list")
@click.argument("listed", metavar="LIST", type=Place("file"))
@click.option("--library", default="library", show_default=True, metavar="DIR|URL",
              help="Folder, or place that fsspec knows (s3://…), for the graphs")  # fmt: skip
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1, 64), metavar="N",
              help="Worker processes of this machine")  # fmt: skip
@click.option("--scheduler", default="", show_default="workers of this machine", metavar="ADDRESS",
              help="Dask scheduler of a cluster, such as tcp://10.0.0.1:8786")  # fmt: skip
@click.option("--memory", default="", show_default="an equal share of this machine's", metavar="SIZE",
              help="Memory of each worker of this machine, such as 4GB")  # fmt: skip
@click.option("--retries", default=2, show_default=True, type=click.IntRange(0, 20), metavar="N",
              help="How often a repository whose worker failed is tried again")  # fmt: skip
@click.option("--split", is_flag=True, help="One huge repository: its files are parsed by all workers  [default: no]")
def encode(
    listed: str, library: str, workers: int, scheduler: str, memory: str, retries: int, split: bool, as_json: bool
) -> int:
    """Encode the repositories of a list: a folder or a URL on each line, then name=, branch= or memory= if needed.

    A repository that did not change since the last run is not encoded again, so a stopped run resumes where it left
    off.
    """
    from rpg.fleet import Fleet, encode_all, read_list
    from rpg.fleet.listed import parse_size
    from rpg.fleet.outcomes import totals

    repositories = read_list(Path(listed).expanduser())
    cluster = Fleet(scheduler, workers, parse_size(memory, "--memory"), retries)
    if split:
        return split_one(repositories, library, cluster, as_json)
    outcomes = []
    for outcome in encode_all(repositories, library, cluster):
        outcomes.append(outcome)
        if as_json:
            continue
        place = f"[{len(outcomes)}/{len(repositories)}]"
        if outcome.state == "failed":
            complain(f"{place} {outcome.name}: failed: {make_printable(outcome.reason)}")
        else:
            note = f"; {make_printable(outcome.reason)}" if outcome.reason else ""
            with report_output():
                say(
                    f"{place} {outcome.name}: {outcome.state}, {outcome.files} files, {outcome.symbols} symbols, "
                    f"{outcome.graph_bytes / 1e6:.1f} MB, {outcome.cpu_seconds:.1f} s of CPU{note}"
                )
    total = totals(outcomes)
    with report_output():
        if as_json:
            say_json({"repositories": [each._asdict() for each in sorted(outcomes)], "totals": total})
        else:
            say(
                f"{total['encoded']} encoded, {total['unchanged']} unchanged, {total['failed']} failed; "
                f"{total['symbols']} symbols, {total['graph_bytes'] / 1e6:.1f} MB, {total['cpu_seconds']:.1f} s of CPU"
            )
    return FAILED if total["failed"] else DONE


def split_one(repositories: list[Listed], library: str, cluster: Fleet, as_json: bool) -> int:
    from rpg.fleet import encode_split

    if len(repositories) != 1 or not Path(repositories[0].source).is_dir():
        raise BadRequest("--split takes a list of one folder: its files are read on this machine")
    [repository] = repositories
    summary = encode_split(Path(repository.source), repository.name, library, cluster)
    if as_json:
        say_json(
            {"name": repository.name, "files": summary.files, "symbols": summary.symbols, "seconds": summary.seconds}
        )
    else:
        say(f"{repository.name}: {summary.files} files, {summary.symbols} symbols in {summary.seconds['total']:.1f} s")
    return DONE


encode.params.append(json_option("Print outcomes and totals as JSON"))
