"""`rpg overview`: a repository on one page.

In: a graph. Out: the answer of `explore` without a start.
"""

from __future__ import annotations

import click

from rpg.cli.arguments.options import graph_option, json_option
from rpg.cli.failures import DONE
from rpg.cli.terminal.output import say, say_json
from rpg.cli.terminal.words_of_the_shell import hints_in_words_of_the_shell


def run_overview(graph: str, as_json: bool) -> int:
    """Show what a repository is: its areas and how they depend on each other, where it begins, where its tests are, how
    it is built and run, and what was not understood."""
    from rpg.cli.arguments.graphs import graph_to_query
    from rpg.queries.graph.budget import plain
    from rpg.tools import TOOLS
    from rpg.tools.calling.call import Call
    from rpg.tools.loaded.graphs import Graphs
    from rpg.tools.loaded.settings import Settings

    explore = TOOLS["explore"]
    result = explore.run(Call(Graphs([graph_to_query(graph)], Settings(anywhere=True))), {})
    if as_json:
        say_json(plain(result))
    else:
        say(hints_in_words_of_the_shell(explore.text(result)))
    return DONE


overview = click.Command(
    "overview",
    callback=run_overview,
    params=[graph_option(), json_option()],
    help=run_overview.__doc__,
    short_help="Show a repository on one page",
)
