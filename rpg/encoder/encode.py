"""From a folder to a graph: list, read, parse in worker processes, resolve, count. Nothing is written here.

The order of files, the number of workers and what was reused leave no trace in the graph.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from rpg import __version__
from rpg.compression import compress, decompress
from rpg.encoder import collector
from rpg.encoder import files as listing_room
from rpg.encoder.bags import bags, forget
from rpg.encoder.confidence import CONFIDENCE, is_certain
from rpg.encoder.facts import FileFacts
from rpg.encoder.files import Entry, Listing, Skipped
from rpg.encoder.hashes import content_hash
from rpg.encoder.languages import BY_NAME, by_path
from rpg.encoder.masking import mask
from rpg.encoder.options import DEFAULT, Options, to_json
from rpg.encoder.packing import pack, unpack
from rpg.encoder.parse import parse
from rpg.encoder.resolve import Resolved, resolve
from rpg.encoder.resolve.incremental.saved_state import Kept
from rpg.errors import EncodeFailed
from rpg.graph import FORMAT, FORMAT_VERSION, RULES_VERSION, Graph
from rpg.stamp import Stamp

Progress = Callable[[str, int, int], None]

_ALONE = 3_000_000
"""Bytes of source; less is parsed in this process, as starting workers would cost more than they save."""
_CHUNK = 24
"""Files that a worker takes at a time."""


class EncodedFile(NamedTuple):
    """One file as the index keeps it; the blocks of a skipped file are empty."""

    path: str
    language: str
    hash: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    indexed_ns: int
    skipped: str
    source: bytes
    """Compressed UTF-8."""
    facts: bytes
    """Compressed, see packing.pack."""
    bags: bytes
    """Token counts for the search index."""

    @property
    def stamp(self) -> Stamp:
        return self.size, self.mtime_ns, self.ctime_ns, self.inode


class Keeper(Protocol):
    """Where the blocks of files go as soon as they are made, so that they are not held until all files are known."""

    def add(self, file: EncodedFile, /) -> None: ...

    def source(self, path: str, /) -> bytes:
        """The text of a file that was added."""


class Encoded(NamedTuple):
    graph: Graph
    files: list[EncodedFile]
    """Without their blocks, where a keeper took them."""
    parsed: int
    reused: int
    seconds: dict[str, float]
    """Wall time by stage."""
    kept: Kept
    """What resolution leaves behind for the next edit."""
    beside: dict[str, str]
    """What resolution asked for that is not listed and may have a say (`files.read_left_out`): content hash by path,
    empty for what is not there."""
    unread: dict[str, tuple[int, int, int, int, int]]
    """Files that were opened and skipped for what is in them: their stamps, and a time before they were read."""


def encode(
    root: Path,
    options: Options = DEFAULT,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
    cache: Callable[[str, str], EncodedFile | None] | None = None,
    keeper: Keeper | None = None,
    revision: str = "",
) -> Encoded:
    """The graph of a repository, or of one of its revisions.

    `cache(path, hash)` gives back what an earlier encode made of the same bytes under the same rules. A `keeper` is
    given all files.
    Raises EncodeFailed where there is no source file, InvalidPath and BadRequest as `files.list_files` does.
    """
    started, started_ns = time.perf_counter(), time.time_ns()
    listing = listing_room.list_files(root, options, revision)
    listed = time.perf_counter()
    with collector.paused():
        encoded: list[EncodedFile] = []
        skipped = list(listing.skipped)
        facts: list[FileFacts] = []
        others: list[str] = []
        parsed = reused = 0
        total = len(listing.entries)
        for result in _read_and_parse(root, listing, options.mask_secrets, workers, cache):
            if isinstance(result, Skipped):
                skipped.append(result)
            else:
                file, block = result
                if block:
                    facts.append(unpack(block) if isinstance(block, bytes) else block)
                    parsed += 1
                elif file.facts:
                    facts.append(unpack(decompress(file.facts)))
                    reused += 1
                else:
                    others.append(file.path)
                encoded.append(file if keeper is None else _kept_by(keeper, file))
            if progress is not None and (len(encoded) + len(skipped)) % 16 == 0:
                progress("parse", min(len(encoded) + len(skipped), total), total)
        if not facts:
            raise EncodeFailed(
                f"no source file in {root}: of {total + len(listing.skipped)} files none is in a known language "
                f"({', '.join(sorted(BY_NAME))}) and can be parsed; check the path, and what include and exclude leave"
            )
        if progress is not None:
            progress("parse", total, total)
            progress("resolve", 0, 1)
        read = time.perf_counter()
        encoded.sort(key=lambda file: file.path)
        beside: dict[str, str] = {}
        may_be_beside = options.include or options.exclude or listing.source == "walk"
        read_file = _reader(root, listing, _sources(encoded, keeper), skipped, beside if may_be_beside else None)
        resolved = resolve(facts, others, read_file, is_certain, options.roots)
        if progress is not None:
            progress("resolve", 1, 1)
        header = _header(root, options, revision, encoded, facts, skipped, resolved)
    done = time.perf_counter()
    seconds = {"list": listed - started, "parse": read - listed, "resolve": done - read}
    graph = Graph(header, resolved.symbols, resolved.edges, resolved.places)
    assert resolved.kept is not None
    opened = {each.path for each in skipped[len(listing.skipped) :]}
    unread = {entry.path: (*entry.stamp, started_ns) for entry in listing.entries if entry.path in opened}
    return Encoded(graph, encoded, parsed, reused, seconds, resolved.kept, beside, unread)


Result = Skipped | tuple[EncodedFile, FileFacts | bytes]
"""A file, and its facts where they were made now and not found: packed where they come from a worker."""


def _read_and_parse(
    root: Path,
    listing: Any,
    masks: bool,
    workers: int | None,
    cache: Callable[[str, str], EncodedFile | None] | None,
) -> Iterator[Result]:
    entries: list[Entry] = listing.entries
    if cache is not None or listing.source not in ("git", "walk"):
        fresh: list[tuple[Entry, bytes]] = []
        for entry, data in listing_room.read_all(root, listing):
            if isinstance(data, Skipped):
                yield data
                continue
            known = cache(entry.path, content_hash(data)) if cache is not None else None
            language = by_path(entry.path, data[:80])
            if known is not None and known.language == (language.name if language else ""):
                _, mtime_ns, ctime_ns, inode = entry.stamp
                now = time.time_ns()
                seen = known._replace(
                    size=entry.size, mtime_ns=mtime_ns, ctime_ns=ctime_ns, inode=inode, indexed_ns=now
                )
                yield seen, b""
            else:
                fresh.append((entry, data))
        work: list[Any] = fresh
        size = sum(len(data) for _, data in fresh)
    else:
        work = entries
        size = sum(entry.size for entry in entries if by_path(entry.path) is not None)
    count = workers or min(os.cpu_count() or 1, 8)
    if count == 1 or size < _ALONE:
        for item in work:
            yield read_and_parse(root, masks, item)
        forget()
        return
    # Largest first, so that no worker is left alone with a large file at the end.
    work = sorted(work, key=lambda item: -(item[0].size if isinstance(item[0], Entry) else item.size))
    chunks = [work[at :: _strides(len(work))] for at in range(_strides(len(work)))]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(count, mp_context=context, initializer=_begin_worker) as pool:
        for results in pool.map(_many, [root] * len(chunks), [masks] * len(chunks), chunks):
            yield from results


def _begin_worker() -> None:
    """A worker ends with whoever started it: one that was killed cannot tell it to."""
    gc.disable()
    threading.Thread(target=_end_with_starter, daemon=True).start()


def _end_with_starter() -> None:
    starter = multiprocessing.parent_process()
    if starter is not None:
        starter.join()
        os._exit(1)


def _strides(count: int) -> int:
    return max(1, count // _CHUNK)


def _many(root: Path, masks: bool, items: list[Any]) -> list[Result]:
    return [read_and_parse(root, masks, item, packed=True) for item in items]


def read_and_parse(root: Path, masks: bool, item: Any, packed: bool = False) -> Result:
    """Read (unless given) and parse one file."""
    entry, data = item if isinstance(item[0], Entry) else (item, None)
    now = time.time_ns()
    source = listing_room.read(root, entry) if data is None else data
    if isinstance(source, Skipped):
        return source
    return parsed(entry, source, masks, now, packed)


def parsed(entry: Entry, source: bytes, masks: bool, now: int, packed: bool = False) -> Result:
    """One file that was read at the time `now`."""
    language = by_path(entry.path, source[:80])
    digest = content_hash(source)
    if masks:
        source = mask(source)
    compressed = compress(source)
    name = language.name if language else ""
    plain = EncodedFile(entry.path, name, digest, entry.size, *entry.stamp[1:], now, "", compressed, b"", b"")
    if language is None:
        return plain, b""
    try:
        facts = parse(entry.path, language, source)
    except RecursionError:
        return Skipped(entry.path, "nested too deeply to be parsed")
    block = pack(facts)
    return plain._replace(facts=compress(block), bags=bags(facts, source)), block if packed else facts


def _kept_by(keeper: Keeper, file: EncodedFile) -> EncodedFile:
    keeper.add(file)
    return file._replace(source=b"", facts=b"", bags=b"")


def _sources(files: Iterable[EncodedFile], keeper: Keeper | None) -> Callable[[str], bytes | None]:
    """The text of a file; None where there is none of that path."""
    known = {file.path: file for file in files}

    def source(path: str) -> bytes | None:
        if path not in known:
            return None
        return keeper.source(path) if keeper is not None else decompress(known[path].source)

    return source


def _reader(
    root: Path,
    listing: Listing,
    sources: Callable[[str], bytes | None],
    skipped: Iterable[Skipped],
    beside: dict[str, str] | None,
) -> Callable[[str], bytes]:
    """What resolution may read beside facts (configurations, and whether a file is there at all): the files that were
    listed, so that neither what git ignores nor the work tree has a say in the graph of a commit.

    A file that was skipped is there without its text, and so is all that lies in a tree that was skipped.
    `beside` takes what was asked for that is neither.
    """
    without_text = {each.path for each in skipped}
    trees = tuple(path for path in without_text if path.endswith("/"))

    def read_file(path: str) -> bytes:
        source = sources(path)
        if source is not None:
            return source
        if path not in listing.left_out and (path in without_text or path.startswith(trees)):
            return b"\n"
        data = listing_room.read_left_out(root, listing, path)
        if beside is not None:
            beside[path] = content_hash(data) if data else ""
        return data

    return read_file


def _header(
    root: Path,
    options: Options,
    revision: str,
    files: list[EncodedFile],
    facts: Iterable[FileFacts],
    skipped: list[Skipped],
    resolved: Resolved,
) -> dict[str, Any]:
    identity = listing_room.identity(root, options)
    languages: dict[str, dict[str, int]] = {}
    problems = {}
    for each in facts:
        counts = languages.setdefault(each.language, {"files": 0, "definitions": 0})
        counts["files"] += 1
        counts["definitions"] += len(each.definitions) - 1
        if each.problems:
            problems[each.path] = each.problems
    repository: dict[str, Any] = {"name": root.resolve().name}
    if identity.url:
        repository["url"] = identity.url
    if revision:
        repository["revision"] = revision
    elif identity.commit:
        repository["commit"] = identity.commit
        repository["dirty"] = identity.dirty
    names = ("certain", "possible", "external", "unresolved", "ambiguous")
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "encoder": __version__,
        "rules": RULES_VERSION,
        "repository": repository,
        "options": to_json(options),
        "files": len(files),
        "languages": {name: languages[name] for name in sorted(languages)},
        "references": {name: dict(zip(names, resolved.counts[name], strict=True)) for name in sorted(resolved.counts)},
        "confidence": {name: CONFIDENCE[name] for name in sorted(languages) if name in CONFIDENCE},
        "skipped": [{"path": each.path, "reason": each.reason} for each in sorted(skipped)],
        "problems": [{"path": path, "messages": problems[path]} for path in sorted(problems)],
    }
