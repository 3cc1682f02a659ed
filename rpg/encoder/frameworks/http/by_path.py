"""The routes of frameworks that name them by the paths of files: Next.js, SvelteKit, Nuxt.

In: a file (`Source`). Out: rows. A file at such a path serves with its exported functions, which are named after HTTP
methods, or with its default export.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rpg.encoder.frameworks.http.annotated import ROOT
from rpg.encoder.frameworks.http.servers import BY_PATH, SCRIPTS
from rpg.encoder.frameworks.rows import ANY, Route
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import SAID
from rpg.graph import FUNCTION_KINDS

_METHODS: Final = frozenset("GET POST PUT PATCH DELETE HEAD OPTIONS".split())


def rows_by_path(source: Source) -> Iterator[Route]:
    if not source.path.endswith(SCRIPTS):
        return
    for framework, pattern, dropped in BY_PATH:
        found = pattern.search(source.path)
        if found is None:
            continue
        parts = [each for each in found["path"].removeprefix(dropped).split("/") if each]
        kept = [each for each in parts if not (each.startswith("(") and each.endswith(")")) and each[:1] != "@"]
        path = ((SAID, "/" + "/".join(kept)),)
        method = (found.groupdict().get("method") or "").upper()
        named = False
        for number, definition in enumerate(source.facts.definitions):
            if definition.kind in FUNCTION_KINDS and definition.parent == 0 and definition.name in _METHODS:
                named = True
                yield Route(framework, ROOT, definition.name, path, source.symbol(number), definition.start_line, True)
        if not named:
            default = _default(source)
            yield Route(framework, ROOT, method or ANY, path, default or source.path, 1, bool(default))
        return


def _default(source: Source) -> str:
    for number, definition in enumerate(source.facts.definitions):
        if definition.name == "default" and definition.kind in FUNCTION_KINDS:
            return source.symbol(number)
    e = (source.facts.exports.get("names") or {}).get("default") or 0
    target = source.target_at(source.code[e + 1]) if e else ""
    if not target and e:
        names = [
            number
            for number, each in enumerate(source.facts.definitions)
            if each.kind in FUNCTION_KINDS and each.parent == 0
        ]
        return source.symbol(names[0]) if len(names) == 1 else ""
    return target
