"""Features and titles that a model or an agent wrote, in place of the derived ones.

In: an index. Out: what symbols are for, and the written texts, read again when there are new ones. A text is valid for
what it was written for: after an edit of the symbol, the derived feature returns.

Absent: writing them (queries/lift/).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary

from rpg.queries.graph import memo
from rpg.queries.graph.nodes import Node
from rpg.stores.index.symbol_reads import find_text_hash
from rpg.stores.lifted_texts import Lifted, LiftedTexts, key_of_symbol
from rpg.text.features import Feature, feature_of

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

T = TypeVar("T")

_read: WeakKeyDictionary[Index, tuple[object, Mapping[bytes, Lifted]]] = WeakKeyDictionary()


def read_lifted_texts(index: Index) -> Mapping[bytes, Lifted]:
    """Texts by key. When they change, values that were cached for the index are computed again."""
    store = LiftedTexts(index.path)
    state = store.state()
    cached = _read.get(index)
    if cached is not None and cached[0] == state:
        return cached[1]
    texts = {key: lifted for key, lifted in store.all().items() if lifted.text} if state else {}
    if cached is not None and cached[1] != texts:
        memo.forget(index)
    _read[index] = (state, texts)
    return texts


def memoize(index: Index, name: str, make: Callable[[], T]) -> T:
    """For values with titles in them."""
    read_lifted_texts(index)
    return memo.memoize(index, name, make)


def feature(index: Index, node: Node) -> Feature:
    """What it is for: the feature written for exactly this text, else the derived one."""
    texts = read_lifted_texts(index)
    if texts and not node.is_functional:
        text_hash = find_text_hash(index, node.row)
        found = texts.get(key_of_symbol(node.qualified_name, text_hash or ""))
        if found and text_hash:
            return Feature(*found)
    return feature_of(node.kind, node.name, node.qualified_name, node.doc)
