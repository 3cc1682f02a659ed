"""Pictures as text: Mermaid and DOT.

In: a picture, a notation, and lines about the answer. Out: text that the tools of that notation read, whatever the
names in it are. Notes on the picture are comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rpg.queries.graph.budget import cut
from rpg.queries.overview.folding import Picture, PictureEdge
from rpg.text.printable import make_printable

LABEL_WIDTH = 60
"""Characters of a line of a label."""

_NO_LABEL = re.compile(r'[#"<>&`%\\{}|]')
"""What Mermaid may read as something else, even in quotes: entities, markup, Markdown, directives."""


def format_picture(picture: Picture, notation: str, notes: Iterable[str]) -> str:
    """`notes`: notes of the answer."""
    written = {"dot": dot, "text": plain}.get(notation, mermaid)
    return "\n".join(written(picture, notes))


def plain(picture: Picture, notes: Iterable[str]) -> Iterator[str]:
    """As lines: each node, and below it where its arrows lead."""
    yield from (*picture.notes, *notes)
    is_mixed = len(kinds(picture)) > 1
    for number, node in enumerate(picture.nodes):
        yield "  ".join(map(one_line, node.label))
        for edge in picture.edges:
            if edge.source == number:
                label = edge_label(edge, is_mixed)
                said = "possibly " * edge.possible + (label or ", ".join(edge.kinds))
                yield f"  -> {one_line(picture.nodes[edge.target].label[0])}  {said}".rstrip()


def mermaid(picture: Picture, notes: Iterable[str]) -> Iterator[str]:
    yield f"flowchart {picture.direction}"
    for line in (*comments(picture), *notes):
        yield f"%% {one_line(line).replace('%', '')}"
    for number, node in enumerate(picture.nodes):
        label = "<br>".join(map(mermaid_label, node.label))
        yield f'  n{number}(["{label}"])' if node.folded else f'  n{number}["{label}"]'
    is_mixed = len(kinds(picture)) > 1
    for edge in picture.edges:
        label = edge_label(edge, is_mixed)
        yield f"  n{edge.source} {'-.->' if edge.possible else '-->'}{f'|{label}|' if label else ''} n{edge.target}"


def dot(picture: Picture, notes: Iterable[str]) -> Iterator[str]:
    yield "digraph {"
    for line in (*comments(picture), *notes):
        yield f"  // {one_line(line)}"
    yield f"  rankdir={picture.direction}; node [shape=box];"
    for number, node in enumerate(picture.nodes):
        label = "\\n".join(map(dot_label, node.label))
        yield f'  n{number} [label="{label}"{", style=rounded" if node.folded else ""}];'
    is_mixed = len(kinds(picture)) > 1
    for edge in picture.edges:
        label = edge_label(edge, is_mixed)
        marks = [f'label="{label}"'] * bool(label) + ["style=dashed"] * edge.possible
        shown = f" [{', '.join(marks)}]" if marks else ""
        yield f"  n{edge.source} -> n{edge.target}{shown};"
    yield "}"


def kinds(picture: Picture) -> dict[str, None]:
    return {kind: None for edge in picture.edges for kind in edge.kinds}


def comments(picture: Picture) -> Iterator[str]:
    """What arrows mean, unless each has a label, and what is not in the picture."""
    (kind, *others) = kinds(picture) or {"": None}
    if picture.edges and not others:
        yield f"arrows: {kind or 'uses of any kind'}, with their number from 2 on"
    yield from picture.notes


def edge_label(edge: PictureEdge, is_mixed: bool) -> str:
    """Kinds with their counts; just a count if all edges of the picture are of one kind."""
    labels = [(str(number) if number > 1 else "", kind if is_mixed else "") for kind, number in edge.kinds.items()]
    return ", ".join(filter(None, (" ".join(filter(None, each)) for each in labels)))


def mermaid_label(line: str) -> str:
    return _NO_LABEL.sub(lambda found: f"#{ord(found[0])};", cut(one_line(line), LABEL_WIDTH))


def dot_label(line: str) -> str:
    shown = cut(one_line(line), LABEL_WIDTH)
    return shown.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')


def one_line(text: str) -> str:
    return make_printable(text).replace("\n", "\\n").replace("\t", " ")
