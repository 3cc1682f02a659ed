"""`rpg serve`, which `rpg-mcp` is short for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rpg.cli.model_options import embedder_option, model_options, take_answerer

PORT = 8391
PATIENCE = 3.0
"""Seconds that an answer waits for changed files, less where the graph is large; then it says which it is behind on."""


@click.command(short_help="Serve graphs to MCP clients")
@click.argument("graphs", nargs=-1, type=click.Path(path_type=Path))
@click.option("--http", is_flag=True, help="Over HTTP (/mcp, SSE at /sse, /health) in place of stdin and stdout")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at")
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(0, 65535))
@click.option("--allow-host", multiple=True, metavar="NAME", help="A further Host that requests may name")
@click.option("--repository", type=click.Path(path_type=Path), help="Folder with the sources, where it moved")
def serve(
    graphs: tuple[Path, ...], http: bool, host: str, port: int, allow_host: tuple[str, ...], repository: Path | None,
    embedder: str | None, **model: Any,
) -> int:  # fmt: skip
    """Serve graph files to MCP clients, over stdin and stdout unless --http is given."""
    from rpg.server import build_server
    from rpg.server.transports import serve_http, serve_stdio
    from rpg.tools.graphs import Graphs

    loaded = Graphs(
        graphs, repository=repository, answerer=take_answerer(model), embedder=embedder, patience=PATIENCE, apart=True
    )
    server = build_server(loaded)
    try:
        if http:
            serve_http(server, host, port, allow_host)
        else:
            serve_stdio(server, loaded.warm)
    finally:
        loaded.close()
    return 0


serve.params += [*model_options(), embedder_option()]
