"""The routes that services of Actix state: `web::scope("/x").route("/{id}", web::get().to(show))`, `web::resource`.

In: a file (`Source`) in Rust. Out: rows. A scope is in front of all that stands in its chain; a function that takes a
`ServiceConfig` registers what it has where it is passed to `configure`, and a handler with an attribute of its own is
served where it is passed to `service`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.frameworks.http.annotated import ROOT
from rpg.encoder.frameworks.http.builders.spans import end_of_bracket, end_of_chain, find_maker
from rpg.encoder.frameworks.rows import ANY, Mount, Route
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import SAID, Text, pieces
from rpg.graph import FUNCTION_KINDS

FRAMEWORK: Final = "Actix services"
PACKAGE: Final = "actix_web"
_SCOPE: Final = re.compile(r"(?<!\w)scope\(")
_RESOURCE: Final = re.compile(r"(?<!\w)resource\(")
_ROUTE: Final = re.compile(r"\.\s*route\(")
_TO: Final = re.compile(
    r"(?:(?<!\w)(?P<verb>get|post|put|patch|delete|head|trace)\(\)|method\(\s*(?:\w+::)*Method::(?P<method>[A-Z]+)\s*\))"
    r"(?P<guards>(?:\s*\.\s*guard\((?:[^()]|\([^()]*\))*\))*)\s*\.\s*to(?:_async)?\(\s*(?P<handler>(?:\w+::)*\w+)\s*,?\s*\)"
)
_ANY: Final = re.compile(r"(?:(?<!\w)route\(\)\s*)?\.\s*to(?:_async)?\(\s*(?P<handler>(?:\w+::)*\w+)\s*,?\s*\)")
_SERVICE: Final = re.compile(r"\.\s*service\(\s*(?P<handler>(?:\w+::)*\w+)\s*,?\s*\)")
_CONFIGURE: Final = re.compile(r"\.\s*configure\(\s*&?\s*(?P<handler>(?:\w+::)*\w+)\s*,?\s*\)")


def find_actix_rows(source: Source) -> Iterator[Route | Mount]:
    if source.language != "rust" or not any(each.startswith(PACKAGE) for each in source.modules):
        return
    text = source.text
    scopes = [(found.start(), end_of_chain(text, found.end() - 1), _path_at(source, found.end())) for found in
              _SCOPE.finditer(text) if not source.is_comment(found.start())]  # fmt: skip
    for found in _RESOURCE.finditer(text):
        if not source.is_comment(found.start()):
            path = _path_at(source, found.end())
            end = end_of_chain(text, found.end() - 1) + 1
            yield from _routes_in(source, scopes, path, end_of_bracket(text, found.end() - 1), end)
    for found in _ROUTE.finditer(text):
        passed = list(pieces(text, found.end(), len(text)))
        if len(passed) > 1 and not source.is_comment(found.start()):
            path = source.said(passed[0].start, passed[0].text, find_maker(source, found.start()))
            end = passed[1].start + len(passed[1].text)
            yield from _routes_in(source, scopes, path, passed[1].start, end)
    for pattern, ending in ((_SERVICE, ""), (_CONFIGURE, "#0")):
        for found in pattern.finditer(text):
            target = _target(source, found) if not source.is_comment(found.start()) else ""
            if target:
                yield Mount(f"{target}{ending}", _router(source, found.start()), _above(scopes, found.start()))


def _routes_in(
    source: Source, scopes: list[tuple[int, int, Text]], path: Text, start: int, end: int
) -> Iterator[Route]:
    """What a resource, or the second argument of `route`, hands on to which handler."""
    served = list(_TO.finditer(source.text, start, end))
    for found in served or list(_ANY.finditer(source.text, start, end)):
        verb = (found["verb"] or found["method"]) if found.re is _TO else ANY
        target = _target(source, found)
        maker = source.symbol(find_maker(source, found.start()))
        whole = _beside(_above(scopes, start), path)
        yield Route(
            FRAMEWORK, _router(source, start), verb.upper(), whole, target or maker, source.line(found.start()),
            bool(target),
        )  # fmt: skip


def _path_at(source: Source, at: int) -> Text:
    first = next(pieces(source.text, at, len(source.text)), None)
    return source.said(first.start, first.text, find_maker(source, at)) if first is not None else ()


def _above(scopes: list[tuple[int, int, Text]], at: int) -> Text:
    """The paths of all scopes around a place."""
    found: Text = ()
    for start, end, path in scopes:
        if start < at <= end:
            found = _beside(found, path)
    return found


def _beside(prefix: Text, path: Text) -> Text:
    return (*prefix, (SAID, "/"), *path) if prefix and path else prefix or path


def _router(source: Source, at: int) -> str:
    """Where a chain registers its routes: at the root, or where the function around is passed to `configure`."""
    number = find_maker(source, at)
    definition = source.facts.definitions[number]
    head = source.text[definition.name_byte : definition.name_byte + 200].partition("{")[0] if number else ""
    return f"{source.symbol(number)}#0" if "ServiceConfig" in head else ROOT


def _target(source: Source, found: re.Match[str]) -> str:
    """The function that a handler is; empty if it is not known."""
    at = found.end("handler") - len(found["handler"].rpartition("::")[2])
    target = source.target_at(at) or source.guessed_at(at)
    number = source.numbers.get(target, -1)
    return target if number < 0 or source.facts.definitions[number].kind in FUNCTION_KINDS else ""
