"""What flows from file to file: what callers pass for parameters, and what is stored in objects and displays.

In: the changes that each round found. Out: what holds in the current round. A round reads what the rounds before it
found, and never what it finds itself, so that the order of files does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from rpg.encoder.resolve.values.mro import OWNER_FILE
from rpg.encoder.resolve.values.values import Values, union

RECEIVED: Final = 0
STORED_MEMBER: Final = 1
STORED_ITEM: Final = 2

Store = tuple[int, int]
"""PLACE_FILE, and the number of the store in it."""

# Positions of the parts of keys and places.
PLACE_FILE: Final = 0
FUNCTION_SCOPE: Final = 1
PARAMETER_INDEX: Final = 2
DISPLAY: Final = 1  #      expression
MEMBER_OWNER: Final = 0  # a module's path; else OWNER_FILE, and OWNER_SYMBOL or an `object_owner`
MEMBER_NAME: Final = 1


class Entry(NamedTuple):
    """One entry of a display: written in it, as expressions, or stored in it elsewhere, as values."""

    file: int
    key: int
    """0: none, or any."""
    value: int
    """0 for a stored one."""
    values: Values = ()


class Change(NamedTuple):
    """A difference between a round and the round before."""

    kind: int
    key: Any
    """RECEIVED: PLACE_FILE, FUNCTION_SCOPE, PARAMETER_INDEX. STORED_MEMBER: MEMBER_OWNER, MEMBER_NAME. STORED_ITEM:
    PLACE_FILE, DISPLAY."""
    store: Store
    """What stored it; meaningless for RECEIVED."""
    values: Values
    entry_key: int = 0
    """STORED_ITEM: expression of the key, in the file that stores."""


class Tables:
    """What is known in a round."""

    def __init__(self) -> None:
        self.received: dict[tuple[int, int, int], Values] = {}
        self.members: dict[tuple[Any, str], dict[Store, Values]] = {}
        self.items: dict[tuple[int, int], dict[Store, Entry]] = {}

    def need(self, owner: int | str) -> None:
        """Called before anything of a file is read (by index; for a folder, by path). Here everything is already
        present."""

    def passed(self, key: tuple[int, int, int]) -> Values:
        """What the callers of a function pass for a parameter."""
        self.need(key[PLACE_FILE])
        return self.received.get(key, ())

    def stored_on(self, owner: tuple[int, int] | str, name: str) -> Values:
        """What is assigned to a member from outside its class, object or module."""
        self.need(owner if isinstance(owner, str) else owner[OWNER_FILE])
        stored = self.members.get((owner, name))
        return union([stored[store] for store in sorted(stored)]) if stored else ()

    def put_into(self, file: int, display: int) -> list[Entry]:
        """What other code puts into a display, in the order of the stores."""
        self.need(file)
        stored = self.items.get((file, display))
        return [stored[store] for store in sorted(stored)] if stored else []

    def is_new(self, change: Change) -> bool:
        """Whether the change is not known yet."""
        if change.kind == RECEIVED:
            return self.received.get(change.key, ()) != change.values
        if change.kind == STORED_MEMBER:
            return self.members.get(change.key, {}).get(change.store) != change.values
        return self.items.get(change.key, {}).get(change.store) != entry_of(change)

    def apply(self, changes: Iterable[Change]) -> None:
        for change in changes:
            if change.kind == RECEIVED:
                self.received[change.key] = change.values
            elif change.kind == STORED_MEMBER:
                self.members.setdefault(change.key, {})[change.store] = change.values
            else:
                self.items.setdefault(change.key, {})[change.store] = entry_of(change)

    def clear(self) -> None:
        self.received.clear()
        self.members.clear()
        self.items.clear()


def object_owner(scope: int) -> int:
    """The owner number of an object literal's members: its scope, negative to distinguish it from a definition."""
    return -1 - scope


def is_object(owner: int) -> bool:
    return owner < 0


def object_scope(owner: int) -> int:
    """And back."""
    return -1 - owner


def file_of(change: Change) -> int | str:
    """The file that a change belongs to; a module's path."""
    owner: int | str | tuple[int, int] = change.key[MEMBER_OWNER]
    return owner[OWNER_FILE] if isinstance(owner, tuple) else owner


def entry_of(change: Change) -> Entry:
    return Entry(change.store[PLACE_FILE], change.entry_key, 0, change.values)


def sort_values(values: Values) -> Values:
    """The same values in a canonical order, independent of how they were found."""
    return tuple(sorted(values, key=_rank)) if len(values) > 1 else values


def _rank(part: Any) -> Any:
    """A sort key that compares parts of any types."""
    if part is None:
        return (0,)
    if isinstance(part, int):
        return (1, int(part))
    if isinstance(part, str):
        return (2, part)
    return (3, *map(_rank, part))
