"""The base of the lowering of all configuration: symbols, what they mean of one another, the files that they name.

In: names and places that a kind of configuration found. Out: definitions; references to definitions of the file, which
are made at the end, once all are known; imports of kind `file` and `module` (a file that is named, see
`Rules.files_named`) and `member` (a symbol in one).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import READ, Definition, FileFacts, Import
from rpg.encoder.lowering.node import Node, ReadPiece
from rpg.encoder.lowering.walker import Walker

PACKAGE: Final = "configuration"
"""The package of all these files, so that no code shares their names."""
_PATH: Final = re.compile(r"[\w.@+~-][\w./@+~ -]*")
_LONGEST: Final = 240
_OBJECT: Final = re.compile(r"\s*([A-Za-z_][\w.]*)\s*:\s*([A-Za-z_]\w*)((?:\.[A-Za-z_]\w*)*)\s*(?:\[.*\])?\s*")
"""`package.module:object.attribute [extra]`."""


def join_path(folder: str, text: str) -> str:
    """A path below a folder of the repository; empty if the text is none, or leads out."""
    if len(text) > _LONGEST or _PATH.fullmatch(text) is None or text.startswith("~"):
        return ""
    path = posixpath.normpath(posixpath.join(folder, text))
    return "" if path == "." or path.startswith("..") else path


class ConfigurationLowering(Walker):
    def __init__(self, path: str, language: str, source: bytes, parse: ReadPiece) -> None:
        super().__init__(path, language, source, parse)
        self.folder = path.rpartition("/")[0]
        self.possible_names: list[tuple[str, int, int]] = []
        """Key of a definition, where it is named, and in which definition."""
        self.known_members: set[str] = set()
        self.sees_others = False
        """Whether a key may be that of a definition in an included file."""

    def lower(self, root: Node) -> None:
        """The whole file."""
        self.define_file()
        self.read(root)
        bound = self.bound[0]
        for key, byte, maker in self.possible_names:
            if key in bound or self.sees_others:
                self.definition = maker
                self.name(key, byte)

    def read(self, root: Node) -> None:
        """Defines and refers."""
        raise NotImplementedError

    # Symbols

    def symbol(
        self, kind: str, name: str, start: int, end: int, name_byte: int, key: str = "", parent: int = 0,
        qualified: str = "", shown: str = "",
    ) -> int:  # fmt: skip
        """`key`: what names it in this file; the first of one key is meant. `shown`: its signature, else its first
        line."""
        around = f"{self.definitions[parent].qualified_name}." if parent else ""
        while end > start + 1 and self.source[end - 1] in b" \t\r\n":
            end -= 1
        begin, doc = self.documented(start)
        line_end = self.source.find(b"\n", start, end)
        index = self.define(
            Definition(
                kind=kind,
                name=name,
                qualified_name=qualified or f"{around}{name}",
                parent=parent,
                start_byte=begin,
                end_byte=end,
                name_byte=name_byte,
                body_byte=end if line_end < 0 else line_end,
                signature=shown or self.folded(start, end if line_end < 0 else line_end).rstrip(": {="),
                doc=doc,
            )
        )
        if key and key not in self.bound[0]:
            self.bind(key, self.definition_value(index), 0)
        return index

    def documented(self, start: int) -> tuple[int, str]:
        """The comment lines directly above."""
        source = self.source
        begin = line = source.rfind(b"\n", 0, start) + 1
        if source[line:start].strip():
            return start, ""
        lines: list[str] = []
        while begin:
            above = source.rfind(b"\n", 0, begin - 1) + 1
            text = source[above : begin - 1].strip()
            if not text.startswith(b"#"):
                break
            lines.append(text.lstrip(b"#").strip().decode("utf-8", "replace"))
            begin = above
        if begin == line:
            return start, ""
        return begin + len(source[begin:start]) - len(source[begin:start].lstrip()), "\n".join(reversed(lines)).strip()

    # What is named

    def means(self, key: str, byte: int, maker: int) -> None:
        """A definition of this file, if it has it."""
        self.possible_names.append((key, byte, maker))

    def names_file(self, byte: int, candidates: Iterable[str]) -> None:
        """A file, of which just one candidate must exist; a folder ends in `/`."""
        known = [path for path in dict.fromkeys(candidates) if path and path != self.path]
        if known:
            self.imports.append(Import("\n".join(known), 0, byte, 0, "file"))

    def names_module(self, text: str, byte: int) -> None:
        """A Python module that is run or loaded by its dotted name."""
        self.imports.append(Import(text, 0, byte, 0, "module"))

    def names_member(self, modules: Iterable[str], name: str, byte: int, maker: int, attributes: str = "") -> None:
        """A symbol of another file, and attributes of it. `modules`: paths, of which just one must exist, or the dotted
        name of a Python module."""
        module = "\n".join(modules)
        self.definition = maker
        bound = f"{module}:{name}"
        if bound not in self.known_members:
            self.known_members.add(bound)
            self.imports.append(Import(module, 0, byte, 0, "member", (name,)))
            self.bind(bound, self.emit(op.IMPORTED, byte, len(self.imports) - 1, self.string(name)), 0)
        value = self.name(bound, byte)
        at = byte + len(name.encode())
        for attribute in filter(None, attributes.split(".")):
            value = self.emit(op.ATTRIBUTE, at + 1, value, self.string(attribute))
            self.site(value, READ)
            at += 1 + len(attribute.encode())

    def names_object(self, text: str, byte: int, maker: int) -> bool:
        """`package.module:object.attribute`, as entry points are written."""
        found = _OBJECT.fullmatch(text)
        if found is None:
            return False
        self.names_member([found[1]], found[2], byte + len(text[: found.start(2)].encode()), maker, found[3])
        return True

    def finish(self) -> FileFacts:
        self.package = PACKAGE
        return super().finish()
