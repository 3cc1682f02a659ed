"""The libraries that a graph has besides the repository.

In: a header, which says in what folders of the graph they are. Out: whether a path is of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def is_of_library(header: Mapping[str, Any], path: str) -> bool:
    """Whether a file, or a folder, is a library's."""
    return any(
        path.startswith(f"{folder}/") or path == folder
        for library in header.get("libraries", ())
        for folder in library["folders"]
    )
