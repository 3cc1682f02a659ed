"""JSON that configures a package or a compiler (`package.json`, `composer.json`, `tsconfig.json`), and interfaces of
OpenAPI in JSON.

In: a syntax tree. Out: facts: keys of `package.json` are sections, scripts are functions.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.languages.configuration import openapi
from rpg.encoder.languages.configuration.commands import Commands, is_path
from rpg.encoder.languages.configuration.lowering import ConfigurationLowering, join_path
from rpg.encoder.languages.configuration.rules import ConfigurationRules
from rpg.encoder.languages.configuration.values import Pair, Value, documents
from rpg.encoder.languages.prose.text import count_search_bytes, is_data
from rpg.encoder.lowering.node import Node

__all__ = ["Lowering", "Rules", "count_search_bytes", "is_data"]

_ENTRIES: Final = frozenset(
    "main module browser types typings source bin exports imports sideEffects style man autoload autoload-dev".split()
)
_TYPESCRIPT: Final = re.compile(r"(?:ts|js)config")
_SUFFIXES: Final = ("", ".js", ".json", "/index.js", ".ts")


class Rules(ConfigurationRules):
    pass


class Lowering(ConfigurationLowering):
    def is_understood(self, error: Node) -> bool:
        """A comma behind the last item; in a list of numbers the grammar misses one behind it."""
        before, behind = error.prev_sibling, error.next_sibling
        if before is None or behind is None or behind.type not in ("]", "}"):
            return False
        if error.is_missing:
            return before.type == ","
        return self.source_of(error) == "," and before.type not in ("[", "{")

    def read(self, root: Node) -> None:
        for value in documents(root, self.source):
            name = self.path.rpartition("/")[2]
            if name in ("package.json", "composer.json"):
                self.package_of(value)
            elif _TYPESCRIPT.match(name):
                self.compiler(value)
            else:
                openapi.read(self, value)

    def package_of(self, value: Value) -> None:
        for pair in value.pairs:
            inner = pair.value
            if inner.pairs:
                maker = self.symbol("section", pair.key, pair.start, pair.end, pair.key_byte)
                if pair.key == "scripts":
                    self.scripts(inner, maker)
            if pair.key in _ENTRIES:
                for text in inner.all_texts():
                    self.entry(text)

    def scripts(self, value: Value, maker: int) -> None:
        for pair in value.pairs:
            index = self.symbol("function", pair.key, pair.start, pair.end, pair.key_byte, pair.key, maker)
            self.command(pair, index)

    def command(self, pair: Pair, maker: int) -> None:
        Commands(self, (self.folder,), maker).read(pair.value.start, pair.value.end)

    def entry(self, text: Value) -> None:
        """A file by its path; in `main` and the like its suffix may be left out."""
        if "*" not in text.text and text.text not in (".", "./"):
            path = join_path(self.folder, text.text)
            self.names_file(text.byte, [path + suffix for suffix in _SUFFIXES] if path else ())

    def compiler(self, value: Value) -> None:
        for text in value.texts("extends"):
            if text.text.startswith("."):
                path = join_path(self.folder, text.text)
                self.names_file(text.byte, [path, f"{path}.json"] if path else ())
        references = value.get("references")
        for each in references.items if references is not None else ():
            for text in each.texts("path"):
                path = join_path(self.folder, text.text)
                self.names_file(text.byte, [path, f"{path}/tsconfig.json"] if path else ())
        for key in ("files", "include"):
            for text in value.texts(key):
                if is_path(text.text.encode()):
                    self.names_file(text.byte, [join_path(self.folder, text.text)])
