"""Names of Python code that documents give in full, in the roles and directives of Sphinx.

In: the source of a document, MyST. Out: dotted names with their places: the name of a role (`{func}`~click.echo``) or
directive (`.. autofunction:: echo`), behind the module that `currentmodule` or `module` set if it does not begin with a
module of its own. What may be relative to a class (`.invoke`, a method without its class) is left out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from rpg.encoder import languages
from rpg.encoder.facts import MEMBER, READ, Import
from rpg.encoder.languages.sections import Sections
from rpg.encoder.operations import ATTRIBUTE, IMPORT

_ROLE: Final = re.compile(
    rb"(?<![\w`\\])\{(?:py:)?(func|class|meth|mod|attr|exc|data|const|obj)\}`(?:[^`<>\n]*<)?([^`<>]{1,200})>?`"
)
_DIRECTIVE: Final = re.compile(
    rb"^[ \t]*(?:\.\.[ \t]+|(?:`{3,}|:{3,})\{)(?:py:)?"
    rb"(currentmodule|module|automodule|autoclass|autofunction|autoexception|autodata|automethod|autoattribute)"
    rb"(?:::|\})[ \t]+([\w.]+)",
    re.MULTILINE,
)
_NAME: Final = re.compile(rb"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_MODULES: Final = frozenset((b"currentmodule", b"module", b"automodule"))
_OF_CLASSES: Final = frozenset((b"meth", b"attr", b"automethod", b"autoattribute"))
"""Without a dot, these name a member of the class that is described."""


class PythonNames(languages.Rules):
    """A module that a document names means what it would mean to Python there."""

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None:
        of_modules = self.project.rules_of("python")
        return None if of_modules is None else of_modules.module(importer, module, level)


class Named:
    """The names of one document, as its lowering comes to them."""

    def __init__(self, document: Sections) -> None:
        self.document = document
        self.tops: set[str] = set()
        self.starts: list[int] = []
        self.modules: list[bytes] = []
        """The module that holds from a place on, by place."""
        self.directives: list[tuple[int, bytes]] = []
        """Place and full name of what a directive describes."""
        source = document.source
        current = b""
        for match in _DIRECTIVE.finditer(source) if b"module" in source or b"auto" in source else ():
            kind, name = match[1], match[2]
            if kind in _MODULES:
                # `automodule` describes a module and leaves the current one as it is.
                if kind != b"automodule":
                    current = b"" if name == b"None" else name
                    self.starts.append(match.start())
                    self.modules.append(current)
                if kind != b"currentmodule" and _NAME.fullmatch(name):
                    self.directives.append((match.start(2), name))
            else:
                full = completed(kind, name, current)
                if full:
                    self.directives.append((match.start(2), full))

    def in_text(self, start: int, end: int) -> Iterator[tuple[int, bytes]]:
        """Place and full name of each role in a text."""
        for match in _ROLE.finditer(self.document.source, start, end):
            written = match[2].strip()
            name = written.removeprefix(b"~").removesuffix(b"()")
            at = bisect_right(self.starts, match.start()) - 1
            full = completed(match[1], name, self.modules[at] if at >= 0 else b"")
            if full:
                yield match.start(2) + match[2].index(name), full

    def refer(self, byte: int, full: bytes) -> None:
        """A site of the current definition."""
        document = self.document
        top, *attributes = full.decode().split(".")
        key = f":{top}"  # no text names it so
        if top not in self.tops:
            self.tops.add(top)
            document.imports.append(Import(top, 0, byte, 0, MEMBER))
            document.bind(key, document.emit(IMPORT, byte, len(document.imports) - 1), 0)
        value = document.variable(document.string(key), byte)
        for attribute in attributes:
            value = document.emit(ATTRIBUTE, byte, value, document.string(attribute))
        document.site(value, READ)


def completed(kind: bytes, name: bytes, current: bytes) -> bytes:
    """A name with its module; empty if nothing says which it is."""
    if _NAME.fullmatch(name) is None:
        return b""
    first, dot, _ = name.partition(b".")
    if not dot and kind in _OF_CLASSES:
        return b""
    if kind == b"mod" or (dot and not first[:1].isupper()):
        return name
    return current + b"." + name if current else b""
