"""Julia: modules, types, functions, macros and constants, and the files that a file includes.

In: a syntax tree. Out: the facts of its outline. What is missing: what refers to what.
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rpg.encoder.languages.outlined.outline import Named, Outline, OutlineLowering, OutlineRules

OUTLINE: Final = Outline(
    symbols={
        "module_definition": (Named("class"),),
        "abstract_definition": (Named("type"),),
        "primitive_definition": (Named("type"),),
        "struct_definition": (Named("struct"),),
        "function_definition": (Named("function"),),
        "macro_definition": (Named("function"),),
        "assignment": (Named("function", "argument_list"),),
        "const_statement": (Named("constant"),),
    },
    comments=frozenset({"line_comment", "block_comment"}),
    documents=frozenset({"string_literal"}),
    joined=frozenset({"function_definition", "assignment"}),
    imports=re.compile(rb"^\s*include\(\"([^\"\n]+)\"\)", re.MULTILINE),
)


class Rules(OutlineRules):
    pass


class Lowering(OutlineLowering):
    outline: ClassVar[Outline] = OUTLINE
