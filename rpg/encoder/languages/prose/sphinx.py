"""Names of Python code that documents give in full, in the roles and directives of Sphinx.

In: the source of a document, in MyST; what reStructuredText has found in it (restructuredtext.py). Out: sites of dotted
names: that of a role (`{func}`~click.echo``) or directive (`.. autofunction:: echo`), behind the module that
`currentmodule` or `module` set if it does not begin with a module of its own. What may be relative to anything
(`.invoke`), or to a class that no directive describes (a method without its class), is left out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import DOCUMENTED, MEMBER, Import
from rpg.encoder.lowering.builder import Builder

_ROLE: Final = re.compile(
    rb"(?<![\w`\\])\{(?:py:)?(func|class|meth|mod|attr|exc|data|const|obj)\}`(?:[^`<>\n]*<)?([^`<>]{1,200})>?`"
)
_DIRECTIVE: Final = re.compile(
    rb"^[ \t]*(?:\.\.[ \t]+|(?:`{3,}|:{3,})\{)(?:py:)?"
    rb"(currentmodule|module|automodule|autoclass|autofunction|autoexception|autodata|automethod|autoattribute)"
    rb"(?:::|\})[ \t]+([\w.]+)",
    re.MULTILINE,
)
NAME: Final = re.compile(rb"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_MODULES: Final = frozenset((b"currentmodule", b"module", b"automodule"))
_OF_CLASSES: Final = frozenset(
    (
        b"meth", b"attr", b"automethod", b"autoattribute", b"method", b"attribute", b"property", b"classmethod",
        b"staticmethod", b"decoratormethod",
    )
)  # fmt: skip
"""Without a dot, these name a member of the class that is described."""
_WHOLE: Final = frozenset((b"mod", b"module", b"automodule"))
"""These name a module, from the top."""


class References:
    """Names in full, as sites of the current definition of a document."""

    def __init__(self, document: Builder) -> None:
        self.document = document
        self.holders: dict[str, int] = {}
        """Expressions of what full names begin with; several names share them."""

    def refer(self, byte: int, full: bytes) -> None:
        """A site of the current definition."""
        document = self.document
        around, dot, name = full.decode().rpartition(".")
        if dot:
            value = document.emit(op.ATTRIBUTE, byte, self.holder(around, byte), document.string(name))
        else:
            self.holder(name, byte)
            value = document.variable(document.string(f":{name}"), byte)
        document.site(value, DOCUMENTED)

    def holder(self, full: str, byte: int) -> int:
        """The expression of a name whose members are named."""
        value = self.holders.get(full, -1)
        if value < 0:
            document = self.document
            around, dot, name = full.rpartition(".")
            if dot:
                value = document.emit(op.ATTRIBUTE, byte, self.holder(around, byte), document.string(name))
            else:
                key = f":{full}"  # no text names it so
                document.imports.append(Import(full, 0, byte, 0, MEMBER))
                document.bind(key, document.emit(op.IMPORT, byte, len(document.imports) - 1), 0)
                value = document.variable(document.string(key), byte)
            self.holders[full] = value
        return value


class Named:
    """The names of one MyST document, as its lowering comes to them."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.starts: list[int] = []
        self.modules: list[bytes] = []
        """The module that holds from a place on, by place."""
        self.directives: list[tuple[int, bytes]] = []
        """Place and full name of what a directive describes."""
        current = b""
        for match in _DIRECTIVE.finditer(source) if b"module" in source or b"auto" in source else ():
            kind, name = match[1], match[2]
            if kind in _MODULES:
                # `automodule` describes a module and leaves the current one as it is.
                if kind != b"automodule":
                    current = b"" if name == b"None" else name
                    self.starts.append(match.start())
                    self.modules.append(current)
                if kind != b"currentmodule" and NAME.fullmatch(name):
                    self.directives.append((match.start(2), name))
            else:
                full = complete_name(kind, name, current)
                if full:
                    self.directives.append((match.start(2), full))

    def list_names_in(self, start: int, end: int) -> Iterator[tuple[int, bytes]]:
        """Place and full name of each role in a text."""
        for match in _ROLE.finditer(self.source, start, end):
            written = match[2].strip()
            name = written.removeprefix(b"~").removesuffix(b"()")
            at = bisect_right(self.starts, match.start()) - 1
            full = complete_name(match[1], name, self.modules[at] if at >= 0 else b"")
            if full:
                yield match.start(2) + match[2].index(name), full


def complete_name(kind: bytes, name: bytes, module: bytes, around: bytes = b"") -> bytes:
    """A name with its module; empty if nothing says which it is. `around`: the class that a directive around it
    describes, in full."""
    if NAME.fullmatch(name) is None:
        return b""
    first, dot, _ = name.partition(b".")
    if not dot and kind in _OF_CLASSES:
        return around + b"." + name if around else b""
    if kind in _WHOLE or (dot and not first[:1].isupper()):
        return name
    return module + b"." + name if module else b""
