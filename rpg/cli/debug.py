"""`rpg debug`: what the parser saw in a file, and how a name was resolved.

In: a file, or a place and a name. Out: text to start a fixture from.
"""

from __future__ import annotations

from pathlib import Path

import click

from rpg.cli.options import graph_option, json_option
from rpg.cli.terminal.output import say, say_json
from rpg.cli.terminal.paging import show as paged
from rpg.printable import escaped


@click.group(short_help="Show what the parser saw, and how a name was resolved")
def debug() -> None:
    """Look inside: what the parser sees in a file, why a name has the edge it has."""


@debug.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def facts(file: Path, as_json: bool) -> int:
    """Show the source of FILE with what the parser saw under each line."""
    from rpg.compression import decompress
    from rpg.encoder.explain.annotated_source import annotated
    from rpg.encoder.languages import BY_NAME, by_path
    from rpg.encoder.parsing.packing import plain, unpack
    from rpg.encoder.parsing.worker_pool import parse_one
    from rpg.encoder.source_files.contents import normalise
    from rpg.encoder.source_files.selection import Entry
    from rpg.errors import UnsupportedMedia
    from rpg.stamp import NO_STAMP

    source = normalise(file.read_bytes())
    language = by_path(file.name, source[:80]).spoken(file.as_posix(), source)
    if not language.refers:
        known = ", ".join(sorted(name for name, each in BY_NAME.items() if each.refers))
        raise UnsupportedMedia(f"{file} is in no language that rpg parses: {known}")
    parsed = parse_one(Entry(file.as_posix(), len(source), NO_STAMP, str(file)), source, masks=False, read_ns=0)
    if parsed.skipped:
        raise UnsupportedMedia(f"{file}: {parsed.skipped}")
    found = unpack(decompress(parsed.facts))
    if as_json:
        say_json(plain(found))  # rows and arrays become plain lists
    else:
        paged(escaped(annotated(found, source)))
    return 0


@debug.command()
@click.argument("place", metavar="PATH:LINE")
@click.argument("name")
def explain(place: str, name: str, graph: str) -> int:
    """Show why NAME at PATH:LINE has the edge that it has, or none."""
    from rpg.cli.graphs import graph_file
    from rpg.errors import BadRequest
    from rpg.queries.explain import explain as explained
    from rpg.queries.graph.symbols import find
    from rpg.tools.calling.call import Call
    from rpg.tools.loaded.graphs import Graphs

    graphs = Graphs([graph_file(graph)])
    try:
        with Call(graphs).view("") as view:
            named = find(view.index, place, view.folder)
            if not named.lines or not named.nodes[0].is_file:
                raise BadRequest(f"{place!r}: write PATH:LINE, for instance src/app.py:12")
            say(explained(view.index, view.header, named.nodes[0], named.lines[0], name))
    finally:
        graphs.close()
    return 0


facts.params.append(json_option("Print the raw facts as JSON"))
explain.params.append(graph_option())
