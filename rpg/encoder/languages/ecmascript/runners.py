"""Test runners: what their functions are called, which modules they come from, and their names in one file.

Out: sets of names; what is known of a file's names so far. How calls of them become symbols is in suites.py.
"""

from __future__ import annotations

from typing import Final, NamedTuple

SUITES: Final = frozenset(("describe", "context", "suite", "module", "fdescribe", "xdescribe", "fcontext", "xcontext"))
"""Functions that group tests."""
CASES: Final = frozenset(("it", "test", "specify", "fit", "xit", "xtest", "xspecify"))
"""Functions that make a test."""
GLOBALS: Final = (SUITES | CASES) - {"module"}
"""Functions that some runner puts into the global scope: in a test file they need no import."""
NAMESPACES: Final = frozenset(("Deno", "QUnit"))
"""Global objects that have such functions."""
VARIANTS: Final = frozenset(
    "concurrent each failing fails fixme flaky for macro only parallel runIf sequential serial shuffle skip skipIf slow"
    " todo".split()
)
"""Members of these functions that make a test too."""
CALLED_VARIANTS: Final = frozenset(("each", "for", "runIf", "skipIf"))
"""Functions that are called first with a table, and then with the title: `it.each(table)("adds", ...)`."""
EXTENDED: Final = "extend"
"""The member that returns the same function with more fixtures."""
LIBRARIES: Final = frozenset((
    "@jest/globals", "@playwright/test", "ava", "bun:test", "jasmine", "mocha", "node:test", "qunit", "tap", "tape",
    "uvu", "vitest",
))  # fmt: skip
"""Modules that have such functions; as a whole, some are one."""
WITH_CONTEXT: Final = frozenset(("node:test", "tap", "tape"))
"""Functions that pass a test an object, its first argument, with which it makes tests inside itself (`t.test(...)`)."""

SUITE: Final = "suite"
CASE: Final = "case"
LIBRARY: Final = "library"
"""A runner as a whole: its members are such functions, and it may be one itself."""
CONTEXT: Final = "context"
"""What a test is passed to make tests in itself."""
SEVERAL: Final = -2


class Role(NamedTuple):
    """What a name means to a runner."""

    kind: str
    passes_context: bool


class TestNames:
    """The names in one file that are a runner's, as far as it has been lowered."""

    def __init__(self) -> None:
        self.read = 0
        """How many bindings of the file have been looked at."""
        self.roles: dict[tuple[int, str], Role] = {}
        """By scope and name."""
        self.scopes: dict[str, int] = {}
        """By name: the scope that binds it, SEVERAL if there are more."""
        self.globals: dict[str, bool] = {}
        """Whether a name that nothing binds is the global one."""
        self.callbacks: set[int] = set()
        """Where the functions of tests begin."""
        self.contexts: set[int] = set()
        """Where those begin that are passed a context."""
        self.context_scopes: set[int] = set()
