"""From a folder to a graph: list, read, parse in worker processes, resolve, count.

In: a folder, options, perhaps a cache. Out: the graph and the entries of its files. The order of files, the number of
workers and the use of a cache leave no trace in the graph. Absent: writing.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from rpg import __version__
from rpg.encoder import garbage_collection
from rpg.encoder.areas import SKETCHES, functional_view, pack_sketches, sketches
from rpg.encoder.confidence import CONFIDENCE, is_certain
from rpg.encoder.facts import FileFacts
from rpg.encoder.frameworks import CONTRACTS, Contracts, insert_crossings, rows_of
from rpg.encoder.frameworks import pack_rows as packed_rows
from rpg.encoder.hashes import content_hash
from rpg.encoder.languages import BY_NAME, find_language, read_language, suffix_of
from rpg.encoder.libraries import Libraries, read_libraries, symbols_of
from rpg.encoder.options import DEFAULT, Options, dump_options
from rpg.encoder.parsing import shared_facts
from rpg.encoder.parsing.packing import unpack
from rpg.encoder.parsing.shared_facts import Blocks
from rpg.encoder.parsing.worker_pool import EncodedFile as EncodedFile
from rpg.encoder.parsing.worker_pool import parse_all, start_ahead
from rpg.encoder.resolve import Kept, Resolved, resolve
from rpg.encoder.scip import NO_INDEX, Compiled, compile_index, pack_compiled
from rpg.encoder.source_files import listing as listing_room
from rpg.encoder.source_files.contents import is_named_only
from rpg.encoder.source_files.listing import Entry, Identity, Listing, Look, Skipped
from rpg.errors import EncodeFailed
from rpg.graph import FORMAT, FORMAT_VERSION, RULES_VERSION, Graph
from rpg.system.compression import decompress

Progress = Callable[[str, int, int], None]

COMPILED = "compiler"
"""The part of the survey that has what a compiler said."""
_OPENING = 500
"""What reading a file costs, in bytes that could be parsed in that time."""
_KINDS_NAMED = 40
"""How many kinds of files that no parser reads the header names."""
_ALONE = 3_000_000
"""Bytes of source; anything less is parsed by one worker, because starting more would cost more than they save."""


class Keeper(Protocol):
    """Takes the blocks of each file as soon as they are made, so that they are not held until all files are known."""

    def add(self, file: EncodedFile, /) -> None: ...

    def source(self, path: str, /) -> bytes:
        """The text of a file that was added."""


class Encoded(NamedTuple):
    graph: Graph
    files: list[EncodedFile]
    """Includes files that were skipped when they were parsed, so that they are not tried again before they change;
    files skipped before that have no content. Without their blocks if a keeper took them."""
    parsed: int
    reused: int
    seconds: dict[str, float]
    """Wall time by stage."""
    kept: Kept
    """The state that resolution saves for the next edit."""
    unlisted: dict[str, str]
    """Unlisted files that resolution asked for and that may influence it (`listing.read_left_out`): content hash by
    path, empty for a file that does not exist."""
    unread: dict[str, tuple[int, int, int, int, int]]
    """Files that were opened and skipped because of their contents: their stamps, and a time before they were read."""
    consulted: list[str]
    """Files whose contents resolution asked for: configuration, which may change what other files mean."""


def encode(
    root: Path,
    options: Options = DEFAULT,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
    cache: Callable[[str, str], EncodedFile | None] | None = None,
    keeper: Keeper | None = None,
    revision: str = "",
    look: Look | None = None,
    shared: Blocks | None = None,
    saves: bool = True,
) -> Encoded:
    """The graph of a repository, or of one of its revisions.

    `cache(path, hash)` returns what an earlier encode made from the same bytes under the same rules. A `keeper`
    receives all files. A `look` is a recent scan of the folder, which is then not repeated. `shared` has what was made
    of the same files in other folders, and gets what is made now. Without `saves` no edit can follow. Raises
    EncodeFailed if there is no source file, InvalidPath and BadRequest as `listing.list_files` does.
    """
    started = time.perf_counter()
    if cache is None and (shared is None or shared.is_empty):
        start_ahead()  # takes as long as listing
    look = look or listing_room.look(root, options, revision)
    listing, listed_ns = look.listing, look.listed_ns
    listed = time.perf_counter()
    with garbage_collection.pause_collection():
        files = _read_and_parse(root, listing, options, listed_ns, workers, cache, shared)
        encoded, skipped, facts, texts, parsed, reused = _gather(files, listing, keeper, progress)
        if not facts and not texts:
            raise EncodeFailed(
                f"no source file in {root}: of {len(listing.entries) + len(listing.skipped)} files none is text that "
                "can be read; check the path, include and exclude"
            )
        identity = listing_room.identity_as_read(root, options, look)
        read = time.perf_counter()
        unlisted: dict[str, str] = {}
        consulted: set[str] = set()
        may_be_beside = options.include or options.exclude or listing.source == "walk"
        sources = _sources(encoded, keeper)
        read_file = _reader(root, listing, sources, skipped, unlisted if may_be_beside else None, consulted)
        # A commit's graph depends on nothing in the work tree.
        compiled = _read_compiled(root, options.scip, encoded, sources, unlisted) if not revision else NO_INDEX
        libraries = None
        if options.libraries:
            libraries = read_libraries(root, options, (file.path for file in encoded), shared, workers or 1)
        resolved = resolve(
            facts, texts, read_file, is_certain, options.roots, shares(progress, "resolve"), saves, compiled,
            libraries.files if libraries is not None else None,
        )  # fmt: skip
        header = _header(root, options, revision, identity, encoded, [*facts, *texts], skipped, resolved)
        if options.scip:
            header |= {"compiler": about_compiler(options.scip, compiled)}
        if libraries is not None:
            header |= {"libraries": libraries.about}
        rows = [rows_of(file, sources(path) or b"") for path, file in resolved.concerned.items()]
        edges_of_graph = insert_crossings(resolved.symbols, resolved.edges, Contracts(rows).edges())
        resolved = resolved._replace(edges=edges_of_graph, concerned={})
    assert resolved.kept is not None
    drawn = sketches(resolved.symbols, resolved.edges, {each.path for each in encoded})
    survey = [*resolved.kept.survey, (SKETCHES, pack_sketches(drawn)), (CONTRACTS, packed_rows(rows))]
    if options.scip:
        survey.append((COMPILED, pack_compiled(compiled)))
    if libraries is not None:
        survey += libraries.rows
    kept = resolved.kept._replace(survey=survey)
    symbols, edges = functional_view(drawn)
    if libraries is not None:
        resolved = _with_libraries(resolved, libraries)
    resolved.symbols[:0], resolved.edges[:0] = symbols, edges
    graph = Graph(header, resolved.symbols, resolved.edges, resolved.places)
    done = time.perf_counter()
    seconds = {"list": listed - started, "parse": read - listed, "resolve": done - read}
    opened = {each.path for each in skipped[len(listing.skipped) :]} - {file.path for file in encoded}
    unread = {entry.path: (*entry.stamp, listed_ns) for entry in listing.entries if entry.path in opened}
    return Encoded(graph, encoded, parsed, reused, seconds, kept, unlisted, unread, sorted(consulted))


def _with_libraries(resolved: Resolved, libraries: Libraries) -> Resolved:
    """With the symbols of libraries where their paths belong."""
    symbols, edges = symbols_of(libraries)
    path_of = {symbol.id: symbol.path for symbol in (*resolved.symbols, *symbols)}
    return resolved._replace(
        symbols=sorted([*resolved.symbols, *symbols], key=lambda symbol: symbol.path),
        edges=sorted([*resolved.edges, *edges], key=lambda edge: path_of[edge.source]),
    )


def _read_compiled(
    root: Path,
    index: str,
    files: list[EncodedFile],
    sources: Callable[[str], bytes | None],
    unlisted: dict[str, str],
) -> Compiled:
    """What a compiler's index says of the files as they are; its hash is added to `unlisted`."""
    if not index:
        return NO_INDEX
    data = listing_room.read_compiler_index(root, index)
    unlisted[index] = content_hash(data) if data else ""
    if not data:
        return NO_INDEX._replace(problem="it is not there, or cannot be read")
    hashes = {file.path: file.hash for file in files if not file.skipped and BY_NAME[file.language].refers}
    return compile_index(data, index[: index.rfind("/") + 1], hashes, sources)


def about_compiler(index: str, compiled: Compiled) -> dict[str, Any]:
    """What the header says of a compiler's index."""
    about: dict[str, Any] = {"index": index, "files": [*compiled.files], "other_text": compiled.other}
    return about | ({"problem": compiled.problem} if compiled.problem else {})


class _Gathered(NamedTuple):
    encoded: list[EncodedFile]
    """Sorted by path."""
    skipped: list[Skipped]
    facts: list[FileFacts]
    texts: list[FileFacts]
    """Facts of files that refer to nothing."""
    parsed: int
    reused: int


def _gather(
    files: Iterable[tuple[EncodedFile | Skipped, bool]], listing: Listing, keeper: Keeper | None,
    progress: Progress | None,
) -> _Gathered:  # fmt: skip
    """What was made of each file, and whether the cache had it, until all are there."""
    encoded: list[EncodedFile] = []
    skipped = list(listing.skipped)
    facts: list[FileFacts] = []
    texts: list[FileFacts] = []
    parsed = reused = 0
    sizes = {entry.path: _size_to_parse(entry) for entry in listing.entries} if progress else {}
    report = shares(progress, "parse")
    bytes_seen, every = 0, sum(sizes.values()) or 1
    for file, is_known in files:
        if report is not None:
            bytes_seen += sizes.get(file.path, 0)
            report(min(1.0, bytes_seen / every))
        if isinstance(file, Skipped):
            skipped.append(file)
            continue
        if file.skipped:
            skipped.append(Skipped(file.path, file.skipped))
        else:
            (facts if BY_NAME[file.language].refers else texts).append(unpack(decompress(file.facts)))
            parsed, reused = parsed + (not is_known), reused + is_known
        encoded.append(file if keeper is None else _kept_by(keeper, file))
    if report is not None:
        report(1.0)
    encoded.sort(key=lambda file: file.path)
    return _Gathered(encoded, skipped, facts, texts, parsed, reused)


def shares(progress: Progress | None, stage: str) -> Callable[[float], None] | None:
    """Reports the share of a stage that is done, each whole percent once, the first at once; None if nobody listens."""
    if progress is None:
        return None
    reported = 0
    progress(stage, 0, 100)

    def report(share: float) -> None:
        nonlocal reported
        percent = int(share * 100)
        if percent > reported:
            reported = percent
            progress(stage, percent, 100)

    return report


def _size_to_parse(entry: Entry) -> int:
    """The work for a file, in bytes; little for a file that is only read."""
    return entry.size + _OPENING if find_language(entry.path).grammar else _OPENING


def _read_and_parse(
    root: Path,
    listing: Listing,
    options: Options,
    listed_ns: int,
    workers: int | None,
    cache: Callable[[str, str], EncodedFile | None] | None,
    shared: Blocks | None,
) -> Iterator[tuple[EncodedFile | Skipped, bool]]:
    """Every listed file, in no order, and whether it was known. If there is much to parse, the largest files come
    first, so that no worker ends up alone with a large one."""
    files: Iterable[tuple[Entry, bytes | Skipped | EncodedFile]]
    found: set[str] = set()
    if cache is not None:
        fresh: list[tuple[Entry, bytes | Skipped]] = []
        for entry, data in listing_room.read_all(root, listing):
            known = None if isinstance(data, Skipped) else _find_known(cache, shared, entry, data, listed_ns)
            if known is not None:
                yield known, True
            else:
                fresh.append((entry, data))
        size = sum(len(data) for _, data in fresh if isinstance(data, bytes))
        files = sorted(fresh, key=lambda file: -file[0].size) if size >= _ALONE else fresh
    else:
        size = sum(entry.size for entry in listing.entries if find_language(entry.path).grammar)
        if size >= _ALONE:
            listing = listing._replace(entries=sorted(listing.entries, key=lambda entry: -entry.size))
        files = listing_room.read_all(root, listing)
        if shared is not None:
            files = _with_shared(files, shared, listed_ns, found)
    count = (workers or min(os.cpu_count() or 1, 8)) if size >= _ALONE else 1
    for file in parse_all(files, options.mask_secrets, listed_ns, count):
        is_known = file.path in found
        if shared is not None and not is_known and isinstance(file, EncodedFile):
            shared_facts.add(shared, file)
        yield file, is_known


def _with_shared(
    files: Iterable[tuple[Entry, bytes | Skipped]], shared: Blocks, listed_ns: int, found: set[str]
) -> Iterator[tuple[Entry, bytes | Skipped | EncodedFile]]:
    """Files with what was made of them elsewhere, if it was; their paths are added to `found`."""
    for entry, data in files:
        known = None if isinstance(data, Skipped) else _find_known(None, shared, entry, data, listed_ns)
        if known is not None:
            found.add(entry.path)
        yield entry, known or data


def _find_known(
    cache: Callable[[str, str], EncodedFile | None] | None,
    shared: Blocks | None,
    entry: Entry,
    data: bytes,
    listed_ns: int,
) -> EncodedFile | None:
    hash = content_hash(data)
    language = read_language(entry.path, data).name
    known = cache(entry.path, hash) if cache is not None else None
    if known is not None and (known.skipped or known.language == language):
        _, mtime_ns, ctime_ns, inode = entry.stamp
        return known._replace(size=entry.size, mtime_ns=mtime_ns, ctime_ns=ctime_ns, inode=inode, indexed_ns=listed_ns)
    return shared_facts.find(shared, entry, hash, language, listed_ns) if shared is not None else None


def _kept_by(keeper: Keeper, file: EncodedFile) -> EncodedFile:
    keeper.add(file)
    return file._replace(source=b"", facts=b"", terms=b"")


def _sources(files: Iterable[EncodedFile], keeper: Keeper | None) -> Callable[[str], bytes | None]:
    """The text of a file; None if there is none at that path."""
    known = {file.path: file for file in files if not file.skipped}

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
    unlisted: dict[str, str] | None,
    consulted: set[str],
) -> Callable[[str], bytes]:
    """What resolution may read besides facts (configurations, and whether a file exists at all): listed files only, so
    that neither ignored files nor the work tree influence the graph of a commit.

    A skipped file exists but has no text, and so does everything in a skipped tree. `unlisted` collects the requested
    files that are neither, `consulted` those that have a text.
    """
    without_text = {each.path for each in skipped}
    trees = tuple(path for path in without_text if path.endswith("/"))

    def read_file(path: str) -> bytes:
        source = sources(path)
        if source is not None:
            consulted.add(path)
            return source
        if path not in listing.left_out and (path in without_text or path.startswith(trees)):
            return b"\n"
        data = listing_room.read_left_out(root, listing, path)
        if unlisted is not None:
            unlisted[path] = content_hash(data) if data else ""
        return data

    return read_file


def _header(
    root: Path,
    options: Options,
    revision: str,
    identity: Identity,
    files: list[EncodedFile],
    facts: Iterable[FileFacts],
    skipped: list[Skipped],
    resolved: Resolved,
) -> dict[str, Any]:
    languages: dict[str, dict[str, int]] = {}
    problems = {}
    for each in facts:
        counts = languages.setdefault(each.language, {"files": 0, "definitions": 0})
        counts["files"] += 1
        counts["definitions"] += len(each.definitions) - 1
        if each.problems:
            problems[each.path] = each.problems
    opaque = [file for file in files if file.language and BY_NAME[file.language].is_opaque]
    for file in opaque:
        counts = languages[file.language]
        counts["counted_in_part"] = counts.get("counted_in_part", 0) + is_counted_in_part(file)
    repository: dict[str, Any] = {"name": root.resolve().name}
    if identity.url:
        repository["url"] = identity.url
    if revision:
        repository["revision"] = revision
    elif identity.commit:
        repository["commit"] = identity.commit
        repository["dirty"] = identity.dirty
    names = ("certain", "possible", "external", "unresolved", "ambiguous")
    limited = [
        {"path": path, "reason": resolved.limited[path]}
        | ({"words": resolved.cut[path]} if path in resolved.cut else {})
        for path in sorted(resolved.limited)
    ]
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "encoder": __version__,
        "rules": RULES_VERSION,
        "repository": repository,
        "options": dump_options(options._replace(library_folders=())),
        "files": sum(not file.skipped for file in files),
        "languages": {name: languages[name] for name in sorted(languages)},
        "tiers": {name: BY_NAME[name].tier for name in sorted(languages)},
        "not_parsed": count_opaque_kinds(file.path for file in opaque),
        "references": {name: dict(zip(names, resolved.counts[name], strict=True)) for name in sorted(resolved.counts)},
        "confidence": {name: CONFIDENCE[name] for name in sorted(languages) if name in CONFIDENCE},
        "skipped": [{"path": each.path, "reason": each.reason} for each in sorted(skipped)],
        "problems": [{"path": path, "messages": problems[path]} for path in sorted(problems)],
    } | ({"limited": limited} if limited else {})


def count_opaque_kinds(paths: Iterable[str]) -> dict[str, int]:
    """The most frequent kinds of files that no parser reads, and how many there are of each; but for pictures and the
    like, in which there is nothing to parse."""
    kinds = sorted(
        Counter(suffix_of(each) for each in paths if not is_named_only(each)).items(),
        key=lambda kind: (-kind[1], kind[0]),
    )
    return dict(kinds[:_KINDS_NAMED])


def is_counted_in_part(file: EncodedFile) -> bool:
    """Whether a file is so large that search by words knows only its beginning."""
    return bool(file.language) and file.size > BY_NAME[file.language].count_search_bytes(file.path)
