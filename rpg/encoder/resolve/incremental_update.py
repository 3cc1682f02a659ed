"""Updates a graph after an edit, from the saved state of the last resolution: the one entry to incremental resolution.

In: the saved state (`Last`), and the edited files as they are now. Out: the part of the graph that belongs to the
affected files, the differences in the overall counts, and the state to save for the next edit; or NotIncremental if all
files must be resolved again. The method is described in `incremental/__init__.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from typing import Any, Final, NamedTuple, Protocol

import orjson

from rpg.encoder.facts import SITE_WORDS, FileFacts
from rpg.encoder.frameworks import ResolvedFile
from rpg.encoder.languages import BY_NAME, Language
from rpg.encoder.resolve.assembly.assembly import Resolved, resolve_affected
from rpg.encoder.resolve.assembly.library_names import LibraryFiles
from rpg.encoder.resolve.evaluate import Evaluator
from rpg.encoder.resolve.incremental.affected_files import AffectedFiles, MoreAffected
from rpg.encoder.resolve.incremental.affected_resolution import IncrementalResolution
from rpg.encoder.resolve.incremental.file_difference import NotIncremental, Text
from rpg.encoder.resolve.incremental.fingerprints import TooMuch
from rpg.encoder.resolve.incremental.moved_files import Moved
from rpg.encoder.resolve.incremental.saved_state import (
    History,
    Kept,
    history_of,
    renumber_part,
    survey_part,
    survey_rows,
)
from rpg.encoder.resolve.program.absent_files import list_amended, without_contents
from rpg.encoder.resolve.program.program import Program, Survey
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.method_sets import ASKED, IMPLEMENTED, MethodSets, differing, survey_methods
from rpg.encoder.resolve.references.name_fallback import MEMBERS, MISSED
from rpg.encoder.scip import NO_INDEX, Compiled
from rpg.graph import FAN_OUT_LIMIT, Edge, Place, Symbol
from rpg.system.compression import decompress

MOST_AFFECTED: Final = 24
PART_AFFECTED: Final = 8
"""Limit on affected files: this many, or one in this many. Beyond it, resolving everything costs about as much; finding
them has a cost too, which is wasted if there turn out to be too many."""
PART_AFFECTED_BY_MOVES: Final = 32
"""The same where files come or go: more often than after an edit, something in them cannot be followed."""
ATTEMPTS: Final = 6
"""Attempts before all files are resolved; each attempt adds affected files."""
PART_ATTEMPTED: Final = 4
"""Limit on the files that all attempts resolve together, one in this many, where that is more than the least limit
allows: each is resolved twice, so that what is wasted stays below half of resolving everything."""
LEAST_REPEATED: Final = 10_000
PART_REPEATED: Final = 8
"""Limit on the references of these files from the second attempt on: so many, or one in so many of all. A few large
files may cost as much as many."""

_KEPT: Final = (MISSED, IMPLEMENTED, "augmentations")
"""Parts of the survey that stay as they are where nothing in them changed."""


class Last(Protocol):
    """What is saved of the last resolution, by path, as an index stores it."""

    languages: dict[str, str]
    """Of all files with facts."""

    texts: dict[str, str]
    """Of all other files, which refer to nothing."""

    references: int
    """How many all files have."""

    def facts(self, path: str) -> FileFacts: ...

    def source(self, path: str) -> bytes: ...

    def sources(self) -> Iterable[tuple[str, bytes]]:
        """Of all files with facts, compressed."""

    def having(self, name: bytes) -> Iterable[str] | None:
        """The files with facts that may contain a name, and some that do not; None if any may."""

    def read(self, path: str) -> bytes:
        """What resolution may read besides facts; nothing of what is no longer there."""

    def history(self, path: str) -> tuple[bytes, str] | None:
        """The data and the mentions of a row of `Kept`."""

    def survey(self, name: str) -> bytes | None:
        """The data of a part of the survey."""

    def surveys(self) -> Iterable[str]:
        """The names of the parts that `survey` has."""

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
    moved: MovedPaths | None = None,
    libraries: LibraryFiles | None = None,
) -> Updated:
    """`edited` are facts and sources of files that the last resolution knew, and of those that came; what follows is
    that of `resolve`; `compiled` says nothing of an edited file, before or after. Raises NotIncremental, and whatever
    `last` and damaged rows raise."""
    try:
        new = {facts.path: facts for facts, _ in edited}
        return _Update(last, roots, compiled, new, moved, libraries).of(edited, certain)
    except TooMuch:
        raise NotIncremental("too large to compare") from None


class MovedPaths(NamedTuple):
    """What came or went besides edits."""

    gone: frozenset[str]
    """Paths of files that are no longer there."""
    texts: Collection[str]
    """Paths of all files that refer to nothing, as they are now."""


class _Update:
    def __init__(
        self,
        last: Last,
        roots: tuple[str, ...],
        compiled: Compiled,
        new: Mapping[str, FileFacts],
        moved: MovedPaths | None,
        libraries: LibraryFiles | None,
    ) -> None:
        self.last = last
        self.libraries = libraries
        self.roots = roots
        self.compiled = compiled
        self.new = new
        self.moved = moved
        self.histories: dict[str, History] = {}
        self.parts: dict[str, Any] = {}
        gone = moved.gone & last.languages.keys() if moved is not None else frozenset()
        self.languages = last.languages
        """As they are now."""
        self.order: list[str] = []
        """The paths by number before and after the edit, if they are not the same."""
        self.numbers: list[int] = []
        """The numbers there of the files that the saved state numbers."""
        came = [path for path in new if path not in last.languages]
        if gone or came:
            self.languages = {path: each for path, each in last.languages.items() if path not in gone}
            self.languages |= {path: new[path].language for path in came}
            if set(self.languages.values()) != set(last.languages.values()):
                raise NotIncremental("the first or the last file of a language")
            self.order = sorted({*last.languages, *self.languages})
            self.numbers = [number for number, path in enumerate(self.order) if path in last.languages]

    def of(self, edited: Sequence[tuple[FileFacts, bytes]], certain: Callable[[str, str], bool]) -> Updated:
        last, moved, new = self.last, self.moved, self.new
        before = self.program(self.facts_before, last.languages, last.texts, None)
        after = self.program(
            self.facts_after, self.languages, moved.texts if moved else last.texts, None if moved else before
        )
        numbers = {path: number for number, path in enumerate(before.order)}
        sides = []
        for facts, source in edited:
            number = numbers[facts.path]
            known = last.source(facts.path) if facts.path in last.languages else b""
            sides.append((before.files[number], known, after.files[number], source))
        for path in sorted(moved.gone & last.languages.keys()) if moved else ():
            sides.append((before.files[numbers[path]], last.source(path), after.files[numbers[path]], b""))
        most = max(MOST_AFFECTED, len(last.languages) // (PART_AFFECTED_BY_MOVES if moved else PART_AFFECTED))
        try:
            of_moved = Moved(before, after, set(last.texts) ^ set(moved.texts)) if moved else None
            affected = AffectedFiles(
                sides, _Others(last, before, {*new, *(moved.gone if moved else ())}), most, of_moved
            )
            homes = homes_of_methods(before, [(old, new) for old, _, new, _ in sides])
            if homes:
                affected.include(homes)
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
            if before.paths()[number]:
                language, references = last.counts(before.paths()[number])
                _add(counts, language, references, -1)
        for language, each in resolved.counts.items():
            _add(counts, language, each, 1)
        definitions: dict[str, int] = {}
        for old, _, file, _ in sides:
            language = file.facts.language
            definitions[language] = definitions.get(language, 0) + len(file.definitions) - len(old.definitions)
        return Updated(resolved.symbols, resolved.edges, resolved.places, counts, definitions, kept, resolved.concerned)

    def facts_before(self, path: str) -> FileFacts:
        return self.last.facts(path) if path in self.last.languages else without_contents(self.new[path])

    def facts_after(self, path: str) -> FileFacts:
        if path in self.new:
            return self.new[path]
        facts = self.last.facts(path)
        return facts if path in self.languages else without_contents(facts)

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
        sites, most = 0, max(LEAST_REPEATED, self.last.references // PART_REPEATED)
        for attempt in range(ATTEMPTS):
            left -= len(affected.versions)
            sites += sum(len(each.moves.new.file.facts.sites) // SITE_WORDS for each in affected.versions.values())
            if left < 0 or (attempt and sites > most):
                raise NotIncremental("the edit reaches too far")
            if not affected.versions.keys().isdisjoint(unsure):
                raise NotIncremental("a reference costs more than the limit")
            surveyed = affected.surveyed
            if surveyed:
                after.edited(before, {index: moves.definition for index, moves in surveyed.items()})
                if self.order:
                    listed = self.listed(before, after, affected)
                    after.survey.update(listed)
                    after.amended.update(listed)
                after.survey.update(implementers)
                after.amended.update(implementers)
            elif implementers:
                raise NotIncremental("methods that interfaces ask for changed, and no definition")
            edits = IncrementalResolution(before, after, affected, self.history, rounds)
            try:
                resolved, texts = resolve_affected(edits, certain, self.compiled, self.libraries)
                if not edits.new.evaluator.limited.keys() | edits.new.evaluator.cut.keys() <= set(unsure):
                    raise NotIncremental("following something costs more than the limit")
                rows = edits.rows(partial(self.mentioning, before))
                return (
                    resolved,
                    texts,
                    Kept(rows, survey_rows(self.kept_survey(after) if self.order else after.amended)),
                )
            except MoreAffected as wider:
                affected.widen(wider)
            finally:
                edits.forget()
        raise NotIncremental("the edit reaches too far")

    def listed(self, before: Program, after: Program, affected: AffectedFiles) -> Survey:
        """The parts of the survey that list files by what their facts say."""
        moved = {index for index, versions in affected.versions.items() if versions.is_moved}
        there = {path: facts for path, facts in self.new.items() if path not in self.last.languages}
        return list_amended(before, after, moved, there)

    def kept_survey(self, after: Program) -> Survey:
        """The whole survey, as all files have other numbers now. Raises NotIncremental if something in it was not made
        again."""
        numbers = [-1] * len(self.order)
        for number, path in enumerate(path for path in self.order if path in self.languages):
            numbers[after.number_of(path)] = number
        kept: Survey = {}
        for name in sorted({*self.last.surveys(), *after.amended}):
            known = after.amended.get(name)
            if known is None:
                known = self.survey(name)
                if isinstance(known, Mapping) and known and name not in _KEPT:
                    raise NotIncremental("a survey was not made again")
            kept[name] = renumber_part(known, numbers)
        return kept

    def implementers(
        self, before: Program, sides: Iterable[tuple[SourceFile, SourceFile]], new: Mapping[str, FileFacts]
    ) -> Survey:
        """The parts of the survey that record which types implement which interfaces, if the edit may change them:
        neither names the other, so all files are examined. Otherwise empty."""
        judged = [(old, new) for old, new in sides if new.rules.method_sets.make_implementers]
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

    def program(
        self,
        facts: Callable[[str], FileFacts],
        languages: Mapping[str, str],
        texts: Collection[str],
        before: Program | None,
    ) -> Program:
        return Program(languages, facts, self.last.read, self.roots, self.survey, before, texts, self.order)

    def mentioning(self, program: Program, files: Iterable[int]) -> set[str]:
        """The rows of the saved state that mention some of the files."""
        mentions = [orjson.dumps(path).decode() for file in files if (path := program.paths()[file])]
        found = {path for mention in mentions for path in self.last.mentioning(mention)}
        return {path for path in found if path in self.languages or path not in self.last.languages}

    def history(self, path: str) -> History:
        known = self.histories.get(path)
        if known is None:
            row = self.last.history(path) if path else None
            known = self.histories[path] = (
                History([], []) if row is None else history_of(path, *row, self.number_before)
            )
        return known

    @property
    def numbered(self) -> dict[str, int]:
        if not hasattr(self, "_numbered"):
            order = self.order or sorted(self.last.languages)
            self._numbered: dict[str, int] = {path: number for number, path in enumerate(order)}
        return self._numbered

    def number_before(self, path: str) -> int:
        return self.numbered.get(path, -1)

    def survey(self, name: str) -> Any:
        if name not in self.parts:
            data = self.last.survey(name)
            found = None if data is None else survey_part(data)
            self.parts[name] = renumber_part(found, self.numbers) if self.numbers else found
        return self.parts[name]


class _Others:
    """affected_files.Others"""

    def __init__(self, last: Last, program: Program, edited: set[str]) -> None:
        self.last = last
        self.program = program
        self.edited = edited
        self.known: dict[int, bytes] = {}
        """The sources of all files, once one of them has been searched."""
        self.had: dict[bytes, Set[int] | None] = {}
        """By name, the files that may contain it."""

    def mentioning(self, text: Text) -> Iterable[int]:
        sources = dict(self.sources())
        found: set[int] = set()
        for name in text.names:
            some = self.having(name)
            left = sources.keys() - found if some is None else some - found
            found.update(index for index in left if text.has(name, sources[index]))
        return sorted(found)

    def having(self, name: bytes) -> Set[int] | None:
        if name not in self.had:
            paths = self.last.having(name)
            self.had[name] = None if paths is None else set(map(self.program.number_of, paths))
        return self.had[name]

    def sources(self) -> Iterable[tuple[int, bytes]]:
        if not self.known:
            self.known = {self.program.number_of(path): decompress(source) for path, source in self.last.sources()}
        return self.known.items()

    def guessing(self, names: Iterable[str]) -> Iterator[int]:
        paths = {path for name in names for path in self.last.guessing(name)}
        return map(self.program.number_of, sorted(paths))

    def missing(self, members: Iterable[str]) -> Iterator[int]:
        table = self.program.known(MISSED)
        if table is None:
            raise NotIncremental("nothing was saved of members that classes lack")
        yield from sorted({file for member in members for file in table.get(member, ())})

    def is_guessed(self, family: str, name: str, in_test: bool) -> bool:
        table = self.program.known(MEMBERS)
        if table is None:
            raise NotIncremental("nothing was saved of the members")
        paths = [self.path(file) for file, _ in table.get(f"{family} {name}", ())]
        left = [path for path in paths if path not in self.edited and (in_test or not self.program.is_test(path))]
        return len(left) <= FAN_OUT_LIMIT  # of more, none is chosen

    def is_test(self, index: int) -> bool:
        return self.program.is_test(self.path(index))

    def bearing(self, name: str) -> Iterator[int]:
        return map(self.program.number_of, sorted(self.last.bearing(name)))

    def importing(self, index: int) -> Iterator[int]:
        if index < 0 or not self.path(index):
            return iter(())
        return map(self.program.number_of, self.last.importing(self.path(index)))

    def importing_around(self, index: int) -> Iterator[int]:
        path = self.path(index)
        found = set(self.last.importing(path))
        while path:
            path = path[:-1].rpartition("/")[0]
            for each in (f"{path}/", f"{path}/__init__.py", f"{path}/__init__.pyi") if path else ():
                found.update(self.last.importing(each))
        return map(self.program.number_of, sorted(found))

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


def homes_of_methods(program: Program, sides: Iterable[tuple[SourceFile, SourceFile]]) -> list[int]:
    """The files of the types that get or lose methods in other files: what contains these is said where the type is."""
    found: set[int] = set()
    for old, new in sides:
        changed = _methods_elsewhere(old) ^ _methods_elsewhere(new)
        for owner in {owner for owner, _ in changed}:
            place = program.place_of_owner(new, owner)
            for file in program.files_in(place) if place.endswith("/") or not place else ():
                if file.path != new.path and file.children(0, owner):
                    found.add(file.index)
    return sorted(found)


def _methods_elsewhere(file: SourceFile) -> set[tuple[str, str]]:
    return {(each.owner, each.qualified_name) for each in file.definitions if each.owner}
