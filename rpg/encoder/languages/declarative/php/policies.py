"""Policies of a Laravel application: which method decides whether a user may do something.

In: calls that ask (`$this->authorize('update', $photo)`). Out: references to the method of the policy that Laravel
finds for the class of what is asked about: the class that the parameter declares, else the one that the variable is
called after.

Absent: policies with names or namespaces of their own, middleware.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import OFFERED, Import
from rpg.encoder.languages.declarative.php.callables import STRINGS, method_named, values_of
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

_NAMESPACE: Final = "App\\Policies"
_ASKING: Final = frozenset(
    ("allows", "any", "authorize", "authorizeForUser", "can", "cannot", "cant", "check", "denies", "inspect", "none")
)
_ABILITY: Final = re.compile(r"[a-z][\w-]*")
_WORDS: Final = re.compile(r"[-_]+(\w)")
_FUNCTIONS: Final = frozenset(
    ("anonymous_function", "arrow_function", "function_definition", "method_declaration", "program")
)


def policy(walker: DeclarativeWalker, node: Node) -> None:
    """The method that a call asks, if it asks one."""
    name, arguments = node.child_by_field_name("name"), node.child_by_field_name("arguments")
    if name is None or arguments is None or walker.source_of(name) not in _ASKING:
        return
    values = values_of(arguments)
    at = next((at for at, value in enumerate(values[:2]) if value.type in STRINGS), -1)
    if at >= 0 and len(values) > at + 1:
        name_policy_method(walker, values[at], values[at + 1])


def name_policy_method(walker: DeclarativeWalker, named: Node, about: Node) -> None:
    """The method that decides about an ability."""
    if named.type not in STRINGS or named.named_child_count != 1:
        return
    content = named.named_children[0]
    ability, subject = walker.source_of(content), _class_asked_about(walker, about)
    if not subject or not _ABILITY.fullmatch(ability):
        return
    byte = content.start_byte
    walker.imports.append(Import(_NAMESPACE, 0, byte, 0, "parent", (f"{subject}Policy",)))
    holder = walker.emit(op.IMPORTED, byte, len(walker.imports) - 1, walker.string(f"{subject}Policy"))
    method = _WORDS.sub(lambda found: found[1].upper(), ability)
    method_named(walker, holder, method, byte, OFFERED)


def _class_asked_about(walker: DeclarativeWalker, value: Node) -> str:
    """The last part of a class's name: of `Photo::class`, of a declared parameter, of a variable."""
    if value.type == "class_constant_access_expression" and value.named_child_count == 2:
        return walker.source_of(value.named_children[0]).rpartition("\\")[2]
    if value.type != "variable_name":
        return ""
    variable = walker.source_of(value)
    around = value.parent
    while around is not None:
        parameters = around.child_by_field_name("parameters") if around.type in _FUNCTIONS else None
        for each in parameters.named_children if parameters is not None else ():
            name, typed = each.child_by_field_name("name"), each.child_by_field_name("type")
            if name is not None and typed is not None and walker.source_of(name) == variable:
                return walker.source_of(typed).lstrip("?").rpartition("\\")[2]
        around = around.parent
    stem = variable.lstrip("$")
    return stem[:1].upper() + _WORDS.sub(lambda found: found[1].upper(), stem[1:])
