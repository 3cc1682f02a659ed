"""Whether a graph that was kept up to date is the one that its sources make: they are encoded anew beside it.

In: the path of a graph file. Out: the first difference of the two files, in words, or none. The graph is brought up to
date first, as before an answer. The other one reuses nothing, not even the cache of facts, and is removed afterwards.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from rpg.errors import GraphNotLoaded
from rpg.repository.encoding.consistency import consistency_of
from rpg.repository.encoding.encode import Progress, encode
from rpg.repository.removal import forget
from rpg.stores.graph_file import compact, graph_file
from rpg.stores.graph_file.nodes import id_of
from rpg.text.printable import shorten

ROUNDS = 3
"""How often both are made if files change meanwhile."""
PATIENCE_SECONDS = 600.0
SHOWN = 300
HEADER = b'"graph":'


class Verdict(NamedTuple):
    root: Path
    files: int
    bytes: int
    """Of the JSON, whether or not the file has it compressed."""
    difference: str
    """Empty if every byte is the same."""


def verify(graph_path: Path, progress: Progress | None = None) -> Verdict:
    """GraphNotLoaded if the folder of the sources is not there."""
    from rpg.encoder.options import parse_options

    found = consistency_of(graph_path)
    if found.root is None:
        raise GraphNotLoaded(f"the sources of {graph_path.name} are not here: there is nothing to encode anew")
    root, options = found.root, parse_options(found.options)
    with tempfile.TemporaryDirectory(prefix="rpg-verify-") as folder:
        anew = Path(folder) / graph_path.name
        for _ in range(ROUNDS):
            encode(root, graph_path, options, patience=PATIENCE_SECONDS)
            files = encode(root, anew, options, full=True, progress=progress).files
            is_as_before = not encode(root, graph_path, options, patience=PATIENCE_SECONDS).changed
            difference = first_difference(graph_path, anew)
            if not difference or is_as_before:
                break
        forget(anew)
    with compact.open_graph(graph_path) as file:
        return Verdict(root, files, compact.size_of(file), difference)


def first_difference(kept: Path, anew: Path) -> str:
    """Of two graph files, what comes first in them and differs; empty if nothing does."""
    for number, (one, other) in enumerate(zip_longest(_lines(kept), _lines(anew)), 1):
        if one != other:
            if one and other and one.startswith(HEADER) and other.startswith(HEADER):
                return _of_headers(one, other)
            about = _about(kept, one) or _about(anew, other) or "the end of the file"
            shown = (shorten(line.decode("utf-8", "replace"), SHOWN) if line else "nothing" for line in (one, other))
            return f"line {number}, {about}\n  kept up to date:   {{}}\n  made from nothing: {{}}".format(*shown)
    return ""


def _lines(path: Path) -> Iterator[bytes]:
    with compact.open_graph(path) as file:
        for line in file:
            yield line.rstrip(b",\n")


def _of_headers(one: bytes, other: bytes) -> str:
    first, second = (orjson.loads(b"{%s}" % line)["graph"] for line in (one, other))
    differing = [key for key in {**first, **second} if first.get(key) != second.get(key)]
    shown = [f"{key}: {first.get(key)} and {second.get(key)}" for key in differing]
    return f"the header (kept up to date, and made from nothing): {shorten('; '.join(shown), SHOWN)}"


def _about(path: Path, line: bytes | None) -> str:
    """What a line of a graph file is about."""
    try:
        value: Any = orjson.loads(line) if line and line.startswith(b"{") else None
    except orjson.JSONDecodeError:
        return ""
    if not isinstance(value, dict):
        return "the header" if line and line.startswith(HEADER) else ""
    if "source" in value:
        ids = [symbol.id for symbol in graph_file.read_symbols(path)]
        ends = " -> ".join(shorten(ids[value[end]], SHOWN) for end in ("source", "target"))
        return f"an edge ({value['kind']}): {ends}"
    return f"symbol {shorten(id_of(value), SHOWN)}" if "qualified_name" in value else ""
