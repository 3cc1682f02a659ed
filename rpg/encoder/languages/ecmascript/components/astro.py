"""Astro's components.

In: an `.astro` file. Out: its front matter as a module in TypeScript, whose default export is the component, and what
its template refers to: components and expressions, with the elements in them. What a `<script>` says runs in browsers
and sees nothing of the front matter: it is a scope of its own.

Absent: which properties an element sets, styles.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import ANNOTATION, READ, SITE_WORDS, FileFacts
from rpg.encoder.languages.ecmascript.components.component import TAG, Component, Step, value_of_attribute
from rpg.encoder.languages.ecmascript.components.markup import BRACES, OPEN, Attribute, Markup, Token
from rpg.encoder.languages.ecmascript.components.rules import AstroRules as Rules
from rpg.encoder.languages.ecmascript.types.jsdoc import typedefs
from rpg.encoder.lowering.node import Node

__all__ = ["Lowering", "Rules"]

_FENCE: Final = re.compile(rb"\s*---[ \t]*\r?\n")
_LAST_FENCE: Final = re.compile(rb"^---[ \t]*\r?$", re.MULTILINE)
_SCRIPTS: Final = frozenset(("", "module", "text/javascript"))
"""Values of `type` of what is a program."""


class Lowering(Component):
    def lower(self, root: Node | None = None) -> None:
        """The whole component."""
        self.grammar = self.language = "typescript"
        source = self.source
        first = _FENCE.match(source)
        last = _LAST_FENCE.search(source, first.end()) if first is not None else None
        self.markup = Markup(source, True)
        self.markup.at = last.end() if last is not None else 0
        self.read_markup()
        if not self.begins_end and source.strip():
            self.begins_end = len(source)
        self.define_file()
        if first is not None and last is not None:
            self.lower_statements_of(self.parse_region("typescript", source, first.end(), last.start()))
        for script in self.scripts:
            around = self.enter("lambda", 0, script.end, script.content_end)
            self.lower_statements_of(self.parse_region("typescript", source, script.end, script.content_end))
            self.leave(around)
        typedefs(self)
        self.define_component()
        self.grammar = "tsx"
        self.lower_markup()
        self.finish_component()

    def read_markup(self) -> None:
        for token in self.markup.tokens():
            if token.kind == BRACES:
                self.add_code(token.start, token.end - 1)
            elif token.kind == OPEN:
                if not self.begins_end:
                    self.begins, self.begins_end = token.start, token.end
                if token.name == "script" and value_of_attribute(self, token, "type") in _SCRIPTS:
                    self.scripts.append(token)
                self.tag(token)

    def tag(self, token: Token) -> None:
        self.steps.append(Step(TAG, token.start + 1, token.end, token.name))
        for attribute in token.attributes:
            self.attribute(attribute)

    def attribute(self, attribute: Attribute) -> None:
        """Braces in quotes are text."""
        start = attribute.value_start
        if start >= 0 and self.source.startswith(b"{", start) and self.source[start - 1 : start] not in (b'"', b"'"):
            self.add_code(start, attribute.value_end - 1)

    def element(self, name: str, start: int) -> None:
        if name[:1].isupper() or "." in name:
            self.component_of(name, start)

    def finish(self) -> FileFacts:
        """What is known only of the whole file: the type of `Astro.props`, and that elements are mentions, as they are
        outside of braces."""
        code = self.code
        has_type = "Props" in self.bound[0]
        sites, self.sites = self.sites, []
        self.scope = 0
        for at in range(0, len(sites), SITE_WORDS):
            expression, role, maker = sites[at : at + SITE_WORDS]
            operation = code[expression]
            if operation == op.CALL and self.source.endswith(b"<", 0, self.first_byte(code[expression + op.CALLEE])):
                expression, role = code[expression + op.CALLEE], READ
            elif operation == op.ATTRIBUTE and has_type and self.is_properties(expression):
                annotation = self.variable(self.string("Props"), code[expression + op.BYTE])
                code[expression] = op.TYPED
                code[expression + op.ANNOTATED] = annotation
                code[expression + op.TYPED_VALUE] = 0
                expression, role = annotation, ANNOTATION
            self.sites += (expression, role, maker)
        return super().finish()

    def first_byte(self, name: int) -> int:
        """Where `a` in `a.b.c` stands."""
        code = self.code
        while code[name] == op.ATTRIBUTE:
            name = code[name + op.HOLDER]
        return code[name + op.BYTE]

    def is_properties(self, attribute: int) -> bool:
        """Whether it is `Astro.props`."""
        code, texts = self.code, self.texts
        holder = code[attribute + op.HOLDER]
        return (
            texts[code[attribute + op.MEMBER]] == "props"
            and code[holder] == op.NAME
            and texts[code[holder + op.WORD]] == "Astro"
        )
