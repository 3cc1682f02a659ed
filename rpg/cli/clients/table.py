"""The clients: where each keeps its servers, in which format, under which keys, and in which form.

In: a name. Out: a row. The page that documents the form stands above each row; tests/ compares what is written with it.

Absent: how a file is edited (editing/), and what is offered besides the server (offers/).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

JSON, TOML, YAML = "json", "toml", "yaml"
"""Formats; JSON may have comments and trailing commas."""
PROJECT, USER = "project", "user"
SCOPES = (PROJECT, USER)
NAME = "{name}"
"""Stands for the server's name in a path of keys or a file's name."""
WORKSPACE = "${workspaceFolder}"
HERE = "."
"""For clients that start a server in the folder of the project."""


class Place(NamedTuple):
    """Where a client keeps its servers in one scope."""

    file: str
    """Relative to the project, or to the folder that `base` names; it may contain {name}."""
    keys: tuple[str, ...]
    """The keys that lead to an entry; the last is the server's name, or [name] in a list of entries with names."""
    format: str = JSON
    base: str = "home"
    head: tuple[tuple[str, str], ...] = ()
    """What a new file begins with."""
    other: str = ""
    """Another name that the file may have; it is used if only that one is there."""


class Client(NamedTuple):
    title: str
    project: Place | None
    user: Place
    folder: str = ""
    """How an entry names the folder of the project that is open; '' if it cannot."""
    form: str = "plain"
    """Which of FORMS an entry has."""
    rules: str = ""
    """The project's file of instructions for its agent."""
    user_rules: str = ""
    """The user's, relative to the home folder."""

    def place(self, scope: str) -> Place | None:
        return self.project if scope == PROJECT else self.user

    def file(self, scope: str, root: Path, name: str = "rpg") -> Path:
        place = self.place(scope) or self.user
        above = root if place is self.project else base_folder(place.base)
        file, other = above / place.file.replace(NAME, name), above / place.other
        return other if place.other and other.exists() and not file.exists() else file


def plain(command: Sequence[str], name: str) -> dict[str, Any]:
    return {"command": command[0], "args": list(command[1:])}


def build_typed(command: Sequence[str], name: str) -> dict[str, Any]:
    return {"type": "stdio", **plain(command, name)}


def local(command: Sequence[str], name: str) -> dict[str, Any]:
    return {"type": "local", "command": list(command), "enabled": True}


def build_named(command: Sequence[str], name: str) -> dict[str, Any]:
    return {"name": name, **plain(command, name)}


def extension(command: Sequence[str], name: str) -> dict[str, Any]:
    return {
        "name": name, "type": "stdio", "enabled": True, "cmd": command[0], "args": list(command[1:]), "timeout": 300,
    }  # fmt: skip


FORMS = {"plain": plain, "typed": build_typed, "local": local, "named": build_named, "extension": extension}
STARTING = ("command", "args", "cmd", "type")
"""The fields of an entry that say how the server is started: only these are changed in one that is there already."""

SERVERS = ("mcpServers", NAME)
CLIENTS: Mapping[str, Client] = {
    # https://code.claude.com/docs/en/mcp
    "claude-code": Client(
        "Claude Code", Place(".mcp.json", SERVERS), Place(".claude.json", SERVERS), HERE,
        rules="CLAUDE.md", user_rules=".claude/CLAUDE.md",
    ),
    # https://modelcontextprotocol.io/docs/develop/connect-local-servers
    "claude-desktop": Client(
        "Claude Desktop", None, Place("Claude/claude_desktop_config.json", SERVERS, base="settings")
    ),
    # https://cursor.com/docs/mcp
    "cursor": Client(
        "Cursor", Place(".cursor/mcp.json", SERVERS), Place(".cursor/mcp.json", SERVERS), WORKSPACE, rules="AGENTS.md"
    ),
    # https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
    "vscode": Client(
        "VS Code", Place(".vscode/mcp.json", ("servers", NAME)),
        Place("Code/User/mcp.json", ("servers", NAME), base="settings"), WORKSPACE, "typed", rules="AGENTS.md",
    ),
    # https://docs.windsurf.com/windsurf/cascade/mcp
    "windsurf": Client(
        "Windsurf", None, Place(".codeium/windsurf/mcp_config.json", SERVERS), rules="AGENTS.md",
        user_rules=".codeium/windsurf/memories/global_rules.md",
    ),
    # https://zed.dev/docs/ai/mcp
    "zed": Client(
        "Zed", Place(".zed/settings.json", ("context_servers", NAME)),
        Place("settings.json", ("context_servers", NAME), base="zed"), HERE, rules="AGENTS.md",
    ),
    # https://developers.openai.com/codex/mcp
    "codex": Client(
        "Codex", Place(".codex/config.toml", ("mcp_servers", NAME), TOML),
        Place("config.toml", ("mcp_servers", NAME), TOML, base="codex"), HERE, rules="AGENTS.md",
        user_rules=".codex/AGENTS.md",
    ),
    # https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md
    "gemini": Client(
        "Gemini CLI", Place(".gemini/settings.json", SERVERS), Place(".gemini/settings.json", SERVERS), HERE,
        rules="GEMINI.md", user_rules=".gemini/GEMINI.md",
    ),
    # https://opencode.ai/docs/mcp-servers
    "opencode": Client(
        "opencode", Place("opencode.json", ("mcp", NAME), other="opencode.jsonc"),
        Place("opencode/opencode.json", ("mcp", NAME), base="config", other="opencode/opencode.jsonc"),
        HERE, "local", rules="AGENTS.md", user_rules=".config/opencode/AGENTS.md",
    ),
    # https://docs.continue.dev/customize/deep-dives/mcp
    "continue": Client(
        "Continue",
        Place(
            ".continue/mcpServers/{name}.yaml", ("mcpServers", "[name]"), YAML,
            head=(("name", "rpg"), ("version", "1.0.0"), ("schema", "v1")),
        ),
        Place(
            ".continue/config.yaml", ("mcpServers", "[name]"), YAML,
            head=(("name", "Local Config"), ("version", "1.0.0"), ("schema", "v1")),
        ),
        HERE, "named", rules=".continue/rules/rpg.md",
    ),
    # https://www.jetbrains.com/help/junie/model-context-protocol-mcp.html
    "junie": Client(
        "JetBrains Junie", Place(".junie/mcp/mcp.json", SERVERS), Place(".junie/mcp/mcp.json", SERVERS), HERE,
        rules=".junie/AGENTS.md",
    ),
    # https://goose-docs.ai/docs/guides/config-files
    "goose": Client(
        "Goose", None, Place("config.yaml", ("extensions", NAME), YAML, base="goose"), HERE, "extension",
        rules="AGENTS.md", user_rules=".config/goose/.goosehints",
    ),
}  # fmt: skip
NAMES = tuple(CLIENTS)


def base_folder(base: str) -> Path:
    """The user's folder that a place is relative to."""
    home = Path.home()
    config = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    roaming = Path(os.environ.get("APPDATA") or home / "AppData" / "Roaming")
    is_windows = sys.platform == "win32"
    if base == "settings":
        is_mac = sys.platform == "darwin"
        return home / "Library" / "Application Support" if is_mac else roaming if is_windows else config
    if base == "zed":
        return roaming / "Zed" if is_windows else (home / ".config" if sys.platform == "darwin" else config) / "zed"
    if base == "goose":
        return roaming / "Block" / "goose" / "config" if is_windows else home / ".config" / "goose"
    if base == "codex":
        return Path(os.environ.get("CODEX_HOME") or home / ".codex")
    if base == "config":
        return config
    return home
