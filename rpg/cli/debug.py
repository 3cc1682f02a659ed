"""`rpg debug`: what the parser saw in a file, and how a name was resolved.

In: a file, or a place and a name. Out: text to start a fixture from, with secrets masked. A file is read as those that
a graph left out are (tools/loaded/files.py): nothing outside its repository, nothing that git ignores.
"""

from __future__ import annotations

import os
from pathlib import Path

import click

from rpg.cli.arguments.options import build_ignored_option, build_unmasked_option, graph_option, json_option
from rpg.cli.terminal.output import say, say_json
from rpg.cli.terminal.paging import show as paged
from rpg.text.printable import make_printable


@click.group(short_help="Show what the parser saw, and how a name was resolved")
def debug() -> None:
    """Look inside: what the parser sees in a file, why a name has the edge it has."""


@debug.command()
@click.argument("file", type=click.Path(path_type=Path))
def facts(file: Path, as_json: bool, ignored: bool, no_mask_secrets: bool) -> int:
    """Show the source of FILE with what the parser saw under each line."""
    from rpg.encoder.explain.annotated_source import annotate_source
    from rpg.encoder.languages import BY_NAME, read_language
    from rpg.encoder.options import options_for
    from rpg.encoder.parsing.packing import plain, unpack
    from rpg.encoder.parsing.worker_pool import parse_one
    from rpg.encoder.source_files.selection import Entry
    from rpg.errors import UnsupportedMedia
    from rpg.system.compression import decompress
    from rpg.system.stamp import NO_STAMP
    from rpg.tools.loaded.files import read_text

    root, path = locate_in_repository(file)
    source = read_text(root, path, options_for(root), shows_ignored=ignored, shows_secrets=no_mask_secrets)
    language = read_language(path, source)
    if not language.refers:
        known = ", ".join(sorted(name for name, each in BY_NAME.items() if each.refers))
        raise UnsupportedMedia(f"{file} is in no language that rpg parses: {known}")
    # The source is masked already.
    parsed = parse_one(Entry(path, len(source), NO_STAMP, str(root / path)), source, masks=False, read_ns=0)
    if parsed.skipped:
        raise UnsupportedMedia(f"{file}: {parsed.skipped}")
    found = unpack(decompress(parsed.facts))
    if as_json:
        say_json(plain(found))  # rows and arrays become plain lists
    else:
        paged(make_printable(annotate_source(found, source)))
    return 0


def locate_in_repository(file: Path) -> tuple[Path, str]:
    """The folder that a file must lie in, and its path there: the repository around it, else its own folder. The path
    is taken as it is written: a folder below a repository that is a link does not lead into another one."""
    plain = Path(os.path.abspath(file))
    root = None
    for folder in reversed(plain.parents):
        if root is not None and folder.is_symlink():
            break
        if os.path.lexists(folder / ".git"):
            root = folder
    root = root or plain.parent
    return root, plain.relative_to(root).as_posix()


@debug.command()
@click.argument("place", metavar="PATH:LINE")
@click.argument("name")
def explain(place: str, name: str, graph: str, no_mask_secrets: bool) -> int:
    """Show why NAME at PATH:LINE has the edge that it has, or none."""
    from rpg.cli.arguments.graphs import graph_file
    from rpg.errors import BadRequest
    from rpg.queries.names.symbols import find
    from rpg.queries.places.explain import explain as explained
    from rpg.tools.calling.call import Call
    from rpg.tools.calling.masked import mask_text
    from rpg.tools.loaded.graphs import Graphs

    shown = str if no_mask_secrets else mask_text
    graphs = Graphs([graph_file(graph)])
    try:
        with Call(graphs).view("") as view:
            named = find(view.index, place, view.folder)
            if not named.lines or not named.nodes[0].is_file:
                raise BadRequest(f"{place!r}: write PATH:LINE, for instance src/app.py:12")
            say(shown(explained(view.index, view.header, named.nodes[0], named.lines[0], name)))
    except BadRequest as error:
        raise BadRequest(shown(error.message)) from None
    finally:
        graphs.close()
    return 0


facts.params += [json_option("Print the raw facts as JSON"), build_ignored_option(), build_unmasked_option()]
explain.params += [graph_option(), build_unmasked_option()]
