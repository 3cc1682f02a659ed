"""C: names by the headers that a file includes, fields of declared types, names in the bodies of macros.

In: a syntax tree. Out: facts. A declaration of a function is no symbol: its definition is, wherever it is. What is
missing: functions that are called through pointers, and what a macro makes of its arguments.
"""

import re

from rpg.encoder.languages.declarative.c.rules import Rules
from rpg.encoder.languages.declarative.c.syntax import Lowering

__all__ = ["Lowering", "Rules", "spoken"]

_CPP = re.compile(
    rb"^\s*(?:class\s+\w|namespace\b|template\s*<|using\s+\w+|public\s*:|private\s*:|#\s*include\s*<\w+>)", re.MULTILINE
)


def spoken(path: str, source: bytes) -> str:
    """A header may be C or C++."""
    return "cpp" if _CPP.search(source) else "c"
