"""How a graph file, its index and a folder of sources fit together, and what must be done before queries.

In: the path of a graph file, and perhaps a folder. Out: a `Consistency`. Reads only headers, `meta` and a few files;
hashes the graph file if its stamp is not the recorded one. Nothing is written.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from rpg.errors import BadRequest, GraphNotLoaded, InvalidPath, RpgError
from rpg.repository.locations import holds_homes, index_path
from rpg.stores import graph_folder
from rpg.stores.graph_file import graph_file
from rpg.stores.index.index import BrokenIndex, ForeignIndex, Index, check, read_meta
from rpg.stores.index.symbol_reads import list_hashed_modules
from rpg.system import filesystem
from rpg.system.stamp import Stamp, may_be_again, stamp_of
from rpg.text.printable import shorten

FITS = "fits"
AHEAD = "ahead"
"""The index is newer than the graph file, which must be written from it."""
LATE = "late"
"""The same, and the index knows which lines: it may answer before they are written (deferred_write.py)."""
FOREIGN = "foreign"
"""The graph file is not the one that the index was made with, or there is no usable index."""

SAMPLE = 40
"""How many modules are compared to decide whether a graph was made from a folder."""

SAMPLED = 50_000
"""Among how many of the first symbols of a graph file these are looked for."""

Sample = Sequence[tuple[str, str]]
"""(path, hash of the whole file in the graph)."""


class Consistency(NamedTuple):
    kind: str
    reason: str
    """Why it does not fit, for `state`."""
    root: Path | None
    """The repository's folder, if it exists."""
    options: Mapping[str, Any]
    """The options of the encode, as in the header."""
    note: str = ""
    """What the user should know if it does not fit."""


def consistency_of(graph_path: Path, given_root: Path | None = None) -> Consistency:
    """`given_root`: where the user says the repository is. Raises GraphNotLoaded if no graph can be served (missing,
    damaged, of a newer version), InvalidPath or BadRequest for a folder that cannot be the repository.

    A file in a `.rpg/` that is no graph, or a damaged one, is in nobody's way: the folder around it is encoded."""
    index = index_path(graph_path)
    own: Mapping[str, str] = {}
    try:
        try:
            own = read_meta(index)
        except ForeignIndex as error:
            of_copied = dict(error.meta)
            if graph_folder.repository_of(graph_path) is not None:
                of_copied.pop("root", None)  # the copy is of the folder around it
            found = _without_index(graph_path, given_root, of_copied, error.message)
            return found._replace(note="; ".join(filter(None, (f"{error.message}: rebuilt", found.note))))
        except BrokenIndex as error:
            return _without_index(graph_path, given_root, {}, error.message)
        return _with_index(graph_path, given_root, index, own)
    except BrokenIndex:
        raise
    except GraphNotLoaded as error:
        around = graph_folder.repository_of(graph_path)
        is_newer_of_ours = isinstance(error, graph_file.NewerGraph) and own
        if around is None or is_newer_of_ours or not os.path.lexists(graph_path):
            raise
        root = _checked_root(given_root, []) if given_root is not None else around
        note = f"{graph_path.name} was damaged, or no graph that this rpg reads: rebuilt"
        return Consistency(FOREIGN, error.message, root, _own_options(root, own), note)


def _with_index(graph_path: Path, given_root: Path | None, index: Path, meta: Mapping[str, str]) -> Consistency:
    """The same if the index is of this installation."""
    recorded = Path(meta["root"]) if meta.get("root") else None
    try:
        check(index, meta)
    except BrokenIndex as error:
        return _without_index(graph_path, given_root, meta, error.message)
    kind, reason = _kind(graph_path, meta)
    if kind == FOREIGN:
        return _without_index(graph_path, given_root, meta, reason)
    around = graph_folder.repository_of(graph_path)
    if given_root is None and recorded is not None and recorded.is_dir() and around in (None, recorded):
        root: Path | None = recorded
    else:
        try:
            root = _root(graph_path, given_root, recorded, lambda: _sample_of_index(index))
        except BrokenIndex as error:
            return _without_index(graph_path, given_root, meta, error.message)
    if meta.get("basis") == "graph":
        if root is not None and str(root) != meta.get("refused"):
            options, note = _options(graph_path, root, {})
            return Consistency(FOREIGN, "the index was made without the repository", root, options, note)
        root = None
    try:
        options = orjson.loads(meta.get("options") or "{}")
    except orjson.JSONDecodeError:
        return _without_index(graph_path, given_root, meta, f"the index {index} is damaged (its options)")
    return Consistency(kind, reason, root, options)


def _without_index(graph_path: Path, given_root: Path | None, own: Mapping[str, str], reason: str) -> Consistency:
    """`own`: what this installation recorded, in an index that cannot be used or of which this one is a copy."""
    recorded = Path(own["root"]) if own.get("root") else None
    root = _root(graph_path, given_root, recorded, lambda: _sample_of_graph(graph_path))
    options, note = _options(graph_path, root, own)
    return Consistency(FOREIGN, reason, root, options, note)


def _kind(graph_path: Path, meta: Mapping[str, str]) -> tuple[str, str]:
    """How graph file and index fit together, and why."""
    try:
        status = graph_path.stat()
    except FileNotFoundError:
        return AHEAD, f"the graph file {graph_path.name} was missing"
    graph_file.read_header(graph_path)
    found = _hash(graph_path, status, meta)
    if found == meta.get("graph_hash"):
        return FITS, ""
    if found == meta.get("previous_hash"):
        return LATE if meta.get("behind") else AHEAD, "the index was newer than the graph file"
    return FOREIGN, "the graph file is not the one that the index was made with"


def hash_of(graph_path: Path) -> str:
    """The hash of a graph file, without reading it if its index knows its stamp."""
    return _hash(graph_path, graph_path.stat(), read_meta(index_path(graph_path)))


def _hash(graph_path: Path, status: os.stat_result, meta: Mapping[str, str]) -> str:
    *stamp, seen_ns = (int(number) for number in meta.get("graph_stat", "0 0 0 0 0").split())
    # Its time is set back a moment, so that the next write changes it in any case.
    if stamp_of(status) == tuple(stamp) and not may_be_again(stamp[1], seen_ns):
        return meta["graph_hash"] or meta["previous_hash"]
    return graph_file.file_hash(graph_path)


def graph_stat(stamp: Stamp, seen_ns: int) -> str:
    return " ".join(map(str, (*stamp, seen_ns)))


def note_graph_file(index: Index, stamp: Stamp, seen_ns: int) -> None:
    """Records that this graph file belongs to the index, so that it need not be hashed to be recognised."""
    index.replace_meta_if_possible("graph_stat", graph_stat(stamp, seen_ns))


def _options(graph_path: Path, root: Path | None, own: Mapping[str, str]) -> tuple[Mapping[str, Any], str]:
    """The options for encoding the repository again, and a note if the graph file names others: whoever wrote it would
    decide what is left out."""
    from rpg.encoder.options import DEFAULT, USER_CHOOSES, dump_options, parse_foreign_options

    of_file = parse_foreign_options(graph_file.read_header(graph_path).get("options"))
    if root is None:
        return dump_options(DEFAULT), ""
    options = _own_options(root, own)
    of_file_alone = {name: value for name, value in dump_options(of_file).items() if name not in USER_CHOOSES}
    others = [f"{name}={_show_value(value)}" for name, value in of_file_alone.items() if options[name] != value]
    if own or not others:
        return options, ""
    return (
        options,
        f"the options in the graph file are not used, as another installation may have set them: {'; '.join(others)}",
    )


def _own_options(root: Path, own: Mapping[str, str]) -> Mapping[str, Any]:
    """The options that this installation recorded, else those that the repository has."""
    from rpg.encoder.options import dump_options, options_for, parse_options

    if own.get("basis") == "repository":
        with suppress(ValueError, BadRequest):
            return dump_options(parse_options(orjson.loads(own["options"])))
    return dump_options(options_for(root))


def _show_value(value: object) -> str:
    return shorten(", ".join(map(str, value)) if isinstance(value, list) else str(value).lower(), 100)


def root_of_graph(graph_path: Path, given_root: Path | None) -> Path | None:
    """The repository's folder, regardless of any index."""
    return _root(graph_path, given_root, None, lambda: _sample_of_graph(graph_path))


def _root(graph_path: Path, user_root: Path | None, recorded: Path | None, sample: Callable[[], Sample]) -> Path | None:
    """The repository's folder: the one the user names; else the first of the recorded folder, the current one and the
    graph's own where most files have the contents that the graph has. None if there is none.

    A graph in a `.rpg/` belongs to the folder around it, whatever the graph says, unless only the recorded folder has
    such files: a repository that was moved or copied keeps its graph, and a repository that came with a graph gets a
    new one."""
    current_sample = sample()
    if user_root is not None:
        return _checked_root(user_root, current_sample)
    recorded_only = [recorded] if recorded is not None else []
    if (around := graph_folder.repository_of(graph_path)) is not None:
        return next((folder for folder in (around, *recorded_only) if _is_folder_of(folder, current_sample)), around)
    nearby = [folder for folder in (Path.cwd(), graph_path.parent) if not holds_homes(folder)]
    return next((folder for folder in (*recorded_only, *nearby) if _is_folder_of(folder, current_sample)), None)


def _checked_root(folder: Path, sample: Sample) -> Path:
    folder = folder.expanduser().absolute()
    if not folder.is_dir():
        raise InvalidPath(f"there is no folder {folder}: name the folder of the repository that the graph was made of")
    if sample and not any((folder / path).exists() for path, _ in sample):
        raise BadRequest(
            f"{folder} is another repository: it has none of the graph's files, for instance {sample[0][0]}. "
            "Name the folder that the graph was made of"
        )
    return folder.resolve()


def _sample_of_graph(graph_path: Path) -> Sample:
    first = islice(graph_file.read_symbols(graph_path), SAMPLED)
    modules = (symbol for symbol in first if symbol.kind == "module" and symbol.hash)
    return [(symbol.path, symbol.hash) for symbol in islice(modules, SAMPLE)]


def _sample_of_index(path: Path) -> Sample:
    index = Index.open_read_only(path)
    try:
        return list_hashed_modules(index, SAMPLE)
    finally:
        index.close()


def _is_folder_of(folder: Path, sample: Sample) -> bool:
    same = sum(_has(folder, path, hash) for path, hash in sample)
    return same > 0 and 2 * same >= len(sample)


def _has(folder: Path, path: str, hash: str) -> bool:
    from rpg.encoder.hashes import span_hash
    from rpg.encoder.masking import mask
    from rpg.encoder.options import LARGEST_FILE
    from rpg.encoder.source_files.contents import normalise

    try:
        content = normalise(filesystem.read_inside(folder, path, LARGEST_FILE))
    except (RpgError, OSError):
        return False
    forms = {each for form in (content, mask(content, path)) for each in (form, form.rstrip(b"\r\n"))}
    return hash in map(span_hash, forms)
