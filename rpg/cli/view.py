"""`rpg view`: a page of the repository, to look at.

In: a graph, a revision, a file name. Out: one HTML file that opens by itself.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rpg.cli.arguments.choices import Place
from rpg.cli.arguments.options import graph_option, json_option
from rpg.cli.failures import DONE
from rpg.cli.terminal.output import say, say_json
from rpg.errors import BadRequest, EncodeFailed

if TYPE_CHECKING:
    from rpg.tools.calling.call import View

MOST_MEGABYTES = 6.0


def run_view(output: str, since: str, megabytes: float, force: bool, graph: str, as_json: bool) -> int:
    """Write the repository as one page for a browser: a map of its areas, folders, files and symbols, a page for each
    symbol, its routes, jobs, dead code and cycles, and with --since a review of what changed. The page uses no network.

    \b
    rpg view -o page.html
    rpg view --since main -o page.html
    """
    from rpg.cli.arguments.graphs import graph_to_query
    from rpg.stores import atomic
    from rpg.tools.calling.call import Call
    from rpg.tools.loaded.graphs import Graphs
    from rpg.tools.loaded.settings import Settings

    with Call(Graphs([graph_to_query(graph)], Settings(anywhere=True))).view("") as view:
        path = place_of(output, view)
        if os.path.lexists(path) and output and not force:
            raise BadRequest(f"{path} already exists: overwrite it with --force, or name another with -o")
        page = page_of(view, since, int(megabytes * 1_000_000)).encode()
        try:
            atomic.write(path, [page])
        except OSError as error:
            raise EncodeFailed(f"cannot write {path}: {error.strerror or error}: name another place with -o") from error
    if as_json:
        say_json({"file": str(path), "bytes": len(page)})
    else:
        say(str(path))
    return DONE


def place_of(output: str, view: View) -> Path:
    """The file that was named, else one beside the graph, where git and rpg leave it out."""
    if output:
        path = Path(output).expanduser().absolute()
        return path.parent.resolve() / path.name if ".." in path.parts else path
    return view.graph_file.with_name(f"{view.name.replace('/', '-')}.view.html").absolute()


def page_of(view: View, since: str, most_bytes: int) -> str:
    from rpg.queries.view.page import page_data, static_page
    from rpg.tools.viewed import build_cleaner, build_shown

    data = page_data(view.index, view.header, build_shown(view, since), view.graph_only, view.folder)
    return static_page(view.index, data, build_cleaner(view), most_bytes)


view = click.Command(
    "view",
    callback=run_view,
    params=[
        click.Option(["--output", "-o"], default="", type=Place("file"), show_default="beside the graph",
                     help="File to write"),
        click.Option(["--since"], default="", metavar="REVISION", show_default="no review",
                     help="Also show what changed since, and a review of it"),
        click.Option(["--megabytes"], default=MOST_MEGABYTES, show_default=True, type=click.FloatRange(1, 200),
                     metavar="N", help="Largest size; sources that do not fit are left out, tests and texts first"),
        click.Option(["--force"], is_flag=True, help="Overwrite an existing file"),
        graph_option(),
        json_option("Print the file and its size as JSON"),
    ],
    help=run_view.__doc__,
    short_help="Write the repository as a page for a browser",
)  # fmt: skip
