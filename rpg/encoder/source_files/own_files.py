"""What rpg itself writes into a repository for an agent's client: it says nothing of the repository.

In: a path, bytes. Out: whether all of a file is rpg's, and a file's bytes without the lines that are, in place. Known
by what is in a file, as a clone has no record of who wrote it.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any, Final

BEGIN: Final = "<!-- rpg: begin -->"
END: Final = "<!-- rpg: end -->"
"""Around the lines in a client's instructions for its agent."""
EXPLORER: Final = "Explores this repository with its code graph"
"""How the description of the sub-agent begins."""
SKILL: Final = b"\nname: rpg\n"
PLUGIN: Final = b"// Written by `rpg install "
MADE: Final = "written by rpg install"

_LARGEST: Final = 16 << 10
_FENCED: Final = re.compile(rf"{BEGIN}\r?\n.*?{END}".encode(), re.DOTALL)
_BEGIN: Final = BEGIN.encode()
_SETTINGS: Final = frozenset("context_servers hooks mcp mcpServers mcp_servers servers version $schema".split())
"""The keys of a client's settings below which rpg's entries stand, and what says nothing of a server."""
_COMMAND: Final = re.compile(rb"^\s*(?:- )?command: *\"?(.*?)\"?\s*$", re.MULTILINE)
_PROGRAM: Final = re.compile(r"(?:^|[/\\\s])(?:rpg-mcp(?:\.exe)?(?=\s|$)|rpg(?:\.exe)?\s+(?:check|usages)\s+--hook)")


def is_own(path: str, data: bytes) -> bool:
    """Whether all that is in a file was written by `rpg install`."""
    if len(data) > _LARGEST or not ("rpg" in path or b"rpg" in data):
        return False
    if path.endswith((".md", ".mdc")):
        return _is_own_page(path, data)
    if path.endswith((".json", ".toml")):
        return EXPLORER.encode() in data if path.endswith("/agents/rpg-explore.toml") else _has_own_entries(path, data)
    if path.endswith(".yaml"):
        commands = _COMMAND.findall(data)
        return "/mcpServers/" in path and len(commands) == 1 and _is_of_rpg(commands[0].decode("utf-8", "replace"))
    return data.startswith(PLUGIN) and path.endswith("/plugins/rpg-check.js")


def blank_own_lines(source: bytes) -> bytes:
    """The same bytes with blanks in the place of rpg's lines."""
    if _BEGIN not in source:
        return source
    return _FENCED.sub(lambda found: re.sub(rb"[^\r\n]", b" ", found[0]), source)


def _is_own_page(path: str, data: bytes) -> bool:
    if _BEGIN in data:
        return not _FENCED.sub(b"", data).strip()
    name = path.rpartition("/")[2]
    if name.startswith("rpg-explore."):
        return EXPLORER.encode() in data
    return path.endswith("/skills/rpg/SKILL.md") and SKILL in data


def _has_own_entries(path: str, data: bytes) -> bool:
    """Whether a client's settings have entries of rpg's, and nothing else."""
    try:
        text = data.decode()
        found = json.loads(text) if path.endswith(".json") else tomllib.loads(text)
    except (ValueError, RecursionError):
        return False
    if not isinstance(found, dict) or not found.keys() <= _SETTINGS:
        return False
    commands = list(_commands_in(found))
    return bool(commands) and all(map(_is_of_rpg, commands))


def _is_of_rpg(command: str) -> bool:
    return _PROGRAM.search(command) is not None


def _commands_in(value: Any) -> Iterator[str]:
    """What entries of servers and hooks start; nothing of use for one that starts nothing."""
    if isinstance(value, list):
        for each in value:
            yield from _commands_in(each)
    elif isinstance(value, dict):
        started = value.get("command")
        if isinstance(started, str):
            yield started
        elif isinstance(started, list):
            yield " ".join(map(str, started))
        elif "url" in value or "serverUrl" in value or "httpUrl" in value:
            yield ""
        else:
            for each in value.values():
                yield from _commands_in(each)
