"""`rpg install`: how an MCP client is told of a graph.

In: a client and a graph file. Out: the client's configuration with one more server, all else as it was; or, with
--print, what belongs into it.
"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Any, NamedTuple

import click

from rpg.errors import BadRequest, GraphNotLoaded


class Client(NamedTuple):
    title: str
    key: str
    """Under which it keeps its servers."""
    file: Path
    """Relative to the current folder, or absolute."""
    extra: tuple[tuple[str, str], ...] = ()


def desktop_file() -> Path:
    if sys.platform == "darwin":
        folder = Path.home() / "Library" / "Application Support"
    elif sys.platform == "win32":
        folder = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    else:
        folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return folder / "Claude" / "claude_desktop_config.json"


def clients() -> dict[str, Client]:
    return {
        "claude-code": Client("Claude Code", "mcpServers", Path(".mcp.json")),
        "claude-desktop": Client("Claude Desktop", "mcpServers", desktop_file()),
        "cursor": Client("Cursor", "mcpServers", Path(".cursor") / "mcp.json"),
        "vscode": Client("VS Code", "servers", Path(".vscode") / "mcp.json", (("type", "stdio"),)),
    }


CLIENTS = ("claude-code", "claude-desktop", "cursor", "vscode")


@click.command(short_help="Tell an MCP client of a graph")
@click.argument("client", type=click.Choice(CLIENTS))
@click.argument("graph", default="")
@click.option("--name", default="", help="Of the server in the client; else the graph's")
@click.option("--print", "only_print", is_flag=True, help="Print what belongs into the file; write nothing")
def install(client: str, graph: str, name: str, only_print: bool) -> int:
    """Tell an MCP client of a graph: Claude Code, Cursor and VS Code in this folder, Claude Desktop for the user."""
    from rpg.cli.graphs import graph_file

    path = graph_file(graph).absolute()
    if not path.exists():
        raise GraphNotLoaded(f"there is no graph file {path}: make it with `rpg encode PATH -o {path}`")
    chosen = clients()[client]
    name = name or server_name(path)
    if only_print:
        click.echo(f"{chosen.file}:\n{dumped({chosen.key: {name: entry(chosen, path)}})}")
        return 0
    write(chosen, name, path)
    click.echo(f"{chosen.title} now has the server {name}, in {chosen.file}. Restart it, or reload its servers.")
    return 0


def write(client: Client, name: str, graph: Path) -> None:
    """Merge one server into the client's file, whole or not at all. BAD_REQUEST where that file is no plain JSON."""
    import orjson

    content = dumped({client.key: {name: entry(client, graph)}})
    settings: Any = {}
    if client.file.exists():
        try:
            settings = orjson.loads(client.file.read_bytes() or b"{}")
        except orjson.JSONDecodeError:
            settings = None
    if not isinstance(settings, dict) or not isinstance(settings.setdefault(client.key, {}), dict):
        raise BadRequest(
            f"{client.file} is not plain JSON of the expected form, nothing was changed: add this\n{content}"
        )
    settings[client.key][name] = entry(client, graph)
    client.file.parent.mkdir(parents=True, exist_ok=True)
    fresh = client.file.with_name(client.file.name + f".{os.getpid()}")
    try:
        fresh.write_text(dumped(settings) + "\n", encoding="utf-8")
        fresh.replace(client.file)
    finally:
        fresh.unlink(missing_ok=True)


def entry(client: Client, graph: Path) -> dict[str, Any]:
    command, *arguments = server_command()
    return {**dict(client.extra), "command": command, "args": [*arguments, str(graph)]}


def client_line(graph: Path) -> str:
    """What to type for the client that is told by a command."""
    words = ["claude", "mcp", "add", server_name(graph), "--", *server_command(), str(graph.absolute())]
    return shlex.join(words)


def server_command() -> list[str]:
    """How this very installation's server is started: from a clone by bin/rpg-mcp, which sets itself up."""
    clone = Path(__file__).resolve().parent.parent.parent / "bin" / "rpg-mcp"
    if clone.is_file():
        return [str(clone)]
    script = Path(sys.executable).with_name("rpg-mcp.exe" if sys.platform == "win32" else "rpg-mcp")
    return [str(script)] if script.is_file() else [sys.executable, "-m", "rpg", "serve"]


def server_name(graph: Path) -> str:
    return graph.name.removesuffix(".json").removesuffix(".graph")


def dumped(value: Any) -> str:
    import orjson

    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
