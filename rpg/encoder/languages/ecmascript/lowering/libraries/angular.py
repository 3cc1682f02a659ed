"""Components, directives and pipes of Angular: the markup that means a class, and what a template that stands in the
class's decorator refers to.

In: the decorators of a class. Out: the elements, attributes and pipes that every template knows by its selector or
name, the files that it names, and sites of the template: members of the class, and other classes by their markup.

Absent: what templates in files of their own say of members (they are text), types of template variables, `host`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import OFFERED, READ, Import
from rpg.encoder.languages.ecmascript.components.markup import BRACES, OPEN, Markup
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker
from rpg.encoder.languages.markup_names import symbol_of_attribute, symbol_of_element, symbol_of_pipe
from rpg.encoder.lowering.node import Node

_LIBRARY: Final = b"@angular/core"
_DECORATORS: Final = frozenset(("Component", "Directive", "Pipe"))
_FILES: Final = frozenset(("styleUrl", "styleUrls", "templateUrl"))
_SELECTOR: Final = re.compile(r"(?:^|,)\s*([a-zA-Z][\w-]*)?(?:\[([\w-]+)[^\]]*\])?")
_CONTROL: Final = re.compile(rb"@(?:if|else if|for|switch|case|let|defer)\b\s*(\(?)([^{;@]{0,500}?)(?=\)?\s*[{;])")
_VARIABLE: Final = re.compile(rb"(?:\blet[ \t-]+|\bas\s+|[\s<]#)([\w$]+)|@for\s*\(\s*([\w$]+)\s+of\b")
_TOKEN: Final = re.compile(
    rb"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|(?<!\|)\|(?!\|)\s*(?P<pipe>[A-Za-z]\w*)"""
    rb"""|(?<![\w$.])(?P<chain>[A-Za-z_$][\w$]*(?:[ \t]*(?:\?|!)?\.[ \t]*[A-Za-z_$][\w$]*)*)|[{,;]"""
)
_PART: Final = re.compile(rb"[A-Za-z_$][\w$]*")
_KEY: Final = re.compile(rb"\s*:")
_WORDS: Final = frozenset(
    b"$any $event $index $count $first $last $even $odd $implicit as else empty false in let not null of then this "
    b"track true typeof undefined".split()
)


def lower_angular(walker: EcmaScriptWalker, node: Node, definition: int) -> None:
    """What the decorators of a class say of it."""
    for decorator in _decorators(node) if _LIBRARY in walker.source else ():
        function = decorator.child_by_field_name("function")
        if function is None or walker.source_of(function) not in _DECORATORS:
            continue
        for key, value in _options(walker, decorator):
            if key == "selector":
                for found in _SELECTOR.finditer(_text(walker, value)):
                    if found[2]:
                        _register(walker, symbol_of_attribute(found[2]), definition)
                    elif found[1]:
                        _register(walker, symbol_of_element(found[1]), definition)
            elif key == "name":
                _register(walker, symbol_of_pipe(_text(walker, value)), definition)
            elif key == "template":
                _template(walker, value, definition)
            elif key in _FILES:
                for each in value.named_children if value.type == "array" else [value]:
                    if each.type == "string":
                        walker.imports.append(Import(_text(walker, each), 0, each.start_byte + 1, 0, "file"))


def _decorators(node: Node) -> Iterator[Node]:
    """The calls that decorate a class; those before `export` are the statement's."""
    around = node.parent
    before = around.children if around is not None and around.type == "export_statement" else []
    for each in [*before, *node.children]:
        if each.type == "decorator" and each.named_child_count and each.named_children[0].type == "call_expression":
            yield each.named_children[0]


def _options(walker: EcmaScriptWalker, call: Node) -> Iterator[tuple[str, Node]]:
    arguments = call.child_by_field_name("arguments")
    for options in arguments.named_children if arguments is not None else ():
        for pair in options.named_children if options.type == "object" else ():
            key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            if key is not None and value is not None:
                yield walker.name_of(key), value


def _text(walker: EcmaScriptWalker, node: Node) -> str:
    """What stands between quotes."""
    return walker.source_of(node)[1:-1] if node.type in ("string", "template_string") else ""


def _register(walker: EcmaScriptWalker, name: str, definition: int) -> None:
    if len(name) > 1:
        walker.bind(name, walker.definition_value(definition), 0, "", 0)
        walker.everywhere.append(name)


def _template(walker: EcmaScriptWalker, node: Node, definition: int) -> None:
    if node.type not in ("string", "template_string"):
        return
    start, end = node.start_byte + 1, node.end_byte - 1
    markup = Markup(walker.source[:end], False)
    markup.at = start
    known = {(one or other) for one, other in _VARIABLE.findall(walker.source, start, end)}
    template = _Template(walker, definition, known)
    parts: list[tuple[int, int]] = []
    for token in markup.tokens():
        if token.kind == BRACES:
            parts.append((token.start + 2, token.end - 2))
        elif token.kind == OPEN:
            if "-" in token.name:
                walker.site(walker.variable(walker.string(symbol_of_element(token.name)), token.start + 1), OFFERED)
            for attribute in token.attributes:
                bare = attribute.name.strip("*[]()")
                if attribute.name[:1] in ("*", "[") or bare != bare.lower():
                    byte = attribute.start + attribute.name.index(bare[:1]) if bare else attribute.start
                    walker.site(walker.variable(walker.string(symbol_of_attribute(bare)), byte), OFFERED)
                if attribute.name[:1] in ("*", "[", "(", "@") and attribute.value_start >= 0:
                    parts.append((attribute.value_start, attribute.value_end))
    parts += [found.span(2) for found in _CONTROL.finditer(walker.source, start, end)]
    for begin, stop in sorted(parts):
        template.expression(begin, stop)


class _Template:
    """The sites of one template."""

    def __init__(self, walker: EcmaScriptWalker, definition: int, known: set[bytes]) -> None:
        self.walker = walker
        self.definition = definition
        self.known = known
        """Variables of the template, which are no members."""

    def expression(self, start: int, end: int) -> None:
        walker = self.walker
        before = b""
        for found in _TOKEN.finditer(walker.source, start, end):
            if found["pipe"]:
                name = symbol_of_pipe(found["pipe"].decode())
                walker.site(walker.variable(walker.string(name), found.start("pipe")), OFFERED)
            elif found["chain"]:
                is_key = before in (b"{", b",", b";") and _KEY.match(walker.source, found.end(), end) is not None
                if not is_key:
                    self.chain(found.start("chain"), found.end("chain"))
            before = found[0]

    def chain(self, start: int, end: int) -> None:
        """`article.author.name`: members of the class, and of what they hold."""
        walker = self.walker
        parts = list(_PART.finditer(walker.source, start, end))
        if parts[0][0] == b"this" and len(parts) > 1:
            parts = parts[1:]
        if parts[0][0] in _WORDS or parts[0][0] in self.known:
            return
        name = walker.definitions[self.definition].name
        holder = walker.emit(op.INSTANCE, start, walker.variable(walker.string(name), start))
        for part in parts:
            holder = walker.emit(op.ATTRIBUTE, part.start(), holder, walker.string(part[0].decode()))
            walker.site(holder, READ if part is parts[0] else OFFERED)
