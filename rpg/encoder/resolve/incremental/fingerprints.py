"""Expressions as trees that compare: equal expressions before and after an edit have equal numbers, wherever they are
in the file.

In: a file's facts, before or after. Out: numbers of trees, and the names looked up in them. A local variable counts as
everything that it may hold where it is read; a name from outside the function counts as its name.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Any

from rpg.encoder import operations as op
from rpg.encoder.facts import strip_marks
from rpg.encoder.resolve.program.source_file import SourceFile

BODIES = ("function", "method", "property")
SUPER = "super"
"""What an expression meets that may mean a member of any class beside."""
_UNLIKE = frozenset({
    op.NAME, op.CALL, op.LIST, op.TUPLE, op.SET, op.UNION, op.DICTIONARY, op.PATH, op.KEYED, op.DEFINITION,
    op.FUNCTION, op.PARAMETER, op.OBJECT, op.THIS, op.SUPER, op.IMPORT, op.IMPORTED, op.YIELD,
})  # fmt: skip
"""Operations that are not compared by all of their operands alone."""
_WORDS = {
    op.NAME: op.WORD,
    op.ATTRIBUTE: op.MEMBER,
    op.STRING: op.WORD,
    op.NUMBER: op.WORD,
    op.LITERAL: op.WORD,
    op.IMPORTED: op.MEMBER,
    op.PATH: op.MEMBER,
}
"""Operation -> position of the name in it."""
_MOST_STEPS = 400_000
"""The most expressions visited for one version of a file; an edit that needs more counts as one of everything."""
_DOTTED = re.compile(r"\w+(?:\.\w+)+")

Key = tuple[str, int]
"""A definition: its qualified name, and how many definitions of that name come before it."""


class TooMuch(Exception):
    """A function is too large to compare."""


class Side:
    """A file before or after an edit."""

    def __init__(self, file: SourceFile, numbers: dict[Any, int]) -> None:
        self.file = file
        self.numbers = numbers
        """Numbers of trees, shared by both versions."""
        self.keys = _keys(file)
        """By definition."""
        self.outermost = _outermost(file)
        """Functions outside other functions, in the order of the file."""
        self.starts = [file.definitions[each].start_byte for each in self.outermost]
        self.bodies = {file.definitions[each].scope for each in self.outermost}
        self.local: dict[int, bool] = {}
        self.steps = 0
        self.known: dict[int, int] = {}
        self.scopes: dict[int, int] = {}
        self.met: set[str] = set()
        """Names looked up in the trees since it was last emptied."""
        self._openers: dict[int, int] | None = None

    @property
    def openers(self) -> dict[int, int]:
        """Scope without a definition of its own -> the expression that opens it. Few files are ever asked for it."""
        if self._openers is None:
            code = self.file.code
            self._openers = {code[e + op.SCOPE]: e for e in expressions(code) if code[e] in (op.FUNCTION, op.OBJECT)}
        return self._openers

    def region(self, byte: int) -> int:
        """The outermost function around a byte; 0 outside functions."""
        at = bisect_right(self.starts, byte) - 1
        if at < 0:
            return 0
        index = self.outermost[at]
        return index if byte < self.file.definitions[index].end_byte else 0

    def is_local(self, scope: int) -> bool:
        """Whether a scope is that of a function, named or not, or inside one."""
        known = self.local.get(scope)
        if known is None:
            if scope < 0:
                return False
            each = self.file.scopes[scope]
            known = scope in self.bodies or each.kind == "lambda" or self.is_local(each.parent)
            self.local[scope] = known
        return known

    def written(self, e: int) -> tuple[int, str]:
        """An expression's operation and the name in it."""
        code = self.file.code
        at = _WORDS.get(code[e])
        return code[e], self.file.strings[code[e + at]] if at else ""

    def begin(self) -> None:
        """Call before a tree that is unrelated to those before."""
        self.known = {}
        self.scopes = {}

    # Trees

    def tree(self, e: int) -> int:
        """The number of an expression's tree, including what it sees of the function around it."""
        self.begin()
        return self._tree(e)

    def trees(self, expressions: Iterable[int]) -> tuple[int, ...]:
        return tuple(self.tree(e) for e in expressions)

    def _tree(self, e: int) -> int:
        known = self.known.get(e)
        if known is not None:
            return known
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise TooMuch
        self.known[e] = -1 - len(self.known)  # in case it refers to itself
        found = self.known[e] = self._numbered(self._shape(e) if e else ())
        return found

    def _numbered(self, shape: tuple[Any, ...]) -> int:
        return self.numbers.setdefault(shape, len(self.numbers))

    def _trees(self, expressions: Iterable[int]) -> tuple[int, ...]:
        return tuple([self._tree(e) for e in expressions])

    def _shape(self, e: int) -> tuple[Any, ...]:
        code, strings = self.file.code, self.file.strings
        operation = code[e]
        if operation not in _UNLIKE:
            parts: list[Any] = [operation]
            for at, kind in enumerate(op.OPERANDS[operation], e + op.BYTE + 1):
                word = code[at]
                if kind == "s":
                    self.meet(strings[word])
                parts.append(self._tree(word) if kind == "e" else strings[word] if kind == "s" else word)
            return tuple(parts)
        if operation == op.NAME:
            return self._name(e)
        if operation == op.CALL:
            end = e + op.KEYWORDS + 2 * code[e + op.ARGUMENT_COUNT]
            rows = zip(code[e + op.KEYWORDS : end : 2], code[e + op.ARGUMENTS : end : 2], strict=True)
            arguments = [(strings[word] if word >= 0 else word, self._tree(value)) for word, value in rows]
            types = self._trees(self.file.facts.type_arguments.get(e, ()))
            return (operation, self._tree(code[e + op.CALLEE]), types, *arguments)
        if operation in (op.LIST, op.TUPLE, op.SET, op.UNION):
            return (operation, *self._trees(op.items_of(code, e)))
        if operation == op.DICTIONARY:
            return (operation, *self._trees(code[e + op.ITEMS : e + op.ITEMS + 2 * code[e + op.ITEM_COUNT]]))
        if operation == op.PATH:
            name = strings[code[e + op.MEMBER]]
            self.met.add(name)
            stored = self._stored(code[e + op.PATH_SCOPE], strings[code[e + op.PATH_WORD]], code[e + op.BYTE])
            return (operation, self._tree(code[e + op.HOLDER]), name, stored)
        if operation == op.KEYED:
            stored = self._stored(code[e + op.KEYED_SCOPE], strings[code[e + op.KEYED_WORD]], code[e + op.BYTE])
            return (operation, self._tree(code[e + op.SUBSCRIPTED]), stored)
        if operation == op.DEFINITION:
            defined = code[e + op.DEFINED]
            self.met.add(self.file.definitions[defined].name)
            return (operation, self.keys[defined], self.definition(defined))
        if operation == op.FUNCTION:
            return (operation, self.function(code[e + op.SCOPE]))
        if operation == op.PARAMETER:
            row = self.file.facts.parameters[code[e + op.SCOPE]][code[e + op.POSITION]]
            self.met.add(row.name)  # a framework may fill it by name
            of = self._scope(code[e + op.SCOPE])
            return (
                operation,
                of,
                code[e + op.POSITION],
                row.name,
                row.kind,
                *self._trees((row.annotation, row.default)),
            )
        if operation == op.OBJECT:
            return self._object(code[e + op.SCOPE])
        if operation in (op.THIS, op.SUPER):
            if operation == op.SUPER:
                self.met.add(SUPER)
            return (
                operation,
                self._scope(code[e + op.SCOPE]),
                self._tree(code[e + op.AFTER]) if operation == op.SUPER else 0,
            )
        if operation == op.YIELD:
            return (operation, self._tree(code[e + op.DELEGATED]))
        return self._import(e)

    def meet(self, text: str) -> None:
        """Records a name, or a text that may name something."""
        self.met.add(text)
        if "." in text and _DOTTED.fullmatch(text):
            self.met.update(text.split("."))

    def _import(self, e: int) -> tuple[Any, ...]:
        code = self.file.code
        each = self.file.facts.imports[code[e + op.STATEMENT]]
        name = self.file.strings[code[e + op.MEMBER]] if code[e] == op.IMPORTED else ""
        self.met.add(name)  # not those of the module, which is found by its path
        return (code[e], each.module, each.level, each.kind, name)

    def _name(self, e: int) -> tuple[Any, ...]:
        file = self.file
        code = file.code
        text, binder = file.strings[code[e + op.WORD]], code[e + op.BINDER]
        self.met.add(strip_marks(text))
        if binder == -1:
            return (op.NAME, text)
        in_flow = not op.is_closure(binder)
        scope = binder if in_flow else op.closure_scope(binder)
        if not self.is_local(scope):
            return (op.NAME, text, self._scope(scope))
        _, reached = file.visible(scope, text, code[e + op.BYTE], in_flow)
        rows = [
            (row.kind, self._tree(row.value), row in reached)
            for row in file.rows(scope, text)
            if row.kind != "narrow" or row in reached
        ]
        return (op.NAME, text, in_flow, *rows)

    def _stored(self, scope: int, path: str, byte: int) -> tuple[Any, ...]:
        file = self.file
        rows = [row for row in file.reaching(scope, path, byte, True) if row.byte <= byte]
        is_sure = bool(rows) and file.within(rows[0].block, byte)
        return (self._scope(scope), is_sure, *((row.kind, self._tree(row.value)) for row in rows))

    def _scope(self, scope: int) -> tuple[Any, ...]:
        """A scope by the definition that opens it, else by when it was met."""
        if scope < 0:
            return (scope,)
        definition = self.file.scopes[scope].definition
        if self.file.definitions[definition].scope == scope:
            return self.keys[definition]
        return (*self.keys[definition], self.scopes.setdefault(scope, len(self.scopes)))

    def function(self, scope: int) -> tuple[Any, ...]:
        """Everything that other files see of a function."""
        return (*self.outline(scope), *self.results(scope))

    def results(self, scope: int) -> tuple[Any, Any]:
        """What a function yields (None if it is no generator), and what it returns."""
        facts = self.file.facts
        yields = self._trees(facts.yields[scope]) if scope in facts.yields else None
        return yields, self._trees(facts.returns.get(scope, ()))

    def outline(self, scope: int) -> tuple[Any, ...]:
        facts = self.file.facts
        context = self.file.contexts.get(scope)
        around = (context.kind, self._tree(context.expression), *context[2:]) if context else ()
        annotation = facts.annotations.get(scope, 0)
        rows = facts.parameters.get(scope, ())
        return (
            self._scope(scope),
            tuple([(row.name, row.kind, *self._trees((row.annotation, row.default))) for row in rows]),
            self._tree(annotation) if annotation else 0,
            around,
        )

    def definition(self, index: int) -> tuple[Any, ...]:
        """For a function inside another one, what it returns; nothing for a definition that others see by name."""
        definition = self.file.definitions[index]
        if not self.is_inner(index):
            return ()
        decorators = self._trees(self.file.facts.decorators.get(index, ()))
        if definition.kind in BODIES:
            if definition.scope < 0:
                return (decorators,)  # a test that has a title: its function is an argument
            return (*self.function(definition.scope), decorators)
        bases = [(keyword, self._tree(e)) for keyword, e in self.file.facts.bases.get(index, ())]
        return (*bases, decorators)  # its members are seen by name

    def is_inner(self, index: int) -> bool:
        """Whether a definition is inside a function, where other files do not see it by name."""
        region = self.region(self.file.definitions[index].start_byte)
        return region not in (0, index)

    def _object(self, scope: int) -> tuple[Any, ...]:
        rows = [(row.name, row.kind, self._tree(row.value)) for row in self.file.of_object.get(scope, ())]
        return (op.OBJECT, self._scope(scope), *rows)


def _keys(file: SourceFile) -> list[Key]:
    seen: dict[str, int] = {}
    found = []
    for definition in file.definitions:
        count = seen[definition.qualified_name] = seen.get(definition.qualified_name, -1) + 1
        found.append((definition.qualified_name, count))
    return found


def _outermost(file: SourceFile) -> list[int]:
    found: list[int] = []
    end = -1
    for index, definition in enumerate(file.definitions):
        if definition.kind in BODIES and definition.scope >= 0 and definition.start_byte >= end:
            found.append(index)
            end = definition.end_byte
    return found


def expressions(code: Any) -> Iterator[int]:
    """The offset of each expression."""
    e = 0
    while e < len(code):
        yield e
        e += op.length(code, e)
