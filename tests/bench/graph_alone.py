"""The graph without the search index: encodes a repository in this process and writes the graph file alone.

The tokens that the index is made of are not counted either: that one function is replaced. Run as a script, with a
folder and an output.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from rpg.encoder import encode as encoder
from rpg.encoder.options import options_for
from rpg.stores import atomic, graph_file


def no_bags(*_: object) -> bytes:
    return b""


def encode_alone() -> None:
    root, output = map(Path, sys.argv[1:])
    setattr(encoder, "bags", no_bags)  # noqa: B010
    encoded = encoder.encode(root, options_for(root, {}), workers=1)
    graph = encoded.graph
    staged = graph_file.stage(output, graph.header, graph.symbols, graph.edges)
    atomic.publish(staged.temporary, output)


if __name__ == "__main__":
    encode_alone()
    os._exit(0)  # as rpg ends: what was made is not taken apart
