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
from rpg.encoder.encode import COMPILED, EncodedFile, count_opaque_kinds, is_counted_in_part
from rpg.encoder.facts import FileFacts
from rpg.encoder.frameworks import CONTRACTS, concerned_text, setting_kind
from rpg.encoder.hashes import content_hash
from rpg.encoder.languages import BY_NAME, Language, read_language
from rpg.encoder.libraries import is_of_library, load_libraries
from rpg.encoder.options import Options
from rpg.encoder.parsing import shared_facts
from rpg.encoder.parsing.packing import unpack
from rpg.encoder.parsing.shared_facts import Blocks
from rpg.encoder.parsing.worker_pool import parse_one
from rpg.encoder.resolve import (
    Kept,
    LibraryFiles,
    MovedPaths,
    NotIncremental,
    Updated,
    list_children,
    part_of_folder,
    parts_of_text,
    survey_part,
    update,
)
from rpg.encoder.scip import NO_INDEX, Compiled, is_of_text, load_compiled
from rpg.encoder.source_files.listing import Entry, Identity, Skipped, read, read_compiler_index, read_unlisted
from rpg.graph import Edge, Graph, Symbol
from rpg.repository.encoding import parsed_blocks, saving
from rpg.repository.encoding.contracts import add_contracts
from rpg.repository.identity import replace_identity
from rpg.repository.locations import index_path
from rpg.repository.watch.changes import Changes
from rpg.stores.cache import blocks
from rpg.stores.index import stored_graph
from rpg.stores.index.index import BrokenIndex, Index
from rpg.stores.index.reader import list_paths
from rpg.stores.search.trigrams import SHORTEST, files_among
from rpg.system.compression import decompress
from rpg.system.stamp import stamp_of

MOST = 8
PART = 12
"""The most files that change, come or go: so many, or one in so many; beyond that, resolving everything costs about as
much."""


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
    try:
        index = Index.open_read_only(index_path(graph_path))
    except BrokenIndex:
        return None
    try:
        if index.meta("libraries") != metadata.get("libraries", ""):
            return None  # installed anew
        last = LastResolution(root, index)
        # A file that was looked for and not listed counts as edited when it comes.
        paths = tuple(dict.fromkeys((*changes.edited, *changes.added)))
        if len(changes.paths) > max(MOST, len(last.paths) // PART):
            return None
        with ExitStack() as stack:
            uses = len(paths) > MOST and options.mask_secrets  # looking costs more than parsing a few files
            shared = stack.enter_context(blocks.open_cache()) if uses else None
            edited = [_read_edited(root, path, last, options, shared, path in changes.added) for path in paths]
        moved = _find_moved(last, edited, changes)
        code = [(facts, source) for file, facts, source in edited if BY_NAME[file.language].refers]
        if moved and options.scip:
            raise NotIncremental("a compiler's index may describe it")
        compiled = _read_compiled(root, options.scip, last, edited) if options.scip else NO_INDEX
        libraries = last.libraries() if options.libraries else None
        update_by = (is_certain, options.roots, compiled, moved, libraries)
        updated = update(last, code, *update_by) if code or moved else UNCHANGED
        updated = _with_texts(
            last,
            updated,
            [each for each in edited if not BY_NAME[each[0].language].refers],
            [path for path in changes.deleted if path in last.texts],
        )
        header = _header(last, updated, edited, changes)
        updated = add_contracts(
            last, updated, {facts.path: source for _, facts, source in edited}, frozenset(changes.deleted)
        )
        updated, gone = _with_folders(last, updated, changes)
        updated = _with_view(last, updated, changes)
        now = later() if later else changes.identity
        if now is not None:
            header = replace_identity(header, now)
        graph = Graph(header, updated.symbols, updated.edges, updated.places)
        kept_about = {"unread": index.meta("unread") or "{}", "beside": orjson.dumps(last.unlisted).decode()}
        kept_about["consulted"] = orjson.dumps(sorted(last.consulted)).decode()
    except (NotIncremental, BrokenIndex, ValueError):  # damaged data is rebuilt
        return None
    finally:
        index.close()
    files = [file for file, _, _ in edited]
    metadata = metadata | kept_about
    saved = saving.save_edits(graph_path, graph, files, updated.kept, metadata, later is not None, gone)
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


def _read_compiled(root: Path, index: str, last: LastResolution, edited: list[Edited]) -> Compiled:
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


def _find_moved(last: LastResolution, edited: list[Edited], changes: Changes) -> MovedPaths | None:
    """What came or went. Raises NotIncremental for what was skipped, and for what resolution may have read."""
    if not changes.added and not changes.deleted:
        return None
    if any(file.language not in last.header["languages"] for file, _, _ in edited):
        raise NotIncremental("the first file of a language")
    spoken = last.texts | {file.path: file.language for file, _, _ in edited}
    if any(path in spoken and setting_kind(path, spoken[path]) for path in (*changes.added, *changes.deleted)):
        raise NotIncremental("a file of settings")
    gone = frozenset(changes.deleted)
    if not gone <= last.languages.keys() | last.texts.keys() or not gone.isdisjoint(last.consulted):
        raise NotIncremental("a file that was skipped, or configuration")
    texts = {path for path in last.texts if path not in gone}
    for file, _, _ in edited:
        if not BY_NAME[file.language].refers:
            texts.add(file.path)
            if file.path in last.unlisted:
                raise NotIncremental("something that was looked for")
        last.unlisted.pop(file.path, None)
    last.gone, last.came = gone, frozenset(changes.added)
    return MovedPaths(gone, texts)


def _read_edited(
    root: Path, path: str, last: LastResolution, options: Options, shared: Blocks | None, is_added: bool
) -> Edited:
    language = last.languages.get(path) or last.texts.get(path)
    if is_added and (path in last.skipped or path.startswith(last.trees) or language is not None):
        raise NotIncremental("it was skipped")
    if language is None and not is_added:
        raise NotIncremental("it was skipped")
    if path == options.scip:
        raise NotIncremental("a compiler's index of others")
    is_consulted = language is not None and path in last.consulted
    if is_consulted and path in last.texts:
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
    if language is not None and file.language != language:
        raise NotIncremental("in another language now")
    source = decompress(file.source)
    if is_consulted and _is_configuration(path, BY_NAME[file.language]):
        known = last.source(path)
        if not any(BY_NAME[each].rules.reads_alike(path, known, source) for each in set(last.languages.values())):
            raise NotIncremental("configuration of others")
    return file, unpack(decompress(file.facts)), source


def _made_of(entry: Entry, data: bytes, options: Options, before_ns: int, shared: Blocks | None) -> EncodedFile:
    """From the cache of facts, or parsed."""
    if shared is None:
        return parse_one(entry, data, options.mask_secrets, before_ns)
    spoken = read_language(entry.path, data).name
    known = shared_facts.find(shared, entry, content_hash(data), spoken, before_ns)
    if known is None:
        known = parse_one(entry, data, options.mask_secrets, before_ns)
        shared_facts.add(shared, known)
    return known


def _with_texts(last: LastResolution, updated: Updated, edited: list[Edited], gone: Sequence[str]) -> Updated:
    """Adds the parts of files that refer to nothing: nothing else depends on what is in them."""
    if not edited and not gone:
        return updated
    symbols, edges, definitions = list(updated.symbols), list(updated.edges), dict(updated.definitions)
    concerned = dict(updated.concerned)
    for file, facts, _ in edited:
        if setting_kind(facts.path, facts.language):
            concerned[facts.path] = concerned_text(facts)
        more_symbols, more_edges = parts_of_text(facts)
        symbols += more_symbols
        edges += more_edges
        known = len(last.facts(file.path).definitions) if file.path in last.paths else 1
        change = len(facts.definitions) - known
        definitions[file.language] = definitions.get(file.language, 0) + change
    for path in gone:
        language = last.texts[path]
        definitions[language] = definitions.get(language, 0) + 1 - len(last.facts(path).definitions)
    symbols, edges = _sort_parts(symbols, edges)
    return updated._replace(symbols=symbols, edges=edges, definitions=definitions, concerned=concerned)


def _sort_parts(symbols: list[Symbol], edges: list[Edge]) -> tuple[list[Symbol], list[Edge]]:
    """In the order of the paths, each path's own as they are."""
    path_of = {symbol.id: symbol.path for symbol in symbols}
    return sorted(symbols, key=lambda symbol: symbol.path), sorted(edges, key=lambda edge: path_of[edge.source])


def _with_folders(last: LastResolution, updated: Updated, changes: Changes) -> tuple[Updated, list[str]]:
    """Adds the folders in which something came or went; and the files and folders that are gone."""
    if not changes.added and not changes.deleted:
        return updated, []
    before, after = list_children(last.paths), list_children(_paths_after(last, changes))
    symbols, edges = list(updated.symbols), list(updated.edges)
    for id, children in after.items():
        if sorted(children) != sorted(before.get(id, ())):
            symbol, more = part_of_folder(id, children)
            symbols.append(symbol)
            edges += more
    symbols, edges = _sort_parts(symbols, edges)
    gone = [*changes.deleted, *(id for id in before if id not in after)]
    return updated._replace(symbols=symbols, edges=edges), gone


def _paths_after(last: LastResolution, changes: Changes) -> set[str]:
    return last.paths.difference(changes.deleted).union(changes.added)


def _with_view(last: LastResolution, updated: Updated, changes: Changes) -> Updated:
    """Adds the functional view, if what it is made of has changed."""
    data = last.survey(SKETCHES)
    if data is None:
        raise NotIncremental("nothing was saved of the functional view")
    before = unpack_sketches(data)
    paths = _paths_after(last, changes)
    now = {each.path: each for each in sketches(updated.symbols, updated.edges, paths)}
    known = {each.path: each for each in before if each.path in paths}
    after = [each for _, each in sorted((known | now).items())]
    if after == before:
        return updated
    symbols, edges = functional_view(after)
    kept = updated.kept._replace(survey=[*updated.kept.survey, (SKETCHES, pack_sketches(after))])
    return updated._replace(symbols=[*symbols, *updated.symbols], edges=[*edges, *updated.edges], kept=kept)


def _header(of_last: LastResolution, updated: Updated, edited: list[Edited], changes: Changes) -> dict[str, Any]:
    last = of_last.header
    problems = {each["path"]: each["messages"] for each in last["problems"]}
    for path in (*changes.deleted, *(file.path for file, _, _ in edited)):
        problems.pop(path, None)
    problems |= {file.path: facts.problems for file, facts, _ in edited if facts.problems}
    references = {language: dict(counts) for language, counts in last["references"].items()}
    for language, counts in updated.counts.items():
        for name, count in zip(list(references[language]), counts, strict=True):
            references[language][name] += count
    languages = {name: dict(counts) for name, counts in last["languages"].items()}
    for language, count in updated.definitions.items():
        languages[language]["definitions"] += count
    spoken = of_last.languages | of_last.texts
    for path in changes.deleted:
        languages[spoken[path]]["files"] -= 1
        if BY_NAME[spoken[path]].is_opaque:
            size = of_last.size(path)
            languages[spoken[path]]["counted_in_part"] -= size > BY_NAME[spoken[path]].count_search_bytes(path)
        del spoken[path]
    for file, _, _ in edited:
        is_new = file.path not in spoken
        languages[file.language]["files"] += is_new
        spoken[file.path] = file.language
        if BY_NAME[file.language].is_opaque:
            before = 0 if is_new else is_counted_in_part(file._replace(size=of_last.size(file.path)))
            languages[file.language]["counted_in_part"] += is_counted_in_part(file) - before
    if any(not counts["files"] for counts in languages.values()):
        raise NotIncremental("the last file of a language")
    kinds = count_opaque_kinds(path for path, language in spoken.items() if BY_NAME[language].is_opaque)
    return last | {
        "files": len(spoken),
        "languages": languages,
        "not_parsed": kinds,
        "references": references,
        "problems": [{"path": path, "messages": problems[path]} for path in sorted(problems)],
    }


class LastResolution:
    """resolve.Last, from the index that the last encode wrote."""

    def __init__(self, root: Path, index: Index, keeps: bool = False) -> None:
        """`keeps`: what was read is kept for the next one that keeps."""
        self.root = root
        self.keeps = keeps
        self.index = index
        self.header = stored_graph.header(index)
        spoken: list[tuple[str, str]] = index.rows("SELECT path, language FROM files WHERE language != ''")
        self.languages = {path: language for path, language in spoken if BY_NAME[language].refers}
        self.texts = {path: language for path, language in spoken if not BY_NAME[language].refers}
        """Files that refer to nothing."""
        self.references = sum(sum(each.values()) for each in self.header["references"].values())
        self.consulted = set(orjson.loads(index.meta("consulted") or "[]"))
        self.paths = set(list_paths(index))
        self.unlisted: dict[str, str] = orjson.loads(index.meta("beside") or "{}")
        self.skipped = {each["path"] for each in self.header["skipped"]}
        self.trees = tuple(path for path in self.skipped if path.endswith("/"))
        self.known: dict[str, FileFacts] = {}
        self._numbered: dict[int, str] | None = None
        self.gone: frozenset[str] = frozenset()
        """Files that are no longer there."""
        self.came: frozenset[str] = frozenset()
        """Files that were not there."""

    def facts(self, path: str) -> FileFacts:
        known = self.known.get(path)
        if known is None:
            packed = self.index.facts(path)
            if not packed:
                raise BrokenIndex(f"no facts of {path}")
            known = parsed_blocks.read_facts(path, packed) if self.keeps else unpack(decompress(packed))
            self.known[path] = known
        return known

    def source(self, path: str) -> bytes:
        return self.index.source(path)

    def sources(self) -> Iterable[tuple[str, bytes]]:
        for path, source in self.index.each("SELECT path, source FROM files WHERE language != ''"):
            if path in self.languages:
                yield path, source

    def having(self, name: bytes) -> Iterable[str] | None:
        text = name.decode()
        if len(name) < SHORTEST or not self.numbered:
            return None
        return [self.numbered[number] for number in files_among(self.index, text, list(self.numbered))]

    @property
    def numbered(self) -> dict[int, str]:
        """The files with facts by number; empty if their texts have no index."""
        if self._numbered is None:
            self._numbered = {}
            if self.index.value("SELECT 1 FROM search_texts LIMIT 1"):
                rows: list[tuple[int, str]] = self.index.rows("SELECT id, path FROM files WHERE language != ''")
                self._numbered = {number: path for number, path in rows if path in self.languages}
        return self._numbered

    def size(self, path: str) -> int:
        """The size of a file in bytes."""
        return int(self.index.value("SELECT size FROM files WHERE path = ?", (path,)))

    def read(self, path: str) -> bytes:
        """Reads a file as `encode` does."""
        if path in self.paths and path not in self.gone:
            self.consulted.add(path)
            return self.index.source(path)
        if path in self.skipped or path.startswith(self.trees):
            return b"\n"
        if path in self.came:
            return b""
        if self.unlisted and path not in self.unlisted:
            if read_unlisted(self.root, path):
                raise NotIncremental("configuration that was not looked for before")
            self.unlisted[path] = ""
        return read_unlisted(self.root, path) if self.unlisted.get(path) else b""

    def history(self, path: str) -> tuple[bytes, str] | None:
        rows: list[tuple[bytes, str]] = self.index.rows("SELECT data, mentions FROM flow WHERE path = ?", (path,))
        return rows[0] if rows else None

    def survey(self, name: str) -> bytes | None:
        rows = self.index.rows("SELECT data FROM survey WHERE name = ?", (name,))
        return rows[0][0] if rows else None

    def survey_part(self, name: str) -> Any:
        data = self.survey(name)
        if data is None:
            return None
        return parsed_blocks.read_survey_part(name, data) if self.keeps else survey_part(data)

    def surveys(self) -> Iterable[str]:
        names: list[tuple[str]] = self.index.rows("SELECT name FROM survey")
        return [name for (name,) in names if name not in (SKETCHES, CONTRACTS, COMPILED) and not is_of_library(name)]

    def libraries(self) -> LibraryFiles:
        """The libraries that the last encode read."""
        found = load_libraries(self.survey)
        if found is None:
            raise NotIncremental("nothing was saved of the libraries")
        return found

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

    def _paths(self, query: str, *keys: str | int) -> list[str]:
        return [path for (path,) in self.index.rows(query, keys)]
