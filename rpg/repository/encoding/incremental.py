"""An edit that concerns few files: the edited ones alone are parsed, and with those that name what is seen otherwise
now they are resolved and written.

In: what changed since the index was made. Out: graph file and index as an encode of everything would leave them; or
nothing done, where the edit may affect more files (resolve/incremental/).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from rpg.compression import decompress
from rpg.encoder.confidence import is_certain
from rpg.encoder.encode import EncodedFile
from rpg.encoder.facts import FileFacts
from rpg.encoder.languages import BY_NAME, Language
from rpg.encoder.options import Options
from rpg.encoder.parsing.packing import unpack
from rpg.encoder.parsing.worker_pool import parse_one
from rpg.encoder.resolve.assembly import Resolved, resolved_alone
from rpg.encoder.resolve.incremental.affected_files import AffectedFiles, MoreAffected
from rpg.encoder.resolve.incremental.affected_resolution import IncrementalResolution
from rpg.encoder.resolve.incremental.file_difference import NotIncremental, Text
from rpg.encoder.resolve.incremental.fingerprints import TooMuch
from rpg.encoder.resolve.incremental.saved_state import History, Kept, history_of, survey_part, survey_rows
from rpg.encoder.resolve.program.program import Program
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.source_files.listing import Entry, Identity, Skipped, read, read_beside
from rpg.graph import Graph
from rpg.repository.encoding import saving
from rpg.repository.identity import with_identity
from rpg.repository.locations import index_path
from rpg.repository.watch.changes import Changes
from rpg.stamp import stamp_of
from rpg.stores.index import stored_graph
from rpg.stores.index.index import BrokenIndex, Index

MOST = 8
"""Files that are edited; of more, resolving everything costs about as much."""
MOST_CONCERNED, PART_CONCERNED = 24, 24
"""Likewise files that are concerned: so many, or one in so many. Finding them costs as well, and where they turn out to
be too many it was for nothing."""
ATTEMPTS = 6
"""Times that files are resolved before all are; each time brings in others."""


def encode_alone(
    root: Path,
    graph_path: Path,
    options: Options,
    about: dict[str, str],
    changes: Changes,
    later: Callable[[], Identity] | None = None,
) -> int | None:
    """How many files were parsed; None where nothing was done. For who is `writing`. With `later`, that function tells
    at the end what the repository is now, and the graph file is left to be finished (deferred_write.py)."""
    if not changes.edited or changes.added or changes.deleted or len(changes.edited) > MOST:
        return None
    try:
        index = Index.open_read_only(index_path(graph_path))
    except BrokenIndex:
        return None
    try:
        last = _Last(root, index)
        edited = [last.edited(path, options) for path in changes.edited]
        graph, kept = last.resolved({facts.path: facts for _, facts, _ in edited}, edited, options)
        now = later() if later else changes.identity
        if now is not None:
            graph = graph._replace(header=with_identity(graph.header, now))
        kept_about = {key: index.meta(key) or "{}" for key in ("beside", "unread")}
    except (NotIncremental, TooMuch, BrokenIndex, ValueError):  # what is damaged is made anew
        return None
    finally:
        index.close()
    files = [file for file, _, _ in edited]
    saved = saving.save_edits(graph_path, graph, files, kept, about | kept_about, later is not None)
    return len(files) if saved is not None else None


GUESSING = (
    "SELECT DISTINCT s.path FROM places p JOIN symbols s ON s.id = p.source WHERE p.name = ?",
    "SELECT DISTINCT s.path FROM symbols t JOIN edges e ON e.target = t.id AND e.via IN ('fan-out', 'unique-name')"
    " JOIN symbols s ON s.id = e.source WHERE t.name = ?1 COLLATE NOCASE AND t.name = ?1",
)
"""Paths with a place where a member of that name was not found, or guessed; the index of names knows no case."""
IMPORTING = (
    "SELECT DISTINCT s.path FROM symbols t JOIN edges e ON e.target = t.id AND e.kind = 'imports'"
    " JOIN symbols s ON s.id = e.source WHERE t.symbol = ?"
)
Edited = tuple[EncodedFile, FileFacts, bytes]
"""A file as it is now: as the index keeps it, its facts and its source."""


class _Last:
    """What the last encode left behind."""

    def __init__(self, root: Path, index: Index) -> None:
        self.root = root
        self.index = index
        self.header = stored_graph.header(index)
        self.languages: dict[str, str] = dict(index.rows("SELECT path, language FROM files WHERE language != ''"))
        self.paths = {path for (path,) in index.rows("SELECT path FROM files WHERE skipped = ''")}
        self.beside: dict[str, str] = orjson.loads(index.meta("beside") or "{}")
        self.skipped = {each["path"] for each in self.header["skipped"]}
        self.trees = tuple(path for path in self.skipped if path.endswith("/"))
        self.known: dict[str, FileFacts] = {}
        self.histories: dict[str, History] = {}

    def edited(self, path: str, options: Options) -> Edited:
        if path not in self.languages:
            raise NotIncremental("no source file, or one that was skipped")
        before_ns = time.time_ns()
        try:
            status = os.lstat(self.root / path)
        except OSError:
            raise NotIncremental("gone, or of a name that is spelled otherwise") from None
        entry = Entry(path, status.st_size, stamp_of(status), path)
        data = read(self.root, entry)
        file = parse_one(entry, data, options.mask_secrets, before_ns) if not isinstance(data, Skipped) else None
        if file is None or not file.facts:
            raise NotIncremental("skipped")
        return file, unpack(decompress(file.facts)), decompress(file.source)

    def resolved(self, new: dict[str, FileFacts], edited: list[Edited], options: Options) -> tuple[Graph, Kept]:
        """The part of the graph that concerned files make up, and what is left behind."""
        before = self.program(self.facts, options)
        after = self.program(lambda path: new[path] if path in new else self.facts(path), options, before)
        sides = []
        for _, facts, source in edited:
            number = before.number_of(facts.path)
            sides.append((before.files[number], self.index.source(facts.path), after.files[number], source))
        most = max(MOST_CONCERNED, len(self.languages) // PART_CONCERNED)
        try:
            affected = AffectedFiles(sides, _Others(self, before, {facts.path for _, facts, _ in edited}), most)
            resolved, texts, kept = self.attempts(before, after, affected)
        finally:
            before.files.clear()
            after.files.clear()
        references = {language: dict(counts) for language, counts in self.header["references"].items()}
        for language, counts in texts.items():
            _add(references[language], counts, -1)
        for number in affected.versions:
            node = stored_graph.symbol(self.index, before.paths()[number])
            if node is None:
                raise BrokenIndex(f"no symbol of {before.paths()[number]}")
            _add(references[node.language], node.references or (), -1)
        for language, counts in resolved.counts.items():
            _add(references[language], counts, 1)
        languages = {name: dict(counts) for name, counts in self.header["languages"].items()}
        for old, _, file, _ in sides:
            languages[file.facts.language]["definitions"] += len(file.definitions) - len(old.definitions)
        header = self.header | {"references": references, "languages": languages}
        return Graph(header, resolved.symbols, resolved.edges, resolved.places), kept

    def attempts(
        self, before: Program, after: Program, affected: AffectedFiles
    ) -> tuple[Resolved, dict[str, list[int]], Kept]:
        """What concerned files come to, the counts of those with text alone as they were, what is left behind."""
        rounds, unsure = self.survey("rounds"), self.survey("unsure")
        if rounds is None or unsure is None:
            raise NotIncremental("nothing was left behind")
        for _ in range(ATTEMPTS):
            if not affected.versions.keys().isdisjoint(unsure):
                raise NotIncremental("a reference costs more than one may")
            surveyed = affected.surveyed
            if surveyed:
                after.edited(before, {index: moves.definition for index, moves in surveyed.items()})
            edits = IncrementalResolution(before, after, affected, self.history, rounds)
            try:
                resolved, texts = resolved_alone(edits, is_certain)
                rows = edits.rows(partial(self.mentioning, before))
                return resolved, texts, Kept(rows, survey_rows(after.amended))
            except MoreAffected as wider:
                affected.widen(wider)
            finally:
                edits.forget()
        raise NotIncremental("what follows from it goes too far")

    def mentioning(self, program: Program, files: Iterable[int]) -> set[str]:
        """The rows of what is left behind that name something of some files."""
        named = [orjson.dumps(program.paths()[file]).decode() for file in files]
        found = (self.index.rows("SELECT path FROM flow WHERE instr(mentions, ?)", (each,)) for each in named)
        return {path for rows in found for (path,) in rows}

    def program(self, facts: Callable[[str], FileFacts], options: Options, before: Program | None = None) -> Program:
        return Program(self.languages, facts, self.read, options.roots, self.survey, before)

    def facts(self, path: str) -> FileFacts:
        known = self.known.get(path)
        if known is None:
            packed = self.index.facts(path)
            if not packed:
                raise BrokenIndex(f"no facts of {path}")
            known = self.known[path] = unpack(decompress(packed))
        return known

    def read(self, path: str) -> bytes:
        """What resolution may read beside facts, as `encode` reads it."""
        if path in self.paths:
            return self.index.source(path)
        if path in self.skipped or path.startswith(self.trees):
            return b"\n"
        return read_beside(self.root, path) if self.beside.get(path) else b""

    def history(self, path: str) -> History:
        known = self.histories.get(path)
        if known is None:
            rows = self.index.rows("SELECT data FROM flow WHERE path = ?", (path,))
            known = self.histories[path] = history_of(rows[0][0]) if rows else History([], [])
        return known

    def survey(self, name: str) -> Any:
        rows = self.index.rows("SELECT data FROM survey WHERE name = ?", (name,))
        return survey_part(rows[0][0]) if rows else None


class _Others:
    """concern.Others"""

    def __init__(self, last: _Last, program: Program, edited: set[str]) -> None:
        self.index = last.index
        self.languages = last.languages
        self.program = program
        self.edited = edited
        self.known: dict[int, bytes] = {}
        """Of all source files, once something is looked for in them."""

    def mentioning(self, text: Text) -> Iterator[int]:
        return (index for index, source in self.sources() if text.is_in(source))

    def sources(self) -> Iterable[tuple[int, bytes]]:
        if not self.known:
            rows = self.index.each("SELECT path, source FROM files WHERE language != ''")
            self.known = {self.program.number_of(path): decompress(source) for path, source in rows}
        return self.known.items()

    def guessing(self, names: Iterable[str]) -> Iterator[int]:
        paths = {path for name in names for query in GUESSING for (path,) in self.index.rows(query, (name,))}
        return map(self.program.number_of, sorted(paths))

    def importing(self, index: int) -> Iterator[int]:
        rows = self.index.rows(IMPORTING, (self.path(index),))
        return (self.program.number_of(path) for (path,) in rows)

    def is_borne(self, name: str) -> bool:
        query = "SELECT DISTINCT path FROM symbols WHERE name = ?1 COLLATE NOCASE AND name = ?1"
        return any(path not in self.edited for (path,) in self.index.rows(query, (name,)))

    def path(self, index: int) -> str:
        return self.program.paths()[index]

    def language(self, index: int) -> Language:
        return BY_NAME[self.languages[self.path(index)]]

    def source(self, index: int) -> bytes:
        known = self.known.get(index)
        return self.index.source(self.path(index)) if known is None else known

    def file(self, index: int) -> SourceFile:
        return self.program.files[index]


def _add(references: dict[str, int], counts: Iterable[int], sign: int) -> None:
    for name, count in zip(list(references), counts, strict=False):
        references[name] += sign * count
