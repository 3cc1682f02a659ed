"""An edit that stays inside function bodies: its files alone are read, parsed, resolved and written.

In: what changed since the index was made. Out: graph file and index as an encode of everything would leave them; or
nothing done, where the edit may concern other files (resolve/bodies.py, resolve/edits.py).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import orjson

from rpg.compression import decompress
from rpg.encoder.confidence import is_certain
from rpg.encoder.encode import EncodedFile, parsed
from rpg.encoder.facts import FileFacts, unpack
from rpg.encoder.files import Entry, Identity, Skipped, read, read_beside
from rpg.encoder.options import Options
from rpg.encoder.resolve.assemble import resolved_alone
from rpg.encoder.resolve.bodies import Moves, moves
from rpg.encoder.resolve.edits import Edits, NotAlone
from rpg.encoder.resolve.kept import History, history_of, survey_part
from rpg.encoder.resolve.program import Program
from rpg.encoder.resolve.unit import Unit
from rpg.graph import Graph
from rpg.repository import saving
from rpg.repository.folders import index_path
from rpg.repository.freshness import Changes
from rpg.repository.identity import with_identity
from rpg.stores import index_graph
from rpg.stores.index import BrokenIndex, Index

MOST = 8
"""Files; of more, resolving everything costs about as much."""


def encode_alone(
    root: Path,
    graph_path: Path,
    options: Options,
    about: dict[str, str],
    changes: Changes,
    later: Callable[[], Identity] | None = None,
) -> int | None:
    """How many files were parsed; None where nothing was done. For who is `writing`. With `later`, that function tells
    at the end what the repository is now, and the graph file is left to be finished (late.py)."""
    if not changes.edited or changes.added or changes.deleted or len(changes.edited) > MOST:
        return None
    try:
        index = Index.open_read_only(index_path(graph_path))
    except BrokenIndex:
        return None
    try:
        last = _Last(root, index)
        edited = [last.edited(path, options) for path in changes.edited]
        graph, rows = last.resolved({facts.path: facts for _, facts, _ in edited}, edited, options)
        now = later() if later else changes.identity
        if now is not None:
            graph = graph._replace(header=with_identity(graph.header, now))
        beside = {"beside": index.meta("beside") or "{}"}
    except (NotAlone, BrokenIndex, ValueError):  # what is damaged is made anew
        return None
    finally:
        index.close()
    files = [file for file, _, _ in edited]
    saved = saving.save_edits(graph_path, graph, files, rows, about | beside, later is not None)
    return len(files) if saved is not None else None


Edited = tuple[EncodedFile, FileFacts, bytes]
"""A file as it is now: as the index keeps it, its facts and its source."""


class _Last:
    """What the last encode left behind."""

    def __init__(self, root: Path, index: Index) -> None:
        self.root = root
        self.index = index
        self.header = index_graph.header(index)
        self.languages: dict[str, str] = dict(index.rows("SELECT path, language FROM files WHERE language != ''"))
        self.paths = {path for (path,) in index.rows("SELECT path FROM files")}
        self.beside: dict[str, str] = orjson.loads(index.meta("beside") or "{}")
        self.skipped = {each["path"] for each in self.header["skipped"]}
        self.trees = tuple(path for path in self.skipped if path.endswith("/"))
        self.known: dict[str, FileFacts] = {}
        self.histories: dict[str, History] = {}

    def edited(self, path: str, options: Options) -> Edited:
        if path not in self.languages:
            raise NotAlone("no source file, or one that was skipped")
        now = time.time_ns()
        try:
            status = os.lstat(self.root / path)
        except OSError:
            raise NotAlone("gone, or of a name that is spelled otherwise") from None
        entry = Entry(path, status.st_size, status.st_mtime_ns, path)
        data = read(self.root, entry)
        result = parsed(entry, data, options.mask_secrets, now) if not isinstance(data, Skipped) else data
        if isinstance(result, Skipped) or not isinstance(result[1], FileFacts):
            raise NotAlone("skipped")
        return result[0], result[1], decompress(result[0].source)

    def resolved(self, new: dict[str, FileFacts], edited: list[Edited], options: Options) -> tuple[Graph, list[Any]]:
        """The part of the graph that edited files make up, and what is left behind."""
        before = self.program(self.facts, options)
        after = self.program(lambda path: new[path] if path in new else self.facts(path), options, before)
        rounds = self.survey("rounds")
        unsure = self.survey("unsure")
        if rounds is None or unsure is None:
            raise NotAlone("nothing was left behind")
        moved: dict[int, Moves] = {}
        for _, facts, source in edited:
            number = before.number_of(facts.path)
            found = self.moves(before.units[number], after.units[number], source)
            if found is None or number in unsure:
                raise NotAlone("others see a difference")
            moved[number] = found
        edits = Edits(before, after, moved, self.history, rounds)
        try:
            resolved = resolved_alone(edits, is_certain)
            rows = edits.rows(self.mentioning(new))
        finally:
            edits.end()
        references = {language: dict(counts) for language, counts in self.header["references"].items()}
        for path in new:
            self.count(references, path, -1)
        for symbol in resolved.symbols:
            if symbol.references is not None:
                for name, count in zip(references[symbol.language], symbol.references, strict=True):
                    references[symbol.language][name] += count
        header = self.header | {"references": references}
        return Graph(header, resolved.symbols, resolved.edges, resolved.places), rows

    def mentioning(self, paths: Iterable[str]) -> set[str]:
        """The rows of what is left behind that name something of some files."""
        named = [orjson.dumps(path).decode() for path in paths]
        found = (self.index.rows("SELECT path FROM flow WHERE instr(mentions, ?)", (each,)) for each in named)
        return {path for rows in found for (path,) in rows}

    def count(self, references: dict[str, dict[str, int]], path: str, sign: int) -> None:
        """Take a file's references out of what is counted of its language."""
        node = index_graph.symbol(self.index, path)
        if node is None:
            raise BrokenIndex(f"no symbol of {path}")
        for name, count in zip(references[node.language], node.references or (), strict=False):
            references[node.language][name] += sign * count

    def moves(self, old: Unit, new: Unit, source: bytes) -> Moves | None:
        return moves(old, self.index.source(old.path), new, source)

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
