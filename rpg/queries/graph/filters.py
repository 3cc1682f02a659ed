"""Which part of a repository an answer is about: `path`, `exclude_path` and `tests`, with one meaning in every tool.

In: the three as a client wrote them. Out: whether a file is in the answer, and counts of tests that are folded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from rpg.encoder.languages.tests import remove_package_folders
from rpg.queries.graph.path_filters import path_filter

FOLDED_FILES = 4
"""How many test files the line for folded tests names."""


EXAMPLES = ("example", "examples", "sample", "samples", "demo", "demos")
"""Folders of code that shows how to use a package and is not part of it."""

_BESIDE = re.compile(
    rf"(^|/)({'|'.join(EXAMPLES)}|bench|benchmarks?|scripts?|tools?|docs?|playground|website)/", re.IGNORECASE
)


PATHS_KEPT = 4_096
"""How many paths are cached with the result."""


@lru_cache(PATHS_KEPT)
def is_beside(path: str) -> bool:
    """Whether a file is in a folder whose name says that it is not part of the package: examples, benchmarks, scripts
    and tools of its authors, its documentation."""
    return _BESIDE.search(remove_package_folders(path)) is not None


_SET_ASIDE = re.compile(
    rf"(^|/)({'|'.join(EXAMPLES)}|compat|compatibility|legacy|deprecated|deprecations?|contrib|old)(/|[._]|$)",
    re.IGNORECASE,
)


@lru_cache(PATHS_KEPT)
def is_set_aside(path: str) -> bool:
    """Whether a file or its folder is called an example, or as code that is kept beside newer code."""
    return _SET_ASIDE.search(remove_package_folders(path) + path.rpartition("/")[2]) is not None


_PLATFORM = re.compile(
    r"(^|[/_-])(win(32|64|dows)?|mingw|cygwin|os390|zos|aix|sunos|solaris|ibmi|haiku)(?=[/._-]|$)", re.IGNORECASE
)


@lru_cache(PATHS_KEPT)
def find_platform(path: str) -> str:
    """The platform other than the usual ones that a file or its folder is named for; empty if it is for none."""
    found = _PLATFORM.search(path)
    return found[2].lower() if found else ""


_VERSION = re.compile(r"(^|/)v(\d{1,3})(?=/)", re.IGNORECASE)


@lru_cache(PATHS_KEPT)
def version_of(path: str) -> tuple[str, int] | None:
    """What stands before the folder of a version in a path, and that version: `v1`."""
    found = _VERSION.search(path)
    return (path[: found.start()], int(found[2])) if found else None


class Filter:
    """Admits files under `path` and not under `exclude_path`. `tests`: `fold` and `all` admit tests, `only` nothing
    else, `none` no tests. Whether an admitted test is listed or folded into one line is up to the text."""

    def __init__(self, path: str = "", exclude_path: str = "", tests: str = "fold") -> None:
        self._path, self._exclude_path = path, exclude_path
        self._inside = path_filter(path) if path else None
        self._outside = path_filter(exclude_path) if exclude_path else None
        self._tests = tests
        self._cache: dict[str, bool] = {}

    def admits(self, path: str, test: int) -> bool:
        if (self._tests == "only" and not test) or (self._tests == "none" and test):
            return False
        return self.covers(path)

    @property
    def is_by_test(self) -> bool:
        """Whether it admits tests alone, or all but tests."""
        return self._tests in ("only", "none")

    def admit_tests(self) -> Filter:
        """The same paths, tests or not."""
        return Filter(self._path, self._exclude_path)

    @property
    def takes_tests(self) -> bool:
        """Whether tests were requested, rather than admitted to be folded."""
        return self._tests in ("only", "all")

    def covers(self, path: str) -> bool:
        """Whether the path by itself is admitted."""
        if self._inside is None and self._outside is None:
            return True
        admitted = self._cache.get(path)
        if admitted is None:
            admitted = (self._inside is None or self._inside(path)) and (
                self._outside is None or not self._outside(path)
            )
            self._cache[path] = admitted
        return admitted


def format_folded_tests(counts: Mapping[str, int], unit: str) -> str:
    """The line for folded tests, for instance `tests: 31 calls in 4 files (tests=only lists them): tests/test_a.py 20,
    ...`; empty if there are none."""
    if not counts:
        return ""
    most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    named = ", ".join(f"{path} {count}" for path, count in most[:FOLDED_FILES])
    more = f", {len(most) - FOLDED_FILES} more" if len(most) > FOLDED_FILES else ""
    total = sum(counts.values())
    return f"tests=only lists {format_count(total, unit)} in {format_count(len(most), 'test file')}: {named}{more}"


def format_count(number: int, unit: str) -> str:
    """`1 call`, `2 calls`."""
    return f"{number} {unit}{'' if number == 1 else 'es' if unit.endswith(('s', 'x', 'ch')) else 's'}"
