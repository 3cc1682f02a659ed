"""Which files may see the names of a module, judged by their text alone: by importing them, by looking them up in the
module, or by holding it as a value.

In: a module's name, some of its names, a source. Out: yes or no. Text is checked before facts, as that costs least.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_LISTED: Final = rb"import\b(?:[ \t]*\((?:[^)#]|#[^\n]*+)*?|[^\n(]*(?:\\\n[^\n]*)*)"
"""The beginning of an import up to one of its names: in parentheses, between comments, or in a line that may be
continued. Expressions that begin with letters are searched fastest."""
_ALL: Final = re.compile(rb"import\s*\(?\s*\*")
"""A star import from any module."""


class ModuleNaming:
    """How source text names a module, or some names of it."""

    def __init__(self, module_name: str, is_package: bool, names: Iterable[str]) -> None:
        module = re.escape(module_name.encode())
        self._names = [name.encode() for name in sorted(names)]
        either = rb"(?:" + b"|".join(map(re.escape, self._names)) + rb")"
        imported = rb"\b" + module + rb"\s+" + _LISTED + rb"\b" + either + rb"\b"
        looked_up = rb"\b" + module + rb"[\s\\)]*(?:[.:][\s\\]*|,\s*[\"'])" + either + rb"\b"
        self._taken = re.compile(imported + rb"|" + looked_up)
        self._bound = re.compile(_LISTED + rb"\b" + module + rb"\b")
        self._named = re.compile(rb"(?<!\w)" + either + rb"(?!\w)")
        self._is_package = is_package

    def may_see(self, source: bytes, imports: bool) -> bool:
        """Whether a file may import a name from the module, or look it up there; `imports`: it imports the module."""
        if not any(name in source for name in self._names):
            return False
        if self._taken.search(source):
            return True
        # By another name of the module; a package may be imported by dots alone.
        is_known = (self._is_package and imports) or self._bound.search(source)
        return bool(is_known) and self._named.search(source) is not None

    def may_hold(self, source: bytes, imports: bool) -> bool:
        """Whether a file may import the module itself, or everything in it."""
        return self._bound.search(source) is not None or (imports and _ALL.search(source) is not None)
