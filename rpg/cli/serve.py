"""`rpg serve`, which `rpg-mcp` is short for."""

from __future__ import annotations

import threading
from errno import EBADF
from pathlib import Path
from typing import Any

import click

from rpg.cli.model_options import embedder_option, model_options, take_answerer
from rpg.cli.output import Unwritable, is_closed
from rpg.cli.token import chosen
from rpg.errors import BadRequest

PORT = 8391
PATIENCE = 3.0
"""Seconds that an answer waits for changed files, less where the graph is large; then it says which it is behind on."""
CALL_SECONDS = 60.0
CLOSING_SECONDS = 1.0
"""That closing may take once the client has gone: what is cut off then is finished by who comes next."""


@click.command(short_help="Serve graphs to MCP clients")
@click.argument("graphs", nargs=-1, type=click.Path(path_type=Path))
@click.option("--http", is_flag=True, help="Over HTTP (/mcp, SSE at /sse, /health) in place of stdin and stdout")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at; others need a token")
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(0, 65535))
@click.option("--allow-host", multiple=True, metavar="NAME", help="A further Host that requests may name")
@click.option("--token", metavar="TOKEN", help="That clients over HTTP must show; better RPG_TOKEN, which nobody sees")
@click.option("--allow-write", is_flag=True, help="Over HTTP: let clients encode and forget")
@click.option("--call-seconds", default=CALL_SECONDS, show_default=True, type=click.FloatRange(0),
              help="That a question may take; 0: no limit")  # fmt: skip
@click.option("--ignored", is_flag=True, help="Also show files that git ignores or an option keeps out")
@click.option("--no-mask-secrets", is_flag=True, help="Leave passwords, tokens and keys readable")
@click.option("--trust", is_flag=True,
              help="Use an index that another installation made of the graph, in place of making it anew")  # fmt: skip
@click.option("--repository", type=click.Path(path_type=Path), help="Folder with the sources, where it moved")
def serve(
    graphs: tuple[Path, ...], http: bool, host: str, port: int, allow_host: tuple[str, ...], token: str | None,
    allow_write: bool, call_seconds: float, repository: Path | None, ignored: bool, no_mask_secrets: bool,
    trust: bool, embedder: str | None, **model: Any,
) -> int:  # fmt: skip
    """Serve graph files to MCP clients, over stdin and stdout unless --http is given."""
    from rpg.server import build_server
    from rpg.server.transports import serve_http, serve_stdio
    from rpg.tools.graphs import Graphs

    if is_closed() and not http:
        raise Unwritable(OSError(EBADF, "stdout is closed"))
    secret = chosen(token)
    if not (secret.isascii() and secret.isprintable()) or " " in secret:
        raise BadRequest("a token is made of letters, digits and signs, without blanks")
    loaded = Graphs(
        graphs,
        repository=repository,
        answerer=take_answerer(model),
        embedder=embedder,
        patience=PATIENCE,
        apart=True,
        shows_ignored=ignored,
        shows_secrets=no_mask_secrets,
        trust=trust,
    )
    server = build_server(loaded, may_write=allow_write or not http, seconds=call_seconds or None)
    try:
        if http:
            serve_http(server, host, port, allow_host, secret)
        else:
            try:
                serve_stdio(server, loaded.warm)
            except OSError as error:
                raise Unwritable(error) from None
    finally:
        # Answers that nobody waits for any more may still be in the works, and hold what is to be closed.
        closing = threading.Thread(target=loaded.close, daemon=True)
        closing.start()
        closing.join(CLOSING_SECONDS)
    return 0


serve.params += [*model_options(), embedder_option()]
