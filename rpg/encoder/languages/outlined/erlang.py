"""Erlang: functions with all their clauses, records, types, macros, and the headers that a file includes.

In: a syntax tree. Out: the facts of its outline. What is missing: what refers to what.
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rpg.encoder.languages.outlined.outline import Named, Outline, OutlineLowering, OutlineRules

OUTLINE: Final = Outline(
    symbols={
        "fun_decl": (Named("function", name=":atom"),),
        "record_decl": (Named("struct"),),
        "type_alias": (Named("type", name=":atom"),),
        "opaque": (Named("type", name=":atom"),),
        "callback": (Named("function", name="fun"),),
        "pp_define": (Named("constant", name=":var"),),
    },
    closed=frozenset({"clause_body"}),
    joined=frozenset({"fun_decl"}),
    imports=re.compile(rb"^-include(?:_lib)?\(\"([^\"\n]+)\"\)", re.MULTILINE),
)


class Rules(OutlineRules):
    pass


class Lowering(OutlineLowering):
    outline: ClassVar[Outline] = OUTLINE
