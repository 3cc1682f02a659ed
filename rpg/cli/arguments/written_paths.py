"""Paths as they are written at a shell: relative to the current folder, or with `~`.

In: arguments of a tool, and the folder of the repository. Out: the same arguments, with such paths absolute; the tools
understand those inside the repository and refuse the others. Every other notation is returned unchanged.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

NAMING = frozenset({"start", "symbol", "target", "targets", "to", "path", "exclude_path"})
"""Arguments that name places in a repository."""


def resolve_paths(arguments: Mapping[str, Any], root: Path | None) -> dict[str, Any]:
    def shown(value: Any) -> Any:
        if isinstance(value, list):
            return [shown(each) for each in value]
        return absolute(value, root) if isinstance(value, str) else value

    return {name: shown(value) if name in NAMING else value for name, value in arguments.items()}


def is_from_here(written: str) -> bool:
    """Whether its meaning depends on the current folder or the user's home."""
    return written in (".", "..") or written.startswith(("./", "../", "~"))


def absolute(written: str, root: Path | None) -> str:
    if written.startswith("~"):
        return os.path.expanduser(written)
    if not is_from_here(written) or folder_here(root) == "./":
        return written  # in the root itself, and outside the repository, it is the tools' own notation
    return os.path.normpath(Path.cwd() / written) + ("/" if written.endswith("/") else "")


def folder_here(root: Path | None) -> str:
    """The current folder as the graph names it; `./` at the top of the repository and outside it."""
    if root is None:
        return "./"
    try:
        below = Path.cwd().relative_to(root.resolve()).as_posix()
    except (OSError, ValueError):
        return "./"
    return "./" if below == "." else f"{below}/"
