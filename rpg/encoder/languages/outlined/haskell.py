"""Haskell: types, classes with their members, functions, and the modules that a file imports.

In: a syntax tree. Out: the facts of its outline. What is missing: what refers to what, instances as symbols.
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rpg.encoder.languages.outlined.outline import Named, Outline, OutlineLowering, OutlineRules

OUTLINE: Final = Outline(
    symbols={
        "data_type": (Named("class"),),
        "newtype": (Named("class"),),
        "type_synomym": (Named("type"),),
        "type_family": (Named("type"),),
        "data_family": (Named("type"),),
        "class": (Named("interface"),),
        "pattern_synonym": (Named("constant", name=":constructor"),),
        "signature": (Named("function"),),
        "function": (Named("function"),),
        "bind": (Named("function"),),
        "foreign_import": (Named("function", "signature", ":variable"),),
    },
    names=frozenset({"name", "variable", "prefix_id"}),
    comments=frozenset({"comment", "haddock"}),
    closed=frozenset(
        {"newtype_constructor", "match", "local_binds", "data_constructors", "instance_declarations", "expression"}
    ),
    joined=frozenset({"signature", "function", "bind"}),
    imports=re.compile(rb"^import\s+(?:safe\s+)?(?:qualified\s+)?([A-Z][\w.]*)", re.MULTILINE),
)


class Rules(OutlineRules):
    separator = "."
    suffixes = (".hs",)


class Lowering(OutlineLowering):
    outline: ClassVar[Outline] = OUTLINE
