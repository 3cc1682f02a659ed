"""Strings of Go that name members: templates (`{{.Title}}`), reflection (`v.MethodByName("Title")`).

In: a string; a call. Out: references to the members; the file of a template that a string names. What a template is run
with is not known, so that its names are unresolved.

Absent: names that are computed, functions that a template gets by a `FuncMap`.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import READ, Import
from rpg.encoder.languages.go.walker import GoWalker
from rpg.encoder.languages.page_templates import SUFFIXES
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node

_ACTION: Final = re.compile(rb"\{\{(?!-?\s*/\*)(.{1,2000}?)\}\}", re.DOTALL)
_TEXT: Final = re.compile(rb"\"(?:[^\"\\]|\\.)*\"|`[^`]*`|\\\"(?:[^\"\\]|\\[^\"])*\\\"")
_FIELD: Final = re.compile(rb"\.([A-Z]\w*)")
_FILES: Final = tuple(each.encode() for each in (*SUFFIXES, ".tmpl", ".tpl"))
_PATH: Final = re.compile(rb"[\w./-]{1,200}")
_BY_NAME: Final = ("FieldByName", "MethodByName")
_REFLECTED: Final = ("Indirect", "TypeOf", "ValueOf")


def template_members(walker: GoWalker, node: Node) -> None:
    """The exported members in the actions of a template: it can reach no others."""
    start, end = node.start_byte, node.end_byte
    source = walker.source
    if source.find(b"{{", start, end) < 0:
        return
    for action in _ACTION.finditer(source, start, end):
        at = action.start(1)
        inner = _TEXT.sub(lambda found: b" " * len(found[0]), action[1])
        for found in _FIELD.finditer(inner):
            member = walker.emit(op.ATTRIBUTE, at + found.start(1), 0, walker.word(found[1]))
            walker.site(member, READ)


def template_named(walker: GoWalker, node: Node) -> None:
    """`"pages/show.html"`"""
    start, end = node.start_byte + 1, node.end_byte - 1
    piece = walker.source[start:end]
    if piece.endswith(_FILES) and _PATH.fullmatch(piece):
        walker.imports.append(Import(piece.decode(), 0, start, 0, "file"))


def lower_reflected_member(walker: GoWalker, callee: int, arguments: Node) -> None:
    """`reflect.ValueOf(view).MethodByName("Title")`"""
    code, texts = walker.code, walker.texts
    if code[callee] != op.ATTRIBUTE or texts[code[callee + op.MEMBER]] not in _BY_NAME:
        return
    parts = parts_of(arguments)
    if len(parts) != 1 or parts[0].type not in ("interpreted_string_literal", "raw_string_literal"):
        return
    name = walker.source[parts[0].start_byte + 1 : parts[0].end_byte - 1].decode("utf-8", "replace")
    if name.isidentifier():
        holder = find_reflected(walker, code[callee + op.HOLDER])
        walker.site(walker.emit(op.ATTRIBUTE, parts[0].start_byte + 1, holder, walker.string(name)), READ)


def find_reflected(walker: GoWalker, value: int) -> int:
    """What `reflect.ValueOf(x)` and `reflect.TypeOf(x).Elem()` tell of: `x`; 0 if it is not said here."""
    code, texts = walker.code, walker.texts
    while code[value] == op.CALL and code[code[value + op.CALLEE]] == op.ATTRIBUTE:
        callee = code[value + op.CALLEE]
        name = texts[code[callee + op.MEMBER]]
        if name == "Elem" and not code[value + op.ARGUMENT_COUNT]:
            value = code[callee + op.HOLDER]
        elif name in _REFLECTED and code[value + op.ARGUMENT_COUNT] == 1:
            value = code[value + op.ARGUMENTS]
            if code[value] != op.CALL:
                return value
        else:
            return 0
    return 0
