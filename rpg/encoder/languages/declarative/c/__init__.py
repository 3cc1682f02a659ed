"""C: names by the headers that a file includes, fields of declared types, names in the bodies of macros.

In: a syntax tree. Out: facts. A declaration of a function is no symbol: its definition is, wherever it is. What is
missing: functions that are called through pointers, and what a macro makes of its arguments.
"""

from rpg.encoder.languages.declarative.c.headers import is_cpp
from rpg.encoder.languages.declarative.c.rules import Rules
from rpg.encoder.languages.declarative.c.syntax import Lowering

__all__ = ["Lowering", "Rules", "choose_language"]


def choose_language(path: str, source: bytes) -> str:
    """A header may be C or C++."""
    return "cpp" if is_cpp(source) else "c"
