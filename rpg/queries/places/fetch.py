"""The text of the targets, with what is known about them.

In: written targets: symbols, files, lines of files. Out: source with line numbers, from the text that the graph was
made of; signature, doc, callers and callees in brief; targets not found, with the nearest names; what did not fit, as
targets for the next call. Files of the repository that the graph skipped are read from disk (on_disk).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from rpg.errors import InvalidPath, RpgError, SymbolNotFound
from rpg.queries.graph.budget import longest, text_size
from rpg.queries.graph.functional_view import functional_outline, functional_view
from rpg.queries.graph.lifted import feature
from rpg.queries.graph.nodes import Node, nodes, placeholders
from rpg.queries.graph.outline import Outline, Tree, outline
from rpg.queries.graph.sources import Sources, number_lines
from rpg.queries.names.symbols import Named, find, nearest, plain_name
from rpg.stores.index.edge_reads import list_neighbours
from rpg.text.features import Feature
from rpg.text.printable import quote_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

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
    place: str = ""
    """Its place in the functional view: `Area/Category/Feature`."""
    does: str = ""
    """What a symbol is for, in a few words."""
    does_by: str = ""
    """Where that comes from: name, doc, model, agent or import; for an area, who wrote its title."""
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
    index: Index, targets: Sequence[str], expand_lines: int, relations: bool, root: Path | None,
    on_disk: Callable[[str], list[str]], room: int, cost: Callable[[Fetched], int],
    cost_of_rest: Callable[[list[NotFound], list[str]], int],
) -> tuple[list[Fetched], list[NotFound], list[str]]:  # fmt: skip
    """Found, not found, and the targets of the next call. If nothing at all was found, raises the reason.

    `room` is in bytes of the text: `cost` returns how much one found target takes, `cost_of_rest` how much everything
    else does.

    FORBIDDEN and UNSUPPORTED_MEDIA are raised whatever else was found.
    """
    sources = Sources(index.source)
    texts: list[Text | Node] = []
    not_found: list[NotFound] = []
    first_error: RpgError | None = None
    for target in targets:
        try:
            texts += find_texts(index, sources, target, expand_lines, root, on_disk)
        except (SymbolNotFound, InvalidPath) as error:
            first_error = first_error or error
            not_found.append(
                NotFound(target=target, code=error.code, message=error.message, nearest=nearest(index, target))
            )
    if not texts and first_error:
        raise first_error
    frames = [(text, frame_of(index, text, relations)) for text in texts]
    whole = room - cost_of_rest(not_found, [])
    largest = [cut(*frame, whole, cost) for frame in frames]
    needs = [cost(fetched) for fetched, _ in largest]
    if sum(needs) <= whole and not any(rest for _, rest in largest):
        return [fetched for fetched, _ in largest], not_found, []
    following = [target_of(text) for text in texts]
    room -= cost_of_rest(not_found, following)
    found: list[Fetched] = []
    left_out: list[str] = []
    for at, frame in enumerate(frames):
        share = max(fair(room, needs[at:]), min(SMALLEST_SHARE, room))
        fetched, rest = cut(*frame, share, cost)
        if found and cost(fetched) > room:
            return found, not_found, left_out + following[at:]
        found.append(fetched)
        left_out += rest
        room -= cost(fetched)
        if not rest:  # it was counted as a target of the next call
            room += text_size(following[at]) + 1
    return found, not_found, left_out


def fair(room: int, needs: Sequence[int]) -> int:
    """The budget of each, so that targets that need less leave the rest to the others."""
    for served, need in enumerate(sorted(needs)):
        level = room // (len(needs) - served)
        if need > level:
            return level
        room -= need
    return max(needs)


def find_texts(
    index: Index, sources: Sources, target: str, expand: int, root: Path | None, on_disk: Callable[[str], list[str]]
) -> list[Text | Node]:
    try:
        named = find(index, target, root)
    except InvalidPath:
        path = PurePosixPath(plain_name(index, target, root)).as_posix()  # as the ignore rules know it
        lines = on_disk(path)
        return [
            Text(None, path, lines, 1, max(1, len(lines)), True, "not part of the graph: read from disk", len(lines))
        ]
    return [text_of(sources, node, named, expand, on_disk) for node in named.nodes]


def text_of(
    sources: Sources, node: Node, named: Named, expand: int, on_disk: Callable[[str], list[str]]
) -> Text | Node:
    if node.holds_files or node.is_functional:
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
        raise InvalidPath(f"{quote_text(named.written)}: {node.path} has {end} lines")
    whole = node.is_file or bool(named.lines)
    return Text(node, node.path, lines, max(1, first - expand), min(end, last + expand), whole, note, end)


def frame_of(index: Index, text: Text | Node, relations: bool) -> Fetched | Tree:
    """Everything about it except its source; for a directory, its contents."""
    if isinstance(text, Node) and text.is_functional:
        shown = functional_outline(index, text, 1)
        return Fetched(name=text.label, kind=text.kind, path=text.id, lines="", outline=shown, does_by=shown.titled_by)
    if isinstance(text, Node):
        return outline(index, text, 1, ())
    node = text.node
    is_symbol = node is not None and not text.whole_file
    does = feature(index, node) if node and is_symbol else Feature("", "")
    frame = Fetched(
        name=node.label if node else text.path,
        kind=node.kind if node else "file",
        path=text.path,
        lines=f"{text.first}-{text.last}",
        signature=node.signature if node and is_symbol else "",
        doc=node.doc if node and text.lines is None else "",
        total_lines=text.total if text.whole_file else 0,
        note=text.note,
        place=functional_view(index).place_of(text.path) if node else "",
        does=does.text,
        does_by=does.provenance,
    )
    return add_relations(index, frame, node) if node and is_symbol and relations else frame


def cut(
    text: Text | Node, frame: Fetched | Tree, share: int, cost: Callable[[Fetched], int]
) -> tuple[Fetched, list[str]]:
    """What fits into `share` bytes, and the targets for the rest of it."""
    if isinstance(frame, Tree):
        return longest(frame.parts, partial(directory, frame), cost, share), []
    if isinstance(text, Node) or text.lines is None:
        return frame, []
    last = fitting(text, share - measure_surroundings(frame, cost))
    if last == text.last:
        return replace(frame, source=number_lines(text.lines, text.first, last)), []
    span = text.node.lines if text.node and not text.whole_file else ""
    frame = replace(frame, lines=f"{text.first}-{last}", truncated=True, span=span)
    longer = len(f"{text.path}:{last}-{text.last}".encode()) - len(target_of(text).encode())
    last = min(last, fitting(text, share - measure_surroundings(frame, cost) - max(0, longer)))
    source = number_lines(text.lines, text.first, last)
    return replace(frame, lines=f"{text.first}-{last}", source=source), [f"{text.path}:{last + 1}-{text.last}"]


def measure_surroundings(frame: Fetched, cost: Callable[[Fetched], int]) -> int:
    """Bytes of what surrounds the source, in which each line counts with its end."""
    return cost(replace(frame, source="-")) - 2


def directory(tree: Tree, parts: int) -> Fetched:
    node = tree.node
    return Fetched(name=node.label, kind=node.kind, path=node.path, lines="", outline=tree.cut_out(0, parts))


def fitting(text: Text, room: int) -> int:
    """The last line that fits; at least one."""
    assert text.lines is not None
    for number in range(text.first, text.last + 1):
        room -= text_size(text.lines[number - 1].rstrip("\r")) + len(str(number)) + 2  # tab and end of line
        if room < 0 and number > text.first:
            return number - 1
    return text.last


def add_relations(index: Index, frame: Fetched, node: Node) -> Fetched:
    callers, more_callers = neighbours(index, node, "target", "source")
    callees, more_callees = neighbours(index, node, "source", "target")
    return replace(
        frame, callers=callers, callees=callees, more_callers=more_callers, more_callees=more_callees, doc=frame.doc
    )


def neighbours(index: Index, node: Node, near: str, far: str) -> tuple[list[Related], int]:
    """Code before tests, calls before other edges."""
    kinds = dict(list_neighbours(index, near, far, node.row, RELATION_KINDS))
    rows = list(kinds)
    found = [
        each
        for at in range(0, len(rows), 500)
        for each in nodes(index, f"s.id IN ({placeholders(rows[at : at + 500])})", rows[at : at + 500])
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
