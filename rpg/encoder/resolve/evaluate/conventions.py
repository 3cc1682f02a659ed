"""What the evaluator asks of the frameworks in use, which it does not know: values that a convention brings."""

from __future__ import annotations

from typing import Protocol

from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.values.values import Value, Values


class Conventions(Protocol):
    def parameter(self, file: SourceFile, scope: int, name: str) -> Values:
        """What a framework passes for a parameter."""

    def result(self, name: str, file: SourceFile, e: int) -> Values:
        """What calling something of a library gives."""

    def missing(self, value: Value, name: str) -> Values:
        """A member that a class has from a framework."""

    def bound(self, value: Value, receiver: Value) -> Value:
        """What an attribute of a class becomes when it is read through the class."""
