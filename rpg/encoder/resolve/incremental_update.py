"""Updates a graph after an edit, from the saved state of the last resolution: the one entry to incremental resolution.

In: the saved state (`Last`), and the edited files as they are now. Out: the part of the graph that belongs to the
affected files, the differences in the overall counts, and the state to save for the next edit; or NotIncremental if all
files must be resolved again. The method is described in `incremental/__init__.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, Protocol

import orjson

from rpg.encoder.facts import FileFacts
from rpg.encoder.frameworks import ResolvedFile
from rpg.encoder.languages import BY_NAME, Language
from rpg.encoder.resolve.assembly.assembly import Resolved, resolve_affected
from rpg.encoder.resolve.evaluate import Evaluator
from rpg.encoder.resolve.incremental.affected_files import AffectedFiles, MoreAffected
from rpg.encoder.resolve.incremental.affected_resolution import IncrementalResolution
from rpg.encoder.resolve.incremental.file_difference import NotIncremental, Text
from rpg.encoder.resolve.incremental.fingerprints import TooMuch
from rpg.encoder.resolve.incremental.saved_state import History, Kept, history_of, survey_part, survey_rows
from rpg.encoder.resolve.program.program import Program, Survey
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.method_sets import ASKED, IMPLEMENTED, MethodSets, differing, survey_methods
from rpg.encoder.scip import NO_INDEX, Compiled
from rpg.graph import Edge, Place, Symbol
from rpg.system.compression import decompress

MOST_AFFECTED: Final = 24
PART_AFFECTED: Final = 8
"""Limit on affected files: this many, or one in this many. Beyond it, resolving everything costs about as much; finding
them has a cost too, which is wasted if there turn out to be too many."""
ATTEMPTS: Final = 6
"""Attempts before all files are resolved; each attempt adds affected files."""
PART_ATTEMPTED: Final = 4
"""Limit on the files that all attempts resolve together, one in this many, where that is more than the least limit
allows: each is resolved twice, so that what is wasted stays below half of resolving everything."""


class Last(Protocol):
    """What is saved of the last resolution, by path, as an index stores it."""

    languages: dict[str, str]
    """Of all files with facts."""

    texts: dict[str, str]
    """Of all other files, which refer to nothing."""

    def facts(self, path: str) -> FileFacts: ...

    def source(self, path: str) -> bytes: ...

    def sources(self) -> Iterable[tuple[str, bytes]]:
        """Of all files with facts, compressed."""

    def read(self, path: str) -> bytes:
        """What resolution may read besides facts."""

    def history(self, path: str) -> bytes | None:
        """The data of a row of `Kept`."""

    def survey(self, name: str) -> bytes | None:
        """The same for a part of the survey."""

    def mentioning(self, mention: str) -> Iterable[str]:
        """The rows of `Kept` whose mentions contain a text."""

    def guessing(self, name: str) -> Iterable[str]:
        """The files with a place where a member of that name was not found, or was guessed."""

    def importing(self, path: str) -> Iterable[str]:
        """The files with an edge that imports a file."""

    def bearing(self, name: str) -> Iterable[str]:
        """The files with a symbol of that name, but for configuration."""

    def counts(self, path: str) -> tuple[str, Sequence[int]]:
        """The language of a module, and its references, counted as in `Resolved.counts`."""


class Updated(NamedTuple):
    symbols: list[Symbol]
    edges: list[Edge]
    places: list[Place]
    counts: dict[str, list[int]]
    """By language: the difference in the counts of references (`Resolved.counts`)."""
    definitions: dict[str, int]
    """The same for the number of definitions."""
    kept: Kept
    concerned: dict[str, ResolvedFile]
    """The files of the part, as contracts read them."""


def update(
    last: Last,
    edited: Sequence[tuple[FileFacts, bytes]],
    certain: Callable[[str, str], bool],
    roots: tuple[str, ...] = (),
    compiled: Compiled = NO_INDEX,
) -> Updated:
    """`edited` are facts and sources of files that the last resolution knew; `certain`, `roots` and `compiled` are
    those of `resolve`; `compiled` says nothing of an edited file, before or after. Raises NotIncremental, and whatever
    `last` and damaged rows raise."""
    try:
        return _Update(last, roots, compiled).of(edited, certain)
    except TooMuch:
        raise NotIncremental("too large to compare") from None


class _Update:
    def __init__(self, last: Last, roots: tuple[str, ...], compiled: Compiled) -> None:
        self.last = last
        self.roots = roots
        self.compiled = compiled
        self.histories: dict[str, History] = {}

    def of(self, edited: Sequence[tuple[FileFacts, bytes]], certain: Callable[[str, str], bool]) -> Updated:
        last = self.last
        new = {facts.path: facts for facts, _ in edited}
        before = self.program(last.facts, None)
        after = self.program(lambda path: new[path] if path in new else last.facts(path), before)
        sides = []
        for facts, source in edited:
            number = before.number_of(facts.path)
            sides.append((before.files[number], last.source(facts.path), after.files[number], source))
        most = max(MOST_AFFECTED, len(last.languages) // PART_AFFECTED)
        try:
            affected = AffectedFiles(sides, _Others(last, before, set(new)), most)
            implementers = self.implementers(before, [(old, new) for old, _, new, _ in sides], new)
            if implementers:
                earlier = before.known(IMPLEMENTED)
                affected.include(sorted({before.number_of(path) for path in differing(earlier, implementers)}))
            resolved, texts, kept = self.attempts(before, after, affected, certain, implementers)
        finally:
            before.files.clear()
            after.files.clear()
        counts: dict[str, list[int]] = {}
        for language, each in texts.items():
            _add(counts, language, each, -1)
        for number in affected.versions:
            language, references = last.counts(before.paths()[number])
            _add(counts, language, references, -1)
        for language, each in resolved.counts.items():
            _add(counts, language, each, 1)
        definitions: dict[str, int] = {}
        for old, _, file, _ in sides:
            language = file.facts.language
            definitions[language] = definitions.get(language, 0) + len(file.definitions) - len(old.definitions)
        return Updated(resolved.symbols, resolved.edges, resolved.places, counts, definitions, kept, resolved.concerned)

    def attempts(
        self,
        before: Program,
        after: Program,
        affected: AffectedFiles,
        certain: Callable[[str, str], bool],
        implementers: Survey,
    ) -> tuple[Resolved, dict[str, list[int]], Kept]:
        """The resolved affected files, the previous counts of the text files among them, and the state to save."""
        rounds, unsure = self.survey("rounds"), self.survey("unsure")
        if rounds is None or unsure is None:
            raise NotIncremental("nothing was saved")
        left = max(ATTEMPTS * MOST_AFFECTED, len(self.last.languages) // PART_ATTEMPTED)
        for _ in range(ATTEMPTS):
            left -= len(affected.versions)
            if left < 0:
                raise NotIncremental("the edit reaches too far")
            if not affected.versions.keys().isdisjoint(unsure):
                raise NotIncremental("a reference costs more than the limit")
            surveyed = affected.surveyed
            if surveyed:
                after.edited(before, {index: moves.definition for index, moves in surveyed.items()})
                after.survey.update(implementers)
                after.amended.update(implementers)
            elif implementers:
                raise NotIncremental("methods that interfaces ask for changed, and no definition")
            edits = IncrementalResolution(before, after, affected, self.history, rounds)
            try:
                resolved, texts = resolve_affected(edits, certain, self.compiled)
                if not edits.new.evaluator.limited.keys() <= set(unsure):
                    raise NotIncremental("following something costs more than the limit")
                rows = edits.rows(partial(self.mentioning, before))
                return resolved, texts, Kept(rows, survey_rows(after.amended))
            except MoreAffected as wider:
                affected.widen(wider)
            finally:
                edits.forget()
        raise NotIncremental("the edit reaches too far")

    def implementers(
        self, before: Program, sides: Iterable[tuple[SourceFile, SourceFile]], new: Mapping[str, FileFacts]
    ) -> Survey:
        """The parts of the survey that record which types implement which interfaces, if the edit may change them:
        neither names the other, so all files are examined. Otherwise empty."""
        judged = [(old, new) for old, new in sides if new.rules.methods_make_implementers]
        if not judged:
            return {}
        asked = before.known(ASKED)
        if asked is None:
            raise NotIncremental("nothing was saved of the interfaces")
        names = frozenset(asked)
        if all(survey_methods(before, old, names) == survey_methods(before, new, names) for old, new in judged):
            return {}
        last = self.last
        program = Program(
            last.languages,
            lambda path: new[path] if path in new else last.facts(path),
            last.read,
            self.roots,
            texts=last.texts,
        )
        try:
            evaluator = Evaluator(program)
            MethodSets(evaluator).survey()
            evaluator.end()
            return {name: program.survey[name] for name in (ASKED, IMPLEMENTED)}
        finally:
            program.files.clear()

    def program(self, facts: Callable[[str], FileFacts], before: Program | None) -> Program:
        last = self.last
        return Program(last.languages, facts, last.read, self.roots, self.survey, before, last.texts)

    def mentioning(self, program: Program, files: Iterable[int]) -> set[str]:
        """The rows of the saved state that mention some of the files."""
        mentions = [orjson.dumps(program.paths()[file]).decode() for file in files]
        return {path for mention in mentions for path in self.last.mentioning(mention)}

    def history(self, path: str) -> History:
        known = self.histories.get(path)
        if known is None:
            data = self.last.history(path)
            known = self.histories[path] = History([], []) if data is None else history_of(data)
        return known

    def survey(self, name: str) -> Any:
        data = self.last.survey(name)
        return None if data is None else survey_part(data)


class _Others:
    """affected_files.Others"""

    def __init__(self, last: Last, program: Program, edited: set[str]) -> None:
        self.last = last
        self.program = program
        self.edited = edited
        self.known: dict[int, bytes] = {}
        """The sources of all files, once one of them has been searched."""

    def mentioning(self, text: Text) -> Iterator[int]:
        for index, source in self.sources():
            if text.is_in(source):
                yield index

    def sources(self) -> Iterable[tuple[int, bytes]]:
        if not self.known:
            self.known = {self.program.number_of(path): decompress(source) for path, source in self.last.sources()}
        return self.known.items()

    def guessing(self, names: Iterable[str]) -> Iterator[int]:
        paths = {path for name in names for path in self.last.guessing(name)}
        return map(self.program.number_of, sorted(paths))

    def importing(self, index: int) -> Iterator[int]:
        return map(self.program.number_of, self.last.importing(self.path(index)))

    def is_borne(self, name: str) -> bool:
        return any(path not in self.edited for path in self.last.bearing(name))

    def path(self, index: int) -> str:
        return self.program.paths()[index]

    def language(self, index: int) -> Language:
        return BY_NAME[self.last.languages[self.path(index)]]

    def source(self, index: int) -> bytes:
        known = self.known.get(index)
        return self.last.source(self.path(index)) if known is None else known

    def file(self, index: int) -> SourceFile:
        return self.program.files[index]


def _add(counts: dict[str, list[int]], language: str, more: Sequence[int], sign: int) -> None:
    known = counts.setdefault(language, [0] * 5)
    for position, count in enumerate(more):
        known[position] += sign * count
