"""What other files store in an edited file, and pass to it, in terms of another version of that file.

In: the saved state, and where definitions and expressions of changed files went. Out: the same state; what has no
counterpart is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rpg.encoder.resolve.incremental.counterparts import Counterparts
from rpg.encoder.resolve.incremental.file_difference import FileVersions
from rpg.encoder.resolve.incremental.fingerprints import TooMuch
from rpg.encoder.resolve.incremental.saved_state import History
from rpg.encoder.resolve.values.flow_tables import (
    DISPLAY,
    FUNCTION_SCOPE,
    MEMBER_OWNER,
    PARAMETER_INDEX,
    PLACE_FILE,
    RECEIVED,
    STORED_ITEM,
    Change,
    file_of,
    is_object,
    object_owner,
    object_scope,
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
)


class _Gone(Exception):
    """Something has no counterpart."""


class Translation:
    def __init__(
        self,
        order: Sequence[str],
        moves: Mapping[int, Callable[[int], int | None]],
        versions: Mapping[int, FileVersions],
    ) -> None:
        """`moves`: where the definitions of changed files went, by file; `versions`: of those that were there."""
        self.order = order
        self.moves = moves
        self.versions = versions
        self._known: dict[str, History] = {}

    def history(self, path: str, history: History) -> History:
        """What other files did to a file."""
        known = self._known.get(path)
        if known is None:
            rounds = [[moved for each in found if (moved := self.change(each))] for found in history.rounds]
            known = self._known[path] = History(rounds, [])
        return known

    def is_own(self, change: Change) -> bool:
        """Whether a change is about what the saved state does not know."""
        file = file_of(change)
        if not isinstance(file, int) or file not in self.moves:
            return False
        if file not in self.versions:
            return True
        try:
            return self._is_new(change, self.versions[file].moves)
        except TooMuch:
            return False

    def _is_new(self, change: Change, moves: Counterparts) -> bool:
        if change.kind == RECEIVED:
            return not moves.is_known_receiver(change.key[FUNCTION_SCOPE])
        if change.kind == STORED_ITEM:
            return not moves.is_known(change.key[DISPLAY])
        owner = change.key[MEMBER_OWNER][OWNER_SYMBOL]
        if is_object(owner):
            return not moves.is_known_scope(object_scope(owner))
        return not moves.is_known_definition(owner)

    def change(self, change: Change) -> Change | None:
        if change.kind != RECEIVED and change.store[PLACE_FILE] in self.moves:
            return None  # the file stores it again itself
        try:
            return change._replace(key=self._key(change), values=tuple([self._value(value) for value in change.values]))
        except (_Gone, TooMuch):
            return None

    def _key(self, change: Change) -> Any:
        file = file_of(change)
        if not isinstance(file, int) or file not in self.moves:
            return change.key
        if file not in self.versions:
            raise _Gone
        moves = self.versions[file].moves
        if change.kind == RECEIVED:
            return file, _some(moves.receives(change.key[FUNCTION_SCOPE])), change.key[PARAMETER_INDEX]
        if change.kind == STORED_ITEM:
            return file, _some(moves.expression(change.key[DISPLAY]))
        (_, owner), name = change.key
        if is_object(owner):
            return (file, object_owner(_some(moves.scope(object_scope(owner))))), name
        return (file, _some(moves.definition(owner))), name

    def _value(self, value: Value) -> Value:
        kind = value[KIND]
        if kind in (FUNC, CLASS, INST, PARENT) and value[FILE] in self.moves:
            value = (kind, value[FILE], _some(self.moves[value[FILE]](value[SYMBOL])), *value[SYMBOL + 1 :])
        elif kind in (LITERAL_AT, CLOSURE, OBJECT_AT) and value[FILE] in self.moves:
            if value[FILE] not in self.versions:
                raise _Gone
            moves = self.versions[value[FILE]].moves
            place = moves.expression(value[EXPRESSION]) if kind == LITERAL_AT else moves.scope(value[OWN_SCOPE])
            return (kind, value[FILE], _some(place))
        elif kind == PARTIAL and value[CALL_FILE] in self.moves:
            if value[CALL_FILE] not in self.versions:
                raise _Gone
            call = self.versions[value[CALL_FILE]].moves.expression(value[CALL_EXPRESSION])
            return (kind, self._value(value[OF_VALUE]), value[CALL_FILE], _some(call))
        return tuple([self._part(part) for part in value])

    def _part(self, part: Any) -> Any:
        if not isinstance(part, tuple) or not part:
            return part
        if isinstance(part[0], tuple):
            return tuple([self._part(each) for each in part])
        return self._value(part)


def _some(moved: int | None) -> int:
    if moved is None:
        raise _Gone
    return moved
