"""Routes of a Rails application: which method of which controller answers a request.

In: `config/routes.rb` and the files in `config/routes/`. Out: references to methods: `"home#index"`, `to:`,
`controller:` with `action:`, and those of `resources` that exist; and to the classes of these. The controller is what
the name says, in the namespaces around.

Absent: concerns, routes of engines, names of routes (`story_path`).
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import OFFERED, READ
from rpg.encoder.languages.declarative.ruby.arguments import (
    Option,
    block_of,
    constant_named,
    names_in,
    option,
    options_of,
    positional,
    read_literal,
)
from rpg.encoder.languages.declarative.ruby.inflection import constants, plural
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

_FILE: Final = re.compile(r"(?:.*/)?config/routes(?:\.rb|/.*\.rb)")
_ROUTE: Final = re.compile(r"([\w/]*)#(\w+)")
_PATH: Final = re.compile(r"/?((?:\w+/)*\w+)/(\w+)")
_WORD: Final = re.compile(r"\w+")
_VERBS: Final = frozenset(("delete", "get", "head", "match", "options", "patch", "post", "put", "root"))
_AROUND: Final = frozenset(
    ("begin", "block_body", "body_statement", "else", "elsif", "if", "if_modifier", "then", "unless", "unless_modifier")
)
_MANY: Final = ("index", "new", "create", "show", "edit", "update", "destroy")
_ONE: Final = _MANY[1:]


class Around(NamedTuple):
    """What the blocks around a route say."""

    spaces: tuple[str, ...] = ()
    """Namespaces of controllers, `Admin`."""
    controller: str = ""
    """As written, `stories`; empty if a route must say which."""


def has_routes(path: str) -> bool:
    return _FILE.fullmatch(path) is not None


def routes(walker: DeclarativeWalker, node: Node, around: Around) -> None:
    """All routes in a node."""
    if node.type != "call":
        if node.type in _AROUND:
            for child in node.named_children:
                routes(walker, child, around)
        else:
            walker.walk(node)
        return
    method, receiver = node.child_by_field_name("method"), node.child_by_field_name("receiver")
    arguments = node.child_by_field_name("arguments")
    text = walker.source_of(method) if method is not None and receiver is None else ""
    options = options_of(walker, arguments)
    if text in ("resources", "resource"):
        resources(walker, node, arguments, options, around, text == "resources")
        return
    if text in _VERBS:
        verb(walker, arguments, options, around, text)
    else:
        for each in (receiver, arguments):
            if each is not None:
                walker.walk(each)
        around = build_inner_context(walker, text, arguments, options, around)
    block = block_of(node)
    if block is not None:
        routes_in(walker, block, around)


def routes_in(walker: DeclarativeWalker, block: Node, around: Around) -> None:
    body = block.child_by_field_name("body")
    for child in (body if body is not None else block).named_children:
        routes(walker, child, around)


def build_inner_context(
    walker: DeclarativeWalker, text: str, arguments: Node | None, options: list[Option], around: Around
) -> Around:
    """What holds in the block of a call."""
    parts = positional(arguments)
    name = read_literal(walker, parts[0]) if parts else None
    module = read_literal(walker, option(options, "module"))
    spaces = around.spaces
    if text == "namespace" and name is not None:
        return Around((*spaces, *constants(module.text if module is not None else name.text)))
    if text == "scope":
        controller = read_literal(walker, option(options, "controller"))
        if module is not None:
            around = around._replace(spaces=(*spaces, *constants(module.text)))
        return around._replace(controller=controller.text) if controller is not None else around
    if text == "controller" and name is not None:
        return around._replace(controller=name.text)
    if text == "concern":
        return Around(spaces)
    return around


def resources(
    walker: DeclarativeWalker, node: Node, arguments: Node | None, options: list[Option], around: Around, is_many: bool
) -> None:
    """`resources :stories, only: [:index]` with the routes in its block."""
    module, named = read_literal(walker, option(options, "module")), read_literal(walker, option(options, "controller"))
    if module is not None:
        around = around._replace(spaces=(*around.spaces, *constants(module.text)))
    only, unless = option(options, "only"), option(options, "except")
    actions = list(_MANY if is_many else _ONE)
    if only is not None:
        chosen = [each.text for each in names_in(walker, only)]
        actions = [each for each in actions if each in chosen]
    elif unless is not None:
        left_out = [each.text for each in names_in(walker, unless)]
        actions = [each for each in actions if each not in left_out]
    for part in positional(arguments):
        name = read_literal(walker, part)
        if name is None:
            walker.walk(part)
            continue
        controller = named.text if named is not None else name.text if is_many else plural(name.text)
        here = around._replace(controller=controller)
        name_class(walker, here, controller, name.byte)
        for each in actions:
            refer(walker, here, controller, each, name.byte, OFFERED)
        block = block_of(node)
        if block is not None:
            routes_in(walker, block, here)


def verb(walker: DeclarativeWalker, arguments: Node | None, options: list[Option], around: Around, text: str) -> None:
    """`get "/path" => "home#index"`, `get "path", to: "home#index"`, `get :preview` in a resource, `root "a#b"`"""
    parts = positional(arguments)
    to, action = option(options, "to"), read_literal(walker, option(options, "action"))
    own_controller = read_literal(walker, option(options, "controller"))
    if own_controller is not None:
        around = around._replace(controller=own_controller.text)
        name_class(walker, around, own_controller.text, own_controller.byte)
    if text == "root" and parts and to is None:
        to = parts[0]
    if to is None and action is None and not parts and options:
        to = options[0].value  # the first is the path
    if to is not None:
        target = read_literal(walker, to)
        if target is None:
            walker.walk(to)
        elif "#" in target.text:
            found = _ROUTE.fullmatch(target.text)
            if found is not None:
                controller = found[1] or around.controller
                name_class(walker, around, found[1], target.byte + found[1].rfind("/") + 1)
                refer(walker, around, controller, found[2], target.byte + found.start(2), READ)
        elif to.type == "simple_symbol" and _WORD.fullmatch(target.text):
            refer(walker, around, around.controller, target.text, target.byte, READ)
    elif action is not None:
        refer(walker, around, around.controller, action.text, action.byte, READ)
    else:
        for part in parts:
            path = read_literal(walker, part)
            if path is None:
                walker.walk(part)
            elif _WORD.fullmatch(path.text):
                refer(walker, around, around.controller, path.text, path.byte, READ)
            elif not around.controller:
                found = _PATH.fullmatch(path.text)
                if found is not None:
                    refer(walker, around, found[1], found[2], path.byte + found.start(2), READ)


def name_class(walker: DeclarativeWalker, around: Around, controller: str, byte: int) -> None:
    """The class of a controller that is named there: it answers even where its base has the methods."""
    parts = [*around.spaces, *constants(controller)]
    if controller and all(part.isidentifier() for part in parts):
        parts[-1] += "Controller"
        walker.site(constant_named(walker, parts, byte), OFFERED)


def refer(walker: DeclarativeWalker, around: Around, controller: str, action: str, byte: int, role: int) -> None:
    """A method of a controller."""
    parts = [*around.spaces, *constants(controller)]
    if controller and all(part.isidentifier() for part in parts):
        parts[-1] += "Controller"
        holder = constant_named(walker, parts, byte)
        walker.site(walker.emit(op.ATTRIBUTE, byte, holder, walker.string(action)), role)
