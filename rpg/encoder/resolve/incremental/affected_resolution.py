"""Resolves only the files that an edit affects (affected_files.py), if the values they pass on stay the same.

In: the files before and after, and the saved state of the last resolution (saved_state.py). Out: the outcomes of the
references of these files, and the rows that changed; or NotIncremental if other files may be affected. Then all files
are resolved again, and only time is lost.

The files are resolved twice, before and after the edit, with the tables of each round as saved for all other files.
What they store in objects of other files, and what they pass to functions, must be the same both times, or add nothing
new; otherwise MoreAffected names the files reached, and these are resolved too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import zip_longest
from typing import Any

from rpg.encoder.resolve.evaluate import LARGEST, MOST_CALLERS
from rpg.encoder.resolve.incremental.affected_files import AffectedFiles, MoreAffected
from rpg.encoder.resolve.incremental.file_difference import NotIncremental
from rpg.encoder.resolve.incremental.fingerprints import TooMuch
from rpg.encoder.resolve.incremental.replay import CallCounts, KeptTables, Passed, Replay, Round, build_received_change
from rpg.encoder.resolve.incremental.saved_state import Count, History, Row, inner_of, owner_of, row_of
from rpg.encoder.resolve.program.program import Program
from rpg.encoder.resolve.values.flow_tables import (
    DISPLAY,
    FUNCTION_SCOPE,
    MEMBER_NAME,
    MEMBER_OWNER,
    PARAMETER_INDEX,
    PLACE_FILE,
    RECEIVED,
    STORED_ITEM,
    STORED_MEMBER,
    Change,
    file_of,
    is_object,
    object_owner,
    object_scope,
    sort_values,
)
from rpg.encoder.resolve.values.mro import OWNER_SYMBOL
from rpg.encoder.resolve.values.values import (
    CALL_EXPRESSION,
    CALL_FILE,
    CLASS,
    CLOSURE,
    EXPRESSION,
    FILE,
    FUNC,
    INST,
    KIND,
    LITERAL_AT,
    OBJECT_AT,
    OF_VALUE,
    OWN_SCOPE,
    PARENT,
    PARTIAL,
    SYMBOL,
    Value,
    Values,
)


class IncrementalResolution:
    def __init__(
        self,
        before: Program,
        after: Program,
        affected: AffectedFiles,
        history: Callable[[str], History],
        rounds: int,
    ) -> None:
        self.affected = affected
        self.moves = {index: versions.moves for index, versions in affected.versions.items()}
        """By file, for each affected file."""
        self.history = history
        self.before = before
        self.program = after
        files = sorted(self.moves)
        by_result = [(index, *each) for index in files for each in affected.list_by_result(index)]
        self.by_result = [(file, before) for file, before, _ in by_result]
        """Functions of the old version that affect others only if their results change."""
        self.old = Replay(before, KeptTables(before, history, files), files, self.by_result)
        moved = [(file, after) for file, _, after in by_result]
        self.new = Replay(after, KeptTables(after, self.move_history, files), files, moved)
        self.rounds = rounds
        self.known: dict[str, History] = {}

    def resolve(self) -> None:
        """Raises NotIncremental, MoreAffected."""
        self.check_surveys()
        try:
            self.old.run(self.rounds, self.is_own_before)
            self.new.run(self.rounds, self.is_own)
            self.compare()
        except TooMuch:
            raise NotIncremental("an edited function is too large to compare") from None

    def check_surveys(self) -> None:
        """Surveys of all files must have the same results for the other files."""
        if self.program.moves:
            if self.old.plugins() != self.new.plugins():
                raise NotIncremental("another framework is in use")
            for owner, parts in self.old.evaluator.classes.augmentations.items():
                if any(each[0] in self.program.moves for each in (owner, *parts)):
                    raise NotIncremental("a type is extended from another file")

    def forget(self) -> None:
        """Drops cached values, but keeps the files."""
        for run in (self.old, self.new):
            run.evaluator.forget_all()
            run.evaluator.tables.clear()
            run.evaluator.classes.end()
            run.evaluator.member_lookup.end()

    # Known only to edited files

    def is_own_before(self, change: Change) -> bool:
        return self.move_key(change) is None

    def is_own(self, change: Change) -> bool:
        """Whether a change has no counterpart before the edit."""
        file = self.unit_of(change)
        if file not in self.moves:
            return False
        moves = self.moves[file]
        if change.kind == RECEIVED:
            return not moves.is_known_receiver(change.key[FUNCTION_SCOPE])
        if change.kind == STORED_ITEM:
            return not moves.is_known(change.key[DISPLAY])
        owner = change.key[MEMBER_OWNER][OWNER_SYMBOL]
        if is_object(owner):
            return not moves.is_known_scope(object_scope(owner))
        return not moves.is_known_definition(owner)

    def unit_of(self, change: Change) -> int:
        owner = file_of(change)
        return owner if isinstance(owner, int) else -1

    # Translating to the new version

    def move_history(self, path: str) -> History:
        """What other files did, translated to the edited files as they are now."""
        known = self.known.get(path)
        if known is None:
            history = self.history(path)
            rounds = [[moved for change in found if (moved := self.move_change(change))] for found in history.rounds]
            known = self.known[path] = History(rounds, self.move_counts(path, history.counts))
        return known

    def move_counts(self, path: str, counts: list[Count]) -> list[Count]:
        file = self.program.number_of(path)
        if file not in self.moves:
            return counts
        scope_of = self.moves[file].receives
        return [(scope, *rest) for old, *rest in counts if (scope := scope_of(old)) is not None]  # type: ignore[misc]

    def move_change(self, change: Change) -> Change | None:
        """None for what only an edited file knew and does again."""
        if change.kind != RECEIVED and change.store[PLACE_FILE] in self.moves:
            return None
        key = self.move_key(change)
        if key is None:
            return None
        try:
            values = self.move_values(change.values)
            if change.kind == RECEIVED and values != change.values:
                values = sort_values(values)  # literals may be in another order now
            return change._replace(key=key, values=values)
        except NotIncremental:
            if change.kind == RECEIVED:
                raise MoreAffected(change.key) from None
            raise

    def move_key(self, change: Change) -> Any:
        file = self.unit_of(change)
        if file not in self.moves:
            return change.key
        moves = self.moves[file]
        if change.kind == RECEIVED:
            scope = moves.receives(change.key[FUNCTION_SCOPE])
            return (file, scope, change.key[PARAMETER_INDEX]) if scope is not None else None
        if change.kind == STORED_ITEM:
            e = moves.expression(change.key[DISPLAY])
            return (file, e) if e is not None else None
        (_, owner), name = change.key
        if is_object(owner):
            scope = moves.scope(object_scope(owner))
            return ((file, object_owner(scope)), name) if scope is not None else None
        index = moves.definition(owner)
        return ((file, index), name) if index is not None else None

    def move_values(self, values: Values) -> Values:
        """Raises NotIncremental if other files know something that is gone or has changed."""
        return tuple([self.move_value(value) for value in values])

    def move_value(self, value: Value) -> Value:
        kind = value[KIND]
        if kind in (FUNC, CLASS, INST, PARENT) and value[FILE] in self.moves:
            value = (kind, value[FILE], self.counterpart(value[FILE], value[SYMBOL]), *value[SYMBOL + 1 :])
        elif kind in (LITERAL_AT, CLOSURE, OBJECT_AT) and value[FILE] in self.moves:
            moves = self.moves[value[FILE]]
            place = moves.expression(value[EXPRESSION]) if kind == LITERAL_AT else moves.scope(value[OWN_SCOPE])
            if place is None or self.is_led_to(value):
                raise NotIncremental("a literal known to other files changed")
            return (kind, value[FILE], place)
        elif kind == PARTIAL and value[CALL_FILE] in self.moves:
            call = self.moves[value[CALL_FILE]].expression(value[CALL_EXPRESSION])
            if call is None or self.affected.is_led_to(value[CALL_FILE], value[CALL_EXPRESSION]):
                raise NotIncremental("a call known to other files changed")
            return (kind, self.move_value(value[OF_VALUE]), value[CALL_FILE], call)
        return self.move_inner(value) if inner_of(value) else value

    def counterpart(self, file: int, index: int) -> int:
        """The counterpart of a definition that others know. Raises NotIncremental if what they see of it changed."""
        moved = self.moves[file].definition(index)
        if moved is None or not self.affected.keeps(file, index):
            raise NotIncremental("a definition known to other files changed")
        return moved

    def is_led_to(self, value: Value) -> bool:
        """Whether the evaluation of a literal affects anything else."""
        file, place = value[FILE : EXPRESSION + 1]
        if value[KIND] == LITERAL_AT:
            return self.affected.is_led_to(file, place)
        side = self.moves[file].old
        index = side.file.scopes[place].definition
        if side.file.definitions[index].scope == place:
            return not self.affected.keeps(file, index)
        return self.affected.is_led_to(file, side.openers.get(place, 0))

    def move_inner(self, value: Value) -> Value:
        def moved(part: Any) -> Any:
            if not isinstance(part, tuple) or not part:
                return part
            if isinstance(part[0], tuple):
                return tuple([moved(each) for each in part])
            return self.move_value(part)

        return tuple([moved(part) for part in value])

    # Whether other files are affected

    def compare(self) -> None:
        self.compare_results()
        self.compare_renewed()
        nothing = Round([], {}, {}, [])
        for number in range(max(len(self.old.rounds), len(self.new.rounds))):
            before = self.old.rounds[number] if number < len(self.old.rounds) else nothing
            after = self.new.rounds[number] if number < len(self.new.rounds) else nothing
            if number < min(len(self.old.rounds), len(self.new.rounds)):
                self.compare_passed(number, before, after)
            # How often the same value is stored does not matter: its position in a display is unknown.
            stored = {
                moved for change in before.stores if not self.is_sought(change) and (moved := self.stored(change))
            }
            kept = {
                self.build_change_key(change)
                for change in after.stores
                if not self.is_sought(change) and not self.is_own(change)
            }
            if any(kind != STORED_MEMBER for kind, *_ in stored ^ kept):
                raise NotIncremental("other values are stored where other files see them")
            if stored != kept:
                raise MoreAffected(names={name for _, (_, name), *_ in stored ^ kept})
            edited = (
                each for each in (*before.stores, *after.stores) if not self.moves[each.store[PLACE_FILE]].is_same
            )
            if not all(map(self.is_looked_at, edited)):
                raise NotIncremental("too many values are stored where other files see them")

    def is_sought(self, change: Change) -> bool:
        """Whether all files that may see a stored value are affected."""
        return change.kind == STORED_MEMBER and change.key[MEMBER_NAME] in self.affected.names

    def compare_results(self) -> None:
        difference_of: set[tuple[int, int]] = set()
        old, new = self.old.results, self.new.results
        for number in range(max(len(old), len(new))):
            # What holds in a last round holds from then on.
            pairs = zip(self.by_result, old[min(number, len(old) - 1)], new[min(number, len(new) - 1)], strict=True)
            difference_of.update(function for function, a, b in pairs if not self.comes_to_the_same(a, b))
        if difference_of:
            raise MoreAffected(functions=difference_of)

    def comes_to_the_same(self, before: tuple[Values, ...] | None, after: tuple[Values, ...] | None) -> bool:
        try:
            return before is not None and tuple(map(self.move_values, before)) == after
        except NotIncremental:
            return False

    def compare_renewed(self) -> None:
        """All callers of functions that have new parameters or receive other values must be among the affected
        files."""
        for index, moves in self.moves.items():
            if moves.is_same and not moves.renewed:
                continue
            counts = self.history(self.program.paths()[index]).counts
            for scope in moves.old.file.facts.parameters:
                moved = moves.scope(scope)
                if moved is None or moves.receives(scope) is not None:
                    continue
                known = [count for of, _, count in counts if of == scope]
                called = self.old.rounds[-1].calls.get((index, scope), 0) if self.old.rounds else 0
                was_followed = self.old.flow.has_followed(moves.old.file, scope)
                if (known and known[-1] != called) or not was_followed:
                    raise NotIncremental("a function with new parameters is called from another file")

    def is_looked_at(self, change: Change) -> bool:
        """Whether stores in a changed object are followed at all, before and after."""
        tables = self.old.tables, self.new.tables
        return change.kind != STORED_ITEM or all(len(each.items.get(change.key, ())) <= LARGEST for each in tables)

    def stored(self, change: Change) -> Any:
        key = self.move_key(change)
        if key is None:
            return None
        try:
            return (change.kind, key, self.move_values(change.values), self.entry_key(change, True))
        except NotIncremental:
            if change.kind == STORED_MEMBER:
                raise MoreAffected(names={change.key[MEMBER_NAME]}) from None
            raise

    def build_change_key(self, change: Change) -> Any:
        return (change.kind, change.key, change.values, self.entry_key(change, False))

    def entry_key(self, change: Change, is_before: bool) -> int:
        """The fingerprint of the key under which a value is stored."""
        if not change.entry_key:
            return -1
        moves = self.moves[change.store[PLACE_FILE]]
        return (moves.old if is_before else moves.new).tree(change.entry_key)

    def compare_passed(self, number: int, before: Round, after: Round) -> None:
        passed: Passed = {}
        for key, values in before.passed.items():
            moved = self.move_key(build_received_change(key))
            if moved is not None:
                try:
                    passed[moved] = self.move_values(values)
                except NotIncremental:
                    raise MoreAffected(key) from None
        difference_of = self.calls_more(before, after)
        for key in passed.keys() | after.passed.keys():
            if self.is_own(build_received_change(key)):
                continue
            function = key[:PARAMETER_INDEX]
            callers = self.callers(function)
            more = difference_of.get(function, 0)
            if callers and callers[0] > MOST_CALLERS and callers[0] + more > MOST_CALLERS:
                continue  # called from too many places, before and after, to be followed
            if more and max(callers, default=0) + max(more, 0) > MOST_CALLERS:
                raise NotIncremental("a function crosses the limit of callers that are followed")
            had, has = set(passed.get(key, ())), set(after.passed.get(key, ()))
            if had - has or not (has - had).issubset(self.find_received_after(number, key)):
                file, scope, position = key
                before_scope = self.moves[file].scope_back(scope) if file in self.moves else scope
                assert before_scope is not None
                raise MoreAffected((file, before_scope, position))

    def calls_more(self, before: Round, after: Round) -> CallCounts:
        """(file, function scope) -> how many more calls of it there are, if other files know it too."""
        more = {key: count for key, count in after.calls.items() if not self.is_own(build_received_change((*key, 0)))}
        for key, count in before.calls.items():
            moved = self.move_key(build_received_change((*key, 0)))
            if moved is not None:
                function = moved[:PARAMETER_INDEX]
                more[function] = more.get(function, 0) - count
        return {key: count for key, count in more.items() if count}

    def callers(self, function: tuple[int, int]) -> list[int]:
        """The number of callers of a function, by round."""
        history = self.new.tables.history(self.program.paths()[function[PLACE_FILE]])
        return [count for scope, _, count in history.counts if scope == function[FUNCTION_SCOPE]]

    def find_received_after(self, number: int, key: tuple[int, int, int]) -> set[Value]:
        values: Values = ()
        for found in self.new.tables.history(self.program.paths()[key[PLACE_FILE]]).rounds[: number + 1]:
            for change in found:
                if change.kind == RECEIVED and change.key == key:
                    values = change.values
        return set(values)

    # The state to save

    def rows(self, mentioning: Callable[[Iterable[int]], set[str]]) -> list[Row]:
        """The rows that changed; `mentioning` returns the paths of those that mention definitions of some files."""
        own: dict[str, list[list[Change]]] = {}
        for number, found in enumerate(self.new.rounds):
            for change in (*found.stores, *found.own):
                rounds = own.setdefault(owner_of(self.program, change), [])
                rounds += [[] for _ in range(number + 1 - len(rounds))]
                rounds[number].append(change)
        more = self.calls_more(self.old.rounds[-1], self.new.rounds[-1]) if self.old.rounds and self.new.rounds else {}
        touched = {*self.moves, *(file for file, _ in more)}
        paths = {*own, *(self.program.paths()[file] for file in touched), *mentioning(self.affected.edited)} - {""}
        for path in mentioning(self.moves) - paths:
            self.move_history(path)  # raises NotIncremental or MoreAffected if what is known there differs
        rows = []
        for path in sorted(paths):
            history = self.move_history(path)
            counts = self.counted(self.program.number_of(path), history.counts, more)
            rounds = [[*a, *b] for a, b in zip_longest(history.rounds, own.get(path, ()), fillvalue=())]
            rows.append(row_of(self.program, path, History(rounds, counts)))
        return rows

    def counted(self, file: int, counts: list[Count], more: CallCounts) -> list[Count]:
        known = {scope for scope, _, _ in counts}
        new = [(scope, 0, count) for (of, scope), count in sorted(more.items()) if of == file and scope not in known]
        found = [*((scope, number, count + more.get((file, scope), 0)) for scope, number, count in counts), *new]
        return sorted([*found, *self.own_counts(file)])

    def own_counts(self, file: int) -> list[Count]:
        """Counts for functions that no other file knows."""
        found: list[Count] = []
        last: dict[int, int] = {}
        for number, each in enumerate(self.new.rounds):
            for (of, scope), count in each.calls.items():
                if of == file and last.get(scope) != count and self.is_own(build_received_change((of, scope, 0))):
                    last[scope] = count
                    found.append((scope, number, count))
        return found
