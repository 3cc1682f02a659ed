"""Zig: declarations, containers with their members, and the files that a file imports.

In: a syntax tree. Out: the facts of its outline. What is missing: what refers to what, fields of containers.
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rpg.encoder.languages.outlined.outline import Named, Outline, OutlineLowering, OutlineRules

OUTLINE: Final = Outline(
    symbols={
        "Decl": (
            Named("function", "FnProto", ":IDENTIFIER"),
            Named("struct", "ContainerDecl", ":IDENTIFIER"),
            Named("constant", "VarDecl", ":IDENTIFIER"),
        ),
    },
    comments=frozenset({"line_comment", "doc_comment", "container_doc_comment"}),
    closed=frozenset({"Block", "TestDecl"}),
    texts=(b"\\\\", b"//"),
    imports=re.compile(rb"@import\(\"([^\"\n]+\.zig)\"\)"),
)


class Rules(OutlineRules):
    pass


class Lowering(OutlineLowering):
    outline: ClassVar[Outline] = OUTLINE
