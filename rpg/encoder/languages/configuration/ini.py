"""Files of sections and keys (`setup.cfg`, `pytest.ini`, `tox.ini`): entry points, files, folders of tests, commands.

In: lines. Out: facts: a section is one, an entry point a constant in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.languages.configuration.commands import Commands, is_path
from rpg.encoder.languages.configuration.lowering import ConfigurationLowering, join_path
from rpg.encoder.languages.configuration.rules import ConfigurationRules
from rpg.encoder.languages.prose.text import count_search_bytes, is_data
from rpg.encoder.lowering.node import Node

__all__ = ["Lowering", "Rules", "count_search_bytes", "is_data"]

_SECTION: Final = re.compile(rb"^\[([^\]\r\n]+)\]", re.MULTILINE)
_KEY: Final = re.compile(rb"^([A-Za-z_][\w.-]*)[ \t]*[=:][ \t]*", re.MULTILINE)
_LINE: Final = re.compile(rb"[^\r\n]+")
_ENTRY: Final = re.compile(rb"[ \t]*([\w.-]+)[ \t]*=[ \t]*([\w.]+[ \t]*:[ \t]*[\w.]+)")
_PLACED: Final = re.compile(rb"(?:file|attr):[ \t]*")
_WORD: Final = re.compile(rb"(?:^[ \t]*|(?<=\s))[#;][^\n]*|[^\s,]+", re.MULTILINE)
"""A word of a value, or a comment."""
_COMMANDS: Final = frozenset(b"commands commands_pre commands_post".split())
_DOTTED: Final = re.compile(rb"[A-Za-z_]\w*(?:\.\w+)+")


class Rules(ConfigurationRules):
    pass


class Lowering(ConfigurationLowering):
    def read(self, root: Node) -> None:
        source = self.source
        found = list(_SECTION.finditer(source))
        for at, section in enumerate(found):
            end = found[at + 1].start() if at + 1 < len(found) else len(source)
            name = section[1].decode("utf-8", "replace").strip()
            index = self.symbol("section", name, section.start(), end, section.start(1), "", 0, name.replace("::", "."))
            for key, start, stop in self.keys(section.end(), end):
                self.value(name, key, start, stop, index)

    def keys(self, start: int, end: int) -> Iterator[tuple[bytes, int, int]]:
        """Key, and where its value begins and ends; further lines of a value are indented."""
        found = list(_KEY.finditer(self.source, start, end))
        for at, key in enumerate(found):
            yield key[1], key.end(), found[at + 1].start() if at + 1 < len(found) else end

    def value(self, section: str, key: bytes, start: int, end: int, maker: int) -> None:
        source = self.source
        if section.endswith("entry_points"):
            for found in _ENTRY.finditer(source, start, end):
                name = found[1].decode()
                index = self.symbol("constant", name, found.start(1), found.end(2), found.start(1), "", maker)
                self.names_object(found[2].decode(), found.start(2), index)
        elif key in _COMMANDS:
            Commands(self, (self.folder,), maker).read(start, end)
        elif key == b"testpaths":
            for word in _WORD.finditer(source, start, end):
                path = join_path(self.folder, word[0].decode("utf-8", "replace"))
                self.names_file(word.start(), [path, f"{path}/" if path else ""])
        elif key == b"DJANGO_SETTINGS_MODULE":
            dotted = _DOTTED.search(source, start, end)
            if dotted is not None:
                self.names_module(dotted[0].decode(), dotted.start())
        else:
            self.named_in(start, end, maker)

    def named_in(self, start: int, end: int, maker: int) -> None:
        """`file: README.rst`, `attr: package.__version__`, lists of files."""
        source = self.source
        placed = _PLACED.match(source, start, end)
        for word in _WORD.finditer(source, placed.end() if placed is not None else start, end):
            text = word[0].decode("utf-8", "replace")
            if placed is not None and placed[0].startswith(b"attr"):
                module, _, name = text.rpartition(".")
                if _DOTTED.fullmatch(word[0]) is not None:
                    self.names_member([module], name, word.start() + len(module.encode()) + 1, maker)
            elif is_path(word[0]):
                self.names_file(word.start(), [join_path(self.folder, text)])
