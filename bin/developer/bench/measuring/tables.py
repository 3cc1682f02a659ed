"""Plain tables: text to the left, numbers to the right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def show(title: str, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    cells = [list(map(cell, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *cells, strict=True)]
    right = [bool(cells) and all(is_number(row[at]) for row in cells) for at in range(len(head))]
    if title:
        print(f"\n{title}")
    for row in (list(head), ["-" * width for width in widths], *cells):
        padded = (
            text.rjust(width) if to_right else text.ljust(width)
            for text, width, to_right in zip(row, widths, right, strict=True)
        )
        print("  " + "  ".join(padded).rstrip())


def cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.2f}" if abs(value) < 100 else f"{value:.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def is_number(text: str) -> bool:
    return text == "-" or text.replace(",", "").replace(".", "", 1).lstrip("-").isdigit()
