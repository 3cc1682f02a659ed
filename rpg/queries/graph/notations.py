"""Names and places as agents have them, put into the words of the graph.

In: what was written (an absolute path, an address at a forge, `path#L10-L20`, `path:10:5`, `path:Type.method`), the
repository's folder, and what is a path of the graph. Out: the same as `path`, `path:10-20` or `path::Type.method`;
what is in none of these notations comes back as it is.

Text alone is looked at: no file, no link is followed. What an absolute path leads to is found, like any other, below
the repository's folder; one that lies elsewhere comes back as it is, for symbols.py to refuse.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

IsPath = Callable[[str], bool]

_ADDRESS = re.compile(r"^(?:https?|file)://", re.IGNORECASE)
_LINES = re.compile(r"(?:#|:(?=L))L?(\d{1,9})(?:C\d+)?(?:-L?(\d{1,9})(?:C\d+)?)?$")
_LINES_OF_BITBUCKET = re.compile(r"#lines-(\d{1,9})(?::(\d{1,9}))?$")
_COLUMN = re.compile(r"^(.+:\d{1,9}):\d{1,9}$")
_MEMBER = re.compile(r"^([^:#]+)[:#]([^\W\d][\w.$#~]*)(?:\(\))?$")
_DOTTED = re.compile(r"^[^\W\d]\w*(?:\.[^\W\d]\w*)*$")
_FORGE = frozenset({"blob", "tree", "raw", "src", "blame", "edit"})
"""What stands before a revision and a path in an address."""


def plainly(written: str, root: Path | None, is_path: IsPath, ends_path: IsPath) -> str:
    """`is_path`: whether it is a path of the graph; `ends_path`: whether one ends so."""
    name, lines = place(written, root, is_path)
    name += lines
    column = _COLUMN.match(name)
    if column:
        name = column[1]
    member = _MEMBER.match(name)
    if member and ends_path(member[1]):
        return f"{member[1]}::{member[2]}"
    if member and _DOTTED.match(member[1]):
        return f"{member[1]}.{member[2]}"
    return name


def place(written: str, root: Path | None, is_path: IsPath) -> tuple[str, str]:
    """A path, and the lines of it as `:10-20` where some are named."""
    name = from_address(written, is_path) if _ADDRESS.match(written) else written
    lines = _LINES.search(name) or _LINES_OF_BITBUCKET.search(name)
    if not lines:
        return inside(name, root), ""
    last = f"-{lines[2]}" if lines[2] else ""
    return inside(name[: lines.start()], root), f":{lines[1]}{last}"


def plain_path(written: str, root: Path | None) -> str:
    """A filter of paths: a prefix or a glob."""
    return place(written, root, lambda _: False)[0]


def inside(path: str, root: Path | None) -> str:
    """An absolute path below the root, relative to it; any other as it is."""
    if root is None or not Path(path).is_absolute():
        return path
    below = path.removeprefix(root.as_posix().rstrip("/"))
    return rooted(below[1:]) if below != path and (not below or below[0] == "/") else path


def rooted(path: str) -> str:
    """Never taken for the name of a symbol."""
    return path if "/" in path else f"./{path}"


def from_address(address: str, is_path: IsPath) -> str:
    """The longest end of the address that is a path of the repository, with the lines that it names; where there is
    none, what follows the revision."""
    address, mark, fragment = address.partition("#")
    scheme, _, rest = address.partition("://")
    lines = mark + fragment
    if scheme.lower() == "file":
        return unquote("/" + rest.partition("/")[2]) + lines
    segments = unquote(rest.partition("?")[0]).rstrip("/").split("/")[1:]
    marks = [at for at, segment in enumerate(segments) if segment in _FORGE]
    first = marks[0] + 2 if marks else 1
    for at in range(first, len(segments)):
        path = "/".join(segments[at:])
        if is_path(path):
            return rooted(path) + lines
    return rooted("/".join(segments[first:])) + lines
