"""What a model that makes vectors reads of a symbol: a few dozen words that say what it is about.

In: a symbol and the lines of its file. Out: one line of text: the words of its name and of what it stands in, of its
signature, its documentation, then the first words of its body that have not occurred yet; and the first sentence of the
documentation once more on its own. Identifiers are split into words, because models were trained on prose. Absent:
models, vectors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import PurePosixPath
from typing import NamedTuple

from rpg.text.words import parts

FILE_WORDS = 3
"""The last words of the file's name, which say what it is a part of."""
BODY_WORDS = 40
SIGNATURE_WORDS, DOC_WORDS = 24, 48
"""How many words are read of each: later words add little, and take as long to read."""
SENTENCE_WORDS = 24
"""How many words of the first sentence of the documentation are read."""
SHORTEST = 3
"""Minimum length of a word of the body: shorter ones are mostly keywords or meaningless."""
LINES_READ = 80
"""How many lines of the body are read: forty words are found in fewer."""


_SENTENCE_END = re.compile(r"(?<=[.!?])\s")


class Unit(NamedTuple):
    key: bytes
    kind: str
    path: str
    qualified_name: str
    signature: str
    doc: str
    start: int
    end: int


def texts_of(unit: Unit, lines: Sequence[str]) -> list[str]:
    """A question resembles a sentence more than it resembles a list of words that has this sentence in it."""
    sentence = " ".join(_SENTENCE_END.split(unit.doc.strip(), maxsplit=1)[0].split()[:SENTENCE_WORDS])
    return [_line(unit, lines), *filter(None, [sentence])]


def _line(unit: Unit, lines: Sequence[str]) -> str:
    name = [*parts(PurePosixPath(unit.path).stem)[-FILE_WORDS:], *parts(unit.qualified_name)]
    signature = list(islice(_new(_words(unit.signature), name), SIGNATURE_WORDS))
    doc = " ".join(unit.doc.split()[:DOC_WORDS])
    known = {*name, *signature, *parts(doc)}
    body = lines[unit.start - 1 : min(unit.end, unit.start - 1 + LINES_READ)]
    new_words = islice(_new(_words(" ".join(body)), known), BODY_WORDS)
    return ". ".join(filter(None, (" ".join(name), " ".join(signature), doc, " ".join(new_words))))


def _words(text: str) -> Iterator[str]:
    return (part for part in parts(text) if len(part) >= SHORTEST and not part.isdigit())


def _new(words: Iterable[str], used: Iterable[str]) -> Iterator[str]:
    """The words that are not in `used`, each once."""
    known = set(used)
    for word in words:
        if word not in known:
            known.add(word)
            yield word
