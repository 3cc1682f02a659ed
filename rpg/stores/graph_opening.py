"""How a graph file begins, and limits on what is read of one: anybody may have made it, of any size.

In: a path, or the first bytes. Out: whether they can be a graph's. Nothing more than the first bytes is read here.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import Final

from rpg.system import filesystem

OPENING: Final = b'{\n"directed":true,\n"multigraph":true,\n"graph":'
OPENING_BYTES: Final = 4096
COMPACT_ENDING: Final = ".graph.json.zst"
SKIPPED: Final = 0x184D2A50
"""What a frame of Zstandard begins with that other programs skip."""
COMPACT_OPENING: Final = SKIPPED.to_bytes(4, "little") + (12).to_bytes(4, "little") + b"rpg graph 1\n"
"""A compressed graph begins with it (graph_file/compact.py)."""
OTHER_OPENING: Final = re.compile(rb'\s*+\{\s*+"(?:directed|multigraph|graph|nodes|edges|checksum)"\s*+:')
"""As another program may have laid the same JSON out."""
LARGEST_HEADER: Final = 64 << 20
"""Bytes of its line: a million skipped files."""
LARGEST_LINE: Final = 64 << 20
"""Bytes of one node or edge: several million sites."""
LARGEST_OTHER_LAYOUT: Final = 32 << 20
"""The largest file in another layout, which has to be read in one piece: it takes twenty times as much memory."""
LARGEST_WHOLE: Final = 1 << 30
"""The largest file that is read whole, to be served without its sources."""


def can_be_graph(first_bytes: bytes) -> bool:
    """`first_bytes`: at least `OPENING_BYTES` of the file, or all of it."""
    return first_bytes.startswith((OPENING, COMPACT_OPENING)) or OTHER_OPENING.match(first_bytes) is not None


def begins_like_graph(path: Path) -> bool:
    """Whether a regular file, not a link, begins like a graph."""
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return False
        with filesystem.open_file(path) as file:
            return can_be_graph(file.read(OPENING_BYTES))
    except OSError:
        return False
