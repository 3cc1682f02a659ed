"""Counts the words of one file: what search knows of it before it sees any other.

In: the facts of one file and its bytes. Out: its term counts (rpg/text/term_frequencies.py), made in the worker that
parsed it.

Absent: weights, frequencies over the repository, callers. They need other files and are added by the index.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate, chain

from rpg.encoder import facts as f
from rpg.encoder import operations
from rpg.encoder import operations as op
from rpg.encoder.symbol_ids import is_symbol, local_ids
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.text import fingerprints, words
from rpg.text.term_frequencies import (
    BODY,
    CALLS,
    CHAIN,
    CLASS_DOC,
    COMMENTS,
    DOC,
    MODULE_DOC,
    NAME,
    NEIGHBOURS,
    PATH,
    SIGNATURE,
    FileTerms,
    pack,
)
from rpg.text.titles import container, is_title

_CODE_KINDS = FUNCTION_KINDS | CLASS_KINDS
_UNIT_KINDS = _CODE_KINDS | {"section"}
_QUOTED = re.compile(rb"\s*[a-zA-Z]{0,2}(\"\"\"|'''|\"|')")
_LONGEST_DOC = 400
"""How many words of a doc comment count; a longer one is a manual, and its words are about everything."""


def file_terms(facts: f.FileFacts, source: bytes, is_typical: bool = True) -> bytes:
    """The packed word counts of one file; of `source` only the beginning may be given. Average lengths are those of
    typical files."""
    return pack(count(facts, source), is_typical)


def count(facts: f.FileFacts, source: bytes) -> FileTerms:
    """The word counts of one file, by unit and field."""
    definitions = facts.definitions
    units = [0, *(i for i, each in enumerate(definitions) if i and each.kind in _UNIT_KINDS and is_symbol(each))]
    parts = [i for i, each in enumerate(definitions) if each.symbol >= 0 and each.kind in _UNIT_KINDS]
    bodies, comments = _tokens_by_unit(facts, words.blank_non_words(source), source, units + parts)
    calls = _called_names(facts, _nearest_units(definitions, set(units)))
    ids = local_ids(definitions)
    groups = _Groups(facts)
    counted = FileTerms()
    counted.symbols = [ids[i] for i in units]
    counted.group_of = [groups.of(i) for i in units]
    counted.groups = len(groups.fields)
    counted.fingerprints = _fingerprints(definitions, units, source)
    counted.add(_terms(_file_fields(facts)))
    for fields in groups.fields:
        counted.add(_terms(fields))
    for i in units:
        definition = definitions[i]
        fields = [(BODY, bodies[i]), (CALLS, calls[i]), (COMMENTS, comments[i])]
        if i:
            fields += (
                (NAME, words.tokens(definition.name)),
                (SIGNATURE, _header_tokens(definition)),
                (DOC, _doc_tokens(definition.doc)),
            )
        counted.add(_terms(fields))
    return counted


def _fingerprints(definitions: list[f.Definition], units: list[int], source: bytes) -> list[bytes]:
    """For units that are code by themselves: a whole file does not resemble a snippet, nor does a group of tests."""
    is_code = [i > 0 and definitions[i].kind in _CODE_KINDS and f.SUITE not in definitions[i].flags for i in units]
    text = fingerprints.bare(source) if any(is_code) else b""
    ends = accumulate(map(len, text.split(b"\n")))
    starts = [0, *[end + line for line, end in enumerate(ends, 1)]]
    forms = []
    known: dict[tuple[int, int], bytes] = {}
    """Thousands of functions may share one line."""
    end = len(starts) - 1
    for i, is_one in zip(units, is_code, strict=True):
        # Of a large file only the beginning is counted.
        first, last = min(definitions[i].start_line - 1, end), min(definitions[i].end_line, end)
        lines = (first, last)
        if is_one and lines not in known:
            known[lines] = fingerprints.fingerprint_of(text[starts[first] : starts[last]])
        forms.append(known[lines] if is_one else b"")
    return forms


def _terms(fields: list[tuple[int, list[bytes]]]) -> list[tuple[int, Iterator[str]]]:
    """In C: it sees every word of every file."""
    terms_of = words.TERMS_OF.__getitem__
    return [(field, chain.from_iterable(map(terms_of, tokens))) for field, tokens in fields if tokens]


def _file_fields(facts: f.FileFacts) -> list[tuple[int, list[bytes]]]:
    stem, dot, _ = facts.path.rpartition(".")
    return [
        (PATH, words.tokens(stem if dot else facts.path)),
        (NEIGHBOURS, words.tokens(" ".join([each.name for each in facts.definitions[1:] if not is_title(each.name)]))),
        (MODULE_DOC, _doc_tokens(facts.definitions[0].doc)),
    ]


class _Groups:
    """The enclosing classes of the units: the names of the chain, and the doc of the innermost class."""

    def __init__(self, facts: f.FileFacts) -> None:
        self.fields: list[list[tuple[int, list[bytes]]]] = [[]]
        """The first one is empty: units without a class around them."""
        self._definitions = facts.definitions
        self._numbers: dict[tuple[str, int], int] = {}
        self._types = {each.name: i for i, each in enumerate(facts.definitions) if each.kind in CLASS_KINDS}

    def of(self, i: int) -> int:
        definitions = self._definitions
        definition = definitions[i]
        names = container(definition.name, definition.qualified_name) if i else ""
        around = self._types.get(definition.owner, -1) if definition.owner else definition.parent
        while around > 0 and definitions[around].kind not in CLASS_KINDS:
            around = definitions[around].parent
        if not names and around <= 0:
            return 0
        key = (names, around)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.fields)
            fields = [(CHAIN, words.tokens(names))]
            if around > 0:
                header = definitions[around]
                fields.append((CLASS_DOC, _header_tokens(header) + _doc_tokens(header.doc)))
            self.fields.append(fields)
        return number


def _nearest_units(definitions: list[f.Definition], units: set[int]) -> list[int]:
    """For each definition the unit that its words and references count for: itself or the nearest one around it."""
    nearest: list[int] = []
    for i, each in enumerate(definitions):
        if each.symbol in units:
            nearest.append(each.symbol)
            continue
        nearest.append(i if i in units else nearest[each.parent] if each.parent >= 0 else 0)
    return nearest


def _tokens_by_unit(
    facts: f.FileFacts, blanked: bytes, source: bytes, units: list[int]
) -> tuple[dict[int, list[bytes]], dict[int, list[bytes]]]:
    """Tokens of the bodies, and of the comments in them, in one pass over the spans of units and comments.

    A position belongs to the innermost unit around it; headers, doc comments and docstrings belong to no body.
    """
    bodies: dict[int, list[bytes]] = defaultdict(list)
    comments: dict[int, list[bytes]] = defaultdict(list)
    stack: list[tuple[int, int]] = [(len(source), 0)]
    position = _after_docstring(source, 0) if facts.definitions[0].doc else 0
    for start, negative_end, unit in _spans(facts, units):
        while start >= stack[-1][0] and len(stack) > 1:
            end, closed = stack.pop()
            bodies[closed] += blanked[position : max(position, end)].split()
            position = max(position, end)
        if position < start:
            bodies[stack[-1][1]] += blanked[position:start].split()
            position = start
        if unit >= 0:
            definition = facts.definitions[unit]
            position = max(position, min(definition.body_byte, definition.end_byte))
            if definition.doc:
                position = _after_docstring(source, position)
            stack.append((-negative_end, definition.symbol if definition.symbol >= 0 else unit))
        elif start >= position:
            comments[stack[-1][1]] += blanked[start:-negative_end].split()
            position = -negative_end
    while stack:
        end, closed = stack.pop()
        bodies[closed] += blanked[position : max(position, end)].split()
        position = max(position, end)
    return bodies, comments


def _spans(facts: f.FileFacts, units: list[int]) -> list[tuple[int, int, int]]:
    """(start, -end, unit or -1 for a comment), outer ones before inner ones."""
    spans = [(facts.definitions[i].start_byte, -facts.definitions[i].end_byte, i) for i in units[1:]]
    spans += [(start, -end, -1) for start, end in facts.comments]
    spans.sort()
    return spans


def _after_docstring(source: bytes, position: int) -> int:
    """The end of the string literal at the position, if there is one."""
    opening = _QUOTED.match(source, position)
    if opening is None:
        return position
    closing = source.find(opening[1], opening.end())
    return closing + len(opening[1]) if closing >= 0 else position


def _doc_tokens(doc: str) -> list[bytes]:
    return words.tokens(doc)[:_LONGEST_DOC] if doc else []


def _header_tokens(definition: f.Definition) -> list[bytes]:
    return words.tokens(" ".join((*definition.decorators, definition.signature)))


def _called_names(facts: f.FileFacts, unit_of: list[int]) -> dict[int, list[bytes]]:
    """For each unit the names that it calls, as written."""
    called: dict[int, list[bytes]] = defaultdict(list)
    tokens_of: dict[int, list[bytes]] = {}
    """By index of the name among the strings: a file calls the same names again and again."""
    sites, code, strings = facts.sites, facts.code, facts.strings
    calls = [site for site, role in enumerate(sites[f.ROLE :: f.SITE_WORDS]) if role == f.CALLED]
    for site in calls:
        k = site * f.SITE_WORDS
        expression = sites[k]
        if code[expression] == operations.CALL:
            expression = code[expression + op.CALLEE]
        if code[expression] == operations.NAME:
            name = code[expression + op.WORD]
        elif code[expression] == operations.ATTRIBUTE:
            name = code[expression + op.MEMBER]
        else:
            continue
        tokens = tokens_of.get(name)
        if tokens is None:
            tokens = tokens_of[name] = words.tokens(f.strip_marks(strings[name]))
        called[unit_of[sites[k + f.MAKER]]] += tokens
    return called
