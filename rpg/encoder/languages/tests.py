"""How the tests of a language are recognised: by folders and names of files, and by names and marks of functions.

In: what a language fills in (`Tests`), and a path. Out: whether the file is a test file or test support.
"""

from __future__ import annotations

from typing import NamedTuple

NONE: frozenset[str] = frozenset()
TEST_FOLDERS = frozenset(("tests", "test", "testing", "__tests__", "testdata", "spec", "specs"))
"""Test folders, in any language."""


class Tests(NamedTuple):
    """How tests are recognised: by folders and names of files, by names and marks of functions, by titles."""

    files: frozenset[str] = NONE
    """Lower-case names of files with test support."""
    endings: tuple[str, ...] = ("_test",)
    """How the names of test files end, in lower case and without their suffix."""
    names: tuple[str, ...] = ()
    """How they end up to the first dot, as written."""
    beginnings: tuple[str, ...] = ()
    """How they begin, as written."""
    folders: frozenset[str] = NONE
    """Further folders of tests, in lower case."""
    folder_endings: tuple[str, ...] = ()
    """How the names of such folders end, as written."""
    run: tuple[str, ...] = ()
    """How the paths of those files end in which a runner looks for tests by title; empty: test files."""
    functions: str = ""
    """How the names of test functions in test files begin, in any case; empty if tests have titles or marks instead."""
    marks: frozenset[str] = NONE
    """Annotations and attributes of test functions, wherever they are."""

    def is_test_file(self, path: str) -> bool:
        """Whether a file is a test file or test support."""
        *folders, name = path.lower().split("/")
        if not TEST_FOLDERS.isdisjoint(folders) or not self.folders.isdisjoint(folders):
            return True
        stem = name.rsplit(".", 1)[0]
        if name in self.files or stem.startswith("test_") or stem.endswith(self.endings) or stem == "tests":
            return True
        if not (self.names or self.beginnings or self.folder_endings):
            return False
        *written, last = path.split("/")
        whole = last.partition(".")[0]
        if whole.endswith(self.names) or whole.startswith(self.beginnings):
            return True
        return bool(self.folder_endings) and any(folder.endswith(self.folder_endings) for folder in written)
