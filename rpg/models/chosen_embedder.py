"""Which model makes vectors of code: the protocol, and what the user named.

In: what --embedder or RPG_EMBEDDER says, and the name of the model whose vectors an index has. Out: a model that is not
loaded yet, or none. Absent: running one (minilm.py, gguf_embedder.py).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Protocol


class ModelEmbedder(Protocol):
    @property
    def name(self) -> str:
        """Identifies exactly this model: vectors of different names are never compared."""

    def vectors(self, texts: Sequence[str], cancelled: Callable[[], bool] = lambda: False) -> list[bytes]:
        """int8, to be compared by cosine. MODEL_UNAVAILABLE if the model cannot be run."""

    def close(self) -> None: ...


def choose_embedder(named: str | None = None) -> ModelEmbedder | None:
    """The model that --embedder or RPG_EMBEDDER names; None if neither does."""
    named = named or os.environ.get("RPG_EMBEDDER", "")
    if not named:
        return None
    from rpg.models.minilm import CALLED, MiniLm

    if named == CALLED:
        return MiniLm()
    from rpg.models.gguf_embedder import GgufEmbedder

    return GgufEmbedder(named)


def find_recorded_embedder(name: str) -> ModelEmbedder | None:
    """The model of that name, if it needs no file of the user's and is installed."""
    from rpg.models.minilm import NAME, MiniLm, is_installed

    return MiniLm() if name == NAME and is_installed() else None
