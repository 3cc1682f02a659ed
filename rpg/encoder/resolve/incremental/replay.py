"""Resolves a few files again, with the tables of each round of the last resolution as saved for all other files.

In: a program, the saved state of the last resolution (saved_state.py), and the files. Out: what these store, pass and
call in each round. affected_resolution.py draws the conclusions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from rpg.encoder.resolve.evaluate import Evaluator
from rpg.encoder.resolve.frameworks import find_frameworks
from rpg.encoder.resolve.incremental.file_difference import NotIncremental
from rpg.encoder.resolve.incremental.saved_state import History
from rpg.encoder.resolve.program.program import Program
from rpg.encoder.resolve.references.rounds import ROUNDS, Flow
from rpg.encoder.resolve.values.flow_tables import PLACE_FILE, RECEIVED, Change, Tables, file_of
from rpg.encoder.resolve.values.values import Values


class KeptTables(Tables):
    """What a round of the last resolution knew, without what the replayed files store themselves."""

    def __init__(self, program: Program, history: Callable[[str], History], edited: Iterable[int]) -> None:
        super().__init__()
        self.program = program
        self.history = history
        self.edited = frozenset(edited)
        self.round = 0
        self.known: dict[str, list[list[Change]]] = {}

    def need(self, owner: int | str) -> None:
        path = owner if isinstance(owner, str) else self.program.paths()[owner]
        if path in self.known:
            return
        self.known[path] = []
        rounds = [self.keep_others(found) for found in self.history(path).rounds]
        self.known[path] = rounds
        for found in rounds[: self.round]:
            self.apply(found)

    def keep_others(self, found: list[Change]) -> list[Change]:
        return [change for change in found if change.kind == RECEIVED or change.store[PLACE_FILE] not in self.edited]

    def next_round(self, own: list[Change]) -> None:
        for rounds in self.known.values():
            if self.round < len(rounds):
                self.apply(rounds[self.round])
        self.round += 1
        self.apply(own)


Passed = dict[tuple[int, int, int], Values]
CallCounts = dict[tuple[int, int], int]


class Round(NamedTuple):
    """What the edited files do in one round."""

    stores: list[Change]
    """What they store differently from the round before."""
    passed: Passed
    """What their calls pass: (file, function scope, parameter) -> values."""
    calls: CallCounts
    """(file, function scope) -> number of their calls of it."""
    own: list[Change]
    """What their own functions receive and no other file knows."""


class Replay:
    """Resolves the edited files, before or after the edit."""

    def __init__(
        self, program: Program, tables: KeptTables, edited: list[int], by_result: list[tuple[int, int]]
    ) -> None:
        """`by_result`: functions (file, definition) whose results are recorded."""
        self.program = program
        self.tables = tables
        self.edited = edited
        self.evaluator = Evaluator(program)
        self.evaluator.tables = tables
        self.evaluator.frameworks = self.frameworks = find_frameworks(self.evaluator)
        self.flow = Flow(self.evaluator)
        self.rounds: list[Round] = []
        self.by_result = by_result
        self.results: list[list[tuple[Values, ...] | None]] = []
        """By round, the results of each of these functions; None if they depend on the callers."""

    def plugins(self) -> list[type]:
        """The plug-ins of the frameworks in use."""
        return list(map(type, self.frameworks.plugins)) if self.frameworks is not None else []

    def run(self, rounds: int, own: Callable[[Change], bool]) -> None:
        """Runs that many rounds, and further ones while they bring changes that are only the edited files' `own`."""
        files = [self.program.files[index] for index in self.edited]
        for number in range(ROUNDS + 1):
            for file in files:
                if number:
                    self.flow.again(file, None)
                else:
                    self.flow.first(file)
            self.results.append([self.results_of(*each) for each in self.by_result])
            if number == ROUNDS:
                break
            found = self.round(own)
            self.rounds.append(found)
            changes = [*found.stores, *found.own]
            if number >= rounds and not changes:
                break
            self.tables.next_round(changes)
            self.evaluator.next_round(None)
        if self.flow.unsure:
            raise NotIncremental("a reference costs more than the limit")

    def results_of(self, file: int, index: int) -> tuple[Values, ...] | None:
        self.evaluator.start()
        results = self.evaluator.calls.find_fixed_results(self.program.files[file], index)
        return results if not self.evaluator.is_cut else None

    def round(self, own: Callable[[Change], bool]) -> Round:
        flow = self.flow
        stores = [
            change
            for index in self.edited
            for change in flow.stores(self.program.files[index], None)
            if self.is_new(change)
        ]
        passed: Passed = {}
        calls: CallCounts = {}
        for (index, scope), callers in flow.callers.items():
            places = list(callers)
            calls[index, scope] = len(places)
            for position, values in flow.passed(self.program.files[index], scope, places):
                passed[index, scope, position] = values
        return Round(stores, passed, calls, self.received(passed, own))

    def is_new(self, change: Change) -> bool:
        self.tables.need(file_of(change))
        return self.tables.is_new(change)

    def received(self, passed: Passed, own: Callable[[Change], bool]) -> list[Change]:
        """What the files' own functions receive and no other file knows."""
        changes = [build_received_change(key)._replace(values=values) for key, values in passed.items() if values]
        return [change for change in changes if own(change) and self.is_new(change)]


def build_received_change(key: tuple[int, int, int]) -> Change:
    """The change that a parameter receives something."""
    return Change(RECEIVED, key, (-1, -1), ())
