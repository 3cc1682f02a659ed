"""Resolving edited files alone, where the edits stay inside function bodies and what they pass on is what it was.

In: the files before and after, and what the last resolution left behind (kept.py). Out: what became of the references
of the edited files, and the rows that are otherwise than before; or NotAlone, where other files may be concerned: then
all are resolved again, and nothing is lost but time.

The edited files are resolved twice, as they were and as they are, with the tables of each round that are known for all
others. What they store in other files' objects, and what they pass to functions, must be the same both times, or bring
nothing that was not passed before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import zip_longest
from typing import Any, NamedTuple

from rpg.encoder.resolve.bodies import Moves
from rpg.encoder.resolve.containers import LARGEST
from rpg.encoder.resolve.flow import ROUNDS, Flow
from rpg.encoder.resolve.frameworks import in_use
from rpg.encoder.resolve.infer import Inference
from rpg.encoder.resolve.kept import Count, History, Row, inner_of, owner_of, row_of
from rpg.encoder.resolve.parameters import MOST_CALLERS
from rpg.encoder.resolve.program import Program
from rpg.encoder.resolve.tables import ITEM, MEMBER, RECEIVED, Change, Tables
from rpg.encoder.resolve.trees import TooMuch
from rpg.encoder.resolve.values import CLASS, CLOSURE, FUNC, INST, LITERAL_AT, OBJECT_AT, PARTIAL, Value, Values


class NotAlone(Exception):
    """What the edits change may concern other files."""


class KeptTables(Tables):
    """What a round of the last resolution knew; what the edited files themselves store is left out."""

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
        rounds = [self.of_others(found) for found in self.history(path).rounds]
        self.known[path] = rounds
        for found in rounds[: self.round]:
            self.apply(found)

    def of_others(self, found: list[Change]) -> list[Change]:
        return [change for change in found if change.kind == RECEIVED or change.store[0] not in self.edited]

    def next_round(self, own: list[Change]) -> None:
        for rounds in self.known.values():
            if self.round < len(rounds):
                self.apply(rounds[self.round])
        self.round += 1
        self.apply(own)


Passed = dict[tuple[int, int, int], Values]
Calls = dict[tuple[int, int], int]


class Round(NamedTuple):
    """What edited files do in one round."""

    stores: list[Change]
    """What they store otherwise than in the round before."""
    passed: Passed
    """What their calls pass: (unit, function scope, parameter) -> values."""
    calls: Calls
    """(unit, function scope) -> how many of their calls call it."""
    own: list[Change]
    """What their own functions receive that nobody else knows of."""


class Run:
    """The edited files resolved, before or after."""

    def __init__(self, program: Program, tables: KeptTables, edited: list[int]) -> None:
        self.program = program
        self.tables = tables
        self.edited = edited
        self.inference = Inference(program)
        self.inference.tables = tables
        self.inference.frameworks = in_use(self.inference)
        self.flow = Flow(self.inference)
        self.rounds: list[Round] = []

    def run(self, rounds: int, own: Callable[[Change], bool]) -> None:
        """So many rounds, and as many more as bring changes that are the edited files' `own` affair."""
        units = [self.program.units[index] for index in self.edited]
        for number in range(ROUNDS + 1):
            for unit in units:
                if number:
                    self.flow.again(unit, None)
                else:
                    self.flow.first(unit)
            if number == ROUNDS:
                break
            found = self.round(own)
            self.rounds.append(found)
            changes = [*found.stores, *found.own]
            if number >= rounds and not changes:
                break
            self.tables.next_round(changes)
            self.inference.next_round(None)
        if self.flow.unsure:
            raise NotAlone("a reference costs more than one may")

    def round(self, own: Callable[[Change], bool]) -> Round:
        flow = self.flow
        stores = [
            change
            for index in self.edited
            for change in flow.stores(self.program.units[index], None)
            if self.is_new(change)
        ]
        passed: Passed = {}
        calls: Calls = {}
        for (index, scope), callers in flow.callers.items():
            places = list(callers)
            calls[index, scope] = len(places)
            for position, values in flow.passed(self.program.units[index], scope, places):
                passed[index, scope, position] = values
        return Round(stores, passed, calls, self.received(passed, own))

    def is_new(self, change: Change) -> bool:
        self.tables.need(change.key[0][0] if isinstance(change.key[0], tuple) else change.key[0])
        return self.tables.is_new(change)

    def received(self, passed: Passed, own: Callable[[Change], bool]) -> list[Change]:
        """What the files' own functions receive that nobody else knows."""
        changes = [_received(key)._replace(values=values) for key, values in passed.items() if values]
        return [change for change in changes if own(change) and self.is_new(change)]


class Edits:
    """`moves` by the unit of each edited file."""

    def __init__(
        self,
        before: Program,
        after: Program,
        moves: dict[int, Moves],
        history: Callable[[str], History],
        rounds: int,
    ) -> None:
        self.moves = moves
        self.history = history
        self.program = after
        edited = sorted(moves)
        self.old = Run(before, KeptTables(before, history, edited), edited)
        self.new = Run(after, KeptTables(after, self.moved_history, edited), edited)
        self.rounds = rounds
        self.known: dict[str, History] = {}

    def resolve(self) -> None:
        """Raises NotAlone."""
        try:
            self.old.run(self.rounds, self.is_own_before)
            self.new.run(self.rounds, self.is_own)
            self.compare()
        except TooMuch:
            raise NotAlone("an edited body is too large to compare") from None

    def end(self) -> None:
        """Let go of what was remembered; see `Inference.end`."""
        self.old.inference.end()
        self.new.inference.end()

    # What only the edited files know of

    def is_own_before(self, change: Change) -> bool:
        return self.moved_key(change) is None

    def is_own(self, change: Change) -> bool:
        """Whether what changed has no counterpart before the edit."""
        unit = self.unit_of(change)
        if unit not in self.moves:
            return False
        moves = self.moves[unit]
        if change.kind == RECEIVED:
            return not moves.is_known_scope(change.key[1])
        if change.kind == ITEM:
            return not moves.is_known(change.key[1])
        owner = change.key[0]
        return owner[1] < 0 and not moves.is_known_scope(-1 - owner[1])

    def unit_of(self, change: Change) -> int:
        owner = change.key[0][0] if change.kind == MEMBER else change.key[0]
        return owner if isinstance(owner, int) else -1

    # Where things went

    def moved_history(self, path: str) -> History:
        """What others did, as they would have in terms of the edited files as they are."""
        known = self.known.get(path)
        if known is None:
            history = self.history(path)
            rounds = [[moved for change in found if (moved := self.moved(change))] for found in history.rounds]
            known = self.known[path] = History(rounds, self.moved_counts(path, history.counts))
        return known

    def moved_counts(self, path: str, counts: list[Count]) -> list[Count]:
        unit = self.program.number_of(path)
        if unit not in self.moves:
            return counts
        scope_of = self.moves[unit].scope
        return [(scope, *rest) for old, *rest in counts if (scope := scope_of(old)) is not None]  # type: ignore[misc]

    def moved(self, change: Change) -> Change | None:
        """None for what only an edited file knew, and does anew."""
        if change.kind != RECEIVED and change.store[0] in self.moves:
            return None
        key = self.moved_key(change)
        return change._replace(key=key, values=self.moved_values(change.values)) if key is not None else None

    def moved_key(self, change: Change) -> Any:
        unit = self.unit_of(change)
        if unit not in self.moves:
            return change.key
        moves = self.moves[unit]
        if change.kind == RECEIVED:
            scope = moves.scope(change.key[1])
            return (unit, scope, change.key[2]) if scope is not None else None
        if change.kind == ITEM:
            e = moves.expression(change.key[1])
            return (unit, e) if e is not None else None
        (_, owner), name = change.key
        if owner >= 0:
            return change.key
        scope = moves.scope(-1 - owner)
        return ((unit, -1 - scope), name) if scope is not None else None

    def moved_values(self, values: Values) -> Values:
        """Raises NotAlone where others know of something that is gone or has become another."""
        return tuple([self.moved_value(value) for value in values])

    def moved_value(self, value: Value) -> Value:
        kind = value[0]
        if kind in (FUNC, CLASS, INST) and value[1] in self.moves and not self.moves[value[1]].keeps(value[2]):
            raise NotAlone("a function inside an edited one is known elsewhere")
        if kind in (LITERAL_AT, CLOSURE, OBJECT_AT) and value[1] in self.moves:
            moves = self.moves[value[1]]
            place = moves.expression(value[2]) if kind == LITERAL_AT else moves.scope(value[2])
            if place is None:
                raise NotAlone("a literal of an edited function is known elsewhere")
            return (kind, value[1], place)
        if kind == PARTIAL and value[2] in self.moves:
            call = self.moves[value[2]].expression(value[3])
            if call is None:
                raise NotAlone("a call of an edited function is known elsewhere")
            return (kind, self.moved_value(value[1]), value[2], call)
        return self.moved_inside(value) if inner_of(value) else value

    def moved_inside(self, value: Value) -> Value:
        def anew(part: Any) -> Any:
            if not isinstance(part, tuple) or not part:
                return part
            if isinstance(part[0], tuple):
                return tuple([anew(each) for each in part])
            return self.moved_value(part)

        return tuple([anew(part) for part in value])

    # Whether others are concerned

    def compare(self) -> None:
        nothing = Round([], {}, {}, [])
        for number in range(max(len(self.old.rounds), len(self.new.rounds))):
            before = self.old.rounds[number] if number < len(self.old.rounds) else nothing
            after = self.new.rounds[number] if number < len(self.new.rounds) else nothing
            if number < min(len(self.old.rounds), len(self.new.rounds)):
                self.compare_passed(number, before, after)
            # How often the same is stored says nothing: what is put into a display stands anywhere in it.
            stored = {moved for change in before.stores if (moved := self.stored(change))}
            kept = {self.told(change) for change in after.stores if not self.is_own(change)}
            if stored != kept or not all(map(self.is_looked_at, (*before.stores, *after.stores))):
                raise NotAlone("something else is stored where others see it")

    def is_looked_at(self, change: Change) -> bool:
        """Whether everything that is stored where a change is counts, before and after."""
        tables = self.old.tables, self.new.tables
        return change.kind != ITEM or all(len(each.items.get(change.key, ())) <= LARGEST for each in tables)

    def stored(self, change: Change) -> Any:
        key = self.moved_key(change)
        return (change.kind, key, self.moved_values(change.values), self.entry_key(change, True)) if key else None

    def told(self, change: Change) -> Any:
        return (change.kind, change.key, change.values, self.entry_key(change, False))

    def entry_key(self, change: Change, is_before: bool) -> int:
        """The tree of the key under which something is stored."""
        if not change.entry_key:
            return -1
        moves = self.moves[change.store[0]]
        return (moves.old if is_before else moves.new).tree(change.entry_key)

    def compare_passed(self, number: int, before: Round, after: Round) -> None:
        passed: Passed = {}
        for key, values in before.passed.items():
            moved = self.moved_key(_received(key))
            if moved is not None:
                passed[moved] = self.moved_values(values)
        differing = self.calls_more(before, after)
        for key in passed.keys() | after.passed.keys():
            if self.is_own(_received(key)):
                continue
            function = key[:2]
            callers = self.callers(function)
            more = differing.get(function, 0)
            if callers and callers[0] > MOST_CALLERS and callers[0] + more > MOST_CALLERS:
                continue  # from too many places, before and after, to be followed at all
            if more and max(callers, default=0) + max(more, 0) > MOST_CALLERS:
                raise NotAlone("a function is called from more or fewer places than are followed")
            had, has = set(passed.get(key, ())), set(after.passed.get(key, ()))
            if had - has or not (has - had).issubset(self.received_after(number, key)):
                raise NotAlone("something else is passed to a function")

    def calls_more(self, before: Round, after: Round) -> Calls:
        """(unit, function scope) -> how many more calls of it there are, where others know it as well."""
        more = {key: count for key, count in after.calls.items() if not self.is_own(_received((*key, 0)))}
        for key, count in before.calls.items():
            moved = self.moved_key(_received((*key, 0)))
            if moved is not None:
                more[moved[:2]] = more.get(moved[:2], 0) - count
        return {key: count for key, count in more.items() if count}

    def callers(self, function: tuple[int, int]) -> list[int]:
        """How many callers a function has, as that grows from round to round."""
        history = self.new.tables.history(self.program.paths()[function[0]])
        return [count for scope, _, count in history.counts if scope == function[1]]

    def received_after(self, number: int, key: tuple[int, int, int]) -> set[Value]:
        values: Values = ()
        for found in self.new.tables.history(self.program.paths()[key[0]]).rounds[: number + 1]:
            for change in found:
                if change.kind == RECEIVED and change.key == key:
                    values = change.values
        return set(values)

    # What is left behind for the next edit

    def rows(self, mentioning: Iterable[str]) -> list[Row]:
        """The rows that are otherwise now; `mentioning` are the paths of those that name something of edited files."""
        own: dict[str, list[list[Change]]] = {}
        for number, found in enumerate(self.new.rounds):
            for change in (*found.stores, *found.own):
                rounds = own.setdefault(owner_of(self.program, change), [])
                rounds += [[] for _ in range(number + 1 - len(rounds))]
                rounds[number].append(change)
        more = self.calls_more(self.old.rounds[-1], self.new.rounds[-1]) if self.old.rounds and self.new.rounds else {}
        touched = {*self.moves, *(unit for unit, _ in more)}
        rows = []
        for path in sorted({*mentioning, *own, *(self.program.paths()[unit] for unit in touched)}):
            history = self.moved_history(path)
            counts = self.counted(self.program.number_of(path), history.counts, more)
            rounds = [[*a, *b] for a, b in zip_longest(history.rounds, own.get(path, ()), fillvalue=())]
            rows.append(row_of(self.program, path, History(rounds, counts)))
        return rows

    def counted(self, unit: int, counts: list[Count], more: Calls) -> list[Count]:
        known = {scope for scope, _, _ in counts}
        new = [(scope, 0, count) for (of, scope), count in sorted(more.items()) if of == unit and scope not in known]
        return [*((scope, number, count + more.get((unit, scope), 0)) for scope, number, count in counts), *new]


def _received(key: tuple[int, int, int]) -> Change:
    return Change(RECEIVED, key, (-1, -1), ())
