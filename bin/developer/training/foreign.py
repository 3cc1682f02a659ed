"""Languages that the encoder does not know yet, read well enough to train on: definitions with their doc comments.

In: path and bytes. Out: facts as the encoder's, with definitions and comments and nothing that resolution needs. Once
the encoder knows a language, it is not asked for here any more, and its entry can go.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from rpg.encoder.facts import Definition, FileFacts
from rpg.encoder.parsing.trees import parser
from rpg.graph import CLASS_KINDS


class Foreign(NamedTuple):
    grammar: str
    kinds: dict[str, str]
    """Node types of definitions, and what they define."""
    comments: tuple[str, ...]
    doc: re.Pattern[bytes]
    """How a comment begins that documents what follows it."""
    between: tuple[str, ...]
    """Node types that may stand between a doc comment and its definition."""
    block: str = ""
    """Node type that holds methods of a type named in its field `type`."""


BY_SUFFIX = {
    ".rs": Foreign(
        "rust",
        {
            "function_item": "function",
            "function_signature_item": "function",
            "struct_item": "struct",
            "enum_item": "enum",
            "trait_item": "trait",
            "type_item": "type",
        },
        ("line_comment", "block_comment"),
        re.compile(rb"///|/\*\*"),
        ("attribute_item",),
        "impl_item",
    ),
    ".java": Foreign(
        "java",
        {
            "method_declaration": "method",
            "constructor_declaration": "method",
            "class_declaration": "class",
            "interface_declaration": "interface",
            "enum_declaration": "enum",
            "record_declaration": "class",
            "annotation_type_declaration": "interface",
        },
        ("line_comment", "block_comment"),
        re.compile(rb"/\*\*"),
        (),
    ),
}

_MARKERS = re.compile(r"^[ \t]*(?:///?!?|/\*\*?|\*/|\*(?!/))[ \t]?|[ \t]*\*/[ \t]*$", re.M)
_BLANKS = re.compile(r"\s+")


def facts(path: str, source: bytes) -> FileFacts | None:
    """None for a language that is not known here either."""
    dot = path.rfind(".")
    language = BY_SUFFIX.get(path[dot:]) if dot >= 0 else None
    if language is None:
        return None
    reading = _Reading(language, path, source)
    reading.walk(parser(language.grammar).parse(source).root_node, 0, "")
    # The fields that are not named stay empty: they are for resolution.
    empty: dict[str, Any] = {name: [] for name in FileFacts._fields}
    known = {
        "path": path,
        "language": language.grammar,
        "definitions": reading.definitions,
        "comments": reading.comments,
    }
    return FileFacts(**{**empty, **known})


class _Reading:
    def __init__(self, language: Foreign, path: str, source: bytes) -> None:
        self.language = language
        self.source = source
        lines = source.count(b"\n") + 1
        self.definitions = [
            Definition(
                kind="module",
                name=path,
                qualified_name=path,
                parent=-1,
                start_byte=0,
                end_byte=len(source),
                start_line=1,
                end_line=lines,
                name_byte=0,
                body_byte=0,
            )
        ]
        self.comments: list[tuple[int, int]] = []

    def walk(self, node: Any, around: int, owner: str) -> None:
        for child in node.named_children:
            if child.type in self.language.comments:
                self.comments.append((child.start_byte, child.end_byte))
            elif child.type in self.language.kinds and child.child_by_field_name("name") is not None:
                self.walk(child, self.define(child, around, owner), "")
            elif child.type == self.language.block and child.child_by_field_name("type") is not None:
                named = self.text(child.child_by_field_name("type"))
                self.walk(child, around, re.sub(r"<.*", "", named, flags=re.S).rpartition("::")[2].strip(" &"))
            else:
                self.walk(child, around, owner)

    def define(self, node: Any, around: int, owner: str) -> int:
        outer = self.definitions[around]
        name = node.child_by_field_name("name")
        body = node.child_by_field_name("body")
        start, doc = self.documented(node)
        names = [owner] if owner else [outer.qualified_name] if around else []
        kind = self.language.kinds[node.type]
        if kind == "function" and (owner or outer.kind in CLASS_KINDS):
            kind = "method"
        header = body.start_byte if body is not None else node.end_byte
        self.definitions.append(
            Definition(
                kind=kind,
                name=self.text(name),
                qualified_name=".".join([*names, self.text(name)]),
                parent=around,
                owner=owner,
                start_byte=start,
                end_byte=node.end_byte,
                start_line=node.start_point[0] + 1,
                end_line=node.end_point[0] + 1,
                name_byte=name.start_byte,
                body_byte=header,
                signature=_BLANKS.sub(" ", self.source[node.start_byte : header].decode("utf-8", "replace")).strip(),
                doc=doc,
            )
        )
        return len(self.definitions) - 1

    def documented(self, node: Any) -> tuple[int, str]:
        """Where the definition with its doc comment starts, and what the comment says."""
        found: list[str] = []
        start = node.start_byte
        before = node.prev_named_sibling
        while before is not None:
            if before.type in self.language.comments and self.language.doc.match(self.source, before.start_byte):
                found.append(self.text(before))
            elif before.type not in self.language.between:
                break
            start = before.start_byte
            before = before.prev_named_sibling
        return start, _MARKERS.sub("", "\n".join(each.rstrip("\n") for each in reversed(found))).strip()

    def text(self, node: Any) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")
