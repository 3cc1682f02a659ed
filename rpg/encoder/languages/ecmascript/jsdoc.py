"""Types that JavaScript says in its doc comments: `@param {T} name`, `@returns {T}`, `@type {T}`, `@typedef {T} Name`.

The names in them are looked up as those of annotations are, but are no references: a comment runs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rpg.encoder.facts import Import
from rpg.encoder.languages.ecmascript.shapes import Shapes
from rpg.encoder.languages.ecmascript.walk import cleaned
from rpg.encoder.lowering.node import Node
from rpg.encoder.operations import ATTRIBUTE, FUNCTION_TYPE, IMPORT, IMPORTED, OBJECT, STRING, SUBSCRIPT, TYPED, UNION

_TAG = re.compile(r"@(param|arg|argument|returns?|type|typedef|property|prop)\s*\{")
_NAME = re.compile(r"\s*\[?\s*([\w$.]+)")
_TOKEN = re.compile(r"\s*(import|[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*|\"[^\"]*\"|'[^']*'|\.\.\.|=>|\.<|\d+|\S)")
_PRIMITIVES = frozenset(
    """string number boolean bigint symbol null undefined void never String Number Boolean""".split()
)
_SILENT = frozenset(("any", "unknown", "object", "Object", "*", "this"))
_LARGEST = 4000
"""Code points of a comment; what is longer says no types."""

Tag = tuple[str, str, str]
"""Tag, type, name."""


def tags(doc: str) -> list[Tag]:
    """The tags of a doc comment that hold a type."""
    found = []
    for match in _TAG.finditer(doc) if len(doc) <= _LARGEST else ():
        depth, end = 1, match.end()
        while end < len(doc) and depth:
            depth += {"{": 1, "}": -1}.get(doc[end], 0)
            end += 1
        name = _NAME.match(doc, end)
        found.append((match[1], doc[match.end() : end - 1], name[1] if name else ""))
    return found


class JsDoc(Shapes):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.says_types = language == "javascript" and b"@" in source
        """Whether doc comments are all that declares types."""
        self.tokens: list[str] = []

    def annotate(self, scope: int, doc: str, byte: int) -> None:
        """Give a function the types that its doc comment says of it."""
        if not self.says_types or "{" not in doc:
            return
        rows = self.parameters.get(scope, [])
        position = 0
        for tag, text, name in tags(doc):
            if tag in ("param", "arg", "argument") and "." not in name:
                for index, row in enumerate(rows):
                    if (row.name == name or (not row.name and index == position)) and not row.annotation:
                        rows[index] = row._replace(annotation=self.type_from(text, byte))
                        break
                position += 1
            elif tag in ("return", "returns") and scope not in self.annotations:
                value = self.type_from(text, byte)
                if value:
                    self.annotations[scope] = value

    def declared_type(self, start: int) -> int:
        """The type that a comment before a declaration says; 0 where there is none."""
        if not self.says_types or not self.comments:
            return 0
        begin, doc = self.documented(start)
        if "@type" not in doc:
            return 0
        return next((self.type_from(text, begin) for tag, text, _ in tags(doc) if tag == "type"), 0)

    def typedefs(self) -> None:
        """Names that comments give to types."""
        if not self.says_types or b"@typedef" not in self.source:
            return
        for begin, end in self.comments:
            if not self.source.startswith(b"/**", begin) or b"@typedef" not in self.source[begin:end]:
                continue
            name = ""
            members = -1
            for tag, text, called in tags(cleaned(self.text(begin, end))):
                if tag == "typedef" and called:
                    name = called
                    value = self.type_from(text, begin)
                    if not value:
                        members = self.open_scope("object", 0, begin, end)
                        value = self.emit(OBJECT, begin, members)
                    self.bind(name, value, 0, "type", 0)
                elif members >= 0 and tag in ("property", "prop") and "." not in called:
                    annotation = self.type_from(text, begin)
                    if annotation:
                        typed = self.emit(TYPED, begin, annotation, 0)
                        self.bind(called, typed, begin, "annotation", members)

    # The grammar of types, as far as it names something

    def type_from(self, text: str, byte: int) -> int:
        self.tokens = _TOKEN.findall(text)[::-1]
        return self.any_of(byte)

    def peek(self) -> str:
        return self.tokens[-1] if self.tokens else ""

    def taken(self, token: str) -> bool:
        if self.peek() != token:
            return False
        self.tokens.pop()
        return True

    def any_of(self, byte: int) -> int:
        parts = [self.marked(byte)]
        while self.taken("|") or self.taken("&"):
            parts.append(self.marked(byte))
        parts = [part for part in parts if part]
        if len(parts) < 2:
            return parts[0] if parts else 0
        return self.emit(UNION, byte, len(parts), *parts)

    def marked(self, byte: int) -> int:
        while self.peek() in ("?", "!", "..."):
            self.tokens.pop()
        value = self.simple(byte)
        while self.taken("["):
            if not self.taken("]"):
                return 0
            array = self.variable(self.word(b"Array"), byte)
            value = self.emit(SUBSCRIPT, byte, array, value)
        self.taken("=")
        return value

    def simple(self, byte: int) -> int:
        token = self.tokens.pop() if self.tokens else ""
        if token == "(":
            value = self.any_of(byte)
            return value if self.taken(")") else 0
        if token[:1] in ("'", '"') and len(token) > 1:
            return self.emit(STRING, byte, self.string(token[1:-1]))
        if token == "import" and self.taken("("):
            return self.imported(byte)
        if token == "function":
            return self.emit(FUNCTION_TYPE, byte, 0, 0)
        if token in _PRIMITIVES:
            return self.literal(token.lower(), byte)
        if not token[:1].isidentifier() and token[:1] != "$":
            return 0
        arguments = self.arguments_from(byte)
        if token in _SILENT or (token == "Promise" and not arguments):
            return 0
        return self.subscript_type(byte, self.dotted(token.split("."), byte), arguments)

    def dotted(self, parts: list[str], byte: int) -> int:
        value = self.variable(self.string(parts[0]), byte)
        for part in parts[1:]:
            value = self.emit(ATTRIBUTE, byte, value, self.string(part))
        return value

    def arguments_from(self, byte: int) -> list[int]:
        arguments: list[int] = []
        if self.taken("<") or self.taken(".<"):
            arguments.append(self.any_of(byte))
            while self.taken(","):
                arguments.append(self.any_of(byte))
            self.taken(">")
        return arguments if any(arguments) else []

    def imported(self, byte: int) -> int:
        """`import("./m").Name`."""
        module = self.tokens.pop() if self.tokens else ""
        if module[:1] not in ("'", '"') or not self.taken(")"):
            return 0
        self.imports.append(Import(module[1:-1], 0, byte, self.scope, "type"))
        index = len(self.imports) - 1
        if not self.taken("."):
            return self.emit(IMPORT, byte, index)
        parts = (self.tokens.pop() if self.tokens else "").split(".")
        value = self.emit(IMPORTED, byte, index, self.string(parts[0]))
        for part in parts[1:]:
            value = self.emit(ATTRIBUTE, byte, value, self.string(part))
        return self.subscript_type(byte, value, self.arguments_from(byte))
