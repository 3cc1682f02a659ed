"""Vectors of a model, made in the background of a server: what an interrupted `rpg encode` left, and what edits
changed.

In: after each call, the graph that it was about, its generation and its model. Out: nothing; vectors are stored next to
the index, and queries use those that are there. One graph at a time, at the lowest priority, so that queries do not
wait. What fails is tried again after the next edit, and queries say why there are no vectors.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from rpg.errors import RpgError

if TYPE_CHECKING:
    from rpg.models.chosen_embedder import ModelEmbedder

LOWEST = 19


class BackgroundVectors:
    """Any thread may request some."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        """Guards the fields below."""
        self._thread: threading.Thread | None = None
        self._waiting: dict[Path, tuple[str, ModelEmbedder]] = {}
        self._done: dict[Path, str] = {}
        """Generations by graph, being worked on included."""
        self._is_closed = threading.Event()

    def want(self, graph: Path, generation: str, embedder: ModelEmbedder) -> None:
        with self._lock:
            if self._done.get(graph) == generation or self._is_closed.is_set():
                return
            self._done[graph] = generation
            self._waiting[graph] = generation, embedder
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="rpg-vectors", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Ends after the texts that the model is working on."""
        self._is_closed.set()
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        from rpg.repository import embed, index_path

        step_back()
        while True:
            with self._lock:
                if not self._waiting or self._is_closed.is_set():
                    self._thread = None
                    return
                graph = next(iter(self._waiting))
                _, embedder = self._waiting.pop(graph)
            with suppress(RpgError, OSError):
                embed(index_path(graph), embedder, cancelled=self._is_closed.is_set)


def step_back() -> None:
    """Applies to this thread only, on systems where threads have separate priorities."""
    if hasattr(os, "setpriority") and os.uname().sysname == "Linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOWEST)
