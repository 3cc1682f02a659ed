"""`rpg serve`, or `rpg-mcp` for short.

In: graph files and options. Out: a running server, until its client goes away.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from errno import EBADF
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rpg.cli.arguments.model_options import IF_SERVED, embedder_option, model_options, take_answerer, time_option
from rpg.cli.serving.token import choose_tokens
from rpg.cli.terminal.output import Unwritable, is_closed
from rpg.errors import BadRequest, InvalidPath

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from starlette.routing import Route

    from rpg.server.tokens import Grant
    from rpg.tools.loaded.graphs import Graphs

PORT = 8391
PATIENCE = 3.0
"""Seconds that an answer waits for changed files, less for a large graph; after that it lists the stale files."""
CALL_SECONDS = 60.0
CLOSING_SECONDS = 1.0
"""Seconds that closing may take once the client has gone; the next process completes what is cut off."""


@click.command(short_help="Serve graphs to MCP clients")
@click.argument("graphs", nargs=-1, type=click.Path(path_type=Path))
@click.option("--graph", "-g", "named", multiple=True, type=click.Path(path_type=Path), show_default="GRAPHS",
              help="Graph file to serve, in addition to GRAPHS")  # fmt: skip
@click.option("--library", type=click.Path(path_type=Path, file_okay=False), show_default="none",
              help="Folder of graphs to serve: all that are in it, also those that come later")  # fmt: skip
@click.option("--scope", multiple=True, metavar="NAME", show_default="every graph",
              help="Name, or pattern, of graphs that may be served; others are neither served nor made")  # fmt: skip
@click.option("--http", is_flag=True, help="Serve over HTTP (/mcp, SSE at /sse, /health, a page at /), not stdin")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; others need a token")
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(0, 65535), metavar="N",
              help="Port to listen on; 0: any that is free")  # fmt: skip
@click.option(
    "--allow-host",
    multiple=True,
    metavar="NAME",
    show_default="its own address",
    help="Another Host that requests may name",
)
@click.option("--token", multiple=True, metavar="TOKEN", show_default="RPG_TOKEN",
              help="Token for HTTP clients to send, and after it, with spaces, `read-only` and names or patterns of "
                   "graphs that limit it; RPG_TOKEN hides it from others")  # fmt: skip
@click.option("--tokens", type=click.Path(path_type=Path, dir_okay=False), show_default="none", metavar="FILE",
              help="File of more tokens, one per line; only you may be able to read it")  # fmt: skip
@click.option("--allow-write", is_flag=True, help="Over HTTP: allow clients to encode and forget")
@click.option("--read-only", is_flag=True, help="Never let clients encode and forget")
@click.option("--allow-files", is_flag=True,
              help="Let clients encode file: URLs, which lead to any repository on this machine")  # fmt: skip
@click.option("--lift", is_flag=True,
              help="Also list the tools with which the client's model writes features and titles")  # fmt: skip
@click.option("--structured", is_flag=True,
              help="For programs: also send answers as typed records, and list their schemas")  # fmt: skip
@click.option("--call-seconds", default=CALL_SECONDS, show_default=True, type=click.FloatRange(0), metavar="N",
              help="Time limit of a query; 0: none")  # fmt: skip
@click.option("--ignored", is_flag=True, help="Include files that git ignores or an option excludes")
@click.option("--no-mask-secrets", is_flag=True, help="Do not mask passwords, tokens and keys")
@click.option("--trust", is_flag=True,
              help="Use the graph's index even if another installation made it, instead of rebuilding it")  # fmt: skip
@click.option("--repository", type=click.Path(path_type=Path), show_default="where it was encoded",
              help="Folder of the sources, if it moved")  # fmt: skip
def serve(
    graphs: tuple[Path, ...], named: tuple[Path, ...], http: bool, host: str, port: int,
    allow_host: tuple[str, ...], token: tuple[str, ...], tokens: Path | None,
    allow_write: bool, read_only: bool, allow_files: bool, call_seconds: float,
    repository: Path | None, ignored: bool, no_mask_secrets: bool,
    trust: bool, structured: bool, lift: bool, library: Path | None, scope: tuple[str, ...],
    embedder: str | None, **model: Any,
) -> int:  # fmt: skip
    """Serve graphs to MCP clients, over stdin and stdout or with --http over HTTP.

    A folder means the graph of the repository around it, which is made in the background if it is missing. Without an
    argument the graph of the current folder is served. With --library every graph of a folder is, and `encode` adds to
    it.
    """
    from rpg.server import build_server
    from rpg.server.calls import CallRunner
    from rpg.server.tokens import EVERYTHING
    from rpg.server.transports import serve_http, serve_stdio
    from rpg.tools.loaded.first_encode import graphs_to_serve
    from rpg.tools.loaded.graphs import Graphs
    from rpg.tools.loaded.settings import Settings

    if is_closed() and not http:
        raise Unwritable(OSError(EBADF, "stdout is closed"))
    if allow_write and read_only:
        raise BadRequest("--allow-write and --read-only exclude each other")
    granted = choose_tokens(token, tokens)
    if library is not None and not library.is_dir():
        raise InvalidPath(f"the library {library} is not a folder: make it, or name another with --library")
    paths, missing = graphs_to_serve((*graphs, *named)) if graphs or named or library is None else ([], {})
    loaded = Graphs(
        paths,
        Settings(
            repository=repository,
            answerer=take_answerer(model),
            embedder=embedder,
            patience=PATIENCE,
            encodes_in_child=True,
            embeds_behind=True,
            allows_files=allow_files,
            shows_ignored=ignored,
            shows_secrets=no_mask_secrets,
            trust=trust,
        ),
        missing=missing,
        library=library,
        scope=scope,
    )
    calls = CallRunner(call_seconds or None)
    may_write = not read_only and (allow_write or not http)

    @cache
    def granted_graphs(grant: Grant) -> Graphs:
        return loaded.limited(grant.graphs) if grant.graphs else loaded

    def build(grant: Grant) -> Server[Any]:
        return build_server(
            granted_graphs(grant), may_write=may_write and not grant.reads_only,
            structured=structured, lifts=lift, calls=calls,
        )  # fmt: skip

    def pages(grant: Grant) -> Sequence[Route]:
        from rpg.server.pages import page_routes

        return page_routes(granted_graphs(grant), calls)

    try:
        if http:
            serve_http(build, host, port, allow_host, granted, pages)
        else:
            ending = [listen_for_hooks(loaded, path) for path in paths]
            try:
                serve_stdio(build(EVERYTHING), loaded.warm)
            except OSError as error:
                raise Unwritable(error) from None
            finally:
                for end in ending:
                    end()
    finally:
        # Answers that nobody waits for may still be computed, with what would be closed.
        closing = threading.Thread(target=loaded.close, daemon=True)
        closing.start()
        closing.join(CLOSING_SECONDS)
    return 0


def listen_for_hooks(loaded: Graphs, graph: Path) -> Callable[[], None]:
    """Hooks of agents' clients ask the server of their graph, which has it open. Returns what ends that."""
    from rpg.stores.local_socket import SECONDS, listen

    graph = graph.resolve()  # as the graphs that are loaded are named

    def answer(line: bytes) -> bytes:
        from rpg.tools.calling.call import Call
        from rpg.tools.unasked import answer_line

        return answer_line(Call(loaded, seconds=SECONDS), loaded.name_of(graph), line)

    return listen(graph, answer)


serve.params += [*model_options(IF_SERVED), time_option(), embedder_option()]
