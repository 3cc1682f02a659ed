"""Where code reads members of a module or class that it does not name: by a computed name, or all of them.

In: an index, a symbol. Out: the places that may mean it, found among the mentions of what it is in; those of one module
or class are looked at once for each graph.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from rpg.encoder.languages import BY_NAME
from rpg.encoder.languages.given_names import VALUES
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.account.handed_values import find_argument
from rpg.queries.account.occurrences import LinesOf, files_of, find_line_starts, find_offset
from rpg.queries.account.places import UNRESOLVED, Left
from rpg.queries.graph.memo import memoize
from rpg.queries.graph.nodes import nodes_by_row
from rpg.stores.index.edge_reads import list_reads_of
from rpg.stores.index.stored_graph import sites_of
from rpg.system import deadline

if TYPE_CHECKING:
    from rpg.queries.graph.nodes import Node
    from rpg.stores.index.index import Index

BY_COMPUTED_NAME: Final = "reads members of what it is in by a computed name"
AS_WHOLE: Final = "hands on as a whole what it is in"
MOST_FILES: Final = 200
"""In how many files the mentions of a module or class are looked at."""
NEAR: Final = 80
"""How many bytes on either side of a mention are looked at."""
_HOLDERS: Final = CLASS_KINDS - {"enum"} | {"module", "constant"}
_WORD: Final = re.compile(rb"\w*")
_CONSTANT_NEXT: Final = re.compile(rb"(?:\.\w+)*\s*,\s*[rbuf]?[\"'`:]")
"""A name that is written behind it: the one member that is meant."""
_PASSED: Final = re.compile(rb"\s*(?:,\s*(?![\s\"'`:])|[)\]}])")
_PASSED_BEFORE: Final = re.compile(rb"(?:[\w)\]]\(|[\[{:,])\s*(?:[\w.\"']{1,40}\s*,\s*){0,4}\Z")
"""A module or an object that is an argument, or in a literal."""


def find_reads_of_holder(index: Index, node: Node, covers: Callable[[str], bool], is_used: bool) -> list[Left]:
    """`is_used`: whether some place is known to use it; only where none is, what is handed on as a whole counts."""
    if node.parent is None or node.kind not in (*FUNCTION_KINDS, *CLASS_KINDS, *VALUES) or node.language not in BY_NAME:
        return []
    holder = nodes_by_row(index, [node.parent]).get(node.parent)
    if holder is not None:
        computed = list(_find_computed_members(index, node, holder, is_used))
        if computed:
            return [each for each in computed if covers(each.path)]
    if holder is None or holder.kind not in _HOLDERS:
        return []
    reads = memoize(index, f"reads of members of {holder.row}", lambda: list(_find_reads(index, holder)))
    return [each for each in reads if covers(each.path) and not (is_used and each.reason == AS_WHOLE)]


def _find_computed_members(index: Index, node: Node, holder: Node, is_used: bool) -> Iterator[Left]:
    """Where its file reads members by a computed name of the variable whose member it is, `table[key]()`, or hands on
    what the variable holds."""
    above = "" if holder.is_file else f"{holder.qualified_name}."
    owner = node.qualified_name.removeprefix(above).removesuffix(node.name).rstrip(".")
    read = BY_NAME[node.language].rules.members_read
    pattern = read.by_name
    if not owner.isidentifier() or pattern is None or not node.qualified_name.startswith(above):
        return
    text = index.source(node.path)
    named = re.compile(rb"(?<![\w.$])" + re.escape(owner.encode()) + rb"(?![\w$])")
    lines = LinesOf(text)
    for found in named.finditer(text):
        if pattern.match(text, found.end()) is not None:
            yield Left(UNRESOLVED, node.path, *lines.place(found.start()), bool(node.test), BY_COMPUTED_NAME)
        elif read.by_index and not is_used and _is_passed(text, found.start(), found.end()):
            yield Left(UNRESOLVED, node.path, *lines.place(found.start()), bool(node.test), AS_WHOLE)


def _find_reads(index: Index, holder: Node) -> Iterator[Left]:
    sites: dict[str, set[tuple[int, int]]] = {}
    for path, written in list_reads_of(index, holder.row):
        sites.setdefault(path, set()).update(sites_of(written))
    files = {each.path: each for each in files_of(index).values()} if sites else {}
    for path in sorted(sites)[:MOST_FILES]:
        deadline.check()
        text = index.source(path)
        starts = find_line_starts(text)
        for place in sorted(sites[path]):
            reason = _judge(text, find_offset(text, starts, *place), holder)
            if reason:
                yield Left(UNRESOLVED, path, *place, files[path].test, reason)


def _judge(text: bytes, offset: int, holder: Node) -> str:
    """What is done with a holder whose name begins at an offset; empty if nothing that concerns unnamed members."""
    word = _WORD.match(text, offset)
    end = word.end() if word is not None else offset
    before, last = text[max(0, offset - NEAR) : offset], end + NEAR
    if _CONSTANT_NEXT.match(text, end, last):
        return ""
    read = BY_NAME[holder.language].rules.members_read
    if _is_between(read.by_name_before, before, read.by_name, text, end):
        return BY_COMPUTED_NAME
    if _is_between(read.all_before, before, read.all, text, end):
        return AS_WHOLE
    if holder.kind == "constant" and read.by_index:
        return AS_WHOLE if _is_passed(text, offset, end) else ""
    is_passed = holder.kind == "module" and _PASSED.match(text, end, last) and _PASSED_BEFORE.search(before)
    return AS_WHOLE if is_passed else ""


def _is_passed(text: bytes, offset: int, end: int) -> bool:
    """Whether what a name there means is an argument, or in a literal that is one."""
    is_last = _PASSED.match(text, end, end + NEAR) is not None
    before = text[max(0, offset - NEAR) : offset]
    return is_last and _PASSED_BEFORE.search(before) is not None and find_argument(text, offset)[0] >= 0


def _is_between(
    in_front: re.Pattern[bytes] | None, before: bytes, behind: re.Pattern[bytes] | None, text: bytes, end: int
) -> bool:
    """Whether one of these stands in front of a name, or the other behind it."""
    if in_front is not None and in_front.search(before) is not None:
        return True
    return behind is not None and behind.match(text, end, end + NEAR) is not None
