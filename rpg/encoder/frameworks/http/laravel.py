"""Routes of Laravel: calls of the `Route` facade, the groups around them, and resources.

In: a file (`Source`). Out: rows. The routes of a file are one router, which a group of another file may mount; the
methods of controllers are rows too, as routes may name them in text, `CartController@show`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.frameworks.http.resources import OF_LARAVEL, singular
from rpg.encoder.frameworks.named.grpc import ACTION, BASE
from rpg.encoder.frameworks.rows import ANY, Handler, Mount, Route, Router
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import SAID, Argument, Text, items

NAME: Final = "Laravel"
_AS: Final = re.compile(r"['\"]as['\"]\s*=>\s*['\"]([^'\"]*)['\"]")
OF_FILE: Final = "#laravel"
"""Ends the key of a file's routes."""
_VERBS: Final = {**{word: word.upper() for word in "get post put patch delete options".split()}, "any": ANY}
_ALL: Final = frozenset(each.name for each in OF_LARAVEL)
_RESOURCES: Final = {"resource": _ALL, "apiResource": _ALL - {"create", "edit"}}
_BEHIND: Final = ("only", "except", "name", "as", "names", "where", "middleware", "withoutMiddleware", "parameters")
"""What may be called on a route."""
_WORDS: Final = frozenset([*_VERBS, *_RESOURCES, "match", "group", *_BEHIND])
_PREFIX: Final = re.compile(r"['\"]prefix['\"]\s*=>\s*(['\"][^'\"]*['\"])")
_FILE: Final = re.compile(r"['\"]/?(?:\.\./)*((?:[\w.-]+/)*[\w.-]+\.php)['\"]")
_ROUTING: Final = re.compile(r"\b(?P<what>web|api):\s*[^,]*?['\"]/?(?:\.\./)*(?P<file>(?:[\w.-]+/)*[\w.-]+\.php)['\"]")
_API_PREFIX: Final = re.compile(r"\bapiPrefix:\s*['\"]([^'\"]*)['\"]")
_CLASS: Final = re.compile(r"\\?(?:\w+\\)*(\w+)::class\b")
_ACTION: Final = re.compile(r"['\"](\w+)['\"]\s*\]?$")
_WRITTEN: Final = re.compile(r"^['\"]\\?((?:\w+\\)*\w+@\w+)['\"]$")
_CONTROLLER: Final = re.compile(r"(?:^|/)Controllers/.*\.php$")
_OWN_FOLDER: Final = re.compile(r"(?:^|(?<=/))(?:app|bootstrap)/.*$")


class _Group(NamedTuple):
    start: int
    end: int
    prefix: Text
    controller: Argument | None
    name: str
    """In front of the names of the routes inside."""


def laravel_rows(source: Source) -> Iterator[Route | Router | Mount | Handler]:
    if source.language != "php":
        return
    if _CONTROLLER.search(source.path):
        yield from _actions(source)
    if "Route::" in source.text or "withRouting(" in source.text:
        yield from _Routes(source).rows()


def _actions(source: Source) -> Iterator[Handler]:
    """The methods of controllers, by the names that routes write."""
    definitions = source.facts.definitions
    for number, each in enumerate(definitions):
        if each.kind == "method" and each.parent > 0 and "private" not in each.modifiers:
            name = f"{definitions[each.parent].name}@{each.name}"
            yield Handler(NAME, ACTION, ((SAID, name),), source.symbol(number), each.start_line)
    for edge in source.file.edges:
        number = source.numbers.get(edge.source, -1)
        if edge.kind in ("inherits", "implements") and number >= 0 and "::" in edge.target:
            name = f"{definitions[number].name}@"
            yield Handler(NAME, BASE, ((SAID, name),), edge.target, definitions[number].start_line)


class _Routes:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.groups: list[_Group] = []
        """The outer ones first."""

    def rows(self) -> Iterator[Route | Router | Mount]:
        source = self.source
        key = f"{source.path}{OF_FILE}"
        yield Router(key, "", (), False)
        root = _OWN_FOLDER.sub("", source.path)
        if "withRouting(" in source.text:
            stated = _API_PREFIX.search(source.text)
            for found in _ROUTING.finditer(source.text):
                path = (stated[1] if stated else "api") if found["what"] == "api" else ""
                yield Mount(f"{root}{found['file']}{OF_FILE}", "#", ((SAID, path),))
        chains = {call: chain for call, _ in source.calls if (chain := self._chain(call))}
        read: list[tuple[int, str, Text]] = []
        for call, chain in chains.items():
            if self._name(call) == "group":
                read += self._grouped(call, chain)
        self.groups.sort(key=lambda each: each.start)
        for call, path, prefix in read:
            yield Mount(f"{root}{path}{OF_FILE}", "#", _join(self._around(call)[0], prefix))
        later: dict[int, list[int]] = {}
        for chain in sorted(chains.values(), key=len):
            for at, each in enumerate(chain):
                later[each] = chain[at + 1 :]
        for call, chain in chains.items():
            yield from self._routes(call, chain, key, later.get(call, []))

    def _chain(self, call: int) -> list[int]:
        """A call on the facade, and those that it is chained to, the first first."""
        code = self.source.code
        if self._name(call) not in _WORDS:
            return []
        found: list[int] = []
        at = call
        while code[at] == op.CALL and code[code[at + op.CALLEE]] in (op.ATTRIBUTE, op.PATH):
            found.append(at)
            at = code[code[at + op.CALLEE] + op.HOLDER]
        is_facade = code[at] == op.NAME and self.source.name_of(at).rpartition("\\")[2] == "Route"
        return found[::-1] if is_facade else []

    def _name(self, call: int) -> str:
        return self.source.name_of(self.source.code[call + op.CALLEE])

    def _grouped(self, call: int, chain: list[int]) -> Iterator[tuple[int, str, Text]]:
        source, code = self.source, self.source.code
        arguments = source.arguments(call)
        prefix, controller = self._stated(chain[:-1])
        if arguments and arguments[0].text.startswith(("[", "array")):
            stated = _PREFIX.search(arguments[0].text)
            if stated is not None:
                at = arguments[0].start + stated.start(1)
                prefix = _join(prefix, source.said(at, stated[1], 0))
        values = [
            code[at + 1]
            for at in range(call + op.KEYWORDS, call + op.KEYWORDS + 2 * code[call + op.ARGUMENT_COUNT], 2)
            if code[at + 1]
        ]
        scopes = [code[each + op.SCOPE] for each in values if code[each] == op.FUNCTION]
        if scopes:
            scope = source.facts.scopes[scopes[-1]]
            name = self._named(chain[:-1])
            if arguments[0].text.startswith(("[", "array")) and (stated := _AS.search(arguments[0].text)) is not None:
                name += stated[1]
            self.groups.append(_Group(scope.start_byte, scope.end_byte, prefix, controller, name))
        elif arguments and (file := _FILE.search(arguments[-1].text)) is not None:
            yield call, file[1], prefix

    def _stated(self, chain: list[int]) -> tuple[Text, Argument | None]:
        """The prefix and the controller that calls before a group or a route state."""
        prefix: Text = ()
        controller = None
        for each in chain:
            arguments = self.source.arguments(each)
            if arguments and self._name(each) == "prefix":
                prefix = _join(prefix, self.source.said(arguments[0].start, arguments[0].text, 0))
            elif arguments and self._name(each) == "controller":
                controller = arguments[0]
        return prefix, controller

    def _named(self, chain: list[int]) -> str:
        """The name that calls of a chain give."""
        found = ""
        for each in chain:
            arguments = self.source.arguments(each)
            if arguments and self._name(each) in ("name", "as"):
                found += arguments[0].text.strip("\"'")
        return found

    def _name_around(self, call: int) -> str:
        byte = self.source.code[self.source.code[call + op.CALLEE] + op.BYTE]
        return "".join(each.name for each in self.groups if each.start <= byte < each.end)

    def _around(self, call: int) -> tuple[Text, Argument | None]:
        prefix: Text = ()
        controller = None
        byte = self.source.code[self.source.code[call + op.CALLEE] + op.BYTE]
        for each in self.groups:
            if each.start <= byte < each.end:
                prefix, controller = _join(prefix, each.prefix), each.controller or controller
        return prefix, controller

    def _routes(self, call: int, chain: list[int], key: str, later: list[int]) -> Iterator[Route]:
        source = self.source
        name, arguments = self._name(call), source.arguments(call)
        prefix, controller = self._around(call)
        own, own_controller = self._stated(chain[:-1])
        prefix, controller = _join(prefix, own), own_controller or controller
        if name in _RESOURCES and len(arguments) > 1:
            yield from self._resource(call, prefix, arguments, _RESOURCES[name], later, key)
            return
        methods = _VERBS.get(name, "")
        if name == "match" and len(arguments) > 1:
            methods = " ".join(each.text.strip("\"'").upper() for each in items(arguments[0], source.text))
            arguments = arguments[1:]
        if not methods or len(arguments) < 2:
            return
        path = _join(prefix, source.said(arguments[0].start, arguments[0].text, 0))
        handler = self._handler(arguments[1], controller)
        line = source.line(source.code[source.code[call + op.CALLEE] + op.BYTE])
        own_name = self._named([*chain[:-1], *later])
        name = f"{self._name_around(call)}{own_name}" if own_name else ""
        yield Route(NAME, key, methods, path, handler or source.path, line, bool(handler), name)

    def _resource(
        self, call: int, prefix: Text, arguments: list[Argument], actions: frozenset[str], later: list[int], key: str
    ) -> Iterator[Route]:
        source = self.source
        for each in later:
            named = {
                item.text.strip("\"'") for argument in source.arguments(each) for item in items(argument, source.text)
            }
            if self._name(each) == "only":
                actions &= named
            elif self._name(each) == "except":
                actions -= named
        for name, named in _limits(arguments[2:], source.text):
            actions = actions & named if name == "only" else actions - named
        said = source.said(arguments[0].start, arguments[0].text, 0)
        if len(said) != 1 or said[0][0] != SAID:
            return
        names = said[0][1].strip("/").split(".")
        above = "/".join(f"{name}/{{{singular(name.replace('-', '_'))}}}" for name in names[:-1])
        whole = _join(prefix, ((SAID, f"{above}/{names[-1]}".lstrip("/")),))
        one = _join(whole, ((SAID, f"{{{singular(names[-1].rpartition('/')[2].replace('-', '_'))}}}"),))
        line = source.line(source.code[source.code[call + op.CALLEE] + op.BYTE])
        of = f"{self._name_around(call)}{said[0][1].strip('/')}"
        for action in OF_LARAVEL:
            handler = self._method(arguments[1], action.name) if action.name in actions else ""
            if handler:
                path = _join(one if action.is_of_one else whole, ((SAID, action.behind),) if action.behind else ())
                yield Route(NAME, key, action.methods, path, handler, line, True, f"{of}.{action.name}")

    def _handler(self, argument: Argument, controller: Argument | None) -> str:
        action = _ACTION.search(argument.text)
        if _CLASS.search(argument.text):
            return self._method(argument, action[1] if action is not None else "__invoke")
        written = _WRITTEN.match(argument.text)
        if written is not None:
            return f"{ACTION}:{written[1]}"
        return self._method(controller, action[1]) if controller is not None and action is not None else ""

    def _method(self, argument: Argument, name: str) -> str:
        """The name of a controller's method, as its file states it."""
        found = _CLASS.search(argument.text)
        target = self.source.target_at(argument.start + found.start(1)) if found is not None else ""
        path, _, qualified = target.partition("::")
        if qualified:
            return f"{ACTION}:{path.removesuffix('.php').replace('/', chr(92))}@{name}"
        written = re.match(r"['\"]\\?((?:\w+\\)*\w+)['\"]$", argument.text)
        of_class = found[1] if found is not None else written[1] if written is not None else ""
        return f"{ACTION}:{of_class}@{name}" if of_class else ""


def _limits(options: list[Argument], text: str) -> Iterator[tuple[str, set[str]]]:
    """`['only' => ['index', 'show']]`"""
    for option in options:
        for each in items(option, text):
            if each.keyword in ("only", "except"):
                yield each.keyword, {item.text.strip("\"'") for item in items(each, text)}


def _join(prefix: Text, path: Text) -> Text:
    if not prefix or not path:
        return prefix or path
    return (*prefix, (SAID, "/"), *path)
