"""The routes that Spring's functional endpoints state: `route().path("/users", b -> b.GET("/{id}", handler::show))`.

In: a file (`Source`) in Java or Kotlin. Out: rows. The paths of `path` and `nest` are in front of those inside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.frameworks.http.annotated import ROOT
from rpg.encoder.frameworks.http.builders.spans import end_of_bracket, find_maker, find_spans
from rpg.encoder.frameworks.rows import Route
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import SAID, pieces
from rpg.graph import FUNCTION_KINDS

FRAMEWORK: Final = "Spring functional"
PACKAGES: Final = ("org.springframework.web.reactive.function.server", "org.springframework.web.servlet.function")
_ROUTE: Final = re.compile(r'\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\(\s*"([^"\n]*)"')
_CONSTANT: Final = re.compile(r"\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\(\s*(?:(\w+)\s*[,)])")
_AROUND: Final = re.compile(r'\b(?:path|nest)\(\s*(?:(?:RequestPredicates\.)?path\(\s*)?"([^"\n]*)"')
_NESTED: Final = re.compile(r'"([^"\n]*)"\.nest\s*\{')
_HANDLER: Final = re.compile(r"(?:\w+(?:\.\w+)*|this)?::(\w+)")
_PLAIN: Final = re.compile(r"^\s*(\w+)\s*$")


def find_functional_routes(source: Source) -> Iterator[Route]:
    if source.language not in ("java", "kotlin") or not any(each.startswith(PACKAGES) for each in source.modules):
        return
    around = [*find_spans(source, _AROUND, "("), *find_spans(source, _NESTED, "{")]
    for found in sorted([*_ROUTE.finditer(source.text), *_CONSTANT.finditer(source.text)], key=re.Match.start):
        at = found.start()
        if source.is_comment(at):
            continue
        path = (
            ((SAID, found[2]),) if found.re is _ROUTE else source.said(found.start(2), found[2], find_maker(source, at))
        )
        if not path or (path[0][0] == SAID and path[0][1] and path[0][1][0] != "/"):
            continue
        prefix = "".join(each for start, end, each in around if start < at < end)
        whole = ((SAID, prefix + path[0][1]),) if path[0][0] == SAID else ((SAID, prefix), *path)
        maker = source.symbol(find_maker(source, at))
        handler = _handler(source, found)
        yield Route(FRAMEWORK, ROOT, found[1], whole, handler or maker, source.line(at), bool(handler))


def _handler(source: Source, found: re.Match[str]) -> str:
    """What a route is handled by: the reference behind its path, or behind the call that is the predicate."""
    text = source.text
    arguments = list(pieces(text, text.index("(", found.start()) + 1, len(text)))
    inside = arguments[1:]
    if not inside:
        end = end_of_bracket(text, text.index("(", found.start()))
        behind = re.compile(r"[\s)]*(?:\.and\([^,]*\))?\s*,").match(text, end)
        inside = list(pieces(text, behind.end(), len(text)))[:1] if behind else []
    for each in reversed(inside):
        if (named := _HANDLER.search(each.text)) is not None:
            return source.target_at(each.start + named.start(1)) or source.guessed_at(each.start + named.start(1))
        if (plain := _PLAIN.match(each.text)) is not None:
            target = source.target_at(each.start + plain.start(1))
            number = source.numbers.get(target, -1)
            if number >= 0 and source.facts.definitions[number].kind in FUNCTION_KINDS:
                return target
    return ""
