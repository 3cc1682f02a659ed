"""What a package calls its dependencies: by their names, or by another one that its manifest gives them.

In: the dependencies of a `package.json`. Out: the name or the folder behind a name.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

_FIELDS: Final = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_RENAMED: Final = re.compile(r"(?:npm|workspace):((?:@[^/@]+/)?[^/@.*^~<>=|\s][^/@]*)@[^/]*\Z")
"""`npm:name@range`, `workspace:name@range`."""
_UNRANGED: Final = re.compile(r"npm:((?:@[^/@]+/)?[^/@\s]+)\Z")
_FOLDER: Final = re.compile(r"(?:file|link|portal|workspace):(?://)?(\.{1,2}(?:/.*)?)\Z|(\.{1,2}/.*)\Z")
"""A folder of this machine."""


class Dependency(NamedTuple):
    """What a name stands for; both are empty if it stands for itself."""

    name: str
    folder: str
    """Relative to the manifest's."""


def dependency_called(data: dict[str, Any], name: str) -> Dependency | None:
    """The dependency that a manifest calls so; None if it has none."""
    for field in _FIELDS:
        listed = data.get(field)
        wanted = listed.get(name) if isinstance(listed, dict) else None
        if isinstance(wanted, str):
            folder = _FOLDER.match(wanted)
            if folder is not None:
                return Dependency("", folder.group(1) or folder.group(2))
            renamed = _RENAMED.match(wanted) or _UNRANGED.match(wanted)
            return Dependency(renamed.group(1) if renamed is not None else "", "")
    return None


def nearness(folder: str, other: str) -> int:
    """How many folders from the top two paths have in common."""
    count = 0
    for one, two in zip(folder.split("/"), other.split("/"), strict=False):
        if one != two or not one:
            break
        count += 1
    return count
