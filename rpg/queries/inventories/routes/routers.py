"""Which values are routers of a framework, and below which paths they are mounted.

In: expressions of the files that use the framework. Out: routers, each with the prefixes of the routers above it,
followed from file to file. An expression that is not known to be a router is none.

Absent: the calls that register routes (router_calls.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import line_and_column
from rpg.encoder.frameworks.http.servers import Framework, RouterAction
from rpg.queries.inventories.code_file import CodeFile, Value, argument, place_of
from rpg.queries.inventories.reading import Code
from rpg.queries.inventories.source_text import COMPUTED
from rpg.stores.index.edge_reads import list_callers_of

Key = tuple[str, int, int]
DEEPEST = 8
"""The most levels of routers within routers."""
MOST_PREFIXES = 12
"""The most places where one router is mounted."""


class Mount(NamedTuple):
    parent: Key
    prefix: str
    test: bool


class Routers:
    """The routers of one framework."""

    def __init__(self, code: Code, framework: Framework) -> None:
        self.code = code
        self.framework = framework
        self.own_prefix: dict[Key, str] = {}
        self._mounts: dict[Key, list[Mount]] = {}
        self._cache: dict[Key, Key | None] = {}
        self._below: dict[Key, list[str]] = {}

    def at(self, file: CodeFile, e: int, depth: int = 0) -> Key | None:
        """The router that an expression stands for, if it does."""
        found = self.code.value(file, e)
        if depth > DEEPEST:
            return None
        if found.key not in self._cache:
            self._cache[found.key] = None
            self._cache[found.key] = self._as_router(found, depth)
        return self._cache[found.key]

    def _as_router(self, found: Value, depth: int) -> Key | None:
        file, e = found.file, found.expression
        prefix = next(
            (keyword for each in self.code.names(found) if (keyword := self._prefix_keyword(each)) is not None), None
        )
        if found.definition >= 0:
            return found.key if prefix is not None and found.definition == 0 else None
        operation = file.code[e]
        if prefix is not None:
            if prefix and operation == op.CALL:
                prefix_argument = argument(file.arguments(e), None, prefix)
                self.own_prefix[found.key] = self.code.string_value(file, prefix_argument) if prefix_argument else ""
            if operation == op.PARAMETER:
                self._follow_callers(found, depth)
            return found.key
        if operation == op.CALL and file.code[file.code[e + op.CALLEE]] in (op.ATTRIBUTE, op.PATH):
            callee = file.code[e + op.CALLEE]
            action = self.framework.actions.get(file.member(callee))
            if action is None:
                return None
            holder = self.at(file, file.code[callee + op.HOLDER], depth + 1)
            if holder is None:
                return None
            if action.does == "group":
                self.mount(found.key, holder, self.prefix(file, e, action), file)
                return found.key
            return holder
        if operation == op.PARAMETER:
            return self._of_parameter(found, depth)
        if operation in (op.NAME, op.ATTRIBUTE, op.PATH):
            return found.key if file.member(e) in self.framework.receivers and self._is_used_as_one(file) else None
        return None

    def _is_used_as_one(self, file: CodeFile) -> bool:
        """Whether an unexplained name may be a router: only where the framework is imported."""
        return any(each.module.partition(".")[0] in self.framework.packages for each in file.facts.imports)

    def _prefix_keyword(self, name: str) -> str | None:
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

    def _of_parameter(self, found: Value, depth: int) -> Key | None:
        """A parameter is a router if a call passes one, or if it is named like one in a file that uses the
        framework."""
        if self._follow_callers(found, depth):
            return found.key
        rows = found.file.facts.parameters.get(found.file.code[found.expression + op.SCOPE], [])
        at = found.file.code[found.expression + op.POSITION]
        return found.key if at < len(rows) and rows[at].name in self.framework.receivers else None

    def _follow_callers(self, found: Value, depth: int) -> bool:
        """Whether a call passes a router for a parameter; each such call is a place where the router is mounted."""
        file = found.file
        scope, at = file.code[found.expression + op.SCOPE], file.code[found.expression + op.POSITION]
        mounted = False
        for caller, call in self._callers(file, scope):
            values = [each for each in caller.arguments(call) if not each.keyword]
            rows = file.facts.parameters.get(scope, [])
            named = argument(caller.arguments(call), None, rows[at].name) if at < len(rows) else 0
            passed = values[at].value if at < len(values) else named
            held = self.at(caller, passed, depth + 1) if passed else None
            if held is not None and held != found.key:
                self.mount(found.key, held, "", caller)
                mounted = True
        return mounted

    def _callers(self, file: CodeFile, scope: int) -> Iterator[tuple[CodeFile, int]]:
        definition = file.facts.scopes[scope].definition
        here = file.facts.definitions[definition]
        if here.scope != scope:
            yield from self._calls_with_function(file, scope)
            if definition:
                return
        for path, sites in list_callers_of(self.code.index, file.path, here.qualified_name):
            caller = self.code.file(path)
            if caller is None:
                continue
            places = {place_of(site) for site in sites.split()}
            for call, _ in caller.calls:
                if place(caller, call) in places:
                    yield caller, call

    def _calls_with_function(self, file: CodeFile, scope: int) -> Iterator[tuple[CodeFile, int]]:
        """An anonymous function that a group calls with itself: `r.Route("/x", func(r chi.Router) {...})`."""
        for call, _ in file.calls:
            callee = file.code[call + op.CALLEE]
            if file.code[callee] not in (op.ATTRIBUTE, op.PATH):
                continue
            action = self.framework.actions.get(file.member(callee))
            if action is None or action.does != "group" or not action.handler or action.handler < 0:
                continue
            for each in file.arguments(call):
                if file.code[each.value] == op.FUNCTION and file.code[each.value + op.SCOPE] == scope:
                    self._cache.pop((file.path, call, -1), None)
                    yield file, call

    def mount(self, child: Key, parent: Key, prefix: str, file: CodeFile) -> None:
        """Records that a router is below another one."""
        row = Mount(parent, prefix, file.test)
        rows = self._mounts.setdefault(child, [])
        if row not in rows and child != parent:
            rows.append(row)

    def prefixes(self, router: Key, depth: int) -> list[str]:
        """Every path below which a router is; one empty path for a router that nothing mounts."""
        if router not in self._below:
            self._below[router] = [self.own_prefix.get(router, "")]
            self._below[router] = self._all_prefixes(router, depth)
        return self._below[router]

    def _all_prefixes(self, router: Key, depth: int) -> list[str]:
        own = self.own_prefix.get(router, "")
        rows = self._mounts.get(router, [])
        rows = [row for row in rows if not row.test] or rows
        if not rows or depth > DEEPEST:
            return [own]
        found = [
            join_paths(join_paths(above, row.prefix), own)
            for row in rows
            for above in self.prefixes(row.parent, depth + 1)
        ]
        return list(dict.fromkeys(found))[:MOST_PREFIXES]

    def prefix(self, file: CodeFile, call: int, action: RouterAction) -> str:
        """The path below which a call mounts a router or opens a group."""
        arguments = file.arguments(call)
        e = argument(arguments, action.path, action.path_keyword)
        if not e:
            return ""
        if action.does == "mount" and action.path == 0:
            plain = [each for each in arguments if not each.keyword]
            is_text = file.code[e] in (op.STRING, op.LITERAL) or self.code.string_value(file, e) != COMPUTED
            if not is_text and (
                len(plain) < 2 or self.at(file, e) is not None or file.code[e] in (op.CALL, op.FUNCTION)
            ):
                return ""
            if not is_text and not self._is_path(file, e):
                return ""
        return self.code.string_value(file, e)

    def _is_path(self, file: CodeFile, e: int) -> bool:
        """Whether the first of several arguments may be a computed path, and is not a middleware function."""
        found = self.code.value(file, e)
        return found.definition < 0 and found.operation not in (op.FUNCTION, op.CALL, op.IMPORT)


def join_paths(prefix: str, path: str) -> str:
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
    return line_and_column(file.facts, file.code[e + op.BYTE])
