"""Lines of the repository's texts that match a pattern, grouped by the symbol around them.

In: an index, a pattern, and which part of the repository to search. Out: hits in code, then in other files, each in the
order of paths; counts of all, and of those in tests by file. The texts are the stored sources, so line numbers and
lines are those of every other answer, with secrets masked.

Bounded: a text is matched in pieces, and the time limit is checked before each; once MOST_LINES match, the rest is not
searched, and the answer says so.

Absent: what a pattern is (text_pattern.py), words and meaning.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from sys import intern
from typing import TYPE_CHECKING, NamedTuple

from rpg.encoder.languages import LANGUAGES
from rpg.queries.graph.memo import memoize
from rpg.queries.graph.nodes import Node, nodes
from rpg.queries.search.text.text_pattern import Pattern, candidates
from rpg.stores.index.reader import list_numbered_files
from rpg.stores.search.tables import TEST_PATHS
from rpg.stores.search.text_trigrams import files_with
from rpg.system import deadline
from rpg.system.arrays import numpy

if TYPE_CHECKING:
    from rpg.stores.index.index import Index, Row

MOST_LINES = 2_000
"""The most matching lines that are counted; nobody reads more."""
LINES_OF_SYMBOL = 6
"""How many lines of one hit are shown; the others are counted."""
PIECE_BYTES = 1 << 16
"""How much of a text is matched at once: this takes a second with the worst pattern allowed. A longer match, or one in
a longer line beyond its first piece, may be missed."""
FILES_AT_ONCE = 32
"""How many files' texts are read at once."""
THREADS = 2
"""How many of these reads are matched at once: more would wait for Python's lock and for the index."""
LINE_BYTES = 400
"""Length at which a shown line is cut."""
_CODE = frozenset(language.name for language in LANGUAGES if not (language.is_text or language.configures))


class Line(NamedTuple):
    number: int
    text: str


class File(NamedTuple):
    id: int
    path: str
    language: str
    is_test: bool


@dataclass(frozen=True, kw_only=True)
class TextHit:
    """Matching lines of one symbol; of a file if no symbol is around them."""

    path: str
    node: Node | None
    lines: list[Line]
    more: int = 0
    """How many more lines it has."""
    test: bool = False


@dataclass(frozen=True, kw_only=True)
class TextMatches:
    hits: list[TextHit]
    """The hits on the page."""
    lines: int = 0
    """Matching lines outside tests, or in what was requested."""
    files: int = 0
    is_all: bool = True
    """Whether everything was searched; otherwise there are at least this many."""
    tests: Counter[str] = field(default_factory=Counter)
    """Folded matches in tests, by file."""
    next: int | None = None


class Scope(NamedTuple):
    admits: Callable[[str, str, bool], bool]
    """Whether to search a file, by its path, its language, and whether it is a test."""
    folds_tests: bool
    kinds: tuple[str, ...] = ()
    """Kinds of the symbols around the lines."""


def text_matches(index: Index, pattern: Pattern, scope: Scope, limit: int, offset: int = 0) -> TextMatches:
    texts = _find_matching(index, _candidate_files(index, pattern, scope), pattern)
    return matches_in(
        texts, pattern, scope, limit, offset, lambda file, found: _by_symbol(index, file.path, file.is_test, found)
    )


def matches_in(
    texts: Iterator[tuple[File, bytes]], pattern: Pattern, scope: Scope, limit: int, offset: int,
    grouped: Callable[[File, list[Line]], list[TextHit]],
) -> TextMatches:  # fmt: skip
    """`grouped`: the hits that the matching lines of a file make."""
    lines, files, is_all = 0, 0, True
    tests: Counter[str] = Counter()
    hits: list[TextHit] = []
    for file, text in texts:
        left = MOST_LINES - lines - tests.total()
        found = _in_text(text, pattern, left) if left else []
        is_all = is_all and len(found) < left
        if not is_all and not found:
            break
        if not found:
            continue
        if scope.folds_tests and file.is_test:
            tests[file.path] = len(found)
            continue
        if len(hits) <= offset + limit or scope.kinds:
            of_file = [hit for hit in grouped(file, found) if _is_kind(hit.node, scope.kinds)]
            hits += of_file
            if scope.kinds:
                lines += sum(len(hit.lines) + hit.more for hit in of_file)
                files += bool(of_file)
                continue
        lines += len(found)
        files += 1
    after = offset + limit
    return TextMatches(
        hits=hits[offset:after],
        lines=lines,
        files=files,
        is_all=is_all,
        tests=tests,
        next=after if after < len(hits) else None,
    )


def _candidate_files(index: Index, pattern: Pattern, scope: Scope) -> list[File]:
    files = memoize(index, "texts", lambda: _files(index))
    some = candidates(pattern.need, lambda hashes: files_with(index, hashes))
    if some is not None:
        numbers = set(numpy.flatnonzero(some).tolist())
        files = [file for file in files if file.id in numbers]
    return [file for file in files if scope.admits(file.path, file.language, file.is_test)]


def _files(index: Index) -> list[File]:
    """Code first, tests last."""
    rows = list_numbered_files(index)
    files = [
        File(id, intern(path), intern(language), TEST_PATHS.search(path) is not None) for id, path, language in rows
    ]
    return sorted(files, key=lambda file: (file.is_test, file.language not in _CODE, file.path))


def _find_matching(index: Index, files: list[File], pattern: Pattern) -> Iterator[tuple[File, bytes]]:
    """Files with a match, in their order. Unpacking and matching run in threads, outside Python's lock."""
    if len(files) <= FILES_AT_ONCE:
        yield from _with_match(index, pattern, files, index.read_packed_sources([file.id for file in files]))
        return
    from concurrent.futures import Future, ThreadPoolExecutor

    with ThreadPoolExecutor(THREADS, "rpg-text") as pool:
        under_way: deque[Future[list[tuple[File, bytes]]]] = deque()
        try:
            for at in range(0, len(files), FILES_AT_ONCE):
                deadline.check()
                some = files[at : at + FILES_AT_ONCE]
                packed = index.read_packed_sources([file.id for file in some])
                under_way.append(pool.submit(deadline.carry_limit(_with_match), index, pattern, some, packed))
                if len(under_way) > THREADS:
                    yield from under_way.popleft().result()
            while under_way:
                yield from under_way.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def _with_match(index: Index, pattern: Pattern, files: list[File], packed: dict[int, Row]) -> list[tuple[File, bytes]]:
    found: list[tuple[File, bytes]] = []
    for file in files:
        text = index.unpacked(*packed[file.id]) if file.id in packed else b""
        if b"\r" in text:
            text = text.replace(b"\r\n", b"\n")  # as patterns expect line ends
        if next(_places(text, pattern), None) is not None:
            found.append((file, text))
    return found


def _is_kind(node: Node | None, kinds: tuple[str, ...]) -> bool:
    return not kinds or (node is not None and node.kind in kinds)


def _in_text(text: bytes, pattern: Pattern, most: int) -> list[Line]:
    """The first matching lines, at most `most`."""
    found: list[Line] = []
    number, counted = 1, 0
    for start in _places(text, pattern):
        number += text.count(b"\n", counted, start)
        counted = start
        end = text.find(b"\n", start, start + LINE_BYTES)
        line = text[start : end if end >= 0 else start + LINE_BYTES]
        found.append(Line(number, line.decode("utf-8", "replace")))
        if len(found) == most:
            break
    return found


def _places(text: bytes, pattern: Pattern) -> Iterator[int]:
    """Where the lines with the start of a match begin, each once."""
    search = pattern.matcher.search
    begin, length = 0, len(text)
    at = 0
    """No earlier line is matched again."""
    while begin < length:
        deadline.check()
        end = _end_of_piece(text, begin)
        reach = min(length, end + PIECE_BYTES) if pattern.spans_lines else end
        while at < end:
            match = search(text, at, reach)
            if match is None or (match.start() >= end and end < length):
                break
            if match.start() == length and text.endswith(b"\n"):
                return  # an empty match after the last line
            line = text.rfind(b"\n", 0, match.start()) + 1
            yield line
            after = text.find(b"\n", max(match.end() - (match.end() > match.start()), match.start()))
            if after < 0:
                return
            at = after + 1
            if pattern.spans_lines:
                deadline.check()
        begin = end
        at = max(at, end)


def _end_of_piece(text: bytes, begin: int) -> int:
    """The start of the next line if a line ends there."""
    if len(text) - begin <= PIECE_BYTES:
        return len(text)
    line = text.rfind(b"\n", begin, begin + PIECE_BYTES)
    return line + 1 if line >= 0 else begin + PIECE_BYTES


def _by_symbol(index: Index, path: str, is_test: bool, found: list[Line]) -> list[TextHit]:
    """Hits in the order of their first lines."""
    around = _Around(index, path)
    groups: dict[int, list[Line]] = {}
    owners: dict[int, Node | None] = {}
    for line in found:
        node = around.node(line.number)
        row = node.row if node else 0
        owners[row] = node
        groups.setdefault(row, []).append(line)
    return [
        TextHit(
            path=path,
            node=owners[row],
            lines=lines[:LINES_OF_SYMBOL],
            more=max(0, len(lines) - LINES_OF_SYMBOL),
            test=is_test or bool((node := owners[row]) and node.test),
        )
        for row, lines in groups.items()
    ]


class _Around:
    """The innermost symbol around each line of a file."""

    def __init__(self, index: Index, path: str) -> None:
        self._nodes = nodes(
            index,
            "s.path = ? AND s.start_line > 0 AND s.kind NOT IN ('directory', 'module', 'file')"
            " ORDER BY s.start_line, s.end_line DESC",
            (path,),
        )
        self._starts = [node.start_line for node in self._nodes]
        self._by_row = {node.row: node for node in self._nodes}

    def node(self, line: int) -> Node | None:
        at = bisect_right(self._starts, line) - 1
        node = self._nodes[at] if at >= 0 else None
        steps = 0
        while node is not None and not node.start_line <= line <= node.end_line and steps < len(self._nodes):
            node = self._by_row.get(node.parent or 0)
            steps += 1
        return node
