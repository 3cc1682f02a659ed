"""What an entry says: how the server is started, for which folder or graph, and under which name.

In: a client, a scope, the root of the project, perhaps a graph file. Out: the command, the name, the entry in the
client's form. An entry in a project's file is portable where the client has a name for the folder that is open, and
the plain name of the program leads to this installation.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

from rpg.cli.clients.table import FORMS, NAME, USER, Client, Place
from rpg.errors import GraphNotLoaded
from rpg.stores.graph_folder import graph_name


class Entry(NamedTuple):
    name: str
    value: dict[str, Any]


def entry(client: Client, scope: str, root: Path, graph: str, name: str) -> Entry:
    argument, name = what_to_serve(client, scope, root, graph, name)
    command = [*server_command(is_shared=argument == client.folder), argument]
    return Entry(name, FORMS[client.form](command, name))


def keys_of(place: Place, name: str) -> tuple[str, ...]:
    last = name if place.keys[-1] == NAME else f"[{name}]"
    return (*place.keys[:-1], last)


def what_to_serve(client: Client, scope: str, root: Path, graph: str, name: str) -> tuple[str, str]:
    """The argument that the server is started with, and the server's name."""
    if graph:
        from rpg.cli.arguments.graphs import graph_file

        path = graph_file(graph).absolute()
        if not path.exists():
            raise GraphNotLoaded(f"there is no graph file {path}: make it with `rpg encode PATH -o {path}`")
        return str(path), name or clean(server_name(path))
    if client.folder:
        return client.folder, name or ("rpg" if scope == USER else clean(root.name))
    return str(root), name or clean(root.name)


def clean(name: str) -> str:
    """The name, in the characters that every client accepts."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-") or "rpg"


def is_of_rpg(server: Any) -> bool:
    """Whether an entry of a client's file starts this program."""
    if not isinstance(server, dict):
        return False
    command = server.get("command", server.get("cmd"))
    words = command if isinstance(command, list) else [command]
    if not words or not isinstance(words[0], str):
        return False
    arguments = server.get("args")
    words = [*words, *(arguments if isinstance(arguments, list) else [])]
    return any(isinstance(word, str) and re.split(r"[/\\]", word)[-1].startswith("rpg") for word in words[:3])


def client_line(graph: Path) -> str:
    """The command that registers the server, for clients that have one."""
    words = ["claude", "mcp", "add", server_name(graph), "--", *server_command(), str(graph.absolute())]
    return shlex.join(words)


def server_command(is_shared: bool = False) -> list[str]:
    """How to start this installation's server: in a clone bin/rpg-mcp, which installs itself. The compiled form of a
    clone's sources is deeper in the clone. `is_shared`: others may read the entry too, so that the plain name is used
    if it leads to this installation."""
    command = own_command()
    on_path = shutil.which("rpg-mcp") if is_shared and len(command) == 1 else None
    return ["rpg-mcp"] if on_path and os.path.realpath(on_path) == os.path.realpath(command[0]) else command


def own_command() -> list[str]:
    for folder in Path(__file__).resolve().parents:
        if (folder / "bin" / "rpg-mcp").is_file() and (folder / "bin" / "developer" / "start.py").is_file():
            return [str(folder / "bin" / "rpg-mcp")]
    script = Path(sys.executable).with_name("rpg-mcp.exe" if sys.platform == "win32" else "rpg-mcp")
    return [str(script)] if script.is_file() else [sys.executable, "-m", "rpg", "serve"]


def server_name(graph: Path) -> str:
    return graph_name(graph)
