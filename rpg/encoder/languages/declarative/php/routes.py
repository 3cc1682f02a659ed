"""Routes of a Laravel application: which method of which controller answers a request.

In: calls on the facade `Route`. Out: references to methods: those of `Route::resource` that exist, and `__invoke` where
a route names just the class. `[Photos::class, 'show']` is a method anywhere and none of this file's business.

Absent: controllers that are named in strings (`'Photos@show'`), routes of packages.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rpg.encoder.facts import OFFERED
from rpg.encoder.languages.declarative.php.callables import method_named
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

FACADE: Final = "Illuminate\\Support\\Facades\\Route"
_VERBS: Final = frozenset(("any", "delete", "fallback", "get", "match", "options", "patch", "post", "put"))
_OF_API: Final = ("index", "store", "show", "update", "destroy")
_OF_ONE: Final = ("show", "edit", "update")
_RESOURCES: Final[dict[str, tuple[str, ...]]] = {
    "resource": (*_OF_API, "create", "edit"),
    "resources": (*_OF_API, "create", "edit"),
    "apiResource": _OF_API,
    "apiResources": _OF_API,
    "singleton": _OF_ONE,
    "singletons": _OF_ONE,
    "apiSingleton": ("show", "update"),
    "apiSingletons": ("show", "update"),
}
_INVOKED: Final = ("__invoke",)
_CALLS: Final = frozenset(("member_call_expression", "scoped_call_expression"))


def routes(walker: DeclarativeWalker, node: Node) -> None:
    """What a call on the facade registers; `Route::middleware("auth")->get("photos", Photos::class)` is one, too."""
    name, arguments = node.child_by_field_name("name"), node.child_by_field_name("arguments")
    text = walker.source_of(name) if name is not None else ""
    if arguments is None or not (text in _VERBS or text in _RESOURCES) or not _is_of_facade(walker, node):
        return
    actions = _chosen(walker, node, _RESOURCES[text]) if text in _RESOURCES else _INVOKED
    for controller in _controllers(walker, arguments):
        byte = controller.start_byte
        value = walker.walk(controller)
        walker.drop_site(value)
        for action in actions:
            method_named(walker, value, action, byte, OFFERED)


def _is_of_facade(walker: DeclarativeWalker, node: Node) -> bool:
    begin: Node | None = node
    while begin is not None and begin.type == "member_call_expression":
        begin = begin.child_by_field_name("object")
    scope = begin.child_by_field_name("scope") if begin is not None and begin.type in _CALLS else None
    return scope is not None and walker.source_of(scope).lstrip("\\") in ("Route", FACADE)


def _controllers(walker: DeclarativeWalker, arguments: Node) -> Iterator[Node]:
    """The classes that stand among the arguments, or in a table of them."""
    for argument in arguments.named_children:
        for value in argument.named_children[-1:]:
            if value.type != "array_creation_expression":
                yield from _class_of(walker, value)
                continue
            for element in value.named_children:
                if element.named_child_count == 2:
                    yield from _class_of(walker, element.named_children[1])


def _class_of(walker: DeclarativeWalker, node: Node) -> Iterator[Node]:
    """`Photos::class`"""
    parts = node.named_children if node.type == "class_constant_access_expression" else []
    if len(parts) == 2 and walker.source_of(parts[1]) == "class":
        yield parts[0]


def _chosen(walker: DeclarativeWalker, node: Node, actions: tuple[str, ...]) -> tuple[str, ...]:
    """What `->only("index")` and `->except(["show", "update"])` behind the call leave of its actions."""
    around = node.parent
    while around is not None and around.type == "member_call_expression":
        name, arguments = around.child_by_field_name("name"), around.child_by_field_name("arguments")
        text = walker.source_of(name) if name is not None else ""
        if text in ("only", "except") and arguments is not None:
            named = {walker.source_of(each) for each in _texts(arguments)}
            actions = tuple(each for each in actions if (each in named) == (text == "only"))
        around = around.parent
    return actions


def _texts(node: Node) -> Iterator[Node]:
    """The contents of the strings in a list of arguments."""
    for child in node.named_children:
        if child.type == "string_content":
            yield child
        else:
            yield from _texts(child)
