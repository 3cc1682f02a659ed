"""How the tests of a language are recognised: by folders and names of files, and by names and marks of functions.

In: what a language fills in (`Tests`), and a path. Out: whether the file is a test file or test support; which of its
folders say what it is for.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

NONE: frozenset[str] = frozenset()
TEST_FOLDERS = frozenset(("tests", "test", "testing", "__tests__", "testdata", "spec", "specs"))
"""Test folders, in any language."""
_ROOT: Final = re.compile(r"(?:^|/)src/(?:main|\w+/(?:groovy|java|kotlin|scala))/")
"""Below such a folder, folders are packages."""
_MAIN: Final = re.compile(r"(?:^|/)src/main/")
"""What is built of such a folder is shipped: there a name like `TestServer` says what a file is about, not that it is a
test."""
_PACKAGE: Final = re.compile(
    r"(?:^|/)(?:(?:com|edu|org)/\w|(?:ch|cn|de|dev|fr|gov|io|me|net|uk)/\w.*\.(?:java|kt|kts|scala)$)"
)
"""Where the folders of a package begin that is named after a domain: `org/acme/samples` is a name."""


def remove_package_folders(path: str) -> str:
    """The beginning of a path that says what a file is for: its folders without those of its package."""
    root = _ROOT.search(path)
    if root is not None:
        return path[: root.end()]
    package = _PACKAGE.search(path)
    if package is not None:
        return path[: package.start() + (path[package.start()] == "/")]
    return path[: path.rfind("/") + 1]


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
    shipped: frozenset[str] = NONE
    """Names of modules, and of folders in a package, that help others to test: in a package they are its own code."""
    functions: str = ""
    """How the names of test functions in test files begin, in any case; empty if tests have titles or marks instead."""
    marks: frozenset[str] = NONE
    """Annotations and attributes of test functions, wherever they are."""
    preparations: frozenset[str] = NONE
    """Names of functions that a runner calls before or after the tests of the class or file around them."""
    preparation_marks: frozenset[str] = NONE
    """Annotations of such functions."""
    runners: tuple[str, ...] = ()
    """Programs that run the tests, as `rpg tests --format` names them."""
    applied: str = ""
    """A pattern in the decorator of such a function that is valid for the folder if its file is test support."""

    def is_test_file(self, path: str) -> bool:
        """Whether a file is a test file or test support."""
        last = path[path.rfind("/") + 1 :]
        place, name = remove_package_folders(path), last.lower()
        folders = place.lower().split("/")
        if not TEST_FOLDERS.isdisjoint(folders) or not self.folders.isdisjoint(folders):
            return True
        if _MAIN.search(path) is not None:
            return False
        stem = name.rsplit(".", 1)[0]
        if name in self.files or stem.startswith("test_") or stem.endswith(self.endings) or stem == "tests":
            return True
        if not (self.names or self.beginnings or self.folder_endings):
            return False
        whole = last.partition(".")[0]
        if whole.endswith(self.names) or whole.startswith(self.beginnings):
            return True
        return bool(self.folder_endings) and any(folder.endswith(self.folder_endings) for folder in place.split("/"))

    def is_shipped(self, path: str) -> bool:
        """Whether a file in a package has the name or the place of what helps those to test who use the package."""
        *folders, name = path.lower().split("/")
        around = [each for each in folders if each not in self.shipped]
        is_named = name.partition(".")[0] in self.shipped or len(around) < len(folders)
        return is_named and bool(around) and around != ["src"] and TEST_FOLDERS.isdisjoint(around)
