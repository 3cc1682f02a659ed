"""What the expressions and tags of a page template name: other templates, filters, tags, functions.

In: the source of a page. Out: imports that name a file; sites of what some file registers for all templates, if one
does.

Absent: variables, which code passes under names that nothing in the template tells apart.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import Final

from rpg.encoder.facts import OFFERED, Import
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.languages.markup_names import symbol_of_pipe, symbol_of_tag
from rpg.encoder.languages.template_code import Delimiters, Tag

_NAMED: Final = re.compile(
    rb"""\{%-?\s*(?:include|extends|import|from|embed|use|render|layout)\s+["']([\w./@-]{1,200})["']"""
    rb"""|\{%-?\s*(?:include|render)\s+([\w./-]{1,200}\.(?:html?|liquid))[\s%]"""
    rb"""|\{[{%]-?[^{}%]{0,80}\b(?:include|source|block)\(\s*["']([\w./@-]{1,200})["']"""
    rb"""|\{\{~?#?>\s*["']?([\w./-]{1,200})"""
    rb"""|<%[-=_]?\s*(?:-\s*)?(?:include|layout|partial|render)\(?\s*["']([\w./-]{1,200})["']"""
    rb"""|<%@\s*include\s+file\s*=\s*["']([\w./-]{1,200})["']"""
    rb"""|<jsp:include\s+page\s*=\s*["']([\w./-]{1,200})["']"""
    rb"""|<partial\s+name\s*=\s*["']([\w./~-]{1,200})["']"""
    rb"""|@(?:await\s+)?Html\.(?:Render)?Partial(?:Async)?\(\s*["']([\w./~-]{1,200})["']"""
    rb"""|\bLayout\s*=\s*["']([\w./~-]{1,200})["']"""
    rb"""|~\{\s*([\w./-]{1,200})\s*(?:::|\})"""
    rb"""|\bth:(?:replace|insert|include)\s*=\s*["']\s*([\w./-]{1,200})\s*::"""
)
"""The template that a template includes or extends: of Django, Jinja and Twig, Liquid, Handlebars, EJS, JSP, Razor,
Thymeleaf. Those of Go have names that any file may define: `templates.py` of the contracts."""
_PIPE: Final = re.compile(rb"""(?:\{\{|[\w\])]="|[\w\])]=')[^{}"'|<>]{1,200}\|\s*([A-Za-z]\w*)""")
_ACTION: Final = re.compile(rb"\{(\{|%)[-~]?(?!\s*/\*)([^{}]{1,2000}?)[-~]?(?:%|\})\}")
_TEXT: Final = re.compile(rb"\"[^\"\n]*\"|'[^'\n]*'")
_FILTER: Final = re.compile(rb"\|\s*([A-Za-z_]\w*)")
_TAG: Final = re.compile(rb"\s*([A-Za-z_]\w*)")
_CALLED: Final = re.compile(rb"(?<![\w.])([A-Za-z_]\w*)\s*\(")
_COMMENTS: Final = Delimiters(Tag(b"${", b"}"), Tag(b"{#", b"#}", False))
_DISABLED: Final = re.compile(rb"\{%-?\s*comment\b[^%]{0,200}%\}")
_ENABLED: Final = re.compile(rb"\{%-?\s*endcomment\s*-?%\}")


def comments_in(source: bytes) -> list[tuple[int, int]]:
    """`{# comment #}`, `{% comment %} ... {% endcomment %}`"""
    found = _COMMENTS.code_of(source).comments if b"{#" in source else []
    at = source.find(b"comment")
    while at >= 0:
        begin = _DISABLED.search(source, max(0, at - 20))
        end = _ENABLED.search(source, begin.end()) if begin is not None else None
        if begin is None or end is None:
            break
        found.append((begin.start(), end.end()))
        at = source.find(b"comment", end.end())
    return sorted(found)


class _Parts:
    """Parts of a file, in any order, which may overlap."""

    def __init__(self, parts: list[tuple[int, int]]) -> None:
        self._starts = sorted(start for start, _ in parts)
        self._ends = list(accumulate((end for _, end in sorted(parts)), max))

    def have(self, byte: int) -> bool:
        at = bisect_right(self._starts, byte) - 1
        return at >= 0 and byte < self._ends[at]


def lower_actions(walker: DeclarativeWalker, hidden: list[tuple[int, int]]) -> None:
    """`hidden`: comments of other kinds."""
    source = walker.source
    if b"{" not in source and b"<%" not in source and b"th:" not in source and b"Layout" not in source:
        return
    comments = comments_in(source)
    walker.comments += comments
    left_out = _Parts(comments + hidden)
    for found in _NAMED.finditer(source):
        start, end = found.span(found.lastindex or 0)
        if not left_out.have(start):
            walker.imports.append(Import(source[start:end].decode().lstrip("~/"), 0, start, 0, "file"))
    known: set[int] = set()
    for action in _ACTION.finditer(source):
        start = action.start(2)
        if left_out.have(start):
            continue
        text = _TEXT.sub(lambda found: b" " * len(found[0]), action[2])
        names = [(start + found.start(1), symbol_of_pipe(found[1].decode())) for found in _FILTER.finditer(text)]
        names += [(start + found.start(1), symbol_of_tag(found[1].decode())) for found in _CALLED.finditer(text)]
        tag = _TAG.match(text) if action[1] == b"%" else None
        if tag is not None:
            names.append((start + tag.start(1), symbol_of_tag(tag[1].decode())))
        for byte, name in names:
            if byte not in known:
                known.add(byte)
                walker.site(walker.variable(walker.string(name), byte), OFFERED)
    for found in _PIPE.finditer(source):
        if found.start(1) not in known and not left_out.have(found.start(1)):
            walker.site(walker.variable(walker.string(symbol_of_pipe(found[1].decode())), found.start(1)), OFFERED)
