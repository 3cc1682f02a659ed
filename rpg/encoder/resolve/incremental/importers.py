"""Who may see the names of a module: by taking them from it, by looking them up in it, or by holding it as a value.

In: a module, and the text or the facts of another file. Out: whether it may. Texts are asked first, as that costs
least.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rpg.encoder.operations import (
    ATTRIBUTE,
    BINDER,
    HOLDER,
    IMPORT,
    IMPORTED,
    MEMBER,
    NAME,
    PATH,
    STATEMENT,
    WORD,
    binding_scope,
)
from rpg.encoder.resolve.incremental.fingerprints import expressions
from rpg.encoder.resolve.program.source_file import SourceFile

_LISTED = rb"import\b(?:[ \t]*\((?:[^)#]|#[^\n]*+)*?|[^\n(]*(?:\\\n[^\n]*)*)"
"""The beginning of an import, up to one of its names: in parentheses, between comments, or in a line that may go on.
What begins with mere letters is found the fastest."""
_ALL = re.compile(rb"import\s*\(?\s*\*")
"""An import of all that some module has."""


def shows_imports(file: SourceFile) -> bool:
    """Whether what a file imports for itself is a member of it: not in Go, nor where exports are said."""
    return not file.rules.shares_package_scope and "names" not in file.facts.exports


def seen_by_module(file: SourceFile) -> bool:
    """Whether others see the names of a module by naming the module."""
    return file.rules.imports_are_members and shows_imports(file)


def is_package(path: str) -> bool:
    """Whether a file is imported by the name of its folder."""
    return path.rpartition("/")[2].partition(".")[0] == "__init__"


def module_name(path: str) -> str:
    """What a file is imported by; empty where there may be no such name."""
    folder, _, name = path.rpartition("/")
    return folder.rpartition("/")[2] if is_package(path) else name.partition(".")[0]


class Naming:
    """How texts name a module, or some names of it."""

    def __init__(self, path: str, names: Iterable[str]) -> None:
        module = re.escape(module_name(path).encode())
        self._names = [name.encode() for name in sorted(names)]
        either = rb"(?:" + b"|".join(map(re.escape, self._names)) + rb")"
        imported = rb"\b" + module + rb"\s+" + _LISTED + rb"\b" + either + rb"\b"
        looked_up = rb"\b" + module + rb"[\s\\)]*\.[\s\\]*" + either + rb"\b"
        self._taken = re.compile(imported + rb"|" + looked_up)
        self._bound = re.compile(_LISTED + rb"\b" + module + rb"\b")
        self._named = re.compile(rb"(?<!\w)" + either + rb"(?!\w)")
        self._is_package = is_package(path)

    def may_see(self, source: bytes, imports: bool) -> bool:
        """Whether a file may take a name from the module, or look it up there; `imports`: it imports the module."""
        if not any(name in source for name in self._names):
            return False
        if self._taken.search(source):
            return True
        # By another name of the module; a package may be imported by dots alone.
        is_known = (self._is_package and imports) or self._bound.search(source)
        return bool(is_known) and self._named.search(source) is not None

    def may_hold(self, source: bytes, imports: bool) -> bool:
        """Whether a file may import the module itself, or all that it has."""
        return self._bound.search(source) is not None or (imports and _ALL.search(source) is not None)


def holds(file: SourceFile, path: str) -> bool:
    """Whether a file may know the module at a path by other means than looking something up in it."""
    code, strings, module = file.code, file.strings, module_name(path)
    files = [file.rules.module(file.path, each.module, each.level) or () for each in file.facts.imports]
    if any(each.kind == "star" and path in found for each, found in zip(file.facts.imports, files, strict=True)):
        return True

    def is_module(e: int) -> bool:
        if code[e] == IMPORT:
            return path in files[code[e + STATEMENT]]
        return code[e] == IMPORTED and strings[code[e + MEMBER]] == module

    looked_into: set[int] = set()
    reads: list[int] = []
    for e in expressions(code):
        if code[e] in (ATTRIBUTE, PATH):
            looked_into.add(code[e + HOLDER])
            if strings[code[e + MEMBER]] == module:
                reads.append(e)
        elif code[e] == NAME and code[e + BINDER] != -1:
            scope = binding_scope(code[e + BINDER])
            if any(is_module(row.value) for row in file.rows(scope, strings[code[e + WORD]])):
                reads.append(e)
    return not looked_into.issuperset(reads)
