"""Names and places as agents write them, translated to the graph's notation.

In: what was written (an absolute path, a URL of a forge, `path#L10-L20`, `path:10:5`, `path:Type.method`), the
repository's folder, and which paths are in the graph. Out: the same as `path`, `path:10-20` or `path::Type.method`;
anything in none of these notations is returned unchanged.

Only text is examined: no file is read and no link followed. An absolute path is looked up below the repository's folder
like any other; one outside it is returned unchanged, for symbols.py to refuse.
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
"""The parts of a URL that precede a revision and a path."""


def plainly(written: str, root: Path | None, is_path: IsPath, ends_path: IsPath) -> str:
    """`is_path`: whether it is a path of the graph; `ends_path`: whether some path of the graph ends like that."""
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
    """A path, and its lines as `:10-20` if some are named."""
    name = parse_address(written, is_path) if _ADDRESS.match(written) else written
    lines = _LINES.search(name) or _LINES_OF_BITBUCKET.search(name)
    if not lines:
        return make_relative(name, root), ""
    last = f"-{lines[2]}" if lines[2] else ""
    return make_relative(name[: lines.start()], root), f":{lines[1]}{last}"


def plain_path(written: str, root: Path | None) -> str:
    """A path filter: a prefix or a glob."""
    return place(written, root, lambda _: False)[0]


def make_relative(path: str, root: Path | None) -> str:
    """An absolute path below the root, relative to it; any other unchanged."""
    if root is None or not Path(path).is_absolute():
        return path
    below = path.removeprefix(root.as_posix().rstrip("/"))
    return mark_as_path(below[1:]) if below != path and (not below or below[0] == "/") else path


def mark_as_path(path: str) -> str:
    """Marked as a path, so that it is never taken for a symbol's name."""
    return path if "/" in path else f"./{path}"


def parse_address(address: str, is_path: IsPath) -> str:
    """The longest end of the URL that is a path of the repository, with the lines that it names; if there is none, what
    follows the revision."""
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
            return mark_as_path(path) + lines
    return mark_as_path("/".join(segments[first:])) + lines
