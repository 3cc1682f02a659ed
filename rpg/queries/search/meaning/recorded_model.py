"""The model whose vectors are next to an index.

In: an index. Out: the model's name, or that there is none. Absent: whether the model is here (model_meaning.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from rpg.models.minilm import NAME
from rpg.queries.graph.memo import memoize
from rpg.stores.search.model_vectors import ModelVectors

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


def find_recorded_model(index: Index) -> str:
    """Empty if there are none. An index that was rebuilt, for instance by another version of rpg, records no model;
    vectors of the sentence encoder that this installation made are still valid then."""
    return memoize(index, "recorded model", lambda: _read_recorded(index))


def _read_recorded(index: Index) -> str:
    options = orjson.loads(index.meta("options") or "{}")
    return str(options.get("embedder", "")) or (NAME if ModelVectors(index.path, NAME).are_any else "")
