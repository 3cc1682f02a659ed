"""The interface to the frameworks in use: values that follow from a framework's conventions.

The evaluator knows no framework; `frameworks/` implements this.
"""

from __future__ import annotations

from typing import Protocol

from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.values.values import Value, Values


class Conventions(Protocol):
    def parameter(self, file: SourceFile, scope: int, name: str) -> Values:
        """What a framework passes for a parameter."""

    def result(self, name: str, file: SourceFile, e: int) -> Values:
        """The result of calling something from a library."""

    def missing(self, value: Value, name: str) -> Values:
        """A member that a class gets from a framework."""

    def bound(self, value: Value, receiver: Value) -> Value:
        """The value of a class attribute when it is read through the class."""
