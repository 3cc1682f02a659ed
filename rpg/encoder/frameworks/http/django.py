"""The routes of Django: `urlpatterns` of a module, what they include, and routers of REST framework.

In: a file (`Source`). Out: rows. The patterns of a module are one router, which the modules that include it mount.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rpg.encoder import operations as op
from rpg.encoder.frameworks.http.page_routes import ENTRY
from rpg.encoder.frameworks.http.pages import NAMED
from rpg.encoder.frameworks.http.requests import is_test
from rpg.encoder.frameworks.rows import ANY, Mount, Request, Route, Router
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import Argument, Text, arguments_behind

NAME = "Django"
URLS = "#urls"
"""Ends the key of a module's patterns."""
PATTERNS = frozenset({"path", "re_path", "url"})
REVERSING = frozenset({"reverse", "reverse_lazy", "redirect", "resolve_url"})
REVERSED = "reversed"
"""What asks for a route by its name."""
_QUOTED = re.compile(r"[\"']([\w:.-]+)[\"']")
_CALLED = re.compile(r"(?:[\w.]*\.)?(\w+)\s*(?=\()")
_RECEIVER = re.compile(r"(\w+)\s*\.\s*$")
_APP = re.compile(r"^app_name\s*=\s*[\"'](\w+)[\"']", re.MULTILINE)
LONGEST_NAME = 200
_OF_ALL = "GET POST"
_OF_ONE = "GET PUT PATCH DELETE"


def django_rows(source: Source) -> Iterator[Route | Router | Mount | Request]:
    if not any(module.partition(".")[0] in ("django", "rest_framework", "channels") for module in source.modules):
        return
    has_patterns = any(
        each.name in ("urlpatterns", "websocket_urlpatterns") and not each.scope for each in source.facts.bindings
    )
    key = f"{source.path}{URLS}"
    if has_patterns:
        yield Router(key, "", (), False)
    for call, maker, _, name in source.named_calls:
        if name in REVERSING:
            yield from _reversed(source, call, maker)
        elif name in PATTERNS and has_patterns:
            yield from _pattern(source, call, key, maker)
        elif name == "register":
            yield from _registered(source, call, maker)


def _pattern(source: Source, call: int, key: str, maker: int) -> Iterator[Route | Router | Mount]:
    arguments = source.arguments(call)
    keyed = {each.keyword: each for each in arguments}
    plain = [each for each in arguments if not each.keyword]
    plain += [keyed[each] for each in ("route", "regex", "view") if each in keyed]
    if len(plain) < 2:
        return
    path = source.said(plain[0].start, plain[0].text, maker)
    called = _CALLED.match(plain[1].text)
    if called is not None and called[1] == "include":
        child = _included(source, plain[1])
        if child:
            yield Mount(child, key, path)
        return
    handler = _view(source, plain[1])
    line = source.line(source.code[source.code[call + op.CALLEE] + op.BYTE])
    said = next((each for each in arguments if each.keyword == "name"), None)
    name = said.text.strip("\"'") if said is not None and said.text[:1] in "\"'" else ""
    space = _APP.search(source.text) if name else None
    name = f"{space[1]}:{name}" if space is not None else name
    yield Route(NAME, key, ANY, path, handler or source.symbol(maker), line, bool(handler), name)
    if name:
        stating = next((at for at, each in enumerate(source.facts.definitions) if each.name == "urlpatterns"), 0)
        yield Route(NAME, key, ENTRY, path, source.symbol(stating), line, True, name)


def _reversed(source: Source, call: int, maker: int) -> Iterator[Request]:
    """`reverse("users:detail")`: the name of a route."""
    arguments = source.arguments(call)
    first = next((each for each in arguments if each.keyword == "viewname"), arguments[0] if arguments else None)
    found = _QUOTED.fullmatch(first.text) if first is not None and first.keyword in ("", "viewname") else None
    if first is None or found is None:
        return
    yield Request(
        REVERSED, "", "", "", (), True, ((NAMED, found[1]),), source.symbol(maker), source.place(first.start),
        is_test(source, maker), source.test, True,
    )  # fmt: skip


def _included(source: Source, argument: Argument) -> str:
    """The key of what `include(...)` includes; empty if it is a library's."""
    inner = arguments_behind(source.text, argument.start + argument.text.index("include"))
    if not inner:
        return ""
    text, start = inner[0].text, inner[0].start
    if text[:1] == "(":
        text, start = text[1:].lstrip(), start + 1 + len(text[1:]) - len(text[1:].lstrip())
    if text[:1] in "\"'":
        last = start + 1 + len(text[1:-1].rpartition(".")[0]) + ("." in text)
        target = source.target_at(last) or source.target_at(start + 1)
        return f"{target}{URLS}" if target and "::" not in target else ""
    named = re.match(r"([\w.]+?)\.urls\b", text)
    if named is not None and (router := source.target_at(start + named.end(1) - len(named[1].rpartition(".")[2]))):
        return router if "::" in router else f"{router}{URLS}"
    name = re.match(r"[\w.]+", text)
    target = source.target_at(start + name.end() - len(name[0].rpartition(".")[2])) if name else ""
    return f"{target}{URLS}" if target and "::" not in target else ""


def _view(source: Source, argument: Argument) -> str:
    """The function or class that serves, also inside what wraps it."""
    found = ""
    for match in re.finditer(r"[\w.]+", argument.text):
        words = match[0].split(".")
        at = argument.start + match.start()
        for word in words:
            target = source.target_at(at)
            if target and "::" in target:
                found = target
            at += len(word) + 1
    return found


def _registered(source: Source, call: int, maker: int) -> Iterator[Route | Router]:
    """`router.register("users", UserViewSet)`: its routes for all, and for one."""
    plain = [each for each in source.arguments(call) if not each.keyword]
    byte = source.code[source.code[call + op.CALLEE] + op.BYTE]
    receiver = _RECEIVER.search(source.text, max(0, byte - LONGEST_NAME), byte)
    view = _view(source, plain[1]) if len(plain) > 1 else ""
    router = source.target_at(receiver.start(1)) if receiver is not None else ""
    if not view or not router or plain[0].text[:1] not in "\"'rbf":
        return
    path = source.said(plain[0].start, plain[0].text, maker)
    line = source.line(source.code[source.code[call + op.CALLEE] + op.BYTE])
    yield Router(router, "", (), False)
    yield Route(NAME, router, _OF_ALL, path, view, line, True)
    one: Text = (*path, ("s", "/{pk}/"))
    yield Route(NAME, router, _OF_ONE, one, view, line, True)
