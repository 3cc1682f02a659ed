"""`rpg verify`: whether a graph that was kept up to date has the bytes of one that is made from nothing.

In: a graph. Out: one line, or the first difference; exit code 1 if there is one.
"""

from __future__ import annotations

import click

from rpg.cli.arguments.options import graph_option, json_option
from rpg.cli.failures import DONE, NOTHING_FOUND
from rpg.cli.terminal.output import say, say_json


def verified(graph: str, as_json: bool) -> int:
    """Encode the sources anew beside the graph and compare both, byte for byte; exit with 1 at a difference."""
    from rpg.cli.arguments.graphs import graph_file
    from rpg.cli.terminal.progress import progress
    from rpg.repository import verify

    path = graph_file(graph)
    with progress() as report:
        verdict = verify(path, report)
    if as_json:
        say_json({"same": not verdict.difference, "first_difference": verdict.difference, "bytes": verdict.bytes})
    elif verdict.difference:
        say(f"{path} differs from a graph of {verdict.root} that is made from nothing. First: {verdict.difference}")
        say("This is a bug in rpg: `rpg encode --full` makes the graph right; please report what was edited before.")
    else:
        say(f"the same: {verdict.bytes:,} bytes of JSON, as made from nothing of {verdict.files:,} files")
    return NOTHING_FOUND if verdict.difference else DONE


verify = click.Command(
    "verify",
    params=[graph_option(), json_option()],
    callback=verified,
    help=verified.__doc__,
    short_help="Check a graph against one made from nothing",
)
