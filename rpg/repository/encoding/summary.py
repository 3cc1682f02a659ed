"""What an encode did, in numbers.

In: its result, or an index that did not change. Out: a `Summary`.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from rpg.graph import FUNCTIONAL_PATH, LIBRARY, Graph
from rpg.repository.identity import read_recorded_repository
from rpg.stores.graph_file.tiers import compiled_by, libraries_read, read_as
from rpg.stores.index import stored_graph
from rpg.stores.index.index import Index
from rpg.stores.index.overview_reads import count_edges_in_order
from rpg.stores.index.reader import count_files, count_files_of_code
from rpg.stores.index.symbol_reads import count_symbols_by_file

if TYPE_CHECKING:
    from rpg.encoder.encode import Encoded


class Summary(NamedTuple):
    """What an encode did."""

    graph_path: Path
    index_path: Path
    root: Path
    name: str
    files: int
    parsed: int
    reused: int
    skipped: int
    symbols: int
    edges: dict[str, int]
    """By kind."""
    changed: bool
    """Whether the graph file was replaced; one with the same content is kept."""
    seconds: dict[str, float]
    """By stage, and `total`."""
    read_as: str = ""
    """How many files of which languages were read in what way."""
    compiled_by: str = ""
    """Which files have edges of a compiler's index."""
    libraries: str = ""
    """Which libraries were read as well."""
    note: str = ""
    """What the user should know about the files that were there before."""
    skipped_because: tuple[tuple[str, int], ...] = ()
    """Reasons and how many files have them, the commonest first."""


def summary_of(
    root: Path, graph_path: Path, index_path: Path, encoded: Encoded, changed: bool, seconds: dict[str, float]
) -> Summary:
    header, symbols, _, _ = encoded.graph
    return Summary(
        graph_path,
        index_path,
        root,
        str(read_recorded_repository(header).get("name") or root.name),
        header["files"],
        encoded.parsed,
        encoded.reused,
        len(header.get("skipped", ())),
        sum([symbol.path != FUNCTIONAL_PATH and LIBRARY not in symbol.modifiers for symbol in symbols]),
        count_edges(encoded.graph),
        changed,
        seconds,
        read_as(header),
        compiled_by(header),
        libraries_read(header),
        skipped_because=because(header),
    )


def count_edges(graph: Graph) -> dict[str, int]:
    """By kind; not those that are within libraries."""
    if not graph.header.get("libraries"):
        return dict(Counter(edge.kind for edge in graph.edges))
    others = {symbol.id for symbol in graph.symbols if LIBRARY in symbol.modifiers}
    return dict(Counter(edge.kind for edge in graph.edges if edge.source not in others))


def because(header: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    return tuple(Counter(str(each["reason"]) for each in header.get("skipped", ())).most_common())


def summary_of_index(root: Path, graph_path: Path, index_path: Path, started: float, parsed: int = 0) -> Summary:
    """`started` is a time of perf_counter; `parsed` is how many files were parsed if nothing else was done."""
    index = Index.open_read_only(index_path)
    try:
        header = stored_graph.header(index)
        seconds = time.perf_counter() - started
        return Summary(
            graph_path,
            index_path,
            root,
            str(read_recorded_repository(header).get("name") or root.name),
            count_files(index),
            parsed,
            count_files_of_code(index) - parsed,
            len(header.get("skipped", ())),
            sum(number for _, number in count_symbols_by_file(index, FUNCTIONAL_PATH)),
            edges_of(index),
            parsed > 0,
            {"list": seconds, "total": seconds},
            read_as(header),
            compiled_by(header),
            libraries_read(header),
            skipped_because=because(header),
        )
    finally:
        index.close()


def edges_of(index: Index) -> dict[str, int]:
    """By kind, in the order of their first edges, as counted when they were written."""
    counted = index.meta("edges")
    if counted:
        return orjson.loads(counted)  # type: ignore[no-any-return]
    return dict(count_edges_in_order(index))
