"""`rpg bundle`: a graph, its facts and texts in one file, from which `rpg encode --from` starts on another machine.

In: a graph. Out: the file.
"""

from __future__ import annotations

from pathlib import Path

import click

from rpg.cli.arguments.choices import Place
from rpg.cli.arguments.options import graph_option, json_option
from rpg.cli.failures import DONE
from rpg.cli.terminal.output import say, say_json


def bundled(output: str, graph: str, as_json: bool) -> int:
    """Write the graph with facts and texts into one file, sealed with RPG_BUNDLE_KEY: `rpg encode --from FILE` starts
    from it elsewhere, and encodes only what differs."""
    from rpg.cli.arguments.graphs import graph_file
    from rpg.cli.terminal.progress import progress
    from rpg.repository import make_bundle

    with progress() as report:
        made = make_bundle(graph_file(graph), Path(output).expanduser().absolute() if output else None, report)
    if as_json:
        shown = {"commit": made.commit, "files": made.files, "bytes": made.bytes, "shared": made.is_shared}
        say_json({"file": str(made.path), **shown})
        return DONE
    of_commit = f" at {made.commit[:12]}" if made.commit else ""
    say(f"{made.path}: {made.bytes:,} bytes, of {made.files:,} files of {made.root}{of_commit}")
    if made.is_shared:
        say(f"With the same RPG_BUNDLE_KEY, a clone starts from it:  rpg encode --from {made.path.name}")
    else:
        say("Sealed for this installation alone: set RPG_BUNDLE_KEY to a long random word for others who have it, too.")
    return DONE


bundle = click.Command(
    "bundle",
    params=[
        click.Option(["--output", "-o"], default="", type=Place("file"), show_default="NAME.bundle, beside the graph",
                     help="File to write"),
        graph_option(),
        json_option(),
    ],
    callback=bundled,
    help=bundled.__doc__,
    short_help="Write what another clone can start from",
)  # fmt: skip
