"""Solidity: contracts with their members, and the files that a file imports.

In: a syntax tree. Out: the facts of its outline. What is missing: what refers to what, inheritance.
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rpg.encoder.languages.outlined.outline import Named, Outline, OutlineLowering, OutlineRules

OUTLINE: Final = Outline(
    symbols={
        "contract_declaration": (Named("class"),),
        "interface_declaration": (Named("interface"),),
        "library_declaration": (Named("class"),),
        "struct_declaration": (Named("struct"),),
        "enum_declaration": (Named("enum"),),
        "event_definition": (Named("type"),),
        "error_declaration": (Named("type"),),
        "modifier_definition": (Named("function"),),
        "function_definition": (Named("function"),),
        "state_variable_declaration": (Named("field"),),
        "constant_variable_declaration": (Named("constant"),),
    },
    closed=frozenset({"function_body"}),
    imports=re.compile(rb"^\s*import\s+[^;\"\x27]*[\"\x27]([^\"\x27\n]+)[\"\x27]", re.MULTILINE),
)


class Rules(OutlineRules):
    pass


class Lowering(OutlineLowering):
    outline: ClassVar[Outline] = OUTLINE
