"""Source text cut to what a question needs of a symbol.

In: the lines of a file, a symbol, and the lines in it that matter. Out: runs of lines: all of it, or its signature with
the first paragraph of its doc comment and the lines that matter. Comments and signatures are recognised by their
look, alike in every language. No choice of symbols here, and no budget.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from rpg.graph import CLASS_KINDS
from rpg.queries.nodes import Node
from rpg.words import terms as terms_of
from rpg.words import tokens

SIGNATURE_LINES = 40
DOC_LINES = 6
"""A longer doc comment is cut to its first paragraph."""
HEADER_LINES = 12
"""Of a class or module: what stands before its first member."""
OPENING_LINES = 24
AROUND = 1
"""Lines shown before and after one that matters."""
GAP = 2
"""A gap of so many lines is shown rather than marked."""
COMMENT = re.compile(r"\s*(//|/\*|\*|#(?!\[)|--|;;|<!--)")
STRING_OPENING = re.compile(r"\s*[rRuUbB]{0,2}(\"\"\"|''')")


class Run(NamedTuple):
    """Consecutive lines, 1-based and inclusive."""

    start: int
    end: int


def whole(lines: list[str], node: Node) -> list[Run]:
    """All lines, without the rest of a long doc comment."""
    doc = doc_lines(lines, node)
    if len(doc) <= DOC_LINES:
        return [Run(node.start_line, last_line(lines, node))]
    first = first_paragraph(lines, doc)
    return runs(set(range(node.start_line, last_line(lines, node) + 1)) - (set(doc) - set(first)))


def cut(lines: list[str], node: Node, matter: Iterable[int], around: int = AROUND) -> list[Run]:
    """Signature, first paragraph of the doc comment, and the lines that matter with their neighbours."""
    chosen = set(head(lines, node))
    end = last_line(lines, node)
    doc = set(doc_lines(lines, node))
    for line in matter:
        if node.start_line <= line <= end and line not in doc:
            chosen.update(range(max(line - around, node.start_line), min(line + around, end) + 1))
    return runs(line for line in chosen if line not in doc or line in head(lines, node))


def opening(lines: list[str], node: Node) -> list[Run]:
    """How a file introduces itself: its first lines, up to a full screen of text."""
    last = last_line(lines, node)
    told = [line for line in range(1, last + 1) if any(c.isalnum() for c in lines[line - 1])]
    return runs(told[:OPENING_LINES])


def outline(lines: list[str], node: Node) -> list[Run]:
    """The signature alone."""
    return runs(signature_lines(lines, node))


def head(lines: list[str], node: Node) -> list[int]:
    """Decorators, signature, and the first paragraph of the doc comment."""
    doc = doc_lines(lines, node)
    before = [line for line in range(node.start_line, node.name_line) if line not in doc] if node.name_line else []
    return sorted({*before[-3:], *signature_lines(lines, node), *first_paragraph(lines, doc)[:DOC_LINES]})


def signature_lines(lines: list[str], node: Node) -> list[int]:
    """From the name to where its brackets are closed."""
    first = node.name_line or node.start_line
    depth = 0
    for line in range(first, min(first + SIGNATURE_LINES, last_line(lines, node) + 1)):
        text = lines[line - 1]
        depth += sum(text.count(c) for c in "([") - sum(text.count(c) for c in ")]")
        if depth <= 0:
            return list(range(first, line + 1))
    return [first]


def doc_lines(lines: list[str], node: Node) -> list[int]:
    """The comment before the name, or the string that opens the body."""
    end = last_line(lines, node)
    if not node.name_line:
        return []
    before = [line for line in range(node.start_line, node.name_line) if COMMENT.match(lines[line - 1])]
    if before:
        return before
    at = signature_lines(lines, node)[-1] + 1
    opening = STRING_OPENING.match(lines[at - 1]) if at <= end else None
    if not opening:
        return []
    for line in range(at, end + 1):
        text = lines[line - 1][opening.end() :] if line == at else lines[line - 1]
        if opening[1] in text:
            return list(range(at, line + 1))
    return []


def first_paragraph(lines: list[str], doc: list[int]) -> list[int]:
    found: list[int] = []
    for line in doc:
        says_something = any(c.isalnum() for c in lines[line - 1])
        if not says_something and any(any(c.isalnum() for c in lines[seen - 1]) for seen in found):
            break
        found.append(line)
    return found


def last_line(lines: list[str], node: Node) -> int:
    return min(node.end_line, len(lines))


def is_class(node: Node) -> bool:
    return node.kind in CLASS_KINDS


def matching_lines(lines: list[str], node: Node, terms: Collection[str], limit: int) -> list[int]:
    """Those with the most different terms of the question, in the order of the file."""
    counted = []
    for line in range(node.start_line, last_line(lines, node) + 1):
        shared = {term for token in tokens(lines[line - 1]) for term in terms_of(token)}.intersection(terms)
        if shared:
            counted.append((-len(shared), line))
    return sorted(line for _, line in sorted(counted)[:limit])


def runs(lines: Iterable[int]) -> list[Run]:
    """Lines as runs; a gap of few lines is closed."""
    found: list[Run] = []
    for line in sorted(lines):
        if found and line <= found[-1].end + 1 + GAP:
            found[-1] = Run(found[-1].start, max(line, found[-1].end))
        else:
            found.append(Run(line, line))
    return found


def consecutive(lines: Iterable[int]) -> list[Run]:
    found: list[Run] = []
    for line in sorted(lines):
        if found and line == found[-1].end + 1:
            found[-1] = Run(found[-1].start, line)
        else:
            found.append(Run(line, line))
    return found


def trimmed(lines: list[str], kept: Iterable[int]) -> list[int]:
    """Without blank lines at the ends of runs."""
    found: list[int] = []
    for run in consecutive(kept):
        inside = [line for line in range(run.start, run.end + 1) if lines[line - 1].strip()]
        if inside:
            found += range(inside[0], inside[-1] + 1)
    return found
