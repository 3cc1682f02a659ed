"""`rpg install`: adds a server to an MCP client's configuration, and offers a skill that says which call answers what.

In: a client, perhaps a graph file, and whether it is for this project or for the user. Out: the client's configuration
with one more server, everything else unchanged, comments included; or, with --print, the block to add.

Without a graph, the entry names the project's folder by the client's own variable: it can be shared with the project,
and the server makes a missing graph when it is started. It is written at the top of the repository.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

import click

from rpg.cli.arguments.choices import OneOf, Place
from rpg.cli.arguments.options import graph_option
from rpg.cli.install.hooks import HOOKED, install_hooks
from rpg.cli.install.json_with_comments import Malformed, loaded, with_value
from rpg.cli.terminal.output import say, say_json
from rpg.errors import BadRequest, GraphNotLoaded
from rpg.stores import atomic
from rpg.system import filesystem
from rpg.text.printable import quoted

LARGEST = 16 << 20
"""Limit for a client's configuration file, in bytes."""
WORKSPACE = "${workspaceFolder}"


class Client(NamedTuple):
    title: str
    key: str
    """The key under which it keeps its servers."""
    project: str
    """Its file in a project, '' if it has none."""
    user: Path
    """Its file for all projects."""
    folder: str = ""
    """How an entry names the folder of the project that is open; '' if it cannot."""
    extra: tuple[tuple[str, str], ...] = ()

    def file(self, scope: str, root: Path) -> Path:
        return root / self.project if scope == "project" else self.user


def settings_of(program: str) -> Path:
    if sys.platform == "darwin":
        folder = Path.home() / "Library" / "Application Support"
    elif sys.platform == "win32":
        folder = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    else:
        folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return folder / program


def clients() -> dict[str, Client]:
    home = Path.home()
    stdio = (("type", "stdio"),)
    return {
        "claude-code": Client("Claude Code", "mcpServers", ".mcp.json", home / ".claude.json", "."),
        "claude-desktop": Client("Claude Desktop", "mcpServers", "", settings_of("Claude/claude_desktop_config.json")),
        "cursor": Client("Cursor", "mcpServers", ".cursor/mcp.json", home / ".cursor" / "mcp.json", WORKSPACE),
        "vscode": Client("VS Code", "servers", ".vscode/mcp.json", settings_of("Code/User/mcp.json"), WORKSPACE, stdio),
    }


CLIENTS = ("claude-code", "claude-desktop", "cursor", "vscode")
HOOKS_ALONE = ("codex", "gemini", "opencode")
"""Clients that only get hooks; their own commands add servers."""
SCOPES = ("project", "user")


@click.command(short_help="Add the server to an MCP client")
@click.argument("client", type=OneOf((*CLIENTS, *HOOKS_ALONE)))
@click.argument("graph", default="", type=Place("text"))
@click.option("--scope", type=OneOf(SCOPES), default=None, show_default="project; for claude-desktop user",
              help="For this project, in a file that can be committed, or for all of the user's projects")  # fmt: skip
@click.option(
    "--name", default="", show_default="the graph's, or the folder's", help="Name of the server in the client"
)
@click.option("--skill/--no-skill", default=None, show_default="claude-code asks on a terminal",
              help="Also write a skill that tells Claude Code which call answers which question")  # fmt: skip
@click.option("--hooks", is_flag=True,
              help="Also let the client run `rpg check --hook` after an edit, and at the end of a turn")  # fmt: skip
@click.option("--print", "only_print", is_flag=True, help="Print the block; write nothing")
def install(
    client: str, graph: str, named: str, scope: str | None, name: str, skill: bool | None, hooks: bool, only_print: bool
) -> int:
    """Add the server to an MCP client, so that it serves this repository.

    Without GRAPH, the client's file is that of the repository around the current folder, and a missing graph is made
    when the server is first started. With GRAPH, the entry names that file.
    """
    if client in HOOKS_ALONE:
        if not hooks:
            raise BadRequest(f"for {client}, rpg installs hooks alone: say so with --hooks")
        add_hooks(client, scope or "project", folder_of_project())
        return 0
    if hooks and client not in HOOKED:
        raise BadRequest(f"{client} has no hooks: leave --hooks out")
    chosen = clients()[client]
    scope = scope or ("project" if chosen.project else "user")
    if scope == "project" and not chosen.project:
        raise BadRequest(f"{chosen.title} has no configuration for a project: leave --scope out")
    if skill and client != "claude-code":
        raise BadRequest("--skill is for claude-code")
    root = folder_of_project()
    file = chosen.file(scope, root)
    argument, name = what_to_serve(chosen, scope, root, graph or named, name)
    if only_print:
        say(f"{file}:")
        say_json({chosen.key: {name: entry(chosen, argument)}})
        return 0
    write(chosen, root, file, name, argument)
    say(f"{chosen.title} now has the server {name}, in {file}. Restart it, or reload its servers.")
    if not (graph or named) and not has_graph(root):
        say("There is no graph yet: the server makes one when it is first started; `rpg encode` makes it now.")
    if client == "claude-code":
        offer_skill(skill, root, scope)
    if hooks:
        add_hooks(client, scope, root)
    return 0


def add_hooks(client: str, scope: str, root: Path) -> None:
    file, note = install_hooks(client, scope, root)
    say(f"{HOOKED[client].title} runs `rpg check --hook` from {file}.")
    if note:
        say(note)


install.params.append(graph_option("named", "the folder of the project, in the way of the client"))


def folder_of_project() -> Path:
    """The top of the repository around the current folder, or else that folder."""
    from rpg.repository import repository_around

    return repository_around(Path.cwd())


def has_graph(root: Path) -> bool:
    from rpg.stores.graph_folder import graph_around

    return graph_around(root) is not None


def what_to_serve(client: Client, scope: str, root: Path, graph: str, name: str) -> tuple[str, str]:
    """The argument that the server is started with, and the server's name."""
    if graph:
        from rpg.cli.arguments.graphs import graph_file

        path = graph_file(graph).absolute()
        if not path.exists():
            raise GraphNotLoaded(f"there is no graph file {path}: make it with `rpg encode PATH -o {path}`")
        return str(path), name or server_name(path)
    if client.folder:
        return client.folder, name or ("rpg" if scope == "user" else folder_name(root))
    return str(root), name or folder_name(root)


def folder_name(root: Path) -> str:
    """The name, in the characters that every client accepts."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", root.name).strip("-") or "rpg"


def write(client: Client, root: Path, file: Path, name: str, argument: str) -> None:
    """Merges one server into the client's file, whole or not at all; if it is there already, only its command changes.
    BAD_REQUEST, with the block to add by hand, if the file is a symlink, is not JSON, or uses that name for another
    program."""
    wanted = entry(client, argument)
    block = dumped({client.key: {name: wanted}})
    if what := unfit(root, file):
        raise BadRequest(f"{what}, nothing was changed: add this to the right file\n{block}")
    text = ""
    try:
        if file.exists():
            text = filesystem.read_file(file, LARGEST).decode()
        settings = loaded(text.removeprefix("\ufeff")) if text.strip("\ufeff \t\r\n") else {}
        servers = settings.get(client.key, {}) if isinstance(settings, dict) else None
        before = servers.get(name) if isinstance(servers, dict) else None
        if before is not None and not is_of_rpg(before):
            raise BadRequest(
                f"{file} already has a server {quoted(name)} for another program, nothing was changed: choose another "
                "name for this one with --name"
            )
        for field, value in wanted.items() if before is not None else ():
            text = with_value(text, (client.key, name, field), value)
        if before is None:
            text = with_value(text, (client.key, name), wanted)
    except (Malformed, UnicodeDecodeError, OSError) as error:
        reason = error if isinstance(error, Malformed) else "it cannot be read"
        raise BadRequest(f"{file} was not changed, as {reason}: add this\n{block}") from None
    put(file, text)


def put(file: Path, text: str) -> None:
    mode = file.stat().st_mode & 0o777 if file.exists() else 0
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = atomic.staging_path(file)
    try:
        with filesystem.create(fresh) as staged:
            if mode and hasattr(os, "fchmod"):  # the file may contain secrets of the user
                os.fchmod(staged.fileno(), mode)
            staged.write(text.encode())
        atomic.publish(fresh, file)
    finally:
        fresh.unlink(missing_ok=True)


def offer_skill(wanted: bool | None, root: Path, scope: str) -> None:
    from rpg.cli.install.skill import NAME, SKILL

    above = root if scope == "project" else Path.home()
    file = above / ".claude" / "skills" / NAME / "SKILL.md"
    if file.is_file() and wanted is not True:
        return
    if wanted is None:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            say("With --skill it also writes a short text that tells Claude Code which call answers which question.")
            return
        wanted = click.confirm(
            f"Write a short skill, {file}, that says which call answers which question?", default=True
        )
    if not wanted:
        return
    if what := unfit(above, file):
        raise BadRequest(f"{what}: the skill was not written")
    if file.exists() and f"\nname: {NAME}\n" not in filesystem.read_file(file, LARGEST).decode("utf-8", "replace"):
        raise BadRequest(f"{file} is another skill: it was not changed")
    put(file, SKILL)
    say(f"The skill is in {file}.")


def unfit(root: Path, file: Path) -> str:
    """Why the file must not be written: it, or a folder of the project on the way to it, is a symlink, or it is not a
    file of the user's."""
    for folder in file.parents:
        if folder == root or root not in folder.parents:
            break
        if folder.is_symlink():
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


def entry(client: Client, argument: str) -> dict[str, Any]:
    command, *arguments = server_command(is_shared=argument == client.folder)
    return {**dict(client.extra), "command": command, "args": [*arguments, argument]}


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
        if (folder / "bin" / "rpg-mcp").is_file() and (folder / "bin" / "start.py").is_file():
            return [str(folder / "bin" / "rpg-mcp")]
    script = Path(sys.executable).with_name("rpg-mcp.exe" if sys.platform == "win32" else "rpg-mcp")
    return [str(script)] if script.is_file() else [sys.executable, "-m", "rpg", "serve"]


def server_name(graph: Path) -> str:
    return graph.name.removesuffix(".json").removesuffix(".graph")


def dumped(value: Any) -> str:
    import orjson

    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
