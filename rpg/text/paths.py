"""Paths beside each other.

In: paths of files, or of folders that end in `/`. Out: how near they are.
"""

from __future__ import annotations


def count_shared_folders(path: str, other: str) -> int:
    """How many folders two paths begin with alike."""
    count = 0
    for one, two in zip(path.split("/")[:-1], other.split("/")[:-1], strict=False):
        if one != two:
            break
        count += 1
    return count
