"""Routes of Rails: the statements of `config/routes.rb` and of the files in `config/routes/`.

In: the text of such a file, and the methods that its lines lead to. Out: routes, with the paths of the namespaces,
scopes and resources around; what a resource's controller does not have is no route. Statements are read by line.

Absent: concerns, routes that engines bring, paths that are computed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from rpg.encoder.frameworks.http.resources import OF_RAILS, singular
from rpg.encoder.frameworks.rows import ANY, Route
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import SAID

REST: Final = "…"
"""Stands for what is behind a path at which something is mounted."""
FILE: Final = re.compile(r"(?:.*/)?config/routes(?:\.rb|/.*\.rb)")
VERBS: Final = frozenset(("delete", "get", "head", "match", "options", "patch", "post", "put"))
_ACTION: Final = re.compile(r"Controller\.\w+[?!]?$")
_STATEMENT: Final = re.compile(r"(?P<word>[a-z_]+)\b[ (]*(?P<rest>.*)", re.DOTALL)
_INLINE: Final = re.compile(r"\{\s*(?P<word>[a-z]+)\s+(?P<rest>[^{}]*?)\s*\}")
_OPENS: Final = re.compile(r"\bdo(?:\s*\|[^|]*\|)?$|^(?:if|unless|case|begin)\b")
_COMMENT: Final = re.compile(r"(?:^|\s)#(?!\{)[^'\"]*$")
_CONTINUES: Final = re.compile(r"(?:,|=>|\(|\[|\\)$")
_NAME: Final = re.compile(r""":(?P<symbol>\w+)\b(?!\s*=>)|(?P<quote>["'])(?P<text>.*?)(?P=quote)""")
_SEPARATOR: Final = re.compile(r"\s*,\s*")


class _Around(NamedTuple):
    """What the blocks around a statement say."""

    path: str = "/"
    """Of all blocks around, for the routes that are directly inside."""
    one: str = ""
    """The path of one object of the innermost resource."""
    all: str = ""
    """The path of all of them."""
    is_open: bool = True
    """Whether the routes inside are listed."""
    prefix: str = ""
    """Of the names of the routes inside."""
    behind: str = ""
    """The end of the names of the routes directly inside: of one object, or of all."""
    one_name: str = ""
    all_name: str = ""


class RailsRoute(NamedTuple):
    methods: str
    path: str
    handler: str
    """Empty if none is known."""
    line: int
    name: str = ""
    """Of its helpers, without `_path`."""


def find_routes(text: str, handlers: Mapping[int, Sequence[str]]) -> Iterator[RailsRoute]:
    """`handlers`: the methods that lines lead to."""
    yield from _Routes(text, handlers).entries()


def rails_rows(source: Source) -> Iterator[Route]:
    if source.language != "ruby" or not FILE.fullmatch(source.path):
        return
    handlers: dict[int, list[str]] = {}
    for edge in source.file.edges:
        if edge.kind == "references" and _ACTION.search(edge.target):
            for line, _ in edge.sites:
                handlers.setdefault(line, []).append(edge.target)
    for each in find_routes(source.text, handlers):
        if each.handler and REST not in each.path:
            yield Route("Rails", "#", each.methods, ((SAID, each.path),), each.handler, each.line, True, each.name)


class _Routes:
    """One file of routes."""

    def __init__(self, text: str, handlers: Mapping[int, Sequence[str]]) -> None:
        self.text = text
        self.handlers = handlers

    def statements(self) -> Iterator[tuple[int, int, str]]:
        """Each with its first and last line, without comments."""
        text, first = "", 0
        for number, line in enumerate(self.text.split("\n"), 1):
            plain = _COMMENT.sub("", line).strip()
            if not plain:
                continue
            first = first or number
            text = f"{text} {plain}".strip()
            if not _CONTINUES.search(plain):
                yield first, number, text
                text, first = "", 0

    def entries(self) -> Iterator[RailsRoute]:
        opened: list[_Around] = []
        for first, last, text in self.statements():
            around = opened[-1] if opened else _Around()
            if text == "end" or text.startswith("end "):
                if opened:
                    opened.pop()
                continue
            statement = _STATEMENT.match(text)
            word, rest = (statement["word"], statement["rest"]) if statement is not None else ("", text)
            inline = _INLINE.fullmatch(rest) if word in ("member", "collection") else None
            if inline is not None:
                around, word, rest = _inside(word, "", around), inline["word"], inline["rest"]
            if around.is_open:
                yield from self.routes(word, rest, around, first, last)
            if _OPENS.search(text):
                opened.append(_inside(word, rest, around))

    def routes(self, word: str, rest: str, around: _Around, first: int, last: int) -> Iterator[RailsRoute]:
        handlers = [each for line in range(first, last + 1) for each in self.handlers.get(line, ())]
        if word in ("resources", "resource"):
            for name in _names(rest):
                yield from self.resource(rest, name, around, first, handlers, word == "resources")
        elif word == "root":
            yield self.entry("GET", around.path, handlers[0] if handlers else "", first, f"{around.prefix}root")
        elif word == "mount":
            places = _option(rest, "at") or re.findall(r"""=>\s*["']([^"']*)""", rest)
            if places:
                mounted = rest.partition(",")[0].partition("=>")[0].strip()
                yield self.entry(ANY, f"{join_paths(around.path, places[0]).rstrip('/')}/{REST}", mounted, first)
        elif word in VERBS:
            methods = word.upper() if word != "match" else " ".join(_option(rest, "via")).upper().replace("ALL", ANY)
            base, of = around.path, around.behind
            if around.one and _option(rest, "on") == ["member"]:
                base, of = around.one, around.one_name
            elif around.all and _option(rest, "on") == ["collection"]:
                base, of = around.all, around.all_name
            names = _names(rest)
            for at, name in enumerate(names):
                handler = handlers[min(at, len(handlers) - 1)] if handlers else ""
                plain = re.sub(r"\W+", "_", name.strip("/")) if ":" not in name else ""
                stated = (_option(rest, "as") or [plain])[0]
                helper = f"{stated}_{of}" if of else f"{around.prefix}{stated}" if stated else ""
                yield self.entry(methods or ANY, join_paths(base, name), handler, first, helper)

    def resource(
        self, rest: str, name: str, around: _Around, line: int, handlers: list[str], is_many: bool
    ) -> Iterator[RailsRoute]:
        own = _of_resource(rest, name, around, is_many)
        controllers = {name, f"{name}s", f"{name}es", *_option(rest, "controller")}
        of_resource = [each for each in handlers if _controller(each) in controllers]
        for action in OF_RAILS:
            handler = next((each for each in of_resource if each.endswith(f".{action.name}")), "")
            if handler and (is_many or action.name != "index"):
                path = own.one if action.is_of_one else own.all
                helper = own.one_name if action.is_of_one or action.behind else own.all_name
                helper = f"{action.behind}_{helper}" if action.behind else helper
                yield self.entry(action.methods, join_paths(path, action.behind), handler, line, helper)

    def entry(self, methods: str, path: str, handler: str, line: int, name: str = "") -> RailsRoute:
        return RailsRoute(methods, path.rstrip("/") or "/", handler, line, name)


def _inside(word: str, rest: str, around: _Around) -> _Around:
    """What holds in the block of a statement."""
    names = _names(rest)
    if word == "namespace" and names:
        path = join_paths(around.path, (_option(rest, "path") or names)[0])
        return _Around(path, is_open=around.is_open, prefix=f"{around.prefix}{names[0]}_")
    if word == "scope":
        stated = _option(rest, "path") or (names if not rest.startswith(":") else [])
        prefix = "".join(f"{each}_" for each in _option(rest, "as"))
        return around._replace(
            path=join_paths(around.path, stated[0] if stated else ""), prefix=f"{around.prefix}{prefix}"
        )
    if word in ("resources", "resource") and names:
        return _of_resource(rest, names[0], around, word == "resources")
    if word == "member":
        return around._replace(path=around.one, behind=around.one_name)
    if word in ("collection", "new"):
        if word == "collection":
            return around._replace(path=around.all, behind=around.all_name)
        return around._replace(path=join_paths(around.all, "new"), behind=f"new_{around.one_name}")
    if word == "concern":
        return around._replace(is_open=False)
    return around


def _of_resource(rest: str, name: str, around: _Around, is_many: bool) -> _Around:
    path = join_paths(around.path, (_option(rest, "path") or [name])[0])
    named = (_option(rest, "as") or [name])[0].replace("-", "_")
    one = f"{around.prefix}{singular(named) if is_many else named}"
    every = f"{named}_index" if is_many and singular(named) == named else named
    names = (f"{one}_", "", one, f"{around.prefix}{every}")
    if not is_many:
        return _Around(path, path, path, around.is_open, *names)
    key = (_option(rest, "param") or ["id"])[0]
    inside = join_paths(path, f":{singular(name)}_{key}")
    return _Around(inside, join_paths(path, f":{key}"), path, around.is_open, *names)


def _controller(handler: str) -> str:
    """`hat_requests` of `…::Mod.HatRequestsController.index`."""
    name = handler.rpartition("::")[2].split(".")[-2].removesuffix("Controller")
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _names(rest: str) -> list[str]:
    """The names or paths that a statement begins with."""
    found: list[str] = []
    at = 0
    while (name := _NAME.match(rest, at)) is not None:
        found.append(name["symbol"] or name["text"] or "")
        separator = _SEPARATOR.match(rest, name.end())
        if separator is None:
            break
        at = separator.end()
    return found


def _option(rest: str, name: str) -> list[str]:
    """The words of `name: [:a, :b]`, `name: :a`, `:name => %i[a b]`."""
    stated = re.search(
        rf"(?:\b{name}:|:{name}\s*=>)\s*(?:\[(?P<list>[^\]]*)\]|%[iw]\[(?P<words>[^\]]*)\]|(?P<one>:\w+|[\"'][^\"']*))",
        rest,
    )
    if stated is None:
        return []
    if stated["words"] is not None:
        return stated["words"].split()
    return [
        each.strip(" :\"'") for each in (stated["list"] if stated["list"] is not None else stated["one"]).split(",")
    ]


def join_paths(prefix: str, path: str) -> str:
    """Two paths with one slash between them."""
    if not path or (path == "/" and prefix.endswith("/")):
        return prefix
    if not prefix:
        return path
    return f"{prefix.rstrip('/')}/{path.removeprefix('/')}"
