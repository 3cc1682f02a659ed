"""The code that changed since a git revision: what a test may run.

In: the repository's folder, its index, a revision. Out: symbols, as the graph has them now. A file whose imports,
comments or blank lines alone changed at its top level is none of them, nor is text.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from rpg.encoder.languages import BY_NAME
from rpg.queries.graph.nodes import Node, nodes
from rpg.queries.history.changes import find_changed_lines, find_changed_symbols
from rpg.stores.index.edge_reads import list_sites_used_by
from rpg.stores.index.place_reads import list_lines_of_calls

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


def find_changed_code(index: Index, root: Path, revision: str) -> list[Node]:
    """In the order of the graph. BAD_REQUEST if there is no such revision."""
    found = [node for node in find_changed_symbols(index, root, revision) if is_code(node)]
    if not any(node.is_file for node in found):
        return found
    spans = find_changed_lines(root, revision)
    return [node for node in found if not node.is_file or does_something(index, node, spans.get(node.path, []))]


def list_code_in(index: Index, named: Iterable[Node]) -> list[Node]:
    """What is named, and for files and folders the code in them."""
    found: dict[int, Node] = {}
    for node in named:
        found[node.row] = node
        if node.is_file:
            inside = nodes(index, "s.path = ? ORDER BY s.id", (node.path,))
        elif node.holds_files:
            folder = node.path.removeprefix("./")
            inside = nodes(index, "substr(s.path, 1, ?) = ? ORDER BY s.id", (len(folder), folder))
        else:
            continue
        found.update((each.row, each) for each in inside if is_code(each) and not each.test)
    return list(found.values())


def is_code(node: Node) -> bool:
    return node.language in BY_NAME and not BY_NAME[node.language].is_text


def does_something(index: Index, node: Node, spans: list[tuple[int, int]]) -> bool:
    """Whether top-level code in one of the spans calls or names anything."""
    sites = list_sites_used_by(index, node.row)
    lines = {int(site.partition(":")[0]) for each in sites for site in each.split()}
    lines.update(list_lines_of_calls(index, node.row))
    return any(first <= line <= last for line in lines for first, last in spans)
