"""Which field a selection means: the types of the fields above it lead to its own.

In: what all files declare. Out: the name of a field in rows, empty if a type on the way is not known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rpg.encoder.frameworks.graphql.words import FIELD, ROOTS, key_of, plain
from rpg.encoder.frameworks.rows import Setting

Declared = Mapping[tuple[str, str], Sequence[tuple[Setting, str]]]
_OF_CONNECTION: Final = frozenset({"edges", "node", "nodes"})
"""The fields that a connection has around those of its type, where code declares only that."""


def find_selected(declared: Declared, selection: str, near: str) -> str:
    """`selection` from a type down, `query/user/email`; `near`: the path of the file that selects."""
    root, *fields = selection.split("/")
    type = root
    if root in ROOTS:
        type = _type_of(declared, f"schema.{root}", near) or root
    for field in fields[:-1]:
        of = _type_of(declared, key_of(type, field), near)
        if not of and field in _OF_CONNECTION and (FIELD, plain(type)) in declared:
            of = type
        if not of:
            return ""
        type = of
    return key_of(type, fields[-1])


def _type_of(declared: Declared, key: str, near: str) -> str:
    found = declared.get((FIELD, key), ())
    types = {setting.of for setting, _ in found if setting.of}
    if len(types) > 1:
        folder = near.partition("/")[0]
        types = {setting.of for setting, path in found if setting.of and path.partition("/")[0] == folder}
    return types.pop() if len(types) == 1 else ""
