"""Classes that the parser leaves before they end, because it does not understand something in them.

In: a class with errors. Out: where it really ends. What is defined in between belongs to the class.
"""

from __future__ import annotations

import re
from typing import Final

_BRACE: Final = re.compile(
    rb"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|(?P<brace>[{}])",
    re.DOTALL,
)


def closing_brace(source: bytes, opening: int) -> int:
    """Behind the brace that closes the one at `opening`; -1 if there is none."""
    depth = 0
    for found in _BRACE.finditer(source, opening):
        brace = found["brace"]
        if brace is None:
            continue
        depth += 1 if brace == b"{" else -1
        if not depth:
            return found.end()
    return -1
