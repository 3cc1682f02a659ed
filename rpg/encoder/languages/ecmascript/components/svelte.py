"""Svelte's components, of versions 3 to 5.

In: a `.svelte` file. Out: its scripts as one module, whose default export is the component, and what its markup refers
to: components, handlers, actions, expressions, blocks. `$name` reads the store that `name` holds, so that both are
uses of `name`; what a store holds is not followed.

Absent: which properties a component's element sets, snippets as symbols, styles.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import READ, SITE_WORDS, FileFacts
from rpg.encoder.languages.ecmascript.components.component import (
    CODE,
    ENTER,
    LEAVE,
    LIST,
    PATTERN,
    TAG,
    WORD,
    Component,
    Step,
)
from rpg.encoder.languages.ecmascript.components.markup import BRACES, OPEN, VOID_ELEMENTS, Attribute, Markup, Token
from rpg.encoder.languages.ecmascript.components.rules import SvelteRules as Rules
from rpg.encoder.languages.ecmascript.lowering.declarations import value_of
from rpg.encoder.languages.ecmascript.lowering.functions import lower_statements
from rpg.encoder.languages.ecmascript.lowering.modules import DEFAULT
from rpg.encoder.lowering.node import Node

__all__ = ["Lowering", "Rules"]

_BLOCK: Final = re.compile(rb"\{\s*([#:/@])\s*([a-z]+)")
_AROUND: Final = re.compile(
    rb"""[()\[\]{}]|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`"""
    rb"""|(?<=[\s)\]}])(?:as|then|catch)(?=[\s{\[])|,""",
    re.DOTALL,
)
_NAMED: Final = re.compile(rb"\s*([A-Za-z_$][\w$]*)\s*")
_NAMES_CODE: Final = ("use", "transition", "in", "out", "animate")
"""Directives whose argument is a name of the script."""
_READS_NAME: Final = ("bind", "class", "style")
"""Directives that, without a value, read the variable of their argument's name."""
_IDENTIFIER: Final = re.compile(r"[A-Za-z_$][\w$]*")
_ELEMENTS_OF_SVELTE: Final = "svelte:"


class Lowering(Component):
    def lower(self, root: Node | None = None) -> None:
        """The whole component."""
        self.markup = Markup(self.source, True)
        self.open_parts: list[tuple[str, bool]] = []
        """Tags and blocks that are open, and whether they opened a scope; blocks begin with `#`."""
        self.counts: dict[str, int] = {}
        self.reactive: list[Node] = []
        """Statements after `$:`."""
        self.read_markup()
        if not self.begins_end and self.source.strip():
            line_end = self.source.find(b"\n")
            self.begins_end = line_end if line_end > 0 else len(self.source)
        self.lower_scripts()
        self.define_component()
        self.lower_markup()
        self.finish_component()

    # Scripts

    def lower_statements_of(self, root: Node) -> None:
        """The statements of a script; those after `$:` come last, as they declare what nothing else does."""
        statements = []
        for statement in root.named_children:
            if statement.type == "labeled_statement" and self.source.startswith(b"$", statement.start_byte):
                self.reactive.append(statement)
            else:
                statements.append(statement)
        lower_statements(self, statements)

    def lower_scripts(self) -> list[Node]:
        roots = super().lower_scripts()
        for statement in self.reactive:
            self.lower_reactive(statement)
        return roots

    def lower_reactive(self, statement: Node) -> None:
        """`$: total = price * count` declares what is not declared elsewhere."""
        body = statement.child_by_field_name("body")
        if body is None:
            return
        inner = next(iter(body.named_children), None) if body.type == "expression_statement" else None
        while inner is not None and inner.type == "parenthesized_expression":
            inner = next(iter(inner.named_children), None)
        if inner is None or inner.type != "assignment_expression":
            self.walk(body)
            return
        left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
        if left is None or right is None:
            self.walk(body)
        elif left.type == "identifier" and self.is_new(self.source_of(left)):
            start, end = statement.start_byte, statement.end_byte
            self.bind(self.text_of(left), value_of(self, left, right, start, end, start), end)
        else:
            if left.type != "identifier":
                for found in _NAMED.finditer(self.source, left.start_byte, left.end_byte):
                    if self.is_new(found.group(1).decode()):
                        self.bind(found.group(1).decode(), 0, left.start_byte)
            self.walk(body)

    def is_new(self, name: str) -> bool:
        """Whether nothing declares a name, nor the store that it reads."""
        return name not in self.bound[0] and not (name.startswith("$") and name[1:] in self.bound[0])

    # Markup

    def read_markup(self) -> None:
        for token in self.markup.tokens():
            if token.kind == BRACES:
                self.braces(token)
            elif token.kind == OPEN:
                if not self.begins_end or (token.name == "script" and not self.scripts):
                    self.begins, self.begins_end = token.start, token.end
                if token.name == "script" and not self.open_parts:
                    self.scripts.append(token)
                elif token.name.lower() != "style":
                    has_scope = self.tag(token)
                    if not token.is_empty and token.name not in VOID_ELEMENTS and token.content_end <= token.end:
                        self.open_part(token.name, has_scope)
                    elif has_scope:
                        self.steps.append(Step(LEAVE, token.end, token.end))
            else:
                self.close_part(token.name, token.start)

    def open_part(self, name: str, has_scope: bool) -> None:
        self.open_parts.append((name, has_scope))
        self.counts[name] = self.counts.get(name, 0) + 1

    def close_part(self, wanted: str, at: int) -> None:
        """What is open inside of a tag or block ends with it; a tag or block that is not open ends nothing."""
        if not self.counts.get(wanted):
            return
        name = ""
        while name != wanted:
            name, has_scope = self.open_parts.pop()
            self.counts[name] -= 1
            if has_scope:
                self.steps.append(Step(LEAVE, at, at))

    def tag(self, token: Token) -> bool:
        """The steps of an opening tag. Whether it opened a scope."""
        self.steps.append(Step(TAG, token.start + 1, token.end, token.name))
        for attribute in token.attributes:
            self.attribute(attribute)
        given = [each for each in token.attributes if each.name.startswith("let:")]
        if given:
            self.steps.append(Step(ENTER, token.start, len(self.source)))
        for each in given:
            start, end = (
                (each.value_start, each.value_end)
                if each.value_start >= 0
                else (each.start + len("let:"), each.name_end)
            )
            self.steps.append(Step(PATTERN, start, end))
        return bool(given)

    def attribute(self, attribute: Attribute) -> None:
        name, start, end = attribute.name, attribute.value_start, attribute.value_end
        directive, _, rest = name.partition(":")
        argument = _IDENTIFIER.match(rest)
        at = attribute.start + len(directive) + 1
        if directive == "let":
            return
        if argument is not None and (
            directive in _NAMES_CODE or (directive in _READS_NAME and start < 0 and argument.group() == rest)
        ):
            self.steps.append(Step(WORD, at, at + len(argument.group()), argument.group()))
        if start < 0:
            return
        brace = self.source.find(b"{", start, end)
        while brace >= 0:
            closing = self.markup.closing_brace(brace)
            if closing < 0 or closing >= end:
                return
            self.expression(brace, closing + 1)
            brace = self.source.find(b"{", closing, end)

    def expression(self, start: int, end: int) -> None:
        """`{...}`, also `{...spread}` and `{@attach ...}`."""
        found = _BLOCK.match(self.source, start, end)
        if found is not None and found.group(1) == b"@":
            self.directive(found.end(), end - 1, found.group(2))
            return
        self.add_code(start, end - 1)

    # Blocks

    def braces(self, token: Token) -> None:
        found = _BLOCK.match(self.source, token.start, token.end)
        sign = found.group(1) if found is not None else b""
        if found is None or sign == b"@":
            self.expression(token.start, token.end)
            return
        word = found.group(2)
        after, end = found.end(), token.end - 1
        if sign == b"/":
            self.close_part("#" + word.decode(), token.start)
        elif sign == b"#":
            self.begin(word, after, end)
            self.open_part("#" + word.decode(), True)
        elif self.open_parts and self.open_parts[-1][1]:
            self.steps.append(Step(LEAVE, token.start, token.start))
            self.steps.append(Step(ENTER, token.start, len(self.source)))
            if word in (b"then", b"catch"):
                self.steps.append(Step(PATTERN, after, end))
            elif word == b"else":
                condition = self.source.find(b"if", after, end)
                if condition >= 0 and not self.source[after:condition].strip():
                    self.add_code(condition + 2, end)

    def begin(self, word: bytes, after: int, end: int) -> None:
        """The steps of `{#if ...}` and the like; each opens a scope."""
        scope = Step(ENTER, after, len(self.source))
        if word == b"each":
            marks = [each for each in self.words_between(after, end) if each[0] == b"as"]
            begin = marks[-1][1] if marks else end
            if after < begin and self.source[after + 1 : begin].strip():
                self.parenthesise(after, begin - 1 if marks else begin)
                self.steps.append(Step(LIST, after, begin if marks else end + 1))
            self.steps.append(scope)
            if marks:
                self.each_of(marks[-1][1] + 2, end)
        elif word == b"await":
            marks = [each for each in self.words_between(after, end) if each[0] in (b"then", b"catch")]
            begin = marks[0][1] if marks else end
            self.add_code(after, begin - 1 if marks else begin)
            self.steps.append(scope)
            if marks:
                self.steps.append(Step(PATTERN, begin + len(marks[0][0]), end))
        elif word == b"snippet":
            named = _NAMED.match(self.source, after, end)
            if named is not None:
                self.steps.append(Step(PATTERN, named.start(1), named.end(1)))
            self.steps.append(scope)
            if named is not None:
                self.steps.append(Step(PATTERN, named.end(1), end))
        else:
            self.add_code(after, end)
            self.steps.append(scope)

    def each_of(self, start: int, end: int) -> None:
        """`item, index (key)` after `as`."""
        depth = 0
        key = -1
        for word, at in self.words_between(start, end, True):
            if word in (b"(", b"[", b"{"):
                if word == b"(" and not depth:
                    key = at
                depth += 1
            elif word in (b")", b"]", b"}"):
                depth -= 1
        self.steps.append(Step(PATTERN, start, end if key < 0 else key))
        closing = self.source.rfind(b")", start, end)
        if 0 <= key < closing:
            self.steps.append(Step(CODE, key, closing + 1))

    def words_between(self, start: int, end: int, with_brackets: bool = False) -> list[tuple[bytes, int]]:
        """Keywords outside of all brackets and strings, and on request the brackets."""
        found = []
        depth = 0
        for each in _AROUND.finditer(self.source, start, end):
            word = each.group()
            if word in (b"(", b"[", b"{"):
                depth += 1
            elif word in (b")", b"]", b"}"):
                depth -= 1
            elif depth or not word.isalpha():
                continue
            if with_brackets or word.isalpha():
                found.append((word, each.start()))
        return found

    def directive(self, after: int, end: int, word: bytes) -> None:
        """`{@html ...}`, `{@render ...}`, `{@const ...}` and the like; `after` the word."""
        if word == b"const":
            begin = after - len(word)
            self.steps.append(Step(CODE, begin, end))
        else:
            self.add_code(after, end)

    def element(self, name: str, start: int) -> None:
        if name == _ELEMENTS_OF_SVELTE + "self":
            self.name(DEFAULT, start)
            return
        if name[:1].isupper() or "." in name:
            self.component_of(name, start)

    # Stores

    def finish(self) -> FileFacts:
        self.read_stores()
        return super().finish()

    def read_stores(self) -> None:
        """`$name` uses `name`. What it stands for is open, and bound so that no symbol is taken for it."""
        code, texts = self.code, self.texts
        reads: dict[int, str] = {}
        for offset in self.named:
            text = texts[code[offset + op.WORD]]
            if text.startswith("$") and text[1:] in self.bound[0]:
                reads[offset] = text
        if not reads:
            return
        for text in dict.fromkeys(reads.values()):
            if text not in self.bound[0]:
                self.bind(text, 0, 0, "", 0)
        sites = self.sites
        self.sites = []
        definition = self.definition
        for at in range(0, len(sites), SITE_WORDS):
            expression, role, maker = sites[at : at + SITE_WORDS]
            self.sites += (expression, role, maker)
            read = code[expression + op.CALLEE] if code[expression] == op.CALL else expression
            if code[read] == op.NAME and read in reads:
                self.definition = maker
                self.name(reads[read][1:], code[read + op.BYTE] + 1, role if code[expression] != op.CALL else READ)
        self.definition = definition
