"""Markup of Phoenix: where its Elixir is, and the components that it names.

In: a template, from a file or from a sigil. Out: its code in place; calls of components.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.languages.declarative.elixir.names import (
    ElixirWalker,
    full_name,
    local_function_named,
    row_of,
)
from rpg.encoder.languages.template_code import Delimiters, Scan, Tag

_COMPONENT: Final = re.compile(rb"<(?:(?P<module>[A-Z]\w*(?:\.[A-Z]\w*)*))?\.(?P<name>[a-z_]\w*[?!]?)(?=[\s/>])")
_CLOSES_SCRIPT: Final = {b"<script": b"</script", b"<style": b"</style"}


class Markup(Scan):
    def __init__(self, source: bytes) -> None:
        super().__init__(source)
        self.components: list[tuple[int, str, str]] = []
        """Where a component is named, its module, its name."""


def _read_match(scan: Scan, match: re.Match[bytes]) -> int:
    assert isinstance(scan, Markup)
    source, start, end = scan.source, match.start(), match.end()
    if match[0] in _CLOSES_SCRIPT:
        # Braces are those of another language; tags are not.
        stop = scan.find(_CLOSES_SCRIPT[match[0]], end)
        inner = TAGS.code_of(source[start : stop if stop >= 0 else len(source)])
        scan.code[start : start + len(inner.code)] = inner.code
        scan.comments += [(start + first, start + last) for first, last in inner.comments]
        return start + len(inner.code)
    if match[0] == b"{":
        stop = scan.closing_of(start, 125)
        if stop < 0:
            return end
        scan.copy(start + 1, stop)
        scan.put(start, b"\n")
        scan.put(stop, b"\n")
        return stop + 1
    named = _COMPONENT.match(source, start)
    if named is not None:
        scan.components.append((named.start("name"), (named["module"] or b"").decode(), named["name"].decode()))
    return end


_PLAIN: Final = (Tag(b"<%!--", b"--%>", False), Tag(b"<%%", b"", False), Tag(b"<%#", b"%>", False))
TAGS: Final = Delimiters(*_PLAIN, Tag(b"<%", b"%>"), marks=b"=|/")
_MARKUP: Final = Delimiters(
    *_PLAIN, Tag(b"<!--", b"-->", False), Tag(b"<%", b"%>"), marks=b"=|/",
    others=rb"\{|<(?=\.|[A-Z][\w.]*\.[a-z_])|<(?:script|style)(?=[\s>])", found=_read_match,
)  # fmt: skip


def markup_code(source: bytes) -> Markup:
    scan = Markup(source)
    _MARKUP.code_of(source, scan)
    return scan


def lower_components(walker: ElixirWalker, scan: Markup, start: int = 0) -> None:
    """`<.button>` calls a function of the module or of an imported one, `<Shop.button>` one of another module."""
    for byte, module, name in scan.components:
        at = start + byte
        if module:
            holder = walker.variable(walker.string(full_name(walker, module)), at - len(module) - 1)
            callee = walker.emit(op.ATTRIBUTE, at, holder, walker.string(name))
        else:
            callee = local_function_named(walker, name, at)
        if callee:
            walker.call(callee, at, row_of([], 1))
