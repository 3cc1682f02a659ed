"""Where code runs or reads what it does not name: a command of a shell whose name is computed (`run_$1`), a constant by
a computed name (`const_get(name)`), a function out of a table that a class keeps (`x.handlers[key](y)`).

In: an index, a symbol, its uses. Out: the places that may mean it. No occurrence of its name stands there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from rpg.encoder.languages import BY_NAME
from rpg.encoder.languages.given_names import VALUES
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.account.occurrences import LinesOf, files_of, find_occurrences
from rpg.queries.account.places import UNRESOLVED, Left
from rpg.queries.account.placing.brackets import Brackets
from rpg.queries.graph.families import ancestors
from rpg.queries.graph.memo import memoize
from rpg.queries.graph.nodes import batches, nodes_by_row
from rpg.queries.usages.usage_sites import UsageSite, means
from rpg.stores.index.symbol_reads import list_extents
from rpg.stores.search.trigrams import files_among
from rpg.system import deadline

if TYPE_CHECKING:
    from rpg.queries.graph.nodes import Node
    from rpg.stores.index.index import Index

OF_COMMAND: Final = "runs a command whose name is computed"
OF_CONSTANTS: Final = "reads constants of a class by a computed name"
OF_TABLE: Final = "calls what a table has that it is in"
LEAST: Final = 2
"""How long the constant parts of a command's name must be to tell it from others."""
MOST_TABLES: Final = 8
_COMMAND: Final = re.compile(
    rb"(?:(?<=\n)|(?<=^)|[;&|(){}`!]|\b(?:then|do|else|if|elif|while|until|exec|eval|time|command)[ \t])[ \t]*"
    rb"\"?(?P<first>[A-Za-z_][\w:-]*)?(?:\$\{\w+\}|\$[\w@*])(?P<last>[\w:-]*)\"?(?=[\s;&|)]|\Z)"
)
_OWN_ARGUMENTS: Final = re.compile(rb"(?:\A|\n)(?:exec[ \t]+|eval[ \t]+)?\"?\$(?:[1@*]|\{1\})\"?(?=[\s;&|]|\Z)")
"""A script that runs what it is called with, outside a function."""
_CONSTANTS_READ: Final = re.compile(
    rb"(?P<ruby>[\w:.]*)\bconst_get[ \t(]+(?![\"':])"
    rb"|\bgetattr\(\s*(?P<python>[\w.()]+),\s*[^\"'\n,]*\.upper\(\)"
    rb"|\bconstant\(\s*[\"']?(?P<php>\w+)::(?:class\b|[\"'{$])"
    rb"|(?P<braced>\w+)::\{\$"
    rb"|(?P<script>[\w.]+)\[[^\]\n]*\.toUpperCase\(\)"
)
_REACHING: Final = ("const_get", "getattr(", "constant(", "::{$", "toUpperCase()")
_OWN: Final = frozenset(("self", "cls", "this", "static", "class", "constructor", "type(self)", "__class__", ""))
_TABLE: Final = re.compile(rb"(?:^|[\s.])([A-Za-z_]\w{2,})[ \t]*(?::[^=\n]*)?=[ \t]*\Z", re.MULTILINE)
_TAKEN: Final = re.compile(rb"(?:\[[^\[\]\n]*\]|\??\.(?:get|fetch)\([^()\n]*\))\s*(?:\(|\.\(|\.call\b)")


class Read(NamedTuple):
    """A place that runs or reads what it does not name."""

    place: Left
    language: str
    begins: str = ""
    ends: str = ""
    owner: str = ""


def find_unnamed_runs(
    index: Index, node: Node, uses: Iterable[UsageSite], covers: Callable[[str], bool]
) -> Iterator[Left]:
    language = BY_NAME.get(node.language)
    if language is None or language.is_text or language.configures:
        return
    if "commands" in language.rules.reached_by:
        if node.kind in FUNCTION_KINDS:
            yield from _commands(index, node, covers)
        return
    if node.kind in VALUES and node.name[:1].isupper() and node.parent is not None:
        yield from _constants(index, node, covers)
    if node.kind in (*FUNCTION_KINDS, *CLASS_KINDS):
        yield from _out_of_tables(index, node, uses, covers)


def _commands(index: Index, node: Node, covers: Callable[[str], bool]) -> Iterator[Left]:
    for each in memoize(index, "commands that are computed", lambda: list(_all_commands(index))):
        is_so = node.name.startswith(each.begins) and node.name.endswith(each.ends)
        is_told_apart = len(each.begins) + len(each.ends) >= LEAST or each.place.path == node.path
        if is_so and is_told_apart and means(node, each.language) and covers(each.place.path):
            yield each.place


def _all_commands(index: Index) -> Iterator[Read]:
    for file in files_of(index).values():
        if file.language not in BY_NAME or "commands" not in BY_NAME[file.language].rules.reached_by:
            continue
        deadline.check()
        text = index.source(file.path)
        lines = LinesOf(text)
        for found in _COMMAND.finditer(text):
            begins, ends = (found["first"] or b"").decode(), found["last"].decode()
            if len(begins) + len(ends) >= LEAST:
                at = found.start("first") if found["first"] else found.start("last")
                place = Left(UNRESOLVED, file.path, *lines.place(at), file.test, OF_COMMAND)
                yield Read(place, file.language, begins, ends)
        for found in _OWN_ARGUMENTS.finditer(text):
            place = Left(UNRESOLVED, file.path, *lines.place(found.end() - 1), file.test, OF_COMMAND)
            yield Read(place, file.language)


def _constants(index: Index, node: Node, covers: Callable[[str], bool]) -> Iterator[Left]:
    around = nodes_by_row(index, [node.parent]).get(node.parent) if node.parent is not None else None
    if around is None or around.kind not in CLASS_KINDS:
        return
    types = [around, *ancestors(index, around)]
    names, rows = {each.name for each in types}, [each.row for each in types]
    spans: dict[str, list[tuple[int, int]]] = {}
    for batch in batches(rows):
        for path, start, end in list_extents(index, batch):
            spans.setdefault(path, []).append((start, end))
    for each in memoize(index, "constants that are read by computed names", lambda: list(_all_constants(index))):
        here = spans.get(each.place.path, ())
        is_within = any(start <= each.place.line <= end for start, end in here)
        is_own = is_within if each.owner in _OWN else each.owner in names
        if is_own and means(node, each.language) and covers(each.place.path):
            yield each.place


def _all_constants(index: Index) -> Iterator[Read]:
    files = files_of(index)
    some = {id for word in _REACHING for id in files_among(index, word, list(files))}
    for id in sorted(some, key=lambda each: files[each].path):
        file = files[id]
        language = BY_NAME.get(file.language)
        if language is None or language.is_text or language.configures:
            continue
        deadline.check()
        text = index.source(file.path)
        lines = LinesOf(text)
        for found in _CONSTANTS_READ.finditer(text):
            owner = (found[found.lastgroup] if found.lastgroup else b"").decode().strip(".:")
            last = re.split(r"\.|::", owner)[-1]
            place = Left(UNRESOLVED, file.path, *lines.place(found.start()), file.test, OF_CONSTANTS)
            yield Read(place, file.language, owner=last)


def _out_of_tables(
    index: Index, node: Node, uses: Iterable[UsageSite], covers: Callable[[str], bool]
) -> Iterator[Left]:
    """Where a table is read by another name than that of the class that keeps it, and what it has is called."""
    uses = list(uses)
    tables: set[str] = set()
    used = {(each.path, each.line) for each in uses}
    for path in sorted({each.path for each in uses if (each.kind, each.section) == ("references", "certain")}):
        if len(tables) < MOST_TABLES and covers(path):
            deadline.check()
            tables |= _tables_in(index.source(path), [each for each in uses if each.path == path])
    for name in sorted(tables):
        for found in find_occurrences(index, name, covers):
            if not means(node, found.file.language):
                continue
            lines = LinesOf(found.text)
            for offset in found.offsets:
                is_member = found.text[offset - 1 : offset] == b"."
                if is_member and _TAKEN.match(found.text, offset + len(name)) is not None:
                    place = lines.place(offset)
                    if (found.file.path, place[0]) not in used:
                        yield Left(UNRESOLVED, found.file.path, *place, found.file.test, OF_TABLE)


def _tables_in(text: bytes, uses: Iterable[UsageSite]) -> set[str]:
    """What lists and tables are assigned to in which a symbol is named as a value."""
    rows = text.split(b"\n")
    starts, at = [], 0
    for row in rows:
        starts.append(at)
        at += len(row) + 1
    brackets, found = Brackets(text), set()
    for each in sorted(uses, key=lambda use: (use.line, use.column)):
        if each.kind != "references" or each.line > len(rows):
            continue
        offset = starts[each.line - 1] + len(rows[each.line - 1].decode("utf-8", "replace")[: each.column - 1].encode())
        holder = brackets.holder_at(offset)
        named = _TABLE.search(holder.before) if holder is not None and holder.is_list else None
        if named is not None:
            found.add(named[1].decode())
    return found
