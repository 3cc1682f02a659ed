"""Drops texts some months after their code is gone.

In: an index. Out: how many were dropped. It is called when texts are written, so that an encode, whole or of a part,
never loses one.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from rpg.queries.graph.functional_view import functional_view, keys_of_places
from rpg.stores.index.symbol_reads import list_text_hashes
from rpg.stores.lifted_texts import LiftedTexts, key_of_symbol

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

SECONDS_OF_A_DAY = 86_400


def drop_expired(index: Index, today: int | None = None) -> int:
    """`today`: days since 1970."""
    if today is None:
        today = int(time.time()) // SECONDS_OF_A_DAY
    return LiftedTexts(index.path).drop_expired(present(index), today)


def present(index: Index) -> set[bytes]:
    """The keys of everything that could have a text."""
    view = functional_view(index)
    covered = {path: view.derived.get(place, place) for path, place in view.covered.items()}
    rows = list_text_hashes(index)
    return {*keys_of_places(view.derived.values(), covered).values(), *(key_of_symbol(*row) for row in rows)}
