"""Perl: packages, subroutines, and the modules that a file uses.

In: a syntax tree. Out: the facts of its outline. What is missing: what refers to what.
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rpg.encoder.languages.outlined.outline import Named, Outline, OutlineLowering, OutlineRules

OUTLINE: Final = Outline(
    symbols={
        "package_statement": (Named("class", "block"), Named("type")),
        "subroutine_declaration_statement": (Named("function"),),
        "method_declaration_statement": (Named("function"),),
    },
    names=frozenset({"bareword", "package"}),
    documents=frozenset({"pod"}),
    imports=re.compile(rb"^\s*(?:use|require)\s+([A-Z][\w:]*)", re.MULTILINE),
)


class Rules(OutlineRules):
    separator = "::"
    suffixes = (".pm",)


class Lowering(OutlineLowering):
    outline: ClassVar[Outline] = OUTLINE
