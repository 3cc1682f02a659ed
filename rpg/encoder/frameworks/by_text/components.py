"""Components of a page's scripts that a server names: `react_component('Header')`, `Inertia::render('Users/Index')`.

In: a file (`Source`). Out: rows of both sides: what scripts register, files of pages and of components by their paths;
the code and templates that name them. Absent: names that are computed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.facts import FileFacts
from rpg.encoder.frameworks.by_text.words import SCRIPT
from rpg.encoder.frameworks.data.declared import around
from rpg.encoder.frameworks.http.requests import is_test
from rpg.encoder.frameworks.rows import Reading, Setting
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import SAID

COMPONENT: Final = "component"
BY: Final = "components"
_PAGE: Final = re.compile(
    r"(?:^|/)(?:resources/(?:js|ts|assets/js|react|vue)|app/(?:javascript|frontend|assets/javascripts)|frontend|client|assets/js|js|src)/"
    r"(?:[\w-]+/)*?(?:[Pp]ages|[Cc]omponents)/(?P<name>.+?)(?:/index)?\.(?:vue|svelte|[jt]sx?)$"
)
_REGISTERS: Final = re.compile(r"\bReactOnRails\.register\(\s*\{(?P<names>[^{}]*)\}")
_NAME: Final = re.compile(r"(?<=[{,])\s*(?P<key>[A-Z]\w*)")
_NAMED: Final = re.compile(
    r"\b(?:react_component|react_component_hash|vue_component|svelte_component|inertia|Inertia::render|inertia_render)\s*\(?\s*"
    r"(?:component:\s*)?[\"'](?P<key>[A-Za-z][\w./-]*)[\"']"
    r"|\brender\s*\(?\s*inertia:\s*[\"'](?P<rails>[\w./-]+)[\"']|\bRoute::inertia\(\s*[\"'][^\"']*[\"']\s*,\s*[\"'](?P<route>[\w./-]+)[\"']"
)
_CALLED: Final = {
    "php": frozenset(("Inertia", "inertia")),
    "ruby": frozenset(("inertia", "react_component", "vue_component")),
}
_TEMPLATES: Final = frozenset("erb haml slim".split())


def may_have_components(facts: FileFacts) -> bool:
    """Whether a file may be a component that a server names, register some, or name one."""
    language = facts.language
    if language in SCRIPT:
        return "ReactOnRails" in facts.strings or _PAGE.search(facts.path) is not None
    words = _CALLED.get(language)
    return language in _TEMPLATES or (words is not None and not words.isdisjoint(facts.strings))


def components_of(source: Source) -> Iterator[Setting]:
    if source.language not in SCRIPT:
        return
    for registered in _REGISTERS.finditer(source.text) if "ReactOnRails" in source.text else ():
        for found in _NAME.finditer(source.text, registered.start("names"), registered.end("names")):
            line = source.line(found.start("key"))
            yield Setting(COMPONENT, found["key"], source.symbol(0), line, BY, "registered", True)
    page = _PAGE.search(source.path)
    if page is not None:
        yield Setting(COMPONENT, page["name"], source.symbol(0), 1, BY, "", True)


def named_components(source: Source) -> Iterator[Reading]:
    if source.language in SCRIPT:
        return
    for found in _NAMED.finditer(source.text):
        group = found.lastgroup or "key"
        at = found.start(group)
        if not source.is_comment(at):
            maker = around(source, at)
            said = ((SAID, found[group]),)
            yield Reading(COMPONENT, said, source.symbol(maker), source.place(at), is_test(source, maker))
