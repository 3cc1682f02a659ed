"""Citations in an answer, `[path:start-end]`, checked against the evidence.

In: the text that a model wrote, the lines of the evidence, and a way to ask which names are known. Out: the text
without citations outside the evidence, and a verdict on its claims. Nothing in the text is trusted: it may be cut off,
repeat itself, or imitate a citation.

Invariant: whatever the input, every citation in the resulting text lies inside the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple


class Lines(NamedTuple):
    """Lines of a file in the evidence, 1-based and inclusive."""

    path: str
    start: int
    end: int

    def __str__(self) -> str:
        return f"[{self.path}:{self.start}-{self.end}]"


@dataclass(frozen=True, kw_only=True)
class Flagged:
    sentence: str
    names: list[str]
    """Spelled like names in code, but neither in the graph nor in the evidence."""


@dataclass(frozen=True, kw_only=True)
class Checked:
    text: str
    citations: list[Lines]
    """In order of their first mention."""
    removed: int
    """How many citations were removed."""
    claims: int
    uncited: int
    """Claims without a citation."""
    flagged: list[Flagged]

    @property
    def grounded(self) -> bool:
        return self.claims > 0 and not self.uncited


LinesByPath = dict[str, list[tuple[int, int]]]
Known = Callable[[Collection[str]], Collection[str]]

LINE_NUMBERS = re.compile(r":[ ]?L?([0-9]+)(?:[ ]?[-–—][ ]?L?([0-9]+))?[ ]?\]")
"""The end of a citation. What precedes it is looked up rather than matched, because paths may contain brackets."""
OPENING = re.compile(r"\[([^\[\]\n]*)\Z")
FILE_LIKE = re.compile(r"\S*/\S*|[\w.+-]*\.[A-Za-z]\w{0,4}")
DIGITS = 9
"""A number with more digits is not a line number."""
MARK = "\0"
"""Replaces a citation while sentences are split."""
NO_SENTENCE_END = ("e.g.", "i.e.", "etc.", "cf.", "vs.")
CODE = re.compile(r"`([^`\n]+)`")
NAME = re.compile(r"[^\W\d]\w*(?:(?:\.|::|#|->)[^\W\d]\w*)*")
WRITTEN_AS_CODE = re.compile(r"[^\W\d]\w*_\w|[a-z0-9][A-Z]|^[A-Z]\w*(?:\.|::|#)\w")
SEPARATORS = re.compile(r"\.|::|#|->")
RECEIVERS = frozenset({"self", "this", "cls", "super"})
FILE_SUFFIXES = frozenset({"py", "js", "ts", "tsx", "jsx", "go", "rs", "java", "c", "h", "md", "json", "toml", "yaml"})


def check(text: str, evidence: Iterable[Lines], known: Known) -> Checked:
    """`known` returns those of some names that the graph or the evidence knows."""
    allowed = merge_lines(evidence)
    cleaned, removed = only_valid(text, allowed)
    claims = [(sentence, cited) for sentence, cited in sentences(cleaned, allowed) if is_claim(sentence)]
    return Checked(
        text=cleaned,
        citations=list(dict.fromkeys(lines for _, _, lines in find_citations(cleaned, allowed) if lines)),
        removed=removed,
        claims=len(claims),
        uncited=sum(not cited for _, cited in claims),
        flagged=unknown_names([sentence for sentence, _ in claims], known),
    )


def merge_lines(evidence: Iterable[Lines]) -> LinesByPath:
    """By path: ascending runs of lines, with neighbours joined."""
    allowed: LinesByPath = {}
    for path, start, end in sorted(evidence):
        runs = allowed.setdefault(path, [])
        if runs and start <= runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], max(runs[-1][1], end))
        else:
            runs.append((start, end))
    return allowed


def only_valid(text: str, allowed: LinesByPath) -> tuple[str, int]:
    """The text with valid citations in their normal form and without all others, and how many others there were."""
    text = text.replace(MARK, "")
    removed = 0
    while True:
        for start, end, lines in find_citations(text, allowed):
            if lines is None:
                text = text[:start].rstrip(" ") + text[end:]
                removed += 1
                # The text around it may have become a citation: search again from the beginning.
                break
            if text[start:end] != str(lines):
                text = text[:start] + str(lines) + text[end:]
                break
        else:
            return text, removed


def find_citations(text: str, allowed: LinesByPath) -> Iterator[tuple[int, int, Lines | None]]:
    """Everything that is or looks like a citation: start, end, and the lines if it is valid."""
    for match in LINE_NUMBERS.finditer(text):
        before = text[: match.start()]
        path = max((path for path in allowed if before.endswith("[" + path)), key=len, default=None)
        if path is not None:
            yield len(before) - len(path) - 1, match.end(), valid(path, match[1], match[2] or match[1], allowed)
            continue
        opening = OPENING.search(before)
        # `[1:2]`, `rows[i:10]` are slices; a range of lines after a name is always a citation.
        if opening and opening[1] and (match[2] or FILE_LIKE.fullmatch(opening[1])):
            yield opening.start(), match.end(), None


def valid(path: str, first: str, last: str, allowed: LinesByPath) -> Lines | None:
    if max(len(first), len(last)) > DIGITS:
        return None
    start, end = int(first), int(last)
    if start <= end and any(low <= start and end <= high for low, high in allowed[path]):
        return Lines(path, start, end)
    return None


def sentences(text: str, allowed: LinesByPath) -> Iterator[tuple[str, bool]]:
    """Each sentence without its citations, and whether it has any. A citation after the full stop belongs to the
    sentence before it."""
    for line in text.split("\n"):
        marked = line
        for start, end, _ in reversed(list(find_citations(line, allowed))):
            marked = marked[:start] + MARK + marked[end:]
        parts: list[tuple[str, bool]] = []
        for part in re.split(r"(?<=[.!?])\s+", marked):
            rest = part.lstrip(MARK + " .,;")
            words, cited = rest.replace(MARK, "").strip(), MARK in rest
            leading = MARK in part[: len(part) - len(rest)]
            if parts and leading:
                parts[-1] = (parts[-1][0], True)
            if parts and parts[-1][0].endswith(NO_SENTENCE_END):
                before, was_cited = parts.pop()
                words, cited = f"{before} {words}", cited or was_cited
            if words:
                parts.append((words, cited or (leading and not parts)))
        yield from parts


def is_claim(sentence: str) -> bool:
    """Neither the number of a list item nor the words that introduce a list."""
    return any(letter.isalpha() for letter in sentence) and not sentence.endswith(":")


def unknown_names(claims: list[str], known: Known) -> list[Flagged]:
    names = {sentence: code_names(sentence) for sentence in claims}
    mentioned = {part for written in names.values() for name in written for part in SEPARATORS.split(name)} - RECEIVERS
    missing = mentioned - set(known(mentioned))
    flagged = []
    for sentence, written in names.items():
        bad = [name for name in written if missing.intersection(SEPARATORS.split(name))]
        if bad:
            flagged.append(Flagged(sentence=sentence, names=bad))
    return flagged


def code_names(sentence: str) -> list[str]:
    """Names in code format, called names, and words spelled as only code is."""
    names = []
    for match in CODE.finditer(sentence):
        whole = NAME.fullmatch(match[1].strip().removesuffix("()"))
        if whole:
            names.append(whole[0])
    for match in NAME.finditer(CODE.sub(" ", sentence)):
        called = match.string.startswith("()", match.end())
        in_path = match.string[match.start() - 1 : match.start()] == "/" or match.string[match.end() :][:1] == "/"
        is_file = SEPARATORS.split(match[0])[-1] in FILE_SUFFIXES
        if called or (WRITTEN_AS_CODE.search(match[0]) and not in_path and not is_file):
            names.append(match[0])
    return list(dict.fromkeys(names))
