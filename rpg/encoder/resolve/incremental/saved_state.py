"""What a resolution saves for the next one, so that an edit does not start from all files: what each round found, and
the surveys of all files. Written as compressed JSON.

In: a finished flow, or rows of the index. Out: rows, or the tables of each round. A row belongs to one file (or
folder): what its parameters receive, and what is stored in its classes, objects and displays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson

from rpg.encoder.resolve.program.program import Program
from rpg.encoder.resolve.references.rounds import Flow
from rpg.encoder.resolve.values.flow_tables import MEMBER_OWNER, PLACE_FILE, RECEIVED, Change, file_of
from rpg.encoder.resolve.values.values import (
    CALL_FILE,
    CALLABLE,
    CLASS,
    CLOSURE,
    CONTAINER,
    CONTENTS,
    EXTERNAL,
    FILE,
    FUNC,
    HELD,
    INST,
    KIND,
    LITERAL_AT,
    METHOD_OF,
    OBJECT_AT,
    OF_VALUE,
    PARENT,
    PARTIAL,
    RECEIVER,
    RESULT,
    TYPE_ARGUMENTS,
    TYPE_OF_VARIABLE,
    UPPER_BOUND,
    VARIABLE,
    Value,
    Values,
)
from rpg.system.compression import compress, decompress

_OF_FILES: Final = frozenset((FUNC, CLASS, INST, LITERAL_AT, CLOSURE, OBJECT_AT, PARENT))
"""Kinds of values that name a file."""
Count = tuple[int, int, int]
"""(function scope, round, number of callers known in it)."""


class History(NamedTuple):
    """The changes that concern one file or folder."""

    rounds: list[list[Change]]
    counts: list[Count]


class Row(NamedTuple):
    path: str
    data: bytes
    """A file is named by its place among the mentions and the path itself, sorted: so a row stays as it is where other
    files come and go."""
    mentions: str
    """JSON: paths of other files that something in it refers to."""


class Kept(NamedTuple):
    rows: list[Row]
    survey: list[tuple[str, bytes]]


def keep(program: Program, flow: Flow) -> Kept:
    histories: dict[str, History] = {}
    for number, found in enumerate(flow.rounds):
        for change in found:
            rounds = histories.setdefault(owner_of(program, change), History([], [])).rounds
            rounds += [[] for _ in range(number + 1 - len(rounds))]
            rounds[number].append(change)
    for (file, scope), counts in sorted(flow.counts.items()):
        path = program.paths()[file]
        histories.setdefault(path, History([], [])).counts.extend((scope, *count) for count in counts)
    rows = [row_of(program, path, history) for path, history in sorted(histories.items())]
    survey = {
        **program.survey,
        "rounds": len(flow.rounds),
        # None: the cost of any reference may depend on all others.
        "unsure": None if flow.evaluator.is_overdrawn else sorted(flow.unsure | flow.evaluator.limited.keys()),
    }
    return Kept(rows, survey_rows(survey))


def survey_rows(survey: Mapping[str, Any]) -> list[tuple[str, bytes]]:
    return [(name, compress(orjson.dumps(_written(survey[name]), tuple))) for name in sorted(survey)]


def owner_of(program: Program, change: Change) -> str:
    """The path of the file or folder whose row contains a change."""
    owner = file_of(change)
    return owner if isinstance(owner, str) else program.paths()[owner]


def row_of(program: Program, path: str, history: History) -> Row:
    mentioned: set[int] = set()
    for found in history.rounds:
        for change in found:
            if change.kind != RECEIVED:
                mentioned.add(change.store[PLACE_FILE])
            files_in(change.values, mentioned)
    paths = sorted({program.paths()[file] for file in mentioned} - {path})
    places = {program.number_of(each): place for place, each in enumerate(sorted([path, *paths]))}
    rounds = [[_renumber_change(change, places) for change in found] for found in history.rounds]
    return Row(path, compress(orjson.dumps((rounds, history.counts), tuple)), orjson.dumps(paths).decode())


def history_of(path: str, data: bytes, mentions: str, number_of: Callable[[str], int]) -> History:
    """What a row says; `number_of` numbers the files by path."""
    rounds, counts = orjson.loads(decompress(data))
    places = dict(enumerate(map(number_of, sorted([path, *orjson.loads(mentions)]))))
    return History(
        [[_renumber_change(Change(*map(frozen, change)), places) for change in found] for found in rounds],
        [frozen(count) for count in counts],
    )


def _renumber_change(change: Change, numbers: Mapping[int, int]) -> Change:
    owner = change.key[MEMBER_OWNER]
    key, store = change.key, change.store
    if isinstance(owner, int):
        key = (numbers[owner], *change.key[1:])
    elif isinstance(owner, tuple):
        file, *of = owner
        key = ((numbers[file], *of), *change.key[1:])
    if change.kind != RECEIVED:
        store = (numbers[store[PLACE_FILE]], *store[1:])
    values = tuple([_renumber_value(value, numbers) for value in change.values])
    return change._replace(key=key, store=store, values=values)


def _renumber_value(value: Value, numbers: Mapping[int, int]) -> Value:
    kind = value[KIND]
    if kind in _OF_FILES:
        value = (kind, numbers[value[FILE]], *value[FILE + 1 :])
    elif kind == PARTIAL:
        value = (*value[:CALL_FILE], numbers[value[CALL_FILE]], *value[CALL_FILE + 1 :])
    if not inner_of(value):
        return value

    def renumbered(part: Any) -> Any:
        if not isinstance(part, tuple) or not part:
            return part
        if isinstance(part[0], tuple):
            return tuple([renumbered(each) for each in part])
        return _renumber_value(part, numbers)

    return tuple([renumbered(part) for part in value])


def frozen(part: Any) -> Any:
    """Turns the lists of JSON into tuples."""
    return tuple([frozen(each) for each in part]) if isinstance(part, list) else part


def files_in(values: Values, found: set[int]) -> None:
    """Collects the files that some values refer to."""
    for value in values:
        kind = value[KIND]
        if kind in _OF_FILES:
            found.add(value[FILE])
        elif kind == PARTIAL:
            found.add(value[CALL_FILE])
        for inner in inner_of(value):
            files_in(inner, found)


def inner_of(value: Value) -> Iterable[Values]:
    """The values that a value contains."""
    kind = value[KIND]
    if kind == FUNC:
        return ((value[RECEIVER],),) if value[RECEIVER] is not None else ()
    if kind in (CLASS, INST):
        return value[TYPE_ARGUMENTS]  # type: ignore[no-any-return]
    if kind in (CONTAINER, VARIABLE):
        return value[CONTENTS] if kind == CONTAINER else (value[UPPER_BOUND],)
    if kind == PARENT:
        return ((value[RECEIVER],),)
    if kind in (PARTIAL, METHOD_OF, TYPE_OF_VARIABLE):
        return ((value[OF_VALUE],),)
    if kind == EXTERNAL:
        return value[HELD:]
    return (value[RESULT],) if kind == CALLABLE else ()


def _written(found: Any) -> Any:
    if isinstance(found, Mapping) and is_plain(found):
        return {"plain": dict(sorted(found.items()))}
    if isinstance(found, Mapping):
        return {"pairs": sorted(found.items())}
    return found


def is_plain(found: Mapping[Any, Any]) -> bool:
    """Whether JSON returns it unchanged."""
    key, entries = next(iter(found.items()), ("", [[]]))
    return isinstance(key, str) and isinstance(entries, list) and not isinstance(entries[0], tuple)


def survey_part(data: bytes) -> Any:
    """One entry of a `Survey`."""
    found = orjson.loads(decompress(data))
    if not isinstance(found, dict):
        return found
    if "plain" in found:
        return found["plain"]
    return {
        frozen(key): [frozen(each) for each in entries] if entries and isinstance(entries[0], list) else frozen(entries)
        for key, entries in found["pairs"]
    }


def renumber_part(found: Any, numbers: Sequence[int]) -> Any:
    """The same part of a survey where files have other numbers."""
    if isinstance(found, list):
        return [_renumber_entry(each, numbers) for each in found]
    if not isinstance(found, Mapping):
        return found
    return {_renumber_key(key, numbers): [_renumber_entry(each, numbers) for each in found[key]] for key in found}


def _renumber_key(key: Any, numbers: Sequence[int]) -> Any:
    if not isinstance(key, tuple):
        return key
    file, *of = key
    return (numbers[file], *of) if isinstance(file, int) else key


def _renumber_entry(entry: Any, numbers: Sequence[int]) -> Any:
    if isinstance(entry, int):
        return numbers[entry]
    if isinstance(entry, str):
        return entry
    file, *of = entry
    return type(entry)((numbers[file], *of))
