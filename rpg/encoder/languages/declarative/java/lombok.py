"""Methods that Lombok makes: accessors of fields, by the annotations of a class or of a field.

In: the definitions of a file. Out: the names of their accessors, as flags of the fields that they read and write.
https://projectlombok.org/features/GetterSetter says what is made of which annotation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.facts import ALIAS, Definition
from rpg.encoder.languages.declarative.walker import DeclarativeWalker

_PACKAGE: Final = "lombok"
_READING: Final = frozenset({"Data", "Getter", "Value"})
_WRITING: Final = frozenset({"Data", "Setter"})
_ANNOTATION: Final = re.compile(r"@(?:lombok\.)?(Getter|Setter)\b(?:\s*\(([^)]*)\))?")
_FLAG: Final = re.compile(r"\bboolean\s")
_FINAL: Final = re.compile(r"\bfinal\s")
_NONE: Final = "NONE"
"""Of AccessLevel: no accessor is made."""


def name_accessors(walker: DeclarativeWalker) -> None:
    """Names the accessors that Lombok makes for a file that imports it, except those that are written out."""
    if not any(statement.module.partition(".")[0] == _PACKAGE for statement in walker.imports):
        return
    definitions = walker.definitions
    written = {(each.parent, each.name) for each in definitions if each.kind == "method"}
    for each in definitions:
        if each.kind == "field" and each.parent > 0 and "static" not in each.modifiers:
            around = {mark.lstrip("@") for mark in definitions[each.parent].decorators}
            names = [name for name in _accessors(each, around) if (each.parent, name) not in written]
            each.flags = (*each.flags, *(ALIAS + name for name in names))


def _accessors(field: Definition, marks_of_class: set[str]) -> Iterator[str]:
    head = field.signature.partition("=")[0]
    own = {found[1]: found[2] or "" for found in _ANNOTATION.finditer(head)}
    is_flag = _FLAG.search(head) is not None
    name = field.name
    if is_flag and name.startswith("is") and name[2:3].isupper():
        name = name[2:]
    capitalised = name[:1].upper() + name[1:]
    is_read = "Getter" in own or not _READING.isdisjoint(marks_of_class)
    is_written = "Setter" in own or (not _WRITING.isdisjoint(marks_of_class) and _FINAL.search(head) is None)
    if is_read and _NONE not in own.get("Getter", ""):
        yield f"{'is' if is_flag else 'get'}{capitalised}"
    if is_written and _NONE not in own.get("Setter", ""):
        yield f"set{capitalised}"
