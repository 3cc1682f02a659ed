"""The lowering that component formats share: scripts as modules, and what their markup evaluates as code around them.

In: steps, which a format finds in its markup. Out: facts. Code in markup runs whenever the component is shown: in a
closure of the script, made by the file. What `v-for` and the like bind is local to the element.

Absent: tags and directives of any format.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import READ, Definition, FileFacts
from rpg.encoder.languages.ecmascript.components.markup import Token
from rpg.encoder.languages.ecmascript.lowering.commonjs import find_exported_names
from rpg.encoder.languages.ecmascript.lowering.file_lowering import Lowering
from rpg.encoder.languages.ecmascript.lowering.functions import lower_statements
from rpg.encoder.languages.ecmascript.lowering.modules import DEFAULT, mark_exported, mark_global
from rpg.encoder.languages.ecmascript.types.jsdoc import typedefs
from rpg.encoder.lowering.node import Node, ParseRegion, pieces_of

# What a format finds in its markup, in order. Ranges are of the file.
CODE: Final = "code"  #        expressions or statements are evaluated
LIST: Final = "list"  #        an expression is iterated over by the next PATTERN
ENTER: Final = "enter"  #      a scope begins
LEAVE: Final = "leave"  #      and ends
PATTERN: Final = "pattern"  #  names are bound in the scope
WORD: Final = "word"  #        a name is read, as written or as the step says
TAG: Final = "tag"  #          an element of that name is made

_NAME: Final = re.compile(r"[A-Za-z_$][\w$]*")
_IDENTIFIER: Final = re.compile(rb"[A-Za-z_$][\w$]*")
_GRAMMARS: Final = {
    "": "javascript",
    "js": "javascript",
    "jsx": "javascript",
    "javascript": "javascript",
    "babel": "javascript",
    "ts": "typescript",
    "typescript": "typescript",
    "tsx": "tsx",
}
_HELD: Final = (op.DEFINITION, op.IMPORT, op.IMPORTED)
_MOST_STEPS: Final = 100_000
_DEEPEST: Final = 100
"""Scopes within one another; what is declared further inside belongs to the innermost of them."""


class Step(NamedTuple):
    kind: str
    start: int
    end: int
    name: str = ""


class Component(Lowering):
    """Lowers one file. `parse_region` parses bytes of the file in a grammar, from one offset to another."""

    def __init__(self, path: str, language: str, source: bytes, parse_region: ParseRegion) -> None:
        super().__init__(path, language, source, pieces_of(parse_region, "javascript"))
        self.parse_region = parse_region
        self.format = language
        self.grammar = "javascript"
        self.written = bytearray(source)
        """The source in which delimiters of code are parentheses, for the parser alone."""
        self.steps: list[Step] = []
        self.scripts: list[Token] = []
        self.begins = 0
        """Where what stands for the component begins: its script or its template."""
        self.begins_end = 0

    def lower_scripts(self) -> list[Node]:
        """Lowers the scripts as one module. Returns their root nodes."""
        for script in self.scripts:
            tongue = language_of(self, script)
            if tongue:
                self.grammar = _GRAMMARS.get(tongue, "javascript")
        self.language = self.grammar
        self.says_types = self.grammar == "javascript" and b"@" in self.source
        roots = [self.parse_region(self.grammar, self.source, each.end, each.content_end) for each in self.scripts]
        self.define_file()
        for root in roots:
            self.lower_statements_of(root)
        typedefs(self)
        return roots

    def lower_statements_of(self, root: Node) -> None:
        """The statements of a script."""
        lower_statements(self, root.named_children)

    def define_component(self) -> None:
        """The default export is the component itself, which importers refer to by that name; a file that exports none
        is one by what it shows."""
        names = find_exported_names(self)
        value = names.get(DEFAULT, 0)
        if not value and not self.begins_end:
            return
        if not value:
            start, end = self.begins, self.begins_end
            self.define(
                Definition(
                    kind="constant",
                    name=DEFAULT,
                    qualified_name=DEFAULT,
                    parent=0,
                    start_byte=start,
                    end_byte=end,
                    name_byte=start,
                    body_byte=end,
                    signature=self.folded(start, end),
                )
            )
        elif not any(each.name == DEFAULT and each.parent == 0 for each in self.definitions):
            return
        self.bind(DEFAULT, value, 0)
        names[DEFAULT] = self.variable(self.string(DEFAULT), self.begins)

    def lower_markup(self) -> None:
        """Follows the steps. Those after a very large number of them are left out."""
        source, written = self.source, bytes(self.written)
        around = self.enter("lambda", 0, 0, len(source) + 1)
        self.bind_members()
        scopes: list[int] = []
        iterated = 0
        if len(self.steps) > _MOST_STEPS:
            self.problems.append(f"{self.line(self.steps[_MOST_STEPS].start)}: the rest of the markup is left out")
        for step in self.steps[:_MOST_STEPS]:
            kind, start, end, name = step
            if kind == CODE:
                self.evaluated(written, start, end)
            elif kind == LIST:
                iterated = self.evaluated(written, start, end)
            elif kind == TAG:
                self.element(name, start)
            elif kind == WORD:
                self.name(name or self.text(start, end), start, READ)
            elif kind == PATTERN:
                for found in _IDENTIFIER.finditer(source, start, end):
                    value = self.emit(op.ELEMENT, found.start(), iterated) if iterated else 0
                    self.bind(found.group().decode(), value, found.start())
                    iterated = 0
            elif kind == ENTER:
                scopes.append(self.scope)
                if len(scopes) <= _DEEPEST:
                    self.scope = self.open_scope("block", self.definition, start, end)
            elif scopes:
                self.scope = scopes.pop()
        self.leave(around)

    def evaluated(self, written: bytes, start: int, end: int) -> int:
        """Lowers code in the markup. Returns the value of the last expression."""
        value = 0
        if source_is_blank(written, start, end):
            return value
        for node in self.parse_region(self.grammar, written, start, end).named_children:
            if node.type == "expression_statement":
                value = self.only(node)
            else:
                self.walk(node)
        return value

    def bind_members(self) -> None:
        """Binds what the markup sees besides the script's own names."""

    def element(self, name: str, start: int) -> None:
        """An element of the markup, whose name stands at `start`."""
        raise NotImplementedError

    def held(self, name: str, scope: int) -> int:
        """The symbol or import that a name of a scope stands for; 0 if it does not stand for one."""
        for binding in reversed(self.bindings):
            if binding.scope == scope and binding.name == name and self.code[binding.value] in _HELD:
                return binding.value
        return 0

    def parenthesise(self, start: int, end: int) -> None:
        """Has the parser see parentheses at two bytes around an expression."""
        self.written[start] = 40
        self.written[end] = 41

    def add_code(self, start: int, end: int) -> None:
        """The expression between two bytes that are no part of it, `{...}`; also `{...spread}`."""
        inside = self.source[start + 1 : end].strip() if start < end else b""
        if not inside or (inside.startswith(b"/*") and inside.endswith(b"*/")):
            return
        if inside.startswith(b"..."):
            first = self.source.index(b"...", start)
            self.written[first : first + 3] = b"   "
        self.parenthesise(start, end)
        self.steps.append(Step(CODE, start, end + 1))

    def component_of(self, name: str, start: int) -> None:
        """An element whose name is an expression, `Tabs.Panel`."""
        first, *rest = name.split(".")
        if _NAME.fullmatch(first) is None:
            return
        holder = self.name(first, start)
        for part in rest:
            start += len(first) + 1
            first = part
            holder = self.emit(op.ATTRIBUTE, start, holder, self.string(part))
            self.site(holder, READ)

    def finish_component(self) -> None:
        mark_exported(self)
        mark_global(self)

    def finish(self) -> FileFacts:
        self.language = self.format
        return super().finish()


def language_of(component: Component, token: Token) -> str:
    """What the `lang` of a script or template says."""
    return value_of_attribute(component, token, "lang").lower()


def value_of_attribute(component: Component, token: Token, name: str) -> str:
    """The value of an attribute; empty if there is none."""
    for attribute in token.attributes:
        if attribute.name == name and attribute.value_start >= 0:
            return component.text(attribute.value_start, attribute.value_end).strip()
    return ""


def source_is_blank(source: bytes, start: int, end: int) -> bool:
    return start >= end or not source[start:end].strip()


def has(token: Token, name: str) -> bool:
    """Whether a tag has an attribute."""
    return any(attribute.name == name for attribute in token.attributes)
