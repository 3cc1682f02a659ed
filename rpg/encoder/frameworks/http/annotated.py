"""The routes and requests that annotations state: Spring, JAX-RS, NestJS, ASP.NET, Actix, Feign, Retrofit.

In: a file (`Source`). Out: rows. The path on the class stands before that on the method.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from rpg.encoder.frameworks.http.annotations import ANNOTATED, Annotated
from rpg.encoder.frameworks.rows import ANY, Request, Route
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import SAID, Argument, Text, arguments_behind, items
from rpg.graph import CLASS_KINDS

ROOT = "#"
"""The router of what is served at the root."""
OFFERED = "offered by "
"""Begins the router of what an interface states for those that implement it; its symbol follows."""
IMPLEMENTED = "implements "
"""Begins the router, or the client, of what is stated by an interface; its symbol follows."""
REST = "*"
"""Begins the member of a client that sends all that its interface states, but for the members that follow."""
_MARK = re.compile(r"(?:@|#\[|\[|(?<=\]),|(?<=\)),)\s*(?:[\w.]+(?:\.|::)|[\w\\]+\\)?([A-Za-z]\w*)")


class Annotation(NamedTuple):
    name: str
    arguments: list[Argument]
    start: int


def find_annotated_rows(source: Source) -> Iterator[Route | Request]:
    for framework in ANNOTATED:
        if source.language in framework.languages and _is_used(source, framework):
            yield from _of_file(source, framework)


def _is_used(source: Source, framework: Annotated) -> bool:
    return any(
        module.replace("::", ".").replace("\\", ".").startswith(package.replace("\\", "."))
        for module in source.modules
        for package in framework.packages
    )


def _of_file(source: Source, framework: Annotated) -> Iterator[Route | Request]:
    known = framework.paths | framework.verbs.keys() | framework.classes | framework.not_on | framework.serving
    definitions = source.facts.definitions
    on_class: dict[int, list[Annotation]] = {}
    for number, definition in enumerate(definitions):
        if not number or definition.kind not in ("method", "function"):
            continue
        owner = definition.parent
        is_method = owner > 0 and definitions[owner].kind in CLASS_KINDS
        if not is_method and not framework.on_functions:
            continue
        found = annotations_of(source, number, known, framework.in_comments)
        verbs = [each for each in found if each.name in framework.verbs]
        if is_method and owner not in on_class:
            on_class[owner] = annotations_of(source, owner, known, framework.in_comments)
        around = on_class.get(owner, []) if is_method else []
        names = {each.name for each in around}
        if not verbs:
            if framework.serving & names:
                yield from _inherited(source, framework, number, owner, around)
            continue
        if framework.serving and not framework.is_client and definitions[owner].kind == "interface":
            for route in _of_method(source, framework, number, around, found, verbs):
                if isinstance(route, Route):
                    yield route._replace(router=OFFERED + source.symbol(owner), name=definition.name)
        if names & framework.not_on or (framework.classes and is_method and not names & framework.classes):
            continue
        yield from _of_method(source, framework, number, around, found, verbs)

    for owner, around in on_class.items() if framework.is_client and framework.serving else ():
        if framework.serving & {each.name for each in around}:
            yield from _inherited_by_client(source, framework, owner, around)
    if framework.is_client and framework.serving:
        for number, definition in enumerate(definitions):
            if number and definition.kind == "interface" and number not in on_class and number in source.facts.bases:
                around = annotations_of(source, number, known, framework.in_comments)
                if framework.serving & {each.name for each in around}:
                    yield from _inherited_by_client(source, framework, number, around)


def _inherited(
    source: Source, framework: Annotated, number: int, owner: int, around: list[Annotation]
) -> Iterator[Route | Request]:
    """A method that does, or sends, what an interface states of its name."""
    definition = source.facts.definitions[number]
    prefix = _prefixes(source, framework, around, number)[0]
    for base in source.parents.get(source.symbol(owner), ()):
        if framework.is_client:
            yield _client(source, framework, around, base, definition.name, number)
            continue
        yield Route(
            framework.name, IMPLEMENTED + base, "", prefix, source.symbol(number), definition.start_line, True,
            definition.name,
        )  # fmt: skip


def _inherited_by_client(
    source: Source, framework: Annotated, owner: int, around: list[Annotation]
) -> Iterator[Request]:
    """What a client has from its interface and does not name itself."""
    own = [each.name for each in source.facts.definitions if each.parent == owner]
    for base in source.parents.get(source.symbol(owner), ()):
        yield _client(source, framework, around, base, " ".join([REST, *own]), owner)


def _client(
    source: Source, framework: Annotated, around: list[Annotation], base: str, member: str, number: int
) -> Request:
    address = _base(source, framework, around)
    return Request(
        framework.name, IMPLEMENTED + base, member, "", address, bool(address),
        _prefixes(source, framework, around, number)[0], source.symbol(number),
        source.place(source.facts.definitions[number].name_byte), False, False, False,
    )  # fmt: skip


def _prefixes(source: Source, framework: Annotated, around: list[Annotation], number: int) -> list[Text]:
    if "" in framework.base:  # the path of a client is part of what it sends to
        return [()]
    return [
        path for each in around if each.name in framework.paths for path, _ in _paths(source, framework, each, number)
    ] or [()]


def _of_method(
    source: Source,
    framework: Annotated,
    number: int,
    around: list[Annotation],
    found: list[Annotation],
    verbs: list[Annotation],
) -> Iterator[Route | Request]:
    definition = source.facts.definitions[number]
    above = _prefixes(source, framework, around, number)
    paths = [path for each in found for path in _paths(source, framework, each, number)]
    methods = " ".join(dict.fromkeys(_methods(framework, each) for each in verbs))
    owner = source.facts.definitions[definition.parent].name if definition.parent > 0 else ""
    for prefix in above:
        for path, start in paths or [((), verbs[0].start)]:
            whole = _named(_beside(prefix, path), owner, definition.name)
            if not framework.is_client:
                router = source.symbol(number) if framework.on_functions else ROOT
                yield Route(
                    framework.name, router, methods, whole, source.symbol(number), source.line(verbs[0].start), True
                )
                continue
            base = _base(source, framework, around)
            whole = whole or (((SAID, "/"),) if base else ())
            yield Request(
                framework.name, "", "", methods if methods != ANY else "", base, bool(base), whole,
                source.symbol(number), source.place(start), False, False, False,
            )  # fmt: skip


def annotations_of(source: Source, number: int, known: frozenset[str], in_comments: bool = False) -> list[Annotation]:
    """The annotations of these names before a definition."""
    definition = source.facts.definitions[number]
    found = []
    for match in _MARK.finditer(source.text, definition.start_byte, definition.name_byte):
        name = match[1] if match[1] in known else match[1].removesuffix("Attribute")
        if name in known and (in_comments or not source.is_comment(match.start(1))):
            found.append(Annotation(name, arguments_behind(source.text, match.start(1)), match.start(1)))
    return found


def _paths(source: Source, framework: Annotated, annotation: Annotation, maker: int) -> list[tuple[Text, int]]:
    found = []
    for each in annotation.arguments:
        if each.keyword and each.keyword not in framework.keywords:
            continue
        for item in items(each, source.text):
            if item.keyword and item.keyword not in framework.keywords:
                continue
            found.append((source.said(item.start, item.text, maker), item.start))
            if framework.name in ("ASP.NET", "Rocket", "Actix", "Symfony"):
                return found
    return found


def _base(source: Source, framework: Annotated, around: list[Annotation]) -> Text:
    """Where a client sends to: the host that it is told, or the service that it names, and a path below it."""
    stated = {
        each.keyword: source.said(each.start, each.text, 0)
        for annotation in around
        for each in annotation.arguments
        if each.keyword in framework.base
    }
    if "" in framework.base:
        return _base_by_service(stated)
    host = stated.get("url") or ((SAID, "http://"), *stated["name"]) if stated.get("url") or "name" in stated else ()
    path = stated.get("path", ())
    return (*host, (SAID, "/"), *path) if host and path else host or path


def _base_by_service(stated: dict[str, Text]) -> Text:
    """What a client of Micronaut sends to: a service by its id, or an address, and a path."""
    plain = stated.get("value") or stated.get("") or ()
    said = plain[0][1] if plain and plain[0][0] == SAID else ""
    named = stated.get("id") or (plain if said and "/" not in said else ())
    path = stated.get("path") or (plain if said.startswith("/") else ())
    if named and named[0][0] == SAID:
        host: Text = ((SAID, "http://" + named[0][1].strip("/")), *named[1:])
    else:
        host = plain if "://" in said else ()
    if host and path and path[0][0] == SAID:
        path = ((SAID, "/" + path[0][1].lstrip("/")), *path[1:])
    return (*host, *path)


def _methods(framework: Annotated, annotation: Annotation) -> str:
    verb = framework.verbs[annotation.name]
    if verb:
        return verb
    stated = " ".join(each.text for each in annotation.arguments if each.keyword == framework.methods)
    return " ".join(re.findall(r"\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b", stated)) or ANY


def _beside(prefix: Text, path: Text) -> Text:
    if path and path[0][0] == SAID and path[0][1].startswith("~/"):
        return ((SAID, path[0][1][1:]), *path[1:])
    return (*prefix, (SAID, "/"), *path) if prefix and path else prefix or path


def _named(path: Text, of_class: str, of_method: str) -> Text:
    """Replaces ASP.NET's placeholders for the names of class and method."""
    return tuple(
        (kind, word.replace("[controller]", of_class.removesuffix("Controller")).replace("[action]", of_method))
        if kind == SAID
        else (kind, word)
        for kind, word in path
    )


__all__ = ["IMPLEMENTED", "OFFERED", "REST", "ROOT", "annotations_of", "find_annotated_rows"]
