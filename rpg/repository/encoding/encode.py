"""From a folder of sources to a graph file and its index, both or neither.

In: a folder, an output, options. Out: files and a summary.

Absent: deciding when to do it (repository.py), how graphs are made (the encoder), how they replace the old ones
(saving.py).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import apsw
import orjson

from rpg.encoder import garbage_collection
from rpg.errors import EncodeFailed
from rpg.repository import clone_graphs, known_graphs
from rpg.repository.encoding import deferred_write, lock, saving
from rpg.repository.encoding.summary import Summary, summary_of, summary_of_index
from rpg.repository.encoding.taken_place import clear_default_place
from rpg.repository.encoding.takeover import take_over
from rpg.repository.encoding.unchanged import about_encode, changes_since, code
from rpg.repository.existing_graph import is_index, refuse_name, refuse_output
from rpg.repository.locations import index_path
from rpg.repository.watch.changes import Changes
from rpg.stores import atomic, graph_folder, installation
from rpg.stores.cache import blocks
from rpg.stores.index import index_writer
from rpg.stores.index.adoption import MALFORMED, UNMISTAKABLE, is_adopted
from rpg.stores.index.index import BrokenIndex, ForeignIndex, Index, read_meta
from rpg.stores.index.reader import find_file_of_hash
from rpg.system import filesystem
from rpg.system.compression import BrokenBlock
from rpg.system.memory import explain_refusal
from rpg.text.printable import shorten

if TYPE_CHECKING:
    from rpg.encoder.encode import EncodedFile
    from rpg.encoder.options import Options
    from rpg.encoder.source_files.listing import Look

UNWRITABLE = "Nothing was replaced: free some space or make it writable, and ask again"

Made = Callable[[str, str], "EncodedFile | None"]
"""The encoded file for a path and content hash."""
Progress = Callable[[str, int, int], None]
"""Called with the name of a stage, how much of it is done, and how much there is."""


class Origin(Protocol):
    """What a graph may start from; its text names it."""

    def start(self, root: Path, graph_path: Path, metadata: Mapping[str, str], /) -> tuple[bool, str]:
        """Makes graph file and index, as a copy whose files are compared afterwards. Whether it did, and a note. The
        caller holds `writing`, and there is neither."""


class EncodeJob(NamedTuple):
    root: Path
    graph_path: Path
    options: Options
    workers: int | None = None
    progress: Progress | None = None
    full: bool = False
    """Nothing is reused."""
    edited: Iterable[str] = ()
    """Files known to be edited."""
    declined: bool = False
    """Encoding just these was refused a moment ago and is not tried again."""
    made: Made | None = None
    origin: Origin | None = None
    """What a graph starts from if there is none yet."""


def encode(
    root: Path,
    output: Path,
    options: Options,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
    full: bool = False,
    patience: float = 0.0,
    force: bool = False,
    made: Made | None = None,
    origin: Origin | None = None,
) -> Summary:
    """Encodes `root` and writes graph file and index. Reuses what did not change since the last time, unless `full`.
    Overwrites a file that rpg did not write only with `force`. `made`: files that were encoded elsewhere, by path and
    content hash, with the same rules. `origin`: what a graph starts from if there is none yet.

    Waits up to `patience` seconds for another process that writes the same graph. After any error, and after being
    killed, the old graph remains.
    """
    root, output = root.resolve(), output.absolute()
    refuse_name(output)
    moved = clear_default_place(output)
    graph_folder.make_folder(output)
    refuse_output(root, output, force=force)
    with writing(output, patience):
        if force and not is_index(index_path(output)):
            filesystem.remove(index_path(output))
        stood = _foreign(output)
        clone_graphs.note(root, output)
        summary = encode_locked(EncodeJob(root, output, options, workers, progress, full, made=made, origin=origin))
        known_graphs.note(root, output)
        replaced = f"{stood}: {'graph and index were' if summary.changed else 'it was'} rebuilt" if stood else ""
        from rpg.encoder.source_files import git

        notes = (moved, replaced, summary.note, installation.note(), git.why_not_asked(root))
        return summary._replace(note="; ".join(filter(None, notes)))


def _foreign(graph_path: Path) -> str:
    """An existing file that this installation did not make; nothing of it is used."""
    try:
        read_meta(index_path(graph_path))
    except ForeignIndex as error:
        return error.message
    except BrokenIndex:
        return f"the graph file {graph_path.name} had no index" if graph_path.exists() else ""
    return ""


@contextmanager
def writing(graph_path: Path, patience: float = 0.0, *, finish: bool = True) -> Iterator[None]:
    """Locks the graph against all other processes; a failed write raises EncodeFailed. Completes a deferred write of
    another process first, unless `finish` says that the caller does."""
    index = index_path(graph_path)
    with _failures_reported(graph_path):
        graph_folder.refuse_foreign_folder(graph_path)
        for path in (graph_path, index):
            filesystem.refuse_foreign(path)
        index.parent.mkdir(parents=True, exist_ok=True)
        with lock.hold(index.with_name(index.name + "-lock"), patience):
            atomic.sweep(graph_path)
            atomic.sweep(index)
            if finish:
                deferred_write.finish(graph_path)
            yield


def encode_locked(job: EncodeJob) -> Summary:
    """`encode` for a caller that holds `writing`."""
    try:
        return _encoded_by_least(job)
    except MALFORMED as error:
        if job.full or not (isinstance(error, UNMISTAKABLE) or is_adopted(index_path(job.graph_path))):
            raise
        return _encoded_by_least(job._replace(full=True, made=None))


def _encoded_by_least(job: EncodeJob) -> Summary:
    """Does no more than the changes require."""
    started = time.perf_counter()
    root, graph_path, options = job.root, job.graph_path, job.options
    index = index_path(graph_path)
    metadata = about_encode(root, options)
    is_first = not job.full and not index.exists() and not graph_path.exists()
    is_taken, note = _start(job, metadata) if is_first else (False, _explain_unused(job))
    summary = _brought_up(job, metadata, started, is_taken)
    return summary._replace(note="; ".join(filter(None, (note, summary.note))))


def _start(job: EncodeJob, metadata: dict[str, str]) -> tuple[bool, str]:
    """Takes over what another folder or a bundle has; whether there is a graph now, and a note."""
    note = ""
    if job.origin is not None:
        is_taken, note = job.origin.start(job.root, job.graph_path, metadata)
        if is_taken:
            return True, note
    taken = take_over(job.root, job.graph_path, metadata)
    started = f"started from the graph of {shorten(str(taken), 200)}" if taken is not None else ""
    return taken is not None, "; ".join(filter(None, (note, started)))


def _explain_unused(job: EncodeJob) -> str:
    if job.origin is None:
        return ""
    why = "everything is encoded anew" if job.full else "there is a graph already"
    return f"{job.origin} was not used: {why}"


def _brought_up(job: EncodeJob, metadata: dict[str, str], started: float, is_taken: bool) -> Summary:
    """From what there is, by what has changed since. `is_taken`: it is another folder's, and its header, too."""
    root, graph_path, options = job.root, job.graph_path, job.options
    index = index_path(graph_path)
    changes, look = (None, None) if job.full else changes_since(root, graph_path, metadata, job.edited)
    if changes == Changes() and not is_taken:
        return summary_of_index(root, graph_path, index, started)
    if changes is not None and not changes.paths:
        with _failures_reported(graph_path):
            saving.restate(graph_path, changes.identity)
        return summary_of_index(root, graph_path, index, started)._replace(changed=True)
    if changes is not None and not job.declined:
        from rpg.repository.encoding.incremental import encode_affected

        with _failures_reported(graph_path), garbage_collection.pause_collection():
            parsed = encode_affected(root, graph_path, options, metadata, changes)
        if parsed is not None:
            return summary_of_index(root, graph_path, index, started, parsed)
    with garbage_collection.pause_collection():
        try:
            return _encode_and_save(job, metadata, started, look)
        except BrokenBlock:  # damage in what the index knows about files
            return _encode_and_save(job._replace(full=True, made=None), metadata, started, None)


def encode_edits(root: Path, graph_path: Path, options: Options, edited: tuple[str, ...]) -> bool:
    """Encodes only the edited files and leaves the graph file to deferred_write.py; the caller holds `writing`. Returns
    whether that was possible; if not, nothing was done."""
    from concurrent.futures import ThreadPoolExecutor

    from rpg.encoder.source_files.listing import identity_after
    from rpg.repository.encoding.incremental import encode_affected

    if not graph_path.exists():
        return False
    with ThreadPoolExecutor(1) as pool, _failures_reported(graph_path), garbage_collection.pause_collection():
        # asking git is slow, so it runs alongside; this edit may be what makes the tree dirty
        now = pool.submit(identity_after, edited, root, options)
        try:
            parsed = encode_affected(
                root, graph_path, options, about_encode(root, options), Changes(edited), now.result
            )
        except MALFORMED as error:
            if not (isinstance(error, UNMISTAKABLE) or is_adopted(index_path(graph_path))):
                raise
            return False
    return parsed is not None


def _encode_and_save(job: EncodeJob, metadata: dict[str, str], started: float, look: Look | None) -> Summary:
    """A separate function, so that the graph is freed before the garbage collector traverses it."""
    from rpg.encoder import encode as encoder

    root, graph_path, options = job.root, job.graph_path, job.options
    index = index_path(graph_path)
    with ExitStack() as stack:
        with open_cache(None if job.full else index, options.mask_secrets) as cache:
            # If nothing is known, everything is rebuilt.
            draft = stack.enter_context(index_writer.draft_index(index)) if cache is None else None
            shared = stack.enter_context(blocks.open_cache(not job.full)) if options.mask_secrets else None
            encoded = encoder.encode(
                root, options,
                workers=job.workers, progress=job.progress, cache=_either(cache, job.made), keeper=draft, look=look,
                shared=shared,
            )  # fmt: skip
        written = time.perf_counter()
        report = encoder.shares(job.progress, "write")
        with _failures_reported(graph_path):
            found = {"beside": encoded.unlisted, "unread": encoded.unread, "consulted": encoded.consulted}
            metadata |= {key: orjson.dumps(each).decode() for key, each in found.items()}
            changed = saving.save(graph_path, encoded, metadata, draft, report)
    if report is not None:
        report(1.0)
    ended = time.perf_counter()
    seconds = {**encoded.seconds, "write": ended - written, "total": ended - started}
    return summary_of(root, graph_path, index, encoded, changed, seconds)


def _either(first: Made | None, second: Made | None) -> Made | None:
    if first is None or second is None:
        return first or second
    return lambda path, hash: first(path, hash) or second(path, hash)


@contextmanager
def _failures_reported(graph_path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if told := explain_refusal(error):
            raise EncodeFailed(f"cannot write {graph_path}: {told}. Nothing was replaced") from error
        raise EncodeFailed(f"cannot write {graph_path}: {error}. {UNWRITABLE}") from error
    except (apsw.FullError, apsw.IOError, apsw.BusyError, apsw.ReadOnlyError, apsw.CantOpenError) as error:
        raise EncodeFailed(f"cannot write {index_path(graph_path)}: {error}. {UNWRITABLE}") from error


@contextmanager
def open_cache(
    path: Path | None, masks_secrets: bool = True
) -> Iterator[Callable[[str, str], EncodedFile | None] | None]:
    """What an index knows about a file with the same path and content, if exactly this code made it, with the masking
    that is wanted now."""
    from rpg.encoder.encode import EncodedFile

    index = _open_index(path, masks_secrets) if path else None
    if index is None:
        yield None
        return

    def cache(path: str, hash: str) -> EncodedFile | None:
        try:
            row = find_file_of_hash(index, EncodedFile._fields, path, hash)
        except BrokenIndex:
            return None  # damaged in a place that opening it did not touch; it is about to be replaced
        return EncodedFile(*row) if row else None

    try:
        yield cache
    finally:
        index.close()


def _open_index(path: Path, masks_secrets: bool) -> Index | None:
    try:
        meta = read_meta(path)
        masked = orjson.loads(meta.get("options") or "{}").get("mask_secrets", True)
        return Index.open_read_only(path) if (meta.get("code"), masked) == (code(), masks_secrets) else None
    except (BrokenIndex, orjson.JSONDecodeError):
        return None
