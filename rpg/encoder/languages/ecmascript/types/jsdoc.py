"""Types in JavaScript's doc comments: `@param {T} name`, `@returns {T}`, `@type {T}`, `@typedef {T} Name`.

In: comments. Out: annotations. The names in them are looked up like those of other annotations, but are no references:
a comment runs nothing.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import Import
from rpg.encoder.languages.ecmascript.types.type_expressions import subscript_type
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker, clean_comment

_TAG: Final = re.compile(r"@(param|arg|argument|returns?|type|typedef|property|prop)\s*\{")
_NAME: Final = re.compile(r"\s*\[?\s*([\w$.]+)")
_TOKEN: Final = re.compile(
    r"\s*(import|[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*|\"[^\"]*\"|'[^']*'|\.\.\.|=>|\.<|\d+|\S)"
)
_PRIMITIVES: Final = frozenset(
    """string number boolean bigint symbol null undefined void never String Number Boolean""".split()
)
_SILENT: Final = frozenset(("any", "unknown", "object", "Object", "*", "this"))
_LARGEST: Final = 4000
"""Code points of a comment; a longer one declares no types."""

Tag = tuple[str, str, str]
"""Tag, type, name."""


def tags(doc: str) -> list[Tag]:
    """The tags of a doc comment that contain a type."""
    found = []
    for match in _TAG.finditer(doc) if len(doc) <= _LARGEST else ():
        depth, end = 1, match.end()
        while end < len(doc) and depth:
            depth += {"{": 1, "}": -1}.get(doc[end], 0)
            end += 1
        name = _NAME.match(doc, end)
        found.append((match[1], doc[match.end() : end - 1], name[1] if name else ""))
    return found


def annotate(walker: EcmaScriptWalker, scope: int, doc: str, byte: int) -> None:
    """Gives a function the types in its doc comment."""
    if not walker.says_types or "{" not in doc:
        return
    rows = walker.parameters.get(scope, [])
    position = 0
    for tag, text, name in tags(doc):
        if tag in ("param", "arg", "argument") and "." not in name:
            for index, row in enumerate(rows):
                if (row.name == name or (not row.name and index == position)) and not row.annotation:
                    rows[index] = row._replace(annotation=type_from(walker, text, byte))
                    break
            position += 1
        elif tag in ("return", "returns") and scope not in walker.annotations:
            value = type_from(walker, text, byte)
            if value:
                walker.annotations[scope] = value


def find_declared_type(walker: EcmaScriptWalker, start: int) -> int:
    """The type in a comment before a declaration; 0 if there is none."""
    if not walker.says_types or not walker.comments:
        return 0
    begin, doc = walker.documented(start)
    if "@type" not in doc:
        return 0
    return next((type_from(walker, text, begin) for tag, text, _ in tags(doc) if tag == "type"), 0)


def typedefs(walker: EcmaScriptWalker) -> None:
    """Names that comments give to types."""
    if not walker.says_types or b"@typedef" not in walker.source:
        return
    for begin, end in walker.comments:
        if not walker.source.startswith(b"/**", begin) or b"@typedef" not in walker.source[begin:end]:
            continue
        name = ""
        members = -1
        for tag, text, called in tags(clean_comment(walker.text(begin, end))):
            if tag == "typedef" and called:
                name = called
                value = type_from(walker, text, begin)
                if not value:
                    members = walker.open_scope("object", 0, begin, end)
                    value = walker.emit(op.OBJECT, begin, members)
                walker.bind(name, value, 0, "type", 0)
            elif members >= 0 and tag in ("property", "prop") and "." not in called:
                annotation = type_from(walker, text, begin)
                if annotation:
                    typed = walker.emit(op.TYPED, begin, annotation, 0)
                    walker.bind(called, typed, begin, "annotation", members)


# The grammar of types, as far as types name something


def type_from(walker: EcmaScriptWalker, text: str, byte: int) -> int:
    walker.tokens = _TOKEN.findall(text)[::-1]
    return union_from(walker, byte)


def next_token(walker: EcmaScriptWalker) -> str:
    return walker.tokens[-1] if walker.tokens else ""


def takes(walker: EcmaScriptWalker, token: str) -> bool:
    if next_token(walker) != token:
        return False
    walker.tokens.pop()
    return True


def union_from(walker: EcmaScriptWalker, byte: int) -> int:
    parts = [parse_marked_type(walker, byte)]
    while takes(walker, "|") or takes(walker, "&"):
        parts.append(parse_marked_type(walker, byte))
    return walker.union(parts, byte)


def parse_marked_type(walker: EcmaScriptWalker, byte: int) -> int:
    while next_token(walker) in ("?", "!", "..."):
        walker.tokens.pop()
    value = simple_type(walker, byte)
    while takes(walker, "["):
        if not takes(walker, "]"):
            return 0
        array = walker.variable(walker.word(b"Array"), byte)
        value = walker.emit(op.SUBSCRIPT, byte, array, value)
    takes(walker, "=")
    return value


def simple_type(walker: EcmaScriptWalker, byte: int) -> int:
    token = walker.tokens.pop() if walker.tokens else ""
    if token == "(":
        value = union_from(walker, byte)
        return value if takes(walker, ")") else 0
    if token[:1] in ("'", '"') and len(token) > 1:
        return walker.emit(op.STRING, byte, walker.string(token[1:-1]))
    if token == "import" and takes(walker, "("):
        return parse_import_type(walker, byte)
    if token == "function":
        return walker.emit(op.FUNCTION_TYPE, byte, 0, 0)
    if token in _PRIMITIVES:
        return walker.literal(token.lower(), byte)
    if not token[:1].isidentifier() and token[:1] != "$":
        return 0
    arguments = arguments_from(walker, byte)
    if token in _SILENT or (token == "Promise" and not arguments):
        return 0
    return subscript_type(walker, byte, build_dotted_type(walker, token.split("."), byte), arguments)


def build_dotted_type(walker: EcmaScriptWalker, parts: list[str], byte: int) -> int:
    value = walker.variable(walker.string(parts[0]), byte)
    for part in parts[1:]:
        value = walker.emit(op.ATTRIBUTE, byte, value, walker.string(part))
    return value


def arguments_from(walker: EcmaScriptWalker, byte: int) -> list[int]:
    arguments: list[int] = []
    if takes(walker, "<") or takes(walker, ".<"):
        arguments.append(union_from(walker, byte))
        while takes(walker, ","):
            arguments.append(union_from(walker, byte))
        takes(walker, ">")
    return arguments if any(arguments) else []


def parse_import_type(walker: EcmaScriptWalker, byte: int) -> int:
    """`import("./m").Name`."""
    module = walker.tokens.pop() if walker.tokens else ""
    if module[:1] not in ("'", '"') or not takes(walker, ")"):
        return 0
    walker.imports.append(Import(module[1:-1], 0, byte, walker.scope, "type"))
    index = len(walker.imports) - 1
    if not takes(walker, "."):
        return walker.emit(op.IMPORT, byte, index)
    parts = (walker.tokens.pop() if walker.tokens else "").split(".")
    value = walker.emit(op.IMPORTED, byte, index, walker.string(parts[0]))
    for part in parts[1:]:
        value = walker.emit(op.ATTRIBUTE, byte, value, walker.string(part))
    return subscript_type(walker, byte, value, arguments_from(walker, byte))
