"""Source text cut to what a question needs of a symbol.

In: the lines of a file, a symbol, and the lines in it that matter. Out: runs of lines: all of it, or its signature with
the first paragraph of its doc comment and the lines that matter. Comments and signatures are recognised by their
appearance, in the same way for every language. No choice of symbols here, and no budget.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from rpg.graph import CLASS_KINDS
from rpg.queries.graph.nodes import Node
from rpg.text.words import terms as terms_of
from rpg.text.words import tokens

SIGNATURE_LINES = 40
DOC_LINES = 6
"""A longer doc comment is cut to its first paragraph."""
CLASS_DOC_LINES = 10
"""For a class, because its purpose explains its methods."""
OPENING_LINES = 24
AROUND = 1
"""Lines shown before and after one that matters, if its statement is long."""
STATEMENT_LINES = 8
GAP = 2
"""A gap of at most this many lines is shown rather than marked."""
WORDED = re.compile(r"[^\W_]")
"""A letter or digit."""
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
    gist_lines = gist(lines, node, doc)
    return runs(set(range(node.start_line, last_line(lines, node) + 1)) - (set(doc) - set(gist_lines)))


def cut(lines: list[str], node: Node, matter: Iterable[int]) -> list[Run]:
    """Signature, first paragraph of the doc comment, and the statements that matter with their enclosing blocks."""
    depths = bracket_depths(lines, node)
    chosen: set[int] = set()
    for line in matter:
        if node.start_line <= line <= last_line(lines, node):
            own = statement(lines, node, line, depths)
            chosen.update(own, blocks_around(lines, node, own[0]))
    return add_head(lines, node, chosen)


def select_lines(lines: list[str], node: Node, matter: Iterable[int]) -> list[Run]:
    """Signature, first paragraph of the doc comment, and single lines; for a class, those that name its members."""
    return add_head(lines, node, {line for line in matter if node.start_line <= line <= last_line(lines, node)})


def add_head(lines: list[str], node: Node, chosen: set[int]) -> list[Run]:
    doc = doc_lines(lines, node)
    return runs((chosen - set(doc)) | set(head(lines, node, doc)))


def statement(lines: list[str], node: Node, line: int, depths: Mapping[int, int]) -> list[int]:
    """The lines over which brackets stay open, if they are few; else the line with its neighbours."""
    first, last = line, line
    while depths.get(first, 0) > 0 and first > node.start_line:
        first -= 1
    while depths.get(last + 1, 0) > 0 and last < last_line(lines, node):
        last += 1
    if last - first >= STATEMENT_LINES:
        first, last = max(line - AROUND, node.start_line), min(line + AROUND, last_line(lines, node))
    return list(range(first, last + 1))


def bracket_depths(lines: list[str], node: Node) -> dict[int, int]:
    """How many brackets are open at the start of each line; empty if they do not balance, as brackets in strings need
    not."""
    depths, depth = {}, 0
    for line in range(node.start_line, last_line(lines, node) + 1):
        depths[line] = depth
        depth += count_open_brackets(lines[line - 1])
    return depths if depth == 0 and min(depths.values(), default=0) >= 0 else {}


def count_open_brackets(text: str) -> int:
    """How many more brackets it opens than it closes."""
    return text.count("(") + text.count("[") - text.count(")") - text.count("]")


def blocks_around(lines: list[str], node: Node, line: int) -> list[int]:
    """The lines that open the blocks around a line, by indentation."""
    outer = indentation(lines[(node.name_line or node.start_line) - 1])
    found, depth = [], indentation(lines[line - 1])
    for above in range(line - 1, node.name_line or node.start_line, -1):
        text = lines[above - 1]
        if indentation(text) < depth and WORDED.search(text) and not COMMENT.match(text):
            depth = indentation(text)
            if depth <= outer:
                break
            found.append(above)
    return found


def indentation(text: str) -> int:
    return len(text) - len(text.lstrip())


def opening(lines: list[str], node: Node) -> list[Run]:
    """How a file introduces itself: its first lines, up to a screenful."""
    last = last_line(lines, node)
    worded = [line for line in range(1, last + 1) if WORDED.search(lines[line - 1])]
    return runs(worded[:OPENING_LINES])


def outline(lines: list[str], node: Node) -> list[Run]:
    """Only the signature."""
    return runs(signature_lines(lines, node))


def head(lines: list[str], node: Node, doc: list[int]) -> list[int]:
    """Decorators, signature, and the start of the doc comment."""
    before = [line for line in range(node.start_line, node.name_line) if line not in doc] if node.name_line else []
    most = CLASS_DOC_LINES if is_class(node) else DOC_LINES
    return sorted({*before[-3:], *signature_lines(lines, node), *gist(lines, node, doc)[:most]})


def signature_lines(lines: list[str], node: Node) -> list[int]:
    """From the name to the line where its brackets close."""
    first = node.name_line or node.start_line
    depth = 0
    for line in range(first, min(first + SIGNATURE_LINES, last_line(lines, node) + 1)):
        depth += count_open_brackets(lines[line - 1])
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


def gist(lines: list[str], node: Node, doc: list[int]) -> list[int]:
    """The first paragraph of a doc comment; for a class also the following ones that fit into the limit."""
    shown = first_paragraph(lines, doc)
    while is_class(node) and len(shown) < len(doc):
        more = first_paragraph(lines, doc[len(shown) :])
        if len(shown) + len(more) > CLASS_DOC_LINES:
            break
        shown += more
    return shown


def last_line(lines: list[str], node: Node) -> int:
    return min(node.end_line, len(lines))


def is_class(node: Node) -> bool:
    return node.kind in CLASS_KINDS


def matching_lines(
    lines: list[str], node: Node, terms: Collection[str], limit: int, besides: Collection[int] = ()
) -> list[int]:
    """The lines with the most different terms of the question, in file order; none of those in `besides`."""
    wanted = frozenset(terms)
    having: dict[bytes, frozenset[str]] = {}  # by token: few are useful, and most recur
    counted = []
    for line in range(node.start_line, last_line(lines, node) + 1):
        if line in besides:
            continue
        shared: frozenset[str] = frozenset()
        for token in tokens(lines[line - 1]):
            useful = having.get(token)
            if useful is None:
                useful = having[token] = wanted.intersection(terms_of(token))
            if useful:
                shared |= useful
        if shared:
            counted.append((-len(shared), line))
    return sorted(line for _, line in sorted(counted)[:limit])


def runs(lines: Iterable[int]) -> list[Run]:
    """Groups lines into runs; a gap of few lines is closed."""
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


def trim_blank_lines(lines: list[str], numbers: Iterable[int]) -> list[int]:
    """Without blank lines at the ends of runs."""
    found: list[int] = []
    for run in consecutive(numbers):
        inside = [line for line in range(run.start, run.end + 1) if lines[line - 1].strip()]
        if inside:
            found += range(inside[0], inside[-1] + 1)
    return found
