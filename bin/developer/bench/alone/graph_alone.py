"""The graph without the search index: encodes a repository in this process and writes the graph file alone. The words
of files are counted as in every encode, but nothing is made of them.

Run as a script, with a folder and an output.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from rpg.encoder import encode as encoder
from rpg.encoder.options import options_for
from rpg.stores import atomic
from rpg.stores.graph_file import graph_file


def encode_alone() -> None:
    root, output = map(Path, sys.argv[1:])
    encoded = encoder.encode(root, options_for(root, {}), workers=1)
    graph = encoded.graph
    staged = graph_file.stage(output, graph.header, graph.symbols, graph.edges)
    atomic.publish(staged.temporary, output)


if __name__ == "__main__":
    encode_alone()
    os._exit(0)  # as rpg ends: what was made is not taken apart
