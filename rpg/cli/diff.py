"""`rpg diff`: what one graph file has and another has not."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(short_help="What one graph has and another has not")
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path))
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1), help="Lines of each sort")
@click.option("--json", "as_json", is_flag=True, help="All of it, structured")
def diff(before: Path, after: Path, limit: int, as_json: bool) -> int:
    """Symbols and edges gained and lost between two graph files."""
    from rpg.cli.graphs import named
    from rpg.queries.budget import plain
    from rpg.queries.difference import difference, text
    from rpg.stores.graph_file import read

    found = difference(read(named(before)), read(named(after)))
    if as_json:
        import orjson

        click.echo(orjson.dumps(plain(found), option=orjson.OPT_INDENT_2).decode())
    else:
        click.echo(text(found, limit))
    return 0
