"""The routes that calls and decorators register in one file: Flask, FastAPI, Express, Gin and the like.

In: a file (`Source`). Out: rows. A router is named by the symbol id of the constant that holds it, by the place of the
call that makes it, or by the parameter that receives it; which routers are mounted where is put together from the rows
of all files (addresses.py).
"""

from __future__ import annotations

import re
from functools import cached_property

from rpg.encoder import operations as op
from rpg.encoder.frameworks.http.servers import FRAMEWORKS, Framework, RouterAction, find_frameworks
from rpg.encoder.frameworks.rows import ANY, Mount, Route, Router
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import HOLE, SAID, Argument, Text, items
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS

_METHOD = re.compile(
    r"\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Get|Post|Put|Patch|Delete|Head|Options)\b|Method(Get|Post|Put|Patch|Delete|Head|Options)"
)

_AROUND = re.compile(r"\b(get|post|put|patch|delete|any)\s*\(\s*((?:\w+::)*\w+)")


class Routes:
    """The routes of one file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.routes: list[Route] = []
        self.routers: dict[str, Router] = {}
        self.mounts: list[Mount] = []
        self._known: dict[int, str] = {}

    def read(self) -> None:
        source = self.source
        frameworks = find_frameworks(source.language)
        if not frameworks:
            return
        here = [each for each in frameworks if each.needs_no_import or self._imports(each)]
        self._exported(here)
        meant = here or list(frameworks)
        self._returned([each for each in meant if each.is_fluent or each in here])
        actions = frozenset(word for each in meant for word in each.actions)
        for call, maker, callee, name in source.named_calls:
            if source.code[callee] == op.NAME or name not in actions:
                self._passed(call, meant)
                continue
            for framework in meant:
                action = framework.actions.get(name)
                if action is None or action.does == "chain":
                    continue
                of_path = self._holder_of_path(call, framework)
                held = source.code[(source.code[of_path + op.CALLEE] if of_path else callee) + op.HOLDER]
                key = self.key(held, framework, bool(here))
                if key and self._does(call, action, framework, key, maker):
                    break
            else:
                self._passed(call, meant)

    def _imports(self, framework: Framework) -> bool:
        return any(
            module == package or module.startswith((f"{package}.", f"{package}/", f"{package}:"))
            for module in self.source.modules
            for package in framework.packages
        )

    def _exported(self, frameworks: list[Framework]) -> None:
        """Routers that other files may name: constants of the module, and what it exports as a whole."""
        source = self.source
        for number, definition in enumerate(source.facts.definitions):
            if definition.kind in ("constant", "field"):
                names = source.names_of_definition(number)
                bound = source.bound(
                    max(source.facts.definitions[max(definition.parent, 0)].scope, 0), definition.name, -1
                )
                for framework in frameworks:
                    if (prefix := _prefix_of(framework, names)) is not None:
                        self._add(source.symbol(number), "", self._own_prefix(bound, prefix), framework)
                        break
                else:
                    for framework in frameworks if bound else ():
                        key = self.key(bound, framework, True)
                        if key:
                            self._add(source.symbol(number), key, (), framework)
                            break
                    if (
                        bound
                        and source.code[source.origin(bound)] == op.IMPORT
                        and (key := self._of_import(source.origin(bound)))
                    ):
                        self.routers.setdefault(source.symbol(number), Router(source.symbol(number), key, (), False))
        names_of = source.facts.exports.get("names") or {}
        for name in ("=", "default"):
            e: int = names_of.get(name) or 0
            for framework in (frameworks or find_frameworks(source.language)) if e else ():
                key = self.key(e, framework, bool(frameworks))
                if key:
                    self.routers.setdefault(f"{source.path}#=", Router(f"{source.path}#=", key, (), False))
                    break

    def _returned(self, frameworks: list[Framework]) -> None:
        """Routers that functions return."""
        source = self.source
        for number, definition in enumerate(source.facts.definitions):
            if definition.kind not in FUNCTION_KINDS:
                continue
            for e in source.facts.returns.get(definition.scope, ()) if frameworks else ():
                if source.code[source.origin(e)] != op.CALL:
                    continue
                for framework in frameworks:
                    if key := self.key(e, framework, True):
                        row = f"{source.symbol(number)}()"
                        self.routers.setdefault(row, Router(row, key, (), False))
                        break

    def _add(self, key: str, same_as: str, prefix: Text, framework: Framework) -> None:
        self.routers.setdefault(key, Router(key, same_as, prefix, framework.mounting_replaces_prefix))

    # Routers

    def key(self, e: int, framework: Framework, is_used: bool, depth: int = 0) -> str:
        """The key of the router that an expression is; empty if it is none. `is_used`: whether the file uses the
        framework, so that names alone may say what something is."""
        source, code = self.source, self.source.code
        if depth > 12 or not e:
            return ""
        if code[e] in (op.NAME, op.ATTRIBUTE, op.PATH):
            target = source.target_at(code[e + op.BYTE])
            if target:
                number = source.numbers.get(target, -1)
                if number < 0:
                    return target if "::" in target else f"{target}#="
                kind = source.facts.definitions[number].kind
                if kind in ("constant", "field"):
                    if target in self.routers or self._is_router(framework, source.names_of_definition(number)):
                        return target
                    owner = max(source.facts.definitions[number].parent, 0)
                    bound = source.bound(
                        max(source.facts.definitions[owner].scope, 0), source.facts.definitions[number].name, -1
                    )
                    return target if bound and bound != e and self.key(bound, framework, is_used, depth + 1) else ""
                return ""
        origin = source.origin(e)
        if code[origin] == op.CALL:
            return self._of_call(origin, framework, is_used, depth)
        if code[origin] == op.PARAMETER:
            return self._of_parameter(origin, framework, is_used)
        if code[origin] == op.IMPORT:
            exported = self._of_import(origin)
            is_package = not exported and self._is_router(framework, source.names(origin))
            return f"{framework.name}#" if is_package else exported
        if code[origin] in (op.NAME, op.ATTRIBUTE, op.PATH):
            names = source.names(origin)
            if self._is_router(framework, names):
                return f"{framework.name}#"  # the package itself
            if is_used and source.name_of(origin) in framework.receivers:
                return f"{source.path}#{source.name_of(origin)}"
        if framework.is_fluent:
            return f"{source.path}#{code[origin + op.BYTE]}"
        return ""

    def _is_other_symbol(self, e: int) -> bool:
        """Whether a name means something of this file that holds no router, whatever the framework."""
        target = self.source.target_at(self.source.code[e + op.BYTE])
        number = self.source.numbers.get(target, -1) if target else -1
        return number >= 0 and self.source.facts.definitions[number].kind not in ("constant", "field")

    def _is_router(self, framework: Framework, names: list[str]) -> bool:
        return _prefix_of(framework, names) is not None

    def _of_call(self, call: int, framework: Framework, is_used: bool, depth: int) -> str:
        source, code = self.source, self.source.code
        if call in self._known:
            return self._known[call]
        self._known[call] = ""
        key = ""
        place = f"{source.path}@{code[code[call + op.CALLEE] + op.BYTE]}"
        prefix = _prefix_of(framework, source.names(call))
        if prefix is not None:
            self._add(place, "", self._own_prefix(call, prefix), framework)
            key = place
        elif code[code[call + op.CALLEE]] in (op.ATTRIBUTE, op.PATH):
            callee = code[call + op.CALLEE]
            action = framework.actions.get(source.name_of(callee))
            if framework.is_fluent and (action is None or action.does != "group"):
                target = source.target_at(code[callee + op.BYTE])
                held = code[callee + op.HOLDER]
                if target:
                    key = f"{target}()"
                elif code[source.origin(held)] in (op.IMPORT, op.IMPORTED) or source.name_of(held)[:1].isupper():
                    self._add(place, "", (), framework)
                    key = place  # a class makes it
                else:
                    key = self.key(held, framework, is_used, depth + 1)
            elif action is not None and action.does in ("group", "chain"):
                holder = self.key(code[callee + op.HOLDER], framework, is_used, depth + 1)
                if holder and action.does == "chain":
                    key = holder
                elif holder:
                    path = self._path(call, action, 0) if action.path is not None else ()
                    self._add(place, "", (), framework)
                    self.mounts.append(Mount(place, holder, path))
                    key = place
            elif action is None and (target := source.target_at(code[callee + op.BYTE])):
                key = f"{target}()"  # a method that returns one
        elif source.target_at(code[code[call + op.CALLEE] + op.BYTE]):
            key = f"{source.target_at(code[code[call + op.CALLEE] + op.BYTE])}()"
        self._known[call] = key
        return key

    def _of_parameter(self, e: int, framework: Framework, is_used: bool) -> str:
        source, code = self.source, self.source.code
        scope, position = code[e + op.SCOPE], code[e + op.POSITION]
        group = self._groups.get(scope)
        if group is not None:
            return self._of_call(group, framework, is_used, 0)
        definition = source.facts.scopes[scope].definition
        if source.facts.definitions[definition].scope != scope:
            return ""
        rows = source.facts.parameters.get(scope, [])
        name = rows[position].name if position < len(rows) else ""
        if framework.is_fluent or self._is_router(framework, source.names(e)) or name in framework.receivers:
            return f"{source.symbol(definition)}#{position}"
        return ""

    @cached_property
    def _groups(self) -> dict[int, int]:
        """The calls of groups that are passed an anonymous function, by its scope."""
        source, code = self.source, self.source.code
        words = {
            word
            for each in FRAMEWORKS
            for word, action in each.actions.items()
            if action.does == "group" and action.handler is not None and action.handler >= 0
        }
        found: dict[int, int] = {}
        for call, _ in source.calls:
            if source.name_of(code[call + op.CALLEE]) in words:
                for _, value in self._values(call):
                    if code[value] == op.FUNCTION:
                        found[code[value + op.SCOPE]] = call
        return found

    def _of_import(self, e: int) -> str:
        """What a module exports as a whole."""
        source = self.source
        statement = source.facts.imports[source.code[e + op.STATEMENT]]
        modules = source.imported.get(source.line(statement.byte), [])
        return f"{modules[0]}#=" if modules else ""

    def _own_prefix(self, made: int, keyword: str) -> Text:
        source = self.source
        made = source.origin(made) if made else 0
        if not keyword or not made or source.code[made] != op.CALL:
            return ()
        found = next((each for each in source.arguments(made) if each.keyword == keyword), None)
        return source.said(found.start, found.text, 0) if found else ()

    # Arguments

    def _values(self, call: int) -> list[tuple[str, int]]:
        """Keywords and expressions of the arguments."""
        source, code = self.source, self.source.code
        found = []
        for at in range(call + op.KEYWORDS, call + op.KEYWORDS + 2 * code[call + op.ARGUMENT_COUNT], 2):
            found.append((source.strings[code[at]] if code[at] >= 0 else "", code[at + 1]))
        return found

    def _plain(self, call: int) -> list[int]:
        return [value for keyword, value in self._values(call) if not keyword]

    def _path(self, call: int, action: RouterAction, maker: int) -> Text:
        found = _argument(self.source.arguments(call), action.path, action.path_keyword)
        return self.source.said(found.start, found.text, maker) if found else ()

    def _passed(self, call: int, frameworks: list[Framework]) -> None:
        """A router that a function of the repository is passed: what it registers, it registers there."""
        source, code = self.source, self.source.code
        callee = code[call + op.CALLEE]
        certain = source.target_at(code[callee + op.BYTE])
        target = certain or source.guessed_at(code[callee + op.BYTE])
        if not target:
            return
        fluent = next((each for each in frameworks if each.is_fluent), None)
        if fluent is not None and code[callee] in (op.ATTRIBUTE, op.PATH):
            if key := self.key(code[callee + op.HOLDER], fluent, False):
                self.mounts.append(Mount(f"{target}#0", key, (), bool(certain)))  # an extension method
            return
        for position, value in enumerate(self._plain(call)):
            if code[value] not in (op.NAME, op.ATTRIBUTE, op.PATH) or self._is_other_symbol(value):
                continue
            for framework in frameworks:
                if key := self.key(value, framework, False):
                    self.mounts.append(Mount(f"{target}#{position}", key, (), bool(certain)))
                    break

    # What a call does

    def _does(self, call: int, action: RouterAction, framework: Framework, key: str, maker: int) -> bool:
        if action.does == "route":
            return self._may_register(call, action, framework) and self._routed(call, action, framework, key, maker)
        if action.does == "mount":
            self._mounted(call, action, framework, key, maker)
            return True
        self._of_call(call, framework, True, 0)
        return True

    def _may_register(self, call: int, action: RouterAction, framework: Framework) -> bool:
        source = self.source
        if action.handler is None and action.path_keyword:
            return call in source.decorated
        if self._holder_of_path(call, framework):
            return True
        arguments = source.arguments(call)
        return sum(not each.keyword for each in arguments) >= action.least or any(
            each.keyword == action.path_keyword for each in arguments if each.keyword
        )

    def _holder_of_path(self, call: int, framework: Framework) -> int:
        """The call that was passed the path, in `router.route("/x").get(f)`; 0 if there is none."""
        code = self.source.code
        e = code[code[call + op.CALLEE] + op.HOLDER]
        while framework.holder_of_path and code[e] == op.CALL and code[code[e + op.CALLEE]] in (op.ATTRIBUTE, op.PATH):
            if self.source.name_of(code[e + op.CALLEE]) == framework.holder_of_path:
                return int(e)
            e = code[code[e + op.CALLEE] + op.HOLDER]
        return 0

    def _routed(self, call: int, action: RouterAction, framework: Framework, key: str, maker: int) -> bool:
        source, code = self.source, self.source.code
        arguments = source.arguments(call)
        holder = self._holder_of_path(call, framework)
        methods = action.methods or self._methods(arguments, action, maker)
        paths: list[Text] = []
        if holder:
            paths = [self._path(holder, action, maker)]
        else:
            found = _argument(arguments, action.path, action.path_keyword)
            if found is None:
                paths = [()]
            elif found.text[:1] == "[":
                paths = [source.said(each.start, each.text, maker) for each in items(found, source.text)]
            else:
                paths = [source.said(found.start, found.text, maker)]
        if not framework.is_fluent and any(not _is_path(path) for path in paths):
            return False
        if framework.handler_says_method:
            self._routed_by_handler(call, action, framework, key, paths, maker)
            return True
        handler, named = self._handler(call, action, maker)
        line = source.line(code[code[call + op.CALLEE] + op.BYTE])
        for path in paths:
            verbs = methods
            if framework.methods_are_apart:
                verbs, path = self._methods_apart(call, path)
            if action.behind:
                path = (*path, (SAID, action.behind))
            self.routes.append(Route(framework.name, key, verbs, path, handler, line, named))
        return True

    def _routed_by_handler(
        self, call: int, action: RouterAction, framework: Framework, key: str, paths: list[Text], maker: int
    ) -> None:
        """`get(show).post(create)`"""
        source = self.source
        line = source.line(source.code[source.code[call + op.CALLEE] + op.BYTE])
        handler = _argument(source.arguments(call), action.handler, "")
        for match in _AROUND.finditer(handler.text if handler else ""):
            last = match[2].rpartition("::")[2]
            target = source.target_at((handler.start if handler else 0) + match.end(2) - len(last))
            for path in paths:
                found = target or source.symbol(maker)
                method = ANY if match[1] == "any" else match[1].upper()
                self.routes.append(Route(framework.name, key, method, path, found, line, bool(target)))

    def _methods(self, arguments: list[Argument], action: RouterAction, maker: int) -> str:
        found = _argument(arguments, action.methods_at, action.methods_keyword)
        if found is None:
            return action.otherwise
        named = [next(filter(None, each)).upper() for each in _METHOD.findall(found.text)]
        return " ".join(dict.fromkeys(named)) or ANY

    def _methods_apart(self, call: int, path: Text) -> tuple[str, Text]:
        """HTTP methods in `GET /x`, and in `.Methods("GET")` behind the call."""
        if path and path[0][0] == SAID:
            method, blank, rest = path[0][1].partition(" ")
            if blank and method.isupper() and method.isalpha():
                return method, ((SAID, rest.strip()), *path[1:])
        named: list[str] = []
        outer: int = call
        while outer in self._outer:
            outer = self._outer[outer]
            if self.source.name_of(self.source.code[outer + op.CALLEE]) == "Methods":
                for each in self.source.arguments(outer):
                    named += [next(filter(None, found)).upper() for found in _METHOD.findall(each.text)]
        return " ".join(named) or ANY, path

    @cached_property
    def _outer(self) -> dict[int, int]:
        """The call of a member of what another call returns, by that one."""
        code = self.source.code
        found: dict[int, int] = {}
        for call, _ in self.source.calls:
            callee = code[call + op.CALLEE]
            if code[callee] in (op.ATTRIBUTE, op.PATH):
                found[code[callee + op.HOLDER]] = call
        return found

    def _handler(self, call: int, action: RouterAction, maker: int) -> tuple[str, bool]:
        source = self.source
        if action.handler is None:
            if call in source.decorated:
                return source.symbol(source.decorated[call]), True
            return source.symbol(maker), False
        values = self._values(call)
        keyed = [value for keyword, value in values if keyword and keyword == action.handler_keyword]
        plain = [value for keyword, value in values if not keyword]
        at = action.handler
        chosen = keyed[0] if keyed else plain[at] if -len(plain) <= at < len(plain) else 0
        found = self._symbol_of(chosen) if chosen else ""
        return (found, True) if found else (source.symbol(maker), False)

    def _symbol_of(self, e: int, depth: int = 0) -> str:
        """The function that a handler is, also inside what wraps it; empty for one without a name."""
        source, code = self.source, self.source.code
        if depth > 6 or not e:
            return ""
        if code[e] == op.DEFINITION:
            return source.symbol(code[e + op.DEFINED])
        if code[e] in (op.NAME, op.ATTRIBUTE, op.PATH):
            target = source.target_at(code[e + op.BYTE])
            if target:
                number = source.numbers.get(target, -1)
                if number < 0 or source.facts.definitions[number].kind in FUNCTION_KINDS | CLASS_KINDS:
                    return target
                return target
            origin = source.origin(e)
            return self._symbol_of(origin, depth + 1) if origin != e else ""
        if code[e] == op.CALL:
            callee = code[e + op.CALLEE]
            if code[callee] in (op.ATTRIBUTE, op.PATH) and source.name_of(callee) in ("as_view", "bind", "asHandler"):
                return self._symbol_of(code[callee + op.HOLDER], depth + 1)
            inner = [self._symbol_of(value, depth + 1) for _, value in self._values(e)]
            return next(filter(None, reversed(inner)), "")
        return ""

    def _mounted(self, call: int, action: RouterAction, framework: Framework, key: str, maker: int) -> None:
        source, code = self.source, self.source.code
        arguments, values = source.arguments(call), self._values(call)
        plain = [value for keyword, value in values if not keyword]
        keyed = [value for keyword, value in values if keyword and keyword == action.child_keyword]
        children = keyed or ([plain[action.child]] if -len(plain) <= action.child < len(plain) else [])
        if action.child == -1:
            children = [each for each in plain if code[each] in (op.NAME, op.ATTRIBUTE, op.PATH, op.CALL, op.IMPORT)]
        path: Text = ()
        found = _argument(arguments, action.path, action.path_keyword)
        if found is not None and (action.path_keyword or len(plain) > 1):
            path = source.said(found.start, found.text, maker)
            if path and path[0][0] == HOLE and action.path == 0:
                path = ()
        for child in children:
            mounted = self.key(child, framework, True)
            if mounted and mounted != key:
                self.mounts.append(Mount(mounted, key, path))


def _argument(arguments: list[Argument], position: int | None, keyword: str) -> Argument | None:
    if keyword and (found := next((each for each in arguments if each.keyword == keyword), None)) is not None:
        return found
    plain = [each for each in arguments if not each.keyword]
    return plain[position] if position is not None and -len(plain) <= position < len(plain) else None


def _is_path(path: Text) -> bool:
    """Whether it may be the path of a route: not a name, as of a setting."""
    return (
        not path
        or path[0][0] != SAID
        or path[0][1].startswith(("/", "*", ":", "{"))
        or " /" in path[0][1]
        or path[0][1] == ""
    )


def _prefix_of(framework: Framework, names: list[str]) -> str | None:
    """The keyword of its prefix, if a value of these names is a router; else None."""
    for name in names:
        for package in framework.packages:
            if name == package:
                found = framework.routers.get("")
            elif name.startswith((f"{package}.", f"{package}/", f"{package}()")):
                rest = name[len(package) :]
                last = rest.rpartition(".")[2]
                if rest == "()":
                    found = framework.routers.get(name.rpartition("/")[2])
                else:
                    found = framework.routers.get(last) if "()" not in rest.removesuffix(last) else None
            else:
                continue
            if found is not None:
                return found
    return None


__all__ = ["Routes"]
