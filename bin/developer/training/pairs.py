"""Source trees to pairs: what a doc comment says, and the words of the code below it without that comment.

Files are listed, parsed and counted by the encoder itself. What stands behind other code in search (tests, their data,
declarations) teaches nothing: its comments are about tests.
Languages that the encoder does not know yet are read by foreign.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rpg.encoder.facts import Definition, FileFacts
from rpg.encoder.languages import find_language
from rpg.encoder.parsing.count_terms import file_terms
from rpg.encoder.parsing.parse import parse
from rpg.encoder.source_files.listing import Skipped, list_files, read_all
from rpg.errors import BadRequest
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.stores.search.tables import TEST_PATHS
from rpg.text import words
from rpg.text.term_frequencies import DOC, Packed, unpack
from tests.term_counts import counted
from training import foreign
from training.sentences import first_sentence

LARGEST = 1_000_000
"""Bytes; larger files are generated or data."""
STUBS = ".pyi"
"""They say again what stands in the sources, or in those of others."""
LONGEST_DOC = 1_500
"""Characters of a doc comment that count as its words."""

Levels = tuple[dict[int, dict[str, int]], ...]
"""Term counts by field of what the index sums into one vector: the unit, its class, its file."""


class Pair(NamedTuple):
    source: str
    """Name of the tree."""
    language: str
    sentence: dict[str, int]
    """Term counts of the first sentence, stop words left out."""
    doc: dict[str, int]
    """Of the whole doc comment."""
    code: Levels


def pairs(tree: Path) -> Iterator[Pair]:
    """The pairs of one tree, each sentence with each name once, in order of paths."""
    seen: set[tuple[str, str]] = set()
    listing = list_files(tree)
    if not listing.entries:
        raise BadRequest(f"{tree} holds no files: name a folder with sources")
    for entry, source in read_all(tree, listing):
        if isinstance(source, Skipped) or len(source) > LARGEST or TEST_PATHS.search(entry.path):
            continue
        facts = _facts(entry.path, source)
        if facts is None or not any(each.doc for each in facts.definitions):
            continue
        terms = unpack(file_terms(facts, source))
        documented = _documented(facts)
        for number, definition in documented:
            sentence = first_sentence(definition.doc, definition.name)
            if sentence and (sentence, definition.name) not in seen:
                seen.add((sentence, definition.name))
                yield Pair(
                    tree.name,
                    facts.language,
                    _question(sentence),
                    _question(definition.doc[:LONGEST_DOC]),
                    _levels(terms, number),
                )


def _facts(path: str, source: bytes) -> FileFacts | None:
    if path.endswith(STUBS):
        return None
    language = find_language(path)
    try:
        if language.is_opaque:
            return foreign.facts(path, source)
        return None if language.is_text else parse(path, language, source)
    except RecursionError:
        return None


def _documented(facts: FileFacts) -> Iterator[tuple[int, Definition]]:
    """Functions and classes with a doc comment, by the number of their unit (0 is the module)."""
    number = 0
    for definition in facts.definitions[1:]:
        if definition.kind in FUNCTION_KINDS or definition.kind in CLASS_KINDS:
            number += 1
            if definition.doc:
                yield number, definition


def _question(text: str) -> dict[str, int]:
    return dict(Counter(term for term in words.text_terms(text) if words.is_word(term)))


def _levels(terms: Packed, number: int) -> Levels:
    group = terms.group_of[number]
    own, group_words, file_words = (counted(terms, i) for i in (1 + terms.groups + number, 1 + group, 0))
    own.pop(DOC, None)
    return own, group_words, file_words
