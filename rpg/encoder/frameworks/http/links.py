"""Links to pages and what leads on to one: `<Link to="/users">`, `router.push('/users')`, `navigate('/users')`.

In: a file of scripts or a template (`Source`). Out: requests of the method PAGE. What is relative to the page that is
shown is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.frameworks.by_text.words import SCRIPT
from rpg.encoder.frameworks.http.page_routes import PAGE
from rpg.encoder.frameworks.http.pages import NAMED
from rpg.encoder.frameworks.http.requests import is_test
from rpg.encoder.frameworks.rows import Request
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import HOLE, OF, RETURNED, SAID, Part, Text, expression_at, join_parts, pieces
from rpg.graph import FUNCTION_KINDS

LINK: Final = "link"
OF_PAGES: Final = frozenset(("Remix", "Astro", "SvelteKit page"))
"""Frameworks of routes that are pages."""
_ATTRIBUTE: Final = re.compile(
    r"""(?<![\w$-])(?P<name>(?::|v-bind:)?to|:?href|\[?routerLink\]?|redirectTo)\s*=\s*"""
    r"""(?:"(?P<double>[^"\n]*)"|'(?P<single>[^'\n]*)'|(?P<brace>\{))"""
)
_TAG: Final = re.compile(r"<([A-Za-z][\w.-]*)")
_CALL: Final = re.compile(
    r"""(?<![\w$.])(?:(?:this\.|\$)*[\w.]*?(?:[rR]outer|[hH]istory|navigation|navCtrl)(?:\.value|\(\))?\??\."""
    r"""(?:push|replace|prefetch|navigate|navigateByUrl|navigateForward|parseUrl|createUrlTree)"""
    r"""|navigate|navigateTo|goto|redirect|permanentRedirect|replaceWith|setLocation|redirectTo)\(\s*"""
    r"""|\blocation(?:\.href)?\s*=(?!=)\s*(?=["'`])|\blocation\.(?:assign|replace)\(\s*(?=["'`])"""
)
_OBJECT: Final = re.compile(r"\b(?P<key>pathname|path|name|to)\s*:\s*")
_WORD: Final = re.compile(r"[\"'`]([\w.:/-]+)[\"'`]")
_LOCALISED: Final = re.compile(r"(?:\w+\.)*(?:localePath|localeRoute|\$localePath|withBase|resolve)\(")
_LONGEST_TAG: Final = 1_500


def links_of(source: Source) -> Iterator[Request]:
    text = source.text
    if source.language in SCRIPT:
        yield from _of_attributes(source)
        for found in _CALL.finditer(text):
            if not source.is_comment(found.start()):
                start, written = expression_at(text, found.end())
                yield from _request(source, _meant(source, start, written), found.start())
    elif source.language == "html" and "routerLink" in text:
        yield from _of_attributes(source)


def _of_attributes(source: Source) -> Iterator[Request]:
    text = source.text
    for found in _ATTRIBUTE.finditer(text):
        name = found["name"]
        opening = text.rfind("<", max(0, found.start() - _LONGEST_TAG), found.start())
        tag = _TAG.match(text, opening) if opening >= 0 else None
        if source.is_comment(found.start()):
            continue
        if "href" in name and (tag is None or tag[1] == "link" or (tag[1].islower() and tag[1] not in ("a", "area"))):
            continue
        if name == "redirectTo":
            continue
        if found["brace"]:
            end = _closing(text, found.end())
            meant = _meant(source, found.end(), text[found.end() : end])
        else:
            group = "double" if found["double"] is not None else "single"
            value = found[group]
            if name[:1] in (":", "[") or name.startswith("v-"):
                meant = _meant(source, found.start(group), value)
            else:
                meant = ((SAID, value),)
        yield from _request(source, meant, found.start())


def _framework(source: Source) -> str:
    """The framework that a link is of, where files of that are pages by their paths."""
    if any(each.startswith("next/") or each == "next" for each in source.modules):
        return "next"
    return "nuxt" if "NuxtLink" in source.text or "navigateTo(" in source.text or "nuxt-link" in source.text else ""


def _closing(text: str, at: int) -> int:
    depth = 0
    for end in range(at, min(len(text), at + _LONGEST_TAG)):
        if text[end] == "}":
            if not depth:
                return end
            depth -= 1
        depth += text[end] == "{"
    return at


def _meant(source: Source, at: int, written: str) -> Text:
    """The path that an expression says, or the name of a page."""
    at += len(written) - len(written.lstrip())
    written = written.strip()
    maker = source.innermost(at, FUNCTION_KINDS)
    if written[:1] == "{":
        for found in _OBJECT.finditer(written):
            start, value = expression_at(source.text, at + found.end())
            if found["key"] == "name":
                word = _WORD.match(value)
                return ((NAMED, word[1]),) if word is not None else ()
            return source.said(start, value.rstrip("}").rstrip(), maker)
        return ()
    if written[:1] == "[":
        return _of_commands(source, at, maker)
    if written.startswith(("new URL(", "new UrlTree(")) or _LOCALISED.match(written):
        start, value = expression_at(source.text, at + written.index("(") + 1)
        return source.said(start, value, maker)
    return source.said(at, written, maker)


def _of_commands(source: Source, at: int, maker: int) -> Text:
    """`['/items', item.id]`."""
    parts: list[Part] = []
    for each in pieces(source.text, at + 1, len(source.text)):
        said = source.said(each.start, each.text, maker) or ((HOLE, ""),)
        if parts and not (said[0][0] == SAID and said[0][1].startswith("/")):
            parts.append((SAID, "/"))
        parts += said
    return join_parts(parts)


def _request(source: Source, meant: Text, at: int) -> Iterator[Request]:
    if not meant:
        return
    kind, word = meant[0]
    if kind == SAID:
        if not word.startswith("/") or word.startswith("//"):
            return
        word = word.split("?", 1)[0].split("#", 1)[0]
        meant = ((SAID, word), *meant[1:]) if word == meant[0][1] else ((SAID, word),)
    elif kind not in (OF, RETURNED, NAMED):
        return
    maker = source.innermost(at, FUNCTION_KINDS)
    yield Request(
        LINK, "", _framework(source), PAGE, (), True, meant, source.symbol(maker), source.place(at),
        is_test(source, maker), False, True,
    )  # fmt: skip


__all__ = ["LINK", "OF_PAGES", "links_of"]
