"""Models that write answers: the protocol, and its only kind, a GGUF file run by llama.cpp.

In: messages and a grammar. Out: the answer in pieces while it is written, and figures about it. Absent: what a citation
is, what the messages say, and whether an answer is good.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from rpg.errors import ModelUnavailable
from rpg.models import smollm2
from rpg.models.llama_process import Interrupted, LlamaProcess, ModelOptions
from rpg.models.packaged_file import PackagedFile

__all__ = [
    "NO_MODEL",
    "Answerer",
    "Finished",
    "GgufAnswerer",
    "Interrupted",
    "Message",
    "ModelOptions",
    "Reading",
    "Sampling",
    "Text",
    "choose_answerer",
]


NO_MODEL = "none"
"""Named in place of a file: the evidence is the answer."""


class Message(NamedTuple):
    role: str
    """system or user."""
    content: str


class Sampling(NamedTuple):
    """How the next token is chosen."""

    temperature: float = 0.0
    seed: int = 1
    repetition: float = 1.0
    """What the logit of a token that was written lately is divided by."""


class Reading(NamedTuple):
    """How far the model has read the prompt, in tokens."""

    read: int
    of: int


class Text(NamedTuple):
    """The next piece of the answer."""

    text: str


class Finished(NamedTuple):
    reason: str
    """end, length (cut at its limit) or cancelled."""
    prompt_tokens: int
    tokens: int
    prompt_seconds: float
    seconds: float
    kept_tokens: int = 0
    """How many tokens of the prompt were read before, with the prompt before it."""


class Answerer(Protocol):
    name: str

    @property
    def seconds(self) -> float:
        """How long an answer may take; 0: no limit."""

    def context(self) -> int:
        """Tokens that prompt and answer share. Loads the model, like everything below."""

    def load_seconds(self) -> float: ...

    def parameters(self) -> int:
        """How many numbers it consists of: what it can be asked depends on that."""

    def reading_speed(self) -> float:
        """Tokens of a prompt that it reads in a second, on this machine as it is now."""

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, by the model's own tokenizer."""

    def stream(
        self,
        messages: Sequence[Message],
        *,
        grammar: str = "",
        max_tokens: int = 512,
        sampling: Sampling | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Iterator[Reading | Text | Finished]:
        """`sampling`: None for what the user chose. Ends with one Finished, unless it is closed earlier."""

    def close(self) -> None: ...


class GgufAnswerer:
    """Created without touching the file; the first question loads it, in a separate process."""

    def __init__(
        self, file: str | Path, options: ModelOptions | None = None, packaged: PackagedFile | None = None
    ) -> None:
        """`packaged`: what the file has to be, if it came with a package."""
        self.name = Path(file).name
        self.options = options or ModelOptions()
        self._process = LlamaProcess(Path(file).expanduser(), self.options, packaged=packaged)

    @property
    def seconds(self) -> float:
        return self.options.seconds

    def context(self) -> int:
        return int(self._process.load()["context"])

    def parameters(self) -> int:
        return int(self._process.load()["parameters"])

    def reading_speed(self) -> float:
        return float(self._process.ask({"op": "speed"})["tokens_per_second"])

    def load_seconds(self) -> float:
        return float(self._process.load()["seconds"])

    def count(self, texts: Sequence[str]) -> list[int]:
        return list(self._process.ask({"op": "count", "texts": list(texts)})["counts"])

    def stream(
        self,
        messages: Sequence[Message],
        *,
        grammar: str = "",
        max_tokens: int = 512,
        sampling: Sampling | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Iterator[Reading | Text | Finished]:
        chosen_by = sampling or Sampling(self.options.temperature, self.options.seed)
        request = {
            "op": "answer",
            "messages": [message._asdict() for message in messages],
            "grammar": grammar,
            "max_tokens": max_tokens,
            **chosen_by._asdict(),
        }
        with self._process.asking(request, cancelled) as events:
            for event in events:
                if "text" in event:
                    yield Text(event["text"])
                elif "read" in event:
                    yield Reading(event["read"], event["of"])
                else:
                    yield Finished(**event["done"])

    def close(self) -> None:
        self._process.close()


def choose_answerer(
    file: str | None = None, options: ModelOptions | None = None, *, or_packaged: bool = False
) -> GgufAnswerer | None:
    """The model that --model or RPG_MODEL names. If neither does: with `or_packaged` the one of the extra `llm`, if
    it is installed, else None. MODEL_UNAVAILABLE if that one is named and not installed."""
    named = file or os.environ.get("RPG_MODEL", "")
    if named == smollm2.CALLED or (not named and or_packaged and smollm2.is_installed()):
        location = smollm2.WEIGHTS.location()
        if location is None:
            raise ModelUnavailable(f"the model {smollm2.CALLED} is not installed: {smollm2.INSTALL}")
        options = options or ModelOptions()
        options = options._replace(context=min(options.context, smollm2.CONTEXT))
        return GgufAnswerer(location, options, smollm2.WEIGHTS)
    return GgufAnswerer(named, options) if named not in ("", NO_MODEL) else None
