"""The marks of a list of values in a statement: `?,?,?`."""

from __future__ import annotations

from collections.abc import Sequence


def placeholders(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
