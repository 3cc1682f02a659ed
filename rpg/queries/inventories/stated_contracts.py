"""Contracts as the encoder keeps them: what the files of a repository serve, send, take and set.

In: an index. Out: the rows of all files, put together once for each graph; without any rows in it, if there are none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpg.encoder.frameworks import CONTRACTS, Contracts, unpack_rows
from rpg.queries.graph.memo import memoize
from rpg.stores.index.reader import find_survey

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


def read_contracts(index: Index) -> Contracts:
    return memoize(index, "contracts", lambda: _read(index))


def _read(index: Index) -> Contracts:
    data = find_survey(index, CONTRACTS)
    return Contracts(unpack_rows(data).values() if data is not None else ())
