"""OCaml: modules, types, values, classes and externals, and the modules that a file opens.

In: a syntax tree. Out: the facts of its outline. What is missing: what refers to what.
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rpg.encoder.languages.outlined.outline import Named, Outline, OutlineLowering, OutlineRules

OUTLINE: Final = Outline(
    symbols={
        "module_definition": (Named("class", name=":module_name"),),
        "module_type_definition": (Named("interface", name=":module_type_name"),),
        "type_definition": (Named("type", name=":type_constructor"),),
        "exception_definition": (Named("class", name=":constructor_name"),),
        "value_definition": (Named("function", "value_name", ":value_name"),),
        "value_specification": (Named("function", name=":value_name"),),
        "external": (Named("function", name=":value_name"),),
        "class_definition": (Named("class", name=":class_name"),),
        "method_definition": (Named("function", name=":method_name"),),
    },
    closed=frozenset({"let_expression", "match_expression", "fun_expression", "function_expression"}),
    imports=re.compile(rb"^\s*(?:open|include)!?\s+([A-Z]\w*)", re.MULTILINE),
)


class Rules(OutlineRules):
    suffixes = (".ml", ".mli")

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None:
        return super().module(importer, module, level) or super().module(
            importer, module[:1].lower() + module[1:], level
        )


class Lowering(OutlineLowering):
    outline: ClassVar[Outline] = OUTLINE
