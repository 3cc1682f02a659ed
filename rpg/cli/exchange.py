"""`rpg export` and `rpg import`: graphs in the formats of other programs.

In: a graph, a format, a file. Out: the file, written whole or not at all; or what was imported from it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rpg.cli.arguments.choices import OneOf, Place
from rpg.cli.arguments.options import graph_option, json_option
from rpg.cli.failures import DONE, NOTHING_FOUND
from rpg.cli.terminal.output import say, say_json
from rpg.errors import BadRequest, EncodeFailed, GraphNotLoaded, InvalidPath

if TYPE_CHECKING:
    from rpg.tools.calling.call import View

ENDINGS = {"codermind": "rpg.json", "graphml": "{name}.graphml", "json": "{name}.graph.json", "scip": "index.scip"}
"""Formats, and the file names that their programs expect."""


@contextmanager
def open_view(graph: str) -> Iterator[View]:
    from rpg.cli.arguments.graphs import graph_to_query
    from rpg.tools.calling.call import Call
    from rpg.tools.loaded.graphs import Graphs
    from rpg.tools.loaded.settings import Settings

    graphs = Graphs([graph_to_query(graph)], Settings(anywhere=True))
    try:
        with Call(graphs).view("") as view:
            yield view
    finally:
        graphs.close()


def run_export(form: str, output: str, force: bool, graph: str, as_json: bool) -> int:
    """Write the graph in another format: codermind (rpg.json of CoderMind and RPG-Encoder), graphml, json (the
    graph file as plain JSON), or scip (index.scip, for editors and Sourcegraph). docs/exchange.md says what is lost."""
    from rpg.stores import atomic
    from rpg.stores.graph_file.compact import is_compact

    with open_view(graph) as view:
        usual = view.graph_file.parent / ENDINGS[form].format(name=view.name.replace("/", "-"))
        path = Path(output).expanduser().absolute() if output else usual
        is_there = form == "json" and path == view.graph_file.absolute() and not is_compact(path)
        if os.path.lexists(path) and not (force or is_there):
            raise BadRequest(f"{path} already exists: overwrite it with --force, or name another with -o")
        try:
            if not is_there:
                atomic.write(path, render_export(form, view))
        except OSError as error:
            raise EncodeFailed(f"cannot write {path}: {error.strerror or error}: name another place with -o") from error
    if as_json:
        say_json({"form": form, "file": str(path), "bytes": path.stat().st_size})
    else:
        say(str(path))
    return DONE


def render_export(form: str, view: View) -> Iterator[bytes]:
    from rpg.queries.exchange.codermind import codermind
    from rpg.queries.exchange.graphml import graphml
    from rpg.queries.exchange.scip import scip
    from rpg.queries.exchange.whole_graph import whole_graph
    from rpg.queries.overview.one_page import overview
    from rpg.stores.graph_file import graph_file
    from rpg.stores.index import stored_graph

    if form == "json":
        index = view.index
        return graph_file.whole_json(stored_graph.header(index), stored_graph.symbols(index), stored_graph.edges(index))
    if form == "scip" and view.graph_only:
        raise GraphNotLoaded(
            f"an index.scip needs the text of the sources, and {view.name} has only its graph file here: `rpg encode` "
            "their folder, then export"
        )
    graph = whole_graph(view.index, view.header, view.name)
    if form == "codermind":
        return codermind(graph, overview(view.index, view.header).introduction)
    return graphml(graph) if form == "graphml" else scip(graph, view.folder.as_uri() if view.folder else "")


def run_import(file: str, graph: str, as_json: bool) -> int:
    """Import features and titles from an rpg.json of CoderMind or RPG-Encoder, for symbols with the same paths and
    names. They are stored beside the index like those of `rpg lift`; the file's grouping is not imported."""
    from rpg.queries.exchange.importing import LARGEST, import_codermind
    from rpg.system import filesystem

    try:
        content = filesystem.read_file(Path(file).expanduser(), LARGEST)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", "") or error
        raise InvalidPath(f"cannot read {file[:200]}: {reason}; at most {LARGEST:,} bytes are read") from None
    with open_view(graph) as view:
        found = import_codermind(view.index, content)
    if as_json:
        say_json(found._asdict())
    else:
        say(
            f"{found.features} features and {found.titles} titles taken over, {found.refused} refused by the rules, "
            f"{found.unknown} of what is not here"
        )
    return DONE if found.features or found.titles else NOTHING_FOUND


export = click.Command(
    "export",
    callback=run_export,
    params=[
        click.Option(["--to", "form"], type=OneOf(tuple(ENDINGS)), default="scip", show_default=True,
                     help="Format to write"),
        click.Option(["--output", "-o"], default="", type=Place("file"), show_default="usual name, beside the graph",
                     help="File to write"),
        click.Option(["--force"], is_flag=True, help="Overwrite an existing file"),
        graph_option(),
        json_option("Print format, file and size as JSON"),
    ],
    help=run_export.__doc__,
    short_help="Write the graph in another format",
)  # fmt: skip
take_over = click.Command(
    "import",
    callback=run_import,
    params=[click.Argument(["file"], type=Place("file")), graph_option(), json_option("Print the counts as JSON")],
    help=run_import.__doc__,
    short_help="Import features and titles from another format",
)
