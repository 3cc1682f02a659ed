"""The routes of frameworks that name them by the paths of files: Next.js, SvelteKit, Nuxt, Remix, Astro.

In: a file (`Source`). Out: rows. A file at such a path serves with its exported functions, which are named after HTTP
methods, or with its default export; in Remix with `loader` and `action`, in Astro a page as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.frameworks.http.annotated import ROOT
from rpg.encoder.frameworks.http.servers import BY_PATH, SCRIPTS
from rpg.encoder.frameworks.rows import ANY, Route
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import SAID, Text
from rpg.graph import FUNCTION_KINDS

_FLAT: Final = re.compile(r"(?:^|[/.])(?:_index|\$\w*)(?:$|[/.])")
_REMIX: Final = {"loader": "GET", "action": "POST PUT PATCH DELETE"}
_OF_PAGE: Final = {"load": "GET", "actions": "POST"}
_METHODS: Final = frozenset("GET POST PUT PATCH DELETE HEAD OPTIONS".split())


def rows_by_path(source: Source) -> Iterator[Route]:
    if not source.path.endswith(SCRIPTS):
        return
    for framework, pattern, dropped in BY_PATH:
        found = pattern.search(source.path)
        if found is None:
            continue
        if framework == "Remix":
            routes = list(_of_remix(source, found["path"]))
            yield from routes
            if routes:
                return
            continue
        parts = [each for each in found["path"].removeprefix(dropped).split("/") if each]
        kept = [each for each in parts if not (each.startswith("(") and each.endswith(")"))]
        if framework == "Next.js":
            kept = [each for each in kept if each[:1] != "@"]  # what a layout shows beside
        path = ((SAID, "/" + "/".join(kept)),)
        if framework == "Astro":
            path = ((SAID, "/" + "/".join(kept).removesuffix("index").rstrip("/")),)
            if any(each[:1] == "_" for each in kept):
                return
        if framework == "SvelteKit page":
            yield from _of_sveltekit(source, path)
            return
        method = (found.groupdict().get("method") or "").upper()
        named = False
        for number, definition in enumerate(source.facts.definitions):
            if definition.kind in FUNCTION_KINDS and definition.parent == 0 and definition.name in _METHODS:
                named = True
                yield Route(framework, ROOT, definition.name, path, source.symbol(number), definition.start_line, True)
        if framework == "Astro" and source.path.endswith(SCRIPTS[:-1]):
            return  # what exports no method is no endpoint
        if framework == "Astro":
            yield Route(framework, ROOT, "GET", path, source.path, 1, False)
        elif not named:
            default = _default(source)
            if not default and not _exports_default(source):
                return  # a file of another framework in such a folder
            yield Route(framework, ROOT, method or ANY, path, default or source.path, 1, bool(default))
        return


def _of_sveltekit(source: Source, path: Text) -> Iterator[Route]:
    """What a page loads, and what its forms are sent to."""
    for number, each in enumerate(source.facts.definitions):
        if each.parent == 0 and each.name in _OF_PAGE and each.kind in (*FUNCTION_KINDS, "constant"):
            yield Route("SvelteKit page", ROOT, _OF_PAGE[each.name], path, source.symbol(number), each.start_line, True)


def _of_remix(source: Source, written: str) -> Iterator[Route]:
    functions = {
        each.name: number
        for number, each in enumerate(source.facts.definitions)
        if each.parent == 0 and each.kind in (*FUNCTION_KINDS, "constant") and each.name in _REMIX
    }
    if (
        not functions
        and not _FLAT.search(written)
        and not any("react-router" in each or "@remix-run" in each for each in source.modules)
    ):
        return
    path = "/" + "/".join(_remix_parts(written))
    default = _default(source)
    for name, methods in _REMIX.items():
        if name in functions:
            number = functions[name]
            line = source.facts.definitions[number].start_line
            yield Route("Remix", ROOT, methods, ((SAID, path),), source.symbol(number), line, True)
    if default and "loader" not in functions:
        yield Route("Remix", ROOT, "GET", ((SAID, path),), default, 1, True)


def _remix_parts(written: str) -> Iterator[str]:
    for each in re.split(r"[./](?![^\[]*\])", written):
        part = each.replace("[", "").replace("]", "").removesuffix("_")
        if part[:1] == "_" or part == "index" or (part[:1] == "(" and part[-1:] == ")") or not part:
            continue  # a layout, an index, what may be left out
        yield "*" if part == "$" else f":{part[1:]}" if part[0] == "$" else part


def _exports_default(source: Source) -> bool:
    return bool((source.facts.exports.get("names") or {}).get("default"))


def _default(source: Source) -> str:
    for number, definition in enumerate(source.facts.definitions):
        if definition.name == "default" and definition.kind in FUNCTION_KINDS:
            return source.symbol(number)
    e = (source.facts.exports.get("names") or {}).get("default") or 0
    while e and source.code[e] == op.CALL:  # `export default wrapped(handler)`
        plain = [
            source.code[at + 1]
            for at in range(e + op.KEYWORDS, e + op.KEYWORDS + 2 * source.code[e + op.ARGUMENT_COUNT], 2)
            if source.code[source.code[at + 1]] in (op.CALL, op.NAME)
        ]
        e = plain[0] if plain else 0
    target = source.target_at(source.code[e + 1]) if e else ""
    if e and not target:
        origin = source.origin(e)
        if source.code[origin] == op.DEFINITION:
            return source.symbol(source.code[origin + op.DEFINED])
    if not target and e:
        names = [
            number
            for number, each in enumerate(source.facts.definitions)
            if each.kind in FUNCTION_KINDS and each.parent == 0
        ]
        return source.symbol(names[0]) if len(names) == 1 else ""
    return target
