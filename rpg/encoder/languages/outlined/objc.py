"""Objective-C: classes, protocols, methods, properties, functions and macros, and the headers that a file imports.

In: a syntax tree. Out: the facts of its outline. What is missing: what refers to what.
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rpg.encoder.languages.outlined.outline import Named, Outline, OutlineLowering, OutlineRules

OUTLINE: Final = Outline(
    symbols={
        "class_interface": (Named("class"),),
        "category_interface": (Named("class"),),
        "class_implementation": (Named("class"),),
        "category_implementation": (Named("class"),),
        "protocol_declaration": (Named("interface"),),
        "method_declaration": (Named("function"),),
        "method_definition": (Named("function"),),
        "property_declaration": (Named("field", "struct_declarator", ":struct_declarator"),),
        "function_definition": (Named("function", "function_declarator", ":function_declarator:identifier"),),
        "type_definition": (Named("type", name="declarator"),),
        "preproc_def": (Named("constant"),),
        "preproc_function_def": (Named("constant"),),
    },
    closed=frozenset({"compound_statement"}),
    imports=re.compile(rb"^\s*#\s*(?:import|include)\s+\"([^\"\n]+)\"", re.MULTILINE),
)


class Rules(OutlineRules):
    pass


class Lowering(OutlineLowering):
    outline: ClassVar[Outline] = OUTLINE
