"""Which tests ran a symbol when coverage was measured.

In: what a file of coverage says, an index, and the revision that the work tree is compared with. Out: for a changed
symbol the tests that ran its lines; None where nothing is known of them. Coverage is of that revision: lines of the
work tree are counted back through the changes since. Without a revision it is of the sources as they are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rpg.encoder.source_files import git
from rpg.queries.graph.nodes import Node, nodes, paths
from rpg.queries.tests_to_run.coverage_files import ANONYMOUS, Measured
from rpg.queries.tests_to_run.test_functions import FileOfTests, read_file_of_tests
from rpg.text.titles import BETWEEN

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_PHASE = re.compile(r"\|(?:run|setup|teardown)$")


class Change(NamedTuple):
    """Lines of a file that others took the place of."""

    old: int
    old_length: int
    new: int
    new_length: int


class Coverage:
    """For one index and one file of coverage."""

    def __init__(self, index: Index, measured: Measured, root: Path | None, since: str) -> None:
        self.index = index
        self.root = root
        self.known = paths(index)
        self.by_path = {found: lines for path, lines in measured.items() if (found := self.path_of(path))}
        self.names_tests = any(
            test != ANONYMOUS for lines in measured.values() for tests in lines.values() for test in tests
        )
        self.changes = changes_since(root, since) if root is not None and since else {}
        self._files: dict[str, FileOfTests] = {}
        self._tests: dict[str, list[int]] = {}

    def path_of(self, written: str) -> str:
        """The file of the repository that a path in the coverage means; empty if there is none, or several."""
        name = written.replace("\\", "/")
        if self.root is not None:
            name = name.removeprefix(f"{self.root.as_posix()}/")
        if name in self.known:
            return name
        ending = [path for path in self.known if name.endswith(f"/{path}") or path.endswith(f"/{name}")]
        longest = max(map(len, ending), default=0)
        best = [path for path in ending if len(path) == longest]
        return best[0] if len(best) == 1 else ""

    def tests_of(self, node: Node) -> list[int] | None:
        """The rows of the tests that ran it; None if it was not measured, or ran in tests that are not named."""
        lines = self.by_path.get(node.path)
        if lines is None or node.is_file:
            return None
        changes = self.changes.get(node.path, [])
        span = old_lines(changes, body_start(node), node.end_line)
        ran = [lines[line] for line in span if line in lines]
        if not ran:
            return None
        names = {name for each in ran for name in each}
        if not names:
            return []
        if not self.names_tests:
            return None
        return list(dict.fromkeys(row for name in sorted(names - {ANONYMOUS}) for row in self.rows_of(name)))

    def rows_of(self, name: str) -> list[int]:
        """The tests that a context names: as pytest does, or by a dotted name, or the test's own."""
        written = _PHASE.sub("", name).partition("[")[0]
        if written not in self._tests:
            self._tests[written] = self.found(written)
        return self._tests[written]

    def found(self, written: str) -> list[int]:
        path, _, rest = written.partition("::")
        if rest and (file := self.path_of(path)):
            return self.named_in([file], rest.replace("::", "."))
        *before, last = written.split(".")
        candidates = nodes(self.index, "s.name = ? AND s.test = 1", (last,))
        right = [each for each in candidates if f".{build_dotted_name(each)}".endswith(f".{'.'.join([*before, last])}")]
        rows = {row for each in right for row in self.named_in([each.path], each.qualified_name)}
        return sorted(rows)

    def named_in(self, files: Iterable[str], qualified: str) -> list[int]:
        found = []
        for path in files:
            if path not in self._files:
                self._files[path] = read_file_of_tests(self.index, path)
            file = self._files[path]
            found += [
                each.row
                for each in file.nodes
                if each.row in file.tests and each.qualified_name.replace(BETWEEN, ".") in (qualified, f'"{qualified}"')
            ]
        return found


def build_dotted_name(node: Node) -> str:
    return f"{node.path.rpartition('.')[0].replace('/', '.')}.{node.qualified_name}"


def body_start(node: Node) -> int:
    """The line behind the name, which runs when the symbol is defined; the first line if there is no other."""
    return min(max(node.start_line, node.name_line + 1), node.end_line)


def old_lines(changes: Iterable[Change], first: int, last: int) -> range:
    """The lines that stood where these stand now."""
    start, end = first, last
    for each in changes:
        shift = each.old_length - each.new_length
        behind = each.new + each.new_length
        if behind <= first:
            start += shift
        if behind <= last + 1:
            end += shift
        elif each.new <= last:
            end += max(0, shift)
    return range(start, end + 1)


def changes_since(root: Path, revision: str) -> dict[str, list[Change]]:
    out: dict[str, list[Change]] = {}
    path = ""
    text = os.fsdecode(git.run(root, "diff", "--unified=0", "--no-color", "--no-renames", "--relative",
                               "--src-prefix=a/", "--dst-prefix=b/", git.commit_of(root, revision), "--"))  # fmt: skip
    for line in text.split("\n"):
        if line.startswith("+++ "):
            path = line[6:].rstrip("\t") if line.startswith("+++ b/") else ""
        elif path and (hunk := _HUNK.match(line)):
            old_length, new_length = (int(hunk[at]) if hunk[at] is not None else 1 for at in (2, 4))
            # A place between two lines is named by the line before it.
            out.setdefault(path, []).append(
                Change(int(hunk[1]) + (not old_length), old_length, int(hunk[3]) + (not new_length), new_length)
            )
    return out
