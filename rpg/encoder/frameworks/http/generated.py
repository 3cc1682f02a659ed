"""Clients that are generated from OpenAPI documents: what their methods send, for themselves and for their callers.

In: a file (`Source`) as Kiota or OpenAPI Generator write it. Out: requests, at the place that states the HTTP method;
`THROUGH` as parameter says that whoever calls the method sends it too.

Absent: documents themselves, clients that put their paths together elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.frameworks.rows import THROUGH, Passed, Request
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import SAID
from rpg.graph import FUNCTION_KINDS

KIOTA: Final = "Kiota"
OPENAPI: Final = "OpenAPI client"
_TEMPLATE: Final = re.compile(r"[\"']\{\+baseurl\}((?:[^\"'?{]|\{[^?{}]*\})*)")
_KIOTA_METHOD: Final = re.compile(r"\b(?:HttpMethod|Method)\.(GET|POST|PUT|PATCH|DELETE|Get|Post|Put|Patch|Delete)\b")
_PATH: Final = re.compile(
    r"(?:local_?var_?path|resource_?path)\s*(?::\s*\w+)?\s*:?=[^\n]*?[\"'`](/[^\"'`\n]*)", re.IGNORECASE
)
_METHOD: Final = re.compile(
    r"[\"'](GET|POST|PUT|PATCH|DELETE|get|post|put|patch|delete)[\"']|http\.Method(Get|Post|Put|Patch|Delete)\b"
)
_VERBS: Final = frozenset("get post put patch delete".split())
_OF_CLIENT: Final = re.compile(r"::(?:.*\.)?\w*(?:RequestBuilder|Api|APIService)\.(?!to[A-Z])\w+$")
_LONGEST: Final = 6_000


def generated_requests(source: Source) -> Iterator[Request]:
    text = source.text
    if "{+baseurl}" in text:
        yield from _of_kiota(source)
    elif "ocalVarPath" in text or "resourcePath" in text or "resource_path" in text:
        yield from _of_openapi(source)


def calls_of_generated(source: Source) -> Iterator[Passed]:
    """Calls of methods of what is called like a generated client."""
    meant = {each for each in source.targets.values() if _OF_CLIENT.search(each)}
    if not meant:
        return
    for _, maker, callee, _ in source.named_calls:
        byte = source.code[callee + op.BYTE]
        target = source.target_at(byte)
        if target in meant and not target.startswith(f"{source.path}::"):
            yield Passed(target, THROUGH, (), "", source.symbol(maker), source.place(byte), source.test, True)


def _request(source: Source, library: str, method: str, path: str, maker: int, at: int, parameter: int) -> Request:
    return Request(
        library, "", "", method.upper(), (), False, ((SAID, path),), source.symbol(maker), source.place(at),
        False, False, False, parameter,
    )  # fmt: skip


def _of_kiota(source: Source) -> Iterator[Request]:
    template = _TEMPLATE.search(source.text)
    if template is None:
        return
    path, sent = template[1] or "/", set()
    for found in _KIOTA_METHOD.finditer(source.text):
        sent.add(found[1].lower())
        yield _request(source, KIOTA, found[1], path, source.function_around(found.start()), found.start(), -1)
    for number, each in enumerate(source.facts.definitions):
        verb = each.name.lower().removesuffix("async")
        if each.kind in FUNCTION_KINDS and verb in _VERBS and verb in sent:
            yield _request(source, KIOTA, verb, path, number, each.name_byte, THROUGH)


def _of_openapi(source: Source) -> Iterator[Request]:
    text = source.text
    for found in _PATH.finditer(text):
        maker = source.function_around(found.start())
        end = source.facts.definitions[maker].end_byte if maker else found.end() + _LONGEST
        method = _METHOD.search(text, found.end(), end)
        if method is None:
            continue
        path = re.sub(r"\$\{[^{}]*(?:\{[^{}]*\})?[^{}]*\}", "{}", found[1])
        yield _request(source, OPENAPI, method[1] or method[2], path, maker, method.start(), THROUGH)
