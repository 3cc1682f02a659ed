"""R: functions, constants, and the files that a file sources.

In: a syntax tree. Out: the facts of its outline. What is missing: what refers to what.
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rpg.encoder.languages.outlined.outline import Named, Outline, OutlineLowering, OutlineRules

OUTLINE: Final = Outline(
    symbols={
        "binary_operator": (Named("function", "function_definition", "lhs"), Named("constant", name="lhs")),
    },
    closed=frozenset({"function_definition", "arguments", "braced_expression"}),
    imports=re.compile(rb"^\s*source\([\"\x27]([^\"\x27\n]+)[\"\x27]", re.MULTILINE),
)


class Rules(OutlineRules):
    pass


class Lowering(OutlineLowering):
    outline: ClassVar[Outline] = OUTLINE
