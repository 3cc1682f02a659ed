"""Which symbols changed since a git revision.

In: the repository's folder, its index, a revision. Out: the innermost symbols around the changed lines, as the graph
has them now. Deleted code has no symbol any more; its name may still be among the unresolved places.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from rpg.encoder.source_files import git
from rpg.queries.graph.nodes import Node, nodes
from rpg.queries.history.renames import renames

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")
MOST = 200
"""The most symbols in an answer; the rest is counted."""


def find_changed_symbols(index: Index, root: Path, revision: str) -> list[Node]:
    """In the order of the graph. BAD_REQUEST if there is no such revision."""
    commit = git.commit_of(root, revision)
    found: dict[int, Node] = {}
    changed = find_changed_lines(root, commit)
    changed |= {each.new: each.changed for each in renames(index, root, commit).values()}
    for path, spans in changed.items():
        if not git.is_text(path):
            continue
        symbols = nodes(index, "s.path = ? AND s.kind != 'directory' ORDER BY s.id", (path,))
        for first, last in spans:
            for node in find_touched(symbols, first, last):
                found[node.row] = node
    return [found[row] for row in sorted(found)]


def find_touched(symbols: list[Node], first: int, last: int) -> list[Node]:
    """Every symbol with its own lines (without those of its members) in the span."""
    out = []
    for node in symbols:
        start, end = (1, node.end_line) if node.is_file else (node.start_line, node.end_line)
        if end < first or start > last:
            continue
        covered = [child for child in symbols if child.parent == node.row]
        if any(owns(line, covered) for line in range(max(first, start), min(last, end) + 1)):
            out.append(node)
    return out


def owns(line: int, children: list[Node]) -> bool:
    return not any(child.start_line <= line <= child.end_line for child in children)


def find_changed_lines(root: Path, commit: str) -> dict[str, list[tuple[int, int]]]:
    """Lines of the work tree by path; an untracked file counts as changed as a whole."""
    out: dict[str, list[tuple[int, int]]] = {}
    path = ""
    text = os.fsdecode(git.run(root, "diff", "--unified=0", "--no-color", "--no-renames", "--relative",
                               "--src-prefix=a/", "--dst-prefix=b/", commit, "--"))  # fmt: skip
    for line in text.split("\n"):
        if line.startswith("+++ "):
            path = line[6:].rstrip("\t") if line.startswith("+++ b/") else ""
        elif path and (hunk := HUNK.match(line)):
            first = int(hunk[1])
            length = int(hunk[2]) if hunk[2] is not None else 1
            # A pure deletion is between two lines: both sides changed.
            span = (first, first + length - 1) if length else (max(1, first), first + 1)
            out.setdefault(path, []).append(span)
    for name in git.list_untracked(root):
        out[name] = [(1, 1 << 30)]
    return out
