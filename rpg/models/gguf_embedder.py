"""A user's GGUF embedding model, run by llama.cpp in a separate process.

In: a file; texts. Out: int8 vectors to be compared by cosine, and a name that identifies exactly this model. Created
without loading it; the first text does that. Absent: which texts, where vectors are stored.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path

from rpg.errors import ModelUnavailable
from rpg.models.llama_process import LlamaProcess, ModelOptions
from rpg.system.filesystem import open_file

LONGEST_TEXT = 512
"""How many tokens of a text are read, fewer if the model was trained with fewer: the beginning of a function says what
it is about, and the time depends on the number of tokens."""
IDENTIFIED_BY = 1 << 20
"""How many bytes of the file's beginning (description and vocabulary) and end (weights) identify it: reading all of it
would take too long at start."""
_MOST = 127


class GgufEmbedder:
    def __init__(self, file: str | Path, threads: int = 0, gpu_layers: int | None = None) -> None:
        self.file = Path(file).expanduser()
        options = ModelOptions(context=LONGEST_TEXT, threads=threads, gpu_layers=gpu_layers)
        self._process = LlamaProcess(self.file, options, embed=True)
        self._name = ""

    @property
    def name(self) -> str:
        """The file's name with a hash of its contents: vectors of different names are never compared."""
        if not self._name:
            self._name = f"{self.file.stem}@{_identity(self.file)}"
        return self._name

    def vectors(self, texts: Sequence[str], cancelled: Callable[[], bool] = lambda: False) -> list[bytes]:
        """MODEL_UNAVAILABLE if the model cannot be run."""
        found = self._process.ask({"op": "embed", "texts": list(texts)}, cancelled)["vectors"]
        return [_int8(vector) for vector in found]

    def close(self) -> None:
        self._process.close()


def _int8(vector: Sequence[float]) -> bytes:
    largest = max(map(abs, vector), default=0.0) or 1.0
    return array("b", [round(each * _MOST / largest) for each in vector]).tobytes()


def _identity(file: Path) -> str:
    try:
        with open_file(file) as content:
            size = os.fstat(content.fileno()).st_size
            start = content.read(IDENTIFIED_BY)
            content.seek(max(0, size - IDENTIFIED_BY))
            digest = blake2b(start + content.read() + size.to_bytes(8, "little"), digest_size=6)
    except OSError as error:
        raise ModelUnavailable(
            f"the embedding model {file} cannot be read ({error.strerror}): name a GGUF file with --embedder or "
            "RPG_EMBEDDER"
        ) from None
    return digest.hexdigest()
