"""YAML as lines of keys and values, also where it is a template that no parser reads.

In: text. Out: for each line with a key or an item: the keys around it, its key and its value. Anchors, flow maps and
what stands in block texts are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

MOST_LINES: Final = 20_000
_LINE: Final = re.compile(
    r"(?P<indent> *)(?P<dashes>(?:-(?: +|$))*)"
    r"(?:(?P<quote>[\"']?)(?P<key>[\w./:-]*[\w])(?P=quote) *:(?=\s|$)\s*(?P<value>.*)|(?P<item>.*))"
)
_BLOCK: Final = re.compile(r"[|>][-+\d]*(?:\s+#.*)?")
_COMMENT: Final = re.compile(r"\s+#.*$")


class Entry(NamedTuple):
    document: int
    around: tuple[str, ...]
    """The keys and items around it; an item is a dash and its line."""
    key: str
    """Empty for an item that is no map."""
    value: str
    line: int
    column: int
    """Where the value begins."""


def entries(text: str) -> Iterator[Entry]:
    stack: list[tuple[int, str]] = []
    document, block = 0, -1
    for number, line in enumerate(text.split("\n")[:MOST_LINES], 1):
        stripped = line.strip()
        if not stripped or stripped[0] == "#" or stripped.startswith(("{{", "<%")):
            continue
        if stripped == "---" or line.startswith("--- "):
            document, block, stack = document + 1, -1, []
            continue
        found = _LINE.match(line)
        assert found is not None
        indent = len(found["indent"])
        if block >= 0 and indent > block:
            continue
        block = -1
        column = indent
        for dash in re.finditer("-", found["dashes"]):
            at = indent + dash.start()
            while stack and (stack[-1][0] > at or (stack[-1][0] == at and stack[-1][1][0] == "-")):
                stack.pop()
            stack.append((at, f"-{number}.{dash.start()}"))
            column = indent + len(found["dashes"])
        written = found["value"] if found["key"] is not None else found["item"]
        value = _COMMENT.sub("", written).strip()
        at = found.start("value") if found["key"] is not None else found.start("item")
        if found["key"] is None:
            if found["dashes"] and value:
                yield Entry(document, tuple(each for _, each in stack), "", value.strip("\"'"), number, at)
            continue
        while stack and stack[-1][0] >= column:
            stack.pop()
        yield Entry(document, tuple(each for _, each in stack), found["key"], value.strip("\"'"), number, at)
        stack.append((column, found["key"]))
        if _BLOCK.fullmatch(value):
            block = column
