"""The models that a process was started with: one that writes answers, one that makes vectors.

In: their files or names. Out: each of them, loaded when first needed and kept for all. Any thread may call.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rpg.models.answerer import Answerer
    from rpg.models.chosen_embedder import ModelEmbedder


class ChosenModels:
    def __init__(self, model: str | None, answerer: Answerer | None, embedder: str | None) -> None:
        self._model = model
        self._answerer = answerer
        self._embedder_file = embedder
        self._embedder: ModelEmbedder | None = None
        self._recorded: ModelEmbedder | None = None
        self._lock = threading.Lock()

    @property
    def may_answer(self) -> bool:
        """Whether a model that writes answers was chosen."""
        named = self._model or os.environ.get("RPG_MODEL", "")
        return self._answerer is not None or named not in ("", "none")

    def answerer(self) -> Answerer | None:
        """None if none was chosen."""
        from rpg.models.answerer import choose_answerer

        with self._lock:
            if self._answerer is None:
                self._answerer = choose_answerer(self._model)
            return self._answerer

    def embedder(self, recorded: str) -> ModelEmbedder | None:
        """The one that was chosen, else the one whose vectors are `recorded`, if it needs no file of the user's."""
        from rpg.models.chosen_embedder import choose_embedder, find_recorded_embedder

        with self._lock:
            if self._embedder is None:
                self._embedder = choose_embedder(self._embedder_file)
            if self._embedder is None and recorded and self._recorded is None:
                self._recorded = find_recorded_embedder(recorded)
            return self._embedder or (self._recorded if recorded else None)

    def close(self) -> None:
        with self._lock:
            models = [self._answerer, self._embedder, self._recorded]
            self._answerer = self._embedder = self._recorded = None
        for each in models:
            if each is not None:
                each.close()
