"""Routes of Django: `urlpatterns`, with what they include, and routers of REST framework.

In: the files that define `urlpatterns`. Out: entries. Patterns that another file includes are listed below that file's
path only; the routes of a library (the admin, `django.contrib.auth.urls`) are one entry that ends in `…`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import SITE_WORDS
from rpg.encoder.frameworks.http.servers import ANY
from rpg.queries.inventories.code_file import CodeFile, Value, argument, label
from rpg.queries.inventories.entry import Entry
from rpg.queries.inventories.reading import Code
from rpg.queries.inventories.routes.route_entry import route_entry
from rpg.queries.inventories.routes.router_calls import class_methods
from rpg.queries.inventories.source_text import COMPUTED
from rpg.stores.index.reader import list_paths_ending
from rpg.stores.index.symbol_reads import list_paths_with_symbol
from rpg.system import deadline

PATTERNS = frozenset({"path", "re_path", "url"})
WRAPPED = {"i18n_patterns": f"{COMPUTED}/", "format_suffix_patterns": "", "patterns": "", "decorator_include": ""}
"""Functions that return patterns -> the prefix that they put before each."""
DEEPEST = 10
MOST = 5_000

GENERIC = {
    "CreateAPIView": "POST", "ListAPIView": "GET", "RetrieveAPIView": "GET", "DestroyAPIView": "DELETE",
    "UpdateAPIView": "PUT PATCH", "ListCreateAPIView": "GET POST", "RetrieveUpdateAPIView": "GET PUT PATCH",
    "RetrieveDestroyAPIView": "GET DELETE", "RetrieveUpdateDestroyAPIView": "GET PUT PATCH DELETE",
}  # fmt: skip
"""Views of REST framework by the name of their base."""
ACTIONS = {"list": "GET", "create": "POST", "retrieve": "GET", "update": "PUT", "partial_update": "PATCH",
           "destroy": "DELETE"}  # fmt: skip
OF_ALL = frozenset({"list", "create"})
MIXINS = {
    "ModelViewSet": frozenset(ACTIONS),
    "ReadOnlyModelViewSet": frozenset({"list", "retrieve"}),
    "CreateModelMixin": frozenset({"create"}),
    "ListModelMixin": frozenset({"list"}),
    "RetrieveModelMixin": frozenset({"retrieve"}),
    "UpdateModelMixin": frozenset({"update", "partial_update"}),
    "DestroyModelMixin": frozenset({"destroy"}),
}
METHODS_OF_DECORATORS = {"require_GET": "GET", "require_POST": "POST", "require_safe": "GET HEAD"}
DECORATORS_OF_METHODS = frozenset({"require_http_methods", "api_view"})


class Included(NamedTuple):
    file: CodeFile
    expression: int


def django_routes(code: Code) -> list[Entry]:
    return _Patterns(code).entries()


class _Patterns:
    def __init__(self, code: Code) -> None:
        self.code = code
        self.included: set[str] = set()
        self.open: set[tuple[str, str]] = set()
        """Lists that are being read, by file: one that includes itself is read once."""
        self.entry_count = 0
        self.files = {
            path: file
            for path in list_paths_with_symbol(code.index, "urlpatterns")
            if (file := code.file(path)) is not None and path.endswith(".py")
        }
        self.registered: dict[tuple[str, int, int], list[Included]] | None = None

    def entries(self) -> list[Entry]:
        """The routes of the files that no other includes."""
        roots = {path: list(self.walk_file(file, "/", 0)) for path, file in self.files.items()}
        return [each for path, found in roots.items() if path not in self.included for each in found][:MOST]

    def walk_file(self, file: CodeFile, prefix: str, depth: int, name: str = "urlpatterns") -> Iterator[Entry]:
        if (file.path, name) in self.open:
            return
        self.open.add((file.path, name))
        yield from self.walk_name(file, prefix, depth, name)
        self.open.discard((file.path, name))

    def walk_name(self, file: CodeFile, prefix: str, depth: int, name: str) -> Iterator[Entry]:
        for binding in file.bindings.get((0, name), ()):
            if binding.value:
                yield from self.walk_list(file, binding.value, prefix, depth)
        code, sites = file.code, file.facts.sites
        for at in range(0, len(sites), SITE_WORDS):
            e = sites[at]
            if (
                code[e] == op.OPERATION
                and file.strings[code[e + op.WORD]] == "+="
                and file.member(code[e + op.LEFT]) == name
            ):
                yield from self.walk_list(file, code[e + op.RIGHT], prefix, depth)
        for container, _, value in file.facts.items:
            if file.member(container) == name and value:
                yield from self.walk_pattern(file, value, prefix, depth)

    def walk_list(self, file: CodeFile, e: int, prefix: str, depth: int) -> Iterator[Entry]:
        code = file.code
        if depth > DEEPEST or self.entry_count > MOST:
            return
        operation = code[e]
        if operation in (op.LIST, op.TUPLE):
            for each in op.items_of(code, e):
                yield from self.walk_pattern(file, each, prefix, depth)
        elif operation == op.OPERATION and code[e + op.RIGHT]:
            yield from self.walk_list(file, code[e + op.LEFT], prefix, depth)
            yield from self.walk_list(file, code[e + op.RIGHT], prefix, depth)
        elif operation == op.CALL:
            before = WRAPPED.get(file.member(code[e + op.CALLEE]))
            if before is not None:
                for item in file.arguments(e):
                    if not item.keyword:
                        inner = (
                            self.walk_list
                            if code[item.value] in (op.LIST, op.NAME, op.OPERATION)
                            else self.walk_pattern
                        )
                        yield from inner(file, item.value, prefix + before, depth + 1)
        elif operation in (op.ATTRIBUTE, op.PATH) and file.member(e) == "urls":
            yield from self.walk_router(file, code[e + op.HOLDER], prefix)
        elif operation in (op.NAME, op.ATTRIBUTE, op.PATH):
            found = self.code.value(file, e)
            if found.definition < 0 and found.key != (file.path, e, -1):
                yield from self.walk_list(found.file, found.expression, prefix, depth + 1)

    def walk_pattern(self, file: CodeFile, e: int, prefix: str, depth: int) -> Iterator[Entry]:
        deadline.check()
        code = file.code
        if code[e] == op.CALL and file.member(code[e + op.CALLEE]) in WRAPPED:
            yield from self.walk_list(file, e, prefix, depth)
            return
        if code[e] != op.CALL or file.member(code[e + op.CALLEE]) not in PATTERNS:
            return
        arguments = file.arguments(e)
        route, view = argument(arguments, 0, "route") or argument(arguments, 0, "regex"), argument(arguments, 1, "view")
        if not route or not view:
            return
        pattern = self.code.string_value(file, route)
        path = prefix + pattern.removeprefix("^").removesuffix("$")
        if code[view] == op.CALL and file.member(code[view + op.CALLEE]) in ("include", "decorator_include"):
            inner = file.arguments(view)
            if inner:
                yield from self.walk_included(file, inner[-1 if len(inner) == 1 else 0].value, path, depth, e)
            return
        if code[view] in (op.ATTRIBUTE, op.PATH) and file.member(view) == "urls":
            yield self.entry(file, e, f"{path}{COMPUTED}", ANY, self.code.as_written(file, view))
            return
        if code[view] in (op.LIST, op.TUPLE):
            yield from self.walk_list(file, view, path, depth + 1)
            return
        yield self.entry(file, e, path, self.methods(file, view), self.code.handler(file, view))

    def walk_included(self, file: CodeFile, e: int, path: str, depth: int, at: int) -> Iterator[Entry]:
        code = file.code
        if code[e] == op.TUPLE and code[e + op.ITEM_COUNT]:
            e = code[e + op.ITEMS]
        if code[e] == op.STRING:
            module = file.strings[code[e + op.WORD]]
            other = self.module(file, module)
            if other is None:
                yield self.entry(file, at, f"{path}{COMPUTED}", ANY, module)
            else:
                self.include(other)
                yield from self.walk_file(other, path, depth + 1)
            return
        if code[e] in (op.ATTRIBUTE, op.PATH) and file.member(e) == "urls":
            if self.code.value(file, code[e + op.HOLDER]).operation == op.IMPORT:
                yield self.entry(file, at, f"{path}{COMPUTED}", ANY, self.code.as_written(file, e))
            else:
                yield from self.walk_router(file, code[e + op.HOLDER], path)
            return
        found = self.code.value(file, e)
        if found.definition == 0:
            self.include(found.file)
            yield from self.walk_file(found.file, path, depth + 1)
        elif found.definition < 0 and found.operation == op.TUPLE:
            yield from self.walk_included(found.file, found.expression, path, depth + 1, at)
        elif found.definition < 0 and found.operation in (op.IMPORT, op.IMPORTED):
            yield self.entry(file, at, f"{path}{COMPUTED}", ANY, self.code.as_written(file, e))
        elif found.definition < 0 and (found.key != (file.path, e, -1) or code[e] == op.LIST):
            yield from self.walk_list(found.file, found.expression, path, depth + 1)
        else:
            yield self.entry(file, at, f"{path}{COMPUTED}", ANY, self.code.as_written(file, e))

    def include(self, file: CodeFile) -> None:
        if (file.path, "urlpatterns") not in self.open:
            self.included.add(file.path)

    def module(self, file: CodeFile, module: str) -> CodeFile | None:
        """The file of a dotted name: the one with the longest common folder."""
        ending = module.replace(".", "/")
        found = list_paths_ending(self.code.index, f"{ending}.py", f"{ending}/__init__.py")
        near = sorted(found, key=lambda path: (-_common(path, file.path), len(path)))
        return self.code.file(near[0]) if near else None

    # REST framework

    def walk_router(self, file: CodeFile, e: int, prefix: str) -> Iterator[Entry]:
        router = self.code.value(file, e)
        slash = "/"
        if router.definition < 0 and router.operation == op.CALL:
            slash_argument = argument(router.file.arguments(router.expression), None, "trailing_slash")
            slash = (
                ""
                if slash_argument and router.file.text(router.file.code[slash_argument + 1]).startswith("False")
                else "/"
            )
        for call_file, call in self.registrations().get(router.key, ()):
            arguments = call_file.arguments(call)
            at, view = argument(arguments, 0, "prefix"), argument(arguments, 1, "viewset")
            if at and view:
                base = prefix + self.code.string_value(call_file, at).removeprefix("^")
                yield from self.walk_viewset(call_file, call, base, self.code.value(call_file, view), slash)

    def registrations(self) -> dict[tuple[str, int, int], list[Included]]:
        if self.registered is None:
            self.registered = {}
            for file in self.code.files_that_import("rest_framework", "rest_framework_nested"):
                for call, _ in file.calls:
                    callee = file.code[call + op.CALLEE]
                    if file.code[callee] in (op.ATTRIBUTE, op.PATH) and file.member(callee) == "register":
                        router = self.code.value(file, file.code[callee + op.HOLDER])
                        self.registered.setdefault(router.key, []).append(Included(file, call))
        return self.registered

    def walk_viewset(self, file: CodeFile, call: int, base: str, view: Value, slash: str) -> Iterator[Entry]:
        if view.definition <= 0:
            yield self.entry(file, call, f"{base}{slash}{COMPUTED}", ANY, self.code.as_written(file, view.expression))
            return
        names = [each.rpartition(".")[2] for each in self.code.names(view)]
        actions = set().union(*(MIXINS.get(each, frozenset()) for each in names))
        extra = []
        for each in self.members(view):
            definition = each.file.facts.definitions[each.definition]
            if definition.name in ACTIONS:
                actions.add(definition.name)
            for decorator in each.file.facts.decorators.get(each.definition, ()):
                if (
                    each.file.code[decorator] == op.CALL
                    and each.file.member(each.file.code[decorator + op.CALLEE]) == "action"
                ):
                    extra.append((each, decorator, definition.name))
        lookup = self.lookup(view)
        for is_all, path in ((True, f"{base}{slash}"), (False, f"{base}/<{lookup}>{slash}")):
            methods = [verb for action, verb in ACTIONS.items() if action in actions and (action in OF_ALL) == is_all]
            if methods:
                yield self.entry(file, call, path, " ".join(methods), label(view.file, view.definition))
        for each, decorator, name in extra:
            arguments = each.file.arguments(decorator)
            detail = argument(arguments, None, "detail")
            one = bool(detail) and each.file.text(each.file.code[detail + 1]).startswith("True")
            url, verbs = argument(arguments, None, "url_path"), argument(arguments, 0, "methods")
            last = self.code.string_value(each.file, url) if url else name
            action_methods = (
                [
                    self.code.string_value(item_file, item).upper()
                    for item_file, item in self.code.items(each.file, verbs)
                ]
                if verbs
                else []
            )
            path = f"{base}/<{lookup}>/{last}{slash}" if one else f"{base}/{last}{slash}"
            yield self.entry(
                each.file, decorator, path, " ".join(action_methods) or "GET", label(each.file, each.definition)
            )

    def members(self, view: Value, depth: int = 0) -> Iterator[Value]:
        file = view.file
        for number, each in enumerate(file.facts.definitions):
            if each.parent == view.definition:
                yield Value(file, 0, number)
        for _, base in file.facts.bases.get(view.definition, ()) if depth < DEEPEST else ():
            above = self.code.value(file, base)
            if above.definition > 0:
                yield from self.members(above, depth + 1)

    def lookup(self, view: Value) -> str:
        scope = view.file.facts.definitions[view.definition].scope
        for name in ("lookup_url_kwarg", "lookup_field"):
            bound = self.code.bound(view.file, scope, name, -1)
            if bound:
                return self.code.string_value(view.file, bound)
        return "pk"

    # One pattern

    def methods(self, file: CodeFile, view: int) -> str:
        e = view
        while file.code[e] == op.CALL:
            callee = file.code[e + op.CALLEE]
            values = [each.value for each in file.arguments(e) if not each.keyword]
            is_view = file.member(callee) == "as_view" and file.code[callee] in (op.ATTRIBUTE, op.PATH)
            if not is_view and not values:
                return ANY
            e = file.code[callee + op.HOLDER] if is_view else values[0]
        found = self.code.value(file, e)
        if found.definition <= 0:
            return ANY
        names = [each.rpartition(".")[2] for each in self.code.names(found)]
        of_class = class_methods(self.code, found) or next((GENERIC[each] for each in names if each in GENERIC), "")
        return of_class or self.decorated(found) or ANY

    def decorated(self, view: Value) -> str:
        file = view.file
        for each in file.facts.decorators.get(view.definition, ()):
            called = file.code[each] == op.CALL
            name = file.member(file.code[each + op.CALLEE] if called else each)
            if name in METHODS_OF_DECORATORS:
                return METHODS_OF_DECORATORS[name]
            if name in DECORATORS_OF_METHODS and called:
                names_argument = argument(file.arguments(each), 0, "http_method_names")
                return (
                    " ".join(
                        self.code.string_value(item_file, item)
                        for item_file, item in self.code.items(file, names_argument)
                    )
                    if names_argument
                    else ""
                )
        return ""

    def entry(self, file: CodeFile, e: int, path: str, methods: str, handler: str) -> Entry:
        self.entry_count += 1
        return route_entry(file, file.line(e), "Django", methods, path, handler)


def _common(path: str, other: str) -> int:
    """Folders that two paths begin with."""
    count = 0
    for one, two in zip(path.split("/"), other.split("/"), strict=False):
        if one != two:
            break
        count += 1
    return count
