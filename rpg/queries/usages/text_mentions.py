"""Where a name occurs in files that no parser reads, such as templates, and in configuration, which is parsed in part:
uses without an edge.

In: an index, a name, and which files count. Out: the first line of each file that has it as a whole word, outside
comments; at most MOST_NAMED files. Prose and data are not searched, since words there do not mean code. The text index
says which files may have it, without numpy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, NamedTuple

from rpg.encoder.languages import may_name_code
from rpg.queries.graph.marks import Marks
from rpg.queries.graph.memo import memoize
from rpg.stores.index.reader import list_files, list_test_files
from rpg.stores.search.trigrams import SHORTEST, files_among
from rpg.system import deadline

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

MOST_NAMED = 8
"""Once so many files have it, no more are read."""
MOST_READ = 32
"""How many files that may have it are read."""
FILES_AT_ONCE = 16
COMMENTS_PASSED = 100
"""How many occurrences in one file are examined as long as all are in comments."""
_PLAIN_WORD = re.compile("[a-z]+")
_BOUND = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$-")
"""Characters that continue a name."""
_OPENS, _CLOSES, _QUOTES = frozenset(b".@([{|`!&"), frozenset(b".(])}|`"), frozenset(b"\"'")
"""An ordinary word means code only where one of these is next to it, or in quotes."""
_ENDS_SENTENCE = re.compile(rb"\.(?:\s|\Z)")
_LONGEST_TAG = 300
_KEY = re.compile(rb"[\"']?[ \t]*[:=]")
"""It does not mean code if it is the key of a value."""
_TAG = re.compile(rb"\{%-?\s*(?:end)?(?:block|trans|translate)?\s*\Z")
"""A tag of a template up to its own name, or to the name of a block."""
_TAGS = frozenset(
    b"autoescape block blocktrans blocktranslate call comment continue cycle debug do elif else embed extends "
    b"filter firstof for from if ifchanged import include language load localize lorem macro now raw regroup set "
    b"spaceless static templatetag trans translate url use verbatim with".split()
)
"""Tags of Django, Jinja and Twig, which are none of a repository's names."""
_EXPRESSIONS = ((b"{%", b"%}"), (b"{{", b"}}"), (b"<%", b"%>"), (b"${", b"}"), (b"*{", b"}"))


class Mention(NamedTuple):
    path: str
    line: int
    test: bool


class Mentions(NamedTuple):
    found: list[Mention]
    is_all: bool
    """Whether there are no more."""


def text_mentions(
    index: Index, name: str, admits: Callable[[str, bool], bool], known: Collection[tuple[str, int]] = ()
) -> Mentions:
    """`admits`: which files count, by path and whether it is a test. `known`: paths and lines of edges."""
    if len(name.encode()) < SHORTEST or not name.rstrip("?!").isidentifier() or name.startswith("__"):
        return Mentions([], True)
    files = memoize(index, "texts that may name code", lambda: _files(index))
    some = [file for file in files_among(index, name, list(files)) if admits(*files[file])]
    word, is_plain = name.encode(), _PLAIN_WORD.fullmatch(name) is not None
    found: list[Mention] = []
    for at in range(0, min(len(some), MOST_READ), FILES_AT_ONCE):
        deadline.check()
        packed = index.read_packed_sources(some[at : min(at + FILES_AT_ONCE, MOST_READ)])
        for file in sorted(packed, key=files.__getitem__):
            text = index.unpacked(*packed[file])
            path, test = files[file]
            line = _line(text, word, is_plain, {line for where, line in known if where == path})
            if line:
                if len(found) == MOST_NAMED:
                    return Mentions(found, False)
                found.append(Mention(path, line, test))
    return Mentions(found, len(some) <= MOST_READ)


def _files(index: Index) -> dict[int, tuple[str, bool]]:
    """By number: path, and whether it is a test."""
    tests = set(list_test_files(index))
    return {
        each.id: (each.path, each.path in tests)
        for each in list_files(index)
        if may_name_code(each.path, each.language, each.size)
    }


def _line(text: bytes, word: bytes, is_plain: bool, known: Collection[int]) -> int:
    """The first line that has the word as a name outside a comment and is not known; 0 if none has."""
    at, passed, marks = text.find(word), 0, Marks(text)
    line, counted = 1, 0
    while at >= 0 and passed < COMMENTS_PASSED:
        end = at + len(word)
        if is_name(marks, at, end, is_plain):
            if not marks.is_in_comment(at):
                line += text.count(b"\n", counted, at)
                counted = at
                if line not in known:
                    return line
            passed += 1
        at = text.find(word, end)
    return 0


def is_name(marks: Marks, at: int, end: int, is_plain: bool) -> bool:
    """Whether a word of a text may be a name of code. `is_plain`: it is also one of plain language."""
    text = marks.text
    before = text[at - 1] if at else 10
    after = text[end] if end < len(text) else 10
    if before in _BOUND or after in _BOUND:
        return False
    if not is_plain:
        return True
    is_closed = after in _CLOSES and not _ENDS_SENTENCE.match(text, end)
    is_next_to_code = before in _OPENS or is_closed or (before in _QUOTES and after in _QUOTES)
    if not is_next_to_code:
        return any(_is_code_of_template(marks, at, end, *each) for each in _EXPRESSIONS)
    return _KEY.match(text, end) is None


def _is_code_of_template(marks: Marks, at: int, end: int, opening: bytes, closing: bytes) -> bool:
    """Whether a word stands in an expression or tag of a template, outside strings, and is no tag of the language."""
    start = marks.opening_of(at, opening, closing)
    if start < 0 or at - start > _LONGEST_TAG:
        return False
    before = marks.text[start:at]
    if before.count(b'"') % 2 or before.count(b"'") % 2:
        return False
    tag = _TAG.fullmatch(before)
    return tag is None or (tag[0].split()[-1][-1:] in b"%-" and marks.text[at:end] not in _TAGS)
