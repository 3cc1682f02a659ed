"""Masks secrets in every answer before it leaves, whatever its source.

In: the answer of a tool. Out: the same, or a copy with its secrets masked. The contents of our own indexes were masked
when they were made; this covers the rest: a graph that somebody else made, a model's words, a question that is
repeated.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from rpg.encoder.masking import mask

SHORTEST = 20
"""Minimum length of a text that could be a secret by itself; a shorter one needs a name that suggests a secret."""
INERT = frozenset({int, bool, float, type(None)})
BETWEEN = "\n\n"


def mask_answer(answer: Any) -> Any:
    """The answer itself if it contains no secret: all its texts are searched as one."""
    texts: list[str] = []
    gather(answer, texts)
    texts = list(dict.fromkeys(texts))
    whole = BETWEEN.join(texts).encode("utf-8", "surrogatepass")
    hidden = mask(whole)
    if hidden == whole:
        return answer
    at = 0
    changed: dict[str, str] = {}
    for text in texts:
        end = at + len(text.encode("utf-8", "surrogatepass"))
        changed[text] = hidden[at:end].decode("utf-8", "replace")
        at = end + len(BETWEEN)
    return replace_in(answer, changed)


def mask_text(text: str) -> str:
    return mask(text.encode("utf-8", "surrogatepass")).decode("utf-8", "replace")


def gather(value: Any, texts: list[str]) -> None:
    """The texts of an answer that could contain a secret."""
    kind: Any = type(value)
    if kind is str:
        if len(value) >= SHORTEST or "=" in value or ":" in value:
            texts.append(value)
    elif kind in INERT:
        return
    elif kind is list or isinstance(value, tuple):
        for item in value:
            gather(item, texts)
    elif kind is dict:
        for item in value.values():
            gather(item, texts)
    elif is_dataclass(value):
        for name in names(kind):
            gather(getattr(value, name), texts)


def replace_in(value: Any, changed: dict[str, str]) -> Any:
    if isinstance(value, str):
        return changed.get(value, value)
    if isinstance(value, tuple) and hasattr(value, "_make"):
        return value._make(replace_in(item, changed) for item in value)
    if isinstance(value, list | tuple):
        return type(value)(replace_in(item, changed) for item in value)
    if isinstance(value, dict):
        return {key: replace_in(item, changed) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        from dataclasses import replace

        return replace(value, **{name: replace_in(getattr(value, name), changed) for name in names(type(value))})
    return value


@cache
def names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))
