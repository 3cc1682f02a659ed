"""The repository as it is and as it was, each resolved only where a difference may show.

In: the saved state of the last resolution, and what some files contained at another time. Out: a `World` for each time,
whose files have the outcomes of their sites. The other files are not resolved: what they store and pass is taken from
the saved state, as for an edit (incremental/). Files may come and go, which an edit may not, because nothing here must
equal a clean encode: what the saved state knows of a file that is not there is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from rpg.encoder.facts import ROLE, SITE_WORDS, FileFacts
from rpg.encoder.resolve.breakage.translation import Translation
from rpg.encoder.resolve.frameworks import Mention
from rpg.encoder.resolve.incremental.file_difference import FileVersions, NotIncremental
from rpg.encoder.resolve.incremental.replay import KeptTables, Replay
from rpg.encoder.resolve.incremental.saved_state import History, history_of
from rpg.encoder.resolve.program.absent_files import list_amended, without_contents
from rpg.encoder.resolve.program.program import Program
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.outcomes import NOTHING_TO_FIND, Outcome
from rpg.encoder.resolve.references.rounds import Flow
from rpg.encoder.resolve.resolved_sites import complete
from rpg.encoder.resolve.values.flow_tables import Change


class Contents(NamedTuple):
    """A file at some time."""

    facts: FileFacts
    source: bytes


class Saved(Protocol):
    """What is saved of the last resolution: a part of `incremental_update.Last`."""

    languages: dict[str, str]
    texts: dict[str, str]

    def facts(self, path: str) -> FileFacts: ...

    def source(self, path: str) -> bytes: ...

    def read(self, path: str) -> bytes: ...

    def history(self, path: str) -> tuple[bytes, str] | None: ...

    def survey_part(self, name: str) -> Any: ...


class World:
    """The repository at one time."""

    def __init__(self, program: Program, history: Callable[[str], History], rounds: int) -> None:
        self.program = program
        self.outcomes: dict[int, list[Outcome]] = {}
        """By file, for those that were resolved: the outcomes of its sites, without guesses by name."""
        self._guessed: set[tuple[int, int]] = set()
        """Files and sites for which a guess by name was made."""
        self.mentions: dict[int, list[Mention]] = {}
        """By file: what frameworks mean without a site."""
        self._history = history
        self._rounds = rounds

    def prepare(self, anew: Iterable[str]) -> None:
        """`anew`: the files that the saved state does not know. Classes and their bases are known from now on."""
        program = self.program
        self._anew = sorted({number for path in anew if (number := program.number_of(path)) >= 0})
        self._replay = Replay(program, KeptTables(program, self._history, self._anew), self._anew, [])
        self.evaluator = self._replay.evaluator

    def resolve(self, is_own: Callable[[Change], bool], chosen: Mapping[str, Iterable[int]]) -> None:
        """Resolves all sites of the files that are new, and by path those that are `chosen` of others. `is_own`: what
        only the former know."""
        program, numbers, replay = self.program, self._anew, self._replay
        flow = replay.flow
        others = {number: sites for path, sites in chosen.items() if (number := program.number_of(path)) >= 0}
        first = {number: self._outcomes(flow, number, sites) for number, sites in others.items()}
        with suppress(NotIncremental):  # a reference that costs more than the limit is one without an outcome
            replay.run(self._rounds, is_own)
        for number, known in first.items():
            if number in numbers:
                continue
            outcomes = [NOTHING_TO_FIND] * (len(program.files[number].facts.sites) // SITE_WORDS)
            lost = [site for site, outcome in known.items() if not outcome.targets]
            for site, outcome in (known | self._outcomes(flow, number, lost)).items():
                if not known[site].targets and outcome.targets:
                    outcome = outcome._replace(targets=tuple(each._replace(via="value") for each in outcome.targets))
                outcomes[site] = outcome
            flow.outcomes[number] = outcomes
        every = sorted({*numbers, *first})
        self.outcomes = {number: list(flow.outcomes[number]) for number in every}
        found = complete(flow, replay.frameworks, [program.files[number] for number in every], guesses_all=False)
        self._completed = found
        self.mentions = found.mentions

    def guessed(self, number: int, site: int) -> Outcome:
        """The outcome of a site of a file, which may be guessed by its name."""
        outcomes = self._completed.outcomes[number]
        if (number, site) not in self._guessed and (outcomes[site].reason == "unresolved" or outcomes[site].misfit):
            self._guessed.add((number, site))
            self._completed.guesses.guess(self.program.files[number], outcomes, [site])
        return outcomes[site]

    def _outcomes(self, flow: Flow, number: int, chosen: Iterable[int]) -> dict[int, Outcome]:
        """What sites of a file mean as far as is known in this round."""
        file = self.program.files[number]
        sites = file.facts.sites
        found: dict[int, Outcome] = {}
        for site in chosen:
            flow.evaluator.start()
            at = SITE_WORDS * site
            found[site] = flow.outcome(file, sites[at], sites[at + ROLE])
            if flow.evaluator.is_cut:
                flow.cut_sites.add((number, site))
        return found

    def is_cut(self, number: int, site: int) -> bool:
        """Whether what a site means costs more to find than the limit, so that its outcome says nothing."""
        return (number, site) in self._replay.flow.cut_sites

    def file(self, path: str) -> SourceFile | None:
        return self.program.file_at(path)


class Worlds:
    """Makes worlds from one saved state."""

    def __init__(self, saved: Saved, changes: Iterable[Mapping[str, Contents | None]], roots: tuple[str, ...]) -> None:
        """`changes`: by path what files contain in each of the other worlds, None for those that are not there."""
        self.saved = saved
        self.roots = roots
        known = saved.languages
        more = {path for each in changes for path, contents in each.items() if contents and path not in known}
        self.order = [*sorted(known), *sorted(more)]
        self._histories: dict[str, History] = {}
        rounds = self._survey("rounds")
        self._rounds = rounds if isinstance(rounds, int) else 0
        self._now = Program(known, saved.facts, saved.read, roots, self._survey, None, saved.texts)

    def build_saved_world(self) -> tuple[World, Callable[[Change], bool]]:
        """The world that the saved state describes: nothing is known there alone."""
        return World(self._now, self._history, self._rounds), lambda change: False

    def changed(self, contents: Mapping[str, Contents | None]) -> tuple[World, Callable[[Change], bool]]:
        """The world in which these files contain something else, and what is known there alone."""
        saved, now = self.saved, self._now
        contents = {path: each for path, each in contents.items() if not self.is_saved(path, each)}
        if not contents:
            return self.build_saved_world()
        languages = {path: language for path, language in saved.languages.items() if contents.get(path, True)}
        languages |= {path: each.facts.language for path, each in contents.items() if each}

        def facts(path: str) -> FileFacts:
            each = contents.get(path)
            if each is not None:
                return each.facts
            return saved.facts(path) if path in languages else without_contents(saved.facts(path))

        def read(path: str) -> bytes:
            if path in contents:
                each = contents[path]
                return each.source if each is not None else b""
            return saved.read(path)

        program = Program(languages, facts, read, self.roots, None, None, saved.texts, self.order)
        moves: dict[int, Callable[[int], int | None]] = {}
        versions: dict[int, FileVersions] = {}
        for path, each in contents.items():
            number = self.order.index(path)
            moves[number] = _nowhere
            if each is not None and path in saved.languages and saved.languages[path] == each.facts.language:
                before = now.files[number]
                versions[number] = FileVersions(before, saved.source(path), program.files[number], each.source)
                moves[number] = versions[number].moves.definition
        program.edited(now, moves)
        there = {path: each.facts for path, each in contents.items() if each is not None}
        program.survey.update(list_amended(now, program, moves, there))
        translation = Translation(self.order, moves, versions)

        def history(path: str) -> History:
            return translation.history(path, self._history(path)) if path in saved.languages else History([], [])

        return World(program, history, self._rounds), translation.is_own

    def is_saved(self, path: str, contents: Contents | None) -> bool:
        """Whether that is what the saved state has of a file."""
        if contents is None:
            return path not in self.saved.languages
        if self.saved.languages.get(path) != contents.facts.language:
            return False
        return contents.source == self.saved.source(path)

    def _history(self, path: str) -> History:
        known = self._histories.get(path)
        if known is None:
            row = self.saved.history(path) if path else None
            known = self._histories[path] = (
                History([], []) if row is None else history_of(path, *row, self._now.number_of)
            )
        return known

    def _survey(self, name: str) -> Any:
        return self.saved.survey_part(name)


def _nowhere(index: int) -> int | None:
    return None
