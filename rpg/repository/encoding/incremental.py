"""Encodes an edit that affects few files: only the edited files are parsed; they and the affected files are resolved
and written.

In: what changed since the index was made. Out: graph file and index as a full encode would leave them; or nothing done,
if the edit may affect more files (resolve/incremental/).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import orjson

from rpg.encoder.areas import SKETCHES, functional_view, pack_sketches, sketches, unpack_sketches
from rpg.encoder.confidence import is_certain
from rpg.encoder.encode import COMPILED, EncodedFile, is_counted_in_part
from rpg.encoder.facts import FileFacts
from rpg.encoder.frameworks import concerned_text, setting_kind
from rpg.encoder.hashes import content_hash
from rpg.encoder.languages import BY_NAME, Language, find_language
from rpg.encoder.options import Options
from rpg.encoder.parsing import shared_facts
from rpg.encoder.parsing.packing import unpack
from rpg.encoder.parsing.shared_facts import Blocks
from rpg.encoder.parsing.worker_pool import parse_one
from rpg.encoder.resolve import Kept, NotIncremental, Updated, parts_of_text, update
from rpg.encoder.scip import NO_INDEX, Compiled, is_of_text, load_compiled
from rpg.encoder.source_files.listing import Entry, Identity, Skipped, read, read_compiler_index, read_unlisted
from rpg.graph import Graph
from rpg.repository.encoding import saving
from rpg.repository.encoding.contracts import add_contracts
from rpg.repository.identity import replace_identity
from rpg.repository.locations import index_path
from rpg.repository.watch.changes import Changes
from rpg.stores.cache import blocks
from rpg.stores.index import stored_graph
from rpg.stores.index.index import BrokenIndex, Index
from rpg.stores.index.reader import list_paths
from rpg.system.compression import decompress
from rpg.system.stamp import stamp_of

MOST = 8
PART = 12
"""The most edited files: so many, or one in so many; beyond that, resolving everything costs about as much."""


def encode_affected(
    root: Path,
    graph_path: Path,
    options: Options,
    metadata: dict[str, str],
    changes: Changes,
    later: Callable[[], Identity] | None = None,
) -> int | None:
    """How many files were parsed; None if nothing was done. The caller holds `writing`. `later` returns the
    repository's identity at the end, and the graph file is left to deferred_write.py."""
    if not changes.edited or changes.added or changes.deleted:
        return None
    try:
        index = Index.open_read_only(index_path(graph_path))
    except BrokenIndex:
        return None
    try:
        last = LastResolution(root, index)
        if len(changes.edited) > max(MOST, len(last.paths) // PART):
            return None
        with ExitStack() as stack:
            uses = len(changes.edited) > MOST and options.mask_secrets  # looking costs more than parsing a few files
            shared = stack.enter_context(blocks.open_cache()) if uses else None
            edited = [_edited(root, path, last, options, shared) for path in changes.edited]
        code = [(facts, source) for file, facts, source in edited if file.path in last.languages]
        compiled = _compiled(root, options.scip, last, edited) if options.scip else NO_INDEX
        updated = update(last, code, is_certain, options.roots, compiled) if code else UNCHANGED
        updated = _with_texts(last, updated, [each for each in edited if each[0].path in last.texts])
        header = _header(last, updated, [file for file, _, _ in edited])
        updated = add_contracts(last, updated, {facts.path: source for _, facts, source in edited})
        updated = _with_view(last, updated)
        now = later() if later else changes.identity
        if now is not None:
            header = replace_identity(header, now)
        graph = Graph(header, updated.symbols, updated.edges, updated.places)
        kept_about = {key: index.meta(key) or "{}" for key in ("beside", "unread")}
        kept_about["consulted"] = orjson.dumps(sorted(last.consulted)).decode()
    except (NotIncremental, BrokenIndex, ValueError):  # damaged data is rebuilt
        return None
    finally:
        index.close()
    files = [file for file, _, _ in edited]
    saved = saving.save_edits(graph_path, graph, files, updated.kept, metadata | kept_about, later is not None)
    return len(files) if saved is not None else None


GUESSING = (
    "SELECT DISTINCT s.path FROM places p JOIN symbols s ON s.id = p.source WHERE p.name = ?",
    "SELECT DISTINCT s.path FROM symbols t JOIN edges e ON e.target = t.id AND e.via IN ('fan-out', 'unique-name')"
    " JOIN symbols s ON s.id = e.source WHERE t.name = ?1 COLLATE NOCASE AND t.name = ?1",
)
"""Paths with a site where a member of that name was not found, or was guessed; the index of names ignores case."""
IMPORTING = (
    "SELECT DISTINCT s.path FROM symbols t JOIN edges e ON e.target = t.id AND e.kind = 'imports'"
    " JOIN symbols s ON s.id = e.source WHERE " + stored_graph.build_id_condition("t")
)
Edited = tuple[EncodedFile, FileFacts, bytes]
"""A file as it is now: as the index stores it, its facts and its source."""


UNCHANGED = Updated([], [], [], {}, {}, Kept([], []), {})


def _compiled(root: Path, index: str, last: LastResolution, edited: list[Edited]) -> Compiled:
    """What a compiler said of the files that are not edited. NotIncremental if its index is of the text of an edited
    file, before or after: uses in other files lead to definitions that the index has in this text."""
    data = last.survey(COMPILED)
    if data is None:
        raise NotIncremental("nothing was saved of the compiler's index")
    compiled = load_compiled(data)
    if any(file.path in compiled.files for file, _, _ in edited):
        raise NotIncremental("a compiler's index is of the text before the edit")
    described = [(file, source) for file, _, source in edited if file.path in compiled.other]
    content, folder = read_compiler_index(root, index) if described else b"", index[: index.rfind("/") + 1]
    if any(is_of_text(content, folder, last.languages, file.path, file.hash, text) for file, text in described):
        raise NotIncremental("a compiler's index is of the text after the edit")
    return compiled


def _is_configuration(path: str, language: Language) -> bool:
    """Whether a file says what others mean."""
    return language.configures or path.rpartition("/")[2] in language.rules.configuration_files


def _edited(root: Path, path: str, last: LastResolution, options: Options, shared: Blocks | None) -> Edited:
    language = last.languages.get(path) or last.texts.get(path)
    if language is None:
        raise NotIncremental("it was skipped")
    if path == options.scip:
        raise NotIncremental("a compiler's index of others")
    if path in last.consulted and (path in last.texts or _is_configuration(path, BY_NAME[language])):
        raise NotIncremental("configuration of others")
    before_ns = time.time_ns()
    try:
        status = os.lstat(root / path)
    except OSError:
        raise NotIncremental("gone, or its name is spelled differently") from None
    entry = Entry(path, status.st_size, stamp_of(status), path)
    data = read(root, entry)
    file = _made_of(entry, data, options, before_ns, shared) if not isinstance(data, Skipped) else None
    if file is None or not file.facts:
        raise NotIncremental("skipped")
    if file.language != language:
        raise NotIncremental("in another language now")
    return file, unpack(decompress(file.facts)), decompress(file.source)


def _made_of(entry: Entry, data: bytes, options: Options, before_ns: int, shared: Blocks | None) -> EncodedFile:
    """From the cache of facts, or parsed."""
    if shared is None:
        return parse_one(entry, data, options.mask_secrets, before_ns)
    spoken = find_language(entry.path, data[:80]).choose_language(entry.path, data).name
    known = shared_facts.find(shared, entry, content_hash(data), spoken, before_ns)
    if known is None:
        known = parse_one(entry, data, options.mask_secrets, before_ns)
        shared_facts.add(shared, known)
    return known


def _with_texts(last: LastResolution, updated: Updated, edited: list[Edited]) -> Updated:
    """Adds the parts of files that refer to nothing: nothing else depends on them."""
    if not edited:
        return updated
    symbols, edges, definitions = list(updated.symbols), list(updated.edges), dict(updated.definitions)
    concerned = dict(updated.concerned)
    for file, facts, _ in edited:
        if setting_kind(facts.path, facts.language):
            concerned[facts.path] = concerned_text(facts)
        more_symbols, more_edges = parts_of_text(facts)
        symbols += more_symbols
        edges += more_edges
        change = len(facts.definitions) - len(last.facts(file.path).definitions)
        definitions[file.language] = definitions.get(file.language, 0) + change
    path_of = {symbol.id: symbol.path for symbol in symbols}
    symbols.sort(key=lambda symbol: symbol.path)
    edges.sort(key=lambda edge: path_of[edge.source])
    return updated._replace(symbols=symbols, edges=edges, definitions=definitions, concerned=concerned)


def _with_view(last: LastResolution, updated: Updated) -> Updated:
    """Adds the functional view, if what it is made of has changed."""
    data = last.survey(SKETCHES)
    if data is None:
        raise NotIncremental("nothing was saved of the functional view")
    before = unpack_sketches(data)
    now = {each.path: each for each in sketches(updated.symbols, updated.edges, last.paths)}
    after = [now.get(each.path, each) for each in before]
    if after == before:
        return updated
    symbols, edges = functional_view(after)
    kept = updated.kept._replace(survey=[*updated.kept.survey, (SKETCHES, pack_sketches(after))])
    return updated._replace(symbols=[*symbols, *updated.symbols], edges=[*edges, *updated.edges], kept=kept)


def _header(of_last: LastResolution, updated: Updated, edited: list[EncodedFile]) -> dict[str, Any]:
    last = of_last.header
    references = {language: dict(counts) for language, counts in last["references"].items()}
    for language, counts in updated.counts.items():
        for name, count in zip(list(references[language]), counts, strict=True):
            references[language][name] += count
    languages = {name: dict(counts) for name, counts in last["languages"].items()}
    for language, count in updated.definitions.items():
        languages[language]["definitions"] += count
    for file in edited:
        if BY_NAME[file.language].is_opaque:
            change = is_counted_in_part(file) - is_counted_in_part(file._replace(size=of_last.size(file.path)))
            languages[file.language]["counted_in_part"] += change
    return last | {"references": references, "languages": languages}


class LastResolution:
    """resolve.Last, from the index that the last encode wrote."""

    def __init__(self, root: Path, index: Index) -> None:
        self.root = root
        self.index = index
        self.header = stored_graph.header(index)
        spoken: list[tuple[str, str]] = index.rows("SELECT path, language FROM files WHERE language != ''")
        self.languages = {path: language for path, language in spoken if BY_NAME[language].refers}
        self.texts = {path: language for path, language in spoken if not BY_NAME[language].refers}
        """Files that refer to nothing."""
        self.consulted = set(orjson.loads(index.meta("consulted") or "[]"))
        self.paths = set(list_paths(index))
        self.unlisted: dict[str, str] = orjson.loads(index.meta("beside") or "{}")
        self.skipped = {each["path"] for each in self.header["skipped"]}
        self.trees = tuple(path for path in self.skipped if path.endswith("/"))
        self.known: dict[str, FileFacts] = {}

    def facts(self, path: str) -> FileFacts:
        known = self.known.get(path)
        if known is None:
            packed = self.index.facts(path)
            if not packed:
                raise BrokenIndex(f"no facts of {path}")
            known = self.known[path] = unpack(decompress(packed))
        return known

    def source(self, path: str) -> bytes:
        return self.index.source(path)

    def sources(self) -> Iterable[tuple[str, bytes]]:
        for path, source in self.index.each("SELECT path, source FROM files WHERE language != ''"):
            if path in self.languages:
                yield path, source

    def size(self, path: str) -> int:
        """The size of a file in bytes."""
        return int(self.index.value("SELECT size FROM files WHERE path = ?", (path,)))

    def read(self, path: str) -> bytes:
        """Reads a file as `encode` does."""
        if path in self.paths:
            self.consulted.add(path)
            return self.index.source(path)
        if path in self.skipped or path.startswith(self.trees):
            return b"\n"
        return read_unlisted(self.root, path) if self.unlisted.get(path) else b""

    def history(self, path: str) -> bytes | None:
        return self._data("SELECT data FROM flow WHERE path = ?", path)

    def survey(self, name: str) -> bytes | None:
        return self._data("SELECT data FROM survey WHERE name = ?", name)

    def mentioning(self, mention: str) -> Iterable[str]:
        return self._paths("SELECT path FROM flow WHERE instr(mentions, ?)", mention)

    def guessing(self, name: str) -> Iterable[str]:
        return (path for query in GUESSING for path in self._paths(query, name))

    def importing(self, path: str) -> Iterable[str]:
        return self._paths(IMPORTING, *stored_graph.build_id_parameters(path))

    def bearing(self, name: str) -> Iterable[str]:
        query = "SELECT DISTINCT path FROM symbols WHERE name = ?1 COLLATE NOCASE AND name = ?1"
        named = [path for path in self._paths(query, name) if path in self.languages]
        return [path for path in named if not BY_NAME[self.languages[path]].configures]

    def counts(self, path: str) -> tuple[str, Sequence[int]]:
        node = stored_graph.symbol(self.index, path)
        if node is None:
            raise BrokenIndex(f"no symbol of {path}")
        return node.language, node.references or ()

    def _data(self, query: str, key: str) -> bytes | None:
        rows = self.index.rows(query, (key,))
        return rows[0][0] if rows else None

    def _paths(self, query: str, *keys: str | int) -> list[str]:
        return [path for (path,) in self.index.rows(query, keys)]
