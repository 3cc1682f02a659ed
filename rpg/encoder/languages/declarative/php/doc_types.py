"""Types in PHP's doc comments: `@param T $name`, `@return T`, `@var T`, `@property T $name`.

In: comments. Out: annotations, where code declares no type, or a container without its elements. The names in them are
looked up like those of other annotations, but are no references: a comment runs nothing. A type that names no class
says nothing here, because what flows may be known better.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.languages.declarative.php.walker import PhpWalker
from rpg.encoder.languages.declarative.walker import documentation
from rpg.encoder.lowering.node import Node

_TAG: Final = re.compile(r"@((?:phpstan-|psalm-)?)(param|return|var|property(?:-read|-write)?)\s+(?=[\w\\?($])")
_TEMPLATE: Final = re.compile(
    r"@(?:phpstan-|psalm-)?(?:template(?:-covariant|-contravariant)?|type|import-type)\s+(\w+)"
)
_TOKEN: Final = re.compile(r"\s*(\\?[A-Za-z_][\w-]*(?:\\[A-Za-z_]\w*)*|\$\w+|\.\.\.|::|\"[^\"]*\"|'[^']*'|-?\d+|\S)")
_VARIABLE: Final = re.compile(r"\s*&?(?:\.\.\.)?\s*(\$\w+)")
_PRIMITIVES: Final = {each: each for each in "int string bool float array iterable callable".split()} | {
    "boolean": "bool",
    "integer": "int",
    "double": "float",
    "true": "bool",
    "false": "bool",
}
_NOTHING: Final = frozenset(("null", "void", "never"))
_UNKNOWN: Final = frozenset("mixed object resource scalar numeric".split())
_LISTS: Final = frozenset(
    "array list iterable non-empty-array non-empty-list Generator Iterator IteratorAggregate Traversable ArrayIterator "
    "\\Generator \\Iterator \\IteratorAggregate \\Traversable \\ArrayIterator".split()
)
"""What has its elements' type as its last argument, and no members that a graph knows."""
_ELEMENT_SECOND: Final = frozenset(("Generator", "\\Generator"))
_OPEN: Final = frozenset(("array", "iterable", "list"))
"""Declared types that leave open what is in them."""
_SELF: Final = frozenset(("self", "static", "$this"))
_LARGEST: Final = 4000
"""Code points of a comment; a longer one declares no types."""


class DocTypes:
    """The types that one comment says: of parameters and variables by name, of what is returned."""

    def __init__(self, walker: PhpWalker, doc: str, byte: int, around: str = "") -> None:
        self.walker = walker
        self.byte = byte
        self.parameters: dict[str, tuple[int, bool]] = {}
        """The expression of the type, and whether it says what is in a container."""
        self.result = (0, False)
        self.variable = (0, False)
        """What `@var` says of no variable that it names."""
        self._names = frozenset(_TEMPLATE.findall(doc) + _TEMPLATE.findall(around))
        self._tokens: list[str] = []
        self._found = False
        self._is_refined = False
        self._is_known = True
        if len(doc) <= _LARGEST:
            for match in _TAG.finditer(doc):
                self._read(match[1], match[2], doc, match.end())

    def _read(self, prefix: str, tag: str, doc: str, at: int) -> None:
        text, end = _cut_type(doc, at)
        variable = _VARIABLE.match(doc, end)
        name = variable[1] if variable is not None else ""
        if tag == "return":
            if prefix or not self.result[0]:
                self.result = self._parse(text) or self.result
        elif name and (prefix or name not in self.parameters):
            self.parameters[name] = self._parse(text) or self.parameters.get(name, (0, False))
        elif tag == "var" and not name and (prefix or not self.variable[0]):
            self.variable = self._parse(text) or self.variable

    def _parse(self, text: str) -> tuple[int, bool] | None:
        self._tokens = _TOKEN.findall(text)[::-1]
        self._found, self._is_refined, self._is_known = False, False, True
        value = self._union()
        return (value, self._is_refined) if value and self._found and self._is_known and not self._tokens else None

    # The grammar of types, as far as types name something

    def _takes(self, token: str) -> bool:
        if not self._tokens or self._tokens[-1] != token:
            return False
        self._tokens.pop()
        return True

    def _union(self) -> int:
        parts = [self._marked()]
        while self._takes("|") or self._takes("&"):
            parts.append(self._marked())
        return self.walker.union([each for each in parts if each], self.byte)

    def _marked(self) -> int:
        while self._takes("?"):
            pass
        value = self._simple()
        while self._takes("["):
            if not self._takes("]"):
                self._is_known = False
                return 0
            value = self._list_of(value)
        return value

    def _list_of(self, element: int) -> int:
        self._is_refined = True
        walker = self.walker
        return walker.emit(op.SUBSCRIPT, self.byte, walker.literal("list", self.byte), element)

    def _simple(self) -> int:
        walker = self.walker
        token = self._tokens.pop() if self._tokens else ""
        lower = token.lower()
        if token == "(":
            value = self._union()
            self._is_known = self._takes(")") and self._is_known
            return value
        if token in _SELF:
            self._found = self._found or bool(walker.self_name)
            return walker.name_at_top(walker.self_name, self.byte) if walker.self_name else 0
        if lower in _NOTHING:
            return 0
        if not token[:1].isidentifier() and token[:1] != "\\":
            self._is_known = False
            return 0
        arguments = self._arguments()
        if token in _LISTS and arguments:
            element = arguments[1 if token in _ELEMENT_SECOND and len(arguments) > 1 else -1]
            return self._list_of(element)
        if lower in _PRIMITIVES and not arguments:
            return walker.literal(_PRIMITIVES[lower], self.byte)
        if lower in _UNKNOWN or "-" in token or token in self._names or token in _LISTS:
            self._is_known = False
            return 0
        self._found = True
        named = walker.name_at_top(token, self.byte)
        if not arguments or not arguments[-1]:
            return named
        return walker.union([named, self._list_of(arguments[-1])], self.byte)

    def _arguments(self) -> list[int]:
        arguments: list[int] = []
        if self._takes("<"):
            arguments.append(self._argument())
            while self._takes(","):
                arguments.append(self._argument())
            self._is_known = self._takes(">") and self._is_known
        return arguments

    def _argument(self) -> int:
        """An argument of which nothing is known leaves the rest as it is."""
        is_known, self._is_known = self._is_known, True
        self._takes("covariant")
        value = self._union()
        value, self._is_known = value if self._is_known else 0, is_known
        return value


def _cut_type(doc: str, at: int) -> tuple[str, int]:
    """The type that begins there, up to a blank outside of brackets; and where it ends."""
    depth, end = 0, at
    while end < len(doc):
        sign = doc[end]
        if sign in "<({[":
            depth += 1
        elif sign in ">)}]":
            depth -= 1
        elif depth == 0 and (sign.isspace() or sign in ",;*") and not _goes_on(doc, at, end):
            break
        end += 1
    return doc[at:end], end


def _goes_on(doc: str, begin: int, at: int) -> bool:
    """Whether an operator on either side of a blank continues the type."""
    return doc[at] in " \t" and (doc[begin:at].rstrip()[-1:] in ("|", "&") or doc[at:].lstrip(" \t")[:1] in ("|", "&"))


def annotate_function(walker: PhpWalker, index: int, around: str) -> None:
    """Gives a function the types in its doc comment; `around`: that of its class."""
    definition = walker.definitions[index]
    if not walker.says_types or "@" not in definition.doc or definition.scope < 0:
        return
    scope = definition.scope
    said = DocTypes(walker, definition.doc, definition.start_byte, around)
    rows = walker.parameters.get(scope, [])
    for at, row in enumerate(rows):
        annotation = choose(walker, row.annotation, said.parameters.get(row.name, (0, False)))
        if annotation != row.annotation:
            rows[at] = row._replace(annotation=annotation)
    declared = walker.annotations.get(scope, 0)
    result = choose(walker, declared, said.result)
    if result:
        walker.annotations[scope] = result


def choose(walker: PhpWalker, declared: int, said: tuple[int, bool]) -> int:
    """The declared type, or what a comment says where none is, or where that leaves open what is in it."""
    value, is_refined = said
    if not declared or not value:
        return declared or value
    code = walker.code
    if is_refined and code[declared] == op.LITERAL:
        return value if walker.texts[code[declared + op.WORD]] in _OPEN else declared
    return value if is_refined else declared


def annotate_class(walker: PhpWalker, index: int) -> None:
    """Gives objects of a class the members that its comment says they have, as code that assigns them would."""
    definition = walker.definitions[index]
    if walker.says_types and "@property" in definition.doc:
        around, walker.self_name = walker.self_name, definition.name
        said = DocTypes(walker, definition.doc, definition.start_byte)
        walker.self_name = around
        for name, (annotation, _) in said.parameters.items():
            if annotation:
                held = walker.emit(op.TYPED, definition.start_byte, annotation, 0)
                walker.fields.setdefault(index, []).append((name.removeprefix("$"), held))


def find_field_type(walker: PhpWalker, node: Node, name: str, declared: int) -> int:
    """The type of a field, by the comment above its declaration; `name`: with its sign."""
    if not walker.says_types:
        return declared
    begin, doc = walker.documented(node.start_byte)
    if "@var" not in doc and "-var" not in doc:
        return declared
    said = DocTypes(walker, doc, begin, doc_of_class(walker))
    return choose(walker, declared, said.parameters.get(name, said.variable))


def find_promoted_types(walker: PhpWalker, node: Node) -> DocTypes | None:
    """What the comment above a constructor says of its parameters, which may be fields."""
    begin, doc = walker.documented(node.start_byte) if walker.says_types else (0, "")
    return DocTypes(walker, doc, begin, doc_of_class(walker)) if "param" in doc else None


def doc_of_class(walker: PhpWalker) -> str:
    return walker.definitions[walker.scopes[walker.class_scope].definition].doc if walker.class_scope >= 0 else ""


def note_comment(walker: PhpWalker, node: Node) -> int:
    """`/** @var Cart $cart */` among statements says what a variable holds from there on."""
    walker.comment(node)
    text = walker.source[node.start_byte : node.end_byte]
    if walker.scope != walker.class_scope and text.startswith(b"/**") and b"var" in text and b"$" in text:
        said = DocTypes(walker, documentation(text.decode("utf-8", "replace")), node.start_byte, doc_of_class(walker))
        for name, (annotation, _) in said.parameters.items():
            if annotation and name != "$this":
                held = walker.emit(op.TYPED, node.start_byte, annotation, 0)
                walker.bind(name, held, node.end_byte)
    return 0


def hold_variable(walker: PhpWalker, node: Node, name: str, value: int) -> tuple[int, str]:
    """What an assignment or a loop gives a variable, by the comment directly above it, and the kind of binding."""
    begin = _find_comment(walker, node.start_byte) if walker.says_types else -1
    if begin < 0:
        return value, ""
    doc = documentation(walker.text(begin, node.start_byte))
    said = DocTypes(walker, doc, begin, doc_of_class(walker))
    annotation, _ = said.parameters.get(name, said.variable)
    if not annotation:
        return value, ""
    return walker.emit(op.TYPED, node.start_byte, annotation, value), "declared" if value else "annotation"


def _find_comment(walker: PhpWalker, start: int) -> int:
    """Where the comment begins that says a type directly above; -1 if there is none."""
    source = walker.source
    for begin, end in reversed(walker.comments):
        if end > start or source[end:start].strip():
            return -1
        if source.startswith(b"/**", begin):
            return begin if b"var" in source[begin:end] else -1
        start = begin
    return -1
