"""Proxies of development servers: Vite, Vue, webpack, Angular, Next.js' rewrites, `setupProxy.js`.

In: a file of configuration in JavaScript or JSON (`Source`). Out: rules. Only literals are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.frameworks.http.gateways.rules import PATTERN, PREFIX, Rule, rule_row, split_url
from rpg.encoder.frameworks.rows import Setting
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import pieces, split_at_commas

BY: Final = "development proxy"
_PROXY: Final = re.compile(r"(?<![\w$])[\"']?proxy[\"']?\s*[:=]\s*\{")
_KEY: Final = re.compile(r"[\"'`]([^\"'`\n]+)[\"'`]\s*:")
_BLANK: Final = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_TARGET: Final = re.compile(r"[\"']?target[\"']?\s*:\s*(?:[^,\n{}]*?(?:\|\||\?\?)\s*)?[\"'`]([^\"'`\n]*)[\"'`]")
_REPLACED: Final = re.compile(
    r"\.replace\(\s*(?:/((?:[^/\\\n]|\\.)+)/\w*|[\"']([^\"'\n]+)[\"'])\s*,\s*[\"']([^\"'\n]*)[\"']"
)
_REWRITE: Final = re.compile(r"pathRewrite[\"']?\s*:\s*\{([^{}]*)\}")
_PAIR: Final = re.compile(r"[\"']([^\"'\n]+)[\"']\s*:\s*[\"']([^\"'\n]*)[\"']")
_MIDDLEWARE: Final = re.compile(r"\.use\(\s*(?:[\"']([^\"'\n]+)[\"']\s*,\s*)?(?:\w+\.)?createProxyMiddleware\(")
_SOURCE: Final = re.compile(
    r"\bsource\s*:\s*[\"'`]([^\"'`\n]+)[\"'`]\s*,\s*destination\s*:\s*[\"'`](?:\$\{[^}]*\})?([^\"'`\n]*)[\"'`]"
)
_WHOLE: Final = re.compile(r"[\"']/[^\"'\n]*[\"']\s*:\s*\{")


def rules_of_development(source: Source) -> Iterator[Setting]:
    text = source.text
    if source.path.endswith(".json"):
        if _WHOLE.search(text) and "target" in text:
            yield from _of_object(source, text.find("{") + 1)
        return
    for found in _PROXY.finditer(text):
        if not source.is_comment(found.start()):
            yield from _of_object(source, found.end())
    for found in _MIDDLEWARE.finditer(text):
        passed = "".join(each.text for each in pieces(text, found.end(), len(text)))
        if found[1] and not source.is_comment(found.start()):
            yield from _rule(source, found[1], passed, found.start(1))
    for found in _SOURCE.finditer(text) if "rewrites" in text else ():
        begins = re.sub(r":\w+\*$|\(\.\*\)$", "", found[1])
        parted = split_url(found[2]) or (("", found[2]) if found[2].startswith("/") and "${" in found[0] else None)
        if parted is not None and not source.is_comment(found.start()):
            target = re.sub(r":\w+\*?$|\$1$", "", parted[1] or "/")
            rule = Rule(PREFIX, begins, (), parted[0], target)
            yield rule_row(source, rule, source.line(found.start(1)), BY)


def _of_object(source: Source, start: int) -> Iterator[Setting]:
    """`{ "/api": { target: "http://localhost:8000", rewrite: … }, "/files": "http://localhost:9000" }`"""
    text = source.text
    for first, stop in split_at_commas(text, start, len(text)):
        blank = _BLANK.match(text, first, stop)
        key = _KEY.match(text, blank.end() if blank is not None else first, stop)
        if key is not None:
            yield from _rule(source, key[1], text[key.end(1) + 1 : stop], key.start(1))


def _rule(source: Source, path: str, said: str, at: int) -> Iterator[Setting]:
    plain = re.match(r"\s*:?\s*[\"'`]([^\"'`\n]*)[\"'`]\s*$", said)
    target = plain or _TARGET.search(said)
    parted = split_url(target[1]) if target is not None else None
    rewrites = [(found[1] or re.escape(found[2]), found[3]) for found in _REPLACED.finditer(said)]
    for group in _REWRITE.finditer(said):
        rewrites += [(one[1], one[2]) for one in _PAIR.finditer(group[1])]
    rewrites = [(one.replace("\\/", "/"), other) for one, other in rewrites]
    host, above = parted or ("", None)
    if above and above != "/" and not rewrites:
        rewrites = [("^", above.rstrip("/"))]
    kind = PATTERN if path.startswith("^") else PREFIX
    if kind == PATTERN:
        path = path.replace("\\/", "/")
    if path.startswith(("/", "^")):
        rule = Rule(kind, re.sub(r"/?\*+$", "", path) or "/", tuple(rewrites), host, None)
        yield rule_row(source, rule, source.line(at), BY)
