"""`rpg install`: adds a graph to an MCP client's configuration.

In: a client and a graph file. Out: the client's configuration with one more server, everything else unchanged; or, with
--print, the block to add.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path
from typing import Any, NamedTuple

import click

from rpg import filesystem
from rpg.cli.options import graph_option
from rpg.cli.output import say, say_json
from rpg.errors import BadRequest, GraphNotLoaded
from rpg.stores import atomic

LARGEST = 16 << 20
"""Limit for a client's configuration file, in bytes."""


class Client(NamedTuple):
    title: str
    key: str
    """The key under which it keeps its servers."""
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


@click.command(short_help="Add a graph to an MCP client")
@click.argument("client", type=click.Choice(CLIENTS))
@click.argument("graph", default="")
@click.option("--name", default="", show_default="the graph's", help="Name of the server in the client")
@click.option("--print", "only_print", is_flag=True, help="Print the block; write nothing")
def install(client: str, graph: str, named: str, name: str, only_print: bool) -> int:
    """Add a graph to an MCP client: Claude Code, Cursor and VS Code for this folder, Claude Desktop for the user."""
    from rpg.cli.graphs import graph_file

    path = graph_file(graph or named).absolute()
    if not path.exists():
        raise GraphNotLoaded(f"there is no graph file {path}: make it with `rpg encode PATH -o {path}`")
    chosen = clients()[client]
    name = name or server_name(path)
    if only_print:
        say(f"{chosen.file}:")
        say_json({chosen.key: {name: entry(chosen, path)}})
        return 0
    write(chosen, name, path)
    say(f"{chosen.title} now has the server {name}, in {chosen.file}. Restart it, or reload its servers.")
    return 0


install.params.append(graph_option("named"))


def write(client: Client, name: str, graph: Path) -> None:
    """Merges one server into the client's file, whole or not at all; if it is there already, only its command changes.
    BAD_REQUEST, with the block to add by hand, if the file is a symlink or not plain JSON, or uses that name for
    another program."""
    import orjson

    content = dumped({client.key: {name: entry(client, graph)}})
    if what := unfit(client.file):
        raise BadRequest(f"{what}, nothing was changed: add this to the right file\n{content}")
    settings: Any = {}
    mode = 0
    if client.file.exists():
        mode = client.file.stat().st_mode & 0o777
        try:
            settings = orjson.loads(filesystem.read_file(client.file, LARGEST) or b"{}")
        except (orjson.JSONDecodeError, OSError):
            settings = None
    if not isinstance(settings, dict) or not isinstance(settings.setdefault(client.key, {}), dict):
        raise BadRequest(
            f"{client.file} is not plain JSON of the expected form, nothing was changed: add this\n{content}"
        )
    before = settings[client.key].get(name, {})
    if name in settings[client.key] and not is_of_rpg(before):
        raise BadRequest(
            f"{client.file} already has a server {name} for another program, nothing was changed: choose another "
            "name for this one with --name"
        )
    settings[client.key][name] = {**before, **entry(client, graph)}
    client.file.parent.mkdir(parents=True, exist_ok=True)
    fresh = atomic.staging_path(client.file)
    try:
        with filesystem.create(fresh) as file:
            if mode and hasattr(os, "fchmod"):  # the file may hold what only the user may read
                os.fchmod(file.fileno(), mode)
            file.write(dumped(settings).encode() + b"\n")
        atomic.publish(fresh, client.file)
    finally:
        fresh.unlink(missing_ok=True)


def unfit(file: Path) -> str:
    """Why the file must not be written: it, or its folder where that belongs to a repository, is a symlink, or it is
    not a file of the user's."""
    folder = file.parent
    if not file.is_absolute() and folder.is_symlink():
        return f"{folder} is a symlink"
    try:
        fault = filesystem.problem_with_file(os.lstat(file))
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"{file} cannot be read ({error.strerror})"
    return f"{file} {fault}" if fault else ""


def is_of_rpg(server: Any) -> bool:
    """Whether an entry of a client's file starts this program."""
    if not isinstance(server, dict) or not isinstance(server.get("command"), str):
        return False
    arguments = server.get("args")
    words = [server["command"], *(arguments if isinstance(arguments, list) else [])]
    return any(isinstance(word, str) and re.split(r"[/\\]", word)[-1].startswith("rpg") for word in words[:3])


def entry(client: Client, graph: Path) -> dict[str, Any]:
    command, *arguments = server_command()
    return {**dict(client.extra), "command": command, "args": [*arguments, str(graph)]}


def client_line(graph: Path) -> str:
    """The command that registers the server, for clients that have one."""
    words = ["claude", "mcp", "add", server_name(graph), "--", *server_command(), str(graph.absolute())]
    return shlex.join(words)


def server_command() -> list[str]:
    """How to start this installation's server: in a clone bin/rpg-mcp, which installs itself. The compiled form of a
    clone's sources lies deeper in the clone."""
    for folder in Path(__file__).resolve().parents:
        if (folder / "bin" / "rpg-mcp").is_file() and (folder / "bin" / "start.py").is_file():
            return [str(folder / "bin" / "rpg-mcp")]
    script = Path(sys.executable).with_name("rpg-mcp.exe" if sys.platform == "win32" else "rpg-mcp")
    return [str(script)] if script.is_file() else [sys.executable, "-m", "rpg", "serve"]


def server_name(graph: Path) -> str:
    return graph.name.removesuffix(".json").removesuffix(".graph")


def dumped(value: Any) -> str:
    import orjson

    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
