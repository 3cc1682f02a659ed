"""Caches values computed from an index until the index is replaced: for values that many queries need and none changes.

In: an index, a name and a function that computes the value. Out: the value for the current index.

Absent: limits. Cached values are small, or whoever caches them limits them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

T = TypeVar("T")

_kept: WeakKeyDictionary[Index, tuple[str, dict[str, Any]]] = WeakKeyDictionary()


def kept(index: Index, name: str, make: Callable[[], T]) -> T:
    generation = index.meta("generation")
    known = _kept.get(index)
    if known is None or known[0] != generation:
        known = _kept[index] = (generation, {})
    if name not in known[1]:
        known[1][name] = make()
    value: T = known[1][name]
    return value


def forget(index: Index) -> None:
    """All that was cached of it."""
    _kept.pop(index, None)
