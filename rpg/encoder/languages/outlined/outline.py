"""The table of an outlined language, and the lowering that reads a file by it.

In: a syntax tree. Out: definitions with their doc comments, and imports. Absent: names in expressions, so that no use
of these symbols is known, and no list of their uses is complete.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import ClassVar, Final, NamedTuple

from rpg.encoder.facts import Definition, Import
from rpg.encoder.languages.declarative.rules import DeclarativeRules
from rpg.encoder.languages.project import Project
from rpg.encoder.lowering.node import Node, ReadPiece
from rpg.encoder.lowering.walker import Walker
from rpg.text.paths import count_shared_folders

NOTHING: Final[frozenset[str]] = frozenset()
_MARKS: Final = re.compile(r"^\s*(?:\(\*+|\{-+|/\*+!?|[-%;#/*!'=]+)?\s?[|^]?\s?|\s*(?:\*+[/)]|-\})\s*$")
_NAME: Final = re.compile(r"[^\W\d][\w.:$']*[!?]?")
_DEPTH_OF_PART: Final = 4
_OPENING: Final = 6
"""How many nodes at the beginning of a file may have its own comment."""


class Named(NamedTuple):
    """A symbol that a kind of node is."""

    kind: str
    having: str = ""
    """Kind of a node that must be inside, not far below."""
    name: str = ""
    """The field, or with a colon the kind of node, that has the name, behind another one that has that; empty: as the
    outline says."""


class Outline(NamedTuple):
    symbols: Mapping[str, tuple[Named, ...]]
    """By kind of node: the first that fits is what it is."""
    names: frozenset[str] = frozenset({"identifier"})
    """Kinds of nodes that may be a name, where no field is called so."""
    comments: frozenset[str] = frozenset({"comment"})
    documents: frozenset[str] = NOTHING
    """Kinds of other nodes in front of a symbol that describe it."""
    closed: frozenset[str] = NOTHING
    """Kinds of nodes in which nothing is looked for: what functions do."""
    joined: frozenset[str] = NOTHING
    """Kinds of nodes that are one symbol with the next of its name: clauses, and the types of functions."""
    texts: tuple[bytes, ...] = ()
    """What begins lines that are no code: comments, and texts of several lines."""
    imports: re.Pattern[bytes] | None = None
    """What an import says: its first group."""


class OutlineLowering(Walker):
    outline: ClassVar[Outline]

    def __init__(self, path: str, language: str, source: bytes, parse: ReadPiece) -> None:
        super().__init__(path, language, source, parse)
        self.described: tuple[int, int] | None = None
        """Where the node is that describes the next symbol."""
        self.last: dict[int, int] = {}
        """By definition around: the last symbol in it that may go on."""

    def lower(self, root: Node) -> None:
        """The whole file."""
        outline = self.outline
        self.define_file(self.opening(root))
        self.within(root, frozenset(outline.comments | outline.documents))
        for found in outline.imports.finditer(self.source) if outline.imports is not None else ():
            line = self.source[self.source.rfind(b"\n", 0, found.start(1)) + 1 : found.start(1)]
            if line.lstrip().startswith(outline.texts):
                continue
            module = found[1].decode("utf-8", "replace").strip("\"'<>")
            self.imports.append(Import(module, 0, found.start(1), 0, "side-effect"))

    def opening(self, root: Node) -> str:
        """The text with which the file begins."""
        for child in root.named_children[:_OPENING]:
            if child.type in self.outline.comments:
                return plain(self.text(child.start_byte, child.end_byte))
        return ""

    def within(self, node: Node, texts: frozenset[str]) -> None:
        """Finds symbols in what a node holds, however deep the file is nested."""
        pending: list[tuple[Node, int]] = [(child, self.definition) for child in reversed(node.named_children)]
        outline = self.outline
        while pending:
            each, around = pending.pop()
            kind = each.type
            if kind in texts:
                if kind in outline.documents:
                    self.described = each.start_byte, each.end_byte
                else:
                    self.comments.append((each.start_byte, each.end_byte))
                continue
            if kind in outline.closed:
                continue
            self.definition = around
            index = self.symbol_of(each, outline.symbols.get(kind, ()))
            if index < 0:
                pending += [(child, around) for child in reversed(each.named_children)]
                continue
            if index and self.definitions[index].kind not in ("function", "method", "constant", "field"):
                pending += [(child, index) for child in reversed(each.named_children)]
        self.definition = 0

    def symbol_of(self, node: Node, forms: Iterable[Named]) -> int:
        """The definition that a node is; 0 if it goes on with the last one, -1 if it is none."""
        form = next((each for each in forms if not each.having or find(node, each.having) is not None), None)
        named = self.name_of(node, form) if form is not None else None
        if form is None or named is None:
            return -1
        found = _NAME.match(self.source_of(named).strip("\"'($@& ")) if named.end_byte > named.start_byte else None
        name = found[0] if found is not None else self.source_of(named).strip("() \"'")[:60]
        name = name.replace("::", ".")
        if not name or "\n" in name:
            return -1
        around = self.definition
        last = self.definitions[self.last[around]] if around in self.last else None
        if last is not None and last.name == name and node.type in self.outline.joined:
            last.end_byte = max(last.end_byte, node.end_byte)
            last.end_line = self.line(max(last.end_byte - 1, 0))
            return 0
        begin, doc = self.beginning_of(node)
        kind = form.kind
        outer = self.definitions[around].kind if around else ""
        if kind == "function" and outer in ("class", "interface", "struct", "trait"):
            kind = "method"
        line_end = self.source.find(b"\n", named.end_byte)
        body = node.end_byte if line_end < 0 else min(node.end_byte, line_end)
        index = self.define(
            Definition(
                kind=kind,
                name=name,
                qualified_name=self.qualified(name),
                parent=around,
                start_byte=begin,
                end_byte=node.end_byte,
                name_byte=named.start_byte,
                body_byte=body,
                signature=self.folded(self.start_of(node), body).rstrip(" {="),
                doc=doc,
                exported=not name.startswith("_"),
            )
        )
        self.last[around] = index
        return index

    def name_of(self, node: Node, form: Named) -> Node | None:
        if form.name.startswith(":"):
            named: Node | None = node
            for kind in form.name[1:].split(":"):
                named = find(named, kind) if named is not None else None
            return named
        named = node.child_by_field_name(form.name or "name")
        if named is not None:
            return named
        for kind in self.outline.names:
            found = find(node, kind)
            if found is not None and (named is None or found.start_byte < named.start_byte):
                named = found
        return named

    def start_of(self, node: Node) -> int:
        """Where a symbol begins, with the words before it that are no nodes: `pub`."""
        start = self.source.rfind(b"\n", 0, node.start_byte) + 1
        before = self.source[start : node.start_byte]
        return start + len(before) - len(before.lstrip()) if before.replace(b" ", b"").isalpha() else node.start_byte

    def beginning_of(self, node: Node) -> tuple[int, str]:
        """Where a symbol begins with what describes it, and that text."""
        start = self.start_of(node)
        if self.described is not None:
            first, last = self.described
            self.described = None
            if not self.source[last:start].strip():
                return first, plain(self.text(first, last))
        begin = self.comments_above(start)
        text = plain(self.text(begin, start)) if begin < start else ""
        return begin, text


class OutlineRules(DeclarativeRules):
    """Imports lead to the file whose path ends as they say."""

    suffixes: ClassVar[tuple[str, ...]] = ()
    """What follows the last part of an import; empty if the import has it."""
    separator: ClassVar[str] = "/"
    imports = "files"
    keeps_declared_types = False

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self.by_name: dict[str, list[str]] = {}
        """The last part of a path -> the files that have it."""
        for path in project.paths():
            self.by_name.setdefault(path.rpartition("/")[2], []).append(path)

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None:
        inner = module.replace(self.separator, "/").removeprefix("./").lstrip("/")
        while inner.startswith("../"):
            inner = inner[3:]
        for suffix in self.suffixes or ("",):
            wanted = f"{inner}{suffix}"
            known = self.by_name.get(wanted.rpartition("/")[2], ())
            found = [path for path in known if path == wanted or path.endswith(f"/{wanted}")]
            if found:
                return (min(found, key=lambda path: (-count_shared_folders(path, importer), path.count("/"), path)),)
        return None


def find(node: Node, kind: str, depth: int = _DEPTH_OF_PART) -> Node | None:
    """The first node of a kind inside another, not far below."""
    for child in node.named_children:
        if child.type == kind:
            return child
        found = find(child, kind, depth - 1) if depth else None
        if found is not None:
            return found
    return None


def plain(text: str) -> str:
    """A doc comment without its marks."""
    lines = [_MARKS.sub("", line) for line in text.strip().strip('"').split("\n")]
    return "\n".join(lines).strip()
