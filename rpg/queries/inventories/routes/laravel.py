"""Routes of Laravel: calls of the `Route` facade, the groups around them, and resources with the methods of their
controllers.

In: files of PHP that name the facade. Out: entries, with the prefixes of the groups around and of the place that reads
the file. Arguments are read as the source writes them. A method that a resource's controller does not have is no route.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import line_and_column
from rpg.encoder.frameworks.http.resources import OF_LARAVEL, singular
from rpg.encoder.frameworks.http.servers import ANY
from rpg.queries.inventories.code_file import CodeFile, label
from rpg.queries.inventories.entry import Entry
from rpg.queries.inventories.reading import Code
from rpg.queries.inventories.routes.route_entry import route_entry
from rpg.queries.inventories.routes.routers import DEEPEST, join_paths
from rpg.queries.inventories.source_text import COMPUTED, Argument, arguments, evaluate_string, items
from rpg.stores.index.symbol_reads import list_paths_with_method

_FACADE = "Route"
_IMPORTED_AS = "Illuminate\\Support\\Facades\\Route"
VERBS = {
    **{word: word.upper() for word in "get post put patch delete options".split()},
    "any": ANY,
    "view": "GET",
    "redirect": ANY,
    "permanentRedirect": ANY,
}
"""Methods of the facade whose first argument is a path, and their HTTP methods."""
WITHOUT_HANDLER = frozenset({"view", "redirect", "permanentRedirect"})
_ALL = frozenset(each.name for each in OF_LARAVEL)
RESOURCES = {"resource": _ALL, "apiResource": _ALL - {"create", "edit"}}
"""Methods of the facade that register a resource -> the actions that it has."""
_PREFIX_OF_GROUP = re.compile(r"""['"]prefix['"]\s*=>\s*(['"][^'"]*['"])""")
_CLASS = re.compile(r"\\?(?:\w+\\)*(?P<name>\w+)::class\b")
_ACTION = re.compile(r"""['"](\w+)['"]\s*\]?$""")
_WRITTEN_ACTION = re.compile(r"""^['"](?:[\w\\]+\\)?(\w+)@(\w+)['"]$""")
_FILE = re.compile(r"""['"]/?(?:\.\./)*((?:[\w.-]+/)*[\w.-]+\.php)['"]""")
_VARIABLE = re.compile(r"\{\$[^{}]*\}|\$\w+")
_API_FILE = re.compile(r"""\bapi:\s*[^,]*?['"]/?(?:\.\./)*((?:[\w.-]+/)*[\w.-]+\.php)['"]""")
_API_PREFIX = re.compile(r"""\bapiPrefix:\s*['"]([^'"]*)['"]""")


class _Group(NamedTuple):
    start_byte: int
    end_byte: int
    prefix: str
    controller: Argument | None
    """The controller whose methods the routes inside name."""


def laravel_routes(code: Code) -> list[Entry]:
    files = [each for each in code.files_containing("Route::") if _uses_facade(each)]
    read = [_File(code, each) for each in files]
    mounted: dict[str, str] = {}
    for each in read:
        mounted.update(each.mounted)
    for file in code.files_containing("withRouting("):
        text = file.source.decode("utf-8", "replace")
        api, prefix = _API_FILE.search(text), _API_PREFIX.search(text)
        if api is not None:
            mounted.setdefault(api[1], prefix[1] if prefix is not None else "api")
    out: list[Entry] = []
    for each in read:
        above = next((prefix for path, prefix in mounted.items() if f"/{each.file.path}".endswith(f"/{path}")), "")
        out += each.entries(above)
    return out


def _uses_facade(file: CodeFile) -> bool:
    """Old applications name the facade in their files of routes without an import."""
    is_imported = any(each.module.lstrip("\\") == _IMPORTED_AS for each in file.facts.imports)
    return is_imported or ("routes/" in file.path and file.path.endswith(".php"))


class _File:
    """One file and the calls of the facade in it."""

    def __init__(self, code: Code, file: CodeFile) -> None:
        self.code = code
        self.file = file
        self.text = file.source.decode("utf-8", "replace")
        self.is_ascii = len(self.text) == len(file.source)
        self.chains = {call: chain for call, _ in file.calls if (chain := self.chain(call))}
        """For a call on the facade, it and the calls that it is chained to, the first first."""
        self.groups: list[_Group] = []
        """The outer ones first."""
        self.mounted: dict[str, str] = {}
        """Files of routes that a group reads -> its prefix."""
        reading: list[tuple[int, str, str]] = []
        for call, chain in self.chains.items():
            if self.name(call) == "group":
                reading += self.grouped(call, chain)
        self.groups.sort(key=lambda each: each.start_byte)
        for call, path, prefix in reading:
            self.mounted[path] = join_paths(self.around(call)[0], prefix)

    def chain(self, call: int) -> list[int]:
        code = self.file.code
        found: list[int] = []
        at = call
        while code[at] == op.CALL and code[code[at + op.CALLEE]] in (op.ATTRIBUTE, op.PATH):
            found.append(at)
            at = code[code[at + op.CALLEE] + op.HOLDER]
        is_facade = code[at] == op.NAME and self.file.member(at).rpartition("\\")[2] == _FACADE
        return found[::-1] if is_facade else []

    def name(self, call: int) -> str:
        return self.file.member(self.file.code[call + op.CALLEE])

    def arguments(self, call: int) -> list[Argument]:
        """The arguments of a call, with their places as bytes of the file."""
        byte = self.file.code[self.file.code[call + op.CALLEE] + op.BYTE]
        at = byte if self.is_ascii else len(self.file.source[:byte].decode("utf-8", "replace"))
        found = arguments(self.text, at)
        if self.is_ascii:
            return found
        return [each._replace(start=len(self.text[: each.start].encode())) for each in found]

    def grouped(self, call: int, chain: list[int]) -> Iterator[tuple[int, str, str]]:
        """Notes a group of the routes in a function; yields one of the routes in a file: the call, the file, and the
        group's own prefix."""
        arguments = self.arguments(call)
        prefix, controller = self.read_chain(chain[:-1])
        prefix_match = (
            _PREFIX_OF_GROUP.search(arguments[0].text)
            if arguments and arguments[0].text.startswith(("[", "array"))
            else None
        )
        if prefix_match is not None:
            prefix = join_paths(prefix, _string_value(prefix_match[1]))
        values = [each.value for each in self.file.arguments(call) if each.value]
        scopes = [self.file.code[each + op.SCOPE] for each in values if self.file.code[each] == op.FUNCTION]
        if scopes:
            scope = self.file.facts.scopes[scopes[-1]]
            self.groups.append(_Group(scope.start_byte, scope.end_byte, prefix, controller))
        elif arguments and (read := _FILE.search(arguments[-1].text)) is not None:
            yield call, read[1], prefix

    def read_chain(self, chain: list[int]) -> tuple[str, Argument | None]:
        """The prefix and the controller that calls before a group or a route state."""
        prefix, controller = "", None
        for each in chain:
            arguments = self.arguments(each)
            if arguments and self.name(each) == "prefix":
                prefix = join_paths(prefix, _string_value(arguments[0].text))
            elif arguments and self.name(each) == "controller":
                controller = arguments[0]
        return prefix, controller

    def around(self, call: int) -> tuple[str, Argument | None]:
        """The prefix and the controller of the groups around a call."""
        prefix, controller = "", None
        byte = self.file.code[self.file.code[call + op.CALLEE] + op.BYTE]
        for each in self.groups:
            if each.start_byte <= byte < each.end_byte:
                prefix = join_paths(prefix, each.prefix)
                controller = each.controller or controller
        return prefix, controller

    def entries(self, above: str) -> Iterator[Entry]:
        later: dict[int, list[int]] = {}
        """For a call on the facade, the calls that are chained to it."""
        for chain in sorted(self.chains.values(), key=len):
            for at, each in enumerate(chain):
                later[each] = chain[at + 1 :]
        for call, chain in self.chains.items():
            name, arguments = self.name(call), self.arguments(call)
            prefix, controller = self.around(call)
            own, own_controller = self.read_chain(chain[:-1])
            prefix = join_paths(above, join_paths(prefix, own))
            controller = own_controller or controller
            if name in RESOURCES and len(arguments) > 1:
                yield from self.resource(call, prefix, arguments, RESOURCES[name], later.get(call, []))
                continue
            if name == "match" and len(arguments) > 1:
                methods = " ".join(evaluate_string(each.text).upper() for each in items(arguments[0]))
                arguments = arguments[1:]
            elif name in VERBS and arguments:
                methods = VERBS[name]
            elif name == "fallback" and arguments:
                methods, arguments = ANY, [Argument("", "'{fallback}'", arguments[0].start), *arguments]
            else:
                continue
            handler = (
                self.handler(arguments[1], controller) if len(arguments) > 1 and name not in WITHOUT_HANDLER else ""
            )
            yield self.entry(call, methods, join_paths(prefix, _string_value(arguments[0].text)), handler)

    def entry(self, call: int, methods: str, path: str, handler: str) -> Entry:
        path = path if path.startswith("/") else f"/{path}"
        line = self.file.line(self.file.code[call + op.CALLEE])
        return route_entry(self.file, line, "Laravel", methods, path.rstrip("/") or "/", handler)

    def resource(
        self, call: int, prefix: str, arguments: list[Argument], actions: frozenset[str], later: list[int]
    ) -> Iterator[Entry]:
        for each in later:
            named = {evaluate_string(item.text) for argument in self.arguments(each) for item in items(argument)}
            if self.name(each) == "only":
                actions &= named
            elif self.name(each) == "except":
                actions -= named
        names = _string_value(arguments[0].text).strip("/").split(".")
        path = "/".join(f"{name}/{{{_parameter(name)}}}" for name in names[:-1])
        path = join_paths(prefix, join_paths(path, names[-1]))
        one = join_paths(path, f"{{{_parameter(names[-1])}}}")
        for action in OF_LARAVEL:
            handler = self.method(arguments[1], action.name) if action.name in actions else None
            if handler is not None:
                whole = join_paths(one if action.is_of_one else path, action.behind)
                yield self.entry(call, action.methods, whole, handler)

    def handler(self, argument: Argument, controller: Argument | None) -> str:
        """The method that a route leads to; empty for a function without a name."""
        text = argument.text
        action = _ACTION.search(text)
        if _CLASS.search(text):
            return self.method(argument, action[1] if action is not None else "__invoke") or ""
        if controller is not None and action is not None:
            return self.method(controller, action[1]) or ""
        of_text = _WRITTEN_ACTION.match(text)
        if of_text is None:
            return ""
        written_out = f"{of_text[1]}.{of_text[2]}"
        paths = list_paths_with_method(self.code.index, written_out)
        return f"{paths[0]}::{written_out}" if len(paths) == 1 else written_out

    def method(self, argument: Argument, name: str) -> str | None:
        """A method of a controller that is written as `Cart::class`; None if the controller is in the repository and
        has no such method."""
        written_class = _CLASS.search(argument.text)
        if written_class is None:
            return ""
        byte = argument.start + len(argument.text[: written_class.start("name")].encode())
        target = self.file.targets.get(line_and_column(self.file.facts, byte))
        if target is None:
            return f"{written_class['name']}.{name}"
        path, qualified_name = target
        # The place of `Cart::class` may lead to a method that it stands for, too.
        return self.member(path, qualified_name.partition(".")[0], name, 0)

    def member(self, path: str, qualified_name: str, name: str, depth: int) -> str | None:
        file = self.code.file(path)
        if file is None or depth > DEEPEST:
            return None
        number = file.by_name.get(f"{qualified_name}.{name}", -1)
        if number >= 0:
            return label(file, number)
        for _, base in file.facts.bases.get(file.by_name.get(qualified_name, -1), ()):
            above = self.code.value(file, base)
            if above.definition > 0:
                of_base = above.file.facts.definitions[above.definition].qualified_name
                found = self.member(above.file.path, of_base, name, depth + 1)
                if found is not None:
                    return found
        return None


def _string_value(text: str) -> str:
    """The text that an argument means; PHP fills in variables between double quotes alone."""
    value = evaluate_string(text)
    return _VARIABLE.sub(COMPUTED, value) if text.startswith('"') else value


def _parameter(resource: str) -> str:
    """The parameter in the path of one object of a resource."""
    return singular(resource.replace("-", "_"))
