"""Base class for emitting facts; a language's `Lowering` derives from it.

In: definitions, bindings and expressions, in document order. Out: `FileFacts`. It resolves lexical names itself, so
that workers do that part. No other file is known.
"""

from __future__ import annotations

import re
import sys
from array import array
from bisect import bisect_right
from hashlib import blake2b
from itertools import accumulate
from typing import Any

from rpg.encoder import operations as op
from rpg.encoder.facts import (
    ANONYMOUS,
    BLOCK_WORDS,
    CALLED,
    MAKER,
    READ,
    ROLE,
    SITE_WORDS,
    Binding,
    Definition,
    FileFacts,
    Import,
    Parameter,
    Scope,
    is_module_within,
)
from rpg.encoder.lowering.declarations import join
from rpg.encoder.lowering.node import Node

_CONTINUATION = re.compile(rb"[\x80-\xbf]")
_IN_FLOW = ("comprehension", "block", "class", "object")
"""Kinds of scopes whose code runs in place."""
_SYMBOLS = (op.DEFINITION, op.IMPORT, op.IMPORTED)
SIGNATURE_LIMIT = 400
"""Code points; a longer signature is cut with an ellipsis."""


def parts_of(node: Node) -> list[Node]:
    """The children of a node, without comments."""
    return [child for child in node.named_children if child.type != "comment"]


class Builder:
    """Collects the facts of one file. Positions are byte offsets into `source`."""

    def __init__(self, path: str, language: str, source: bytes) -> None:
        self.path = path
        self.language = language
        self.source = source
        self.definitions: list[Definition] = []
        self.scopes: list[Scope] = []
        self.blocks = array("i", (0, len(source) + 1, 0))
        self.bindings: list[Binding] = []
        self.parameters: dict[int, list[Parameter]] = {}
        self.returns: dict[int, list[int]] = {}
        self.yields: dict[int, list[int]] = {}
        self.bases: dict[int, list[tuple[str, int]]] = {}
        self.decorators: dict[int, list[int]] = {}
        self.annotations: dict[int, int] = {}
        self.fields: dict[int, list[tuple[str, int]]] = {}
        self.members: list[tuple[int, str, int]] = []
        self.items: list[tuple[int, int, int]] = []
        self.imports: list[Import] = []
        self.exports: dict[str, Any] = {}
        self.type_parameters: dict[int, list[str]] = {}
        self.type_arguments: dict[int, list[int]] = {}
        self.sites: list[int] = []
        self.named: list[int] = []
        """Offsets of all NAMEs, whose scopes are determined at the end."""
        self.code: list[int] = [0, 0]
        self.strings: dict[str, int] = {"": 0}
        self.texts: list[str] = [""]
        self.comments: list[tuple[int, int]] = []
        self.problems: list[str] = []
        self.package = ""
        """The package that the file names, if the language has such a line."""
        self.joins_overloads = True
        """Whether definitions of one name that only declare it are one symbol with what implements it."""
        self.locals_begin_late = False
        """Whether a local variable is seen only after the statement that declares it: `f := f(x)` calls another f."""
        self.scope = 0
        self.definition = 0
        self.block = 0
        self.bound: list[set[str]] = []
        """By scope: the names bound in it."""
        self.elsewhere: dict[tuple[int, str], int] = {}
        """(scope, name) -> scope where it is bound instead: `global`, `nonlocal`, hoisted `var`."""
        self.defined: dict[tuple[int, str], int] = {}
        """(scope, name) -> first definition of that name in it."""
        lines = source.split(b"\n")
        self.line_starts = array("i", accumulate((len(line) + 1 for line in lines[:-1]), initial=0))

    def is_understood(self, error: Node) -> bool:
        """Whether something that the grammar reports as an error is valid, and lowered accordingly."""
        return False

    def root_read(self, root: Node) -> Node:
        """The tree whose errors are the file's."""
        return root

    # Expressions

    def string(self, text: str) -> int:
        index = self.strings.get(text)
        if index is None:
            index = len(self.texts)
            text = sys.intern(text)  # stored once, for all files
            self.strings[text] = index
            self.texts.append(text)
        return index

    def emit(self, *words: int) -> int:
        """Appends an expression: operation, byte, operands. Returns its offset."""
        offset = len(self.code)
        self.code += words
        return offset

    def variable(self, word: int, byte: int) -> int:
        """A variable by the index of its name, without a site."""
        offset = len(self.code)
        self.code += (op.NAME, byte, word, self.scope)
        self.named.append(offset)
        return offset

    def name(self, text: str, byte: int, role: int = READ) -> int:
        """A variable that is read, with its site."""
        offset = self.variable(self.string(text), byte)
        if role >= 0:
            self.sites += (offset, role, self.definition)
        return offset

    def site(self, expression: int, role: int) -> None:
        self.sites += (expression, role, self.definition)

    # Structure

    def open_scope(self, kind: str, definition: int, start: int, end: int, receiver: str = "") -> int:
        """Opens a scope inside the current one; the caller sets `self.scope` and restores it."""
        around = self.scope if self.scopes else -1
        self.scopes.append(Scope(kind, around, definition, start, end, receiver))
        self.bound.append(set())
        return len(self.scopes) - 1

    def open_block(self, start: int, end: int, loop: bool = False) -> int:
        """Opens a part of the current body that may run or not. Returns the enclosing block, to be restored."""
        around = self.block
        self.block = len(self.blocks) // BLOCK_WORDS
        self.blocks.extend((start, end, int(loop)))
        return around

    def bind(self, name: str, value: int, byte: int, kind: str = "", scope: int | None = None) -> None:
        """`name` holds `value` from `byte` on."""
        if scope is None:
            scope = self.scope
        if self.elsewhere:
            scope = self.elsewhere.get((scope, name), scope)
        self.bindings.append(Binding(scope, name, value, byte, self.block, kind))
        if kind != "narrow":
            self.bound[scope].add(name)

    def define_file(self, doc: str = "") -> None:
        """The file itself: the first definition, and the first scope, which is opened and current."""
        self.define(
            Definition(
                kind="module",
                name=self.path.rsplit("/", 1)[-1],
                qualified_name=self.path,
                parent=-1,
                scope=0,
                start_byte=0,
                end_byte=len(self.source),
                name_byte=0,
                body_byte=0,
                doc=doc,
            )
        )
        self.open_scope("module", 0, 0, len(self.source) + 1)

    def define(self, definition: Definition) -> int:
        """Adds a symbol, with its lines and hash; a name means its first symbol in the current scope. Where the parser
        had to invent a name, there is no symbol."""
        index = len(self.definitions)
        if not definition.name and ANONYMOUS not in definition.flags:
            definition.flags = (*definition.flags, ANONYMOUS)
        start, end = definition.start_byte, definition.end_byte
        definition.start_line, definition.end_line = self.line(start), self.line(max(end - 1, 0))
        text = self.source[start : max(start, end)]
        if b"\r" in text:
            text = text.replace(b"\r\n", b"\n")
        definition.hash = blake2b(text, digest_size=8).hexdigest()
        self.definitions.append(definition)
        if index:
            self.defined.setdefault((self.scope, definition.name), index)
        return index

    def qualified(self, name: str) -> str:
        """The qualified name of `name` below the current definition."""
        around = self.definitions[self.definition].qualified_name if self.definition else ""
        return f"{around}.{name}" if around else name

    def line(self, byte: int) -> int:
        return bisect_right(self.line_starts, byte)

    def text(self, start: int, end: int) -> str:
        return self.source[start : max(start, end)].decode("utf-8", "replace")

    def folded(self, start: int, end: int) -> str:
        """The source between two offsets on one line, cut to SIGNATURE_LIMIT."""
        text = " ".join(self.text(start, end).split())
        return text if len(text) <= SIGNATURE_LIMIT else text[: SIGNATURE_LIMIT - 1] + "…"

    # The end

    def lexical_scope(self, scope: int, name: str) -> int:
        """Where `name`, read in `scope`, is bound in this file; -1 if nowhere."""
        bound, scopes, elsewhere = self.bound, self.scopes, self.elsewhere
        reading = scope
        while scope >= 0:
            if scope == reading or scopes[scope].kind != "class":
                if elsewhere and (scope, name) in elsewhere:
                    return elsewhere[scope, name]
                if name in bound[scope]:
                    return scope
            scope = scopes[scope].parent
        return -1

    def same_flow(self, reading: int, bound: int) -> bool:
        """Whether a name read in one scope runs in the flow of the scope that binds it, and not in a closure's."""
        while reading != bound:
            if self.scopes[reading].kind not in _IN_FLOW:
                return False
            reading = self.scopes[reading].parent
        return True

    def finish(self) -> FileFacts:
        """Resolves names lexically and drops the sites that only read a local variable."""
        if self.joins_overloads:
            join(self.definitions)
        code, scopes = self.code, self.scopes
        names = self.texts
        resolved: dict[tuple[int, int], int] = {}
        local_kinds = {
            index
            for index, scope in enumerate(scopes)
            if scope.kind not in ("module", "class") and not is_module_within(self.definitions, scopes, index)
        }
        carriers = set()
        for binding in self.bindings:
            if binding.scope in local_kinds:
                operation = code[binding.value]
                if operation == op.TYPED:
                    operation = code[code[binding.value + op.TYPED_VALUE]]
                if operation in _SYMBOLS or (binding.kind == "type" and operation != op.TYPE_VARIABLE):
                    carriers.add((binding.scope, binding.name))
        for offset in self.named:
            key = (code[offset + op.BINDER], code[offset + op.WORD])
            scope = resolved.get(key)
            if scope is None:
                scope = self.lexical_scope(key[0], names[key[1]])
                if scope >= 0 and not self.same_flow(key[0], scope):
                    scope = op.closure_binder(scope)
                resolved[key] = scope
            code[offset + op.BINDER] = scope
        if self.locals_begin_late:
            self.look_around_late_locals(local_kinds, carriers)
        kept: list[int] = []
        rows = self.sites
        for expression, role, definition in zip(
            rows[::SITE_WORDS], rows[ROLE::SITE_WORDS], rows[MAKER::SITE_WORDS], strict=True
        ):
            if code[expression] == op.NAME and role != CALLED:
                scope = code[expression + op.BINDER]
                scope = op.binding_scope(scope)
                if scope in local_kinds and (scope, names[code[expression + op.WORD]]) not in carriers:
                    continue
            kept += (expression, role, definition)
        return FileFacts(
            self.path, self.language, self.definitions, scopes, self.blocks, self.bindings, self.parameters,
            self.returns, self.yields, self.bases, self.decorators, self.annotations, self.fields, self.members,
            self.items, self.imports, self.exports, self.type_parameters, self.type_arguments,
            array("i", kept), array("i", code), names, self.line_starts, self.wide(), self.comments, self.problems,
            self.package,
        )  # fmt: skip

    def look_around_late_locals(self, local_kinds: set[int], carriers: set[tuple[int, str]]) -> None:
        """A name that is read before the local variable of that name begins is one of a scope around it."""
        begins: dict[tuple[int, str], int] = {}
        for binding in self.bindings:
            local = (binding.scope, binding.name)
            if binding.scope in local_kinds and local not in carriers:
                begins[local] = min(binding.byte, begins.get(local, binding.byte))
        code, names, scopes = self.code, self.texts, self.scopes
        for offset in self.named:
            name = names[code[offset + op.WORD]]
            binder = code[offset + op.BINDER]
            scope = found = op.binding_scope(binder)
            while found >= 0 and begins.get((found, name), -1) > code[offset + op.BYTE]:
                found = self.lexical_scope(scopes[found].parent, name)
            if found != scope:
                is_in_flow = found < 0 or (binder == scope and self.same_flow(scope, found))
                code[offset + op.BINDER] = found if is_in_flow else op.closure_binder(found)

    def wide(self) -> array[int]:
        """The offsets of bytes that columns do not count."""
        found = array("i")
        if not self.source.isascii():
            found.extend(match.start() for match in _CONTINUATION.finditer(self.source))
        return found
