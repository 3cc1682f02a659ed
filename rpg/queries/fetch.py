"""The text of the targets, with what is known about them.

In: written targets: symbols, files, lines of files. Out: source with line numbers, from the text that the graph was
made of; signature, doc, callers and callees in brief; targets not found, with the nearest names; what did not fit, as
targets for the next call. Files of the repository that the graph skipped are read from disk (on_disk).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from rpg.errors import InvalidPath, RpgError, SymbolNotFound
from rpg.printable import quoted
from rpg.queries.graph.budget import Budget, size
from rpg.queries.graph.nodes import Node, marks, nodes
from rpg.queries.graph.outline import Outline, outline
from rpg.queries.graph.sources import Sources, numbered
from rpg.queries.graph.symbols import Named, find, nearest

if TYPE_CHECKING:
    from collections.abc import Callable

    from rpg.stores.index.index import Index

RELATED = 8
"""How many callers or callees are named."""
RELATION_KINDS = ("calls", "inherits", "references")
SMALLEST_SHARE = 1_200
"""Bytes granted to each of several targets, however many there are."""


@dataclass(frozen=True, kw_only=True)
class Related:
    name: str
    at: str
    """path:line of its definition."""
    kind: str = "calls"


@dataclass(frozen=True, kw_only=True)
class Fetched:
    name: str
    kind: str
    path: str
    lines: str
    """The lines of `source`; a truncated one ends before the symbol does."""
    span: str = ""
    """The lines of the symbol, if they differ from `lines`."""
    total_lines: int = 0
    """Length of the file, if lines or all of it were requested."""
    signature: str = ""
    doc: str = ""
    source: str = ""
    """Each line is preceded by its number and a tab."""
    truncated: bool = False
    outline: Outline | None = None
    """For a directory, instead of source."""
    callers: list[Related] = field(default_factory=list)
    callees: list[Related] = field(default_factory=list)
    more_callers: int = 0
    more_callees: int = 0
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class NotFound:
    target: str
    code: str
    message: str
    nearest: list[str] = field(default_factory=list)


class Text(NamedTuple):
    """One stretch of source to show."""

    node: Node | None
    path: str
    lines: list[str] | None
    first: int
    last: int
    whole_file: bool
    note: str
    total: int = 0
    """Length of the file in lines."""


def fetch(
    index: Index, targets: Sequence[str], expand_lines: int, relations: bool, budget: Budget,
    on_disk: Callable[[str], list[str]],
) -> tuple[list[Fetched], list[NotFound], list[str]]:  # fmt: skip
    """Found, not found, and the targets of the next call. If nothing at all was found, raises the reason.

    FORBIDDEN and UNSUPPORTED_MEDIA are raised whatever else was found.
    """
    sources = Sources(index.source)
    texts: list[Text | Node] = []
    not_found: list[NotFound] = []
    first_error: RpgError | None = None
    for target in targets:
        try:
            texts += wanted(index, sources, target, expand_lines, on_disk)
        except (SymbolNotFound, InvalidPath) as error:
            first_error = first_error or error
            not_found.append(
                NotFound(target=target, code=error.code, message=error.message, nearest=nearest(index, target))
            )
    if not texts and first_error:
        raise first_error
    found: list[Fetched] = []
    following: list[str] = []
    for at, text in enumerate(texts):
        if budget.closed:
            following.append(target_of(text))
            continue
        share = max(budget.left // (len(texts) - at), min(SMALLEST_SHARE, budget.left))
        fetched, rest = piece(index, text, relations, share)
        if not budget.take(size(fetched)):
            following.append(target_of(text))
            continue
        found.append(fetched)
        following += rest
    return found, not_found, following


def wanted(
    index: Index, sources: Sources, target: str, expand: int, on_disk: Callable[[str], list[str]]
) -> list[Text | Node]:
    try:
        named = find(index, target)
    except InvalidPath:
        lines = on_disk(target)
        return [
            Text(None, target, lines, 1, max(1, len(lines)), True, "not part of the graph: read from disk", len(lines))
        ]
    return [text_of(sources, node, named, expand, on_disk) for node in named.nodes]


def text_of(
    sources: Sources, node: Node, named: Named, expand: int, on_disk: Callable[[str], list[str]]
) -> Text | Node:
    if node.holds_files:
        return node
    lines = sources.lines(node.path)
    note = named.note
    if lines is None:
        try:
            lines = on_disk(node.path)
            note = "only the graph file is loaded: read from disk"
        except InvalidPath:
            return Text(
                node, node.path, None, node.start_line, node.end_line, False, "no source: only the graph file is here"
            )
    end = len(lines) - 1 if lines and not lines[-1] else len(lines)
    first, last = named.lines or ((1, end) if node.is_file else (node.start_line, node.end_line))
    if first > end:
        raise InvalidPath(f"{quoted(named.written)}: {node.path} has {end} lines")
    whole = node.is_file or bool(named.lines)
    return Text(node, node.path, lines, max(1, first - expand), min(end, last + expand), whole, note, end)


def piece(index: Index, text: Text | Node, relations: bool, share: int) -> tuple[Fetched, list[str]]:
    """What fits into `share` bytes, and the targets for the rest of it."""
    if isinstance(text, Node):
        tree, _, _ = outline(index, text, 1, (), Budget(max(1, share // 4), 0), 0)
        return Fetched(name=text.label, kind=text.kind, path=text.path, lines="", outline=tree), []
    node = text.node
    is_symbol = node is not None and not text.whole_file
    frame = Fetched(
        name=node.label if node else text.path,
        kind=node.kind if node else "file",
        path=text.path,
        lines=f"{text.first}-{text.last}",
        signature=node.signature if node and is_symbol else "",
        doc=node.doc if node and text.lines is None else "",
        total_lines=text.total if text.whole_file else 0,
        note=text.note,
    )
    if node and is_symbol and relations:
        frame = related(index, frame, node)
    if text.lines is None:
        return frame, []
    room = share - size(frame) - 60
    last = fitting(text, room)
    if last < text.last:
        rest = [f"{text.path}:{last + 1}-{text.last}"]
        frame = replace(
            frame, lines=f"{text.first}-{last}", truncated=True, span=node.lines if node and is_symbol else ""
        )
    else:
        rest = []
    return replace(frame, source=numbered(text.lines, text.first, last)), rest


def fitting(text: Text, room: int) -> int:
    """The last line that fits; at least one."""
    assert text.lines is not None
    for number in range(text.first, text.last + 1):
        room -= size(text.lines[number - 1]) + 6
        if room < 0 and number > text.first:
            return number - 1
    return text.last


def related(index: Index, frame: Fetched, node: Node) -> Fetched:
    callers, more_callers = neighbours(index, node, "target", "source")
    callees, more_callees = neighbours(index, node, "source", "target")
    return replace(
        frame, callers=callers, callees=callees, more_callers=more_callers, more_callees=more_callees, doc=frame.doc
    )


def neighbours(index: Index, node: Node, near: str, far: str) -> tuple[list[Related], int]:
    """Code before tests, calls before other edges."""
    kinds = {
        row[0]: row[1]
        for row in index.rows(
            f"SELECT {far}, min(kind) FROM edges WHERE {near} = ? AND kind IN ({marks(RELATION_KINDS)}) GROUP BY 1",
            (node.row, *RELATION_KINDS),
        )
    }
    rows = list(kinds)
    found = [
        each
        for at in range(0, len(rows), 500)
        for each in nodes(index, f"s.id IN ({marks(rows[at : at + 500])})", rows[at : at + 500])
    ]
    found.sort(key=lambda each: (each.test, kinds[each.row], each.path != node.path, each.row))
    out = [
        Related(name=each.label, at=f"{each.path}:{each.name_line or each.start_line}", kind=kinds[each.row])
        for each in found[:RELATED]
    ]
    return out, max(0, len(found) - RELATED)


def target_of(text: Text | Node) -> str:
    if isinstance(text, Node):
        return text.id
    return text.node.id if text.node and not text.whole_file else f"{text.path}:{text.first}-{text.last}"
