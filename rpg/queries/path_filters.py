"""Filters of paths, as tools take them: a prefix or a glob, a package.

In: what was written. Out: a function that says whether a path is meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fnmatch import translate


def path_filter(written: str) -> Callable[[str], bool]:
    """Whether a path lies under a prefix, or matches a glob (`**` and `*` cross folders alike)."""
    written = written.removeprefix("./")
    if any(character in written for character in "*?["):
        pattern = re.compile(translate(written if "/" in written else f"**/{written}".replace("**/*", "*")))
        return lambda path: pattern.match(path) is not None
    folder = written.rstrip("/")
    return lambda path: (
        path == folder or path.startswith(folder + "/") or (written == folder and path.startswith(folder))
    )


def package_filter(written: str) -> Callable[[str], bool]:
    """Whether a path lies in a package: a directory, or a dotted name whose parts are consecutive in the path."""
    parts = written.strip("/").replace("/", ".").replace("\\", ".").split(".")
    inner = "/" + "/".join(parts)
    return lambda path: f"{inner}/" in f"/{path}" or f"/{path}".startswith(f"{inner}.") or f"{inner}." in f"/{path}"
