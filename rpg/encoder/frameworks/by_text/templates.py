"""Templates that a name leads to which they define themselves, and SQL that a name leads to: `{{ define "home" }}`,
`-- name: get-lists`.

In: a file (`Source`). Out: rows of both sides: what pages and files of SQL define; what code in Go renders and runs,
and what a template puts in. A file is called as itself, too, which is meant where nothing defines a name. Templates of
other languages are named by paths, and are edges as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.frameworks.by_text.words import RENDERED
from rpg.encoder.frameworks.data.declared import around
from rpg.encoder.frameworks.http.requests import is_test
from rpg.encoder.frameworks.rows import Reading, Setting
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import OF, SAID, Text

TEMPLATE: Final = "template"
QUERY: Final = "query"
BY: Final = "templates by name"
BY_FILE: Final = "templates by file"
_DEFINED: Final = re.compile(r"\{\{-?\s*(?:define|block)\s+\"(?P<key>[^\"\n{}]+)\"")
_PUT_IN: Final = re.compile(r"\{\{-?\s*(?:template|block)\s+\"(?P<key>[^\"\n{}]+)\"")
_FOLDER: Final = re.compile(r"(?:^|/)(?:[\w-]*templates?|views|tmpl|layouts|pages|partials|includes)/")
_STATEMENT: Final = re.compile(r"^--[ \t]*name:[ \t]*(?P<key>[\w-]+)", re.MULTILINE)
_TAGGED: Final = re.compile(r"`[^`\n]*\bquery:\"(?P<key>[\w-]+)\"[^`\n]*`")
_PAGES: Final = frozenset({"html", "page_template"})


def templates_of(source: Source) -> Iterator[Setting]:
    text = source.text
    if source.language in _PAGES:
        for each in _DEFINED.finditer(text) if "{{" in text else ():
            yield Setting(TEMPLATE, each["key"], source.symbol(0), source.line(each.start("key")), BY, "", True)
        if "{{" in text or _FOLDER.search(source.path):
            yield Setting(TEMPLATE, source.path.rpartition("/")[2], source.symbol(0), 1, BY_FILE, "", True)


def queries_of(source: Source) -> Iterator[Setting]:
    for each in _STATEMENT.finditer(source.text) if "name:" in source.text else ():
        yield Setting(QUERY, each["key"], source.symbol(0), source.line(each.start("key")), BY, "", True)


def named_templates(source: Source) -> Iterator[Reading]:
    text = source.text
    if source.language in _PAGES:
        for found in _PUT_IN.finditer(text) if "{{" in text else ():
            at = found.start("key")
            yield Reading(TEMPLATE, ((SAID, found["key"]),), source.symbol(0), source.place(at), False)
        return
    for call, maker, callee, name in source.named_calls:
        at = RENDERED.get(name, -1)
        if at < 0 or source.code[callee] == op.NAME or source.target_at(source.code[callee + op.BYTE]):
            continue
        passed = source.arguments(call)
        if len(passed) > at:
            said = source.said(passed[at].start, passed[at].text, maker)
            if len(said) == 1 and said[0][0] in (SAID, OF):
                yield _reading(source, TEMPLATE, said, maker, passed[at].start)
    for found in _TAGGED.finditer(text) if "query:" in text else ():
        at = found.start("key")
        yield _reading(source, QUERY, ((SAID, found["key"]),), around(source, at), at)


def _reading(source: Source, space: str, name: Text, maker: int, at: int) -> Reading:
    return Reading(space, name, source.symbol(maker), source.place(at), is_test(source, maker))
