"""The claims of a model that writes freely: which of them stay.

In: what it has written so far, and the evidence. Out: the same without claims that were made before, and without those
that name what the lines that they cite do not show. A claim without any citation stays, and is counted elsewhere
(citations.py). Absent: whether a claim is true.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final, NamedTuple

from rpg.queries.answer import evidence_weights as weights
from rpg.queries.answer.citations import RECEIVERS, SEPARATORS, Lines, code_names, find_citations, merge_lines
from rpg.queries.answer.evidence import Evidence
from rpg.queries.answer.ground import extract_terms

CLAIM_END: Final = re.compile(r"\]\.?(?=[ \n])")
_WORD: Final = re.compile(r"[^\W\d]\w*|\d[\w.]*\w|\d")
_NUMBER: Final = re.compile(r"(?<![\w.])\d[\d.]*(?![\w])")
_LIST_ITEM: Final = re.compile(r"\s*(?:- |[1-9]\. )?")


class Sifted(NamedTuple):
    text: str
    """Up to the end of the last claim."""
    rest: str
    """What is not a claim yet."""
    repeated: int
    unsupported: int
    last_repeated: int
    """How many claims at the end were made before."""


def sift_claims(raw: str, evidence: Evidence) -> Sifted:
    allowed = merge_lines(evidence.lines)
    shown = {
        (lines.path, lines.start + at): text
        for piece in (*evidence.pieces, *evidence.outlines)
        for lines, source in zip(piece.lines, piece.texts, strict=True)
        for at, text in enumerate(source.split("\n"))
    }
    ends = [0, *(match.end() for match in CLAIM_END.finditer(raw + "\n"))]
    kept: list[str] = []
    said: list[tuple[str, set[str]]] = []
    repeated = unsupported = last = 0
    for start, end in pairwise(ends):
        claim = raw[start:end]
        sentence, cited = _without_citations(claim, allowed)
        words = extract_terms(_WORD.findall(sentence))
        if any(_is_same(sentence, words, *earlier) for earlier in said):
            repeated += 1
            last += 1
            continue
        last = 0
        said.append((sentence, words))
        if cited and not _stands_in(sentence, cited, shown):
            unsupported += 1
            continue
        kept.append(claim)
    return Sifted("".join(kept), raw[ends[-1] :], repeated, unsupported, last)


def _without_citations(claim: str, allowed: dict[str, list[tuple[int, int]]]) -> tuple[str, list[Lines]]:
    cited = []
    places = list(find_citations(claim, allowed))
    for start, end, lines in reversed(places):
        claim = claim[:start] + claim[end:]
        if lines is not None:
            cited.append(lines)
    return " ".join(claim[_LIST_ITEM.match(claim).end() :].split()).rstrip(" ."), cited  # type: ignore[union-attr]


def _is_same(one: str, its_words: set[str], other: str, other_words: set[str]) -> bool:
    if not its_words or not other_words:
        return one == other
    return 2 * len(its_words & other_words) >= weights.SAME_CLAIM * (len(its_words) + len(other_words))


def _stands_in(sentence: str, cited: list[Lines], shown: dict[tuple[str, int], str]) -> bool:
    """Whether the cited lines have the last part of every name, and every number."""
    text = "\n".join(
        shown.get((lines.path, number), "") for lines in cited for number in range(lines.start, lines.end + 1)
    )
    standing = set(_WORD.findall(text)) | RECEIVERS
    names = {SEPARATORS.split(name)[-1] for name in code_names(sentence)}
    numbers = {number.rstrip(".") for number in _NUMBER.findall(sentence)}
    return names | numbers <= standing
