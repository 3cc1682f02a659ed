"""Routes that calls register on routers: Flask, FastAPI, Express, Gin and the like.

In: the files of a repository that use one of FRAMEWORKS. Out: entries, each with the prefixes of the routers above its
own, followed from file to file. A route whose receiver is not known to be a router is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rpg import deadline
from rpg.encoder.facts import line_and_column
from rpg.encoder.operations import (
    ATTRIBUTE,
    BYTE,
    CALL,
    CALLEE,
    ELEMENT,
    FUNCTION,
    HOLDER,
    IMPORT,
    LITERAL,
    NAME,
    NUMBER,
    OPERAND,
    PARAMETER,
    PATH,
    POSITION,
    SCOPE,
    STRING,
)  # fmt: skip
from rpg.graph import CLASS_KINDS
from rpg.queries.graph.nodes import marks
from rpg.queries.inventories.code_file import Argument, CodeFile, Value, label, place_of
from rpg.queries.inventories.entry import Entry
from rpg.queries.inventories.reading import Code, dotted
from rpg.queries.inventories.route_tables import ANY, FRAMEWORKS, VIEW_METHODS, Framework, Way
from rpg.queries.inventories.source_text import COMPUTED

Key = tuple[str, int, int]
DEEPEST = 8
"""The most levels of routers within routers."""
MOST_PREFIXES = 12
"""The most places where one router is mounted."""


class Mount(NamedTuple):
    parent: Key
    prefix: str
    test: bool


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
        self.mounts: dict[Key, list[Mount]] = {}
        self.own_prefix: dict[Key, str] = {}
        self.routes: list[Route] = []
        self.known: dict[Key, Key | None] = {}
        self.below: dict[Key, list[str]] = {}
        self.outer: dict[tuple[str, int], tuple[str, int]] = {}

    def entries(self) -> list[Entry]:
        for file in self.files():
            if not self.is_own(file):
                self.read(file)
        out = []
        for route in self.routes:
            for prefix in self.prefixes(route.router, 0):
                path = joined(prefix, route.path)
                out.append(
                    Entry(
                        name=path,
                        kind=route.methods,
                        handler=route.handler,
                        by=self.framework.name,
                        places=[f"{route.file.path}:{route.line}"],
                        computed=COMPUTED in path,
                        test=route.file.test,
                    )
                )
        return out

    def files(self) -> list[CodeFile]:
        """The files that use the framework, and those that register on a router that they are passed."""
        found = {file.path: file for file in self.code.files_that_use(*self.framework.packages)}
        if not found or not self.framework.receivers:
            return list(found.values())
        words = [word for word, way in self.framework.ways.items() if way.does == "route"]
        for (path,) in self.code.index.rows(
            "SELECT DISTINCT s.path FROM places p JOIN symbols s ON s.id = p.source "
            f"WHERE p.call AND p.name IN ({marks(words)}) ORDER BY 1",
            words,
        ):
            file = self.code.file(path) if path not in found else None
            if file is not None and file.facts.language in {each.facts.language for each in found.values()}:
                found[path] = file
        return list(found.values())

    def is_own(self, file: CodeFile) -> bool:
        """Whether a file is part of the framework itself."""
        return dotted(file.path).startswith(tuple(f"{package}." for package in self.framework.packages))

    def read(self, file: CodeFile) -> None:
        ways = self.framework.ways
        for call, _ in file.calls:
            callee = file.code[call + CALLEE]
            if file.code[callee] in (ATTRIBUTE, PATH):
                self.outer[file.path, file.code[callee + HOLDER]] = file.member(callee), call
        for call, maker in file.calls:
            deadline.check()
            callee = file.code[call + CALLEE]
            if file.code[callee] not in (ATTRIBUTE, PATH):
                continue
            way = ways.get(file.member(callee))
            if way is None or way.does == "chain":
                continue
            if way.does == "route" and not self.may_register(file, call, way):
                continue
            router = self.router(file, file.code[callee + HOLDER])
            if router is not None:
                self.registered(file, call, way, router, maker)

    def may_register(self, file: CodeFile, call: int, way: Way) -> bool:
        if way.handler is None and way.path_keyword and call not in file.decorated:
            return False
        if self.is_group(file, file.code[file.code[call + CALLEE] + HOLDER]):
            return True
        given = file.arguments(call)
        return sum(not each.keyword for each in given) >= way.least or any(
            each.keyword == way.path_keyword for each in given if each.keyword
        )

    def is_group(self, file: CodeFile, e: int) -> bool:
        """`router.route("/x")`, whose methods take no path."""
        code = file.code
        while code[e] == CALL and code[code[e + CALLEE]] in (ATTRIBUTE, PATH):
            name = file.member(code[e + CALLEE])
            if name == "route" and self.framework.name == "Express":
                return True
            e = code[code[e + CALLEE] + HOLDER]
        return False

    # Routers

    def router(self, file: CodeFile, e: int, depth: int = 0) -> Key | None:
        """What an expression stands for, if that is a router."""
        found = self.code.value(file, e)
        if depth > DEEPEST:
            return None
        if found.key not in self.known:
            self.known[found.key] = None
            self.known[found.key] = self.as_router(found, depth)
        return self.known[found.key]

    def as_router(self, found: Value, depth: int) -> Key | None:
        file, e = found.file, found.expression
        prefix = next((made for each in self.code.names(found) if (made := self.made(each)) is not None), None)
        if found.definition >= 0:
            return found.key if prefix is not None and found.definition == 0 else None
        operation = file.code[e]
        if prefix is not None:
            if prefix and operation == CALL:
                given = argument(file.arguments(e), None, prefix)
                self.own_prefix[found.key] = self.code.said(file, given) if given else ""
            if operation == PARAMETER:
                self.follow_callers(found, depth)
            return found.key
        if operation == CALL and file.code[file.code[e + CALLEE]] in (ATTRIBUTE, PATH):
            callee = file.code[e + CALLEE]
            way = self.framework.ways.get(file.member(callee))
            if way is None:
                return None
            held = self.router(file, file.code[callee + HOLDER], depth + 1)
            if held is None:
                return None
            if way.does == "group":
                self.mount(found.key, held, self.prefix(file, e, way), file)
                return found.key
            return held
        if operation == PARAMETER:
            return self.parameter(found, depth)
        if operation in (NAME, ATTRIBUTE, PATH):
            return found.key if file.member(e) in self.framework.receivers and self.is_used_as_one(file) else None
        return None

    def is_used_as_one(self, file: CodeFile) -> bool:
        """Whether an unexplained name may be a router: only where the framework is imported."""
        return any(each.module.partition(".")[0] in self.framework.packages for each in file.facts.imports)

    def made(self, name: str) -> str | None:
        """The keyword of its prefix, if a value of that name is a router."""
        for package in self.framework.packages:
            if name == package:
                return self.framework.routers.get("")
            last = name.rpartition("/")[2] if self.framework.separator == "/" and "()" not in name else name
            if not name.startswith((package + ".", package + "/", package + "()")):
                continue
            rest = name[len(package) :]
            if rest == "()":
                return self.framework.routers.get(last.rpartition("/")[2]) if last else None
            last = rest.rpartition(".")[2]
            inner = rest.removesuffix(last)
            if "()" not in inner and last in self.framework.routers and last:
                return self.framework.routers[last]
        return None

    def parameter(self, found: Value, depth: int) -> Key | None:
        """A parameter is a router if a call passes one, or if it is named like one in a file that uses the
        framework."""
        if self.follow_callers(found, depth):
            return found.key
        rows = found.file.facts.parameters.get(found.file.code[found.expression + SCOPE], [])
        at = found.file.code[found.expression + POSITION]
        return found.key if at < len(rows) and rows[at].name in self.framework.receivers else None

    def follow_callers(self, found: Value, depth: int) -> bool:
        """Whether a call passes a router for a parameter; each such call is a place where the router is mounted."""
        file = found.file
        scope, at = file.code[found.expression + SCOPE], file.code[found.expression + POSITION]
        mounted = False
        for caller, call in self.callers(file, scope):
            given = [each for each in caller.arguments(call) if not each.keyword]
            rows = file.facts.parameters.get(scope, [])
            named = argument(caller.arguments(call), None, rows[at].name) if at < len(rows) else 0
            passed = given[at].value if at < len(given) else named
            held = self.router(caller, passed, depth + 1) if passed else None
            if held is not None and held != found.key:
                self.mount(found.key, held, "", caller)
                mounted = True
        return mounted

    def callers(self, file: CodeFile, scope: int) -> Iterator[tuple[CodeFile, int]]:
        definition = file.facts.scopes[scope].definition
        here = file.facts.definitions[definition]
        if here.scope != scope:
            yield from self.given_to(file, scope)
            if definition:
                return
        for path, sites in self.code.index.rows(
            "SELECT s.path, e.sites FROM symbols t JOIN edges e ON e.target = t.id AND e.kind = 'calls' "
            "JOIN symbols s ON s.id = e.source WHERE t.path = ? AND t.qualified_name = ?",
            (file.path, here.qualified_name),
        ):
            caller = self.code.file(path)
            if caller is None:
                continue
            places = {place_of(site) for site in sites.split()}
            for call, _ in caller.calls:
                if place(caller, call) in places:
                    yield caller, call

    def given_to(self, file: CodeFile, scope: int) -> Iterator[tuple[CodeFile, int]]:
        """An anonymous function that a group calls with itself: `r.Route("/x", func(r chi.Router) {...})`."""
        for call, _ in file.calls:
            callee = file.code[call + CALLEE]
            if file.code[callee] not in (ATTRIBUTE, PATH):
                continue
            way = self.framework.ways.get(file.member(callee))
            if way is None or way.does != "group" or not way.handler or way.handler < 0:
                continue
            for each in file.arguments(call):
                if file.code[each.value] == FUNCTION and file.code[each.value + SCOPE] == scope:
                    self.known.pop((file.path, call, -1), None)
                    yield from self.as_call(file, call)

    def as_call(self, file: CodeFile, call: int) -> Iterator[tuple[CodeFile, int]]:
        yield file, call

    def mount(self, child: Key, parent: Key, prefix: str, file: CodeFile) -> None:
        row = Mount(parent, prefix, file.test)
        rows = self.mounts.setdefault(child, [])
        if row not in rows and child != parent:
            rows.append(row)

    def prefixes(self, router: Key, depth: int) -> list[str]:
        """Every path below which a router is; one empty path for a router that nothing mounts."""
        if router not in self.below:
            self.below[router] = [self.own_prefix.get(router, "")]
            self.below[router] = self.all_prefixes(router, depth)
        return self.below[router]

    def all_prefixes(self, router: Key, depth: int) -> list[str]:
        own = self.own_prefix.get(router, "")
        rows = self.mounts.get(router, [])
        rows = [row for row in rows if not row.test] or rows
        if not rows or depth > DEEPEST:
            return [own]
        found = [
            joined(joined(above, row.prefix), own) for row in rows for above in self.prefixes(row.parent, depth + 1)
        ]
        return list(dict.fromkeys(found))[:MOST_PREFIXES]

    # Registrations

    def registered(self, file: CodeFile, call: int, way: Way, router: Key, maker: int) -> None:
        given = file.arguments(call)
        if way.does == "mount":
            self.mounted(file, call, way, router, given)
        elif way.does == "route":
            self.routed(file, call, way, router, given)
        else:
            self.router(file, call)
            self.grouped(file, call, way, given)

    def grouped(self, file: CodeFile, call: int, way: Way, given: list[Argument]) -> None:
        """A function that is passed to a group registers on its parameter."""
        for each in given:
            made = self.code.value(file, each.value) if way.handler is not None and way.handler >= 0 else None
            scope = self.code.scope_of(made) if made else -1
            if made is not None and scope >= 0:
                for row in made.file.facts.bindings:
                    value = row.value
                    if row.scope == scope and value and made.file.code[value] == PARAMETER:
                        self.mount((made.file.path, value, -1), (file.path, call, -1), "", file)

    def mounted(self, file: CodeFile, call: int, way: Way, router: Key, given: list[Argument]) -> None:
        prefix = self.prefix(file, call, way)
        keyword = argument(given, None, way.child_keyword) if way.child_keyword else 0
        plain = [each.value for each in given if each.keyword in ("", "*")]
        first = 1 if way.path is not None and len(plain) > 1 else 0
        children = [keyword] if keyword else plain[first:] if way.child < 0 else plain[way.child : way.child + 1]
        if way.child < 0 and len(plain) == 1:
            children = plain
        for each in children:
            child = self.router(file, each)
            if child is None:
                self.mounted_from_list(file, call, way, router, each)
            else:
                overriding = self.framework.name == "Flask" and prefix
                if overriding:
                    self.own_prefix[child] = ""
                self.mount(child, router, prefix, file)

    def mounted_from_list(self, file: CodeFile, call: int, way: Way, router: Key, child: int) -> None:
        """`[{path: "/a", route: a}].forEach((each) => router.use(each.path, each.route))`"""
        code = file.code
        path_at = argument(file.arguments(call), way.path, way.path_keyword)
        if code[child] not in (ATTRIBUTE, PATH) or not path_at or code[path_at] not in (ATTRIBUTE, PATH):
            return
        for there, item in self.listed(self.code.value(file, code[child + HOLDER])):
            made = self.code.value_of_member(there, item, file.member(child))
            path = self.code.value_of_member(there, item, file.member(path_at))
            found = self.router(made.file, made.expression) if made else None
            if found is not None and path is not None:
                self.mount(found, router, self.code.said(path.file, path.expression), file)

    def listed(self, each: Value) -> Iterator[tuple[CodeFile, int]]:
        """The items that a parameter stands for in a function that is called for each item of a list."""
        file, code = each.file, each.file.code
        if each.definition >= 0:
            return
        if code[each.expression] == ELEMENT:
            yield from self.code.items(file, code[each.expression + OPERAND])
        if code[each.expression] != PARAMETER or code[each.expression + POSITION]:
            return
        for call, _ in file.calls:
            callee = code[call + CALLEE]
            given = [given.value for given in file.arguments(call)]
            if code[callee] not in (ATTRIBUTE, PATH) or file.member(callee) not in ("forEach", "map"):
                continue
            if given and code[given[0]] == FUNCTION and code[given[0] + SCOPE] == code[each.expression + SCOPE]:
                yield from self.code.items(file, code[callee + HOLDER])

    def prefix(self, file: CodeFile, call: int, way: Way) -> str:
        given = file.arguments(call)
        e = argument(given, way.path, way.path_keyword)
        if not e:
            return ""
        if way.does == "mount" and way.path == 0:
            plain = [each for each in given if not each.keyword]
            is_text = file.code[e] in (STRING, LITERAL) or self.code.said(file, e) != COMPUTED
            if not is_text and (len(plain) < 2 or self.router(file, e) is not None or file.code[e] in (CALL, FUNCTION)):
                return ""
            if not is_text and not self.is_path(file, e):
                return ""
        return self.code.said(file, e)

    def is_path(self, file: CodeFile, e: int) -> bool:
        """Whether the first of several arguments may be a computed path, and is not a middleware function."""
        found = self.code.value(file, e)
        return found.definition < 0 and found.operation not in (FUNCTION, CALL, IMPORT)

    def routed(self, file: CodeFile, call: int, way: Way, router: Key, given: list[Argument]) -> None:
        code = file.code
        is_bare = self.is_group(file, code[code[call + CALLEE] + HOLDER])
        path_at = argument(given, way.path, way.path_keyword) if not is_bare else 0
        methods = way.methods or self.methods(file, given, way)
        for path in self.paths(file, path_at) if path_at else [""]:
            if self.framework.name == "Express" and path_at and code[path_at] in (FUNCTION, NUMBER):
                continue
            handler_at = argument(given, way.handler, way.handler_keyword) if way.handler is not None else 0
            handler = self.code.handler(file, handler_at) if handler_at else ""
            if way.handler is None and call in file.decorated:
                handler = label(file, file.decorated[call])
            stated = methods
            if self.framework.name in ("net/http", "gorilla/mux"):
                stated, path = self.stated(file, call, path)
            elif self.framework.name == "Flask" and handler_at and not argument(given, None, "methods"):
                stated = self.view_methods(file, handler_at) or methods
            if self.framework.name == "Gin" and file.member(code[call + CALLEE]) in ("Static", "StaticFS"):
                path = joined(path, "/*filepath")
            self.routes.append(Route(router, stated, path, handler, file, file.line(call), self.framework))

    def paths(self, file: CodeFile, e: int) -> list[str]:
        items = [self.code.said(there, each) for there, each in self.code.items(file, e)]
        return items or [self.code.said(file, e)]

    def methods(self, file: CodeFile, given: list[Argument], way: Way) -> str:
        e = argument(given, way.methods_at, way.methods_keyword)
        if not e:
            return way.otherwise
        named = [self.code.said(there, each) for there, each in self.code.items(file, e)]
        if not named:
            said = self.code.said(file, e)
            member = file.member(e)
            named = [member.removeprefix("Method") if said == COMPUTED and member.startswith("Method") else said]
        return " ".join(each.upper() for each in named)

    def view_methods(self, file: CodeFile, handler: int) -> str:
        """The HTTP methods of a view class, which its methods are named after."""
        e = handler
        while file.code[e] == CALL and file.code[file.code[e + CALLEE]] in (ATTRIBUTE, PATH):
            e = file.code[file.code[e + CALLEE] + HOLDER]
        found = self.code.value(file, e)
        return class_methods(self.code, found) if found.definition > 0 else ""

    def stated(self, file: CodeFile, call: int, path: str) -> tuple[str, str]:
        """HTTP methods in `GET /x`, and in `.Methods("GET")` after the call."""
        method, blank, rest = path.partition(" ")
        if blank and method.isupper() and method.isalpha():
            return method, rest.strip()
        named = []
        at: int = call
        while (file.path, at) in self.outer:
            name, at = self.outer[file.path, at]
            if name == "Methods":
                named += [self.code.said(file, each.value) for each in file.arguments(at)]
        return " ".join(named) or ANY, path


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


def argument(given: list[Argument], position: int | None, keyword: str) -> int:
    """The expression of an argument by its keyword or position; 0 if it is not there. Options in an object count as
    keywords only where the language has these."""
    if keyword:
        for each in given:
            if each.keyword == keyword:
                return each.value
    plain = [each.value for each in given if not each.keyword]
    if position is None or not plain:
        return 0
    if position < 0:
        return plain[position]
    return plain[position] if position < len(plain) else 0


def joined(prefix: str, path: str) -> str:
    """Two paths joined with one slash between them."""
    if not path or (path == "/" and prefix.endswith("/")):
        return prefix
    if not prefix:
        return path
    if prefix.endswith("/") and path.startswith("/"):
        return prefix + path[1:]
    if prefix.endswith("/") or path.startswith(("/", COMPUTED)):
        return prefix + path
    return f"{prefix}/{path}"


def place(file: CodeFile, e: int) -> tuple[int, int]:
    return line_and_column(file.facts, file.code[e + BYTE])
