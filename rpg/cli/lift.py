"""`rpg lift`: a local model writes features and titles that replace those made by rules.

In: a graph and a model. Out: texts beside the index; figures about them. A stopped run resumes where it left off.
"""

from __future__ import annotations

from typing import Any

import click

from rpg.cli.arguments.model_options import model_options, take_answerer
from rpg.cli.arguments.options import graph_option, json_option
from rpg.cli.failures import DONE
from rpg.cli.terminal.output import say, say_json
from rpg.errors import BadRequest


def run_lift(graph: str, limit: int, as_json: bool, **model: Any) -> int:
    """Let a local model describe what areas, files, classes and functions are for.

    Titles come first, then code by how much it is used, so that even a short run helps. Texts are stored beside the
    index, by the content that they describe: after an edit the description made by rules returns, and the next run
    describes just that code again. Texts that break the rules are counted and not used.
    """
    from rpg.cli.arguments.graphs import graph_to_query
    from rpg.cli.terminal.progress import progress
    from rpg.queries.lift.writing import lift as write
    from rpg.repository import index_path
    from rpg.stores.index.index import Index
    from rpg.tools.calling.call import Call
    from rpg.tools.loaded.graphs import Graphs
    from rpg.tools.loaded.settings import Settings

    answerer = take_answerer(model, or_packaged=True)
    if answerer is None:
        raise BadRequest(
            "no model is named: --model FILE.gguf or RPG_MODEL names one; without one, the agent of a server that was "
            "started with --lift can write"
        )
    file = graph_to_query(graph)
    graphs = Graphs([file], Settings(anywhere=True))
    try:
        with Call(graphs).view("") as view:
            name = view.name
        index = Index.open_read_only(index_path(file.absolute()))
        try:
            with progress() as report:
                written = write(index, answerer, name, limit, report)
        finally:
            index.close()
    finally:
        answerer.close()
        graphs.close()
    if as_json:
        say_json(written._asdict())
    else:
        say(
            f"{written.kept} written, {written.refused} refused; "
            f"{written.lifted} of {written.lifted + written.left} are lifted"
            + (f"; {written.dropped} of code that is long gone were dropped" if written.dropped else "")
        )
    return DONE


lift = click.Command(
    "lift",
    callback=run_lift,
    params=[
        graph_option(),
        click.Option(
            ["--limit"], type=click.IntRange(0), default=0, metavar="N", show_default="all", help="How many to write"
        ),
        *model_options(),
        json_option("Print the figures as JSON"),
    ],
    help=run_lift.__doc__,
    short_help="Let a local model describe what code is for",
)
