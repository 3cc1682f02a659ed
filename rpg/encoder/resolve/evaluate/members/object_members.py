"""What every object gets from the language: its name, its attribute table, its constructor.

In: a value that has no member of that name in the repository. Out: what the language's own member is. Classes that
define such a member themselves are searched first, in members.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder.languages.results import MAKER as GIVES_MAKER
from rpg.encoder.languages.results import TABLE as GIVES_TABLE
from rpg.encoder.languages.results import TEXT as GIVES_TEXT
from rpg.encoder.resolve.values.values import (
    CLASS,
    CONTAINER,
    EXTERNAL,
    FILE,
    FUNC,
    INHERITED,
    INST,
    KIND,
    LITERAL_AT,
    METHOD_NAME,
    METHOD_OF,
    MODULE,
    MODULE_PATH,
    OF_VALUE,
    OWN_NAME,
    PARENT,
    PRIMITIVE,
    RECEIVER,
    SYMBOL,
    TEXT,
    Value,
    Values,
)

if TYPE_CHECKING:
    from rpg.encoder.languages import Rules
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.types.classes import Classes
    from rpg.encoder.resolve.evaluate.types.member_lookup import MemberLookup
    from rpg.encoder.resolve.program.source_file import SourceFile

_MOST_BELOW: Final = 5_000
"""Subclasses of one class in whose order siblings are looked for."""
TOO_MANY_BELOW: Final = f"a class that calls `super()` has more than {_MOST_BELOW} subclasses"
_BORN_WITH: Final = frozenset({INST, CLASS, FUNC, PARENT})
_CLOSED: Final = frozenset({"list", "dict", "tuple"})
_CLOSED_TYPES: Final = frozenset({"str", "int"})
"""Containers and types that the evaluator makes itself and all of whose members are known."""


class ObjectMembers:
    def __init__(self, evaluator: Context, member_lookup: MemberLookup, classes: Classes) -> None:
        self.evaluator = evaluator
        self.member_lookup = member_lookup
        self.classes = classes

    def is_of_any_object(self, value: Value, name: str) -> bool:
        """Whether the language itself provides a member that no class of the repository does."""
        evaluator = self.evaluator
        kind: int = value[KIND]
        if kind == MODULE:
            file = evaluator.program.file_at(value[MODULE_PATH])
            return file is not None and name in file.rules.object_members
        return kind in _BORN_WITH and name in evaluator.files[value[FILE]].rules.object_members

    def means_siblings(self, parent: Value, name: str) -> bool:
        """Whether `super()` refers to siblings in the order of subclasses: in a class without bases, or where a sibling
        has the member that no base in the repository has."""
        evaluator = self.evaluator
        receiver = parent[RECEIVER]
        has_bases = bool(evaluator.files[parent[FILE]].facts.bases.get(parent[SYMBOL]))
        if not has_bases and not self.classes.order(receiver[FILE], receiver[SYMBOL]).external:
            return True
        return bool(self.sibling_members(parent, name))

    def sibling_members(self, parent: Value, name: str) -> list[tuple[int, int]]:
        """What `super()` finds in the order of subclasses, which may have more bases than the method's own class."""
        evaluator = self.evaluator
        classes = self.classes
        receiver = parent[RECEIVER]
        found: dict[tuple[int, int], None] = {}
        subclasses = classes.subclasses.get(receiver[FILE : SYMBOL + 1], ())
        if len(subclasses) > _MOST_BELOW:
            evaluator.limit(evaluator.files[receiver[FILE]], TOO_MANY_BELOW)
            subclasses = subclasses[:_MOST_BELOW]
        for below in subclasses:
            if len(classes.bases(*below)[0]) < 2:
                # Its order has no siblings but those in the orders of its base.
                continue
            hit = self.member_lookup.find(*below, name, (parent[FILE], parent[SYMBOL]))
            for definition in hit.definitions if hit is not None else ():
                found[definition] = None
        return sorted(found)

    def value_of(self, value: Value, name: str) -> Values:
        """What the language's own member holds; empty if there is none or its value is unknown."""
        evaluator = self.evaluator
        what = evaluator.files[value[FILE]].rules.protocols.given.get(name) if value[KIND] in _BORN_WITH else None
        if what == GIVES_MAKER:
            return ((EXTERNAL, f"object.{name}"),)
        if what == GIVES_TABLE:
            return ((CONTAINER, "dict", (((PRIMITIVE, "str"),), ())),)
        return ((PRIMITIVE, "str"),) if what == GIVES_TEXT else ()

    def made(self, file: SourceFile, e: int, keyword: str) -> Values:
        """An instance of the class passed to a function of the library (`object.__new__(cls)`)."""
        evaluator = self.evaluator
        kinds = evaluator.argument(file, e, 0, keyword)
        return tuple((INST, *value[FILE:]) for value in kinds if value[KIND] == CLASS)


def may_lack(rules: Rules, value: Value, name: str, call: bool) -> bool:
    """Whether a value from outside the repository may lack a member that the repository has: a library may return what
    it was passed, and a builtin type has only its own members. The member then belongs to something unknown."""
    kind: int = value[KIND]
    if kind == EXTERNAL:
        origin: str = value[OWN_NAME]
        if origin.removesuffix("()") in rules.types.of_everything:
            # What is read of it is a member of what it is tested for.
            return name not in rules.object_members
        if origin.startswith(INHERITED) and "(" not in origin:
            # What a base outside the repository stores may have been passed to it.
            return call
        return rules.may_give_back(origin, call)
    if kind == METHOD_OF:
        return value[METHOD_NAME] not in rules.builtin_members and may_lack(
            rules, value[OF_VALUE], value[METHOD_NAME], False
        )
    is_ours = is_closed(rules, value) or (call and rules.extensions not in ("none", "traits"))
    return is_ours and name not in rules.object_members


def is_closed(rules: Rules, value: Value) -> bool:
    """Whether a value is of a builtin type all of whose members are known."""
    kind: int = value[KIND]
    return bool(
        kind in (LITERAL_AT, TEXT)
        or (kind == CONTAINER and value[OWN_NAME] in _CLOSED)
        or (kind == PRIMITIVE and (value[OWN_NAME] in _CLOSED_TYPES or value[OWN_NAME] in rules.types.closed))
    )
