"""`rpg tests`: the tests that reach what changed, for people and for the command line of a runner.

In: a revision, or symbols. Out: tests, nearest first, as text, as JSON, or as the arguments that a runner takes; exit
code 1 if there are none.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rpg.cli.arguments.choices import Place
from rpg.cli.arguments.options import graph_option, json_option
from rpg.cli.failures import DONE, NOTHING_FOUND
from rpg.cli.terminal.output import complain, say, say_json
from rpg.errors import BadRequest
from rpg.text.printable import quote_text

if TYPE_CHECKING:
    from rpg.queries.tests_to_run.coverage_files import Measured

MOST_SHOWN = 40
FORMATS = (
    "text", "pytest", "unittest", "jest", "vitest", "go", "cargo", "maven", "gradle", "rspec", "minitest", "busted",
    "mix", "sbt", "phpunit", "dotnet", "ctest", "gtest",
)  # fmt: skip


@click.command(short_help="List the tests to run for a change")
@click.argument("symbols", nargs=-1, type=Place("text", "file"))
@click.option("--since", default="", metavar="REV", show_default="HEAD",
              help="Whatever changed since this git revision")  # fmt: skip
@click.option("--format", "style", default="text", show_default=True, type=click.Choice(FORMATS), metavar="RUNNER",
              help="Arguments for a runner: pytest, unittest, jest, vitest, go, cargo, maven, gradle, rspec, "
              "minitest, busted, mix, sbt, phpunit, dotnet, ctest, gtest")  # fmt: skip
@click.option("--coverage", type=click.Path(path_type=Path), show_default="none", metavar="FILE",
              help="Which tests ran what, as measured: of coverage.py, lcov, Go or JaCoCo")  # fmt: skip
@click.option("--all", "wants_all", is_flag=True, help="Also tests that are reached on doubtful ways only")
@click.option(
    "--limit", default=MOST_SHOWN, show_default=True, type=click.IntRange(1), metavar="N", help="Tests shown as text"
)
def tests(
    symbols: tuple[str, ...], since: str, style: str, coverage: Path | None, wants_all: bool, limit: int, graph: str,
    as_json: bool,
) -> int:  # fmt: skip
    """List the tests that reach what changed, nearest first, and what changed that no test reaches. SYMBOLS: these
    instead of what changed.

    \b
    rpg tests                                        what is not committed yet
    pytest $(rpg tests --since main --format pytest)
    """
    return find_and_show(symbols, since, style, coverage, wants_all, limit, graph, as_json)


def find_and_show(
    symbols: tuple[str, ...], since: str, style: str, coverage: Path | None, wants_all: bool, limit: int, graph: str,
    as_json: bool,
) -> int:  # fmt: skip
    from rpg.cli.arguments.graphs import graph_to_query
    from rpg.queries.graph.budget import plain
    from rpg.queries.names.symbols import symbols as named_symbols
    from rpg.queries.tests_to_run.answer import find_tests, lines
    from rpg.queries.tests_to_run.changed_code import find_changed_code, list_code_in
    from rpg.queries.tests_to_run.measured import Coverage
    from rpg.queries.tests_to_run.runners import join_words, words_for
    from rpg.tools.calling.call import Call
    from rpg.tools.loaded.graphs import Graphs
    from rpg.tools.loaded.settings import Settings

    since = since or ("" if symbols else "HEAD")
    with Call(Graphs([graph_to_query(graph)], Settings(anywhere=True))).view("") as view:
        if symbols:
            named = [node for each in symbols for node in named_symbols(view.index, each, view.folder).nodes]
            found = list_code_in(view.index, named)
        else:
            found = find_changed_code(view.index, view.root("`--since` compares with git"), since)
        measured = Coverage(view.index, contents(coverage), view.folder, since) if coverage else None
        answer, chosen = find_tests(view.index, view.header, found, since, wants_all, measured)
    if as_json:
        say_json(plain(answer))
    elif style == "text":
        say("\n".join(lines(answer, limit)))
    else:
        words = words_for(style, chosen)
        if not words:
            complain(f"rpg: there is no test for {style} to run")
            return NOTHING_FOUND
        say(join_words(style, words))
    return DONE if answer.tests else NOTHING_FOUND


def contents(path: Path) -> Measured:
    from rpg.queries.tests_to_run.coverage_files import LARGEST, read_coverage
    from rpg.system.filesystem import read_file

    try:
        return read_coverage(read_file(path, LARGEST), quote_text(str(path)))
    except FileNotFoundError:
        raise BadRequest(f"there is no {quote_text(str(path))}: name a file that coverage was written to") from None


tests.params += [graph_option(), json_option()]
