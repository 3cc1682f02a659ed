"""Which files may see the names of a module: whether naming the module reveals them, and whether a file holds the
module as a value.

In: a module, and the facts of another file. Out: whether it may. The text is checked first, by the rules of the
language (`Rules.naming`), as that costs least.
"""

from __future__ import annotations

import re

from rpg.encoder import operations as op
from rpg.encoder.resolve.incremental.fingerprints import expressions
from rpg.encoder.resolve.program.source_file import SourceFile


def shows_imports(file: SourceFile) -> bool:
    """Whether a file's own imports are members of it: not in Go, nor with explicit exports."""
    return not file.rules.shares_package_scope and "names" not in file.facts.exports


def is_seen_by_module(file: SourceFile) -> bool:
    """Whether others see a module's names by naming the module."""
    return file.rules.module_objects.imports_are_members and shows_imports(file)


class Dotted:
    """How text that does not import a module names it: with the folder in front, or as a string. That the words are
    there at all is found many times as fast as how they stand."""

    def __init__(self, folder: bytes, module: bytes) -> None:
        self._folder, self.module = folder, module
        self._quoted = (b'"' + module, b"'" + module)
        self._string = re.compile(rb"[\"']" + re.escape(module) + rb"[\"'.:]")
        self._below = re.compile(rb"(?<!\w)" + re.escape(folder) + rb"\s*[./\\:]\s*" + re.escape(module) + rb"(?!\w)")

    def is_in(self, source: bytes) -> bool:
        if self.module not in source:
            return False
        if any(quoted in source for quoted in self._quoted) and self._string.search(source):
            return True
        return self._folder in source and self._below.search(source) is not None


def find_dotted(path: str, module: str) -> Dotted | None:
    """None if its name may be enough."""
    folder = path.rpartition("/")[0]
    if path.rpartition("/")[2].partition(".")[0] != module:
        folder = folder.rpartition("/")[0]
    last = folder.rpartition("/")[2]
    if not last:
        return None
    return Dotted(last.encode(), module.encode())


def holds(file: SourceFile, path: str) -> bool:
    """Whether a file may know the module at a path in other ways than by looking something up in it."""
    code, strings, module = file.code, file.strings, file.rules.module_name(path)
    files = [file.rules.module(file.path, each.module, each.level) or () for each in file.facts.imports]
    if any(each.kind == "star" and path in found for each, found in zip(file.facts.imports, files, strict=True)):
        return True

    def is_module(e: int) -> bool:
        if code[e] == op.IMPORT:
            return path in files[code[e + op.STATEMENT]]
        return code[e] == op.IMPORTED and strings[code[e + op.MEMBER]] == module

    looked_into: set[int] = set()
    reads: list[int] = []
    for e in expressions(code):
        if code[e] in (op.ATTRIBUTE, op.PATH):
            looked_into.add(code[e + op.HOLDER])
            if strings[code[e + op.MEMBER]] == module:
                reads.append(e)
        elif code[e] == op.NAME and code[e + op.BINDER] != -1:
            scope = op.binding_scope(code[e + op.BINDER])
            if any(is_module(row.value) for row in file.rows(scope, strings[code[e + op.WORD]])):
                reads.append(e)
    return not looked_into.issuperset(reads)
