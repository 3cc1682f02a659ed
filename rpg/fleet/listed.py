"""The list of a fleet: one repository per line.

In: a text file. Out: what to encode, and its name in the library. BAD_REQUEST names the line.

    # comments and empty lines are skipped
    ./services/billing
    https://github.com/pallets/click  branch=8.1.x
    pallets/flask                     name=web memory=4GB
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple

from rpg.encoder.source_files.remotes import remove_credentials
from rpg.errors import BadRequest, InvalidPath
from rpg.system import filesystem
from rpg.text.printable import quote_text

LARGEST = 4 << 20
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_MEMORY = re.compile(r"(\d+(?:\.\d+)?)\s*(kb|mb|gb|tb|b)?", re.IGNORECASE)
_UNITS = {"b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
_SETTINGS = frozenset({"name", "branch", "memory"})


class Listed(NamedTuple):
    """One repository."""

    source: str
    """A folder, or a URL in any form that `rpg encode` takes."""
    name: str
    """The name of its graph in the library."""
    branch: str = ""
    memory: int = 0
    """Bytes that its encode needs; 0: what is usual."""

    @property
    def shown(self) -> str:
        """The source without credentials."""
        return remove_credentials(self.source)


def read_list(path: Path) -> list[Listed]:
    """In the order of the file. Folders are relative to the folder of the file."""
    try:
        text = filesystem.read_file(path, LARGEST).decode()
    except (OSError, ValueError) as error:
        raise InvalidPath(f"the list {quote_text(str(path))} cannot be read: {error}") from None
    found: dict[str, Listed] = {}
    for number, line in enumerate(text.splitlines(), 1):
        each = _repository(line, path.absolute().parent, f"{path.name}:{number}")
        if each is None:
            continue
        if each.name in found:
            raise BadRequest(
                f"{path.name}:{number}: two repositories are called {each.name}; add name=OTHER to one of them"
            )
        found[each.name] = each
    if not found:
        raise BadRequest(f"{path.name} lists no repository: write a folder or a URL on each line")
    return list(found.values())


def _repository(line: str, folder: Path, place: str) -> Listed | None:
    try:
        words = shlex.split(line, comments=True)
    except ValueError as error:
        raise BadRequest(f"{place}: {error}") from None
    if not words:
        return None
    source, settings = words[0], {}
    for word in words[1:]:
        key, equals, value = word.partition("=")
        if not equals or key not in _SETTINGS or key in settings:
            raise BadRequest(f"{place}: {quote_text(word)} is none of name=, branch=, memory=")
        settings[key] = value
    if source.startswith("-"):
        raise BadRequest(f"{place}: {quote_text(source)} is neither a folder nor a URL")
    beside = folder / Path(source).expanduser()
    if beside.is_dir():
        source = str(beside.resolve())
    name = settings.get("name") or re.split(r"[/:\\]", source.rstrip("/\\"))[-1].removesuffix(".git")
    if _NAME.fullmatch(name) is None:
        raise BadRequest(
            f"{place}: {quote_text(name)} cannot be the name of a graph; add name=, with letters and digits"
        )
    return Listed(source, name, settings.get("branch", ""), parse_size(settings.get("memory", ""), place))


def parse_size(text: str, place: str) -> int:
    """The bytes of a size such as 4GB; 0 if there is none."""
    if not text:
        return 0
    match = _MEMORY.fullmatch(text.strip())
    if match is None:
        raise BadRequest(f"{place}: {quote_text(text)} is not a size; write it as 4GB or 500MB")
    return int(float(match[1]) * _UNITS[(match[2] or "b").lower()])
