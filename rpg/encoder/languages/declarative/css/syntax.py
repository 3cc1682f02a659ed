"""The kinds of nodes of CSS and SCSS.

In: nodes. Out: `SPEC`, `Lowering`.
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rpg.encoder.facts import FOR_ALL, READ, WRITE, Import
from rpg.encoder.languages.declarative.lowering import DeclarativeLowering, handlers_of
from rpg.encoder.languages.declarative.spec import Spec
from rpg.encoder.lowering.node import Node, ReadPiece
from rpg.encoder.lowering.walker import Handlers

LARGE: Final = 1_000_000
"""Bytes; of a longer sheet, which a program wrote, what it defines is known alone. People write some of a fourth of
that, with line breaks; sheets without are left out before."""
_NO_ANIMATIONS: Final = frozenset(
    """alternate alternate-reverse backwards both ease ease-in ease-in-out ease-out forwards inherit infinite initial
    linear none normal paused reverse running step-end step-start unset""".split()
)
_USED: Final = re.compile(rb"var\(\s*(--[\w-]+)")
_WHOLE_DOCUMENT: Final = re.compile(r"(?:^|[\s,(]):(?:root|host)\b|(?:^|,)\s*(?:html|body|\*)\s*(?:,|$)")
"""Selectors of what holds for a whole document."""
_SHEETS: Final = (".css", ".scss")


class CssWalker(DeclarativeLowering):
    def __init__(self, path: str, language: str, source: bytes, parse: ReadPiece) -> None:
        super().__init__(path, language, source, parse)
        self.rule: Node | None = None
        """The rule around."""
        self.property = ""
        """The property that is given a value."""
        self.used = frozenset(_USED.findall(source))
        """The custom properties that the sheet uses."""

    def mention(self, key: str, byte: int, role: int = READ) -> None:
        """A use of a name, by its key."""
        if len(self.source) <= LARGE:
            self.site(self.variable(self.string(key), byte), role)

    def introduce(self, key: str, kind: str, name: str, byte: int, node: Node, body: int) -> None:
        """A name: where it first stands in a file it is defined, later it is used."""
        if key in self.offered:
            self.mention(key, byte, WRITE if key.startswith(("--", "$")) else READ)
            return
        index = self.symbol(kind, name, byte, node, body, end_marks=" {;")
        self.bind(key, self.definition_value(index), 0, "", 0)
        self.offered[key] = None


def rule_set(walker: CssWalker, node: Node) -> int:
    around, walker.rule = walker.rule, node
    walker.through(node)
    walker.rule = around
    return 0


def body_of(node: Node) -> int:
    body = next((child for child in node.named_children if child.type in ("block", "keyframe_block_list")), None)
    return body.start_byte if body is not None else node.end_byte


def class_selector(walker: CssWalker, node: Node) -> int:
    """`.button`; what `&` makes of parts is no name."""
    for child in node.named_children:
        if child.type != "class_name":
            walker.walk(child)
            continue
        start = child.start_byte
        text = walker.source_of(child).replace("\\", "")
        if text and walker.source[max(start - 1, 0) : start] == b".":
            rule = walker.rule or node
            walker.introduce(f".{text}", "constant", text, start, rule, body_of(rule))
    return 0


def pseudo_class(walker: CssWalker, node: Node) -> int:
    for child in node.named_children:
        if child.type != "class_name":
            walker.walk(child)
    return 0


def id_name(walker: CssWalker, node: Node) -> int:
    walker.mention(f"#{walker.source_of(node)}", node.start_byte)
    return 0


def extend_statement(walker: CssWalker, node: Node) -> int:
    """`@extend .other`"""
    pending = list(node.named_children)
    while pending:
        each = pending.pop()
        if each.type == "class_name":
            walker.mention(f".{walker.source_of(each)}", each.start_byte)
        else:
            pending += each.named_children
    return 0


def is_for_all(walker: CssWalker) -> bool:
    """Whether the rule around is for a whole document."""
    rule = walker.rule
    return rule is None or _WHOLE_DOCUMENT.search(walker.folded(rule.start_byte, body_of(rule)).strip()) is not None


def declaration(walker: CssWalker, node: Node) -> int:
    """`--name: value`, `$name: value`, `property: value`. A custom property is defined where a sheet gives it to the
    whole document, or gives and uses it; else it is written."""
    name = next((child for child in node.named_children if child.type in ("property_name", "variable")), None)
    text = walker.source_of(name) if name is not None else ""
    if name is not None and text.startswith(("--", "$")) and len(text) > 1:
        for_all = text[0] == "-" and is_for_all(walker)
        if for_all:
            walker.offered[text + FOR_ALL] = None
        if text[0] == "$" or text.encode() in walker.used or for_all:
            walker.introduce(text, "constant", text, name.start_byte, node, node.end_byte)
        else:
            walker.mention(text, name.start_byte, WRITE)
    around, walker.property = walker.property, text
    for child in node.named_children:
        if child != name:
            walker.walk(child)
    walker.property = around
    return 0


def plain_value(walker: CssWalker, node: Node) -> int:
    """`--name` in `var()`, the name of an animation."""
    text = walker.source_of(node)
    if text.startswith("--"):
        walker.mention(text, node.start_byte)
    elif walker.property in ("animation", "animation-name") and text not in _NO_ANIMATIONS:
        walker.mention(f"@{text}", node.start_byte)
    return 0


def variable(walker: CssWalker, node: Node) -> int:
    """`$name`; a parameter is a variable of its own."""
    text = walker.source_of(node)
    if walker.scope_of(text) <= 0:
        walker.mention(text, node.start_byte)
    return 0


def keyframes(walker: CssWalker, node: Node) -> int:
    name = next((child for child in node.named_children if child.type == "keyframes_name"), None)
    if name is not None and name.start_byte < name.end_byte:
        text = walker.source_of(name)
        walker.introduce(f"@{text}", "constant", text, name.start_byte, node, body_of(node))
    return walker.through(node)


def function(walker: CssWalker, node: Node) -> int:
    """`@mixin name($a)`, `@function name($a)`"""
    name = node.child_by_field_name("name")
    if name is None or name.start_byte == name.end_byte:
        return walker.through(node)
    text = walker.source_of(name)
    key = f"{text}()"
    if key not in walker.offered:
        index = walker.symbol("function", text, name.start_byte, node, body_of(node), end_marks=" {")
        walker.bind(key, walker.definition_value(index), 0, "", 0)
        walker.offered[key] = None
        around = walker.here()
        walker.definition = index
        walker.scope = walker.open_scope("function", index, node.start_byte, node.end_byte)
        parameters = next((child for child in node.named_children if child.type == "parameters"), None)
        for child in parameters.named_children if parameters is not None else ():
            if child.named_child_count and child.named_children[0].type == "variable":
                walker.bind(walker.source_of(child.named_children[0]), 0, node.start_byte)
        walker.through(node)
        walker.return_to(around)
        return 0
    return walker.through(node)


def include(walker: CssWalker, node: Node) -> int:
    """`@include name($a)`"""
    name = next((child for child in node.named_children if child.type == "identifier"), None)
    for child in node.named_children:
        if child != name:
            walker.walk(child)
    if name is not None:
        call_function(walker, name)
    return 0


def call_function(walker: CssWalker, name: Node) -> None:
    text = walker.source_of(name).rpartition(".")[2]
    walker.call(walker.variable(walker.string(f"{text}()"), name.start_byte), name.start_byte, [])


def call(walker: CssWalker, node: Node) -> int:
    name = next((child for child in node.named_children if child.type == "function_name"), None)
    text = walker.source_of(name) if name is not None else ""
    if text == "url":
        import_files(walker, node, _SHEETS)
    elif name is not None and f"{text}()" in walker.offered:
        call_function(walker, name)
    for child in node.named_children:
        if child != name:
            walker.walk(child)
    return 0


def import_statement(walker: CssWalker, node: Node) -> int:
    import_files(walker, node, ())
    return 0


def import_files(walker: CssWalker, node: Node, suffixes: tuple[str, ...]) -> None:
    """The files that strings name; with `suffixes` only such."""
    pending = list(node.named_children)
    while pending:
        each = pending.pop()
        if each.type in ("string_value", "plain_value"):
            text = walker.source_of(each)
            quoted = text[:1] in ('"', "'")
            text = text.strip("\"'").partition("?")[0]
            if text and (not suffixes or text.endswith(suffixes)):
                walker.imports.append(Import(text, 0, each.start_byte + quoted, 0, "side-effect"))
        else:
            pending += each.named_children


SPEC: Final[Spec] = Spec(
    comments=frozenset({"comment", "js_comment"}),
    skipped=frozenset({"tag_name", "attribute_selector", "charset_statement", "feature_query"}),
    handlers={
        "rule_set": rule_set,
        "class_selector": class_selector,
        "pseudo_class_selector": pseudo_class,
        "id_name": id_name,
        "extend_statement": extend_statement,
        "declaration": declaration,
        "plain_value": plain_value,
        "variable": variable,
        "keyframes_statement": keyframes,
        "mixin_statement": function,
        "function_statement": function,
        "include_statement": include,
        "call_expression": call,
        **dict.fromkeys(("import_statement", "use_statement", "forward_statement"), import_statement),
    },
    is_global=True,
)


class Lowering(CssWalker):
    spec: ClassVar[Spec] = SPEC
    handlers: ClassVar[Handlers] = handlers_of(SPEC)
