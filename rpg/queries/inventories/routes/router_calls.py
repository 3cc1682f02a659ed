"""Routes that calls register on routers: Flask, FastAPI, Express, Gin and the like.

In: the files of a repository that use one of FRAMEWORKS. Out: entries, each with the prefixes of the routers above its
own (routers.py). A route whose receiver is not known to be a router is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.frameworks.http.servers import ANY, FRAMEWORKS, VIEW_METHODS, Framework, RouterAction
from rpg.graph import CLASS_KINDS
from rpg.queries.inventories.code_file import Argument, CodeFile, Value, argument, label
from rpg.queries.inventories.entry import Entry
from rpg.queries.inventories.reading import Code, build_module_name
from rpg.queries.inventories.routes.route_entry import route_entry
from rpg.queries.inventories.routes.routers import DEEPEST, Key, Routers, join_paths
from rpg.queries.inventories.source_text import COMPUTED
from rpg.stores.index.place_reads import list_files_calling
from rpg.system import deadline


class Route(NamedTuple):
    router: Key
    methods: str
    path: str
    handler: str
    file: CodeFile
    line: int
    framework: Framework


def router_routes(code: Code) -> list[Entry]:
    found: list[Entry] = []
    for framework in FRAMEWORKS:
        found += Registrations(code, framework).entries()
    return found


class Registrations:
    """The routes of one framework."""

    def __init__(self, code: Code, framework: Framework) -> None:
        self.code = code
        self.framework = framework
        self.routers = Routers(code, framework)
        self.routes: list[Route] = []
        self.outer: dict[tuple[str, int], tuple[str, int]] = {}

    def entries(self) -> list[Entry]:
        for file in self.files():
            if not self.is_own(file):
                self.read(file)
        out = []
        for route in self.routes:
            for prefix in self.routers.prefixes(route.router, 0):
                path = join_paths(prefix, route.path)
                out.append(route_entry(route.file, route.line, self.framework.name, route.methods, path, route.handler))
        return out

    def files(self) -> list[CodeFile]:
        """The files that use the framework, and those that register on a router that they are passed."""
        found = {file.path: file for file in self.code.files_that_use(*self.framework.packages)}
        if not found or not self.framework.receivers:
            return list(found.values())
        words = [word for word, action in self.framework.actions.items() if action.does == "route"]
        for path in list_files_calling(self.code.index, words):
            file = self.code.file(path) if path not in found else None
            if file is not None and file.facts.language in {each.facts.language for each in found.values()}:
                found[path] = file
        return list(found.values())

    def is_own(self, file: CodeFile) -> bool:
        """Whether a file is part of the framework itself."""
        return build_module_name(file.path).startswith(tuple(f"{package}." for package in self.framework.packages))

    def read(self, file: CodeFile) -> None:
        actions = self.framework.actions
        for call, _ in file.calls:
            callee = file.code[call + op.CALLEE]
            if file.code[callee] in (op.ATTRIBUTE, op.PATH):
                self.outer[file.path, file.code[callee + op.HOLDER]] = file.member(callee), call
        for call, maker in file.calls:
            deadline.check()
            callee = file.code[call + op.CALLEE]
            if file.code[callee] not in (op.ATTRIBUTE, op.PATH):
                continue
            action = actions.get(file.member(callee))
            if action is None or action.does == "chain":
                continue
            if action.does == "route" and not self.may_register(file, call, action):
                continue
            router = self.routers.at(file, file.code[callee + op.HOLDER])
            if router is not None:
                self.registered(file, call, action, router, maker)

    def may_register(self, file: CodeFile, call: int, action: RouterAction) -> bool:
        if action.handler is None and action.path_keyword and call not in file.decorated:
            return False
        if self.is_on_route(file, file.code[file.code[call + op.CALLEE] + op.HOLDER]):
            return True
        arguments = file.arguments(call)
        return sum(not each.keyword for each in arguments) >= action.least or any(
            each.keyword == action.path_keyword for each in arguments if each.keyword
        )

    def is_on_route(self, file: CodeFile, e: int) -> bool:
        """Whether the path was passed to the method that made the receiver."""
        code = file.code
        while code[e] == op.CALL and code[code[e + op.CALLEE]] in (op.ATTRIBUTE, op.PATH):
            name = file.member(code[e + op.CALLEE])
            if name == self.framework.holder_of_path:
                return True
            e = code[code[e + op.CALLEE] + op.HOLDER]
        return False

    def registered(self, file: CodeFile, call: int, action: RouterAction, router: Key, maker: int) -> None:
        arguments = file.arguments(call)
        if action.does == "mount":
            self.mounted(file, call, action, router, arguments)
        elif action.does == "route":
            self.register_route(file, call, action, router, arguments)
        else:
            self.routers.at(file, call)
            self.grouped(file, call, action, arguments)

    def grouped(self, file: CodeFile, call: int, action: RouterAction, arguments: list[Argument]) -> None:
        """A function that is passed to a group registers on its parameter."""
        for each in arguments:
            handler = self.code.value(file, each.value) if action.handler is not None and action.handler >= 0 else None
            scope = self.code.scope_of(handler) if handler else -1
            if handler is not None and scope >= 0:
                for row in handler.file.facts.bindings:
                    value = row.value
                    if row.scope == scope and value and handler.file.code[value] == op.PARAMETER:
                        self.routers.mount((handler.file.path, value, -1), (file.path, call, -1), "", file)

    def mounted(self, file: CodeFile, call: int, action: RouterAction, router: Key, arguments: list[Argument]) -> None:
        prefix = self.routers.prefix(file, call, action)
        keyword = argument(arguments, None, action.child_keyword) if action.child_keyword else 0
        plain = [each.value for each in arguments if each.keyword in ("", "*")]
        first = 1 if action.path is not None and len(plain) > 1 else 0
        children = (
            [keyword] if keyword else plain[first:] if action.child < 0 else plain[action.child : action.child + 1]
        )
        if action.child < 0 and len(plain) == 1:
            children = plain
        for each in children:
            child = self.routers.at(file, each)
            if child is None:
                self.mount_from_list(file, call, action, router, each)
            else:
                if prefix and self.framework.mounting_replaces_prefix:
                    self.routers.own_prefix[child] = ""
                self.routers.mount(child, router, prefix, file)

    def mount_from_list(self, file: CodeFile, call: int, action: RouterAction, router: Key, child: int) -> None:
        """`[{path: "/a", route: a}].forEach((each) => router.use(each.path, each.route))`"""
        code = file.code
        path_at = argument(file.arguments(call), action.path, action.path_keyword)
        if code[child] not in (op.ATTRIBUTE, op.PATH) or not path_at or code[path_at] not in (op.ATTRIBUTE, op.PATH):
            return
        for item_file, item in self.listed(self.code.value(file, code[child + op.HOLDER])):
            child_value = self.code.value_of_member(item_file, item, file.member(child))
            path = self.code.value_of_member(item_file, item, file.member(path_at))
            found = self.routers.at(child_value.file, child_value.expression) if child_value else None
            if found is not None and path is not None:
                self.routers.mount(found, router, self.code.string_value(path.file, path.expression), file)

    def listed(self, each: Value) -> Iterator[tuple[CodeFile, int]]:
        """The items that a parameter stands for in a function that is called for each item of a list."""
        file, code = each.file, each.file.code
        if each.definition >= 0:
            return
        if code[each.expression] == op.ELEMENT:
            yield from self.code.items(file, code[each.expression + op.OPERAND])
        if code[each.expression] != op.PARAMETER or code[each.expression + op.POSITION]:
            return
        for call, _ in file.calls:
            callee = code[call + op.CALLEE]
            given = [given.value for given in file.arguments(call)]
            if code[callee] not in (op.ATTRIBUTE, op.PATH) or file.member(callee) not in ("forEach", "map"):
                continue
            if (
                given
                and code[given[0]] == op.FUNCTION
                and code[given[0] + op.SCOPE] == code[each.expression + op.SCOPE]
            ):
                yield from self.code.items(file, code[callee + op.HOLDER])

    def register_route(
        self, file: CodeFile, call: int, action: RouterAction, router: Key, arguments: list[Argument]
    ) -> None:
        code = file.code
        is_bare = self.is_on_route(file, code[code[call + op.CALLEE] + op.HOLDER])
        path_at = argument(arguments, action.path, action.path_keyword) if not is_bare else 0
        methods = action.methods or self.methods(file, arguments, action)
        for path in self.paths(file, path_at) if path_at else [""]:
            if self.framework.paths_are_text and path_at and code[path_at] in (op.FUNCTION, op.NUMBER):
                continue
            handler_at = (
                argument(arguments, action.handler, action.handler_keyword) if action.handler is not None else 0
            )
            handler = self.code.handler(file, handler_at) if handler_at else ""
            if action.handler is None and call in file.decorated:
                handler = label(file, file.decorated[call])
            route_methods = methods
            if self.framework.methods_are_apart:
                route_methods, path = self.methods_and_path(file, call, path)
            elif self.framework.handlers_are_views and handler_at and not argument(arguments, None, "methods"):
                route_methods = self.view_methods(file, handler_at) or methods
            if action.behind:
                path = join_paths(path, action.behind)
            self.routes.append(Route(router, route_methods, path, handler, file, file.line(call), self.framework))

    def paths(self, file: CodeFile, e: int) -> list[str]:
        items = [self.code.string_value(item_file, each) for item_file, each in self.code.items(file, e)]
        return items or [self.code.string_value(file, e)]

    def methods(self, file: CodeFile, arguments: list[Argument], action: RouterAction) -> str:
        e = argument(arguments, action.methods_at, action.methods_keyword)
        if not e:
            return action.otherwise
        named = [self.code.string_value(item_file, each) for item_file, each in self.code.items(file, e)]
        if not named:
            method = self.code.string_value(file, e)
            member = file.member(e)
            named = [member.removeprefix("Method") if method == COMPUTED and member.startswith("Method") else method]
        return " ".join(each.upper() for each in named)

    def view_methods(self, file: CodeFile, handler: int) -> str:
        """The HTTP methods of a view class, which its methods are named after."""
        e = handler
        while file.code[e] == op.CALL and file.code[file.code[e + op.CALLEE]] in (op.ATTRIBUTE, op.PATH):
            e = file.code[file.code[e + op.CALLEE] + op.HOLDER]
        found = self.code.value(file, e)
        return class_methods(self.code, found) if found.definition > 0 else ""

    def methods_and_path(self, file: CodeFile, call: int, path: str) -> tuple[str, str]:
        """HTTP methods in `GET /x`, and in `.Methods("GET")` after the call."""
        method, blank, rest = path.partition(" ")
        if blank and method.isupper() and method.isalpha():
            return method, rest.strip()
        named = []
        at: int = call
        while (file.path, at) in self.outer:
            name, at = self.outer[file.path, at]
            if name == "Methods":
                named += [self.method_of(file, each.value) for each in file.arguments(at)]
        return " ".join(named) or ANY, path

    def method_of(self, file: CodeFile, e: int) -> str:
        """An HTTP method as text, or a constant of the library, `http.MethodGet`."""
        method = self.code.string_value(file, e)
        member = file.member(e)
        return member.removeprefix("Method").upper() if method == COMPUTED and member.startswith("Method") else method


def class_methods(code: Code, found: Value, depth: int = 0) -> str:
    """HTTP methods of a class and of its bases in the repository."""
    file = found.file
    if file.facts.definitions[found.definition].kind not in CLASS_KINDS or depth > DEEPEST:
        return ""
    named = [each.name.upper() for each in file.within(found.definition) if each.name in VIEW_METHODS]
    for _, base in file.facts.bases.get(found.definition, ()):
        above = code.value(file, base)
        if above.definition > 0:
            named += class_methods(code, above, depth + 1).split()
    return " ".join(dict.fromkeys(named))
