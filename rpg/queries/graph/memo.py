"""Caches values computed from an index until the index is replaced: for values that many queries need and none changes.

In: an index, a name and a function that computes the value. Out: the value for the current index.

Absent: limits. Cached values are small, or the caller limits them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

T = TypeVar("T")
K = TypeVar("K")

_memos: WeakKeyDictionary[Index, tuple[str, dict[str, Any]]] = WeakKeyDictionary()


def memoize(index: Index, name: str, make: Callable[[], T]) -> T:
    generation = index.generation()
    entry = _memos.get(index)
    if entry is None or entry[0] != generation:
        entry = _memos[index] = (generation, {})
    if name not in entry[1]:
        entry[1][name] = make()
    value: T = entry[1][name]
    return value


def find_cached(index: Index, name: str) -> Any:
    """What is cached under that name; None if nothing is."""
    entry = _memos.get(index)
    return entry[1].get(name) if entry is not None and entry[0] == index.generation() else None


def remember(cache: dict[K, T], fresh: Mapping[K, T], most: int) -> None:
    """Adds to a cached dictionary, which is emptied before it exceeds that many."""
    if len(cache) + len(fresh) > most:
        cache.clear()
    if len(fresh) <= most:
        cache.update(fresh)


def forget(index: Index) -> None:
    """Everything that is cached for the index."""
    _memos.pop(index, None)
